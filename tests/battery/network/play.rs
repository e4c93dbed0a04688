//! Plays a case: the folder, the site, the runs.
//!
//! Absent from here: verdicts (`judge`). The one rule: when the outcome has come to its
//! request, the site is healthy for good, and the same command is run until it rests.

use std::fmt::Write as _;

use super::desk::Desk;
use super::judge::{Journal, Played, Round};
use super::kinds::{Kind, Place, Premise};
use super::outcome::{Address, Outcome, Then, Way};
use super::server::{Fault, Server};
use super::site::{Row, Site};

/// Runs after the one with the outcome: by then it must rest.
const RUNS_MAX: usize = 4;
/// A request may take so long where one is left to hang.
const HANG_S: u32 = 2;
/// And so long where none is. It never takes it.
const NEVER_S: u32 = 60;

/// One cell of the table.
pub(super) struct Case {
    pub(super) kind: Kind,
    pub(super) outcome: Outcome,
    /// Requests that come before it in its run.
    pub(super) before: usize,
    /// The address of a server with a certificate of nobody.
    pub(super) stranger: String,
}

struct Stage {
    site: Site,
    server: Server,
    desk: Desk,
    stranger: String,
    /// The ids that are there before the first run.
    foreign: Vec<Row>,
}

impl Stage {
    fn new(case: &Case) -> Self {
        let site = Site::new();
        let desk = Desk::new();
        case.kind.write(&desk);
        if case.kind == Kind::LookUpTaken {
            site.somebody_takes("x");
        }
        let server = Server::new(&site, desk.base(), faults(case));
        let (foreign, stranger) = (site.rows(), case.stranger.clone());
        Self { site, server, desk, stranger, foreign }
    }

    fn is_foreign(&self, row: &Row) -> bool {
        self.foreign.iter().any(|foreign| foreign.id == row.id)
    }

    /// Where the run with this outcome goes.
    fn address(&self, outcome: &Outcome) -> String {
        match outcome.way {
            Way::Astray(Address::NoName) => "https://nope.invalid".to_owned(),
            Way::Astray(Address::NoTls) => self.server.url().replace("http:", "https:"),
            Way::Astray(Address::Stranger) => self.stranger.clone(),
            _ => self.server.url(),
        }
    }

    fn round(&self, run: usize, url: &str, timeout_s: u32) -> Round {
        self.desk.configure(url, timeout_s);
        let before = self.desk.journal();
        self.server.begin(run);
        let ran = self.desk.push();
        self.server.end();
        let arrivals = self.server.arrivals();
        let is_write = |method: &str| method != "GET" && method != "OPTIONS";
        let arrived = arrivals.iter().filter(|arrival| arrival.run == run);
        let writes = arrived.filter(|arrival| is_write(&arrival.method)).count();
        let after = self.desk.journal();
        let same = before == after;
        let is_sending = |text: &&String| text.contains("\"phase\": \"sending\"");
        let sending = after.values().filter(is_sending).count();
        let journal = if same { Journal::AsItWas } else { Journal::Changed };
        let ours = self.site.rows().into_iter().filter(|row| !self.is_foreign(row)).collect();
        Round { ran, writes, journal, sending, ours }
    }
}

fn faults(case: &Case) -> Vec<Fault> {
    let premise = |premise: Premise| {
        let Premise { run, ask, nth, outcome } = premise;
        Fault { run, ask, nth, before: usize::MAX, outcome }
    };
    let Place { run, ask, nth } = case.kind.place();
    let (before, outcome) = (case.before, case.outcome.clone());
    let mut faults: Vec<Fault> = case.kind.premises().into_iter().map(premise).collect();
    faults.push(Fault { run, ask, nth, before, outcome });
    faults
}

/// Plays it, and says what is wrong.
pub(super) fn play(case: &Case) -> Result<(), String> {
    let stage = Stage::new(case);
    let played = run(case, &stage);
    let faults = played.faults();
    if faults.is_empty() {
        return Ok(());
    }
    let mut journal = String::new();
    for (name, text) in stage.desk.journal() {
        let _ = writeln!(journal, "{name}: {text}");
    }
    Err(played.report(&faults, &journal))
}

fn run(case: &Case, stage: &Stage) -> Played {
    let at = case.kind.place().run;
    let mut rounds = Vec::new();
    for run in 0..=at + RUNS_MAX {
        let hangs = run == at && case.outcome.then == Then::Silence;
        let timeout_s = if hangs { HANG_S } else { NEVER_S };
        let healthy = stage.server.url();
        let url = if run == at { stage.address(&case.outcome) } else { healthy };
        rounds.push(stage.round(run, &url, timeout_s));
        if run > at && rounds[run].is_quiet() {
            break;
        }
    }
    let foreign = stage.site.rows().into_iter().filter(|row| stage.is_foreign(row)).collect();
    Played {
        kind: case.kind,
        outcome: case.outcome.clone(),
        at,
        rounds,
        arrivals: stage.server.arrivals(),
        met: stage.server.played(),
        foreign: (stage.foreign.clone(), foreign),
        terms: stage.site.terms(),
    }
}

/// Plays the kind's scene on a healthy site: how many requests come before its own.
pub(super) fn rehearse(kind: Kind) -> Result<usize, String> {
    let case =
        Case { kind, outcome: Outcome::healthy(), before: usize::MAX, stranger: String::new() };
    play(&case)?;
    let stage = Stage::new(&case);
    let played = run(&case, &stage);
    let Place { run, ask, nth } = kind.place();
    let asked = played.arrivals.iter().filter(|arrival| arrival.run == run);
    let mut met = 0;
    for (before, arrival) in asked.enumerate() {
        met += u32::from(arrival.ask == ask);
        if met == nth {
            return Ok(before);
        }
    }
    Err(format!("{kind:?} is never asked in its scene"))
}
