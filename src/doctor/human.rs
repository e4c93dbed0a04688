//! Findings for people: a line for each check, and below it what needs words.
//!
//! Absent from here: judging, and when to print. The one rule: 80 columns, and a fix
//! stands right below what it mends.

use std::fmt::Write as _;

use super::check::{Check, Status};
use super::finding::Finding;
use super::next_commands;
use crate::report::Exit;
use crate::report::human::Paint;

/// Columns of a line. Narrower than any terminal in use.
const COLUMNS: usize = 80;
/// Columns of a check's name.
const NAME: usize = 13;
/// Where the words of a check begin.
const INDENT: &str = "                        ";

/// The whole result as text, ending in a line feed.
#[must_use]
pub fn text(site: Option<&str>, findings: &[Finding], exit: Exit, paint: Paint) -> String {
    let mut out = String::new();
    if let Some(site) = site {
        let _ = writeln!(out, "site {site}");
    }
    for finding in findings {
        line(&mut out, finding, paint);
    }
    out.push_str(&counts(findings));
    for (index, command) in next_commands(findings, exit).iter().enumerate() {
        let lead = if index == 0 { "next: " } else { "      " };
        let _ = writeln!(out, "{lead}{command}");
    }
    out
}

fn line(out: &mut String, finding: &Finding, paint: Paint) {
    let status = finding.status();
    let mark = painted(&format!("{:<7}", status.word()), status, paint);
    let head = format!("{mark}  {:<NAME$}  ", label(finding.check()));
    let code = match status {
        Status::Ok | Status::Skipped => String::new(),
        Status::Warning | Status::Problem => format!(" ({})", finding.code()),
    };
    // The head may hold colours, which take no columns: it is put in afterwards.
    let body = wrapped(&format!("{}{code}", finding.message()), INDENT, INDENT);
    let body = body.strip_prefix(INDENT).unwrap_or(&body);
    let _ = writeln!(out, "{head}{body}");
    let rows = finding.evidence().into_iter().map(|text| ("seen: ", text));
    let rows = rows.chain(finding.hints().into_iter().map(|text| ("fix:  ", text)));
    for (lead, text) in rows {
        let (first, rest) = (format!("{INDENT}{lead}"), format!("{INDENT}      "));
        let _ = writeln!(out, "{}", wrapped(&text, &first, &rest));
    }
}

fn wrapped(text: &str, first: &str, rest: &str) -> String {
    let options = textwrap::Options::new(COLUMNS)
        .initial_indent(first)
        .subsequent_indent(rest)
        // Addresses stay whole, for copying.
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::fill(text, options)
}

fn label(check: Check) -> String {
    match check {
        Check::SignIn | Check::LookUps => check.code().replace('_', "-"),
        Check::Configuration
        | Check::Password
        | Check::Connection
        | Check::Address
        | Check::RestApi
        | Check::ApplicationPasswords
        | Check::Rights
        | Check::Html
        | Check::Languages
        | Check::Uploads
        | Check::Clock => check.code().replace('_', " "),
    }
}

fn painted(text: &str, status: Status, paint: Paint) -> String {
    let colour = match (paint, status) {
        (Paint::Never, _) | (Paint::Always, Status::Skipped) => return text.to_owned(),
        (Paint::Always, Status::Ok) => 32,
        (Paint::Always, Status::Warning) => 33,
        (Paint::Always, Status::Problem) => 31,
    };
    format!("\u{1b}[{colour}m{text}\u{1b}[0m")
}

fn counts(findings: &[Finding]) -> String {
    let count = |status: Status| {
        let of = findings.iter().filter(|finding| finding.status() == status).count();
        let many = match status {
            Status::Warning | Status::Problem if of > 1 => "s",
            Status::Ok | Status::Skipped | Status::Warning | Status::Problem => "",
        };
        (of > 0).then(|| format!("{of} {}{many}", status.word()))
    };
    let all = [Status::Ok, Status::Warning, Status::Problem, Status::Skipped];
    let mut text = all.into_iter().filter_map(count).collect::<Vec<_>>().join(", ");
    text.push('\n');
    text
}
