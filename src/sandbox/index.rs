//! The index of the REST API, and what routes offer.

use serde_json::{Map, Value, json};

use super::arguments::edit_capability;
use super::post::PostKind;
use super::reply::{Reply, only_fields};
use super::rest::{Ask, kind_of};
use super::routes::{ROUTES, methods, namespace};
use super::world::{Version, World, zone_hours};

/// Names of the parameters of a collection.
const LIST_ARGS: [&str; 20] = [
    "context",
    "page",
    "per_page",
    "search",
    "after",
    "modified_after",
    "author",
    "author_exclude",
    "before",
    "modified_before",
    "exclude",
    "include",
    "offset",
    "order",
    "orderby",
    "slug",
    "status",
    "parent",
    "parent_exclude",
    "menu_order",
];
/// Names of the parameters of a create.
const CREATE_ARGS: [&str; 12] = [
    "date",
    "date_gmt",
    "slug",
    "status",
    "title",
    "content",
    "author",
    "excerpt",
    "featured_media",
    "comment_status",
    "meta",
    "template",
];

impl World {
    pub(super) fn index(&self, ask: &Ask<'_>) -> Reply {
        let mut namespaces = vec!["oembed/1.0", "wp/v2", "wp-site-health/v1", "wp-block-editor/v1"];
        if self.version == Version::V7_1 {
            namespaces.push("wp-abilities/v1");
        }
        let authorization = format!("{}/wp-admin/authorize-application.php", self.home);
        let body = json!({
            "name": html_escape::encode_quoted_attribute(&self.name),
            "description": "",
            "url": self.home,
            "home": self.home,
            "gmt_offset": zone_hours(),
            "timezone_string": "Asia/Tokyo",
            "namespaces": namespaces,
            "authentication": {
                "application-passwords": { "endpoints": { "authorization": authorization } }
            },
            "routes": self.routes(ask),
            "site_logo": 0,
            "site_icon": 0,
            "site_icon_url": "",
        });
        Reply::ok(body)
    }

    pub(super) fn namespace(&self, ask: &Ask<'_>) -> Reply {
        let body = json!({ "namespace": "wp/v2", "routes": self.routes(ask) });
        Reply::ok(body)
    }

    /// The routes that `_fields` lets through: clients ask for three of sixty, and each
    /// run of each case of the batteries asks.
    fn routes(&self, ask: &Ask<'_>) -> Value {
        let fields = ask.fields();
        let is_wanted = |route: &str| {
            fields.as_ref().is_none_or(|fields| {
                fields.iter().any(|field| match field.strip_prefix("routes") {
                    Some("") => true,
                    Some(inner) => inner.strip_prefix('.').is_some_and(|inner| {
                        let part = inner.strip_prefix(route);
                        part.is_some_and(|part| part.is_empty() || part.starts_with('.'))
                    }),
                    None => false,
                })
            })
        };
        let mut routes = Map::new();
        for (route, methods) in ROUTES.iter().filter(|(route, _)| is_wanted(route)) {
            let first = route.split('/').nth(1);
            let kind = route.split('/').nth(3).and_then(kind_of);
            let endpoints: Vec<Value> =
                methods.iter().map(|method| self.endpoint(route, method, kind)).collect();
            let about = json!({
                "namespace": namespace(first),
                "methods": methods,
                "endpoints": endpoints,
                "_links": { "self": [{ "href": format!("{}/wp-json{route}", self.home) }] },
            });
            routes.insert((*route).to_owned(), about);
        }
        Value::Object(routes)
    }

