//! Seeded schedules: two to eight processes on one folder, stopped, killed and continued
//! at any moment, while answers get lost.
//!
//! The one rule: what is asserted holds for every interleaving, because the machine
//! chooses it; the seed chooses what is done.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::person::{judge, until_quiet};
use super::processes::{Ended, Process};
use super::stage::{ARTICLES, Project, Site};

/// Schedules of the test command.
const SCHEDULES: usize = 300;
/// Processes that live at the same time.
const LIVING_MAX: usize = 8;

/// Schedules that are played at the same time; they wait for processes most of it.
const THREADS: usize = 4;

/// Points at which a run may be told to die.
const POINTS: [&str; 10] = [
    "upload.before-sending-record",
    "upload.after-sending-record",
    "upload.after-answer",
    "upload.while-confirming",
    "upload.after-confirmed",
    "article.before-sending-record",
    "article.after-sending-record",
    "article.after-answer:2",
    "article.while-confirming",
    "article.after-confirmed",
];

/// What may happen to requests, next to nothing.
const FAULTS: [&str; 6] = [
    "create-post:1=lose-answer",
    "create-post:1=lose-request",
    "upload:1=lose-answer",
    "create-post:2=lose-answer",
    "create-post:1=fail-after:500",
    "upload:1=lose-request",
];

/// Small, quick, and the same everywhere (the constants are those of splitmix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }
}

struct Schedule {
    site: Site,
    project: Project,
    living: Vec<Process>,
    ended: Vec<Ended>,
    history: Vec<String>,
}

impl Schedule {
    fn start(&mut self, arguments: &[&str], point: Option<&str>) {
        let process = Process::start(&self.project, arguments, point);
        self.history.push(format!("start {}", process.name));
        self.living.push(process);
    }

    fn wait(&mut self, index: usize) {
        let ended = self.living.remove(index).wait();
        self.history.push(format!("ended {}: {:?}", ended.name, ended.code));
        self.ended.push(ended);
    }

    fn step(&mut self, dice: &mut Dice) {
        let living = self.living.len();
        let any = if living == 0 { 0 } else { dice.below(living) };
        match dice.below(12) {
            0..=3 if living < LIVING_MAX => {
                let point = (dice.below(3) == 0).then(|| POINTS[dice.below(POINTS.len())]);
                self.start(&["push"], point);
            }
            4 if living < LIVING_MAX => self.start(&["plan"], None),
            5 if living < LIVING_MAX => self.start(&["push", "--lock-wait", "1s"], None),
            6 if living > 0 => {
                self.history.push(format!("stop {}", self.living[any].name));
                self.living[any].stop();
            }
            7 if living > 0 && self.living[any].is_stopped() => {
                self.history.push(format!("go on {}", self.living[any].name));
                self.living[any].go_on();
            }
            8 if living > 0 => {
                self.history.push(format!("kill {}", self.living[any].name));
                self.living[any].kill();
                self.wait(any);
            }
            9 if living > 0 => {
                self.history.push(format!("ask to end {}", self.living[any].name));
                self.living[any].ask_to_end();
            }
            10 if living > 0 => self.wait(any),
            _ => {
                let fault = FAULTS[dice.below(FAULTS.len())];
                self.history.push(format!("from now on {fault}"));
                self.site.with(|site| site.add_fault(fault.parse().unwrap()));
            }
        }
    }
}

/// What any push may end as: settled, in doubt, busy, stopped by a run that died, asked to
/// end, or killed.
fn may_end_so(ended: &Ended) -> bool {
    matches!(ended.code, None | Some(0 | 4 | 5 | 7 | 143))
}

fn play(seed: u64) {
    let mut dice = Dice(seed);
    let site = Site::serve();
    let project = Project::new(&site.url);
    let (living, ended, history) = (Vec::new(), Vec::new(), vec![format!("seed {seed}")]);
    let mut schedule = Schedule { site, project, living, ended, history };
    schedule.start(&["push"], Some(POINTS[dice.below(POINTS.len())]));
    schedule.start(&["push"], None);
    for _ in 0..4 + dice.below(10) {
        schedule.step(&mut dice);
    }
    while !schedule.living.is_empty() {
        schedule.wait(0);
    }
    let Schedule { site, project, ended, mut history, .. } = schedule;
    for one in &ended {
        assert!(may_end_so(one), "{one:#?}\n{history:#?}");
        let password = crate::stage::password();
        let told = [&one.stdout, &one.stderr].iter().any(|text| text.contains(&password));
        assert!(!told, "the password was told: {one:#?}");
    }
    site.with(oncepress::sandbox::Simulated::clear_faults);
    let last = until_quiet(&project, &mut history);
    for slug in ARTICLES {
        let creates = site.creates(slug);
        let sends = sends(&project, slug);
        assert!(creates <= sends, "{slug}: {creates} creates, {sends} sends\n{history:#?}");
    }
    judge(&site, &project, &last, &history);
}

/// How often the record says that a send was begun.
fn sends(project: &Project, slug: &str) -> usize {
    let name = format!("{slug}.json");
    let records = project.records();
    let record = records.iter().find(|(path, _)| path.ends_with(&name));
    let attempts = record.and_then(|(_, record)| record["attempts"].as_u64());
    usize::try_from(attempts.unwrap_or(0)).unwrap()
}

#[test]
fn runs_that_stop_kill_and_outlive_each_other_make_one_post() {
    let chosen = std::env::var("ONCEPRESS_SCHEDULE_SEED").ok();
    if let Some(seed) = chosen.and_then(|seed| seed.parse().ok()) {
        return play(seed);
    }
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::SeqCst);
                    if seed >= SCHEDULES {
                        break;
                    }
                    // What went wrong is printed by the panic itself.
                    if std::panic::catch_unwind(|| play(seed as u64)).is_err() {
                        next.store(SCHEDULES, Ordering::SeqCst);
                        failed.lock().unwrap().push(format!(
                            "ONCEPRESS_SCHEDULE_SEED={seed} cargo test --features crash-points \
                             --test two_runs schedules"
                        ));
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "to play it again:\n{}", failed.join("\n"));
    crate::stage::count("two runs", &format!("{SCHEDULES} schedules of 2 to 8 processes"));
}
