//! What each code means: `oncepress explain CODE`.
//!
//! Absent from here: when a code is given. The one rule: a code that can be told is
//! explained, and keeps its meaning; a test reads the sources for codes that are not.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::article::CODES;

/// The codes of everything but the offline check, which keeps its own.
const TABLE: &str = include_str!("codes.toml");

/// A code, explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Explanation {
    /// The code.
    pub code: String,
    /// Of what it is said: `held`, `error`, `warning` and so on.
    pub of: String,
    /// What it means.
    pub means: String,
    /// What may exist on the site.
    pub exists: String,
    /// What to do.
    pub todo: String,
}

/// A row of the table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    of: String,
    means: String,
    exists: String,
    todo: String,
}

/// Every code, by name.
///
/// # Errors
///
/// Never, as a test sees to: the table is part of the program.
pub fn all() -> Result<BTreeMap<String, Explanation>, toml::de::Error> {
    let table: BTreeMap<String, Row> = toml::from_str(TABLE)?;
    let of_runs = table.into_iter().map(|(code, row)| {
        let Row { of, means, exists, todo } = row;
        Explanation { code, of, means, exists, todo }
    });
    let of_check = CODES.iter().map(|(code, text)| of_the_check(code, text));
    Ok(of_runs.chain(of_check).map(|one| (one.code.clone(), one)).collect())
}

/// A code of the offline check.
fn of_the_check(code: &str, text: &str) -> Explanation {
    let warning = text.strip_prefix("Warning. ");
    let (of, exists, todo) = match warning {
        Some(_) => ("warning", "What there would be without it.", "See the line that it names."),
        None => (
            "problem of a file",
            "What an earlier run made; nothing is sent of a file with a problem.",
            "Correct the line that it names, then oncepress check.",
        ),
    };
    Explanation {
        code: code.to_owned(),
        of: of.to_owned(),
        means: warning.unwrap_or(text).to_owned(),
        exists: exists.to_owned(),
        todo: todo.to_owned(),
    }
}

/// Codes that were perhaps meant, the nearest first.
#[must_use]
pub fn near<'c>(asked: &str, codes: impl Iterator<Item = &'c String>) -> Vec<&'c str> {
    /// More would be a list to search through again.
    const NEAR_MAX: usize = 3;
    /// Below it, two words have little to do with each other.
    const LIKENESS_MIN: f64 = 0.8;
    let mut likely: Vec<(f64, &str)> = codes
        .map(|code| (strsim::jaro_winkler(asked, code), code.as_str()))
        .filter(|(likeness, _)| *likeness >= LIKENESS_MIN)
        .collect();
    likely.sort_by(|a, b| b.0.total_cmp(&a.0));
    likely.into_iter().take(NEAR_MAX).map(|(_, code)| code).collect()
}

#[cfg(test)]
mod tests;
