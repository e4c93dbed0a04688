//! The slug rules in `src/article/slug` against the WordPress that has them.
//!
//! Absent from here: what the check says of a slug. The one rule: the fixture is what
//! today's lab answers, so a version that changes its mind shows.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use oncepress::article::slug::{lint, stored_form};
use serde_json::Value;

use crate::support::lab::lab_folder;
use crate::support::scene::on_each_version;

on_each_version!(the_table_is_what_wordpress_says, accepted_slugs_are_stored_as_they_say,);

const TABLE: &str = include_str!("../../fixtures/slugs/table.tsv");

/// One line of the table.
struct Row {
    input: String,
    /// What the version in question makes of it.
    cleaned: String,
    accepted: bool,
}

fn table(version: &str) -> Vec<Row> {
    let mut lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    let header: Vec<&str> = lines.next().expect("a header").split('\t').collect();
    let column = header.iter().position(|name| *name == version).expect("the version's column");
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            Row {
                input: serde_json::from_str(cells[0]).expect("a JSON string"),
                cleaned: cells[column].to_owned(),
                accepted: cells[4] == "ok",
            }
        })
        .collect()
}

/// What this WordPress says, one value per slug.
fn ask(version: &str, mode: &str, slugs: &[&str]) -> Vec<Value> {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    let mut child = Command::new(scripts.join("lab"))
        .arg("php")
        .arg("--dir")
        .arg(lab_folder())
        .arg(version)
        .arg(scripts.join("lab.d/slug-table.php"))
        .arg(mode)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("scripts/lab runs");
    let mut stdin = child.stdin.take().expect("its stdin");
    let lines: Vec<String> = slugs.iter().map(|slug| Value::from(*slug).to_string()).collect();
    // It answers while it reads: whoever writes everything first may wait for ever.
    let writer = thread::spawn(move || stdin.write_all((lines.join("\n") + "\n").as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the writer ends").expect("it reads everything");
    assert!(output.status.success(), "scripts/lab php failed");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let answers: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("one JSON a line")).collect();
    assert_eq!(answers.len(), slugs.len(), "one answer per slug");
    answers
}

fn the_table_is_what_wordpress_says(version: &str) {
    let rows = table(version);
    let inputs: Vec<&str> = rows.iter().map(|row| row.input.as_str()).collect();
    let answers = ask(version, "cleaned", &inputs);
    for (row, answer) in rows.iter().zip(answers) {
        assert_eq!(answer, row.cleaned.as_str(), "{:?} on {version}", row.input);
        // The newest version is the one whose rules the code has, for every text; the
        // others may differ where the text is refused anyway.
        if version == "7.1" || row.accepted {
            assert_eq!(stored_form(&row.input), row.cleaned, "{:?} on {version}", row.input);
        }
    }
}

fn accepted_slugs_are_stored_as_they_say(version: &str) {
    let rows = table(version);
    let accepted: Vec<&str> =
        rows.iter().filter(|row| row.accepted).map(|row| row.input.as_str()).collect();
    assert!(accepted.len() > 100, "the table has lost its accepted slugs");
    for (slug, stored) in accepted.iter().zip(ask(version, "stored", &accepted)) {
        let ours = lint(slug).unwrap_or_else(|problem| panic!("{slug:?}: {problem:?}"));
        let both = serde_json::json!({"post": ours.stored(), "page": ours.stored()});
        assert_eq!(stored, both, "{slug:?} on {version}");
    }
}
