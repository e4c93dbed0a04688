//! Answers to a send that hand back something which another record has already.
//!
//! Some servers answer a create that they take for a repetition with the post that
//! exists (case DUP-04). Absent from here: sending. The one rule: one object on the
//! site proves one send, so such an answer proves nothing about this one.

use crate::article::MediaFile;
use crate::names::ArticleKey;
use crate::protocol::kinds::{FoundAttachment, FoundPost};
use crate::protocol::outcome::{Outcome, Pressure, Unsettled};

use super::engine::Engine;

impl Engine<'_> {
    /// The outcome, unless its post is another article's. A post under our own slug
    /// can't be; only for others the journal is read.
    pub(super) fn unless_handed_back(
        &self,
        key: &ArticleKey,
        outcome: Outcome<FoundPost>,
    ) -> Outcome<FoundPost> {
        let Outcome::Created(found) = &outcome else { return outcome };
        if found.stored_slug == key.slug.stored() {
            return outcome;
        }
        // A damaged record says nothing about this answer.
        let mut known = self.journal.view().articles().into_iter().flatten().flatten();
        let has_it = known.find(|record| {
            let receipt = record.receipt();
            record.identity() != key && receipt.is_some_and(|one| one.post_id == found.post_id)
        });
        match has_it {
            None => outcome,
            Some(other) => doubt(format!(
                "the site answered with post {}, which is the draft of {}",
                found.post_id,
                other.identity()
            )),
        }
    }

    /// The outcome, unless its attachment is that of another file.
    pub(super) fn unless_handed_back_file(
        &self,
        image: &MediaFile,
        outcome: Outcome<FoundAttachment>,
    ) -> Outcome<FoundAttachment> {
        let Outcome::Created(found) = &outcome else { return outcome };
        if found.stored_slug == image.upload_slug.stored() {
            return outcome;
        }
        let id = found.attachment_id;
        let mut known = self.journal.view().uploads().into_iter().flatten().flatten();
        let has_it = known.any(|record| {
            let receipt = record.receipt();
            *record.identity() != image.digest && receipt.is_some_and(|one| one.attachment_id == id)
        });
        if has_it {
            doubt(format!("the site answered with attachment {id}, which is another file of ours"))
        } else {
            outcome
        }
    }
}

fn doubt<C>(detail: String) -> Outcome<C> {
    Outcome::Unknown(Unsettled { detail, hint: None, pressure: Pressure::None })
}
