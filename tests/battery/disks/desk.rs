//! A folder in memory, in which command lines are run under a watch.
//!
//! Absent from here: the site, and verdicts. The one rule: what a case finds in the
//! folder is what was laid out for it, to the byte.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use oncepress::cli::inside::{self, Said, Surroundings};
use oncepress::crash::{Found, Shadow, Step, Watch, found_in, make};
use oncepress::run::interrupt::Interrupt;
use oncepress::wordpress::Carrier;

use super::project::{ACCOUNT, JOURNAL, moment};

/// A disk that is memory: thousands of syncs take long on another.
const MEMORY: &str = "/dev/shm";
/// How the names of unfinished files begin; the rest is chance.
const TEMP_PREFIX: &str = ".tmp-";

/// The folder of one thread.
pub(super) struct Desk(tempfile::TempDir);

/// What a watch is told before a run.
pub(super) type Plan<'a> = &'a dyn Fn(&Watch);

/// What came of one command.
pub(super) struct Ran {
    /// Nothing if it died on the way.
    pub(super) said: Option<Said>,
    /// What was done.
    pub(super) steps: Vec<Step>,
    /// How often the journal was read.
    pub(super) reads: usize,
    /// What would survive a power loss.
    pub(super) shadow: Shadow,
}

impl Desk {
    pub(super) fn new() -> Self {
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix("oncepress-disks-");
        let folder =
            if Path::new(MEMORY).is_dir() { builder.tempdir_in(MEMORY) } else { builder.tempdir() };
        Self(folder.expect("a temporary folder"))
    }

    pub(super) fn root(&self) -> &Path {
        self.0.path()
    }

    /// What is in the folder now.
    pub(super) fn look(&self) -> Found {
        found_in(self.root()).expect("the folder is read")
    }

    /// Makes the folder what it is to be.
    pub(super) fn lay_out(&self, wanted: &Found) {
        make(self.root(), &self.look(), wanted).expect("the folder is written");
    }

    /// Runs a command, so many milliseconds after the start.
    pub(super) fn run(
        &self,
        arguments: &[&str],
        at_ms: i64,
        carrier: Carrier,
        plan: Plan<'_>,
    ) -> Ran {
        let watch = Watch::begin();
        watch.keep_shadow(Shadow::of(self.root()).expect("the folder is read"));
        plan(&watch);
        let home = self.root().display().to_string();
        let env = [
            ("HOME", home.as_str()),
            ("TMPDIR", &home),
            ("USER", "ann"),
            ("ONCEPRESS_APP_PASSWORD", ACCOUNT.password),
        ];
        let ticks = AtomicI64::new(at_ms);
        // Every run draws from its own place, so that what it draws does not hang on how
        // far the one before it came.
        let drawn = AtomicU64::new(at_ms.cast_unsigned() << 20);
        let surroundings = Surroundings {
            cwd: self.root().to_owned(),
            env: env.map(|(key, value)| (key.to_owned(), value.to_owned())).into(),
            // Each look at the clock is a millisecond later.
            clock: Arc::new(move || moment(ticks.fetch_add(1, Ordering::SeqCst))),
            random: Arc::new(move || mixed(drawn.fetch_add(1, Ordering::SeqCst))),
            carrier: Some(carrier),
            interrupt: Interrupt::new(tokio::sync::watch::channel(None).1),
        };
        let said = watch.run(|| inside::run(arguments, surroundings));
        let shadow = watch.shadow().expect("it is kept");
        Ran { said, steps: watch.steps(), reads: watch.reads(), shadow }
    }
}

/// The journal without its logs, which no run reads, and without the bytes of unfinished
/// files, which the next run removes by their names: two journals that are the same so
/// are the same to any run.
pub(super) fn essence(found: &Found) -> Vec<u8> {
    let mut parts = Vec::new();
    for (name, bytes) in found.iter().filter(|(name, _)| name.starts_with(".oncepress")) {
        let is_log = name.starts_with(Path::new(JOURNAL).join("runs")) && bytes.is_some();
        let mut name = name.display().to_string().into_bytes();
        let temp = memchr::memmem::find(&name, TEMP_PREFIX.as_bytes());
        name.truncate(temp.map_or(name.len(), |at| at + TEMP_PREFIX.len()));
        match bytes {
            None => name.push(0),
            Some(_) if temp.is_some() || is_log => name.push(1),
            Some(bytes) => {
                name.push(2);
                name.extend_from_slice(bytes);
            }
        }
        parts.push(name);
    }
    parts.sort();
    parts
        .into_iter()
        .flat_map(|part| [(part.len() as u64).to_be_bytes().to_vec(), part].concat())
        .collect()
}

/// Numbers that look random and are the same in every run of the tests (`SplitMix64`).
fn mixed(number: u64) -> u64 {
    let mut value = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
