//! `oncepress completions` and `oncepress man`: what a shell and `man` know of the
//! command line.
//!
//! Absent from here: the command line itself (`args`). The one rule: both are made from
//! it and from nothing else, so that they can't say what the program doesn't do.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory as _};
use schemars::JsonSchema;
use serde::Serialize;

use crate::report::exit::Exit;
use crate::report::json::Tense;
use crate::run::result::Trouble;

use super::args::{Cli, Completions, Man};
use super::console::Console;
use super::session;
use super::world::World;

const COMPLETIONS_SCHEMA: &str = "oncepress.completions/1";
const MAN_SCHEMA: &str = "oncepress.man/1";

/// What `completions --json` prints.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct CompletionsDocument {
    /// The name and version of this schema.
    #[schemars(extend("const" = COMPLETIONS_SCHEMA))]
    schema: &'static str,
    /// The command.
    #[schemars(extend("const" = "completions"))]
    command: &'static str,
    /// Whether nothing is wrong.
    ok: bool,
    /// The exit code.
    exit_code: u8,
    /// The shell.
    shell: String,
    /// What the shell reads.
    script: String,
    /// There are none.
    errors: [(); 0],
    /// There is nothing to be done next.
    next: [(); 0],
}

/// What `man --json` prints.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct ManDocument {
    /// The name and version of this schema.
    #[schemars(extend("const" = MAN_SCHEMA))]
    schema: &'static str,
    /// The command.
    #[schemars(extend("const" = "man"))]
    command: &'static str,
    /// Whether nothing is wrong.
    ok: bool,
    /// The exit code.
    exit_code: u8,
    /// The page of the program, in roff; `null` where pages were written into a folder.
    page: Option<String>,
    /// The files that were written.
    written: Vec<String>,
    /// There are none.
    errors: [(); 0],
    /// There is nothing to be done next.
    next: [(); 0],
}

pub(super) fn completions(args: &Completions, world: &World, console: Console<'_>) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "oncepress", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    if !console.is_json() {
        return world.streams.print(&script, Exit::Settled);
    }
    let document = CompletionsDocument {
        schema: COMPLETIONS_SCHEMA,
        command: "completions",
        ok: true,
        exit_code: Exit::Settled.code(),
        shell: args.shell.to_string(),
        script,
        errors: [],
        next: [],
    };
    console.print_json(&document, Exit::Settled)
}

pub(super) fn man(args: &Man, world: &World, console: Console<'_>) -> Exit {
    let pages = pages().map_err(|error| super::internal(format!("no manual page: {error}")));
    let written = pages.and_then(|pages| match &args.out {
        Some(dir) => write(&pages, dir, world),
        None => Ok(Told { text: pages[0].text.clone(), written: Vec::new() }),
    });
    match written {
        Ok(Told { text, written }) if console.is_json() => {
            let document = ManDocument {
                schema: MAN_SCHEMA,
                command: "man",
                ok: true,
                exit_code: Exit::Settled.code(),
                page: args.out.is_none().then_some(text),
                written,
                errors: [],
                next: [],
            };
            console.print_json(&document, Exit::Settled)
        }
        Ok(Told { text, .. }) => world.streams.print(&text, Exit::Settled),
        Err(trouble) => {
            let exit = Exit::of_trouble(trouble.kind);
            console.finish("man", Tense::Done, &session::failed(trouble), exit)
        }
    }
}

/// What is said of the manual pages.
struct Told {
    text: String,
    written: Vec<String>,
}

/// A page of the manual, in roff.
struct Page {
    /// `oncepress`, or `oncepress-push`.
    name: String,
    text: String,
}

/// The page of the program, then one for each command.
fn pages() -> io::Result<Vec<Page>> {
    let mut program = Cli::command();
    // Gives the commands the options of all commands, and names of their own.
    program.build();
    let commands = program.get_subcommands().cloned().collect::<Vec<_>>();
    std::iter::once(program).chain(commands).map(page).collect()
}

fn page(command: Command) -> io::Result<Page> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    Ok(Page { name, text: String::from_utf8_lossy(&text).into_owned() })
}

fn write(pages: &[Page], dir: &Path, world: &World) -> Result<Told, Trouble> {
    let failed = |path: &Path, error: &io::Error| {
        let message = format!("{} can't be written: {error}", path.display());
        session::usage("man_not_written", message, "name another folder for --out")
    };
    let folder = world.cwd.join(dir);
    fs::create_dir_all(&folder).map_err(|error| failed(dir, &error))?;
    let mut written = Vec::new();
    for page in pages {
        let path: PathBuf = dir.join(format!("{}.1", page.name));
        let put = |mut file: fs::File| io::Write::write_all(&mut file, page.text.as_bytes());
        fs::File::create(world.cwd.join(&path))
            .and_then(put)
            .map_err(|error| failed(&path, &error))?;
        written.push(path.display().to_string());
    }
    Ok(Told { text: written.join("\n") + "\n", written })
}
