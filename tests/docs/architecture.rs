//! ARCHITECTURE.md names what is there.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::*;

#[test]
fn the_architecture_stays_short() {
    assert!(read("ARCHITECTURE.md").lines().count() <= 150);
}

#[test]
fn every_dependency_has_its_line() {
    let mut real = BTreeSet::new();
    let mut is_list = false;
    for line in read("Cargo.toml").lines() {
        if line.starts_with('[') {
            is_list = line.ends_with("dependencies]");
        } else if let (true, Some((name, _))) = (is_list, line.split_once(" = ")) {
            real.insert(name.to_owned());
        }
    }
    let section = section("ARCHITECTURE.md", "Dependencies");
    let names = section.lines().filter_map(|line| line.strip_prefix("- ")?.split(':').next());
    let documented = names.flat_map(quoted).map(str::to_owned).collect();
    assert_same("dependencies", &documented, &real);
}

#[test]
fn the_compressed_decision_table_is_the_whole_one() {
    let text = section("ARCHITECTURE.md", "The decision table");
    let mut documented = BTreeMap::new();
    let mut columns: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---")) {
        let cells: Vec<String> =
            line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        if cells[0] == "record" {
            columns = cells;
            continue;
        }
        let mut before = String::new();
        for (column, cell) in columns.iter().zip(&cells).skip(1) {
            if cell != "←" {
                before.clone_from(cell);
            }
            for record in cells[0].split("; ") {
                documented.insert((record.to_owned(), column.clone()), before.clone());
            }
        }
    }
    let withdrawn = text.contains("`withdrawn`, whatever is shown: skip withdrawn.");
    assert!(withdrawn, "the last line of the table");
    documented.insert(("withdrawn".into(), "any".into()), "skip withdrawn".into());
    let golden = read("fixtures/decision-table.txt");
    let real: BTreeMap<_, _> = golden
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let action = cells[2].split(" (").next().unwrap_or_default();
            ((cells[0].to_owned(), cells[1].to_owned()), action.to_owned())
        })
        .collect();
    assert_eq!(documented, real);
}

#[test]
fn every_crash_point_has_its_row() {
    let sources = sources();
    let mut real = BTreeSet::new();
    for start in
        ["crash_point::<K>(\"", "crash::point(\"article\", \"", "crash::point(\"upload\", \""]
    {
        let calls = sources.split(start).skip(1);
        real.extend(calls.filter_map(|rest| rest.split('"').next()).map(str::to_owned));
    }
    assert_same(
        "crash points",
        &set(first_cells(&section("ARCHITECTURE.md", "Crash points"))),
        &real,
    );
}
