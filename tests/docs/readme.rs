//! README.md says what the program does.

use std::collections::{BTreeMap, BTreeSet};

use oncepress::protocol::HoldReason;
use oncepress::report::Exit;
use serde_json::Value;

use crate::support::*;

#[test]
fn every_reason_to_stop_or_skip_has_its_row() {
    let stops = section("README.md", "When it stops");
    let mut parts = stops.split("\nThese are ");
    let (held, unknown, skipped) =
        (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
    let (skipped, _) = skipped.split_once("`rejected` means").expect("the part on rejections");

    let mut real = set(HoldReason::ALL.map(|reason| reason.code().to_owned()));
    real.insert("journal_damaged".to_owned());
    assert_same("held", &set(first_cells(held)), &real);
    let real = set(skip_reasons().map(|reason| reason.code().to_owned()));
    assert_same("skipped", &set(first_cells(skipped)), &real);
    let real = set(["cannot_look_up", "settling"].map(str::to_owned));
    assert_same("unknown", &set(first_cells(unknown)), &real);
}

/// Case CONT-09: a draft that a plugin would call incomplete is made all the same.
#[test]
fn what_is_not_checked_is_said() {
    let limits = section("README.md", "Limits").split_whitespace().collect::<Vec<_>>().join(" ");
    let said = "Fields that a plugin requires are not known over REST, where WordPress makes the \
                draft without them";
    assert!(limits.contains(said), "{limits}");
}

#[test]
fn every_code_that_is_named_is_one_of_the_program() {
    let sources = sources();
    let stops = section("README.md", "When it stops") + &section("README.md", "What a rerun does");
    let is_code = |word: &&str| {
        word.contains('_') && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
    };
    for code in quoted(&stops).into_iter().filter(is_code).filter(|code| *code != "settle_s") {
        assert!(sources.contains(&format!("\"{code}\"")), "no code {code} in the sources");
    }
}

#[test]
fn every_exit_code_has_its_row_with_the_words_of_the_help() {
    let table: BTreeMap<String, String> = rows(&section("README.md", "Exit codes"))
        .into_iter()
        .map(|row| (row[0].clone(), row[1].clone()))
        .collect();
    let real = set(exits().map(|exit| exit.code().to_string()));
    assert_same("exit codes", &table.keys().cloned().collect(), &real);
    let help = help(&["--help"]);
    let (_, codes) = help.split_once("Exit codes:").expect("the help tells them");
    let codes = codes.split_whitespace().collect::<Vec<_>>().join(" ");
    for (code, meaning) in table {
        let meaning = meaning.trim_end_matches(", in order");
        // The help is wrapped for people, and may say more behind the meaning.
        let start: Vec<&str> = meaning.split([';', ':', ',']).map(str::trim).collect();
        let told = format!("{code} {}", start[0]);
        assert!(codes.contains(&told), "the help does not say {told:?}: {codes}");
    }
}

#[test]
fn of_several_exit_codes_the_first_that_is_told_wins() {
    let text = section("README.md", "Exit codes");
    let (_, told) = text.split_once("the first of ").expect("the order");
    let words = told.split([',', ' ']).filter(|word| !word.is_empty());
    let told: Vec<u8> = words.map_while(|word| word.parse().ok()).collect();
    let source = read("src/report/exit.rs");
    let (_, ranks) = source.split_once("fn rank(self)").expect("the ranks");
    let ranks = ranks.split("\n    }\n").next().unwrap_or_default();
    let place = |exit: &Exit| ranks.find(&format!("Self::{exit:?}")).expect("its rank");
    let mut real = exits().to_vec();
    real.sort_by_key(place);
    assert_eq!(real.pop(), Some(Exit::Settled));
    assert_eq!(told, real.iter().map(|exit| exit.code()).collect::<Vec<_>>());
}

#[test]
fn commands_and_options_are_those_of_the_help() {
    let help = help(&["-h"]);
    let commands = section("README.md", "Commands");
    let (table, options) = commands.split_once("\n`check`, `plan`").expect("the text between");
    let cells = |text: &str| -> BTreeMap<String, String> {
        rows(text)
            .into_iter()
            .map(|row| (row[0].replace('`', "").replace("oncepress ", ""), row[1].clone()))
            .collect()
    };
    assert_eq!(cells(table), help_list(&help, "Commands"));
    let mut real = help_list(&help, "Options");
    real.remove("--help");
    real.remove("--version");
    for text in real.values_mut() {
        *text = text.split(" [default: auto]").next().unwrap_or_default().to_owned();
    }
    assert_eq!(cells(options), real);
}

#[test]
fn every_option_that_is_named_exists() {
    let mut real = String::new();
    for command in help_list(&help(&["-h"]), "Commands").keys() {
        real += &help(&[command, "--help"]);
    }
    // Of `cargo`, or told to be missing.
    let others =
        ["--path", "--release", "--locked", "--features", "--target", "--version", "--help"];
    for document in ["README.md", "CHANGELOG.md", "docs/agents.md", "skills/oncepress/SKILL.md"] {
        let text = read(document);
        for word in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')) {
            let is_option = word.starts_with("--") && word.len() > 2 && !word.starts_with("---");
            if is_option && !others.contains(&word) {
                assert!(real.contains(word), "{document}: no option {word}");
            }
        }
    }
}

