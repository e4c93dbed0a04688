//! Whatever bytes stand where a record was: a record that says what it said, or damage.
//!
//! Absent from here: the damage that has been seen (`damaged`). The one rule: each case
//! asks both questions, what the bytes are and whether they are ever "no record".

use std::fs;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseResult;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::samples::{any_article, any_upload, articles, key, site, uploads};
use crate::fuzzing::fuzz;
use crate::journal::wire::{decode, encode};
use crate::journal::{JournalView, Journaled};
use crate::names::Digest;
use crate::protocol::kinds::{Articles, Uploads};
use crate::protocol::record::Record;

/// The samples of both kinds, as bytes.
fn samples() -> Vec<Vec<u8>> {
    let articles = articles().into_iter().map(|(_, record)| encode(&record, &site()).unwrap());
    let uploads = uploads().into_iter().map(|(_, record)| encode(&record, &site()).unwrap());
    articles.chain(uploads).collect()
}

/// What can happen to bytes on a disk, in an editor or on the way.
#[derive(Debug, Clone)]
enum Harm {
    Flip(Index, u8),
    Cut(Index),
    Insert(Index, Vec<u8>),
    Remove(Index, usize),
    /// A block of it reads as NUL bytes.
    Blank(Index, usize),
    Twice(Index, usize),
    /// From here on another record stands, as after a torn write over an older file.
    TornOver(Index, Index),
    Replace(&'static str, &'static str),
}

impl Harm {
    fn apply(&self, bytes: &mut Vec<u8>, others: &[Vec<u8>]) {
        if bytes.is_empty() {
            return;
        }
        let place = |index: &Index| index.index(bytes.len());
        let range = |index: &Index, length: usize| {
            let start = index.index(bytes.len());
            start..(start + length).min(bytes.len())
        };
        match self {
            Self::Flip(at, mask) => {
                let at = place(at);
                bytes[at] ^= mask;
            }
            Self::Cut(at) => bytes.truncate(place(at)),
            Self::Insert(at, new) => {
                let at = place(at);
                drop(bytes.splice(at..at, new.iter().copied()));
            }
            Self::Remove(at, length) => drop(bytes.drain(range(at, *length))),
            Self::Blank(at, length) => {
                let range = range(at, *length);
                bytes[range].fill(0);
            }
            Self::Twice(at, length) => {
                let range = range(at, *length);
                let again = bytes[range.clone()].to_vec();
                drop(bytes.splice(range.end..range.end, again));
            }
            Self::TornOver(at, other) => {
                let (at, other) = (place(at), other.get(others));
                bytes.truncate(at);
                bytes.extend(other.get(at..).unwrap_or_default());
            }
            Self::Replace(from, to) => {
                let text = String::from_utf8_lossy(bytes).replace(from, to);
                *bytes = text.into_bytes();
            }
        }
    }
}

fn any_harm() -> impl Strategy<Value = Harm> {
    let at = any::<Index>;
    let words = select(vec![
        ("sending", "none"),
        ("sending", "prepared"),
        ("prepared", "sending"),
        ("confirmed", "none"),
        ("\"attempts\": 1", "\"attempts\": 0"),
        ("op-1", "op-2"),
        ("first-article", "other-article"),
        ("example.com", "example.org"),
        ("record/1", "record/2"),
        ("article", "upload"),
        ("\n", "\r\n"),
        ("  ", "\t"),
        ("2026", "2025"),
    ]);
    prop_oneof![
        3 => (at(), 1..=u8::MAX).prop_map(|(at, mask)| Harm::Flip(at, mask)),
        1 => at().prop_map(Harm::Cut),
        2 => (at(), vec(any::<u8>(), 1..9)).prop_map(|(at, new)| Harm::Insert(at, new)),
        1 => (at(), 1..200_usize).prop_map(|(at, length)| Harm::Remove(at, length)),
        1 => (at(), 1..600_usize).prop_map(|(at, length)| Harm::Blank(at, length)),
        1 => (at(), 1..400_usize).prop_map(|(at, length)| Harm::Twice(at, length)),
        1 => (at(), at()).prop_map(|(at, other)| Harm::TornOver(at, other)),
        3 => words.prop_map(|(from, to)| Harm::Replace(from, to)),
    ]
}

/// A record that was read says what the bytes say, and is written again as itself.
fn check_read<K: Journaled>(
    bytes: &[u8],
    identity: &K::Identity,
) -> Result<Option<Record<K>>, TestCaseError> {
    let Ok(record) = decode::<K>(bytes, &site(), identity) else { return Ok(None) };
    prop_assert_eq!(record.identity(), identity);
    let says: Map<String, Value> = serde_json::from_slice(bytes)?;
    prop_assert_eq!(&says["phase"], record.phase().code());
    prop_assert_eq!(&says["serial"], record.serial());
    prop_assert_eq!(&says["attempts"], record.attempts());
    prop_assert_eq!(says.contains_key("hold"), record.hold().is_some());
    prop_assert_eq!(says.contains_key("withdrawn"), record.withdrawn().is_some());
    prop_assert_eq!(says.contains_key("receipt"), record.receipt().is_some());
    prop_assert_eq!(says["history"].as_array().map(Vec::len), Some(record.history().len()));
    let again = encode(&record, &site())?;
    let reread = decode::<K>(&again, &site(), identity).ok();
    prop_assert_eq!(reread.as_ref(), Some(&record));
    Ok(Some(record))
}

