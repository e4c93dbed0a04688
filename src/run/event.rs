//! What a run tells while it goes on: one stream for the run log and for people.
//!
//! Absent from here: how an event is written (`report`). The one rule: nothing in an
//! event is secret, and no decision reads one.

use crate::names::{ArticleKey, OperationId};
use crate::wordpress::Exchange;

/// One step of a run.
#[derive(Debug, Clone)]
pub enum Event {
    /// All look-ups are done, and every article has an action.
    Planned {
        /// Articles in all.
        articles: usize,
        /// How many of them would be created.
        creates: usize,
    },
    /// A `sending` record is durable, and the request is about to leave.
    Sending {
        /// What is sent.
        subject: Subject,
        /// The attempt's id.
        operation: OperationId,
        /// The attempt's number, from 1.
        attempt: u32,
    },
    /// The request has an outcome.
    Sent {
        /// What was sent.
        subject: Subject,
        /// The attempt's id.
        operation: OperationId,
        /// `created`, `rejected`, `not_sent` or `unknown`.
        outcome: &'static str,
        /// What it rests on.
        detail: String,
    },
    /// The outcome is unknown: the run looks for what was sent.
    Looking {
        /// What is looked for.
        subject: Subject,
        /// Seconds until the look-up.
        wait_s: u64,
    },
    /// An article ended.
    Ended {
        /// Which.
        subject: Subject,
        /// Its outcome's code.
        outcome: &'static str,
        /// Its reason's code.
        reason: Option<String>,
        /// The post, where one is known.
        post_id: Option<u64>,
    },
    /// A request to the site and what came of it.
    Exchanged(Exchange),
}

impl Event {
    /// What it is about, where that is one thing.
    #[must_use]
    pub fn subject(&self) -> Option<&Subject> {
        match self {
            Self::Sending { subject, .. }
            | Self::Sent { subject, .. }
            | Self::Looking { subject, .. }
            | Self::Ended { subject, .. } => Some(subject),
            Self::Planned { .. } | Self::Exchanged(_) => None,
        }
    }
}

/// What an event is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// An article.
    Article(ArticleKey),
    /// An image, by its path.
    Image(String),
    /// A tag, by its name.
    Tag(String),
}
