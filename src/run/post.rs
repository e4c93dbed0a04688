//! One article: images, tags, then the post itself, sent once.
//!
//! Absent from here: what to do about an article that is not to be created
//! (`settled`). The one rule: between the `sending` record and the outcome stands one
//! request and nothing that could repeat it.

use crate::article::{Article, local_path_left};
use crate::journal::OpenSend;
use crate::names::TermId;
use crate::protocol::decide::Action;
use crate::protocol::kinds::{
    ArticleInput, Articles, Difference, DifferentField, FoundPost, KnownBy, PostFields,
};
use crate::protocol::outcome::{Outcome, Unsettled};
use crate::protocol::sighting::Sighting;
use crate::protocol::{ArticleRecord, Change, Phase};
use crate::render::splice;
use crate::wordpress::{PostQuestion, TermFailure};

use super::engine::Engine;
use super::event::{Event, Subject};
use super::look::{look_up_with_control, not_answered};
use super::needs::Needs;
use super::resolve::input_of;
use super::result::{
    ArticleResult, HeldWhy, MediaResult, Reason, RemoteEffect, Trouble, TroubleKind, Verdict,
    Warning,
};
use super::send::not_sent;
use super::settle::settle;
use super::settled::{receipt_of, resembling, settled};
use super::upload::{MediaState, blocks};
use super::view;

