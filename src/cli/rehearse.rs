//! `oncepress rehearse`: plays accidents with children of this program, and tells how
//! they ended. With `--stop-at` it is such a child.
//!
//! Absent from here: the scenes, and judging them. The one rule: a child stops at a point
//! for the site of its own rehearsal alone, so that nobody can leave a real site half way.

use std::io::{self, Write as _};
use std::path::Path;

use clap::Parser as _;

use crate::rehearse::{
    After, GO_ON, Played, Playhouse, REHEARSAL_VARIABLE, Scene, as_promised, conclusion, document,
    heading, named, names, play, row, site_path, stopped_line,
};
use crate::report::exit::Exit;
use crate::report::json::Tense;
use crate::run::interrupt::Interrupt;
use crate::run::result::{Interruption, RunResult, Trouble, TroubleKind};
use crate::run::with_causes;

use super::args::{Cli, Command, Rehearse};
use super::console::Console;
use super::world::World;
use super::{push, session};

/// Why a rehearsal was not played to its end.
enum Stop {
    /// It could not go on.
    Trouble(Trouble),
    /// Standard output does not take it, and that was told.
    Output(Exit),
    /// Somebody wanted it to stop.
    Interrupted(Interruption),
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

pub(super) async fn run(args: &Rehearse, world: &World, console: Console<'_>) -> Exit {
    let ended = match &args.stop_at {
        Some(point) => be_stopped(point, &args.scenes, world).await.map_err(Stop::from),
        None => rehearse(args, world, console).await,
    };
    let result = match ended {
        Ok(exit) | Err(Stop::Output(exit)) => return exit,
        Err(Stop::Trouble(trouble)) => session::failed(trouble),
        Err(Stop::Interrupted(signal)) => {
            let message = "interrupted before the last scene";
            let trouble =
                Trouble::new(TroubleKind::Temporary, "interrupted", message, "oncepress rehearse");
            RunResult { interrupted: Some(signal), ..session::failed(trouble) }
        }
    };
    console.finish("rehearse", Tense::Done, &result, Exit::of(&result))
}

async fn rehearse(args: &Rehearse, world: &World, console: Console<'_>) -> Result<Exit, Stop> {
    let scenes = named(&args.scenes).map_err(|unknown| {
        let hint = format!("the scenes are {}", names().collect::<Vec<_>>().join(", "));
        session::usage("no_scene", format!("no scene is called {unknown:?}"), hint)
    })?;
    let interrupt = world.listen().map_err(|error| super::internal(error.to_string()))?;
    let program = std::env::current_exe()
        .map_err(|error| unplayed("can't tell where this program is", &error))?;
    let token = format!("{:016x}", (world.random)());
    let playhouse = playhouse(args, world, &token)?;
    let rehearsal =
        Rehearsal { program: &program, playhouse: &playhouse, token: &token, world, console };
    let ended = rehearsal.play(&scenes, &interrupt).await;
    let ended = ended.and_then(|played| rehearsal.sum_up(&played, args));
    let path = playhouse.path().to_owned();
    if args.keep && ended.is_err() {
        console.remark(&format!("kept: {}", path.display()));
    }
    if let Err(error) = playhouse.close() {
        console.remark(&format!("{} could not be removed: {error}", path.display()));
    }
    ended
}

fn playhouse(args: &Rehearse, world: &World, token: &str) -> Result<Playhouse, Trouble> {
    let after = if args.keep { After::Keep } else { After::Remove };
    let within = world.temporary_dir();
    Playhouse::build(&within, &format!("oncepress-rehearsal-{token}"), after)
        .map_err(|error| unplayed(&format!("can't make a folder in {}", within.display()), &error))
}

/// A rehearsal that is under way.
struct Rehearsal<'a> {
    program: &'a Path,
    playhouse: &'a Playhouse,
    token: &'a str,
    world: &'a World,
    console: Console<'a>,
}

impl Rehearsal<'_> {
    /// Plays the scenes, and shows each row as soon as there is one.
    async fn play(
        &self,
        scenes: &[&'static Scene],
        interrupt: &Interrupt,
    ) -> Result<Vec<Played>, Stop> {
        let mut all = Vec::new();
        self.show(&heading())?;
        for scene in scenes {
            let played =
                play(scene, self.program, self.playhouse, self.token, self.world.clock.clone())
                    .await
                    .map_err(|error| unplayed(&format!("can't play {}", scene.name), &error))?;
            // Not before the scene is over: no child is left that writes into its folder.
            if let Some(signal) = interrupt.raised() {
                return Err(Stop::Interrupted(signal));
            }
            self.show(&row(&played, self.console.paint()))?;
            all.push(played);
        }
        Ok(all)
    }

    fn sum_up(&self, played: &[Played], args: &Rehearse) -> Result<Exit, Stop> {
        let exit = if played.iter().all(as_promised) { Exit::Settled } else { Exit::Internal };
        let folder = args.keep.then(|| self.playhouse.path().display().to_string());
        if self.console.is_json() {
            let text = serde_json::to_string(&document(played, exit, folder)).map_err(|error| {
                super::internal(format!("the result can't be written as JSON: {error}"))
            })?;
            return Ok(self.world.streams.print(&(text + "\n"), exit));
        }
        self.show(&conclusion(played))?;
        if let Some(folder) = folder {
            self.show(&format!("kept: {folder}\n"))?;
        }
        Ok(exit)
    }

    /// A part of the table, where a table is wanted.
    fn show(&self, text: &str) -> Result<(), Stop> {
        if self.console.is_json() {
            return Ok(());
        }
        match self.world.streams.print(text, Exit::Settled) {
            Exit::Settled => Ok(()),
            exit => Err(Stop::Output(exit)),
        }
    }
}

fn unplayed(what: &str, error: &io::Error) -> Trouble {
    let hint =
        "see who may write in the folder for temporary files (TMPDIR), and whether it is full";
    session::local("cannot_rehearse", format!("{what}: {}", with_causes(error)), hint)
}

/// Runs a `push` that waits at this point to be killed.
async fn be_stopped(point: &str, command: &[String], world: &World) -> Result<Exit, Trouble> {
    let refused = |why: &str| {
        let message = format!("--stop-at is for the children of a rehearsal alone: {why}");
        session::usage("not_a_rehearsal", message, "oncepress rehearse")
    };
    let words = std::iter::once("oncepress").chain(command.iter().map(String::as_str));
    let Ok(Cli { command: Command::Push(args), global }) = Cli::try_parse_from(words) else {
        return Err(refused("the command after it is no push"));
    };
    let config = session::config(&global, world)?;
    let site = session::site_config(&config)?;
    // Only the site of the rehearsal has this path, and `http` never leaves this machine.
    let url = site.url.url();
    let path = world.env.get(REHEARSAL_VARIABLE).map(|token| site_path(token));
    if path.as_deref() != Some(url.path().trim_end_matches('/')) || url.scheme() != "http" {
        return Err(refused("the site of the configuration is not that of one"));
    }
    crate::crash::arm_to(point, say_and_wait);
    Ok(push::run(&global, &args, world, Console::new(&global, world, None)).await)
}

/// Says that the point is reached, and waits to be killed, or to be told to go on.
fn say_and_wait(point: &str) {
    let said =
        writeln!(io::stdout(), "{}", stopped_line(point)).and_then(|()| io::stdout().flush());
    let mut told = String::new();
    // The end of this stream is the end of the rehearsal: no child is left behind.
    let heard = said.and_then(|()| io::stdin().read_line(&mut told));
    if heard.is_err() || told.trim_end() != GO_ON {
        crate::crash::die();
    }
}
