//! Records are read as they were written, and whatever else is there is damage.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::{Map, Value};
use tempfile::TempDir;

use super::samples::{any_article, any_upload, articles, chain, key, site, uploads};
use crate::journal::damage::{Damage, RECORD_BYTES_MAX};
use crate::journal::wire::{decode, encode, encode_line};
use crate::journal::{JournalView, Journaled};
use crate::names::Digest;
use crate::protocol::kinds::{Articles, Kind};
use crate::protocol::record::{ArticleRecord, Record};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/records")
}

fn read_article(bytes: &[u8]) -> Result<ArticleRecord, Damage> {
    decode::<Articles>(bytes, &site(), &key("first-article"))
}

proptest! {
    #![proptest_config(crate::fuzzing::config(256))]

    #[test]
    fn an_article_record_is_read_as_it_was_written(record in any_article()) {
        check_round_trip(&record)?;
    }

    #[test]
    fn an_upload_record_is_read_as_it_was_written(record in any_upload()) {
        check_round_trip(&record)?;
    }
}

fn check_round_trip<K: Journaled>(record: &Record<K>) -> Result<(), TestCaseError> {
    // A record that nothing has happened to is never written.
    prop_assume!(record.serial() > 0);
    let bytes = encode(record, &site()).unwrap();
    prop_assert_eq!(&decode::<K>(&bytes, &site(), record.identity()).unwrap(), record);
    let line = encode_line(record, &site()).unwrap();
    prop_assert!(!line.contains('\n'));
    prop_assert_eq!(&decode::<K>(line.as_bytes(), &site(), record.identity()).unwrap(), record);
    Ok(())
}

#[test]
fn every_record_that_version_1_wrote_loads() {
    for (name, record) in articles() {
        check_fixture(name, &record);
    }
    for (name, record) in uploads() {
        check_fixture(name, &record);
    }
}

/// To add a fixture: add a sample, run this with the file missing, and look at it.
fn check_fixture<K: Journaled>(name: &str, record: &Record<K>) {
    let path = fixtures().join("v1").join(format!("{name}.json"));
    let Ok(bytes) = fs::read(&path) else {
        super::write(&path, &encode(record, &site()).unwrap());
        panic!("{} was missing; look at what is there now", path.display());
    };
    let read = decode::<K>(&bytes, &site(), record.identity());
    assert_eq!(read.map_err(|damage| chain(&damage)).as_ref(), Ok(record), "{name}");
    let written = String::from_utf8(encode(record, &site()).unwrap()).unwrap();
    assert_eq!(written, String::from_utf8(bytes).unwrap(), "{name} is written in another way");
}

#[test]
fn a_confirmed_record_keeps_no_body() {
    let bytes = fs::read(fixtures().join("v1/article-confirmed.json")).unwrap();
    let record: Map<String, Value> = serde_json::from_slice(&bytes).unwrap();
    let fields: Vec<&str> = record.keys().map(String::as_str).collect();
    let expected = [
        "schema", "kind", "site", "serial", "attempts", "type", "slug", "phase", "input",
        "receipt", "history", "checksum",
    ];
    assert_eq!(fields, expected);
}

#[test]
fn a_record_cut_short_anywhere_is_damaged() {
    for (name, record) in articles() {
        let bytes = encode(&record, &site()).unwrap();
        // Without its final new line it is still whole.
        for length in 0..bytes.len() - 1 {
            assert!(read_article(&bytes[..length]).is_err(), "{name} cut to {length} bytes");
        }
    }
}

#[test]
fn a_record_with_one_bit_changed_is_damaged_or_says_the_same() {
    for (name, record) in articles().into_iter().filter(|(name, _)| *name == "article-sending-held")
    {
        let bytes = encode(&record, &site()).unwrap();
        for (place, bit) in (0..bytes.len()).flat_map(|place| (0..8).map(move |bit| (place, bit))) {
            let mut changed = bytes.clone();
            changed[place] ^= 1 << bit;
            if let Ok(read) = read_article(&changed) {
                assert_eq!(read, record, "{name} with bit {bit} of byte {place} changed");
            }
        }
    }
}

/// A journal with one file at the place of the record of `first-article`.
fn with_file(make: impl FnOnce(&Path)) -> (TempDir, JournalView) {
    let root = TempDir::new().unwrap();
    let dir = root.path().join("example.com");
    fs::create_dir_all(dir.join("articles/post")).unwrap();
    make(&dir.join("articles/post/first-article.json"));
    let view = JournalView::open(&dir).unwrap();
    (root, view)
}

#[test]
fn what_is_not_a_regular_file_is_never_no_record() {
    type Make = fn(&Path);
    let cases: [(&str, Make, &str); 5] = [
        ("folder", |path| fs::create_dir(path).unwrap(), "it is not a regular file"),
        ("link to nowhere", |path| symlink("/nowhere", path).unwrap(), "it is not a regular file"),
        (
            "link to a record",
            |path| symlink(fixtures().join("v1/article-sending.json"), path).unwrap(),
            "it is not a regular file",
        ),
        (
            "pipe",
            |path| {
                let mode = rustix::fs::Mode::from_raw_mode(0o600);
                let fifo = rustix::fs::FileType::Fifo;
                rustix::fs::mknodat(rustix::fs::CWD, path, fifo, mode, 0).unwrap();
            },
            "it is not a regular file",
        ),
        (
            "too large",
            |path| fs::File::create(path).unwrap().set_len(RECORD_BYTES_MAX + 1).unwrap(),
            "it is larger than 33554432 bytes",
        ),
    ];
    for (name, make, expected) in cases {
        let (_root, view) = with_file(make);
        let damaged = view.article(&key("first-article")).unwrap_err();
        assert_eq!(chain(&damaged.why), expected, "{name}");
        assert_eq!(view.articles().unwrap().len(), 1, "{name} is in the list");
    }
}

