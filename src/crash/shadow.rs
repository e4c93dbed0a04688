//! What of a folder would survive a power loss.
//!
//! Absent from here: which steps are done. The one rule: bytes survive only if their file
//! was synced after they were written, and a name only if its folder was synced after the
//! name was given; nothing else is promised by a Unix file system.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::journal::DiskStep;

/// What is in a folder, by the paths below it: files with their bytes, and folders.
pub type Found = BTreeMap<PathBuf, Option<Arc<[u8]>>>;

/// What has a name. Files are numbered by us: the system uses its own numbers again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Node {
    Folder,
    File(u64),
}

/// What is found when the machine is up again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// Everything: only the process was killed.
    Nothing,
    /// The old names with the old bytes: nothing survived that was not synced.
    Unsynced,
    /// All names, and files whose bytes were not synced are empty, as after a rename on
    /// some file systems.
    Bytes,
    /// All names, and half of the bytes of files that were not synced.
    HalfOfTheBytes,
}

impl Loss {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Nothing, Self::Unsynced, Self::Bytes, Self::HalfOfTheBytes];
}

/// The account of one folder.
#[derive(Debug, Clone)]
pub struct Shadow {
    root: PathBuf,
    /// Names are paths below the root.
    names: BTreeMap<PathBuf, Node>,
    durable_names: BTreeMap<PathBuf, Node>,
    /// Bytes on the medium; a file that is missing here has none there.
    durable_bytes: BTreeMap<u64, Arc<[u8]>>,
    /// Files whose bytes the system has dropped, whatever a later sync says.
    dropped: Vec<u64>,
    next: u64,
}

impl Shadow {
    /// Begins with a folder of which everything is on the medium, as after a restart.
    pub fn of(root: &Path) -> io::Result<Self> {
        let mut shadow = Self {
            root: root.to_owned(),
            names: BTreeMap::new(),
            durable_names: BTreeMap::new(),
            durable_bytes: BTreeMap::new(),
            dropped: Vec::new(),
            next: 0,
        };
        for (name, bytes) in found_in(root)? {
            match bytes {
                None => {
                    shadow.names.insert(name, Node::Folder);
                }
                Some(bytes) => {
                    let file = shadow.name_new_file(&name);
                    shadow.durable_bytes.insert(file, bytes);
                }
            }
        }
        shadow.durable_names.clone_from(&shadow.names);
        Ok(shadow)
    }

    fn name_new_file(&mut self, name: &Path) -> u64 {
        self.next += 1;
        self.names.insert(name.to_owned(), Node::File(self.next));
        self.next
    }

    fn file_at(&self, name: &Path) -> Option<u64> {
        match self.names.get(name) {
            Some(Node::File(file)) => Some(*file),
            Some(Node::Folder) | None => None,
        }
    }

    /// A step at one path was done.
    pub(super) fn changed(&mut self, step: DiskStep, path: &Path) {
        let Ok(name) = path.strip_prefix(&self.root) else { return };
        let name = name.to_owned();
        match step {
            DiskStep::CreateFolder => {
                self.names.insert(name, Node::Folder);
            }
            DiskStep::CreateTemp => {
                self.name_new_file(&name);
            }
            DiskStep::OpenFile => {
                if self.file_at(&name).is_none() {
                    self.name_new_file(&name);
                }
            }
            DiskStep::SyncFile => {
                if let Some(file) = self.file_at(&name)
                    && !self.dropped.contains(&file)
                    && let Ok(bytes) = fs::read(path)
                {
                    self.durable_bytes.insert(file, bytes.into());
                }
            }
            DiskStep::SyncFolder => self.names_are_durable(&name),
            DiskStep::Remove => {
                self.names.remove(&name);
            }
            // Their bytes are read from the file where somebody asks.
            DiskStep::Reserve | DiskStep::Write | DiskStep::Trim | DiskStep::Append => {}
            DiskStep::Rename | DiskStep::Link => unreachable!("these have two paths"),
        }
    }

    /// A file got a name.
    pub(super) fn placed(&mut self, step: DiskStep, from: &Path, to: &Path) {
        let below = |path: &Path| path.strip_prefix(&self.root).map(Path::to_owned);
        let (Ok(from), Ok(to)) = (below(from), below(to)) else { return };
        let Some(file) = self.file_at(&from) else { return };
        if step == DiskStep::Rename {
            self.names.remove(&from);
        }
        self.names.insert(to, Node::File(file));
    }

