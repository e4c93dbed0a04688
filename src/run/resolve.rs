//! A person's decisions, carried out with a last look at the site.
//!
//! Absent from here: sending anything. The one rule: a decision is recorded with who,
//! when, why and what the site showed, and one that the site contradicts is refused.

use crate::article::Article;
use crate::journal::{JournalView, Journaled, LockedJournal, WriteError};
use crate::names::{ArticleKey, OperationId, PostId, RunId, Timestamp};
use crate::protocol::kinds::{ArticleInput, FoundPost, KnownBy};
use crate::protocol::record::{DecisionKind, Prepared};
use crate::protocol::sighting::Sighting;
use crate::protocol::{ArticleRecord, Change, Decision, Phase, Record};
use crate::render::RENDERER_VERSION;
use crate::wordpress::{ReadFailure, Site};

use super::look;
use super::result::{RemoteEffect, Trouble, TroubleKind};
use super::settled::receipt_of;
use super::with_causes;

/// What a person decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// This object is ours.
    Adopt(u64),
    /// Nothing was created.
    NotCreated,
    /// Begin anew.
    Restart,
    /// Never send it.
    Withdraw,
}

/// Who decides, when and why.
#[derive(Debug, Clone)]
pub struct Person {
    /// Who, as `user@host`.
    pub by: String,
    /// Why, in the person's words.
    pub because: String,
    /// When.
    pub at: Timestamp,
    /// The run that carries it out.
    pub run: RunId,
    /// The name of an attempt that a decision begins anew.
    pub operation: OperationId,
}

/// What was decided, for the result.
#[derive(Debug)]
pub struct Resolved {
    /// What was recorded, in words.
    pub message: String,
}

/// Carries out a decision about an article.
pub async fn resolve_article(
    site: Option<&Site>,
    journal: &mut LockedJournal,
    key: &ArticleKey,
    article: Option<&Article>,
    verdict: Verdict,
    person: &Person,
) -> Result<Resolved, Trouble> {
    let stored = journal.view().article(key);
    let damaged = stored.as_ref().err().map(with_causes_of);
    let known = matches!(stored, Ok(Some(_)) | Err(_));
    if !known && article.is_none() {
        return Err(no_article(key));
    }
    let record = stored.unwrap_or_default().unwrap_or_else(|| ArticleRecord::new(key.clone()));
    let change = match verdict {
        Verdict::Adopt(id) => {
            not_of_another(journal.view(), key, id)?;
            adopt(needed(site)?, &record, article, id, person).await?
        }
        Verdict::NotCreated => {
            let site = needed(site)?;
            let evidence = proof_of_nothing(site, journal, key, &record).await?;
            Change::NotCreated(decision(person, evidence))
        }
        Verdict::Restart => {
            let evidence = match (record.phase(), record.withdrawn()) {
                (Phase::Confirmed(_), None) => {
                    let site = needed(site)?;
                    receipt_is_gone(site, journal, key, &record).await?
                }
                _ => format!("the record was {}", record.phase().code()),
            };
            Change::Restart(decision(person, evidence))
        }
        Verdict::Withdraw => {
            let evidence = format!("the record was {}", record.phase().code());
            Change::Withdraw(decision(person, evidence))
        }
    };
    let record = match &damaged {
        None => apply(record, change)?,
        Some(why) => apply_to_damaged(record, change, article, person, why)?,
    };
    save(journal, &record, damaged.is_some())?;
    Ok(Resolved { message: recorded(verdict.kind(), &record) })
}

fn with_causes_of(error: &crate::journal::Damaged) -> String {
    with_causes(error)
}

impl Verdict {
    fn kind(self) -> DecisionKind {
        match self {
            Self::Adopt(_) => DecisionKind::Adopt,
            Self::NotCreated => DecisionKind::NotCreated,
            Self::Restart => DecisionKind::Restart,
            Self::Withdraw => DecisionKind::Withdraw,
        }
    }
}

fn recorded(decision: DecisionKind, record: &ArticleRecord) -> String {
    match decision {
        DecisionKind::Adopt => record.receipt().map_or_else(String::new, |receipt| {
            format!("post {} (slug {}) is its receipt now", receipt.post_id, receipt.stored_slug)
        }),
        DecisionKind::NotCreated => {
            "the earlier send counts as lost; the next push looks again, and sends if the slug is \
             free"
                .to_owned()
        }
        DecisionKind::Restart => match record.phase() {
            Phase::None => "the next push begins anew with the article as it is".to_owned(),
            Phase::Prepared(_) | Phase::Sending(_) | Phase::Confirmed(_) => {
                format!("it is back, in phase {}", record.phase().code())
            }
        },
        DecisionKind::Withdraw => "it is skipped from now on; --restart brings it back".to_owned(),
    }
}

