//! The header `Allow`.
//!
//! The one rule: it names the methods that would not be refused with the parameters of
//! this request, as WordPress works it out after the request was answered.

use super::post::PostKind;
use super::refused::{refused_delete, refused_list, refused_read};
use super::reply::Reply;
use super::rest::{Ask, kind_of, taxonomy_of};
use super::rights::may_edit;
use super::term::Taxonomy;
use super::term_changes::{create_capability, may_delete_term};
use super::world::World;

const CHANGES: [&str; 3] = ["POST", "PUT", "PATCH"];

impl World {
    /// The answer with the header, if any method is allowed.
    pub(super) fn allowing(&self, ask: &Ask<'_>, reply: Reply) -> Reply {
        if reply.is_no_route() || reply.died() {
            return reply;
        }
        let methods = self.allowed(ask).join(", ");
        if methods.is_empty() { reply } else { reply.with("allow", methods) }
    }

    fn allowed(&self, ask: &Ask<'_>) -> Vec<&'static str> {
        let route: Vec<&str> = ask.route.iter().map(String::as_str).collect();
        match route.as_slice() {
            [] | ["wp", "v2"] | ["wp", "v2", "types", _] => vec!["GET"],
            ["wp", "v2", "types"] => {
                let edits = ask.params.text("context").as_deref() == Some("edit");
                if edits && !ask.can("edit_posts") { Vec::new() } else { vec!["GET"] }
            }
            ["batch", "v1"] => vec!["POST"],
            ["wp", "v2", "users"] => {
                let edits = ask.params.text("context").as_deref() == Some("edit");
                let mut methods = Vec::new();
                if !edits || ask.can("list_users") {
                    methods.push("GET");
                }
                if ask.can("create_users") {
                    methods.push("POST");
                }
                methods
            }
            ["wp", "v2", "users", id] => self.allowed_on_user(ask, id),
            ["wp", "v2", "media", id, "post-process"] => {
                let post = id.parse().ok().and_then(|id| self.of_kind(PostKind::Attachment, id));
                let may = post.is_some_and(|post| may_edit(ask, post));
                if may { vec!["POST"] } else { Vec::new() }
            }
            ["wp", "v2", name] => match (kind_of(name), taxonomy_of(name)) {
                (Some(kind), _) => self.allowed_on_collection(ask, kind),
                (None, Some(taxonomy)) => allowed_on_terms(ask, taxonomy),
                (None, None) => Vec::new(),
            },
            ["wp", "v2", name, id] => match (kind_of(name), taxonomy_of(name), id.parse()) {
                (Some(kind), _, Ok(id)) => self.allowed_on_row(ask, kind, id),
                (None, Some(taxonomy), Ok(id)) => self.allowed_on_term(ask, taxonomy, id),
                (_, _, _) => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn allowed_on_user(&self, ask: &Ask<'_>, id: &str) -> Vec<&'static str> {
        let own = id == "me" || id.parse() == Ok(ask.user_id());
        let mut methods = Vec::new();
        if id == "me" {
            methods.push("GET");
        } else {
            let user = self.users.iter().find(|user| Ok(user.id) == id.parse());
            let Some(user) = user else { return methods };
            if self.refused_user(ask, user).is_none() {
                methods.push("GET");
            }
        }
        if (own && ask.user.is_some()) || ask.can("edit_users") {
            methods.extend(CHANGES);
        }
        if ask.can("delete_users") {
            methods.push("DELETE");
        }
        methods
    }

    fn allowed_on_collection(&self, ask: &Ask<'_>, kind: PostKind) -> Vec<&'static str> {
        let mut methods = Vec::new();
        if refused_list(ask, kind).is_none() {
            methods.push("GET");
        }
        if self.refused_create(ask, kind).is_none() {
            methods.push("POST");
        }
        methods
    }

    fn allowed_on_row(&self, ask: &Ask<'_>, kind: PostKind, id: u64) -> Vec<&'static str> {
        let Some(post) = self.of_kind(kind, id) else { return Vec::new() };
        let mut methods = Vec::new();
        if refused_read(ask, post).is_none() {
            methods.push("GET");
        }
        if self.refused_update(ask, post).is_none() {
            methods.extend(CHANGES);
        }
        if refused_delete(ask, post).is_none() {
            methods.push("DELETE");
        }
        methods
    }

    fn allowed_on_term(&self, ask: &Ask<'_>, taxonomy: Taxonomy, id: u64) -> Vec<&'static str> {
        let term = self.terms.get(&id).filter(|term| term.taxonomy == taxonomy);
        let Some(term) = term else { return Vec::new() };
        let mut methods = Vec::new();
        let manages = ask.can("manage_categories");
        if manages || ask.params.text("context").as_deref() != Some("edit") {
            methods.push("GET");
        }
        if manages {
            methods.extend(CHANGES);
        }
        if may_delete_term(ask, term) {
            methods.push("DELETE");
        }
        methods
    }
}

fn allowed_on_terms(ask: &Ask<'_>, taxonomy: Taxonomy) -> Vec<&'static str> {
    let mut methods = Vec::new();
    let edits = ask.params.text("context").as_deref() == Some("edit");
    if !edits || ask.can("manage_categories") {
        methods.push("GET");
    }
    if ask.can(create_capability(taxonomy)) {
        methods.push("POST");
    }
    methods
}
