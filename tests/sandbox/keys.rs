//! The keys and words of every schema, as a list that was looked at.
//!
//! Absent from here: what they mean. The one rule: a schema comes from the type, so a key
//! that is renamed there is renamed in both; this list is what notices. Versions only add.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use crate::contract::SCHEMAS;

/// A key's path, and what is said of it; `?` behind what may be missing.
fn collect(root: &Value, part: &Value, path: &str, found: &mut BTreeMap<String, Vec<String>>) {
    if let Some(target) = part["$ref"].as_str() {
        let target = target.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
        collect(root, target.expect("a definition"), path, found);
    }
    for branch in ["oneOf", "anyOf", "allOf"] {
        for part in part[branch].as_array().into_iter().flatten() {
            collect(root, part, path, found);
        }
    }
    if part["items"].is_object() {
        collect(root, &part["items"], path, found);
    }
    let words = part["enum"].as_array().into_iter().flatten().chain(part.get("const"));
    found.entry(path.to_owned()).or_default().extend(words.map(Value::to_string));
    let required = part["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (key, below) in part["properties"].as_object().into_iter().flatten() {
        let dot = if path.is_empty() { "" } else { "." };
        let maybe = if required.contains(&Value::from(key.as_str())) { "" } else { "?" };
        collect(root, below, &format!("{path}{dot}{key}{maybe}"), found);
    }
}

#[test]
fn no_key_and_no_word_goes_away_or_gets_another_name() {
    let mut text = String::new();
    for (name, schema) in SCHEMAS.iter() {
        let mut found = BTreeMap::new();
        collect(schema, schema, "", &mut found);
        found.remove("");
        let _ = writeln!(text, "{name}");
        for (path, mut words) in found {
            words.sort();
            words.dedup();
            let _ = writeln!(text, "{}", format!("  {path} {}", words.join(" ")).trim_end());
        }
    }
    insta::assert_snapshot!("keys", text);
}
