//! What the journal remembers, without asking the site.
//!
//! Absent from here: the network and every write. The one rule: what needs a person
//! comes first, oldest first.

use std::cmp::Reverse;

use crate::journal::{JournalError, JournalView};
use crate::names::ArticleKey;
use crate::protocol::decide::{SkipReason, UnknownReason};
use crate::protocol::record::Happened;
use crate::protocol::{ArticleRecord, Phase, UploadRecord};

use super::result::{
    ArticleResult, HeldWhy, JOURNAL_DAMAGED, MediaResult, MediaVerdict, PostView, Reason,
    RemoteEffect, RunResult, Verdict,
};
use super::view;
use super::with_causes;

/// Every article that the journal remembers, or those named.
pub fn status(
    journal: &JournalView,
    site: Option<String>,
    wanted: &[ArticleKey],
) -> Result<RunResult, JournalError> {
    let mut articles = Vec::new();
    for found in journal.articles()? {
        match found {
            Ok(record) if wanted.is_empty() || wanted.contains(record.identity()) => {
                articles.push(remembered(journal, &record));
            }
            Ok(_) => {}
            // Shown whatever was asked for: it may be the very record.
            Err(damaged) => articles.push(damaged_file(&damaged.path, with_causes(&damaged))),
        }
    }
    articles.sort_by_key(|article| {
        let needs_a_person = matches!(article.verdict, Verdict::Held(_) | Verdict::Unknown(_));
        (Reverse(needs_a_person), article.since, article.path.clone())
    });
    let unknown_slugs = wanted
        .iter()
        .filter(|key| !articles.iter().any(|article| article.key.as_ref() == Some(key)))
        .map(|key| format!("{key}: the journal has no record of it; nothing was sent from here"));
    Ok(RunResult {
        run: None,
        site,
        remarks: unknown_slugs.collect(),
        articles,
        troubles: Vec::new(),
        plan_file: None,
        interrupted: None,
    })
}

fn damaged_file(path: &std::path::Path, why: String) -> ArticleResult {
    let verdict = Verdict::Held(HeldWhy::JournalDamaged(why));
    ArticleResult {
        effect: RemoteEffect::Possible,
        ..ArticleResult::new(None, path.display().to_string(), verdict)
    }
}

fn remembered(journal: &JournalView, record: &ArticleRecord) -> ArticleResult {
    let source = record.input().map(|input| input.source.clone());
    let sent_at = view::sent_at(record);
    let images = record.input().map(|input| input.media.as_slice()).unwrap_or_default();
    let path = source.unwrap_or_else(|| record.identity().to_string());
    ArticleResult {
        post: record.receipt().map(|receipt| PostView {
            post_id: receipt.post_id,
            slug: receipt.stored_slug.clone(),
            status: receipt.status.clone(),
            edit_url: None,
        }),
        attempt: record.attempts(),
        since: record.hold().map(|hold| hold.since).or(sent_at),
        sent_at,
        settles_at: view::settles_at(record),
        effect: view::effect(record),
        media: images.iter().filter_map(|digest| media(journal.upload(digest))).collect(),
        ..ArticleResult::new(Some(record.identity().clone()), path, verdict(record))
    }
}

fn verdict(record: &ArticleRecord) -> Verdict {
    if record.withdrawn().is_some() {
        return Verdict::Skipped(SkipReason::Withdrawn);
    }
    if let Some(hold) = record.hold() {
        return Verdict::Held(HeldWhy::Decided(hold.reason));
    }
    match record.phase() {
        Phase::Confirmed(_) => Verdict::Skipped(SkipReason::Confirmed),
        Phase::Sending(_) => Verdict::Unknown(UnknownReason::NotLookedUp),
        Phase::Prepared(_) => {
            let last = record.history().last().map(|entry| &entry.what);
            let vouched = Happened::is_not_created;
            let message = if last.is_some_and(vouched) {
                "the earlier send counts as lost; the next push looks again, and sends if the \
                 slug is free"
            } else {
                "it was prepared, and nothing was sent"
            };
            Verdict::Deferred(Reason::new("prepared", message))
        }
        Phase::None => {
            let last = record.history().iter().rev().find_map(|entry| match &entry.what {
                Happened::Voided { code } => Some(format!("{code}: {}", entry.evidence)),
                Happened::Decided { .. } => None,
            });
            let last = last.map_or_else(String::new, |last| format!(" (last try: {last})"));
            Verdict::Deferred(Reason::new("not_sent", format!("nothing was sent{last}")))
        }
    }
}

/// An image of an article, where the journal remembers it.
fn media(found: Result<Option<UploadRecord>, crate::journal::Damaged>) -> Option<MediaResult> {
    let record = match found {
        Ok(None) => return None,
        Ok(Some(record)) => record,
        Err(damaged) => {
            let reason = Reason::new(JOURNAL_DAMAGED, with_causes(&damaged));
            return Some(MediaResult {
                path: damaged.path.display().to_string(),
                verdict: MediaVerdict::Held(reason),
                attachment_id: None,
            });
        }
    };
    let path = record.input().and_then(|input| input.paths.first().cloned())?;
    let verdict = match (record.hold(), record.phase()) {
        (Some(hold), _) => {
            MediaVerdict::Held(Reason::new(hold.reason.code(), "a person must look at it"))
        }
        (None, Phase::Sending(_)) => MediaVerdict::Unknown(UnknownReason::NotLookedUp),
        (None, Phase::Confirmed(_)) => MediaVerdict::Skipped,
        (None, Phase::None | Phase::Prepared(_)) => {
            MediaVerdict::Deferred(Reason::new("prepared", "nothing was sent"))
        }
    };
    let attachment_id = record.receipt().map(|receipt| receipt.attachment_id);
    Some(MediaResult { path, verdict, attachment_id })
}
