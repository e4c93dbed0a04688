//! The result as one JSON object: `oncepress.result/1`. Changes to it only add.
//!
//! Absent from here: where it is written to. The one rule: the object is complete on
//! every failure too, so that an agent never has to read prose.

mod check;
mod shape;
mod untrusted;
mod vocabulary;

use self::shape::{
    ArticleEntry, CandidateEntry, MediaEntry, MediaOutcomeEntry, OutcomeEntry, WarningEntry,
};
use super::exit::Exit;
use super::words;
use crate::run::codes;
use crate::run::result::{
    ArticleResult, MediaResult, MediaVerdict, PostView, RunResult, Trouble, TroubleKind, Verdict,
};

pub use self::check::CheckDocument;
pub use self::shape::{Counts, Document, ErrorEntry};
pub use self::vocabulary::{Action, MediaWord, Outcome, Word};

/// The name and version of the object.
pub const SCHEMA: &str = "oncepress.result/1";

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
        untrusted: untrusted::pointers(result),
    }
}

/// How many articles ended how; every key is there, also for none.
#[must_use]
pub fn counts(tense: Tense, articles: &[ArticleResult]) -> Counts {
    let action = |wanted: Action| {
        articles.iter().filter(|article| Action::of(&article.verdict) == wanted).count()
    };
    let outcome = |wanted: Outcome| {
        articles.iter().filter(|article| Outcome::of(&article.verdict) == wanted).count()
    };
    match tense {
        Tense::Planned => Counts::Planned {
            create: action(Action::Create),
            complete: action(Action::Complete),
            skip: action(Action::Skip),
            hold: action(Action::Hold),
            defer: action(Action::Defer),
            reject: action(Action::Reject),
            invalid: action(Action::Invalid),
        },
        Tense::Done => Counts::Done {
            created: outcome(Outcome::Created),
            completed: outcome(Outcome::Completed),
            skipped: outcome(Outcome::Skipped),
            unknown: outcome(Outcome::Unknown),
            held: outcome(Outcome::Held),
            deferred: outcome(Outcome::Deferred),
            rejected: outcome(Outcome::Rejected),
            invalid: outcome(Outcome::Invalid),
        },
    }
}

/// The one word for a verdict.
#[must_use]
pub fn word(tense: Tense, verdict: &Verdict) -> Word {
    match tense {
        Tense::Planned => Word::Action(Action::of(verdict)),
        Tense::Done => Word::Outcome(Outcome::of(verdict)),
    }
}

fn outcome(tense: Tense, verdict: &Verdict) -> OutcomeEntry {
    match tense {
        Tense::Planned => OutcomeEntry::Action(Action::of(verdict)),
        Tense::Done => OutcomeEntry::Outcome(Outcome::of(verdict)),
    }
}

fn entry(tense: Tense, result: &RunResult, article: &ArticleResult) -> ArticleEntry {
    ArticleEntry {
        slug: article.key.as_ref().map(|key| key.slug.readable()),
        post_type: article.key.as_ref().map(|key| key.post_type.as_str().to_owned()),
        path: article.path.clone(),
        outcome: outcome(tense, &article.verdict),
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
        remote_effect: article.effect.into(),
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
        outcome: match tense {
            Tense::Planned => MediaOutcomeEntry::Action(word),
            Tense::Done => MediaOutcomeEntry::Outcome(word),
        },
        reason,
        attachment_id: image.attachment_id.map(crate::names::AttachmentId::get),
    }
}

/// The stable word and code of an image's verdict.
#[must_use]
pub fn media_codes(verdict: &MediaVerdict) -> (MediaWord, Option<String>) {
    match verdict {
        MediaVerdict::WouldUpload => (MediaWord::Create, None),
        MediaVerdict::Created => (MediaWord::Created, None),
        MediaVerdict::Completed => (MediaWord::Completed, None),
        MediaVerdict::Skipped => (MediaWord::Skipped, None),
        MediaVerdict::Unknown(reason) => (MediaWord::Unknown, Some(reason.code().to_owned())),
        MediaVerdict::Held(reason) => (MediaWord::Held, Some(reason.code.clone())),
        MediaVerdict::Deferred(reason) => (MediaWord::Deferred, Some(reason.code.clone())),
        MediaVerdict::Rejected(reason) => (MediaWord::Rejected, Some(reason.code.clone())),
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
        remote_effect: trouble.effect.into(),
    }
}
