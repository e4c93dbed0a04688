//! The engine: carries out a plan, one article after the other.
//!
//! Absent from here: what to do (`protocol`) and how to say it (`report`). The one
//! rule: record, send once, record; whatever comes back, the article ends with a
//! verdict and the run goes on, unless going on could make things worse.

use std::collections::BTreeMap;

use crate::article::Article;
use crate::journal::{Journaled, LockedJournal, ReceiptNotSaved, WriteError};
use crate::names::{Digest, TermId};
use crate::protocol::kinds::Approval;
use crate::protocol::{ArticleRecord, Change, Record};

use super::context::Context;
use super::event::{Event, Subject};
use super::look::{Control, MassAbsence};
use super::plan::{Item, Plan, Step};
use super::refresh::refresh;
use super::result::{
    ArticleResult, MediaResult, Reason, RemoteEffect, Trouble, TroubleKind, Verdict, Warning,
};
use super::upload::MediaState;
use super::with_causes;
use super::{settled, view};

/// The engine while it runs.
pub(super) struct Engine<'e> {
    pub(super) context: &'e Context<'e>,
    pub(super) journal: &'e mut LockedJournal,
    /// By whose word the plan is carried out, where somebody had to approve it.
    pub(super) approval: Option<Approval>,
    pub(super) emit: &'e mut dyn FnMut(Event),
    /// What slug look-ups must show to be trusted.
    pub(super) control: Control,
    /// What is known of each image file.
    pub(super) media: BTreeMap<Digest, MediaState>,
    /// What a person should know of files that were stored in this run.
    pub(super) media_warnings: BTreeMap<Digest, Warning>,
    /// Tags created in this run, by the name they were asked for.
    pub(super) tags: BTreeMap<String, TermId>,
    /// Why no new write is begun any more.
    stop: Option<Reason>,
    pub(super) not_sent_in_a_row: u32,
    pub(super) troubles: Vec<Trouble>,
}

/// What carrying out a plan came to.
#[derive(Debug)]
pub(super) struct Done {
    /// One entry per article of the plan.
    pub articles: Vec<ArticleResult>,
    /// Troubles that concern the run.
    pub troubles: Vec<Trouble>,
}

/// Carries out the plan.
pub(super) async fn carry_out(
    context: &Context<'_>,
    journal: &mut LockedJournal,
    plan: Plan<'_>,
    approval: Option<Approval>,
    emit: &mut dyn FnMut(Event),
) -> Done {
    let Plan { mut items, uploads, control, mut looked_at, mass_absence } = plan;
    let media = uploads.into_iter().map(|(digest, looked)| (digest, looked.into())).collect();
    let mut engine = Engine {
        context,
        journal,
        approval,
        emit,
        control,
        media,
        media_warnings: BTreeMap::new(),
        tags: BTreeMap::new(),
        stop: None,
        not_sent_in_a_row: 0,
        troubles: mass_absence.map(MassAbsence::trouble).into_iter().collect(),
    };
    let mut pairs = Vec::with_capacity(items.len());
    for index in 0..items.len() {
        if matches!(items[index].step, Step::Create(..)) && engine.stopped().is_none() {
            refresh(context, &engine.control, &mut items[index..], &mut looked_at).await;
        }
        let ended = engine.end(&mut items[index]).await;
        engine.tell(&ended);
        pairs.push((items[index].article, ended));
    }
    engine.warn_of_twins(&mut pairs).await;
    context.pass_on_exchanges(engine.emit);
    let troubles = engine.troubles;
    Done { articles: pairs.into_iter().map(|(_, ended)| ended).collect(), troubles }
}

