//! Disks and outputs that are really full: a file system of a few pages, and `/dev/full`.
//!
//! Absent from here: disks that fail at one named step, which `tests/battery/disks` has in
//! process. The one rule: what the system itself refuses is refused here, so that the room
//! that a record needs is not guessed.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::*;

/// The smallest file system, and what each next one has more: a page.
const PAGE_BYTES: usize = 4096;
/// Sizes that a run gets through in a row, before no larger one is tried.
const ENOUGH: usize = 3;
/// A run that needs more room than this is wrong.
const PAGES_MAX: usize = 64;

/// Mounts a file system of `$1` bytes as the journal's folder, seen by nobody else and gone
/// at the end; runs the command in it, makes room as a person would, runs it twice more.
const ON_A_FULL_DISK: &str = "
mkdir .oncepress
mount -t tmpfs -o size=$1 tmpfs .oncepress || exit 99
run() { \"$2\" push --json >\"$1.json\" 2>\"$1.err\"; echo $? >\"$1.code\"; }
run first \"$2\"
mount -o remount,size=16m .oncepress || exit 99
run second \"$2\"
run third \"$2\"
";

fn run_on_a_disk_of(bytes: usize, project: &Project) {
    let status = Command::new("unshare")
        .args(["--mount", "sh", "-c", ON_A_FULL_DISK, "sh"])
        .args([&bytes.to_string(), env!("CARGO_BIN_EXE_oncepress")])
        .current_dir(project.path())
        .env("HOME", project.path())
        .env("ONCEPRESS_APP_PASSWORD", "sandboxAdministrator0001")
        .status()
        .expect("unshare is there");
    assert!(status.success(), "a file system can be mounted (as root): {status}");
}

fn left(project: &Project, run: &str) -> Ran {
    let read = |end: &str| {
        fs::read_to_string(project.path().join(format!("{run}.{end}"))).expect("it was written")
    };
    let code = read("code").trim().parse().expect("a code");
    Ran { code: Some(code), stdout: read("json"), stderr: read("err") }
}

/// What arrived and what exists: creates, posts, uploads, files.
fn counts(site: &Served) -> [usize; 4] {
    let made = |kind: &str| site.rows(kind).len();
    [site.arrived("create-post"), made("post"), site.arrived("upload"), made("attachment")]
}

/// A run that the disk stopped says so, in both forms.
fn says_why(first: &Ran, at: &str) {
    let json = first.json();
    let codes: Vec<&Value> =
        json["errors"].as_array().unwrap().iter().map(|e| &e["code"]).collect();
    assert!(!codes.is_empty(), "{at}: exit 7 says why: {json}");
    assert!(first.stderr.contains("No space left on device"), "{at}: {}", first.stderr);
}

#[test]
fn a_full_file_system_stops_before_the_send_and_with_room_the_article_comes_to_its_end() {
    let (mut stopped, mut through) = (0, 0);
    for pages in 1..=PAGES_MAX {
        let folder = tempfile::tempdir().unwrap();
        let site = Served::start(folder.path(), &[]);
        let project = Project::new(&site.url);
        let bytes = pages * PAGE_BYTES;
        run_on_a_disk_of(bytes, &project);
        let at = format!("{pages} pages");
        let [first, second, third] = ["first", "second", "third"].map(|run| left(&project, run));
        match first.code {
            Some(0) => through += 1,
            Some(7) => {
                says_why(&first, &at);
                (stopped, through) = (stopped + 1, 0);
            }
            _ => panic!("{at}: {first:?}"),
        }
        assert_eq!(second.code, Some(0), "{at}: {first:?} {second:?}");
        assert_eq!(third.in_a_line(), "skipped confirmed exit 0", "{at}");
        assert_eq!(counts(&site), [1, 1, 1, 1], "{at}: {first:?} {second:?}");
        if through == ENOUGH {
            break;
        }
    }
    assert!(stopped > 0 && through == ENOUGH, "{stopped} stopped, {through} through");
    count(&format!("full_disk: {stopped} sizes of a full file system"));
}

/// Leaves the count for docs/guarantees.md.
fn count(line: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/battery");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("full_disk.txt"), format!("{line}\n")).unwrap();
}

#[test]
fn a_result_that_can_not_be_written_is_told_and_the_next_run_knows_what_was_done() {
    for arguments in [&["push"][..], &["push", "--json"]] {
        let folder = tempfile::tempdir().unwrap();
        let site = Served::start(folder.path(), &[]);
        let project = Project::new(&site.url);
        let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
        let ran = project.command(arguments).stdout(full()).output().unwrap();
        let stderr = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(7), "{arguments:?}: {stderr}");
        let told = "error: the result could not be written to standard output: No space left on \
                    device (os error 28)\n\
                    hint: what was done is in the journal; run: oncepress status\n";
        assert!(stderr.ends_with(told), "{arguments:?}: {stderr}");
        assert_eq!(counts(&site), [1, 1, 1, 1], "{arguments:?}");

        // Nowhere to speak at all: the exit code is what is left.
        let ran = project.command(arguments).stdout(full()).stderr(full()).output().unwrap();
        assert_eq!(ran.status.code(), Some(7), "{arguments:?}");
        let rerun = project.run(&["push", "--json"]);
        assert_eq!(rerun.in_a_line(), "skipped confirmed exit 0", "{arguments:?}");
        assert_eq!(counts(&site), [1, 1, 1, 1], "{arguments:?}");
    }
}

#[test]
fn commands_that_only_show_say_that_they_could_not() {
    let project = Project::new("sandbox:");
    for arguments in [&["check"][..], &["plan"], &["status"], &["check", "--json"], &["--help"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let ran = project.command(arguments).stdout(full).output().unwrap();
        let stderr = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(7), "{arguments:?}: {stderr}");
        assert!(stderr.contains("could not be written to standard output"), "{stderr}");
    }
}
