//! From a request to its answer: where it goes, who asks, what every answer carries.
//!
//! Absent from here: what the routes do. The one rule: [`World::answer`] has no other
//! inputs than the state, the request, the time and the mishap.

use base64::Engine as _;
use jiff::Timestamp;
use percent_encoding::percent_decode_str;

use super::mishap::Mishap;
use super::params::{Params, header};
use super::people::User;
use super::post::PostKind;
use super::reply::{Body, Reply, only_fields};
use super::routes::takes;
use super::term::Taxonomy;
use super::world::{Version, World};
use super::{Request, Response};

/// A request that reached the REST API.
pub(super) struct Ask<'r> {
    pub(super) method: http::Method,
    /// The route's parts, such as `wp`, `v2`, `posts`, `7`.
    pub(super) route: Vec<String>,
    pub(super) params: Params,
    pub(super) request: &'r Request,
    /// Who asks; nobody, if the credentials are missing or wrong.
    pub(super) user: Option<User>,
    pub(super) now: Timestamp,
    pub(super) mishap: Option<Mishap>,
}

impl Ask<'_> {
    /// Whether the one who asks may do this.
    pub(super) fn can(&self, capability: &str) -> bool {
        self.user.as_ref().is_some_and(|user| user.can(capability))
    }

    /// What `_fields` names, if it names anything.
    pub(super) fn fields(&self) -> Option<Vec<String>> {
        // Of attachments these are shown whole or not at all.
        const WHOLE: [&str; 3] = ["caption.", "description.", "media_details."];
        let mut fields = self.params.list("_fields").filter(|fields| !fields.is_empty())?;
        if self.route.get(2).is_some_and(|name| name == PostKind::Attachment.route()) {
            fields.retain(|field| !WHOLE.iter().any(|whole| field.starts_with(whole)));
        }
        Some(fields)
    }

    /// The id of the one who asks; 0 for nobody.
    pub(super) fn user_id(&self) -> u64 {
        self.user.as_ref().map_or(0, |user| user.id)
    }

    /// 403 for a user, 401 for nobody.
    pub(super) fn forbidden(&self, code: &str, message: &str) -> Reply {
        let status = if self.user.is_some() { 403 } else { 401 };
        Reply::error(status, code, message)
    }

    /// Whether the request only reads.
    pub(super) fn is_read(&self) -> bool {
        self.method == http::Method::GET || self.method == http::Method::HEAD
    }
}

impl World {
    /// What the site answers to this request, and what it makes of it.
    pub fn answer(
        &mut self,
        request: &Request,
        now: Timestamp,
        mishap: Option<Mishap>,
    ) -> Response {
        let Some(route) = rest_route(request, &self.home) else {
            return self.page(request).response();
        };
        let reply = match Params::of(request) {
            Err(_) => {
                let params = Params::of_query(request);
                let method = method_of(request);
                let user = self.who(request).cloned();
                let ask = Ask { method, route, params, request, user, now, mishap };
                let message = "Invalid JSON body passed.";
                let data = serde_json::json!({
                    "status": 400, "json_error_code": 4, "json_error_message": "Syntax error"
                });
                self.allowing(&ask, Reply::error_with(400, "rest_invalid_json", message, &data))
            }
            Ok(params) => {
                let method = method_of(request);
                let user = self.who(request).cloned();
                let mut ask = Ask { method, route, params, request, user, now, mishap };
                self.dispatch(&mut ask)
            }
        };
        // Of a request that died nothing was added to the headers at the end.
        let no_cache = self.who(request).is_some() && !reply.died();
        let reply = self.with_usual_headers(reply, no_cache);
        let response = reply.response();
        if mishap == Some(Mishap::WarningBeforeJson) { with_warning(response) } else { response }
    }

