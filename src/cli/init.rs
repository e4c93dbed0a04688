//! `oncepress init`: a configuration and a first article, to begin with.
//!
//! Absent from here: the network, and every file that is there already. The one rule:
//! nothing is overwritten, and where one file is in the way, none is written.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::report::exit::Exit;
use crate::report::json::Tense;
use crate::run::result::Trouble;

use super::args::Init;
use super::console::Console;
use super::session;
use super::world::World;

const SCHEMA: &str = "oncepress.init/1";

/// Every key with its explanation; what a stranger must change is changed below.
const EXAMPLE: &str = include_str!("../../config.example.toml");
const ARTICLE: &str = include_str!("init.d/first-article.md");
const PICTURE: &[u8] = include_bytes!("init.d/lighthouse.png");

/// The lines of the example that are not for a beginning, and what stands in their place.
const CHANGES: [(&str, &str); 3] = [
    (
        "# Copy this file to `oncepress.toml` in the folder that holds your articles' folder;\n",
        "# Made by `oncepress init`: correct [site] and your articles go to your site.\n",
    ),
    ("url = \"https://example.com/\"\n", "url = \"sandbox:\"\n# url = \"https://example.com/\"\n"),
    // The simulated site has users of its own.
    ("username = \"writer\"\n", "# username = \"writer\"\n"),
];

/// What is for git to leave alone, in words.
const GIT_ADVICE: &str = "with git: commit the articles and oncepress.toml; put a password file \
                          on .gitignore, and .oncepress too unless whoever runs next pulls it. \
                          Records must outlive a clone: without them a lost answer is forgotten";

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    command: &'static str,
    ok: bool,
    exit_code: u8,
    created: &'a [String],
    remarks: [&'static str; 1],
    errors: [(); 0],
    next: [&'static str; 2],
}

const NEXT: [&str; 2] = ["oncepress check", "oncepress push"];

pub(super) fn run(args: &Init, world: &World, console: Console<'_>) -> Exit {
    match made(args, world) {
        Ok(created) => {
            let text = if console.is_json() { as_json(&created) } else { as_text(args, &created) };
            world.streams.print(&text, Exit::Settled)
        }
        Err(trouble) => {
            let exit = Exit::of_trouble(trouble.kind);
            console.finish("init", Tense::Done, &session::failed(trouble), exit)
        }
    }
}

/// The files, each with what it holds.
fn files() -> [(&'static str, Vec<u8>); 3] {
    let config = CHANGES.iter().fold(EXAMPLE.to_owned(), |text, (from, to)| text.replace(from, to));
    [
        ("oncepress.toml", config.into_bytes()),
        ("articles/first-article.md", ARTICLE.as_bytes().to_vec()),
        ("articles/img/lighthouse.png", PICTURE.to_vec()),
    ]
}

fn made(args: &Init, world: &World) -> Result<Vec<String>, Trouble> {
    let dir = args.dir.clone().unwrap_or_default();
    let shown = |name: &str| dir.join(name).display().to_string();
    let files = files();
    let at = |name: &str| world.cwd.join(&dir).join(name);
    // A link that leads nowhere is in the way too.
    let in_the_way: Vec<String> = files
        .iter()
        .filter(|(name, _)| at(name).symlink_metadata().is_ok())
        .map(|(name, _)| shown(name))
        .collect();
    if !in_the_way.is_empty() {
        let there = if let [_] = in_the_way.as_slice() { "is" } else { "are" };
        let message =
            format!("{} {there} there already; nothing was written", in_the_way.join(", "));
        return Err(session::usage("would_overwrite", message, "name an empty or new folder"));
    }
    let mut created = Vec::new();
    for (name, bytes) in &files {
        write_new(&at(name), bytes).map_err(|error| {
            let written = if created.is_empty() {
                "nothing was written".to_owned()
            } else {
                format!("written before: {}", created.join(", "))
            };
            let message = format!("{} can't be written: {error}; {written}", shown(name));
            session::local(
                "init_failed",
                message,
                "see who may write there, and the room on the disk",
            )
        })?;
        created.push(shown(name));
    }
    Ok(created)
}

/// Writes a file that is not there.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(path.parent().map_or_else(PathBuf::new, Path::to_owned))?;
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(bytes)
}

fn as_json(created: &[String]) -> String {
    let document = Document {
        schema: SCHEMA,
        command: "init",
        ok: true,
        exit_code: Exit::Settled.code(),
        created,
        remarks: [GIT_ADVICE],
        errors: [],
        next: NEXT,
    };
    // Texts and numbers alone can always be written.
    serde_json::to_string(&document).unwrap_or_default() + "\n"
}

fn as_text(args: &Init, created: &[String]) -> String {
    const WIDTH: usize = 80;
    let mut text = "made:\n".to_owned();
    for path in created {
        let _ = writeln!(text, "  {path}");
    }
    let _ = writeln!(text, "\n{}", textwrap::fill(GIT_ADVICE, WIDTH));
    text.push_str("\nnext:\n");
    if let Some(dir) = &args.dir {
        let _ = writeln!(text, "  cd {}", dir.display());
    }
    text.push_str(
        "  oncepress check   finds what is wrong, offline\n  \
         oncepress push    makes a draft on the simulated site until [site] url is yours\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_the_example_takes_hold() {
        for (from, _) in CHANGES {
            assert_eq!(EXAMPLE.matches(from).count(), 1, "{from}");
        }
    }
}
