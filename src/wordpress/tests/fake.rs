//! Lists of posts as WordPress answers them, with what can go wrong on the way.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

use super::super::slugs::comparable;
use super::support::row;

/// What the fake does wrong, and to which questions.
#[derive(Debug, Clone, Default)]
pub(super) enum Fault {
    #[default]
    None,
    /// Ignores `slug=` and `include=`.
    DropsFilter,
    /// Leaves `X-WP-Total` out.
    NoTotal,
    /// Adds this header to every answer.
    Header(&'static str, &'static str),
    /// Refuses any question that holds this word, with a page.
    FirewallOn(&'static str),
    /// Answers everything with this.
    Status(u16),
    /// Lists nothing, though single posts are there.
    ListsNothing,
    /// One row more with every page.
    Grows,
}

/// The posts of a fake site.
#[derive(Debug, Clone, Default)]
pub(super) struct Posts {
    pub(super) rows: Vec<Value>,
    /// Ids that this user may not read.
    pub(super) hidden: BTreeSet<u64>,
    pub(super) fault: Fault,
}

impl Posts {
    pub(super) fn with(rows: &[(u64, &str, &str)]) -> Self {
        let rows = rows.iter().map(|(id, slug, status)| row(*id, slug, status)).collect();
        Self { rows, ..Self::default() }
    }

    pub(super) fn numbered(count: u64) -> Self {
        let rows = (1..=count).map(|id| row(id, &format!("a-{id}"), "draft")).collect();
        Self { rows, ..Self::default() }
    }

    pub(super) async fn start(self) -> MockServer {
        let server = MockServer::start().await;
        let route = path("/wp-json/wp/v2/posts");
        Mock::given(method("GET")).and(route).respond_with(self.clone()).mount(&server).await;
        Mock::given(method("GET")).respond_with(Single(self)).mount(&server).await;
        server
    }

    fn matches(&self, request: &Request) -> Vec<&Value> {
        let query = |name: &str| {
            request.url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value)
        };
        // As WordPress: the trash only if asked for, and an empty `slug` is no filter.
        let status = query("status").unwrap_or_default();
        let in_status = |row: &&Value| row["status"] != "trash" || status.contains("trash");
        let rows = self.rows.iter().filter(in_status);
        if matches!(self.fault, Fault::DropsFilter) {
            return rows.collect();
        }
        if let Some(slugs) = query("slug").filter(|slugs| !slugs.is_empty()) {
            let asked: BTreeSet<String> = slugs.split(',').map(comparable).collect();
            let is_asked = |row: &&Value| {
                row["slug"].as_str().is_some_and(|slug| asked.contains(&comparable(slug)))
            };
            return rows.filter(is_asked).collect();
        }
        if let Some(ids) = query("include") {
            let asked: BTreeSet<&str> = ids.split(',').collect();
            return rows.filter(|row| asked.contains(row["id"].to_string().as_str())).collect();
        }
        rows.collect()
    }
}

impl Respond for Posts {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        match &self.fault {
            Fault::Status(status) => {
                return ResponseTemplate::new(*status).set_body_json(json!([]));
            }
            Fault::FirewallOn(word) if request.url.as_str().contains(word) => {
                return ResponseTemplate::new(403)
                    .set_body_raw("<html>Forbidden</html>", "text/html");
            }
            _ => {}
        }
        let page = request
            .url
            .query_pairs()
            .find(|(name, _)| name == "page")
            .map_or(1, |(_, page)| page.parse().expect("a page"));
        let mut rows = self.matches(request);
        if matches!(self.fault, Fault::ListsNothing) {
            rows.clear();
        }
        let total = rows.len() + if matches!(self.fault, Fault::Grows) { page } else { 0 };
        let shown: Vec<&&Value> = rows
            .iter()
            .skip((page - 1) * 100)
            .take(100)
            .filter(|row| row["id"].as_u64().is_some_and(|id| !self.hidden.contains(&id)))
            .collect();
        let mut response = ResponseTemplate::new(200)
            .insert_header("cache-control", "no-cache, must-revalidate, max-age=0")
            .set_body_json(json!(shown));
        if !matches!(self.fault, Fault::NoTotal) {
            response = response.insert_header("x-wp-total", total.to_string().as_str());
        }
        if let Fault::Header(name, value) = self.fault {
            response = response.insert_header(name, value);
        }
        response
    }
}

/// `/wp/v2/posts/ID`.
struct Single(Posts);

impl Respond for Single {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let error = |status: u16, code: &str| {
            ResponseTemplate::new(status).set_body_json(json!({"code": code, "message": "No."}))
        };
        let id: u64 =
            request.url.path().rsplit('/').next().unwrap_or_default().parse().unwrap_or(0);
        let known = self.0.rows.iter().find(|row| row["id"] == id);
        match known {
            _ if matches!(self.0.fault, Fault::Status(_)) => error(500, "x"),
            None => error(404, "rest_post_invalid_id"),
            Some(_) if self.0.hidden.contains(&id) => error(403, "rest_forbidden_context"),
            Some(row) => ResponseTemplate::new(200).set_body_json(row),
        }
    }
}
