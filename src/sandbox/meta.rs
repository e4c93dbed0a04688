//! Meta: the keys that a type has registered, and what is made of those in a request.
//!
//! Absent from here: meta without a type in REST, which nobody sees. The one rule: unknown
//! keys are dropped, and what does not fit is refused after the row was inserted
//! (facts §3).

use serde_json::{Map, Value, json};

use super::mishap::Mishap;
use super::post::{Post, PostKind};
use super::reply::{Body, Reply};
use super::rest::Ask;
use super::world::{Version, World};

/// A key that a type has registered.
pub(super) struct Key {
    pub(super) name: &'static str,
    holds: Holds,
}

/// What a key's value is.
#[derive(Debug, Clone, Copy)]
enum Holds {
    Text,
    /// A text of so many letters at most.
    ShortText(usize),
    Whole,
}

const fn key(name: &'static str, holds: Holds) -> Key {
    Key { name, holds }
}

/// Since a version between 6.1 and 6.8.
const OF_CORE: &[Key] = &[key("footnotes", Holds::Text)];
const OF_BOOKS: &[Key] = &[
    key("lab_pages", Holds::Whole),
    key("lab_subtitle", Holds::Text),
    key("lab_short", Holds::ShortText(3)),
];

/// The keys of a type.
pub(super) fn keys(kind: PostKind, version: Version) -> &'static [Key] {
    match kind {
        PostKind::Post | PostKind::Page if version >= Version::V6_8 => OF_CORE,
        PostKind::Book => OF_BOOKS,
        PostKind::Post | PostKind::Page | PostKind::Attachment | PostKind::Chapter => &[],
    }
}

impl Key {
    /// What a row has that was given nothing.
    pub(super) fn usual(&self) -> Value {
        match self.holds {
            Holds::Text | Holds::ShortText(_) => json!(""),
            Holds::Whole => json!(0),
        }
    }

    fn about(&self) -> Value {
        let mut about = json!({ "type": self.holds.word(), "default": self.usual() });
        if let (Holds::ShortText(letters), Value::Object(about)) = (self.holds, &mut about) {
            about.insert("maxLength".to_owned(), json!(letters));
        }
        about
    }

    /// The value as it is stored, or the refusal. `null` takes a value away, and looks
    /// first whether what is there fits: nothing is no number.
    fn taken(&self, value: &Value, stands: Option<&Value>) -> Result<Value, Reply> {
        let name = self.name;
        let wrong_type = || wrong_type(name, self.holds.word());
        match (self.holds, value) {
            (Holds::Text | Holds::ShortText(_), Value::Null) => Ok(self.usual()),
            (Holds::Whole, Value::Null) if stands.is_some_and(|value| *value != self.usual()) => {
                Ok(self.usual())
            }
            (Holds::Whole, Value::Null) => {
                let message = format!(
                    "The {name} property has an invalid stored value, and cannot be updated to null."
                );
                Err(Reply::error(500, "rest_invalid_stored_value", &message))
            }
            (Holds::ShortText(most), Value::String(text)) if text.chars().count() > most => {
                let message = format!("meta.{name} must be at most {most} characters long.");
                Err(Reply::error(400, "rest_too_long", &message))
            }
            (Holds::Text | Holds::ShortText(_), Value::String(_)) => Ok(value.clone()),
            (Holds::Text | Holds::ShortText(_), _) => Err(wrong_type()),
            (Holds::Whole, Value::Number(number)) => {
                number.as_i64().map(Value::from).ok_or_else(wrong_type)
            }
            (Holds::Whole, Value::String(text)) => {
                text.parse::<i64>().map(Value::from).map_err(|_| wrong_type())
            }
            (Holds::Whole, _) => Err(wrong_type()),
        }
    }
}

impl Holds {
    fn word(self) -> &'static str {
        match self {
            Self::Text | Self::ShortText(_) => "string",
            Self::Whole => "integer",
        }
    }
}

impl World {
    /// What a route says of its parameter `meta`.
    pub(super) fn meta_argument(&self, kind: PostKind) -> Value {
        let told = |key: &Key| (key.name.to_owned(), key.about());
        let keys: Map<String, Value> = keys(kind, self.version).iter().map(told).collect();
        // PHP writes an empty map as a list.
        let keys = if keys.is_empty() { json!([]) } else { Value::Object(keys) };
        json!({ "required": false, "type": "object", "properties": keys })
    }
}

/// Sets what the request names. Of several that don't fit the first is told.
pub(super) fn set(ask: &Ask<'_>, post: &mut Post, version: Version) -> Option<Reply> {
    let Some(Value::Object(meta)) = ask.params.get("meta") else { return None };
    for key in keys(post.kind, version) {
        let Some(value) = meta.get(key.name) else { continue };
        match key.taken(value, post.meta.get(key.name)) {
            Ok(value) => drop(post.meta.insert(key.name.to_owned(), value)),
            Err(refusal) => return Some(refusal),
        }
    }
    None
}

/// Meta that the site refuses, whatever it is.
pub(super) fn refused(ask: &Ask<'_>) -> Option<Reply> {
    let meta = ask.params.get("meta").and_then(Value::as_object);
    let key = meta.and_then(|meta| meta.keys().next()).map_or("secret", String::as_str);
    match ask.mishap {
        Some(Mishap::RefusedAfterInsert) => {
            let message = format!("Sorry, you are not allowed to edit the {key} custom field.");
            let data = json!({ "key": key, "status": 403 });
            Some(Reply::error_with(403, "rest_cannot_update", &message, &data))
        }
        Some(Mishap::TypeErrorAfterInsert) => Some(wrong_type(key, "integer")),
        Some(_) | None => None,
    }
}

fn wrong_type(key: &str, kind: &str) -> Reply {
    let message = format!("meta.{key} is not of type {kind}.");
    let mut reply = Reply::error(400, "rest_invalid_type", &message);
    if let Body::Json(Value::Object(body)) = &mut reply.body {
        let param = json!([{ "param": format!("meta.{key}") }]);
        body.insert("additional_data".to_owned(), param);
    }
    reply
}
