//! What a failing case prints: what was wrong, the command that replays it, and each
//! action with the state after it.
//!
//! Absent from here: finding it. The one rule: the command that is printed plays exactly
//! this case, in any checkout of the same version.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use crate::action::{Action, Thing, written};
use crate::cast::Cast;
use crate::play::{Player, Ran};
use crate::state::State;
use crate::{quiet, random};

/// The variable that holds a history to be replayed.
pub(crate) const HISTORY: &str = "ONCEPRESS_HISTORY";
/// The variable that holds the seed of one random history.
pub(crate) const SEED: &str = "ONCEPRESS_HISTORY_SEED";

/// Which test plays it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Origin {
    Exploration,
    Seed(u64),
}

/// A case that went wrong.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) origin: Origin,
    pub(crate) actions: Vec<Action>,
    pub(crate) wrongs: Vec<String>,
}

impl Failure {
    /// Who took part.
    pub(crate) fn cast(&self) -> Cast {
        match self.origin {
            Origin::Exploration => Cast::of_the_exploration(),
            Origin::Seed(seed) => random::cast_of(seed),
        }
    }

    /// The rule that was broken first.
    pub(crate) fn rule(&self) -> &str {
        let first = self.wrongs.first().map(String::as_str).unwrap_or_default();
        first.split(':').next().unwrap_or_default()
    }

    /// Everything that ends the debugging.
    pub(crate) fn report(&self) -> String {
        let (test, seed) = match self.origin {
            Origin::Exploration => ("exploration", String::new()),
            Origin::Seed(seed) => ("random", format!("{SEED}={seed} ")),
        };
        let history = written(&self.actions);
        let mut text = self.wrongs.join("\n");
        let _infallible = write!(
            text,
            "\n\nreplay it with:\n{seed}{HISTORY}='{history}' cargo test --features crash-points \
             --test histories {test} -- --nocapture\n\n{}",
            trace(&self.cast(), &self.actions).0
        );
        text
    }
}

/// Plays a history and its end, and tells each step; and what was found wrong.
pub(crate) fn trace(cast: &Cast, actions: &[Action]) -> (String, Vec<String>) {
    let mut player = Player::of(cast.clone());
    let mut state = State::of(cast);
    let mut text = String::new();
    let mut wrongs = Vec::new();
    for action in actions {
        let _infallible = writeln!(text, "== {action}");
        match catch_unwind(AssertUnwindSafe(|| player.play(&state, action))) {
            Err(_) => {
                wrongs.push("no-panic: it panicked".to_owned());
                text += "it panicked\n";
                return (text, wrongs);
            }
            Ok(Err(why)) => {
                let _infallible = writeln!(text, "not possible here: {why:?}");
            }
            Ok(Ok(played)) => {
                text += &played.ran.as_ref().map(said).unwrap_or_default();
                text += &told(cast, &played.state);
                for wrong in played.wrongs {
                    let _infallible = writeln!(text, "WRONG {wrong}");
                    wrongs.push(wrong);
                }
                state = played.state;
            }
        }
    }
    let ended = quiet::end(&mut player, &state);
    let _infallible = writeln!(text, "== the end: {}", written(&ended.actions));
    for wrong in ended.wrongs {
        let _infallible = writeln!(text, "WRONG {wrong}");
        wrongs.push(wrong);
    }
    (text, wrongs)
}

/// What a run said, in a few lines.
fn said(ran: &Ran) -> String {
    let writes: Vec<_> =
        ran.heard.iter().filter(|kind| kind.is_write()).map(|kind| kind.name()).collect();
    let Some(said) = &ran.said else { return format!("it died; writes {writes:?}\n") };
    let json: Value = serde_json::from_str(&said.stdout).unwrap_or(Value::Null);
    let mut text = format!("exit {}; writes {writes:?}\n", said.exit.code());
    for entry in json["articles"].as_array().into_iter().flatten() {
        let _infallible = writeln!(
            text,
            "{} {} {} post {} effect {}",
            entry["slug"],
            entry.get("outcome").or(entry.get("action")).unwrap_or(&Value::Null),
            entry["reason"],
            entry["post_id"],
            entry["remote_effect"]
        );
    }
    for error in json["errors"].as_array().into_iter().flatten() {
        let _infallible = writeln!(text, "error {} {}", error["code"], error["message"]);
    }
    text
}

/// Records and rows, in a few lines.
fn told(cast: &Cast, state: &State) -> String {
    let mut text = String::new();
    let articles = (0..cast.articles.len()).map(Thing::Article);
    for thing in articles.chain((0..cast.images).map(Thing::Image)) {
        let subject = state.subject(cast, thing);
        let _infallible = write!(text, "{thing} {}; ", state.phase(&subject));
    }
    if state.abandoned().is_some() {
        text += "a dead run's marker; ";
    }
    let ours = state.ledger.ours();
    for row in state.site.world().posts() {
        let whose = if ours.contains(&row.id) { "ours" } else { "theirs" };
        let hidden = state.site.hidden().get(&row.id).map_or("", |_| ", hidden");
        let (id, slug, status) = (row.id, &row.slug, row.status.name());
        let _infallible = write!(text, "row {id} {slug} ({status}, {whose}{hidden}); ");
    }
    if state.site.next_due().is_some() {
        text += "something is late; ";
    }
    text += "\n";
    text
}
