//! `oncepress schema`: the JSON Schema of one document; and which keys `--fields` knows.
//!
//! Absent from here: the documents, which are all over the house. The one rule: every
//! document that a command writes, or reads, has its row in the table.

use schemars::JsonSchema;
use serde::Serialize;

use crate::explain::near;
use crate::report::exit::Exit;
use crate::report::json::{self, CheckDocument, ErrorEntry, Tense};
use crate::report::log;
use crate::report::plan_file::PlanFile;
use crate::run::result::Trouble;
use crate::schema::fields::Fields;
use crate::schema::written;

use super::args::{Cli, Command, Schema};
use super::console::Console;
use super::world::World;
use super::{explain, init, sandbox, session, shell};

const SCHEMA: &str = "oncepress.schemas/1";

/// A document, what it is, and its schema.
struct Row {
    name: &'static str,
    what: &'static str,
    schema: fn() -> schemars::Schema,
}

const TABLE: [Row; 16] = [
    Row {
        name: "result",
        what: "plan, push, status, resolve and unlock --json; other commands --json where they fail",
        schema: || written::<json::Document>("result"),
    },
    Row { name: "check", what: "check --json", schema: || written::<CheckDocument<'_>>("check") },
    Row {
        name: "error",
        what: "an entry of errors in a result",
        schema: || written::<ErrorEntry>("error"),
    },
    Row {
        name: "plan",
        what: "the file of plan --out and push --plan",
        schema: || written::<PlanFile>("plan"),
    },
    Row {
        name: "event",
        what: "a line of --events, and of runs/ in the journal",
        schema: log::schema,
    },
    Row { name: "record", what: "a record of the journal", schema: crate::journal::record_schema },
    Row { name: "config", what: "oncepress.toml", schema: crate::config::schema },
    Row {
        name: "doctor",
        what: "doctor --json",
        schema: || written::<crate::doctor::json::Document<'_>>("doctor"),
    },
    Row {
        name: "explanation",
        what: "explain --json",
        schema: || written::<explain::Document<'_>>("explanation"),
    },
    Row { name: "init", what: "init --json", schema: || written::<init::Document<'_>>("init") },
    Row {
        name: "rehearsal",
        what: "rehearse --json",
        schema: || written::<crate::rehearse::Document<'_>>("rehearsal"),
    },
    Row {
        name: "sandbox",
        what: "sandbox --json",
        schema: || written::<sandbox::Document<'_>>("sandbox"),
    },
    Row {
        name: "faults",
        what: "sandbox --list-faults --json",
        schema: || written::<sandbox::FaultsDocument>("faults"),
    },
    Row {
        name: "completions",
        what: "completions --json",
        schema: || written::<shell::CompletionsDocument>("completions"),
    },
    Row { name: "man", what: "man --json", schema: || written::<shell::ManDocument>("man") },
    Row {
        name: "schemas",
        what: "schema without a name",
        schema: || written::<Document>("schemas"),
    },
];

/// What there are schemas of: what `schema` prints without a name.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Document {
    /// The name and version of this schema.
    #[schemars(extend("const" = SCHEMA))]
    schema: &'static str,
    /// The command.
    #[schemars(extend("const" = "schema"))]
    command: &'static str,
    /// Whether nothing is wrong.
    ok: bool,
    /// The exit code.
    exit_code: u8,
    /// What there are schemas of.
    schemas: Vec<Entry>,
}

/// One document.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "SchemaEntry")]
struct Entry {
    /// What `oncepress schema NAME` calls it.
    name: &'static str,
    /// What it is.
    what: &'static str,
}

/// Always JSON, because that is what a schema is; on many lines for people.
pub(super) fn run(args: &Schema, world: &World, console: Console<'_>) -> Exit {
    let text = match &args.name {
        None => pretty_or_line(&list(), console),
        Some(name) => match TABLE.iter().find(|row| row.name == name) {
            Some(row) => pretty_or_line(&(row.schema)(), console),
            None => Err(no_schema(name)),
        },
    };
    match text {
        Ok(text) => world.streams.print(&(text + "\n"), Exit::Settled),
        Err(trouble) => {
            let exit = Exit::of_trouble(trouble.kind);
            console.finish("schema", Tense::Done, &session::failed(trouble), exit)
        }
    }
}

fn pretty_or_line(document: &impl Serialize, console: Console<'_>) -> Result<String, Trouble> {
    let text = if console.is_json() {
        serde_json::to_string(document)
    } else {
        serde_json::to_string_pretty(document)
    };
    text.map_err(|error| super::internal(format!("the schema can't be written: {error}")))
}

fn list() -> Document {
    let entry = |Row { name, what, .. }: &Row| Entry { name, what };
    Document {
        schema: SCHEMA,
        command: "schema",
        ok: true,
        exit_code: Exit::Settled.code(),
        schemas: TABLE.iter().map(entry).collect(),
    }
}

fn no_schema(name: &str) -> Trouble {
    let names: Vec<&str> = TABLE.iter().map(|row| row.name).collect();
    let message = format!("there is no schema called {name:?}");
    session::usage("no_schema", message, format!("the schemas are {}", names.join(", ")))
}

/// The documents that a command can print.
fn printed_by(command: &Command) -> &'static [&'static str] {
    match command {
        Command::Init(_) => &["init", "result"],
        Command::Check(_) => &["check", "result"],
        Command::Doctor(_) => &["doctor", "result"],
        Command::Plan(_)
        | Command::Push(_)
        | Command::Status(_)
        | Command::Resolve(_)
        | Command::Unlock(_) => &["result"],
        Command::Explain(_) => &["explanation", "result"],
        Command::Completions(_) => &["completions", "result"],
        Command::Man(_) => &["man", "result"],
        // A part of a schema is no schema.
        Command::Schema(_) => &[],
        Command::Rehearse(_) => &["rehearsal", "result"],
        Command::Sandbox(_) => &["sandbox", "faults", "result"],
    }
}

/// Whether `--fields` asks for keys that there are. Told before anything is done: a
/// command must not push first and be called wrong afterwards.
pub(super) fn check_fields(cli: &Cli) -> Result<(), Trouble> {
    let asked = &cli.global.fields;
    if asked.is_empty() {
        return Ok(());
    }
    if !cli.global.json {
        let message = "--fields cuts JSON, and --json is not there; nothing was done".to_owned();
        return Err(session::usage("bad_arguments", message, "add --json"));
    }
    let names = printed_by(&cli.command);
    let rows = TABLE.iter().filter(|row| names.contains(&row.name));
    let schemas: Vec<schemars::Schema> = rows.map(|row| (row.schema)()).collect();
    let Some((path, known)) = Fields::named(asked).unknown(&schemas) else { return Ok(()) };
    let command = cli.command.name();
    // What was meant is most often the same key at another place.
    let ends = format!(".{path}");
    let mut likely: Vec<&str> =
        known.iter().filter(|key| key.ends_with(&ends)).map(String::as_str).collect();
    likely.sort_by_key(|key| key.len());
    if likely.is_empty() {
        let deep = |key: &&String| key.matches('.').count() == path.matches('.').count();
        likely = near(&path, known.iter().filter(deep));
    }
    let hint = match (names, likely.as_slice()) {
        ([], _) => "oncepress schema prints whole schemas".to_owned(),
        ([name, ..], []) => format!("oncepress schema {name} lists every key"),
        (_, likely) => format!("is {} meant?", likely.join(" or ")),
    };
    let message = format!("{command} --json has no key {path:?}; nothing was done");
    Err(session::usage("no_field", message, hint))
}
