//! One number for all that was given for an article.
//!
//! Absent from here: what is sent (a record has its own digest of that). The rule to
//! keep: two articles have one digest only if every field, the body and every image are
//! the same, so each part is hashed with its name and its length before it.

use sha2::Sha256;

use crate::names::{ArticleKey, Digest};

use super::metadata::Metadata;
use super::model::{BodyFormat, TermName};
use super::scan::Markup;

/// The form of the serialisation; another form needs another name.
const FORM: &str = "oncepress.article/1";

/// What a body is, and what becomes of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rendering {
    pub(super) markup: Markup,
    pub(super) format: BodyFormat,
}

/// Digests an article: its fields, its body's source, its images in the order of their
/// references, and the featured one.
///
/// Paths of files are no part of it, and neither is whether the fields stood in front
/// matter or a sidecar. The body counts byte by byte, line endings too: telling apart
/// what is the same is a question to a person, taking for the same what is not is a lie.
pub(super) fn digest(
    key: &ArticleKey,
    metadata: &Metadata,
    rendering: Rendering,
    body: &str,
    images: &[Digest],
    featured: Option<Digest>,
) -> Digest {
    let mut canonical = Canonical::new();
    canonical.part("type", key.post_type.as_str());
    canonical.part("slug", key.slug.stored());
    canonical.optional("parent", metadata.parent.as_ref().map(ToString::to_string).as_deref());
    canonical.part("status", metadata.status.as_str());
    canonical.part("title", &metadata.title);
    canonical.optional("excerpt", metadata.excerpt.as_deref());
    canonical.terms("category", &metadata.categories);
    canonical.terms("tag", &metadata.tags);
    canonical.optional("date", metadata.date.as_ref().map(super::date::ArticleDate::as_str));
    canonical.optional("author", metadata.author.as_deref());
    canonical.optional("template", metadata.template.as_deref());
    canonical.optional("format", metadata.format.map(super::model::PostFormat::as_str));
    let comments = metadata.comment_status.map(super::model::CommentStatus::as_str);
    canonical.optional("comment_status", comments);
    // Plain HTML has no part of its own, so that what was sent before there was a choice
    // keeps its digest; and an HTML file is the same either way.
    match (rendering.markup, rendering.format) {
        (Markup::Markdown, BodyFormat::Blocks) => canonical.part("body_format", "blocks"),
        (Markup::Markdown, BodyFormat::Html) | (Markup::Html, _) => {}
    }
    for (key, value) in &metadata.meta {
        canonical.part("meta key", key);
        canonical.part("meta value", value);
    }
    let alt = metadata.featured_image_alt.as_ref().map(|alt| alt.text.as_str());
    canonical.optional("featured_image_alt", alt);
    canonical.optional("featured_image", featured.map(|d| d.to_string()).as_deref());
    canonical.part(
        "markup",
        match rendering.markup {
            Markup::Markdown => "markdown",
            Markup::Html => "html",
        },
    );
    canonical.part("body", body);
    for image in images {
        canonical.part("image", &image.to_string());
    }
    canonical.finish()
}

/// A hash of named parts that no other list of parts gives.
struct Canonical(Sha256);

impl Canonical {
    fn new() -> Self {
        use sha2::Digest as _;
        let mut canonical = Self(Sha256::new());
        canonical.part("form", FORM);
        canonical
    }

    fn part(&mut self, name: &str, text: &str) {
        use sha2::Digest as _;
        for part in [name, text] {
            self.0.update((part.len() as u64).to_be_bytes());
            self.0.update(part.as_bytes());
        }
    }

    /// A part that may be absent, which is not the same as empty.
    fn optional(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.part(name, text);
        }
    }

    fn terms(&mut self, name: &str, terms: &[TermName]) {
        for term in terms {
            match term {
                TermName::Id(id) => self.part(&format!("{name} id"), &id.to_string()),
                TermName::Name(text) => self.part(name, text),
            }
        }
    }

    fn finish(self) -> Digest {
        use sha2::Digest as _;
        Digest::from_bytes(self.0.finalize().into())
    }
}
