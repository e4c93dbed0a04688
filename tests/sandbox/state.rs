//! `--state FILE`: the site outlives the server.

use serde_json::json;

use crate::support::*;

#[test]
fn a_site_is_found_again_as_it_was_left_at_another_address() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = ["--state", "deep/site.json", "--wordpress", "6.8"];
    let served = Served::start(folder.path(), &state);
    assert_eq!(served.told["state"], "deep/site.json");
    let project = Project::new(&served.url);
    assert_eq!(project.run(&["push", "--json"]).in_a_line(), "created exit 0");
    let (_, told) = served.control("GET", "state", "");
    let hide = json!({"act": "hide", "id": id_of(&told["site"], "a-walk")});
    assert_eq!(served.control("POST", "act", &hide.to_string()).0, 200);
    served.set(&["me=slow:9"]);
    let (_, before) = served.control("GET", "state", "");
    assert_eq!(served.stop(), Some(143));

    // Another version is asked for: the site stays what it was.
    let served = Served::start(folder.path(), &["--state", "deep/site.json"]);
    assert_eq!(served.told["wordpress"], "6.8");
    assert_eq!(served.told["faults"], json!([]), "faults end with the server");
    let (_, mut after) = served.control("GET", "state", "");
    after["site"]["world"]["home"] = before["site"]["world"]["home"].clone();
    assert_eq!(after, before);
    assert_eq!(served.arrived("create-post"), 0, "arrivals end with it, too");
    project.configure(&served.url, "");
    // The journal of another address knows nothing, and the post is hidden: the answer's
    // slug tells that somebody has it already.
    let ran = project.run(&["push", "--json"]);
    assert_eq!(ran.in_a_line(), "created +slug_changed exit 0");
    assert_eq!(served.rows("post"), ["a-walk", "a-walk-2"]);
}

#[test]
fn what_was_not_answered_is_in_the_file_all_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["--state", "site.json", "--fault", "create-post=lose-answer"];
    let served = Served::start(folder.path(), &arguments);
    let project = Project::new(&served.url);
    assert_eq!(project.run(&["push", "--json"]).in_a_line(), "completed exit 0");
    assert_eq!(served.arrived("create-post"), 1);
    let text = std::fs::read_to_string(served.folder().join("site.json")).expect("it is there");
    let site: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(rows(&site["site"], "post"), ["a-walk"]);
}

#[test]
fn a_file_of_something_else_is_refused_and_left_alone() {
    let project = Project::new("sandbox:");
    let table = [
        (r#"{"schema":"oncepress.sandbox-state/2"}"#, 7, "sandbox_damaged"),
        ("{}", 2, "sandbox_file_foreign"),
        ("", 7, "sandbox_damaged"),
    ];
    for (content, exit, code) in table {
        project.write("site.json", content);
        let ran = project.run(&["sandbox", "--state", "site.json", "--json"]);
        assert_eq!(ran.code, Some(exit), "{content}: {ran:?}");
        assert_eq!(ran.json()["errors"][0]["code"], code, "{content}");
        let left = std::fs::read_to_string(project.path().join("site.json"));
        assert_eq!(left.expect("it is there"), content);
    }
}
