//! The parameters of a request: query and JSON body as one map.
//!
//! Absent from here: what they mean. The one rule: the body wins over the query, and a
//! list may come as an array or as text with commas, as WordPress takes it.

use serde_json::{Map, Value};

use super::Request;
use super::form::{Content, add_field, parts};

/// The parameters of a request.
#[derive(Debug, Clone, Default)]
pub(super) struct Params(Map<String, Value>);

/// The body is not the JSON that its type announces.
#[derive(Debug)]
pub(super) struct NotJson;

impl Params {
    /// Reads the query alone.
    pub(super) fn of_query(request: &Request) -> Self {
        let mut all = Map::new();
        let query = request.uri().query().unwrap_or_default();
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            add_field(&mut all, &name, value.into_owned());
        }
        Self(all)
    }

    /// Reads query and body.
    pub(super) fn of(request: &Request) -> Result<Self, NotJson> {
        let Self(mut all) = Self::of_query(request);
        if is_json(request) && !request.body().is_empty() {
            match serde_json::from_slice(request.body()) {
                Ok(Value::Object(object)) => all.extend(object),
                // Any other JSON has no parameters in it.
                Ok(_) => {}
                Err(_) => return Err(NotJson),
            }
        } else if header(request, "content-type").starts_with("application/x-www-form-urlencoded") {
            let mut fields = Map::new();
            for (name, value) in url::form_urlencoded::parse(request.body()) {
                add_field(&mut fields, &name, value.into_owned());
            }
            all.extend(fields);
        } else {
            let mut fields = Map::new();
            for part in parts(request) {
                if let Content::Field(value) = part.content {
                    add_field(&mut fields, &part.name, value);
                }
            }
            all.extend(fields);
        }
        Ok(Self(all))
    }

    /// Of a JSON object: one request of a batch.
    pub(super) fn of_object(object: Map<String, Value>) -> Self {
        Self(object)
    }

    /// Whether the request says `null` for this.
    pub(super) fn is_null(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(Value::is_null)
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        self.0.insert(name.to_owned(), value);
    }

    /// A text, or a number written as one.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.get(name).and_then(as_text)
    }

    /// A whole number.
    pub(super) fn number(&self, name: &str) -> Option<i64> {
        self.get(name).and_then(as_number)
    }

    /// A switch.
    pub(super) fn is_on(&self, name: &str) -> bool {
        match self.get(name) {
            Some(Value::Bool(on)) => *on,
            Some(Value::String(text)) => matches!(text.as_str(), "true" | "1"),
            Some(Value::Number(number)) => number.as_i64() == Some(1),
            Some(Value::Null | Value::Array(_) | Value::Object(_)) | None => false,
        }
    }

    /// The entries of a list.
    pub(super) fn list(&self, name: &str) -> Option<Vec<String>> {
        self.get(name).map(as_list)
    }

    /// The whole numbers of a list; others are left out (they were refused before).
    pub(super) fn ids(&self, name: &str) -> Option<Vec<u64>> {
        let ids = |list: Vec<String>| list.iter().filter_map(|id| id.parse().ok()).collect();
        self.list(name).map(ids)
    }

    /// A field such as `title`, which may be a text or an object with `raw`. Anything else
    /// is as good as nothing.
    pub(super) fn raw(&self, name: &str) -> Option<String> {
        let value = self.get(name)?;
        let text = value.as_object().map_or(Some(value), |object| object.get("raw"));
        text.and_then(Value::as_str).map(str::to_owned)
    }
}

pub(super) fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(true) => Some("1".to_owned()),
        Value::Bool(false) => Some(String::new()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

pub(super) fn as_number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.trim().parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

pub(super) fn as_list(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().filter_map(as_text).collect(),
        other => {
            let text = as_text(other).unwrap_or_default();
            let parts = text.split(|c: char| c == ',' || c.is_ascii_whitespace());
            parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
        }
    }
}

/// A header as text; empty if it is not there.
pub(super) fn header<'r>(request: &'r Request, name: &str) -> &'r str {
    request
        .headers()
        .get(name)
        .and_then(|value| std::str::from_utf8(value.as_bytes()).ok())
        .unwrap_or_default()
}

fn is_json(request: &Request) -> bool {
    let kind = header(request, "content-type");
    let kind = kind.split(';').next().unwrap_or_default().trim();
    let subtype = kind.strip_prefix("application/");
    subtype.is_some_and(|subtype| subtype == "json" || subtype.ends_with("+json"))
}
