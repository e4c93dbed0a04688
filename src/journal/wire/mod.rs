//! Records as JSON.
//!
//! Absent from here: files. The one rule: a record is read back by the changes that
//! led to it, after its schema, checksum and place have been checked, in this order; a
//! newer schema may mean something else by the same fields.

mod fields;
mod phase;
mod schema;
mod words;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use self::schema::Moment;
pub use self::schema::record_schema;

use self::fields::{WrittenHistoryEntry, WrittenHold};
use self::phase::WrittenPhase;
use self::words::{scalar, scalar_option};
use super::damage::{Damage, Schema, parse_object};
use crate::names::{ArticleKey, Digest, PostType, SiteKey, Slug, Timestamp};
use crate::protocol::kinds::{Articles, Kind, Uploads};
use crate::protocol::record::Record;
use crate::protocol::restore::Stored;

/// Versions of this program that write another shape write another number.
const SCHEMA: Schema = Schema { family: "oncepress.record/", current: "oncepress.record/1" };

/// The largest integer that every JSON reader keeps exact.
const SERIAL_MAX: u64 = (1 << 53) - 1;

/// A kind of record that has a JSON shape.
pub trait Written: Kind + Clone + PartialEq + std::fmt::Debug {
    /// The word in the field `kind`.
    const KIND: &'static str;
    /// The fields that say what the record is about.
    const IDENTITY_FIELDS: &'static [&'static str];
    /// How the identity is written.
    type WrittenIdentity: From<Self::Identity>
        + Into<Self::Identity>
        + Serialize
        + DeserializeOwned
        + JsonSchema;
    /// How the input is written.
    type WrittenInput: From<Self::Input>
        + Into<Self::Input>
        + Serialize
        + DeserializeOwned
        + JsonSchema;
    /// How what is sent is written.
    type WrittenSent: From<Self::Sent>
        + Into<Self::Sent>
        + Serialize
        + DeserializeOwned
        + JsonSchema;
    /// How the receipt is written.
    type WrittenReceipt: From<Self::Receipt>
        + Into<Self::Receipt>
        + Serialize
        + DeserializeOwned
        + JsonSchema;

    /// What a record is about, in words.
    fn name(identity: &Self::Identity) -> String;
}

impl Written for Articles {
    const KIND: &'static str = "article";
    const IDENTITY_FIELDS: &'static [&'static str] = &["type", "slug"];
    type WrittenIdentity = WrittenArticleKey;
    type WrittenInput = fields::WrittenArticleInput;
    type WrittenSent = fields::WrittenPostFields;
    type WrittenReceipt = fields::WrittenPostReceipt;

    fn name(identity: &ArticleKey) -> String {
        format!("{} `{}`", identity.post_type.as_str(), identity.slug.stored())
    }
}

impl Written for Uploads {
    const KIND: &'static str = "upload";
    const IDENTITY_FIELDS: &'static [&'static str] = &["digest"];
    type WrittenIdentity = WrittenFileDigest;
    type WrittenInput = fields::WrittenUploadInput;
    type WrittenSent = fields::WrittenUploadSent;
    type WrittenReceipt = fields::WrittenAttachmentReceipt;

    fn name(identity: &Digest) -> String {
        format!("file {identity}")
    }
}

/// What an article's record is about.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WrittenArticleKey {
    /// The article's type.
    #[serde(rename = "type", with = "scalar")]
    #[schemars(with = "PostType")]
    post_type: PostType,
    /// The article's slug, as WordPress stores it.
    #[serde(with = "scalar")]
    #[schemars(with = "Slug")]
    slug: Slug,
}

impl From<ArticleKey> for WrittenArticleKey {
    fn from(key: ArticleKey) -> Self {
        let ArticleKey { post_type, slug } = key;
        Self { post_type, slug }
    }
}

impl From<WrittenArticleKey> for ArticleKey {
    fn from(written: WrittenArticleKey) -> Self {
        let WrittenArticleKey { post_type, slug } = written;
        Self { post_type, slug }
    }
}

/// What an upload's record is about.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WrittenFileDigest {
    /// The digest of the file's bytes.
    #[serde(with = "scalar")]
    #[schemars(with = "Digest")]
    digest: Digest,
}

impl From<Digest> for WrittenFileDigest {
    fn from(digest: Digest) -> Self {
        Self { digest }
    }
}

impl From<WrittenFileDigest> for Digest {
    fn from(written: WrittenFileDigest) -> Self {
        written.digest
    }
}

/// The fields before the phase that every record has.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Head {
    /// The name and version of this schema.
    #[schemars(extend("const" = SCHEMA.current))]
    schema: String,
    /// What it is about.
    kind: String,
    /// The site whose record it is.
    site: String,
    /// Counts the changes of the record.
    serial: u64,
    /// How many sends were begun.
    attempts: u32,
}
const HEAD_FIELDS: &[&str] = &["schema", "kind", "site", "serial", "attempts"];

