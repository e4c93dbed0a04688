//! Arguments that don't fit, for each route, before anything else is looked at.
//!
//! The one rule: WordPress checks in two rounds, and tells what is wrong of the first
//! round that finds something.

use serde_json::json;

use super::checks::{not_in_enum, one_of, plain};
use super::fields::wrong_fields;
use super::post::PostKind;
use super::reply::{Reply, Wrong};
use super::rest::{Ask, kind_of, taxonomy_of};
use super::term::Taxonomy;
use super::world::{Version, World};

/// The most rows of a page (facts §1).
const PER_PAGE_MAX: i64 = 100;
const CONTEXTS: &[&str] = &["view", "embed", "edit"];
const ORDERS: &[&str] = &["asc", "desc"];
const STATUSES: &[&str] = &[
    "publish",
    "future",
    "draft",
    "pending",
    "private",
    "trash",
    "auto-draft",
    "inherit",
    "request-pending",
    "request-confirmed",
    "request-failed",
    "request-completed",
    "any",
];
const MEDIA_STATUSES: &[&str] = &["inherit", "private", "trash"];
const MEDIA_TYPES: &[&str] = &["image", "video", "text", "application", "audio"];
const ROW_ORDERS: &[&str] = &[
    "author",
    "date",
    "id",
    "include",
    "modified",
    "parent",
    "relevance",
    "slug",
    "include_slugs",
    "title",
];
const PAGE_ORDERS: &[&str] = &[
    "author",
    "date",
    "id",
    "include",
    "modified",
    "parent",
    "relevance",
    "slug",
    "include_slugs",
    "title",
    "menu_order",
];
const TERM_ORDERS: &[&str] =
    &["id", "include", "name", "slug", "include_slugs", "term_group", "description", "count"];
const USER_ORDERS: &[&str] =
    &["id", "include", "name", "registered_date", "slug", "include_slugs", "email", "url"];

impl World {
    /// The refusal of arguments that are missing or don't fit.
    pub(super) fn wrong_arguments(&self, ask: &Ask<'_>) -> Option<Reply> {
        let route: Vec<&str> = ask.route.iter().map(String::as_str).collect();
        let wrong = match route.as_slice() {
            ["batch", "v1"] => return super::batch::wrong_batch(ask),
            ["wp", "v2", "media", _, "post-process"] => return wrong_action(ask),
            ["wp", "v2", "users"] if ask.is_read() => wrong_list_of_users(ask),
            ["wp", "v2", "users", _] if ask.is_read() => wrong_context(ask),
            ["wp", "v2", name] => match (kind_of(name), taxonomy_of(name)) {
                (Some(kind), _) if ask.is_read() => self.wrong_list(ask, kind),
                (Some(kind), _) => wrong_fields(ask, kind),
                (None, Some(taxonomy)) if ask.is_read() => wrong_list_of_terms(ask, taxonomy),
                (None, Some(_)) => {
                    if ask.params.get("name").is_none() {
                        return Some(missing("name"));
                    }
                    wrong_term(ask)
                }
                (None, None) => Vec::new(),
            },
            ["wp", "v2", name, _] => match (kind_of(name), taxonomy_of(name)) {
                (None, None) => Vec::new(),
                (_, _) if ask.is_read() => wrong_context(ask),
                (_, _) if ask.method == http::Method::DELETE => wrong_force(ask),
                (Some(kind), _) => wrong_fields(ask, kind),
                (None, Some(_)) => wrong_term(ask),
            },
            _ => Vec::new(),
        };
        (!wrong.is_empty()).then(|| Reply::invalid_parameters(&wrong))
    }

    fn wrong_list(&self, ask: &Ask<'_>, kind: PostKind) -> Vec<Wrong> {
        let params = &ask.params;
        let first = wrong_page(ask);
        if !first.is_empty() {
            return first;
        }
        let orders = if kind.has("page-attributes") { PAGE_ORDERS } else { ROW_ORDERS };
        let mut wrong: Vec<Option<Wrong>> =
            ["after", "modified_after", "before", "modified_before"]
                .map(|name| params.not_moment(name))
                .into();
        if kind.has("author") {
            wrong.extend(["author", "author_exclude"].map(|name| params.not_ids(name)));
        }
        wrong.extend(["exclude", "include"].map(|name| params.not_ids(name)));
        wrong.push(params.not_whole("offset"));
        wrong.push(params.not_one_of("order", ORDERS));
        wrong.push(params.not_one_of("orderby", orders));
        if kind.has_parents() || kind == PostKind::Attachment {
            wrong.extend(["parent", "parent_exclude"].map(|name| params.not_ids(name)));
        }
        wrong.push(wrong_status(ask, kind));
        if kind == PostKind::Post {
            let lists = ["categories", "categories_exclude", "tags", "tags_exclude"];
            wrong.extend(lists.map(|name| params.not_term_ids(name)));
            wrong.push(params.not_switch("sticky"));
        }
        if kind == PostKind::Attachment {
            wrong.push(self.wrong_media_type(ask));
        }
        wrong.into_iter().flatten().collect()
    }

