//! Long random histories, each from a seed.
//!
//! Absent from here: judging. The one rule: a seed is a history, on every machine.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use oncepress::sandbox::{Counted, Fault, Kind};

use crate::action::{Act, Action, Death, Decision, Point, Push, Sent, Thing, Token};
use crate::cast::Cast;
use crate::dice::Dice;
use crate::failure::{Failure, Origin};
use crate::play::Player;
use crate::quiet;
use crate::state::State;

/// Actions in a history.
const ACTIONS_MIN: usize = 15;
const ACTIONS_MAX: usize = 40;
/// Throws for one action, until one is possible.
const THROWS_MAX: usize = 12;
/// Failures after which no more seeds are begun.
const FAILURES_MAX: usize = 3;

/// What can happen to a create or an upload.
const TO_WRITES: [&str; 24] = [
    "lose-request",
    "lose-answer",
    "lose-answer",
    "late:1",
    "late:100",
    "twice:first",
    "twice:second",
    "twice:nothing",
    "fail-after:500",
    "fail-after:502",
    "fail-after:504",
    "refuse-after:rest_cannot_update",
    "refuse-after:rest_invalid_type",
    "hide",
    "hide:counted",
    "partly",
    "partial-terms",
    "dead-images:500",
    "dead-images:empty",
    "refuse",
    "busy:429",
    "challenge:200",
    "redirect:302:away",
    "warning",
];
/// What can happen to every request.
const TO_ALL: [&str; 9] = [
    "lose-request",
    "lose-answer",
    "busy:503",
    "challenge:202",
    "challenge:403",
    "redirect:301:slash",
    "warning",
    "cut:10",
    "slow:61",
];
/// What can happen to look-ups.
const TO_LOOK_UPS: [&str; 3] = ["stale", "drop-filter", "stale:1"];
/// Requests that a run makes.
const KINDS: [Kind; 10] = [
    Kind::Index,
    Kind::Me,
    Kind::LookUp,
    Kind::LookUpMedia,
    Kind::Receipts,
    Kind::Read,
    Kind::List,
    Kind::Terms,
    Kind::CreateTag,
    Kind::PostProcess,
];

/// What was played.
#[derive(Debug)]
pub(crate) struct Counts {
    pub(crate) seeds: u64,
    pub(crate) actions: u64,
    pub(crate) failures: Vec<Failure>,
}

/// Plays the histories of these seeds, on so many threads.
pub(crate) fn play_all(seeds: u64, threads: usize) -> Counts {
    let (next, actions) = (AtomicU64::new(0), AtomicU64::new(0));
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::SeqCst);
                    let failed = || failures.lock().expect("nobody panicked with it");
                    if seed >= seeds || failed().len() >= FAILURES_MAX {
                        return;
                    }
                    let (played, failure) = play(seed);
                    actions.fetch_add(played, Ordering::SeqCst);
                    failed().extend(failure);
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("nobody panicked with it");
    failures.sort_by_key(|failure| format!("{:?}", failure.origin));
    Counts { seeds, actions: actions.into_inner(), failures }
}

/// The cast of a seed.
pub(crate) fn cast_of(seed: u64) -> Cast {
    Cast::thrown(&mut Dice::of_seed(seed))
}

/// The actions of a seed's history, as far as it goes.
pub(crate) fn actions_of(seed: u64) -> Vec<Action> {
    let mut actions = Vec::new();
    let _told_by_the_replay = catch_unwind(AssertUnwindSafe(|| play_into(seed, &mut actions)));
    actions
}

/// Plays the history of a seed; and how many actions it has.
fn play(seed: u64) -> (u64, Option<Failure>) {
    let mut actions = Vec::new();
    let wrongs = catch_unwind(AssertUnwindSafe(|| play_into(seed, &mut actions)));
    let wrongs = wrongs.unwrap_or_else(|_| vec!["no-panic: it panicked".to_owned()]);
    let count = actions.len() as u64;
    let origin = Origin::Seed(seed);
    let failure = (!wrongs.is_empty()).then_some(Failure { origin, actions, wrongs });
    (count, failure.map(|failure| shrunk(failure, seed)))
}

fn play_into(seed: u64, actions: &mut Vec<Action>) -> Vec<String> {
    let mut dice = Dice::of_seed(seed);
    let cast = Cast::thrown(&mut dice);
    let mut player = Player::of(cast.clone());
    let mut state = State::of(&cast);
    let length = ACTIONS_MIN + dice.below(ACTIONS_MAX - ACTIONS_MIN + 1);
    for _ in 0..length {
        for _ in 0..THROWS_MAX {
            let action = thrown(&mut dice, &cast, &state);
            actions.push(action);
            let action = actions.last().expect("it was just put there");
            let Ok(played) = player.play(&state, action) else {
                actions.pop();
                continue;
            };
            if !played.wrongs.is_empty() {
                return played.wrongs;
            }
            state = played.state;
            break;
        }
    }
    quiet::end(&mut player, &state).wrongs
}

