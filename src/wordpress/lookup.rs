//! Looking many slugs up at once.
//!
//! Absent from here: what a row is (`posts`, `media`). The one rule: a slug is seen as
//! having no rows only if one whole look-up that asked for it fulfils every condition
//! of spec §5; a doubt about one slug is narrowed down to that slug (P4), within a
//! bounded number of requests.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Site;
use super::list::{Collection, List};
use super::proof::unclear;
use super::slugs::{comparable, numbered_form, query_form, trashed_form};
use super::text::clean;
use crate::protocol::sighting::{Unclear, UnclearWhy};

/// Slugs asked for in one request (spec §5).
const SLUGS_MAX: usize = 100;
/// Slugs in one request that asks for content: a hundred long articles would be a long
/// answer.
const FULL_SLUGS_MAX: usize = 20;
/// The longest URL: many servers refuse 8 KB (facts §1).
const URL_BYTES_MAX: usize = 7_000;
/// Further requests for narrowing a doubt down, in one look-up. Seven halvings find one
/// slug among a hundred with fourteen requests; this finds a handful.
const NARROWING_REQUESTS_MAX: usize = 64;
/// A slug that nobody uses, asked for to tell a site that refuses one question from a
/// site that refuses them all.
const HARMLESS_SLUG: &str = "oncepress-probe";

/// What was seen of one slug.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SlugView {
    /// All rows with this slug, or with a form of it in the trash; proved to be all.
    Rows(Vec<Value>),
    /// The site counts a row that this user may not read.
    Hidden,
    Unclear(Unclear),
}

/// How a look-up of many slugs asks.
pub(crate) struct SlugLookUp<'a> {
    pub(crate) collection: Collection<'a>,
    /// The slug of something that is known to exist and must come back (spec §5.7).
    pub(crate) control: Option<&'a str>,
    pub(crate) depth: Depth,
}

/// How much a look-up asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Whether a slug is taken.
    Taken,
    /// What became of a send: every form its slug can have, and rows with content.
    Sent,
    /// Whether there is a second one (`twins`).
    Second,
}

impl Depth {
    fn slugs_max(self) -> usize {
        match self {
            Self::Taken | Self::Second => SLUGS_MAX,
            Self::Sent => FULL_SLUGS_MAX,
        }
    }

    /// The slugs under which a post with this slug can be: its own, the one it gets in
    /// the trash, and the one it gets there beside an older twin (core makes the form in
    /// the trash unique like any slug), which may be gone since.
    fn forms(self, slug: &str) -> Vec<String> {
        let trashed = trashed_form(slug);
        match self {
            Self::Taken => vec![slug.to_owned(), trashed],
            Self::Second => vec![numbered_form(slug, 2)],
            Self::Sent => {
                let beside_a_twin = numbered_form(&trashed, 2);
                vec![slug.to_owned(), trashed, beside_a_twin]
            }
        }
    }
}

struct Narrowing {
    requests_left: usize,
    /// A failure that every further request would meet.
    general: Option<Unclear>,
}

impl Site {
    /// Looks up slugs in their stored form.
    pub(crate) async fn look_up_slugs(
        &self,
        look_up: &SlugLookUp<'_>,
        slugs: &BTreeSet<&str>,
    ) -> BTreeMap<String, SlugView> {
        let mut views = BTreeMap::new();
        let mut narrowing = Narrowing { requests_left: NARROWING_REQUESTS_MAX, general: None };
        for batch in self.batches(look_up, slugs) {
            self.look_up_batch(look_up, batch, &mut narrowing, &mut views).await;
        }
        views
    }

