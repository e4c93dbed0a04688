//! What must come of each case, worked out from the documents and from what really
//! happened.
//!
//! Absent from here: OncePress' own code, and anything that looks at its answers. The
//! one rule: four facts decide: the kind, whether the request arrived whole, whether the
//! site acted, and whether the answer proves something.

use super::kinds::Kind;
use super::outcome::{Lie, Nothing, Outcome, Proves, Way};

/// How a run ended for the article.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Created or completed.
    Made,
    /// There already.
    Skipped,
    /// Nothing in doubt; later.
    Deferred,
    /// The site refuses it as it is.
    Refused,
    /// Held or unknown.
    Doubt,
}

/// How a case goes: the run in which it happens, and the quiet that follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Course {
    pub(super) first: End,
    pub(super) last: End,
    /// Posts that are ours in the end.
    pub(super) posts: usize,
}

const fn course(first: End, last: End, posts: usize) -> Course {
    Course { first, last, posts }
}

const MADE: Course = course(End::Made, End::Skipped, 1);
/// It was there before this run.
const THERE: Course = course(End::Skipped, End::Skipped, 1);
/// Put off; the next run does it.
const LATER: Course = course(End::Deferred, End::Skipped, 1);
/// In doubt, and found by the next run.
const FOUND: Course = course(End::Doubt, End::Skipped, 1);
/// In doubt for good: only a person can tell.
const LOST: Course = course(End::Doubt, End::Doubt, 0);
/// Refused as it is; without the refusal the next run does it.
const REFUSED: Course = course(End::Refused, End::Skipped, 1);

/// The courses that a case may take: one, but where only the kernel knows.
pub(super) fn courses(kind: Kind, outcome: &Outcome) -> Vec<Course> {
    match kind {
        Kind::Index | Kind::IndexAsAccount | Kind::Me | Kind::Offers => {
            vec![preflight(kind, outcome)]
        }
        Kind::LookUp => vec![look_up(outcome)],
        Kind::LookUpTaken => vec![look_up_taken(outcome)],
        Kind::LookUpAgain | Kind::MediaLookUpAgain => {
            vec![if outcome.proves == Proves::Truth { MADE } else { FOUND }]
        }
        Kind::Receipts | Kind::ReceiptById => vec![receipts(outcome)],
        Kind::MediaReceipts | Kind::MediaReceiptById => vec![media_receipts(outcome)],
        // Evidence that can't be read leaves the look-up by slug, unless nobody answers.
        Kind::Read | Kind::MediaRead => {
            vec![if outcome.way == Way::Refused { FOUND } else { MADE }]
        }
        Kind::Candidates => vec![LOST],
        // All is recorded; this only adds a warning.
        Kind::SecondCopies | Kind::MediaSecondCopies => vec![MADE],
        Kind::Terms | Kind::TermById | Kind::Author => vec![terms(kind, outcome)],
        Kind::MediaLookUp => vec![media_look_up(outcome)],
        Kind::CreateTag => vec![create_tag(outcome)],
        // The file is stored; its smaller sizes are no reason to stop. When the site is
        // gone, so is the create that comes next.
        Kind::PostProcess => vec![if outcome.way == Way::Refused { LATER } else { MADE }],
        Kind::Upload => upload(outcome),
        Kind::CreatePost | Kind::CreatePage | Kind::CreateBook => create(outcome),
        Kind::Types => vec![if outcome.proves == Proves::Truth { MADE } else { LATER }],
    }
}

fn preflight(kind: Kind, outcome: &Outcome) -> Course {
    match (kind, outcome.proves) {
        (_, Proves::Truth) => MADE,
        (_, Proves::Nothing(Nothing::Unheard)) => LATER,
        // Hosts may refuse to say what a route offers.
        (Kind::Offers, _) => MADE,
        // A password that was refused, by whomever, is not sent to the next place.
        (Kind::IndexAsAccount, Proves::Nothing(Nothing::Heard)) if outcome.is_refusal() => LATER,
        // The root has three usual places, unless the site is busy or has moved.
        (Kind::Index | Kind::IndexAsAccount, Proves::Nothing(Nothing::Heard)) => MADE,
        // Who asks as nobody and is not let in asks as the account.
        (Kind::Index, Proves::Nothing(Nothing::Shut)) => MADE,
        (_, _) => LATER,
    }
}

