//! Two machines that share no journal: OncePress can't keep them from making two posts,
//! and never lets it pass in silence.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::Timestamp;
use oncepress::cli::inside::{Said, Surroundings, run};
use oncepress::run::interrupt::Interrupt;
use oncepress::sandbox::{Kept, PostKind, Request, Simulated, Version, World, received};
use oncepress::wordpress::Carrier;
use serde_json::Value;

use super::person::article;
use super::stage::{ARTICLES, Project, count, password};

/// How long a client waits; nothing is slow here.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(1);

struct Machine {
    project: Project,
}

impl Machine {
    fn new() -> Self {
        Self { project: Project::new("http://127.0.0.1:9/") }
    }

    fn push(&self, carrier: Carrier) -> (Said, Value) {
        let (never, interrupt) = tokio::sync::watch::channel(None);
        let surroundings = Surroundings {
            cwd: self.project.path().to_owned(),
            env: [
                ("ONCEPRESS_APP_PASSWORD".to_owned(), password()),
                ("TMPDIR".to_owned(), self.project.path().display().to_string()),
            ]
            .into_iter()
            .collect(),
            clock: Arc::new(Timestamp::now),
            random: Arc::new(|| getrandom::u64().unwrap()),
            carrier: Some(carrier),
            interrupt: Interrupt::new(interrupt),
        };
        let said = run(&["push", "--json"], surroundings);
        drop(never);
        let json = serde_json::from_str(&said.stdout).unwrap_or_else(|e| panic!("{e}: {said:#?}"));
        (said, json)
    }
}

fn carrier(kept: Arc<Kept>) -> Carrier {
    kept.carrier(Arc::new(Timestamp::now), PATIENCE)
}

fn site() -> Arc<Kept> {
    let world = World::new(Version::V7_1, "http://127.0.0.1:9");
    Arc::new(Kept::in_memory(Simulated::new(world)))
}

fn posts(kept: &Kept) -> Vec<String> {
    let slugs = |site: &mut Simulated| {
        let rows = site.world().posts().filter(|post| post.kind == PostKind::Post);
        rows.map(|post| post.slug.clone()).collect()
    };
    kept.with(Timestamp::now(), slugs).unwrap()
}

#[test]
fn the_second_machine_skips_what_the_first_has_made() {
    let kept = site();
    let (first, second) = (Machine::new(), Machine::new());
    first.push(carrier(kept.clone()));
    let (said, json) = second.push(carrier(kept.clone()));
    for slug in ARTICLES {
        let article = article(&json, slug).unwrap();
        assert_eq!(article["reason"], "exists", "{said:#?}");
    }
    assert_eq!(posts(&kept), ARTICLES);
}

/// The second machine does its whole run while the first one's create is on its way, for
/// each request of the first from its look-ups to its last create.
#[test]
fn two_machines_at_the_same_time_are_noticed_wherever_they_meet() {
    let mut cases = 0;
    for at in 1.. {
        let kept = site();
        let (first, second) = (Machine::new(), Machine::new());
        let asked = AtomicBool::new(false);
        let (said_by_second, meets) = (Arc::new(std::sync::Mutex::new(None)), Arc::new(asked));
        let seen = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let slot = said_by_second.clone();
        let (met, site_of_first) = (meets.clone(), kept.clone());
        let between: Carrier = Arc::new(move |request: Request| {
            if seen.fetch_add(1, Ordering::SeqCst) + 1 == at {
                met.store(true, Ordering::SeqCst);
                let site = site_of_first.clone();
                // On a thread of its own: a run has a runtime of its own.
                let other = std::thread::scope(|scope| {
                    scope.spawn(|| second.push(carrier(site))).join().unwrap()
                });
                *slot.lock().unwrap() = Some(other);
            }
            let now = Timestamp::now();
            let carried = site_of_first.with(now, |site| site.carry(&request, now)).unwrap();
            received(carried, PATIENCE)
        });
        let (said, json) = first.push(between);
        if !meets.load(Ordering::SeqCst) {
            break;
        }
        cases += 1;
        let other = said_by_second.lock().unwrap().take().unwrap();
        let found = posts(&kept);
        for slug in ARTICLES {
            let twins = found.iter().filter(|found| found.starts_with(slug)).count();
            assert!((1..=2).contains(&twins), "{at}: {found:?}");
            if twins == 2 {
                let noticed = [&json, &other.1].iter().any(|json| tells_of_a_twin(json, slug));
                assert!(noticed, "{at}: two posts for {slug} in silence\n{said:#?}\n{other:#?}");
            }
        }
    }
    assert!(cases >= 8, "the first machine asked only {cases} times");
    count("two machines", &format!("{cases} places to meet"));
}

/// Whether a result says that another post holds the slug.
fn tells_of_a_twin(json: &Value, slug: &str) -> bool {
    let article = article(json, slug).unwrap();
    let warned = article["warnings"]
        .as_array()
        .is_some_and(|all| all.iter().any(|warning| warning["code"] == "slug_changed"));
    let held = article["outcome"] == "held" || article["reason"] == "exists_several";
    warned || held
}
