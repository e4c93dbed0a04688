//! An article that passed the check, and its parts.
//!
//! Absent from here: how one is read, and where it goes. The rule to keep: only the
//! check makes an [`Article`] or a [`MediaFile`], so whoever holds one may send it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use crate::names::{ArticleKey, Digest, DraftStatus, PostId, Slug, TermId};

use super::date::ArticleDate;
use super::problem::Problem;

/// One article file that passed the check.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Article {
    /// The file, as the user would type it, with `/` between its parts.
    pub path: String,
    /// Its type and slug: what it is on a site.
    pub key: ArticleKey,
    /// The post above it, if given. Never for posts, which have none.
    pub parent: Option<ParentName>,
    /// The state in which its post is made.
    pub status: DraftStatus,
    /// The title: not empty, one line, no blanks around it (WordPress would trim them).
    pub title: String,
    /// The excerpt, if given.
    pub excerpt: Option<String>,
    /// The categories, in the order given, none twice. Empty for pages.
    pub categories: Vec<TermName>,
    /// The tags, in the order given, none twice. Empty for pages.
    pub tags: Vec<TermName>,
    /// The featured image, one of `images`.
    pub featured: Option<ImageIndex>,
    /// The date, if given.
    pub date: Option<ArticleDate>,
    /// The author as written: a login name or an id.
    pub author: Option<String>,
    /// The page or post template, a file name of the theme.
    pub template: Option<String>,
    /// The post format.
    pub format: Option<PostFormat>,
    /// Whether readers may comment.
    pub comment_status: Option<CommentStatus>,
    /// Meta keys and values, sorted by key.
    pub meta: BTreeMap<String, String>,
    /// The body as HTML; local references in it are still local.
    pub html: String,
    /// The local references in `html`, in its order; they don't overlap.
    pub references: Vec<Reference>,
    /// The images to upload: one for each content, in the order of first use.
    pub images: Vec<MediaFile>,
    /// What a site takes out of `html` for a user without `unfiltered_html`.
    pub filtered: Vec<Problem>,
    /// The digest of all that was given: fields, body source, images. It knows nothing
    /// of paths, so moving an article does not change it. Bytes count as they are after
    /// a byte order mark is dropped: other line endings are another digest.
    pub digest: Digest,
}

impl Article {
    /// The image with this index.
    ///
    /// # Panics
    ///
    /// If the index is another article's.
    #[must_use]
    pub fn image(&self, index: ImageIndex) -> &MediaFile {
        &self.images[index.get()]
    }
}

/// Which of an article's images.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ImageIndex(usize);

impl ImageIndex {
    pub(crate) fn new(index: usize) -> Self {
        Self(index)
    }

    /// The index into `images`.
    #[must_use]
    pub fn get(self) -> usize {
        self.0
    }
}

/// A local reference in an article's HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The bytes of the attribute's value, without its quotes. A query or fragment is
    /// part of the range, and so is dropped when the value is replaced: it can only
    /// have meant the local file.
    pub range: Range<usize>,
    /// The image it means.
    pub image: ImageIndex,
    /// How an address is written there.
    pub fit: Fit,
    /// What belongs there once the image is on the site.
    pub wants: Wanted,
}

/// How an address is written in the place of a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// It is a whole value, which gets quotes if it has none.
    Value,
    /// It is a part of a value; what stands around it in the value stays.
    Part,
    /// It is one address of a `srcset`, where a comma could end it.
    Candidate,
}

/// What a reference becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The image's address.
    Address,
    /// Its id. The range is a number that the renderer put there, not the author.
    Id,
}

/// What Markdown becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BodyFormat {
    /// Plain HTML, which the editor shows in one block of its old editor.
    #[default]
    Html,
    /// The blocks of WordPress' editor.
    Blocks,
}

impl BodyFormat {
    /// The format with this name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "html" => Some(Self::Html),
            "blocks" => Some(Self::Blocks),
            _ => None,
        }
    }
}

/// A category or tag as given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TermName {
    /// By its id, written `id:12`.
    Id(TermId),
    /// By its name or slug.
    Name(String),
}

/// The parent of a page as given.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ParentName {
    /// By its id, written `id:12`.
    Id(PostId),
    /// By its slug, with as many of the slugs above it as were given; from the top down,
    /// never empty.
    Path(Vec<Slug>),
}

impl std::fmt::Display for ParentName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Id(id) => write!(f, "id:{id}"),
            Self::Path(slugs) => {
                let readable: Vec<String> = slugs.iter().map(Slug::readable).collect();
                f.write_str(&readable.join("/"))
            }
        }
    }
}

