//! Sends, on a disk that fails at step 1, 2, 3 … until one goes through.

use std::fs;

use super::samples::{
    at, attachment_receipt, chain, key, post_fields, post_receipt, prepared, prepared_article,
    site, upload_input, upload_sent,
};
use super::{Room, write};
use crate::crash::{Errno, Fault, How, Times};
use crate::journal::disk::DiskStep::{
    CreateTemp, Remove, Rename, Reserve, SyncFile, SyncFolder, Trim, Write,
};
use crate::journal::{
    Effect, LockedJournal, OpenSend, ReceiptNotSaved, SendPermit, WriteError, wire,
};
use crate::names::Digest;
use crate::protocol::change::Change;
use crate::protocol::kinds::{Articles, Uploads};
use crate::protocol::record::{ArticleRecord, UploadRecord};

fn begin(
    journal: &mut LockedJournal,
    record: ArticleRecord,
) -> Result<(SendPermit, OpenSend<Articles>), WriteError> {
    journal.begin_sending(record, post_fields(), at(10), at(130))
}

fn on_disk(room: &Room) -> ArticleRecord {
    room.view().article(&key("first-article")).unwrap().unwrap()
}

fn phase(room: &Room) -> &'static str {
    on_disk(room).phase().code()
}

/// A room with a prepared record in a locked journal.
fn ready() -> (Room, LockedJournal, ArticleRecord) {
    let room = Room::new();
    let mut journal = room.lock();
    let record = prepared_article("first-article");
    journal.put(&record).unwrap();
    room.heal();
    (room, journal, record)
}

/// Every way in which one step can fail.
fn faults() -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut ways = vec![How::Short, How::Dropped];
    for errno in [Errno::NoSpace, Errno::Io, Errno::Access] {
        ways.extend([How::Refused(errno), How::DoneAndRefused(errno)]);
    }
    for how in ways {
        for times in [Times::Next(1), Times::Next(3), Times::Next(6), Times::FromThenOn] {
            faults.push(Fault { how, times });
        }
    }
    faults
}

/// Runs the scene with every fault at step 1, 2, 3 … until the fault is never reached.
/// The scene gives the number of its steps.
fn at_every_step(mut scene: impl FnMut(usize, Fault) -> usize) {
    for fault in faults() {
        for step in 1.. {
            if scene(step, fault) < step {
                assert!(step > 5, "a scene of {step} steps shows nothing");
                break;
            }
        }
    }
}

#[test]
fn an_article_is_sent_and_confirmed() {
    let (room, mut journal, record) = ready();
    let (permit, open) = begin(&mut journal, record).unwrap();
    assert_eq!(permit.operation().as_str(), "op-1");
    assert_eq!(&on_disk(&room), open.record());
    assert_eq!(phase(&room), "sending");
    assert_eq!(room.temps().len(), 1, "the reserved file");

    let confirmed = open.confirm(&mut journal, post_receipt()).unwrap();
    assert_eq!(on_disk(&room), confirmed);
    assert_eq!(confirmed.receipt(), Some(&post_receipt()));
    assert_eq!(room.temps().len(), 0);
    journal.finish().unwrap();
    assert!(room.view().marker().is_none());
}

#[test]
fn an_upload_is_sent_and_confirmed() {
    let room = Room::new();
    let mut journal = room.lock();
    let digest = Digest::of(b"image");
    let record = UploadRecord::new(digest);
    let record = record.apply(Change::<Uploads>::Prepare(prepared(upload_input()))).unwrap();
    journal.put(&record).unwrap();
    let (_permit, open) = journal.begin_sending(record, upload_sent(), at(6), at(126)).unwrap();
    let confirmed = open.confirm(&mut journal, attachment_receipt()).unwrap();
    assert_eq!(room.view().upload(&digest).unwrap(), Some(confirmed));
    journal.finish().unwrap();
}

/// The promise P6, as the order of the steps.
#[test]
fn a_permit_is_made_after_space_is_reserved_and_file_and_folder_are_synced() {
    let (room, mut journal, record) = ready();
    let (_permit, open) = begin(&mut journal, record).unwrap();
    let replaced = [Write, Trim, SyncFile, Rename, Remove, SyncFolder];
    let expected = [&[CreateTemp, Reserve, CreateTemp], &replaced[..]].concat();
    assert_eq!(room.heal(), expected);
    open.confirm(&mut journal, post_receipt()).unwrap();
    assert_eq!(room.heal(), replaced, "nothing is created once the answer is there");
}

