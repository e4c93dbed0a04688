//! A folder of articles with its settings, and command lines run in it.
//!
//! Absent from here: the site. The one rule: a command goes over the network with the
//! very client that users have; only its clock, its randomness and its streams are ours.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use oncepress::cli::inside::{self, Surroundings};
use oncepress::names::Timestamp;
use oncepress::run::interrupt::Interrupt;
use serde_json::Value;

use super::secrets::{Account, no_secret_in, read_all};
use super::site::ACCOUNT;

/// When every case begins.
const START_S: i64 = 1_767_322_800;
/// A disk that is memory: what a sync costs is not looked at here.
const MEMORY: &str = "/dev/shm";

pub(super) struct Desk {
    folder: tempfile::TempDir,
    /// Milliseconds since the start; each look at the clock is a millisecond later.
    ticks: Arc<AtomicU64>,
    drawn: Arc<AtomicU64>,
}

/// One run of the program.
#[derive(Debug, Clone)]
pub(super) struct Ran {
    pub(super) exit: u8,
    pub(super) json: Value,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Desk {
    pub(super) fn new() -> Self {
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix("oncepress-network-");
        let folder =
            if Path::new(MEMORY).is_dir() { builder.tempdir_in(MEMORY) } else { builder.tempdir() };
        let desk = Self {
            folder: folder.expect("a temporary folder"),
            ticks: Arc::default(),
            drawn: Arc::default(),
        };
        fs::create_dir_all(desk.path("articles")).expect("a folder");
        desk
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("the file is written");
    }

    /// The settings: no time is spent waiting but in the request that hangs.
    pub(super) fn configure(&self, url: &str, timeout_s: u32) {
        let Account { user, .. } = ACCOUNT;
        let config = format!(
            "[site]\nurl = \"{url}\"\nusername = \"{user}\"\n\n[network]\nsettle_s = 0\n\
             lookup_delays_s = [0]\nconnect_timeout_s = {timeout_s}\ntimeout_s = {timeout_s}\n"
        );
        self.write("oncepress.toml", config);
    }

    /// Publishes the folder, and looks for the password in all that is left.
    pub(super) fn push(&self) -> Ran {
        let home = self.folder.path().display().to_string();
        let env = [
            ("HOME", home.as_str()),
            ("TMPDIR", &home),
            ("ONCEPRESS_APP_PASSWORD", ACCOUNT.password),
        ];
        let (ticks, drawn) = (self.ticks.clone(), self.drawn.clone());
        let clock = move || {
            let tick = ticks.fetch_add(1, Ordering::SeqCst);
            let millisecond = START_S * 1_000 + i64::try_from(tick).expect("a short test");
            Timestamp::from_millisecond(millisecond).expect("a time")
        };
        let said = inside::run(
            &["push", "--json", "--verbose"],
            Surroundings {
                cwd: self.folder.path().to_owned(),
                env: env.map(|(key, value)| (key.to_owned(), value.to_owned())).into(),
                clock: Arc::new(clock),
                random: Arc::new(move || mixed(drawn.fetch_add(1, Ordering::SeqCst))),
                carrier: None,
                interrupt: Interrupt::new(tokio::sync::watch::channel(None).1),
            },
        );
        no_secret_in(self.folder.path(), &ACCOUNT, &said.stdout, &said.stderr);
        let json = serde_json::from_str(&said.stdout).unwrap_or(Value::Null);
        Ran { exit: said.exit.code(), json, stdout: said.stdout, stderr: said.stderr }
    }

    /// The files of the journal, by name.
    pub(super) fn journal(&self) -> BTreeMap<String, String> {
        journal_in(self.folder.path())
    }

    /// Where the journal of a folder is read while a run goes on.
    pub(super) fn base(&self) -> PathBuf {
        self.folder.path().to_owned()
    }
}

/// The files of the journal in this folder. A run log is for people, and no record.
pub(super) fn journal_in(base: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let folder = base.join(".oncepress");
    if folder.exists() {
        read_all(&folder, &mut files);
    }
    files.retain(|name, _| !name.contains("/runs/"));
    files
}

/// Numbers that look random and are the same in every run of the tests (`SplitMix64`).
fn mixed(number: u64) -> u64 {
    let mut value = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
