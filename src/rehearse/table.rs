//! A rehearsal for people: a table of 80 columns, and one line that sums it up.
//!
//! Absent from here: judging, and when to print. The one rule: a row can be read by
//! somebody who knows nothing of the code.

use std::fmt::Write as _;

use super::judge::{Twice, broken, twice};
use super::play::Played;
use super::scene::Expected;
use crate::report::human::Paint;

/// Columns of the scene's name; `upload` stands below.
const NAME: usize = 6;
/// Columns of what was done.
const DONE: usize = 27;
/// Columns of what the rerun said: the longest reason.
const SAID: usize = 20;
/// Columns of a whole line. Narrower than any terminal in use.
const LINE: usize = 80;

/// How to read the table.
const PREFACE: &str = "\
Each row is played for real: one article, a simulated site of its own, and child
processes of this program. \"creates\" counts the create requests that arrived at
the site, \"posts\" the posts that it has in the end (img: the same of images).
Answer lost: the site did what was asked, and its answer never came. Not shown:
the site has it, and look-ups leave it out. After a kill the next push stops
(abandoned_run), and `oncepress unlock` lets the one after that go on.

";

/// What stands above the rows.
#[must_use]
pub fn heading() -> String {
    format!(
        "{PREFACE}{:NAME$}  {:DONE$}  {:SAID$}  creates posts verdict\n",
        "scene", "what was done", "what the rerun said"
    )
}

/// The row of a scene; below it, whatever was not as promised.
#[must_use]
pub fn row(played: &Played, paint: Paint) -> String {
    let broken = broken(played);
    let verdict = match (broken.is_empty(), paint) {
        (true, Paint::Never) => "ok".to_owned(),
        (true, Paint::Always) => "\u{1b}[32mok\u{1b}[0m".to_owned(),
        (false, Paint::Never) => "BROKEN".to_owned(),
        (false, Paint::Always) => "\u{1b}[31mBROKEN\u{1b}[0m".to_owned(),
    };
    let said: Vec<String> = told(played).iter().flat_map(|text| wrapped(text, SAID)).collect();
    let truth = played.truths.last();
    let (creates, posts) = truth.map_or((0, 0), |truth| (truth.creates, truth.posts.len()));
    let (uploads, images) = truth.map_or((0, 0), |truth| (truth.uploads, truth.images));
    let (mut arrived, mut exist) = (vec![creates.to_string()], vec![posts.to_string()]);
    if (uploads, images) != (0, 0) {
        arrived.push(format!("{uploads} img"));
        exist.push(format!("{images} img"));
    }
    let columns = [
        wrapped(played.scene.name, NAME),
        wrapped(played.scene.done, DONE),
        said,
        arrived,
        exist,
        vec![verdict],
    ];
    let mut out = String::new();
    let lines = columns.iter().map(Vec::len).max().unwrap_or(0);
    for line in 0..lines {
        let cell = |column: usize| columns[column].get(line).map_or("", String::as_str);
        let text = format!(
            "{:NAME$}  {:DONE$}  {:SAID$}  {:>7} {:>5} {}",
            cell(0),
            cell(1),
            cell(2),
            cell(3),
            cell(4),
            cell(5)
        );
        out.push_str(text.trim_end());
        out.push('\n');
    }
    for fault in broken {
        let options = textwrap::Options::new(LINE)
            .initial_indent("        ! ")
            .subsequent_indent("          ");
        out.push_str(&textwrap::fill(&fault, options));
        out.push('\n');
    }
    out
}

/// The line below the rows.
#[must_use]
pub fn conclusion(played: &[Played]) -> String {
    let kept = played.iter().filter(|played| broken(played).is_empty()).count();
    let mut out = format!("\n{kept} of {} as promised; ", played.len());
    let names = |which: Twice| -> Vec<&str> {
        played
            .iter()
            .filter(|played| twice(played) == which)
            .map(|played| played.scene.name)
            .collect()
    };
    let (deleted, real) = (names(Twice::RecordDeleted), names(Twice::Yes));
    if real.is_empty() {
        out.push_str("no article has two posts");
    } else {
        let _ = write!(out, "AN ARTICLE HAS TWO POSTS: {}", real.join(", "));
    }
    if !deleted.is_empty() {
        let _ = write!(out, ", but for {} (record deleted)", deleted.join(", "));
    }
    out.push('\n');
    out
}

/// What the runs after the first said, one text each. `unlock` says nothing of its own.
fn told(played: &Played) -> Vec<String> {
    let runs = played.runs.iter().zip(played.scene.expected()).skip(1);
    let pushes = runs.filter(|(_, expected)| *expected != Expected::Unlocked);
    pushes.map(|(ran, _)| ran.said().to_string()).collect()
}

fn wrapped(text: &str, columns: usize) -> Vec<String> {
    textwrap::wrap(text, columns).into_iter().map(std::borrow::Cow::into_owned).collect()
}
