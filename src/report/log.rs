//! Events as lines: JSON for the run log, words for a terminal.
//!
//! Absent from here: the file and the terminal. The one rule: a line adds what was
//! learned (ids, statuses, codes) and never a body.

use serde_json::{Value, json as object};

use super::exit::Exit;
use super::json::{self, Tense};
use super::next_commands;
use crate::names::{ArticleKey, RunId, Timestamp};
use crate::run::codes;
use crate::run::event::{Event, Subject};
use crate::run::result::{ArticleResult, RunResult};

/// The name and version of the lines.
pub const SCHEMA: &str = "oncepress.event/1";

/// The first line of a file of events.
#[must_use]
pub fn first_line(command: &str, at: Timestamp) -> Value {
    object!({
        "at": at.to_string(), "run_id": null, "event": "started", "schema": SCHEMA,
        "version": env!("CARGO_PKG_VERSION"), "command": command,
    })
}

/// The last line of a file of events; `result` where the command has one.
#[must_use]
pub fn last_line(
    command: &'static str,
    exit: Exit,
    result: Option<(Tense, &RunResult)>,
    at: Timestamp,
) -> Value {
    let run = result.and_then(|(_, result)| result.run.as_ref());
    let codes = result.map_or_else(Vec::new, |(_, result)| {
        result.troubles.iter().map(|trouble| trouble.code.clone()).collect()
    });
    object!({
        "at": at.to_string(), "run_id": run.map(RunId::as_str), "event": "summary",
        "command": command, "ok": exit.is_good(), "exit_code": exit.code(),
        "counts": result.map(|(tense, result)| json::counts(tense, &result.articles)),
        "errors": codes,
        "next": result.map_or_else(Vec::new, |(_, result)| next_commands(command, result)),
    })
}

/// One article of a result, for commands that tell nothing on the way.
#[must_use]
pub fn article_line(
    tense: Tense,
    article: &ArticleResult,
    run: Option<&RunId>,
    at: Timestamp,
) -> Value {
    let mut line = object!({
        "at": at.to_string(), "run_id": run.map(RunId::as_str), "event": "article",
        "path": article.path, "outcome": json::word(tense, &article.verdict),
        "reason": codes(&article.verdict).1,
        "post_id": article.post.as_ref().map(|post| post.post_id.get()),
    });
    if let (Value::Object(line), Some(key)) = (&mut line, &article.key) {
        line.extend(named(key));
    }
    line
}

/// What says which article is meant.
fn named(key: &ArticleKey) -> [(String, Value); 2] {
    [
        ("type".to_owned(), key.post_type.as_str().into()),
        ("slug".to_owned(), key.slug.readable().into()),
    ]
}

/// The event as one line of the run log.
#[must_use]
pub fn line(event: &Event, run: &RunId, at: Timestamp) -> Value {
    let mut line = object!({ "at": at.to_string(), "run_id": run.as_str() });
    let fields = match event {
        Event::Planned { articles, creates } => {
            object!({ "event": "planned", "articles": articles, "creates": creates })
        }
        Event::Sending { subject, operation, attempt } => object!({
            "event": "sending", "subject": subject.to_string(),
            "operation_id": operation.as_str(), "attempt": attempt,
        }),
        Event::Sent { subject, operation, outcome, detail } => object!({
            "event": "sent", "subject": subject.to_string(),
            "operation_id": operation.as_str(), "outcome": outcome, "detail": detail,
        }),
        Event::Looking { subject, wait_s } => {
            object!({ "event": "looking", "subject": subject.to_string(), "wait_s": wait_s })
        }
        Event::Ended { subject, outcome, reason, post_id } => object!({
            "event": "ended", "subject": subject.to_string(),
            "outcome": outcome, "reason": reason, "post_id": post_id,
        }),
        Event::Exchanged(exchange) => object!({
            "event": "exchanged", "method": exchange.method, "route": exchange.route,
            "answer": exchange.came.to_string(),
        }),
    };
    if let (Value::Object(line), Value::Object(fields)) = (&mut line, fields) {
        line.extend(fields);
        if let Some(Subject::Article(key)) = event.subject() {
            line.extend(named(key));
        }
    }
    line
}

/// The event for a person who watches; nothing for what would only be noise.
#[must_use]
pub fn talk(event: &Event, detail: Detail) -> Option<String> {
    match (event, detail) {
        (Event::Planned { articles, creates }, _) => {
            let plural = if *articles == 1 { "" } else { "s" };
            Some(format!("{articles} article{plural}, {creates} to create"))
        }
        (Event::Looking { subject, wait_s }, _) => {
            let wait = if *wait_s == 0 { "now".to_owned() } else { format!("in {wait_s} s") };
            Some(format!("{subject}: the answer was lost; looking for it {wait}"))
        }
        // What was there before is told once, by the table at the end.
        (Event::Ended { outcome: "skipped", .. }, Detail::Progress) => None,
        (Event::Ended { subject, outcome, reason, post_id }, _) => {
            let id = post_id.map_or_else(String::new, |id| format!(" #{id}"));
            let reason = reason.as_deref().map_or_else(String::new, |code| format!(" ({code})"));
            Some(format!("{subject}: {outcome}{id}{reason}"))
        }
        (Event::Sending { subject, attempt, .. }, Detail::Everything) => {
            Some(format!("{subject}: sending, attempt {attempt}"))
        }
        (Event::Sent { subject, outcome, detail, .. }, Detail::Everything) => {
            let colon = if detail.is_empty() { "" } else { ": " };
            Some(format!("{subject}: {outcome}{colon}{detail}"))
        }
        (Event::Exchanged(exchange), Detail::Everything) => {
            Some(format!("{} {} -> {}", exchange.method, exchange.route, exchange.came))
        }
        (Event::Sending { .. } | Event::Sent { .. } | Event::Exchanged(_), Detail::Progress) => {
            None
        }
    }
}

/// How much a person wants to hear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// What goes on.
    Progress,
    /// Every request too (`--verbose`).
    Everything,
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Article(key) => key.fmt(f),
            Self::Image(path) => write!(f, "image {path}"),
            Self::Tag(name) => write!(f, "tag \"{name}\""),
        }
    }
}
