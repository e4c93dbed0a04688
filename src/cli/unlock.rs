//! `oncepress unlock`: removes the marker of a run that died, and nothing else.

use crate::journal::{UnlockError, unlock};
use crate::report::exit::Exit;
use crate::report::json::Tense;
use crate::run::result::{RunResult, Trouble, TroubleKind};
use crate::run::with_causes;

use super::args::{Global, Unlock};
use super::console::Console;
use super::session;
use super::world::World;

pub(super) fn run(global: &Global, args: &Unlock, world: &World, console: Console<'_>) -> Exit {
    let result = unlocked(global, args, world).unwrap_or_else(session::failed);
    console.finish("unlock", Tense::Done, &result, Exit::of(&result))
}

fn unlocked(global: &Global, args: &Unlock, world: &World) -> Result<RunResult, Trouble> {
    let config = session::config(global, world)?;
    let site = session::site_config(&config)?;
    let dir = session::journal_dir(&config, site)?;
    let unlocked = unlock(&dir, &args.run_id).map_err(|error| trouble(&error))?;
    let remark = format!(
        "{}; its marker is gone now, its records are as they were. {}",
        session::who_died(&unlocked.marker),
        session::left_behind(&unlocked.pending)
    );
    Ok(RunResult {
        run: None,
        site: Some(site.url.as_str().to_owned()),
        articles: Vec::new(),
        troubles: Vec::new(),
        remarks: vec![remark],
        plan_file: None,
        interrupted: None,
    })
}

fn trouble(error: &UnlockError) -> Trouble {
    let message = format!("{}; nothing was changed", with_causes(error));
    match error {
        UnlockError::Busy { .. } => {
            Trouble::new(TroubleKind::Temporary, "busy", message, "wait until it has ended")
        }
        UnlockError::NoMarker { .. } => {
            session::usage("no_abandoned_run", message, "oncepress push")
        }
        UnlockError::WrongToken { found, .. } => {
            let unlock = format!("oncepress unlock {}", found.marker.token());
            session::usage("wrong_run_id", message, unlock.clone()).with_next(unlock)
        }
        UnlockError::Journal(error) => session::journal_trouble(error),
        UnlockError::LockFile { .. } | UnlockError::Disk(_) => {
            session::local("journal_unusable", message, "see who may write there")
        }
    }
}
