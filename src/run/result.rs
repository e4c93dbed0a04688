//! What a run found out, article by article.
//!
//! Absent from here: words for people and JSON keys (`report`). The one rule: every
//! article that went in comes out, with a verdict and what may exist on the site.

use crate::article::Problem;
use crate::names::{ArticleKey, AttachmentId, PostId, RunId, Timestamp};
use crate::protocol::kinds::{Difference, FoundPost};
use crate::protocol::{HoldReason, SkipReason, UnknownReason};
use crate::wordpress::PreflightKind;

/// Everything a run has to say.
#[derive(Debug)]
pub struct RunResult {
    /// The run, where one was begun.
    pub run: Option<RunId>,
    /// The address of the site.
    pub site: Option<String>,
    /// One entry per article, in the order of their paths.
    pub articles: Vec<ArticleResult>,
    /// Troubles that concern the run and not one article.
    pub troubles: Vec<Trouble>,
    /// Remarks that stop nothing.
    pub remarks: Vec<String>,
    /// The file that a plan was written to.
    pub plan_file: Option<String>,
    /// The signal that ended the run early.
    pub interrupted: Option<Interruption>,
}

/// The signals that end a run in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// SIGINT, Ctrl-C.
    Interrupt,
    /// SIGTERM.
    Terminate,
}

/// How one article ended.
#[derive(Debug, Clone)]
pub struct ArticleResult {
    /// Its identity; absent where the file is so broken that it has none.
    pub key: Option<ArticleKey>,
    /// Its file, as the user names it.
    pub path: String,
    /// How it ended, or (for `plan`) what would be done.
    pub verdict: Verdict,
    /// The post that the verdict speaks of.
    pub post: Option<PostView>,
    /// Creates begun so far.
    pub attempt: u32,
    /// Since when it is held or unknown.
    pub since: Option<Timestamp>,
    /// When the send left whose outcome is not settled.
    pub sent_at: Option<Timestamp>,
    /// When the site can no longer be working on a send whose answer was lost.
    pub settles_at: Option<Timestamp>,
    /// The article's own date as the site's clock shows it, where it has one.
    pub site_date: Option<String>,
    /// What of ours may exist on the site.
    pub effect: RemoteEffect,
    /// What the check found.
    pub problems: Vec<Problem>,
    /// What a person should know although it stopped nothing.
    pub warnings: Vec<Warning>,
    /// Its images.
    pub media: Vec<MediaResult>,
    /// Posts that a person who must decide should look at. Shown, never adopted.
    pub candidates: Vec<PostView>,
}

impl ArticleResult {
    /// A verdict on a file of which nothing was sent, as far as is known.
    #[must_use]
    pub fn new(key: Option<ArticleKey>, path: String, verdict: Verdict) -> Self {
        Self {
            key,
            path,
            verdict,
            post: None,
            attempt: 0,
            since: None,
            sent_at: None,
            settles_at: None,
            site_date: None,
            effect: RemoteEffect::None,
            problems: Vec::new(),
            warnings: Vec::new(),
            media: Vec::new(),
            candidates: Vec::new(),
        }
    }
}

/// A post, as far as people need to see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostView {
    /// Its id.
    pub post_id: PostId,
    /// Its slug as stored.
    pub slug: String,
    /// Its status.
    pub status: String,
    /// Where a person edits it.
    pub edit_url: Option<String>,
}

/// How one article ended, or what `plan` would do with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// `plan`: a create would be sent.
    WouldCreate,
    /// `plan`: a receipt would be recorded.
    WouldComplete,
    /// The post was created, and its receipt is recorded.
    Created,
    /// A post sent by an earlier request was found, and its receipt is recorded.
    Completed,
    /// Nothing was to be done.
    Skipped(SkipReason),
    /// A send's outcome is unknown, and could not be settled now.
    Unknown(UnknownReason),
    /// A person must look.
    Held(HeldWhy),
    /// Nothing is in doubt; the next run may do it.
    Deferred(Reason),
    /// The site, or what is known of it, refuses the article as it is.
    Rejected(Reason),
    /// The article failed the offline check.
    Invalid,
}

/// The code of a record that can't be read.
pub const JOURNAL_DAMAGED: &str = "journal_damaged";

/// Why a person must look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeldWhy {
    /// The decision table says so.
    Decided(HoldReason),
    /// The record can't be read, so it says nothing about what was sent.
    JournalDamaged(String),
}

/// A stable code, and what happened in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The code: snake case, ours or WordPress'.
    pub code: String,
    /// The words, without control characters.
    pub message: String,
}

/// Codes of refusals that another account would not meet: the article is fine as it
/// is. Those that begin with `rest_` are WordPress core's (facts, section 3).
const ABOUT_RIGHTS: [&str; 11] = [
    "no_right_to_author",
    "no_right_to_pages",
    "no_right_to_tags",
    "no_right_to_upload",
    "rest_cannot_assign_sticky",
    "rest_cannot_assign_term",
    "rest_cannot_create",
    "rest_cannot_edit_others",
    "rest_cannot_publish",
    "rest_forbidden_status",
    "rest_not_logged_in",
];

impl Reason {
    /// Whether the account must change rather than the article.
    #[must_use]
    pub fn is_about_rights(&self) -> bool {
        ABOUT_RIGHTS.contains(&self.code.as_str())
    }

    /// A reason with this code.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into() }
    }
}

/// What of ours may exist on the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RemoteEffect {
    /// Nothing of this article.
    None,
    /// A post or upload may exist: a request left, and its outcome is unknown.
    Possible,
    /// A receipt proves it.
    Confirmed,
}

