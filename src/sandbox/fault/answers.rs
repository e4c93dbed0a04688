//! Answers that are not WordPress' own, or not as it made them.
//!
//! Absent from here: deciding who gets one. The one rule: they look as they do in the
//! wild, because what a publisher makes of them is what is tried.

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, LOCATION, RETRY_AFTER};
use http::{HeaderValue, StatusCode, Uri};
use serde_json::json;

use super::super::Response;
use super::accident::{BusyStatus, ChallengePage, Destination, LateRefusal, Moved, ServerError};

/// Where a redirect to elsewhere points. It never resolves.
const ELSEWHERE: &str = "https://elsewhere.invalid";
const HTML: &str = "text/html; charset=UTF-8";
const JSON: &str = "application/json; charset=UTF-8";

fn answer(status: StatusCode, content_type: &'static str, body: impl Into<Bytes>) -> Response {
    let mut answer = Response::new(body.into());
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    answer
}

fn page(status: StatusCode, title: &str, text: &str) -> Response {
    let body = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>{title}</title></head>\n\
         <body><p>{text}</p></body>\n</html>\n"
    );
    answer(status, HTML, body)
}

/// The page of a server that failed. What WordPress had said in its headers is lost
/// with it.
pub(super) fn broken_page(status: ServerError) -> Response {
    match status {
        ServerError::Internal => page(
            StatusCode::INTERNAL_SERVER_ERROR,
            "WordPress &rsaquo; Error",
            "There has been a critical error on this website.",
        ),
        ServerError::BadGateway => {
            page(StatusCode::BAD_GATEWAY, "502 Bad Gateway", "502 Bad Gateway")
        }
        ServerError::Unavailable => page(
            StatusCode::SERVICE_UNAVAILABLE,
            "503 Service Unavailable",
            "503 Service Temporarily Unavailable",
        ),
        ServerError::GatewayTimeout => {
            page(StatusCode::GATEWAY_TIMEOUT, "504 Gateway Time-out", "504 Gateway Time-out")
        }
    }
}

/// An error about meta, which WordPress sets last: everything else is stored.
pub(super) fn late_refusal(code: LateRefusal) -> Response {
    let (status, message, data) = match code {
        LateRefusal::CannotUpdate => (
            StatusCode::FORBIDDEN,
            "Sorry, you are not allowed to edit the note custom field.",
            json!({"key": "note", "status": 403}),
        ),
        LateRefusal::InvalidType => (
            StatusCode::BAD_REQUEST,
            "meta.count is not of type integer.",
            json!({"status": 400, "param": "meta.count"}),
        ),
    };
    let body = json!({"code": code.word(), "message": message, "data": data});
    answer(status, JSON, body.to_string())
}

/// A firewall's page.
pub(super) fn challenge(kind: ChallengePage) -> Response {
    let mut response = match kind {
        ChallengePage::Ok => {
            page(StatusCode::OK, "One moment, please...", "Checking your browser.")
        }
        ChallengePage::Accepted => answer(StatusCode::ACCEPTED, HTML, ""),
        ChallengePage::Forbidden => {
            page(StatusCode::FORBIDDEN, "Access denied", "Your request was blocked.")
        }
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// A redirect of the web server.
pub(super) fn redirect(status: Moved, to: Destination, from: &Uri) -> Response {
    let status = match status {
        Moved::Permanently => StatusCode::MOVED_PERMANENTLY,
        Moved::Found => StatusCode::FOUND,
    };
    let query = from.query().map(|query| format!("?{query}")).unwrap_or_default();
    let target = match to {
        Destination::Away => format!("{ELSEWHERE}{}{query}", from.path()),
        Destination::Slash => format!("{}/{query}", from.path().trim_end_matches('/')),
    };
    let mut response = page(status, "Moved", "The document has moved.");
    // An address that came as a header's text can go as one.
    if let Ok(target) = HeaderValue::try_from(target) {
        response.headers_mut().insert(LOCATION, target);
    }
    response
}

/// A site that wants to be left alone for a while.
pub(super) fn busy(status: BusyStatus, retry_after_s: u32) -> Response {
    let (status, title) = match status {
        BusyStatus::TooMany => (StatusCode::TOO_MANY_REQUESTS, "Too Many Requests"),
        BusyStatus::Unavailable => {
            (StatusCode::SERVICE_UNAVAILABLE, "Briefly unavailable for scheduled maintenance.")
        }
    };
    let mut response = page(status, title, title);
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(retry_after_s));
    response
}

/// The same answer with what a plugin printed before it.
pub(super) fn with_warning(mut whole: Response) -> Response {
    const WARNING: &[u8] = b"<br />\n<b>Warning</b>:  Undefined array key 0 in \
        <b>/srv/wordpress/wp-content/plugins/stats/stats.php</b> on line <b>61</b><br />\n";
    let body = [WARNING, whole.body()].concat();
    *whole.body_mut() = body.into();
    whole.headers_mut().remove(CONTENT_LENGTH);
    whole
}
