//! Durable file operations, one function for each.
//!
//! Absent from here: what is written. The one rule: a file of the journal is replaced
//! whole or not at all, and a sync that failed is never asked again of the same file:
//! the kernel may have dropped the data and would answer that all is well. Whatever
//! changes the disk goes through [`crash`], where test builds can make it fail.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use crate::crash;

/// How the names of unfinished files begin. What a crash leaves behind is swept by the
/// next run that has the lock.
pub(super) const TEMP_PREFIX: &str = ".tmp-";

/// A step of writing to the journal that failed.
#[derive(Debug, thiserror::Error)]
#[error("could not {} {}{}", step.verb(), path.display(), effect.remark())]
pub struct DiskError {
    /// The step.
    pub step: DiskStep,
    /// The file or folder.
    pub path: PathBuf,
    /// What a later run will find.
    pub effect: Effect,
    /// What the system said.
    #[source]
    pub source: io::Error,
}

/// What a failed write left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// What was there before is there still.
    Unchanged,
    /// Either what was there before or the new content is there, whole in both cases.
    Uncertain,
}

impl Effect {
    fn remark(self) -> &'static str {
        match self {
            Self::Unchanged => "",
            Self::Uncertain => " (the change may or may not survive)",
        }
    }
}

/// The steps of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiskStep {
    /// Make a folder.
    CreateFolder,
    /// Make a file that stays, if it is missing.
    OpenFile,
    /// Make an unfinished file with a random name.
    CreateTemp,
    /// Claim blocks, so that a later write needs no free space.
    Reserve,
    /// Write all bytes.
    Write,
    /// Write bytes at the end of a file that stays.
    Append,
    /// Cut off what was reserved and not needed.
    Trim,
    /// Bring a file's bytes to the medium.
    SyncFile,
    /// Put a finished file in its place.
    Rename,
    /// Put a finished file in its place, if nothing is there.
    Link,
    /// Bring a folder's names to the medium.
    SyncFolder,
    /// Remove a file.
    Remove,
}

impl DiskStep {
    fn verb(self) -> &'static str {
        match self {
            Self::CreateFolder => "create folder",
            Self::OpenFile | Self::CreateTemp => "create",
            Self::Reserve => "reserve space for",
            Self::Write | Self::Append => "write",
            Self::Trim => "truncate",
            Self::SyncFile => "sync",
            Self::Rename | Self::Link => "put in place",
            Self::SyncFolder => "sync folder",
            Self::Remove => "remove",
        }
    }

    fn failed(self, path: &Path, effect: Effect) -> impl FnOnce(io::Error) -> DiskError {
        let path = path.to_owned();
        move |source| DiskError { step: self, path, effect, source }
    }
}

/// An unfinished file. Dropping it removes its name; a file that was put in its place
/// has another by then.
#[derive(Debug)]
pub(super) struct Temp {
    file: File,
    path: PathBuf,
}

impl Drop for Temp {
    fn drop(&mut self) {
        // Failing costs nothing: the next run sweeps what is left.
        let _left_for_the_sweep = remove_file(&self.path);
    }
}

/// Makes the folder for its owner alone, if it is missing, and syncs its name. The sync
/// is due even if the folder exists: the run that made it may have died first.
pub(super) fn ensure_folder(path: &Path) -> Result<(), DiskError> {
    let failed = || DiskStep::CreateFolder.failed(path, Effect::Unchanged);
    match create_folder(path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) else {
                return Err(failed()(error));
            };
            ensure_folder(parent)?;
            create_folder(path).map_err(failed())?;
        }
        Err(error) => return Err(failed()(error)),
    }
    sync_folder(folder_of(path), Effect::Uncertain)
}

fn create_folder(path: &Path) -> io::Result<()> {
    crash::change(DiskStep::CreateFolder, path, || DirBuilder::new().mode(0o700).create(path))
}

/// Opens a file that stays, for its owner alone, and makes it if it is missing. Its name
/// is not synced: whoever needs it finds it missing and makes it again.
pub(super) fn open_file(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    crash::change(DiskStep::OpenFile, path, || options.create(true).mode(0o600).open(path))
}

/// Writes bytes at the end of a file that was opened for that.
pub(super) fn append(mut file: &File, path: &Path, bytes: &[u8]) -> io::Result<()> {
    crash::write(DiskStep::Append, path, bytes, |bytes| file.write_all(bytes))
}

/// Brings a file's bytes to the medium.
pub(super) fn sync_file(file: &File, path: &Path) -> io::Result<()> {
    crash::change(DiskStep::SyncFile, path, || file.sync_all())
}

/// Replaces (or makes) the file durably.
pub(super) fn replace(target: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    replace_after(target, bytes, || {})
}

/// As [`replace`], with something done when only the rename is left.
pub(super) fn replace_after(
    target: &Path,
    bytes: &[u8],
    before_rename: impl FnOnce(),
) -> Result<(), DiskError> {
    let temp = create_temp(folder_of(target))?;
    swap_in(temp, target, bytes, before_rename)
}

