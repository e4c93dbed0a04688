//! Nothing is left behind, nothing of the user's is used.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};

use crate::stage::{Stage, entries, json, text};

#[test]
fn nothing_is_left_behind() {
    let stage = Stage::new();
    let ran = stage.run(&["rehearse", "S8", "C2", "C3"]);
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!(stage.left_behind(), Vec::<std::path::PathBuf>::new());
}

#[test]
fn what_is_kept_is_named() {
    let stage = Stage::new();
    let ran = stage.run(&["rehearse", "S3", "--keep"]);
    let [folder] = &entries(&stage.temporary())[..] else { panic!("one folder") };
    let last = text(&ran.stdout).lines().last();
    assert_eq!(last, Some(format!("kept: {}", folder.display()).as_str()));
    let record = "S3/.oncepress";
    assert!(folder.join(record).is_dir(), "{:?}", stage.left_behind());
    let ran = stage.run(&["rehearse", "S1", "--keep", "--json"]);
    let folder = json(&ran)["folder"].as_str().unwrap().to_owned();
    assert!(entries(&stage.temporary()).contains(&folder.into()));
}

#[test]
fn nothing_of_the_users_is_used() {
    let stage = Stage::new();
    let config = "[site]\nurl = \"https://example.com/\"\nusername = \"writer\"\n";
    std::fs::write(stage.work().join("oncepress.toml"), config).unwrap();
    let mut command = stage.command(&["rehearse", "S1", "C2", "--json"]);
    command.env("ONCEPRESS_SITE_URL", "https://example.com/").env("ONCEPRESS_APP_PASSWORD", "mine");
    command.env("ONCEPRESS_SITE_EXPECT_NAME", "Mine").env("HTTP_PROXY", "http://127.0.0.1:1/");
    let ran = command.output().unwrap();
    assert_eq!((text(&ran.stderr), ran.status.code()), ("", Some(0)));
    assert_eq!(json(&ran)["ok"], true);
    let mine = [stage.work().join("oncepress.toml")];
    assert_eq!(stage.left_behind(), mine);
}

#[test]
fn a_rehearsal_that_is_interrupted_leaves_nothing_either() {
    let stage = Stage::new();
    let mut command = stage.command(&["rehearse"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut heading = String::new();
    stdout.read_line(&mut heading).unwrap();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
    assert_eq!(stage.left_behind(), Vec::<std::path::PathBuf>::new());
}

#[test]
fn a_full_standard_output_ends_it() {
    let stage = Stage::new();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let ran = stage.command(&["rehearse"]).stdout(full).output().unwrap();
    assert_eq!(ran.status.code(), Some(7));
    assert!(text(&ran.stderr).starts_with("error: the result could not be written"));
    assert_eq!(stage.left_behind(), Vec::<std::path::PathBuf>::new());
}
