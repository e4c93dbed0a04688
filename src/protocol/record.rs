//! A record and its phases.
//!
//! Absent from here: files and JSON (`journal`), and whatever changes a record
//! (`change`). The one rule: what a phase does not know, its type has no place for.

use super::decide::HoldReason;
use super::kinds::{Articles, Kind, Uploads};
use crate::names::{OperationId, RunId, Timestamp};

/// The durable memory of one article or one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record<K: Kind> {
    pub(super) identity: K::Identity,
    pub(super) serial: u64,
    pub(super) attempts: u32,
    pub(super) phase: Phase<K>,
    pub(super) hold: Option<Hold>,
    pub(super) withdrawn: Option<Timestamp>,
    pub(super) history: Vec<HistoryEntry>,
}

/// The record of an article.
pub type ArticleRecord = Record<Articles>;
/// The record of an image file.
pub type UploadRecord = Record<Uploads>;

/// How far it got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase<K: Kind> {
    /// Never tried, or the last try ended cleanly with nothing sent.
    None,
    /// The input is fixed; the create was not begun.
    Prepared(Prepared<K>),
    /// Written right before the send; says nothing about whether it was sent.
    Sending(Sending<K>),
    /// A receipt proves that the object exists.
    Confirmed(Confirmed<K>),
}

/// What a `prepared` record knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared<K: Kind> {
    /// Names this attempt in records and run logs.
    pub operation: OperationId,
    /// What is fixed.
    pub input: K::Input,
    /// The run that prepared it.
    pub run: RunId,
    /// When.
    pub at: Timestamp,
}

/// What a `sending` record knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sending<K: Kind> {
    /// What was prepared.
    pub prepared: Prepared<K>,
    /// What is sent.
    pub sent: K::Sent,
    /// The run that sends.
    pub run: RunId,
    /// When the record was written, right before the send.
    pub sent_at: Timestamp,
    /// Until when the site could still be working on it.
    pub settle_until: Timestamp,
}

/// What a `confirmed` record knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmed<K: Kind> {
    /// The input that the receipt stands for.
    pub input: K::Input,
    /// The proof.
    pub receipt: K::Receipt,
}

/// A stop for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// Why.
    pub reason: HoldReason,
    /// Since when, without a break.
    pub since: Timestamp,
}

/// One line of a record's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryEntry {
    /// When.
    pub at: Timestamp,
    /// What happened.
    pub what: Happened,
    /// What it rested on, in words.
    pub evidence: String,
}

/// What a history entry tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happened {
    /// An attempt ended with nothing sent.
    Voided {
        /// The code of the reason.
        code: String,
    },
    /// A person decided.
    Decided {
        /// What.
        decision: DecisionKind,
        /// Who, as `user@host`.
        by: String,
        /// Why, in the person's words.
        because: String,
    },
}

impl Happened {
    /// Whether a person vouched that a send created nothing.
    #[must_use]
    pub fn is_not_created(&self) -> bool {
        match self {
            Self::Voided { .. } => false,
            Self::Decided { decision, .. } => *decision == DecisionKind::NotCreated,
        }
    }
}

/// The decisions that a person can make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DecisionKind {
    /// This object is ours.
    Adopt,
    /// Nothing was created.
    NotCreated,
    /// Begin anew with today's input.
    Restart,
    /// Never send it.
    Withdraw,
}

impl DecisionKind {
    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Adopt => "adopt",
            Self::NotCreated => "not_created",
            Self::Restart => "restart",
            Self::Withdraw => "withdraw",
        }
    }
}

impl<K: Kind> Record<K> {
    /// The record of something never tried.
    pub fn new(identity: K::Identity) -> Self {
        Self {
            identity,
            serial: 0,
            attempts: 0,
            phase: Phase::None,
            hold: None,
            withdrawn: None,
            history: Vec::new(),
        }
    }

    /// What the record is about.
    pub fn identity(&self) -> &K::Identity {
        &self.identity
    }

    /// Counts the changes; a file with a lower serial is an older one.
    pub fn serial(&self) -> u64 {
        self.serial
    }

    /// Creates begun so far; each had one request at most.
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// How far it got.
    pub fn phase(&self) -> &Phase<K> {
        &self.phase
    }

    /// The stop for a person, if one applies.
    pub fn hold(&self) -> Option<&Hold> {
        self.hold.as_ref()
    }

    /// Since when a person wants it not to be sent.
    pub fn withdrawn(&self) -> Option<Timestamp> {
        self.withdrawn
    }

    /// What happened, oldest first.
    pub fn history(&self) -> &[HistoryEntry] {
        &self.history
    }

    /// The receipt, where there is one.
    pub fn receipt(&self) -> Option<&K::Receipt> {
        match &self.phase {
            Phase::Confirmed(confirmed) => Some(&confirmed.receipt),
            Phase::None | Phase::Prepared(_) | Phase::Sending(_) => None,
        }
    }

    /// The input that the phase stands for, where it has one.
    pub fn input(&self) -> Option<&K::Input> {
        match &self.phase {
            Phase::None => None,
            Phase::Prepared(prepared) => Some(&prepared.input),
            Phase::Sending(sending) => Some(&sending.prepared.input),
            Phase::Confirmed(confirmed) => Some(&confirmed.input),
        }
    }
}

impl<K: Kind> Phase<K> {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Prepared(_) => "prepared",
            Self::Sending(_) => "sending",
            Self::Confirmed(_) => "confirmed",
        }
    }
}
