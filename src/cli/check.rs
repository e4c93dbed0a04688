//! `oncepress check`: every problem of every file, offline.

use std::fmt::Write as _;

use crate::report::exit::Exit;
use crate::report::json::{CheckDocument, Tense};

use super::args::{Global, Paths};
use super::console::Console;
use super::session;
use super::world::World;

pub(super) fn run(global: &Global, paths: &Paths, world: &World, console: Console<'_>) -> Exit {
    let checked =
        session::config(global, world).and_then(|config| session::checked(&config, paths, world));
    let checked = match checked {
        Ok(checked) => checked,
        Err(trouble) => {
            let exit = Exit::of_trouble(trouble.kind);
            return console.finish("check", Tense::Done, &session::failed(trouble), exit);
        }
    };
    let exit = if checked.invalid.is_empty() { Exit::Settled } else { Exit::Unacceptable };
    if console.is_json() {
        return console.print_json(&CheckDocument::of(&checked, exit), exit);
    }
    let problems: usize = checked.invalid.iter().map(|file| file.problems.len()).sum();
    let mut text = String::new();
    for problem in checked.invalid.iter().flat_map(|file| &file.problems) {
        let _ = writeln!(text, "{problem}");
    }
    for warning in &checked.warnings {
        let _ = writeln!(text, "{warning} (warning)");
    }
    if checked.articles.is_empty() && checked.invalid.is_empty() {
        text.push_str("no article files (.md, .html) found\n");
    }
    let _ = writeln!(
        text,
        "{} valid, {} invalid, {}, {}",
        checked.articles.len(),
        checked.invalid.len(),
        counted(problems, "problem"),
        counted(checked.warnings.len(), "warning")
    );
    world.streams.print(&text, exit)
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
