//! The folder outside of which nothing is read.
//!
//! Absent from here: finding files in it. The rule to keep: an article is untrusted
//! input, so a file is opened step by step from a handle on this folder and without
//! following a link; a link that is slipped in between the look and the opening makes
//! the opening fail (IMG-07, IMG-08).

use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{Mode, OFlags, open, openat};

/// A folder. No handle is kept while nothing is read: thousands of articles may each
/// have a folder of their own, and a process has few handles.
#[derive(Debug)]
pub(super) struct Root {
    path: PathBuf,
}

impl Root {
    /// The folder at a path, which may be or hold links.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self { path: folder.canonicalize()? })
    }

    /// Its path, absolute and free of links.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a path that is absolute and free of links is this folder or in it. Parts
    /// are compared, not letters: `/share-evil` is not in `/share`.
    pub(super) fn contains(&self, canonical: &Path) -> bool {
        canonical.starts_with(&self.path)
    }

    /// Opens a regular file in this folder for reading. The path is absolute and free of
    /// links when it is looked at; if it is no longer when it is opened, that fails.
    pub(super) fn open_file(&self, canonical: &Path) -> io::Result<File> {
        let outside = || io::Error::new(io::ErrorKind::PermissionDenied, "outside the folder");
        let inner = canonical.strip_prefix(&self.path).map_err(|_| outside())?;
        let mut components = inner.components().peekable();
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut folder = open(&self.path, flags, Mode::empty())?;
        while let Some(component) = components.next() {
            let Component::Normal(name) = component else { return Err(outside()) };
            // Not to block: a pipe may be lying there under the name of an image.
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
            let last = components.peek().is_none();
            let kind = if last { OFlags::empty() } else { OFlags::DIRECTORY };
            let opened = openat(&folder, name, flags | kind, Mode::empty())?;
            if last {
                let file = File::from(opened);
                if !file.metadata()?.is_file() {
                    return Err(io::Error::other("not a regular file"));
                }
                return Ok(file);
            }
            folder = opened;
        }
        Err(io::Error::from(io::ErrorKind::IsADirectory))
    }
}
