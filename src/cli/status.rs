//! `oncepress status`: what the journal remembers. Offline, no lock, no write.

use crate::journal::{MarkerState, RunInfo};
use crate::report::exit::Exit;
use crate::report::json::Tense;
use crate::run::result::{RunResult, Trouble};
use crate::run::status::status;

use super::args::{Global, Slugs};
use super::console::Console;
use super::session;
use super::world::World;

pub(super) fn run(global: &Global, slugs: &Slugs, world: &World, console: Console<'_>) -> Exit {
    let result = remembered(global, slugs, world).unwrap_or_else(session::failed);
    let exit = match Exit::of(&result) {
        // An article that waits for its turn is no news to somebody who asks how
        // things stand.
        Exit::Temporary => Exit::Settled,
        exit => exit,
    };
    console.finish("status", Tense::Done, &result, exit)
}

fn remembered(global: &Global, slugs: &Slugs, world: &World) -> Result<RunResult, Trouble> {
    let config = session::config(global, world)?;
    let site = session::site_config(&config)?;
    let journal = session::journal_view(&config, site)?;
    let wanted: Vec<_> =
        slugs.slugs.iter().map(|text| session::article_key(text)).collect::<Result<_, _>>()?;
    let url = Some(site.url.as_str().to_owned());
    let mut result =
        status(&journal, url, &wanted).map_err(|error| session::journal_trouble(&error))?;
    if let Some(marker) = journal.marker() {
        result.remarks.push(unfinished(&marker));
    }
    Ok(result)
}

/// The lock alone tells whether a run is alive, and `status` takes no lock.
fn unfinished(marker: &MarkerState) -> String {
    let unlock = format!("if its process is gone, run: oncepress unlock {}", marker.token());
    match marker.run() {
        Some(RunInfo { run_id, pid, host, started, .. }) => format!(
            "the run {run_id} began at {started:.0} (process {pid} on {host}) and has not ended; \
             {unlock}"
        ),
        None => format!("a run has not ended, and its marker can't be read; {unlock}"),
    }
}