/// What a person should know although it stopped nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The stable code.
    pub code: String,
    /// The words.
    pub message: String,
}

impl From<&Difference> for Warning {
    fn from(difference: &Difference) -> Self {
        let Difference { field, sent, stored } = difference;
        let message = format!("sent {}, stored {}", shown(sent), shown(stored));
        Self { code: field.code().to_owned(), message }
    }
}

/// Long values are cut: a warning points at a difference, it does not print a body.
fn shown(text: &str) -> String {
    const CHARS_MAX: usize = 60;
    if text.is_empty() {
        return "nothing".to_owned();
    }
    let mut cut: String = text.chars().take(CHARS_MAX).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    format!("\"{cut}\"")
}

/// How one image of an article ended.
#[derive(Debug, Clone)]
pub struct MediaResult {
    /// The file, as the user names it.
    pub path: String,
    /// How it ended, or (for `plan`) what would be done.
    pub verdict: MediaVerdict,
    /// The attachment, where one is known.
    pub attachment_id: Option<AttachmentId>,
}

impl MediaResult {
    /// Whether an upload of it left whose outcome is in doubt. A slug that is taken
    /// (`exists…`) is no such doubt: nothing was sent from here.
    #[must_use]
    pub fn may_have_been_sent(&self) -> bool {
        match &self.verdict {
            MediaVerdict::Unknown(_) => true,
            MediaVerdict::Held(reason) => !reason.code.starts_with("exists"),
            MediaVerdict::WouldUpload
            | MediaVerdict::Created
            | MediaVerdict::Completed
            | MediaVerdict::Skipped
            | MediaVerdict::Deferred(_)
            | MediaVerdict::Rejected(_) => false,
        }
    }
}

/// How one image ended, or what `plan` would do with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MediaVerdict {
    /// `plan`: it would be uploaded.
    WouldUpload,
    /// Uploaded, and its receipt is recorded.
    Created,
    /// Found where an earlier upload left it, and its receipt is recorded.
    Completed,
    /// On the site already, with a receipt.
    Skipped,
    /// An upload's outcome is unknown, and could not be settled now.
    Unknown(UnknownReason),
    /// A person must look.
    Held(Reason),
    /// Nothing is in doubt; the next run may do it.
    Deferred(Reason),
    /// The site refuses the file as it is.
    Rejected(Reason),
}

/// A trouble that concerns the run and not one article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// What kind, which decides the exit code.
    pub kind: TroubleKind,
    /// The stable code.
    pub code: String,
    /// What happened, what may exist on the site, what was not done.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// The command that does it, where there is one.
    pub next: Option<String>,
    /// What of ours may exist on the site because of it.
    pub effect: RemoteEffect,
    /// Whose words are in the message.
    pub words: WordsOf,
}

/// Whose words a text is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordsOf {
    /// Ours, and those of this machine.
    Here,
    /// The site's among them, perhaps: data, whatever they say.
    Site,
}

impl Trouble {
    /// A trouble that left nothing on the site.
    pub fn new(
        kind: TroubleKind,
        code: &str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        let (code, message, hint) = (code.to_owned(), message.into(), hint.into());
        let words = match kind {
            TroubleKind::Internal | TroubleKind::Usage | TroubleKind::LocalState => WordsOf::Here,
            TroubleKind::Doubt
            | TroubleKind::Temporary
            | TroubleKind::Credentials
            | TroubleKind::ReceiptNotSaved => WordsOf::Site,
        };
        Self { kind, code, message, hint, next: None, effect: RemoteEffect::None, words }
    }

    /// With words of the site in its message.
    #[must_use]
    pub fn with_words_of_the_site(mut self) -> Self {
        self.words = WordsOf::Site;
        self
    }

    /// With the command that ends it.
    #[must_use]
    pub fn with_next(mut self, command: impl Into<String>) -> Self {
        self.next = Some(command.into());
        self
    }

    /// With what may exist on the site because of it.
    #[must_use]
    pub fn with_effect(mut self, effect: RemoteEffect) -> Self {
        self.effect = effect;
        self
    }
}

/// The kinds of troubles; each has an exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TroubleKind {
    /// A bug of ours.
    Internal,
    /// Arguments or configuration.
    Usage,
    /// A person must look at the site.
    Doubt,
    /// Temporary, nothing in doubt.
    Temporary,
    /// Credentials or permission.
    Credentials,
    /// The journal, the disk, an abandoned run.
    LocalState,
    /// The journal could not take a receipt: its line must reach a person by every way.
    ReceiptNotSaved,
}

impl From<PreflightKind> for TroubleKind {
    fn from(kind: PreflightKind) -> Self {
        match kind {
            PreflightKind::Config => Self::Usage,
            PreflightKind::Credentials => Self::Credentials,
            PreflightKind::Temporary => Self::Temporary,
        }
    }
}

impl Verdict {
    /// Whether the run ended with nothing left to do for this article.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        match self {
            Self::Created | Self::Completed | Self::Skipped(_) => true,
            Self::WouldCreate
            | Self::WouldComplete
            | Self::Unknown(_)
            | Self::Held(_)
            | Self::Deferred(_)
            | Self::Rejected(_)
            | Self::Invalid => false,
        }
    }
}

impl PostView {
    /// What people need to see of a found post.
    #[must_use]
    pub fn of(found: &FoundPost, edit_url: Option<String>) -> Self {
        Self {
            post_id: found.post_id,
            slug: found.stored_slug.clone(),
            status: found.status.clone(),
            edit_url,
        }
    }
}