    /// Since 7.1 several types can be asked for.
    fn wrong_media_type(&self, ask: &Ask<'_>) -> Option<Wrong> {
        if self.version < Version::V7_1 {
            return ask.params.not_one_of("media_type", MEDIA_TYPES);
        }
        let asked = ask.params.list("media_type")?;
        let at = asked.iter().position(|kind| !MEDIA_TYPES.contains(&kind.as_str()))?;
        let mut wrong = not_in_enum("media_type", MEDIA_TYPES);
        wrong.message = format!("media_type[{at}] is not one of {}.", one_of(MEDIA_TYPES));
        Some(wrong)
    }
}

/// What the first round looks at.
fn wrong_page(ask: &Ask<'_>) -> Vec<Wrong> {
    let params = &ask.params;
    let checked = [
        params.not_one_of("context", CONTEXTS),
        params.not_from("page", 1),
        params.not_between("per_page", 1, PER_PAGE_MAX),
    ];
    checked.into_iter().flatten().collect()
}

fn wrong_context(ask: &Ask<'_>) -> Vec<Wrong> {
    ask.params.not_one_of("context", CONTEXTS).into_iter().collect()
}

fn wrong_force(ask: &Ask<'_>) -> Vec<Wrong> {
    ask.params.not_switch("force").into_iter().collect()
}

fn wrong_status(ask: &Ask<'_>, kind: PostKind) -> Option<Wrong> {
    let asked = ask.params.list("status")?;
    let media = kind == PostKind::Attachment;
    let known: &[&str] = if media { MEDIA_STATUSES } else { STATUSES };
    let usual = if media { "inherit" } else { "publish" };
    for (at, name) in asked.iter().enumerate() {
        if !known.contains(&name.as_str()) {
            let message = format!("status[{at}] is not one of {}.", one_of(known));
            return Some(plain("status", "rest_not_in_enum", message));
        }
        let private = name == "private" && ask.can("read_private_posts");
        if name != usual && !ask.can(edit_capability(kind)) && !private {
            let status = if ask.user.is_some() { 403 } else { 401 };
            let mut wrong =
                plain("status", "rest_forbidden_status", "Status is forbidden.".to_owned());
            wrong.data = json!({ "status": status });
            return Some(wrong);
        }
    }
    None
}

/// The capability that makes statuses other than the usual one visible.
pub(super) fn edit_capability(kind: PostKind) -> &'static str {
    match kind {
        PostKind::Post | PostKind::Attachment | PostKind::Book | PostKind::Chapter => "edit_posts",
        PostKind::Page => "edit_pages",
    }
}

fn wrong_list_of_terms(ask: &Ask<'_>, taxonomy: Taxonomy) -> Vec<Wrong> {
    let params = &ask.params;
    let first = wrong_page(ask);
    if !first.is_empty() {
        return first;
    }
    let parent = match taxonomy {
        Taxonomy::Category => params.not_whole("parent"),
        Taxonomy::Tag => None,
    };
    let checked = [
        params.not_ids("exclude"),
        params.not_ids("include"),
        params.not_whole("offset"),
        params.not_one_of("order", ORDERS),
        params.not_one_of("orderby", TERM_ORDERS),
        params.not_switch("hide_empty"),
        parent,
        params.not_whole("post"),
    ];
    checked.into_iter().flatten().collect()
}

fn wrong_list_of_users(ask: &Ask<'_>) -> Vec<Wrong> {
    let params = &ask.params;
    let first = wrong_page(ask);
    if !first.is_empty() {
        return first;
    }
    let checked = [
        params.not_ids("exclude"),
        params.not_ids("include"),
        params.not_whole("offset"),
        params.not_one_of("order", ORDERS),
        params.not_one_of("orderby", USER_ORDERS),
    ];
    checked.into_iter().flatten().collect()
}

fn wrong_term(ask: &Ask<'_>) -> Vec<Wrong> {
    let params = &ask.params;
    let texts = ["description", "name", "slug"].map(|name| params.not_text(name));
    texts.into_iter().chain([params.not_whole("parent")]).flatten().collect()
}

fn wrong_action(ask: &Ask<'_>) -> Option<Reply> {
    if ask.params.get("action").is_none() {
        return Some(missing("action"));
    }
    let wrong = ask.params.not_one_of("action", &["create-image-subsizes"])?;
    Some(Reply::invalid_parameters(&[wrong]))
}

/// The refusal of a request without this argument.
pub(super) fn missing(name: &str) -> Reply {
    let data = json!({ "status": 400, "params": [name] });
    let message = format!("Missing parameter(s): {name}");
    Reply::error_with(400, "rest_missing_callback_param", &message, &data)
}
