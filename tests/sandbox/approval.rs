//! `plan --out` and `push --plan`: what was approved is sent, and nothing else.

use std::fs;

use serde_json::Value;

use crate::support::*;

fn article(title: &str) -> String {
    format!("---\ntitle: {title}\n---\nText.\n")
}

/// With a plan for two articles.
fn planned() -> Project {
    let project = Project::new("sandbox:");
    project.write("articles/second.md", article("Second"));
    let ran = project.run(&["plan", "--out", "plan.json", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // Nobody is led past the plan.
    assert_eq!(ran.json()["next"], serde_json::json!(["oncepress push --plan plan.json"]));
    project
}

fn plan(project: &Project) -> Value {
    let text = fs::read_to_string(project.path().join("plan.json")).expect("the plan");
    serde_json::from_str(&text).expect("JSON")
}

/// Slug, outcome and reason of each article, and the exit code.
fn ends(ran: &Ran) -> String {
    let told = ran.json();
    let articles = told["articles"].as_array().expect("articles").iter();
    let one = |article: &Value| {
        let word = |key: &str| article[key].as_str().unwrap_or("-").to_owned();
        format!("{} {} {}", word("slug"), word("outcome"), word("reason"))
    };
    let lines: Vec<String> = articles.map(one).collect();
    format!("{}; exit {}", lines.join(", "), ran.code.expect("it ended by itself"))
}

fn push(project: &Project) -> String {
    ends(&project.run(&["push", "--plan", "plan.json", "--json"]))
}

#[test]
fn a_plan_is_carried_out_and_its_approval_is_in_the_records() {
    let project = planned();
    let plan = plan(&project);
    assert_eq!(plan["schema"], "oncepress.plan/1");
    assert_eq!(push(&project), "a-walk created -, second created -; exit 0");
    let records = fs::read_dir(project.path().join(".oncepress")).expect("the journal");
    let site = records.map(|entry| entry.expect("an entry").path()).find(|path| path.is_dir());
    let record = site.expect("the site").join("articles/post/second.json");
    let text = fs::read_to_string(&record).unwrap_or_else(|e| panic!("{e}: {}", record.display()));
    let record: Value = serde_json::from_str(&text).expect("JSON");
    let approval = &record["input"]["approval"];
    assert_eq!(approval["plan"], plan["plan_id"], "{record}");
    assert!(approval["by"].as_str().expect("who").contains('@'), "{record}");
    // Carried out a second time, it sends nothing.
    let before = project.kept();
    assert_eq!(push(&project), "a-walk skipped confirmed, second skipped confirmed; exit 0");
    assert_eq!(project.kept(), before);
}

#[test]
fn what_changed_since_is_not_sent() {
    type Change = fn(&Project);
    let stale: [(&str, Change, &str); 4] = [
        ("edited", |p| p.write("articles/second.md", article("Edited")), "plan_stale"),
        (
            "an image was changed",
            |p| p.write("articles/a-walk.md", article("A walk") + "![A dot](dot.png)\n"),
            "",
        ),
        (
            "gone",
            |p| fs::remove_file(p.path().join("articles/second.md")).expect("removed"),
            "plan_stale",
        ),
        (
            "under another slug",
            |p| p.write("articles/second.md", "---\ntitle: Second\nslug: other\n---\nText.\n"),
            "",
        ),
    ];
    for (name, change, reason) in stale {
        let project = planned();
        change(&project);
        let expected = match name {
            "an image was changed" => {
                "a-walk rejected plan_stale, second created -; exit 3".to_owned()
            }
            "under another slug" => {
                "a-walk created -, other rejected not_in_plan, second rejected \
                                     plan_stale; exit 3"
                    .to_owned()
            }
            _ => format!("a-walk created -, second rejected {reason}; exit 3"),
        };
        assert_eq!(push(&project), expected, "{name}");
        let posts = rows(&project.kept()["site"], "post");
        assert_eq!(posts.len(), 1, "{name}: {posts:?}");
    }
}

#[test]
fn what_is_new_in_the_folder_is_left_alone() {
    let project = planned();
    project.write("articles/third.md", article("Third"));
    assert_eq!(push(&project), "a-walk created -, second created -; exit 0");
    assert_eq!(rows(&project.kept()["site"], "post"), ["a-walk", "second"]);
}

#[test]
fn what_was_held_then_is_not_sent_now() {
    let project = Project::new("sandbox:");
    project.run(&["push"]);
    let withdraw = ["resolve", "a-walk", "--withdraw", "--because", "later"];
    assert_eq!(project.run(&withdraw).code, Some(0));
    project.write("articles/second.md", article("Second"));
    let back = ["resolve", "second", "--withdraw", "--because", "later"];
    assert_eq!(project.run(&back).code, Some(0));
    project.run(&["plan", "--out", "plan.json"]);
    let restart = ["resolve", "second", "--restart", "--because", "now"];
    assert_eq!(project.run(&restart).code, Some(0));
    assert_eq!(push(&project), "a-walk skipped withdrawn, second rejected plan_stale; exit 3");
}

#[test]
fn a_plan_that_was_changed_is_none() {
    let project = planned();
    let good = fs::read_to_string(project.path().join("plan.json")).expect("the plan");
    let digest = plan(&project)["articles"][0]["digest"].as_str().expect("a digest").to_owned();
    for bad in [
        good.replace("\"create\"", "\"skip\""),
        good.replace(&digest, &"0".repeat(64)),
        good.replace("oncepress.plan/1", "oncepress.plan/2"),
        good.replace("\"made_by\"", "\"approved_by\""),
        "{}".to_owned(),
        String::new(),
    ] {
        assert_ne!(bad, good);
        project.write("plan.json", &bad);
        let ran = project.run(&["push", "--plan", "plan.json", "--json"]);
        assert_eq!(ran.in_a_line(), "\"plan_unreadable\" exit 2", "{bad}");
    }
    assert!(!project.exists(".oncepress"), "nothing was begun");
    let ran = project.run(&["push", "--plan", "plan.json", "articles"]);
    assert_eq!(ran.code, Some(2), "a plan names its own files");
}

#[test]
fn a_plan_for_another_site_is_refused() {
    let project = planned();
    let served = Served::start(project.path(), &[]);
    project.configure(&served.url, "");
    let ran = project.run(&["push", "--plan", "plan.json", "--json"]);
    assert_eq!(ran.json()["errors"][0]["code"], "plan_of_another_site", "{ran:?}");
    assert_eq!(ran.code, Some(2));
    assert_eq!(served.arrived("create-post"), 0);
    drop(served);
}

#[test]
fn an_article_that_was_prepared_before_is_prepared_anew_under_the_approval() {
    let project = Project::new("sandbox:");
    let died =
        project.run_with(&["push"], &[("ONCEPRESS_CRASH_AT", "article.before-sending-record")]);
    assert_eq!(died.code, None, "{died:?}");
    let stopped = project.run(&["push", "--json"]);
    let unlock = stopped.json()["errors"][0]["hint"].as_str().expect("a hint").to_owned();
    let run_id = unlock.rsplit(' ').next().expect("the run's name").to_owned();
    assert_eq!(project.run(&["unlock", &run_id]).code, Some(0));
    assert_eq!(project.run(&["plan", "--out", "plan.json"]).code, Some(0));
    assert_eq!(push(&project), "a-walk created -; exit 0");
    assert_eq!(rows(&project.kept()["site"], "post"), ["a-walk"]);
}

#[test]
fn a_script_can_ask_whether_there_is_something_to_do() {
    let project = Project::new("sandbox:");
    let ask = ["plan", "--detailed-exitcode", "--json"];
    let ran = project.run(&ask);
    assert_eq!((ran.code, &ran.json()["ok"]), (Some(10), &true.into()));
    project.run(&["push"]);
    assert_eq!(project.run(&ask).code, Some(0));
    project.write("articles/bad.md", "no front matter");
    assert_eq!(project.run(&ask).code, Some(3));
}

#[test]
fn a_plan_that_can_not_be_written_or_was_not_made_is_told() {
    let project = Project::new("sandbox:");
    let ran = project.run(&["plan", "--json", "--out", "no/such/folder/plan.json"]);
    assert_eq!(ran.in_a_line(), "\"plan_not_written\" exit 2");
    project.configure("http://127.0.0.1:1/", "");
    let ran = project.run(&["plan", "--json", "--out", "plan.json"]);
    assert_ne!(ran.code, Some(0));
    assert!(!project.exists("plan.json"));
}
