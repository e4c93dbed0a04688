//! Histories: everything that can happen to an article, in every order, and long random
//! stories of several.
//!
//! A case is an in-memory folder, a simulated site and a simulated clock; commands run in
//! this process. Absent from here: a real WordPress, a real network and real time. The one
//! rule: what a run says is held against what really happened, by rules that were written
//! from the specification and not from the code.
//!
//! `ONCEPRESS_HISTORIES=N` plays N random histories in place of 2,000,
//! `ONCEPRESS_HISTORY_SEED=S` only that of the seed S, and `ONCEPRESS_HISTORY=TEXT` only
//! these actions (with a seed: those of its cast).
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::similar_names,
    clippy::type_complexity,
    clippy::unused_self,
    clippy::needless_pass_by_value,
    clippy::format_push_string,
    reason = "a test writes its files, fails by panicking, and prints what it counted"
)]

mod action;
mod alphabet;
mod canon;
mod cast;
mod death;
mod desk;
mod dice;
mod explore;
mod failure;
mod judge;
mod ledger;
mod person;
mod play;
mod quiet;
mod random;
mod stage;
mod state;
mod verdict;

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use cast::Cast;
use explore::Explorer;
use failure::{Failure, HISTORY, SEED, trace};

/// Random histories.
const SEEDS: u64 = 2_000;
/// Histories that the exploration has at least.
const HISTORIES_MIN: u64 = 100_000;
/// First actions after which every action is tried.
const WHOLE_DEPTH: usize = 3;
/// Further ones after which a few are.
const CORE_DEPTH: usize = 1;

/// All of the machine: whichever of the two tests ends first leaves it to the other.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(2, std::num::NonZero::get)
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

#[test]
fn exploration() {
    let cast = Cast::of_the_exploration();
    if let (Some(text), None) = (variable(HISTORY), variable(SEED)) {
        return replay(&cast, &action::read(&text));
    }
    let mut alphabets = vec![alphabet::whole(); WHOLE_DEPTH];
    alphabets.extend(vec![alphabet::core(); CORE_DEPTH]);
    let counts = Explorer::of(cast, threads()).explore(&alphabets);
    report(&counts.failures);
    println!("{counts:?}");
    assert!(counts.executed >= HISTORIES_MIN, "{} histories", counts.executed);
    count(
        "exploration",
        &format!(
            "{} histories executed, {} states, {} histories through merged states, {} actions \
             to end cases",
            counts.executed, counts.states, counts.histories, counts.endings
        ),
    );
}

#[test]
fn random_histories() {
    let seed = variable(SEED).map(|seed| seed.parse::<u64>().expect("a seed is a number"));
    if let Some(seed) = seed {
        let actions = match variable(HISTORY) {
            Some(text) => action::read(&text),
            None => random::actions_of(seed),
        };
        return replay(&random::cast_of(seed), &actions);
    }
    let seeds = variable("ONCEPRESS_HISTORIES");
    let seeds = seeds.map_or(SEEDS, |seeds| seeds.parse().expect("a number of histories"));
    let counts = random::play_all(seeds, threads());
    report(&counts.failures);
    count("random histories", &format!("{} seeds, {} actions", counts.seeds, counts.actions));
}

/// Plays one history and shows it.
fn replay(cast: &Cast, actions: &[action::Action]) {
    let (text, wrongs) = trace(cast, actions);
    println!("{text}");
    assert!(wrongs.is_empty(), "{}", wrongs.join("\n"));
}

fn report(failures: &[Failure]) {
    let reports: Vec<_> = failures.iter().map(Failure::report).collect();
    assert!(reports.is_empty(), "{}", reports.join("\n=====\n"));
}

/// Leaves a count for docs/guarantees.md. Each test has its own line.
fn count(name: &str, text: &str) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().expect("nobody panicked with it");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/battery");
    fs::create_dir_all(&folder).expect("the folder is made");
    let path = folder.join("histories.txt");
    let old = fs::read_to_string(&path).unwrap_or_default();
    let others = old.lines().filter(|line| !line.starts_with(&format!("{name}:")));
    let mut lines: Vec<String> = others.map(str::to_owned).collect();
    lines.push(format!("{name}: {text}"));
    lines.sort_unstable();
    fs::write(path, lines.join("\n") + "\n").expect("it is written");
}
