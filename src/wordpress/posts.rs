//! Posts: looking them up by slug, evidence for a person, and the one create request.
//!
//! Absent from here: receipts (`receipts`). The one rule: [`Site::create_post`] uses up
//! a permit and sends one request.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::Site;
use super::body::CountedBody;
use super::classify::{Sent, classify};
use super::differences::{date_gmt, differences, says_the_same};
use super::list::Collection;
use super::lookup::{Depth, SlugLookUp, SlugView};
use super::projection::same_title;
use super::proof::unclear;
use super::slugs::{comparable, numbered_form};
use super::stored::{FULL_FIELDS, LIGHT_FIELDS, StoredPost};
use super::wire::{RequestKind, Write};
use crate::journal::SendPermit;
use crate::names::{PostType, Slug, Timestamp};
use crate::protocol::kinds::{ContentFilter, FoundPost, MetaValue, PostFields};
use crate::protocol::outcome::{Outcome, Pressure, Unsettled};
use crate::protocol::sighting::{Sighting, Unclear, UnclearWhy};

/// Every status a post can be in: `any` leaves out the trash (facts §2).
pub(super) const POST_STATUSES: &str = "any,trash";
/// Rows of evidence that a person is shown.
const CANDIDATES_MAX: usize = 20;
/// Numbers that are tried for near slugs: `x-2` to `x-5`.
const NEAR_NUMBERS: std::ops::RangeInclusive<u32> = 2..=5;
/// The site's clock may be behind ours.
const CLOCKS_APART_S: i64 = 600;

/// One slug to look up.
#[derive(Debug, Clone, Copy)]
pub struct PostQuestion<'a> {
    /// The slug.
    pub slug: &'a Slug,
    /// What was sent, where something was: then the content is fetched and compared.
    pub sent: Option<&'a PostFields>,
}

/// A post that may be the one a person looks for, and why.
struct Candidate {
    has_near_slug: bool,
    has_title: bool,
    post: FoundPost,
}

