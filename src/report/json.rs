//! The result as one JSON object: `oncepress.result/1`. Changes to it only add.
//!
//! Absent from here: where it is written to. The one rule: the object is complete on
//! every failure too, so that an agent never has to read prose.

use serde::Serialize;
use serde_json::Value;

use super::exit::Exit;
use super::words;
use crate::article::{Checked, Problem};
use crate::run::codes;
use crate::run::result::{
    ArticleResult, MediaResult, MediaVerdict, PostView, RunResult, Trouble, TroubleKind, Verdict,
};

/// The name and version of the object.
pub const SCHEMA: &str = "oncepress.result/1";

/// The object.
#[derive(Debug, Serialize)]
pub struct Document {
    schema: &'static str,
    command: &'static str,
    run_id: Option<String>,
    site: Option<String>,
    ok: bool,
    exit_code: u8,
    counts: serde_json::Map<String, Value>,
    articles: Vec<ArticleEntry>,
    errors: Vec<ErrorEntry>,
    remarks: Vec<String>,
    next: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ArticleEntry {
    slug: Option<String>,
    #[serde(rename = "type")]
    post_type: Option<String>,
    path: String,
    #[serde(flatten)]
    outcome: OutcomeEntry,
    reason: Option<String>,
    message: String,
    post_id: Option<u64>,
    stored_slug: Option<String>,
    edit_url: Option<String>,
    attempt: u32,
    since: Option<String>,
    sent_at: Option<String>,
    settles_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    site_date: Option<String>,
    remote_effect: &'static str,
    retryable: bool,
    problems: Vec<Problem>,
    warnings: Vec<WarningEntry>,
    media: Vec<MediaEntry>,
    candidates: Vec<CandidateEntry>,
    next: Vec<String>,
}

/// `plan` speaks of actions, everything else of outcomes.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum OutcomeEntry {
    Action(&'static str),
    Outcome(&'static str),
}

#[derive(Debug, Serialize)]
struct WarningEntry {
    code: String,
    message: String,
}

#[derive(Debug, Serialize)]
struct MediaEntry {
    path: String,
    #[serde(flatten)]
    outcome: OutcomeEntry,
    reason: Option<String>,
    attachment_id: Option<u64>,
}

#[derive(Debug, Serialize)]
struct CandidateEntry {
    post_id: u64,
    slug: String,
    status: String,
    edit_url: Option<String>,
}

#[derive(Debug, Serialize)]
struct ErrorEntry {
    code: String,
    message: String,
    hint: String,
    retryable: bool,
    remote_effect: &'static str,
}

/// Whether a document tells what was done or what would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tense {
    /// `plan`: actions.
    Planned,
    /// Outcomes.
    Done,
}

/// The object of this result.
#[must_use]
pub fn document(command: &'static str, tense: Tense, result: &RunResult, exit: Exit) -> Document {
    let mut articles: Vec<_> =
        result.articles.iter().map(|article| entry(tense, result, article)).collect();
    if super::is_blocked(result) {
        for article in &mut articles {
            article.retryable = false;
        }
    }
    Document {
        schema: SCHEMA,
        command,
        run_id: result.run.as_ref().map(ToString::to_string),
        site: result.site.clone(),
        ok: exit.is_good(),
        exit_code: exit.code(),
        counts: counts(tense, &result.articles),
        articles,
        errors: result.troubles.iter().map(error_entry).collect(),
        remarks: result.remarks.clone(),
        next: super::next_commands(command, result),
    }
}

/// The keys of `counts`, in order.
fn count_keys(tense: Tense) -> &'static [&'static str] {
    match tense {
        Tense::Planned => &["create", "complete", "skip", "hold", "defer", "reject", "invalid"],
        Tense::Done => &[
            "created",
            "completed",
            "skipped",
            "unknown",
            "held",
            "deferred",
            "rejected",
            "invalid",
        ],
    }
}

/// How many articles ended how; every key is there, also for none.
#[must_use]
pub fn counts(tense: Tense, articles: &[ArticleResult]) -> serde_json::Map<String, Value> {
    let words: Vec<_> = articles.iter().map(|article| word(tense, &article.verdict)).collect();
    let count = |key: &str| words.iter().filter(|word| **word == key).count();
    count_keys(tense).iter().map(|key| ((*key).to_owned(), Value::from(count(key)))).collect()
}

/// The one word for a verdict.
#[must_use]
pub fn word(tense: Tense, verdict: &Verdict) -> &'static str {
    match tense {
        Tense::Done => codes(verdict).0,
        Tense::Planned => match verdict {
            Verdict::WouldCreate | Verdict::Created => "create",
            Verdict::WouldComplete | Verdict::Completed => "complete",
            Verdict::Skipped(_) => "skip",
            Verdict::Unknown(_) | Verdict::Held(_) => "hold",
            Verdict::Deferred(_) => "defer",
            Verdict::Rejected(_) => "reject",
            Verdict::Invalid => "invalid",
        },
    }
}

fn outcome(tense: Tense, word: &'static str) -> OutcomeEntry {
    match tense {
        Tense::Planned => OutcomeEntry::Action(word),
        Tense::Done => OutcomeEntry::Outcome(word),
    }
}