#[test]
fn whatever_step_fails_there_is_no_permit_without_a_durable_sending_record() {
    at_every_step(|step, fault| {
        let (room, mut journal, record) = ready();
        room.watch.fail_at(step, fault);
        let result = begin(&mut journal, record.clone());
        let steps = room.heal();
        let said = format!("{fault:?} at step {step} of {steps:?}");
        match result {
            Ok((permit, open)) => {
                // Only removing a name that is gone already may fail unnoticed.
                let failed = steps.get(step - 1).copied();
                let harmless = fault.times == Times::Next(1) && failed == Some(Remove);
                assert!(failed.is_none() || harmless, "{said}");
                assert_eq!(permit.operation().as_str(), "op-1", "{said}");
                assert_eq!(on_disk(&room), open.leave(), "{said}");
            }
            Err(WriteError::Disk(error)) if error.effect == Effect::Unchanged => {
                assert_eq!(on_disk(&room), record, "{said}");
            }
            Err(WriteError::Disk(error)) => {
                assert_eq!(error.effect, Effect::Uncertain, "{said}");
                assert!(["prepared", "sending"].contains(&phase(&room)), "{said}");
            }
            Err(other) => panic!("{said}: {other}"),
        }
        journal.finish().unwrap();
        // What could not be removed is swept by the next run.
        room.try_lock("run-2").unwrap().finish().unwrap();
        assert_eq!(room.temps().len(), 0, "{said}");
        steps.len()
    });
}

/// The receipt in this line of JSON, as a later reader sees it.
fn read_line(line: &str) -> ArticleRecord {
    wire::decode::<Articles>(line.as_bytes(), &site(), &key("first-article")).unwrap()
}

#[test]
fn whatever_step_fails_a_receipt_is_saved_somewhere_and_a_record_stays_whole() {
    let mut rescued = 0;
    at_every_step(|step, fault| {
        let (room, mut journal, record) = ready();
        let (_permit, open) = begin(&mut journal, record).unwrap();
        room.heal();
        room.watch.fail_at(step, fault);
        let result = open.confirm(&mut journal, post_receipt());
        let steps = room.heal();
        let said = format!("{fault:?} at step {step} of {steps:?}");
        match result {
            Ok(confirmed) => assert_eq!(on_disk(&room), confirmed, "{said}"),
            Err(ReceiptNotSaved { rescue, line, .. }) => {
                assert_ne!(fault.times, Times::Next(1), "one fault is survived: {said}");
                assert!(["sending", "confirmed"].contains(&phase(&room)), "{said}");
                assert_eq!(read_line(&line).receipt(), Some(&post_receipt()), "{said}");
                assert!(rescue.is_some() || fault.times != Times::Next(3), "{said}");
                if let Some(path) = rescue {
                    rescued += 1;
                    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{line}\n"));
                    assert_eq!(room.rescued(), [path], "{said}");
                }
            }
        }
        steps.len()
    });
    assert!(rescued > 20, "only {rescued} cases came as far as the rescue");
}

#[test]
fn whatever_step_fails_a_voided_record_stays_sending_or_ends() {
    at_every_step(|step, fault| {
        let (room, mut journal, record) = ready();
        let (_permit, open) = begin(&mut journal, record).unwrap();
        room.heal();
        room.watch.fail_at(step, fault);
        let result = open.void(&mut journal, "http_404", "404 from the route", at(11));
        let steps = room.heal();
        let said = format!("{fault:?} at step {step} of {steps:?}");
        match result {
            Ok(voided) => assert_eq!(on_disk(&room), voided, "{said}"),
            Err(WriteError::Disk(error)) if error.effect == Effect::Unchanged => {
                assert_eq!(phase(&room), "sending", "{said}");
            }
            Err(error) => {
                assert!(["sending", "none"].contains(&phase(&room)), "{said}: {error}");
            }
        }
        steps.len()
    });
}

#[test]
fn a_send_that_is_left_or_dropped_stays_sending_and_gives_its_space_back() {
    let (room, mut journal, record) = ready();
    let (_permit, open) = begin(&mut journal, record).unwrap();
    let left = open.leave();
    assert_eq!((on_disk(&room), room.temps().len()), (left, 0));

    let (room, mut journal, record) = ready();
    drop(begin(&mut journal, record).unwrap());
    assert_eq!((phase(&room), room.temps().len()), ("sending", 0));
}

