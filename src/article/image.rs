//! What an image file's bytes say.
//!
//! Absent from here: finding the file, uploading it. The rule to keep: the bytes decide,
//! not the name, and a file is read in one pass and never held in memory whole.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use md5::Md5;
use sha2::Sha256;

use crate::names::{Digest, Slug};

use super::fault::{Fault, quoted};
use super::limits::Limits;
use super::model::ImageKind;
use super::root::Root;

/// What is known of a file's content.
#[derive(Debug, Clone)]
pub(super) struct Content {
    pub(super) digest: Digest,
    pub(super) md5: [u8; 16],
    pub(super) bytes: u64,
    pub(super) kind: ImageKind,
    pub(super) width: usize,
    pub(super) height: usize,
}

/// Contents of files, each read once a run however many articles show it, and whichever
/// thread asks first: the others wait for that file, not for each other.
#[derive(Debug, Default)]
pub(super) struct Contents {
    files: Mutex<HashMap<PathBuf, Slot>>,
}

/// Where the content of one file will be.
type Slot = Arc<OnceLock<Result<Content, Fault>>>;

impl Contents {
    /// Reads a file; its path is absolute, free of links and in the root.
    pub(super) fn read(&self, root: &Root, file: &Path, limits: &Limits) -> Result<Content, Fault> {
        let slot = {
            // A map is whole between two changes, whoever died.
            let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(files.entry(file.to_owned()).or_default())
        };
        slot.get_or_init(|| inspect(root, file, limits)).clone()
    }
}

fn inspect(root: &Root, path: &Path, limits: &Limits) -> Result<Content, Fault> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if path.is_dir() {
        let message = format!("{} is a folder, not an image", quoted(&name));
        return Err(Fault::new("image_not_a_file", message));
    }
    let unreadable = |error: &io::Error| {
        Fault::new("image_unreadable", format!("{} can't be read: {error}", quoted(&name)))
    };
    let mut file = root.open_file(path).map_err(|error| {
        if error.kind() == io::ErrorKind::Other {
            let message = format!("{} is not a regular file", quoted(&name));
            return Fault::new("image_not_a_file", message);
        }
        unreadable(&error)
    })?;
    let (head, digest, md5, bytes) =
        hash(&mut file, limits.image_bytes_max).map_err(|error| unreadable(&error))?;
    if bytes == 0 {
        return Err(Fault::new("image_empty", format!("{} is empty", quoted(&name))));
    }
    let kind = kind(&name, &head)?;
    if bytes > limits.image_bytes_max {
        let message = format!(
            "{} is larger than {} bytes: make it smaller, or raise the limit if the site takes it",
            quoted(&name),
            limits.image_bytes_max
        );
        return Err(Fault::new("image_too_large", message));
    }
    let (width, height) = size(&name, file, limits)?;
    Ok(Content { digest, md5, bytes, kind, width, height })
}

/// Bytes that are enough to tell a kind.
const HEAD_BYTES: usize = 4096;

/// Reads a file once: its first bytes, both hashes and its size. Stops one byte after
/// `bytes_max`; the hashes are then of no use.
fn hash(file: &mut File, bytes_max: u64) -> io::Result<(Vec<u8>, Digest, [u8; 16], u64)> {
    use sha2::Digest as _;
    let (mut sha256, mut md5) = (Sha256::new(), Md5::new());
    let mut head = Vec::with_capacity(HEAD_BYTES);
    let mut rest = file.take(bytes_max.saturating_add(1));
    let mut buffer = vec![0_u8; 64 * 1024];
    let mut bytes = 0;
    loop {
        let chunk = match rest.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => &buffer[..length],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let wanted = HEAD_BYTES.saturating_sub(head.len()).min(chunk.len());
        head.extend_from_slice(&chunk[..wanted]);
        sha256.update(chunk);
        md5.update(chunk);
        bytes += chunk.len() as u64;
    }
    Ok((head, Digest::from_bytes(sha256.finalize().into()), md5.finalize().into(), bytes))
}

