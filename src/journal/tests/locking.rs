//! One run at a time, and what is left of a run that died.

use std::fs;
use std::io::ErrorKind;

use super::samples::{articles, chain, key, prepared_article, run, site, uploads};
use super::{Room, write};
use crate::crash::{Errno, Fault, How, Times};
use crate::journal::disk;
use crate::journal::{Effect, LockError, LockedJournal, MarkerState, UnlockError, unlock, wire};

#[test]
fn a_second_run_is_told_who_has_the_lock() {
    let room = Room::new();
    let journal = room.lock();
    let busy = room.try_lock("run-2").unwrap_err();
    assert_eq!(
        chain(&busy),
        "another run is active: process 2 on desk, since 2026-01-02T03:04:05Z, `oncepress push`"
    );
    let LockError::Busy { holder } = busy else { panic!("not busy") };
    assert_eq!(holder.as_deref(), Some(&run("run-1")));
    let busy = unlock(&room.dir(), "run-1").unwrap_err();
    assert!(matches!(busy, UnlockError::Busy { .. }), "{busy}");
    journal.finish().unwrap();
    room.try_lock("run-2").unwrap().finish().unwrap();
}

#[test]
fn a_second_run_can_wait() {
    let room = Room::new();
    let journal = room.lock();
    let dir = room.dir();
    let waiting = std::thread::spawn(move || {
        let wait = std::time::Duration::from_secs(60);
        LockedJournal::lock(&dir, run("run-2"), wait, Vec::new())
    });
    journal.finish().unwrap();
    waiting.join().unwrap().unwrap().finish().unwrap();
}

#[test]
fn a_second_run_waits_no_longer_than_it_was_told_to() {
    let room = Room::new();
    let journal = room.lock();
    let wait = std::time::Duration::from_millis(1);
    let busy = LockedJournal::lock(&room.dir(), run("run-2"), wait, Vec::new()).unwrap_err();
    assert!(matches!(busy, LockError::Busy { .. }), "{busy}");
    journal.finish().unwrap();
}

#[test]
fn an_orderly_end_leaves_only_the_lock_file() {
    let room = Room::new();
    room.lock().finish().unwrap();
    assert_eq!(super::paths_below(&room.dir()), [room.dir().join("lock")]);
}

/// A room whose last run died with one article and one upload in doubt.
fn abandoned() -> Room {
    let room = Room::new();
    let mut journal = room.lock();
    journal.put(&prepared_article("second-article")).unwrap();
    for (name, record) in articles() {
        if name == "article-sending" {
            let bytes = wire::encode(&record, &site()).unwrap();
            write(&room.dir().join("articles/post/first-article.json"), &bytes);
        }
    }
    for (name, record) in uploads() {
        if name == "upload-sending" {
            let bytes = wire::encode(&record, &site()).unwrap();
            write(&room.dir().join(format!("media/{}.json", record.identity())), &bytes);
        }
    }
    write(&room.dir().join("articles/page/empty.json"), b"");
    drop(journal);
    room
}

#[test]
fn a_run_that_died_is_not_cleaned_up_by_the_next() {
    let room = abandoned();
    for _ in 0..2 {
        let error = room.try_lock("run-2").unwrap_err();
        assert_eq!(chain(&error), "the run `run-1` did not end in order");
        let LockError::Abandoned(abandoned) = error else { panic!("not abandoned") };
        assert_eq!(abandoned.marker.run(), Some(&run("run-1")));
        let pending = abandoned.pending;
        assert_eq!(pending.articles.len(), 1);
        assert_eq!(pending.articles[0].identity(), &key("first-article"));
        assert_eq!(pending.uploads.len(), 1);
        assert_eq!(pending.damaged.len(), 1);
    }
}

