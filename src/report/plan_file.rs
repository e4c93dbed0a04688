//! A plan as a file: what somebody reads, approves, and hands to `push --plan`.
//!
//! Absent from here: reading and writing files. The one rule: a plan is taken as it was
//! made or not at all; its id is the digest of everything else in it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::article::Article;
use crate::names::{ArticleKey, Digest, PostType, Slug, Timestamp};
use crate::run::approved::{ApprovedArticle, ApprovedPlan, Creates};
use crate::run::codes;
use crate::run::result::{ArticleResult, RunResult};

use super::json::{self, Tense};

/// The name and version of the object.
pub const SCHEMA: &str = "oncepress.plan/1";

/// A plan as a file: `plan --out` writes it, `push --plan` carries it out. Who changes
/// anything in it makes it another plan, which is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanFile {
    /// The name and version of this schema.
    #[schemars(extend("const" = SCHEMA))]
    schema: String,
    /// The digest of everything else in it.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    plan_id: String,
    /// When it was made.
    #[schemars(extend("format" = "date-time"))]
    made_at: String,
    /// Who made it, as `user@host`.
    made_by: String,
    /// The REST root that was asked.
    pub site: String,
    /// The renderer that would make the HTML.
    pub renderer_version: u32,
    /// One entry for each article.
    articles: Vec<Entry>,
}

/// One article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PlannedArticle")]
struct Entry {
    /// Its slug, as people write it.
    slug: String,
    /// Its type.
    #[serde(rename = "type")]
    post_type: String,
    /// Its slug, as WordPress stores it.
    stored_slug: String,
    /// Its file.
    path: String,
    /// What `push` would do.
    #[schemars(with = "json::Action")]
    action: String,
    /// The code of the reason, if there is one.
    reason: Option<String>,
    /// The digest of the article as it was planned.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    digest: String,
    /// The post, where one is known.
    post_id: Option<u64>,
    /// Its images and other files.
    media: Vec<Media>,
}

/// One image or other file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PlannedFile")]
struct Media {
    /// The file.
    path: String,
    /// The digest of its bytes.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    digest: String,
    /// Its size in bytes.
    bytes: u64,
}

/// Why a file is no plan that can be carried out.
#[derive(Debug, thiserror::Error)]
pub enum NoPlan {
    /// It is not what `plan --out` writes.
    #[error("it is not a plan of this program")]
    Shape(#[source] serde_json::Error),
    /// A name in it is none.
    #[error("it names {0:?}, which is no article")]
    Name(String),
    /// It was changed after it was made.
    #[error("it was changed after it was made")]
    Changed,
}

/// Who makes a plan, when, and of what site.
#[derive(Debug, Clone)]
pub struct Made {
    /// When.
    pub at: Timestamp,
    /// By whom, as `user@host`.
    pub by: String,
    /// The REST root.
    pub site: String,
    /// The version of the renderer.
    pub renderer: u32,
}

impl PlanFile {
    /// The plan that this result tells of these articles.
    pub fn of(
        made: Made,
        result: &RunResult,
        articles: &[Article],
    ) -> Result<Self, serde_json::Error> {
        let by_key: BTreeMap<_, _> =
            articles.iter().map(|article| (&article.key, article)).collect();
        let entries = result.articles.iter().filter_map(|planned| {
            let article = by_key.get(planned.key.as_ref()?)?;
            Some(Entry::of(planned, article))
        });
        let mut plan = Self {
            schema: SCHEMA.to_owned(),
            plan_id: String::new(),
            made_at: made.at.to_string(),
            made_by: made.by,
            site: made.site,
            renderer_version: made.renderer,
            articles: entries.collect(),
        };
        plan.plan_id = plan.digest()?.to_string();
        Ok(plan)
    }

    /// The plan in these bytes.
    pub fn read(bytes: &[u8]) -> Result<Self, NoPlan> {
        let plan: Self = serde_json::from_slice(bytes).map_err(NoPlan::Shape)?;
        if plan.schema != SCHEMA
            || plan.plan_id != plan.digest().map_err(NoPlan::Shape)?.to_string()
        {
            return Err(NoPlan::Changed);
        }
        Ok(plan)
    }

    /// The digest of everything but itself.
    fn digest(&self) -> Result<Digest, serde_json::Error> {
        let rest = Self { plan_id: String::new(), ..self.clone() };
        Ok(Digest::of(&serde_json::to_vec(&rest)?))
    }

    /// The files that it names.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.articles.iter().map(|entry| entry.path.as_str())
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.plan_id
    }

    /// The plan as it is carried out by somebody now.
    pub fn approved(&self, by: String, at: Timestamp) -> Result<ApprovedPlan, NoPlan> {
        let id = Digest::from_hex(&self.plan_id).map_err(|_| NoPlan::Changed)?;
        let articles = self.articles.iter().map(Entry::approved).collect::<Result<_, _>>()?;
        Ok(ApprovedPlan { id, by, at, articles })
    }
}

impl Entry {
    fn of(planned: &ArticleResult, article: &Article) -> Self {
        Self {
            slug: article.key.slug.readable(),
            post_type: article.key.post_type.as_str().to_owned(),
            stored_slug: article.key.slug.stored().to_owned(),
            path: article.path.clone(),
            action: json::word(Tense::Planned, &planned.verdict).to_string(),
            reason: codes(&planned.verdict).1,
            digest: article.digest.to_string(),
            post_id: planned.post.as_ref().map(|post| post.post_id.get()),
            media: article
                .images
                .iter()
                .map(|image| Media {
                    path: image.path.clone(),
                    digest: image.digest.to_string(),
                    bytes: image.bytes,
                })
                .collect(),
        }
    }

    fn approved(&self) -> Result<(ArticleKey, ApprovedArticle), NoPlan> {
        let no_name = |_| NoPlan::Name(self.slug.clone());
        let slug = Slug::from_stored(&self.stored_slug).map_err(no_name)?;
        let post_type = PostType::parse(&self.post_type).map_err(no_name)?;
        let digest = Digest::from_hex(&self.digest).map_err(no_name)?;
        let creates = if self.action == "create" { Creates::Yes } else { Creates::No };
        let article = ApprovedArticle { path: self.path.clone(), digest, creates };
        Ok((ArticleKey { post_type, slug }, article))
    }
}
