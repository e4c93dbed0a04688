//! Every way in which a record has been seen to go bad, and what is said of it.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::samples::{articles, chain, key, site};
use crate::journal::damage::read_whole;
use crate::journal::wire::{decode, encode};
use crate::names::Digest;
use crate::protocol::kinds::Articles;

/// A good record, changed, with a fitting checksum.
fn forged(sample: &str, change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let record = articles().into_iter().find(|(name, _)| *name == sample).unwrap().1;
    let bytes = encode(&record, &site()).unwrap();
    let mut record: Value = serde_json::from_slice(&bytes).unwrap();
    remove(&mut record, "checksum");
    change(&mut record);
    let checksum = Digest::of(&serde_json::to_vec(&record).unwrap()).to_string();
    record["checksum"] = json!(checksum);
    serde_json::to_vec_pretty(&record).unwrap()
}

fn remove(record: &mut Value, field: &str) {
    record.as_object_mut().unwrap().shift_remove(field).unwrap();
}

/// Files that are no whole record of ours.
fn torn() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let good = forged("article-sending", |_| {});
    let edited = String::from_utf8(good.clone()).unwrap().replace("op-1", "op-2").into_bytes();
    let followed_by = |junk: &[u8]| [&good, junk].concat();
    vec![
        ("empty", Vec::new(), "it is empty"),
        ("nul-filled", vec![0; 1880], "it holds nothing but NUL bytes"),
        (
            "truncated",
            good[..good.len() / 2].to_vec(),
            "it is not one whole JSON object: EOF while parsing a string at line 24 column 10",
        ),
        (
            "followed-by-junk",
            followed_by(b"}"),
            "it is not one whole JSON object: trailing characters at line 54 column 2",
        ),
        (
            "twice",
            followed_by(&good),
            "it is not one whole JSON object: trailing characters at line 54 column 2",
        ),
        (
            "list",
            b"[]".to_vec(),
            "it is not one whole JSON object: invalid type: sequence, expected a map at line 1 \
             column 0",
        ),
        ("edited", edited, "its checksum does not match: it was changed outside OncePress"),
        (
            "newer-schema-and-unknown-shape",
            br#"{"schema": "oncepress.record/12"}"#.to_vec(),
            "it was written by a newer OncePress (`oncepress.record/12`)",
        ),
    ]
}

type Row = (&'static str, fn(&mut Value), &'static str);

/// Whole files that say what no record says.
const WRONG_SHAPE: &[Row] = &[
    (
        "newer-schema",
        |record| record["schema"] = json!("oncepress.record/2"),
        "it was written by a newer OncePress (`oncepress.record/2`)",
    ),
    (
        "other-schema",
        |record| record["schema"] = json!("oncepress.run/1"),
        "its schema is \"oncepress.run/1\", not `oncepress.record/1`",
    ),
    (
        "no-schema",
        |record| remove(record, "schema"),
        "its schema is missing, not `oncepress.record/1`",
    ),
    (
        "version-zero",
        |record| record["schema"] = json!("oncepress.record/0"),
        "its schema is \"oncepress.record/0\", not `oncepress.record/1`",
    ),
    (
        "version-written-in-another-way",
        |record| record["schema"] = json!("oncepress.record/01"),
        "its schema is \"oncepress.record/01\", not `oncepress.record/1`",
    ),
    (
        "unknown-field",
        |record| record["priority"] = json!(1),
        "a field is not valid: unknown field `priority`, expected one of `operation_id`, \
         `input`, `prepared_run_id`, `prepared_at`, `sending_run_id`, `sent_at`, \
         `settle_until`, `payload_digest`, `sent`",
    ),
    (
        "field-missing",
        |record| remove(record, "settle_until"),
        "a field is not valid: missing field `settle_until`",
    ),
    (
        "phase-missing",
        |record| remove(record, "phase"),
        "a field is not valid: missing field `phase`",
    ),
    (
        "phase-unknown",
        |record| record["phase"] = json!("sent"),
        "a field is not valid: unknown variant `sent`, expected one of `none`, `prepared`, \
         `sending`, `confirmed`",
    ),
    (
        "phase-without-its-fields",
        |record| record["phase"] = json!("none"),
        "a field is not valid: unknown field `operation_id`, there are no fields",
    ),
    (
        "serial-text",
        |record| record["serial"] = json!("2"),
        "a field is not valid: invalid type: string \"2\", expected u64",
    ),
    (
        "attempts-negative",
        |record| record["attempts"] = json!(-1),
        "a field is not valid: invalid value: integer `-1`, expected u32",
    ),
    (
        "category-zero",
        |record| record["sent"]["categories"] = json!([3, 0]),
        "a field is not valid: an id is above zero",
    ),
    (
        "time-not-a-time",
        |record| record["sent_at"] = json!("yesterday"),
        "a field is not valid: no time: \"yesterday\"",
    ),
    (
        "status-published",
        |record| record["sent"]["status"] = json!("publish"),
        "a field is not valid: status is not valid: \"publish\"",
    ),
];

