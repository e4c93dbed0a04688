//! Comments, and the blocks that they mark.
//!
//! Absent from here: everything between them (`projection`). The one rule: a block's JSON
//! is compared as values, because WordPress writes it anew, but as what PHP makes of
//! what was sent, not as whatever would be alike.

use serde_json::{Map, Number, Value};

use super::filtered::Place;
use super::projection::says;
use crate::protocol::kinds::ContentFilter;

/// What a comment is, read from its text between the dashes.
enum Comment<'a> {
    Block { opens: bool, name: &'a str, json: Json, closed: bool },
    Other(&'a str),
}

/// The attributes of a block.
enum Json {
    /// None, or an empty object.
    None,
    Values(Map<String, Value>),
    /// Something that is no object, or a broken one.
    Other(String),
}

impl<'a> Comment<'a> {
    fn read(text: &'a str) -> Self {
        let trimmed = text.trim();
        let (inside, closed) = match trimmed.strip_suffix('/') {
            Some(inside) => (inside.trim_end(), true),
            None => (trimmed, false),
        };
        let (opens, block) = match inside.strip_prefix('/') {
            Some(after) => (false, after.strip_prefix("wp:")),
            None => (true, inside.strip_prefix("wp:")),
        };
        let Some(block) = block else { return Self::Other(text) };
        let (name, json) = block.split_once(char::is_whitespace).unwrap_or((block, ""));
        let name = name.strip_prefix("core/").unwrap_or(name);
        Self::Block { opens, name, json: Json::read(json.trim()), closed }
    }
}

impl Json {
    fn read(text: &str) -> Self {
        match serde_json::from_str(text) {
            _ if text.is_empty() => Self::None,
            Ok(Value::Object(map)) if map.is_empty() => Self::None,
            Ok(Value::Object(map)) => Self::Values(map),
            Ok(_) | Err(_) => Self::Other(text.to_owned()),
        }
    }
}

/// Whether the stored comment is what WordPress makes of the one that was sent.
pub(super) fn same_comment(sent: &str, stored: &str, filter: ContentFilter) -> bool {
    match (Comment::read(sent), Comment::read(stored)) {
        (
            Comment::Block { opens, name, json, closed },
            Comment::Block { opens: stored_opens, name: stored_name, json: kept, closed: ended },
        ) => {
            (opens, name, closed) == (stored_opens, stored_name, ended)
                && same_json(&json, &kept, filter)
        }
        (Comment::Other(sent), Comment::Other(stored)) => {
            sent == stored || filter == ContentFilter::On && is_left_of(sent, stored)
        }
        (Comment::Block { .. }, Comment::Other(_)) | (Comment::Other(_), Comment::Block { .. }) => {
            false
        }
    }
}

/// What is inside a comment is filtered like a body, and then its dashes
/// (`wp_kses_split2`).
fn is_left_of(sent: &str, stored: &str) -> bool {
    says(&single_dashes(sent), stored, ContentFilter::On, Place::Body)
}

/// In a comment the filter makes one dash of several, and none at the end.
fn single_dashes(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        if character != '-' || !out.ends_with('-') {
            out.push(character);
        }
    }
    out.strip_suffix('-').map(str::to_owned).unwrap_or(out)
}

fn same_json(sent: &Json, stored: &Json, filter: ContentFilter) -> bool {
    match (sent, stored) {
        (Json::None, Json::None) => true,
        (Json::Values(sent), Json::Values(stored)) => same_maps(sent, stored, filter),
        // PHP can't read it, and 6.8 and later write what they could read.
        (Json::Other(broken), Json::None) => broken.starts_with('{'),
        (Json::Other(sent), Json::Other(stored)) => sent == stored,
        (Json::None | Json::Values(_) | Json::Other(_), _) => false,
    }
}

fn same_maps(
    sent: &Map<String, Value>,
    stored: &Map<String, Value>,
    filter: ContentFilter,
) -> bool {
    sent.len() == stored.len()
        && sent.iter().all(|(key, value)| {
            stored.get(key).is_some_and(|stored| same_value(value, stored, filter))
        })
}

fn same_value(sent: &Value, stored: &Value, filter: ContentFilter) -> bool {
    match (sent, stored) {
        (Value::Object(sent), Value::Object(stored)) => same_maps(sent, stored, filter),
        // PHP has one kind of array, and writes an empty one as a list.
        (Value::Object(sent), Value::Array(stored)) => sent.is_empty() && stored.is_empty(),
        (Value::Array(sent), Value::Array(stored)) => {
            let mut pairs = sent.iter().zip(stored);
            sent.len() == stored.len()
                && pairs.all(|(sent, stored)| same_value(sent, stored, filter))
        }
        (Value::Number(sent), Value::Number(stored)) => same_number(sent, stored),
        (Value::String(sent), Value::String(stored)) => {
            sent == stored || filter == ContentFilter::On && says(sent, stored, filter, Place::Body)
        }
        (
            Value::Object(_)
            | Value::Array(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Bool(_)
            | Value::Null,
            _,
        ) => sent == stored,
    }
}

/// PHP holds whole numbers of 64 bits, and anything else as a float.
fn same_number(sent: &Number, stored: &Number) -> bool {
    sent == stored || sent.as_i64().is_none() && sent.as_f64() == stored.as_f64()
}
