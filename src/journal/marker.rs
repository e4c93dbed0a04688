//! The run marker: who has, or had, the lock.
//!
//! Absent from here: the lock, which alone says whether a run is alive. The one rule:
//! what the marker says is for people. Process ids come again, in containers at once,
//! so nothing is decided by them; an unreadable marker counts as a marker.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::damage::{Damage, Schema, parse_object, read_whole};
use crate::names::{Digest, RunId, Timestamp};

const SCHEMA: Schema = Schema { family: "oncepress.run/", current: "oncepress.run/1" };

/// A marker is a few lines; whatever is larger is something else.
const MARKER_BYTES_MAX: u64 = 64 * 1024;

/// Who runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunInfo {
    /// The run.
    pub run_id: RunId,
    /// Its process, for people.
    pub pid: u32,
    /// The boot of the machine, for people, where the system tells.
    pub boot_id: Option<String>,
    /// The machine, for people.
    pub host: String,
    /// Since when.
    pub started: Timestamp,
    /// The command, without secrets.
    pub command: String,
}

/// A run marker that was found.
#[derive(Debug)]
pub enum MarkerState {
    /// It says who.
    Readable(RunInfo),
    /// It does not, and counts all the same.
    Unreadable {
        /// What `unlock` wants to be told in place of a run id.
        token: String,
        /// What is wrong with it.
        why: Damage,
    },
}

impl MarkerState {
    /// What `oncepress unlock` wants to be told.
    #[must_use]
    pub fn token(&self) -> &str {
        match self {
            Self::Readable(info) => info.run_id.as_str(),
            Self::Unreadable { token, .. } => token,
        }
    }

    /// Who it was, where that can be read.
    #[must_use]
    pub fn run(&self) -> Option<&RunInfo> {
        match self {
            Self::Readable(info) => Some(info),
            Self::Unreadable { .. } => None,
        }
    }
}

/// What this machine calls itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostFacts {
    /// Its name.
    pub host: String,
    /// The id of its boot, where the system tells.
    pub boot_id: Option<String>,
}

/// What this machine calls itself, as far as the system tells.
#[must_use]
pub fn host_facts() -> HostFacts {
    let boot_id = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok();
    HostFacts {
        host: gethostname::gethostname().to_string_lossy().into_owned(),
        boot_id: boot_id.map(|text| text.trim().to_owned()),
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenMarker {
    schema: String,
    run_id: String,
    pid: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    boot_id: Option<String>,
    host: String,
    started: String,
    command: String,
}

pub(super) fn encode(info: &RunInfo) -> Result<Vec<u8>, serde_json::Error> {
    let info = info.clone();
    let mut bytes = serde_json::to_vec_pretty(&WrittenMarker {
        schema: SCHEMA.current.to_owned(),
        run_id: info.run_id.to_string(),
        pid: info.pid,
        boot_id: info.boot_id,
        host: info.host,
        started: info.started.to_string(),
        command: info.command,
    })?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// The marker at this place, if there is one.
pub(super) fn read(path: &Path) -> Option<MarkerState> {
    let (bytes, why) = match read_whole(path, MARKER_BYTES_MAX) {
        Ok(None) => return None,
        Ok(Some(bytes)) => match decode(&bytes) {
            Ok(info) => return Some(MarkerState::Readable(info)),
            Err(why) => (bytes, why),
        },
        Err(why) => (Vec::new(), why),
    };
    let digest = Digest::of(&bytes).to_string();
    let token = format!("unreadable-{}", &digest[..8]);
    Some(MarkerState::Unreadable { token, why })
}

fn decode(bytes: &[u8]) -> Result<RunInfo, Damage> {
    let object = parse_object(bytes)?;
    SCHEMA.check(&object)?;
    let written: WrittenMarker = serde_json::from_value(object.into()).map_err(Damage::Field)?;
    Ok(RunInfo {
        run_id: RunId::parse(&written.run_id)
            .map_err(|_| Damage::Contradiction("its run id is not one"))?,
        pid: written.pid,
        boot_id: written.boot_id,
        host: written.host,
        started: written
            .started
            .parse()
            .map_err(|_| Damage::Contradiction("its time is not one"))?,
        command: written.command,
    })
}
