//! One image file: from "to be uploaded" to an address on the site.
//!
//! Absent from here: the post. The one rule: the same table as for articles; an image
//! that is not confirmed blocks its article, and is never uploaded a second time.

use crate::article::MediaFile;
use crate::journal::OpenSend;
use crate::names::AttachmentId;
use crate::protocol::decide::{Action, HoldReason, SkipReason};
use crate::protocol::kinds::{FoundAttachment, KnownBy, UploadSent, Uploads};
use crate::protocol::outcome::{Outcome, Rejection, Unsettled};
use crate::protocol::sighting::Sighting;
use crate::protocol::{Change, Phase, UploadRecord};
use crate::wordpress::MediaQuestion;

use super::engine::Engine;
use super::event::Subject;
use super::look::not_answered;
use super::look_uploads::{LookedUpload, UploadAction};
use super::result::{
    HeldWhy, JOURNAL_DAMAGED, MediaResult, MediaVerdict, Reason, Verdict, Warning,
};
use super::send::not_sent;
use super::settle::settle;
use super::upload_forms::{input, receipt, upload_file};
use super::view;
use super::with_causes;

/// What is known of an image file in this run.
#[derive(Debug)]
pub(super) enum MediaState {
    /// Its record and what is to be done; nothing was done yet.
    Looked(Box<(UploadRecord, UploadAction)>),
    /// On the site, with a receipt.
    Ready { id: AttachmentId, url: String, how: MediaVerdict },
    /// It blocks every article that uses it.
    Blocked(MediaVerdict),
}

impl From<LookedUpload> for MediaState {
    fn from(looked: LookedUpload) -> Self {
        match looked {
            Ok(found) => Self::Looked(Box::new(found)),
            Err(damaged) => {
                let reason = Reason::new(JOURNAL_DAMAGED, with_causes(&damaged));
                Self::Blocked(MediaVerdict::Held(reason))
            }
        }
    }
}

impl MediaState {
    /// What a result says of a file in this state. A file that an article did not come
    /// to is not spoken of.
    pub(super) fn result(&self, path: &str) -> Option<MediaResult> {
        let path = path.to_owned();
        match self {
            Self::Looked(_) => None,
            Self::Ready { id, how, .. } => {
                Some(MediaResult { path, verdict: how.clone(), attachment_id: Some(*id) })
            }
            Self::Blocked(verdict) => {
                Some(MediaResult { path, verdict: verdict.clone(), attachment_id: None })
            }
        }
    }
}

/// What a plan says of a file.
pub(super) fn planned(looked: &LookedUpload) -> (MediaVerdict, Option<AttachmentId>) {
    let (_, action) = match looked {
        Ok(looked) => looked,
        Err(damaged) => {
            let reason = Reason::new(JOURNAL_DAMAGED, with_causes(damaged));
            return (MediaVerdict::Held(reason), None);
        }
    };
    match action {
        UploadAction::Reuse(found) => (MediaVerdict::Skipped, Some(found.attachment_id)),
        UploadAction::Decided(Action::Create) => (MediaVerdict::WouldUpload, None),
        UploadAction::Decided(Action::Complete(found)) => {
            (MediaVerdict::Completed, Some(found.attachment_id))
        }
        UploadAction::Decided(Action::Skip(SkipReason::Confirmed, found)) => {
            (MediaVerdict::Skipped, found.first().map(|found| found.attachment_id))
        }
        UploadAction::Decided(other) => (blocked(other), None),
    }
}

/// What an image without a receipt makes of its article, if it blocks it.
pub(super) fn blocks(image: &MediaResult) -> Option<Verdict> {
    let of_image = |reason: &Reason| {
        let message = format!("image {}: {}", image.path, reason.message);
        Reason::new(reason.code.clone(), message)
    };
    match &image.verdict {
        MediaVerdict::WouldUpload
        | MediaVerdict::Created
        | MediaVerdict::Completed
        | MediaVerdict::Skipped => None,
        MediaVerdict::Held(reason) if reason.code == JOURNAL_DAMAGED => {
            Some(Verdict::Held(HeldWhy::JournalDamaged(of_image(reason).message)))
        }
        MediaVerdict::Unknown(_) | MediaVerdict::Held(_) => {
            Some(Verdict::Held(HeldWhy::Decided(HoldReason::MediaUnknown)))
        }
        MediaVerdict::Deferred(reason) => Some(Verdict::Deferred(of_image(reason))),
        MediaVerdict::Rejected(reason) => Some(Verdict::Rejected(of_image(reason))),
    }
}

