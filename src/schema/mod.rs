//! JSON Schemas (2020-12) of the documents, and picking keys of them by name.
//!
//! Absent from here: the documents; each lives where it is made. The one rule: a schema
//! comes from the type that is serialized or read, so that it can't say something else.

pub mod fields;

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema};

/// The schema of a document that is written.
#[must_use]
pub fn written<T: JsonSchema + ?Sized>(name: &str) -> Schema {
    titled::<T>(SchemaSettings::draft2020_12().for_serialize(), name)
}

/// The schema of a document that is read.
#[must_use]
pub fn read<T: JsonSchema + ?Sized>(name: &str) -> Schema {
    titled::<T>(SchemaSettings::draft2020_12().for_deserialize(), name)
}

/// The name of a type of ours says nothing to others.
fn titled<T: JsonSchema + ?Sized>(settings: SchemaSettings, name: &str) -> Schema {
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), format!("oncepress {name}").into());
    RecursiveTransform(on_one_line).transform(&mut schema);
    schema
}

/// The lines of our sources are no lines of the text.
fn on_one_line(schema: &mut Schema) {
    if let Some(text) = schema.get("description").and_then(serde_json::Value::as_str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        schema.insert("description".to_owned(), text.into());
    }
}
