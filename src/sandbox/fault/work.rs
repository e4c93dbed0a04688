//! One request on its way through the site, now or later.
//!
//! Absent from here: what it does. The one rule: a request that waits holds no password
//! but those of the simulated site, because a state may be written to a file.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::header::AUTHORIZATION;
use http::{HeaderName, HeaderValue, Method, StatusCode, Uri};
use serde::{Deserialize, Serialize};

use super::super::{Request, World};
use super::accident::Accident;
use super::kind::Kind;
use crate::names::Timestamp;

/// A request that the site works on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::sandbox) struct Work {
    /// The number of its arrival.
    pub(in crate::sandbox) number: u64,
    pub(in crate::sandbox) kind: Kind,
    pub(in crate::sandbox) method: String,
    pub(in crate::sandbox) accidents: Vec<Accident>,
}

impl Work {
    pub(in crate::sandbox) fn is_read(&self) -> bool {
        matches!(self.method.as_str(), "GET" | "HEAD" | "OPTIONS")
    }
}

/// A request whose time has not come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::sandbox) struct Late {
    pub(in crate::sandbox) due: Timestamp,
    pub(in crate::sandbox) work: Work,
    pub(in crate::sandbox) request: KeptRequest,
}

/// A request as a value that can be compared and written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::sandbox) struct KeptRequest {
    method: String,
    uri: String,
    /// Names and values; what is not text is no header that WordPress looks at.
    headers: Vec<(String, String)>,
    /// Base64.
    body: String,
}

impl KeptRequest {
    pub(in crate::sandbox) fn of(request: &Request, world: &World, now: Timestamp) -> Self {
        let is_known = is_known(request, world, now);
        let kept = |(name, value): (&HeaderName, &HeaderValue)| {
            let value = value.to_str().ok()?.to_owned();
            (is_known || name != AUTHORIZATION).then(|| (name.as_str().to_owned(), value))
        };
        Self {
            method: request.method().as_str().to_owned(),
            uri: request.uri().to_string(),
            headers: request.headers().iter().filter_map(kept).collect(),
            body: STANDARD.encode(request.body()),
        }
    }
}

/// Whether the site knows who asks: it is asked as it would be asked over the network, so
/// that it can't know somebody here and a stranger there.
fn is_known(request: &Request, world: &World, now: Timestamp) -> bool {
    let Some(authorization) = request.headers().get(AUTHORIZATION) else { return false };
    let mut question = Request::new(Bytes::new());
    *question.uri_mut() = Uri::from_static("/wp-json/wp/v2/users/me");
    question.headers_mut().insert(AUTHORIZATION, authorization.clone());
    let mut world = world.clone();
    // The question is put to the site at the root of its host.
    world.set_home("http://sandbox.invalid");
    world.answer(&question, now, None).status() == StatusCode::OK
}

impl From<KeptRequest> for Request {
    /// What can't be read back (a file that was edited) is left out, and the site answers
    /// what is left.
    fn from(kept: KeptRequest) -> Self {
        let mut request = Self::new(Bytes::from(STANDARD.decode(kept.body).unwrap_or_default()));
        if let Ok(method) = Method::from_bytes(kept.method.as_bytes()) {
            *request.method_mut() = method;
        }
        if let Ok(uri) = kept.uri.parse::<Uri>() {
            *request.uri_mut() = uri;
        }
        for (name, value) in kept.headers {
            if let (Ok(name), Ok(value)) =
                (HeaderName::try_from(name), HeaderValue::try_from(value))
            {
                request.headers_mut().append(name, value);
            }
        }
        request
    }
}
