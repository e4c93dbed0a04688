//! Where a stored post is not as it was sent.
//!
//! Absent from here: what follows from a difference (the engine). The one rule: a field
//! that was not sent is not compared, because WordPress fills it in.

use super::projection::{same_content, same_title};
use super::slugs::comparable;
use super::stored::StoredPost;
use super::text::{clean, clean_to};
use crate::names::{Slug, TermId, Timestamp};
use crate::protocol::kinds::{ContentFilter, Difference, DifferentField, MetaValue, PostFields};

/// Characters of a text field that a difference shows.
const EXCERPT_CHARS_MAX: usize = 120;

/// All fields in which a stored post is not as it was sent, spec §4 and §6.
pub(crate) fn differences(slug: &Slug, sent: &PostFields, stored: &StoredPost) -> Vec<Difference> {
    let mut found = Found(Vec::new());
    if comparable(&stored.slug) != comparable(slug.stored()) {
        found.add(DifferentField::Slug, slug.stored(), &stored.slug);
    }
    if stored.status != sent.status.as_str() {
        found.add(DifferentField::Status, sent.status.as_str(), &stored.status);
    }
    compare_texts(sent, stored, &mut found);
    compare_terms(sent, stored, &mut found);
    compare_the_rest(sent, stored, &mut found);
    found.0
}

/// Whether title and content are as sent: the question of `same` in spec §4.
pub(crate) fn says_the_same(differences: &[Difference]) -> bool {
    !differences
        .iter()
        .any(|found| matches!(found.field, DifferentField::Title | DifferentField::Content))
}

struct Found(Vec<Difference>);

impl Found {
    fn add(&mut self, field: DifferentField, sent: &str, stored: &str) {
        self.0.push(Difference { field, sent: clean(sent), stored: clean(stored) });
    }
}

fn compare_texts(sent: &PostFields, stored: &StoredPost, found: &mut Found) {
    let missing = "(not told)";
    let title = stored.title.as_ref().map(|title| title.raw.as_str());
    if !title.is_some_and(|title| same_title(&sent.title, title, sent.filter)) {
        found.add(DifferentField::Title, &sent.title, title.unwrap_or(missing));
    }
    let content = stored.content.as_ref().map(|content| content.raw.as_str());
    if !content.is_some_and(|content| same_content(&sent.content, content, sent.filter)) {
        let (sent, stored) = parting(&sent.content, content.unwrap_or(missing));
        found.add(DifferentField::Content, &sent, &stored);
    }
    if let Some(excerpt) = &sent.excerpt {
        let stored = stored.excerpt.as_ref().map(|excerpt| excerpt.raw.as_str());
        let same = |stored: &str| same_excerpt(excerpt, stored, sent.filter);
        if !stored.is_some_and(same) {
            let (sent, stored) = parting(excerpt, stored.unwrap_or(missing));
            found.add(DifferentField::Excerpt, &sent, &stored);
        }
    }
}

/// Excerpts are trimmed like titles and filtered like bodies.
fn same_excerpt(sent: &str, stored: &str, filter: ContentFilter) -> bool {
    same_content(sent.trim(), stored.trim(), filter)
}

/// Both texts from shortly before the place where they part.
fn parting(sent: &str, stored: &str) -> (String, String) {
    const BEFORE_CHARS: usize = 20;
    let same = sent.chars().zip(stored.chars()).take_while(|(a, b)| a == b).count();
    let from = same.saturating_sub(BEFORE_CHARS);
    let show = |text: &str| {
        let dots = if from == 0 { "" } else { "…" };
        let rest: String = text.chars().skip(from).take(EXCERPT_CHARS_MAX + 1).collect();
        format!("{dots}{}", clean_to(&rest, EXCERPT_CHARS_MAX))
    };
    (show(sent), show(stored))
}

fn compare_terms(sent: &PostFields, stored: &StoredPost, found: &mut Found) {
    let fields = [
        (DifferentField::Categories, &sent.categories, stored.categories.as_ref()),
        (DifferentField::Tags, &sent.tags, stored.tags.as_ref()),
    ];
    for (field, sent, stored) in fields {
        // Without categories WordPress chooses the default one.
        if sent.is_empty() {
            continue;
        }
        let mut wanted: Vec<u64> = sent.iter().map(|term: &TermId| term.get()).collect();
        let mut have = stored.cloned().unwrap_or_default();
        wanted.sort_unstable();
        have.sort_unstable();
        if wanted != have {
            found.add(field, &join(&wanted), &join(&have));
        }
    }
}

fn join(ids: &[u64]) -> String {
    ids.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

fn compare_the_rest(sent: &PostFields, stored: &StoredPost, found: &mut Found) {
    use DifferentField as F;
    let number = |number: Option<u64>| number.map_or_else(String::new, |id| id.to_string());
    let pairs = [
        (
            F::FeaturedMedia,
            sent.featured_media.map(|id| id.get().to_string()),
            number(stored.featured_media),
        ),
        (F::Author, sent.author.map(|id| id.get().to_string()), number(stored.author)),
        (F::Template, sent.template.clone(), stored.template.clone().unwrap_or_default()),
        (F::Format, sent.format.clone(), stored.format.clone().unwrap_or_default()),
        (
            F::CommentStatus,
            sent.comment_status.clone(),
            stored.comment_status.clone().unwrap_or_default(),
        ),
        (F::Parent, sent.parent.map(|id| id.get().to_string()), number(stored.parent)),
        (F::Date, sent.date.map(date_gmt), stored.date_gmt.clone().unwrap_or_default()),
    ];
    for (field, sent, stored) in pairs {
        if let Some(sent) = sent
            && sent != stored
        {
            found.add(field, &sent, &stored);
        }
    }
    for (key, value) in &sent.meta {
        let have = stored.meta().and_then(|meta| meta.get(key)).map(|value| match value {
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        let (value, same) = match value {
            MetaValue::Text(text) => (text.clone(), have.as_ref() == Some(text)),
            MetaValue::Integer(number) => (number.to_string(), have == Some(number.to_string())),
            // `1.10` is stored as it was sent, and shown as 1.1.
            MetaValue::Number(text) => {
                let number = |text: &str| text.parse::<f64>().ok().map(f64::to_bits);
                (text.clone(), have.as_deref().is_some_and(|have| number(have) == number(text)))
            }
            MetaValue::Boolean(yes) => (yes.to_string(), have == Some(yes.to_string())),
        };
        if !same {
            let have = have.unwrap_or_else(|| "(none)".to_owned());
            found.add(F::Meta, &format!("{key}: {value}"), &format!("{key}: {have}"));
        }
    }
}

/// A time as WordPress takes and gives `date_gmt`: UTC, whole seconds, no zone (tried
/// on 6.1, 6.8 and 7.1; a draft keeps it).
pub(crate) fn date_gmt(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S").to_string()
}
