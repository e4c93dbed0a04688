//! Every kind of request times everything that can become of it.
//!
//! The table is data: kinds (`kinds`) and outcomes (`outcome` and its tables). Each cell
//! is played over a bare socket against the site (`server`, `play`), and judged by what
//! the site has then (`judge`) and by what had to come of it (`oracle`). Absent from
//! here: a real WordPress. The one rule: a cell that makes no sense is left out by a rule
//! with a name, never by hand.

mod bodies;
mod connection;
mod desk;
mod echoes;
mod files;
mod judge;
mod kinds;
mod lists;
mod oracle;
mod outcome;
mod play;
mod server;
mod site;
mod statuses;

#[path = "../../support/ask.rs"]
mod ask;
#[path = "../../support/door.rs"]
mod door;
#[path = "../../support/http.rs"]
#[expect(dead_code, reason = "another suite uses the rest")]
mod http;
#[path = "../../support/stranger.rs"]
mod stranger;

use crate::{png, samples, secrets};

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;

use kinds::{KINDS, Kind};
use outcome::{Outcome, Then};
use play::{Case, play, rehearse};
use stranger::Stranger;

/// Outcomes that each kind meets at least.
const OUTCOMES_MIN: usize = 35;
/// Cells that are played at once.
const PLAYERS: usize = 3;
/// Cells that are played at once and mostly wait for a time limit.
const WAITERS: usize = 24;

/// The outcomes of one kind, each under a name of its own.
fn outcomes(kind: Kind) -> Vec<Outcome> {
    let shape = kind.shape();
    let mut outcomes = connection::outcomes(kind);
    outcomes.extend(bodies::outcomes(kind));
    outcomes.extend(statuses::outcomes(kind, shape));
    outcomes.extend(lists::outcomes(kind));
    outcomes.extend(echoes::outcomes(kind));
    let names: BTreeSet<_> = outcomes.iter().map(|outcome| &outcome.name).collect();
    assert_eq!(names.len(), outcomes.len(), "two outcomes of {kind:?} have one name");
    assert!(outcomes.len() >= OUTCOMES_MIN, "{kind:?} has {} outcomes", outcomes.len());
    outcomes
}

/// Every cell of the table.
fn cases(stranger: &Stranger) -> Vec<Case> {
    let of_kind = |kind| {
        let before = rehearse(kind).unwrap_or_else(|wrong| panic!("the scene itself: {wrong}"));
        let case = move |outcome| Case { kind, outcome, before, stranger: stranger.url() };
        outcomes(kind).into_iter().map(case)
    };
    KINDS.into_iter().flat_map(of_kind).collect()
}

/// Plays all that are left, and keeps what went otherwise.
fn play_all(left: &Mutex<std::vec::IntoIter<Case>>, failures: &Mutex<Vec<String>>) {
    let next = || left.lock().expect("nobody panics with it").next();
    while let Some(case) = next() {
        let failed = played(&case);
        failures.lock().expect("nobody panics with it").extend(failed);
    }
}

#[test]
fn every_kind_of_request_meets_every_outcome() {
    let stranger = Stranger::start();
    let cases = cases(&stranger);
    let count = cases.len();
    let waits = |case: &Case| case.outcome.then == Then::Silence;
    let (waiting, working): (Vec<_>, Vec<_>) = cases.into_iter().partition(waits);
    let (waiting, working) = (Mutex::new(waiting.into_iter()), Mutex::new(working.into_iter()));
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        (0..WAITERS).for_each(|_| drop(scope.spawn(|| play_all(&waiting, &failures))));
        (0..PLAYERS).for_each(|_| drop(scope.spawn(|| play_all(&working, &failures))));
    });
    let failures = failures.into_inner().expect("nobody panicked with it");
    assert!(
        failures.is_empty(),
        "{}\n{} of {count} cases went otherwise",
        failures.join("\n=====\n"),
        failures.len()
    );
    count_line(&format!("network: {count} cases ({} kinds)", KINDS.len()));
}

/// Plays a case. A panic is what is wrong with it.
fn played(case: &Case) -> Option<String> {
    match catch_unwind(AssertUnwindSafe(|| play(case))) {
        Ok(judged) => judged.err(),
        Err(_) => Some(format!("{:?}, {}: it panicked", case.kind, case.outcome.name)),
    }
}

/// Leaves the count for docs/guarantees.md.
fn count_line(line: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/battery");
    std::fs::create_dir_all(&folder).expect("the folder is made");
    std::fs::write(folder.join("network.txt"), format!("{line}\n")).expect("it is written");
}