/// The kinds of file that are uploaded (MED-21). The first four are taken by every
/// supported WordPress; the others by some, which say so if they do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MediaKind {
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// GIF.
    Gif,
    /// WebP.
    Webp,
    /// AVIF, since WordPress 6.5.
    Avif,
    /// SVG, which may hold scripts; WordPress itself refuses it.
    Svg,
    /// PDF.
    Pdf,
    /// MP4 film.
    Mp4,
    /// `WebM` film.
    Webm,
    /// MP3 sound.
    Mp3,
}

/// What kinds of file have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Shown.
    Image,
    /// Heard.
    Audio,
    /// Played.
    Video,
    /// Read.
    Document,
}

impl MediaKind {
    /// Every kind.
    pub const ALL: [Self; 10] = [
        Self::Jpeg,
        Self::Png,
        Self::Gif,
        Self::Webp,
        Self::Avif,
        Self::Svg,
        Self::Pdf,
        Self::Mp4,
        Self::Webm,
        Self::Mp3,
    ];

    /// The word in `[media] allow` without which it is refused.
    #[must_use]
    pub fn opt_in(self) -> Option<&'static str> {
        match self {
            Self::Jpeg | Self::Png | Self::Gif | Self::Webp | Self::Avif => None,
            Self::Svg | Self::Pdf | Self::Mp4 | Self::Webm | Self::Mp3 => Some(self.extension()),
        }
    }

    /// What it has in common with others.
    #[must_use]
    pub fn family(self) -> Family {
        match self {
            Self::Jpeg | Self::Png | Self::Gif | Self::Webp | Self::Avif | Self::Svg => {
                Family::Image
            }
            Self::Pdf => Family::Document,
            Self::Mp4 | Self::Webm => Family::Video,
            Self::Mp3 => Family::Audio,
        }
    }

    /// The MIME type.
    #[must_use]
    pub fn mime(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
            Self::Avif => "image/avif",
            Self::Svg => "image/svg+xml",
            Self::Pdf => "application/pdf",
            Self::Mp4 => "video/mp4",
            Self::Webm => "video/webm",
            Self::Mp3 => "audio/mpeg",
        }
    }

    /// The extension that WordPress keeps for it, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Webp => "webp",
            Self::Avif => "avif",
            Self::Svg => "svg",
            Self::Pdf => "pdf",
            Self::Mp4 => "mp4",
            Self::Webm => "webm",
            Self::Mp3 => "mp3",
        }
    }
}

/// A file to upload: an image, a video, a sound or a document.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct MediaFile {
    /// The file, as the user would type it (the first, if several hold the same bytes).
    pub path: String,
    /// The file, absolute and free of links.
    pub file: PathBuf,
    /// The SHA-256 of its bytes: what a media record is keyed by.
    pub digest: Digest,
    /// The MD5 of its bytes, for `Content-MD5`.
    pub md5: [u8; 16],
    /// Its size in bytes.
    pub bytes: u64,
    /// What its bytes say it is.
    pub kind: MediaKind,
    /// Pixels across and down, of what has pixels.
    pub pixels: Option<(usize, usize)>,
    /// The first alt text that is not empty, of its references in order, then
    /// `featured_image_alt`; else empty.
    pub alt: String,
    /// What is said under it, as text; empty if nothing is.
    pub caption: String,
    /// The name of its file without the extension, for people.
    pub title: String,
    /// The slug of the upload: a readable part and the content's hash, so that a look-up
    /// is exact and it never takes an article's slug (MED-14, FIND-07).
    pub upload_slug: Slug,
    /// The file name of the upload: that slug and the extension its bytes ask for.
    pub upload_name: String,
}

/// A post format of WordPress' closed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PostFormat(&'static str);

impl PostFormat {
    /// The formats WordPress knows (`get_post_format_slugs`).
    pub const ALL: [&'static str; 10] = [
        "standard", "aside", "chat", "gallery", "link", "image", "quote", "status", "video",
        "audio",
    ];

    /// The format with this name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|name| *name == text).map(Self)
    }

    /// The name WordPress uses in `format`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

/// Whether readers may comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CommentStatus {
    /// They may.
    Open,
    /// They may not.
    Closed,
}

impl CommentStatus {
    /// The status with this name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "open" => Some(Self::Open),
            "closed" => Some(Self::Closed),
            _ => None,
        }
    }

    /// The name WordPress uses in `comment_status`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
        }
    }
}