/// What stands in the files of a journal is never "no record".
struct Desk {
    _root: TempDir,
    view: JournalView,
    article: std::path::PathBuf,
    upload: std::path::PathBuf,
}

impl Desk {
    fn new() -> Self {
        let memory = std::path::Path::new("/dev/shm");
        let root = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() }.unwrap();
        let dir = root.path().join("example.com");
        let article = dir.join("articles/post/first-article.json");
        let upload = dir.join(format!("media/{}.json", Digest::of(b"image")));
        for path in [&article, &upload] {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
        }
        let view = JournalView::open(&dir).unwrap();
        Self { _root: root, view, article, upload }
    }

    fn never_nothing(&self, bytes: &[u8]) -> TestCaseResult {
        super::write(&self.article, bytes);
        super::write(&self.upload, bytes);
        let (article, image) = (key("first-article"), Digest::of(b"image"));
        prop_assert!(!matches!(self.view.article(&article), Ok(None)), "no article");
        prop_assert!(!matches!(self.view.upload(&image), Ok(None)), "no upload");
        let pending = self.view.pending().unwrap();
        let sending = pending.articles.len() + pending.uploads.len();
        // The bytes are a record of one kind at most.
        prop_assert!(pending.damaged.len() == 2 || pending.damaged.len() == 1 && sending <= 1);
        Ok(())
    }
}

#[test]
fn any_bytes_are_damage() {
    let json = prop_oneof![
        "[\\[\\]{}\",:a-z0-9 \\\\]{0,80}",
        r#"\{"schema": ?"oncepress\.(record|run)/[0-9]{1,11}"(, ?"[a-z]{1,9}": ?[0-9]{1,20}){0,4}\}"#,
    ];
    let bytes = prop_oneof![
        vec(any::<u8>(), 0..400),
        vec(Just(0), 0..4_100),
        json.prop_map(String::into_bytes),
    ];
    let desk = Desk::new();
    fuzz("records of any bytes", 1_500, &bytes, |bytes| {
        prop_assert!(check_read::<Articles>(&bytes, &key("first-article"))?.is_none());
        prop_assert!(check_read::<Uploads>(&bytes, &Digest::of(b"image"))?.is_none());
        desk.never_nothing(&bytes)
    });
}

#[test]
fn a_harmed_record_is_damaged_or_says_the_same() {
    let samples = samples();
    let article = |bytes: &[u8]| check_read::<Articles>(bytes, &key("first-article"));
    let upload = |bytes: &[u8]| check_read::<Uploads>(bytes, &Digest::of(b"image"));
    let desk = Desk::new();
    let cases = (any::<Index>(), vec(any_harm(), 1..4));
    fuzz("records harmed", 2_500, &cases, |(which, harms)| {
        let whole = which.get(&samples);
        let mut bytes = whole.clone();
        for harm in &harms {
            harm.apply(&mut bytes, &samples);
        }
        if let Some(read) = article(&bytes)? {
            // Several harms can undo each other, or put another whole record there.
            let known =
                samples.iter().any(|sample| matches!(article(sample), Ok(Some(r)) if r == read));
            prop_assert!(known, "it says what no record said");
        }
        if let Some(read) = upload(&bytes)? {
            let known =
                samples.iter().any(|sample| matches!(upload(sample), Ok(Some(r)) if r == read));
            prop_assert!(known, "it says what no record said");
        }
        desk.never_nothing(&bytes)
    });
}