/// What is found wrong when these actions are played and ended.
fn wrongs_of(cast: &Cast, actions: &[Action]) -> Vec<String> {
    let mut player = Player::of(cast.clone());
    let mut state = State::of(cast);
    for action in actions {
        match player.play(&state, action) {
            Ok(played) if played.wrongs.is_empty() => state = played.state,
            Ok(played) => return played.wrongs,
            Err(_) => {}
        }
    }
    quiet::end(&mut player, &state).wrongs
}

/// The same failure with as few actions as leaving out one after the other gives.
fn shrunk(failure: Failure, seed: u64) -> Failure {
    let cast = cast_of(seed);
    let mut smallest = failure;
    let mut index = 0;
    while index < smallest.actions.len() {
        let mut actions = smallest.actions.clone();
        actions.remove(index);
        let wrongs = catch_unwind(AssertUnwindSafe(|| wrongs_of(&cast, &actions)));
        let wrongs = wrongs.unwrap_or_else(|_| vec!["no-panic: it panicked".to_owned()]);
        let smaller = Failure { origin: smallest.origin, actions, wrongs };
        if smaller.rule() == smallest.rule() {
            smallest = smaller;
        } else {
            index += 1;
        }
    }
    smallest
}

fn thrown(dice: &mut Dice, cast: &Cast, state: &State) -> Action {
    if state.abandoned().is_some() && !dice.one_in(4) {
        return Action::Unlock(Token::Right);
    }
    let article = dice.below(cast.articles.len());
    let images = cast.images_of(article);
    let image = (!images.is_empty()).then(|| *dice.one_of(&images));
    let about_image = image.filter(|_| dice.one_in(3));
    let thing = about_image.map_or(Thing::Article(article), Thing::Image);
    let counted = if dice.one_in(2) { Counted::Counted } else { Counted::Uncounted };
    match dice.below(100) {
        0..=13 => Action::Push(Push::default()),
        14..=45 => Action::Push(thrown_push(dice)),
        46..=47 => Action::Plan,
        48 => Action::Status,
        49 => Action::Unlock(Token::Wrong),
        50..=63 => {
            let decision = *dice.one_of(&Decision::ALL);
            Action::Resolve { article, image: about_image, decision }
        }
        64..=67 => Action::Edit(thing),
        68..=70 => Action::EditBack(thing),
        71..=80 => Action::OnSite(*dice.one_of(&Act::TO_OURS), thing),
        81..=83 => Action::OnSite(Act::Write, Thing::Article(article)),
        84 => Action::OnSite(Act::TrashTheirs, Thing::Article(article)),
        85..=86 => Action::OnSite(Act::DeleteTheirs, Thing::Article(article)),
        87..=89 => Action::Hide(thing, counted),
        90..=92 => Action::Show(thing),
        93 => Action::Stale,
        94..=95 => Action::Fresh,
        96 => Action::Forget(thing),
        _ => Action::Hour,
    }
}

fn thrown_push(dice: &mut Dice) -> Push {
    let mut push = Push::default();
    let sent = if dice.one_in(2) { Sent::Article } else { Sent::Upload };
    match dice.below(12) {
        0..=5 => push.faults.push(to_write(dice, sent.kind())),
        6 => push.faults.extend([to_write(dice, sent.kind()), to_any(dice)]),
        7 => push.faults.push(to_any(dice)),
        8 => push.unreachable = Some(sent.kind()),
        9 => push.second = Some(sent.kind()),
        10 => push.interrupted = Some(sent.kind()),
        _ => {}
    }
    if push == Push::default() || dice.one_in(4) {
        let point = *dice.one_of(&Point::ALL);
        let step = Death::Step(1 + dice.below(90));
        push.dies = Some(if dice.one_in(3) { step } else { Death::At(sent, point) });
    }
    push
}

fn to_write(dice: &mut Dice, kind: Kind) -> Fault {
    loop {
        // The second one of a run now and then.
        let nth = if dice.one_in(5) { ":2" } else { "" };
        let accident = dice.one_of(&TO_WRITES);
        let nth = if nth.is_empty() { ":1" } else { nth };
        // Not every accident can happen to every kind.
        if let Ok(fault) = format!("{kind}{nth}={accident}").parse() {
            return fault;
        }
    }
}

fn to_any(dice: &mut Dice) -> Fault {
    loop {
        let kind = dice.one_of(&KINDS);
        let is_common = dice.one_in(2);
        let accident = if is_common { dice.one_of(&TO_ALL) } else { dice.one_of(&TO_LOOK_UPS) };
        if let Ok(fault) = format!("{kind}={accident}").parse() {
            return fault;
        }
    }
}
