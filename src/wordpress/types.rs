//! The post types of a site beyond `post` and `page`, as the site tells them.
//!
//! Absent from here: the meta fields of a type (`meta`). The one rule: a type is one
//! that the site named with its route; nothing is guessed from its name.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::Site;
use super::http::Identity;
use super::proof::{judge_read, unanswered, unclear};
use super::wire::{Question, RequestKind};
use crate::names::{PostType, TypeName};
use crate::protocol::sighting::{Unclear, UnclearWhy};

/// One type, as the site offers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OfferedType {
    /// The route of its collection, such as `wp/v2/books`.
    pub(crate) route: String,
    pub(crate) hierarchical: bool,
    supports: Vec<String>,
    taxonomies: Vec<String>,
}

/// The types that this account may write, by name.
pub(crate) type OfferedTypes = BTreeMap<TypeName, OfferedType>;

/// A field of an article that not every type has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeField {
    /// The title.
    Title,
    /// The body.
    Body,
    /// `excerpt`.
    Excerpt,
    /// `author`.
    Author,
    /// `featured_image`.
    FeaturedImage,
    /// `comment_status`.
    CommentStatus,
    /// `format`.
    Format,
    /// `parent`.
    Parent,
    /// `categories`.
    Categories,
    /// `tags`.
    Tags,
}

impl TypeField {
    /// The field's name in an article.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Body => "body",
            Self::Excerpt => "excerpt",
            Self::Author => "author",
            Self::FeaturedImage => "featured_image",
            Self::CommentStatus => "comment_status",
            Self::Format => "format",
            Self::Parent => "parent",
            Self::Categories => "categories",
            Self::Tags => "tags",
        }
    }
}

/// What is known of a type that an article names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeKnown<'a> {
    /// The site has it, and this account may write it.
    Offered(TypeOffer<'a>),
    /// The site was asked, and does not name it to this account.
    NotOffered,
    /// The site could not be asked (yet).
    NotAsked,
}

/// What a type offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypeOffer<'a>(Kind<'a>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind<'a> {
    Post,
    Page,
    Other(&'a OfferedType),
}

impl TypeOffer<'_> {
    /// Whether posts of this type have the field.
    #[must_use]
    pub fn has(self, field: TypeField) -> bool {
        let offered = match self.0 {
            // As a fresh WordPress has them; the offline check knows the same.
            Kind::Post => return field != TypeField::Parent,
            Kind::Page => {
                use TypeField as F;
                return !matches!(field, F::Categories | F::Tags | F::Format);
            }
            Kind::Other(offered) => offered,
        };
        let supports = |name: &str| offered.supports.iter().any(|known| known == name);
        let files_under = |name: &str| offered.taxonomies.iter().any(|known| known == name);
        match field {
            TypeField::Title => supports("title"),
            TypeField::Body => supports("editor"),
            TypeField::Excerpt => supports("excerpt"),
            TypeField::Author => supports("author"),
            TypeField::FeaturedImage => supports("thumbnail"),
            TypeField::CommentStatus => supports("comments"),
            TypeField::Format => supports("post-formats"),
            TypeField::Parent => offered.hierarchical,
            TypeField::Categories => files_under("category"),
            TypeField::Tags => files_under("post_tag"),
        }
    }
}

#[derive(Deserialize)]
struct ToldType {
    slug: String,
    rest_base: Value,
    #[serde(default)]
    rest_namespace: Option<String>,
    hierarchical: bool,
    #[serde(default)]
    supports: Value,
    #[serde(default)]
    taxonomies: Vec<String>,
}

impl Site {
    /// What the site told of this type, without asking it now.
    #[must_use]
    pub fn known_type(&self, post_type: PostType) -> TypeKnown<'_> {
        match post_type {
            PostType::Post => TypeKnown::Offered(TypeOffer(Kind::Post)),
            PostType::Page => TypeKnown::Offered(TypeOffer(Kind::Page)),
            PostType::Other(name) => match self.types.get() {
                None => TypeKnown::NotAsked,
                Some(types) => types.get(&name).map_or(TypeKnown::NotOffered, |offered| {
                    TypeKnown::Offered(TypeOffer(Kind::Other(offered)))
                }),
            },
        }
    }

    /// The names of all types that this account may write, for a person.
    #[must_use]
    pub fn type_names(&self) -> Vec<String> {
        let others = self.types.get().into_iter().flatten().map(|(name, _)| name.as_str());
        ["post", "page"].into_iter().chain(others).map(str::to_owned).collect()
    }

    /// The route of a type's collection. The types are asked for once a run, and only
    /// where an article is neither a post nor a page.
    pub(crate) async fn route_of(&self, post_type: PostType) -> Result<&str, Unclear> {
        let name = match post_type {
            PostType::Post => return Ok("wp/v2/posts"),
            PostType::Page => return Ok("wp/v2/pages"),
            PostType::Other(name) => name,
        };
        // A failure is not kept: the next question may be answered.
        let types = self.types.get_or_try_init(|| self.ask_types()).await?;
        types.get(&name).map(|offered| offered.route.as_str()).ok_or_else(|| {
            let what = format!("the site names no type \"{}\" to this account", name.as_str());
            unclear(UnclearWhy::Status, what)
        })
    }

    async fn ask_types(&self) -> Result<OfferedTypes, Unclear> {
        let question = Question {
            kind: RequestKind::Preflight,
            route: "wp/v2/types",
            // With `edit` come what a type supports, and only types that this account
            // may write. No `_fields`: it would choose among the names of the types.
            parameters: &[("context", "edit")],
            identity: Identity::Account,
        };
        let answer = self.wire.get(&self.root, question).await;
        let value = judge_read(&answer.map_err(|failure| unanswered(&failure))?)?;
        let not_types = || unclear(UnclearWhy::NotJson, "the answer does not list post types");
        // An empty list, PHP's empty map, is no answer either: who may write nothing is
        // refused.
        let Value::Object(told) = value else { return Err(not_types()) };
        if told.get("post").is_none() {
            // Every account that may write has it: something else answered.
            return Err(not_types());
        }
        Ok(told.into_iter().filter_map(|(_, value)| offered(value)).collect())
    }
}

/// A type that can hold articles. One whose route is a pattern, or that is WordPress' own,
/// can't, and is as if it were not there.
fn offered(value: Value) -> Option<(TypeName, OfferedType)> {
    let told: ToldType = serde_json::from_value(value).ok()?;
    let PostType::Other(name) = PostType::parse(&told.slug).ok()? else { return None };
    let plain = |text: &str| {
        let fine = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'/' | b'.');
        !text.is_empty() && text.bytes().all(fine) && !text.contains("..")
    };
    // `rest_base` is `false` where the type's name is its route.
    let base = told.rest_base.as_str().unwrap_or(&told.slug).to_owned();
    // Told since WordPress 5.9.
    let namespace = told.rest_namespace.unwrap_or_else(|| "wp/v2".to_owned());
    if !plain(&base) || !plain(&namespace) {
        return None;
    }
    let supports = match told.supports {
        Value::Object(told) => {
            let is_on = |value: &Value| !matches!(value, Value::Bool(false) | Value::Null);
            told.into_iter().filter(|(_, value)| is_on(value)).map(|(name, _)| name).collect()
        }
        _ => Vec::new(),
    };
    let route = format!("{}/{}", namespace.trim_matches('/'), base.trim_matches('/'));
    let hierarchical = told.hierarchical;
    Some((name, OfferedType { route, hierarchical, supports, taxonomies: told.taxonomies }))
}
