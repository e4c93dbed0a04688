//! Runs one after the other, until nothing is left to do.
//!
//! Absent from here: the accident (`every_step`, `io_errors`), and the truth about
//! articles (`judge`). The one rule: what a person does in between is what the program
//! told that person to do, and nothing else.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{LazyLock, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use oncepress::crash::{Found, Watch};
use oncepress::names::Digest;
use serde_json::Value;

use super::desk::{Desk, Ran, essence};
use super::judge::judge;
use super::project::{ACCOUNT, JOURNAL};
use super::site::{Place, Seen, Shared, held};

/// Milliseconds between two runs: more than the time in which a site may still be
/// working on a request.
const PAUSE_MS: i64 = 190_000;
/// When the first rerun begins: a late site has not done its part yet.
pub(super) const AGAIN_MS: i64 = 20_000;
/// The last thing that comes by itself has come.
const ALL_HAS_COME_MS: i64 = 100_000;
/// By then it must rest.
const RUNS_MAX: usize = 7;

/// The command that publishes.
pub(super) const PUSH: [&str; 3] = ["push", "--json", "--verbose"];

/// The forms in which the password travels.
static SECRETS: LazyLock<[String; 2]> = LazyLock::new(|| {
    let pair = STANDARD.encode(format!("{}:{}", ACCOUNT.user, ACCOUNT.password));
    [ACCOUNT.password.to_owned(), pair]
});

/// What is there between two runs.
#[derive(Clone)]
pub(super) struct Scene {
    pub(super) found: Found,
    pub(super) seen: Rc<Seen>,
    /// When the next run begins, in milliseconds after the start.
    pub(super) at_ms: i64,
    pub(super) before: Before,
}

/// Whether the run before has ended, or died with its marker on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// Nobody died.
    Ended,
    /// It died, and has sent something: the next run must be told.
    DiedAfterSending,
    /// It died, or could not clean up. Its marker may have been written or not, or
    /// removed already.
    Died,
}

/// What was played already. What comes hangs on the journal and the site alone, so the
/// same state need not be played twice.
#[derive(Default)]
pub(super) struct Known(Mutex<HashSet<Digest>>);

impl Known {
    /// Whether it is new, which it is once.
    pub(super) fn is_new(&self, scene: &Scene) -> bool {
        let Scene { found, seen, at_ms, before } = scene;
        let mut parts = essence(found);
        parts.extend(format!("{}{at_ms}{before:?}", seen.essence).into_bytes());
        self.0.lock().expect("nobody panicked with it").insert(Digest::of(&parts))
    }
}

/// Runs until nothing is left to do, and judges. Gives what is wrong.
pub(super) fn until_it_rests(desk: &Desk, scene: &Scene, known: &Known) -> Vec<String> {
    desk.lay_out(&scene.found);
    let shared = scene.seen.place.shared(desk.root());
    let mut rest = Rest { desk, shared, at_ms: scene.at_ms };
    match rest.play(scene.before, known) {
        Ok(Some(json)) => judge(&held(&rest.shared), &json),
        Ok(None) => Vec::new(),
        Err(wrong) => vec![wrong],
    }
}

struct Rest<'d> {
    desk: &'d Desk,
    shared: Shared,
    at_ms: i64,
}

/// What a run came to.
struct Round {
    json: Value,
    /// It sent nothing, and left the records as they were.
    is_quiet: bool,
    found: Found,
}

impl Rest<'_> {
    /// What the last run says; nothing if the rest was played already.
    fn play(&mut self, before: Before, known: &Known) -> Result<Option<Value>, String> {
        let mut round = self.round()?;
        match (before, is_abandoned(&round.json)) {
            (Before::DiedAfterSending, false) => {
                return Err(format!("nobody was told that a run died: {}", round.json));
            }
            (Before::Ended, true) => return Err(format!("nobody died: {}", round.json)),
            (Before::DiedAfterSending | Before::Died, true) => {
                self.unlock(&round)?;
                round = self.round()?;
            }
            (Before::Died | Before::Ended, false) => {}
        }
        for _ in 0..RUNS_MAX {
            if round.is_quiet && self.at_ms > ALL_HAS_COME_MS {
                return Ok(Some(round.json));
            }
            self.at_ms += PAUSE_MS;
            let (seen, before) = (Seen::of(&held(&self.shared)), Before::Ended);
            let next = Scene { found: round.found, seen, at_ms: self.at_ms, before };
            if !known.is_new(&next) {
                return Ok(None);
            }
            round = self.round()?;
        }
        Err(format!("it never rests: {}", round.json))
    }

    /// A push that is not interfered with.
    fn round(&mut self) -> Result<Round, String> {
        held(&self.shared).set_clock(self.at_ms);
        let writes = held(&self.shared).writes().count();
        let before = records(&self.desk.look());
        let carrier = Place::carrier(&self.shared);
        let ran = self.desk.run(&PUSH, self.at_ms, carrier, &|_: &Watch| {});
        let found = self.desk.look();
        let json = told(&ran, &found)?;
        all_is_durable(self.desk.root(), &ran, &found)?;
        let sent = held(&self.shared).writes().count() - writes;
        if is_abandoned(&json) && sent > 0 {
            return Err(format!("a run that stopped has sent something: {json}"));
        }
        Ok(Round { is_quiet: sent == 0 && before == records(&found), json, found })
    }

    /// Does what the program says.
    fn unlock(&mut self, round: &Round) -> Result<(), String> {
        let Round { json, is_quiet, found } = round;
        if !is_quiet {
            return Err(format!("a run that stopped has written something: {json}"));
        }
        let next = way_out(json)?;
        let arguments: Vec<_> = next.split(' ').skip(1).collect();
        let carrier = Place::carrier(&self.shared);
        let ran = self.desk.run(&arguments, self.at_ms, carrier, &|_: &Watch| {});
        let said = ran.said.expect("nobody told it to die");
        if said.exit.code() != 0 {
            return Err(format!("{next}: {said:?}"));
        }
        let mut expected = records(found);
        expected.remove(&marker());
        let is_right = records(&self.desk.look()) == expected;
        is_right.then_some(()).ok_or_else(|| format!("{next} changed records"))
    }
}

