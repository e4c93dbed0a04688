//! Reading the documents: sections, tables, code spans; and what the program says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use oncepress::protocol::SkipReason;
use oncepress::report::Exit;

pub(crate) const DOCUMENTS: [&str; 6] = [
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "docs/agents.md",
    "skills/oncepress/SKILL.md",
];

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A section, from its heading (`## Name`) to the next one of its level.
pub(crate) fn section(document: &str, name: &str) -> String {
    let text = read(document);
    let heading = format!("\n## {name}\n");
    let (_, after) = text.split_once(&heading).unwrap_or_else(|| panic!("{document}: {heading}"));
    after.split("\n## ").next().unwrap_or_default().to_owned()
}

/// The rows of all tables in a text, without headings, as cells.
pub(crate) fn rows(text: &str) -> Vec<Vec<String>> {
    let lines: Vec<&str> = text.lines().collect();
    let is_rule = |line: &&str| line.starts_with("| ---");
    let cells = |line: &str| -> Vec<String> {
        let line = line.trim().trim_start_matches('|').trim_end_matches('|');
        line.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let mut rows = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let heads_a_table = lines.get(index + 1).is_some_and(is_rule);
        if line.starts_with('|') && !is_rule(line) && !heads_a_table {
            rows.push(cells(line));
        }
    }
    rows
}

/// A text without its code blocks.
pub(crate) fn prose(text: &str) -> String {
    text.split("\n```").step_by(2).collect()
}

/// The words between backticks.
pub(crate) fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The only word between backticks in each first cell.
pub(crate) fn first_cells(text: &str) -> Vec<String> {
    rows(text)
        .iter()
        .filter_map(|row| quoted(row.first()?).first().map(|w| (*w).to_owned()))
        .collect()
}

pub(crate) fn set<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    items.into_iter().collect()
}

/// Both directions at once.
pub(crate) fn assert_same(what: &str, documented: &BTreeSet<String>, real: &BTreeSet<String>) {
    let missing: Vec<_> = real.difference(documented).collect();
    let wrong: Vec<_> = documented.difference(real).collect();
    assert!(missing.is_empty() && wrong.is_empty(), "{what}: missing {missing:?}, wrong {wrong:?}");
}

/// Every skip reason; a new one does not compile here until it is listed.
pub(crate) fn skip_reasons() -> [SkipReason; 6] {
    use SkipReason as S;
    let all = [
        S::Exists,
        S::ExistsSeveral,
        S::ExistsInTrash,
        S::ExistsHidden,
        S::Confirmed,
        S::Withdrawn,
    ];
    for reason in all {
        match reason {
            S::Exists
            | S::ExistsSeveral
            | S::ExistsInTrash
            | S::ExistsHidden
            | S::Confirmed
            | S::Withdrawn => {}
        }
    }
    all
}

/// Every exit; a new one does not compile here until it is listed.
pub(crate) fn exits() -> [Exit; 11] {
    use Exit as E;
    let all = [
        E::Settled,
        E::Internal,
        E::Usage,
        E::Unacceptable,
        E::Doubt,
        E::Temporary,
        E::Credentials,
        E::LocalState,
        E::ToDo,
        E::Interrupted,
        E::Terminated,
    ];
    for exit in all {
        match exit {
            E::Settled
            | E::Internal
            | E::Usage
            | E::Unacceptable
            | E::Doubt
            | E::Temporary
            | E::Credentials
            | E::LocalState
            | E::ToDo
            | E::Interrupted
            | E::Terminated => {}
        }
    }
    all
}

/// The text of every source file.
pub(crate) fn sources() -> String {
    let mut text = String::new();
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                text.push_str(&fs::read_to_string(&path).unwrap());
            }
        }
    }
    text
}

pub(crate) fn help(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_oncepress"))
        .args(args)
        .env("COLUMNS", "400")
        .output()
        .expect("the binary runs");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The lines of a section of the help, as word and text.
pub(crate) fn help_list(help: &str, heading: &str) -> BTreeMap<String, String> {
    let (_, after) = help.split_once(&format!("\n{heading}:\n")).expect("the section");
    let lines = after.lines().take_while(|line| !line.is_empty());
    let of = |line: &str| {
        let (words, text) = line.trim().split_once("  ")?;
        let long = words.split([' ', ',']).rfind(|word| !word.is_empty() && !word.starts_with('<'));
        Some((long?.to_owned(), text.trim().to_owned()))
    };
    lines.filter_map(of).collect()
}