impl Engine<'_> {
    /// Creates one article's post, with everything before it.
    pub(super) async fn create(
        &mut self,
        article: &Article,
        record: ArticleRecord,
        needs: Needs,
    ) -> ArticleResult {
        let record = self.prepared_article(article, record);
        if let Some(reason) = self.stopped() {
            return self.give_up(article, record, Verdict::Deferred(reason));
        }
        for image in &article.images {
            self.bring(image).await;
            let state = self.media.get(&image.digest);
            let ended = state.and_then(|state| state.result(&image.path));
            if let Some(verdict) = ended.as_ref().and_then(blocks) {
                return self.blocked_by_image(article, record, verdict);
            }
        }
        let tags = match self.tags(needs.tags.clone(), &needs.new_tags).await {
            Ok(tags) => tags,
            Err(verdict) => return self.give_up_with_media(article, record, verdict),
        };
        let fields = match self.fields(article, &needs, tags) {
            Ok(fields) => fields,
            Err(verdict) => return self.give_up_with_media(article, record, verdict),
        };
        if let Some(reason) = self.stopped() {
            return self.give_up_with_media(article, record, Verdict::Deferred(reason));
        }
        let result = self.send(article, record, fields).await;
        self.with_media(article, result)
    }

    fn give_up_with_media(
        &mut self,
        article: &Article,
        record: ArticleRecord,
        verdict: Verdict,
    ) -> ArticleResult {
        let result = self.give_up(article, record, verdict);
        self.with_media(article, result)
    }

    /// Fixes the input, unless an earlier run did. A disk that refuses stops the run.
    fn prepared_article(&mut self, article: &Article, record: ArticleRecord) -> ArticleRecord {
        let input = ArticleInput { approval: self.approval.clone(), ..input_of(article) };
        let record = match record.phase() {
            // Prepared without the approval that it has now.
            Phase::Prepared(prepared) if prepared.input.approval != input.approval => {
                let void = Change::Void {
                    code: "approval_changed".to_owned(),
                    evidence: "prepared anew under another approval".to_owned(),
                    at: self.context.now(),
                };
                self.change(record, void)
            }
            Phase::None | Phase::Prepared(_) | Phase::Sending(_) | Phase::Confirmed(_) => record,
        };
        match record.phase() {
            Phase::Prepared(_) => record,
            Phase::None | Phase::Sending(_) | Phase::Confirmed(_) => {
                let prepared = self.prepare(input);
                self.change(record, Change::Prepare(prepared))
            }
        }
    }

    /// An image that is not confirmed blocks the create: never a post with a local
    /// path in it.
    fn blocked_by_image(
        &mut self,
        article: &Article,
        record: ArticleRecord,
        verdict: Verdict,
    ) -> ArticleResult {
        let Verdict::Held(HeldWhy::Decided(reason)) = verdict else {
            return self.give_up_with_media(article, record, verdict);
        };
        let record = match record.hold() {
            Some(hold) if hold.reason == reason => record,
            Some(_) | None => self.change(record, Change::Hold(reason, self.context.now())),
        };
        let mut result = self.with_media(article, view::ended(article, &record, verdict));
        if result.media.iter().any(MediaResult::may_have_been_sent) {
            result.effect = RemoteEffect::Possible;
        }
        result
    }

    /// The ids of all tags, those that had to be created among them. Creating a tag
    /// that exists is answered with its id, so a lost answer costs nothing here.
    async fn tags(
        &mut self,
        mut ids: Vec<TermId>,
        new_tags: &[String],
    ) -> Result<Vec<TermId>, Verdict> {
        for name in new_tags {
            if let Some(id) = self.tags.get(name) {
                ids.push(*id);
                continue;
            }
            if let Some(reason) = self.stopped() {
                return Err(Verdict::Deferred(reason));
            }
            let created = self.context.site.create_tag(name).await;
            let subject = Subject::Tag(name.clone());
            let outcome = created.as_ref().map_or("not_settled", |_| "created");
            let (operation, detail) = (self.context.operation(), String::new());
            (self.emit)(Event::Sent { subject, operation, outcome, detail });
            let term = created.map_err(|failure| {
                self.heed_tag(&failure);
                tag_failure(name, &self.context.site.account().name, failure)
            })?;
            self.tags.insert(name.clone(), term.id);
            ids.push(term.id);
        }
        ids.sort_unstable();
        ids.dedup();
        Ok(ids)
    }

    fn fields(
        &self,
        article: &Article,
        needs: &Needs,
        tags: Vec<TermId>,
    ) -> Result<PostFields, Verdict> {
        let mut places = Vec::with_capacity(article.images.len());
        for image in &article.images {
            match self.media.get(&image.digest) {
                Some(MediaState::Ready { id, url, .. }) => {
                    places.push(splice::Uploaded { id: *id, address: url });
                }
                Some(MediaState::Looked(_) | MediaState::Blocked(_)) | None => {
                    let message = format!("image {} has no address on the site", image.path);
                    return Err(Verdict::Deferred(Reason::new("media_not_ready", message)));
                }
            }
        }
        let content =
            splice::rewrite(&article.html, &article.references, |index| places[index.get()]);
        // The check found every reference, or this is where it shows.
        if let Some(left) = local_path_left(&content) {
            let message = format!("a local path is left in what would be sent: {left}");
            return Err(Verdict::Rejected(Reason::new("local_path_left", message)));
        }
        let featured_media = article.featured.map(|index| places[index.get()].id);
        let owned = |text: &str| text.to_owned();
        Ok(PostFields {
            status: article.status,
            title: article.title.clone(),
            content,
            excerpt: article.excerpt.clone(),
            categories: needs.categories.clone(),
            tags,
            featured_media,
            date: article.date.as_ref().map(crate::article::ArticleDate::timestamp),
            author: needs.author,
            template: article.template.clone(),
            format: article.format.map(|format| owned(format.as_str())),
            comment_status: article.comment_status.map(|status| owned(status.as_str())),
            parent: needs.parent,
            meta: needs.meta.clone(),
            filter: self.context.site.account().content_filter(),
        })
    }

    async fn send(
        &mut self,
        article: &Article,
        record: ArticleRecord,
        fields: PostFields,
    ) -> ArticleResult {
        let key = &article.key;
        let subject = Subject::Article(key.clone());
        let site = self.context.site;
        let request =
            async |permit| site.create_post(permit, key.post_type, &key.slug, &fields).await;
        let sent = self.send_once(record.clone(), fields.clone(), &subject, request).await;
        let (open, outcome) = match sent {
            Ok(sent) => sent,
            Err(reason) => return view::ended(article, &record, Verdict::Deferred(reason)),
        };
        let outcome = self.unless_handed_back(key, outcome);
        match outcome {
            Outcome::Created(found) => self.created(article, open, &found).await,
            Outcome::Rejected(rejection) => {
                let reason = Reason::new(rejection.code, rejection.message);
                let record = self.void(open, &reason);
                view::ended(article, &record, Verdict::Rejected(reason))
            }
            Outcome::NotSent(why) => {
                let reason = not_sent(&why);
                let record = self.void(open, &reason);
                view::ended(article, &record, Verdict::Deferred(reason))
            }
            Outcome::Unknown(unsettled) => {
                self.settle_post(article, open.leave(), &fields, unsettled, &subject).await
            }
        }
    }

    async fn created(
        &mut self,
        article: &Article,
        open: OpenSend<Articles>,
        found: &FoundPost,
    ) -> ArticleResult {
        if found.status != "draft" && found.status != "pending" {
            self.alarm(article, found);
        }
        let sent = open.record().clone();
        let receipt = receipt_of(found, KnownBy::Answer, self.context.now());
        let record = open.confirm(self.journal, receipt).unwrap_or_else(|error| {
            self.receipt_refused(&error);
            sent
        });
        let mut result = view::ended(article, &record, Verdict::Created);
        result.effect = RemoteEffect::Confirmed;
        let mut result = view::with_post(result, self.context.site, found);
        let is_slug = |difference: &Difference| difference.field == DifferentField::Slug;
        if found.differences.iter().any(is_slug) {
            // Whoever holds the slug we asked for: perhaps our own earlier try. The post
            // just made has its receipt, so it is not among them.
            result.candidates = resembling(self, article, self.context.now()).await;
        }
        result
    }

    /// Something on the site publishes drafts: not one more may be sent.
    fn alarm(&mut self, article: &Article, found: &FoundPost) {
        let message = format!(
            "{} was sent as {}, and the site stored post {} as \"{}\"; nothing more was sent",
            article.path,
            article.status.as_str(),
            found.post_id,
            found.status
        );
        self.stop("status_not_draft", message.clone());
        let hint = format!(
            "look at the post now ({}); a plugin of the site changes the status of drafts",
            self.context.site.edit_url(found.post_id.get())
        );
        let trouble = Trouble::new(TroubleKind::Doubt, "status_not_draft", message, hint);
        self.troubles.push(trouble.with_effect(RemoteEffect::Confirmed));
    }

    /// Looks for the post whose answer was lost, a few times.
    async fn settle_post(
        &mut self,
        article: &Article,
        record: ArticleRecord,
        fields: &PostFields,
        unsettled: Unsettled,
        subject: &Subject,
    ) -> ArticleResult {
        let Unsettled { detail, hint, .. } = unsettled;
        let site = self.context.site;
        let key = &article.key;
        let hinted = hint.and_then(crate::names::PostId::new);
        let until = self.settle_time_of(&record);
        let control = self.control.clone();
        let action = settle(self.context, subject, until, self.emit, async || {
            // An id that the answer itself named leads to the post even where another
            // post holds our slug; it counts if it says what was sent.
            if let Some(id) = hinted
                && let Ok(Some(found)) =
                    site.read_post(key.post_type, id, Some((&key.slug, fields))).await
                && found.says_what_was_sent()
            {
                return Sighting::Same(found);
            }
            let question = PostQuestion { slug: &key.slug, sent: Some(fields) };
            let mut seen = look_up_with_control(site, key.post_type, &[question], &control).await;
            let unanswered = || Sighting::Unclear(not_answered("slug"));
            seen.remove(&key.slug).unwrap_or_else(unanswered)
        })
        .await;
        self.heed_silence(&action);
        let not_created = matches!(action, Action::Unknown(_) | Action::Hold(..));
        let mut result = settled(self, article, record, action).await;
        if not_created {
            result.warnings.push(Warning { code: "answer_lost".to_owned(), message: detail });
        }
        result
    }
}

fn tag_failure(name: &str, user: &str, failure: TermFailure) -> Verdict {
    match failure {
        TermFailure::Refused(rejection) if rejection.code == "rest_cannot_create" => {
            let message = format!(
                "the tag \"{name}\" is not on the site, and the user {user} may not create tags \
                 ({}); let somebody who may create it, or take it out of the article",
                rejection.message
            );
            Verdict::Rejected(Reason::new("no_right_to_tags", message))
        }
        TermFailure::Refused(rejection) => {
            let message = format!("the tag \"{name}\" can't be created: {}", rejection.message);
            Verdict::Rejected(Reason::new("tag_refused", message))
        }
        TermFailure::OtherTerm(term) => {
            let message = format!(
                "the site has no tag \"{name}\", and takes \"{}\" (id:{}) for the same; name it as \
                 \"id:{}\" if it is meant",
                term.name, term.id, term.id
            );
            Verdict::Rejected(Reason::new("tag_ambiguous", message))
        }
        TermFailure::Unclear(unclear) => {
            let message = format!("the tag \"{name}\" could not be settled: {}", unclear.detail);
            Verdict::Deferred(Reason::new("cannot_look_up_terms", message))
        }
    }
}