/// Records that contradict themselves, or their place.
const WRONG_SENSE: &[Row] = &[
    ("serial-zero", |record| record["serial"] = json!(0), "its counters are out of range"),
    ("serial-huge", |record| record["serial"] = json!(u64::MAX), "its counters are out of range"),
    (
        "attempts-zero",
        |record| record["attempts"] = json!(0),
        "it says what can't have happened: phase `sending` with serial 2 and 0 attempts",
    ),
    (
        "settled-before-sent",
        |record| record["settle_until"] = json!("2020-01-01T00:00:00Z"),
        "it says what can't have happened: a record in phase `prepared` can't begin sending",
    ),
    (
        "payload-of-another",
        |record| record["sent"]["title"] = json!("Another"),
        "`payload_digest` is not that of `sent`",
    ),
    (
        "of-another-article",
        |record| record["slug"] = json!("second-article"),
        "it belongs to post `second-article` of site \"example.com\", not to post \
         `first-article` of site \"example.com\"",
    ),
    (
        "of-another-type",
        |record| record["type"] = json!("page"),
        "it belongs to page `first-article` of site \"example.com\", not to post \
         `first-article` of site \"example.com\"",
    ),
    (
        "of-another-site",
        |record| record["site"] = json!("staging.example.com"),
        "it belongs to post `first-article` of site \"staging.example.com\", not to post \
         `first-article` of site \"example.com\"",
    ),
    (
        "of-another-kind",
        |record| record["kind"] = json!("upload"),
        "it belongs to a record of kind \"upload\", not to one of kind \"article\"",
    ),
];

#[test]
fn every_damaged_file_is_called_damaged_and_says_why() {
    let mut cases = torn();
    for (name, change, expected) in WRONG_SHAPE.iter().chain(WRONG_SENSE) {
        cases.push((name, forged("article-sending", change), expected));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/records/damaged");
    let mut wrong = Vec::new();
    for (name, bytes, expected) in cases {
        let path = folder.join(format!("{name}.json"));
        if !path.exists() {
            super::write(&path, &bytes);
        }
        assert!(fs::read(&path).unwrap() == bytes, "{name} is not what the sample makes");
        let said = match decode::<Articles>(&bytes, &site(), &key("first-article")) {
            Ok(record) => format!("{record:?}"),
            Err(damage) => chain(&damage),
        };
        if said != expected {
            wrong.push(format!("{name}\n  said {said}\n  not  {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whatever the system says, except that there is no such file, is damage.
#[test]
fn a_file_that_the_system_does_not_open_is_damaged() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("file");
    super::write(&file, b"{}");
    let rows = [
        (folder.path().join("none"), Ok(None)),
        (file.clone(), Ok(Some(b"{}".to_vec()))),
        (file.join("below"), Err("it can't be read: Not a directory (os error 20)".to_owned())),
        (
            folder.path().join("x".repeat(300)),
            Err("it can't be read: File name too long (os error 36)".to_owned()),
        ),
    ];
    for (path, expected) in rows {
        let read = read_whole(&path, 2).map_err(|damage| chain(&damage));
        assert_eq!(read, expected, "{}", path.display());
    }
    let longer = read_whole(&file, 1).map_err(|damage| chain(&damage));
    assert_eq!(longer, Err("it is larger than 1 bytes".to_owned()));
}

/// The largest serial that every JSON reader keeps exact is the last one.
#[test]
fn a_serial_is_read_up_to_its_limit() {
    let last = (1_u64 << 53) - 1;
    for (serial, is_read) in [(last, true), (last + 1, false)] {
        let bytes = forged("article-sending", |record| record["serial"] = json!(serial));
        let read = decode::<Articles>(&bytes, &site(), &key("first-article"));
        assert_eq!(read.ok().map(|record| record.serial()), is_read.then_some(serial));
    }
}
