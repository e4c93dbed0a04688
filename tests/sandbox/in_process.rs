//! `url = "sandbox:"`: every command, without a network.

use serde_json::json;

use crate::support::*;

#[test]
fn every_command_works_and_nothing_is_posted_twice() {
    let project = Project::new("sandbox:");
    let plan = project.run(&["plan"]);
    assert_eq!(plan.code, Some(0), "{plan:?}");
    assert_eq!(
        plan.stdout,
        "site http://sandbox.invalid/\ncreate     a-walk\n1 create\nnext: oncepress push\n"
    );
    assert!(!project.exists(".oncepress"), "a plan writes nothing");

    assert_eq!(project.run(&["push", "--json"]).in_a_line(), "created exit 0");
    let site = project.kept();
    assert_eq!(site["schema"], "oncepress.sandbox-state/1");
    assert_eq!(rows(&site["site"], "post"), ["a-walk"]);
    assert_eq!(rows(&site["site"], "attachment").len(), 1);
    let id = id_of(&site["site"], "a-walk");

    assert_eq!(project.run(&["push", "--json"]).in_a_line(), "skipped confirmed exit 0");
    assert_eq!(project.kept(), site, "the second push changes nothing");
    let status = project.run(&["status"]);
    assert_eq!(status.code, Some(0), "{status:?}");
    assert_eq!(
        status.stdout,
        format!(
            "site http://sandbox.invalid/\n\
             skipped    a-walk                              #{id:<8} confirmed\n1 skipped\n"
        )
    );
}

