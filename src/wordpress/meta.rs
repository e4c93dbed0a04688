//! The meta fields that a type keeps, and values in the type that each wants.
//!
//! Absent from here: which articles have meta. The one rule: what the site would drop,
//! or refuse only after it has made the post (facts §3), is known before the send.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Site;
use super::proof::{judge_read, unanswered, unclear};
use super::text::clean;
use crate::names::PostType;
use crate::protocol::kinds::MetaValue;
use crate::protocol::sighting::{Unclear, UnclearWhy};

/// The meta fields that a type keeps, by key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MetaFields(BTreeMap<String, Wanted>);

/// What one meta field takes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wanted {
    kind: WantedKind,
    /// The only values that the site takes, where it names them.
    choices: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum WantedKind {
    Text,
    Integer,
    Number,
    Boolean,
    /// A list or an object, which the fields of an article can't say.
    Structured(String),
}

/// What became of one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MetaFit {
    /// It is sent so.
    Fits(MetaValue),
    /// The site has no such key, and would drop it without a word.
    NotRegistered,
    /// The site would make the post and then refuse the value; in words, what it takes.
    Refused(String),
}

impl MetaFields {
    /// A value as written, in the type that its key wants.
    #[must_use]
    pub fn fit(&self, key: &str, text: &str) -> MetaFit {
        let Some(wanted) = self.0.get(key) else { return MetaFit::NotRegistered };
        let refused = |what: &str| MetaFit::Refused(what.to_owned());
        let trimmed = text.trim();
        if !wanted.choices.is_empty() && !wanted.choices.iter().any(|choice| choice == text) {
            return refused(&format!("one of {}", wanted.choices.join(", ")));
        }
        match &wanted.kind {
            WantedKind::Text => MetaFit::Fits(MetaValue::Text(text.to_owned())),
            WantedKind::Integer => trimmed.parse().map_or_else(
                |_| refused("a whole number"),
                |n| MetaFit::Fits(MetaValue::Integer(n)),
            ),
            WantedKind::Number => {
                number(trimmed).map_or_else(|| refused("a number"), MetaFit::Fits)
            }
            WantedKind::Boolean => match trimmed.to_ascii_lowercase().as_str() {
                "true" | "1" => MetaFit::Fits(MetaValue::Boolean(true)),
                "false" | "0" => MetaFit::Fits(MetaValue::Boolean(false)),
                _ => refused("true or false"),
            },
            WantedKind::Structured(kind) => {
                refused(&format!("a value of type {kind}, which an article's meta can't be"))
            }
        }
    }

    /// The keys, for a person.
    #[must_use]
    pub fn keys(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }
}

/// A number as JSON has it: what the site sends back is compared with it.
fn number(text: &str) -> Option<MetaValue> {
    if let Ok(whole) = text.parse() {
        return Some(MetaValue::Integer(whole));
    }
    let number = serde_json::Number::from_f64(text.parse().ok()?)?;
    Some(MetaValue::Number(number.to_string()))
}

/// What a route's description says of its meta; nothing, if it does not say.
pub(crate) fn meta_in(route: &Value) -> Option<MetaFields> {
    let takes_post = |endpoint: &&Value| {
        endpoint
            .get("methods")
            .and_then(Value::as_array)
            .is_some_and(|methods| methods.iter().any(|method| method == "POST"))
    };
    let endpoints = route.get("endpoints")?.as_array()?;
    let args = endpoints.iter().find(takes_post)?.get("args")?;
    // A type without custom fields has no meta at all.
    let Some(meta) = args.get("meta") else { return Some(MetaFields::default()) };
    let properties = match meta.get("properties")? {
        Value::Object(properties) => properties,
        // PHP's empty map.
        Value::Array(none) if none.is_empty() => return Some(MetaFields::default()),
        _ => return None,
    };
    Some(MetaFields(properties.iter().map(|(key, told)| (key.clone(), wanted(told))).collect()))
}

fn wanted(told: &Value) -> Wanted {
    let kinds: Vec<&str> = match told.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let kind = match kinds.as_slice() {
        // As written is safest where the site takes several types, or does not say.
        [] => WantedKind::Text,
        kinds if kinds.contains(&"string") => WantedKind::Text,
        ["integer", ..] => WantedKind::Integer,
        ["number", ..] => WantedKind::Number,
        ["boolean", ..] => WantedKind::Boolean,
        [other, ..] => WantedKind::Structured(clean(other)),
    };
    let word = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let choices = told.get("enum").and_then(Value::as_array);
    let choices = choices.map(|choices| choices.iter().map(word).collect()).unwrap_or_default();
    Wanted { kind, choices }
}

