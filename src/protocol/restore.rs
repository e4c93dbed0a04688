//! From what a stored record says to a record.
//!
//! Absent from here: how it is stored (`journal`). The one rule: a stored phase is
//! reached again by the changes that lead to it, or it is refused.

use super::change::{Change, IllegalChange};
use super::kinds::Kind;
use super::record::{Confirmed, HistoryEntry, Hold, Phase, Record, Sending};
use crate::names::Timestamp;

/// Everything a stored record says, before it is known to be possible.
#[derive(Debug, Clone)]
pub struct Stored<K: Kind> {
    /// What the record is about.
    pub identity: K::Identity,
    /// Counts the changes.
    pub serial: u64,
    /// Creates begun so far.
    pub attempts: u32,
    /// How far it got.
    pub phase: Phase<K>,
    /// The stop for a person.
    pub hold: Option<Hold>,
    /// Since when a person wants it not to be sent.
    pub withdrawn: Option<Timestamp>,
    /// What happened, oldest first.
    pub history: Vec<HistoryEntry>,
}

/// Why a stored record can't be a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Impossible {
    /// The counters contradict the phase.
    #[error("phase `{phase}` with serial {serial} and {attempts} attempts")]
    Counters {
        /// The phase it claims.
        phase: &'static str,
        /// The serial it claims.
        serial: u64,
        /// The attempts it claims.
        attempts: u32,
    },
    /// The phase can't be reached by the changes that lead to it.
    #[error(transparent)]
    Change(#[from] IllegalChange),
}

impl<K: Kind> Stored<K> {
    /// Leads a new record through the changes that end in the stored phase, by the
    /// same function as a live run, then checks the counters against the phase.
    pub fn restore(self) -> Result<Record<K>, Impossible> {
        let mut record = Record::new(self.identity);
        let phase = self.phase.code();
        match self.phase {
            Phase::None => {}
            Phase::Prepared(prepared) => record = record.apply(Change::Prepare(prepared))?,
            Phase::Sending(sending) => {
                let Sending { prepared, sent, run, sent_at: at, settle_until } = sending;
                record = record.apply(Change::Prepare(prepared))?.apply(Change::BeginSending {
                    sent,
                    run,
                    at,
                    settle_until,
                })?;
            }
            Phase::Confirmed(Confirmed { input, receipt }) => {
                record = record.apply(Change::Reuse { input, receipt })?;
            }
        }
        if let Some(hold) = self.hold {
            record = record.apply(Change::Hold(hold.reason, hold.since))?;
        }
        if self.serial < record.serial || self.attempts < record.attempts || self.serial == 0 {
            let (serial, attempts) = (self.serial, self.attempts);
            return Err(Impossible::Counters { phase, serial, attempts });
        }
        record.serial = self.serial;
        record.attempts = self.attempts;
        record.withdrawn = self.withdrawn;
        record.history = self.history;
        Ok(record)
    }
}
