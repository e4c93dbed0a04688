//! The two kinds of things that are sent, and what is known of each: articles, which
//! become posts, and image files, which become attachments.
//!
//! Absent from here: how these are written to disk or to the wire.

use crate::names::{
    ArticleKey, AttachmentId, Digest, DraftStatus, PostId, Slug, TermId, Timestamp, UserId,
};

/// What a kind of record knows at each phase.
pub trait Kind {
    /// What the record is about.
    type Identity: Clone + Eq + std::fmt::Debug;
    /// What `prepared` fixes.
    type Input: Clone + Eq + std::fmt::Debug;
    /// What is recorded as sent, right before the send.
    type Sent: Clone + Eq + std::fmt::Debug;
    /// The proof that the object exists.
    type Receipt: Clone + Eq + std::fmt::Debug;
}

/// Articles, which become posts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Articles {}

impl Kind for Articles {
    type Identity = ArticleKey;
    type Input = ArticleInput;
    type Sent = PostFields;
    type Receipt = PostReceipt;
}

/// Image files, which become attachments. One record per content, whatever its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uploads {}

impl Kind for Uploads {
    type Identity = Digest;
    type Input = UploadInput;
    type Sent = UploadSent;
    type Receipt = AttachmentReceipt;
}

/// What is fixed about an article when work on it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArticleInput {
    /// The file, as the user names it.
    pub source: String,
    /// The canonical article: metadata, body source, digests of its images.
    pub digest: Digest,
    /// The version of the renderer that would make its HTML.
    pub renderer: u32,
    /// The images it uses, by content.
    pub media: Vec<Digest>,
    /// Who approved exactly this, where it was sent by a plan.
    pub approval: Option<Approval>,
}

/// A person's or agent's word that a plan may be carried out. It stands in the input that
/// it is about, so that it can't be taken for the approval of another version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// The digest of the plan.
    pub plan: Digest,
    /// Who carried it out, as `user@host`.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

/// Whether WordPress filters what this user writes (no `unfiltered_html`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentFilter {
    /// Stored as sent.
    Off,
    /// Disallowed tags and attributes are removed, and text is re-escaped.
    On,
}

/// The fields of one post, as sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostFields {
    /// Always sent: WordPress makes a slug unique only when `status` is in the request.
    pub status: DraftStatus,
    /// The title, as text.
    pub title: String,
    /// The body as HTML, every image under its address on the site.
    pub content: String,
    /// The excerpt.
    pub excerpt: Option<String>,
    /// Category ids, ascending.
    pub categories: Vec<TermId>,
    /// Tag ids, ascending.
    pub tags: Vec<TermId>,
    /// The featured image.
    pub featured_media: Option<AttachmentId>,
    /// RFC 3339 with offset, sent as `date_gmt` in UTC.
    pub date: Option<Timestamp>,
    /// Another author than the account's user.
    pub author: Option<UserId>,
    /// The template file of the theme.
    pub template: Option<String>,
    /// The post format.
    pub format: Option<String>,
    /// `open` or `closed`.
    pub comment_status: Option<String>,
    /// The post above it.
    pub parent: Option<PostId>,
    /// Registered meta fields, by key.
    pub meta: Vec<(String, MetaValue)>,
    /// Whether the site filtered this user's HTML when this was sent.
    pub filter: ContentFilter,
}

/// The value of a meta field, in the type that the site wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MetaValue {
    /// A text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number that is not whole, as JSON has it.
    Number(String),
    /// True or false.
    Boolean(bool),
}

/// The proof that a post exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostReceipt {
    /// The post.
    pub post_id: PostId,
    /// Its slug as stored, which differs from ours where another post held ours.
    pub stored_slug: String,
    /// Its address on the site.
    pub link: String,
    /// Its status when it was seen.
    pub status: String,
    /// The stored content when it was seen, where it was read. For people; never for
    /// deciding whether a post is ours.
    pub content_digest: Option<Digest>,
    /// How it is known.
    pub known_by: KnownBy,
    /// When it was seen.
    pub at: Timestamp,
}

