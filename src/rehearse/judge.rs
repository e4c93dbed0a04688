//! Whether a scene ended as promised, from what was seen.
//!
//! Absent from here: playing, printing. The one rule: everything that is not as promised
//! is named; nothing that a child says counts for what is on the site.

use super::child::{End, Ran};
use super::play::{Played, Said};
use super::scene::{Expected, Says, Step};
use super::site::{Post, Truth};
use super::stage::{IMAGE, SLUG};

/// Whether a scene ended as promised.
#[must_use]
pub fn as_promised(played: &Played) -> bool {
    broken(played).is_empty()
}

/// Everything that was not as promised; nothing, if all was.
#[must_use]
pub(super) fn broken(played: &Played) -> Vec<String> {
    let mut broken: Vec<String> =
        played.cut.iter().map(|why| format!("cut short: {why}")).collect();
    let expected = played.scene.expected();
    for (index, wanted) in expected.iter().enumerate() {
        let fault = match played.runs.get(index) {
            Some(ran) => run_fault(*wanted, ran, played.truths.last()),
            None => Some("was not started, or not seen to its end".to_owned()),
        };
        broken.extend(fault.map(|fault| format!("run {}: {fault}", index + 1)));
    }
    if played.runs.len() > expected.len() {
        broken.push(format!("{} runs instead of {}", played.runs.len(), expected.len()));
    }
    match played.truths.last() {
        Some(truth) => {
            counts(played, truth, &mut broken);
            posts(truth, &mut broken);
        }
        None => broken.push("nobody looked at the site".to_owned()),
    }
    for pair in played.truths.windows(2) {
        broken.extend(pair[0].posts.iter().filter_map(|post| altered(post, &pair[1])));
    }
    broken
}

/// Whether an article has two posts, and nobody deleted its record.
#[must_use]
pub(super) fn twice(played: &Played) -> Twice {
    let posts = played.truths.last().map_or(0, |truth| truth.posts.len());
    let deletes = |step: &Step| matches!(step, Step::DeleteRecords);
    match posts {
        0 | 1 => Twice::No,
        _ if played.scene.steps.iter().any(deletes) => Twice::RecordDeleted,
        _ => Twice::Yes,
    }
}

/// Whether the article of a scene has two posts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Twice {
    /// One or none.
    No,
    /// Several, and somebody deleted the record.
    RecordDeleted,
    /// Several.
    Yes,
}

/// What is wrong with a run, if anything.
fn run_fault(wanted: Expected, ran: &Ran, truth: Option<&Truth>) -> Option<String> {
    let wanted_end = match wanted {
        Expected::Says(says) => End::Exit(says.exit().code().into()),
        Expected::KilledAt(point) => End::Killed(point),
        Expected::Unlocked => End::Exit(0),
    };
    if ran.end != wanted_end {
        return Some(format!("{} instead of {}", ran.end, wanted_end));
    }
    match wanted {
        Expected::KilledAt(_) => None,
        Expected::Unlocked => exit_fault(ran).or_else(|| {
            let command = ran.json["command"].as_str();
            (command != Some("unlock")).then(|| "is no unlock".to_owned())
        }),
        Expected::Says(says) => exit_fault(ran).or_else(|| words_fault(says, &ran.said(), truth)),
    }
}

/// `--json` and the shell are told the same.
fn exit_fault(ran: &Ran) -> Option<String> {
    let said = (ran.json["exit_code"].as_i64(), ran.json["ok"].as_bool());
    let End::Exit(code) = ran.end else { return None };
    let same = said == (Some(code.into()), Some(code == 0));
    (!same).then(|| format!("exit status {code}, but its JSON does not say so"))
}

fn words_fault(says: Says, said: &Said<'_>, truth: Option<&Truth>) -> Option<String> {
    let (outcome, reason) = says.codes();
    let as_said = match outcome {
        Some(outcome) => {
            (said.outcome, said.reason) == (Some(outcome), reason) && said.errors.is_empty()
        }
        None => said.errors.first().copied() == reason,
    };
    if !as_said {
        return Some(format!("said \"{said}\" instead of \"{says}\""));
    }
    let has_warning = said.warnings.contains(&"slug_changed");
    if has_warning != (says == Says::CreatedBesideAnother) {
        return Some(format!("said \"{said}\" instead of \"{says}\""));
    }
    match says {
        Says::Created | Says::CreatedBesideAnother | Says::Completed | Says::Skipped(_) => {
            post_fault(said, truth)
        }
        Says::Held(_) => way_on_fault(said),
        Says::CannotLookUp | Says::Busy | Says::Abandoned => None,
    }
}

