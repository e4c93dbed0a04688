//! From the `sending` record to the end of the attempt.
//!
//! Absent from here: the request itself. The one rule: a permit is made after the
//! `sending` record is on the medium, and after there is room for the receipt; what a
//! permit was made for ends as confirmed, voided, or stays `sending`.

use std::path::PathBuf;

use super::damage::{Damage, Damaged};
use super::disk::{self, DiskError, Effect, Temp};
use super::layout::Journaled;
use super::lock::LockedJournal;
use super::permit::SendPermit;
use super::wire;
use super::write::WriteError;
use crate::crash;
use crate::names::{Digest, Timestamp};
use crate::protocol::change::Change;
use crate::protocol::kinds::Kind;
use crate::protocol::record::{Phase, Record};

/// Room for what a receipt adds to a record: an id, a link and a slug, for which sites
/// have written several thousand bytes of percent-encoding. Taken from the disk before
/// each send and given back after it.
const RECEIPT_BYTES: u64 = 16 * 1024;

/// A slug may fill a file name, and a rescue file's name holds more than the slug.
const RESCUE_STEM_BYTES_MAX: usize = 100;

/// A send that was begun and not ended. Dropping it leaves the record `sending`.
#[derive(Debug)]
#[must_use = "a send ends by `confirm`, `void` or `leave`"]
pub struct OpenSend<K: Kind> {
    record: Record<K>,
    /// The space that the end of the attempt needs. Removed with this value.
    reserved: Temp,
}

/// A post or attachment exists, and the journal could not be told. The record still
/// says `sending`, so no run sends again; a person must keep the line.
#[derive(Debug, thiserror::Error)]
#[error("{what} exists on the site, and its receipt could not be saved in the journal{}",
    .rescue.as_ref().map(|path| format!(", so it is in {}", path.display())).unwrap_or_default())]
pub struct ReceiptNotSaved {
    /// What was created, in words.
    pub what: String,
    /// Where the line was saved instead.
    pub rescue: Option<PathBuf>,
    /// The whole record with its receipt, as one line of JSON.
    pub line: String,
    /// Why the journal did not take it.
    #[source]
    pub source: Box<WriteError>,
}

impl LockedJournal {
    /// Records durably that this is about to be sent, and gives the right to send it
    /// once. Without a permit nothing may be sent; the error says what is on disk.
    ///
    /// The record must be `prepared`, and be what is on disk.
    pub fn begin_sending<K: Journaled>(
        &mut self,
        record: Record<K>,
        sent: K::Sent,
        at: Timestamp,
        settle_until: Timestamp,
    ) -> Result<(SendPermit, OpenSend<K>), WriteError> {
        crash_point::<K>("before-sending-record");
        let on_disk = self.view.record::<K>(record.identity())?;
        let run = self.run.run_id.clone();
        let is_current = on_disk.as_ref() == Some(&record);
        let record = record.apply(Change::BeginSending { sent, run, at, settle_until })?;
        if !is_current {
            return Err(self.changed(on_disk.as_ref(), &record));
        }
        let operation = match record.phase() {
            Phase::Sending(sending) => sending.prepared.operation.clone(),
            Phase::None | Phase::Prepared(_) | Phase::Confirmed(_) => {
                unreachable!("`BeginSending` leads to `sending`")
            }
        };
        let bytes = self.bytes_of(&record)?;
        let room = bytes.len() as u64 + RECEIPT_BYTES;
        let reserved = disk::reserve(&self.folder_for(&record), room)?;
        disk::replace(&self.path_of(&record), &bytes)?;
        crash_point::<K>("after-sending-record");
        Ok((SendPermit::new(operation), OpenSend { record, reserved }))
    }

