//! Our names as JSON strings and numbers.
//!
//! Absent from here: structure. The one rule: reading parses into the name's type, so
//! a value out of range is refused where it stands.

use std::fmt::Display;

use serde::{Deserialize, Serialize};

use crate::names::{
    AttachmentId, Digest, DraftStatus, OperationId, PostId, PostType, RunId, Slug, TermId,
    Timestamp, UserId,
};
use crate::protocol::HoldReason;
use crate::protocol::kinds::{ContentFilter, KnownBy, MetaValue};
use crate::protocol::record::DecisionKind;

/// A value that is one JSON string or number.
pub(super) trait Scalar: Sized {
    type Json: Serialize + for<'de> Deserialize<'de>;
    fn to_json(&self) -> Self::Json;
    fn from_json(json: Self::Json) -> Result<Self, String>;
}

macro_rules! as_text {
    ($name:ty, $write:expr, $read:expr) => {
        impl Scalar for $name {
            type Json = String;
            fn to_json(&self) -> String {
                let write: fn(&$name) -> String = $write;
                write(self)
            }
            fn from_json(json: String) -> Result<Self, String> {
                let read: fn(&str) -> Result<$name, String> = $read;
                read(&json)
            }
        }
    };
}

fn said(error: impl Display) -> String {
    error.to_string()
}

as_text!(Digest, ToString::to_string, |text| Digest::from_hex(text).map_err(said));
as_text!(Slug, |slug| slug.stored().to_owned(), |text| Slug::from_stored(text).map_err(said));
as_text!(RunId, ToString::to_string, |text| RunId::parse(text).map_err(said));
as_text!(OperationId, ToString::to_string, |text| OperationId::parse(text).map_err(said));
as_text!(Timestamp, ToString::to_string, |text| {
    text.parse().map_err(|_| format!("no time: {text:?}"))
});
as_text!(PostType, |post_type| post_type.as_str().to_owned(), |text| PostType::parse(text)
    .map_err(said));
as_text!(DraftStatus, |status| status.as_str().to_owned(), |text| DraftStatus::parse(text)
    .map_err(said));
as_text!(HoldReason, |reason| reason.code().to_owned(), |text| HoldReason::from_code(text)
    .ok_or_else(|| format!("no hold reason: {text:?}")));
as_text!(DecisionKind, |decision| decision.code().to_owned(), |text| one_of(
    [DecisionKind::Adopt, DecisionKind::NotCreated, DecisionKind::Restart, DecisionKind::Withdraw],
    DecisionKind::code,
    text
));
as_text!(KnownBy, |known_by| known_by_code(*known_by).to_owned(), |text| one_of(
    [KnownBy::Answer, KnownBy::LookUp, KnownBy::Person],
    known_by_code,
    text
));
as_text!(ContentFilter, |filter| filter_code(*filter).to_owned(), |text| one_of(
    [ContentFilter::Off, ContentFilter::On],
    filter_code,
    text
));

fn known_by_code(known_by: KnownBy) -> &'static str {
    match known_by {
        KnownBy::Answer => "answer",
        KnownBy::LookUp => "look_up",
        KnownBy::Person => "person",
    }
}

fn filter_code(filter: ContentFilter) -> &'static str {
    match filter {
        ContentFilter::Off => "off",
        ContentFilter::On => "on",
    }
}

fn one_of<T: Copy, const N: usize>(
    all: [T; N],
    code: fn(T) -> &'static str,
    text: &str,
) -> Result<T, String> {
    all.into_iter()
        .find(|value| code(*value) == text)
        .ok_or_else(|| format!("no known word: {text:?}"))
}

macro_rules! as_number {
    ($name:ident) => {
        impl Scalar for $name {
            type Json = u64;
            fn to_json(&self) -> u64 {
                self.get()
            }
            fn from_json(json: u64) -> Result<Self, String> {
                $name::new(json).ok_or_else(|| "an id is above zero".to_owned())
            }
        }
    };
}
as_number!(PostId);
as_number!(AttachmentId);
as_number!(TermId);
as_number!(UserId);

/// Text as a string, the others as JSON has them; records of before this was told apart
/// have strings only.
impl Scalar for MetaValue {
    type Json = serde_json::Value;
    fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Text(text) => text.as_str().into(),
            Self::Integer(number) => (*number).into(),
            // What is no number does not become one here: it would be read as text, which
            // the journal notices before it writes.
            Self::Number(text) => text
                .parse()
                .ok()
                .and_then(serde_json::Number::from_f64)
                .map_or_else(|| text.as_str().into(), serde_json::Value::Number),
            Self::Boolean(yes) => (*yes).into(),
        }
    }
    fn from_json(json: serde_json::Value) -> Result<Self, String> {
        match json {
            serde_json::Value::String(text) => Ok(Self::Text(text)),
            serde_json::Value::Bool(yes) => Ok(Self::Boolean(yes)),
            serde_json::Value::Number(number) => Ok(match number.as_i64() {
                Some(whole) => Self::Integer(whole),
                None => Self::Number(number.to_string()),
            }),
            other => Err(format!("no value of meta: {other}")),
        }
    }
}

/// For `#[serde(with = …)]` on a list of names and values.
pub(super) mod scalar_pairs {
    use super::Scalar;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in super::super) fn serialize<T: Scalar, S: Serializer>(
        pairs: &[(String, T)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let pairs: Vec<_> = pairs.iter().map(|(name, value)| (name, value.to_json())).collect();
        pairs.serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, T: Scalar, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(String, T)>, D::Error> {
        let pairs = Vec::<(String, T::Json)>::deserialize(deserializer)?;
        let one = |(name, json)| T::from_json(json).map(|value| (name, value));
        pairs.into_iter().map(one).collect::<Result<_, _>>().map_err(D::Error::custom)
    }
}

/// For `#[serde(with = …)]` on a value.
pub(super) mod scalar {
    use super::Scalar;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in super::super) fn serialize<T: Scalar, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.to_json().serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, T: Scalar, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        T::from_json(T::Json::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// For `#[serde(with = …)]` on an optional value.
pub(super) mod scalar_option {
    use super::Scalar;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "the shape that serde asks for")]
    pub(in super::super) fn serialize<T: Scalar, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_ref().map(Scalar::to_json).serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, T: Scalar, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        let json = Option::<T::Json>::deserialize(deserializer)?;
        json.map(T::from_json).transpose().map_err(D::Error::custom)
    }
}

/// For `#[serde(with = …)]` on a list of values.
pub(super) mod scalar_list {
    use super::Scalar;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(in super::super) fn serialize<T: Scalar, S: Serializer>(
        values: &[T],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(Scalar::to_json))
    }

    pub(in super::super) fn deserialize<'de, T: Scalar, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        let json = Vec::<T::Json>::deserialize(deserializer)?;
        json.into_iter().map(T::from_json).collect::<Result<_, _>>().map_err(D::Error::custom)
    }
}
