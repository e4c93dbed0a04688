//! Names of uploaded files: how they are cleaned, which types they may have, and which
//! number they get.
//!
//! The one rule: a name is what a real site would store, so that an address of an upload
//! can be foretold or not, as there.

use super::post::File;
use super::world::{Version, World};

/// Endings of files that may be uploaded, with their types.
pub(super) const TYPES: &[(&str, &str)] = &[
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("jpe", "image/jpeg"),
    ("png", "image/png"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("avif", "image/avif"),
    ("pdf", "application/pdf"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("webm", "video/webm"),
    ("txt", "text/plain"),
    ("csv", "text/csv"),
    ("zip", "application/zip"),
];

pub(super) fn mime_of(ending: &str, version: Version) -> Option<&'static str> {
    let (_, mime) = TYPES.iter().find(|(known, _)| *known == ending)?;
    (*mime != "image/avif" || version > Version::V6_1).then_some(*mime)
}

/// The name as it is stored: accents and special signs go, blanks become hyphens, an
/// ending in the middle that is not harmless gets an underscore (facts §4).
pub(super) fn file_name(name: &str, version: Version) -> String {
    const DROPPED: &str = "?[]/\\=<>:;,'\"&$#*()|~`!{}%+\u{2019}\u{ab}\u{bb}\u{201d}\u{201c}";
    let name = crate::article::slug::without_accents(name);
    let mut out = String::new();
    for letter in name.chars().filter(|letter| !DROPPED.contains(*letter)) {
        let letter = if letter.is_whitespace() { '-' } else { letter };
        let repeated =
            out.ends_with(letter) && (letter == '-' || (letter == '.' && version > Version::V6_1));
        if !repeated {
            out.push(letter);
        }
    }
    let out = out.trim_matches(['.', '-', '_']);
    let parts: Vec<&str> = out.split('.').collect();
    let [first, middle @ .., last] = parts.as_slice() else { return out.to_owned() };
    let mut safe = (*first).to_owned();
    for part in middle {
        safe.push('.');
        safe.push_str(part);
        let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let like_an_ending = (2..=5).contains(&letters.len())
            && letters.bytes().all(|b| b.is_ascii_alphabetic())
            && part.len() - letters.len() <= 1;
        if like_an_ending && !TYPES.iter().any(|(known, _)| known == part) {
            safe.push('_');
        }
    }
    format!("{safe}.{}", last.to_ascii_lowercase())
}

impl World {
    /// The path of a new file, with the first number that is free (facts §4).
    pub(super) fn free_path(&self, folder: &str, name: &str) -> String {
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        let plain = format!("{folder}/{name}");
        if !is_like_a_size(stem) && !self.has_file(&plain) {
            return plain;
        }
        let mut number = 1_u64;
        loop {
            let numbered = format!("{folder}/{stem}-{number}.{ending}");
            if !self.has_file(&numbered) {
                return numbered;
            }
            number += 1;
        }
    }

    fn has_file(&self, path: &str) -> bool {
        let files = self.posts.values().filter_map(|post| post.file.as_ref());
        files.into_iter().any(|file| file.path == path || original_path(file) == path)
    }
}

/// Whether a name ends as those that WordPress makes itself.
fn is_like_a_size(stem: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    stem.rsplit_once('-').is_some_and(|(_, end)| {
        matches!(end, "scaled" | "rotated")
            || end.split_once('x').is_some_and(|(width, height)| digits(width) && digits(height))
    })
}

/// The path of the file as it was uploaded.
pub(super) fn original_path(file: &File) -> String {
    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    match &file.original {
        Some(name) => format!("{folder}/{name}"),
        None => file.path.clone(),
    }
}
