//! The command line: parses, dispatches, prints, and gives the exit status.
//!
//! Absent from here: deciding. The one rule: only this room reads argv, the
//! environment and the clock, and only this room prints.

mod args;
mod bars;
mod check;
mod console;
mod doctor;
mod events;
mod explain;
mod init;
#[cfg(feature = "crash-points")]
pub mod inside;
mod plan;
mod push;
mod rehearse;
mod resolve;
mod sandbox;
mod schema;
mod session;
mod shell;
mod signals;
mod status;
mod unlock;
mod world;

use std::ffi::OsString;

use clap::Parser as _;
use clap::error::ErrorKind;

use crate::report::exit::Exit;
use crate::report::json::Tense;
use crate::run::result::{Trouble, TroubleKind};

use args::{Cli, Command};
use console::{Console, Streams};
use events::EventFile;
use world::World;

/// Runs the command line of this process.
#[must_use]
pub fn main() -> Exit {
    let world = match World::read() {
        Ok(world) => world,
        Err(error) => {
            let text = format!("error: can't tell the working directory: {error}");
            Streams::of_process().say(&text);
            return Exit::Internal;
        }
    };
    #[cfg(feature = "crash-points")]
    {
        let told = |name| world.env.get(name).map(String::as_str);
        crate::crash::arm(told("ONCEPRESS_CRASH_AT"), told("ONCEPRESS_DISK"));
    }
    command_line(std::env::args_os().collect(), &world)
}

fn command_line(arguments: Vec<OsString>, world: &World) -> Exit {
    let json = arguments.iter().any(|argument| argument == "--json");
    match Cli::try_parse_from(arguments) {
        Ok(cli) => dispatch(&cli, world),
        Err(error) => bad_arguments(&error, json, world),
    }
}

fn dispatch(cli: &Cli, world: &World) -> Exit {
    let command = cli.command.name();
    if let Err(trouble) = schema::check_fields(cli) {
        let console = Console::for_bad_arguments(cli.global.json, world);
        return console.finish(command, Tense::Done, &session::failed(trouble), Exit::Usage);
    }
    let events = match EventFile::open(&cli.global, command, world) {
        Ok(events) => events,
        Err(trouble) => {
            let console = Console::new(&cli.global, world, None);
            return console.finish(command, Tense::Done, &session::failed(trouble), Exit::Usage);
        }
    };
    let console = Console::new(&cli.global, world, events.as_ref());
    let exit = carry_out(cli, world, console);
    if let Some(gap) = events.and_then(|events| events.close(command, exit)) {
        world.streams.say(&format!("note: the events file has a gap: {gap}"));
    }
    exit
}

fn carry_out(cli: &Cli, world: &World, console: Console<'_>) -> Exit {
    // One thread: a run does one thing after the other, and handing each request to
    // another thread and its answer back costs more than writing the records does.
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            let trouble = internal(format!("can't start: {error}"));
            let failed = session::failed(trouble);
            return console.finish("oncepress", Tense::Done, &failed, Exit::Internal);
        }
    };
    runtime.block_on(async {
        match &cli.command {
            Command::Init(init) => init::run(init, world, console),
            Command::Check(paths) => check::run(&cli.global, paths, world, console),
            Command::Doctor(args) => doctor::run(&cli.global, args, world, console).await,
            Command::Plan(plan) => plan::run(&cli.global, plan, world, console).await,
            Command::Push(push) => push::run(&cli.global, push, world, console).await,
            Command::Status(slugs) => status::run(&cli.global, slugs, world, console),
            Command::Resolve(resolve) => resolve::run(&cli.global, resolve, world, console).await,
            Command::Unlock(unlock) => unlock::run(&cli.global, unlock, world, console),
            Command::Explain(explain) => explain::run(explain, world, console),
            Command::Schema(args) => schema::run(args, world, console),
            Command::Completions(args) => shell::completions(args, world, console),
            Command::Man(args) => shell::man(args, world, console),
            Command::Rehearse(args) => rehearse::run(args, world, console).await,
            Command::Sandbox(sandbox) => sandbox::run(sandbox, world, console).await,
        }
    })
}

/// A trouble that is a bug of ours.
fn internal(message: String) -> Trouble {
    let hint = "this is a bug of OncePress: please report it";
    Trouble::new(TroubleKind::Internal, "internal", message, hint)
}

/// Help and version are results; everything else that clap objects to is a trouble,
/// told as JSON too where that was asked for.
fn bad_arguments(error: &clap::Error, json: bool, world: &World) -> Exit {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            world.streams.print(&error.render().to_string(), Exit::Settled)
        }
        _ if json => {
            let text = error.render().to_string();
            let message = text.lines().next().unwrap_or_default();
            let message = message.trim_start_matches("error: ").to_owned();
            let trouble = session::usage("bad_arguments", message, "oncepress --help");
            let console = Console::for_bad_arguments(true, world);
            console.finish("oncepress", Tense::Done, &session::failed(trouble), Exit::Usage)
        }
        _ => {
            world.streams.say(error.render().to_string().trim_end());
            Exit::Usage
        }
    }
}
