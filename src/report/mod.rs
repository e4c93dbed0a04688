//! Results for people and for machines.
//!
//! Absent from here: deciding anything. The one rule: both forms are made from the same
//! result, so a person and an agent are never told different things.

pub mod exit;
pub mod human;
pub mod json;
pub mod log;
pub mod plan_file;
pub mod words;

#[cfg(test)]
mod tests;

pub use exit::Exit;

use crate::run::result::{ArticleResult, RunResult, TroubleKind, Verdict};

/// The commands that the whole result of this command calls for, without repeating one.
#[must_use]
pub fn next_commands(command: &str, result: &RunResult) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    commands.extend(result.troubles.iter().filter_map(|trouble| trouble.next.clone()));
    let any = |wanted: fn(&Verdict) -> bool| {
        result.articles.iter().any(|article| wanted(&article.verdict))
    };
    if any(|verdict| matches!(verdict, Verdict::Invalid)) {
        commands.push("oncepress check".to_owned());
    }
    let in_doubt = |verdict: &Verdict| matches!(verdict, Verdict::Held(_) | Verdict::Unknown(_));
    if any(in_doubt) && command != "status" {
        commands.push("oncepress status".to_owned());
    }
    let unsettled = |verdict: &Verdict| {
        matches!(verdict, Verdict::Deferred(_) | Verdict::Unknown(_) | Verdict::WouldCreate)
            || matches!(verdict, Verdict::WouldComplete | Verdict::Rejected(_))
    };
    let temporary = result.troubles.iter().any(|trouble| trouble.kind == TroubleKind::Temporary);
    if (any(unsettled) || temporary) && !is_blocked(result) {
        commands.push(push_command(result));
    }
    let mut seen = std::collections::BTreeSet::new();
    commands.retain(|command| seen.insert(command.clone()));
    commands
}

/// The commands for one article of this result. Where the run could not even begin, what
/// ends that comes first, and it stands in [`next_commands`].
#[must_use]
pub fn article_next(result: &RunResult, article: &ArticleResult) -> Vec<String> {
    match article.verdict {
        Verdict::Deferred(_) if is_blocked(result) => Vec::new(),
        _ => words::next(article)
            .into_iter()
            .map(|command| if command == PUSH { push_command(result) } else { command })
            .collect(),
    }
}

const PUSH: &str = "oncepress push";

/// The push that carries out what this result tells, and nothing else where that is in a
/// file.
fn push_command(result: &RunResult) -> String {
    match &result.plan_file {
        Some(path) => format!("{PUSH} --plan {}", words::quoted(path)),
        None => PUSH.to_owned(),
    }
}

/// Whether the same command can't end otherwise before somebody changed something.
#[must_use]
pub fn is_blocked(result: &RunResult) -> bool {
    result.troubles.iter().any(|trouble| match trouble.kind {
        TroubleKind::Internal
        | TroubleKind::Usage
        | TroubleKind::Credentials
        | TroubleKind::LocalState
        | TroubleKind::ReceiptNotSaved => true,
        TroubleKind::Doubt | TroubleKind::Temporary => false,
    })
}
