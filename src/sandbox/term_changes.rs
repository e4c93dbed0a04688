//! Creating, changing and deleting categories and tags.
//!
//! The one rule: names are compared as stored, with entities, and repeat only under
//! different parents, or with a slug of their own (facts §5).

use serde_json::{Value, json};

use super::filter::{Place, filtered};
use super::mishap::Mishap;
use super::reply::{Body, Reply, only_fields};
use super::rest::Ask;
use super::term::{Taxonomy, Term};
use super::world::World;

/// The category that posts without one get. It can't be deleted.
pub(super) const USUAL_CATEGORY: u64 = 1;

impl World {
    pub(super) fn create_term(&mut self, ask: &Ask<'_>, taxonomy: Taxonomy) -> Reply {
        if !ask.can(create_capability(taxonomy)) {
            let message = "Sorry, you are not allowed to create terms in this taxonomy.";
            return ask.forbidden("rest_cannot_create", message);
        }
        let parent = match self.parent_asked(ask, taxonomy) {
            Ok(parent) => parent.unwrap_or(0),
            Err(refusal) => return refusal,
        };
        let name = stored_name(&ask.params.text("name").unwrap_or_default());
        if name.is_empty() {
            return nameless();
        }
        let wanted = ask.params.text("slug").filter(|slug| !slug.is_empty());
        let slug = slug_of(wanted.as_deref(), &name);
        let own_slug = wanted.is_some();
        if let Some(known) = self.same_term(taxonomy, parent, &name, &slug, own_slug) {
            return term_exists(taxonomy, known.id);
        }
        let id = self.next_term_id();
        let slug = self.unique_term_slug(&slug, taxonomy, parent);
        let description = self.description_asked(ask).unwrap_or_default();
        let term = Term { id, taxonomy, name, slug, description, parent };
        self.terms.insert(id, term.clone());
        if let Some(Mishap::DiesAfterInsert | Mishap::DiesAfterFields) = ask.mishap {
            return Reply::critical();
        }
        let location = format!("{}/wp-json/wp/v2/{}/{id}", self.home, taxonomy.route());
        Reply::created(self.term_view(ask, &term), location)
    }

    /// The parent that a request names, where it names one.
    fn parent_asked(&self, ask: &Ask<'_>, taxonomy: Taxonomy) -> Result<Option<u64>, Reply> {
        let Some(parent) = ask.params.number("parent").map(i64::unsigned_abs) else {
            return Ok(None);
        };
        match taxonomy {
            Taxonomy::Tag => {
                let message = "Cannot set parent term, taxonomy is not hierarchical.";
                Err(Reply::error(400, "rest_taxonomy_not_hierarchical", message))
            }
            Taxonomy::Category if parent != 0 && !self.terms.contains_key(&parent) => {
                Err(Reply::error(400, "rest_term_invalid", "Parent term does not exist."))
            }
            Taxonomy::Category => Ok(Some(parent)),
        }
    }

    fn description_asked(&self, ask: &Ask<'_>) -> Option<String> {
        let text = ask.params.text("description")?;
        Some(filtered(&text, Place::Title, self.version))
    }

    /// The term that a create would repeat.
    fn same_term(
        &self,
        taxonomy: Taxonomy,
        parent: u64,
        name: &str,
        slug: &str,
        own_slug: bool,
    ) -> Option<&Term> {
        let siblings = || {
            self.terms.values().filter(|term| term.taxonomy == taxonomy && term.parent == parent)
        };
        let same_name = siblings().find(|term| term.name.to_lowercase() == name.to_lowercase())?;
        if !own_slug || same_name.slug == slug {
            return Some(same_name);
        }
        siblings().find(|term| term.slug == slug)
    }

    pub(super) fn update_term(&mut self, ask: &Ask<'_>, mut term: Term) -> Reply {
        if !ask.can("manage_categories") {
            let message = "Sorry, you are not allowed to edit this term.";
            return ask.forbidden("rest_cannot_update", message);
        }
        match self.parent_asked(ask, term.taxonomy) {
            Err(refusal) => return refusal,
            Ok(None) => {}
            // A term below itself is below none.
            Ok(Some(parent)) if self.is_below(parent, term.id) => term.parent = 0,
            Ok(Some(parent)) => term.parent = parent,
        }
        if let Some(name) = ask.params.text("name") {
            term.name = stored_name(&name);
            if term.name.is_empty() {
                return nameless();
            }
        }
        if let Some(description) = self.description_asked(ask) {
            term.description = description;
        }
        if let Some(slug) = ask.params.text("slug").filter(|slug| !slug.is_empty()) {
            term.slug = slug_of(Some(&slug), &term.name);
        }
        self.terms.insert(term.id, term.clone());
        Reply::ok(self.term_view(ask, &term))
    }

