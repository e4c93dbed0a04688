//! Writing records outside a send.
//!
//! Absent from here: when a record changes. The one rule: a record is replaced by a
//! newer state of itself; an older one, or one that could not be read again, is refused.

use std::path::PathBuf;

use super::damage::{Damage, Damaged, RECORD_BYTES_MAX, read_whole};
use super::disk::{self, DiskError, folder_of};
use super::layout::Journaled;
use super::lock::LockedJournal;
use super::send::crash_point;
use super::site::{SiteInfo, without_secrets};
use super::wire;
use crate::names::Digest;
use crate::protocol::change::IllegalChange;
use crate::protocol::record::{Phase, Record};

/// Why a record was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The disk did not take it.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// What is there can't be read, so nobody knows what would be lost.
    #[error(transparent)]
    Damaged(#[from] Damaged),
    /// What is there is not what the change began from.
    #[error(
        "record {} is not what the change began from (serial on disk: {}, offered: {offered})",
        path.display(),
        .on_disk.map_or("none".to_owned(), |serial| serial.to_string())
    )]
    Changed {
        /// The file.
        path: PathBuf,
        /// The serial of what is there.
        on_disk: Option<u64>,
        /// The serial of what was to be written.
        offered: u64,
    },
    /// The record can't undergo the change.
    #[error(transparent)]
    Illegal(#[from] IllegalChange),
    /// What would be written could not be read again.
    #[error("record {} would not be readable", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        why: Damage,
    },
}

impl LockedJournal {
    /// Writes a record durably, if it is newer than what is on disk.
    pub fn put<K: Journaled>(&mut self, record: &Record<K>) -> Result<(), WriteError> {
        let on_disk = self.view.record::<K>(record.identity())?;
        if on_disk.as_ref().is_some_and(|there| there.serial() >= record.serial()) {
            return Err(self.changed(on_disk.as_ref(), record));
        }
        let bytes = self.bytes_of(record)?;
        self.ensure_folder_for(record)?;
        // A receipt that a look-up found is written here, and can be cut short here.
        let confirms = matches!(record.phase(), Phase::Confirmed(_));
        let at = |name| {
            if confirms {
                crash_point::<K>(name);
            }
        };
        let path = self.path_of(record);
        disk::replace_after(&path, &bytes, || at("while-confirming"))?;
        at("after-confirmed");
        Ok(())
    }

    /// Writes a record in the place of one that can't be read, which is kept in
    /// `set-aside`. Only for a person's decision: what the damaged record knew of a
    /// send is lost. The record of a newer OncePress is not damaged, and stays.
    pub fn replace_damaged<K: Journaled>(
        &mut self,
        record: &Record<K>,
    ) -> Result<PathBuf, WriteError> {
        let damaged = match self.view.record::<K>(record.identity()) {
            Ok(there) => return Err(self.changed(there.as_ref(), record)),
            Err(damaged) => damaged,
        };
        if matches!(damaged.why, Damage::NewerSchema { .. }) {
            return Err(damaged.into());
        }
        let bytes = self.bytes_of(record)?;
        let path = self.path_of(record);
        let folder = self.view.layout().set_aside();
        disk::ensure_folder(&folder)?;
        let content = match read_whole(&path, RECORD_BYTES_MAX) {
            Ok(content) => content.unwrap_or_default(),
            Err(why) => return Err(why.at(&path).into()),
        };
        let digest = Digest::of(&content).to_string();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let kept = folder.join(format!("{}-{name}-{}.json", K::KIND, &digest[..8]));
        // Copied, not moved: at no moment is there "no record". A copy of the same
        // content may be there from a try that was cut short.
        disk::replace(&kept, &content)?;
        disk::replace(&path, &bytes)?;
        Ok(kept)
    }

    /// Writes down where the site is, and that the configuration names it so, for the
    /// commands that work offline.
    pub fn remember_site(
        &mut self,
        rest_root: &url::Url,
        configured: &url::Url,
    ) -> Result<(), WriteError> {
        let path = self.view.layout().site();
        let (rest_root, url) = (without_secrets(rest_root), without_secrets(configured));
        let known = match self.view.site() {
            Ok(known) => known,
            // It is worked out anew at each run, so a damaged one is no loss.
            Err(Damaged { why, .. }) if !matches!(why, Damage::NewerSchema { .. }) => None,
            Err(newer) => return Err(newer.into()),
        };
        let mut info = known.clone().unwrap_or_else(|| SiteInfo {
            key: self.view.key().clone(),
            rest_root: rest_root.clone(),
            urls: Vec::new(),
        });
        info.rest_root = rest_root;
        if !info.urls.contains(&url) {
            info.urls.push(url);
        }
        if known.as_ref() == Some(&info) {
            return Ok(());
        }
        let unwritable =
            |error| WriteError::Unwritable { path: path.clone(), why: Damage::NotJson(error) };
        let bytes = info.encode().map_err(unwritable)?;
        disk::replace(&path, &bytes)?;
        Ok(())
    }

    /// The bytes of a record, after having read them back: a record that the next run
    /// would call damaged must not be written by this one.
    pub(super) fn bytes_of<K: Journaled>(&self, record: &Record<K>) -> Result<Vec<u8>, WriteError> {
        let unwritable = |why| WriteError::Unwritable { path: self.path_of(record), why };
        let site = self.view.key();
        let bytes = wire::encode(record, site).map_err(|e| unwritable(Damage::NotJson(e)))?;
        if bytes.len() as u64 > RECORD_BYTES_MAX {
            return Err(unwritable(Damage::TooLarge { bytes_max: RECORD_BYTES_MAX }));
        }
        let read = wire::decode::<K>(&bytes, site, record.identity()).map_err(unwritable)?;
        if read != *record {
            return Err(unwritable(Damage::Contradiction("it would be read as another record")));
        }
        Ok(bytes)
    }

    pub(super) fn path_of<K: Journaled>(&self, record: &Record<K>) -> PathBuf {
        K::path(self.view.layout(), record.identity())
    }

    pub(super) fn changed<K: Journaled>(
        &self,
        on_disk: Option<&Record<K>>,
        offered: &Record<K>,
    ) -> WriteError {
        WriteError::Changed {
            path: self.path_of(offered),
            on_disk: on_disk.map(Record::serial),
            offered: offered.serial(),
        }
    }

    /// Makes the folder of a record, where the lock did not: of a type that this journal
    /// has no record of yet.
    pub(super) fn ensure_folder_for<K: Journaled>(
        &self,
        record: &Record<K>,
    ) -> Result<(), DiskError> {
        let folder = self.folder_for(record);
        if self.view.layout().folders().contains(&folder) {
            return Ok(());
        }
        disk::ensure_folder(&folder)
    }

    /// The folder of a record's file, where its unfinished files are made too, because
    /// a rename is atomic only within one file system.
    pub(super) fn folder_for<K: Journaled>(&self, record: &Record<K>) -> PathBuf {
        folder_of(&self.path_of(record)).to_owned()
    }
}
