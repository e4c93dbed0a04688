//! `--fields`: a document cut to the keys that somebody wants to read.
//!
//! Absent from here: which documents a command can end with. The one rule: what says how
//! the command ended, and which texts are not to be trusted, is never cut away.

use std::collections::BTreeSet;

use schemars::Schema;
use serde_json::{Map, Value};

/// Keys at the top that stay, whatever is asked for.
const ALWAYS: [&str; 4] = ["schema", "command", "ok", "exit_code"];
/// The key that names texts of the site; it stays as far as it names what is left.
const UNTRUSTED: &str = "untrusted";

/// Keys, as paths from the top: `articles.slug` is the slug of each article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields(Vec<Vec<String>>);

impl Fields {
    /// The paths in these words, whether or not there are such keys.
    #[must_use]
    pub fn named(words: &[String]) -> Self {
        let path = |word: &String| word.split('.').map(str::to_owned).collect();
        Self(words.iter().map(path).collect())
    }

    /// The first path that none of these schemas has, with all the paths that they have.
    #[must_use]
    pub fn unknown(&self, schemas: &[Schema]) -> Option<(String, BTreeSet<String>)> {
        let mut known = BTreeSet::new();
        for schema in schemas {
            collect(schema.as_value(), schema.as_value(), "", &mut known);
        }
        let paths = self.0.iter().map(|path| path.join("."));
        paths.into_iter().find(|path| !known.contains(path)).map(|path| (path, known))
    }

    /// The document with these keys alone.
    #[must_use]
    pub fn cut(&self, document: Value) -> Value {
        let Value::Object(whole) = document else { return document };
        let untrusted = whole.get(UNTRUSTED).cloned();
        let mut paths: Vec<&[String]> = self.0.iter().map(Vec::as_slice).collect();
        let always: Vec<[String; 1]> = ALWAYS.map(|key| [key.to_owned()]).into();
        paths.extend(always.iter().map(<[String; 1]>::as_slice));
        let mut cut = cut(Value::Object(whole), &paths);
        let left = untrusted.as_ref().and_then(Value::as_array).into_iter().flatten();
        let is_left = |pointer: &&Value| {
            pointer.as_str().is_some_and(|pointer| cut.pointer(pointer).is_some())
        };
        let left: Vec<Value> = left.filter(is_left).cloned().collect();
        if let (false, Value::Object(keys)) = (left.is_empty(), &mut cut) {
            keys.insert(UNTRUSTED.to_owned(), Value::Array(left));
        }
        cut
    }
}

/// A value with these keys alone, and a list with entries of these keys alone.
fn cut(value: Value, paths: &[&[String]]) -> Value {
    // Somebody wants all of it.
    if paths.iter().any(|path| path.is_empty()) {
        return value;
    }
    match value {
        Value::Object(keys) => Value::Object(
            keys.into_iter()
                .filter_map(|(key, value)| {
                    let below: Vec<&[String]> = paths
                        .iter()
                        .filter_map(|path| path.split_first())
                        .filter(|(first, _)| **first == key)
                        .map(|(_, rest)| rest)
                        .collect();
                    if below.is_empty() { None } else { Some((key, cut(value, &below))) }
                })
                .collect::<Map<_, _>>(),
        ),
        Value::Array(items) => {
            Value::Array(items.into_iter().map(|item| cut(item, paths)).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    }
}

/// Adds the paths of all keys that a part of a schema speaks of.
fn collect(root: &Value, part: &Value, prefix: &str, found: &mut BTreeSet<String>) {
    let Value::Object(words) = part else { return };
    if let Some(target) = words.get("$ref").and_then(Value::as_str) {
        let target = target.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
        collect(root, target.unwrap_or(&Value::Null), prefix, found);
    }
    for word in ["oneOf", "anyOf", "allOf"] {
        for branch in words.get(word).and_then(Value::as_array).into_iter().flatten() {
            collect(root, branch, prefix, found);
        }
    }
    if let Some(items) = words.get("items") {
        collect(root, items, prefix, found);
    }
    for (key, below) in words.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let dot = if prefix.is_empty() { "" } else { "." };
        let path = format!("{prefix}{dot}{key}");
        collect(root, below, &path, found);
        found.insert(path);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn cut_to(fields: &[&str], document: Value) -> Value {
        let words: Vec<String> = fields.iter().map(|word| (*word).to_owned()).collect();
        Fields::named(&words).cut(document)
    }

    #[test]
    fn a_path_goes_through_lists_and_keeps_the_order_and_what_says_how_it_ended() {
        let document = json!({
            "schema": "x", "command": "push", "ok": true, "exit_code": 0, "site": "s",
            "articles": [{"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"d": 4}}, {}], "empty": [],
        });
        let ends = r#""schema":"x","command":"push","ok":true,"exit_code":0"#;
        for (fields, more) in [
            (&["site"][..], r#","site":"s""#),
            (
                &["articles.b.d", "articles.a"],
                r#","articles":[{"a":1,"b":{"d":3}},{"b":{"d":4}},{}]"#,
            ),
            (
                &["articles.b", "articles.b.d"],
                r#","articles":[{"b":{"c":2,"d":3}},{"b":{"d":4}},{}]"#,
            ),
            (&["empty"], r#","empty":[]"#),
            (&["exit_code"], ""),
        ] {
            let cut = cut_to(fields, document.clone()).to_string();
            assert_eq!(cut, format!("{{{ends}{more}}}"), "{fields:?}");
        }
    }

    #[test]
    fn what_is_left_of_the_sites_words_stays_named() {
        let document = json!({
            "articles": [{"message": "m", "slug": "s"}, {"message": "n"}],
            "untrusted": ["/articles/1/message"],
        });
        assert_eq!(
            cut_to(&["articles.slug"], document.clone()),
            json!({
                "articles": [{"slug": "s"}, {}],
            })
        );
        assert_eq!(
            cut_to(&["articles.message"], document),
            json!({
                "articles": [{"message": "m"}, {"message": "n"}],
                "untrusted": ["/articles/1/message"],
            })
        );
    }

    #[test]
    fn a_path_that_no_schema_has_is_found() {
        let schema = Schema::try_from(json!({
            "properties": {"articles": {"items": {"$ref": "#/$defs/Entry"}}, "site": {}},
            "$defs": {"Entry": {
                "properties": {"slug": {}}, "oneOf": [{"properties": {"outcome": {}}}],
            }},
        }));
        let schemas = [schema.expect("a schema")];
        let unknown = |path: &str| Fields::named(&[path.to_owned()]).unknown(&schemas);
        for path in ["site", "articles", "articles.slug", "articles.outcome"] {
            assert_eq!(unknown(path), None);
        }
        for path in ["slug", "articles.site", "site.x", "", "articles.", ".site"] {
            let (told, known) = unknown(path).expect("it is not there");
            assert_eq!((told.as_str(), known.len()), (path, 4));
        }
    }
}
