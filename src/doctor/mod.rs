//! What may keep a site from being published to, told with evidence and a fix.
//!
//! [`ask()`] collects what the site shows, [`judge()`] makes findings of it, [`human`] and
//! [`json`] tell them. Absent from here: finding the site, which is done by the same
//! steps as at the start of a run (`wordpress::examine`), and anything that changes the
//! site. The one rule: nothing is asked that a look-up would not ask, and the account is
//! tried once.

mod ask;
pub mod check;
pub mod facts;
pub mod finding;
pub mod human;
pub mod json;
mod judge;
mod words;

#[cfg(test)]
mod tests;

pub use ask::ask;
pub use check::{Check, Status};
pub use finding::Finding;
pub use judge::judge;

use crate::report::Exit;

/// The exit that these findings call for.
#[must_use]
pub fn exit_of(findings: &[Finding]) -> Exit {
    let problems = findings.iter().filter(|finding| finding.status() == Status::Problem);
    Exit::worst(problems.filter_map(Finding::trouble_kind).map(Exit::of_trouble))
}

/// The commands that come next.
#[must_use]
pub fn next_commands(findings: &[Finding], exit: Exit) -> Vec<String> {
    let is_signed_in = findings
        .iter()
        .any(|finding| finding.check() == Check::SignIn && finding.status() == Status::Ok);
    let command = match exit {
        Exit::Settled if is_signed_in => "oncepress plan",
        Exit::Settled
        | Exit::Internal
        | Exit::Usage
        | Exit::Unacceptable
        | Exit::Doubt
        | Exit::Temporary
        | Exit::Credentials
        | Exit::LocalState
        | Exit::ToDo
        | Exit::Interrupted
        | Exit::Terminated => "oncepress doctor",
    };
    vec![command.to_owned()]
}
