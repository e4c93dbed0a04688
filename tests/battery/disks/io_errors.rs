//! A disk that fails at every step of a run, once or from then on.
//!
//! Absent from here: a run that dies (`every_step`), a disk that is truly full (`full`).
//! The one rule: what the failing run says is held against the site at once; then the
//! disk works again, and the same command must come to its end.

use oncepress::crash::{Errno, Fault, How, Loss, Step, Times, Watch};
use serde_json::Value;

use super::Tried;
use super::desk::{Desk, Ran};
use super::every_step::{first_run, run_once};
use super::judge::settled_are_there;
use super::play::{AGAIN_MS, Before, Known, Scene, all_is_durable, told, until_it_rests};
use super::site::{Place, Seen};

/// Parts of a run that are played apart from each other, to share the work.
const SHARES: usize = 4;

/// What fails: the steps of one share with one fault, or readings of the journal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Failing {
    what: What,
    fault: Fault,
    share: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Step,
    Reading,
}

/// Every fault.
pub(super) fn faults() -> Vec<Failing> {
    let refused = Errno::ALL.map(How::Refused);
    let odd = [How::DoneAndRefused(Errno::Io), How::Short, How::Dropped];
    let mut faults = Vec::new();
    for times in [Times::Next(1), Times::FromThenOn] {
        for share in 0..SHARES {
            let failing = |what| move |how| Failing { what, fault: Fault { how, times }, share };
            faults.extend(refused.into_iter().chain(odd).map(failing(What::Step)));
            faults.extend(refused.into_iter().map(failing(What::Reading)));
        }
    }
    faults
}

/// Plays one share of the steps with one fault.
pub(super) fn fail_at_each(desk: &Desk, failing: &Failing, known: &Known) -> (Tried, Vec<String>) {
    let (mut tried, mut wrongs) = (Tried::default(), Vec::new());
    for number in (failing.share + 1..).step_by(SHARES) {
        let Failing { what, fault, .. } = *failing;
        let plan = |watch: &Watch| match what {
            What::Step => watch.fail_at(number, fault),
            What::Reading => watch.fail_read_at(number, fault),
        };
        let (ran, place) = run_once(desk, &first_run(None), &plan);
        let reached = match what {
            What::Step => ran.steps.len(),
            What::Reading => ran.reads,
        };
        if reached < number {
            break;
        }
        let at = ran.steps.get(number - 1).filter(|_| what == What::Step);
        // The way to the site and back is no step of the disk.
        if fault.times == Times::Next(1) && at.is_some_and(|step| !matches!(step, Step::Disk(..))) {
            continue;
        }
        let found = judged(desk, &ran, &place, known, &mut tried);
        if !found.is_empty() {
            wrongs.push(format!("{failing:?} at {number} ({at:?}):\n  {}", found.join("\n  ")));
        }
    }
    (tried, wrongs)
}

/// Holds what the failing run said against the site, and goes on with each loss.
fn judged(desk: &Desk, ran: &Ran, place: &Place, known: &Known, tried: &mut Tried) -> Vec<String> {
    let now = desk.look();
    let mut wrongs = match told(ran, &now) {
        Ok(json) => told_wrongs(desk, ran, place, &json),
        Err(wrong) => vec![wrong],
    };
    for loss in Loss::ALL {
        let found = ran.shadow.found_after(loss, &now);
        let scene = Scene { found, seen: Seen::of(place), at_ms: AGAIN_MS, before: Before::Died };
        tried.cases += 1;
        if known.is_new(&scene) {
            tried.distinct += 1;
            let found = until_it_rests(desk, &scene, known);
            wrongs.extend(found.into_iter().map(|wrong| format!("{loss:?}: {wrong}")));
        }
    }
    wrongs
}

/// The run that failed told the truth.
fn told_wrongs(desk: &Desk, ran: &Ran, place: &Place, json: &Value) -> Vec<String> {
    let mut wrongs = settled_are_there(place, json);
    if json["exit_code"] == 0 {
        wrongs.extend(all_is_durable(desk.root(), ran, &desk.look()).err());
    }
    wrongs
}
