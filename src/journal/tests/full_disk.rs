//! The same on a disk that is truly full: a small file system in memory.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use super::samples::{at, chain, key, post_fields, post_receipt, prepared_article, run};
use crate::journal::{JournalView, LockedJournal, RECORD_BYTES_MAX};
use crate::protocol::record::Record;

/// A file system of 256 KiB. Mounting it needs more rights than most test runs have.
struct SmallDisk(TempDir);

impl SmallDisk {
    fn mount() -> Option<Self> {
        let root = TempDir::new().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=256k", "oncepress-test"]).arg(root.path());
        match mount.output() {
            Ok(output) if output.status.success() => Some(Self(root)),
            Ok(output) => {
                println!("skipped: can't mount: {}", String::from_utf8_lossy(&output.stderr));
                None
            }
            Err(error) => {
                println!("skipped: can't run mount: {error}");
                None
            }
        }
    }

    fn dir(&self) -> PathBuf {
        self.0.path().join("example.com")
    }

    /// Takes every free byte.
    fn fill(&self) {
        let mut filler = File::create(self.0.path().join("filler")).unwrap();
        for bytes in [4096, 1] {
            while filler.write_all(&vec![b'x'; bytes]).is_ok() {}
        }
        let full = filler.write_all(b"x").unwrap_err();
        assert_eq!(full.kind(), ErrorKind::StorageFull);
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let status = Command::new("umount").arg("--lazy").arg(self.0.path()).status();
        assert!(status.is_ok_and(|status| status.success()), "{} stays", self.0.path().display());
    }
}

fn phase(dir: &Path) -> String {
    let record = JournalView::open(dir).unwrap().article(&key("first-article")).unwrap();
    record.as_ref().map_or("no record", |record| record.phase().code()).to_owned()
}

#[test]
fn a_disk_that_is_full_before_the_send_lets_nothing_leave() {
    let Some(disk) = SmallDisk::mount() else { return };
    let mut journal =
        LockedJournal::lock(&disk.dir(), run("run-1"), Duration::ZERO, Vec::new()).unwrap();
    let record = prepared_article("first-article");
    journal.put(&record).unwrap();
    disk.fill();
    let error = journal.begin_sending(record, post_fields(), at(10), at(130)).unwrap_err();
    let said = chain(&error);
    assert!(said.ends_with("No space left on device (os error 28)"), "{said}");
    assert_eq!(phase(&disk.dir()), "prepared");
    journal.finish().unwrap();
}

#[test]
fn a_disk_that_fills_up_after_the_send_still_takes_the_receipt() {
    let Some(disk) = SmallDisk::mount() else { return };
    let mut journal =
        LockedJournal::lock(&disk.dir(), run("run-1"), Duration::ZERO, Vec::new()).unwrap();
    let record = prepared_article("first-article");
    journal.put(&record).unwrap();
    let (_permit, open) = journal.begin_sending(record, post_fields(), at(10), at(130)).unwrap();
    disk.fill();
    let confirmed = open.confirm(&mut journal, post_receipt()).unwrap();
    assert_eq!(journal.view().article(&key("first-article")).unwrap(), Some(confirmed));
    journal.finish().unwrap();
}

#[test]
fn a_receipt_that_finds_no_room_is_saved_in_another_place() {
    let Some(disk) = SmallDisk::mount() else { return };
    let rescue = TempDir::new().unwrap();
    let rescue_dirs = vec![disk.dir(), rescue.path().to_owned()];
    let mut journal =
        LockedJournal::lock(&disk.dir(), run("run-1"), Duration::ZERO, rescue_dirs).unwrap();
    let record = prepared_article("first-article");
    journal.put(&record).unwrap();
    let (_permit, open) = journal.begin_sending(record, post_fields(), at(10), at(130)).unwrap();
    disk.fill();
    // A receipt larger than all the room that was kept for it.
    let mut receipt = post_receipt();
    receipt.link = "x".repeat(300 * 1024);
    let lost = open.confirm(&mut journal, receipt).unwrap_err();
    let path = rescue.path().join("oncepress-rescue-run-1-post-first-article.json");
    assert_eq!(lost.rescue.as_deref(), Some(path.as_path()));
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{}\n", lost.line));
    assert_eq!(phase(&disk.dir()), "sending");
    journal.finish().unwrap();
}

#[test]
fn a_record_too_large_to_be_read_again_is_not_written() {
    let root = TempDir::new().unwrap();
    let dir = root.path().join("example.com");
    let mut journal = LockedJournal::lock(&dir, run("run-1"), Duration::ZERO, Vec::new()).unwrap();
    let record = prepared_article("first-article");
    journal.put(&record).unwrap();
    let mut fields = post_fields();
    fields.content = "x".repeat(usize::try_from(RECORD_BYTES_MAX).unwrap());
    let error = journal.begin_sending(record, fields, at(10), at(130)).unwrap_err();
    let expected = format!(
        "record {} would not be readable: it is larger than 33554432 bytes",
        dir.join("articles/post/first-article.json").display()
    );
    assert_eq!(chain(&error), expected);
    let there = journal.view().article(&key("first-article")).unwrap();
    assert_eq!(there.as_ref().map(Record::serial), Some(1));
}
