//! A simulated site that several requests share, and the file that it outlives the
//! process in.
//!
//! Absent from here: sockets. The one rule: what an answer tells is in the file before the
//! answer leaves, so that a crash leaves what a real site would have.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use super::simulated::{Carried, Simulated};
use super::{Request, Response, Version, World};
use crate::journal::{Damage, DiskError, Schema, make_folder_of, read_beside, replace_beside};
use crate::names::Timestamp;
use crate::run::Clock;
use crate::wordpress::{Carrier, Lost};

const SCHEMA: Schema =
    Schema { family: "oncepress.sandbox-state/", current: "oncepress.sandbox-state/1" };
/// Thousands of long articles. The file is written whole after each change, so a site
/// that comes near this has been slow for long.
const FILE_BYTES_MAX: u64 = 512 * 1024 * 1024;

/// Why a simulated site can't be had or kept.
#[derive(Debug, thiserror::Error)]
pub enum KeptError {
    /// The file is damaged, or a newer version wrote it. It is left as it is.
    #[error("the simulated site in {} can't be used", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        why: Damage,
    },
    /// What is there is something else. It is left as it is.
    #[error("{} is not a simulated site", path.display())]
    OfAnother {
        /// The file.
        path: PathBuf,
        /// How that was seen.
        #[source]
        why: Damage,
    },
    /// The file can't be written.
    #[error("the simulated site can't be kept")]
    NotKept(#[from] DiskError),
    /// The site can't be written as JSON.
    #[error("the simulated site can't be written as JSON")]
    NotJson(#[from] serde_json::Error),
}

/// The user of a fresh simulated site that may do everything.
pub const DEFAULT_USER: &str = "admin";

/// The application password of a user of a fresh simulated site, or the logins of those
/// that there are.
pub fn password_of(login: &str) -> Result<String, Vec<String>> {
    let world = World::new(Version::V7_1, "");
    match world.user(login) {
        Some(user) => Ok(user.password.clone()),
        None => Err(world.users().iter().map(|user| user.login.clone()).collect()),
    }
}

/// A simulated site, shared by everybody who asks it, in a file or in memory alone.
#[derive(Debug)]
pub struct Kept {
    site: Mutex<Simulated>,
    file: Option<PathBuf>,
}

impl Kept {
    /// A site that ends with the process.
    #[must_use]
    pub fn in_memory(site: Simulated) -> Self {
        Self { site: Mutex::new(site), file: None }
    }

    /// The site in this file, moved to this address; a fresh one if there is no file yet.
    /// The file is made with the first change.
    pub fn in_file(path: &Path, home: &str, version: Version) -> Result<Self, KeptError> {
        let unusable = |why| unusable(path, why);
        let site = match read_beside(path, SCHEMA, FILE_BYTES_MAX).map_err(unusable)? {
            Some(mut object) => {
                let site = object.remove("site").unwrap_or(Value::Null);
                let site = serde_json::from_value::<Simulated>(site);
                site.map_err(|error| unusable(Damage::Field(error)))?.at(home)
            }
            None => Simulated::new(World::new(version, home)),
        };
        Ok(Self { site: Mutex::new(site), file: Some(path.to_owned()) })
    }

    /// Asks or changes the site, as it is now. A change that can't be written down is
    /// undone.
    pub fn with<T>(
        &self,
        now: Timestamp,
        work: impl FnOnce(&mut Simulated) -> T,
    ) -> Result<T, KeptError> {
        let mut site = self.site.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(path) = &self.file else {
            site.catch_up(now);
            return Ok(work(&mut site));
        };
        let before = site.clone();
        site.catch_up(now);
        let result = work(&mut site);
        if site.changes() != before.changes()
            && let Err(error) = write(path, &site)
        {
            *site = before;
            return Err(error);
        }
        Ok(result)
    }

    /// Carries requests to the site, for a client in this process that waits so long for
    /// an answer.
    #[must_use]
    pub fn carrier(self: Arc<Self>, clock: Clock, patience: Duration) -> Carrier {
        Arc::new(move |request: Request| {
            let now = clock();
            let carried = self.with(now, |site| site.carry(&request, now)).map_err(|error| {
                let causes = crate::run::with_causes(&error);
                Lost::NoAnswer(format!("{causes}; nothing was changed there"))
            })?;
            received(carried, patience)
        })
    }
}

/// What a client in this process receives that waits so long and no longer. Nobody waits
/// for what is slow; an answer that is cut is one that is too short.
pub fn received(carried: Carried, patience: Duration) -> Result<Response, Lost> {
    match carried {
        Carried::Answer(answer) => Ok(answer),
        Carried::AnswerCut(mut answer, bytes) => {
            answer.body_mut().truncate(bytes);
            Ok(answer)
        }
        Carried::NoAnswer | Carried::NeverArrived => {
            Err(Lost::NoAnswer("the connection closed before the answer came".to_owned()))
        }
        Carried::Slow(by, inner) => match patience.checked_sub(by) {
            Some(left) => received(*inner, left),
            None => Err(Lost::NoAnswer("operation timed out".to_owned())),
        },
    }
}

fn unusable(path: &Path, why: Damage) -> KeptError {
    let path = path.to_owned();
    match why {
        Damage::NotOurs { .. } | Damage::NotAFile | Damage::WrongPlace { .. } => {
            KeptError::OfAnother { path, why }
        }
        Damage::Empty
        | Damage::NulFilled
        | Damage::TooLarge { .. }
        | Damage::Unreadable(_)
        | Damage::NotJson(_)
        | Damage::NewerSchema { .. }
        | Damage::Checksum
        | Damage::Field(_)
        | Damage::Contradiction(_)
        | Damage::Impossible(_) => KeptError::Damaged { path, why },
    }
}

fn write(path: &Path, site: &Simulated) -> Result<(), KeptError> {
    let mut bytes =
        serde_json::to_vec(&serde_json::json!({"schema": SCHEMA.current, "site": site}))?;
    bytes.push(b'\n');
    if !path.exists() {
        make_folder_of(path)?;
    }
    Ok(replace_beside(path, &bytes)?)
}
