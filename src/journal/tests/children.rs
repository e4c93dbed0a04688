//! Runs that are killed by SIGKILL, in a process of their own.

use std::cell::Cell;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::Room;
use super::power::{Reached, contents, whole_run};
use super::samples::{at, chain, key, post_fields, post_receipt, prepared_article, run};
use crate::journal::disk::TEMP_PREFIX;
use crate::journal::{LockError, LockedJournal, unlock};
use crate::names::Digest;
use crate::protocol::HoldReason;
use crate::protocol::change::Change;

/// What the child is to do, and where: this test binary starts itself again.
const PLAY: &str = "ONCEPRESS_TEST_CHILD_PLAYS";
const STAGE: &str = "ONCEPRESS_TEST_CHILD_STAGE";

/// Not a test of its own: the other side of the tests below.
#[test]
#[expect(clippy::disallowed_methods, reason = "how the parent talks to the child")]
fn child() {
    let (Ok(play), Ok(stage)) = (std::env::var(PLAY), std::env::var(STAGE)) else { return };
    let lock = || {
        LockedJournal::lock(Path::new(&stage), run("child"), Duration::ZERO, Vec::new()).unwrap()
    };
    // On a line of its own: the test harness has begun one.
    println!();
    match play.as_str() {
        "hold" => {
            let _journal = lock();
            println!("ready");
            loop {
                std::thread::park();
            }
        }
        "write" => {
            let mut journal = lock();
            let mut record = prepared_article("first-article");
            journal.put(&record).unwrap();
            println!("ready");
            loop {
                record = record.apply(Change::Hold(HoldReason::NotFound, at(1))).unwrap();
                journal.put(&record).unwrap();
            }
        }
        step if step.starts_with("step:") => {
            crate::crash::arm(Some(step), None);
            whole_run(Path::new(&stage), &Cell::new(Reached::Nothing));
            panic!("{step} was not reached");
        }
        fault if fault.contains('@') => {
            crate::crash::arm(None, Some(fault));
            let error =
                LockedJournal::lock(Path::new(&stage), run("child"), Duration::ZERO, vec![]);
            println!("{}", chain(&error.unwrap_err()));
        }
        point => {
            crate::crash::arm(Some(point), None);
            let mut journal = lock();
            let record = prepared_article("first-article");
            journal.put(&record).unwrap();
            let (_permit, open) =
                journal.begin_sending(record, post_fields(), at(10), at(130)).unwrap();
            open.confirm(&mut journal, post_receipt()).unwrap();
            panic!("{point} was not reached");
        }
    }
}

fn start(play: &str, room: &Room) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "journal::tests::children::child", "--nocapture"]);
    command.env(PLAY, play).env(STAGE, room.dir());
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

fn wait_until_ready(child: &mut Child) {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "ready"), "the child did not come up");
}

#[test]
fn the_lock_of_another_process_holds_until_it_is_killed() {
    let room = Room::new();
    let mut child = start("hold", &room);
    wait_until_ready(&mut child);
    let busy = room.try_lock("run-2").unwrap_err();
    let LockError::Busy { holder } = busy else { panic!("not busy: {busy}") };
    assert_eq!(holder.as_deref(), Some(&run("child")));
    child.kill().unwrap();
    child.wait().unwrap();
    let error = room.try_lock("run-2").unwrap_err();
    assert!(matches!(error, LockError::Abandoned(_)), "{error}");
    unlock(&room.dir(), "child").unwrap();
    room.try_lock("run-2").unwrap().finish().unwrap();
}