/// The kind its bytes say, if its name does not say another.
fn kind(name: &str, head: &[u8]) -> Result<ImageKind, Fault> {
    const ACCEPTED: &str = "JPEG, PNG, GIF and WebP are accepted";
    let found = infer::get(head).map_or("", |kind| kind.mime_type());
    let kind = match found {
        "image/jpeg" => ImageKind::Jpeg,
        "image/png" => ImageKind::Png,
        "image/gif" => ImageKind::Gif,
        "image/webp" => ImageKind::Webp,
        _ if is_svg(head) => return Err(unsupported(name, "image/svg+xml", ACCEPTED)),
        other
            if ["image/", "video/", "audio/", "application/pdf"]
                .iter()
                .any(|known| other.starts_with(known)) =>
        {
            return Err(unsupported(name, other, ACCEPTED));
        }
        _ => {
            let message = format!("{} does not hold an image; {ACCEPTED}", quoted(name));
            return Err(Fault::new("image_not_an_image", message));
        }
    };
    match named_kind(name) {
        Some(named) if named != kind => {
            let message =
                format!("{} holds {}: name it .{}", quoted(name), kind.mime(), kind.extension());
            Err(Fault::new("image_type_mismatch", message))
        }
        // A name that says nothing is no lie: the upload gets the right one (MED-19).
        _ => Ok(kind),
    }
}

fn unsupported(name: &str, mime: &str, accepted: &str) -> Fault {
    Fault::new("image_type_unsupported", format!("{} holds {mime}; {accepted}", quoted(name)))
}

fn is_svg(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    text.trim_start_matches('\u{feff}').trim_start().starts_with('<') && text.contains("<svg")
}

/// What the extension of a name says.
fn named_kind(name: &str) -> Option<ImageKind> {
    let (_, extension) = name.trim_end().rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "jpg" | "jpeg" | "jpe" | "jfif" => Some(ImageKind::Jpeg),
        "png" | "apng" => Some(ImageKind::Png),
        "gif" => Some(ImageKind::Gif),
        "webp" => Some(ImageKind::Webp),
        _ => None,
    }
}

fn size(name: &str, mut file: File, limits: &Limits) -> Result<(usize, usize), Fault> {
    let damaged = || {
        let message = format!("{} is damaged: its width and height can't be read", quoted(name));
        Fault::new("image_damaged", message)
    };
    file.rewind().map_err(|_| damaged())?;
    let size = imagesize::reader_size(BufReader::new(file)).map_err(|_| damaged())?;
    let (width, height) = (size.width, size.height);
    if width == 0 || height == 0 {
        return Err(damaged());
    }
    if (width as u64).saturating_mul(height as u64) > limits.image_pixels_max {
        let message = format!(
            "{} has {width} × {height} pixels: more than {} are too many for most sites",
            quoted(name),
            limits.image_pixels_max
        );
        return Err(Fault::new("image_too_many_pixels", message));
    }
    Ok((width, height))
}

/// The name of a file without its extension, for people.
pub(super) fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// The slug of an upload: what can be read of the name, and the content's hash.
#[expect(clippy::expect_used, reason = "letters, digits and hyphens always make a slug")]
pub(super) fn upload_slug(stem: &str, digest: Digest) -> Slug {
    /// Enough to recognize, and far from the 200 bytes of a slug.
    const STEM_BYTES_MAX: usize = 40;
    const HASH_DIGITS: usize = 16;
    let mut plain = String::new();
    for c in deunicode::deunicode(stem).chars() {
        if c.is_ascii_alphanumeric() {
            plain.push(c.to_ascii_lowercase());
        } else if !plain.is_empty() && !plain.ends_with('-') {
            plain.push('-');
        }
        if plain.len() == STEM_BYTES_MAX {
            break;
        }
    }
    let plain = plain.trim_end_matches('-');
    let plain = if plain.is_empty() { "image" } else { plain };
    let hash = &digest.to_string()[..HASH_DIGITS];
    Slug::from_stored(&format!("{plain}-{hash}")).expect("letters, digits and hyphens")
}
