//! Categories, tags and authors by name.
//!
//! Absent from here: which terms an article wants. The one rule: a term is taken only if
//! it is certain to be the one that was meant; `search` is fuzzy and its first hit is
//! never taken (case TERM-08), and an error's `term_id` is read back (case TERM-01).

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Value, json};

use super::Site;
use super::answer::Answer;
use super::body::CountedBody;
use super::http::{Failure, Identity};
use super::list::{Collection, ROWS_PER_PAGE};
use super::proof::{judge_read, unanswered, unclear};
use super::term_names::{choose, name_key};
use super::text::clean;
use super::wire::{Question, RequestKind, Write};
use crate::names::TermId;
use crate::protocol::outcome::Rejection;
use crate::protocol::sighting::{Unclear, UnclearWhy};

/// Terms of one taxonomy that are read in whole; beyond that each name is searched for.
const TERMS_MAX: u64 = 1_000;
/// Levels above a term that are read. WordPress sets no limit; nobody has more.
const LEVELS_MAX: usize = 10;
/// Ids asked for in one request.
const IDS_MAX: usize = 100;
const FIELDS: &str = "id,name,slug,parent,taxonomy";

/// The two taxonomies of posts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Taxonomy {
    /// Categories.
    Category,
    /// Tags.
    Tag,
}

impl Taxonomy {
    /// One of its terms, in words.
    #[must_use]
    pub fn singular(self) -> &'static str {
        match self {
            Self::Category => "category",
            Self::Tag => "tag",
        }
    }

    /// Its terms, in words.
    #[must_use]
    pub fn plural(self) -> &'static str {
        match self {
            Self::Category => "categories",
            Self::Tag => "tags",
        }
    }

    fn route(self) -> &'static str {
        match self {
            Self::Category => "wp/v2/categories",
            Self::Tag => "wp/v2/tags",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Category => "category",
            Self::Tag => "post_tag",
        }
    }
}

/// A term as an article names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TermWanted {
    /// By its id.
    Id(TermId),
    /// By its name or its slug.
    Word(String),
}

/// A term of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundTerm {
    /// Its id.
    pub id: TermId,
    /// Its name, decoded and safe to show.
    pub name: String,
    /// Its slug as stored.
    pub slug: String,
    /// Its parent, for categories.
    pub parent: Option<TermId>,
}

/// What was found for one wanted term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TermAnswer {
    /// Exactly one fits.
    Found(FoundTerm),
    /// None fits; these have a near name.
    Missing {
        /// At most five, nearest first.
        near: Vec<FoundTerm>,
    },
    /// Several fit.
    Several(Vec<FoundTerm>),
}

/// Why a tag was not created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TermFailure {
    /// The site refused, and the tag does not exist.
    Refused(Rejection),
    /// The site says that the name exists, and names a term that is not it.
    OtherTerm(FoundTerm),
    /// The tag may or may not exist now; asking again shows it.
    Unclear(Unclear),
}

#[derive(Debug, Clone, Deserialize)]
struct StoredTerm {
    id: u64,
    name: String,
    slug: String,
    #[serde(default)]
    parent: u64,
    taxonomy: String,
}

impl StoredTerm {
    fn read(value: Value, taxonomy: Taxonomy) -> Result<FoundTerm, Unclear> {
        let stored: Self = serde_json::from_value(value).map_err(|error| {
            let what = format!("a row is not a term: {}", clean(&error.to_string()));
            unclear(UnclearWhy::NotJson, what)
        })?;
        let id = TermId::new(stored.id).filter(|_| stored.taxonomy == taxonomy.name());
        let Some(id) = id else {
            let what = format!("row {} is of {}", stored.id, clean(&stored.taxonomy));
            return Err(unclear(UnclearWhy::ForeignRow, what));
        };
        Ok(FoundTerm {
            id,
            // Stored and sent with entities (facts §5, case TERM-02).
            name: clean(&html_escape::decode_html_entities(&stored.name)),
            slug: stored.slug,
            parent: TermId::new(stored.parent),
        })
    }
}

