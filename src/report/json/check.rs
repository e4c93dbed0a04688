//! What `check` found, in the envelope of every result.
//!
//! Absent from here: a check that could not begin, which ends as every other command does.
//! The one rule: nothing in it comes from a site.

use schemars::JsonSchema;
use serde::Serialize;

use super::shape::ErrorEntry;
use crate::article::{Checked, Problem};
use crate::report::exit::Exit;

/// What `check` found. Where it could not even begin, it ends with the schema `result`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CheckDocument<'a> {
    /// The name and version of this schema.
    #[schemars(extend("const" = super::SCHEMA))]
    schema: &'static str,
    /// The command.
    #[schemars(extend("const" = "check"))]
    command: &'static str,
    /// There is none.
    run_id: Option<String>,
    /// No site was asked.
    site: Option<String>,
    /// Whether every article may be sent.
    ok: bool,
    /// The exit code.
    exit_code: u8,
    /// How many articles ended how.
    counts: CheckCounts,
    /// One entry for each article.
    articles: Vec<CheckEntry<'a>>,
    /// What stops nothing, but its author should know.
    warnings: &'a [Problem],
    /// There are none.
    errors: [ErrorEntry; 0],
    /// There are none.
    remarks: [String; 0],
    /// Commands for the whole result.
    next: Vec<&'static str>,
}

/// How many articles ended how.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct CheckCounts {
    /// May be sent.
    valid: usize,
    /// Have a problem.
    invalid: usize,
}

/// One article.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct CheckEntry<'a> {
    /// Its slug, as people write it.
    slug: Option<String>,
    /// Its type, where it may be sent.
    #[serde(rename = "type")]
    post_type: Option<String>,
    /// Its file.
    path: &'a str,
    /// Whether it may be sent.
    outcome: Validity,
    /// What is wrong. The messages may quote the file.
    problems: &'a [Problem],
    /// How many images and other files it would upload.
    images: usize,
}

/// Whether an article may be sent.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Validity {
    /// It may be sent.
    Valid,
    /// It has a problem.
    Invalid,
}

impl<'a> CheckDocument<'a> {
    /// The object of this check.
    #[must_use]
    pub fn of(checked: &'a Checked, exit: Exit) -> Self {
        let valid = checked.articles.iter().map(|article| CheckEntry {
            slug: Some(article.key.slug.readable()),
            post_type: Some(article.key.post_type.as_str().to_owned()),
            path: &article.path,
            outcome: Validity::Valid,
            problems: &[],
            images: article.images.len(),
        });
        let invalid = checked.invalid.iter().map(|file| CheckEntry {
            slug: file.slug.clone(),
            post_type: None,
            path: &file.path,
            outcome: Validity::Invalid,
            problems: &file.problems,
            images: 0,
        });
        let mut articles: Vec<_> = valid.chain(invalid).collect();
        articles.sort_by_key(|article| article.path);
        let next = if checked.invalid.is_empty() { "oncepress plan" } else { "oncepress check" };
        Self {
            schema: super::SCHEMA,
            command: "check",
            run_id: None,
            site: None,
            ok: exit.is_good(),
            exit_code: exit.code(),
            counts: CheckCounts { valid: checked.articles.len(), invalid: checked.invalid.len() },
            articles,
            warnings: &checked.warnings,
            errors: [],
            remarks: [],
            next: vec![next],
        }
    }
}
