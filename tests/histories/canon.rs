//! When two states are the same: the form of a state in which what can't matter is left
//! out.
//!
//! Absent from here: the explorer, which merges equal states. The one rule: the form
//! keeps everything on which a run, a person or a judge could depend; what is left out,
//! and why that is sound:
//!
//! - Names of runs and operations, random numbers, and numbers of requests: they are only
//!   compared for being the same within one file, or for having been used, which is kept.
//! - Times: a run asks the clock only whether a send is settled, and the site only what
//!   is due. Both are kept as past or future, and a future that is near is kept to the
//!   second: near is what all runs that follow could take together.
//! - Serial numbers and checksums of records: they tell an older version of one file from
//!   a newer one, and no action brings an older version back.
//! - The lock's file, which is empty; unfinished files, which the next run removes before
//!   it reads anything; logs of runs, which nothing reads.
//! - Sends that were proved to have made nothing: nothing is asked about them any more.

use jiff::Timestamp;
use oncepress::names::Digest;
use oncepress::sandbox::World;
use serde_json::{Map, Value};

use crate::cast::JOURNAL;
use crate::stage::standing;
use crate::state::State;

/// A time that is so far in the future is reached only when an hour passes: the longest
/// history of the exploration has fewer than ten runs after any send, none of which takes
/// eight seconds.
const FAR_S: i64 = 80;

/// What is left out of records and of the site, by the names of its fields.
const LEFT_OUT: [&str; 15] = [
    "operation_id",
    "prepared_run_id",
    "sending_run_id",
    "prepared_at",
    "sent_at",
    "at",
    "since",
    "serial",
    "checksum",
    "requests",
    "changes",
    "number",
    "modified",
    "date",
    "users",
];
/// Times of which it is kept whether they are over.
const DUE: [&str; 2] = ["settle_until", "due"];
/// Times of which it is kept whether there is one.
const PRESENT: [&str; 2] = ["date_gmt", "withdrawn"];

/// A state's form, in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Form(Digest);

/// The form of a state.
pub(crate) fn form(state: &State) -> Form {
    Form(Digest::of(text(state).as_bytes()))
}

/// The form of a state, as text.
pub(crate) fn text(state: &State) -> String {
    let mut text = format!("articles={:?} images={:?}\n", state.articles, state.images);
    for (name, bytes) in &state.journal {
        let name = name.strip_prefix(JOURNAL).unwrap_or(name);
        if name == "/lock" || name.contains("/.tmp-") {
            continue;
        }
        let content = match name {
            "/run.json" => "a marker".to_owned(),
            _ => match serde_json::from_slice(bytes) {
                Ok(value) => masked(state.now(), value).to_string(),
                Err(_) => String::from_utf8_lossy(bytes).into_owned(),
            },
        };
        text += &format!("{name}: {content}\n");
    }
    let site = serde_json::to_value(&state.site).expect("a site is JSON");
    text += &format!("site: {}\n", masked(state.now(), site));
    if let Some(stale) = &state.stale {
        text += &format!("stale: {}\n", world(state, stale));
    }
    for (subject, story) in state.ledger.stories() {
        let record = state.record(subject).and_then(|record| standing(&record));
        text += &format!("{subject:?}: {}\n", story.essence(record));
    }
    text += &format!("edited={:?} theirs={:?}", state.ledger.edited, state.ledger.theirs);
    text
}

fn world(state: &State, world: &World) -> Value {
    if world == state.site.world() {
        return Value::Bool(true);
    }
    masked(state.now(), serde_json::to_value(world).expect("a world is JSON"))
}

fn masked(now: Timestamp, value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let kept = object.into_iter().filter(|(name, _)| !LEFT_OUT.contains(&name.as_str()));
            let kept = kept.map(|(name, value)| {
                let value = if DUE.contains(&name.as_str()) {
                    due(now, &value)
                } else if PRESENT.contains(&name.as_str()) {
                    Value::Bool(!value.is_null())
                } else {
                    masked(now, value)
                };
                (name, value)
            });
            Value::Object(kept.collect::<Map<_, _>>())
        }
        Value::Array(values) => values.into_iter().map(|value| masked(now, value)).collect(),
        other => other,
    }
}

fn due(now: Timestamp, value: &Value) -> Value {
    let Some(time) = value.as_str().and_then(|text| text.parse::<Timestamp>().ok()) else {
        return value.clone();
    };
    let left_s = time.duration_since(now).as_secs();
    if time <= now {
        "past".into()
    } else if left_s >= FAR_S {
        "future".into()
    } else {
        left_s.into()
    }
}
