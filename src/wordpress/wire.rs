//! The wire: every request of a run goes through here and is counted.
//!
//! Absent from here: what is asked and what an answer means. The one rule: a request
//! that is not counted can't be sent, so the count that a report shows is the truth.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::NonceSource;
use super::answer::Answer;
use super::body::{CountedBody, UploadWatch};
use super::http::{ConnectProblem, Failure, Http, Identity, Payload};
use super::root::Root;
use super::text::clean;
use crate::crash;
use crate::names::Timestamp;

/// The name of the parameter that makes every question new to a cache (cases CON-01,
/// CON-08). WordPress ignores parameters that it does not know (facts §2).
const NONCE_PARAMETER: &str = "oncepress_nonce";
/// Exchanges that are kept until somebody takes them. A run takes them after each
/// step; a forgotten taker must not fill the memory.
const EXCHANGES_MAX: usize = 10_000;

/// What a request was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RequestKind {
    /// Finding the REST root, proving the credentials.
    Preflight,
    /// Posts or media by slug.
    LookUp,
    /// Posts or media by the ids of receipts.
    Receipts,
    /// One post or attachment by id.
    Read,
    /// Evidence for a person.
    Candidates,
    /// Categories, tags, authors.
    Terms,
    /// A tag is created.
    CreateTag,
    /// A post is created.
    CreatePost,
    /// A file is uploaded.
    Upload,
    /// The sizes of an image are finished.
    PostProcess,
}

impl RequestKind {
    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Preflight => "preflight",
            Self::LookUp => "look_up",
            Self::Receipts => "receipts",
            Self::Read => "read",
            Self::Candidates => "candidates",
            Self::Terms => "terms",
            Self::CreateTag => "create_tag",
            Self::CreatePost => "create_post",
            Self::Upload => "upload",
            Self::PostProcess => "post_process",
        }
    }
}

/// How many requests were sent, by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestCounts(BTreeMap<RequestKind, u64>);

impl RequestCounts {
    /// Requests of one kind.
    #[must_use]
    pub fn of(&self, kind: RequestKind) -> u64 {
        self.0.get(&kind).copied().unwrap_or(0)
    }

    /// All requests.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    /// The kinds that occurred, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (RequestKind, u64)> {
        self.0.iter().map(|(kind, count)| (*kind, *count))
    }
}

/// One request and its answer, reduced to what a run log may hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// What it was for.
    pub kind: RequestKind,
    /// `GET`, `OPTIONS` or `POST`.
    pub method: &'static str,
    /// The route, without parameters.
    pub route: String,
    /// What came back.
    pub came: Came,
}

/// What came back from one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Came {
    /// An answer.
    Answer {
        /// The HTTP status.
        status: u16,
        /// The code of WordPress' error object, if it was one.
        code: Option<String>,
        /// Bytes of the body.
        body_bytes: usize,
        /// Headers that say where an answer came from and what it made.
        headers: Vec<(&'static str, String)>,
        /// Seconds that the site asked to wait.
        retry_after_s: Option<u64>,
    },
    /// No answer, in words.
    Failure(String),
}

impl std::fmt::Display for Came {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (status, code, body_bytes, headers) = match self {
            Self::Failure(why) => return f.write_str(why),
            Self::Answer { status, code, body_bytes, headers, .. } => {
                (status, code, body_bytes, headers)
            }
        };
        write!(f, "{status}")?;
        if let Some(code) = code {
            write!(f, " {code}")?;
        }
        write!(f, ", {body_bytes} bytes")?;
        headers.iter().try_for_each(|(name, value)| write!(f, ", {name}: {value}"))
    }
}

/// One question without a body.
pub(crate) struct Question<'a> {
    pub(crate) kind: RequestKind,
    pub(crate) route: &'a str,
    pub(crate) parameters: &'a [(&'a str, &'a str)],
    pub(crate) identity: Identity,
}

/// One write.
pub(crate) struct Write<'a> {
    pub(crate) kind: RequestKind,
    pub(crate) route: &'a str,
    pub(crate) parameters: &'a [(&'a str, &'a str)],
    pub(crate) body: CountedBody,
    pub(crate) content_type: &'a str,
    pub(crate) headers: Vec<(&'static str, String)>,
}

pub(crate) struct Wire {
    http: Http,
    nonces: NonceSource,
    counts: Mutex<RequestCounts>,
    exchanges: Mutex<Vec<Exchange>>,
    oddities: Mutex<BTreeSet<&'static str>>,
    /// The clock of the latest answer.
    site_time: Mutex<Option<Timestamp>>,
    upload_watch: Option<UploadWatch>,
}

impl Wire {
    pub(crate) fn new(http: Http, nonces: NonceSource) -> Self {
        Self {
            http,
            nonces,
            counts: Mutex::default(),
            exchanges: Mutex::default(),
            oddities: Mutex::default(),
            site_time: Mutex::default(),
            upload_watch: None,
        }
    }

