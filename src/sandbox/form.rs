//! Bodies of forms: fields and files.
//!
//! The one rule: read as PHP reads them, where `a[]` and `a[b]` make lists and maps.

use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::Request;
use super::params::header;

/// One part of a form.
pub(super) struct Part {
    pub(super) name: String,
    pub(super) content: Content,
}

/// What a part holds.
pub(super) enum Content {
    Field(String),
    File { name: String, bytes: Bytes },
}

/// The parts of a body of the type `multipart/form-data`; none of another body.
pub(super) fn parts(request: &Request) -> Vec<Part> {
    let kind = header(request, "content-type");
    let Some(boundary) = kind.strip_prefix("multipart/form-data;") else { return Vec::new() };
    let boundary = boundary.trim().trim_start_matches("boundary=").trim_matches('"');
    let body = request.body();
    let mark = format!("--{boundary}");
    let starts: Vec<usize> = memchr::memmem::find_iter(body, mark.as_bytes()).collect();
    let between = starts.windows(2).filter_map(|pair| {
        let (start, end) = (pair.first()? + mark.len(), *pair.get(1)?);
        part(&body.slice(start..end))
    });
    between.collect()
}

/// Whether the body is a form that can hold files.
pub(super) fn is_multipart(request: &Request) -> bool {
    header(request, "content-type").starts_with("multipart/form-data;")
}

fn part(bytes: &Bytes) -> Option<Part> {
    let end = memchr::memmem::find(bytes, b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(bytes.get(..end)?).into_owned();
    let line = head.lines().find(|line| line.to_lowercase().starts_with("content-disposition"))?;
    let content = bytes.slice(end + 4..bytes.len().saturating_sub(2));
    let name = quoted(line, "name")?;
    let content = match quoted(line, "filename") {
        Some(name) => Content::File { name, bytes: content },
        None => Content::Field(String::from_utf8_lossy(&content).into_owned()),
    };
    Some(Part { name, content })
}

/// The value of `name="…"` in a head.
fn quoted(line: &str, name: &str) -> Option<String> {
    let (_, after) = line.split_once(&format!(" {name}=\""))?;
    after.split_once('"').map(|(value, _)| value.to_owned())
}

/// Adds a field to the parameters.
pub(super) fn add_field(all: &mut Map<String, Value>, name: &str, value: String) {
    let Some((outer, inner)) = name.strip_suffix(']').and_then(|name| name.split_once('[')) else {
        all.insert(name.to_owned(), Value::String(value));
        return;
    };
    let empty = if inner.is_empty() { json!([]) } else { json!({}) };
    match all.entry(outer.to_owned()).or_insert(empty) {
        Value::Array(items) => items.push(Value::String(value)),
        Value::Object(object) => drop(object.insert(inner.to_owned(), Value::String(value))),
        // A field of the same name without brackets came before: PHP takes the last.
        other => *other = if inner.is_empty() { json!([value]) } else { json!({ inner: value }) },
    }
}
