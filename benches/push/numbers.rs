//! Times and counts, and what they come to.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// One way of registering the drafts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lane {
    Bare,
    Lean,
    Push,
    Rerun,
}

impl Lane {
    const ALL: [Self; 4] = [Self::Bare, Self::Lean, Self::Push, Self::Rerun];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Bare => "bare",
            Self::Lean => "lean",
            Self::Push => "push",
            Self::Rerun => "rerun",
        }
    }

    fn explained(self) -> &'static str {
        match self {
            Self::Bare => "one kept-alive connection, no checks, no records",
            Self::Lean => "the same, asking only for the fields that push compares",
            Self::Push => "oncepress push: checked, looked up, recorded, synced, verified",
            Self::Rerun => "oncepress push again",
        }
    }
}

/// One lane in one round.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) took: Duration,
    pub(crate) requests: usize,
}

/// All lanes of one round.
#[derive(Debug, Default)]
pub(crate) struct Round(BTreeMap<Lane, Sample>);

impl Round {
    pub(crate) fn put(&mut self, lane: Lane, sample: Sample) {
        self.0.insert(lane, sample);
    }

    /// The round on one line.
    pub(crate) fn line(&self) -> String {
        let one = |(lane, sample): (&Lane, &Sample)| {
            format!("{} {:.0} ms", lane.name(), milliseconds(sample.took))
        };
        self.0.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    fn time(&self, lane: Lane) -> Option<f64> {
        self.0.get(&lane).map(|sample| milliseconds(sample.took))
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Medians, counts and ratios as a table.
pub(crate) fn table(rounds: &[Round], drafts: usize) -> String {
    let mut text = format!("\n{drafts} drafts, medians of {} rounds\n\n", rounds.len());
    // Writing to a string can't fail.
    let mut say = |line: std::fmt::Arguments<'_>| writeln!(text, "{line}").unwrap_or_default();
    say(format_args!("lane    median ms     least      most  requests"));
    for lane in Lane::ALL {
        let times = times(rounds, lane);
        let (Some(least), Some(most)) = (times.first(), times.last()) else { continue };
        say(format_args!(
            "{:6} {:10.1} {least:9.1} {most:9.1}  {:>8}  {}",
            lane.name(),
            median(&times),
            requests(rounds, lane),
            lane.explained()
        ));
    }
    say(format_args!(""));
    let pairs = [(Lane::Push, Lane::Bare), (Lane::Push, Lane::Lean), (Lane::Rerun, Lane::Bare)];
    for (ours, theirs) in pairs {
        let of_medians = median(&times(rounds, ours)) / median(&times(rounds, theirs));
        let mut each: Vec<f64> = rounds
            .iter()
            .filter_map(|round| Some(round.time(ours)? / round.time(theirs)?))
            .collect();
        each.sort_by(f64::total_cmp);
        say(format_args!(
            "{:5} / {}: {of_medians:.3} (of the medians), {:.3} (median of the rounds' ratios)",
            ours.name(),
            theirs.name(),
            median(&each)
        ));
    }
    text
}

fn times(rounds: &[Round], lane: Lane) -> Vec<f64> {
    let mut times: Vec<f64> = rounds.iter().filter_map(|round| round.time(lane)).collect();
    times.sort_by(f64::total_cmp);
    times
}

/// The counts of all rounds: one number, or the range.
fn requests(rounds: &[Round], lane: Lane) -> String {
    let counts = || rounds.iter().filter_map(|round| round.0.get(&lane)).map(|one| one.requests);
    match (counts().min(), counts().max()) {
        (Some(least), Some(most)) if least == most => least.to_string(),
        (Some(least), Some(most)) => format!("{least}-{most}"),
        _ => "none".to_owned(),
    }
}

/// The middle of sorted numbers.
fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        odd if odd % 2 == 1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}
