//! Categories and tags.
//!
//! The one rule: names are stored encoded, as WordPress stores them (facts §5).

use serde::{Deserialize, Serialize};

/// What a term belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Taxonomy {
    /// Categories, which have parents.
    Category,
    /// Tags.
    Tag,
}

impl Taxonomy {
    /// The name that WordPress uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Category => "category",
            Self::Tag => "post_tag",
        }
    }

    /// The route under `/wp/v2/`, which is the name of a post's field too.
    #[must_use]
    pub fn route(self) -> &'static str {
        match self {
            Self::Category => "categories",
            Self::Tag => "tags",
        }
    }
}

/// A term.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Term {
    /// The id.
    pub id: u64,
    /// Category or tag.
    pub taxonomy: Taxonomy,
    /// The name as stored, with entities.
    pub name: String,
    /// The slug.
    pub slug: String,
    /// The description.
    pub description: String,
    /// The parent category; 0 for none.
    pub parent: u64,
}