    fn who(&self, request: &Request) -> Option<&User> {
        let encoded = header(request, "authorization").strip_prefix("Basic ")?;
        let pair = base64::engine::general_purpose::STANDARD.decode(encoded.trim()).ok()?;
        let pair = String::from_utf8(pair).ok()?;
        let (login, password) = pair.split_once(':')?;
        let password: String = password.chars().filter(|c| !c.is_whitespace()).collect();
        let user = self.users.iter().find(|user| user.login.eq_ignore_ascii_case(login))?;
        (user.password == password).then_some(user)
    }

    /// Sends a REST request to its route, and applies `_fields`.
    pub(super) fn dispatch(&mut self, ask: &mut Ask<'_>) -> Reply {
        let mut reply = self.checked(ask);
        let fields = ask.fields();
        if let (Some(fields), false) = (fields, reply.is_error())
            && let Body::Json(value) = reply.body
        {
            reply.body = Body::Json(only_fields(value, &fields));
        }
        if reply.status == 201 {
            // What was created is shown to who edits, and the header is made after that.
            ask.params.set("context", "edit".into());
        }
        self.allowing(ask, reply)
    }

    /// Route, method and arguments, in this order; then the route's own work.
    fn checked(&mut self, ask: &mut Ask<'_>) -> Reply {
        if ask.method == http::Method::OPTIONS {
            return self.options(&ask.route);
        }
        if !takes(ask) {
            return no_route();
        }
        match self.wrong_arguments(ask) {
            Some(refusal) => refusal,
            None => self.routed(ask),
        }
    }

    fn routed(&mut self, ask: &mut Ask<'_>) -> Reply {
        let route: Vec<&str> = ask.route.iter().map(String::as_str).collect();
        match route.as_slice() {
            [] => self.index(ask),
            ["wp", "v2"] => self.namespace(ask),
            ["batch", "v1"] => self.batch(ask),
            ["wp", "v2", "users", "me"] => self.me(ask),
            ["wp", "v2", "users"] => self.user_collection(ask),
            ["wp", "v2", "users", id] => self.one_user(ask, id),
            ["wp", "v2", "types"] => Self::post_types(ask),
            ["wp", "v2", "types", name] => Self::post_type(name),
            ["wp", "v2", "media", id, "post-process"] => self.post_process(ask, number(id)),
            ["wp", "v2", collection] => match (kind_of(collection), taxonomy_of(collection)) {
                (Some(kind), _) => self.collection(ask, kind),
                (None, Some(taxonomy)) => self.term_collection(ask, taxonomy),
                (None, None) => no_route(),
            },
            ["wp", "v2", collection, id] => match (kind_of(collection), taxonomy_of(collection)) {
                (Some(kind), _) => self.item(ask, kind, number(id)),
                (None, Some(taxonomy)) => self.term_item(ask, taxonomy, number(id)),
                (None, None) => no_route(),
            },
            _ => no_route(),
        }
    }

    fn collection(&mut self, ask: &mut Ask<'_>, kind: PostKind) -> Reply {
        if ask.is_read() {
            return self.list(ask, kind);
        }
        match kind {
            PostKind::Attachment => self.upload(ask),
            PostKind::Post | PostKind::Page | PostKind::Book | PostKind::Chapter => {
                self.create(ask, kind)
            }
        }
    }

    fn item(&mut self, ask: &mut Ask<'_>, kind: PostKind, id: u64) -> Reply {
        if ask.is_read() {
            return self.read(ask, kind, id);
        }
        if ask.method == http::Method::DELETE {
            return self.delete(ask, kind, id);
        }
        self.update(ask, kind, id)
    }

    fn with_usual_headers(&self, reply: Reply, no_cache: bool) -> Reply {
        let expose = "X-WP-Total, X-WP-TotalPages, Link";
        let allow = "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type";
        let has_link = reply.headers.iter().any(|(name, _)| *name == "link");
        let mut reply = reply
            .with("x-robots-tag", "noindex")
            .with("x-content-type-options", "nosniff")
            .with("access-control-expose-headers", expose)
            .with("access-control-allow-headers", allow);
        if !has_link {
            let link = format!("<{}/wp-json/>; rel=\"https://api.w.org/\"", self.home);
            reply = reply.with("link", link);
        }
        if !no_cache {
            return reply;
        }
        let cache = match self.version {
            Version::V6_1 => "no-cache, must-revalidate, max-age=0",
            Version::V6_8 | Version::V7_1 => {
                "no-cache, must-revalidate, max-age=0, no-store, private"
            }
        };
        reply.with("cache-control", cache).with("expires", "Wed, 11 Jan 1984 05:00:00 GMT")
    }