/// Why a decided action leaves a file without a receipt.
fn blocked(action: &Action<FoundAttachment>) -> MediaVerdict {
    match action {
        Action::Create | Action::Complete(_) => {
            MediaVerdict::Deferred(Reason::new("not_begun", "the upload was not begun"))
        }
        Action::Skip(reason, found) => MediaVerdict::Held(Reason::new(reason.code(), taken(found))),
        Action::Hold(reason, found) => {
            MediaVerdict::Held(Reason::new(reason.code(), held(*reason, found)))
        }
        Action::Unknown(reason) => MediaVerdict::Unknown(reason.clone()),
        Action::Defer(reason) => MediaVerdict::Deferred(view::defer_reason(reason)),
    }
}

fn taken(found: &[FoundAttachment]) -> String {
    format!("the site has another upload under our name ({})", ids(found))
}

fn held(reason: HoldReason, found: &[FoundAttachment]) -> String {
    match reason {
        HoldReason::NotFound => "an upload was begun, and the site does not show it".to_owned(),
        HoldReason::ReceiptMissing => {
            "the site does not have the uploaded file any more".to_owned()
        }
        HoldReason::InputChanged
        | HoldReason::RendererChanged
        | HoldReason::EditedWhileSending
        | HoldReason::ContentDiffers
        | HoldReason::SeveralFound
        | HoldReason::FoundInTrash
        | HoldReason::Hidden
        | HoldReason::ReceiptInTrash
        | HoldReason::ReceiptMismatch
        | HoldReason::EditedAfterReceipt
        | HoldReason::MediaUnknown => format!("a person must look at it ({})", ids(found)),
    }
}

fn ids(found: &[FoundAttachment]) -> String {
    let ids: Vec<_> = found.iter().map(|found| found.attachment_id.to_string()).collect();
    if ids.is_empty() { "no id shown".to_owned() } else { format!("id {}", ids.join(", ")) }
}