fn look_up(outcome: &Outcome) -> Course {
    match outcome.proves {
        Proves::Truth => MADE,
        // Spec §4: a post that this user may not read has the slug.
        Proves::Lie(Lie::OneHidden) => THERE,
        Proves::Lie(_) | Proves::Nothing(_) | Proves::Refusal => LATER,
    }
}

/// Somebody has the slug. Ours is made only where the site does not show that, and then
/// under another slug.
fn look_up_taken(outcome: &Outcome) -> Course {
    match outcome.proves {
        Proves::Lie(Lie::RowsLeftOut) => MADE,
        Proves::Truth | Proves::Lie(_) => course(End::Skipped, End::Skipped, 0),
        Proves::Nothing(_) | Proves::Refusal => course(End::Deferred, End::Skipped, 0),
    }
}

fn media_look_up(outcome: &Outcome) -> Course {
    match outcome.proves {
        // What others have and this user may not edit is asked for once more.
        Proves::Truth | Proves::Lie(Lie::OneHidden) => MADE,
        Proves::Lie(_) | Proves::Nothing(_) | Proves::Refusal => LATER,
    }
}

/// A receipt is asked for: the draft exists, whatever is said. What the list leaves out
/// is asked for by its id.
fn receipts(outcome: &Outcome) -> Course {
    match outcome.proves {
        Proves::Truth | Proves::Lie(Lie::RowsLeftOut | Lie::OneHidden | Lie::AllHidden) => THERE,
        Proves::Lie(_) => FOUND,
        Proves::Nothing(_) | Proves::Refusal => LATER,
    }
}

fn media_receipts(outcome: &Outcome) -> Course {
    match outcome.proves {
        Proves::Truth | Proves::Lie(Lie::RowsLeftOut | Lie::OneHidden | Lie::AllHidden) => MADE,
        Proves::Lie(_) => FOUND,
        Proves::Nothing(_) | Proves::Refusal => LATER,
    }
}

fn terms(kind: Kind, outcome: &Outcome) -> Course {
    match (kind, outcome.proves) {
        (_, Proves::Truth) => MADE,
        // The tag is then created, which is answered with the one that exists.
        (Kind::Terms, Proves::Lie(Lie::RowsLeftOut)) => MADE,
        (Kind::Author, Proves::Lie(Lie::RowsLeftOut)) => REFUSED,
        // Whoever else there is, the one asked for was shown.
        (Kind::Author, Proves::Lie(Lie::OneHidden)) => MADE,
        (_, _) => LATER,
    }
}

fn create_tag(outcome: &Outcome) -> Course {
    match outcome.proves {
        Proves::Truth => MADE,
        Proves::Refusal => REFUSED,
        // A second try is answered with the first one's id, so nothing is in doubt.
        Proves::Nothing(_) | Proves::Lie(_) => LATER,
    }
}

/// A write with a `sending` record before it.
fn recorded(outcome: &Outcome) -> Vec<Course> {
    match (outcome.way, outcome.proves) {
        // No connection, no request.
        (Way::Astray(_) | Way::Refused, _) => vec![LATER],
        // It did not arrive whole. Whether it left whole is the kernel's secret.
        (Way::AtTheDoor | Way::HalfHead | Way::HalfBody, _) => vec![LATER, LOST],
        // Spec §6 takes such an answer at its word. Where the site acted all the same,
        // the next run finds what it was not told of, and sends nothing.
        (Way::Undone | Way::Done, Proves::Refusal) => vec![REFUSED],
        (Way::Undone, _) => vec![LOST],
        (Way::Late, _) => vec![FOUND],
        (Way::Done | Way::Twice(_), _) => vec![MADE],
    }
}

fn upload(outcome: &Outcome) -> Vec<Course> {
    match (outcome.way, outcome.proves) {
        // The file is found; the site asked for fewer requests, so the post waits.
        (Way::Done, Proves::Nothing(Nothing::Busy)) => vec![LATER],
        (_, _) => recorded(outcome),
    }
}

fn create(outcome: &Outcome) -> Vec<Course> {
    match (outcome.way, outcome.proves) {
        // Two drafts came of one request, through no fault of ours.
        (Way::Twice(_), _) => vec![Course { posts: 2, ..MADE }],
        // The receipt is not what the site has: the next run says so, and holds.
        (_, Proves::Lie(Lie::OtherSlug | Lie::OtherId)) => {
            vec![course(End::Made, End::Doubt, 1)]
        }
        (_, _) => recorded(outcome),
    }
}