#[test]
fn unlock_removes_the_named_marker_and_nothing_else() {
    let room = abandoned();
    let before = super::paths_below(&room.dir());
    let wrong = unlock(&room.dir(), "run-2").unwrap_err();
    assert_eq!(chain(&wrong), "the abandoned run is `run-1`, not `run-2`");
    assert_eq!(super::paths_below(&room.dir()), before);

    let unlocked = unlock(&room.dir(), "run-1").unwrap();
    assert_eq!(unlocked.marker.run(), Some(&run("run-1")));
    assert_eq!(unlocked.pending.articles.len(), 1);
    let mut after = before;
    after.retain(|path| *path != room.dir().join("run.json"));
    assert_eq!(super::paths_below(&room.dir()), after);

    let none = unlock(&room.dir(), "run-1").unwrap_err();
    assert_eq!(chain(&none), format!("no run was abandoned in {}", room.dir().display()));
    room.try_lock("run-2").unwrap().finish().unwrap();
}

#[test]
fn unlock_of_a_site_that_was_never_used_makes_nothing() {
    let room = Room::new();
    let none = unlock(&room.dir(), "run-1").unwrap_err();
    assert!(matches!(none, UnlockError::NoMarker { .. }), "{none}");
    assert_eq!(fs::read_dir(room.root.path()).unwrap().count(), 0);
}

#[test]
fn a_marker_that_can_not_be_read_counts_and_can_be_unlocked() {
    let cases: [(&[u8], &str, &str); 4] = [
        (b"", "unreadable-e3b0c442", "it is empty"),
        (&[0; 64], "unreadable-f5a5fd42", "it holds nothing but NUL bytes"),
        (
            b"{",
            "unreadable-021fb596",
            "it is not one whole JSON object: EOF while parsing an object at line 1 column 1",
        ),
        (
            br#"{"schema":"oncepress.run/2"}"#,
            "unreadable-74c13320",
            "it was written by a newer OncePress (`oncepress.run/2`)",
        ),
    ];
    for (content, expected, reason) in cases {
        let room = Room::new();
        room.lock().finish().unwrap();
        write(&room.dir().join("run.json"), content);
        let error = room.try_lock("run-2").unwrap_err();
        let LockError::Abandoned(abandoned) = error else { panic!("not abandoned: {error}") };
        let MarkerState::Unreadable { token, why } = abandoned.marker else {
            panic!("readable: {content:?}")
        };
        assert_eq!(chain(&why), reason);
        assert_eq!(token, expected, "{content:?}");
        unlock(&room.dir(), "run-1").unwrap_err();
        unlock(&room.dir(), &token).unwrap();
        room.try_lock("run-2").unwrap().finish().unwrap();
    }
}

#[test]
fn a_garbage_lock_file_is_a_lock_file() {
    let room = Room::new();
    write(&room.dir().join("lock"), b"\0\0garbage");
    room.lock().finish().unwrap();
}

#[test]
fn a_run_whose_lock_file_was_removed_is_still_seen() {
    let room = Room::new();
    let journal = room.lock();
    fs::remove_file(room.dir().join("lock")).unwrap();
    let error = room.try_lock("run-2").unwrap_err();
    assert_eq!(chain(&error), "the run `run-1` did not end in order");
    journal.finish().unwrap();
}

/// The second line of defence, where two runs get the lock of one file.
#[test]
fn of_two_runs_that_both_have_the_lock_one_writes_its_marker() {
    let room = Room::new();
    let marker = room.root.path().join("run.json");
    disk::create_new(&marker, b"first").unwrap();
    let error = disk::create_new(&marker, b"second").unwrap_err();
    assert_eq!((error.source.kind(), error.effect), (ErrorKind::AlreadyExists, Effect::Unchanged));
    assert_eq!(fs::read(&marker).unwrap(), b"first");
    assert_eq!(super::paths_below(room.root.path()), [marker]);
}

#[test]
fn files_that_are_not_ours_stop_the_run() {
    let strangers = [
        "articles/post/first-article (1).json",
        "articles/post/first-article.sync-conflict-20260102-030405-ABCDEFG.json",
        "articles/post/first-article (Ann's conflicted copy 2026-01-02).json",
        "articles/post/first-article.json.bak",
        "articles/post/First-Article.json",
        "articles/attachment/x.json",
        "articles/notes.txt",
        "media/6105d6cc.json",
        "run (1).json",
        "../example.com (1)/lock",
    ];
    for name in strangers {
        let room = Room::new();
        room.lock().finish().unwrap();
        write(&room.dir().join(name), b"");
        let mut path = room.dir().join(name);
        if name.starts_with("articles/attachment") || name.starts_with("..") {
            path.pop();
        }
        if name.starts_with("..") {
            path = room.root.path().join(".oncepress/example.com (1)");
        }
        assert_eq!(room.view().strangers().unwrap(), [path.as_path()], "{name}");
        let expected = format!(
            "{} is not a file of OncePress: a copy made by a sync service?",
            path.display()
        );
        assert_eq!(chain(&room.try_lock("run-2").unwrap_err()), expected);
        assert!(room.view().marker().is_none(), "a run that did not begin leaves no marker");
    }
}