    /// What a route offers. Of a route that is not there nothing is said, with a 200.
    pub(super) fn options(&self, route: &[String]) -> Reply {
        let Some(methods) = methods(route) else { return Reply::ok(json!([])) };
        let path = format!("/{}", route.join("/"));
        let kind = route.get(2).and_then(|name| kind_of(name));
        let endpoints: Vec<Value> =
            methods.iter().map(|method| self.endpoint(&path, method, kind)).collect();
        let schema = kind.map(|kind| json!({ "title": kind.name(), "type": "object" }));
        Reply::ok(json!({
            "namespace": namespace(route.first().map(String::as_str)),
            "methods": methods,
            "endpoints": endpoints,
            "schema": schema,
            "_links": { "self": [{ "href": format!("{}/wp-json/{}", self.home, route.join("/")) }] },
        }))
    }

    pub(super) fn post_type(name: &str) -> Reply {
        let Some(kind) = PostKind::ALL.into_iter().find(|kind| kind.name() == name) else {
            return Reply::error(404, "rest_type_invalid", "Invalid post type.");
        };
        Reply::ok(about_type(kind))
    }

    /// All types, by name; for who edits, those that they may edit, with what they support.
    pub(super) fn post_types(ask: &Ask<'_>) -> Reply {
        let edits = ask.params.text("context").is_some_and(|context| context == "edit");
        let may = |kind: &PostKind| ask.can(edit_capability(*kind));
        if edits && !PostKind::ALL.iter().any(may) {
            let message = "Sorry, you are not allowed to edit posts in this post type.";
            return ask.forbidden("rest_cannot_view", message);
        }
        let shown = PostKind::ALL.into_iter().filter(|kind| !edits || may(kind));
        let types: Map<String, Value> = shown
            .map(|kind| {
                let mut about = about_type(kind);
                if edits && let Value::Object(about) = &mut about {
                    let names =
                        kind.supports().iter().map(|name| ((*name).to_owned(), json!(true)));
                    about.insert("supports".to_owned(), Value::Object(names.collect()));
                }
                // `_fields` chooses among the names of the types too, later.
                if let Some(fields) = ask.fields() {
                    about = only_fields(about, &fields);
                }
                (kind.name().to_owned(), about)
            })
            .collect();
        Reply::ok(Value::Object(types))
    }

    fn endpoint(&self, route: &str, method: &str, kind: Option<PostKind>) -> Value {
        let mut names = if method == "GET" { LIST_ARGS.to_vec() } else { CREATE_ARGS.to_vec() };
        if self.version == Version::V7_1 && (route, method) == ("/wp/v2/media", "POST") {
            names.push("generate_sub_sizes");
        }
        if let Some(kind) = kind.filter(|kind| !kind.is_of_core()) {
            names.retain(|name| offers(kind, name));
            if method != "GET" && kind.has("page-attributes") {
                names.extend(["parent", "menu_order"]);
            }
        }
        let mut args: Map<String, Value> =
            names.iter().map(|name| ((*name).to_owned(), json!({ "required": false }))).collect();
        if let (Some(kind), true) = (kind, args.contains_key("meta")) {
            args.insert("meta".to_owned(), self.meta_argument(kind));
        }
        json!({ "methods": [method], "args": args })
    }
}

/// Whether a type of a plugin takes this parameter.
fn offers(kind: PostKind, name: &str) -> bool {
    match name {
        "author" | "author_exclude" => kind.has("author"),
        "excerpt" => kind.has("excerpt"),
        "featured_media" => kind.has("thumbnail"),
        "comment_status" => kind.has("comments"),
        "meta" => kind.has("custom-fields"),
        "parent" | "parent_exclude" => kind.has_parents(),
        "menu_order" => kind.has("page-attributes"),
        _ => true,
    }
}

fn about_type(kind: PostKind) -> Value {
    let taxonomies: &[&str] = match kind {
        PostKind::Post => &["category", "post_tag"],
        PostKind::Page | PostKind::Attachment | PostKind::Book | PostKind::Chapter => &[],
    };
    json!({
        "name": kind.name(),
        "slug": kind.name(),
        "hierarchical": kind.has_parents(),
        "taxonomies": taxonomies,
        "rest_base": kind.route(),
        "rest_namespace": "wp/v2",
    })
}
