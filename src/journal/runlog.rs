//! What a run did, line by line, for people and audits.
//!
//! Absent from here: anything that a decision reads. The one rule: a log that can't be
//! written never stops a run, and is never more certain than the records, so its lines
//! are synced once, at the end.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::PathBuf;

use serde_json::Value;

use super::disk;
use super::lock::LockedJournal;

/// The log of one run.
#[derive(Debug)]
pub struct RunLog {
    path: PathBuf,
    file: File,
    /// Begins the next line: a new line after one that may be torn.
    lead: &'static str,
}

/// The log of the run has a gap.
#[derive(Debug, thiserror::Error)]
#[error("could not write the run log {}", path.display())]
pub struct RunLogError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    #[source]
    pub source: io::Error,
}

impl LockedJournal {
    /// Opens the log of this run.
    pub fn run_log(&self) -> Result<RunLog, RunLogError> {
        let path = self.view.layout().runs().join(format!("{}.ndjson", self.run.run_id));
        match disk::open_file(&path, OpenOptions::new().append(true)) {
            Ok(file) => Ok(RunLog { path, file, lead: "" }),
            Err(source) => Err(RunLogError { path, source }),
        }
    }
}

impl RunLog {
    /// Appends one line. The caller keeps secrets out of it.
    pub fn append(&mut self, line: &Value) -> Result<(), RunLogError> {
        let text = format!("{}{line}\n", self.lead);
        let written = disk::append(&self.file, &self.path, text.as_bytes());
        self.lead = if written.is_ok() { "" } else { "\n" };
        written.map_err(|source| self.failed(source))
    }

    /// Brings all lines to the medium, at the end of the run.
    pub fn close(self) -> Result<(), RunLogError> {
        disk::sync_file(&self.file, &self.path).map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> RunLogError {
        RunLogError { path: self.path.clone(), source }
    }
}
