//! `oncepress doctor` on real sites: healthy ones, and those illnesses that they can have.
//!
//! Absent from here: illnesses of servers (`tests/odd`). The one rule: only questions
//! arrive, and a password that was refused is not sent again.

use serde_json::json;

use crate::support::project::unique;
use crate::support::proxy::Arrival;
use crate::support::rules::{Fault, Kind};
use crate::support::run::Ran;
use crate::support::scene::{Scene, on_each_version, somebodys_post};

on_each_version!(
    all_is_well_for_an_editor,
    an_author_is_told_what_is_missing,
    a_contributor_is_told_what_is_missing,
    a_wrong_password_is_tried_once,
    an_unknown_user_is_tried_once,
    a_lost_header_looks_like_a_wrong_password,
    without_a_password_the_rest_is_looked_at,
);

const WRONG: &str = "abcd EFGH 1234 ijkl MNOP 6789";
/// The checks that are well on each of these sites.
const WELL: [&str; 5] =
    ["ok configuration", "ok password", "ok connection", "ok address", "ok rest_api"];

/// Runs it, and looks at what arrived.
fn doctor(scene: &Scene, env: &[(&str, &str)]) -> Ran {
    let before = scene.proxy.arrivals().len();
    let ran = scene.run_with(&["doctor", "--json"], env);
    let arrivals = scene.proxy.arrivals().split_off(before);
    let is_question = |one: &Arrival| matches!(one.method.as_str(), "GET" | "HEAD" | "OPTIONS");
    assert!(arrivals.iter().all(is_question), "{}", ran.story());
    let signed: Vec<_> = arrivals.iter().filter(|one| one.has_header("authorization")).collect();
    let refused = signed.iter().position(|one| one.site_said.first() == Some(&401));
    if let Some(at) = refused {
        assert_eq!(signed.len(), at + 1, "tried again after a refusal\n{}", ran.story());
    }
    scene.proves_nothing_sent();
    ran
}

/// What was found, a line for each check.
fn found(ran: &Ran) -> Vec<String> {
    let word = |check: &serde_json::Value, key: &str| check[key].as_str().unwrap().to_owned();
    let line = |check: &serde_json::Value| {
        let (status, name, code) =
            (word(check, "status"), word(check, "check"), word(check, "code"));
        if code == name { format!("{status} {name}") } else { format!("{status} {name} {code}") }
    };
    assert_eq!(ran.json["schema"], "oncepress.doctor/1", "{}", ran.story());
    ran.json["checks"].as_array().unwrap().iter().map(line).collect()
}

fn ends(ran: &Ran, exit: i32, expected: &[&str]) {
    let all: Vec<&str> = WELL.iter().chain(expected).copied().collect();
    assert_eq!(found(ran), all, "{}", ran.story());
    ran.exits(exit);
}

/// The codes after `app_passwords`, of an account that may look.
const SEEN: [&str; 4] = ["ok languages", "ok look_ups", "skipped uploads", "ok clock"];

fn all_is_well_for_an_editor(version: &str) {
    let scene = Scene::as_user(version, "editor");
    let slug = unique("doctor");
    scene.site.make_post("editor", &somebodys_post(&slug, "draft"));
    let ran = doctor(&scene, &[]);
    let own = ["ok app_passwords", "ok sign_in", "ok rights", "ok html"];
    ends(&ran, 0, &[&own[..], &SEEN].concat());
    // By the links of a post, which a site that filters everybody's HTML leaves out.
    assert_eq!(ran.json["checks"][8]["message"], "stored as it is sent", "{}", ran.story());
    assert_eq!(ran.json["next"], json!(["oncepress plan"]));
    scene.proves(&slug, 0, 1);
}

fn an_author_is_told_what_is_missing(version: &str) {
    let scene = Scene::on(version);
    let own = [
        "ok app_passwords",
        "ok sign_in",
        "warning rights no_right_to_pages",
        "warning rights drafts_of_others_hidden",
        "warning html html_filtered",
    ];
    ends(&doctor(&scene, &[]), 0, &[&own[..], &SEEN].concat());
    scene.proves(&unique("doctor"), 0, 0);
}

