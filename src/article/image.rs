//! What a file's bytes say.
//!
//! Absent from here: finding the file, uploading it. The rule to keep: the bytes decide,
//! not the name, and a file is read in one pass and never held in memory whole.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::names::{Digest, Slug};

use super::addresses::Usage;
use super::fault::{Fault, quoted};
use super::limits::Limits;
use super::model::{Family, MediaKind};
use super::root::Root;
use super::sums::{Sums, fill, sums};

/// What is known of a file's content.
#[derive(Debug, Clone)]
pub(super) struct Content {
    pub(super) digest: Digest,
    pub(super) md5: [u8; 16],
    pub(super) bytes: u64,
    pub(super) kind: MediaKind,
    /// Across and down, of what has pixels.
    pub(super) pixels: Option<(usize, usize)>,
    pub(super) whereabouts: Whereabouts,
}

/// Whether a photo says where it was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whereabouts {
    Told,
    NotTold,
}

impl Content {
    /// Refuses a file that can't be what it is used as.
    pub(super) fn must_serve(&self, usage: Usage, name: &str) -> Result<(), Fault> {
        let what = match (usage, self.kind.family()) {
            (Usage::Link, _) => return Ok(()),
            (Usage::Image, Family::Image) => return Ok(()),
            (Usage::Media, Family::Audio | Family::Video) => return Ok(()),
            (Usage::Image, Family::Audio | Family::Video | Family::Document) => "shown as an image",
            (Usage::Media, Family::Image | Family::Document) => "played",
        };
        let message = format!("{} holds {}, and can't be {what}", quoted(name), self.kind.mime());
        Err(Fault::new("image_type_unsupported", message))
    }

    /// What a person should know of this file although it is accepted.
    pub(super) fn warnings(&self, name: &str) -> Vec<Fault> {
        let mut warnings = Vec::new();
        if self.whereabouts == Whereabouts::Told {
            let message = format!(
                "{} says where it was taken (GPS data), and whoever loads it can read that: take \
                 it out of the file if that is not meant",
                quoted(name)
            );
            warnings.push(Fault::new("image_has_place", message));
        }
        if self.kind == MediaKind::Avif {
            let message = format!(
                "{} is AVIF, which WordPress takes since 6.5, if its host can read it",
                quoted(name)
            );
            warnings.push(Fault::new("image_avif", message));
        }
        warnings
    }
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
    let unreadable = |error: &io::Error| {
        Fault::new("image_unreadable", format!("{} can't be read: {error}", quoted(&name)))
    };
    let mut file = root.open_file(path).map_err(|error| {
        if path.is_dir() {
            let message = format!("{} is a folder, not an image", quoted(&name));
            return Fault::new("image_not_a_file", message);
        }
        if error.kind() == io::ErrorKind::Other {
            let message = format!("{} is not a regular file", quoted(&name));
            return Fault::new("image_not_a_file", message);
        }
        unreadable(&error)
    })?;
    let mut buffer = buffer(&file).map_err(|error| unreadable(&error))?;
    let filled = fill(&mut file, &mut buffer).map_err(|error| unreadable(&error))?;
    if filled == 0 {
        return Err(Fault::new("image_empty", format!("{} is empty", quoted(&name))));
    }
    // Before the rest is read: a film that is not taken need not be.
    let kind = kind(&name, &buffer[..filled.min(HEAD_BYTES)], limits)?;
    let bytes_max = match kind.family() {
        Family::Image => limits.image_bytes_max,
        Family::Audio | Family::Video | Family::Document => limits.file_bytes_max,
    };
    let Sums { digest, md5, bytes, xmp_place } =
        sums(&mut file, &mut buffer, filled, bytes_max).map_err(|error| unreadable(&error))?;
    if bytes > bytes_max {
        let message = format!(
            "{} is larger than {bytes_max} bytes: make it smaller, or raise the limit if the site \
             takes it",
            quoted(&name),
        );
        return Err(Fault::new("image_too_large", message));
    }
    let (pixels, whereabouts) = match kind.family() {
        Family::Image if kind != MediaKind::Svg => {
            // A small file is in memory still.
            let whole = (filled < buffer.len()).then(|| &buffer[..filled]);
            match whole {
                Some(whole) => described(&name, &mut Cursor::new(whole), limits)?,
                None => described(&name, &mut BufReader::new(Bounded::new(file)), limits)?,
            }
        }
        Family::Image | Family::Audio | Family::Video | Family::Document => {
            (None, Whereabouts::NotTold)
        }
    };
    let whereabouts = if xmp_place { Whereabouts::Told } else { whereabouts };
    Ok(Content { digest, md5, bytes, kind, pixels, whereabouts })
}