    pub(crate) fn watch_uploads(&mut self, watch: UploadWatch) {
        self.upload_watch = Some(watch);
    }

    pub(crate) fn has_account(&self) -> bool {
        self.http.has_account()
    }

    pub(crate) fn is_home(&self, url: &url::Url) -> bool {
        self.http.is_home(url)
    }

    /// The length of the URL of a question, as sent.
    pub(crate) fn url_bytes(root: &Root, route: &str, parameters: &[(&str, &str)]) -> usize {
        // The nonce that is added has a fixed length.
        root.url(route, parameters).as_str().len() + NONCE_PARAMETER.len() + 18
    }

    /// Asks something, in a way that no cache can have the answer to.
    pub(crate) async fn get(&self, root: &Root, ask: Question<'_>) -> Result<Answer, Failure> {
        let nonce = format!("{:016x}", (self.nonces)());
        let mut parameters = ask.parameters.to_vec();
        parameters.push((NONCE_PARAMETER, &nonce));
        let url = root.url(ask.route, &parameters);
        self.exchange(ask.kind, "GET", ask.route, url, ask.identity, Payload::Get).await
    }

    /// Asks a page outside the REST API, as nobody.
    pub(crate) async fn get_page(&self, url: url::Url) -> Result<Answer, Failure> {
        let route = url.path().to_owned();
        let identity = Identity::Anonymous;
        self.exchange(RequestKind::Preflight, "GET", &route, url, identity, Payload::Get).await
    }

    /// Asks what a route offers.
    pub(crate) async fn options(&self, root: &Root, route: &str) -> Result<Answer, Failure> {
        let url = root.url(route, &[]);
        let kind = RequestKind::Preflight;
        self.exchange(kind, "OPTIONS", route, url, Identity::Account, Payload::Options).await
    }

    /// Sends one write, once.
    pub(crate) async fn post(&self, root: &Root, write: Write<'_>) -> Result<Answer, Failure> {
        let url = root.url(write.route, write.parameters);
        let body = match (&self.upload_watch, write.kind) {
            (Some(watch), RequestKind::Upload) => write.body.watched(watch.clone()),
            (Some(_) | None, _) => write.body,
        };
        let payload = Payload::Post(body, write.content_type.to_owned(), write.headers);
        crash::sending(write.kind);
        let identity = Identity::Account;
        let result = self.exchange(write.kind, "POST", write.route, url, identity, payload).await;
        crash::answered(write.kind);
        result
    }

    async fn exchange(
        &self,
        kind: RequestKind,
        method: &'static str,
        route: &str,
        url: url::Url,
        identity: Identity,
        payload: Payload,
    ) -> Result<Answer, Failure> {
        if crash::is_dead() {
            let why = "the run is dead".to_owned();
            return Err(Failure::NotConnected(ConnectProblem::Other, why));
        }
        *held(&self.counts).0.entry(kind).or_default() += 1;
        let result = self.http.send(url, identity, payload).await;
        if let Some(oddity) = result.as_ref().ok().and_then(Answer::oddity) {
            held(&self.oddities).insert(oddity);
        }
        if let Some(time) = result.as_ref().ok().and_then(Answer::fresh_date) {
            *held(&self.site_time) = Some(time);
        }
        let came = came_of(&result);
        let mut exchanges = held(&self.exchanges);
        if exchanges.len() < EXCHANGES_MAX {
            exchanges.push(Exchange { kind, method, route: route.to_owned(), came });
        }
        result
    }

    pub(crate) fn requests(&self) -> RequestCounts {
        held(&self.counts).clone()
    }

    /// The time of the site's clock at its latest answer, if it told it.
    pub(crate) fn site_time(&self) -> Option<Timestamp> {
        *held(&self.site_time)
    }

    pub(crate) fn oddities(&self) -> Vec<&'static str> {
        held(&self.oddities).iter().copied().collect()
    }

    pub(crate) fn take_exchanges(&self) -> Vec<Exchange> {
        std::mem::take(&mut *held(&self.exchanges))
    }
}

fn came_of(result: &Result<Answer, Failure>) -> Came {
    const LOGGED: [&str; 7] = [
        "age",
        "cf-cache-status",
        "cf-ray",
        "location",
        "server",
        "x-wp-total",
        "x-wp-upload-attachment-id",
    ];
    match result {
        Ok(answer) => Came::Answer {
            status: answer.status,
            code: (answer.status >= 400)
                .then(|| answer.wordpress_error())
                .flatten()
                .map(|(code, _)| clean(&code)),
            body_bytes: answer.body.len(),
            headers: LOGGED
                .into_iter()
                .filter_map(|name| Some((name, clean(answer.header(name)?))))
                .collect(),
            retry_after_s: answer.retry_after_s(),
        },
        Err(failure) => Came::Failure(failure.to_string()),
    }
}

/// A lock that another thread broke still holds a number that can be read.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
