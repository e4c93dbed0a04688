//! A stored post as the site tells it.
//!
//! Absent from here: comparing (`differences`). The one rule: a row that does not have
//! the parts that every post has is not a post.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::proof::unclear;
use super::text::clean;
use crate::names::{Digest, PostId, PostType};
use crate::protocol::kinds::{Difference, FoundPost};
use crate::protocol::sighting::{Unclear, UnclearWhy};

/// What is asked of every row.
pub(crate) const LIGHT_FIELDS: &str = "id,slug,status,type,link,title.raw";
/// What is asked where a post is compared with what was sent.
pub(crate) const FULL_FIELDS: &str = "id,slug,status,type,link,title.raw,content.raw,excerpt.raw,\
    categories,tags,featured_media,date_gmt,author,template,format,comment_status,parent,meta";

/// The source of a text field, as it is in the database.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Raw {
    pub(crate) raw: String,
}

/// A stored post. Fields beyond the first four may be missing: they were not asked for,
/// the type does not have them, or a plugin took them away.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct StoredPost {
    pub(crate) id: u64,
    pub(crate) slug: String,
    pub(crate) status: String,
    #[serde(rename = "type")]
    pub(crate) post_type: String,
    #[serde(default)]
    pub(crate) link: String,
    pub(crate) title: Option<Raw>,
    pub(crate) content: Option<Raw>,
    pub(crate) excerpt: Option<Raw>,
    pub(crate) categories: Option<Vec<u64>>,
    pub(crate) tags: Option<Vec<u64>>,
    pub(crate) featured_media: Option<u64>,
    pub(crate) date_gmt: Option<String>,
    pub(crate) author: Option<u64>,
    pub(crate) template: Option<String>,
    pub(crate) format: Option<String>,
    pub(crate) comment_status: Option<String>,
    pub(crate) parent: Option<u64>,
    /// An object; an empty one is sent as an empty array.
    pub(crate) meta: Option<Value>,
}

impl StoredPost {
    /// Reads a row of a list, or one object.
    pub(crate) fn read(value: Value, post_type: PostType) -> Result<Self, Unclear> {
        let post: Self = serde_json::from_value(value).map_err(|error| {
            let what = format!("a row is not a post: {}", clean(&error.to_string()));
            unclear(UnclearWhy::NotJson, what)
        })?;
        if post.id == 0 || post.post_type != post_type.as_str() {
            let what = format!(
                "a {} was due, and row {} is a {}",
                post_type.as_str(),
                post.id,
                clean(&post.post_type)
            );
            return Err(unclear(UnclearWhy::ForeignRow, what));
        }
        Ok(post)
    }

    pub(crate) fn is_in_trash(&self) -> bool {
        self.status == "trash"
    }

    pub(crate) fn meta(&self) -> Option<&Map<String, Value>> {
        self.meta.as_ref()?.as_object()
    }

    /// What the engine knows of it. `None` for a post without an id, which
    /// [`Self::read`] does not let through.
    pub(crate) fn found(&self, differences: Vec<Difference>) -> Option<FoundPost> {
        Some(FoundPost {
            post_id: PostId::new(self.id)?,
            stored_slug: self.slug.clone(),
            status: clean(&self.status),
            link: clean(&self.link),
            title: self.title.as_ref().map(|title| clean(&title.raw)).unwrap_or_default(),
            content_digest: self.content.as_ref().map(|content| Digest::of(content.raw.as_bytes())),
            differences,
        })
    }
}
