//! Reading the journal.
//!
//! Absent from here: every write; a view makes no folder, no file and no lock. The one
//! rule: "no record" means that the system said that there is no such file.

use std::path::{Path, PathBuf};

use super::damage::{Damaged, RECORD_BYTES_MAX, read_whole};
use super::layout::{Folder, JournalError, Journaled, Layout, look_at};
use super::marker::{self, MarkerState};
use super::site::{self, SiteInfo};
use super::wire;
use crate::names::{ArticleKey, Digest, SiteKey};
use crate::protocol::kinds::{Articles, Uploads};
use crate::protocol::record::{ArticleRecord, Phase, Record, UploadRecord};

/// The journal of one site, for reading.
#[derive(Debug, Clone)]
pub struct JournalView {
    layout: Layout,
}

/// The records that an interrupted run left in doubt.
#[derive(Debug, Default)]
pub struct Pending {
    /// Articles whose create was begun.
    pub articles: Vec<ArticleRecord>,
    /// Uploads that were begun.
    pub uploads: Vec<UploadRecord>,
    /// Records that can't be read, so that nobody knows.
    pub damaged: Vec<Damaged>,
}

impl JournalView {
    /// The journal in this folder, whose name is the site key. A missing folder is an
    /// empty journal.
    pub fn open(dir: &Path) -> Result<Self, JournalError> {
        let layout = Layout::of(dir)?;
        // From the top down, so that a link to nowhere is noticed on the way.
        if let Some(root) = dir.parent().filter(|root| !root.as_os_str().is_empty())
            && look_at(root)? == Folder::Missing
        {
            return Ok(Self { layout });
        }
        for folder in layout.folders() {
            look_at(&folder)?;
        }
        Ok(Self { layout })
    }

    /// The folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        self.layout.dir()
    }

    /// The site.
    #[must_use]
    pub fn key(&self) -> &SiteKey {
        self.layout.key()
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The record of an article, if there is one.
    pub fn article(&self, key: &ArticleKey) -> Result<Option<ArticleRecord>, Damaged> {
        self.record::<Articles>(key)
    }

    /// The record of the file with this content, if there is one.
    pub fn upload(&self, digest: &Digest) -> Result<Option<UploadRecord>, Damaged> {
        self.record::<Uploads>(digest)
    }

    /// Every article's record, the damaged ones too, by type and slug.
    pub fn articles(&self) -> Result<Vec<Result<ArticleRecord, Damaged>>, JournalError> {
        self.records::<Articles>()
    }

    /// Every file's record, the damaged ones too, by digest.
    pub fn uploads(&self) -> Result<Vec<Result<UploadRecord, Damaged>>, JournalError> {
        self.records::<Uploads>()
    }

    /// What is left of a run that is active, or that died; nothing after an orderly end.
    #[must_use]
    pub fn marker(&self) -> Option<MarkerState> {
        marker::read(&self.layout.marker())
    }

    /// What is known of the site, if a run has reached it yet.
    pub fn site(&self) -> Result<Option<SiteInfo>, Damaged> {
        site::read(&self.layout.site(), self.key())
    }

    /// Files that are not ours, such as copies that a sync service made. While there
    /// is one, nobody knows which record is the newest, so a run must not begin.
    pub fn strangers(&self) -> Result<Vec<PathBuf>, JournalError> {
        self.layout.strangers()
    }

    /// The records whose outcome is unknown.
    pub fn pending(&self) -> Result<Pending, JournalError> {
        let mut pending = Pending::default();
        for record in self.articles()? {
            match record {
                Ok(record) if is_sending(&record) => pending.articles.push(record),
                Ok(_) => {}
                Err(damaged) => pending.damaged.push(damaged),
            }
        }
        for record in self.uploads()? {
            match record {
                Ok(record) if is_sending(&record) => pending.uploads.push(record),
                Ok(_) => {}
                Err(damaged) => pending.damaged.push(damaged),
            }
        }
        Ok(pending)
    }

    /// The record of either kind, if there is one.
    pub fn record<K: Journaled>(
        &self,
        identity: &K::Identity,
    ) -> Result<Option<Record<K>>, Damaged> {
        let path = K::path(&self.layout, identity);
        let read = read_whole(&path, RECORD_BYTES_MAX).map_err(|damage| damage.at(&path))?;
        read.map(|bytes| wire::decode(&bytes, self.key(), identity))
            .transpose()
            .map_err(|damage| damage.at(&path))
    }

    /// Every record of one kind, the damaged ones too.
    pub fn records<K: Journaled>(&self) -> Result<Vec<Result<Record<K>, Damaged>>, JournalError> {
        let identities = K::all(&self.layout)?;
        // A record that vanishes between the listing and the reading was never there.
        let read = |identity| self.record::<K>(&identity).transpose();
        Ok(identities.into_iter().filter_map(read).collect())
    }
}

fn is_sending<K: Journaled>(record: &Record<K>) -> bool {
    match record.phase() {
        Phase::Sending(_) => true,
        Phase::None | Phase::Prepared(_) | Phase::Confirmed(_) => false,
    }
}