impl Engine<'_> {
    /// Brings one article to its end.
    async fn end(&mut self, item: &mut Item<'_>) -> ArticleResult {
        let article = item.article;
        match std::mem::replace(&mut item.step, Step::Damaged(String::new())) {
            Step::Damaged(why) => view::damaged(article, why),
            Step::Refuse(record, reason) => {
                self.give_up(article, *record, Verdict::Rejected(reason))
            }
            Step::PutOff(record, reason) => {
                self.give_up(article, *record, Verdict::Deferred(reason))
            }
            Step::Settle(record, action) => settled::settled(self, article, *record, action).await,
            Step::Create(record, needs) => {
                if let Some(reason) = self.stopped() {
                    return self.give_up(article, *record, Verdict::Deferred(reason));
                }
                let warnings = needs.warnings.clone();
                let mut result = self.create(article, *record, needs).await;
                result.warnings.extend(warnings);
                result
            }
        }
    }

    /// Ends an article before its send: its record goes back to none.
    pub(super) fn give_up(
        &mut self,
        article: &Article,
        record: ArticleRecord,
        verdict: Verdict,
    ) -> ArticleResult {
        let record = match (record.phase().code(), &verdict) {
            ("prepared", Verdict::Rejected(reason) | Verdict::Deferred(reason)) => {
                let void = Change::Void {
                    code: reason.code.clone(),
                    evidence: "given up before the send".to_owned(),
                    at: self.context.now(),
                };
                self.change(record, void)
            }
            _ => record,
        };
        view::ended(article, &record, verdict)
    }

    /// Applies a change and makes it durable. Where the disk refuses, the record on
    /// disk is the old one, the run stops starting writes, and the old one goes on.
    pub(super) fn change<K: Journaled>(
        &mut self,
        record: Record<K>,
        change: Change<K>,
    ) -> Record<K> {
        let changed = match record.clone().apply(change) {
            Ok(changed) => changed,
            Err(illegal) => {
                let hint = "this is a bug of OncePress: please report it";
                let (kind, text) = (TroubleKind::Internal, illegal.to_string());
                self.troubles.push(Trouble::new(kind, "illegal_change", text, hint));
                return record;
            }
        };
        match self.journal.put(&changed) {
            Ok(()) => changed,
            Err(error) => {
                self.disk_refused(&error);
                record
            }
        }
    }

    /// The disk did not take a record: nothing more is begun.
    pub(super) fn disk_refused(&mut self, error: &WriteError) -> Reason {
        let message = with_causes(error);
        let reason = Reason::new("journal_write_failed", message.clone());
        let text = format!("{message}; nothing more was sent");
        let hint = "make room on the disk, then run the same command again";
        let trouble = Trouble::new(TroubleKind::LocalState, "journal_write_failed", text, hint);
        self.troubles.push(trouble.with_next("oncepress push"));
        self.stop.get_or_insert_with(|| reason.clone());
        reason
    }

    /// The object exists, and its receipt could not be written where it belongs.
    pub(super) fn receipt_refused(&mut self, error: &ReceiptNotSaved) {
        // The error itself names the place that took it.
        let nowhere = if error.rescue.is_none() { ", and no other place took it" } else { "" };
        let message = format!("{}{nowhere}; the receipt is: {}", with_causes(error), error.line);
        let hint = "make room on the disk, then run the same command again: it finds what was \
                    sent by its slug and completes";
        let trouble =
            Trouble::new(TroubleKind::ReceiptNotSaved, "receipt_not_saved", message, hint);
        let trouble = trouble.with_next("oncepress push");
        self.troubles.push(trouble.with_effect(RemoteEffect::Confirmed));
        self.stop.get_or_insert_with(|| {
            Reason::new("receipt_not_saved", "an earlier receipt could not be saved")
        });
    }

    /// Why no new write may be begun, if so.
    pub(super) fn stopped(&self) -> Option<Reason> {
        if self.context.interrupt.raised().is_some() {
            return Some(Reason::new("interrupted", "the run was interrupted before this one"));
        }
        self.stop.clone()
    }

    /// Begins no new write from here on.
    pub(super) fn stop(&mut self, code: &str, message: String) {
        self.stop.get_or_insert_with(|| Reason::new(code, message));
    }

    fn tell(&mut self, ended: &ArticleResult) {
        self.context.pass_on_exchanges(self.emit);
        if let Some(key) = &ended.key {
            let (outcome, reason) = view::codes(&ended.verdict);
            (self.emit)(Event::Ended {
                subject: Subject::Article(key.clone()),
                outcome,
                reason,
                post_id: ended.post.as_ref().map(|post| post.post_id.get()),
            });
        }
    }

    /// The result, with the images of its article as they stand now.
    pub(super) fn with_media(&self, article: &Article, mut result: ArticleResult) -> ArticleResult {
        let one = |image: &crate::article::MediaFile| -> Option<MediaResult> {
            self.media.get(&image.digest).and_then(|state| state.result(&image.path))
        };
        result.media = article.images.iter().filter_map(one).collect();
        let warnings = article.images.iter().map(|image| self.media_warnings.get(&image.digest));
        result.warnings.extend(warnings.flatten().cloned());
        result
    }
}