/// A decision with its evidence.
pub(super) fn decision(person: &Person, evidence: String) -> Decision {
    let Person { by, because, at, .. } = person.clone();
    Decision { by, because, evidence, at }
}

/// A decision that looks at the site can't be made offline.
pub(super) fn needed(site: Option<&Site>) -> Result<&Site, Trouble> {
    site.ok_or_else(|| refusal(TroubleKind::Internal, "no_site", "the site was not asked"))
}

/// The trouble of a refused decision; nothing was changed.
pub(super) fn refusal(kind: TroubleKind, code: &str, message: impl Into<String>) -> Trouble {
    let message = format!("{}; nothing was changed", message.into());
    Trouble::new(kind, code, message, "see how things stand: oncepress status")
        .with_next("oncepress status")
        .with_effect(RemoteEffect::Possible)
}

/// The change, or a refusal that says what the record is.
pub(super) fn apply<K: crate::protocol::Kind>(
    record: Record<K>,
    change: Change<K>,
) -> Result<Record<K>, Trouble> {
    record
        .apply(change)
        .map_err(|illegal| refusal(TroubleKind::Usage, "not_applicable", illegal.to_string()))
}

/// Makes the decided record durable.
pub(super) fn save<K: Journaled>(
    journal: &mut LockedJournal,
    record: &Record<K>,
    in_place_of_damaged: bool,
) -> Result<(), Trouble> {
    let saved: Result<(), WriteError> = if in_place_of_damaged {
        journal.replace_damaged(record).map(|_kept| ())
    } else {
        journal.put(record)
    };
    saved.map_err(|error| {
        refusal(TroubleKind::LocalState, "journal_write_failed", with_causes(&error))
    })
}

/// A damaged record says nothing about phases, so a decision begins from none.
fn apply_to_damaged(
    record: ArticleRecord,
    change: Change<crate::protocol::Articles>,
    article: Option<&Article>,
    person: &Person,
    why: &str,
) -> Result<ArticleRecord, Trouble> {
    let with_why = |mut decision: Decision| {
        decision.evidence = format!("{}; the record was damaged: {why}", decision.evidence);
        decision
    };
    match change {
        Change::Adopt { input, receipt, decision } => {
            apply(record, Change::Adopt { input, receipt, decision: with_why(decision) })
        }
        Change::Withdraw(decision) => apply(record, Change::Withdraw(with_why(decision))),
        Change::NotCreated(decision) => {
            let article = article.ok_or_else(|| no_article(record.identity()))?;
            let prepared = Prepared {
                operation: person.operation.clone(),
                input: input_of(article),
                run: person.run.clone(),
                at: person.at,
            };
            let prepared = apply(record, Change::Prepare(prepared))?;
            apply(prepared, Change::Restart(with_why(decision)))
        }
        other => apply(record, other),
    }
}

fn no_article(key: &ArticleKey) -> Trouble {
    let message = format!("no article in the articles folder and no record has the slug {key}");
    refusal(TroubleKind::Usage, "no_article", message)
}

/// What is fixed about an article, as it is today.
pub(super) fn input_of(article: &Article) -> ArticleInput {
    ArticleInput {
        source: article.path.clone(),
        digest: article.digest,
        renderer: RENDERER_VERSION,
        media: article.images.iter().map(|image| image.digest).collect(),
        approval: None,
    }
}

/// One post is the receipt of one article.
fn not_of_another(journal: &JournalView, key: &ArticleKey, id: u64) -> Result<(), Trouble> {
    let records = journal.articles().map_err(|error| {
        refusal(TroubleKind::LocalState, "journal_unusable", with_causes(&error))
    })?;
    // A damaged record may hold it too; then the person who looked knows better.
    let has_it = |record: &&ArticleRecord| {
        record.identity() != key
            && record.receipt().is_some_and(|receipt| receipt.post_id.get() == id)
    };
    match records.iter().flatten().find(has_it) {
        None => Ok(()),
        Some(other) => {
            let message = format!("post {id} is the receipt of {}", other.identity());
            Err(refusal(TroubleKind::Doubt, "receipt_of_another", message))
        }
    }
}

