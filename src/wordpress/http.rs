//! One HTTP request, one answer or one failure.
//!
//! Absent from here: retries, redirects, cookies, and what an answer means. The one
//! rule: a call of [`Http::send`] puts at most one request on the wire.
//!
//! Why that holds (read in reqwest 0.13.5 and hyper-util 0.1.21):
//!
//! - reqwest sends again in `tower::retry` (protocol refusals) and on redirects.
//!   `retry::never()` and `redirect::Policy::none()` end both, and a body that is a
//!   stream can't be cloned for another try.
//! - hyper-util's `send_request` loops on a "canceled" request only if the connection
//!   was reused (`connection_reused`). The client for writes has no pool
//!   (`pool_max_idle_per_host(0)` makes `Pool::is_enabled` false), so each write has a
//!   connection of its own that is never a reused one, and the loop ends after one turn.
//!   That also ends the keep-alive race: a server that closes an idle connection while
//!   we write on it (cases DUP-11 to DUP-14).
//! - Without the feature `http2` no connection is shared by several requests.
//!
//! The tests in `tests/arrivals.rs` count the arrivals at a server.

use std::error::Error as _;
use std::time::Duration;

use base64::Engine as _;
use reqwest::header::{
    ACCEPT, AUTHORIZATION, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName,
    HeaderValue,
};
use secrecy::{ExposeSecret as _, SecretString};
use url::Url;

use super::answer::{Answer, Cut};
use super::body::{CountedBody, Handed};
use super::carrier::{Carrier, carry};
use super::secrets::Secrets;
use super::text::clean;
use super::{Credentials, Settings};

/// The longest body of an answer to a look-up. A hundred articles of 300 KB fit.
pub(crate) const READ_BYTES_MAX: usize = 32 * 1024 * 1024;
/// The longest body of an answer to a write, beyond three times what was sent: the echo
/// holds the content, in which JSON can write two bytes as six.
pub(crate) const WRITE_ANSWER_BYTES_MAX: usize = 1024 * 1024;
/// The slowest upload that is waited for, on top of the configured time-out. A mobile
/// uplink; slower ones time out with an unknown outcome.
const UPLOAD_BYTES_PER_SECOND_MIN: u64 = 64 * 1024;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// No connection was made, so nothing was sent.
    NotConnected(ConnectProblem, String),
    /// The connection broke before the whole body was handed over.
    BodyCut { sent: u64, total: u64, why: String },
    /// The request may have arrived, and no answer came.
    NoAnswer(String),
}

/// What kept a connection from being made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConnectProblem {
    Dns,
    Tls,
    TimedOut,
    Other,
}

/// Whether a request carries the account's password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Identity {
    Anonymous,
    Account,
}

