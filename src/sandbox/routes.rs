//! The routes of the REST API, and the methods that each takes.
//!
//! Absent from here: what they do. The one rule: what is not in this list is no route.

use super::rest::Ask;

const READ: &[&str] = &["GET"];
const WRITE: &[&str] = &["POST"];
const COLLECTION: &[&str] = &["GET", "POST"];
const ITEM: &[&str] = &["GET", "POST", "PUT", "PATCH", "DELETE"];

/// Each route as the index names it, with its methods.
pub(super) const ROUTES: &[(&str, &[&str])] = &[
    ("/", READ),
    ("/batch/v1", WRITE),
    ("/wp/v2", READ),
    ("/wp/v2/posts", COLLECTION),
    ("/wp/v2/posts/(?P<id>[\\d]+)", ITEM),
    ("/wp/v2/pages", COLLECTION),
    ("/wp/v2/pages/(?P<id>[\\d]+)", ITEM),
    ("/wp/v2/books", COLLECTION),
    ("/wp/v2/books/(?P<id>[\\d]+)", ITEM),
    ("/wp/v2/lab_chapter", COLLECTION),
    ("/wp/v2/lab_chapter/(?P<id>[\\d]+)", ITEM),
    ("/wp/v2/media", COLLECTION),
    ("/wp/v2/media/(?P<id>[\\d]+)", ITEM),
    ("/wp/v2/media/(?P<id>[\\d]+)/post-process", WRITE),
    ("/wp/v2/types", READ),
    ("/wp/v2/types/(?P<type>[\\w-]+)", READ),
    ("/wp/v2/categories", COLLECTION),
    ("/wp/v2/categories/(?P<id>[\\d]+)", ITEM),
    ("/wp/v2/tags", COLLECTION),
    ("/wp/v2/tags/(?P<id>[\\d]+)", ITEM),
    ("/wp/v2/users", COLLECTION),
    ("/wp/v2/users/(?P<id>[\\d]+)", ITEM),
    ("/wp/v2/users/me", ITEM),
];

/// The methods of the route that these parts are; nothing, if they are none.
pub(super) fn methods(route: &[String]) -> Option<&'static [&'static str]> {
    ROUTES.iter().find(|(pattern, _)| is(pattern, route)).map(|(_, methods)| *methods)
}

fn is(pattern: &str, route: &[String]) -> bool {
    let parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
    let fits = |(part, found): (&&str, &String)| match part.strip_prefix("(?P<") {
        Some(rest) if rest.starts_with("id>") => found.bytes().all(|byte| byte.is_ascii_digit()),
        Some(_) => true,
        None => found == part,
    };
    parts.len() == route.len() && parts.iter().zip(route).all(fits)
}

/// The namespace of a route, as the index tells it.
pub(super) fn namespace(first: Option<&str>) -> &'static str {
    match first {
        Some("wp") => "wp/v2",
        Some(_) | None => "",
    }
}

/// Whether the route of this request takes its method. HEAD is as good as GET.
pub(super) fn takes(ask: &Ask<'_>) -> bool {
    let method = if ask.is_read() { "GET" } else { ask.method.as_str() };
    methods(&ask.route).is_some_and(|methods| methods.contains(&method))
}
