use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::*;

/// Words in the sources that look like codes, in the rooms where codes are given.
const ROOMS: [&str; 4] = ["src/run", "src/cli", "src/doctor", "src/protocol"];
const FILES: [&str; 4] = [
    "src/config/error.rs",
    "src/wordpress/preflight_error.rs",
    "src/wordpress/root.rs",
    "src/article/slug/mod.rs",
];

/// Words among them that are no codes of ours: keys, names of settings, WordPress' codes,
/// and words of run logs.
const NOT_CODES: &[&str] = &[
    "application_password",
    "exit_code",
    "not_settled",
    // The reasons of an unclear look-up are told in words.
    "odd_status",
    "not_json",
    "total_missing",
    "filter_dropped",
    "cached_answer",
    "language_filter",
    "control_missing",
];

fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<PathBuf> = FILES.iter().map(|file| root.join(file)).collect();
    for room in ROOMS {
        let entries = fs::read_dir(root.join(room)).unwrap();
        files.extend(entries.map(|entry| entry.unwrap().path()));
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files.retain(|file| file.file_name().is_some_and(|name| name != "tests.rs"));
    files
}

/// `snake_case` words between quotes, before the tests at the end of a file.
fn words(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let quoted = lines.flat_map(|line| line.split('"').skip(1).step_by(2));
    let is_word = |word: &&str| {
        word.contains('_')
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
            && !word.starts_with("rest_")
    };
    quoted.filter(is_word).map(str::to_owned).collect()
}

#[test]
fn every_code_that_can_be_told_is_explained() {
    let explained = all().unwrap();
    let mut missing = BTreeSet::new();
    for file in sources() {
        for word in words(&fs::read_to_string(&file).unwrap()) {
            if !explained.contains_key(&word) && !NOT_CODES.contains(&word.as_str()) {
                missing.insert(format!("{word} ({})", file.display()));
            }
        }
    }
    assert!(missing.is_empty(), "not explained: {missing:#?}");
}

#[test]
fn nothing_is_explained_that_is_never_told() {
    let mut told = String::new();
    for file in sources() {
        told += &fs::read_to_string(&file).unwrap();
    }
    for folder in ["src/protocol", "src/wordpress", "src/article"] {
        for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                told += &fs::read_to_string(path).unwrap();
            }
        }
    }
    let never: Vec<String> =
        all().unwrap().into_keys().filter(|code| !told.contains(&format!("\"{code}\""))).collect();
    assert!(never.is_empty(), "never told: {never:?}");
}

#[test]
fn an_explanation_is_whole() {
    for (code, Explanation { of, means, exists, todo, .. }) in all().unwrap() {
        for text in [&of, &means, &exists, &todo] {
            assert!(!text.trim().is_empty() && text.trim() == text, "{code}: {text:?}");
        }
        assert!(means.ends_with('.'), "{code}: {means}");
    }
}

#[test]
fn a_slip_of_the_pen_is_answered_with_what_was_meant() {
    let codes: Vec<String> = all().unwrap().into_keys().collect();
    assert_eq!(near("not_foud", codes.iter()).first(), Some(&"not_found"));
    assert_eq!(near("xyz", codes.iter()), Vec::<&str>::new());
}
