//! The stable words of `--json`: each of them is part of what a version promises.
//!
//! Absent from here: codes of reasons, which are many (`explain`). The one rule: the word
//! that people read in the table is the one that machines read.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::run::result::{RemoteEffect, Verdict};

/// What `push` would do with an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Send it.
    Create,
    /// Record the receipt of an earlier send that reached the site; send nothing.
    Complete,
    /// Nothing.
    Skip,
    /// Nothing, before a person looked.
    Hold,
    /// Nothing now; nothing is in doubt.
    Defer,
    /// Nothing: it would be refused as it is.
    Reject,
    /// Nothing: it failed the offline check.
    Invalid,
}

/// How an article ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A draft was made, and its receipt is recorded.
    Created,
    /// A draft that was sent earlier was found, and its receipt is recorded.
    Completed,
    /// Nothing was to be done.
    Skipped,
    /// It was sent, and it is not known whether it arrived. Not a failure: never send it by
    /// other means.
    Unknown,
    /// A person must look. Never send it by other means.
    Held,
    /// Nothing is in doubt; the next run may do it.
    Deferred,
    /// The site, or what is known of it, refuses it as it is.
    Rejected,
    /// It failed the offline check.
    Invalid,
}

/// The one word for a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Word {
    /// For `plan`.
    Action(Action),
    /// For everything else.
    Outcome(Outcome),
}

/// What of ours may be on the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Effect {
    /// Nothing.
    None,
    /// A post or upload may be there: a request left, and its outcome is unknown.
    Possible,
    /// A receipt proves it.
    Confirmed,
}

/// How a file of an article stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MediaWord {
    /// It would be uploaded.
    Create,
    /// It was uploaded, and its receipt is recorded.
    Created,
    /// An earlier upload was found, and its receipt is recorded.
    Completed,
    /// It is on the site already.
    Skipped,
    /// It was sent, and it is not known whether it arrived.
    Unknown,
    /// A person must look.
    Held,
    /// Nothing is in doubt; the next run may do it.
    Deferred,
    /// The site refuses it as it is.
    Rejected,
}

impl Action {
    pub(super) fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::WouldCreate | Verdict::Created => Self::Create,
            Verdict::WouldComplete | Verdict::Completed => Self::Complete,
            Verdict::Skipped(_) => Self::Skip,
            Verdict::Unknown(_) | Verdict::Held(_) => Self::Hold,
            Verdict::Deferred(_) => Self::Defer,
            Verdict::Rejected(_) => Self::Reject,
            Verdict::Invalid => Self::Invalid,
        }
    }
}

impl Outcome {
    pub(super) fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Created => Self::Created,
            Verdict::Completed => Self::Completed,
            Verdict::Skipped(_) => Self::Skipped,
            // Only `plan` speaks of what would be; elsewhere it was not done, and what
            // would be completed was sent once.
            Verdict::WouldComplete | Verdict::Unknown(_) => Self::Unknown,
            Verdict::Held(_) => Self::Held,
            Verdict::WouldCreate | Verdict::Deferred(_) => Self::Deferred,
            Verdict::Rejected(_) => Self::Rejected,
            Verdict::Invalid => Self::Invalid,
        }
    }
}

impl From<RemoteEffect> for Effect {
    fn from(effect: RemoteEffect) -> Self {
        match effect {
            RemoteEffect::None => Self::None,
            RemoteEffect::Possible => Self::Possible,
            RemoteEffect::Confirmed => Self::Confirmed,
        }
    }
}

macro_rules! shown_as {
    ($name:ident: $($variant:ident $word:literal),+) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self {
                    $(Self::$variant => $word,)+
                })
            }
        }
    };
}
shown_as!(Action: Create "create", Complete "complete", Skip "skip", Hold "hold", Defer "defer",
    Reject "reject", Invalid "invalid");
shown_as!(Outcome: Created "created", Completed "completed", Skipped "skipped",
    Unknown "unknown", Held "held", Deferred "deferred", Rejected "rejected",
    Invalid "invalid");
shown_as!(MediaWord: Create "create", Created "created", Completed "completed",
    Skipped "skipped", Unknown "unknown", Held "held", Deferred "deferred",
    Rejected "rejected");

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Action(action) => action.fmt(f),
            Self::Outcome(outcome) => outcome.fmt(f),
        }
    }
}
