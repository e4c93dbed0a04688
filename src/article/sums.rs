//! One pass over a file: its hashes, its size, and whether XMP in it tells a place.
//!
//! Absent from here: what is made of them. The rule to keep: however large the file, no
//! more of it is in memory than the buffer.

use std::fs::File;
use std::io::{self, Read as _};

use md5::Md5;
use memchr::memmem::Finder;
use sha2::{Digest as _, Sha256};

use crate::names::Digest;

/// How XMP, which editors write beside EXIF or in its place, names a place. It stands in
/// the file as text, but in PNG it may be compressed, and is then not seen.
const XMP_PLACE: &[u8] = b"exif:GPSLatitude";

/// What one pass tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sums {
    pub(super) digest: Digest,
    pub(super) md5: [u8; 16],
    pub(super) bytes: u64,
    pub(super) xmp_place: bool,
}

/// Reads a file once, from the bytes on that the buffer is filled with. Stops soon after
/// `bytes_max`; the hashes are then of no use.
pub(super) fn sums(
    file: &mut File,
    buffer: &mut [u8],
    mut filled: usize,
    bytes_max: u64,
) -> io::Result<Sums> {
    let (mut sha256, mut md5) = (Sha256::new(), Md5::new());
    let mut place = Search::new(XMP_PLACE);
    let mut bytes = 0;
    while filled > 0 {
        let chunk = &buffer[..filled];
        sha256.update(chunk);
        md5.update(chunk);
        place.feed(chunk);
        bytes += filled as u64;
        // What is shorter than the buffer was the end.
        let ended = filled < buffer.len() || bytes > bytes_max;
        filled = if ended { 0 } else { fill(file, buffer)? };
    }
    Ok(Sums {
        digest: Digest::from_bytes(sha256.finalize().into()),
        md5: md5.finalize().into(),
        bytes,
        xmp_place: place.found,
    })
}

/// Fills the buffer, unless the file ends before.
pub(super) fn fill(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(length) => filled += length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// A word that is looked for in a stream, also where it lies across two chunks.
struct Search {
    finder: Finder<'static>,
    /// The end of what came before, shorter than the word.
    tail: Vec<u8>,
    found: bool,
}

impl Search {
    fn new(word: &'static [u8]) -> Self {
        Self { finder: Finder::new(word), tail: Vec::new(), found: false }
    }

    fn feed(&mut self, chunk: &[u8]) {
        let reach = self.finder.needle().len().saturating_sub(1);
        self.tail.extend_from_slice(&chunk[..chunk.len().min(reach)]);
        self.found = self.found
            || self.finder.find(&self.tail).is_some()
            || self.finder.find(chunk).is_some();
        if chunk.len() >= reach {
            self.tail.clear();
            self.tail.extend_from_slice(&chunk[chunk.len() - reach..]);
        } else {
            self.tail.drain(..self.tail.len().saturating_sub(reach));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether `word` is found in `text` that comes in these pieces.
    fn found(text: &[u8], size: usize) -> bool {
        let mut search = Search::new(b"needle");
        text.chunks(size).for_each(|chunk| search.feed(chunk));
        search.found
    }

    #[test]
    fn a_word_is_found_wherever_the_chunks_are_cut() {
        for size in 1..20 {
            for lead in 0..20 {
                let hay = "x".repeat(lead);
                assert!(found(format!("{hay}needle and more").as_bytes(), size), "{lead} {size}");
                assert!(!found(format!("{hay}need le needl e").as_bytes(), size), "{lead} {size}");
                assert!(!found(format!("{hay}eedleneedl").as_bytes(), size), "{lead} {size}");
            }
        }
    }
}