    async fn look_up_batch<'s>(
        &self,
        look_up: &SlugLookUp<'_>,
        batch: Vec<&'s str>,
        narrowing: &mut Narrowing,
        views: &mut BTreeMap<String, SlugView>,
    ) {
        let mut parts: Vec<(Vec<&'s str>, bool)> = vec![(batch, false)];
        while let Some((part, is_narrower)) = parts.pop() {
            if let Some(error) = &narrowing.general {
                mark(views, &part, &SlugView::Unclear(error.clone()));
                continue;
            }
            if is_narrower && narrowing.requests_left == 0 {
                mark(views, &part, &SlugView::Unclear(too_many_doubts(part.len())));
                continue;
            }
            narrowing.requests_left -= usize::from(is_narrower);
            match self.ask_slugs(look_up, &part).await {
                Ok(list) if list.hidden() == 0 => sort_rows(views, look_up.depth, &part, &list),
                Ok(_) if part.len() == 1 => mark(views, &part, &SlugView::Hidden),
                Ok(_) => halve(part, &mut parts),
                Err(error) if part.len() > 1 && may_depend_on_the_question(&error) => {
                    self.check_general(look_up, &error, is_narrower, narrowing).await;
                    halve(part, &mut parts);
                }
                Err(error) => {
                    if ends_all_asking(&error) {
                        narrowing.general = Some(error.clone());
                    }
                    mark(views, &part, &SlugView::Unclear(error));
                }
            }
        }
    }

    /// Whether the site refuses every question, or only this one (a firewall that
    /// dislikes a word in one slug must not stop the others).
    async fn check_general(
        &self,
        look_up: &SlugLookUp<'_>,
        error: &Unclear,
        is_narrower: bool,
        narrowing: &mut Narrowing,
    ) {
        // A narrower part was met on the way down: the probe has passed before.
        if is_narrower {
            return;
        }
        if self.ask_slugs(look_up, &[HARMLESS_SLUG]).await.is_err() {
            narrowing.general = Some(error.clone());
        }
    }

    /// One list for these slugs and the control, with every condition checked that
    /// does not concern a single slug.
    async fn ask_slugs(&self, look_up: &SlugLookUp<'_>, slugs: &[&str]) -> Result<List, Unclear> {
        let asked = asked_forms(look_up, slugs);
        let joined = asked.iter().map(|slug| query_form(slug)).collect::<Vec<_>>().join(",");
        let mut list = self.list(&look_up.collection, &[("slug", &joined)]).await?;
        let known: BTreeSet<String> = asked.iter().map(|slug| comparable(slug)).collect();
        for row in &list.rows {
            let slug = slug_of(row)?;
            if !known.contains(&comparable(slug)) {
                let what =
                    format!("a row with the slug {} came, which was not asked for", clean(slug));
                return Err(unclear(UnclearWhy::ForeignRow, what));
            }
        }
        let Some(control) = look_up.control else { return Ok(list) };
        let is_control = |row: &Value| row_has_slug(row, control);
        if !list.rows.iter().any(is_control) {
            let what = format!("{} is known to exist and did not come back", clean(control));
            return Err(unclear(UnclearWhy::ControlMissing, what));
        }
        if !slugs.iter().any(|slug| comparable(slug) == comparable(control)) {
            let before = list.rows.len();
            list.rows.retain(|row| !is_control(row));
            list.total -= (before - list.rows.len()) as u64;
        }
        Ok(list)
    }

    pub(super) fn batches<'s>(
        &self,
        look_up: &SlugLookUp<'_>,
        slugs: &BTreeSet<&'s str>,
    ) -> Vec<Vec<&'s str>> {
        let fits = |batch: &[&str]| {
            let asked = asked_forms(look_up, batch);
            let joined = asked.iter().map(|slug| query_form(slug)).collect::<Vec<_>>().join(",");
            look_up.collection.url_bytes(self, &[("slug", &joined)]) <= URL_BYTES_MAX
        };
        let mut batches: Vec<Vec<&str>> = Vec::new();
        for slug in slugs {
            if let Some(last) = batches.last_mut()
                && last.len() < look_up.depth.slugs_max()
            {
                last.push(slug);
                if fits(last) {
                    continue;
                }
                last.pop();
            }
            batches.push(vec![*slug]);
        }
        batches
    }
}

/// Every slug in all its forms, and the control.
fn asked_forms(look_up: &SlugLookUp<'_>, slugs: &[&str]) -> Vec<String> {
    let mut asked: Vec<String> = slugs.iter().flat_map(|slug| look_up.depth.forms(slug)).collect();
    if let Some(control) = look_up.control
        && !slugs.contains(&control)
    {
        asked.push(control.to_owned());
    }
    asked
}

fn slug_of(row: &Value) -> Result<&str, Unclear> {
    row.get("slug")
        .and_then(Value::as_str)
        .ok_or_else(|| unclear(UnclearWhy::NotJson, "a row has no slug"))
}

fn row_has_slug(row: &Value, slug: &str) -> bool {
    row.get("slug")
        .and_then(Value::as_str)
        .is_some_and(|stored| comparable(stored) == comparable(slug))
}

fn sort_rows(views: &mut BTreeMap<String, SlugView>, depth: Depth, slugs: &[&str], list: &List) {
    // Two long slugs can share one form in the trash: the row then counts for both.
    for slug in slugs {
        let forms = depth.forms(slug);
        let own = |row: &&Value| forms.iter().any(|form| row_has_slug(row, form));
        let rows = list.rows.iter().filter(own).cloned().collect();
        views.insert((*slug).to_owned(), SlugView::Rows(rows));
    }
}

fn mark(views: &mut BTreeMap<String, SlugView>, slugs: &[&str], view: &SlugView) {
    for slug in slugs {
        views.insert((*slug).to_owned(), view.clone());
    }
}

fn halve<'s>(mut part: Vec<&'s str>, parts: &mut Vec<(Vec<&'s str>, bool)>) {
    let second = part.split_off(part.len() / 2);
    parts.push((second, true));
    parts.push((part, true));
}

/// A refusal or a page can be a firewall's reaction to one word of the question.
fn may_depend_on_the_question(error: &Unclear) -> bool {
    match error.why {
        UnclearWhy::Refused
        | UnclearWhy::Status
        | UnclearWhy::Middleman
        | UnclearWhy::NotJson
        | UnclearWhy::Redirected => true,
        UnclearWhy::NoAnswer
        | UnclearWhy::TotalMissing
        | UnclearWhy::ForeignRow
        | UnclearWhy::Cached
        | UnclearWhy::Language
        | UnclearWhy::ControlMissing
        | UnclearWhy::Busy => false,
    }
}

/// Asking on would only wait for more time-outs, or press a site that is busy.
fn ends_all_asking(error: &Unclear) -> bool {
    matches!(error.why, UnclearWhy::NoAnswer | UnclearWhy::Busy | UnclearWhy::Language)
}

fn too_many_doubts(slugs: usize) -> Unclear {
    let what = format!(
        "the site counts something that this user may not read, or refuses the question; \
         it concerns at least one of {slugs} slugs, and too many requests would be needed \
         to tell which"
    );
    unclear(UnclearWhy::TotalMissing, what)
}
