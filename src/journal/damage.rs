//! What can be wrong with a file of the journal, and reading one whole.
//!
//! Absent from here: what a record means. The one rule: only a file that the system
//! says does not exist is "no record"; whatever else can't be read is damage, because
//! a record that can't be read may be the one that says `sending`.

use std::fs::OpenOptions;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::crash;
use crate::protocol::restore::Impossible;

/// The largest record that is read or written. A `sending` record holds one article's
/// HTML, and JSON may write a byte of it as six; ten times what sites accept is room
/// enough, and keeps a stray large file from being read into memory.
pub const RECORD_BYTES_MAX: u64 = 32 * 1024 * 1024;

/// A file of the journal that can't be used. It stops its article, and is never taken
/// for "no record".
#[derive(Debug, thiserror::Error)]
#[error("journal file {} can't be used", path.display())]
pub struct Damaged {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub why: Damage,
}

/// What is wrong with a file of the journal.
#[derive(Debug, thiserror::Error)]
pub enum Damage {
    /// It has no bytes, as after a power loss.
    #[error("it is empty")]
    Empty,
    /// It holds nothing but NUL bytes, as after a power loss.
    #[error("it holds nothing but NUL bytes")]
    NulFilled,
    /// It is larger than any that OncePress writes.
    #[error("it is larger than {bytes_max} bytes")]
    TooLarge {
        /// The limit.
        bytes_max: u64,
    },
    /// It is a folder, a link or a device.
    #[error("it is not a regular file")]
    NotAFile,
    /// The system did not let us read it.
    #[error("it can't be read")]
    Unreadable(#[source] io::Error),
    /// It is torn, or has something around the JSON.
    #[error("it is not one whole JSON object")]
    NotJson(#[source] serde_json::Error),
    /// It is JSON, and not an object with a known `schema`.
    #[error("its schema is {found}, not `{expected}`")]
    NotOurs {
        /// What it says.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A newer OncePress wrote it. It is fine, and only that one may change it.
    #[error("it was written by a newer OncePress (`{schema}`)")]
    NewerSchema {
        /// What it says.
        schema: String,
    },
    /// It was changed by something other than OncePress.
    #[error("its checksum does not match: it was changed outside OncePress")]
    Checksum,
    /// A field is missing, unknown, of the wrong type or out of range.
    #[error("a field is not valid")]
    Field(#[source] serde_json::Error),
    /// Two things that it says contradict each other.
    #[error("{0}")]
    Contradiction(&'static str),
    /// It belongs to another article, file or site than its place says.
    #[error("it belongs to {says}, not to {place}")]
    WrongPlace {
        /// What it says.
        says: String,
        /// What its name and folder say.
        place: String,
    },
    /// No sequence of changes leads to what it says.
    #[error("it says what can't have happened")]
    Impossible(#[source] Impossible),
}

impl Damage {
    /// The same, with the file it was found in.
    pub(super) fn at(self, path: &Path) -> Damaged {
        Damaged { path: path.to_owned(), why: self }
    }
}

/// The whole content of a regular file, or nothing if it does not exist.
pub(super) fn read_whole(path: &Path, bytes_max: u64) -> Result<Option<Vec<u8>>, Damage> {
    // Without NOFOLLOW a dangling link would look like "no record"; without NONBLOCK
    // a pipe would hang the run.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let flags = flags.bits().cast_signed();
    let opened = crash::read(|| OpenOptions::new().read(true).custom_flags(flags).open(path));
    let file = match opened {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) => {
            return Err(Damage::NotAFile);
        }
        Err(error) => return Err(Damage::Unreadable(error)),
    };
    if !file.metadata().map_err(Damage::Unreadable)?.is_file() {
        return Err(Damage::NotAFile);
    }
    let mut bytes = Vec::new();
    crash::read(|| file.take(bytes_max + 1).read_to_end(&mut bytes)).map_err(Damage::Unreadable)?;
    if bytes.len() as u64 > bytes_max {
        return Err(Damage::TooLarge { bytes_max });
    }
    Ok(Some(bytes))
}

/// The JSON object in these bytes.
pub(super) fn parse_object(
    bytes: &[u8],
) -> Result<serde_json::Map<String, serde_json::Value>, Damage> {
    if bytes.is_empty() {
        return Err(Damage::Empty);
    }
    if bytes.iter().all(|byte| *byte == 0) {
        return Err(Damage::NulFilled);
    }
    serde_json::from_slice(bytes).map_err(Damage::NotJson)
}

/// A kind of file of the journal, and the newest version of it that this build knows.
#[derive(Clone, Copy)]
pub(crate) struct Schema {
    /// Such as `oncepress.record/`.
    pub(crate) family: &'static str,
    /// Such as `oncepress.record/1`.
    pub(crate) current: &'static str,
}

impl Schema {
    /// Checked before anything else: a newer version may mean something else by the
    /// same fields.
    pub(super) fn check(
        self,
        object: &serde_json::Map<String, serde_json::Value>,
    ) -> Result<(), Damage> {
        let says = object.get("schema");
        let Some(schema) = says.and_then(serde_json::Value::as_str) else {
            return Err(self.not_ours(&says.map_or("missing".to_owned(), ToString::to_string)));
        };
        if schema == self.current {
            return Ok(());
        }
        let version = schema.strip_prefix(self.family).and_then(|text| text.parse::<u32>().ok());
        match version {
            Some(version) if version > 1 => Err(Damage::NewerSchema { schema: schema.to_owned() }),
            Some(_) | None => {
                Err(self.not_ours(&says.map_or_else(String::new, ToString::to_string)))
            }
        }
    }

    fn not_ours(self, found: &str) -> Damage {
        Damage::NotOurs { found: shortened(found), expected: self.current }
    }
}

/// Text of a damaged file, fit for a message.
fn shortened(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(100).collect()
}
