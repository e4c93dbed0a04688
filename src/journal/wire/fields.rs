//! The JSON shape of what each kind of record knows.
//!
//! Absent from here: the record around it. The one rule: every struct mirrors one of
//! `protocol` field by field (the compiler checks it), and refuses a field it does not
//! know, so that nothing that was written is dropped in silence.

use serde::{Deserialize, Serialize};

use super::words::{scalar, scalar_list, scalar_option, scalar_pairs};
use crate::names::{AttachmentId, Digest, DraftStatus, PostId, Slug, TermId, Timestamp, UserId};
use crate::protocol::HoldReason;
use crate::protocol::kinds::{
    Approval, ArticleInput, AttachmentReceipt, ContentFilter, KnownBy, MetaValue, PostFields,
    PostReceipt, UploadInput, UploadSent,
};
use crate::protocol::record::{DecisionKind, Happened, HistoryEntry, Hold};

#[derive(Serialize, Deserialize)]
#[serde(remote = "ArticleInput", deny_unknown_fields)]
struct ArticleInputShape {
    source: String,
    #[serde(with = "scalar")]
    digest: Digest,
    #[serde(rename = "renderer_version")]
    renderer: u32,
    #[serde(with = "scalar_list")]
    media: Vec<Digest>,
    #[serde(default, with = "approval_shape", skip_serializing_if = "Option::is_none")]
    approval: Option<Approval>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ApprovalShape {
    #[serde(with = "scalar")]
    plan: Digest,
    by: String,
    #[serde(with = "scalar")]
    at: Timestamp,
}

mod approval_shape {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use super::{Approval, ApprovalShape};

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(
        approval: &Option<Approval>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let shape =
            approval.clone().map(|Approval { plan, by, at }| ApprovalShape { plan, by, at });
        shape.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Approval>, D::Error> {
        let shape = Option::<ApprovalShape>::deserialize(deserializer)?;
        Ok(shape.map(|ApprovalShape { plan, by, at }| Approval { plan, by, at }))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PostFields", deny_unknown_fields)]
struct PostFieldsShape {
    #[serde(with = "scalar")]
    status: DraftStatus,
    title: String,
    content: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    excerpt: Option<String>,
    #[serde(with = "scalar_list")]
    categories: Vec<TermId>,
    #[serde(with = "scalar_list")]
    tags: Vec<TermId>,
    #[serde(default, with = "scalar_option", skip_serializing_if = "Option::is_none")]
    featured_media: Option<AttachmentId>,
    #[serde(default, with = "scalar_option", skip_serializing_if = "Option::is_none")]
    date: Option<Timestamp>,
    #[serde(default, with = "scalar_option", skip_serializing_if = "Option::is_none")]
    author: Option<UserId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    template: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    format: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment_status: Option<String>,
    #[serde(default, with = "scalar_option", skip_serializing_if = "Option::is_none")]
    parent: Option<PostId>,
    #[serde(with = "scalar_pairs")]
    meta: Vec<(String, MetaValue)>,
    #[serde(with = "scalar")]
    filter: ContentFilter,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PostReceipt", deny_unknown_fields)]
struct PostReceiptShape {
    #[serde(with = "scalar")]
    post_id: PostId,
    stored_slug: String,
    link: String,
    status: String,
    #[serde(default, with = "scalar_option", skip_serializing_if = "Option::is_none")]
    content_digest: Option<Digest>,
    #[serde(with = "scalar")]
    known_by: KnownBy,
    #[serde(with = "scalar")]
    at: Timestamp,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "UploadInput", deny_unknown_fields)]
struct UploadInputShape {
    paths: Vec<String>,
    bytes: u64,
    mime: String,
    #[serde(with = "scalar")]
    upload_slug: Slug,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "UploadSent", deny_unknown_fields)]
struct UploadSentShape {
    upload_name: String,
    #[serde(with = "scalar")]
    author: UserId,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "AttachmentReceipt", deny_unknown_fields)]
struct AttachmentReceiptShape {
    #[serde(with = "scalar")]
    attachment_id: AttachmentId,
    stored_slug: String,
    url: String,
    mime: String,
    #[serde(with = "scalar")]
    known_by: KnownBy,
    #[serde(with = "scalar")]
    at: Timestamp,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Hold", deny_unknown_fields)]
struct HoldShape {
    #[serde(with = "scalar")]
    reason: HoldReason,
    #[serde(with = "scalar")]
    since: Timestamp,
}

macro_rules! written_as {
    ($name:ident, $inner:ty, $shape:literal) => {
        #[derive(Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(#[serde(with = $shape)] pub(super) $inner);

        impl From<$inner> for $name {
            fn from(inner: $inner) -> Self {
                Self(inner)
            }
        }

        impl From<$name> for $inner {
            fn from(written: $name) -> Self {
                written.0
            }
        }
    };
}
written_as!(WrittenArticleInput, ArticleInput, "ArticleInputShape");
written_as!(WrittenPostFields, PostFields, "PostFieldsShape");
written_as!(WrittenPostReceipt, PostReceipt, "PostReceiptShape");
written_as!(WrittenUploadInput, UploadInput, "UploadInputShape");
written_as!(WrittenUploadSent, UploadSent, "UploadSentShape");
written_as!(WrittenAttachmentReceipt, AttachmentReceipt, "AttachmentReceiptShape");
written_as!(WrittenHold, Hold, "HoldShape");

/// One line of a record's history.
#[derive(Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum WrittenHistoryEntry {
    Voided {
        #[serde(with = "scalar")]
        at: Timestamp,
        code: String,
        evidence: String,
    },
    Decided {
        #[serde(with = "scalar")]
        at: Timestamp,
        #[serde(with = "scalar")]
        decision: DecisionKind,
        by: String,
        because: String,
        evidence: String,
    },
}

impl From<HistoryEntry> for WrittenHistoryEntry {
    fn from(entry: HistoryEntry) -> Self {
        let HistoryEntry { at, what, evidence } = entry;
        match what {
            Happened::Voided { code } => Self::Voided { at, code, evidence },
            Happened::Decided { decision, by, because } => {
                Self::Decided { at, decision, by, because, evidence }
            }
        }
    }
}

impl From<WrittenHistoryEntry> for HistoryEntry {
    fn from(written: WrittenHistoryEntry) -> Self {
        match written {
            WrittenHistoryEntry::Voided { at, code, evidence } => {
                Self { at, what: Happened::Voided { code }, evidence }
            }
            WrittenHistoryEntry::Decided { at, decision, by, because, evidence } => {
                Self { at, what: Happened::Decided { decision, by, because }, evidence }
            }
        }
    }
}
