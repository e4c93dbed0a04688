//! From records and actions to results.
//!
//! Absent from here: deciding, writing, asking. The one rule: what may exist on the
//! site is read from the record, not from how the run felt.

use crate::article::Article;
use crate::names::Timestamp;
use crate::protocol::decide::{Action, HoldReason};
use crate::protocol::kinds::FoundPost;
use crate::protocol::{ArticleRecord, Phase};
use crate::wordpress::Site;

use super::result::{
    ArticleResult, HeldWhy, JOURNAL_DAMAGED, PostView, Reason, RemoteEffect, Verdict, Warning,
};

/// The result of an article with this record.
pub(super) fn ended(article: &Article, record: &ArticleRecord, verdict: Verdict) -> ArticleResult {
    let since = match &verdict {
        Verdict::Held(_) => record.hold().map(|hold| hold.since),
        Verdict::Unknown(_) => sent_at(record),
        Verdict::WouldCreate
        | Verdict::WouldComplete
        | Verdict::Created
        | Verdict::Completed
        | Verdict::Skipped(_)
        | Verdict::Deferred(_)
        | Verdict::Rejected(_)
        | Verdict::Invalid => None,
    };
    ArticleResult {
        attempt: record.attempts(),
        since,
        sent_at: sent_at(record),
        settles_at: settles_at(record),
        effect: effect(record),
        ..ArticleResult::new(Some(article.key.clone()), article.path.clone(), verdict)
    }
}

/// When the send left whose outcome is not settled.
pub(super) fn sent_at(record: &ArticleRecord) -> Option<Timestamp> {
    match record.phase() {
        Phase::Sending(sending) => Some(sending.sent_at),
        Phase::None | Phase::Prepared(_) | Phase::Confirmed(_) => None,
    }
}

/// When the site can no longer be working on a send.
pub(super) fn settles_at(record: &ArticleRecord) -> Option<Timestamp> {
    match record.phase() {
        Phase::Sending(sending) => Some(sending.settle_until),
        Phase::None | Phase::Prepared(_) | Phase::Confirmed(_) => None,
    }
}

/// What of ours may exist on the site.
pub(super) fn effect(record: &ArticleRecord) -> RemoteEffect {
    match record.phase() {
        Phase::None | Phase::Prepared(_) => RemoteEffect::None,
        Phase::Sending(_) => RemoteEffect::Possible,
        Phase::Confirmed(_) => RemoteEffect::Confirmed,
    }
}

/// The result of an article whose record can't be read.
pub(super) fn damaged(article: &Article, why: String) -> ArticleResult {
    let record = ArticleRecord::new(article.key.clone());
    let mut result = ended(article, &record, Verdict::Held(HeldWhy::JournalDamaged(why)));
    // A record that can't be read may be the one that says `sending`.
    result.effect = RemoteEffect::Possible;
    result
}

/// The result with this post as the one it speaks of, and its differences as warnings.
pub(super) fn with_post(
    mut result: ArticleResult,
    site: &Site,
    found: &FoundPost,
) -> ArticleResult {
    result.post = Some(post_view(site, found));
    result.warnings.extend(found.differences.iter().map(Warning::from));
    result
}

/// A post as people see it.
pub(super) fn post_view(site: &Site, found: &FoundPost) -> PostView {
    PostView::of(found, Some(site.edit_url(found.post_id.get())))
}

/// What a plan's action is in a result, with the posts that it rests on.
pub(super) fn planned(action: Action<FoundPost>) -> (Verdict, Vec<FoundPost>) {
    match action {
        Action::Create => (Verdict::WouldCreate, Vec::new()),
        Action::Complete(found) => (Verdict::WouldComplete, vec![found]),
        Action::Skip(reason, found) => (Verdict::Skipped(reason), found),
        Action::Hold(reason, found) => (Verdict::Held(HeldWhy::Decided(reason)), found),
        Action::Unknown(reason) => (Verdict::Unknown(reason), Vec::new()),
        Action::Defer(reason) => (Verdict::Deferred(defer_reason(&reason)), Vec::new()),
    }
}

/// A deferral of the table in words.
pub(super) fn defer_reason(reason: &crate::protocol::DeferReason) -> Reason {
    match reason {
        crate::protocol::DeferReason::CannotLookUp(unclear) => {
            Reason::new(reason.code(), unclear.detail.clone())
        }
    }
}

/// Whether a person who must decide is helped by posts that merely resemble ours.
pub(super) fn wants_candidates(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Held(HeldWhy::Decided(reason)) => match reason {
            HoldReason::NotFound | HoldReason::Hidden | HoldReason::ReceiptMissing => true,
            HoldReason::InputChanged
            | HoldReason::RendererChanged
            | HoldReason::EditedWhileSending
            | HoldReason::ContentDiffers
            | HoldReason::SeveralFound
            | HoldReason::FoundInTrash
            | HoldReason::ReceiptInTrash
            | HoldReason::ReceiptMismatch
            | HoldReason::EditedAfterReceipt
            | HoldReason::MediaUnknown => false,
        },
        Verdict::WouldCreate
        | Verdict::WouldComplete
        | Verdict::Created
        | Verdict::Completed
        | Verdict::Skipped(_)
        | Verdict::Unknown(_)
        | Verdict::Held(HeldWhy::JournalDamaged(_))
        | Verdict::Deferred(_)
        | Verdict::Rejected(_)
        | Verdict::Invalid => false,
    }
}

/// The stable codes of a verdict: its outcome, and its reason where it has one.
#[must_use]
pub fn codes(verdict: &Verdict) -> (&'static str, Option<String>) {
    let some = |code: &str| Some(code.to_owned());
    match verdict {
        Verdict::WouldCreate => ("create", None),
        Verdict::WouldComplete => ("complete", None),
        Verdict::Created => ("created", None),
        Verdict::Completed => ("completed", None),
        Verdict::Skipped(reason) => ("skipped", some(reason.code())),
        Verdict::Unknown(reason) => ("unknown", some(reason.code())),
        Verdict::Held(HeldWhy::Decided(reason)) => ("held", some(reason.code())),
        Verdict::Held(HeldWhy::JournalDamaged(_)) => ("held", some(JOURNAL_DAMAGED)),
        Verdict::Deferred(reason) => ("deferred", some(&reason.code)),
        Verdict::Rejected(reason) => ("rejected", some(&reason.code)),
        Verdict::Invalid => ("invalid", some("check_failed")),
    }
}
