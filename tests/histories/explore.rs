//! Every history of one article and one image, up to a depth.
//!
//! Absent from here: judging, and when two states are the same (`canon`). The one rule:
//! each action is played once from each distinct state, so what is counted as executed
//! was executed, and every other history goes through states that are the same.
//!
//! A history is a sequence of actions, each possible where it happens, and each but the
//! last changing something. An action that changes nothing is played and ends there: what
//! would follow it is what follows without it.

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::action::Action;
use crate::canon::{Form, form};
use crate::cast::Cast;
use crate::failure::{Failure, Origin};
use crate::play::{Player, Pruned};
use crate::quiet;
use crate::state::State;

/// Failures after which the exploration ends.
const FAILURES_MAX: usize = 3;

/// What was explored.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// Actions played from a distinct state; each ends another history.
    pub(crate) executed: u64,
    /// Actions played to end cases.
    pub(crate) endings: u64,
    /// Distinct states.
    pub(crate) states: usize,
    /// Histories, those among them that go through states that were merged.
    pub(crate) histories: u128,
    /// Actions that were not possible, by the reason.
    pub(crate) pruned: BTreeMap<Pruned, u64>,
    pub(crate) failures: Vec<Failure>,
}

/// A distinct state.
struct Node {
    state: Option<State>,
    form: Form,
    /// The state before it, and the action that led here first.
    from: Option<(usize, Action)>,
    /// Where its actions lead: nowhere, if they change nothing.
    edges: Option<Vec<Option<usize>>>,
}

/// What one action led to.
enum Led {
    Pruned(Pruned),
    Nowhere,
    To(Box<State>, Form),
    Wrong(Vec<String>),
}

/// The explorer.
pub(crate) struct Explorer {
    cast: Cast,
    nodes: Vec<Node>,
    known: HashMap<Form, usize>,
    counts: Counts,
    threads: usize,
}

impl Explorer {
    pub(crate) fn of(cast: Cast, threads: usize) -> Self {
        let state = State::of(&cast);
        let form = form(&state);
        let root = Node { state: Some(state), form, from: None, edges: None };
        let known = HashMap::from([(form, 0)]);
        Self { cast, nodes: vec![root], known, counts: Counts::default(), threads }
    }

    /// Explores: at each depth with the actions that are given for it. From each distinct
    /// state but those at the last depth, the end of the case is played too.
    pub(crate) fn explore(mut self, alphabets: &[Vec<Action>]) -> Counts {
        // How many histories of this length end in each state.
        let mut layer = BTreeMap::from([(0_usize, 1_u128)]);
        let mut fresh = vec![0];
        for alphabet in alphabets {
            self.end_cases(&fresh);
            fresh = self.expand(&layer, alphabet);
            if !self.counts.failures.is_empty() {
                break;
            }
            layer = self.next(&layer);
        }
        self.counts.states = self.nodes.len();
        self.counts
    }

    /// Plays these actions from every state of the layer that was not expanded yet, and
    /// gives the states that are new.
    fn expand(&mut self, layer: &BTreeMap<usize, u128>, alphabet: &[Action]) -> Vec<usize> {
        let due: Vec<usize> =
            layer.keys().copied().filter(|index| self.nodes[*index].edges.is_none()).collect();
        let nodes = &self.nodes;
        let led = on_threads(self.threads, &self.cast, &due, |player, index| {
            let state = nodes[index].state.as_ref().expect("it is kept until it is expanded");
            alphabet.iter().map(|action| lead(player, state, nodes[index].form, action)).collect()
        });
        let mut fresh = Vec::new();
        for (index, led) in due.iter().zip(led) {
            let led: Vec<Led> = led;
            let mut edges = Vec::new();
            for (action, led) in alphabet.iter().zip(led) {
                match led {
                    Led::Pruned(why) => *self.counts.pruned.entry(why).or_default() += 1,
                    Led::Nowhere => edges.push(None),
                    Led::To(state, form) => {
                        let to = *self.known.entry(form).or_insert_with(|| {
                            let from = Some((*index, action.clone()));
                            let state = Some(*state);
                            self.nodes.push(Node { state, form, from, edges: None });
                            fresh.push(self.nodes.len() - 1);
                            self.nodes.len() - 1
                        });
                        edges.push(Some(to));
                    }
                    Led::Wrong(wrongs) => self.fail(*index, vec![action.clone()], wrongs),
                }
            }
            self.counts.executed += edges.len() as u64;
            self.nodes[*index].edges = Some(edges);
            self.nodes[*index].state = None;
        }
        fresh
    }

    /// Plays the end of the case from each of these states.
    fn end_cases(&mut self, fresh: &[usize]) {
        let nodes = &self.nodes;
        let ended = on_threads(self.threads, &self.cast, fresh, |player, index| {
            let state = nodes[index].state.as_ref().expect("it is new");
            let ended = catch_unwind(AssertUnwindSafe(|| quiet::end(player, state)));
            ended.map_err(|_| ())
        });
        for (index, ended) in fresh.iter().zip(ended) {
            match ended {
                Ok(ended) => {
                    self.counts.endings += ended.actions.len() as u64;
                    if !ended.wrongs.is_empty() {
                        self.fail(*index, Vec::new(), ended.wrongs);
                    }
                }
                Err(()) => self.fail(*index, Vec::new(), vec!["no-panic: at its end".to_owned()]),
            }
        }
    }

    fn fail(&mut self, index: usize, last: Vec<Action>, wrongs: Vec<String>) {
        if self.counts.failures.len() >= FAILURES_MAX {
            return;
        }
        let mut actions = last;
        let mut index = index;
        while let Some((from, action)) = &self.nodes[index].from {
            actions.insert(0, action.clone());
            index = *from;
        }
        self.counts.failures.push(Failure { origin: Origin::Exploration, actions, wrongs });
    }

    /// Counts the histories that are one action longer, and gives where they end.
    fn next(&mut self, layer: &BTreeMap<usize, u128>) -> BTreeMap<usize, u128> {
        let mut next = BTreeMap::new();
        for (index, histories) in layer {
            for edge in self.nodes[*index].edges.iter().flatten() {
                self.counts.histories += histories;
                if let Some(to) = edge {
                    *next.entry(*to).or_default() += histories;
                }
            }
        }
        next
    }
}

/// Plays one action, and says where it leads.
fn lead(player: &mut Player, state: &State, from: Form, action: &Action) -> Led {
    match catch_unwind(AssertUnwindSafe(|| player.play(state, action))) {
        Err(_) => Led::Wrong(vec!["no-panic: it panicked".to_owned()]),
        Ok(Err(why)) => Led::Pruned(why),
        Ok(Ok(played)) if !played.wrongs.is_empty() => Led::Wrong(played.wrongs),
        Ok(Ok(played)) => {
            let form = form(&played.state);
            if form == from { Led::Nowhere } else { Led::To(Box::new(played.state), form) }
        }
    }
}

/// Does the work for each index on several threads; the results are in the same order.
fn on_threads<T: Send>(
    threads: usize,
    cast: &Cast,
    indices: &[usize],
    work: impl Fn(&mut Player, usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut player = Player::of(cast.clone());
                loop {
                    let place = next.fetch_add(1, Ordering::SeqCst);
                    let Some(index) = indices.get(place) else { return };
                    let result = work(&mut player, *index);
                    done.lock().expect("nobody panicked with it").insert(place, result);
                }
            });
        }
    });
    let done = done.into_inner().expect("nobody panicked with it");
    done.into_values().collect()
}