/// The receipt of a post that a person names, bound to the article as it is today.
async fn adopt(
    site: &Site,
    record: &ArticleRecord,
    article: Option<&Article>,
    id: u64,
    person: &Person,
) -> Result<Change<crate::protocol::Articles>, Trouble> {
    let post_type = record.identity().post_type;
    let found = match PostId::new(id) {
        None => None,
        Some(id) => site
            .read_post(post_type, id, None)
            .await
            .map_err(|failure| unreadable(id.get(), &failure))?,
    };
    let Some(found) = found else {
        let message = format!("the site has no {} with the id {id}", post_type.as_str());
        return Err(refusal(TroubleKind::Doubt, "no_such_post", message));
    };
    if found.status == "trash" {
        let message = format!("post {id} is in the trash");
        return Err(refusal(TroubleKind::Doubt, "post_in_trash", message));
    }
    let input = match (article, record.input()) {
        (Some(article), _) => input_of(article),
        (None, Some(input)) => input.clone(),
        (None, None) => return Err(no_article(record.identity())),
    };
    let evidence = described(&found);
    let receipt = receipt_of(&found, KnownBy::Person, person.at);
    Ok(Change::Adopt { input, receipt, decision: decision(person, evidence) })
}

pub(super) fn unreadable(id: u64, failure: &ReadFailure) -> Trouble {
    match failure {
        ReadFailure::Hidden => {
            let message = format!("this user may not read {id} on the site");
            refusal(TroubleKind::Doubt, "hidden", message)
        }
        ReadFailure::Unclear(unclear) => {
            let message = format!("the site could not be asked for {id}: {}", unclear.detail);
            refusal(TroubleKind::Temporary, "cannot_look_up", message)
        }
    }
}

fn described(found: &FoundPost) -> String {
    let FoundPost { post_id, stored_slug, status, title, .. } = found;
    format!("post {post_id} \"{title}\", slug {stored_slug}, {status}")
}

/// What the site shows, if it shows nothing; else a refusal that names what it shows.
async fn proof_of_nothing(
    site: &Site,
    journal: &LockedJournal,
    key: &ArticleKey,
    record: &ArticleRecord,
) -> Result<String, Trouble> {
    let sent = match record.phase() {
        Phase::Sending(sending) => Some(&sending.sent),
        Phase::None | Phase::Prepared(_) | Phase::Confirmed(_) => None,
    };
    let sighting = look::look_for_one(site, journal.view(), key, sent).await.map_err(|error| {
        refusal(TroubleKind::LocalState, "journal_unreadable", with_causes(&error))
    })?;
    let found = |posts: &[FoundPost]| {
        let shown: Vec<_> = posts.iter().map(described).collect();
        let message = format!("the site has it: {}", shown.join("; "));
        refusal(TroubleKind::Doubt, "found_after_all", message)
    };
    match sighting {
        Sighting::Absent => Ok("a look-up showed nothing with its slug".to_owned()),
        Sighting::Same(post) | Sighting::Differs(post) | Sighting::Trashed(post) => {
            Err(found(&[post]))
        }
        Sighting::Several(posts) => Err(found(&posts)),
        Sighting::Hidden => {
            let message = "the site counts a post with its slug that this user may not read";
            Err(refusal(TroubleKind::Doubt, "hidden", message))
        }
        Sighting::Unclear(unclear) => {
            let message = format!("the site could not be asked: {}", unclear.detail);
            Err(refusal(TroubleKind::Temporary, "cannot_look_up", message))
        }
    }
}

/// A confirmed article may begin anew only where its post is proved to be gone.
async fn receipt_is_gone(
    site: &Site,
    journal: &LockedJournal,
    key: &ArticleKey,
    record: &ArticleRecord,
) -> Result<String, Trouble> {
    let Some(receipt) = record.receipt() else { return Ok(String::new()) };
    let id = receipt.post_id;
    let shown = site.read_post(key.post_type, id, None).await;
    let shown = shown.map_err(|failure| unreadable(id.get(), &failure))?;
    if let Some(found) = shown {
        let message = format!("its draft is on the site: {}", described(&found));
        return Err(refusal(TroubleKind::Doubt, "receipt_stands", message));
    }
    let nothing = proof_of_nothing(site, journal, key, record).await?;
    Ok(format!("post {id} is gone; {nothing}"))
}