fn a_contributor_is_told_what_is_missing(version: &str) {
    let scene = Scene::as_user(version, "contributor");
    let own = [
        "ok app_passwords",
        "ok sign_in",
        "warning rights no_right_to_upload",
        "warning rights no_right_to_pages",
        "warning rights drafts_of_others_hidden",
        "warning html html_filtered",
    ];
    ends(&doctor(&scene, &[]), 0, &[&own[..], &SEEN].concat());
    scene.proves(&unique("doctor"), 0, 0);
}

/// Nobody got in: what needs the account was not looked at.
const NOT_SIGNED_IN: [&str; 8] = [
    "ok app_passwords",
    "problem sign_in not_logged_in",
    "skipped rights",
    "skipped html",
    "skipped languages",
    "skipped look_ups",
    "skipped uploads",
    "ok clock",
];

fn a_wrong_password_is_tried_once(version: &str) {
    let scene = Scene::on(version);
    ends(&doctor(&scene, &[("ONCEPRESS_APP_PASSWORD", WRONG)]), 6, &NOT_SIGNED_IN);
    assert_eq!(scene.proxy.of_kind(Kind::Me).len(), 1);
    scene.proves(&unique("doctor"), 0, 0);
}

fn an_unknown_user_is_tried_once(version: &str) {
    let scene = Scene::on(version);
    scene.project.configure(&scene.proxy.url(), "My App", "settle_s = 0");
    ends(&doctor(&scene, &[]), 6, &NOT_SIGNED_IN);
    assert_eq!(scene.proxy.of_kind(Kind::Me).len(), 1);
    scene.proves(&unique("doctor"), 0, 0);
}

/// Core says the same in both cases, so both are named, each with its fix.
fn a_lost_header_looks_like_a_wrong_password(version: &str) {
    let scene = Scene::on(version);
    scene.proxy.always(Kind::Me, Fault::none().without_request_header("Authorization"));
    let lost = doctor(&scene, &[]);
    ends(&lost, 6, &NOT_SIGNED_IN);
    let wrong = doctor(&scene, &[("ONCEPRESS_APP_PASSWORD", WRONG)]);
    let told = |ran: &Ran| ran.json["checks"][6].clone();
    assert_eq!(told(&lost), told(&wrong));
    let hint = told(&lost)["hint"].as_str().unwrap().to_owned();
    assert!(hint.contains("use the login") && hint.contains("HTTP_AUTHORIZATION"), "{hint}");
    scene.proves(&unique("doctor"), 0, 0);
}

fn without_a_password_the_rest_is_looked_at(version: &str) {
    let scene = Scene::on(version);
    let ran = doctor(&scene, &[("ONCEPRESS_APP_PASSWORD", "")]);
    ran.exits(2);
    let found = found(&ran);
    assert_eq!(found[1], "problem password no_password");
    let rest: Vec<_> = found[2..7].iter().map(String::as_str).collect();
    let expected =
        ["ok connection", "ok address", "ok rest_api", "ok app_passwords", "skipped sign_in"];
    assert_eq!(rest, expected, "{}", ran.story());
    assert!(scene.proxy.arrivals().iter().all(|one| !one.has_header("authorization")));
    scene.proves(&unique("doctor"), 0, 0);
}

/// A site in a sub-directory and without permalinks.
#[test]
fn plain_permalinks_are_no_problem() {
    let scene = Scene::as_user("6.8-plain", "editor");
    let ran = doctor(&scene, &[]);
    ran.exits(0);
    let found = found(&ran);
    assert_eq!(found[4], "warning rest_api plain_permalinks", "{}", ran.story());
    assert!(found.iter().all(|line| !line.starts_with("problem")), "{}", ran.story());
    scene.proves(&unique("doctor"), 0, 0);
}
