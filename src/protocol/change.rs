//! The one function that changes a record.
//!
//! Absent from here: when which change is due (`run`). The one rule: a record changes
//! by [`Record::apply`] and by nothing else, in a live run and when it is loaded, so a
//! state that no sequence of changes could have led to can't exist in memory.

use super::decide::HoldReason;
use super::kinds::Kind;
use super::record::{
    Confirmed, DecisionKind, Happened, HistoryEntry, Hold, Phase, Prepared, Record, Sending,
};
use crate::names::{RunId, Timestamp};

/// Closed attempts kept in a record's history. A site that refuses the same article
/// every hour for a year must not make its record grow without end; decisions of
/// persons are always kept.
pub const CLOSED_ATTEMPTS_MAX: usize = 20;

/// A change that a record can undergo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change<K: Kind> {
    /// Work on it begins: the input is fixed.
    Prepare(Prepared<K>),
    /// The create is about to be sent.
    BeginSending {
        /// What is sent.
        sent: K::Sent,
        /// The run that sends.
        run: RunId,
        /// Now.
        at: Timestamp,
        /// Until when the site could still be working on it.
        settle_until: Timestamp,
    },
    /// The object is proved to exist.
    Confirm(K::Receipt),
    /// An upload of exactly this content was found before any was sent.
    Reuse {
        /// The file as it is today.
        input: K::Input,
        /// The proof.
        receipt: K::Receipt,
    },
    /// The attempt is proved to have created nothing, or was given up before its send.
    Void {
        /// The code of the reason.
        code: String,
        /// What proves it.
        evidence: String,
        /// Now.
        at: Timestamp,
    },
    /// A person must look.
    Hold(HoldReason, Timestamp),
    /// The hold no longer applies.
    Release,
    /// A person named the object.
    Adopt {
        /// The input that the receipt is bound to.
        input: K::Input,
        /// The proof.
        receipt: K::Receipt,
        /// Who and why.
        decision: Decision,
    },
    /// A person vouches that nothing was created.
    NotCreated(Decision),
    /// A person begins anew.
    Restart(Decision),
    /// A person withdraws it.
    Withdraw(Decision),
}

/// Who decided, when and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Who, as `user@host`.
    pub by: String,
    /// Why, in the person's words.
    pub because: String,
    /// What was on the site and in the record, in words.
    pub evidence: String,
    /// When.
    pub at: Timestamp,
}

/// A change that a record can't undergo.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a record in phase `{phase}` can't {change}")]
pub struct IllegalChange {
    /// The phase the record is in.
    pub phase: &'static str,
    /// What was asked of it.
    pub change: &'static str,
}

impl<K: Kind> Change<K> {
    /// What it would do, after "can't".
    fn verb(&self) -> &'static str {
        match self {
            Self::Prepare(_) => "be prepared",
            Self::BeginSending { .. } => "begin sending",
            Self::Confirm(_) => "be confirmed",
            Self::Reuse { .. } => "reuse an upload",
            Self::Void { .. } => "be voided",
            Self::Hold(..) => "be held",
            Self::Release => "be released",
            Self::Adopt { .. } => "adopt",
            Self::NotCreated(_) => "be declared not created",
            Self::Restart(_) => "be restarted",
            Self::Withdraw(_) => "be withdrawn",
        }
    }
}