fn entry(tense: Tense, result: &RunResult, article: &ArticleResult) -> ArticleEntry {
    ArticleEntry {
        slug: article.key.as_ref().map(|key| key.slug.readable()),
        post_type: article.key.as_ref().map(|key| key.post_type.as_str().to_owned()),
        path: article.path.clone(),
        outcome: outcome(tense, word(tense, &article.verdict)),
        reason: codes(&article.verdict).1,
        message: words::sentence(article),
        post_id: article.post.as_ref().map(|post| post.post_id.get()),
        stored_slug: article.post.as_ref().map(|post| post.slug.clone()),
        edit_url: article.post.as_ref().and_then(|post| post.edit_url.clone()),
        attempt: article.attempt,
        since: article.since.map(|since| since.to_string()),
        sent_at: article.sent_at.map(|time| time.to_string()),
        settles_at: article.settles_at.map(|time| time.to_string()),
        site_date: article.site_date.clone(),
        remote_effect: words::effect_code(article.effect),
        retryable: words::is_retryable(article),
        problems: article.problems.clone(),
        warnings: article
            .warnings
            .iter()
            .map(|warning| WarningEntry {
                code: warning.code.clone(),
                message: warning.message.clone(),
            })
            .collect(),
        media: article.media.iter().map(|image| media_entry(tense, image)).collect(),
        candidates: article.candidates.iter().map(candidate_entry).collect(),
        next: super::article_next(result, article),
    }
}

fn candidate_entry(post: &PostView) -> CandidateEntry {
    CandidateEntry {
        post_id: post.post_id.get(),
        slug: post.slug.clone(),
        status: post.status.clone(),
        edit_url: post.edit_url.clone(),
    }
}

fn media_entry(tense: Tense, image: &MediaResult) -> MediaEntry {
    let (word, reason) = media_codes(&image.verdict);
    MediaEntry {
        path: image.path.clone(),
        outcome: outcome(tense, word),
        reason,
        attachment_id: image.attachment_id.map(crate::names::AttachmentId::get),
    }
}

/// The stable codes of an image's verdict.
#[must_use]
pub fn media_codes(verdict: &MediaVerdict) -> (&'static str, Option<String>) {
    match verdict {
        MediaVerdict::WouldUpload => ("create", None),
        MediaVerdict::Created => ("created", None),
        MediaVerdict::Completed => ("completed", None),
        MediaVerdict::Skipped => ("skipped", None),
        MediaVerdict::Unknown(reason) => ("unknown", Some(reason.code().to_owned())),
        MediaVerdict::Held(reason) => ("held", Some(reason.code.clone())),
        MediaVerdict::Deferred(reason) => ("deferred", Some(reason.code.clone())),
        MediaVerdict::Rejected(reason) => ("rejected", Some(reason.code.clone())),
    }
}

fn error_entry(trouble: &Trouble) -> ErrorEntry {
    ErrorEntry {
        code: trouble.code.clone(),
        message: trouble.message.clone(),
        hint: trouble.hint.clone(),
        retryable: match trouble.kind {
            TroubleKind::Temporary => true,
            TroubleKind::Internal
            | TroubleKind::Usage
            | TroubleKind::Doubt
            | TroubleKind::Credentials
            | TroubleKind::LocalState
            | TroubleKind::ReceiptNotSaved => false,
        },
        remote_effect: words::effect_code(trouble.effect),
    }
}

/// What `check` found, in the same envelope.
#[derive(Debug, Serialize)]
pub struct CheckDocument<'a> {
    schema: &'static str,
    command: &'static str,
    run_id: Option<String>,
    site: Option<String>,
    ok: bool,
    exit_code: u8,
    counts: CheckCounts,
    articles: Vec<CheckEntry<'a>>,
    warnings: &'a [Problem],
    errors: [ErrorEntry; 0],
    remarks: [String; 0],
    next: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
struct CheckCounts {
    valid: usize,
    invalid: usize,
}

#[derive(Debug, Serialize)]
struct CheckEntry<'a> {
    slug: Option<String>,
    #[serde(rename = "type")]
    post_type: Option<String>,
    path: &'a str,
    outcome: &'static str,
    problems: &'a [Problem],
    images: usize,
}

impl<'a> CheckDocument<'a> {
    /// The object of this check.
    #[must_use]
    pub fn of(checked: &'a Checked, exit: Exit) -> Self {
        let valid = checked.articles.iter().map(|article| CheckEntry {
            slug: Some(article.key.slug.readable()),
            post_type: Some(article.key.post_type.as_str().to_owned()),
            path: &article.path,
            outcome: "valid",
            problems: &[],
            images: article.images.len(),
        });
        let invalid = checked.invalid.iter().map(|file| CheckEntry {
            slug: file.slug.clone(),
            post_type: None,
            path: &file.path,
            outcome: "invalid",
            problems: &file.problems,
            images: 0,
        });
        let mut articles: Vec<_> = valid.chain(invalid).collect();
        articles.sort_by_key(|article| article.path);
        let next = if checked.invalid.is_empty() { "oncepress plan" } else { "oncepress check" };
        Self {
            schema: SCHEMA,
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