/// What somebody may write into a field whose checksum then fits.
fn any_value() -> impl Strategy<Value = Value> {
    let words = select(vec![
        "none",
        "prepared",
        "sending",
        "confirmed",
        "withdrawn",
        "draft",
        "publish",
        "op-1",
        "not_found",
        "media_unknown",
        "answer",
        "person",
        "",
        "2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05.5+09:00",
        "1969-12-31T23:59:59Z",
        "first-article",
    ]);
    let leaf = prop_oneof![
        3 => words.prop_map(|word| json!(word)),
        1 => any::<String>().prop_map(|text| json!(text)),
        1 => any::<i64>().prop_map(|number| json!(number)),
        2 => (0..3_u64).prop_map(|number| json!(number)),
        1 => select(vec![u64::MAX, 1 << 53, (1 << 53) - 1, u64::from(u32::MAX)]).prop_map(|n| json!(n)),
        1 => any::<f64>().prop_map(|number| json!(number)),
        1 => any::<bool>().prop_map(|word| json!(word)),
        1 => Just(Value::Null),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::hash_map("[a-z_]{1,12}", inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// A change of the JSON of a record, by a program that then makes the checksum fit.
#[derive(Debug, Clone)]
enum Forgery {
    Set(Index, Value),
    Remove(Index),
    Add(Index, String, Value),
    /// The value of one place at another place.
    Move(Index, Index),
    /// Everything after this field comes from another record.
    Graft(Index, Index),
}

fn any_forgery() -> impl Strategy<Value = Forgery> {
    let at = any::<Index>;
    prop_oneof![
        4 => (at(), any_value()).prop_map(|(at, value)| Forgery::Set(at, value)),
        1 => at().prop_map(Forgery::Remove),
        1 => (at(), "[a-z_]{1,9}|hold|withdrawn|receipt|sent", any_value())
            .prop_map(|(at, name, value)| Forgery::Add(at, name, value)),
        2 => (at(), at()).prop_map(|(from, to)| Forgery::Move(from, to)),
        2 => (at(), at()).prop_map(|(at, other)| Forgery::Graft(at, other)),
    ]
}

/// The JSON pointers of everything below a value.
fn pointers(value: &Value) -> Vec<String> {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(map) => map.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    children
        .into_iter()
        .flat_map(|(name, value)| {
            let name = name.replace('~', "~0").replace('/', "~1");
            let below = pointers(value);
            std::iter::once(format!("/{name}"))
                .chain(below.into_iter().map(move |rest| format!("/{name}{rest}")))
                .collect::<Vec<_>>()
        })
        .collect()
}

impl Forgery {
    fn apply(&self, record: &mut Value, others: &[Value]) {
        let places = pointers(record);
        if places.is_empty() {
            return;
        }
        let place = |index: &Index| index.get(&places).clone();
        match self {
            Self::Set(at, value) => *record.pointer_mut(&place(at)).unwrap() = value.clone(),
            Self::Remove(at) => {
                let place = place(at);
                let (parent, name) = place.rsplit_once('/').unwrap();
                match record.pointer_mut(parent) {
                    Some(Value::Object(map)) => drop(map.shift_remove(name)),
                    Some(Value::Array(items)) => drop(items.pop()),
                    _ => {}
                }
            }
            Self::Add(at, name, value) => match record.pointer_mut(&place(at)) {
                Some(Value::Object(map)) => drop(map.insert(name.clone(), value.clone())),
                Some(Value::Array(items)) => items.push(value.clone()),
                _ => drop(record.as_object_mut().unwrap().insert(name.clone(), value.clone())),
            },
            Self::Move(from, to) => {
                let value = record.pointer(&place(from)).unwrap().clone();
                *record.pointer_mut(&place(to)).unwrap() = value;
            }
            Self::Graft(at, other) => {
                let other = other.get(others).as_object().unwrap();
                let own = record.as_object_mut().unwrap();
                let keep = at.index(own.len() + 1);
                let rest = other.iter().skip(keep).map(|(n, v)| (n.clone(), v.clone()));
                *own = own.clone().into_iter().take(keep).chain(rest).collect();
            }
        }
    }
}

#[test]
fn a_forged_record_is_damaged_or_is_a_whole_record() {
    let samples: Vec<Value> = samples()
        .iter()
        .map(|bytes| {
            let mut record: Value = serde_json::from_slice(bytes).unwrap();
            record.as_object_mut().unwrap().shift_remove("checksum");
            record
        })
        .collect();
    let desk = Desk::new();
    let cases = (any::<Index>(), vec(any_forgery(), 1..4));
    fuzz("records forged", 2_500, &cases, |(which, forgeries)| {
        let mut record = which.get(&samples).clone();
        for forgery in &forgeries {
            forgery.apply(&mut record, &samples);
        }
        let checksum = Digest::of(&serde_json::to_vec(&record)?).to_string();
        record["checksum"] = json!(checksum);
        let bytes = serde_json::to_vec(&record)?;
        check_read::<Articles>(&bytes, &key("first-article"))?;
        check_read::<Uploads>(&bytes, &Digest::of(b"image"))?;
        desk.never_nothing(&bytes)
    });
}

/// Records of random content: harmed, they are damage or themselves.
#[test]
fn a_random_record_with_a_harm_is_damaged_or_itself() {
    fn check<K: Journaled>(record: &Record<K>, harm: &Harm) -> TestCaseResult {
        let mut bytes = encode(record, &site())?;
        harm.apply(&mut bytes, &[Vec::new()]);
        let read = check_read::<K>(&bytes, record.identity())?;
        prop_assert!(read.is_none_or(|read| read == *record));
        Ok(())
    }
    let cases = (any_article(), any_upload(), any_harm());
    fuzz("random records harmed", 400, &cases, |(article, upload, harm)| {
        check(&article, &harm)?;
        check(&upload, &harm)
    });
}
