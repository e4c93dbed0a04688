//! Writing outside a send: never older, never over damage, never half.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use super::samples::{at, chain, decision, key, prepared_article};
use super::{Room, write};
use crate::crash::{Errno, Fault, How, Times};
use crate::journal::{Effect, WriteError};
use crate::protocol::HoldReason;
use crate::protocol::change::Change;
use crate::protocol::record::ArticleRecord;

const PATH: &str = "articles/post/first-article.json";

fn held(record: &ArticleRecord) -> ArticleRecord {
    record.clone().apply(Change::Hold(HoldReason::InputChanged, at(30))).unwrap()
}

#[test]
fn an_older_or_equal_record_is_refused() {
    let room = Room::new();
    let mut journal = room.lock();
    let first = prepared_article("first-article");
    let second = held(&first);
    journal.put(&second).unwrap();
    for older in [first, second.clone()] {
        let error = journal.put(&older).unwrap_err();
        let path = room.dir().join(PATH);
        let expected = format!(
            "record {} is not what the change began from (serial on disk: 2, offered: {})",
            path.display(),
            older.serial()
        );
        assert_eq!(chain(&error), expected);
    }
    assert_eq!(journal.view().article(&key("first-article")).unwrap(), Some(second));
}

#[test]
fn a_record_that_nothing_has_happened_to_is_refused() {
    let room = Room::new();
    let mut journal = room.lock();
    let error = journal.put(&ArticleRecord::new(key("first-article"))).unwrap_err();
    let expected = format!(
        "record {} would not be readable: it says what can't have happened: phase `none` with \
         serial 0 and 0 attempts",
        room.dir().join(PATH).display()
    );
    assert_eq!(chain(&error), expected);
    assert_eq!(journal.view().article(&key("first-article")).unwrap(), None);
}

#[test]
fn whatever_step_fails_a_record_is_the_old_one_or_the_new_one() {
    for errno in [Errno::NoSpace, Errno::Io] {
        for how in [How::Refused(errno), How::DoneAndRefused(errno), How::Short, How::Dropped] {
            for step in 1.. {
                let room = Room::new();
                let mut journal = room.lock();
                let old = prepared_article("first-article");
                journal.put(&old).unwrap();
                room.heal();
                let new = held(&old);
                room.watch.fail_at(step, Fault { how, times: Times::FromThenOn });
                let result = journal.put(&new);
                let steps = room.heal();
                let there = journal.view().article(&key("first-article")).unwrap().unwrap();
                match result {
                    Ok(()) => assert_eq!(there, new),
                    Err(WriteError::Disk(error)) if error.effect == Effect::Unchanged => {
                        assert_eq!(there, old);
                    }
                    Err(_) => assert!(there == old || there == new),
                }
                if steps.len() < step {
                    break;
                }
            }
        }
    }
}

#[test]
fn a_damaged_record_is_replaced_only_on_purpose_and_is_kept() {
    let room = Room::new();
    let mut journal = room.lock();
    write(&room.dir().join(PATH), b"junk");
    let withdrawn = ArticleRecord::new(key("first-article"));
    let withdrawn = withdrawn.apply(Change::Withdraw(decision("it is a mess"))).unwrap();
    journal.put(&withdrawn).unwrap_err();
    let kept = journal.replace_damaged(&withdrawn).unwrap();
    assert_eq!(kept, room.dir().join("set-aside/article-first-article-ef875a17.json"));
    assert_eq!(fs::read(&kept).unwrap(), b"junk");
    assert_eq!(journal.view().article(&key("first-article")).unwrap(), Some(withdrawn.clone()));
    // What is not damaged is not set aside, and what a newer OncePress wrote is neither.
    journal.replace_damaged(&withdrawn).unwrap_err();
    write(&room.dir().join(PATH), br#"{"schema":"oncepress.record/2"}"#);
    journal.replace_damaged(&withdrawn).unwrap_err();
    assert_eq!(fs::read_dir(room.dir().join("set-aside")).unwrap().count(), 1);
    assert_eq!(journal.view().strangers().unwrap().len(), 0);
}

#[test]
fn files_are_for_their_owner_alone() {
    let room = Room::new();
    let mut journal = room.lock();
    journal.put(&prepared_article("first-article")).unwrap();
    journal.run_log().unwrap().close().unwrap();
    for path in super::paths_below(&room.dir()) {
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", path.display());
    }
    for folder in ["..", ".", "articles", "articles/post", "articles/page", "media", "runs"] {
        let mode = fs::metadata(room.dir().join(folder)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o700, "{folder}");
    }
}

#[test]
fn a_run_log_has_a_line_for_each_step() {
    let room = Room::new();
    let journal = room.lock();
    let mut log = journal.run_log().unwrap();
    log.append(&json!({"step": "lock", "text": "two\nlines"})).unwrap();
    log.close().unwrap();
    // The log of one run goes on where it was.
    let mut log = journal.run_log().unwrap();
    log.append(&json!({"step": "end"})).unwrap();
    log.close().unwrap();
    let text = fs::read_to_string(room.dir().join("runs/run-1.ndjson")).unwrap();
    assert_eq!(text, "{\"step\":\"lock\",\"text\":\"two\\nlines\"}\n{\"step\":\"end\"}\n");
}

#[test]
fn a_run_log_that_can_not_be_opened_is_a_value() {
    let room = Room::new();
    let journal = room.lock();
    fs::remove_dir(room.dir().join("runs")).unwrap();
    let error = journal.run_log().unwrap_err();
    let path = room.dir().join("runs/run-1.ndjson");
    let expected = format!(
        "could not write the run log {}: No such file or directory (os error 2)",
        path.display()
    );
    assert_eq!(chain(&error), expected);
}

/// What does not arrive in the log is told: a full device, and one that can't be synced.
#[cfg(target_os = "linux")]
#[test]
fn a_run_log_that_does_not_take_a_line_or_a_sync_says_so() {
    for (device, takes_lines, why) in [
        ("/dev/full", false, "No space left on device (os error 28)"),
        ("/dev/null", true, "Invalid argument (os error 22)"),
    ] {
        let room = Room::new();
        let journal = room.lock();
        let path = room.dir().join("runs/run-1.ndjson");
        std::os::unix::fs::symlink(device, &path).unwrap();
        let mut log = journal.run_log().unwrap();
        let appended = log.append(&json!({"step": "lock"}));
        assert_eq!(appended.is_ok(), takes_lines, "{device}");
        let error = if takes_lines { log.close().unwrap_err() } else { appended.unwrap_err() };
        let expected = format!("could not write the run log {}: {why}", path.display());
        assert_eq!(chain(&error), expected);
    }
}
