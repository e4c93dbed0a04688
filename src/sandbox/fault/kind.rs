//! What a request is for, told from its method and address alone.
//!
//! Absent from here: answering. The one rule: every request has exactly one kind, so a
//! fault that names a kind meets what its author thinks it meets.

use std::fmt;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::super::rest::kind_of;
use super::super::{PostKind, Request};
use super::words::{UnknownWord, word};

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The index of the REST API.
    Index,
    /// Who am I.
    Me,
    /// Posts or pages by slug.
    LookUp,
    /// Attachments by slug.
    LookUpMedia,
    /// Posts, pages or attachments by a list of ids.
    Receipts,
    /// One post, page or attachment by its id.
    Read,
    /// Posts, pages or attachments by anything else, such as an author or a title.
    List,
    /// Categories, tags or users.
    Terms,
    /// A post or page is created.
    CreatePost,
    /// A tag or category is created.
    CreateTag,
    /// A file is uploaded.
    Upload,
    /// The missing sizes of an image are made.
    PostProcess,
    /// Everything else.
    Other,
}

impl Kind {
    /// Every kind, with its name and what it means.
    pub const ALL: [(Self, &'static str, &'static str); 13] = [
        (Self::Index, "index", "the index of the REST API"),
        (Self::Me, "me", "users/me: who am I"),
        (Self::LookUp, "look-up", "posts or pages by slug"),
        (Self::LookUpMedia, "look-up-media", "attachments by slug"),
        (Self::Receipts, "receipts", "posts, pages or attachments by a list of ids"),
        (Self::Read, "read", "one post, page or attachment by its id"),
        (Self::List, "list", "posts, pages or attachments by anything else"),
        (Self::Terms, "terms", "categories, tags or users are asked for"),
        (Self::CreatePost, "create-post", "a post or page is created"),
        (Self::CreateTag, "create-tag", "a tag or category is created"),
        (Self::Upload, "upload", "a file is uploaded"),
        (Self::PostProcess, "post-process", "the missing sizes of an image are made"),
        (Self::Other, "other", "every other request"),
    ];

    /// The name, as in `--fault`.
    #[must_use]
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(kind, _, _)| *kind == self);
        found.map_or("other", |(_, name, _)| name)
    }

    /// Whether it asks the site to change something.
    #[must_use]
    pub fn is_write(self) -> bool {
        match self {
            Self::CreatePost | Self::CreateTag | Self::Upload | Self::PostProcess => true,
            Self::Index
            | Self::Me
            | Self::LookUp
            | Self::LookUpMedia
            | Self::Receipts
            | Self::Read
            | Self::List
            | Self::Terms
            | Self::Other => false,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let names = Self::ALL.map(|(kind, name, _)| (name, kind));
        word("kind of request", text, &names)
    }
}

/// A request, as far as faults and arrivals look at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::sandbox) struct Asked {
    pub(in crate::sandbox) kind: Kind,
    /// The method that counts, after an override.
    pub(in crate::sandbox) method: String,
    /// The route below the REST root, such as `wp/v2/posts`, or the path of a page
    /// outside it.
    pub(in crate::sandbox) route: String,
    /// The slug (of a term: the name) that a create or upload asks for.
    pub(in crate::sandbox) slug: Option<String>,
}

impl Asked {
    pub(in crate::sandbox) fn of(request: &Request) -> Self {
        let parameters = parameters(request);
        let method = method(request, &parameters);
        let route = rest_route(request.uri(), &parameters);
        let kind = match &route {
            Some(route) => kind(&method, route, &parameters),
            None => Kind::Other,
        };
        let body_text = |name: &str| {
            let body: Value = serde_json::from_slice(request.body()).ok()?;
            Some(body.get(name)?.as_str()?.to_owned())
        };
        let slug = match kind {
            Kind::CreatePost => body_text("slug").or_else(|| value_of(&parameters, "slug")),
            Kind::CreateTag => body_text("name").or_else(|| value_of(&parameters, "name")),
            Kind::Upload => value_of(&parameters, "slug"),
            Kind::Index
            | Kind::Me
            | Kind::LookUp
            | Kind::LookUpMedia
            | Kind::Receipts
            | Kind::Read
            | Kind::List
            | Kind::Terms
            | Kind::PostProcess
            | Kind::Other => None,
        };
        let route = route.unwrap_or_else(|| request.uri().path().to_owned());
        Self { kind, method, route, slug }
    }
}

type Parameters = Vec<(String, String)>;

fn parameters(request: &Request) -> Parameters {
    let query = request.uri().query().unwrap_or_default();
    url::form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

/// The value of a parameter. PHP reads `slug[]` and `slug[0]` as the list `slug`.
fn value_of(parameters: &Parameters, name: &str) -> Option<String> {
    let is = |(known, _): &&(String, String)| known.split('[').next() == Some(name);
    parameters.iter().rfind(is).map(|(_, value)| value.clone())
}

/// WordPress takes the method that a header or a parameter of a POST names.
fn method(request: &Request, parameters: &Parameters) -> String {
    let method = request.method().as_str();
    let header = request.headers().get("x-http-method-override");
    let named = header.and_then(|value| value.to_str().ok().map(str::to_owned));
    let named = value_of(parameters, "_method").or(named);
    named.map_or_else(|| method.to_owned(), |named| named.to_uppercase())
}

/// The route, in both forms of the root; nothing for a page outside the REST API.
fn rest_route(uri: &http::Uri, parameters: &Parameters) -> Option<String> {
    if let Some(route) = value_of(parameters, "rest_route") {
        return Some(route.trim_matches('/').to_owned());
    }
    let (_, route) = uri.path().split_once("/wp-json")?;
    if !route.is_empty() && !route.starts_with('/') {
        return None;
    }
    let route = percent_decode_str(route).decode_utf8_lossy();
    Some(route.trim_matches('/').to_owned())
}

fn kind(method: &str, route: &str, parameters: &Parameters) -> Kind {
    let segments: Vec<&str> = route.split('/').filter(|segment| !segment.is_empty()).collect();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let is_written = |rows: &str| kind_of(rows).is_some_and(|kind| kind != PostKind::Attachment);
    let given = |name: &str| value_of(parameters, name).is_some_and(|value| !value.is_empty());
    match (method, &segments[..]) {
        ("GET" | "HEAD", []) => Kind::Index,
        ("GET" | "HEAD", ["wp", "v2", "users", "me"]) => Kind::Me,
        ("GET" | "HEAD", ["wp", "v2", "categories" | "tags" | "users", ..]) => Kind::Terms,
        ("GET" | "HEAD", ["wp", "v2", "media"]) if given("slug") => Kind::LookUpMedia,
        ("GET" | "HEAD", ["wp", "v2", rows]) if is_written(rows) && given("slug") => Kind::LookUp,
        ("GET" | "HEAD", ["wp", "v2", rows]) if kind_of(rows).is_some() && given("include") => {
            Kind::Receipts
        }
        ("GET" | "HEAD", ["wp", "v2", rows]) if kind_of(rows).is_some() => Kind::List,
        ("GET" | "HEAD", ["wp", "v2", rows, id]) if kind_of(rows).is_some() && is_number(id) => {
            Kind::Read
        }
        ("POST", ["wp", "v2", rows]) if is_written(rows) => Kind::CreatePost,
        ("POST", ["wp", "v2", "tags" | "categories"]) => Kind::CreateTag,
        ("POST", ["wp", "v2", "media"]) => Kind::Upload,
        ("POST", ["wp", "v2", "media", _, "post-process"]) => Kind::PostProcess,
        _ => Kind::Other,
    }
}
