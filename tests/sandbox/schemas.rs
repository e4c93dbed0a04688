//! `oncepress schema`: what it prints holds for every document, and for nothing else.
//!
//! Absent from here: most of the judging, because `Ran::json` judges what any test reads.
//! The one rule: each outcome, action and document is shown to come up at least once.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::contract::{SCHEMAS, assert_valid, name_of, objections};
use crate::support::*;

/// The words of an enum in a schema.
fn words(schema: &str, definition: &str) -> BTreeSet<String> {
    let words = SCHEMAS[schema]["$defs"][definition]["oneOf"].as_array().expect("an enum");
    words.iter().map(|word| word["const"].as_str().expect("a word").to_owned()).collect()
}

/// Runs the command with JSON and events, and judges all that it leaves.
fn run(project: &Project, args: &[&str]) -> Ran {
    let args = [args, &["--json", "--events", "events.ndjson"]].concat();
    let ran = project.run(&args);
    ran.json();
    for line in events(project) {
        assert_valid("event", &line);
    }
    for record in records(&project.path().join(".oncepress")) {
        assert_valid("record", &read(&record));
    }
    for log in files_below(&project.path().join(".oncepress"), "ndjson") {
        let text = fs::read_to_string(log).expect("a log");
        for line in text.lines() {
            assert_valid("event", &serde_json::from_str(line).expect("JSON"));
        }
    }
    ran
}

fn events(project: &Project) -> Vec<Value> {
    let text = fs::read_to_string(project.path().join("events.ndjson")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("readable");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == ending) {
                found.push(path);
            }
        }
    }
    found
}

fn records(journal: &Path) -> Vec<PathBuf> {
    let is_record = |path: &PathBuf| {
        path.components().any(|part| part.as_os_str() == "articles" || part.as_os_str() == "media")
    };
    files_below(journal, "json").into_iter().filter(is_record).collect()
}

/// Without the time in which a site may still be working on a lost create.
fn impatient(project: &Project, site: &Served) {
    let limits = "lookup_delays_s = [0]\ntimeout_s = 1\nsettle_s = 0\n";
    let url = &site.url;
    let site = format!("[site]\nurl = \"{url}\"\nusername = \"admin\"\n");
    project.write("oncepress.toml", format!("{site}[network]\n{limits}"));
}

fn article(project: &Project, name: &str, more: &str) {
    project.write(&format!("articles/{name}.md"), format!("---\n{more}---\nText.\n"));
}

#[test]
fn every_outcome_and_every_action_comes_up_and_is_as_the_schema_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let site = Served::start(folder.path(), &[]);
    let other = Project::new(&site.url);
    article(&other, "taken", "title: Not ours\n");
    assert_eq!(other.run(&["push", "articles/taken.md"]).code, Some(0));
    let project = Project::new(&site.url);
    article(&project, "created", "title: Created\ndate: 2026-04-01T09:00:00+09:00\n");
    article(&project, "invalid", "slug: invalid\n");
    article(&project, "rejected", "title: Rejected\ncategories: [News]\n");
    article(&project, "taken", "title: Taken\n");

    let (mut outcomes, mut actions) = (BTreeSet::new(), BTreeSet::new());
    let mut step = |faults: &[&str], args: &[&str]| {
        assert_eq!(site.control("DELETE", "faults", "").0, 200);
        site.set(faults);
        let ran = run(&project, args);
        for article in ran.json()["articles"].as_array().expect("articles") {
            outcomes.extend(article["outcome"].as_str().map(str::to_owned));
            actions.extend(article["action"].as_str().map(str::to_owned));
        }
    };
    step(&[], &["plan", "--out", "plan.json"]);
    assert_valid("plan", &read(&project.path().join("plan.json")));
    // The first article is sent, and neither answered nor shown.
    step(&["create-post:1=lose-answer", "look-up:2+=stale"], &["push"]);
    step(&[], &["status"]);
    step(&[], &["plan"]);
    step(&[], &["push"]);
    article(&project, "deferred", "title: Deferred\n");
    step(&["look-up=lose-request"], &["plan"]);
    step(&["look-up=lose-request"], &["push"]);
    impatient(&project, &site);
    step(&["create-post=lose-request"], &["push"]);
    step(&[], &["plan"]);
    step(&[], &["resolve", "deferred", "--not-created", "--because", "a test"]);
    step(&[], &["resolve", "created", "--withdraw", "--because", "a test"]);
    step(&[], &["push", "--plan", "plan.json"]);
    step(&[], &["status"]);
    assert_eq!(outcomes, words("result", "Outcome"));
    assert_eq!(actions, words("result", "Action"));
}

