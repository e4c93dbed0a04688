//! The site behind the server: the simulated WordPress, and what it has.
//!
//! Absent from here: what goes wrong (`outcome`). The one rule: what the site has is
//! read from its tables, not asked of its routes, so that no fault can hide it.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use oncepress::names::Timestamp;
use oncepress::sandbox::{PostKind, Version, World};
use serde_json::{Value, json};

use super::http::{Head, Reply};
use super::secrets::Account;

/// An account that may do everything, so that no right stops a scene.
pub(super) const ACCOUNT: Account = Account { user: "admin", password: "sandboxAdministrator0001" };
/// Another user, who may be an article's author.
pub(super) const COLLEAGUE: &str = "author2";
/// A tag that is there from the start.
pub(super) const KNOWN_TAG: &str = "Known";
/// The site's clock, which stands still.
const NOW_S: i64 = 1_767_322_800;

/// The site as every case finds it, and the id of a post on it: with a post, a page, and
/// a tag that are not ours.
static AT_THE_START: LazyLock<(World, u64)> = LazyLock::new(|| {
    let site = Site(Arc::new(Mutex::new(World::new(Version::V6_8, "http://127.0.0.1"))));
    let foreign = json!({ "status": "publish", "slug": "foreign", "title": "Foreign" });
    let foreign_id = site.made("posts", &foreign);
    site.made("pages", &foreign);
    site.made("tags", &json!({ "name": KNOWN_TAG }));
    (site.world().clone(), foreign_id)
});

/// Somebody else's post, which is there from the start.
pub(super) fn foreign_id() -> u64 {
    AT_THE_START.1
}

/// What the index says is the same in every case, and costs more to make than all that a
/// case asks besides: it is made once for each question.
static INDEX: Mutex<BTreeMap<String, Reply>> = Mutex::new(BTreeMap::new());

/// Handles of one site are clones.
#[derive(Clone)]
pub(super) struct Site(Arc<Mutex<World>>);

/// A post, a page or a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub(super) id: u64,
    pub(super) is_file: bool,
    pub(super) slug: String,
    pub(super) content: String,
    /// All that the table says of it.
    pub(super) whole: Value,
}

impl Site {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(AT_THE_START.0.clone())))
    }

    /// Somebody else makes a draft with this slug.
    pub(super) fn somebody_takes(&self, slug: &str) {
        let draft = json!({ "status": "draft", "slug": slug, "title": "Theirs", "content": "T" });
        self.made("posts", &draft);
    }

    /// What the site answers, and does.
    pub(super) fn answer(&self, head: &Head, body: &[u8]) -> Reply {
        let Some(question) = of_index(head) else { return asked(&mut self.world(), head, body) };
        let mut index = INDEX.lock().unwrap_or_else(PoisonError::into_inner);
        index.entry(question).or_insert_with(|| asked(&mut self.world(), head, body)).clone()
    }

    /// What it would answer, had it done it.
    pub(super) fn would_answer(&self, head: &Head, body: &[u8]) -> Reply {
        let mut copy = self.world().clone();
        asked(&mut copy, head, body)
    }

    /// Its posts, pages and files.
    pub(super) fn rows(&self) -> Vec<Row> {
        let world = self.world();
        let row = |post: &oncepress::sandbox::Post| Row {
            id: post.id,
            is_file: post.kind == PostKind::Attachment,
            slug: post.slug.clone(),
            content: post.content.clone(),
            whole: serde_json::to_value(post).expect("a row is data"),
        };
        world.posts().map(row).collect()
    }

    /// The names of its tags and categories.
    pub(super) fn terms(&self) -> Vec<String> {
        self.world().terms().map(|term| term.name.clone()).collect()
    }

    fn world(&self) -> MutexGuard<'_, World> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes something behind the program's back, and gives its id.
    fn made(&self, route: &str, object: &Value) -> u64 {
        let Account { user, password } = ACCOUNT;
        let pair = base64::engine::general_purpose::STANDARD.encode(format!("{user}:{password}"));
        let head = Head {
            method: "POST".to_owned(),
            target: format!("/wp-json/wp/v2/{route}"),
            headers: vec![
                ("authorization".to_owned(), format!("Basic {pair}")),
                ("content-type".to_owned(), "application/json".to_owned()),
            ],
            body_bytes: 0,
        };
        let reply = self.answer(&head, object.to_string().as_bytes());
        let made: Value = serde_json::from_slice(&reply.body).expect("the site answers in JSON");
        made["id"].as_u64().unwrap_or_else(|| panic!("{route}: {made}"))
    }
}

/// The question, if it is one to the index, without what makes it new to a cache.
fn of_index(head: &Head) -> Option<String> {
    let query = head.target.strip_prefix("/wp-json/?").filter(|_| head.method == "GET")?;
    let who = head.headers.iter().find(|(name, _)| name == "authorization");
    let fields = query.split('&').filter(|part| !part.starts_with("oncepress_nonce="));
    Some(format!("{:?} {}", who, fields.collect::<String>()))
}

fn asked(world: &mut World, head: &Head, body: &[u8]) -> Reply {
    let mut request = http::Request::builder().method(head.method.as_str()).uri(&head.target);
    for (name, value) in &head.headers {
        request = request.header(name, value);
    }
    let request = request.body(bytes::Bytes::copy_from_slice(body)).expect("a request");
    let now = Timestamp::from_second(NOW_S).expect("a time");
    let response = world.answer(&request, now, None);
    let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = response.headers().iter();
    // The server frames the answer itself.
    let headers = headers.filter(|(name, _)| *name != http::header::CONTENT_LENGTH);
    let headers = headers.map(|(name, value)| (name.to_string(), text(value))).collect();
    let bare = Reply::new(response.status().as_u16(), "", response.body().to_vec());
    Reply { headers, ..bare }
}
