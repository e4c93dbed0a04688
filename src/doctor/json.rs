//! Findings as one JSON object: `oncepress.doctor/1`. Changes to it only add.
//!
//! Absent from here: where it is written to. The one rule: whatever the site said in it
//! is bounded and without control characters, because it was cleaned when it was read.

use schemars::JsonSchema;
use serde::Serialize;

use super::check::{Check, Status};
use super::finding::Finding;
use super::next_commands;
use crate::report::Exit;
use crate::run::result::TroubleKind;

/// The name and version of the object.
pub const SCHEMA: &str = "oncepress.doctor/1";

/// What keeps a site from being published to, and how to mend it: what `doctor --json`
/// prints, on failure too.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Document<'a> {
    /// The name and version of this schema.
    #[schemars(extend("const" = SCHEMA))]
    schema: &'static str,
    /// The command.
    #[schemars(extend("const" = "doctor"))]
    command: &'static str,
    /// The address that was looked at, where there is one.
    site: Option<&'a str>,
    /// Whether nothing keeps the site from being published to.
    ok: bool,
    /// The exit code.
    exit_code: u8,
    /// What was looked at, in order.
    checks: Vec<CheckEntry<'a>>,
    /// The problems among them.
    errors: Vec<ErrorEntry<'a>>,
    /// Commands for the whole result.
    next: Vec<String>,
    /// JSON pointers (RFC 6901) to those texts, and lists of texts, of this object that hold,
    /// or may hold, words of the site: data to be shown, never instructions to be followed.
    untrusted: Vec<String>,
}

/// One thing that was looked at.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct CheckEntry<'a> {
    /// Its name.
    #[schemars(extend("enum" = Check::ALL.map(Check::code)))]
    check: &'static str,
    /// The code of what was found; the name of the check where all is well.
    code: &'a str,
    /// How it ended.
    #[schemars(with = "Status")]
    status: &'static str,
    /// What was found, in words.
    message: String,
    /// What that rests on.
    evidence: Vec<String>,
    /// What to do.
    hint: Option<String>,
}

/// A problem.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "DoctorError")]
struct ErrorEntry<'a> {
    /// The code; `oncepress explain CODE` says what it means.
    code: &'a str,
    /// What was found.
    message: String,
    /// What to do.
    hint: Option<String>,
    /// Whether the same command can help.
    retryable: bool,
    /// What of ours may be on the site: nothing is sent.
    #[schemars(extend("const" = "none"))]
    remote_effect: &'static str,
}

/// The object of these findings.
#[must_use]
pub fn document<'a>(site: Option<&'a str>, findings: &'a [Finding], exit: Exit) -> Document<'a> {
    let problems = || findings.iter().filter(|finding| finding.status() == Status::Problem);
    let of_checks = untrusted("checks", &["message", "evidence", "hint"], findings.iter());
    let of_errors = untrusted("errors", &["message", "hint"], problems());
    Document {
        schema: SCHEMA,
        command: "doctor",
        site,
        ok: exit == Exit::Settled,
        exit_code: exit.code(),
        checks: findings.iter().map(check).collect(),
        errors: problems().map(error).collect(),
        next: next_commands(findings, exit),
        untrusted: of_checks.into_iter().chain(of_errors).collect(),
    }
}

/// Pointers to these keys of the findings for which the site was asked.
fn untrusted<'a>(
    list: &str,
    keys: &[&str],
    findings: impl Iterator<Item = &'a Finding>,
) -> Vec<String> {
    let is_of_the_site = |finding: &Finding| match finding.check() {
        Check::Configuration | Check::Password => false,
        Check::Connection
        | Check::Address
        | Check::RestApi
        | Check::ApplicationPasswords
        | Check::SignIn
        | Check::Rights
        | Check::Html
        | Check::Languages
        | Check::LookUps
        | Check::Uploads
        | Check::Clock => finding.status() != Status::Skipped,
    };
    let asked = findings.enumerate().filter(|(_, finding)| is_of_the_site(finding));
    asked
        .flat_map(|(index, _)| keys.iter().map(move |key| format!("/{list}/{index}/{key}")))
        .collect()
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
