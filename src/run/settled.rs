//! Articles for which the table decided something other than a create.
//!
//! Absent from here: sending. The one rule: a hold keeps its record's phase, and is
//! taken back by the first run that finds it no longer applies.

use std::collections::BTreeSet;

use crate::article::Article;
use crate::names::{ArticleKey, Timestamp};
use crate::protocol::decide::Action;
use crate::protocol::kinds::{FoundPost, KnownBy, PostReceipt};
use crate::protocol::{ArticleRecord, Change, Phase, SkipReason};

use super::engine::Engine;
use super::result::{ArticleResult, HeldWhy, PostView, Reason, Verdict};
use super::view;

/// Ends an article for which nothing is to be sent.
pub(super) async fn settled(
    engine: &mut Engine<'_>,
    article: &Article,
    record: ArticleRecord,
    action: Action<FoundPost>,
) -> ArticleResult {
    let site = engine.context.site;
    let now = engine.context.now();
    match action {
        Action::Create => {
            // The plan turns every create into `Step::Create`; without its needs
            // nothing may be sent.
            let reason = Reason::new("not_begun", "what the create needs was not settled");
            view::ended(article, &record, Verdict::Deferred(reason))
        }
        Action::Complete(found) => complete(engine, article, record, &found),
        Action::Skip(reason, found) => {
            let record = released(engine, record);
            let record = forget_prepared(engine, record, reason);
            let result = view::ended(article, &record, Verdict::Skipped(reason));
            found.first().map_or_else(
                || result.clone(),
                |first| view::with_post(result.clone(), site, first),
            )
        }
        Action::Hold(reason, found) => {
            let held_already = record.hold().is_some_and(|hold| hold.reason == reason);
            let record = if held_already {
                record
            } else {
                engine.change(record, Change::Hold(reason, now))
            };
            let mut result = view::ended(article, &record, Verdict::Held(HeldWhy::Decided(reason)));
            result.candidates = found.iter().map(|found| view::post_view(site, found)).collect();
            if let [only] = found.as_slice() {
                result.post = Some(view::post_view(site, only));
            }
            look_for_candidates(engine, article, &record, &mut result).await;
            result
        }
        Action::Unknown(reason) => view::ended(article, &record, Verdict::Unknown(reason)),
        Action::Defer(reason) => {
            view::ended(article, &record, Verdict::Deferred(view::defer_reason(&reason)))
        }
    }
}

/// Records a receipt for a post that a look-up found, without sending.
pub(super) fn complete(
    engine: &mut Engine<'_>,
    article: &Article,
    record: ArticleRecord,
    found: &FoundPost,
) -> ArticleResult {
    let receipt = receipt_of(found, KnownBy::LookUp, engine.context.now());
    let record = engine.change(record, Change::Confirm(receipt));
    let result = view::ended(article, &record, Verdict::Completed);
    view::with_post(result, engine.context.site, found)
}

/// The proof that a found post exists.
pub(super) fn receipt_of(found: &FoundPost, known_by: KnownBy, at: Timestamp) -> PostReceipt {
    PostReceipt {
        post_id: found.post_id,
        stored_slug: found.stored_slug.clone(),
        link: found.link.clone(),
        status: found.status.clone(),
        content_digest: found.content_digest,
        known_by,
        at,
    }
}

fn released(engine: &mut Engine<'_>, record: ArticleRecord) -> ArticleRecord {
    if record.hold().is_some() { engine.change(record, Change::Release) } else { record }
}

/// A prepared article whose slug turned out to be taken ended with nothing sent.
fn forget_prepared(
    engine: &mut Engine<'_>,
    record: ArticleRecord,
    reason: SkipReason,
) -> ArticleRecord {
    match (record.phase(), reason) {
        (_, SkipReason::Withdrawn) | (Phase::None | Phase::Sending(_) | Phase::Confirmed(_), _) => {
            record
        }
        (
            Phase::Prepared(_),
            SkipReason::Exists
            | SkipReason::ExistsSeveral
            | SkipReason::ExistsInTrash
            | SkipReason::ExistsHidden
            | SkipReason::Confirmed,
        ) => {
            let void = Change::Void {
                code: reason.code().to_owned(),
                evidence: "the slug is taken, nothing was sent".to_owned(),
                at: engine.context.now(),
            };
            engine.change(record, void)
        }
    }
}

/// Posts that resemble a lost one, for a person who must decide.
pub(super) async fn look_for_candidates(
    engine: &Engine<'_>,
    article: &Article,
    record: &ArticleRecord,
    result: &mut ArticleResult,
) {
    if !view::wants_candidates(&result.verdict) {
        return;
    }
    let since = match record.phase() {
        Phase::Sending(sending) => sending.sent_at,
        Phase::Confirmed(confirmed) => confirmed.receipt.at,
        Phase::None | Phase::Prepared(_) => return,
    };
    result.candidates.extend(resembling(engine, article, since).await);
}

/// Posts that resemble this article's, and are not known to be another's.
pub(super) async fn resembling(
    engine: &Engine<'_>,
    article: &Article,
    since: Timestamp,
) -> Vec<PostView> {
    let site = engine.context.site;
    let ArticleKey { post_type, slug } = &article.key;
    let mut found = site.candidates(*post_type, slug, &article.title, since).await;
    // A record that can't be read leaves its post in the list, which is the safe side.
    let records = engine.journal.view().articles().unwrap_or_default();
    let taken: BTreeSet<_> =
        records.iter().flatten().filter_map(|record| Some(record.receipt()?.post_id)).collect();
    found.retain(|post| !taken.contains(&post.post_id));
    found.iter().map(|post| view::post_view(site, post)).collect()
}