#[test]
fn files_of_file_managers_and_other_sites_do_not_stop_the_run() {
    let room = Room::new();
    for name in ["articles/post/.DS_Store", ".gitignore", "../example.com+blog/lock", "../x (1)/y"]
    {
        write(&room.dir().join(name), b"");
    }
    room.lock().finish().unwrap();
}

#[test]
fn what_a_crash_left_unfinished_is_swept() {
    let room = Room::new();
    let names = [".tmp-0", "articles/post/.tmp-1", "articles/page/.tmp-2", "media/.tmp-3"];
    for name in names {
        write(&room.dir().join(name), b"{");
    }
    assert_eq!(room.temps().len(), names.len());
    let journal = room.lock();
    assert_eq!(room.temps().len(), 0);
    journal.finish().unwrap();
}

#[test]
fn whatever_step_fails_while_a_run_begins_or_ends_the_next_one_knows() {
    let errno = Errno::NoSpace;
    for how in [How::Refused(errno), How::DoneAndRefused(errno), How::Short, How::Dropped] {
        for times in [Times::Next(1), Times::FromThenOn] {
            for step in 1.. {
                let room = Room::new();
                room.watch.fail_at(step, Fault { how, times });
                let ended = room.try_lock("run-1").map(LockedJournal::finish);
                let steps = room.heal();
                let said = format!("{how:?} {times:?} at step {step} of {steps:?}: {ended:?}");
                match (ended, room.try_lock("run-2")) {
                    (_, Ok(journal)) => journal.finish().unwrap(),
                    // Only an end that reported a failure may leave a marker.
                    (Ok(Ok(())), Err(_)) => panic!("{said}"),
                    // A run that could not begin takes its marker back, if the disk lets it.
                    (Err(_), Err(_)) if times == Times::Next(1) => panic!("{said}"),
                    (_, Err(LockError::Abandoned(abandoned))) => {
                        assert_eq!(abandoned.marker.token(), "run-1", "{said}");
                    }
                    (_, Err(error)) => panic!("{said}: {error}"),
                }
                if steps.len() < step {
                    break;
                }
            }
        }
    }
}

#[test]
fn a_folder_that_is_no_site_key_is_no_journal() {
    let root = tempfile::TempDir::new().unwrap();
    let dir = root.path().join("My Site");
    let error = crate::journal::JournalView::open(&dir).unwrap_err();
    let expected = format!(
        "{} is not the journal of a site: site key is not valid: \"My Site\"",
        dir.display()
    );
    assert_eq!(chain(&error), expected);
}

#[test]
fn a_local_file_system_gives_no_warning() {
    let room = Room::new();
    let journal = room.lock();
    assert_eq!(journal.warnings(), []);
}

#[cfg(target_os = "linux")]
#[test]
fn a_network_file_system_is_known_by_its_number_in_every_width() {
    use crate::journal::lock::network_file_system;
    assert_eq!(network_file_system(0x6969_i64), Some("NFS"));
    assert_eq!(network_file_system(0xff53_4d42_u32), Some("CIFS"));
    assert_eq!(network_file_system(0xff53_4d42_u32.cast_signed()), Some("CIFS"));
    assert_eq!(network_file_system(0xfe53_4d42_i64), Some("SMB2"));
    assert_eq!(network_file_system(0x6573_5546_i64), Some("FUSE"));
    assert_eq!(network_file_system(0x0102_1994_i64), None, "tmpfs");
    assert_eq!(network_file_system(0xef53_i64), None, "ext4");
}
