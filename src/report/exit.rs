//! Exit codes: what a script may conclude without reading a word.
//!
//! Absent from here: printing. The one rule: when several apply, the one that a person
//! must know first wins: 7, 6, 4, (1, 2,) 3, 5.

use crate::run::result::{HeldWhy, Interruption, RunResult, TroubleKind, Verdict};

/// The meanings of the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exit {
    /// 0: all settled.
    Settled,
    /// 1: a bug of ours.
    Internal,
    /// 2: arguments or configuration.
    Usage,
    /// 3: an article is unacceptable as it is; nothing was created for it.
    Unacceptable,
    /// 4: an article is unknown or held: a person must look.
    Doubt,
    /// 5: temporary, nothing in doubt; run the same command again.
    Temporary,
    /// 6: credentials or permission.
    Credentials,
    /// 7: local state: journal damaged, disk full, abandoned run.
    LocalState,
    /// 10: `plan --detailed-exitcode` alone: nothing is wrong, and something is to be done.
    ToDo,
    /// 130: ended by SIGINT.
    Interrupted,
    /// 143: ended by SIGTERM.
    Terminated,
}

impl Exit {
    /// The exit status.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Settled => 0,
            Self::Internal => 1,
            Self::Usage => 2,
            Self::Unacceptable => 3,
            Self::Doubt => 4,
            Self::Temporary => 5,
            Self::Credentials => 6,
            Self::LocalState => 7,
            Self::ToDo => 10,
            Self::Interrupted => 130,
            Self::Terminated => 143,
        }
    }

    /// Lower ranks win.
    fn rank(self) -> u8 {
        match self {
            Self::LocalState => 0,
            Self::Interrupted | Self::Terminated => 1,
            Self::Credentials => 2,
            Self::Doubt => 3,
            // What was deferred because of it is not temporary.
            Self::Internal => 4,
            Self::Usage => 5,
            Self::Unacceptable => 6,
            Self::Temporary => 7,
            Self::ToDo => 8,
            Self::Settled => 9,
        }
    }

    /// The exit of a trouble of this kind.
    #[must_use]
    pub fn of_trouble(kind: TroubleKind) -> Self {
        match kind {
            TroubleKind::Internal => Self::Internal,
            TroubleKind::Usage => Self::Usage,
            TroubleKind::Doubt => Self::Doubt,
            TroubleKind::Temporary => Self::Temporary,
            TroubleKind::Credentials => Self::Credentials,
            TroubleKind::LocalState | TroubleKind::ReceiptNotSaved => Self::LocalState,
        }
    }

    /// The exit of a command that somebody ended.
    #[must_use]
    pub fn of_interruption(interruption: Interruption) -> Self {
        match interruption {
            Interruption::Interrupt => Self::Interrupted,
            Interruption::Terminate => Self::Terminated,
        }
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_good(self) -> bool {
        matches!(self, Self::Settled | Self::ToDo)
    }

    /// The exit that one article's verdict calls for.
    #[must_use]
    pub fn of_verdict(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::WouldCreate
            | Verdict::WouldComplete
            | Verdict::Created
            | Verdict::Completed
            | Verdict::Skipped(_) => Self::Settled,
            Verdict::Unknown(_) | Verdict::Held(HeldWhy::Decided(_)) => Self::Doubt,
            Verdict::Held(HeldWhy::JournalDamaged(_)) => Self::LocalState,
            Verdict::Deferred(_) => Self::Temporary,
            Verdict::Rejected(reason) if reason.is_about_rights() => Self::Credentials,
            Verdict::Rejected(_) | Verdict::Invalid => Self::Unacceptable,
        }
    }

    /// The exit of a whole run.
    #[must_use]
    pub fn of(result: &RunResult) -> Self {
        let articles = result.articles.iter().map(|article| Self::of_verdict(&article.verdict));
        let troubles = result.troubles.iter().map(|trouble| Self::of_trouble(trouble.kind));
        let interrupted = result.interrupted.map(Self::of_interruption);
        Self::worst(articles.chain(troubles).chain(interrupted))
    }

    /// Of several exits the one that a person must know first.
    #[must_use]
    pub fn worst(exits: impl Iterator<Item = Self>) -> Self {
        exits.min_by_key(|exit| exit.rank()).unwrap_or(Self::Settled)
    }
}