#[test]
fn a_command_that_fails_says_so_as_the_schema_says() {
    let project = Project::new("sandbox:");
    let nowhere = Project::new("http://127.0.0.1:9/");
    let empty = Project::new("sandbox:");
    empty.write("oncepress.toml", "[site]\nurl = 3\n");
    let table: [(&Project, &[&str], &str, i32); 13] = [
        (&nowhere, &["plan"], "cannot_connect", 5),
        (&nowhere, &["push"], "cannot_connect", 5),
        (&empty, &["check"], "config_invalid", 2),
        (&empty, &["status"], "config_invalid", 2),
        (&project, &["check", "no/such/file.md"], "cannot_check", 2),
        (&project, &["push", "--no-such-option"], "bad_arguments", 2),
        (&project, &["resolve", "none", "--withdraw", "--because", "x"], "no_article", 2),
        (&project, &["unlock", "x"], "no_abandoned_run", 2),
        (&project, &["explain", "no_such_code"], "no_code", 2),
        (&project, &["init"], "would_overwrite", 2),
        (&project, &["rehearse", "S99"], "no_scene", 2),
        (&project, &["schema", "results"], "no_schema", 2),
        (&project, &["push", "--fields", "articles.slugs"], "no_field", 2),
    ];
    for (project, args, code, exit) in table {
        let ran = run(project, args);
        let told = ran.json();
        assert_eq!((name_of(&told), ran.code), ("result", Some(exit)), "{args:?} {ran:?}");
        assert_eq!(told["errors"][0]["code"], code, "{args:?} {ran:?}");
    }
    let served = tempfile::tempdir().expect("a folder");
    let site = Served::start(served.path(), &[]);
    let project = Project::new(&site.url);
    let wrong = [("ONCEPRESS_APP_PASSWORD", "wrong")];
    let told = project.run_with(&["push", "--json"], &wrong).json();
    assert_eq!((&told["exit_code"], &told["errors"][0]["retryable"]), (&json!(6), &json!(false)));
    assert_eq!(
        told["untrusted"][told["untrusted"].as_array().expect("a list").len() - 1],
        "/errors/0/message"
    );
}

#[test]
fn a_run_that_died_and_its_unlock_are_as_the_schemas_say() {
    let project = Project::new("sandbox:");
    let killed = [("ONCEPRESS_CRASH_AT", "article.after-sending-record")];
    assert_eq!(project.run_with(&["push", "--events", "events.ndjson"], &killed).code, None);
    let told = run(&project, &["push"]).json();
    assert_eq!(told["errors"][0]["code"], "abandoned_run");
    let unlock = told["next"][0].as_str().expect("a command").to_owned();
    let unlock: Vec<&str> = unlock.split(' ').skip(1).collect();
    assert_eq!(run(&project, &unlock).code, Some(0));
    assert_eq!(run(&project, &["status"]).in_a_line(), "unknown not_looked_up exit 4");
}

