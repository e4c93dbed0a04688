//! Conformance: the same requests to real WordPress and to the simulated site.
//!
//! Absent from here: OncePress' own client. The one rule: where they differ, the
//! simulated site is wrong; what can't or need not be simulated stands in
//! `differences.txt` with its reason, and a line there that is not needed is an error.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test that can't go on should stop, and it reads the clock and the lab itself"
)]

mod compare;
mod facts;
mod files;
mod mask;
mod play;
mod refusals;
mod script;
mod target;

#[path = "../support/png.rs"]
mod png;
#[path = "../support/samples.rs"]
#[expect(dead_code, reason = "another suite uses the rest")]
mod samples;

use std::fmt::Write as _;
use std::path::Path;

use compare::Comparison;
use play::Came;
use script::Script;

/// The suite compares at least so many requests on each version.
const REQUESTS_MIN: usize = 150;

fn compare_with(version: &str) {
    let scripts = Script::all();
    let mut comparison = Comparison::of(version);
    let mut said = String::new();
    for script in &scripts {
        let real = play::play(script, &mut target::Target::real(version));
        let simulated = play::play(script, &mut target::Target::simulated(version));
        comparison.add(script, &real, &simulated);
        add_transcript(&mut said, script, &real);
    }
    // What this version said, for who writes the next script.
    leave("conformance", &format!("{version}.txt"), &said);
    comparison.finish();
    let requests: usize = scripts.iter().map(Script::requests).sum();
    assert!(requests >= REQUESTS_MIN, "the suite has {requests} requests");
    // The same number for each version, whoever writes it last.
    leave("battery", "conformance.txt", &format!("conformance requests per version: {requests}\n"));
}

fn add_transcript(said: &mut String, script: &Script, real: &[Came]) {
    for (step, Came(came)) in script.steps.iter().zip(real) {
        let place = format!("{}:{}", script.name, step.line);
        let asked = format!("{} {} {}", step.who, step.method, step.path);
        writeln!(said, "{place} {asked}\n  {came}").unwrap();
    }
}

/// Leaves a file in a folder of `target`.
fn leave(folder: &str, name: &str, text: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target").join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), text).unwrap();
}

#[test]
fn the_simulated_site_answers_as_wordpress_6_1() {
    compare_with("6.1");
}

#[test]
fn the_simulated_site_answers_as_wordpress_6_8() {
    compare_with("6.8");
}

#[test]
fn the_simulated_site_answers_as_wordpress_7_1() {
    compare_with("7.1");
}
