//! Posts, pages, attachments and rows of other types, as the database has them.
//!
//! Absent from here: how they are shown and changed. The one rule: all share one
//! table and one series of ids, as in WordPress.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a row of the table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PostKind {
    /// A post.
    Post,
    /// A page.
    Page,
    /// An uploaded file.
    Attachment,
    /// A row of a flat type of its own, as a plugin adds it: no excerpt, no image, no
    /// categories, but meta.
    Book,
    /// A row of such a type with parents.
    Chapter,
}

impl PostKind {
    /// Every kind.
    pub(super) const ALL: [Self; 5] =
        [Self::Post, Self::Page, Self::Attachment, Self::Book, Self::Chapter];

    /// The name that WordPress uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Post => "post",
            Self::Page => "page",
            Self::Attachment => "attachment",
            Self::Book => "lab_book",
            Self::Chapter => "lab_chapter",
        }
    }

    /// The route under `/wp/v2/`.
    #[must_use]
    pub fn route(self) -> &'static str {
        match self {
            Self::Post => "posts",
            Self::Page => "pages",
            Self::Attachment => "media",
            Self::Book => "books",
            Self::Chapter => "lab_chapter",
        }
    }

    /// The word in the names of capabilities.
    pub(super) fn plural(self) -> &'static str {
        match self {
            Self::Post | Self::Attachment | Self::Book | Self::Chapter => "posts",
            Self::Page => "pages",
        }
    }

    /// What the type supports, as far as a client of ours asks.
    pub(super) fn supports(self) -> &'static [&'static str] {
        match self {
            Self::Post => &[
                "title",
                "editor",
                "author",
                "thumbnail",
                "excerpt",
                "custom-fields",
                "comments",
                "post-formats",
            ],
            Self::Page => &[
                "title",
                "editor",
                "author",
                "thumbnail",
                "page-attributes",
                "custom-fields",
                "comments",
            ],
            Self::Attachment => &["title", "author", "comments"],
            Self::Book => &["title", "editor", "custom-fields"],
            Self::Chapter => &["title", "editor", "page-attributes"],
        }
    }

    pub(super) fn has(self, part: &str) -> bool {
        self.supports().contains(&part)
    }

    /// Whether rows have rows of their kind above them.
    pub(super) fn has_parents(self) -> bool {
        match self {
            Self::Page | Self::Chapter => true,
            Self::Post | Self::Attachment | Self::Book => false,
        }
    }

    /// Whether WordPress itself brings it, and not a plugin.
    pub(super) fn is_of_core(self) -> bool {
        match self {
            Self::Post | Self::Page | Self::Attachment => true,
            Self::Book | Self::Chapter => false,
        }
    }
}

/// The status of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Being written.
    Draft,
    /// Waiting for an editor.
    Pending,
    /// For everybody.
    Publish,
    /// To be published at its date.
    Future,
    /// For those who may read private posts.
    Private,
    /// In the trash.
    Trash,
    /// An attachment's.
    Inherit,
}

impl Status {
    /// Every status, by its name.
    pub(super) const ALL: [(&'static str, Self); 7] = [
        ("draft", Self::Draft),
        ("pending", Self::Pending),
        ("publish", Self::Publish),
        ("future", Self::Future),
        ("private", Self::Private),
        ("trash", Self::Trash),
        ("inherit", Self::Inherit),
    ];

    /// The name that WordPress uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Pending => "pending",
            Self::Publish => "publish",
            Self::Future => "future",
            Self::Private => "private",
            Self::Trash => "trash",
            Self::Inherit => "inherit",
        }
    }

    pub(super) fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, status)| *status)
    }
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Post {
    /// The id.
    pub id: u64,
    /// What it is.
    pub kind: PostKind,
    /// The status.
    pub status: Status,
    /// The status before the trash.
    pub status_before_trash: Option<Status>,
    /// The slug before the trash.
    pub slug_before_trash: Option<String>,
    /// The slug as stored; drafts may have none.
    pub slug: String,
    /// The title as stored.
    pub title: String,
    /// The content as stored; an attachment's description.
    pub content: String,
    /// The excerpt as stored; an attachment's caption.
    pub excerpt: String,
    /// The author's user id.
    pub author: u64,
    /// The page or post that this belongs to; 0 for none.
    pub parent: u64,
    /// The date in the site's zone, as `YYYY-MM-DDTHH:MM:SS`.
    pub date: String,
    /// The date in UTC; `None` while it floats.
    pub date_gmt: Option<String>,
    /// When it was last changed.
    pub modified: Timestamp,
    /// Ids of categories.
    pub categories: Vec<u64>,
    /// Ids of tags.
    pub tags: Vec<u64>,
    /// The featured image; 0 for none.
    pub featured_media: u64,
    /// `open` or `closed`.
    pub comment_status: String,
    /// `open` or `closed`.
    pub ping_status: String,
    /// The template; empty for the theme's own.
    pub template: String,
    /// `standard` and others.
    pub format: String,
    /// Whether it sticks to the front page.
    pub sticky: bool,
    /// Registered meta.
    pub meta: BTreeMap<String, Value>,
    /// What a visitor must say to read it; empty for nothing.
    #[serde(default)]
    pub password: String,
    /// A page's place among its siblings.
    #[serde(default)]
    pub menu_order: i64,
    /// The address under which it was made; empty for attachments, whose file tells it.
    pub guid: String,
    /// An attachment's file.
    pub file: Option<File>,
}

impl Post {
    /// A draft without anything, of the kind of which most are.
    pub(super) fn blank(id: u64, author: u64, now: Timestamp) -> Self {
        Self {
            id,
            kind: PostKind::Post,
            status: Status::Draft,
            status_before_trash: None,
            slug_before_trash: None,
            slug: String::new(),
            title: String::new(),
            content: String::new(),
            excerpt: String::new(),
            author,
            parent: 0,
            date: super::world::local(now),
            date_gmt: None,
            modified: now,
            categories: Vec::new(),
            tags: Vec::new(),
            featured_media: 0,
            comment_status: "open".to_owned(),
            ping_status: "open".to_owned(),
            template: String::new(),
            format: "standard".to_owned(),
            sticky: false,
            meta: BTreeMap::new(),
            password: String::new(),
            menu_order: 0,
            guid: String::new(),
            file: None,
        }
    }
}

/// Files of a site that was kept before this was told apart.
fn measured() -> bool {
    true
}

/// An attachment's file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// The name below the uploads folder, such as `2026/12/a.png`.
    pub path: String,
    /// The name of the file before WordPress scaled it.
    pub original: Option<String>,
    /// The MIME type.
    pub mime: String,
    /// Bytes of what is shown (the scaled file's, where there is one).
    pub bytes: u64,
    /// The digest of what was uploaded: judges compare it.
    pub sha256: String,
    /// Width and height in pixels of what is shown; `None` for files that are no images.
    pub size: Option<(u64, u64)>,
    /// Whether WordPress has taken down what the file is. It has not where PHP died right
    /// after the insert.
    #[serde(default = "measured")]
    pub measured: bool,
    /// The smaller sizes that were made, by name.
    pub sizes: BTreeMap<String, (u64, u64)>,
    /// The alternative text.
    pub alt: String,
}
