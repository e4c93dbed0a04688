//! One run at a time, and what is left of a run that died.
//!
//! Absent from here: waiting for anything but the lock, and signals. The one rule: the
//! lock of the system says whether a run is alive; the marker only says that a run did
//! not end in order, and only a person removes it then.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::disk::{self, DiskError, Effect, TEMP_PREFIX};
use super::layout::{Folder, JournalError, Layout, look_at, paths_in};
use super::marker::{self, MarkerState, RunInfo};
use super::view::{JournalView, Pending};

/// How long to sleep between two tries to get the lock.
const POLL: Duration = Duration::from_millis(100);

/// The journal of one site, held by this run alone. Only this type writes records.
///
/// Dropping it gives the lock back and leaves the run marker, as a crash would: a run
/// that panics in the middle of a send must not look like one that ended in order.
#[derive(Debug)]
#[must_use = "the run marker stays behind unless `finish` is called"]
pub struct LockedJournal {
    pub(super) view: JournalView,
    pub(super) run: RunInfo,
    pub(super) rescue_dirs: Vec<PathBuf>,
    warnings: Vec<JournalWarning>,
    lock: Held,
}

/// A locked file; dropping it gives the lock back.
#[derive(Debug)]
struct Held(File);

impl Drop for Held {
    fn drop(&mut self) {
        // Closing alone is not enough while a process that is just being started (for
        // `password_command`, say) still has a copy of the descriptor. If it fails,
        // closing does the rest.
        let _closed_next = fs2::FileExt::unlock(&self.0);
    }
}

/// Something about a journal that people should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JournalWarning {
    /// On such file systems a lock may hold on one machine only, or not at all.
    NetworkFileSystem {
        /// Its name, such as `NFS`.
        kind: &'static str,
        /// The journal.
        dir: PathBuf,
    },
}

/// A run marker that was found while nobody has the lock.
#[derive(Debug)]
pub struct Abandoned {
    /// The marker of the run that died.
    pub marker: MarkerState,
    /// What it left in doubt.
    pub pending: Pending,
}