/// What is fixed about an upload when work on it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadInput {
    /// The files with this content, as the user names them; never empty.
    pub paths: Vec<String>,
    /// Size in bytes.
    pub bytes: u64,
    /// The MIME type, from the bytes.
    pub mime: String,
    /// The attachment slug that we choose: ASCII stem and content hash.
    pub upload_slug: Slug,
}

/// What is recorded of an upload right before its send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadSent {
    /// The file name that we chose.
    pub upload_name: String,
    /// The account's user, who owns the attachment.
    pub author: UserId,
}

/// The proof that an attachment exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttachmentReceipt {
    /// The attachment.
    pub attachment_id: AttachmentId,
    /// Its slug as stored.
    pub stored_slug: String,
    /// The address of its file, as the site gave it.
    pub url: String,
    /// Its MIME type as stored.
    pub mime: String,
    /// How it is known.
    pub known_by: KnownBy,
    /// When it was seen.
    pub at: Timestamp,
}

/// How a receipt came to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KnownBy {
    /// The create was answered with 201.
    Answer,
    /// A look-up found exactly what was sent.
    LookUp,
    /// A person named it.
    Person,
}

/// What a look-up knows of one post.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPost {
    /// The post.
    pub post_id: PostId,
    /// Its slug as stored.
    pub stored_slug: String,
    /// Its status.
    pub status: String,
    /// Its address on the site.
    pub link: String,
    /// Its title as stored, without control characters.
    pub title: String,
    /// Its stored content, where the look-up asked for it.
    pub content_digest: Option<Digest>,
    /// Where it differs from what was sent, where that was compared.
    pub differences: Vec<Difference>,
}

impl FoundPost {
    /// Whether title and content are as they were sent. Only means something where the
    /// look-up compared them.
    #[must_use]
    pub fn says_what_was_sent(&self) -> bool {
        !self.differences.iter().any(|difference| {
            matches!(difference.field, DifferentField::Title | DifferentField::Content)
        })
    }
}

/// One field of a stored post that is not as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The field, and with it the warning's code.
    pub field: DifferentField,
    /// What was sent.
    pub sent: String,
    /// What is stored.
    pub stored: String,
}

/// The fields of a post that are compared with what was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DifferentField {
    /// Another post holds our slug.
    Slug,
    /// The title, beyond what WordPress does to titles.
    Title,
    /// The body, beyond what WordPress does to bodies.
    Content,
    /// The excerpt.
    Excerpt,
    /// Draft or pending, the other way round.
    Status,
    /// Categories that the site dropped or added.
    Categories,
    /// Tags that the site dropped or added.
    Tags,
    /// The featured image.
    FeaturedMedia,
    /// The date.
    Date,
    /// The author.
    Author,
    /// The template.
    Template,
    /// The post format.
    Format,
    /// Whether comments are open.
    CommentStatus,
    /// The post above it.
    Parent,
    /// A meta field.
    Meta,
}

impl DifferentField {
    /// The stable code of the warning.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Slug => "slug_changed",
            Self::Title => "title_changed",
            Self::Content => "content_changed",
            Self::Excerpt => "excerpt_changed",
            Self::Status => "status_changed",
            Self::Categories => "categories_dropped",
            Self::Tags => "tags_dropped",
            Self::FeaturedMedia => "featured_image_dropped",
            Self::Date => "date_changed",
            Self::Author => "author_changed",
            Self::Template => "template_changed",
            Self::Format => "format_changed",
            Self::CommentStatus => "comment_status_changed",
            Self::Parent => "parent_changed",
            Self::Meta => "meta_dropped",
        }
    }
}

/// What a look-up knows of one attachment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundAttachment {
    /// The attachment.
    pub attachment_id: AttachmentId,
    /// Its slug as stored.
    pub stored_slug: String,
    /// The address of its file, as the site gave it.
    pub url: String,
    /// Its MIME type as stored.
    pub mime: String,
    /// Whether WordPress has made its smaller sizes.
    pub sizes: Sizes,
}

/// Whether an attachment's smaller sizes were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sizes {
    /// They were, or there are none to make.
    Made,
    /// `missing_image_sizes` names some: `post-process` can finish them.
    Missing,
}
