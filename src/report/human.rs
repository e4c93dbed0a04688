//! The result for people: a table, counts, then what needs a person, then commands.
//!
//! Absent from here: colours of the terminal's choice beyond a few words, and progress.
//! The one rule: what needs a person stands last, where the eye is when a run ends.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

use super::json::{Tense, counts, media_codes, word};
use super::words;
use crate::run::codes;
use crate::run::result::{ArticleResult, MediaVerdict, PostView, RunResult, TroubleKind, Verdict};

/// Columns of a line. Narrower than any terminal in use.
const COLUMNS: usize = 80;
/// Columns of an article's name in the table; a longer one is cut.
const NAME_COLUMNS: usize = 34;

/// Whether words may have colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// Plain text.
    Never,
    /// Green for settled, yellow for doubt, red for refused.
    Always,
}

/// The whole result as text, ending in a line feed.
#[must_use]
pub fn text(command: &str, tense: Tense, result: &RunResult, paint: Paint) -> String {
    let mut out = String::new();
    heading(&mut out, result);
    table(&mut out, tense, &result.articles, paint);
    // Where the run could not even begin, standard error says all there is to say.
    if !result.articles.is_empty() || result.troubles.is_empty() {
        counted(&mut out, tense, &result.articles);
    }
    to_look_at(&mut out, &result.articles);
    dates(&mut out, &result.articles);
    problems(&mut out, &result.articles);
    warnings(&mut out, &result.articles);
    details(&mut out, result);
    receipts_not_saved(&mut out, result);
    for remark in &result.remarks {
        paragraph(&mut out, "note: ", "      ", remark);
    }
    let next = super::next_commands(command, result);
    for (index, command) in next.iter().enumerate() {
        let lead = if index == 0 { "next: " } else { "      " };
        let _ = writeln!(out, "{lead}{command}");
    }
    out
}

fn heading(out: &mut String, result: &RunResult) {
    if let Some(site) = &result.site {
        let _ = write!(out, "site {site}");
        if let Some(run) = &result.run {
            let _ = write!(out, "  run {run}");
        }
        out.push('\n');
    }
}

/// How much an article needs a person: the more, the later it is told.
fn urgency(article: &ArticleResult) -> u8 {
    match &article.verdict {
        Verdict::WouldCreate
        | Verdict::WouldComplete
        | Verdict::Created
        | Verdict::Completed
        | Verdict::Skipped(_) => 0,
        Verdict::Deferred(_) => 1,
        Verdict::Rejected(_) | Verdict::Invalid => 2,
        Verdict::Unknown(_) => 3,
        Verdict::Held(_) => 4,
    }
}

