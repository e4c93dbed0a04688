//! Child processes of a schedule: started, stopped, continued, killed, waited for.

use std::io::Read;
use std::process::{Child, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::stage::Project;

/// A run of the program.
pub(crate) struct Process {
    pub(crate) name: String,
    child: Child,
    stopped: bool,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) name: String,
    /// Nothing if a signal killed it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

impl Process {
    pub(crate) fn start(project: &Project, arguments: &[&str], crash_at: Option<&str>) -> Self {
        let mut command = project.command(arguments);
        if let Some(point) = crash_at {
            command.env("ONCEPRESS_CRASH_AT", point);
        }
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let point = crash_at.unwrap_or("-");
        Self { name: format!("{} {point}", arguments.join(" ")), child, stopped: false }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    pub(crate) fn stop(&mut self) {
        self.signal(Signal::STOP);
        self.stopped = true;
    }

    pub(crate) fn go_on(&mut self) {
        self.signal(Signal::CONT);
        self.stopped = false;
    }

    pub(crate) fn kill(&mut self) {
        self.signal(Signal::KILL);
        self.stopped = false;
    }

    pub(crate) fn ask_to_end(&mut self) {
        self.signal(Signal::TERM);
    }

    /// A process that has ended and was not waited for keeps its id, so this can't meet
    /// another process.
    fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).unwrap();
        kill_process(pid, signal).expect("a child can be signalled until it is waited for");
    }

    pub(crate) fn wait(mut self) -> Ended {
        if self.stopped {
            self.go_on();
        }
        let mut stdout = String::new();
        let mut stderr = String::new();
        // Results are small: neither pipe can fill up while the other is read.
        self.child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        let code = self.child.wait().unwrap().code();
        Ended { name: self.name, code, stdout, stderr }
    }
}
