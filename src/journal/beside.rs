//! Files beside the journals that must outlive a crash as records do: the simulated
//! site's.
//!
//! Absent from here: what is in them. The one rule: they are read and replaced as records
//! are, whole or not at all.

use std::path::Path;

use serde_json::{Map, Value};

use super::damage::{Damage, Schema, parse_object, read_whole};
use super::disk::{self, DiskError, folder_of};

/// The JSON object in this file, if its `schema` is the right one; nothing if there is no
/// file.
pub(crate) fn read_beside(
    path: &Path,
    schema: Schema,
    bytes_max: u64,
) -> Result<Option<Map<String, Value>>, Damage> {
    let Some(bytes) = read_whole(path, bytes_max)? else { return Ok(None) };
    let object = parse_object(&bytes)?;
    schema.check(&object)?;
    Ok(Some(object))
}

/// Makes the folder that the file will be in, durably.
pub(crate) fn make_folder_of(path: &Path) -> Result<(), DiskError> {
    disk::ensure_folder(folder_of(path))
}

/// Replaces (or makes) the file durably.
pub(crate) fn replace_beside(path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    disk::replace(path, bytes)
}