/// Makes the file durably, and fails with `AlreadyExists` if something is there: the
/// second line of defence where a file system's locks are for show.
pub(super) fn create_new(target: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    let temp = create_temp(folder_of(target))?;
    fill(&temp, bytes)?;
    let link = || fs::hard_link(&temp.path, target);
    match crash::place(DiskStep::Link, &temp.path, target, link) {
        Ok(()) => {}
        Err(error) if no_hard_links(&error) => {
            rename(&temp.path, target)
                .map_err(DiskStep::Rename.failed(target, Effect::Uncertain))?;
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(DiskStep::Link.failed(target, Effect::Unchanged)(error));
        }
        Err(error) => return Err(DiskStep::Link.failed(target, Effect::Uncertain)(error)),
    }
    drop(temp);
    sync_folder(folder_of(target), Effect::Uncertain)
}

/// Makes an unfinished file in this folder. Random name and `O_EXCL`: nobody who can
/// guess names can have put a link there.
fn create_temp(folder: &Path) -> Result<Temp, DiskError> {
    let step = DiskStep::CreateTemp;
    let mut random = [0_u8; 8];
    getrandom::fill(&mut random).map_err(|error| {
        step.failed(folder, Effect::Unchanged)(io::Error::other(error.to_string()))
    })?;
    let path = folder.join(format!("{TEMP_PREFIX}{:016x}", u64::from_ne_bytes(random)));
    let create = || OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
    let file = crash::change(step, &path, create).map_err(step.failed(&path, Effect::Unchanged))?;
    Ok(Temp { file, path })
}

/// An unfinished file with this many bytes of the disk already its own.
pub(super) fn reserve(folder: &Path, bytes: u64) -> Result<Temp, DiskError> {
    let temp = create_temp(folder)?;
    let claimed = crash::change(DiskStep::Reserve, &temp.path, || {
        // fs2 reports a stale errno here, so its error can't be told apart from
        // "not supported". Writing zeros claims the blocks on any file system, or
        // fails with the true reason.
        if fs2::FileExt::allocate(&temp.file, bytes).is_ok() {
            return Ok(());
        }
        io::copy(&mut io::repeat(0).take(bytes), &mut &temp.file).map(|_| ())
    });
    claimed.map_err(DiskStep::Reserve.failed(&temp.path, Effect::Unchanged))?;
    Ok(temp)
}

/// Fills the unfinished file and puts it in the target's place, durably.
pub(super) fn swap_in(
    temp: Temp,
    target: &Path,
    bytes: &[u8],
    before_rename: impl FnOnce(),
) -> Result<(), DiskError> {
    fill(&temp, bytes)?;
    before_rename();
    // A rename whose answer is an error may still have been done on a network file
    // system, so from here on nobody can say "unchanged".
    rename(&temp.path, target).map_err(DiskStep::Rename.failed(target, Effect::Uncertain))?;
    drop(temp);
    sync_folder(folder_of(target), Effect::Uncertain)
}

/// Removes a file, and syncs that it is gone.
pub(super) fn remove(path: &Path) -> Result<(), DiskError> {
    remove_file(path).map_err(DiskStep::Remove.failed(path, Effect::Unchanged))?;
    sync_folder(folder_of(path), Effect::Uncertain)
}

fn fill(temp: &Temp, bytes: &[u8]) -> Result<(), DiskError> {
    let failed = |step: DiskStep| step.failed(&temp.path, Effect::Unchanged);
    let mut file = &temp.file;
    let write = |bytes: &[u8]| {
        file.rewind()?;
        file.write_all(bytes)
    };
    crash::write(DiskStep::Write, &temp.path, bytes, write).map_err(failed(DiskStep::Write))?;
    crash::change(DiskStep::Trim, &temp.path, || file.set_len(bytes.len() as u64))
        .map_err(failed(DiskStep::Trim))?;
    sync_file(file, &temp.path).map_err(failed(DiskStep::SyncFile))
}

#[expect(clippy::disallowed_methods, reason = "this is the room that renames")]
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    crash::place(DiskStep::Rename, from, to, || fs::rename(from, to))
}

/// Missing already is as good as removed.
pub(super) fn remove_file(path: &Path) -> io::Result<()> {
    match crash::change(DiskStep::Remove, path, || fs::remove_file(path)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn sync_folder(path: &Path, effect: Effect) -> Result<(), DiskError> {
    crash::change(DiskStep::SyncFolder, path, || File::open(path)?.sync_all())
        .map_err(DiskStep::SyncFolder.failed(path, effect))
}

/// The folder that holds this path's name.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        Some(_) | None => Path::new("."),
    }
}

fn no_hard_links(error: &io::Error) -> bool {
    let unsupported = [Errno::PERM, Errno::OPNOTSUPP, Errno::NOSYS, Errno::MLINK];
    unsupported.iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}
