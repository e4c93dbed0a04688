//! Plays a script against one side, and writes down what came back.
//!
//! Absent from here: judging it. The one rule: what is sent to the two sides differs
//! only by their addresses, passwords and ids.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::files::file;
use super::mask::{Mask, Series};
use super::script::{Body, Script, Step};
use super::target::{Answer, Request, Target};

/// What one request brought, masked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Came(pub(crate) Value);

/// Headers that say something of the site. Others are the web server's.
const HEADERS: [&str; 13] = [
    "access-control-allow-headers",
    "access-control-expose-headers",
    "allow",
    "cache-control",
    "content-type",
    "expires",
    "link",
    "location",
    "x-content-type-options",
    "x-robots-tag",
    "x-wp-total",
    "x-wp-totalpages",
    "x-wp-upload-attachment-id",
];

/// What stands between the parts of a form.
const BOUNDARY: &str = "----conformance";

/// Names that a script gave to ids.
pub(crate) type Ids = BTreeMap<String, (Series, u64)>;

pub(crate) fn play(script: &Script, target: &mut Target) -> Vec<Came> {
    let mut ids = Ids::new();
    let token = format!("cf{:08x}", getrandom::u32().unwrap());
    let mut came = Vec::new();
    for step in &script.steps {
        let request = request(step, &token, &ids);
        let now = Timestamp::now();
        let series = match step.path.as_str() {
            path if path.contains("/tags") || path.contains("/categories") => Series::Terms,
            path if path.contains("/users") => Series::Users,
            _ => Series::Rows,
        };
        let answer = target.send(&request, now);
        let body = Content::of(&answer);
        if let Some(name) = &step.capture {
            let id = body.id().unwrap_or_else(|| {
                let text = String::from_utf8_lossy(&answer.body);
                let place = format!("{}:{}", script.name, step.line);
                panic!("{place}: no id in {} {text} of {}", answer.status, target.home())
            });
            ids.insert(name.clone(), (series, id));
        }
        let mask = Mask { home: target.home(), token: &token, ids: &ids, series, now };
        came.push(Came(written_down(&answer, body, &mask)));
    }
    came
}

/// What a body turned out to hold.
enum Content {
    Nothing,
    Json(Value),
    /// JSON behind a warning.
    JsonBehindWords(Value),
    /// For people. Such pages differ in a thousand ways that say nothing.
    Page,
}

impl Content {
    fn of(answer: &Answer) -> Self {
        if answer.body.is_empty() {
            return Self::Nothing;
        }
        if let Ok(value) = serde_json::from_slice(&answer.body) {
            return Self::Json(value);
        }
        let last_line = answer.body.rsplit(|byte| *byte == b'\n').next();
        match last_line.map(serde_json::from_slice) {
            Some(Ok(value)) => Self::JsonBehindWords(value),
            Some(Err(_)) | None => Self::Page,
        }
    }

    /// The id of what the answer is about, or of the first of several.
    fn id(&self) -> Option<u64> {
        match self {
            Self::Json(body) | Self::JsonBehindWords(body) => {
                let places = [&body["id"], &body[0]["id"], &body["responses"][0]["body"]["id"]];
                places.into_iter().find_map(Value::as_u64)
            }
            Self::Nothing | Self::Page => None,
        }
    }
}

fn written_down(answer: &Answer, content: Content, mask: &Mask<'_>) -> Value {
    let mut headers = serde_json::Map::new();
    for (name, value) in &answer.headers {
        if HEADERS.contains(&name.as_str()) {
            headers.insert(name.clone(), mask.header(name, value));
        }
    }
    let body = match content {
        Content::Nothing => json!("(nothing)"),
        Content::Page => json!("(a page)"),
        Content::Json(body) => mask.value("", body),
        Content::JsonBehindWords(body) => json!({ "behind_words": mask.value("", body) }),
    };
    json!({ "status": answer.status, "headers": headers, "body": body })
}

fn request(step: &Step, token: &str, ids: &Ids) -> Request {
    let fill = |text: &str| {
        let mut text = text.replace("$T", token);
        for (name, (_, id)) in ids {
            text = text.replace(&format!("<{name}>"), &id.to_string());
        }
        text
    };
    let path = fill(&step.path);
    let target = match path.strip_prefix('!') {
        Some(path) => path.to_owned(),
        None => format!("/wp-json{path}"),
    };
    let mut headers: Vec<(String, String)> = Vec::new();
    let mut usual = |name: &str, value: String| headers.push((name.to_owned(), value));
    let body = match &step.body {
        Body::Nothing => Vec::new(),
        Body::Text(text) => {
            usual("content-type", "application/json".to_owned());
            fill(text).into_bytes()
        }
        Body::File { kind, name } => {
            let (mime, bytes) = file(kind);
            usual("content-type", mime.to_owned());
            let name = fill(name);
            usual("content-disposition", format!("attachment; filename=\"{name}\""));
            bytes
        }
        Body::Form { kind, name, fields } => {
            usual("content-type", format!("multipart/form-data; boundary={BOUNDARY}"));
            form(kind, &fill(name), &fill(fields))
        }
    };
    for (name, value) in &step.headers {
        headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        if value != "none" {
            headers.push((name.to_ascii_lowercase(), fill(value)));
        }
    }
    let (who, method, mishap) = (step.who.clone(), step.method.clone(), step.mishap.clone());
    Request { who, method, target, headers, body, mishap }
}

/// A form with fields and a file, as browsers send it.
fn form(kind: &str, name: &str, fields: &str) -> Vec<u8> {
    let mut body = Vec::new();
    for field in fields.split('&').filter(|field| !field.is_empty()) {
        let (key, value) = field.split_once('=').expect("a field has a value");
        let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{key}\"");
        body.extend(format!("{head}\r\n\r\n{value}\r\n").into_bytes());
    }
    let (mime, bytes) = file(kind);
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
         Content-Type: {mime}\r\n\r\n"
    );
    body.extend(head.into_bytes());
    body.extend(bytes);
    body.extend(format!("\r\n--{BOUNDARY}--\r\n").into_bytes());
    body
}
