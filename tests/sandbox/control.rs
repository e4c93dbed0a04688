//! The control routes, and what `oncepress sandbox` tells at its start.

use serde_json::json;

use crate::support::*;

/// Signs in as the administrator.
fn create(served: &Served, slug: &str) -> (u16, String) {
    let host = served.url.strip_prefix("http://").expect("http");
    let body = json!({"status": "draft", "slug": slug, "title": "A title"}).to_string();
    let request = format!(
        "POST /wp-json/wp/v2/posts HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
         authorization: Basic YWRtaW46c2FuZGJveEFkbWluaXN0cmF0b3IwMDAx\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    served.raw(&request)
}

#[test]
fn a_site_is_told_before_it_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let faults = ["--wordpress", "6.1", "--fault", "me:2=slow:1", "--fault", "any=warning"];
    let served = Served::start(folder.path(), &faults);
    let told = &served.told;
    assert_eq!(told["schema"], "oncepress.sandbox/1");
    assert_eq!(told["wordpress"], "6.1");
    assert_eq!(told["faults"], json!(["me:2=slow:1", "any=warning"]));
    assert_eq!(told["state"], json!(null));
    assert_eq!(
        told["users"][0],
        json!({
            "username": "admin",
            "role": "administrator",
            "application_password": "sandboxAdministrator0001",
        })
    );
    let config = format!("[site]\nurl = \"{}/\"\nusername = \"admin\"\n", served.url);
    assert_eq!(told["config"], json!(config));
    assert_eq!(
        told["control"][0],
        json!({
            "method": "GET",
            "url": format!("{}/-/oncepress/state", served.url),
            "what": "what is on the site",
        })
    );
    assert_eq!(served.stop(), Some(143));
}

#[test]
fn the_configuration_that_is_told_works() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path(), &[]);
    let project = Project::new("sandbox:");
    project.write("oncepress.toml", served.told["config"].as_str().expect("a text"));
    assert_eq!(project.run(&["push", "--json"]).in_a_line(), "created exit 0");
    assert_eq!(served.rows("post"), ["a-walk"]);
}

#[test]
fn what_arrived_is_told_with_what_it_made_and_what_the_client_was_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path(), &["--fault", "create-post:2=lose-answer"]);
    assert_eq!(create(&served, "a").0, 201);
    assert_eq!(create(&served, "a"), (0, String::new()));
    assert_eq!(served.ask("GET", "/wp-json/wp/v2/posts/99", "").0, 404);
    let (status, told) = served.control("GET", "arrivals", "");
    assert_eq!(status, 200);
    let mut arrivals = told["arrivals"].as_array().expect("a list").clone();
    for arrival in &mut arrivals {
        assert!(arrival["at"].is_string(), "{arrival}");
        arrival.as_object_mut().expect("an object").remove("at");
    }
    let id = arrivals[0]["made"][0]["id"].as_u64().expect("an id");
    let expected = json!([
        {
            "number": 1, "kind": "create-post", "method": "POST", "route": "wp/v2/posts",
            "slug": "a", "accidents": [], "reached": "committed",
            "made": [{"what": "post", "id": id, "slug": "a"}], "answered": {"whole": 201},
        },
        {
            "number": 2, "kind": "create-post", "method": "POST", "route": "wp/v2/posts",
            "slug": "a", "accidents": ["lose-answer"], "reached": "committed",
            "made": [{"what": "post", "id": id + 1, "slug": "a-2"}], "answered": "nothing",
        },
        {
            "number": 3, "kind": "read", "method": "GET", "route": "wp/v2/posts/99",
            "slug": null, "accidents": [], "reached": "answered", "made": [],
            "answered": {"whole": 404},
        },
    ]);
    assert_eq!(json!(arrivals), expected);
    assert_eq!(served.control("DELETE", "arrivals", "").0, 200);
    assert_eq!(served.control("GET", "arrivals", "").1, json!({"arrivals": []}));
}

#[test]
fn faults_are_set_listed_and_taken_away_while_it_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path(), &["--fault", "me=slow:0"]);
    let set = r#"{"faults": ["index=fail-after:503", "look-up:2+=cut:7"]}"#;
    let all = json!({"faults": ["me=slow:0", "index=fail-after:503", "look-up:2+=cut:7"]});
    assert_eq!(served.control("POST", "faults", set), (200, all.clone()));
    assert_eq!(served.ask("GET", "/wp-json/", "").0, 503);
    let wrong = served.control("POST", "faults", r#"{"faults": ["me=slow:0", "me=sloe:0"]}"#);
    assert_eq!(wrong.0, 400);
    let error = wrong.1["error"].as_str().expect("a text");
    assert!(
        error.starts_with("no accident is called \"sloe\" (is slow meant?); known: "),
        "{error}"
    );
    assert_eq!(served.control("GET", "faults", "").1, all, "none of a wrong list is set");
    assert_eq!(served.control("DELETE", "faults", "").1, json!({"faults": []}));
    assert_eq!(served.ask("GET", "/wp-json/", "").0, 200);
}