impl Engine<'_> {
    /// Brings one image to the site, unless it is there. Afterwards its state is
    /// `Ready` or `Blocked`.
    pub(super) async fn bring(&mut self, image: &MediaFile) {
        let state = match self.media.remove(&image.digest) {
            None => MediaState::Blocked(MediaVerdict::Deferred(Reason::new(
                "not_looked_up",
                "the site was not asked for this image",
            ))),
            Some(MediaState::Looked(looked)) => {
                let (record, action) = *looked;
                self.act(image, record, action).await
            }
            Some(done @ (MediaState::Ready { .. } | MediaState::Blocked(_))) => done,
        };
        self.media.insert(image.digest, state);
    }

    async fn act(
        &mut self,
        image: &MediaFile,
        record: UploadRecord,
        action: UploadAction,
    ) -> MediaState {
        match action {
            UploadAction::Reuse(found) => {
                let receipt = receipt(&found, KnownBy::LookUp, self.context.now());
                self.change(record, Change::Reuse { input: input(image), receipt });
                ready(&found, MediaVerdict::Skipped)
            }
            UploadAction::Decided(Action::Create) => match self.stopped() {
                Some(reason) => MediaState::Blocked(MediaVerdict::Deferred(reason)),
                None => self.upload(image, record).await,
            },
            UploadAction::Decided(Action::Complete(found)) => {
                self.complete_upload(image, record, found).await
            }
            UploadAction::Decided(Action::Skip(SkipReason::Confirmed, found)) => {
                // A run that died between an upload and its sizes left these to us.
                for found in found {
                    self.with_sizes(image, found).await;
                }
                confirmed(&record)
            }
            UploadAction::Decided(other) => self.block(record, &other),
        }
    }

    fn block(&mut self, record: UploadRecord, action: &Action<FoundAttachment>) -> MediaState {
        if let Action::Hold(reason, _) = action
            && record.hold().is_none_or(|hold| hold.reason != *reason)
        {
            self.change(record, Change::Hold(*reason, self.context.now()));
        }
        MediaState::Blocked(blocked(action))
    }

    async fn upload(&mut self, image: &MediaFile, record: UploadRecord) -> MediaState {
        let record = self.prepared_upload(image, record);
        if let Some(reason) = self.stopped() {
            return MediaState::Blocked(MediaVerdict::Deferred(reason));
        }
        let author = self.context.site.account().id;
        let sent = UploadSent { upload_name: image.upload_name.clone(), author };
        let subject = Subject::Image(image.path.clone());
        let file = upload_file(image);
        let site = self.context.site;
        let request = async |permit| site.upload(permit, &file).await;
        match self.send_once(record, sent, &subject, request).await {
            Ok((open, outcome)) => {
                let outcome = self.unless_handed_back_file(image, outcome);
                self.uploaded(image, open, outcome, &subject).await
            }
            Err(reason) => MediaState::Blocked(MediaVerdict::Deferred(reason)),
        }
    }

    fn prepared_upload(&mut self, image: &MediaFile, record: UploadRecord) -> UploadRecord {
        match record.phase() {
            Phase::Prepared(_) => record,
            Phase::None | Phase::Sending(_) | Phase::Confirmed(_) => {
                let prepared = self.prepare(input(image));
                self.change(record, Change::Prepare(prepared))
            }
        }
    }

    async fn uploaded(
        &mut self,
        image: &MediaFile,
        open: OpenSend<Uploads>,
        outcome: Outcome<FoundAttachment>,
        subject: &Subject,
    ) -> MediaState {
        match outcome {
            Outcome::Created(found) => {
                self.warn_of_a_twin(image, &found);
                let receipt = receipt(&found, KnownBy::Answer, self.context.now());
                if let Err(error) = open.confirm(self.journal, receipt) {
                    self.receipt_refused(&error);
                }
                let found = self.with_sizes(image, found).await;
                ready(&found, MediaVerdict::Created)
            }
            Outcome::Rejected(rejection) => {
                let reason = refused(rejection);
                self.void(open, &reason);
                MediaState::Blocked(MediaVerdict::Rejected(reason))
            }
            Outcome::NotSent(why) => {
                let reason = not_sent(&why);
                self.void(open, &reason);
                MediaState::Blocked(MediaVerdict::Deferred(reason))
            }
            Outcome::Unknown(unsettled) => {
                self.settle_upload(image, open.leave(), unsettled, subject).await
            }
        }
    }

    /// Another slug than ours is the sign of a twin (spec §8): something has ours, perhaps
    /// the same file, delivered twice.
    fn warn_of_a_twin(&mut self, image: &MediaFile, found: &FoundAttachment) {
        let (sent, stored) = (image.upload_slug.stored(), &found.stored_slug);
        if sent == stored {
            return;
        }
        let message = format!(
            "image {}: sent as \"{sent}\", stored as \"{stored}\" (id {}); look in the media \
             library whether it is there twice",
            image.path, found.attachment_id
        );
        let warning = Warning { code: "media_slug_changed".to_owned(), message };
        self.media_warnings.insert(image.digest, warning);
    }

    async fn settle_upload(
        &mut self,
        image: &MediaFile,
        record: UploadRecord,
        unsettled: Unsettled,
        subject: &Subject,
    ) -> MediaState {
        let Unsettled { hint, .. } = unsettled;
        let site = self.context.site;
        let question = MediaQuestion {
            slug: &image.upload_slug,
            mime: image.kind.mime(),
            author: Some(site.account().id),
        };
        let hinted = hint.and_then(AttachmentId::new);
        let until = self.settle_time_of(&record);
        let action = settle(self.context, subject, until, self.emit, async || {
            // An id that the answer named is only believed under our own slug.
            if let Some(id) = hinted
                && let Ok(Some(found)) = site.read_media(id).await
                && found.stored_slug == image.upload_slug.stored()
                && found.mime == image.kind.mime()
            {
                return Sighting::Same(found);
            }
            let mut seen = site.look_up_media(&[question], None).await;
            let unanswered = || Sighting::Unclear(not_answered("slug"));
            seen.remove(&image.upload_slug).unwrap_or_else(unanswered)
        })
        .await;
        match action {
            Action::Complete(found) => self.complete_upload(image, record, found).await,
            other => {
                self.heed_silence(&other);
                self.block(record, &other)
            }
        }
    }

    async fn complete_upload(
        &mut self,
        image: &MediaFile,
        record: UploadRecord,
        found: FoundAttachment,
    ) -> MediaState {
        let receipt = receipt(&found, KnownBy::LookUp, self.context.now());
        self.change(record, Change::Confirm(receipt));
        let found = self.with_sizes(image, found).await;
        ready(&found, MediaVerdict::Completed)
    }
}

/// WordPress says "server error" where it means that it does not take such files
/// (facts, section 4).
fn refused(rejection: Rejection) -> Reason {
    let Rejection { code, message, .. } = rejection;
    match code.as_str() {
        "rest_upload_sideload_error" | "rest_upload_image_type_not_supported" => {
            let message = format!("the site does not take this type of file: {message} ({code})");
            Reason::new("media_type_refused", message)
        }
        _ => Reason::new(code, message),
    }
}

fn confirmed(record: &UploadRecord) -> MediaState {
    match record.receipt() {
        Some(receipt) => MediaState::Ready {
            id: receipt.attachment_id,
            url: receipt.url.clone(),
            how: MediaVerdict::Skipped,
        },
        None => MediaState::Blocked(MediaVerdict::Held(Reason::new(
            JOURNAL_DAMAGED,
            "a confirmed upload has no receipt",
        ))),
    }
}

fn ready(found: &FoundAttachment, how: MediaVerdict) -> MediaState {
    MediaState::Ready { id: found.attachment_id, url: found.url.clone(), how }
}
