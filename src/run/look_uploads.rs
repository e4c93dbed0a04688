//! Looking for image files: one record and one look-up per content, whatever its names.
//!
//! Absent from here: sending, and every write. The one rule: an attachment is only
//! reused when its slug carries the hash of the very bytes, and its type is right.

use std::collections::BTreeMap;

use crate::journal::{Damaged, JournalView};
use crate::names::{AttachmentId, Digest, Slug, Timestamp};
use crate::protocol::decide::{Action, PreparedInput, SentInput, Standing, decide};
use crate::protocol::kinds::FoundAttachment;
use crate::protocol::sighting::{ReceiptSighting, Sighting};
use crate::protocol::{Phase, UploadRecord};
use crate::wordpress::{MediaQuestion, Site};

use super::look::{age, not_answered};

/// An image file, its record, and what is to be done about it.
pub(super) type LookedUpload = Result<(UploadRecord, UploadAction), Damaged>;

/// What is to be done about one image file.
#[derive(Debug)]
pub(super) enum UploadAction {
    /// What the decision table says.
    Decided(Action<FoundAttachment>),
    /// Nothing was sent from here, and the site has exactly this content: our slug
    /// holds its hash. The table's "skip" then means: use that one.
    Reuse(FoundAttachment),
}

/// What must be known of a file to look for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct UploadFacts<'a> {
    /// Its content.
    pub digest: Digest,
    /// The attachment slug that we choose for it.
    pub slug: &'a Slug,
    /// Its MIME type.
    pub mime: &'a str,
}

/// Reads the records of these files, asks the site, and decides, without writing.
pub(super) async fn look_uploads(
    site: &Site,
    journal: &JournalView,
    files: &[UploadFacts<'_>],
    now: Timestamp,
) -> BTreeMap<Digest, LookedUpload> {
    let records: Vec<_> = files
        .iter()
        .map(|file| {
            let record = journal.upload(&file.digest);
            record.map(|record| record.unwrap_or_else(|| UploadRecord::new(file.digest)))
        })
        .collect();
    let (by_receipt, mut by_slug) = ask(site, files, &records).await;
    let mut looked = BTreeMap::new();
    for (file, record) in files.iter().zip(records) {
        let found = record.map(|record| {
            let action = action(&record, by_slug.remove(file.slug), &by_receipt, now);
            (record, action)
        });
        looked.insert(file.digest, found);
    }
    looked
}

type ByReceipt = BTreeMap<AttachmentId, ReceiptSighting<FoundAttachment>>;
type BySlug = BTreeMap<Slug, Sighting<FoundAttachment>>;

/// Asks by id for files with a receipt, and by slug for the others.
async fn ask(
    site: &Site,
    files: &[UploadFacts<'_>],
    records: &[Result<UploadRecord, Damaged>],
) -> (ByReceipt, BySlug) {
    let mut receipts = Vec::new();
    let mut questions = Vec::new();
    for (file, record) in files.iter().zip(records) {
        let Ok(record) = record else { continue };
        let author = match record.phase() {
            Phase::None | Phase::Prepared(_) => None,
            Phase::Sending(sending) => Some(sending.sent.author),
            Phase::Confirmed(confirmed) => {
                let receipt = &confirmed.receipt;
                receipts.push((receipt.attachment_id, receipt.stored_slug.as_str()));
                continue;
            }
        };
        questions.push(MediaQuestion { slug: file.slug, mime: file.mime, author });
    }
    let by_receipt =
        if receipts.is_empty() { ByReceipt::new() } else { site.verify_media(&receipts).await };
    let by_slug = if questions.is_empty() {
        BySlug::new()
    } else {
        site.look_up_media(&questions, None).await
    };
    (by_receipt, by_slug)
}

fn action(
    record: &UploadRecord,
    by_slug: Option<Sighting<FoundAttachment>>,
    by_receipt: &ByReceipt,
    now: Timestamp,
) -> UploadAction {
    let sighting = by_slug.unwrap_or_else(|| Sighting::Unclear(not_answered("slug")));
    let standing = match record.phase() {
        Phase::None | Phase::Prepared(_) => match sighting {
            Sighting::Same(found) => return UploadAction::Reuse(found),
            // The digest is the record's identity, so its input can't have changed.
            other => Standing::Prepared(PreparedInput::Same, other),
        },
        Phase::Sending(sending) => {
            Standing::Sending(SentInput::Same, age(now, sending.settle_until), sighting)
        }
        Phase::Confirmed(confirmed) => {
            let shown = by_receipt.get(&confirmed.receipt.attachment_id).cloned();
            let none = || ReceiptSighting::Unclear(not_answered("id"));
            Standing::Confirmed(SentInput::Same, shown.unwrap_or_else(none))
        }
    };
    UploadAction::Decided(decide(standing))
}
