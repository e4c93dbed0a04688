//! Twins: what a site made a second time of one request.
//!
//! A proxy in front of a site may deliver a request twice and give back the first
//! answer, or none; WordPress then stores a second post under the next free slug (facts
//! §1). Absent from here: what to do about it, which only a person can know. The one
//! rule: a twin is evidence that is shown, and not finding one proves nothing.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Site;
use super::list::Collection;
use super::lookup::{Depth, SlugLookUp};
use super::projection::same_title;
use super::slugs::{comparable, numbered_form, query_form};
use super::stored::{LIGHT_FIELDS, StoredPost};
use super::wire::RequestKind;
use crate::names::{AttachmentId, PostId, PostType, Slug};
use crate::protocol::kinds::ContentFilter;

/// A post that this run made or found.
#[derive(Debug, Clone, Copy)]
pub struct MadePost<'a> {
    /// Its slug, as sent and as stored.
    pub slug: &'a Slug,
    /// Its id.
    pub id: PostId,
    /// Its title, as sent.
    pub title: &'a str,
}

/// An upload that this run made or found.
#[derive(Debug, Clone, Copy)]
pub struct MadeUpload<'a> {
    /// Its slug, as sent and as stored.
    pub slug: &'a Slug,
    /// Its id.
    pub id: AttachmentId,
}

impl Site {
    /// Posts beside these ones that look like a second copy: the slug `x-2`, the same
    /// title, made later. By the slug of the post they are beside. Best effort: one
    /// request for up to 100 posts.
    pub async fn twins_of_posts(
        &self,
        post_type: PostType,
        made: &[MadePost<'_>],
    ) -> BTreeMap<Slug, PostId> {
        let collection = self.post_collection(RequestKind::Candidates, post_type, LIGHT_FIELDS);
        // A type whose route can't be asked for has nothing to show.
        let Ok(collection) = collection.await else { return BTreeMap::new() };
        let slugs = made.iter().map(|made| (made.slug, made.id.get())).collect();
        let rows = self.twins(collection, &slugs).await;
        let by_slug: BTreeMap<&Slug, &str> =
            made.iter().map(|made| (made.slug, made.title)).collect();
        let is_copy = |slug: &Slug, row: Value| {
            let sent = by_slug.get(slug)?;
            let post = StoredPost::read(row, post_type).ok()?;
            let title = post.title?.raw;
            let same = same_title(sent, &title, ContentFilter::Off)
                || same_title(sent, &title, ContentFilter::On);
            PostId::new(post.id).filter(|_| same)
        };
        rows.into_iter()
            .filter_map(|(slug, row)| Some((slug.clone(), is_copy(&slug, row)?)))
            .collect()
    }

    /// Uploads beside these ones with the slug `x-2`. The slug holds the content's hash,
    /// so there is nothing else they could be. Best effort, as for posts.
    pub async fn twins_of_uploads(&self, made: &[MadeUpload<'_>]) -> BTreeMap<Slug, AttachmentId> {
        let collection = self.media_collection(RequestKind::Candidates);
        let slugs = made.iter().map(|made| (made.slug, made.id.get())).collect();
        let rows = self.twins(collection, &slugs).await;
        let id = |row: &Value| AttachmentId::new(row.get("id")?.as_u64()?);
        rows.into_iter().filter_map(|(slug, row)| Some((slug, id(&row)?))).collect()
    }

    /// Rows with the second form of these slugs and a later id.
    async fn twins(
        &self,
        collection: Collection<'_>,
        made: &BTreeMap<&Slug, u64>,
    ) -> Vec<(Slug, Value)> {
        let second = |slug: &str| numbered_form(slug, 2);
        let by_form: BTreeMap<String, (&Slug, u64)> = made
            .iter()
            .map(|(slug, id)| (comparable(&second(slug.stored())), (*slug, *id)))
            .collect();
        let look_up = SlugLookUp { collection, control: None, depth: Depth::Second };
        let mut twins = Vec::new();
        for batch in self.batches(&look_up, &made.keys().map(|slug| slug.stored()).collect()) {
            let forms: Vec<String> = batch.iter().map(|slug| query_form(&second(slug))).collect();
            let asked = forms.join(",");
            // What can't be asked is not evidence, and nothing rests on it.
            let Ok(page) = self.first_page(&collection, &[("slug", &asked)]).await else {
                continue;
            };
            for row in page.rows {
                let slug = row.get("slug").and_then(Value::as_str).map(comparable);
                let beside = slug.and_then(|slug| by_form.get(&slug));
                let id = row.get("id").and_then(Value::as_u64);
                if let (Some((slug, own)), Some(id)) = (beside, id)
                    && id > *own
                {
                    twins.push(((*slug).clone(), row));
                }
            }
        }
        twins
    }
}