impl Site {
    /// Looks posts up by slug, in bulk (spec §5). A single post for a question without
    /// `sent` is [`Sighting::Differs`] without differences: nothing was compared.
    ///
    /// `control` is the stored slug of a post that is known to exist.
    pub async fn look_up_posts(
        &self,
        post_type: PostType,
        questions: &[PostQuestion<'_>],
        control: Option<&str>,
    ) -> BTreeMap<Slug, Sighting<FoundPost>> {
        let slugs = |with_content: bool| -> BTreeSet<&str> {
            let asked = questions.iter().filter(|asked| asked.sent.is_some() == with_content);
            asked.map(|asked| asked.slug.stored()).collect()
        };
        let (light, full) = match (
            self.look_up(post_type, LIGHT_FIELDS, Depth::Taken, control).await,
            self.look_up(post_type, FULL_FIELDS, Depth::Sent, control).await,
        ) {
            (Ok(light), Ok(full)) => (light, full),
            (Err(why), _) | (_, Err(why)) => {
                let unclear =
                    |asked: &PostQuestion<'_>| (asked.slug.clone(), Sighting::Unclear(why.clone()));
                return questions.iter().map(unclear).collect();
            }
        };
        let mut views = self.look_up_slugs(&light, &slugs(false)).await;
        views.extend(self.look_up_slugs(&full, &slugs(true)).await);
        questions
            .iter()
            .map(|asked| {
                let view = views.get(asked.slug.stored());
                (asked.slug.clone(), sighting(post_type, *asked, view))
            })
            .collect()
    }

    async fn look_up<'a>(
        &'a self,
        post_type: PostType,
        fields: &'a str,
        depth: Depth,
        control: Option<&'a str>,
    ) -> Result<SlugLookUp<'a>, Unclear> {
        let collection = self.post_collection(RequestKind::LookUp, post_type, fields).await?;
        Ok(SlugLookUp { collection, control, depth })
    }

    pub(super) async fn post_collection<'a>(
        &'a self,
        kind: RequestKind,
        post_type: PostType,
        fields: &'a str,
    ) -> Result<Collection<'a>, Unclear> {
        let language = match post_type {
            PostType::Page => self.offers.pages,
            // A language plugin that filters posts may filter this type, and what it does
            // not filter ignores the parameter.
            PostType::Post | PostType::Other(_) => self.offers.posts,
        };
        let route = self.route_of(post_type).await?;
        Ok(Collection { kind, route, status: Some(POST_STATUSES), language, fields })
    }

    /// Posts that a person should look at before deciding about this slug: it, `x-2` to
    /// `x-5`, posts with the same title, and this user's posts since the send. Best
    /// effort, three requests at most; never adopted by the tool.
    pub async fn candidates(
        &self,
        post_type: PostType,
        slug: &Slug,
        title: &str,
        since: Timestamp,
    ) -> Vec<FoundPost> {
        let collection = self.post_collection(RequestKind::Candidates, post_type, LIGHT_FIELDS);
        let Ok(collection) = collection.await else { return Vec::new() };
        let numbered = NEAR_NUMBERS.map(|number| numbered_form(slug.stored(), number));
        let own = std::iter::once(slug.stored().to_owned());
        let near = own.chain(numbered).collect::<Vec<_>>().join(",");
        let author = self.account.id.to_string();
        let since = since.as_second().saturating_sub(CLOCKS_APART_S);
        let after = Timestamp::from_second(since).map(date_gmt).unwrap_or_default() + "Z";
        let mut found: Vec<Candidate> = Vec::new();
        let filters: [&[(&str, &str)]; 3] = [
            &[("slug", &near)],
            // `search_columns` is ignored before 6.2.
            &[("search", title), ("search_columns", "post_title")],
            &[("author", &author), ("after", &after)],
        ];
        for filter in filters {
            let is_search = filter[0].0 == "search";
            // What can't be asked is not evidence; the decision rests on the look-up.
            let Ok(page) = self.first_page(&collection, filter).await else { continue };
            for row in page.rows {
                let Ok(post) = StoredPost::read(row, post_type) else { continue };
                let has_title = post.title.as_ref().is_some_and(|stored| {
                    same_title(title, &stored.raw, ContentFilter::Off)
                        || same_title(title, &stored.raw, ContentFilter::On)
                });
                let is_new = !found.iter().any(|known| known.post.post_id.get() == post.id);
                if is_new && (has_title || !is_search) {
                    let has_near_slug = filter[0].0 == "slug";
                    let post = post.found(Vec::new());
                    found.extend(post.map(|post| Candidate { has_near_slug, has_title, post }));
                }
            }
        }
        // The strongest evidence first, then the newest.
        found.sort_by_key(|known| {
            Reverse((known.has_near_slug, known.has_title, known.post.post_id))
        });
        found.into_iter().take(CANDIDATES_MAX).map(|known| known.post).collect()
    }

    /// Sends one create request.
    pub async fn create_post(
        &self,
        permit: SendPermit,
        post_type: PostType,
        slug: &Slug,
        fields: &PostFields,
    ) -> Outcome<FoundPost> {
        // The permit ends here: whatever happens below, there is no second request.
        drop(permit);
        let route = match self.route_of(post_type).await {
            Ok(route) => route,
            // The plan knew it, so it is known here.
            Err(why) => return Outcome::NotSent(why.detail),
        };
        let write = Write {
            kind: RequestKind::CreatePost,
            route,
            // Only what is compared: rendering the rest costs the site time, and
            // plugins that fail while rendering would spoil the answer (case BODY-03).
            parameters: &[("_fields", FULL_FIELDS)],
            body: CountedBody::from_bytes(payload(slug, fields).to_string().into_bytes()),
            content_type: "application/json",
            headers: Vec::new(),
        };
        let answer = self.wire.post(&self.root, write).await;
        crate::crash::point("article", "after-answer");
        match classify(&answer, Sent::Post(post_type)) {
            Outcome::Created(object) => created(post_type, slug, fields, object),
            Outcome::Rejected(rejection) => Outcome::Rejected(rejection),
            Outcome::NotSent(why) => Outcome::NotSent(why),
            Outcome::Unknown(unsettled) => Outcome::Unknown(unsettled),
        }
    }
}