/// What is sent.
pub(crate) enum Payload {
    /// A read.
    Get,
    /// A read of what a route offers.
    Options,
    /// A write, with its body and its further headers.
    Post(CountedBody, String, Vec<(&'static str, String)>),
}

/// How requests get to the site.
enum Way {
    Network { reads: reqwest::Client, writes: reqwest::Client, timeout: Duration },
    InProcess(Carrier),
}

/// The way to the site, and the one origin that may see the password.
pub(crate) struct Http {
    way: Way,
    origin: url::Origin,
    /// Nothing where nobody signs in.
    authorization: Option<HeaderValue>,
    secrets: Secrets,
}

impl Http {
    /// Fails only where TLS can't be set up at all.
    pub(crate) fn new(
        base: &Url,
        credentials: Option<&Credentials>,
        settings: &Settings,
    ) -> Result<Self, String> {
        // An error means that a provider is installed already, which is what we want.
        rustls::crypto::ring::default_provider().install_default().ok();
        let describe = |error: reqwest::Error| error_chain(&error);
        let reads = client(base, settings).build().map_err(describe)?;
        // A fresh connection for each write: see the top of this file.
        let writes = client(base, settings).pool_max_idle_per_host(0).build().map_err(describe)?;
        Self::over(Way::Network { reads, writes, timeout: settings.timeout }, base, credentials)
    }

    /// For a site in this process.
    pub(crate) fn in_process(
        carrier: Carrier,
        base: &Url,
        credentials: Option<&Credentials>,
    ) -> Result<Self, String> {
        Self::over(Way::InProcess(carrier), base, credentials)
    }

    fn over(way: Way, base: &Url, credentials: Option<&Credentials>) -> Result<Self, String> {
        let secrets = |known| Secrets::of(known, encoded_pair(known).expose_secret());
        Ok(Self {
            way,
            origin: base.origin(),
            secrets: credentials.map(secrets).unwrap_or_default(),
            authorization: credentials.map(basic_authorization).transpose()?,
        })
    }

    pub(crate) fn has_account(&self) -> bool {
        self.authorization.is_some()
    }

    pub(crate) fn is_home(&self, url: &Url) -> bool {
        url.origin() == self.origin
    }

    /// Sends one request. The password goes to the pinned origin and nowhere else.
    pub(crate) async fn send(
        &self,
        url: Url,
        identity: Identity,
        payload: Payload,
    ) -> Result<Answer, Failure> {
        if !self.is_home(&url) {
            let text = format!("{} is not on the site's own origin", clean(url.as_str()));
            return Err(Failure::NotConnected(ConnectProblem::Other, text));
        }
        let mut answer = match &self.way {
            Way::Network { reads, writes, timeout } => {
                let client = if matches!(payload, Payload::Post(..)) { writes } else { reads };
                self.over_network(client, *timeout, url, identity, payload).await?
            }
            Way::InProcess(carrier) => {
                let (method, headers, body) = self.parts(identity, payload)?;
                carry(carrier, method, &url, headers, body).await?
            }
        };
        answer.mask(&self.secrets);
        Ok(answer)
    }

    async fn over_network(
        &self,
        client: &reqwest::Client,
        timeout: Duration,
        url: Url,
        identity: Identity,
        payload: Payload,
    ) -> Result<Answer, Failure> {
        let (method, headers, body) = self.parts(identity, payload)?;
        let mut request = client.request(method, url).headers(headers);
        let (mut handed, mut answer_bytes_max) = (None, READ_BYTES_MAX);
        if let Some(body) = body {
            let extra = Duration::from_secs(body.total / UPLOAD_BYTES_PER_SECOND_MIN);
            let echo = usize::try_from(body.total).unwrap_or(usize::MAX).saturating_mul(3);
            answer_bytes_max = WRITE_ANSWER_BYTES_MAX.saturating_add(echo);
            handed = Some((body.handed.clone(), body.total));
            request = request.timeout(timeout.saturating_add(extra)).body(body.into_stream());
        }
        let response = request.send().await.map_err(|error| failure(&error, handed.as_ref()))?;
        Ok(read_answer(response, answer_bytes_max).await)
    }

    /// Method, headers and body of what is to be sent.
    fn parts(
        &self,
        identity: Identity,
        payload: Payload,
    ) -> Result<(reqwest::Method, HeaderMap, Option<CountedBody>), Failure> {
        let mut headers = HeaderMap::new();
        match (identity, &self.authorization) {
            (Identity::Account, Some(authorization)) => {
                headers.insert(AUTHORIZATION, authorization.clone());
            }
            (Identity::Account, None) | (Identity::Anonymous, _) => {}
        }
        match payload {
            Payload::Get => {
                headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
                Ok((reqwest::Method::GET, headers, None))
            }
            Payload::Options => Ok((reqwest::Method::OPTIONS, headers, None)),
            Payload::Post(body, content_type, more) => {
                let total = body.total;
                let value = |text: &str| {
                    let why = |error: http::header::InvalidHeaderValue| error.to_string();
                    HeaderValue::from_str(text).map_err(|error| Failure::BodyCut {
                        sent: 0,
                        total,
                        why: why(error),
                    })
                };
                headers.insert(CONTENT_TYPE, value(&content_type)?);
                // Announced, so that a cut body is seen to be cut by the server.
                headers.insert(CONTENT_LENGTH, HeaderValue::from(total));
                for (name, text) in more {
                    headers.insert(HeaderName::from_static(name), value(&text)?);
                }
                Ok((reqwest::Method::POST, headers, Some(body)))
            }
        }
    }
}

fn client(base: &Url, settings: &Settings) -> reqwest::ClientBuilder {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    let builder = reqwest::Client::builder()
        .user_agent(concat!("OncePress/", env!("CARGO_PKG_VERSION")))
        .default_headers(headers)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .connect_timeout(settings.connect_timeout)
        .timeout(settings.timeout);
    let builder = if is_loopback(base) { builder.no_proxy() } else { builder.https_only(true) };
    if base.scheme() == "http" {
        // Nothing here is encrypted, so no certificate is ever trusted, and none need be
        // read: that is most of the time it takes to make a client.
        builder.tls_certs_only([])
    } else {
        builder
    }
}

/// Whether a URL names this machine: 127.0.0.0/8, `::1` or `localhost`.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

fn encoded_pair(credentials: &Credentials) -> SecretString {
    let Credentials { username, password } = credentials;
    let pair = SecretString::from(format!("{username}:{}", password.expose_secret()));
    let encoded = base64::engine::general_purpose::STANDARD.encode(pair.expose_secret());
    SecretString::from(encoded)
}

fn basic_authorization(credentials: &Credentials) -> Result<HeaderValue, String> {
    let encoded = encoded_pair(credentials);
    let text = SecretString::from(format!("Basic {}", encoded.expose_secret()));
    let mut value = HeaderValue::from_str(text.expose_secret())
        .map_err(|_| "the credentials can't be written into a header".to_owned())?;
    value.set_sensitive(true);
    Ok(value)
}

/// Sorts an error by what it proves about the request.
fn failure(error: &reqwest::Error, handed: Option<&(Handed, u64)>) -> Failure {
    let text = error_chain(error);
    if error.is_connect() {
        return Failure::NotConnected(connect_problem(error), text);
    }
    if let Some((handed, total)) = handed {
        let sent = handed.bytes();
        if sent < *total {
            return Failure::BodyCut { sent, total: *total, why: text };
        }
    }
    Failure::NoAnswer(text)
}

fn connect_problem(error: &reqwest::Error) -> ConnectProblem {
    if error.is_dns() {
        return ConnectProblem::Dns;
    }
    if error.is_timeout() {
        return ConnectProblem::TimedOut;
    }
    let mut source = error.source();
    while let Some(cause) = source {
        if is_of_tls(cause) {
            return ConnectProblem::Tls;
        }
        source = cause.source();
    }
    ConnectProblem::Other
}

/// An I/O error wraps another one that wraps TLS' own, and the `source` of an I/O error
/// passes over what it wraps.
fn is_of_tls(error: &(dyn std::error::Error + 'static)) -> bool {
    let inner = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    error.is::<rustls::Error>() || inner.is_some_and(|inner| is_of_tls(inner))
}

/// An error and its causes on one line, without the URL, which the message's author
/// knows better, and without repeating a cause that the outer text names already.
fn error_chain(error: &reqwest::Error) -> String {
    let mut causes = Vec::new();
    let mut source = error.source();
    while let Some(cause) = source {
        causes.push(cause.to_string());
        source = cause.source();
    }
    let mut parts: Vec<String> = Vec::new();
    for part in causes {
        if !parts.iter().any(|known| known.contains(&part)) {
            parts.push(part);
        }
    }
    if parts.is_empty() {
        parts.push(if error.is_timeout() { "timed out" } else { "the request failed" }.to_owned());
    }
    // hyper's words for the commonest way to lose an answer say little to a writer.
    clean(&parts.join(": "))
        .replace(
            "client error (SendRequest): connection closed before message completed",
            "the connection closed before the answer came",
        )
        .replace("client error (Connect): ", "")
}

async fn read_answer(mut response: reqwest::Response, bytes_max: usize) -> Answer {
    let mut answer = Answer { status: response.status().as_u16(), ..Answer::default() };
    for (name, value) in response.headers() {
        answer.keep_header(name.as_str(), value.as_bytes());
    }
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if answer.body.len() + chunk.len() > bytes_max => {
                answer.cut = Some(Cut::TooLong(bytes_max));
                break;
            }
            Ok(Some(chunk)) => answer.body.extend_from_slice(&chunk),
            Ok(None) => break,
            Err(error) => {
                answer.cut = Some(Cut::Broken(error_chain(&error)));
                break;
            }
        }
    }
    answer
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotConnected(_, why) => write!(f, "no connection: {why}"),
            Self::BodyCut { sent, total, why } => {
                write!(f, "the connection broke after {sent} of {total} bytes: {why}")
            }
            Self::NoAnswer(why) => write!(f, "no answer: {why}"),
        }
    }
}