    /// Whether a category is another one or stands below it.
    fn is_below(&self, mut id: u64, other: u64) -> bool {
        // No chain is longer than there are terms.
        for _ in 0..=self.terms.len() {
            if id == other {
                return true;
            }
            match self.terms.get(&id) {
                Some(term) if term.parent != 0 => id = term.parent,
                Some(_) | None => return false,
            }
        }
        false
    }

    pub(super) fn delete_term(&mut self, ask: &Ask<'_>, term: &Term) -> Reply {
        if !may_delete_term(ask, term) {
            let message = "Sorry, you are not allowed to delete this term.";
            return ask.forbidden("rest_cannot_delete", message);
        }
        if !ask.params.is_on("force") {
            let message = "Terms do not support trashing. Set 'force=true' to delete.";
            return Reply::error(501, "rest_trash_not_supported", message);
        }
        let previous = self.term_view(ask, term);
        let previous = match ask.fields() {
            Some(fields) => only_fields(previous, &fields),
            None => previous,
        };
        self.terms.remove(&term.id);
        for child in self.terms.values_mut().filter(|child| child.parent == term.id) {
            child.parent = term.parent;
        }
        for post in self.posts.values_mut() {
            post.tags.retain(|kept| *kept != term.id);
            if post.categories.contains(&term.id) {
                post.categories.retain(|kept| *kept != term.id);
                if post.categories.is_empty() {
                    post.categories.push(USUAL_CATEGORY);
                }
            }
        }
        Reply::ok(json!({ "deleted": true, "previous": previous }))
    }

    /// Adds a term as somebody on the site would.
    pub(super) fn add_term_row(&mut self, taxonomy: Taxonomy, name: &str, parent: u64) -> u64 {
        let id = self.next_term_id();
        let name = stored_name(name);
        let slug = self.unique_term_slug(&slug_of(None, &name), taxonomy, parent);
        let description = String::new();
        self.terms.insert(id, Term { id, taxonomy, name, slug, description, parent });
        id
    }

    /// The slug, with the parents' slugs or a number behind it where it is taken.
    fn unique_term_slug(&self, slug: &str, taxonomy: Taxonomy, parent: u64) -> String {
        let taken = |slug: &str| {
            self.terms.values().any(|term| term.taxonomy == taxonomy && term.slug == slug)
        };
        if !taken(slug) {
            return slug.to_owned();
        }
        let mut longer = slug.to_owned();
        let mut above = self.terms.get(&parent);
        while let Some(term) = above {
            longer = format!("{longer}-{}", term.slug);
            if !taken(&longer) {
                return longer;
            }
            above = self.terms.get(&term.parent);
        }
        let mut number = 2_u64;
        loop {
            let numbered = format!("{longer}-{number}");
            if !taken(&numbered) {
                return numbered;
            }
            number += 1;
        }
    }
}

fn nameless() -> Reply {
    let message = "A name is required for this term.";
    Reply::error_with(500, "empty_term_name", message, &Value::Null)
}

fn term_exists(taxonomy: Taxonomy, id: u64) -> Reply {
    let message = match taxonomy {
        Taxonomy::Category => "A term with the name provided already exists with this parent.",
        Taxonomy::Tag => "A term with the name provided already exists in this taxonomy.",
    };
    let data = json!({ "status": 400, "term_id": id });
    let mut reply = Reply::error_with(400, "term_exists", message, &data);
    if let Body::Json(Value::Object(body)) = &mut reply.body {
        body.insert("additional_data".to_owned(), json!([id, id]));
    }
    reply
}

/// Tags may be created by who writes posts, categories by editors (facts §5).
pub(super) fn create_capability(taxonomy: Taxonomy) -> &'static str {
    match taxonomy {
        Taxonomy::Category => "manage_categories",
        Taxonomy::Tag => "edit_posts",
    }
}

pub(super) fn may_delete_term(ask: &Ask<'_>, term: &Term) -> bool {
    ask.can("manage_categories") && term.id != USUAL_CATEGORY
}

fn slug_of(wanted: Option<&str>, name: &str) -> String {
    let plain = html_escape::decode_html_entities(name);
    crate::article::slug::stored_form(wanted.unwrap_or(&plain))
}

/// A name as it is stored: on one line, without tags, with entities.
fn stored_name(name: &str) -> String {
    let plain = crate::article::slug::without_tags(name);
    let words = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain = html_escape::decode_html_entities(&words).into_owned();
    html_escape::encode_text(&plain).into_owned()
}
