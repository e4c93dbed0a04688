//! The decision table: record × sighting → action.
//!
//! Absent from here: everything that could fail. The one rule: no arm decides for
//! "all the rest" of our own enums, so that a new phase or sighting does not compile
//! until somebody has decided about it. The whole table is a golden file
//! (`fixtures/decision-table.txt`).

use super::sighting::{ReceiptSighting, Sighting, Unclear};

/// Where one article or upload stands: what its record says, and what the site
/// showed when it was asked in the way that this kind of record calls for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing<F> {
    /// No record, or one whose last try ended with nothing sent.
    None(Sighting<F>),
    /// The input was fixed, and the create was not begun.
    Prepared(PreparedInput, Sighting<F>),
    /// The create was begun; its outcome is unknown.
    Sending(SentInput, Age, Sighting<F>),
    /// A receipt proves that the object exists.
    Confirmed(SentInput, ReceiptSighting<F>),
    /// A person decided that this is not to be sent.
    Withdrawn,
}

/// Whether what is in the folder today is what was prepared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PreparedInput {
    /// The same input, rendered by the same version.
    Same,
    /// The article was edited.
    Changed,
    /// The article is the same, but would be rendered by another version.
    RendererChanged,
}

/// Whether what is in the folder today is what was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SentInput {
    /// The same input. How it would be rendered today does not matter any more.
    Same,
    /// The article was edited.
    Changed,
}

/// Whether a site could still be working on a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Age {
    /// The settle time is not over: an insert may still land.
    Settling,
    /// The settle time is over.
    Settled,
}

/// What to do for one article or upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action<F> {
    /// Record `sending`, then send once.
    Create,
    /// Record a receipt for what the look-up found, without sending.
    Complete(F),
    /// Nothing to do.
    Skip(SkipReason, Vec<F>),
    /// Stop for a person.
    Hold(HoldReason, Vec<F>),
    /// The outcome of an earlier send is unknown, and could not be settled now.
    Unknown(UnknownReason),
    /// Nothing is in doubt; the next run may do it.
    Defer(DeferReason),
}

/// Why nothing is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkipReason {
    /// The slug is taken by a post that is not known to be ours.
    Exists,
    /// Several posts have the slug.
    ExistsSeveral,
    /// A post with the slug is in the trash.
    ExistsInTrash,
    /// The site counts a post with the slug that this user may not read.
    ExistsHidden,
    /// A receipt proves that our post exists.
    Confirmed,
    /// A person decided that this is not to be sent.
    Withdrawn,
}

/// Why a person must look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HoldReason {
    /// Prepared, then edited.
    InputChanged,
    /// Prepared by a version of OncePress that renders differently.
    RendererChanged,
    /// A create was begun, and the site shows nothing.
    NotFound,
    /// A create was begun, its post was found, and the article was edited since.
    EditedWhileSending,
    /// A create was begun, and the post found has other content.
    ContentDiffers,
    /// A create was begun, and several posts have the slug.
    SeveralFound,
    /// A create was begun, and the post found is in the trash.
    FoundInTrash,
    /// The site counts a post that this user may not read.
    Hidden,
    /// The post of the receipt is gone.
    ReceiptMissing,
    /// The post of the receipt is in the trash.
    ReceiptInTrash,
    /// The post of the receipt has another slug.
    ReceiptMismatch,
    /// The article was edited after its draft was made.
    EditedAfterReceipt,
    /// An image of the article has no receipt, and only a person can settle it.
    MediaUnknown,
}

/// Why the outcome of an earlier send stays unknown for now.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum UnknownReason {
    /// The site could not be asked, or its answer is no proof.
    CannotLookUp(Unclear),
    /// The site shows nothing yet, and may still be working on it.
    Settling,
    /// Nobody has asked the site since; the table never says so, `status` does.
    NotLookedUp,
}

/// Why the next run may do it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum DeferReason {
    /// The site could not be asked, or its answer is no proof.
    CannotLookUp(Unclear),
}

/// Decides for one article or upload. Total: every standing has an action.
pub fn decide<F>(standing: Standing<F>) -> Action<F> {
    match standing {
        Standing::Withdrawn => Action::Skip(SkipReason::Withdrawn, Vec::new()),
        Standing::None(sighting) => create_or_skip(sighting),
        Standing::Prepared(input, sighting) => match input {
            PreparedInput::Same => create_or_skip(sighting),
            PreparedInput::Changed => Action::Hold(HoldReason::InputChanged, found_in(sighting)),
            PreparedInput::RendererChanged => {
                Action::Hold(HoldReason::RendererChanged, found_in(sighting))
            }
        },
        Standing::Sending(input, age, sighting) => settle(input, age, sighting),
        Standing::Confirmed(input, sighting) => verify(input, sighting),
    }
}

/// Nothing was sent: whatever the site shows is somebody's, and is left alone.
fn create_or_skip<F>(sighting: Sighting<F>) -> Action<F> {
    match sighting {
        Sighting::Absent => Action::Create,
        Sighting::Same(found) | Sighting::Differs(found) => {
            Action::Skip(SkipReason::Exists, vec![found])
        }
        Sighting::Several(found) => Action::Skip(SkipReason::ExistsSeveral, found),
        Sighting::Trashed(found) => Action::Skip(SkipReason::ExistsInTrash, vec![found]),
        Sighting::Hidden => Action::Skip(SkipReason::ExistsHidden, Vec::new()),
        Sighting::Unclear(unclear) => Action::Defer(DeferReason::CannotLookUp(unclear)),
    }
}

