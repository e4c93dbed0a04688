//! The program in folders of the test's own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A working directory, a home and a place for temporary files; all empty.
pub(crate) struct Stage {
    folder: tempfile::TempDir,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("oncepress-test-").tempdir().unwrap();
        for name in ["work", "home", "temporary"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        Self { folder }
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    pub(crate) fn temporary(&self) -> PathBuf {
        self.folder.path().join("temporary")
    }

    /// The program, with an environment that has nothing of ours.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_oncepress"));
        command.args(arguments).current_dir(self.work()).env_clear().stdin(Stdio::null());
        command.env("HOME", self.folder.path().join("home")).env("TMPDIR", self.temporary());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Every file and folder that is not one of the three.
    pub(crate) fn left_behind(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders: Vec<_> =
            ["work", "home", "temporary"].map(|name| self.folder.path().join(name)).into();
        while let Some(folder) = folders.pop() {
            for path in entries(&folder) {
                if path.is_dir() {
                    folders.push(path.clone());
                }
                found.push(path);
            }
        }
        found
    }
}

pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The one JSON object on standard output.
pub(crate) fn json(output: &Output) -> Value {
    let stdout = text(&output.stdout);
    assert_eq!(stdout.lines().count(), 1, "one line: {stdout}");
    let printed = serde_json::from_str(stdout).unwrap();
    crate::contract::judge(&printed);
    printed
}
