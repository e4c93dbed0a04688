//! The JSON Schema of records, from the shapes that are written.
//!
//! Absent from here: writing them. The one rule: the parts are put together here as
//! `to_object` puts them together; `tests/schema` holds every kind of record against it.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::json;

use super::{Head, PhaseOf, Tail, Written};
use crate::names::{
    AttachmentId, Digest, DraftStatus, OperationId, PostId, PostType, RunId, Slug, TermId, UserId,
};
use crate::protocol::HoldReason;
use crate::protocol::kinds::{Articles, ContentFilter, KnownBy, MetaValue, Uploads};
use crate::protocol::record::DecisionKind;

/// What the journal remembers of one article or file.
#[derive(JsonSchema)]
#[schemars(bound = "K: Written", deny_unknown_fields)]
#[expect(dead_code, reason = "its schema is all that is wanted of it")]
struct WrittenRecord<K: Written> {
    #[schemars(flatten)]
    head: Head,
    #[schemars(flatten)]
    identity: K::WrittenIdentity,
    #[schemars(flatten)]
    phase: PhaseOf<K>,
    #[schemars(flatten)]
    tail: Tail,
    /// The digest of everything before it, without white space.
    checksum: Digest,
}

/// A record of the journal.
struct AnyRecord;

impl JsonSchema for AnyRecord {
    fn schema_name() -> Cow<'static, str> {
        "Record".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "What the journal remembers of one article, or of one image or other \
                            file. Never edit or delete one; `oncepress resolve` decides.",
            "oneOf": [of_kind::<Articles>(generator), of_kind::<Uploads>(generator)],
        })
    }
}

fn of_kind<K: Written>(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = WrittenRecord::<K>::json_schema(generator);
    if let Some(kind) = schema.pointer_mut("/properties/kind") {
        *kind = json!({ "description": "What it is about.", "const": K::KIND });
    }
    schema.insert("title".to_owned(), K::KIND.into());
    schema
}

/// The schema of a record.
#[must_use]
pub fn record_schema() -> Schema {
    crate::schema::written::<AnyRecord>("record")
}

/// A time, as it is written.
pub(super) struct Moment;

macro_rules! scalar_schemas {
    ($($name:ident: $schema:tt,)+) => {
        $(impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        })+
    };
}

scalar_schemas! {
    Digest: { "type": "string", "pattern": "^[0-9a-f]{64}$" },
    Moment: { "type": "string", "format": "date-time" },
    Slug: { "type": "string", "minLength": 1 },
    RunId: { "type": "string", "minLength": 1 },
    OperationId: { "type": "string", "minLength": 1 },
    PostType: { "type": "string", "minLength": 1 },
    DraftStatus: { "enum": ["draft", "pending"] },
    HoldReason: { "enum": (HoldReason::ALL.map(HoldReason::code)) },
    DecisionKind: { "enum": ["adopt", "not_created", "restart", "withdraw"] },
    KnownBy: { "enum": ["answer", "look_up", "person"] },
    ContentFilter: { "enum": ["off", "on"] },
    MetaValue: { "type": ["string", "number", "boolean"] },
    PostId: { "type": "integer", "minimum": 1 },
    AttachmentId: { "type": "integer", "minimum": 1 },
    TermId: { "type": "integer", "minimum": 1 },
    UserId: { "type": "integer", "minimum": 1 },
}
