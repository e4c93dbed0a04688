//! What arrived at the site, one entry for each request.
//!
//! Absent from here: bodies, headers and passwords. The one rule: an entry tells the
//! site's truth, whatever the client was told, because verdicts are computed from it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::super::{PostKind, Taxonomy, Term, World};
use super::accident::Accident;
use super::kind::{Asked, Kind};
use crate::names::Timestamp;

/// One request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrival {
    /// Its number, from one, over the life of the site.
    pub number: u64,
    /// When it came.
    pub at: Timestamp,
    /// What it was for.
    pub kind: Kind,
    /// Its method; of an override, the one that counts.
    pub method: String,
    /// The route below the REST root, or the path of a page outside it.
    pub route: String,
    /// The slug (of a term: the name) that a create or upload asked for.
    pub slug: Option<String>,
    /// What happened to it.
    pub accidents: Vec<Accident>,
    /// How far it got.
    pub reached: Reached,
    /// What it made on the site. Two entries where it was delivered twice.
    pub made: Vec<Made>,
    /// What the client was told.
    pub answered: Answered,
}

impl Arrival {
    pub(in crate::sandbox) fn new(
        number: u64,
        at: Timestamp,
        asked: Asked,
        accidents: &[Accident],
    ) -> Self {
        let Asked { kind, method, route, slug } = asked;
        Self {
            number,
            at,
            kind,
            method,
            route,
            slug,
            accidents: accidents.to_vec(),
            reached: Reached::NotTheSite,
            made: Vec::new(),
            answered: Answered::Nothing,
        }
    }

    /// Whether the site has changed because of it.
    #[must_use]
    pub fn committed(&self) -> bool {
        self.reached == Reached::Committed
    }
}

/// How far a request got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reached {
    /// It was lost on its way, or something in front of WordPress answered it.
    NotTheSite,
    /// WordPress has it, and does what it asks at the time that is named.
    Waiting {
        /// When.
        until: Timestamp,
    },
    /// WordPress answered it, and nothing changed.
    Answered,
    /// WordPress did what it asks, and something changed.
    Committed,
}

/// Something that a request made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// What it is.
    pub what: MadeKind,
    /// Its id.
    pub id: u64,
    /// Its slug, as stored.
    pub slug: String,
}

/// What a request made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MadeKind {
    /// A post.
    Post,
    /// A page.
    Page,
    /// An uploaded file.
    Attachment,
    /// A row of another type, as a plugin adds it.
    Other,
    /// A category.
    Category,
    /// A tag.
    Tag,
}

impl MadeKind {
    /// Whether it is a row of the posts' table.
    pub(in crate::sandbox) fn is_row(self) -> bool {
        match self {
            Self::Post | Self::Page | Self::Attachment | Self::Other => true,
            Self::Category | Self::Tag => false,
        }
    }
}

/// What is in the second state and not in the first.
pub(in crate::sandbox) fn made_between(before: &World, after: &World) -> Vec<Made> {
    let rows = after.posts().filter(|post| !before.posts.contains_key(&post.id)).map(|post| Made {
        what: match post.kind {
            PostKind::Post => MadeKind::Post,
            PostKind::Page => MadeKind::Page,
            PostKind::Attachment => MadeKind::Attachment,
            PostKind::Book | PostKind::Chapter => MadeKind::Other,
        },
        id: post.id,
        slug: post.slug.clone(),
    });
    let is_new = |term: &&Term| !before.terms.contains_key(&term.id);
    let terms = after.terms().filter(is_new).map(|term| Made {
        what: match term.taxonomy {
            Taxonomy::Category => MadeKind::Category,
            Taxonomy::Tag => MadeKind::Tag,
        },
        id: term.id,
        slug: term.slug.clone(),
    });
    rows.chain(terms).collect()
}

/// What the client was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answered {
    /// Nothing: the connection was closed.
    Nothing,
    /// Part of an answer with this status.
    Cut(u16),
    /// A whole answer with this status.
    Whole(u16),
}

macro_rules! as_text {
    ($name:ident) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
as_text!(Kind);
as_text!(Accident);
