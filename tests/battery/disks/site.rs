//! The site of a case, and who watches what leaves for it.
//!
//! Absent from here: what a command says. The one rule: at the moment of a write the
//! record and the run marker are looked up in what would survive a power loss, not in
//! what the disk shows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use oncepress::crash::durable;
use oncepress::names::Digest;
use oncepress::sandbox::{Accident, Arrival, Request, Response, Simulated, received};
use oncepress::wordpress::{Carrier, Lost};
use serde_json::Value;

use super::project::{HOME, JOURNAL, moment};

/// No answer takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the index and the routes say of themselves is the same in every case, and costs
/// more to make than all that a run asks besides: it is made once for each question.
static INDEX: Mutex<BTreeMap<String, Response>> = Mutex::new(BTreeMap::new());

/// The site, and what was found wrong with what came.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) site: Simulated,
    pub(super) wrongs: Vec<String>,
    /// The records that stood for a send: file below the journal, operation, serial.
    used: BTreeSet<(PathBuf, String, u64)>,
    /// Milliseconds after the start; each request is one later.
    now_ms: i64,
    root: PathBuf,
}

/// A site as it was at a moment, with nothing any more that is to happen to requests.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) place: Place,
    /// Of all that anything to come hangs on, and of the verdicts on what was.
    pub(super) essence: Digest,
}

impl Seen {
    pub(super) fn of(place: &Place) -> Rc<Self> {
        let mut place = place.clone();
        place.site.clear_faults();
        let essence = Digest::of(&place.essence());
        Rc::new(Self { place, essence })
    }
}

/// Shared with the carrier.
pub(super) type Shared = Arc<Mutex<Place>>;

impl Place {
    pub(super) fn new(site: Simulated) -> Self {
        let (wrongs, used) = (Vec::new(), BTreeSet::new());
        Self { site, wrongs, used, now_ms: 0, root: PathBuf::new() }
    }

    /// Shared with runs in this folder.
    pub(super) fn shared(&self, root: &Path) -> Shared {
        Arc::new(Mutex::new(Self { root: root.to_owned(), ..self.clone() }))
    }

    /// It is so many milliseconds after the start.
    pub(super) fn set_clock(&mut self, at_ms: i64) {
        self.now_ms = at_ms;
        self.site.catch_up(moment(at_ms));
    }

    pub(super) fn carrier(shared: &Shared) -> Carrier {
        let shared = Arc::clone(shared);
        Arc::new(move |request| held(&shared).carry(&request))
    }

    fn carry(&mut self, request: &Request) -> Result<Response, Lost> {
        self.now_ms += 1;
        if let Some(question) = of_index(request) {
            let mut index = INDEX.lock().expect("nobody panicked with it");
            let answer = || received(self.site.carry(request, moment(self.now_ms)), PATIENCE);
            let known = index.get(&question).cloned();
            let answer = known.map_or_else(answer, Ok)?;
            index.insert(question, answer.clone());
            return Ok(answer);
        }
        if request.method() == http::Method::POST {
            self.look_at(request);
        }
        received(self.site.carry(request, moment(self.now_ms)), PATIENCE)
    }

    /// Judges a write that is about to arrive.
    fn look_at(&mut self, request: &Request) {
        let journal = self.root.join(JOURNAL);
        let path = request.uri().path().to_owned();
        if durable(&journal.join("run.json")).is_none_or(|bytes| bytes.is_empty()) {
            self.wrongs.push(format!("a POST to {path}, and the run marker is not durable"));
        }
        let name = match path.strip_prefix("/wp-json/wp/v2/") {
            Some("posts") => self.record_of_post(request),
            Some("media") => format!("media/{}.json", Digest::of(request.body())),
            // Without a record: a second try finds the first tag, and a size is made once.
            Some("tags") => return,
            Some(rest) if rest.ends_with("/post-process") => return,
            Some(_) | None => {
                return self.wrongs.push(format!("a write that nobody needs: {request:?}"));
            }
        };
        let bytes = durable(&journal.join(&name)).unwrap_or_default();
        let record: Value = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        if record["phase"] != "sending" {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            self.wrongs.push(format!("{name} is sent, and what is durable says: {text}"));
            return;
        }
        let operation = record["operation_id"].as_str().unwrap_or_default().to_owned();
        let serial = record["serial"].as_u64().unwrap_or_default();
        if !self.used.insert((name.into(), operation, serial)) {
            self.wrongs.push(format!("a second request for one record: {record}"));
        }
    }

    /// A post is sent as a draft, with two images that are on the site.
    fn record_of_post(&mut self, request: &Request) -> String {
        let body: Value = serde_json::from_slice(request.body()).unwrap_or(Value::Null);
        let content = body["content"].as_str().unwrap_or_default();
        let is_file = |address: &str| {
            let mut files = self.site.world().posts().filter_map(|post| post.file.as_ref());
            files.any(|file| address == format!("{HOME}/wp-content/uploads/{}", file.path))
        };
        let addresses: Vec<_> =
            content.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let are_there = addresses.len() == 2 && addresses.iter().all(|address| is_file(address));
        if !are_there || body["status"] != "draft" {
            self.wrongs.push(format!("a post that must not be sent: {body}"));
        }
        format!("articles/post/{}.json", body["slug"].as_str().unwrap_or_default())
    }

    /// The writes that came, in order.
    pub(super) fn writes(&self) -> impl Iterator<Item = &Arrival> {
        self.site.arrivals().iter().filter(|arrival| arrival.kind.is_write())
    }

    /// Whether a request was delivered twice.
    pub(super) fn was_twice(arrival: &Arrival) -> bool {
        arrival.accidents.iter().any(|what| matches!(what, Accident::Twice(_)))
    }

    fn essence(&self) -> Vec<u8> {
        let mut text = serde_json::to_string(self.site.world()).expect("it can be written");
        let _ = write!(text, "{:?}{:?}{:?}", self.site.next_due(), self.used, self.wrongs);
        for arrival in self.writes() {
            let Arrival { kind, slug, accidents, reached, made, answered, .. } = arrival;
            let _ = write!(text, "{kind}{slug:?}{accidents:?}{reached:?}{made:?}{answered:?}");
        }
        text.into_bytes()
    }
}

/// What is asked, if it is what the site or a route says of itself.
fn of_index(request: &Request) -> Option<String> {
    let is_index = request.uri().path().trim_end_matches('/') == "/wp-json";
    let is_options = request.method() == http::Method::OPTIONS;
    let account = request.headers().get("authorization");
    (is_index || is_options)
        .then(|| format!("{} {} {account:?}", request.method(), request.uri().path()))
}

pub(super) fn held(shared: &Shared) -> MutexGuard<'_, Place> {
    shared.lock().expect("nobody panicked with it")
}
