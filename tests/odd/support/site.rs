//! A small healthy WordPress in memory: what wordpress-facts says of the routes that
//! OncePress asks, and nothing else.
//!
//! Absent from here: sockets, and oddities (`rules`). The one rule: every request is
//! counted before anything is decided about it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::http::{Reply, Request};
use super::rules::{Ask, Carries, Rule};

/// The site, shared by the servers and the test.
#[derive(Clone)]
pub(crate) struct Site(Arc<Mutex<State>>);

struct State {
    stored: Stored,
    rules: Vec<Rule>,
    counts: BTreeMap<Ask, usize>,
    log: Vec<Logged>,
}

/// A request that was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Logged {
    pub(crate) method: String,
    /// Whether it carried a password.
    pub(crate) signed: bool,
    /// The status of the answer.
    pub(crate) status: u16,
}

/// What is in the database.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    pub(crate) posts: Vec<Value>,
    pub(crate) media: Vec<Value>,
    pub(crate) tags: Vec<Value>,
    pub(crate) last_id: u64,
    /// Rows that this user may not read: counted, and not sent.
    pub(crate) hidden: Vec<u64>,
    pub(crate) index: Value,
    pub(crate) me: Value,
}

impl Site {
    pub(crate) fn new() -> Self {
        let route = || json!({ "endpoints": [{ "methods": ["GET"], "args": { "slug": {} } }] });
        let index = json!({
            "name": "Odd", "url": "", "home": "", "gmt_offset": 9, "timezone_string": "Asia/Tokyo",
            "namespaces": ["oembed/1.0", "wp/v2"],
            "authentication": { "application-passwords": {} },
            "routes": { "/wp/v2/posts": route(), "/wp/v2/pages": route(), "/wp/v2/media": route() },
        });
        let capabilities = ["edit_posts", "edit_others_posts", "edit_pages", "upload_files"]
            .into_iter()
            .chain(["unfiltered_html", "publish_posts", "manage_categories"])
            .map(|name| (name.to_owned(), json!(true)));
        let capabilities: serde_json::Map<_, _> = capabilities.collect();
        let me =
            json!({ "id": 3, "name": "Writer", "slug": "writer", "capabilities": capabilities });
        let (posts, media, tags) = (Vec::new(), Vec::new(), Vec::new());
        let stored = Stored { posts, media, tags, last_id: 40, hidden: Vec::new(), index, me };
        let (rules, counts, log) = (Vec::new(), BTreeMap::new(), Vec::new());
        Self(Arc::new(Mutex::new(State { stored, rules, counts, log })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn rule(&self, rule: Rule) {
        self.state().rules.push(rule);
    }

    /// Rules begin to count from one again.
    pub(crate) fn begin_anew(&self) {
        for rule in &mut self.state().rules {
            rule.met = 0;
        }
    }

    pub(crate) fn heal(&self) {
        self.state().rules.clear();
    }

    /// Changes the database, behind the program's back.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Stored)) {
        change(&mut self.state().stored);
    }

    pub(crate) fn stored(&self) -> Stored {
        self.state().stored.clone()
    }

    /// What arrived since this was asked last.
    pub(crate) fn take_counts(&self) -> BTreeMap<Ask, usize> {
        std::mem::take(&mut self.state().counts)
    }

    /// Every request that was answered since this was asked last.
    pub(crate) fn take_log(&self) -> Vec<Logged> {
        std::mem::take(&mut self.state().log)
    }

    /// Counts a request of which no more than the head may have come.
    pub(crate) fn count(&self, ask: Ask) {
        *self.state().counts.entry(ask).or_default() += 1;
    }

    /// Counts and answers one request.
    pub(crate) fn answer(&self, request: &Request) -> Reply {
        self.count(Ask::of(request));
        self.respond(request)
    }

    /// What the answer would be, had the request been carried out.
    pub(crate) fn would_answer(&self, request: &Request) -> Reply {
        self.stored().answer(Ask::of(request), request)
    }

    /// Answers one request.
    pub(crate) fn respond(&self, request: &Request) -> Reply {
        let reply = self.reply(request);
        let (method, signed) = (request.method.clone(), request.header("authorization").is_some());
        self.state().log.push(Logged { method, signed, status: reply.status });
        reply
    }

    fn reply(&self, request: &Request) -> Reply {
        let ask = Ask::of(request);
        let mut state = self.state();
        let mut holding = None;
        for rule in &mut state.rules {
            if rule.meets(ask) {
                holding.get_or_insert_with(|| (rule.carries, rule.give.clone()));
            }
        }
        let Some((carries, give)) = holding else { return state.stored.answer(ask, request) };
        let healthy = match carries {
            Carries::Out => state.stored.answer(ask, request),
            Carries::Nothing => state.stored.clone().answer(ask, request),
        };
        drop(state);
        give(request, healthy)
    }
}

impl Stored {
    pub(crate) fn answer(&mut self, ask: Ask, request: &Request) -> Reply {
        let id = || request.route.split('/').nth(3).and_then(|id| id.parse::<u64>().ok());
        match ask {
            Ask::Index => Reply::json(200, &self.index),
            Ask::Me => Reply::json(200, &self.me),
            Ask::Options => Reply::json(200, &self.index["routes"]["/wp/v2/posts"]),
            Ask::Home => Reply::html(200, "<html><head></head><body>Home</body></html>"),
            Ask::LookUp | Ask::Receipts | Ask::Candidates | Ask::SecondCopies => {
                self.list(&self.posts, request)
            }
            Ask::MediaLookUp | Ask::MediaReceipts | Ask::MediaSecondCopies => {
                self.list(&self.media, request)
            }
            Ask::Terms => self.list(&self.tags, request),
            Ask::Read => one(&self.posts, id()),
            Ask::MediaRead => one(&self.media, id()),
            Ask::Create => self.create(request),
            Ask::Upload => self.upload(request),
            Ask::PostProcess => {
                let found = self.media.iter_mut().find(|row| row["id"].as_u64() == id());
                let Some(found) = found else { return one(&[], None) };
                found["missing_image_sizes"] = json!([]);
                Reply::json(200, found)
            }
            Ask::CreateTag => self.create_tag(request),
            Ask::Author | Ask::Types | Ask::Stray => Reply::error(404, "rest_no_route"),
        }
    }

    fn list(&self, all: &[Value], request: &Request) -> Reply {
        let slugs: Option<Vec<&str>> = request.asks("slug").map(|slugs| slugs.split(',').collect());
        let ids: Option<Vec<u64>> = request
            .asks("include")
            .map(|ids| ids.split(',').map(|id| id.parse().expect("an id")).collect());
        let matches = |row: &&Value| {
            let slug = row["slug"].as_str().unwrap_or_default();
            let id = row["id"].as_u64().unwrap_or_default();
            slugs.as_ref().is_none_or(|slugs| slugs.contains(&slug))
                && ids.as_ref().is_none_or(|ids| ids.contains(&id))
                && request.asks("search").is_none_or(|title| row["title"]["raw"] == title)
        };
        let rows: Vec<&Value> = all.iter().filter(matches).collect();
        let page = request.asks("page").map_or(1, |page| page.parse().expect("a page"));
        let shown: Vec<&Value> = rows.iter().skip((page - 1) * 100).take(100).copied().collect();
        let may_read = |row: &&&Value| !self.hidden.contains(&row["id"].as_u64().unwrap_or(0));
        let shown: Vec<&Value> = shown.iter().filter(may_read).copied().collect();
        Reply::json(200, &json!(shown)).with("x-wp-total", &rows.len().to_string())
    }

    fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    fn create(&mut self, request: &Request) -> Reply {
        let sent = request.json();
        let id = self.next_id();
        let wanted = sent["slug"].as_str().expect("the slug is always sent").to_owned();
        let taken = |slug: &str| self.posts.iter().any(|row| row["slug"] == slug);
        let slug = if taken(&wanted) { format!("{wanted}-2") } else { wanted };
        let post = json!({
            "id": id, "slug": slug, "status": sent["status"], "type": "post",
            "link": format!("http://localhost/?p={id}"),
            "title": { "raw": sent["title"] }, "content": { "raw": sent["content"] },
            "excerpt": { "raw": sent["excerpt"].as_str().unwrap_or_default() },
            "categories": [1], "tags": sent.get("tags").cloned().unwrap_or_else(|| json!([])),
            "featured_media": sent["featured_media"].as_u64().unwrap_or(0),
            "date_gmt": Value::Null, "author": 3, "template": "", "format": "standard",
            "comment_status": "open", "meta": [],
        });
        self.posts.push(post.clone());
        Reply::json(201, &post).with("location", &format!("/wp-json/wp/v2/posts/{id}"))
    }

    fn upload(&mut self, request: &Request) -> Reply {
        let id = self.next_id();
        let slug = request.asks("slug").expect("uploads have a slug of ours");
        let mime = request.header("content-type").expect("uploads have a type");
        let row = json!({
            "id": id, "slug": slug, "status": "inherit", "type": "attachment", "author": 3,
            "mime_type": mime, "source_url": format!("http://localhost/uploads/{slug}.png"),
            "missing_image_sizes": [],
        });
        self.media.push(row.clone());
        Reply::json(201, &row)
            .with("location", &format!("/wp-json/wp/v2/media/{id}"))
            .with("x-wp-upload-attachment-id", &id.to_string())
    }

    fn create_tag(&mut self, request: &Request) -> Reply {
        let name = request.json()["name"].as_str().expect("a name").to_owned();
        if let Some(known) = self.tags.iter().find(|row| row["name"] == name.as_str()) {
            let data = json!({ "status": 400, "term_id": known["id"] });
            let error = json!({ "code": "term_exists", "message": "It exists.", "data": data });
            return Reply::json(400, &error);
        }
        let id = self.next_id();
        let slug = name.to_lowercase();
        let tag = json!({ "id": id, "name": name, "slug": slug, "taxonomy": "post_tag" });
        self.tags.push(tag.clone());
        Reply::json(201, &tag)
    }
}

fn one(rows: &[Value], id: Option<u64>) -> Reply {
    match rows.iter().find(|row| row["id"].as_u64() == id) {
        Some(row) => Reply::json(200, row),
        None => Reply::error(404, "rest_post_invalid_id"),
    }
}
