//! A run that dies at step 1, 2, 3 …, and a machine that loses its power then.

use std::cell::Cell;
use std::fs;
use std::path::Path;

use super::samples::{at, key, post_fields, post_receipt, prepared_article, run};
use super::{Room, paths_below, write};
use crate::crash::{Errno, Fault, How, Loss, Shadow, Times, Watch, durable};
use crate::journal::disk;
use crate::journal::{DiskStep, LockError, LockedJournal, unlock};

/// How far a run came. What it has reached may not be taken back by a power loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reached {
    Nothing,
    Locked,
    Prepared,
    MaySend,
    Confirmed,
    Finished,
}

pub(super) fn whole_run(dir: &Path, reached: &Cell<Reached>) {
    let wait = std::time::Duration::ZERO;
    let mut journal = LockedJournal::lock(dir, run("run-1"), wait, Vec::new()).unwrap();
    reached.set(Reached::Locked);
    let record = prepared_article("first-article");
    journal.put(&record).unwrap();
    reached.set(Reached::Prepared);
    let (_permit, open) = journal.begin_sending(record, post_fields(), at(10), at(130)).unwrap();
    reached.set(Reached::MaySend);
    open.confirm(&mut journal, post_receipt()).unwrap();
    reached.set(Reached::Confirmed);
    journal.finish().unwrap();
    reached.set(Reached::Finished);
}

/// The phases that a record can have after this point of the run.
fn phases(reached: Reached) -> &'static [&'static str] {
    match reached {
        Reached::Nothing => &["no record"],
        Reached::Locked => &["no record", "prepared"],
        Reached::Prepared => &["prepared", "sending"],
        Reached::MaySend => &["sending", "confirmed"],
        Reached::Confirmed | Reached::Finished => &["confirmed"],
    }
}

/// Whether there may be, and may not be, a run marker.
fn markers(reached: Reached) -> &'static [bool] {
    match reached {
        Reached::Nothing | Reached::Confirmed => &[true, false],
        Reached::Locked | Reached::Prepared | Reached::MaySend => &[true],
        Reached::Finished => &[false],
    }
}

#[test]
fn whatever_is_lost_with_the_power_a_run_has_left_what_it_reached() {
    for loss in Loss::ALL {
        for step in 1.. {
            let room = Room::new();
            let reached = Cell::new(Reached::Nothing);
            room.watch.keep_shadow(Shadow::of(room.root.path()).unwrap());
            room.watch.die_at(step);
            let ended = room.watch.run(|| whole_run(&room.dir(), &reached));
            room.watch.shadow().unwrap().lose(loss).unwrap();
            let steps = room.heal();
            let reached = reached.get();
            let said = format!("{loss:?} at step {step}, {:?}, after {reached:?}", steps.last());
            let there = room.view().article(&key("first-article")).expect(&said);
            let phase = there.as_ref().map_or("no record", |record| record.phase().code());
            assert!(phases(reached).contains(&phase), "{said}: {phase}");
            assert!(markers(reached).contains(&room.view().marker().is_some()), "{said}");
            match room.try_lock("run-2") {
                Ok(journal) => journal.finish().unwrap(),
                Err(LockError::Abandoned(abandoned)) => {
                    assert_eq!(abandoned.marker.token(), "run-1", "{said}");
                    unlock(&room.dir(), "run-1").unwrap();
                    room.try_lock("run-2").expect(&said).finish().unwrap();
                }
                Err(error) => panic!("{said}: {error}"),
            }
            assert_eq!(room.temps().len(), 0, "{said}");
            if ended.is_some() {
                assert!(step > 40, "a run of {step} steps shows nothing");
                break;
            }
        }
    }
}

#[test]
fn a_run_that_has_died_changes_nothing_any_more() {
    let room = Room::new();
    let reached = Cell::new(Reached::Nothing);
    whole_run(&room.dir(), &reached);
    let count = room.heal().len();
    for step in 1..=count {
        let room = Room::new();
        room.watch.die_at(step);
        let before = Cell::new(Vec::new());
        let died = room.watch.run(|| {
            let look = LookAtTheEnd { room: &room, seen: &before };
            whole_run(&room.dir(), &reached);
            drop(look);
        });
        assert!(died.is_none(), "{step}");
        assert_eq!(room.watch.steps().len(), step);
        // Neither what was dropped on the way, nor what a survivor might try.
        assert_eq!(contents(&room), before.take(), "{step}");
        assert!(crate::crash::is_dead());
        disk::replace(&room.root.path().join("file"), b"x").unwrap_err();
        assert!(!room.root.path().join("file").exists());
        assert_eq!(room.watch.steps().len(), step, "what has no effect is no step");
    }
}

/// Sees what is there when the thread unwinds, after everything in the run was dropped.
struct LookAtTheEnd<'a> {
    room: &'a Room,
    seen: &'a Cell<Vec<(std::path::PathBuf, Vec<u8>)>>,
}

impl Drop for LookAtTheEnd<'_> {
    fn drop(&mut self) {
        self.seen.set(contents(self.room));
    }
}

