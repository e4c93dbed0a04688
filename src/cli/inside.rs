//! A command line that runs inside another program: test builds only.
//!
//! Absent from here: anything that a command does. The one rule: what surrounds the
//! command (clock, randomness, environment, site, streams) comes from the caller, so
//! that a run can be repeated to the bit, a hundred thousand times in one process.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::config::Environment;
use crate::report::exit::Exit;
use crate::run::interrupt::Interrupt;
use crate::run::{Clock, Random};
use crate::wordpress::Carrier;

use super::console::Streams;
use super::world::{Signals, World};

/// What surrounds the command.
pub struct Surroundings {
    /// The working directory.
    pub cwd: PathBuf,
    /// The environment.
    pub env: Environment,
    /// Tells the time.
    pub clock: Clock,
    /// Gives random numbers.
    pub random: Random,
    /// Takes every request to the site; without it they go over the network.
    pub carrier: Option<Carrier>,
    /// Whether somebody wants to stop.
    pub interrupt: Interrupt,
}

/// What the command left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// How it ended.
    pub exit: Exit,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// Runs a command line; the name of the program is not among the arguments.
#[must_use]
pub fn run(arguments: &[&str], surroundings: Surroundings) -> Said {
    let (out, err) = (Kept::default(), Kept::default());
    let Surroundings { cwd, env, clock, random, carrier, interrupt } = surroundings;
    let world = World {
        cwd,
        env,
        clock,
        random,
        streams: Streams::kept(Box::new(out.clone()), Box::new(err.clone())),
        signals: Signals::From(interrupt),
        carrier,
    };
    let named = std::iter::once("oncepress").chain(arguments.iter().copied());
    let exit = super::command_line(named.map(Into::into).collect(), &world);
    Said { exit, stdout: out.text(), stderr: err.text() }
}

/// Bytes that somebody writes and somebody else reads.
#[derive(Debug, Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    fn text(&self) -> String {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
