//! The only reader of the environment, the clock, randomness and the user's name.

use std::path::PathBuf;
use std::sync::Arc;

use crate::config::Environment;
use crate::names::Timestamp;
use crate::run::interrupt::Interrupt;
use crate::run::{Clock, Random};
use crate::wordpress::Carrier;

use super::console::Streams;
use super::signals;

/// What surrounds the process.
pub(crate) struct World {
    pub(crate) cwd: PathBuf,
    pub(crate) env: Environment,
    pub(crate) clock: Clock,
    pub(crate) random: Random,
    pub(crate) streams: Streams,
    pub(crate) signals: Signals,
    /// A site in this process that takes every request, whatever the configuration says.
    pub(crate) carrier: Option<Carrier>,
}

/// Who can interrupt the command.
pub(crate) enum Signals {
    /// SIGINT and SIGTERM.
    OfProcess,
    /// Whoever has the other end.
    #[cfg(feature = "crash-points")]
    From(Interrupt),
}

impl World {
    /// Reads it once.
    pub(crate) fn read() -> std::io::Result<Self> {
        // A variable that is not UTF-8 is none of ours.
        let text = |(key, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((key.into_string().ok()?, value.into_string().ok()?))
        };
        Ok(Self {
            cwd: std::env::current_dir()?,
            env: std::env::vars_os().filter_map(text).collect(),
            clock: Arc::new(now),
            random: Arc::new(random),
            streams: Streams::of_process(),
            signals: Signals::OfProcess,
            carrier: None,
        })
    }

    /// Listens to what asks the command to end, from now on.
    pub(crate) fn listen(&self) -> std::io::Result<Interrupt> {
        match &self.signals {
            Signals::OfProcess => signals::listen(),
            #[cfg(feature = "crash-points")]
            Signals::From(interrupt) => Ok(interrupt.clone()),
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// The person at the keyboard, as `user@host`, for decisions.
    pub(crate) fn person(&self) -> String {
        let user = ["USER", "LOGNAME"].iter().find_map(|name| self.env.get(*name));
        let user =
            user.map_or_else(|| format!("uid{}", rustix::process::getuid().as_raw()), Clone::clone);
        format!("{user}@{}", crate::journal::host_facts().host)
    }

    /// The folder for what nobody keeps.
    pub(crate) fn temporary_dir(&self) -> PathBuf {
        self.env.get("TMPDIR").map_or_else(|| "/tmp".into(), PathBuf::from)
    }

    /// Where a receipt goes that the journal can't take.
    pub(crate) fn rescue_dirs(&self, base: PathBuf) -> Vec<PathBuf> {
        let mut dirs = vec![base, self.temporary_dir()];
        dirs.extend(self.env.get("HOME").map(PathBuf::from));
        dirs
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the room that reads the clock")]
fn now() -> Timestamp {
    Timestamp::now()
}

/// A random number from the system. Without randomness there are no names for runs and
/// no fresh look-ups, so there is nothing sensible to go on with.
fn random() -> u64 {
    match getrandom::u64() {
        Ok(number) => number,
        Err(error) => unreachable!("the system gives no randomness: {error}"),
    }
}