/// Bytes of a file that are in memory at a time.
const BUFFER_BYTES: usize = 64 * 1024;

/// Bytes that are enough to tell a kind.
const HEAD_BYTES: usize = 4096;

/// As much memory as is of use for a file.
fn buffer(file: &File) -> io::Result<Vec<u8>> {
    // One byte more, so that what fits is known to have ended.
    let enough = usize::try_from(file.metadata()?.len()).unwrap_or(BUFFER_BYTES).saturating_add(1);
    Ok(vec![0_u8; enough.clamp(HEAD_BYTES, BUFFER_BYTES)])
}

/// The kind its bytes say, if it is taken and its name does not say another.
fn kind(name: &str, head: &[u8], limits: &Limits) -> Result<MediaKind, Fault> {
    const ACCEPTED: &str = "JPEG, PNG, GIF, WebP and AVIF are accepted";
    let found = infer::get(head).map_or("", |kind| kind.mime_type());
    let known = MediaKind::ALL.into_iter().find(|kind| kind.mime() == found);
    let Some(kind) = known.or_else(|| is_svg(head).then_some(MediaKind::Svg)) else {
        if ["image/", "video/", "audio/"].iter().any(|media| found.starts_with(media)) {
            let message = format!("{} holds {found}; {ACCEPTED}", quoted(name));
            return Err(Fault::new("image_type_unsupported", message));
        }
        let message = format!("{} does not hold an image; {ACCEPTED}", quoted(name));
        return Err(Fault::new("image_not_an_image", message));
    };
    if let Some(word) = kind.opt_in()
        && !limits.allowed.contains(&kind)
    {
        let message = format!(
            "{} holds {}; {ACCEPTED}, and this if the configuration names it: [media] allow = \
             [\"{word}\"]",
            quoted(name),
            kind.mime()
        );
        return Err(Fault::new("image_type_unsupported", message));
    }
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

fn is_svg(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    text.trim_start_matches('\u{feff}').trim_start().starts_with('<') && text.contains("<svg")
}

/// What the extension of a name says.
fn named_kind(name: &str) -> Option<MediaKind> {
    let (_, extension) = name.trim_end().rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "jpg" | "jpeg" | "jpe" | "jfif" => Some(MediaKind::Jpeg),
        "png" | "apng" => Some(MediaKind::Png),
        "gif" => Some(MediaKind::Gif),
        "webp" => Some(MediaKind::Webp),
        "avif" => Some(MediaKind::Avif),
        "svg" => Some(MediaKind::Svg),
        "pdf" => Some(MediaKind::Pdf),
        "mp4" => Some(MediaKind::Mp4),
        "webm" => Some(MediaKind::Webm),
        "mp3" => Some(MediaKind::Mp3),
        _ => None,
    }
}

/// A file of which only so much is read, wherever it is: what describes an image is
/// small, and a file that claims otherwise is not to fill the memory.
struct Bounded {
    file: File,
    bytes_left: usize,
}

impl Bounded {
    fn new(file: File) -> Self {
        /// Far more than the 64 KiB that a JPEG has for it, twice.
        const BYTES_MAX: usize = 2 * 1024 * 1024;
        Self { file, bytes_left: BYTES_MAX }
    }
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let wanted = buffer.len().min(self.bytes_left);
        let length = self.file.read(&mut buffer[..wanted])?;
        self.bytes_left -= length;
        Ok(length)
    }
}

impl Seek for Bounded {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// What an image says of itself: its pixels, and whether it tells a place.
fn described(
    name: &str,
    image: &mut (impl BufRead + Seek),
    limits: &Limits,
) -> Result<(Option<(usize, usize)>, Whereabouts), Fault> {
    Ok((Some(size(name, image, limits)?), whereabouts(image)))
}

/// Whether EXIF data tell a place. What can't be read as such tells none.
fn whereabouts(image: &mut (impl BufRead + Seek)) -> Whereabouts {
    let told = image.rewind().is_ok()
        && exif::Reader::new()
            .read_from_container(image)
            .is_ok_and(|read| read.get_field(exif::Tag::GPSLatitude, exif::In::PRIMARY).is_some());
    if told { Whereabouts::Told } else { Whereabouts::NotTold }
}

fn size(
    name: &str,
    image: &mut (impl BufRead + Seek),
    limits: &Limits,
) -> Result<(usize, usize), Fault> {
    let damaged = || {
        let message = format!("{} is damaged: its width and height can't be read", quoted(name));
        Fault::new("image_damaged", message)
    };
    image.rewind().map_err(|_| damaged())?;
    let size = imagesize::reader_size(image).map_err(|_| damaged())?;
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
