//! `--events FILE`: what happens, one JSON object a line, as it happens.
//!
//! Absent from here: what a line says (`report::log`). The one rule: the first line names
//! the format and the last is the summary, however the command ends in order; a file that
//! takes no more lines is told of once, and stops nothing.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::names::Timestamp;
use crate::report::exit::Exit;
use crate::report::json::Tense;
use crate::report::log::{article_line, first_line, last_line};
use crate::run::Clock;
use crate::run::result::{RunResult, Trouble};

use super::args::Global;
use super::session;
use super::world::World;

/// An open file of events.
pub(crate) struct EventFile {
    state: Mutex<State>,
    clock: Clock,
}

struct State {
    file: File,
    /// What kept the first line out that is missing.
    gap: Option<String>,
    /// What the last line will be.
    summary: Option<Value>,
}

impl EventFile {
    /// Opens the file that was asked for, empties it, and writes the first line.
    pub(crate) fn open(
        global: &Global,
        command: &str,
        world: &World,
    ) -> Result<Option<Self>, Trouble> {
        let Some(path) = &global.events else { return Ok(None) };
        let file = File::create(world.cwd.join(path)).map_err(|error| unwritable(path, &error))?;
        let state = Mutex::new(State { file, gap: None, summary: None });
        let events = Self { state, clock: world.clock.clone() };
        events.write(&first_line(command, events.now()));
        match events.state().gap.take() {
            None => {}
            Some(gap) => return Err(unwritable(path, &gap)),
        }
        Ok(Some(events))
    }

    fn now(&self) -> Timestamp {
        (self.clock)()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends a line.
    pub(crate) fn write(&self, line: &Value) {
        let mut state = self.state();
        if state.gap.is_none()
            && let Err(error) = state.file.write_all(format!("{line}\n").as_bytes())
        {
            state.gap = Some(error.to_string());
        }
    }

    /// Keeps what a command ended with, for the last line. A push told its articles as
    /// each of them ended.
    pub(crate) fn result(
        &self,
        command: &'static str,
        tense: Tense,
        result: &RunResult,
        exit: Exit,
    ) {
        if command != "push" {
            for article in &result.articles {
                let line = article_line(tense, article, result.run.as_ref(), self.now());
                self.write(&line);
            }
        }
        let summary = last_line(command, exit, Some((tense, result)), self.now());
        self.state().summary = Some(summary);
    }

    /// Writes the last line. What is given back kept a line from being written.
    pub(crate) fn close(self, command: &'static str, exit: Exit) -> Option<String> {
        let mut summary = self.state().summary.take();
        // A result that could not be printed ends otherwise than it says.
        if let Some(Value::Object(fields)) = &mut summary {
            fields.insert("exit_code".to_owned(), exit.code().into());
            fields.insert("ok".to_owned(), exit.is_good().into());
        }
        self.write(&summary.unwrap_or_else(|| last_line(command, exit, None, self.now())));
        self.state().gap.take()
    }
}

fn unwritable(path: &Path, why: &dyn std::fmt::Display) -> Trouble {
    let message = format!("{} can't be written: {why}; nothing was done", path.display());
    session::usage("events_unwritable", message, "name another file for --events")
}