#[test]
fn documents_of_other_commands_are_as_their_schemas_say() {
    let project = Project::new("sandbox:");
    project
        .write("articles/photo.md", "---\ntitle: P\n---\n<p style=\"x\"><script>1</script></p>\n");
    let bad = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/bad");
    let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/demo");
    let dir = |dir: &str| [("ONCEPRESS_ARTICLES_DIR", dir.to_owned())];
    for folder in [bad, demo] {
        let env = dir(folder);
        let env: Vec<(&str, &str)> =
            env.iter().map(|(key, value)| (*key, value.as_str())).collect();
        let told = project.run_with(&["check", "--json"], &env).json();
        assert_eq!(name_of(&told), "check", "{told}");
        assert_eq!(told["counts"]["invalid"] != 0, folder == bad, "{told}");
    }
    for (args, name) in [
        (&["check"][..], "check"),
        (&["doctor"], "doctor"),
        (&["explain"], "explanation"),
        (&["explain", "not_found", "title_missing"], "explanation"),
        (&["init", "beside"], "init"),
        (&["schema"], "schemas"),
        (&["sandbox", "--list-faults"], "faults"),
        (&["rehearse", "S3", "S8", "C2", "C2 upload"], "rehearsal"),
    ] {
        let ran = run(&project, args);
        assert_eq!((name_of(&ran.json()), ran.code), (name, Some(0)), "{ran:?}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    assert_valid("sandbox", &Served::start(folder.path(), &["--fault", "any=slow:0"]).told);
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

#[test]
fn records_are_as_the_schema_says_and_records_of_another_shape_are_not() {
    let kept = files_below(&fixture("records/v1"), "json");
    assert!(kept.len() >= 11, "{kept:?}");
    for record in kept {
        assert_valid("record", &read(&record));
    }
    for damaged in [
        "attempts-negative",
        "category-zero",
        "field-missing",
        "newer-schema",
        "no-schema",
        "phase-missing",
        "phase-without-its-fields",
        "serial-text",
        "status-published",
        "time-not-a-time",
        "unknown-field",
    ] {
        let record = read(&fixture(&format!("records/damaged/{damaged}.json")));
        assert_ne!(objections("record", &record), Vec::<String>::new(), "{damaged}");
    }
}

#[test]
fn the_example_of_a_configuration_is_as_the_schema_says_with_every_key() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("config.example.toml");
    let text = fs::read_to_string(path).expect("the example");
    let whole: Vec<&str> = text
        .lines()
        .map(|line| {
            let key = line.strip_prefix("# ").unwrap_or(line);
            let is_key = key.split_once(" = ").is_some_and(|(key, _)| !key.contains(' '));
            if is_key { key } else { line }
        })
        .collect();
    for text in [text.clone(), whole.join("\n")] {
        let config: toml::Table = toml::from_str(&text).expect("TOML");
        let mut config = serde_json::to_value(config).expect("JSON");
        assert_valid("config", &config);
        config["network"]["settle"] = json!(1);
        assert_ne!(objections("config", &config), Vec::<String>::new());
    }
    let config: toml::Table = toml::from_str(&whole.join("\n")).expect("TOML");
    let keys = |table: &toml::Value| table.as_table().map_or(0, toml::Table::len);
    let told: usize = config.values().map(keys).sum();
    let defs = SCHEMAS["config"]["$defs"].as_object().expect("definitions");
    let known = |part: &Value| part["properties"].as_object().map_or(0, Map::len);
    assert_eq!(told, defs.values().map(known).sum::<usize>());
}

/// Changes a document in each place: a key taken away, a key of another name added. Gives
/// the places at which the schema has nothing against it.
fn not_noticed(name: &str, document: &Value) -> BTreeSet<String> {
    let mut pointers = Vec::new();
    objects(document, String::new(), &mut pointers);
    let mut found = BTreeSet::new();
    let mut noticed = |pointer: &str, what: &str, change: &dyn Fn(&mut Map<String, Value>)| {
        let mut changed = document.clone();
        change(changed.pointer_mut(pointer).and_then(Value::as_object_mut).expect("an object"));
        if objections(name, &changed).is_empty() {
            let place: Vec<&str> =
                pointer.split('/').filter(|part| part.parse::<usize>().is_err()).collect();
            found.insert(format!("{}{what}", place.join("/")));
        }
    };
    for pointer in &pointers {
        let object = document.pointer(pointer).and_then(Value::as_object).expect("an object");
        noticed(pointer, "+", &|object| {
            object.insert("another".to_owned(), json!(1));
        });
        for key in object.keys() {
            noticed(pointer, &format!("-{key}"), &|object| {
                object.remove(key);
            });
        }
    }
    found
}

fn objects(value: &Value, pointer: String, found: &mut Vec<String>) {
    match value {
        Value::Object(keys) => {
            for (key, value) in keys {
                objects(value, format!("{pointer}/{key}"), found);
            }
            found.push(pointer);
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                objects(item, format!("{pointer}/{index}"), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn a_key_more_or_less_is_noticed_everywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let site = Served::start(folder.path(), &["--fault", "create-post=twice:second"]);
    let project = Project::new(&site.url);
    article(&project, "invalid", "slug: invalid\n");
    let nothing = BTreeSet::new();
    let planned = run(&project, &["plan", "--out", "plan.json"]).json();
    assert_eq!(not_noticed("result", &planned), nothing);
    let pushed = run(&project, &["push"]).json();
    assert_eq!(pushed["articles"][0]["warnings"][0]["code"], "slug_changed", "{pushed:#}");
    assert_eq!(not_noticed("result", &pushed), nothing);
    assert_eq!(not_noticed("check", &run(&project, &["check"]).json()), nothing);
    assert_eq!(not_noticed("plan", &read(&project.path().join("plan.json"))), nothing);
    assert_eq!(not_noticed("explanation", &run(&project, &["explain", "hidden"]).json()), nothing);
    assert_eq!(not_noticed("init", &run(&project, &["init", "beside"]).json()), nothing);
    assert_eq!(not_noticed("doctor", &run(&project, &["doctor"]).json()), nothing);
    assert_eq!(not_noticed("schemas", &run(&project, &["schema"]).json()), nothing);
    assert_eq!(not_noticed("sandbox", &site.told), nothing);
    // Who names an article by the file alone has no slug of it yet.
    let of_article: BTreeSet<String> = BTreeSet::from(["-slug".to_owned(), "-type".to_owned()]);
    run(&project, &["push"]);
    for line in events(&project) {
        assert!(not_noticed("event", &line).is_subset(&of_article), "{line}");
    }
    let optional = ["-hold", "-withdrawn"];
    for record in records(&project.path().join(".oncepress")) {
        let record = read(&record);
        let found = not_noticed("record", &record);
        let found: Vec<&String> =
            found.iter().filter(|place| !optional.contains(&place.as_str())).collect();
        assert_eq!(
            found,
            ["/receipt-content_digest"]
                .iter()
                .filter(|_| record["kind"] == "article")
                .collect::<Vec<_>>(),
            "{record:#}"
        );
    }
}
