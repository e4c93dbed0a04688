//! Verifying receipts, in bulk by id, and reading one object by id.
//!
//! Absent from here: what a missing object means (the engine). The one rule: "missing"
//! is said only when the site said of this very id that there is no such object; a row
//! that a list left out is asked for on its own.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Site;
use super::differences::differences;
use super::http::Identity;
use super::list::Collection;
use super::proof::{Item, judge_item, unanswered, unclear};
use super::slugs::comparable;
use super::stored::{FULL_FIELDS, LIGHT_FIELDS, StoredPost};
use super::wire::{Question, RequestKind};
use crate::names::{PostId, PostType, Slug};
use crate::protocol::kinds::{FoundPost, PostFields};
use crate::protocol::sighting::{ReceiptSighting, Unclear, UnclearWhy};

/// Ids asked for in one request; a page holds no more rows.
const IDS_MAX: usize = 100;

/// What was seen of one id.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum IdView {
    Row(Value),
    Missing,
    Hidden,
    Unclear(Unclear),
}

/// Why one object could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadFailure {
    /// It is there, but this user may not read it.
    Hidden,
    /// The answer is no proof of anything.
    Unclear(Unclear),
}

impl Site {
    /// Asks for the posts of receipts: each with the stored slug of its receipt.
    ///
    /// A thousand take ten requests. Posts that the lists leave out are asked for one by
    /// one, up to a fifth of all and three more: beyond that so much is gone that the run
    /// must stop anyway (spec §5.7, from three on), and the rest is `Unclear`.
    pub async fn verify_posts(
        &self,
        post_type: PostType,
        receipts: &[(PostId, &str)],
    ) -> BTreeMap<PostId, ReceiptSighting<FoundPost>> {
        let collection = self.post_collection(RequestKind::Receipts, post_type, LIGHT_FIELDS);
        let collection = match collection.await {
            Ok(collection) => collection,
            Err(why) => {
                let unclear =
                    |(id, _): &(PostId, &str)| (*id, ReceiptSighting::Unclear(why.clone()));
                return receipts.iter().map(unclear).collect();
            }
        };
        let ids = receipts.iter().map(|(id, _)| id.get()).collect();
        let views = self.verify_ids(&collection, &ids).await;
        receipts
            .iter()
            .map(|(id, slug)| (*id, post_sighting(post_type, slug, views.get(&id.get()))))
            .collect()
    }

    /// Reads one post. `None` is proof that the site has no such post of this type. With
    /// what was sent, its differences are told.
    pub async fn read_post(
        &self,
        post_type: PostType,
        id: PostId,
        sent: Option<(&Slug, &PostFields)>,
    ) -> Result<Option<FoundPost>, ReadFailure> {
        let collection = self.post_collection(RequestKind::Read, post_type, FULL_FIELDS).await;
        let collection = collection.map_err(ReadFailure::Unclear)?;
        let value = match self.one(&collection, id.get()).await {
            IdView::Row(value) => value,
            IdView::Missing => return Ok(None),
            IdView::Hidden => return Err(ReadFailure::Hidden),
            IdView::Unclear(why) => return Err(ReadFailure::Unclear(why)),
        };
        let stored = StoredPost::read(value, post_type).map_err(ReadFailure::Unclear)?;
        let differences = match sent {
            Some((slug, fields)) => differences(slug, fields, &stored),
            None => Vec::new(),
        };
        Ok(stored.found(differences))
    }

