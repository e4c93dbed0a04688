//! Deaths and disks that fail, in process: a run is stopped at every step, or its disk
//! fails there, and then the same command is run until it rests.
//!
//! The project (`project`), its folder (`desk`) and its site (`site`) are the same in
//! every case. Absent from here: the network (`network`), two runs at once. The one rule:
//! no case is left out because it takes long; what leaves the same state is played once.

mod desk;
mod every_step;
mod io_errors;
mod judge;
mod play;
mod project;
mod second_death;
mod site;
mod truths;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use desk::Desk;
use play::Known;

/// Cases that are played at once.
const PLAYERS: usize = 3;
/// Failures that are shown.
const SHOWN_MAX: usize = 12;

/// What was tried.
#[derive(Debug, Default, Clone, Copy)]
struct Tried {
    /// Cases.
    cases: usize,
    /// Cases that left a state that no other had left, and were played on from there.
    distinct: usize,
}

/// Does the work for each item, some at once, each player in a folder of its own.
fn for_each<I: Sync>(
    items: &[I],
    work: impl Fn(&Desk, &I) -> (Tried, Vec<String>) + Sync,
) -> (Tried, Vec<String>) {
    let next = AtomicUsize::new(0);
    let total = Mutex::new((Tried::default(), Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..PLAYERS {
            scope.spawn(|| {
                let desk = Desk::new();
                while let Some(item) = items.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let (tried, wrongs) = work(&desk, item);
                    let mut total = total.lock().expect("nobody panics with it");
                    total.0.cases += tried.cases;
                    total.0.distinct += tried.distinct;
                    total.1.extend(wrongs);
                }
            });
        }
    });
    total.into_inner().expect("nobody panicked with it")
}

fn none_is_wrong(tried: Tried, wrongs: &[String]) {
    let shown = wrongs.iter().take(SHOWN_MAX).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrongs.is_empty(), "{} of {} went otherwise:\n{shown}", wrongs.len(), tried.cases);
}

/// Leaves the count for docs/guarantees.md.
fn count_line(name: &str, line: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/battery");
    std::fs::create_dir_all(&folder).expect("the folder is made");
    std::fs::write(folder.join(format!("{name}.txt")), format!("{line}\n")).expect("it is written");
}

#[test]
fn whatever_step_a_run_dies_at_the_next_ones_bring_it_to_its_end() {
    let known = Known::default();
    let die = |desk: &Desk, write: &_| every_step::die_after(desk, write, &known);
    let (tried, wrongs) = for_each(&every_step::writes(), die);
    none_is_wrong(tried, &wrongs);
    let Tried { cases, distinct } = tried;
    count_line("every_step", &format!("every_step: {cases} cases ({distinct} distinct)"));
}

#[test]
fn whatever_step_the_rerun_dies_at_the_next_ones_bring_it_to_its_end() {
    let known = Known::default();
    let mut writes = every_step::writes();
    let count = writes.iter().map(|write| write.place).max().unwrap_or_default();
    writes.retain(|write| second_death::is_first(write, count));
    let die = |desk: &Desk, write: &_| second_death::die_twice(desk, write, &known);
    let (tried, wrongs) = for_each(&writes, die);
    none_is_wrong(tried, &wrongs);
    let Tried { cases, distinct } = tried;
    count_line("second_death", &format!("second_death: {cases} cases ({distinct} distinct)"));
}

#[test]
fn whatever_fails_on_the_disk_the_truth_is_told_and_the_next_runs_bring_it_to_its_end() {
    let known = Known::default();
    let fail = |desk: &Desk, failing: &_| io_errors::fail_at_each(desk, failing, &known);
    let (tried, wrongs) = for_each(&io_errors::faults(), fail);
    none_is_wrong(tried, &wrongs);
    let Tried { cases, distinct } = tried;
    count_line("io_errors", &format!("io_errors: {cases} cases ({distinct} distinct)"));
}

#[test]
fn what_is_seen_before_a_step_is_what_a_death_at_it_leaves() {
    let steps = every_step::photos_are_true(&Desk::new());
    assert!(steps > 200, "a run of {steps} steps shows little");
}