#[test]
fn a_person_acts_on_the_site_without_an_arrival() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path(), &[]);
    let act = |body: &str| served.control("POST", "act", body);
    let write = r#"{"act": "create", "slug": "a", "title": "A", "author": "editor"}"#;
    let (status, told) = act(write);
    assert_eq!(status, 200, "{told}");
    let id = told["id"].as_u64().expect("an id");
    assert_eq!(act(write), (200, json!({"id": id + 1})), "a twin, as in the admin screens");
    let post = |id: u64| {
        let (_, told) = served.control("GET", "state", "");
        told["site"]["world"]["posts"][id.to_string()].clone()
    };
    let twin = post(id + 1);
    assert_eq!((&twin["slug"], &twin["status"]), (&json!("a"), &json!("draft")));
    let seen = || served.ask("GET", "/wp-json/wp/v2/posts?_fields=id", "").1;
    let on_it = |act: &str| json!({"act": act, "id": id}).to_string();
    let edit = json!({"act": "edit", "id": id, "title": "B", "content": "<p>C</p>"});
    assert_eq!(act(&edit.to_string()), (200, json!({"id": id})));
    assert_eq!((&post(id)["title"], &post(id)["content"]), (&json!("B"), &json!("<p>C</p>")));
    act(&on_it("publish"));
    assert_eq!(seen(), json!([{"id": id}]).to_string());
    act(&on_it("hide"));
    assert_eq!(seen(), "[]");
    act(&on_it("show"));
    assert_eq!(seen(), json!([{"id": id}]).to_string());
    act(&on_it("trash"));
    assert_eq!(post(id)["status"], "trash");
    act(&on_it("untrash"));
    assert_eq!(post(id)["status"], "draft");
    act(&on_it("delete"));
    assert_eq!(post(id), json!(null));
    let gone = format!("the site has no post, page or attachment {id}");
    assert_eq!(act(&on_it("publish")), (404, json!({"error": gone})));
    let stranger = r#"{"act": "create", "slug": "a", "title": "A", "author": "eve"}"#;
    assert_eq!(act(stranger), (404, json!({"error": "no user is called \"eve\""})));
    assert_eq!(act(&on_it("burn")).0, 422);
    assert_eq!(served.arrived("list"), 3, "what was asked over the site's own routes");
    served.control("POST", "reset", "");
    assert_eq!((served.rows("post"), served.arrived("list")), (vec![], 0));
}

#[test]
fn what_is_no_control_route_is_told_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path(), &[]);
    let (status, told) = served.control("GET", "nothing", "");
    assert_eq!(status, 404);
    assert!(told["error"].as_str().expect("a text").starts_with("no such control route"), "{told}");
    assert_eq!(served.arrived("other"), 0);
}

#[test]
fn a_request_that_is_cut_short_never_reaches_the_site() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path(), &[]);
    served.break_off(
        "POST /wp-json/wp/v2/posts HTTP/1.1\r\nhost: x\r\n\
         authorization: Basic YWRtaW46c2FuZGJveEFkbWluaXN0cmF0b3IwMDAx\r\n\
         content-type: application/json\r\ncontent-length: 1000\r\n\r\n{\"title\": \"A\"}",
    );
    assert_eq!((served.arrived("create-post"), served.rows("post")), (0, vec![]));
}

#[test]
fn an_answer_that_is_cut_announces_more_than_it_sends() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path(), &["--fault", "index=cut:5"]);
    let request = "GET /wp-json/ HTTP/1.1\r\nhost: x\r\n\r\n";
    let (status, body) = served.raw(request);
    assert_eq!((status, body.len()), (200, 5), "{body}");
}

#[test]
fn a_port_that_is_taken_and_a_fault_that_is_none_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path(), &[]);
    let port = served.url.rsplit(':').next().expect("a port");
    let project = Project::new("sandbox:");
    let ran = project.run(&["sandbox", "--port", port, "--json"]);
    assert_eq!(ran.code, Some(2));
    let json = ran.json();
    assert_eq!((&json["command"], &json["exit_code"]), (&json!("sandbox"), &json!(2)));
    assert_eq!(json["errors"][0]["code"], "port_taken");
    let ran = project.run(&["sandbox", "--fault", "look-up=hide"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert_eq!(
        ran.stderr.lines().next(),
        Some(
            "error: invalid value 'look-up=hide' for '--fault <FAULT>': hide can't happen to \
             look-up: it is for create-post, upload"
        )
    );
}
