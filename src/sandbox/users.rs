//! Users, as the REST API shows them.
//!
//! Absent from here: changing them. The one rule: whoever wants to is refused, as on a
//! site whose users are kept elsewhere.

use serde_json::{Map, Value, json};

use super::list::page_links;
use super::people::User;
use super::post::Status;
use super::reply::Reply;
use super::rest::Ask;
use super::view::Shown;
use super::world::World;

/// Rows of a page where the request names no number.
const PER_PAGE_USUAL: i64 = 10;

impl World {
    pub(super) fn me(&self, ask: &Ask<'_>) -> Reply {
        match &ask.user {
            None => Reply::error(401, "rest_not_logged_in", "You are not currently logged in."),
            Some(user) if ask.is_read() => Reply::ok(self.user_view(user, Shown::of_ask(ask))),
            Some(_) => refused_change(ask),
        }
    }

    pub(super) fn user_collection(&self, ask: &Ask<'_>) -> Reply {
        if ask.is_read() {
            return self.list_users(ask);
        }
        let message = "Sorry, you are not allowed to create new users.";
        ask.forbidden("rest_cannot_create_user", message)
    }

    fn list_users(&self, ask: &Ask<'_>) -> Reply {
        let shown = Shown::of_ask(ask);
        if shown == Shown::Edit && !ask.can("list_users") {
            let message = "Sorry, you are not allowed to edit users.";
            return ask.forbidden("rest_forbidden_context", message);
        }
        if ask.params.get("roles").is_some() && !ask.can("list_users") {
            let message = "Sorry, you are not allowed to filter users by role.";
            return ask.forbidden("rest_user_cannot_view", message);
        }
        let mut found: Vec<&User> =
            self.users.iter().filter(|user| self.matches_user(ask, user)).collect();
        match ask.params.text("orderby").as_deref() {
            Some("id" | "registered_date") => {}
            Some("include") => {
                let ids = ask.params.ids("include").unwrap_or_default();
                found.sort_by_key(|user| ids.iter().position(|id| *id == user.id));
            }
            Some(_) | None => found.sort_by(|a, b| a.login.cmp(&b.login)),
        }
        if ask.params.text("order").as_deref() == Some("desc") {
            found.reverse();
        }
        let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
        let per_page = ask.params.number("per_page").unwrap_or(PER_PAGE_USUAL);
        let page = ask.params.number("page").unwrap_or(1);
        let pages = (total + per_page - 1) / per_page;
        let rows = found
            .into_iter()
            .skip(usize::try_from((page - 1) * per_page).unwrap_or(usize::MAX))
            .take(usize::try_from(per_page).unwrap_or(0))
            .map(|user| self.user_view(user, shown));
        let reply = Reply::ok(Value::Array(rows.collect()))
            .with("x-wp-total", total.to_string())
            .with("x-wp-totalpages", pages.to_string());
        match page_links(&self.home, ask, "users", page, pages) {
            Some(link) => reply.with("link", link),
            None => reply,
        }
    }

    fn matches_user(&self, ask: &Ask<'_>, user: &User) -> bool {
        let params = &ask.params;
        let ids = |name: &str| params.ids(name).filter(|ids| !ids.is_empty());
        let list = |name: &str| params.list(name).filter(|list| !list.is_empty());
        let search = params.text("search").unwrap_or_default().to_lowercase();
        (ask.can("list_users") || self.has_published(user.id))
            && ids("include").is_none_or(|ids| ids.contains(&user.id))
            && (ids("include").is_some()
                || ids("exclude").is_none_or(|ids| !ids.contains(&user.id)))
            && list("slug").is_none_or(|slugs| slugs.contains(&user.login))
            && list("roles").is_none_or(|roles| roles.contains(&user.role.name().to_owned()))
            && user.login.contains(&search)
    }

    fn has_published(&self, user: u64) -> bool {
        self.posts.values().any(|post| post.author == user && post.status == Status::Publish)
    }

    pub(super) fn one_user(&self, ask: &Ask<'_>, id: &str) -> Reply {
        let user = self.users.iter().find(|user| Ok(user.id) == id.parse());
        let Some(user) = user else {
            return Reply::error(404, "rest_user_invalid_id", "Invalid user ID.");
        };
        if ask.method == http::Method::DELETE {
            let message = "Sorry, you are not allowed to delete this user.";
            return ask.forbidden("rest_user_cannot_delete", message);
        }
        if !ask.is_read() {
            return refused_change(ask);
        }
        match self.refused_user(ask, user) {
            Some(refusal) => refusal,
            None => Reply::ok(self.user_view(user, Shown::of_ask(ask))),
        }
    }

    /// Users are shown to themselves, to administrators, and to all once they have
    /// published something.
    pub(super) fn refused_user(&self, ask: &Ask<'_>, user: &User) -> Option<Reply> {
        if ask.user_id() == user.id || ask.can("list_users") {
            return None;
        }
        if Shown::of_ask(ask) == Shown::Edit {
            let message = "Sorry, you are not allowed to edit this user.";
            return Some(ask.forbidden("rest_forbidden_context", message));
        }
        let message = "Sorry, you are not allowed to list users.";
        (!self.has_published(user.id)).then(|| ask.forbidden("rest_user_cannot_view", message))
    }

    fn user_view(&self, user: &User, shown: Shown) -> Value {
        let edit = shown == Shown::Edit;
        let mut view = Map::new();
        let mut put = |name: &str, value: Value| drop(view.insert(name.to_owned(), value));
        put("id", json!(user.id));
        if edit {
            put("username", json!(user.login));
        }
        put("name", json!(user.login));
        if edit {
            put("first_name", json!(""));
            put("last_name", json!(""));
            put("email", json!(format!("{}@example.com", user.login)));
        }
        put("url", json!(""));
        put("description", json!(""));
        put("link", json!(format!("{}/author/{}/", self.home, user.login)));
        if edit {
            put("locale", json!("en_US"));
            put("nickname", json!(user.login));
        }
        put("slug", json!(user.login));
        if edit {
            put("roles", json!([user.role.name()]));
            let mut granted: Map<String, Value> =
                user.role.capabilities().map(|name| (name.to_owned(), json!(true))).collect();
            granted.insert(user.role.name().to_owned(), json!(true));
            put("capabilities", Value::Object(granted));
            put("extra_capabilities", json!({ user.role.name(): true }));
        }
        Value::Object(view)
    }
}

/// The users of a simulated site are who they are.
fn refused_change(ask: &Ask<'_>) -> Reply {
    ask.forbidden("rest_cannot_edit", "Sorry, you are not allowed to edit this user.")
}