impl<K: Kind> Record<K> {
    /// The record after this change.
    pub fn apply(mut self, change: Change<K>) -> Result<Self, IllegalChange> {
        let illegal = IllegalChange { phase: self.phase.code(), change: change.verb() };
        match change {
            Change::Hold(reason, at) => self.note(reason, at),
            Change::Release => self.hold = None,
            Change::Prepare(prepared) => match self.phase {
                Phase::None => self.enter(Phase::Prepared(prepared)),
                Phase::Prepared(_) | Phase::Sending(_) | Phase::Confirmed(_) => {
                    return Err(illegal);
                }
            },
            Change::BeginSending { sent, run, at, settle_until } => match self.phase {
                Phase::Prepared(prepared) if at <= settle_until => {
                    self.phase = Phase::None;
                    self.attempts += 1;
                    let sent_at = at;
                    self.enter(Phase::Sending(Sending {
                        prepared,
                        sent,
                        run,
                        sent_at,
                        settle_until,
                    }));
                }
                Phase::None | Phase::Prepared(_) | Phase::Sending(_) | Phase::Confirmed(_) => {
                    return Err(illegal);
                }
            },
            Change::Confirm(receipt) => match self.phase {
                Phase::Sending(sending) => {
                    let input = sending.prepared.input;
                    self.phase = Phase::None;
                    self.enter(Phase::Confirmed(Confirmed { input, receipt }));
                }
                Phase::None | Phase::Prepared(_) | Phase::Confirmed(_) => return Err(illegal),
            },
            Change::Reuse { input, receipt } => match self.phase {
                Phase::None | Phase::Prepared(_) => {
                    self.enter(Phase::Confirmed(Confirmed { input, receipt }));
                }
                Phase::Sending(_) | Phase::Confirmed(_) => return Err(illegal),
            },
            Change::Void { code, evidence, at } => match self.phase {
                Phase::Prepared(_) | Phase::Sending(_) => {
                    self.enter(Phase::None);
                    self.remember(HistoryEntry { at, what: Happened::Voided { code }, evidence });
                }
                Phase::None | Phase::Confirmed(_) => return Err(illegal),
            },
            Change::Adopt { input, receipt, decision } => {
                self.enter(Phase::Confirmed(Confirmed { input, receipt }));
                self.decided(DecisionKind::Adopt, decision);
            }
            Change::NotCreated(decision) => match self.phase {
                Phase::Sending(sending) => {
                    self.phase = Phase::None;
                    self.enter(Phase::Prepared(sending.prepared));
                    self.decided(DecisionKind::NotCreated, decision);
                }
                Phase::None | Phase::Prepared(_) | Phase::Confirmed(_) => return Err(illegal),
            },
            Change::Restart(decision) => self.restart(decision).map_err(|()| illegal)?,
            Change::Withdraw(decision) => self.withdraw(decision),
        }
        self.serial += 1;
        Ok(self)
    }

    fn withdraw(&mut self, decision: Decision) {
        self.withdrawn = Some(decision.at);
        self.hold = None;
        self.decided(DecisionKind::Withdraw, decision);
    }

    /// Bringing a withdrawn record back leaves its phase: a send whose outcome is
    /// unknown stays unknown. Anything else begins anew, except such a send.
    fn restart(&mut self, decision: Decision) -> Result<(), ()> {
        if self.withdrawn.take().is_none() {
            match self.phase {
                Phase::Prepared(_) | Phase::Confirmed(_) => self.enter(Phase::None),
                Phase::None | Phase::Sending(_) => return Err(()),
            }
        }
        self.decided(DecisionKind::Restart, decision);
        Ok(())
    }

    /// A hold belongs to the phase it was noted in.
    fn enter(&mut self, phase: Phase<K>) {
        self.phase = phase;
        self.hold = None;
    }

    fn note(&mut self, reason: HoldReason, at: Timestamp) {
        let since = match &self.hold {
            Some(hold) if hold.reason == reason => hold.since,
            Some(_) | None => at,
        };
        self.hold = Some(Hold { reason, since });
    }

    fn decided(&mut self, decision: DecisionKind, by: Decision) {
        let Decision { by, because, evidence, at } = by;
        self.remember(HistoryEntry {
            at,
            what: Happened::Decided { decision, by, because },
            evidence,
        });
    }

    fn remember(&mut self, entry: HistoryEntry) {
        self.history.push(entry);
        let voided = |entry: &HistoryEntry| matches!(entry.what, Happened::Voided { .. });
        let closed = self.history.iter().filter(|entry| voided(entry)).count();
        if closed > CLOSED_ATTEMPTS_MAX
            && let Some(oldest) = self.history.iter().position(voided)
        {
            self.history.remove(oldest);
        }
    }
}