    pub(super) async fn verify_ids(
        &self,
        collection: &Collection<'_>,
        ids: &BTreeSet<u64>,
    ) -> BTreeMap<u64, IdView> {
        let mut views = BTreeMap::new();
        let mut left_out = Vec::new();
        let all: Vec<u64> = ids.iter().copied().collect();
        let mut general: Option<Unclear> = None;
        for batch in all.chunks(IDS_MAX) {
            let listed = match &general {
                Some(error) => Err(error.clone()),
                None => self.listed(collection, batch).await,
            };
            match listed {
                Ok(mut rows) => {
                    for id in batch {
                        match rows.remove(id) {
                            Some(row) => drop(views.insert(*id, IdView::Row(row))),
                            None => left_out.push(*id),
                        }
                    }
                }
                Err(error) => {
                    if matches!(error.why, UnclearWhy::NoAnswer | UnclearWhy::Busy) {
                        general = Some(error.clone());
                    }
                    views.extend(batch.iter().map(|id| (*id, IdView::Unclear(error.clone()))));
                }
            }
        }
        let asked_singly_max = ids.len() / 5 + 3;
        for (number, id) in left_out.into_iter().enumerate() {
            let view = match &general {
                Some(error) => IdView::Unclear(error.clone()),
                None if number >= asked_singly_max => IdView::Unclear(unclear(
                    UnclearWhy::ControlMissing,
                    "the list does not have it, like so many others that they were not asked for one by one",
                )),
                None => self.one(collection, id).await,
            };
            if let IdView::Unclear(error) = &view
                && matches!(error.why, UnclearWhy::NoAnswer | UnclearWhy::Busy)
            {
                general = Some(error.clone());
            }
            views.insert(id, view);
        }
        views
    }

    /// The rows of one list, by id. Rows that are left out are hidden, gone, or not
    /// shown by something between; the list alone can't tell.
    async fn listed(
        &self,
        collection: &Collection<'_>,
        ids: &[u64],
    ) -> Result<BTreeMap<u64, Value>, Unclear> {
        let joined = ids.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        let list = self.list(collection, &[("include", &joined)]).await?;
        let mut rows = BTreeMap::new();
        for row in list.rows {
            let id = row.get("id").and_then(Value::as_u64).unwrap_or(0);
            if !ids.contains(&id) {
                let what = format!("row {id} came, which was not asked for");
                return Err(unclear(UnclearWhy::ForeignRow, what));
            }
            rows.insert(id, row);
        }
        Ok(rows)
    }

    /// One object by its id.
    pub(super) async fn one(&self, collection: &Collection<'_>, id: u64) -> IdView {
        let route = format!("{}/{id}", collection.route);
        let context = if collection.status.is_some() { "edit" } else { "view" };
        let parameters = [("context", context), ("_fields", collection.fields)];
        let question = Question {
            kind: collection.kind,
            route: &route,
            parameters: &parameters,
            identity: Identity::Account,
        };
        let answer = match self.wire.get(&self.root, question).await {
            Ok(answer) => answer,
            Err(failure) => return IdView::Unclear(unanswered(&failure)),
        };
        match judge_item(&answer, id) {
            Ok(Item::Found(row)) => IdView::Row(row),
            Ok(Item::Missing) => IdView::Missing,
            Ok(Item::Hidden) => IdView::Hidden,
            Err(error) => IdView::Unclear(error),
        }
    }
}

fn post_sighting(
    post_type: PostType,
    receipt_slug: &str,
    view: Option<&IdView>,
) -> ReceiptSighting<FoundPost> {
    let row = match view {
        Some(IdView::Row(row)) => row,
        Some(IdView::Missing) => return ReceiptSighting::Missing,
        Some(IdView::Hidden) => return ReceiptSighting::Hidden,
        Some(IdView::Unclear(why)) => return ReceiptSighting::Unclear(why.clone()),
        None => {
            return ReceiptSighting::Unclear(unclear(UnclearWhy::NoAnswer, "it was not asked for"));
        }
    };
    let stored = match StoredPost::read(row.clone(), post_type) {
        Ok(stored) => stored,
        Err(why) => return ReceiptSighting::Unclear(why),
    };
    let Some(found) = stored.found(Vec::new()) else {
        return ReceiptSighting::Unclear(unclear(UnclearWhy::NotJson, "a row has no id"));
    };
    if stored.is_in_trash() {
        ReceiptSighting::Trashed(found)
    } else if comparable(&stored.slug) == comparable(receipt_slug) {
        ReceiptSighting::Present(found)
    } else {
        ReceiptSighting::Mismatch(found)
    }
}
