//! Child processes of this program, and how they end.
//!
//! Absent from here: what they ought to say. The one rule: nothing waits for a clock; a
//! child that is to die says that it is there, and waits to be killed.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdout, Command};

/// The variable that tells a child which rehearsal it belongs to.
pub const REHEARSAL_VARIABLE: &str = "ONCEPRESS_REHEARSAL";

/// The line that tells a child that waits at a point to go on.
pub const GO_ON: &str = "go on";

/// A run takes a tenth of a second. One that takes so long hangs, and hides a fault.
const RUN_TIME_MAX: Duration = Duration::from_secs(30);

/// The line by which a child says that it has come to the point and waits there.
#[must_use]
pub fn stopped_line(point: &str) -> String {
    format!("stopped at {point}")
}

/// A child process that has ended.
#[derive(Debug, Clone)]
pub(super) struct Ran {
    /// Its arguments, as they are.
    pub(super) arguments: Vec<String>,
    pub(super) end: End,
    /// What it said; null for one that was killed.
    pub(super) json: Value,
}

/// How a child process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// By itself, with this code.
    Exit(i32),
    /// At the point that was asked for, by SIGKILL.
    Killed(&'static str),
    /// By another signal, or without any.
    Otherwise,
    /// Not in the time that it had; then it was killed.
    Hung,
}

/// How the children of one scene are started.
#[derive(Debug)]
pub(super) struct Troupe<'a> {
    pub(super) program: &'a Path,
    pub(super) folder: PathBuf,
    pub(super) home: PathBuf,
    pub(super) password: &'a str,
    pub(super) rehearsal: &'a str,
}

/// A child process that goes on.
#[derive(Debug)]
pub(super) struct Running {
    arguments: Vec<String>,
    child: Child,
    stdout: BufReader<ChildStdout>,
}

impl Troupe<'_> {
    /// Runs to the end.
    pub(super) async fn run(&self, arguments: &[&str]) -> io::Result<Ran> {
        self.start(arguments)?.finish().await
    }

    /// Pushes, and waits at this point; or ended before it came there.
    pub(super) async fn stopped_at(&self, point: &str) -> io::Result<Result<Running, Ran>> {
        let arguments = ["rehearse", "--stop-at", point, "--", "push", "--json"];
        let mut running = self.start(&arguments)?;
        let mut line = String::new();
        let said = tokio::time::timeout(RUN_TIME_MAX, running.stdout.read_line(&mut line)).await;
        if said.is_ok() && line.trim_end() == stopped_line(point) {
            return Ok(Ok(running));
        }
        // What it said instead begins with this line.
        running.finish_after(line).await.map(Err)
    }

    /// Starts one, with an environment that has nothing of the user's: a variable could
    /// name their site.
    fn start(&self, arguments: &[&str]) -> io::Result<Running> {
        let mut child = Command::new(self.program)
            .args(arguments)
            .current_dir(&self.folder)
            .env_clear()
            .env("HOME", &self.home)
            .env("TMPDIR", &self.home)
            .env("ONCEPRESS_APP_PASSWORD", self.password)
            .env(REHEARSAL_VARIABLE, self.rehearsal)
            // A child that stopped listens to this pipe, and dies when it ends.
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let stdout = child.stdout.take().ok_or_else(|| io::Error::other("no standard output"))?;
        let arguments = arguments.iter().map(|word| (*word).to_owned()).collect();
        Ok(Running { arguments, child, stdout: BufReader::new(stdout) })
    }
}

impl Running {
    /// Its end.
    pub(super) async fn finish(self) -> io::Result<Ran> {
        self.finish_after(String::new()).await
    }

    /// Its end, by SIGKILL, at the point at which it waits.
    pub(super) async fn kill(mut self, point: &'static str) -> io::Result<Ran> {
        self.child.start_kill()?;
        let end = End::of_killed(self.child.wait().await?, point);
        Ok(Ran { arguments: self.arguments, end, json: Value::Null })
    }

    /// Tells it to go on from the point at which it waits.
    pub(super) async fn go_on(&mut self) -> io::Result<()> {
        match &mut self.child.stdin {
            Some(stdin) => stdin.write_all(format!("{GO_ON}\n").as_bytes()).await,
            None => Err(io::Error::other("no standard input")),
        }
    }

    async fn finish_after(mut self, mut said: String) -> io::Result<Ran> {
        let ending = async {
            self.stdout.read_to_string(&mut said).await?;
            self.child.wait().await
        };
        let ended = tokio::time::timeout(RUN_TIME_MAX, ending).await;
        let end = if let Ok(status) = ended {
            End::of(status?)
        } else {
            self.child.kill().await?;
            End::Hung
        };
        // What is no JSON object is no answer, and is judged as such.
        let json = serde_json::from_str(&said).unwrap_or(Value::Null);
        Ok(Ran { arguments: self.arguments, end, json })
    }
}

impl End {
    fn of(status: ExitStatus) -> Self {
        status.code().map_or(Self::Otherwise, Self::Exit)
    }

    fn of_killed(status: ExitStatus, point: &'static str) -> Self {
        use std::os::unix::process::ExitStatusExt as _;
        let kill = rustix::process::Signal::KILL.as_raw();
        if status.signal() == Some(kill) { Self::Killed(point) } else { Self::of(status) }
    }
}
