//! Categories and tags as given.
//!
//! Absent from here: which terms a site has. The rule to keep: a name is kept exactly;
//! it is compared on the site, not bent here.

use std::collections::HashSet;

use crate::names::TermId;

use super::fault::{Finding, quoted};
use super::fields::{Field, Text, Value, wrong_type};
use super::model::TermName;

/// Characters of a name that WordPress stores (`wp_terms.name`).
const NAME_CHARS_MAX: usize = 200;

/// Reads the terms of a field: a list of texts, or one text.
pub(super) fn read(
    field: &Field,
    findings: &mut Vec<Finding>,
    warnings: &mut Vec<Finding>,
) -> Vec<TermName> {
    let one;
    let items = match &field.value {
        Value::List(items) => items.as_slice(),
        // `tags:` with nothing behind it is an empty list in YAML.
        Value::Text(text) if text.trim().is_empty() => return Vec::new(),
        Value::Text(text) => {
            if text.contains(',') {
                let message = format!(
                    "{} is taken as one name: write {}: [one, two] for several",
                    quoted(text),
                    field.name
                );
                warnings.push(Finding::new(field.line, "term_comma", message));
            }
            one = [Text { text: text.clone(), line: field.line }];
            one.as_slice()
        }
        other @ Value::Map(_) => {
            findings.push(wrong_type(&field.name, other.kind(), "a list of texts").at(field.line));
            return Vec::new();
        }
    };
    let mut seen = HashSet::new();
    let mut terms = Vec::new();
    for Text { text, line } in items {
        let text = text.trim();
        // WordPress' database compares names without regard to case.
        let folded = text.to_lowercase();
        let finding = if text.is_empty() {
            Some(("term_empty", format!("a name in {} is empty", field.name)))
        } else if text.chars().count() > NAME_CHARS_MAX {
            let message = format!("{} is longer than {NAME_CHARS_MAX} characters", quoted(text));
            Some(("term_too_long", message))
        } else if !seen.insert(folded) {
            Some(("term_duplicate", format!("{} is in {} twice", quoted(text), field.name)))
        } else {
            match parse(text) {
                Some(term) => {
                    terms.push(term);
                    None
                }
                None => Some((
                    "term_id_invalid",
                    format!("{} is not an id: write id: and a number above zero", quoted(text)),
                )),
            }
        };
        findings.extend(finding.map(|(code, message)| Finding::new(*line, code, message)));
    }
    terms
}

fn parse(text: &str) -> Option<TermName> {
    match text.strip_prefix("id:") {
        None => Some(TermName::Name(text.to_owned())),
        Some(number) => number.trim().parse().ok().and_then(TermId::new).map(TermName::Id),
    }
}