/// What a run printed, once it is clear that the password is nowhere.
pub(super) fn told(ran: &Ran, found: &Found) -> Result<Value, String> {
    let said = ran.said.as_ref().expect("nobody told it to die");
    no_secret_in(found, &said.stdout, &said.stderr)?;
    let json: Value = serde_json::from_str(&said.stdout)
        .map_err(|error| format!("{error}: {}{}", said.stdout, said.stderr))?;
    let is_right = json["exit_code"] == said.exit.code() && json["ok"] == (said.exit.code() == 0);
    if is_right { Ok(json) } else { Err(format!("exit {:?}, and says {json}", said.exit)) }
}

fn marker() -> PathBuf {
    Path::new(JOURNAL).join("run.json")
}

pub(super) fn is_abandoned(json: &Value) -> bool {
    json["exit_code"] == 7 && json["errors"][0]["code"] == "abandoned_run"
}

/// The command that a run names which found that another had died.
pub(super) fn way_out(json: &Value) -> Result<String, String> {
    let next = json["next"][0].as_str().unwrap_or_default();
    let is_unlock = next.starts_with("oncepress unlock ") && next.split(' ').count() == 3;
    is_unlock.then(|| next.to_owned()).ok_or_else(|| format!("nobody says how to go on: {json}"))
}

/// The journal without its logs, which are for people.
fn records(found: &Found) -> Found {
    let logs = Path::new(JOURNAL).join("runs");
    let is_record = |name: &Path| name.starts_with(".oncepress") && !name.starts_with(&logs);
    let records = found.iter().filter(|(name, bytes)| bytes.is_some() && is_record(name));
    records.map(|(name, bytes)| (name.clone(), bytes.clone())).collect()
}

/// Neither the streams nor any file holds the password.
fn no_secret_in(found: &Found, stdout: &str, stderr: &str) -> Result<(), String> {
    let has = |bytes: &[u8]| {
        SECRETS.iter().any(|secret| memchr::memmem::find(bytes, secret.as_bytes()).is_some())
    };
    let is_told = has(stdout.as_bytes()) || has(stderr.as_bytes());
    let ours = found.iter().filter(|(name, _)| !name.starts_with("articles"));
    let mut files = ours.filter_map(|(name, bytes)| Some((name, bytes.as_ref()?)));
    match files.find(|(_, bytes)| has(bytes)) {
        Some((name, _)) => Err(format!("the password is in {}", name.display())),
        None if is_told => Err(format!("the password is told: {stdout}{stderr}")),
        None => Ok(()),
    }
}

/// A run that ended in order has left nothing that a power loss could take back, the
/// removal of its marker included.
pub(super) fn all_is_durable(root: &Path, ran: &Ran, found: &Found) -> Result<(), String> {
    let journal = Path::new(JOURNAL);
    for (name, bytes) in found.iter().filter(|(name, _)| name.starts_with(journal)) {
        // The lock file is made again where it is missing, and a log is for people.
        let is_needed = *name != journal.join("lock") && !name.starts_with(journal.join("runs"));
        let (Some(bytes), true) = (bytes, is_needed) else { continue };
        if ran.shadow.durable(&root.join(name)) != Some(&**bytes) {
            return Err(format!("{} is not durable after the run", name.display()));
        }
    }
    let marker = ran.shadow.durable(&root.join(marker())).is_some();
    let is_there = found.contains_key(&self::marker());
    (marker == is_there).then_some(()).ok_or_else(|| "the marker's end is not durable".to_owned())
}