#[test]
fn a_record_that_is_sending_gets_no_second_permit() {
    let (room, mut journal, record) = ready();
    let (_permit, open) = begin(&mut journal, record.clone()).unwrap();
    let sending = open.leave();
    // Neither the state before, which somebody still holds, nor the state now.
    let path = room.dir().join("articles/post/first-article.json");
    let stale = begin(&mut journal, record).unwrap_err();
    let expected = format!(
        "record {} is not what the change began from (serial on disk: 2, offered: 2)",
        path.display()
    );
    assert_eq!(chain(&stale), expected);
    let again = begin(&mut journal, sending.clone()).unwrap_err();
    assert_eq!(chain(&again), "a record in phase `sending` can't begin sending");
    assert_eq!(on_disk(&room), sending);
}

#[test]
fn a_record_that_is_not_on_disk_gets_no_permit() {
    let room = Room::new();
    let mut journal = room.lock();
    let error = begin(&mut journal, prepared_article("first-article")).unwrap_err();
    let path = room.dir().join("articles/post/first-article.json");
    let expected = format!(
        "record {} is not what the change began from (serial on disk: none, offered: 2)",
        path.display()
    );
    assert_eq!(chain(&error), expected);
    assert!(room.view().article(&key("first-article")).unwrap().is_none());
}

#[test]
fn a_damaged_record_gets_no_permit_and_is_left_alone() {
    let (room, mut journal, record) = ready();
    let path = room.dir().join("articles/post/first-article.json");
    write(&path, &[0; 100]);
    let error = begin(&mut journal, record).unwrap_err();
    let expected =
        format!("journal file {} can't be used: it holds nothing but NUL bytes", path.display());
    assert_eq!(chain(&error), expected);
    assert_eq!(fs::read(&path).unwrap(), [0; 100]);
    assert_eq!(room.temps().len(), 0);
}

#[test]
fn a_receipt_outlives_the_record_that_somebody_damaged_or_removed() {
    let path = "articles/post/first-article.json";
    let (room, mut journal, record) = ready();
    let (_permit, open) = begin(&mut journal, record).unwrap();
    write(&room.dir().join(path), b"");
    assert_eq!(open.confirm(&mut journal, post_receipt()).unwrap(), on_disk(&room));

    let (room, mut journal, record) = ready();
    let (_permit, open) = begin(&mut journal, record).unwrap();
    fs::remove_file(room.dir().join(path)).unwrap();
    assert_eq!(open.confirm(&mut journal, post_receipt()).unwrap(), on_disk(&room));
}

#[test]
fn a_receipt_does_not_overwrite_what_another_run_wrote() {
    let (room, mut journal, record) = ready();
    let (_permit, open) = begin(&mut journal, record).unwrap();
    // Where locks are for show, another run may have come as far.
    let held = open.record().clone();
    let held = held.apply(Change::Hold(crate::protocol::HoldReason::NotFound, at(140))).unwrap();
    let path = room.dir().join("articles/post/first-article.json");
    write(&path, &wire::encode(&held, &site()).unwrap());
    let lost = open.confirm(&mut journal, post_receipt()).unwrap_err();
    let expected = format!(
        "post `first-article` exists on the site, and its receipt could not be saved in the \
         journal, so it is in {rescue}: record {record} is not what the change began from (serial on disk: 3, offered: 3)",
        rescue = room.rescue_dir().join("oncepress-rescue-run-1-post-first-article.json").display(),
        record = path.display(),
    );
    assert_eq!(chain(&lost), expected);
    assert_eq!(on_disk(&room), held);
}

/// A slug may fill a file name by itself: then its digest stands for it.
#[test]
fn a_rescued_receipt_has_a_name_that_fits() {
    for (length, named_by_slug) in [(100, true), (101, false), (200, false)] {
        let slug = "x".repeat(length);
        let room = Room::new();
        let mut journal = room.lock();
        let record = prepared_article(&slug);
        journal.put(&record).unwrap();
        let (_permit, open) = begin(&mut journal, record).unwrap();
        let newer = open.record().clone();
        let newer = newer.apply(Change::Hold(crate::protocol::HoldReason::NotFound, at(140)));
        let path = room.dir().join(format!("articles/post/{slug}.json"));
        write(&path, &wire::encode(&newer.unwrap(), &site()).unwrap());
        let lost = open.confirm(&mut journal, post_receipt()).unwrap_err();
        let stem = if named_by_slug { slug } else { Digest::of(slug.as_bytes()).to_string() };
        let name = format!("oncepress-rescue-run-1-post-{stem}.json");
        assert_eq!(lost.rescue, Some(room.rescue_dir().join(name)), "{length} bytes");
    }
}

#[test]
fn a_permit_without_a_record_says_that_it_is_for_tests() {
    assert_eq!(SendPermit::without_record().operation().as_str(), "test");
}
