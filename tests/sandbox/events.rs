//! `--events FILE`: one JSON object a line, the summary last, however a command ends.

use std::fs;

use serde_json::Value;

use crate::support::*;

fn lines(project: &Project) -> Vec<Value> {
    let text = fs::read_to_string(project.path().join("events.ndjson")).expect("the file");
    assert!(text.ends_with('\n'), "{text}");
    let read = |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    text.lines().map(read).collect()
}

fn names(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| line["event"].as_str().expect("an event")).collect()
}

#[test]
fn a_push_tells_each_step_and_the_summary_last() {
    let project = Project::new("sandbox:");
    let ran = project.run(&["push", "--events", "events.ndjson", "--json"]);
    assert_eq!(ran.in_a_line(), "created exit 0");
    let told = ran.json();
    let lines = lines(&project);
    let first = &lines[0];
    assert_eq!(
        (&first["event"], &first["schema"]),
        (&"started".into(), &"oncepress.event/1".into())
    );
    assert_eq!(first["command"], "push");
    for line in &lines {
        assert!(line["at"].is_string() && line.get("run_id").is_some(), "{line}");
    }
    let without_requests: Vec<&str> =
        names(&lines).into_iter().filter(|name| *name != "exchanged").collect();
    assert_eq!(
        without_requests,
        // An image, two tags and the post; a tag has no record, so nothing is said before.
        [
            "started", "planned", "sending", "sent", "sent", "sent", "sending", "sent", "ended",
            "summary",
        ]
    );
    let sent = lines.iter().rfind(|line| line["event"] == "sending").expect("the article's");
    assert_eq!((&sent["slug"], &sent["type"]), (&"a-walk".into(), &"post".into()));
    assert!(sent["operation_id"].is_string());
    let last = lines.last().expect("a line");
    for key in ["run_id", "ok", "exit_code", "counts", "next"] {
        assert_eq!(last[key], told[key], "{key}");
    }
    // The next command begins the file anew.
    project.run(&["status", "--events", "events.ndjson"]);
    let lines = self::lines(&project);
    assert_eq!(names(&lines), ["started", "article", "summary"]);
    assert_eq!(lines[1]["outcome"], "skipped");
}

#[test]
fn every_end_has_its_summary() {
    let project = Project::new("sandbox:");
    let table: [(&[&str], &str, i32); 6] = [
        (&["check"], "", 0),
        (&["plan"], "", 0),
        (&["explain", "no_such_code"], "no_code", 2),
        (&["resolve", "a-walk", "--not-created", "--because", "x"], "not_in_doubt", 2),
        (&["unlock", "x"], "no_abandoned_run", 2),
        (&["init"], "would_overwrite", 2),
    ];
    for (args, code, exit) in table {
        let args = [args, &["--events", "events.ndjson"]].concat();
        let ran = project.run(&args);
        assert_eq!(ran.code, Some(exit), "{ran:?}");
        let lines = lines(&project);
        assert_eq!((names(&lines)[0], lines[0]["command"].as_str()), ("started", Some(args[0])));
        let last = lines.last().expect("a line");
        assert_eq!((&last["event"], &last["exit_code"]), (&"summary".into(), &exit.into()));
        let codes = last["errors"].as_array().expect("a list");
        let told: Vec<&str> = codes.iter().filter_map(Value::as_str).collect();
        if code == "not_in_doubt" {
            assert_eq!(told.len(), 1, "{last}");
        } else {
            assert_eq!(told.join(" "), code, "{last}");
        }
    }
}

#[test]
fn a_file_that_can_not_be_written_keeps_the_command_from_beginning() {
    let project = Project::new("sandbox:");
    for path in ["no/such/folder", "articles", "/dev/full"] {
        let ran = project.run(&["push", "--json", "--events", path]);
        assert_eq!(ran.in_a_line(), "\"events_unwritable\" exit 2", "{ran:?}");
        assert!(!project.exists(".oncepress"), "{path}");
    }
}