#[test]
fn a_folder_that_is_a_link_to_nowhere_is_no_empty_journal() {
    for link in ["", "example.com", "example.com/articles", "example.com/articles/post"] {
        let root = TempDir::new().unwrap();
        let root = root.path().join("journals");
        let path = root.join(link);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink("/nowhere", path.components().as_path()).unwrap();
        let error = JournalView::open(&root.join("example.com")).unwrap_err();
        let expected = format!(
            "{} is not a folder that can be read: No such file or directory (os error 2)",
            path.components().as_path().display()
        );
        assert_eq!(chain(&error), expected);
    }
}

/// What is no folder, or lies below what is none, is no empty journal either.
#[test]
fn a_file_in_the_place_of_a_folder_is_no_empty_journal() {
    for (file, said, why) in [
        ("journals/example.com/articles", "journals/example.com/articles", "not a directory"),
        ("journals", "journals", "not a directory"),
        ("above", "above/journals", "Not a directory (os error 20)"),
    ] {
        let root = TempDir::new().unwrap();
        super::write(&root.path().join(file), b"");
        let above =
            if file == "above" { root.path().join("above") } else { root.path().to_owned() };
        let error = JournalView::open(&above.join("journals/example.com")).unwrap_err();
        let place = root.path().join(said);
        let expected = format!("{} is not a folder that can be read: {why}", place.display());
        assert_eq!(chain(&error), expected);
    }
}

#[test]
fn reading_makes_nothing() {
    let root = TempDir::new().unwrap();
    let view = JournalView::open(&root.path().join("journals/example.com")).unwrap();
    assert!(view.article(&key("first-article")).unwrap().is_none());
    assert!(view.upload(&Digest::of(b"image")).unwrap().is_none());
    assert_eq!(view.articles().unwrap().len() + view.uploads().unwrap().len(), 0);
    assert!(view.marker().is_none());
    assert!(view.site().unwrap().is_none());
    assert_eq!(view.strangers().unwrap(), Vec::<PathBuf>::new());
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
}

#[test]
fn lists_hold_good_and_damaged_records_in_order() {
    let (_root, view) = with_file(|path| {
        fs::copy(fixtures().join("v1/article-sending.json"), path).unwrap();
        fs::File::create(path.with_file_name("a-empty.json")).unwrap();
    });
    let said: Vec<String> = view
        .articles()
        .unwrap()
        .into_iter()
        .map(|read| match read {
            Ok(record) => format!("{} {}", record.identity(), record.phase().code()),
            Err(damaged) => damaged.why.to_string(),
        })
        .collect();
    assert_eq!(said, ["it is empty", "first-article sending"]);
}

#[test]
fn only_what_is_sending_or_damaged_is_pending() {
    let doubts = |make: &dyn Fn(&Path)| {
        let (root, view) = with_file(|path| make(path.ancestors().nth(3).unwrap()));
        let pending = view.pending().unwrap();
        drop(root);
        [pending.articles.len(), pending.uploads.len(), pending.damaged.len()]
    };
    for (name, record) in articles() {
        let bytes = encode(&record, &site()).unwrap();
        let seen =
            doubts(&|dir| super::write(&dir.join("articles/post/first-article.json"), &bytes));
        assert_eq!(seen, [usize::from(record.phase().code() == "sending"), 0, 0], "{name}");
    }
    for (name, record) in uploads() {
        let bytes = encode(&record, &site()).unwrap();
        let path = format!("media/{}.json", record.identity());
        let seen = doubts(&|dir| super::write(&dir.join(&path), &bytes));
        assert_eq!(seen, [0, usize::from(record.phase().code() == "sending"), 0], "{name}");
        let seen = doubts(&|dir| super::write(&dir.join(&path), &bytes[1..]));
        assert_eq!(seen, [0, 0, 1], "{name}, damaged");
    }
}

#[test]
fn an_upload_in_the_place_of_another_says_so() {
    let (_, record) = uploads().remove(0);
    let bytes = encode(&record, &site()).unwrap();
    let (ours, other) = (Digest::of(b"image"), Digest::of(b"other"));
    let damage = decode::<crate::protocol::Uploads>(&bytes, &site(), &other).unwrap_err();
    let expected = format!(
        "it belongs to file {ours} of site \"example.com\", not to file {other} of site \
         \"example.com\""
    );
    assert_eq!(damage.to_string(), expected);
}

/// The words that stand in files must never come to mean nothing.
#[test]
fn a_kind_is_known_by_its_word() {
    fn word<K: Journaled + Kind>() -> &'static str {
        K::KIND
    }
    assert_eq!([word::<Articles>(), word::<crate::protocol::Uploads>()], ["article", "upload"]);
}
