//! `--fields`: the keys that somebody wants, and nothing done where there are none such.

use serde_json::{Value, json};

use crate::support::*;

fn cut(project: &Project, args: &[&str]) -> Value {
    let ran = project.run(args);
    // A part of a document is not as its schema says.
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

#[test]
fn the_keys_that_are_wanted_are_told_and_how_it_ended() {
    let project = Project::new("sandbox:");
    let fields = "counts.created,articles.slug,articles.outcome,articles.media.path";
    let told = cut(&project, &["push", "--json", "--fields", fields]);
    let expected = json!({
        "schema": "oncepress.result/1", "command": "push", "ok": true, "exit_code": 0,
        "counts": {"created": 1},
        "articles": [{
            "slug": "a-walk", "outcome": "created", "media": [{"path": "articles/dot.png"}],
        }],
    });
    assert_eq!(told, expected);
    let told = cut(&project, &["push", "--fields", "articles.stored_slug", "--json"]);
    let expected = json!({
        "schema": "oncepress.result/1", "command": "push", "ok": true, "exit_code": 0,
        "articles": [{"stored_slug": "a-walk"}],
        // The site said it.
        "untrusted": ["/articles/0/stored_slug"],
    });
    assert_eq!(told, expected);
    let told = cut(&project, &["explain", "not_found", "--json", "--fields", "codes.of"]);
    assert_eq!(told["codes"], json!([{"of": "held"}]));
    // A command that fails has the keys of a result.
    let told = cut(&project, &["explain", "nothing", "--json", "--fields", "errors.code"]);
    assert_eq!((&told["errors"], &told["exit_code"]), (&json!([{"code": "no_code"}]), &json!(2)));
}

#[test]
fn a_key_that_there_is_not_is_told_before_anything_is_done() {
    let project = Project::new("sandbox:");
    for (args, told) in [
        (
            &["push", "--json", "--fields", "slug"][..],
            "error: push --json has no key \"slug\"; nothing was done (no_field)\n\
             hint: is articles.slug or articles.candidates.slug meant?\n",
        ),
        (
            &["push", "--json", "--fields", "site,articles.outcom"],
            "error: push --json has no key \"articles.outcom\"; nothing was done (no_field)\n\
             hint: is articles.outcome or articles.action or articles.next meant?\n",
        ),
        (
            &["check", "--json", "--fields", "zzz"],
            "error: check --json has no key \"zzz\"; nothing was done (no_field)\n\
             hint: oncepress schema check lists every key\n",
        ),
        (
            &["schema", "--json", "--fields", "schemas"],
            "error: schema --json has no key \"schemas\"; nothing was done (no_field)\n\
             hint: oncepress schema prints whole schemas\n",
        ),
        (
            &["push", "--fields", "site"],
            "error: --fields cuts JSON, and --json is not there; nothing was done \
             (bad_arguments)\nhint: add --json\n",
        ),
    ] {
        let ran = project.run(args);
        assert_eq!((ran.stderr.as_str(), ran.code), (told, Some(2)), "{args:?}");
        if args.contains(&"--json") {
            assert_eq!(ran.json()["ok"], false);
        }
    }
    assert!(!project.exists(".oncepress"), "something was done");
}
