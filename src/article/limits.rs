//! How much of everything is accepted.
//!
//! Absent from here: checking it. The rule to keep: each limit has a reason, and
//! reaching one is told, never cut short in silence.

use std::collections::BTreeSet;

use super::model::{BodyFormat, MediaKind};

/// The limits of a check, all inclusive, and what counts where an article is silent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one image: hosts commonly accept uploads of 8 to 64 MiB (MED-22).
    pub image_bytes_max: u64,
    /// Bytes of one other file: a film may be larger than any image, and hosts that take
    /// films are made for it.
    pub file_bytes_max: u64,
    /// Kinds that are refused unless they are named here.
    pub allowed: BTreeSet<MediaKind>,
    /// Pixels of one image: PHP unpacks it to make sizes, at some 5 bytes a pixel, and a
    /// process there that dies leaves a half-made attachment.
    pub image_pixels_max: u64,
    /// Bytes of one article file: a request of this size passes PHP's usual 8 MiB, and
    /// a book fits into it.
    pub article_bytes_max: u64,
    /// Bytes of the fields (front matter or sidecar): more is a body in the wrong place.
    pub front_matter_bytes_max: usize,
    /// Characters of a title: more is a paragraph in the wrong field.
    pub title_chars_max: usize,
    /// References to images in one article: each image is an upload before the post.
    pub references_max: usize,
    /// Articles in one run; all are held in memory, and looked up in bulk.
    pub articles_max: usize,
    /// Files and folders seen while looking for articles: a safeguard against `/`.
    pub files_max: usize,
    /// What the Markdown of an article becomes that does not say so itself.
    pub body_format: BodyFormat,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            image_bytes_max: 10 * 1024 * 1024,
            file_bytes_max: 100 * 1024 * 1024,
            allowed: BTreeSet::new(),
            image_pixels_max: 100_000_000,
            article_bytes_max: 4 * 1024 * 1024,
            front_matter_bytes_max: 64 * 1024,
            title_chars_max: 500,
            references_max: 1_000,
            articles_max: 20_000,
            files_max: 1_000_000,
            body_format: BodyFormat::Html,
        }
    }
}
