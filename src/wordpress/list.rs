//! A list, read to its end.
//!
//! Absent from here: what the rows mean. The one rule: rows that do not add up to one
//! list (the count changed meanwhile, a row came twice) are no list.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Site;
use super::http::Identity;
use super::preflight::LanguageOffer;
use super::proof::{Page, judge_page, unanswered, unclear};
use super::wire::{Question, RequestKind, Wire};
use crate::protocol::sighting::{Unclear, UnclearWhy};

/// Rows of one page: WordPress refuses more (facts §1).
pub(crate) const ROWS_PER_PAGE: u64 = 100;
/// Pages of one list. A look-up of 100 slugs that fills more than this is not one.
const PAGES_MAX: u64 = 20;

/// What is asked of a collection, without the filter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Collection<'a> {
    pub(crate) kind: RequestKind,
    pub(crate) route: &'a str,
    /// Every status an object of this collection can be in, or nothing where it has none.
    pub(crate) status: Option<&'a str>,
    pub(crate) language: LanguageOffer,
    pub(crate) fields: &'a str,
}

/// All rows of a list, and how many the site counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct List {
    pub(crate) rows: Vec<Value>,
    pub(crate) total: u64,
}

impl List {
    /// Rows that the site counts and did not send: this user may not read them
    /// (case FIND-03).
    pub(crate) fn hidden(&self) -> u64 {
        self.total - self.rows.len() as u64
    }
}

impl Collection<'_> {
    fn parameters<'p>(&'p self, filter: &[(&'p str, &'p str)]) -> Vec<(&'p str, &'p str)> {
        let mut parameters = filter.to_vec();
        if let Some(status) = self.status {
            // `edit`: credentials that got lost become an error, not an empty list.
            parameters.extend([("status", status), ("context", "edit")]);
        }
        if self.language == LanguageOffer::All {
            parameters.push(("lang", "all"));
        }
        // By id, so that pages do not overlap when something is edited meanwhile.
        parameters.extend([("orderby", "id"), ("order", "asc"), ("per_page", "100")]);
        parameters.push(("_fields", self.fields));
        parameters
    }

    /// How long the URL of this question is.
    pub(crate) fn url_bytes(&self, site: &Site, filter: &[(&str, &str)]) -> usize {
        let mut parameters = self.parameters(filter);
        parameters.push(("page", "20"));
        Wire::url_bytes(&site.root, self.route, &parameters)
    }
}

impl Site {
    /// Reads all rows that match, or says why they are no proof.
    pub(crate) async fn list(
        &self,
        collection: &Collection<'_>,
        filter: &[(&str, &str)],
    ) -> Result<List, Unclear> {
        if collection.language == LanguageOffer::OnlySingle {
            let what = "the site filters by language, and offers no `lang=all`";
            return Err(unclear(UnclearWhy::Language, what));
        }
        let mut list = List { rows: Vec::new(), total: 0 };
        let mut ids = BTreeSet::new();
        for number in 1.. {
            let page = self.page(collection, filter, number).await?;
            if number > 1 && page.total != list.total {
                return Err(moved(list.total, page.total));
            }
            list.total = page.total;
            for row in page.rows {
                let id = row.get("id").and_then(Value::as_u64).unwrap_or(0);
                if id == 0 || !ids.insert(id) {
                    let what = format!("a row has no id, or the id of another row ({id})");
                    return Err(unclear(UnclearWhy::NotJson, what));
                }
                list.rows.push(row);
            }
            if number * ROWS_PER_PAGE >= list.total {
                break;
            }
            if number == PAGES_MAX {
                let what = format!("the site counts {} rows, far more than were due", list.total);
                return Err(unclear(UnclearWhy::ForeignRow, what));
            }
        }
        Ok(list)
    }

    /// The first rows that match, where they need not be all.
    pub(crate) async fn first_page(
        &self,
        collection: &Collection<'_>,
        filter: &[(&str, &str)],
    ) -> Result<Page, Unclear> {
        self.page(collection, filter, 1).await
    }

    async fn page(
        &self,
        collection: &Collection<'_>,
        filter: &[(&str, &str)],
        number: u64,
    ) -> Result<Page, Unclear> {
        let number_text = number.to_string();
        let mut parameters = collection.parameters(filter);
        if number > 1 {
            parameters.push(("page", &number_text));
        }
        let question = Question {
            kind: collection.kind,
            route: collection.route,
            parameters: &parameters,
            identity: Identity::Account,
        };
        let answer = self.wire.get(&self.root, question).await;
        let page = judge_page(&answer.map_err(|failure| unanswered(&failure))?)?;
        if page.rows.len() as u64 > ROWS_PER_PAGE {
            let what = format!("a page of at most {ROWS_PER_PAGE} rows has {}", page.rows.len());
            return Err(unclear(UnclearWhy::TotalMissing, what));
        }
        Ok(page)
    }
}

fn moved(before: u64, after: u64) -> Unclear {
    let what = format!("the list changed while it was read: {before} rows, then {after}");
    unclear(UnclearWhy::TotalMissing, what)
}