/// The body of the create request. `status` is always there: without it WordPress does
/// not make the slug unique (facts §1).
fn payload(slug: &Slug, fields: &PostFields) -> Value {
    let mut body = Map::new();
    let mut put = |name: &str, value: Value| body.insert(name.to_owned(), value);
    put("status", json!(fields.status.as_str()));
    put("slug", json!(slug.stored()));
    put("title", json!(fields.title));
    put("content", json!(fields.content));
    let texts = [
        ("excerpt", fields.excerpt.clone()),
        ("date_gmt", fields.date.map(date_gmt)),
        ("template", fields.template.clone()),
        ("comment_status", fields.comment_status.clone()),
        ("format", fields.format.clone()),
    ];
    for (name, text) in texts {
        if let Some(text) = text {
            put(name, json!(text));
        }
    }
    let terms = [("categories", &fields.categories), ("tags", &fields.tags)];
    for (name, ids) in terms.into_iter().filter(|(_, ids)| !ids.is_empty()) {
        put(name, json!(ids.iter().map(|id| id.get()).collect::<Vec<_>>()));
    }
    if let Some(id) = fields.featured_media {
        put("featured_media", json!(id.get()));
    }
    if let Some(id) = fields.author {
        put("author", json!(id.get()));
    }
    if let Some(id) = fields.parent {
        put("parent", json!(id.get()));
    }
    if !fields.meta.is_empty() {
        let meta: Map<String, Value> =
            fields.meta.iter().map(|(key, value)| (key.clone(), meta_json(value))).collect();
        put("meta", Value::Object(meta));
    }
    Value::Object(body)
}

fn meta_json(value: &MetaValue) -> Value {
    match value {
        MetaValue::Text(text) => json!(text),
        MetaValue::Integer(number) => json!(number),
        MetaValue::Number(text) => serde_json::from_str(text).unwrap_or_else(|_| json!(text)),
        MetaValue::Boolean(yes) => json!(yes),
    }
}

fn created(
    post_type: PostType,
    slug: &Slug,
    fields: &PostFields,
    object: Value,
) -> Outcome<FoundPost> {
    let hint = object.get("id").and_then(Value::as_u64);
    let in_doubt = |detail| Outcome::Unknown(Unsettled { detail, hint, pressure: Pressure::None });
    let stored = match StoredPost::read(object, post_type) {
        Ok(stored) => stored,
        Err(error) => return in_doubt(error.detail),
    };
    match stored.found(differences(slug, fields, &stored)) {
        Some(found) => Outcome::Created(found),
        None => in_doubt("the answer's post has no id".to_owned()),
    }
}

fn sighting(
    post_type: PostType,
    asked: PostQuestion<'_>,
    view: Option<&SlugView>,
) -> Sighting<FoundPost> {
    let rows = match view {
        Some(SlugView::Rows(rows)) => rows,
        Some(SlugView::Hidden) => return Sighting::Hidden,
        Some(SlugView::Unclear(why)) => return Sighting::Unclear(why.clone()),
        None => return Sighting::Unclear(unclear(UnclearWhy::NoAnswer, "it was not asked for")),
    };
    match seen(post_type, asked, rows) {
        Ok(sighting) => sighting,
        Err(why) => Sighting::Unclear(why),
    }
}

fn seen(
    post_type: PostType,
    asked: PostQuestion<'_>,
    rows: &[Value],
) -> Result<Sighting<FoundPost>, Unclear> {
    let mut posts = Vec::new();
    for row in rows {
        let stored = StoredPost::read(row.clone(), post_type)?;
        let differences = match asked.sent {
            Some(sent) => differences(asked.slug, sent, &stored),
            None => Vec::new(),
        };
        let same = asked.sent.is_some()
            && says_the_same(&differences)
            && comparable(&stored.slug) == comparable(asked.slug.stored());
        let found = stored
            .found(differences)
            .ok_or_else(|| unclear(UnclearWhy::NotJson, "a row has no id"))?;
        posts.push((found, stored.is_in_trash(), same));
    }
    Ok(match posts.len() {
        0 => Sighting::Absent,
        1 => {
            let (found, is_in_trash, same) = posts.remove(0);
            match (is_in_trash, same) {
                (true, _) => Sighting::Trashed(found),
                (false, true) => Sighting::Same(found),
                (false, false) => Sighting::Differs(found),
            }
        }
        _ => Sighting::Several(posts.into_iter().map(|(found, _, _)| found).collect()),
    })
}
