//! The only writer to standard output and standard error.

use std::io::{self, IsTerminal as _, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

use indicatif::ProgressDrawTarget;
use serde::Serialize;
use serde_json::Value;

use crate::report::exit::Exit;
use crate::report::human::{self, Paint};
use crate::report::json::{self, Tense};
use crate::report::log::{Detail, talk};
use crate::run::Event;
use crate::run::result::RunResult;
use crate::schema::fields::Fields;

use super::args::{Color, Global};
use super::bars::Bars;
use super::events::EventFile;
use super::world::World;

/// How results and talk are shown.
#[derive(Clone, Copy)]
pub(crate) struct Console<'w> {
    form: Form,
    talk: Option<Detail>,
    paint: Paint,
    streams: &'w Streams,
    events: Option<&'w EventFile>,
    /// The keys that are wanted; none means all.
    fields: &'w [String],
}

/// Where results (`out`) and talk (`err`) go.
pub(crate) struct Streams {
    out: Mutex<Box<dyn Write + Send>>,
    err: Mutex<Box<dyn Write + Send>>,
    terminal: bool,
    /// Whether somebody watches `err`.
    watched: bool,
    bars: OnceLock<Bars>,
}

impl Streams {
    /// Those of this process.
    pub(crate) fn of_process() -> Self {
        let out: Box<dyn Write + Send> = Box::new(io::stdout());
        let err: Box<dyn Write + Send> = Box::new(io::stderr());
        let terminal = io::stdout().is_terminal();
        let watched = io::stderr().is_terminal();
        let (out, err) = (Mutex::new(out), Mutex::new(err));
        Self { out, err, terminal, watched, bars: OnceLock::new() }
    }

    /// Kept by the caller.
    #[cfg(feature = "crash-points")]
    pub(crate) fn kept(out: Box<dyn Write + Send>, err: Box<dyn Write + Send>) -> Self {
        let (out, err) = (Mutex::new(out), Mutex::new(err));
        Self { out, err, terminal: false, watched: false, bars: OnceLock::new() }
    }

    /// The line at the foot of the terminal, where there is one.
    pub(crate) fn bars(&self) -> Option<&Bars> {
        self.bars.get()
    }

    /// Prints with the line out of the way.
    fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match self.bars() {
            Some(bars) => bars.away_while(print),
            None => print(),
        }
    }

    /// One line on standard error. Nobody is left to tell if even that fails.
    pub(crate) fn say(&self, line: &str) {
        self.aside(|| {
            let _ = writeln!(self.err.lock().unwrap_or_else(PoisonError::into_inner), "{line}");
        });
    }

    /// Text on standard output. A reader that went away chose not to read; anything else
    /// that keeps the result from being written is told, because the exit code alone would
    /// look like a result.
    pub(crate) fn print(&self, text: &str, exit: Exit) -> Exit {
        // The result is the last word.
        if let Some(bars) = self.bars() {
            bars.rest();
        }
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Ok(()) => exit,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => exit,
            Err(error) => {
                self.say(&format!(
                    "error: the result could not be written to standard output: {error}"
                ));
                self.say("hint: what was done is in the journal; run: oncepress status");
                Exit::LocalState
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Human,
    Json,
}

impl<'w> Console<'w> {
    pub(crate) fn new(global: &'w Global, world: &'w World, events: Option<&'w EventFile>) -> Self {
        let no_color = world.env.get("NO_COLOR").is_some_and(|value| !value.is_empty());
        let paint = match global.color {
            Color::Always => Paint::Always,
            Color::Auto if world.streams.terminal && !no_color => Paint::Always,
            Color::Auto | Color::Never => Paint::Never,
        };
        let is_dumb = world.env.get("TERM").is_some_and(|term| term == "dumb");
        if world.streams.watched && !global.quiet && !is_dumb {
            world.streams.bars.get_or_init(|| Bars::on(ProgressDrawTarget::stderr()));
        }
        let talk = match (global.quiet, global.verbose) {
            (true, _) => None,
            (false, true) => Some(Detail::Everything),
            (false, false) => Some(Detail::Progress),
        };
        let form = if global.json { Form::Json } else { Form::Human };
        Self { form, talk, paint, streams: &world.streams, events, fields: &global.fields }
    }

    /// For when the arguments could not even be understood.
    pub(crate) fn for_bad_arguments(json: bool, world: &'w World) -> Self {
        let form = if json { Form::Json } else { Form::Human };
        let streams = &world.streams;
        Self { form, talk: None, paint: Paint::Never, streams, events: None, fields: &[] }
    }

    pub(crate) fn is_json(self) -> bool {
        self.form == Form::Json
    }

    pub(crate) fn paint(self) -> Paint {
        self.paint
    }

    /// Tells an event, of which `line` is the written form, if anybody wants to hear it.
    pub(crate) fn tell(self, event: &Event, line: &Value) {
        if let Some(events) = self.events {
            events.write(line);
        }
        if let Some(line) = self.talk.and_then(|detail| talk(event, detail)) {
            self.streams.say(&line);
        }
        if let Some(bars) = self.streams.bars() {
            bars.tell(event);
        }
    }

    /// A remark on standard error, unless quiet is wanted.
    pub(crate) fn remark(self, text: &str) {
        if self.talk.is_some() {
            self.streams.say(&format!("note: {text}"));
        }
    }

    /// Prints the result, and gives the exit.
    pub(crate) fn finish(
        self,
        command: &'static str,
        tense: Tense,
        result: &RunResult,
        exit: Exit,
    ) -> Exit {
        if let Some(events) = self.events {
            events.result(command, tense, result, exit);
        }
        for trouble in &result.troubles {
            self.streams.say(&format!("error: {} ({})", trouble.message, trouble.code));
            self.streams.say(&format!("hint: {}", trouble.hint));
        }
        match self.form {
            Form::Human => {
                self.streams.print(&human::text(command, tense, result, self.paint), exit)
            }
            Form::Json => self.print_json(&json::document(command, tense, result, exit), exit),
        }
    }

    /// Prints a document on one line, with the keys that are wanted, and gives the exit.
    pub(crate) fn print_json(self, document: &impl Serialize, exit: Exit) -> Exit {
        let text = if self.fields.is_empty() {
            serde_json::to_string(document)
        } else {
            let cut = |whole| Fields::named(self.fields).cut(whole).to_string();
            serde_json::to_value(document).map(cut)
        };
        match text {
            Ok(text) => self.streams.print(&(text + "\n"), exit),
            Err(error) => {
                self.streams.say(&format!("error: the result can't be written as JSON: {error}"));
                Exit::Internal
            }
        }
    }
}
