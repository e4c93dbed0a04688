//! The nouns of the house as types: ids, slugs, digests, times.
//!
//! Absent from here: how any of them is found, written or sent. The one rule: a
//! value of these types is already valid, because it was parsed at the edge.

use std::fmt;
use std::num::NonZeroU64;

use percent_encoding::percent_decode_str;

pub use jiff::Timestamp;

/// Why a word was not accepted as one of the names of this module.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} is not valid: {text:?}")]
pub struct InvalidName {
    what: &'static str,
    text: String,
}

impl InvalidName {
    fn new(what: &'static str, text: &str) -> Self {
        Self { what, text: text.chars().take(200).collect() }
    }
}

/// The id of a post in WordPress, above zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PostId(NonZeroU64);

/// The id of an uploaded file (an attachment) in WordPress, above zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttachmentId(NonZeroU64);

/// The id of a category or tag in WordPress, above zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(NonZeroU64);

/// The id of a user in WordPress, above zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UserId(NonZeroU64);

macro_rules! site_id {
    ($name:ident) => {
        impl $name {
            /// The id, or nothing for zero (WordPress numbers from one).
            #[must_use]
            pub fn new(number: u64) -> Option<Self> {
                NonZeroU64::new(number).map(Self)
            }

            /// The number as WordPress writes it.
            #[must_use]
            pub fn get(self) -> u64 {
                self.0.get()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}
site_id!(PostId);
site_id!(AttachmentId);
site_id!(TermId);
site_id!(UserId);

/// A SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest with these 32 bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        use sha2::Digest as _;
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// Reads 64 lower-case hex digits.
    pub fn from_hex(text: &str) -> Result<Self, InvalidName> {
        let invalid = || InvalidName::new("digest", text);
        if text.len() != 64 {
            return Err(invalid());
        }
        let mut bytes = [0_u8; 32];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            let digit = |c: u8| match c {
                b'0'..=b'9' => Some(c - b'0'),
                b'a'..=b'f' => Some(c - b'a' + 10),
                _ => None,
            };
            let (Some(high), Some(low)) = (digit(pair[0]), digit(pair[1])) else {
                return Err(invalid());
            };
            *byte = high << 4 | low;
        }
        Ok(Self(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// An article's slug, in the form WordPress stores (lower-case ASCII, other
/// scripts percent-encoded; at most 200 bytes). Equality is equality of that form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slug(String);

impl Slug {
    /// Accepts a slug that already has the stored form.
    pub fn from_stored(stored: &str) -> Result<Self, InvalidName> {
        let plain = |b: u8| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'%');
        if stored.is_empty() || stored.len() > 200 || !stored.bytes().all(plain) {
            return Err(InvalidName::new("slug", stored));
        }
        Ok(Self(stored.to_owned()))
    }

    /// The form WordPress stores and `?slug=` matches.
    #[must_use]
    pub fn stored(&self) -> &str {
        &self.0
    }

    /// The form people write: percent-encoding undone where it is valid UTF-8.
    #[must_use]
    pub fn readable(&self) -> String {
        percent_decode_str(&self.0)
            .decode_utf8()
            .map_or_else(|_| self.0.clone(), std::borrow::Cow::into_owned)
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.readable())
    }
}

/// The name of a post type that a plugin or theme adds, such as `book`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeName {
    /// WordPress stores at most twenty (`wp_posts.post_type`), so a name is as cheap to
    /// copy as an id. Zeros fill the rest.
    bytes: [u8; TYPE_NAME_BYTES_MAX],
}

/// Bytes of `wp_posts.post_type`.
const TYPE_NAME_BYTES_MAX: usize = 20;

impl TypeName {
    /// Accepts 1 to 20 of `a-z 0-9 - _`, which is what WordPress makes of any name.
    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        let plain = |b: u8| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
        let mut bytes = [0; TYPE_NAME_BYTES_MAX];
        match bytes.get_mut(..text.len()) {
            Some(place) if !text.is_empty() && text.bytes().all(plain) => {
                place.copy_from_slice(text.as_bytes());
                Ok(Self { bytes })
            }
            Some(_) | None => Err(InvalidName::new("type", text)),
        }
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let end = self.bytes.iter().position(|byte| *byte == 0).unwrap_or(self.bytes.len());
        // ASCII, as `parse` let nothing else in.
        std::str::from_utf8(&self.bytes[..end]).unwrap_or_default()
    }
}

/// Types of WordPress itself that are no articles: files, menus, parts of themes, and
/// what it remembers for itself.
const TYPES_OF_WORDPRESS: [&str; 7] = [
    "attachment",
    "revision",
    "nav_menu_item",
    "custom_css",
    "customize_changeset",
    "oembed_cache",
    "user_request",
];

/// The type of post an article becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PostType {
    /// A blog post (`/wp/v2/posts`).
    Post,
    /// A page (`/wp/v2/pages`).
    Page,
    /// Another type, under the route that the site names for it.
    Other(TypeName),
}

