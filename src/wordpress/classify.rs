//! What the answer to a write proves.
//!
//! Absent from here: sending. A pure function of the answer. The one rule: core inserts
//! first and reports errors of terms, meta and plugin fields afterwards (facts §3), so a
//! refusal counts only if its code is known to be raised before the insert. Everything
//! that is neither that nor a proper 201 is unknown.

use serde_json::Value;

use super::answer::Answer;
use super::http::Failure;
use super::text::clean;
use crate::names::PostType;
use crate::protocol::outcome::{Outcome, Pressure, Rejection, Unsettled};

/// Codes that core raises before it inserts a post, each with where that was shown.
/// A code is added here only after it was shown on a real site. `db_insert_error` is
/// not one: terms that can't be set after the insert have the same code.
const BEFORE_INSERT: [(&str, &str); 14] = [
    ("empty_content", "facts §3: title, content and excerpt empty"),
    ("rest_cannot_assign_sticky", "facts §3"),
    ("rest_cannot_assign_term", "facts §3: permission check"),
    ("rest_cannot_create", "facts §3 and §4: permission check, also after lost credentials"),
    ("rest_cannot_edit_others", "facts §3: permission check"),
    ("rest_cannot_publish", "facts §3: permission check"),
    ("rest_forbidden_status", "facts §3: argument check"),
    ("rest_invalid_author", "facts §3: before the insert"),
    ("rest_invalid_json", "facts §3: the body could not be read"),
    ("rest_invalid_param", "facts §3: argument check"),
    ("rest_missing_callback_param", "facts §3: argument check"),
    ("rest_no_route", "facts §3: nothing was called"),
    ("rest_not_logged_in", "facts §3: no credentials"),
    ("rest_post_exists", "facts §3: an id in the request"),
];

/// Any code of this kind on an upload means that the file was not taken, unless the
/// header says that an attachment exists. Shown on 6.1, 6.8 and 7.1, with nothing stored:
/// `no_data`, `no_content_disposition`, `invalid_disposition`, `hash_mismatch`,
/// `sideload_error` (facts §4); from reports: `unknown_error` (MED-10),
/// `image_type_not_supported` (MED-21), `limited_space`, `file_too_big`,
/// `user_quota_exceeded` (MED-23).
const UPLOAD_CODES: &str = "rest_upload_";

/// What was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    Post(PostType),
    Attachment,
}

impl Sent {
    fn type_name(&self) -> &str {
        match self {
            Self::Post(post_type) => post_type.as_str(),
            Self::Attachment => "attachment",
        }
    }

    /// Whether this is the address of one of its objects, without the id at its end.
    fn is_collection(self, address: &str) -> bool {
        match self {
            Self::Post(PostType::Post) => address.ends_with("/wp/v2/posts"),
            Self::Post(PostType::Page) => address.ends_with("/wp/v2/pages"),
            // Only a hint, which is looked up: the site chooses the route.
            Self::Post(PostType::Other(_)) => true,
            Self::Attachment => address.ends_with("/wp/v2/media"),
        }
    }
}

/// Sorts what came back from a write. `Created` holds the answer's object, whose id and
/// type are right.
pub(crate) fn classify(result: &Result<Answer, Failure>, sent: Sent) -> Outcome<Value> {
    match result {
        Ok(answer) => classify_answer(answer, sent),
        Err(failure @ (Failure::NotConnected(..) | Failure::BodyCut { .. })) => {
            Outcome::NotSent(failure.to_string())
        }
        Err(failure @ Failure::NoAnswer(_)) => unknown(failure.to_string(), None, Pressure::None),
    }
}

fn classify_answer(answer: &Answer, sent: Sent) -> Outcome<Value> {
    let hint = hint(answer, sent);
    if matches!(answer.status, 429 | 503) {
        let pressure = Pressure::BackOff { retry_after_s: answer.retry_after_s() };
        return unknown(answer.describe(), hint, pressure);
    }
    if answer.status == 201 {
        return match created(answer, sent) {
            Ok(object) => Outcome::Created(object),
            Err(why) => unknown(format!("{} ({why})", answer.describe()), hint, Pressure::None),
        };
    }
    // An answer that mentions an object is evidence that it exists.
    if hint.is_none()
        && let Some(rejection) = rejection(answer, sent)
    {
        return Outcome::Rejected(rejection);
    }
    unknown(answer.describe(), hint, Pressure::None)
}