    /// Writes the end of an attempt: into the space reserved for it, else anew.
    fn end_attempt<K: Journaled>(
        &mut self,
        record: &Record<K>,
        reserved: Temp,
        before_rename: impl FnOnce(),
    ) -> Result<(), WriteError> {
        match self.view.record::<K>(record.identity()) {
            Ok(Some(there)) if there.serial() >= record.serial() => {
                return Err(self.changed(Some(&there), record));
            }
            Err(newer @ Damaged { why: Damage::NewerSchema { .. }, .. }) => {
                return Err(newer.into());
            }
            // A record that went missing or bad under our lock knew less than this one.
            Ok(_) | Err(_) => {}
        }
        let bytes = self.bytes_of(record)?;
        let path = self.path_of(record);
        let Err(first) = disk::swap_in(reserved, &path, &bytes, before_rename) else {
            return Ok(());
        };
        // Another file, not the same one again: after a failed sync its data may be
        // gone from memory without having reached the medium.
        disk::replace(&path, &bytes).map_err(|second| {
            let uncertain = first.effect == Effect::Uncertain;
            let effect = if uncertain { Effect::Uncertain } else { second.effect };
            WriteError::Disk(DiskError { effect, ..second })
        })
    }

    /// Saves the line in the first folder that takes it.
    fn rescue<K: Journaled>(&self, record: &Record<K>, line: &str) -> Option<PathBuf> {
        let path = self.path_of(record);
        let folder = path.parent()?.file_name()?.to_str()?;
        let mut stem = path.file_stem()?.to_str()?.to_owned();
        if stem.len() > RESCUE_STEM_BYTES_MAX {
            stem = Digest::of(stem.as_bytes()).to_string();
        }
        let name = format!("oncepress-rescue-{}-{folder}-{stem}.json", self.run.run_id);
        let content = format!("{line}\n");
        let takes = |path: &PathBuf| disk::create_new(path, content.as_bytes()).is_ok();
        self.rescue_dirs.iter().map(|dir| dir.join(&name)).find(takes)
    }
}

impl<K: Journaled> OpenSend<K> {
    /// The record, in phase `sending`.
    #[must_use]
    pub fn record(&self) -> &Record<K> {
        &self.record
    }

    /// Records the proof that the object exists. If the journal can't take it, it is
    /// saved elsewhere, and the error has it too: it must reach a person.
    pub fn confirm(
        self,
        journal: &mut LockedJournal,
        receipt: K::Receipt,
    ) -> Result<Record<K>, ReceiptNotSaved> {
        let Self { record, reserved } = self;
        let Ok(confirmed) = record.apply(Change::Confirm(receipt)) else {
            unreachable!("an open send holds a `sending` record, which can be confirmed");
        };
        let saved =
            journal.end_attempt(&confirmed, reserved, || crash_point::<K>("while-confirming"));
        let Err(source) = saved else {
            crash_point::<K>("after-confirmed");
            return Ok(confirmed);
        };
        let line = wire::encode_line(&confirmed, journal.view.key())
            .unwrap_or_else(|_| format!("{confirmed:?}"));
        Err(ReceiptNotSaved {
            what: K::name(confirmed.identity()),
            rescue: journal.rescue(&confirmed, &line),
            line,
            source: Box::new(source),
        })
    }

    /// Records that nothing was created, and what proves it.
    pub fn void(
        self,
        journal: &mut LockedJournal,
        code: &str,
        evidence: &str,
        at: Timestamp,
    ) -> Result<Record<K>, WriteError> {
        let Self { record, reserved } = self;
        let (code, evidence) = (code.to_owned(), evidence.to_owned());
        let voided = record.apply(Change::Void { code, evidence, at })?;
        journal.end_attempt(&voided, reserved, || {})?;
        Ok(voided)
    }

    /// Leaves the record `sending`: the outcome is unknown.
    #[must_use]
    pub fn leave(self) -> Record<K> {
        self.record
    }
}

/// A crash point of this kind of record.
pub(super) fn crash_point<K: Journaled>(name: &str) {
    crash::point(K::CRASH_PREFIX, name);
}