pub(super) fn contents(room: &Room) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let paths = paths_below(room.root.path());
    paths.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

fn watched(room: &Room) -> &Watch {
    room.watch.keep_shadow(Shadow::of(room.root.path()).unwrap());
    &room.watch
}

#[test]
fn bytes_and_names_survive_only_if_they_were_synced() {
    let room = Room::new();
    let (old, new) = (room.root.path().join("old"), room.root.path().join("new"));
    write(&old, b"old bytes");
    // Up to the rename, up to the sync of the folder, and all of it.
    let cases: [(usize, &[Option<&str>; 4]); 3] = [
        (5, &[Some("old bytes"); 4]),
        (7, &[Some("new bytes"), Some("old bytes"), Some("new bytes"), Some("new bytes")]),
        (8, &[Some("new bytes"); 4]),
    ];
    for (step, expected) in cases {
        for (loss, expected) in Loss::ALL.into_iter().zip(expected) {
            write(&old, b"old bytes");
            let watch = watched(&room);
            watch.heal();
            watch.die_at(step);
            watch.run(|| disk::replace(&old, b"new bytes").unwrap());
            watch.shadow().unwrap().lose(loss).unwrap();
            watch.heal();
            let there = fs::read_to_string(&old).ok();
            assert_eq!(there.as_deref(), *expected, "{loss:?} at {step}");
        }
    }
    // A file whose name and bytes are both new.
    for (loss, expected) in Loss::ALL.into_iter().zip([Some(3), None, Some(0), Some(1)]) {
        let watch = watched(&room);
        let mut options = fs::OpenOptions::new();
        let file = disk::open_file(&new, options.append(true)).unwrap();
        disk::append(&file, &new, b"abc").unwrap();
        watch.shadow().unwrap().lose(loss).unwrap();
        assert_eq!(fs::read(&new).ok().map(|bytes| bytes.len()), expected, "{loss:?}");
        let _gone = fs::remove_file(&new);
    }
}

#[test]
fn a_folder_that_was_not_synced_takes_what_is_in_it_along() {
    let room = Room::new();
    let folder = room.root.path().join("a/b");
    let file = folder.join("file");
    let watch = watched(&room);
    // The sync of the upper folder is the third step, that of the lower one the fifth.
    watch.fail_at(5, Fault { how: How::Refused(Errno::Io), times: Times::Next(1) });
    disk::ensure_folder(&folder).unwrap_err();
    disk::replace(&file, b"x").unwrap();
    assert_eq!(durable(&file), None);
    disk::ensure_folder(&folder).unwrap();
    assert_eq!(durable(&file).as_deref(), Some(&b"x"[..]));
}

#[test]
fn a_sync_that_failed_and_then_succeeds_has_brought_nothing() {
    let room = Room::new();
    let path = room.root.path().join("file");
    let watch = watched(&room);
    let mut options = fs::OpenOptions::new();
    let file = disk::open_file(&path, options.append(true)).unwrap();
    disk::append(&file, &path, b"abc").unwrap();
    watch.fail_at(3, Fault { how: How::Dropped, times: Times::Next(1) });
    disk::sync_file(&file, &path).unwrap_err();
    disk::sync_file(&file, &path).unwrap();
    watch.shadow().unwrap().lose(Loss::Bytes).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"");
}

#[test]
fn half_of_the_bytes_are_written_before_the_disk_is_full() {
    let room = Room::new();
    let path = room.root.path().join("file");
    let mut options = fs::OpenOptions::new();
    let file = disk::open_file(&path, options.append(true)).unwrap();
    room.watch.fail_at(2, Fault { how: How::Short, times: Times::Next(1) });
    let error = disk::append(&file, &path, b"abcd").unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    assert_eq!(fs::read(&path).unwrap(), b"ab");
    assert_eq!(room.heal(), [DiskStep::OpenFile, DiskStep::Append]);
}

/// A journal that can't be read is never a journal without records.
#[test]
fn whichever_reading_fails_no_record_is_passed_over() {
    let room = Room::new();
    let reached = Cell::new(Reached::Nothing);
    room.watch.run(|| whole_run(&room.dir(), &reached)).unwrap();
    for errno in Errno::ALL {
        for times in [Times::Next(1), Times::FromThenOn] {
            for number in 1.. {
                room.watch.heal();
                room.watch.fail_read_at(number, Fault { how: How::Refused(errno), times });
                let view = crate::journal::JournalView::open(&room.dir());
                let record = view.map(|view| view.article(&key("first-article")));
                let count = room.watch.reads();
                match record {
                    Ok(Ok(record)) => {
                        assert_eq!(
                            record.unwrap().phase().code(),
                            "confirmed",
                            "{errno:?} {number}"
                        );
                    }
                    Ok(Err(_)) | Err(_) => assert!(number <= count, "{errno:?} {number}"),
                }
                if count < number {
                    assert!(number > 3, "{number} readings show nothing");
                    break;
                }
            }
        }
    }
}
