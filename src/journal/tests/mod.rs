//! The journal, with disks that fail, runs that die and files that are not ours.

mod children;
mod damaged;
mod full_disk;
mod fuzz;
mod locking;
mod power;
mod records;
mod samples;
mod sending;
mod sites;
mod writing;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use self::samples::run;
use super::disk::TEMP_PREFIX;
use super::{DiskStep, JournalView, LockError, LockedJournal};
use crate::crash::{Step, Watch};

/// A folder with the journal of `example.com`, a folder for rescued receipts, and a
/// disk that can be told to fail.
struct Room {
    root: TempDir,
    watch: Watch,
}

impl Room {
    fn new() -> Self {
        // In memory where there is such a place: thousands of syncs take long on a disk.
        let memory = Path::new("/dev/shm");
        let root = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
        Self { root: root.unwrap(), watch: Watch::begin() }
    }

    fn dir(&self) -> PathBuf {
        self.root.path().join(".oncepress/example.com")
    }

    fn rescue_dir(&self) -> PathBuf {
        self.root.path().join("rescue")
    }

    fn view(&self) -> JournalView {
        JournalView::open(&self.dir()).unwrap()
    }

    fn try_lock(&self, run_id: &str) -> Result<LockedJournal, LockError> {
        fs::create_dir_all(self.rescue_dir()).unwrap();
        let rescue_dirs = vec![self.root.path().join("missing"), self.rescue_dir()];
        LockedJournal::lock(&self.dir(), run(run_id), Duration::ZERO, rescue_dirs)
    }

    fn lock(&self) -> LockedJournal {
        self.try_lock("run-1").unwrap()
    }

    /// The disk works again; gives the steps since the last call.
    fn heal(&self) -> Vec<DiskStep> {
        let steps = self.watch.steps().into_iter();
        self.watch.heal();
        let disk = steps.map(|step| match step {
            Step::Disk(step, _) => step,
            Step::Send(_) | Step::Answer(_) => panic!("the journal sends nothing: {step:?}"),
        });
        disk.collect()
    }

    fn rescued(&self) -> Vec<PathBuf> {
        paths_below(&self.rescue_dir())
    }

    /// Unfinished files that are still there.
    fn temps(&self) -> Vec<PathBuf> {
        let mut paths = paths_below(&self.dir());
        paths.retain(|path| path.file_name().unwrap().to_str().unwrap().starts_with(TEMP_PREFIX));
        paths
    }
}

fn paths_below(dir: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            paths.extend(paths_below(&path));
        } else {
            paths.push(path);
        }
    }
    paths.sort();
    paths
}

#[expect(clippy::disallowed_methods, reason = "puts there what somebody else has written")]
fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}