/// Why a run can't begin.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another run has the lock.
    #[error("another run is active{}", .holder.as_deref().map(described).unwrap_or_default())]
    Busy {
        /// Who, where the marker can be read.
        holder: Option<Box<RunInfo>>,
    },
    /// The last run died.
    #[error("the run `{}` did not end in order", .0.marker.token())]
    Abandoned(Box<Abandoned>),
    /// The journal can't be used as it is.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The lock file can't be used.
    #[error("could not lock {}", path.display())]
    LockFile {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A folder or the marker could not be written.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

fn described(holder: &RunInfo) -> String {
    let RunInfo { pid, host, started, command, .. } = holder;
    format!(": process {pid} on {host}, since {started}, `{command}`")
}

/// Why a marker was not removed.
#[derive(Debug, thiserror::Error)]
pub enum UnlockError {
    /// The run is alive.
    #[error("the run is active{}", .holder.as_deref().map(described).unwrap_or_default())]
    Busy {
        /// Who, where the marker can be read.
        holder: Option<Box<RunInfo>>,
    },
    /// There is no marker: nothing to unlock.
    #[error("no run was abandoned in {}", dir.display())]
    NoMarker {
        /// The journal.
        dir: PathBuf,
    },
    /// Another run than the one named was abandoned.
    #[error("the abandoned run is `{}`, not `{named}`", .found.marker.token())]
    WrongToken {
        /// What the person named.
        named: String,
        /// What was found.
        found: Box<Abandoned>,
    },
    /// The journal can't be used as it is.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The lock file can't be used.
    #[error("could not lock {}", path.display())]
    LockFile {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The marker could not be removed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// What an unlock removed, and what the dead run left in doubt.
#[derive(Debug)]
pub struct Unlocked {
    /// The marker that is gone now.
    pub marker: MarkerState,
    /// The records that nobody touched.
    pub pending: Pending,
}

impl LockedJournal {
    /// Takes the journal in this folder for this run, waiting at most so long for
    /// another run to end, and blocking the thread meanwhile. Receipts that can't be
    /// saved in the journal later go to the first of `rescue_dirs` that takes them.
    pub fn lock(
        dir: &Path,
        run: RunInfo,
        wait: Duration,
        rescue_dirs: Vec<PathBuf>,
    ) -> Result<Self, LockError> {
        // Opened first: it refuses links to nowhere, under which the folders that the
        // next step makes would hide the true records.
        let view = JournalView::open(dir)?;
        let layout = view.layout();
        for folder in layout.folders() {
            disk::ensure_folder(&folder)?;
        }
        let lock_failed = |source| LockError::LockFile { path: layout.lock(), source };
        let Some(lock) = acquire(&layout.lock(), wait).map_err(lock_failed)? else {
            return Err(LockError::Busy { holder: holder(&view) });
        };
        if let Some(marker) = view.marker() {
            return Err(abandoned(&view, marker));
        }
        if let Some(path) = view.strangers()?.into_iter().next() {
            return Err(JournalError::ConflictCopy { path }.into());
        }
        sweep(layout)?;
        write_marker(&view, &run)?;
        let warnings = warnings(layout);
        Ok(Self { view, run, rescue_dirs, warnings, lock })
    }

    /// The journal, for reading.
    #[must_use]
    pub fn view(&self) -> &JournalView {
        &self.view
    }

    /// The run that has the lock.
    #[must_use]
    pub fn run(&self) -> &RunInfo {
        &self.run
    }

    /// What people should know about this journal.
    #[must_use]
    pub fn warnings(&self) -> &[JournalWarning] {
        &self.warnings
    }

    /// Ends the run in order: removes the marker durably, then gives the lock back.
    /// Every end that is not a crash calls this, after errors and signals too.
    pub fn finish(self) -> Result<(), DiskError> {
        let removed = disk::remove(&self.view.layout().marker());
        drop(self.lock);
        removed
    }
}

/// Removes the marker of the run that died, if it is the one named: by its run id, or
/// by the token that stands for a marker that can't be read. Records stay as they are.
pub fn unlock(dir: &Path, token: &str) -> Result<Unlocked, UnlockError> {
    let view = JournalView::open(dir)?;
    let layout = view.layout();
    if look_at(dir)? == Folder::Missing {
        return Err(UnlockError::NoMarker { dir: dir.to_owned() });
    }
    let lock_failed = |source| UnlockError::LockFile { path: layout.lock(), source };
    let Some(lock) = acquire(&layout.lock(), Duration::ZERO).map_err(lock_failed)? else {
        return Err(UnlockError::Busy { holder: holder(&view) });
    };
    let Some(marker) = view.marker() else {
        return Err(UnlockError::NoMarker { dir: dir.to_owned() });
    };
    let pending = view.pending()?;
    if marker.token() != token {
        let found = Box::new(Abandoned { marker, pending });
        return Err(UnlockError::WrongToken { named: token.to_owned(), found });
    }
    disk::remove(&layout.marker())?;
    drop(lock);
    Ok(Unlocked { marker, pending })
}

fn holder(view: &JournalView) -> Option<Box<RunInfo>> {
    view.marker()?.run().cloned().map(Box::new)
}

fn abandoned(view: &JournalView, marker: MarkerState) -> LockError {
    match view.pending() {
        Ok(pending) => LockError::Abandoned(Box::new(Abandoned { marker, pending })),
        Err(error) => error.into(),
    }
}

/// The locked file, or nothing if another run had it all the time.
fn acquire(path: &Path, wait: Duration) -> io::Result<Option<Held>> {
    let mut left = wait;
    loop {
        // Opened for writing: some network file systems lock nothing else.
        let mut options = OpenOptions::new();
        let file = disk::open_file(path, options.read(true).write(true).truncate(false))?;
        match fs2::FileExt::try_lock_exclusive(&file) {
            Ok(()) => {
                // Somebody may have removed the file in between: then ours is a lock
                // that the next run would not see.
                let held = Held(file);
                if is_at(&held.0, path)? {
                    return Ok(Some(held));
                }
                continue;
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        if left.is_zero() {
            return Ok(None);
        }
        let nap = POLL.min(left);
        std::thread::sleep(nap);
        left -= nap;
    }
}

fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let ours = file.metadata()?;
    match fs::metadata(path) {
        Ok(there) => Ok((ours.dev(), ours.ino()) == (there.dev(), there.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes what a crash left unfinished. What can't be removed does no harm.
fn sweep(layout: &Layout) -> Result<(), JournalError> {
    for folder in layout.folders_with_temps()? {
        for path in paths_in(&folder)? {
            let name = path.file_name().and_then(|name| name.to_str());
            if name.is_some_and(|name| name.starts_with(TEMP_PREFIX)) {
                let _harmless = disk::remove_file(&path);
            }
        }
    }
    Ok(())
}

fn write_marker(view: &JournalView, run: &RunInfo) -> Result<(), LockError> {
    let path = view.layout().marker();
    let bytes = marker::encode(run)
        .map_err(|error| LockError::LockFile { path: path.clone(), source: error.into() })?;
    let Err(error) = disk::create_new(&path, &bytes) else { return Ok(()) };
    if error.source.kind() == io::ErrorKind::AlreadyExists
        && let Some(marker) = view.marker()
    {
        // Two runs have the lock of one file: on this file system it is for show.
        return Err(abandoned(view, marker));
    }
    if error.effect == Effect::Uncertain {
        // This is an orderly end, so its marker goes; if it can't, a person removes it.
        let _for_a_person = disk::remove(&path);
    }
    Err(error.into())
}

#[cfg(target_os = "linux")]
fn warnings(layout: &Layout) -> Vec<JournalWarning> {
    // Not to know is no reason to stop: the lock has been taken.
    let Ok(facts) = rustix::fs::statfs(layout.dir()) else { return Vec::new() };
    let dir = layout.dir().to_owned();
    let warning = |kind| JournalWarning::NetworkFileSystem { kind, dir };
    network_file_system(facts.f_type).map(warning).into_iter().collect()
}

/// The name of a network file system. The type of `f_type` differs between
/// architectures, and may be signed and 32 bits wide.
#[cfg(target_os = "linux")]
pub(super) fn network_file_system(f_type: impl TryInto<i128>) -> Option<&'static str> {
    // From linux/magic.h. FUSE is in it because sync clients and sshfs use it.
    const NETWORK: [(u32, &str); 8] = [
        (0x0000_6969, "NFS"),
        (0xff53_4d42, "CIFS"),
        (0xfe53_4d42, "SMB2"),
        (0x0000_517b, "SMB"),
        (0x6573_5546, "FUSE"),
        (0x0102_1997, "9P"),
        (0x00c3_6400, "Ceph"),
        (0x5346_414f, "AFS"),
    ];
    let low_bits = f_type.try_into().ok()? & 0xffff_ffff;
    let same = |(magic, _): &&(u32, &str)| low_bits == i128::from(*magic);
    NETWORK.iter().find(same).map(|(_, kind)| *kind)
}

#[cfg(not(target_os = "linux"))]
fn warnings(_layout: &Layout) -> Vec<JournalWarning> {
    Vec::new()
}