/// A post that a run says it made or found exists on the site.
fn post_fault(said: &Said<'_>, truth: Option<&Truth>) -> Option<String> {
    let exists = |id| truth.is_some_and(|truth| truth.posts.iter().any(|post| post.id == id));
    match said.post_id {
        Some(id) if exists(id) => None,
        Some(id) => Some(format!("named post {id}, which the site does not have")),
        None => Some("named no post".to_owned()),
    }
}

/// Who is to decide is told how.
fn way_on_fault(said: &Said<'_>) -> Option<String> {
    let resolve = format!("oncepress resolve {SLUG} ");
    let is_told = said.next.iter().any(|command| command.starts_with(&resolve));
    (!is_told).then(|| "named no command by which a person can settle it".to_owned())
}

fn counts(played: &Played, truth: &Truth, broken: &mut Vec<String>) {
    let promise = played.scene.promise;
    let counted = [
        ("create arrived", "creates arrived", truth.creates, promise.creates),
        ("post exists", "posts exist", truth.posts.len(), promise.posts),
        ("upload arrived", "uploads arrived", truth.uploads, promise.uploads),
        ("image exists", "images exist", truth.images, promise.images),
    ];
    for (one, many, is, wanted) in counted {
        if is != wanted {
            let words = if is == 1 { one } else { many };
            broken.push(format!("{is} {words}, {wanted} promised"));
        }
    }
    broken.extend(
        truth.others.iter().map(|request| format!("the site was asked to change: {request}")),
    );
}

/// What holds for every post, whatever happened.
fn posts(truth: &Truth, broken: &mut Vec<String>) {
    for post in &truth.posts {
        if post.status != "draft" {
            broken.push(format!("post {} is {}, not a draft", post.id, post.status));
        }
        if !post.slug.starts_with(SLUG) {
            broken.push(format!("post {} is called {}", post.id, post.slug));
        }
        if post.content.contains(&format!("\"{IMAGE}\"")) {
            broken.push(format!("post {} shows an image by its local path", post.id));
        }
    }
}

/// Nothing that is on the site is overwritten or removed.
fn altered(post: &Post, later: &Truth) -> Option<String> {
    match later.posts.iter().find(|other| other.id == post.id) {
        Some(other) if other == post => None,
        Some(_) => Some(format!("post {} was changed", post.id)),
        None => Some(format!("post {} was removed", post.id)),
    }
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exit(code) => write!(f, "exit status {code}"),
            Self::Killed(point) => write!(f, "killed at {point}"),
            Self::Otherwise => f.write_str("ended by a signal"),
            Self::Hung => f.write_str("no end in the time that a run has"),
        }
    }
}

impl std::fmt::Display for Says {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (outcome, reason) = self.codes();
        words(f, outcome, reason)?;
        match self {
            Self::CreatedBesideAnother => f.write_str(", warning: slug_changed"),
            Self::Created
            | Self::Completed
            | Self::Skipped(_)
            | Self::Held(_)
            | Self::CannotLookUp
            | Self::Busy
            | Self::Abandoned => Ok(()),
        }
    }
}

impl std::fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(code) = self.errors.first() {
            return f.write_str(code);
        }
        words(f, self.outcome, self.reason)?;
        self.warnings.iter().try_for_each(|code| write!(f, ", warning: {code}"))
    }
}

fn words(
    f: &mut std::fmt::Formatter<'_>,
    outcome: Option<&str>,
    reason: Option<&str>,
) -> std::fmt::Result {
    match (outcome, reason) {
        (Some(outcome), Some(reason)) => write!(f, "{outcome}: {reason}"),
        (Some(word), None) | (None, Some(word)) => f.write_str(word),
        (None, None) => f.write_str("nothing"),
    }
}