impl Site {
    /// Finds the terms that articles want, by name, path, slug or id.
    pub async fn resolve_terms(
        &self,
        taxonomy: Taxonomy,
        wanted: &[TermWanted],
    ) -> Result<BTreeMap<TermWanted, TermAnswer>, Unclear> {
        if wanted.is_empty() {
            return Ok(BTreeMap::new());
        }
        let collection = self.term_collection(taxonomy);
        let page = self.first_page(&collection, &[]).await?;
        let total = page.total;
        let rows = if total <= ROWS_PER_PAGE {
            Some(page.rows)
        } else if total <= TERMS_MAX {
            Some(self.list(&collection, &[]).await?.rows)
        } else {
            None
        };
        let Some(rows) = rows else { return self.search_terms(taxonomy, wanted).await };
        if (rows.len() as u64) < total {
            let what = format!("the site counts {total} terms and sent {}", rows.len());
            return Err(unclear(UnclearWhy::TotalMissing, what));
        }
        let terms = read_terms(rows, taxonomy)?;
        let ids: BTreeSet<TermId> = terms.iter().map(|term| term.id).collect();
        if ids.len() < terms.len() {
            // Else one term would fit its own name twice, and be "several".
            return Err(unclear(UnclearWhy::NotJson, "a term came twice"));
        }
        Ok(wanted.iter().map(|wanted| (wanted.clone(), choose(wanted, &terms))).collect())
    }

    /// A site with very many terms: one or two requests for each wanted one.
    async fn search_terms(
        &self,
        taxonomy: Taxonomy,
        wanted: &[TermWanted],
    ) -> Result<BTreeMap<TermWanted, TermAnswer>, Unclear> {
        let collection = self.term_collection(taxonomy);
        let mut answers = BTreeMap::new();
        for wanted in wanted {
            let rows = match wanted {
                TermWanted::Id(id) => {
                    self.list(&collection, &[("include", &id.to_string())]).await?.rows
                }
                TermWanted::Word(word) => {
                    // Names are searched for as they are stored: with entities.
                    let stored = html_escape::encode_text(word.trim()).into_owned();
                    let mut rows = self.list(&collection, &[("search", &stored)]).await?.rows;
                    // The last name of a path, wherever in the word it begins.
                    for (at, slash) in word.match_indices('/') {
                        let name = html_escape::encode_text(word[at + slash.len()..].trim());
                        rows.extend(self.list(&collection, &[("search", &name)]).await?.rows);
                    }
                    let slug = word.trim().to_lowercase();
                    if !slug.contains([',', ' ']) {
                        rows.extend(self.list(&collection, &[("slug", &slug)]).await?.rows);
                    }
                    rows
                }
            };
            let mut terms = read_terms(rows, taxonomy)?;
            self.add_parents(taxonomy, &collection, &mut terms).await?;
            terms.sort_by_key(|term| term.id);
            terms.dedup_by_key(|term| term.id);
            answers.insert(wanted.clone(), choose(wanted, &terms));
        }
        Ok(answers)
    }

    /// Reads the terms above these, level by level, so that paths can be told apart.
    async fn add_parents(
        &self,
        taxonomy: Taxonomy,
        collection: &Collection<'_>,
        terms: &mut Vec<FoundTerm>,
    ) -> Result<(), Unclear> {
        for _ in 0..LEVELS_MAX {
            let known: BTreeSet<TermId> = terms.iter().map(|term| term.id).collect();
            let above: BTreeSet<TermId> = terms.iter().filter_map(|term| term.parent).collect();
            let missing: Vec<String> = above.difference(&known).map(ToString::to_string).collect();
            let some = &missing[..missing.len().min(IDS_MAX)];
            if some.is_empty() {
                break;
            }
            let rows = self.list(collection, &[("include", &some.join(","))]).await?.rows;
            if rows.is_empty() {
                break;
            }
            terms.extend(read_terms(rows, taxonomy)?);
        }
        Ok(())
    }

