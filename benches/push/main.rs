//! `scripts/bench`: what does it cost that every send is written down first?
//!
//! One run against one real WordPress, in interleaved rounds, of the same 200 small
//! drafts:
//!
//! - **bare**: a client that sends them over one kept-alive connection and checks nothing;
//! - **lean**: the same client, asking for as short an answer as `push` asks for. It
//!   tells how much of a difference is the server's work and how much is ours;
//! - **push**: `oncepress push`, as a process, in a fresh folder, records and syncs and all;
//! - **rerun**: the same command again.
//!
//! Absent from here: everything that a test asserts about behaviour. The one rule: a
//! time is worth nothing unless the lanes did the same work, so each round also proves
//! that every lane left the same 200 drafts, and counts the requests in nginx's log.

mod bare;
mod drafts;
mod lab;
mod numbers;
mod project;

use std::error::Error;
use std::io::Write as _;
use std::process::ExitCode;

use bare::Answer;
use drafts::Draft;
use lab::Lab;
use numbers::{Lane, Round, Sample};
use project::Project;

/// Whatever went wrong, in words; a benchmark has nobody who could handle it.
type Failure = Box<dyn Error>;

/// Articles in one lane of one round.
const DRAFTS: usize = 200;
/// Rounds that count, unless `ONCEPRESS_BENCH_ROUNDS` says otherwise.
const ROUNDS: usize = 7;

fn main() -> ExitCode {
    // `cargo test --all-targets` starts benchmarks too, without this argument.
    if !std::env::args().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    match bench() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn bench() -> Result<(), Failure> {
    let lab = Lab::open()?;
    let rounds = lab::environment("ONCEPRESS_BENCH_ROUNDS")
        .map_or(Ok(ROUNDS), |text| text.parse::<usize>())?
        .max(1);
    complain(&format!("{DRAFTS} drafts, WordPress {} at {}", lab.full_version, lab.url));
    let mut measured = Vec::with_capacity(rounds);
    // Before those that count: PHP compiles, the database fills its buffers.
    complain(&format!("warm-up: {}", round(&lab, 0)?.line()));
    for number in 1..=rounds {
        let round = round(&lab, number)?;
        complain(&format!("round {number}: {}", round.line()));
        measured.push(round);
    }
    let table = numbers::table(&measured, DRAFTS);
    std::io::stdout().lock().write_all(table.as_bytes())?;
    Ok(())
}

/// One round: all lanes, each beginning with an empty site. The order is turned round from
/// round to round, so that none always profits from what the one before it left behind.
fn round(lab: &Lab, number: usize) -> Result<Round, Failure> {
    let mut round = Round::default();
    let mut order = [Lane::Bare, Lane::Push, Lane::Lean];
    if number % 2 == 1 {
        order.reverse();
    }
    for lane in order {
        let drafts = drafts::make(DRAFTS, &format!("{}-{number}-{}", lab.token, lane.name()));
        match lane {
            Lane::Bare => round.put(lane, bare(lab, &drafts, Answer::Whole)?),
            Lane::Lean => round.put(lane, bare(lab, &drafts, Answer::Short)?),
            Lane::Push | Lane::Rerun => {
                let (push, rerun) = push_twice(lab, &drafts)?;
                round.put(Lane::Push, push);
                round.put(Lane::Rerun, rerun);
            }
        }
        lab.expect_drafts(&drafts)?;
        lab.delete_drafts()?;
    }
    Ok(round)
}

fn bare(lab: &Lab, drafts: &[Draft], answer: Answer) -> Result<Sample, Failure> {
    let arrivals = lab.arrivals()?;
    let took = bare::send_all(lab, drafts, answer)?;
    Ok(Sample { took, requests: arrivals.since(bare::USER_AGENT)? })
}

fn push_twice(lab: &Lab, drafts: &[Draft]) -> Result<(Sample, Sample), Failure> {
    let project = Project::make(lab, drafts)?;
    Ok((push(lab, &project, "created")?, push(lab, &project, "skipped")?))
}

fn push(lab: &Lab, project: &Project, outcome: &str) -> Result<Sample, Failure> {
    let arrivals = lab.arrivals()?;
    let pushed = project.push(outcome, DRAFTS)?;
    let requests = arrivals.since(project::USER_AGENT)?;
    if requests != pushed.exchanges {
        let told = pushed.exchanges;
        return Err(format!(
            "nginx saw {requests} requests of OncePress and its run log tells of {told}: \
             is somebody else using this site?"
        )
        .into());
    }
    Ok(Sample { took: pushed.took, requests })
}

/// To standard error: the result alone goes to standard output.
fn complain(text: &str) {
    // Nobody is left to be told that nobody can be told.
    drop(writeln!(std::io::stderr(), "bench: {text}"));
}