/// A send was begun: only finding exactly what was sent settles it. "I can't find it"
/// is no licence to send again, so no arm of this function creates.
fn settle<F>(input: SentInput, age: Age, sighting: Sighting<F>) -> Action<F> {
    match sighting {
        Sighting::Absent => match age {
            Age::Settling => Action::Unknown(UnknownReason::Settling),
            Age::Settled => Action::Hold(HoldReason::NotFound, Vec::new()),
        },
        Sighting::Same(found) => match input {
            SentInput::Same => Action::Complete(found),
            SentInput::Changed => Action::Hold(HoldReason::EditedWhileSending, vec![found]),
        },
        Sighting::Differs(found) => Action::Hold(HoldReason::ContentDiffers, vec![found]),
        Sighting::Several(found) => Action::Hold(HoldReason::SeveralFound, found),
        Sighting::Trashed(found) => Action::Hold(HoldReason::FoundInTrash, vec![found]),
        Sighting::Hidden => Action::Hold(HoldReason::Hidden, Vec::new()),
        Sighting::Unclear(unclear) => Action::Unknown(UnknownReason::CannotLookUp(unclear)),
    }
}

/// A receipt exists: look after it, never send. An article that was edited since is
/// held whatever the site shows, because nothing there may be overwritten.
fn verify<F>(input: SentInput, sighting: ReceiptSighting<F>) -> Action<F> {
    match (input, sighting) {
        (SentInput::Changed, sighting) => {
            Action::Hold(HoldReason::EditedAfterReceipt, found_by_receipt(sighting))
        }
        (SentInput::Same, ReceiptSighting::Missing) => {
            Action::Hold(HoldReason::ReceiptMissing, Vec::new())
        }
        (SentInput::Same, ReceiptSighting::Present(found)) => {
            Action::Skip(SkipReason::Confirmed, vec![found])
        }
        (SentInput::Same, ReceiptSighting::Mismatch(found)) => {
            Action::Hold(HoldReason::ReceiptMismatch, vec![found])
        }
        (SentInput::Same, ReceiptSighting::Trashed(found)) => {
            Action::Hold(HoldReason::ReceiptInTrash, vec![found])
        }
        (SentInput::Same, ReceiptSighting::Hidden) => Action::Hold(HoldReason::Hidden, Vec::new()),
        (SentInput::Same, ReceiptSighting::Unclear(unclear)) => {
            Action::Defer(DeferReason::CannotLookUp(unclear))
        }
    }
}

/// What a person should be shown beside a hold.
fn found_in<F>(sighting: Sighting<F>) -> Vec<F> {
    match sighting {
        Sighting::Same(found) | Sighting::Differs(found) | Sighting::Trashed(found) => vec![found],
        Sighting::Several(found) => found,
        Sighting::Absent | Sighting::Hidden | Sighting::Unclear(_) => Vec::new(),
    }
}

fn found_by_receipt<F>(sighting: ReceiptSighting<F>) -> Vec<F> {
    match sighting {
        ReceiptSighting::Present(found)
        | ReceiptSighting::Mismatch(found)
        | ReceiptSighting::Trashed(found) => vec![found],
        ReceiptSighting::Missing | ReceiptSighting::Hidden | ReceiptSighting::Unclear(_) => {
            Vec::new()
        }
    }
}

impl SkipReason {
    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Exists => "exists",
            Self::ExistsSeveral => "exists_several",
            Self::ExistsInTrash => "exists_in_trash",
            Self::ExistsHidden => "exists_hidden",
            Self::Confirmed => "confirmed",
            Self::Withdrawn => "withdrawn",
        }
    }
}

impl HoldReason {
    /// Every reason, for reading one back from its code.
    pub const ALL: [Self; 13] = [
        Self::InputChanged,
        Self::RendererChanged,
        Self::NotFound,
        Self::EditedWhileSending,
        Self::ContentDiffers,
        Self::SeveralFound,
        Self::FoundInTrash,
        Self::Hidden,
        Self::ReceiptMissing,
        Self::ReceiptInTrash,
        Self::ReceiptMismatch,
        Self::EditedAfterReceipt,
        Self::MediaUnknown,
    ];

    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::InputChanged => "input_changed",
            Self::RendererChanged => "renderer_changed",
            Self::NotFound => "not_found",
            Self::EditedWhileSending => "edited_while_sending",
            Self::ContentDiffers => "content_differs",
            Self::SeveralFound => "several_found",
            Self::FoundInTrash => "found_in_trash",
            Self::Hidden => "hidden",
            Self::ReceiptMissing => "receipt_missing",
            Self::ReceiptInTrash => "receipt_in_trash",
            Self::ReceiptMismatch => "receipt_mismatch",
            Self::EditedAfterReceipt => "edited_after_receipt",
            Self::MediaUnknown => "media_unknown",
        }
    }

    /// The reason with this code.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.code() == code)
    }
}

impl UnknownReason {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::CannotLookUp(_) => "cannot_look_up",
            Self::Settling => "settling",
            Self::NotLookedUp => "not_looked_up",
        }
    }
}

impl DeferReason {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::CannotLookUp(_) => "cannot_look_up",
        }
    }
}
