//! `oncepress explain CODE`: what a code means, offline and without a configuration.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use crate::explain::{Explanation, all, near};
use crate::report::exit::Exit;
use crate::report::json::Tense;
use crate::run::result::Trouble;

use super::args::Explain;
use super::console::Console;
use super::session;
use super::world::World;

const SCHEMA: &str = "oncepress.explanation/1";
/// Columns of a terminal that nobody has widened.
const WIDTH: usize = 80;

pub(super) fn run(args: &Explain, world: &World, console: Console<'_>) -> Exit {
    match explained(args) {
        Ok(found) => {
            if console.is_json() {
                return console.print_json(&Document::of(&found), Exit::Settled);
            }
            world.streams.print(&as_text(args, &found), Exit::Settled)
        }
        Err(trouble) => {
            let exit = Exit::of_trouble(trouble.kind);
            console.finish("explain", Tense::Done, &session::failed(trouble), exit)
        }
    }
}

/// The codes that were named; all of them if none was.
fn explained(args: &Explain) -> Result<Vec<Explanation>, Trouble> {
    let mut codes = all().map_err(|error| super::internal(error.to_string()))?;
    if args.codes.is_empty() {
        return Ok(codes.into_values().collect());
    }
    let mut found = Vec::new();
    for code in &args.codes {
        let Some(one) = codes.remove(code.as_str()) else {
            let near = near(code, codes.keys());
            let hint = match near.as_slice() {
                [] => "oncepress explain lists every code".to_owned(),
                near => format!("is {} meant?", near.join(" or ")),
            };
            let message = format!(
                "{code:?} is no code of OncePress; codes that begin with rest_ are WordPress' own"
            );
            return Err(session::usage("no_code", message, hint));
        };
        found.push(one);
    }
    Ok(found)
}

/// What codes mean: what `explain --json` prints.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct Document<'a> {
    /// The name and version of this schema.
    #[schemars(extend("const" = SCHEMA))]
    schema: &'static str,
    /// The command.
    #[schemars(extend("const" = "explain"))]
    command: &'static str,
    /// Whether nothing is wrong.
    ok: bool,
    /// The exit code.
    exit_code: u8,
    /// The codes that were named; all of them if none was.
    codes: &'a [Explanation],
}

impl<'a> Document<'a> {
    fn of(codes: &'a [Explanation]) -> Self {
        let (command, exit) = ("explain", Exit::Settled);
        Self { schema: SCHEMA, command, ok: exit.is_good(), exit_code: exit.code(), codes }
    }
}

fn as_text(args: &Explain, found: &[Explanation]) -> String {
    let mut text = String::new();
    if args.codes.is_empty() {
        for Explanation { code, of, .. } in found {
            let _ = writeln!(text, "{code:<26} {of}");
        }
        text.push_str("\noncepress explain CODE says what one means\n");
        return text;
    }
    for (number, one) in found.iter().enumerate() {
        let Explanation { code, of, means, exists, todo } = one;
        let blank = if number > 0 { "\n" } else { "" };
        let _ = writeln!(text, "{blank}{code} ({of})");
        for (name, words) in [("means", means), ("may exist", exists), ("to do", todo)] {
            let head = format!("  {name:<10} ");
            let options = textwrap::Options::new(WIDTH)
                .initial_indent(&head)
                .subsequent_indent("             ");
            let _ = writeln!(text, "{}", textwrap::fill(words, options));
        }
    }
    text
}
