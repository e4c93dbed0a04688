//! Categories and tags as the REST API shows them.
//!
//! Absent from here: changing them (`term_changes`). The one rule: names are shown as
//! they are stored, with entities (facts §5).

use serde_json::{Value, json};

use super::list::page_links;
use super::post::Status;
use super::reply::Reply;
use super::rest::Ask;
use super::term::{Taxonomy, Term};
use super::world::World;

/// Rows of a page where the request names no number.
const PER_PAGE_USUAL: i64 = 10;

impl World {
    pub(super) fn term_collection(&mut self, ask: &Ask<'_>, taxonomy: Taxonomy) -> Reply {
        if ask.is_read() {
            return self.list_terms(ask, taxonomy);
        }
        self.create_term(ask, taxonomy)
    }

    pub(super) fn term_item(&mut self, ask: &Ask<'_>, taxonomy: Taxonomy, id: u64) -> Reply {
        let Some(term) = self.terms.get(&id).filter(|term| term.taxonomy == taxonomy) else {
            return Reply::error(404, "rest_term_invalid", "Term does not exist.");
        };
        if ask.method == http::Method::DELETE {
            let term = term.clone();
            return self.delete_term(ask, &term);
        }
        if !ask.is_read() {
            let term = term.clone();
            return self.update_term(ask, term);
        }
        if is_edit(ask) && !ask.can("manage_categories") {
            let message = "Sorry, you are not allowed to edit this term.";
            return ask.forbidden("rest_forbidden_context", message);
        }
        Reply::ok(self.term_view(ask, term))
    }

    fn list_terms(&self, ask: &Ask<'_>, taxonomy: Taxonomy) -> Reply {
        if is_edit(ask) && !ask.can("manage_categories") {
            let message = "Sorry, you are not allowed to edit terms in this taxonomy.";
            return ask.forbidden("rest_forbidden_context", message);
        }
        let mut found: Vec<&Term> =
            self.terms.values().filter(|term| self.matches_term(ask, taxonomy, term)).collect();
        self.sort_terms(ask, &mut found);
        let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
        let per_page = ask.params.number("per_page").unwrap_or(PER_PAGE_USUAL);
        let page = ask.params.number("page").unwrap_or(1);
        let (skip, page) = match ask.params.number("offset") {
            // WordPress works out the page from the offset.
            Some(offset) if offset > 0 => (offset, (offset + per_page - 1) / per_page + 1),
            Some(_) | None => ((page - 1) * per_page, page),
        };
        let pages = (total + per_page - 1) / per_page;
        let rows = found
            .into_iter()
            .skip(usize::try_from(skip).unwrap_or(usize::MAX))
            .take(usize::try_from(per_page).unwrap_or(0))
            .map(|term| self.term_view(ask, term));
        let reply = Reply::ok(Value::Array(rows.collect()))
            .with("x-wp-total", total.to_string())
            .with("x-wp-totalpages", pages.to_string());
        match page_links(&self.home, ask, taxonomy.route(), page, pages) {
            Some(link) => reply.with("link", link),
            None => reply,
        }
    }

    fn matches_term(&self, ask: &Ask<'_>, taxonomy: Taxonomy, term: &Term) -> bool {
        let params = &ask.params;
        let ids = |name: &str| params.ids(name).filter(|ids| !ids.is_empty());
        let slugs = params.list("slug").filter(|slugs| !slugs.is_empty());
        let stored = |slug: &String| crate::article::slug::stored_form(slug) == term.slug;
        let search = params.text("search").unwrap_or_default().to_lowercase();
        let parent = params.number("parent").filter(|_| taxonomy == Taxonomy::Category);
        let of_post = params.number("post").map(|id| self.posts.get(&id.unsigned_abs()));
        term.taxonomy == taxonomy
            && slugs.is_none_or(|slugs| slugs.iter().any(stored))
            && ids("include").is_none_or(|ids| ids.contains(&term.id))
            && (ids("include").is_some()
                || ids("exclude").is_none_or(|ids| !ids.contains(&term.id)))
            && parent.is_none_or(|parent| parent.unsigned_abs() == term.parent)
            && (!params.is_on("hide_empty") || self.posts_with(term) > 0)
            && of_post.is_none_or(|post| {
                post.is_some_and(|post| {
                    post.categories.contains(&term.id) || post.tags.contains(&term.id)
                })
            })
            && (search.is_empty()
                || term.name.to_lowercase().contains(&search)
                || term.slug.contains(&search))
    }

    fn sort_terms(&self, ask: &Ask<'_>, found: &mut [&Term]) {
        match ask.params.text("orderby").as_deref() {
            Some("id") => found.sort_by_key(|term| term.id),
            Some("slug") => found.sort_by(|a, b| a.slug.cmp(&b.slug)),
            Some("description") => found.sort_by(|a, b| a.description.cmp(&b.description)),
            Some("count") => found.sort_by_key(|term| self.posts_with(term)),
            Some("include") => {
                let ids = ask.params.ids("include").unwrap_or_default();
                found.sort_by_key(|term| ids.iter().position(|id| *id == term.id));
            }
            Some("include_slugs") => {
                let slugs = ask.params.list("slug").unwrap_or_default();
                found.sort_by_key(|term| slugs.iter().position(|slug| *slug == term.slug));
            }
            Some(_) | None => found.sort_by_key(|term| term.name.to_lowercase()),
        }
        if ask.params.text("order").as_deref() == Some("desc") {
            found.reverse();
        }
    }

    /// How many published posts have the term.
    fn posts_with(&self, term: &Term) -> usize {
        let published = self.posts.values().filter(|post| {
            post.status == Status::Publish
                && (post.categories.contains(&term.id) || post.tags.contains(&term.id))
        });
        published.count()
    }

    pub(super) fn term_view(&self, ask: &Ask<'_>, term: &Term) -> Value {
        let base = match term.taxonomy {
            Taxonomy::Category => "category",
            Taxonomy::Tag => "tag",
        };
        let link = format!("{}/{base}/{}/", self.home, term.slug);
        if ask.params.text("context").as_deref() == Some("embed") {
            return json!({
                "id": term.id, "link": link, "name": term.name, "slug": term.slug,
                "taxonomy": term.taxonomy.name(),
            });
        }
        let mut view = json!({
            "id": term.id,
            "count": self.posts_with(term),
            "description": term.description,
            "link": link,
            "name": term.name,
            "slug": term.slug,
            "taxonomy": term.taxonomy.name(),
        });
        if let Value::Object(object) = &mut view {
            if term.taxonomy == Taxonomy::Category {
                object.insert("parent".to_owned(), json!(term.parent));
            }
            object.insert("meta".to_owned(), json!([]));
        }
        view
    }
}

fn is_edit(ask: &Ask<'_>) -> bool {
    ask.params.text("context").as_deref() == Some("edit")
}