/// The fields after the phase that every record has.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Tail {
    /// Why a person must look, and since when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hold: Option<WrittenHold>,
    /// When a person decided that it is never sent.
    #[serde(default, with = "scalar_option", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Moment>")]
    withdrawn: Option<Timestamp>,
    /// What was decided, and which sends came to nothing.
    history: Vec<WrittenHistoryEntry>,
}
const TAIL_FIELDS: &[&str] = &["hold", "withdrawn", "history"];

type PhaseOf<K> = WrittenPhase<
    <K as Written>::WrittenInput,
    <K as Written>::WrittenSent,
    <K as Written>::WrittenReceipt,
>;

/// The record as people read it: one field a line, and a final newline.
pub(super) fn encode<K: Written>(
    record: &Record<K>,
    site: &SiteKey,
) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = serde_json::to_vec_pretty(&to_object(record, site)?)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// The same record on one line.
pub(super) fn encode_line<K: Written>(
    record: &Record<K>,
    site: &SiteKey,
) -> Result<String, serde_json::Error> {
    serde_json::to_string(&to_object(record, site)?)
}

fn to_object<K: Written>(
    record: &Record<K>,
    site: &SiteKey,
) -> Result<Map<String, Value>, serde_json::Error> {
    let head = Head {
        schema: SCHEMA.current.to_owned(),
        kind: K::KIND.to_owned(),
        site: site.as_str().to_owned(),
        serial: record.serial(),
        attempts: record.attempts(),
    };
    let tail = Tail {
        hold: record.hold().cloned().map(WrittenHold::from),
        withdrawn: record.withdrawn(),
        history: record.history().iter().cloned().map(WrittenHistoryEntry::from).collect(),
    };
    let mut object = Map::new();
    let identity = K::WrittenIdentity::from(record.identity().clone());
    for part in [
        serde_json::to_value(head)?,
        serde_json::to_value(identity)?,
        serde_json::to_value(PhaseOf::<K>::of(record.phase().clone())?)?,
        serde_json::to_value(tail)?,
    ] {
        if let Value::Object(fields) = part {
            object.extend(fields);
        }
    }
    let checksum = checksum_of(&object)?;
    object.insert("checksum".to_owned(), Value::String(checksum));
    Ok(object)
}

/// The record in these bytes, if they are the record of this identity and site.
pub(super) fn decode<K: Written>(
    bytes: &[u8],
    site: &SiteKey,
    identity: &K::Identity,
) -> Result<Record<K>, Damage> {
    let mut object = parse_object(bytes)?;
    SCHEMA.check(&object)?;
    let says = object.shift_remove("checksum");
    let checksum = checksum_of(&object).map_err(Damage::NotJson)?;
    if says.as_ref().and_then(Value::as_str) != Some(checksum.as_str()) {
        return Err(Damage::Checksum);
    }
    let head: Head = part(&mut object, HEAD_FIELDS)?;
    if head.kind != K::KIND {
        let says = format!("a record of kind {:?}", head.kind);
        return Err(Damage::WrongPlace { says, place: format!("one of kind {:?}", K::KIND) });
    }
    let says: K::Identity = part::<K::WrittenIdentity>(&mut object, K::IDENTITY_FIELDS)?.into();
    if says != *identity || head.site != site.as_str() {
        return Err(Damage::WrongPlace {
            says: format!("{} of site {:?}", K::name(&says), head.site),
            place: format!("{} of site {:?}", K::name(identity), site.as_str()),
        });
    }
    let tail: Tail = part(&mut object, TAIL_FIELDS)?;
    let phase: PhaseOf<K> = typed(object)?;
    if head.serial > SERIAL_MAX || u64::from(head.attempts) > head.serial {
        return Err(Damage::Contradiction("its counters are out of range"));
    }
    let stored = Stored {
        identity: says,
        serial: head.serial,
        attempts: head.attempts,
        phase: phase.phase::<K>()?,
        hold: tail.hold.map(WrittenHold::into),
        withdrawn: tail.withdrawn,
        history: tail.history.into_iter().map(WrittenHistoryEntry::into).collect(),
    };
    stored.restore().map_err(Damage::Impossible)
}

/// Takes these fields out of the object and reads them.
fn part<T: DeserializeOwned>(
    object: &mut Map<String, Value>,
    fields: &[&str],
) -> Result<T, Damage> {
    let taken = fields.iter().filter_map(|field| object.shift_remove_entry(*field)).collect();
    typed(taken)
}

fn typed<T: DeserializeOwned>(object: Map<String, Value>) -> Result<T, Damage> {
    serde_json::from_value(Value::Object(object)).map_err(Damage::Field)
}

/// The digest of the fields, in their order, without white space.
fn checksum_of(object: &Map<String, Value>) -> Result<String, serde_json::Error> {
    Ok(Digest::of(&serde_json::to_vec(object)?).to_string())
}