    /// What is not the REST API: the front page, which says where that is.
    fn page(&self, request: &Request) -> Reply {
        let path = request.uri().path();
        let front = path.trim_end_matches("index.php") == base_path(&self.home);
        let link = format!("<{}/wp-json/>; rel=\"https://api.w.org/\"", self.home);
        let title = html_escape::encode_text(&self.name);
        let text = if front { "Nothing is published here." } else { "This page is not here." };
        let body = Body::Html(format!(
            "<!DOCTYPE html>\n<html><head><title>{title}</title></head><body><p>{text}</p>\
             </body></html>\n"
        ));
        let status = if front { 200 } else { 404 };
        Reply { status, headers: Vec::new(), body }.with("link", link)
    }
}

pub(super) fn kind_of(collection: &str) -> Option<PostKind> {
    PostKind::ALL.into_iter().find(|kind| kind.route() == collection)
}

pub(super) fn taxonomy_of(collection: &str) -> Option<Taxonomy> {
    [Taxonomy::Category, Taxonomy::Tag].into_iter().find(|kind| kind.route() == collection)
}

pub(super) fn no_route() -> Reply {
    let message = "No route was found matching the URL and request method.";
    Reply::error(404, "rest_no_route", message)
}

/// The path of the site's address, ending in a slash.
fn base_path(home: &str) -> String {
    let after_host = home.split_once("://").map_or(home, |(_, rest)| rest);
    let path = after_host.split_once('/').map_or("", |(_, path)| path);
    if path.is_empty() { "/".to_owned() } else { format!("/{path}/") }
}

/// The parts of the REST route, by path or by `rest_route`; nothing for other pages.
fn rest_route(request: &Request, home: &str) -> Option<Vec<String>> {
    let path = request.uri().path();
    let base = base_path(home);
    let below = path.strip_prefix(&base)?;
    let route = match below.strip_prefix("wp-json") {
        Some(route) if route.is_empty() || route.starts_with('/') => {
            percent_decode_str(route).decode_utf8_lossy().into_owned()
        }
        Some(_) | None if below.is_empty() || below == "index.php" => {
            let query = request.uri().query().unwrap_or_default();
            let mut pairs = url::form_urlencoded::parse(query.as_bytes());
            pairs.find(|(name, _)| name == "rest_route")?.1.into_owned()
        }
        Some(_) | None => return None,
    };
    // Routes are found in any case.
    Some(route.split('/').filter(|part| !part.is_empty()).map(str::to_lowercase).collect())
}

/// The method, which the query or a header can override (facts §1). A read by such a
/// request has the parameters of its body.
fn method_of(request: &Request) -> http::Method {
    let overridden = match Params::of_query(request).text("_method") {
        Some(name) => name,
        None => header(request, "x-http-method-override").to_owned(),
    };
    let named = overridden.to_ascii_uppercase().parse().ok();
    named.filter(|_| !overridden.is_empty()).unwrap_or_else(|| request.method().clone())
}

/// The number in a route; what does not fit is no row's.
fn number(id: &str) -> u64 {
    id.parse().unwrap_or(u64::MAX)
}

/// A warning of PHP before the JSON (facts §3).
fn with_warning(response: Response) -> Response {
    const WARNING: &[u8] = b"<br />\n<b>Warning</b>:  Undefined array key \"x\" in \
        <b>/srv/wp-content/plugins/p/p.php</b> on line <b>7</b><br />\n";
    response.map(|body| bytes::Bytes::from([WARNING, &body].concat()))
}