    /// A sync failed, and the system has dropped the bytes.
    pub(super) fn dropped(&mut self, path: &Path) {
        let name = path.strip_prefix(&self.root);
        self.dropped.extend(name.ok().and_then(|name| self.file_at(name)));
    }

    fn names_are_durable(&mut self, folder: &Path) {
        let is_in = |name: &Path| name.parent() == Some(folder);
        self.durable_names.retain(|name, _| !is_in(name));
        let there = self.names.iter().filter(|(name, _)| is_in(name));
        self.durable_names.extend(there.map(|(name, node)| (name.clone(), *node)));
    }

    /// Whether this name and those of the folders above it are on the medium.
    fn is_durable(&self, name: &Path) -> bool {
        let mut up = name.ancestors().filter(|up| !up.as_os_str().is_empty());
        up.all(|up| self.durable_names.contains_key(up))
    }

    /// The bytes of this file that are on the medium, if its name is.
    #[must_use]
    pub fn durable(&self, path: &Path) -> Option<&[u8]> {
        let name = path.strip_prefix(&self.root).ok()?;
        match self.durable_names.get(name) {
            Some(Node::File(file)) if self.is_durable(name) => Some(self.bytes_of(*file)),
            Some(Node::File(_) | Node::Folder) | None => None,
        }
    }

    fn bytes_of(&self, file: u64) -> &[u8] {
        self.durable_bytes.get(&file).map_or(&[], |bytes| bytes)
    }

    /// What is found after such a loss, if this is in the folder now. A file system may
    /// keep any part of what was not synced; these are the ends of that range.
    #[must_use]
    pub fn found_after(&self, loss: Loss, now: &Found) -> Found {
        match loss {
            Loss::Nothing => now.clone(),
            Loss::Unsynced => self.synced(),
            Loss::Bytes => self.named(now, |_| &[]),
            Loss::HalfOfTheBytes => self.named(now, |bytes| &bytes[..bytes.len() / 2]),
        }
    }

    fn synced(&self) -> Found {
        let durable = self.durable_names.iter().filter(|(name, _)| self.is_durable(name));
        let found = durable.map(|(name, node)| match node {
            Node::Folder => (name.clone(), None),
            Node::File(file) => {
                let bytes = self.durable_bytes.get(file).cloned();
                (name.clone(), Some(bytes.unwrap_or_else(|| [].into())))
            }
        });
        found.collect()
    }

    fn named(&self, now: &Found, rest: impl Fn(&[u8]) -> &[u8]) -> Found {
        let mut found = now.clone();
        for (name, bytes) in &mut found {
            if let (Some(bytes), Some(file)) = (bytes, self.file_at(name))
                && *self.bytes_of(file) != **bytes
            {
                *bytes = rest(bytes).into();
            }
        }
        found
    }

    /// Makes the folder what is found after such a loss.
    pub fn lose(&self, loss: Loss) -> io::Result<()> {
        let now = found_in(&self.root)?;
        make(&self.root, &now, &self.found_after(loss, &now))
    }
}

/// What is in a folder.
pub fn found_in(root: &Path) -> io::Result<Found> {
    let mut found = Found::new();
    look_into(root, Path::new(""), &mut found)?;
    Ok(found)
}

fn look_into(root: &Path, folder: &Path, found: &mut Found) -> io::Result<()> {
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let name = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            found.insert(name.clone(), None);
            look_into(root, &name, found)?;
        } else {
            let bytes = fs::read(root.join(&name))?;
            found.insert(name, Some(bytes.into()));
        }
    }
    Ok(())
}

/// Makes a folder that is one thing another.
#[expect(clippy::disallowed_methods, reason = "plays the medium, and not the journal")]
pub fn make(root: &Path, now: &Found, wanted: &Found) -> io::Result<()> {
    // From the leaves up, so that folders are empty when they go.
    for (name, bytes) in now.iter().rev() {
        let path = root.join(name);
        match (bytes, wanted.get(name)) {
            (Some(_), None | Some(None)) => fs::remove_file(path)?,
            (None, None | Some(Some(_))) => fs::remove_dir(path)?,
            (Some(_), Some(Some(_))) | (None, Some(None)) => {}
        }
    }
    for (name, bytes) in wanted.iter().filter(|(name, bytes)| now.get(*name) != Some(*bytes)) {
        match bytes {
            None => fs::create_dir(root.join(name))?,
            Some(bytes) => fs::write(root.join(name), bytes)?,
        }
    }
    Ok(())
}