#[test]
fn every_accident_and_every_kind_of_request_is_told_as_the_program_tells_it() {
    let text = section("README.md", "A site to try things on");
    let list = help(&["sandbox", "--list-faults"]);
    let (_, accidents) = list.split_once("\naccidents:\n").expect("the accidents");
    let told = |line: &str| {
        let (form, what) = line.trim().split_once("  ").expect("two columns");
        (form.to_owned(), what.trim().to_owned())
    };
    let real: BTreeMap<String, String> = accidents.lines().map(told).collect();
    // Within a table, a bar that divides no cells has a backslash before it.
    let (_, table) = text.split_once("| accident |").expect("the table of accidents");
    let table = format!("| accident |{}", table.split("\n\n").next().unwrap_or_default());
    let table = table.replace("\\|", "\u{a6}");
    let cells = |row: Vec<String>| (row[0].replace('`', "").replace('\u{a6}', "|"), row[1].clone());
    assert_eq!(rows(&table).into_iter().map(cells).collect::<BTreeMap<_, _>>(), real);
    let kinds = list.split("\n\n").nth(1).expect("the kinds");
    for line in kinds.lines().skip(1) {
        let (kind, _) = told(line);
        assert!(text.contains(&format!("`{kind}`")), "the README does not name the kind {kind}");
    }
}

#[test]
fn every_control_route_is_told_as_the_program_tells_it() {
    let text = section("README.md", "A site to try things on");
    let (_, table) = text.split_once("| route |").expect("the table of routes");
    let told: Vec<(String, String)> = rows(&format!("| route |{table}"))
        .into_iter()
        .map(|row| (row[0].replace('`', ""), row[1].replace('`', "")))
        .collect();
    let real = oncepress::sandbox::ROUTES
        .map(|(method, route, what)| (format!("{method} {route}"), what.to_owned()));
    assert_eq!(told, real);
    for act in oncepress::sandbox::ACTS {
        let act: Value = serde_json::from_str(act).expect("an act is JSON");
        let name = act["act"].as_str().expect("it has a name");
        assert!(text.contains(&format!("`{name}`")), "the README does not name the act {name}");
    }
}

#[test]
fn every_key_of_the_configuration_has_its_row() {
    let mut real = BTreeSet::new();
    let mut table = String::new();
    for line in read("config.example.toml").lines() {
        if let Some(name) = line.strip_prefix('[') {
            table = name.trim_end_matches(']').to_owned();
        }
        let key = line.trim_start_matches("# ").split_once(" = ").map(|(key, _)| key);
        let is_key = |key: &&str| key.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        if let Some(key) = key.filter(is_key) {
            real.insert(format!("[{table}] {key}"));
        }
    }
    assert_same("settings", &set(first_cells(&section("README.md", "Settings"))), &real);
}

#[test]
fn every_field_of_an_article_has_its_row() {
    // The check itself lists them where a field is not known.
    let golden = read("fixtures/bad/expected.txt");
    let (_, list) = golden.split_once("the fields are ").expect("a line that lists the fields");
    let list = list.lines().next().unwrap_or_default();
    let real = list.split(", ").map(str::to_owned).collect();
    assert_same("fields", &set(first_cells(&section("README.md", "Writing articles"))), &real);
}

/// The paths of all keys, with `[]` for the entries of a list.
fn keys(value: &Value, prefix: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let dot = if prefix.is_empty() { "" } else { "." };
                let path = format!("{prefix}{dot}{key}");
                if path != "counts" {
                    keys(value, &path, found);
                }
                found.insert(path);
            }
        }
        Value::Array(items) => {
            for item in items {
                keys(item, &format!("{prefix}[]"), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// What people and machines are told of every verdict, as `src/report` has it.
fn told(name: &str) -> String {
    let snapshot = read(&format!("src/report/snapshots/oncepress__report__tests__{name}.snap"));
    snapshot.splitn(3, "---\n").nth(2).expect("a snapshot").to_owned()
}

#[test]
fn every_key_of_the_json_object_has_its_row() {
    let document: Value = serde_json::from_str(&told("machines_are_told_every_verdict")).unwrap();
    let mut real = BTreeSet::new();
    keys(&document, "", &mut real);
    let documented = set(first_cells(&section("README.md", "For scripts and agents")));
    assert_same("keys of --json", &documented, &real);
}

#[test]
fn the_held_article_is_shown_as_the_program_shows_it() {
    let block = |text: &str, start: &str| -> Vec<String> {
        let lines = text.lines().skip_while(|line| !line.starts_with(start)).skip(1);
        lines
            .take_while(|line| line.starts_with("  "))
            .filter(|line| !line.starts_with("  look at ") && !line.starts_with("  sent "))
            .map(|line| line.replace("resolve held ", "resolve tea-guide "))
            .collect()
    };
    let real = block(&told("people_are_told_every_verdict"), "articles/held.md: held (not_found)");
    assert!(real.len() > 2, "{real:?}");
    assert_eq!(block(&read("README.md"), "articles/tea-guide.md: held (not_found)"), real);
}

#[test]
fn the_rehearsal_is_shown_as_the_program_shows_it() {
    let real = read("tests/rehearse/snapshots/rehearse__printed__every_scene.snap");
    let section = section("README.md", "See it work");
    let (_, block) = section.split_once("```text\n").expect("some rows");
    let shown = block.split("```").next().unwrap_or_default();
    let mut left = real.lines();
    for line in shown.lines() {
        assert!(left.any(|real| real == line), "not shown, or not in this order: {line}");
    }
    let scenes = real.matches(" ok\n").count();
    assert!(real.contains(&format!("\n{scenes} of {scenes} as promised")), "{scenes} scenes");
    assert_eq!(scenes, 16, "the README says sixteen");

    let json = read("tests/rehearse/snapshots/rehearse__printed__one_scene.snap");
    let (_, keys) = section.split_once("for each of `scenes` its ").expect("the keys");
    let keys = quoted(keys.split(". ").next().unwrap_or_default());
    assert!(keys.len() > 8, "{keys:?}");
    for key in keys.into_iter().filter(|key| *key != "broken") {
        assert!(json.contains(&format!("\"{key}\"")), "no {key} in the object of a scene");
    }
}