#[test]
fn the_doctor_finds_it_well_and_writes_nothing() {
    let project = Project::new("sandbox:");
    let ran = project.run(&["doctor"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    insta::assert_snapshot!("doctor", ran.stdout);
    assert!(!project.exists(".oncepress"), "doctor writes nothing");
    project.run(&["push"]);
    let site = project.kept();
    assert_eq!(project.run(&["doctor", "--json"]).code, Some(0));
    assert_eq!(project.kept(), site, "doctor changes nothing");
}

#[test]
fn a_crash_after_the_answer_leaves_what_a_real_site_would_have() {
    let project = Project::new("sandbox:");
    let died = project.run_with(&["push"], &[("ONCEPRESS_CRASH_AT", "article.after-answer")]);
    assert_eq!(died.code, None, "{died:?}");
    assert_eq!(rows(&project.kept()["site"], "post"), ["a-walk"]);

    let stopped = project.run(&["push", "--json"]);
    assert_eq!(stopped.code, Some(7), "{stopped:?}");
    let unlock = stopped.json()["errors"][0]["hint"].as_str().expect("a hint").to_owned();
    let run_id = unlock.rsplit(' ').next().expect("the run's name").to_owned();
    assert_eq!(project.run(&["unlock", &run_id]).code, Some(0));
    assert_eq!(project.run(&["push", "--json"]).in_a_line(), "completed exit 0");
    assert_eq!(rows(&project.kept()["site"], "post"), ["a-walk"]);
}

#[test]
fn a_person_decides_about_an_article_of_the_simulated_site() {
    let project = Project::new("sandbox:");
    project.run(&["push"]);
    let withdraw = ["resolve", "a-walk", "--withdraw", "--because", "a try"];
    assert_eq!(project.run(&withdraw).code, Some(0));
    assert_eq!(project.run(&["push", "--json"]).in_a_line(), "skipped withdrawn exit 0");
    let restart = ["resolve", "a-walk", "--restart", "--because", "the try is over"];
    assert_eq!(project.run(&restart).code, Some(0));
    assert_eq!(project.run(&["push", "--json"]).in_a_line(), "skipped confirmed exit 0");
}

#[test]
fn its_users_need_no_password_and_a_real_one_is_not_asked_for() {
    let project = Project::new("sandbox:");
    let real = [("ONCEPRESS_APP_PASSWORD", "abcdEFGH1234ijklMNOP6789")];
    assert_eq!(project.run_with(&["push", "--json"], &real).in_a_line(), "created exit 0");
    project.configure("sandbox:", "username = \"contributor\"");
    let ran = project.run(&["push", "--json"]);
    assert_eq!(ran.in_a_line(), "held hidden exit 4", "{ran:?}");
    project.configure("sandbox:", "username = \"eve\"");
    let ran = project.run(&["push"]);
    assert_eq!(ran.code, Some(2));
    let path = project.path().display();
    assert_eq!(
        ran.stderr,
        format!(
            "error: {path}/oncepress.toml: [site] username: the simulated site has the users \
             admin, editor, author, author2, contributor (config_invalid)\n\
             hint: config.example.toml documents every key\n"
        )
    );
}

#[test]
fn a_file_that_is_no_simulated_site_is_refused_and_left_alone() {
    let newer = json!({"schema": "oncepress.sandbox-state/2", "site": {}}).to_string();
    let foreign = json!({"schema": "oncepress.record/1"}).to_string();
    let torn = r#"{"schema":"oncepress.sandbox-state/1","site":{"wor"#;
    let wrong = json!({"schema": "oncepress.sandbox-state/1", "site": {}}).to_string();
    let table = [
        ("", 7, "sandbox_damaged"),
        (torn, 7, "sandbox_damaged"),
        (wrong.as_str(), 7, "sandbox_damaged"),
        (newer.as_str(), 7, "sandbox_damaged"),
        (foreign.as_str(), 2, "sandbox_file_foreign"),
    ];
    for (content, exit, code) in table {
        let project = Project::new("sandbox:");
        project.write(".oncepress/SANDBOX.json", content);
        let ran = project.run(&["push", "--json"]);
        assert_eq!(ran.code, Some(exit), "{content}: {ran:?}");
        assert_eq!(ran.json()["errors"][0]["code"], code, "{content}");
        let left = std::fs::read_to_string(project.path().join(".oncepress/SANDBOX.json"));
        assert_eq!(left.expect("it is there"), content);
    }
}

#[test]
fn a_site_that_can_t_be_kept_has_done_nothing() {
    let project = Project::new("sandbox:");
    assert_eq!(project.run(&["push", "--json"]).in_a_line(), "created exit 0");
    let before = project.kept();
    project.write("articles/second.md", "---\ntitle: Second\n---\nText.\n");
    // A folder where the file should be put: not even root can rename over it.
    let file = project.path().join(".oncepress/SANDBOX.json");
    let text = std::fs::read(&file).expect("read");
    std::fs::remove_file(&file).expect("removed");
    std::fs::create_dir_all(file.join("in-the-way")).expect("made");
    let ran = project.run(&["push", "--json"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(ran.json()["errors"][0]["code"], "sandbox_file_foreign");
    std::fs::remove_dir_all(&file).expect("removed");
    std::fs::write(&file, text).expect("written");
    assert_eq!(project.kept(), before);
    assert_eq!(project.run(&["push"]).code, Some(0));
    assert_eq!(rows(&project.kept()["site"], "post"), ["a-walk", "second"]);
}

#[test]
fn types_of_plugins_have_their_meta_and_their_parents() {
    let project = Project::new("sandbox:");
    let meta = "meta:\n  lab_pages: 12\n  lab_nothing: x\n";
    project.write("articles/book.md", format!("---\ntitle: B\ntype: lab_book\n{meta}---\nText.\n"));
    project.write("articles/a.md", "---\ntitle: A\ntype: lab_chapter\n---\nText.\n");
    let below = "---\ntitle: B\ntype: lab_chapter\nparent: a\n---\nText.\n";
    project.write("articles/below.md", below);
    let file = "---\ntitle: C\ntype: lab_book\nmeta:\n  lab_pages: many\n---\nText.\n";
    project.write("articles/bad.md", file);
    // What is refused for its meta is not sent; a parent of this run waits for it.
    project.run(&["push"]);
    let ran = project.run(&["push", "--json"]).json();
    let about = |slug: &str| {
        let articles = ran["articles"].as_array().expect("a list");
        let article = articles.iter().find(|article| article["slug"] == slug).expect("it is there");
        format!("{} {}", article["outcome"], article["reason"]).replace('"', "")
    };
    assert_eq!(about("book"), "skipped confirmed");
    assert_eq!(about("a"), "skipped confirmed");
    assert_eq!(about("bad"), "rejected meta_invalid");
    assert_eq!(about("below"), "created null");
    let site = &project.kept()["site"];
    assert_eq!(rows(site, "book"), ["book"]);
    assert_eq!(rows(site, "chapter"), ["a", "below"]);
    let row = |slug: &str| {
        let id = id_of(site, slug).to_string();
        site["world"]["posts"][&id].clone()
    };
    assert_eq!(row("book")["meta"]["lab_pages"], 12);
    assert_eq!(row("below")["parent"], id_of(site, "a"));
}