fn unknown(detail: String, hint: Option<u64>, pressure: Pressure) -> Outcome<Value> {
    Outcome::Unknown(Unsettled { detail, hint, pressure })
}

/// The object of a proper 201 (case DUP-19): JSON and nothing else, an id, the type.
fn created(answer: &Answer, sent: Sent) -> Result<Value, String> {
    if !answer.says_json() {
        return Err("it does not say that it is JSON".to_owned());
    }
    let value = answer.strict_json()?;
    let Some(object) = value.as_object() else {
        return Err("a JSON object was due".to_owned());
    };
    let id = object.get("id").and_then(Value::as_u64).filter(|id| *id > 0);
    let Some(id) = id else { return Err("the object has no id".to_owned()) };
    let object_type = object.get("type").and_then(Value::as_str).unwrap_or_default();
    if object_type != sent.type_name() {
        return Err(format!("a {} was due, not {:?}", sent.type_name(), clean(object_type)));
    }
    let header = answer.header_number("x-wp-upload-attachment-id");
    if header.is_some_and(|header| header != id) {
        return Err("its header names another attachment".to_owned());
    }
    Ok(value)
}

fn rejection(answer: &Answer, sent: Sent) -> Option<Rejection> {
    let status = answer.status;
    let rejected =
        |code: &str, message: String| Some(Rejection { status, code: code.to_owned(), message });
    if answer.is_redirect() {
        let to = answer.header("location").map_or_else(|| "nowhere".to_owned(), clean);
        return rejected("redirected", format!("status {status} to {to}, which was not followed"));
    }
    if status < 400 || answer.cut.is_some() {
        return None;
    }
    if let Some((code, message)) = answer.wordpress_error() {
        let is_upload = sent == Sent::Attachment && code.starts_with(UPLOAD_CODES);
        if !is_upload && !BEFORE_INSERT.iter().any(|(known, _)| *known == code) {
            return None;
        }
        let mut message = clean(&message);
        if code == "rest_upload_no_data" {
            // PHP drops a body that is over its limit (case MED-22).
            message.push_str(" (is the file larger than the site's post_max_size?)");
        }
        return rejected(&clean(&code), message);
    }
    // Raised by the web server before WordPress runs, or by WordPress' router.
    matches!(status, 404 | 405 | 413 | 415)
        .then(|| rejected(&format!("http_{status}"), answer.describe()))?
}

/// An id that the answer mentions, however broken it is: where to look, never proof
/// (cases MED-06, BODY-01, BODY-02, BODY-08).
fn hint(answer: &Answer, sent: Sent) -> Option<u64> {
    if sent == Sent::Attachment
        && let Some(id) = answer.header_number("x-wp-upload-attachment-id")
    {
        return Some(id).filter(|id| *id > 0);
    }
    if !answer.is_redirect()
        && let Some(id) = answer.header("location").and_then(|to| id_at_end(to, sent))
    {
        return Some(id);
    }
    id_in_body(&answer.body, sent)
}

/// `…/wp/v2/posts/123`, in both forms of the root.
fn id_at_end(location: &str, sent: Sent) -> Option<u64> {
    let location = percent_encoding::percent_decode_str(location).decode_utf8().ok()?;
    let (before, number) = location.rsplit_once('/')?;
    let number = number.split(['?', '&', '#']).next()?;
    let id = number.parse().ok().filter(|id| *id > 0)?;
    sent.is_collection(before).then_some(id)
}

/// The id of an object of the right type somewhere in a body. Warnings come before it,
/// signatures after it; neither is long.
fn id_in_body(body: &[u8], sent: Sent) -> Option<u64> {
    /// Braces at which an object is looked for. PHP's warnings hold few.
    const TRIES_MAX: usize = 50;
    let starts = body.iter().enumerate().filter(|(_, byte)| **byte == b'{');
    for (start, _) in starts.take(TRIES_MAX) {
        let mut values = serde_json::Deserializer::from_slice(&body[start..]).into_iter::<Value>();
        let Some(Ok(value)) = values.next() else { continue };
        let id = value.get("id").and_then(Value::as_u64).filter(|id| *id > 0);
        let is_type = value.get("type").and_then(Value::as_str) == Some(sent.type_name());
        if let Some(id) = id
            && is_type
        {
            return Some(id);
        }
    }
    None
}