#[test]
fn a_run_killed_while_it_writes_leaves_a_whole_record() {
    for round in 0..20 {
        let room = Room::new();
        let mut child = start("write", &room);
        wait_until_ready(&mut child);
        // Let it get on, by work of our own that differs from round to round.
        for _ in 0..round * 7 {
            room.view().article(&key("first-article")).unwrap().unwrap();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let record = room.view().article(&key("first-article")).unwrap().unwrap();
        assert_eq!(record.phase().code(), "prepared");
        unlock(&room.dir(), "child").unwrap();
        room.try_lock("run-2").unwrap().finish().unwrap();
        assert_eq!(room.temps().len(), 0);
    }
}

/// Spec §3, as far as the journal goes: C1, C2, C4 and C5.
#[test]
fn a_run_killed_at_a_point_leaves_the_record_of_that_point() {
    let cases = [
        ("article.before-sending-record", "prepared"),
        ("article.after-sending-record", "sending"),
        ("article.while-confirming", "sending"),
        ("article.after-confirmed", "confirmed"),
    ];
    for (point, phase) in cases {
        let room = Room::new();
        let status = start(point, &room).wait().unwrap();
        assert_eq!(status.signal(), Some(9), "{point}: {status}");
        let record = room.view().article(&key("first-article")).unwrap().unwrap();
        assert_eq!(record.phase().code(), phase, "{point}");
        let error = room.try_lock("run-2").unwrap_err();
        let LockError::Abandoned(abandoned) = error else { panic!("{point}: {error}") };
        let in_doubt = usize::from(phase == "sending");
        assert_eq!(abandoned.pending.articles.len(), in_doubt, "{point}");
        unlock(&room.dir(), "child").unwrap();
        room.try_lock("run-2").unwrap().finish().unwrap();
        assert_eq!(room.temps().len(), 0, "{point}");
        assert_eq!(room.view().article(&key("first-article")).unwrap(), Some(record), "{point}");
    }
}

/// What is in the room, whatever unfinished files are called: names, and digests.
fn left_in(room: &Room) -> Vec<(String, String)> {
    let named = |(path, bytes): (PathBuf, Vec<u8>)| {
        let path = path.strip_prefix(room.root.path()).unwrap().display().to_string();
        let stem = path.find(TEMP_PREFIX).map_or(path.len(), |at| at + TEMP_PREFIX.len());
        (path[..stem].to_owned(), Digest::of(&bytes).to_string())
    };
    let mut left: Vec<_> = contents(room).into_iter().map(named).collect();
    left.sort();
    left
}

#[test]
fn a_death_in_a_test_leaves_what_a_killed_process_leaves() {
    for step in (1..).step_by(5) {
        // The watch that began last is the one that counts.
        let outside = Room::new();
        let inside = Room::new();
        inside.watch.die_at(step);
        let survived = inside.watch.run(|| whole_run(&inside.dir(), &Cell::new(Reached::Nothing)));
        if survived.is_some() {
            assert!(step > 40, "a run of {step} steps shows nothing");
            break;
        }
        let status = start(&format!("step:{step}"), &outside).wait().unwrap();
        assert_eq!(status.signal(), Some(9), "{step}: {status}");
        assert_eq!(left_in(&inside), left_in(&outside), "{step}");
    }
}

#[test]
fn a_process_can_be_told_how_its_disk_fails() {
    let room = Room::new();
    room.lock().finish().unwrap();
    let folder = room.dir();
    let (disk_full, bad_medium) =
        ("No space left on device (os error 28)", "Input/output error (os error 5)");
    // Steps 1 to 12 make and sync six folders; the lock is the next, then the marker.
    let cases = [
        (
            "enospc@2",
            format!("could not sync folder {}", room.root.path().join(".oncepress").display()),
            disk_full,
        ),
        ("eio@13", format!("could not lock {}", folder.join("lock").display()), bad_medium),
        ("short@15+", "could not write".to_owned(), disk_full),
    ];
    for (fault, begins, ends) in cases {
        let mut child = start(fault, &room);
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let said: Vec<_> =
            lines.map_while(Result::ok).filter(|line| line.starts_with("could")).collect();
        child.wait().unwrap();
        assert!(
            said.len() == 1 && said[0].starts_with(&begins) && said[0].ends_with(ends),
            "{fault}: {said:?}"
        );
    }
}
