//! Findings as one JSON object: `oncepress.doctor/1`. Changes to it only add.
//!
//! Absent from here: where it is written to. The one rule: whatever the site said in it
//! is bounded and without control characters, because it was cleaned when it was read.

use serde::Serialize;

use super::check::Status;
use super::finding::Finding;
use super::next_commands;
use crate::report::Exit;
use crate::run::result::TroubleKind;

/// The name and version of the object.
pub const SCHEMA: &str = "oncepress.doctor/1";

/// The object.
#[derive(Debug, Serialize)]
pub struct Document<'a> {
    schema: &'static str,
    command: &'static str,
    site: Option<&'a str>,
    ok: bool,
    exit_code: u8,
    checks: Vec<CheckEntry<'a>>,
    errors: Vec<ErrorEntry<'a>>,
    next: Vec<String>,
}

#[derive(Debug, Serialize)]
struct CheckEntry<'a> {
    check: &'static str,
    code: &'a str,
    status: &'static str,
    message: String,
    evidence: Vec<String>,
    hint: Option<String>,
}

#[derive(Debug, Serialize)]
struct ErrorEntry<'a> {
    code: &'a str,
    message: String,
    hint: Option<String>,
    retryable: bool,
    remote_effect: &'static str,
}

/// The object of these findings.
#[must_use]
pub fn document<'a>(site: Option<&'a str>, findings: &'a [Finding], exit: Exit) -> Document<'a> {
    let problems = findings.iter().filter(|finding| finding.status() == Status::Problem);
    Document {
        schema: SCHEMA,
        command: "doctor",
        site,
        ok: exit == Exit::Settled,
        exit_code: exit.code(),
        checks: findings.iter().map(check).collect(),
        errors: problems.map(error).collect(),
        next: next_commands(findings, exit),
    }
}

fn check(finding: &Finding) -> CheckEntry<'_> {
    CheckEntry {
        check: finding.check().code(),
        code: finding.code(),
        status: finding.status().word(),
        message: finding.message(),
        evidence: finding.evidence(),
        hint: hint(finding),
    }
}

fn error(finding: &Finding) -> ErrorEntry<'_> {
    ErrorEntry {
        code: finding.code(),
        message: finding.message(),
        hint: hint(finding),
        retryable: finding.trouble_kind() == Some(TroubleKind::Temporary),
        remote_effect: "none",
    }
}

fn hint(finding: &Finding) -> Option<String> {
    let hints = finding.hints();
    (!hints.is_empty()).then(|| hints.join("; or "))
}
