//! A site in this process: requests go to a function and not over the network.
//!
//! Absent from here: what the site does, and any wire. The one rule: what is carried is
//! what the network would have carried, the password and the counted body included, so
//! that a run can't tell the two apart.

use std::sync::Arc;

use bytes::Bytes;
use reqwest::header::HeaderMap;
use url::Url;

use super::answer::Answer;
use super::body::CountedBody;
use super::http::{ConnectProblem, Failure};

/// Carries one request to a site in this process, and its answer back.
pub type Carrier =
    Arc<dyn Fn(http::Request<Bytes>) -> Result<http::Response<Bytes>, Lost> + Send + Sync>;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lost {
    /// No connection could be made: the site has not seen the request.
    NotConnected(String),
    /// The request may have arrived, and no answer came.
    NoAnswer(String),
}

/// Carries one request.
pub(super) async fn carry(
    carrier: &Carrier,
    method: http::Method,
    url: &Url,
    headers: HeaderMap,
    body: Option<CountedBody>,
) -> Result<Answer, Failure> {
    let body = match body {
        None => Bytes::new(),
        Some(body) => {
            let (handed, total) = (body.handed.clone(), body.total);
            let cut = |why: std::io::Error| Failure::BodyCut {
                sent: handed.bytes().min(total.saturating_sub(1)),
                total,
                why: why.to_string(),
            };
            body.into_bytes().await.map_err(cut)?
        }
    };
    let refused = |why: String| Failure::NotConnected(ConnectProblem::Other, why);
    let mut request = http::Request::builder()
        .method(method)
        .uri(url.as_str())
        .body(body)
        .map_err(|error| refused(error.to_string()))?;
    *request.headers_mut() = headers;
    let response = carrier(request).map_err(|lost| match lost {
        Lost::NotConnected(why) => refused(why),
        Lost::NoAnswer(why) => Failure::NoAnswer(why),
    })?;
    let mut answer = Answer { status: response.status().as_u16(), ..Answer::default() };
    for (name, value) in response.headers() {
        answer.keep_header(name.as_str(), value.as_bytes());
    }
    answer.body = response.into_body().into();
    Ok(answer)
}