    fn term_collection(&self, taxonomy: Taxonomy) -> Collection<'static> {
        // No `context=edit`: an author may not ask that of terms, and terms are public.
        Collection {
            kind: RequestKind::Terms,
            route: taxonomy.route(),
            status: None,
            language: self.offers.posts,
            fields: FIELDS,
        }
    }

    /// Creates a tag. The same name twice is refused by WordPress (facts §5), so a lost
    /// answer leaves at most one tag, which the next run finds.
    pub async fn create_tag(&self, name: &str) -> Result<FoundTerm, TermFailure> {
        let write = Write {
            kind: RequestKind::CreateTag,
            route: Taxonomy::Tag.route(),
            parameters: &[("_fields", FIELDS)],
            // Never a slug of our own (spec §9).
            body: CountedBody::from_bytes(json!({ "name": name }).to_string().into_bytes()),
            content_type: "application/json",
            headers: Vec::new(),
        };
        let answer = self.wire.post(&self.root, write).await;
        let answer = answer.map_err(|failure| TermFailure::Unclear(unanswered(&failure)))?;
        if answer.status == 201 && answer.says_json() {
            let value = answer
                .strict_json()
                .map_err(|why| TermFailure::Unclear(unclear(UnclearWhy::NotJson, why)))?;
            return StoredTerm::read(value, Taxonomy::Tag).map_err(TermFailure::Unclear);
        }
        if let Some(id) = existing_term(&answer) {
            let term = self.read_term(Taxonomy::Tag, id).await.map_err(TermFailure::Unclear)?;
            return if name_key(&term.name) == name_key(name) {
                Ok(term)
            } else {
                Err(TermFailure::OtherTerm(term))
            };
        }
        Err(refusal(&answer))
    }

    async fn read_term(&self, taxonomy: Taxonomy, id: u64) -> Result<FoundTerm, Unclear> {
        let route = format!("{}/{id}", taxonomy.route());
        let question = Question {
            kind: RequestKind::Terms,
            route: &route,
            parameters: &[("_fields", FIELDS)],
            identity: Identity::Account,
        };
        let answer = self.wire.get(&self.root, question).await;
        let answer: Answer = answer.map_err(|failure: Failure| unanswered(&failure))?;
        StoredTerm::read(judge_read(&answer)?, taxonomy)
    }
}

/// `term_exists` has come with 400, 409 and 500 (case TERM-03); its code tells, and the
/// id is in `data.term_id` or, on some versions, is `data` itself.
fn existing_term(answer: &Answer) -> Option<u64> {
    let value = answer.read_json().ok()?;
    if value.get("code")?.as_str()? != "term_exists" {
        return None;
    }
    let data = value.get("data")?;
    data.get("term_id").or(Some(data)).and_then(Value::as_u64)
}

fn refusal(answer: &Answer) -> TermFailure {
    if matches!(answer.status, 429 | 503) {
        return TermFailure::Unclear(unclear(UnclearWhy::Busy, answer.describe()));
    }
    // A name that the database does not take is refused with a 500 (case TERM-06), and
    // asking again would be answered so again.
    let no_room = |(code, _): &(String, String)| code == "db_insert_error";
    let known = answer
        .wordpress_error()
        .filter(|error| (400..500).contains(&answer.status) || no_room(error));
    match known {
        Some((code, message))
            if matches!(
                code.as_str(),
                "rest_cannot_create"
                    | "rest_invalid_param"
                    | "rest_no_route"
                    | "empty_term_name"
                    | "db_insert_error"
            ) =>
        {
            TermFailure::Refused(Rejection {
                status: answer.status,
                code: clean(&code),
                message: clean(&message),
            })
        }
        Some(_) | None => TermFailure::Unclear(unclear(UnclearWhy::Status, answer.describe())),
    }
}

fn read_terms(rows: Vec<Value>, taxonomy: Taxonomy) -> Result<Vec<FoundTerm>, Unclear> {
    rows.into_iter().map(|row| StoredTerm::read(row, taxonomy)).collect()
}