fn table(out: &mut String, tense: Tense, articles: &[ArticleResult], paint: Paint) {
    let mut listed: Vec<_> = articles.iter().collect();
    listed.sort_by_key(|article| urgency(article));
    for article in listed {
        let word = word(tense, &article.verdict);
        let name = article.key.as_ref().map_or_else(|| article.path.clone(), ToString::to_string);
        let post = article.post.as_ref();
        let post = post.map_or_else(String::new, |post| format!("#{}", post.post_id));
        let reason = codes(&article.verdict).1.unwrap_or_default();
        let line = format!(
            "{}  {}  {post:<8}  {reason}",
            painted(&format!("{word:<9}"), &article.verdict, paint),
            padded(&name, NAME_COLUMNS),
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// Cut or filled to so many columns; a wide character takes two.
fn padded(text: &str, columns: usize) -> String {
    let mut cut = String::new();
    let mut width = 0;
    let whole = text.width() <= columns;
    let room = if whole { columns } else { columns - 1 };
    for c in text.chars() {
        let more = unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
        if width + more > room {
            break;
        }
        width += more;
        cut.push(c);
    }
    if !whole {
        cut.push('…');
        width += 1;
    }
    cut.push_str(&" ".repeat(columns - width));
    cut
}

fn painted(text: &str, verdict: &Verdict, paint: Paint) -> String {
    let colour = match verdict {
        Verdict::Created | Verdict::Completed | Verdict::WouldCreate | Verdict::WouldComplete => 32,
        Verdict::Unknown(_) | Verdict::Held(_) | Verdict::Deferred(_) => 33,
        Verdict::Rejected(_) | Verdict::Invalid => 31,
        Verdict::Skipped(_) => return text.to_owned(),
    };
    match paint {
        Paint::Never => text.to_owned(),
        Paint::Always => format!("\u{1b}[{colour}m{text}\u{1b}[0m"),
    }
}

fn counted(out: &mut String, tense: Tense, articles: &[ArticleResult]) {
    let counts = counts(tense, articles);
    let some: Vec<_> = counts
        .each()
        .into_iter()
        .filter(|(_, count)| *count != 0)
        .map(|(word, count)| format!("{count} {word}"))
        .collect();
    let line = if some.is_empty() { "no articles".to_owned() } else { some.join(", ") };
    paragraph(out, "", "", &line);
}

/// Dates as the site's clock shows them, because another zone's would mislead.
fn dates(out: &mut String, articles: &[ArticleResult]) {
    for article in articles {
        let Some(date) = &article.site_date else { continue };
        let name = article.key.as_ref().map_or_else(|| article.path.clone(), ToString::to_string);
        paragraph(out, "date: ", "      ", &format!("{name}: {date} on the site"));
    }
}

/// New drafts with their addresses: a person looks before publishing by hand.
fn to_look_at(out: &mut String, articles: &[ArticleResult]) {
    let is_new = |article: &&ArticleResult| match article.verdict {
        Verdict::Created | Verdict::Completed => true,
        Verdict::WouldCreate
        | Verdict::WouldComplete
        | Verdict::Skipped(_)
        | Verdict::Unknown(_)
        | Verdict::Held(_)
        | Verdict::Deferred(_)
        | Verdict::Rejected(_)
        | Verdict::Invalid => false,
    };
    let links: Vec<_> = articles
        .iter()
        .filter(is_new)
        .filter_map(|article| Some((article, article.post.as_ref()?.edit_url.as_ref()?)))
        .collect();
    if !links.is_empty() {
        out.push_str("\nlook at the drafts before you publish them:\n");
    }
    for (article, edit_url) in links {
        let name = article.key.as_ref().map_or_else(|| article.path.clone(), ToString::to_string);
        let _ = writeln!(out, "  {name} {edit_url}");
    }
}

fn problems(out: &mut String, articles: &[ArticleResult]) {
    let all: Vec<_> = articles.iter().flat_map(|article| &article.problems).collect();
    if !all.is_empty() {
        out.push_str("\nproblems:\n");
    }
    for problem in all {
        // Not wrapped: editors jump to `path:line:`.
        let _ = writeln!(out, "{problem}");
    }
}

fn warnings(out: &mut String, articles: &[ArticleResult]) {
    let warned: Vec<_> = articles.iter().filter(|article| !article.warnings.is_empty()).collect();
    if !warned.is_empty() {
        out.push_str("\nwarnings:\n");
    }
    for article in warned {
        for warning in &article.warnings {
            let lead = format!("  {}: {}: ", article.path, warning.code);
            paragraph(out, &lead, "    ", &warning.message);
        }
    }
}

/// What needs a person, or did not happen: with the reason and the next command.
fn details(out: &mut String, result: &RunResult) {
    let needs = |article: &&ArticleResult| match &article.verdict {
        Verdict::Unknown(_) | Verdict::Held(_) | Verdict::Deferred(_) | Verdict::Rejected(_) => {
            true
        }
        Verdict::WouldCreate
        | Verdict::WouldComplete
        | Verdict::Created
        | Verdict::Completed
        | Verdict::Skipped(_)
        | Verdict::Invalid => false,
    };
    let mut listed: Vec<_> = result.articles.iter().filter(needs).collect();
    listed.sort_by_key(|article| urgency(article));
    for article in listed {
        let (outcome, reason) = codes(&article.verdict);
        let reason = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
        let _ = writeln!(out, "\n{}: {outcome}{reason}", article.path);
        times(out, article);
        paragraph(out, "  ", "  ", &words::sentence(article));
        for image in &article.media {
            if let Some(line) = image_line(&image.path, &image.verdict) {
                paragraph(out, "  ", "    ", &line);
            }
        }
        for post in own_post(article).chain(&article.candidates) {
            let edit = post.edit_url.as_deref().unwrap_or_default();
            let _ =
                writeln!(out, "  look at #{} {} ({}) {edit}", post.post_id, post.slug, post.status);
        }
        for command in super::article_next(result, article) {
            let _ = writeln!(out, "  > {command}");
        }
    }
}

/// The post that it speaks of, where a person can open it and it is no candidate too.
fn own_post(article: &ArticleResult) -> impl Iterator<Item = &PostView> {
    let is_candidate =
        |post: &PostView| article.candidates.iter().any(|other| other.post_id == post.post_id);
    article.post.iter().filter(move |post| post.edit_url.is_some() && !is_candidate(post))
}

/// When it was sent, by which a person finds it in WordPress, and since when it is held.
fn times(out: &mut String, article: &ArticleResult) {
    let sent = article.sent_at.map(|time| format!("sent {time:.0}"));
    let since = article.since.filter(|since| Some(*since) != article.sent_at);
    let since = since.map(|time| format!("held since {time:.0}"));
    let times: Vec<_> = sent.into_iter().chain(since).collect();
    if !times.is_empty() {
        let _ = writeln!(out, "  {}", times.join(", "));
    }
}

fn image_line(path: &str, verdict: &MediaVerdict) -> Option<String> {
    let (outcome, reason) = media_codes(verdict);
    match verdict {
        MediaVerdict::Held(why) | MediaVerdict::Deferred(why) | MediaVerdict::Rejected(why) => {
            Some(format!("image {path}: {outcome} ({}): {}", why.code, why.message))
        }
        MediaVerdict::Unknown(_) => {
            let reason = reason.unwrap_or_default();
            Some(format!("image {path}: {outcome} ({reason})"))
        }
        MediaVerdict::WouldUpload
        | MediaVerdict::Created
        | MediaVerdict::Completed
        | MediaVerdict::Skipped => None,
    }
}

/// Troubles are told on standard error; a receipt that is nowhere else also here.
fn receipts_not_saved(out: &mut String, result: &RunResult) {
    for trouble in &result.troubles {
        if trouble.kind == TroubleKind::ReceiptNotSaved {
            let _ = writeln!(out, "\n{} ({})", trouble.message, trouble.code);
        }
    }
}

/// Wrapped at the columns of a terminal; a long word (an address) is never broken, so
/// that it can be copied.
fn paragraph(out: &mut String, first: &str, rest: &str, text: &str) {
    let options = textwrap::Options::new(COLUMNS)
        .initial_indent(first)
        .subsequent_indent(rest)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    for line in textwrap::wrap(text, options) {
        out.push_str(line.trim_end());
        out.push('\n');
    }
}
