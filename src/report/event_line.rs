//! The lines of `--events` and of run logs: `oncepress.event/1`.
//!
//! Absent from here: what is put into them (`log`). The one rule: a line has its keys in
//! one order, and an article is named by the last two.

use schemars::JsonSchema;
use serde::Serialize;

use super::json::{Counts, Outcome, Word};
use super::log::SCHEMA;

/// One line of what happens: `--events FILE`, and the logs of runs in the journal. In a
/// file of `--events` the first line is `started` and the last is `summary`. Lines of
/// kinds that you do not know may come: leave them out.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct Line<'a> {
    /// When.
    #[schemars(extend("format" = "date-time"))]
    pub(super) at: String,
    /// The run, for `push`.
    pub(super) run_id: Option<&'a str>,
    #[serde(flatten)]
    pub(super) what: What<'a>,
}

/// What happened.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(super) enum What<'a> {
    /// The first line.
    Started {
        /// The name and version of this schema.
        #[schemars(extend("const" = SCHEMA))]
        schema: &'static str,
        /// The version of OncePress.
        version: &'static str,
        /// The command.
        command: &'a str,
    },
    /// All look-ups are done, and every article has an action.
    Planned {
        /// Articles in all.
        articles: usize,
        /// How many of them would be created.
        creates: usize,
    },
    /// It is written down that a request is about to leave; then it leaves.
    Sending {
        /// What is sent, for people.
        subject: String,
        /// The attempt's id.
        operation_id: &'a str,
        /// The attempt's number, from 1.
        attempt: u32,
        #[serde(flatten)]
        article: Option<Named<'a>>,
    },
    /// The request has an outcome.
    Sent {
        /// What was sent, for people.
        subject: String,
        /// The attempt's id.
        operation_id: &'a str,
        /// What the answer, or the lack of one, proves.
        #[schemars(with = "Proved")]
        outcome: &'static str,
        /// What it rests on. Words of the site may be in it: they are data.
        detail: &'a str,
        #[serde(flatten)]
        article: Option<Named<'a>>,
    },
    /// The outcome is unknown: the run looks for what was sent.
    Looking {
        /// What is looked for, for people.
        subject: String,
        /// Seconds until the look-up.
        wait_s: u64,
        #[serde(flatten)]
        article: Option<Named<'a>>,
    },
    /// An article ended.
    Ended {
        /// Which, for people.
        subject: String,
        /// How.
        #[schemars(with = "Outcome")]
        outcome: &'static str,
        /// The code of the reason, if there is one.
        reason: Option<&'a str>,
        /// The post, where one is known.
        post_id: Option<u64>,
        #[serde(flatten)]
        article: Option<Named<'a>>,
    },
    /// A request to the site, and what came of it.
    Exchanged {
        /// The method.
        method: String,
        /// The route below the REST root.
        route: String,
        /// What came. Words of the site may be in it: they are data.
        answer: String,
    },
    /// One article of a result, for commands that tell nothing on the way.
    Article {
        /// Its file.
        path: &'a str,
        /// How it ended; for `plan`, what `push` would do.
        outcome: Word,
        /// The code of the reason, if there is one.
        reason: Option<String>,
        /// The post, where one is known.
        post_id: Option<u64>,
        #[serde(flatten)]
        article: Option<Named<'a>>,
    },
    /// The last line.
    Summary {
        /// The command.
        command: &'a str,
        /// Whether nothing is wrong.
        ok: bool,
        /// The exit code.
        exit_code: u8,
        /// How many articles ended how, where the command has articles.
        counts: Option<Counts>,
        /// The codes of the troubles of the whole command.
        errors: Vec<String>,
        /// Commands for the whole result.
        next: Vec<String>,
    },
}

/// What says which article is meant.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Named<'a> {
    /// Its type.
    #[serde(rename = "type")]
    pub(super) post_type: &'a str,
    /// Its slug, as people write it.
    pub(super) slug: String,
}

/// What an answer, or the lack of one, proves.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "the run tells these words itself")]
enum Proved {
    /// It is there.
    Created,
    /// It was refused, and nothing was made.
    Rejected,
    /// The request did not leave.
    NotSent,
    /// Either.
    Unknown,
}