impl PostType {
    /// The name WordPress uses in `type`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Post => "post",
            Self::Page => "page",
            Self::Other(name) => name.as_str(),
        }
    }

    /// The type with this name. Which others a site has, it tells itself.
    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        match text {
            "post" => Ok(Self::Post),
            "page" => Ok(Self::Page),
            own if TYPES_OF_WORDPRESS.contains(&own) || own.starts_with("wp_") => {
                Err(InvalidName::new("type", own))
            }
            other => TypeName::parse(other).map(Self::Other),
        }
    }
}

/// The two states in which OncePress creates a post; never a public one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DraftStatus {
    /// Seen by those who may edit it.
    Draft,
    /// Waiting for a review.
    Pending,
}

impl DraftStatus {
    /// The name WordPress uses in `status`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Pending => "pending",
        }
    }

    /// The status with this name.
    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        match text {
            "draft" => Ok(Self::Draft),
            "pending" => Ok(Self::Pending),
            other => Err(InvalidName::new("status", other)),
        }
    }
}

/// What one article is, on one site: its type and slug. The site is the journal's.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArticleKey {
    /// The post type.
    pub post_type: PostType,
    /// The slug.
    pub slug: Slug,
}

impl fmt::Display for ArticleKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.post_type {
            PostType::Post => write!(f, "{}", self.slug),
            PostType::Page | PostType::Other(_) => {
                write!(f, "{}:{}", self.post_type.as_str(), self.slug)
            }
        }
    }
}

macro_rules! random_id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Accepts 1 to 64 of `a-z 0-9 -`.
            pub fn parse(text: &str) -> Result<Self, InvalidName> {
                let plain = |b: u8| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-');
                if text.is_empty() || text.len() > 64 || !text.bytes().all(plain) {
                    return Err(InvalidName::new($what, text));
                }
                Ok(Self(text.to_owned()))
            }

            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}
random_id!(
    /// The name of one run: when it began, and a random part.
    RunId,
    "run id"
);
random_id!(
    /// The name of one attempt to bring one article or file to the site.
    OperationId,
    "operation id"
);

impl RunId {
    /// A name that sorts by time and that no other run has.
    #[must_use]
    pub fn from_time_and_random(began: Timestamp, random: u64) -> Self {
        Self(format!("{}-{:08x}", began.strftime("%Y%m%dt%H%M%Sz"), random >> 32))
    }
}

impl OperationId {
    /// A name that no other attempt has.
    #[must_use]
    pub fn from_random(random: u64) -> Self {
        Self(format!("{random:016x}"))
    }
}

/// Which journal is meant: the site's host, port and base path, as a file name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteKey(String);

impl SiteKey {
    /// Accepts 1 to 200 of `a-z 0-9 . - _ +`, not beginning with a dot.
    pub fn parse(text: &str) -> Result<Self, InvalidName> {
        let plain = |b: u8| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_' | b'+');
        if text.is_empty() || text.len() > 200 || text.starts_with('.') || !text.bytes().all(plain)
        {
            return Err(InvalidName::new("site key", text));
        }
        Ok(Self(text.to_owned()))
    }

    /// The key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SiteKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
