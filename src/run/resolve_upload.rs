//! A person's decisions about one upload.
//!
//! Absent from here: sending anything. The one rule: as for articles.

use crate::journal::LockedJournal;
use crate::names::{ArticleKey, AttachmentId, Digest};
use crate::protocol::decide::HoldReason;
use crate::protocol::kinds::{AttachmentReceipt, FoundAttachment, KnownBy, UploadInput};
use crate::protocol::sighting::Sighting;
use crate::protocol::{Change, Phase, UploadRecord, Uploads};
use crate::wordpress::{MediaQuestion, Site};

use super::resolve::{
    Person, Resolved, Verdict, apply, decision, needed, refusal, save, unreadable,
};
use super::result::{Trouble, TroubleKind};
use super::with_causes;

/// Carries out a decision about an upload. Only a record of it can be decided about.
pub async fn resolve_upload(
    site: Option<&Site>,
    journal: &mut LockedJournal,
    key: &ArticleKey,
    digest: Digest,
    verdict: Verdict,
    person: &Person,
) -> Result<Resolved, Trouble> {
    let stored = journal.view().upload(&digest).map_err(|damaged| {
        refusal(TroubleKind::LocalState, "journal_damaged", with_causes(&damaged))
    })?;
    let Some(record) = stored else {
        let message = "the journal has no record of an upload of this file";
        return Err(refusal(TroubleKind::Usage, "no_record", message));
    };
    let path = path_of(&record);
    let Some(input) = record.input().cloned() else {
        let message = "no upload of this file was begun";
        return Err(refusal(TroubleKind::Usage, "not_applicable", message));
    };
    let site = needed(site)?;
    let change = match verdict {
        Verdict::Adopt(id) => adopt(site, input, id, person).await?,
        Verdict::NotCreated => {
            let evidence = proof_of_nothing(site, &record, &input).await?;
            Change::NotCreated(decision(person, evidence))
        }
        Verdict::Restart => {
            let evidence = match record.receipt() {
                Some(receipt) => receipt_is_gone(site, &record, &input, receipt).await?,
                None => format!("the record was {}", record.phase().code()),
            };
            Change::Restart(decision(person, evidence))
        }
        Verdict::Withdraw => {
            let message = "an upload can't be withdrawn; withdraw the article";
            return Err(refusal(TroubleKind::Usage, "not_applicable", message));
        }
    };
    let record = apply(record, change)?;
    save(journal, &record, false)?;
    release(journal, key)?;
    let next = match record.phase() {
        Phase::None | Phase::Prepared(_) => "the next push looks again, and uploads it",
        Phase::Sending(_) => "its upload is still in doubt",
        Phase::Confirmed(_) => "it has its receipt; the next push goes on with the article",
    };
    Ok(Resolved { message: format!("image {path}: {next}") })
}

/// The article is not held for this image any more; another one holds it anew.
fn release(journal: &mut LockedJournal, key: &ArticleKey) -> Result<(), Trouble> {
    let record = journal.view().article(key).map_err(|damaged| {
        refusal(TroubleKind::LocalState, "journal_damaged", with_causes(&damaged))
    })?;
    match record {
        Some(record)
            if record.hold().is_some_and(|hold| hold.reason == HoldReason::MediaUnknown) =>
        {
            let record = apply(record, Change::Release)?;
            save(journal, &record, false)
        }
        Some(_) | None => Ok(()),
    }
}

fn path_of(record: &UploadRecord) -> String {
    let path = record.input().and_then(|input| input.paths.first());
    path.cloned().unwrap_or_else(|| record.identity().to_string())
}

async fn adopt(
    site: &Site,
    input: UploadInput,
    id: u64,
    person: &Person,
) -> Result<Change<Uploads>, Trouble> {
    let found = match AttachmentId::new(id) {
        None => None,
        Some(id) => site.read_media(id).await.map_err(|failure| unreadable(id.get(), &failure))?,
    };
    let Some(found) = found else {
        let message = format!("the site has no attachment with the id {id}");
        return Err(refusal(TroubleKind::Doubt, "no_such_attachment", message));
    };
    if found.mime != input.mime {
        let message = format!("attachment {id} is {}, the file is {}", found.mime, input.mime);
        return Err(refusal(TroubleKind::Doubt, "other_type", message));
    }
    let receipt = AttachmentReceipt {
        attachment_id: found.attachment_id,
        stored_slug: found.stored_slug.clone(),
        url: found.url.clone(),
        mime: found.mime.clone(),
        known_by: KnownBy::Person,
        at: person.at,
    };
    let decision = decision(person, described(&found));
    Ok(Change::Adopt { input, receipt, decision })
}

fn described(found: &FoundAttachment) -> String {
    let FoundAttachment { attachment_id, stored_slug, mime, .. } = found;
    format!("attachment {attachment_id}, slug {stored_slug}, {mime}")
}

async fn proof_of_nothing(
    site: &Site,
    record: &UploadRecord,
    input: &UploadInput,
) -> Result<String, Trouble> {
    let author = match record.phase() {
        Phase::Sending(sending) => Some(sending.sent.author),
        Phase::None | Phase::Prepared(_) | Phase::Confirmed(_) => None,
    };
    let question = MediaQuestion { slug: &input.upload_slug, mime: &input.mime, author };
    let mut seen = site.look_up_media(&[question], None).await;
    let found = |files: &[FoundAttachment]| {
        let shown: Vec<_> = files.iter().map(described).collect();
        let message = format!("the site has it: {}", shown.join("; "));
        refusal(TroubleKind::Doubt, "found_after_all", message)
    };
    match seen.remove(&input.upload_slug) {
        Some(Sighting::Absent) => Ok("a look-up showed nothing with its slug".to_owned()),
        Some(Sighting::Same(file) | Sighting::Differs(file) | Sighting::Trashed(file)) => {
            Err(found(&[file]))
        }
        Some(Sighting::Several(files)) => Err(found(&files)),
        Some(Sighting::Hidden) => {
            let message = "the site counts an attachment with its slug that this user may not read";
            Err(refusal(TroubleKind::Doubt, "hidden", message))
        }
        Some(Sighting::Unclear(unclear)) => {
            let message = format!("the site could not be asked: {}", unclear.detail);
            Err(refusal(TroubleKind::Temporary, "cannot_look_up", message))
        }
        None => {
            let message = "the site gave no answer for this file";
            Err(refusal(TroubleKind::Temporary, "cannot_look_up", message))
        }
    }
}

async fn receipt_is_gone(
    site: &Site,
    record: &UploadRecord,
    input: &UploadInput,
    receipt: &AttachmentReceipt,
) -> Result<String, Trouble> {
    let id = receipt.attachment_id;
    let shown = site.read_media(id).await;
    let shown = shown.map_err(|failure| unreadable(id.get(), &failure))?;
    if let Some(found) = shown {
        let message = format!("the upload is on the site: {}", described(&found));
        return Err(refusal(TroubleKind::Doubt, "receipt_stands", message));
    }
    let nothing = proof_of_nothing(site, record, input).await?;
    Ok(format!("attachment {id} is gone; {nothing}"))
}