impl Site {
    /// The meta fields that this type keeps: from the index that preflight read, else by
    /// one question.
    pub async fn meta_fields(&self, post_type: PostType) -> Result<MetaFields, Unclear> {
        let known = match post_type {
            PostType::Post => &self.meta.posts,
            PostType::Page => &self.meta.pages,
            PostType::Other(_) => &None,
        };
        if let Some(known) = known {
            return Ok(known.clone());
        }
        let route = self.route_of(post_type).await?;
        let answer = self.wire.options(&self.root, route).await;
        let told = judge_read(&answer.map_err(|failure| unanswered(&failure))?)?;
        let not_told = || unclear(UnclearWhy::NotJson, "the site does not say which meta it keeps");
        meta_in(&told).ok_or_else(not_told)
    }
}

/// What the index says of the meta of posts and pages.
#[derive(Debug, Default)]
pub(crate) struct KnownMeta {
    posts: Option<MetaFields>,
    pages: Option<MetaFields>,
}

impl KnownMeta {
    pub(crate) fn in_index(index: &Value) -> Self {
        let of = |route: &str| meta_in(index.get("routes")?.get(route)?);
        Self { posts: of("/wp/v2/posts"), pages: of("/wp/v2/pages") }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields() -> MetaFields {
        let properties = json!({
            "text": { "type": "string" },
            "whole": { "type": "integer", "default": 0 },
            "any": { "type": "number" },
            "yes": { "type": "boolean" },
            "one": { "type": "string", "enum": ["a", "b"] },
            "list": { "type": "array", "items": { "type": "string" } },
            "both": { "type": ["integer", "string"] },
        });
        let endpoints = json!([
            { "methods": ["GET"], "args": {} },
            { "methods": ["POST"], "args": { "meta": { "properties": properties } } },
        ]);
        meta_in(&json!({ "endpoints": endpoints })).expect("it says")
    }

    #[test]
    fn a_value_gets_the_type_that_its_key_wants_or_is_refused() {
        let fields = fields();
        let told = |key: &str, text: &str| match fields.fit(key, text) {
            MetaFit::Fits(MetaValue::Text(text)) => format!("text {text:?}"),
            MetaFit::Fits(MetaValue::Integer(number)) => format!("integer {number}"),
            MetaFit::Fits(MetaValue::Number(number)) => format!("number {number}"),
            MetaFit::Fits(MetaValue::Boolean(yes)) => format!("boolean {yes}"),
            MetaFit::NotRegistered => "not registered".to_owned(),
            MetaFit::Refused(what) => format!("refused: {what}"),
        };
        let rows = [
            ("text", " 007 ", "text \" 007 \""),
            ("whole", "42", "integer 42"),
            ("whole", " -3 ", "integer -3"),
            ("whole", "many", "refused: a whole number"),
            ("whole", "", "refused: a whole number"),
            ("whole", "9223372036854775808", "refused: a whole number"),
            ("any", "1.10", "number 1.1"),
            ("any", "3", "integer 3"),
            ("any", "NaN", "refused: a number"),
            ("yes", "True", "boolean true"),
            ("yes", "0", "boolean false"),
            ("yes", "yes", "refused: true or false"),
            ("one", "b", "text \"b\""),
            ("one", "c", "refused: one of a, b"),
            ("list", "a", "refused: a value of type array, which an article's meta can't be"),
            ("both", "7", "text \"7\""),
            ("other", "x", "not registered"),
        ];
        for (key, text, wanted) in rows {
            assert_eq!(told(key, text), wanted, "{key}: {text}");
        }
    }

    #[test]
    fn a_route_that_does_not_say_is_not_one_that_keeps_nothing() {
        let post = |args: Value| json!({ "endpoints": [{ "methods": ["POST"], "args": args }] });
        let none = Some(MetaFields::default());
        assert_eq!(meta_in(&post(json!({ "title": {} }))), none);
        assert_eq!(meta_in(&post(json!({ "meta": { "properties": [] } }))), none);
        assert_eq!(meta_in(&post(json!({ "meta": { "required": false } }))), None);
        assert_eq!(meta_in(&json!({ "endpoints": [] })), None);
        assert_eq!(meta_in(&json!([])), None);
    }
}
