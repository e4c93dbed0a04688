//! The durable memory: one record per article and per image file, the lock, and the
//! marker of the run that has it.
//!
//! Absent from here: decisions; the journal never says what should be done about a
//! record. The one rule: whatever a crash, a full disk or a second run does, a record
//! that is read is one that was written whole, and no request leaves before the record
//! that says so is on the medium. It needs a Unix file system (`fsync` of folders).
//!
//! One site's journal is a folder, named by its [`site_key`]:
//!
//! | name | what it is |
//! | --- | --- |
//! | `lock` | the file that is locked; never removed |
//! | `run.json` | the run marker; gone after every orderly end |
//! | `site.json` | where the site is, and what the configuration calls it |
//! | `articles/TYPE/SLUG.json` | an article's record |
//! | `media/SHA256.json` | an image file's record |
//! | `runs/RUN_ID.ndjson` | what a run did, for people |
//! | `set-aside/` | damaged records that a person's decision replaced |
//! | `.tmp-*` | unfinished; swept by the next run |

mod beside;
mod damage;
mod disk;
mod layout;
mod lock;
mod marker;
mod permit;
mod runlog;
mod send;
mod site;
mod view;
mod wire;
mod write;

#[cfg(test)]
mod tests;

pub(crate) use beside::{make_folder_of, read_beside, replace_beside};
pub(crate) use damage::Schema;
pub use damage::{Damage, Damaged, RECORD_BYTES_MAX};
pub use disk::{DiskError, DiskStep, Effect};
pub use layout::{JournalError, Journaled};
pub use lock::{
    Abandoned, JournalWarning, LockError, LockedJournal, UnlockError, Unlocked, unlock,
};
pub use marker::{HostFacts, MarkerState, RunInfo, host_facts};
pub use permit::SendPermit;
pub use runlog::{RunLog, RunLogError};
pub use send::{OpenSend, ReceiptNotSaved};
pub use site::{SiteInfo, locate, site_key};
pub use view::{JournalView, Pending};
pub use wire::record_schema;
pub use write::WriteError;
