//! Credentials that don't work, rights that are missing, and secrets that must not show.
//!
//! Absent from here: credentials lost on one look-up (`lookups`). The one rule: a
//! refusal is met once, before anything is sent. That no secret shows is checked after
//! every run of every scene; here are the runs in which one is likeliest to.

use serde_json::json;

use crate::support::http::Answer;
use crate::support::rules::{Fault, Kind};
use crate::support::scene::{BODY, Scene, on_each_version};

on_each_version!(
    a_wrong_password,
    an_unknown_user,
    a_header_that_is_stripped_on_the_way,
    no_password_at_all,
    a_wrong_password_leaves_a_doubt_as_it_is,
    a_contributor_without_pictures,
    a_contributor_may_not_upload,
    an_author_may_not_make_pages,
    a_site_that_cannot_be_reached,
    a_site_that_sends_us_elsewhere,
    a_site_without_rest,
    no_secret_in_verbose_runs,
    no_secret_where_the_site_repeats_it,
    no_secret_in_a_password_file_that_others_can_read,
);

/// The run stops before anything is sent; the account is tried once.
fn stops(scene: &Scene, slug: &str, env: &[(&str, &str)], code: i32, error: &str) {
    let ran = scene.run_with(&["push", "--json"], env);
    ran.exits(code);
    assert_eq!(ran.errors(), [error]);
    assert_eq!(ran.json["errors"][0]["remote_effect"], "none");
    assert_ne!(ran.json["errors"][0]["hint"], "", "what to do about it");
    scene.proves(slug, 0, 0);
    scene.proves_nothing_sent();
    assert!(scene.proxy.of_kind(Kind::Me).len() <= 1, "tried more than once");
}

fn a_wrong_password(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("wrong");
    let wrong = [("ONCEPRESS_APP_PASSWORD", "abcd EFGH 1234 ijkl MNOP 6789")];
    // Core says no more than this of a wrong password: the hint must name both causes.
    stops(&scene, &slug, &wrong, 6, "not_logged_in");
    scene.push().ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
}

fn an_unknown_user(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("nobody");
    scene.project.configure(&scene.proxy.url(), "My App", "settle_s = 0");
    stops(&scene, &slug, &[], 6, "not_logged_in");
}

fn a_header_that_is_stripped_on_the_way(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("stripped");
    for kind in [Kind::Me, Kind::Index, Kind::OtherGet] {
        scene.proxy.in_case(kind, Fault::none().without_request_header("Authorization"));
    }
    stops(&scene, &slug, &[], 6, "not_logged_in");
}

fn no_password_at_all(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("none");
    let ran = scene.run_with(&["push", "--json"], &[("ONCEPRESS_APP_PASSWORD", "")]);
    ran.exits(2);
    scene.proves(&slug, 0, 0);
    assert!(scene.proxy.arrivals().is_empty());
}

fn a_wrong_password_leaves_a_doubt_as_it_is(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_in_doubt("doubt");
    let before = scene.records();
    let wrong = [("ONCEPRESS_APP_PASSWORD", "abcd EFGH 1234 ijkl MNOP 6789")];
    scene.run_with(&["push", "--json"], &wrong).exits(6);
    assert_eq!(scene.records(), before);
    scene.proves(&slug, 1, 1);
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

fn a_contributor_without_pictures(version: &str) {
    let scene = Scene::as_user(version, "contributor");
    let slug = scene.article("contributor");
    scene.loses_the_answer();
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

/// Case MED-11, where the right is looked at before.
fn a_contributor_may_not_upload(version: &str) {
    let scene = Scene::as_user(version, "contributor");
    let (with, picture) = scene.article_with_picture("contributor");
    let without = scene.article("contributor");
    let ran = scene.push();
    ran.says(&with, "rejected", Some("no_right_to_upload"));
    ran.says(&without, "created", None).exits(6);
    scene.proves(&with, 0, 0);
    scene.proves(&without, 1, 1);
    scene.proves_media(&picture, 0, 0);
}

fn an_author_may_not_make_pages(version: &str) {
    let scene = Scene::on(version);
    let page = scene.article_with("page", "type: page\n", "A page.");
    let post = scene.article("post");
    let ran = scene.push();
    ran.exits(6).says(&page, "rejected", Some("no_right_to_pages")).says(&post, "created", None);
    scene.proves(&page, 0, 0);
    scene.proves(&post, 1, 1);
}

fn a_site_that_cannot_be_reached(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("down");
    scene.proxy.refuse();
    let ran = scene.push();
    ran.exits(5).says(&slug, "deferred", Some("cannot_connect"));
    scene.proxy.accept_again();
    scene.proves(&slug, 0, 0);
    scene.push().ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
}

fn a_site_that_sends_us_elsewhere(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("elsewhere");
    for kind in [Kind::OtherGet, Kind::Index, Kind::Me] {
        let moved = Answer::html(301, "Moved").with("Location", "http://127.0.0.1:1/");
        scene.proxy.in_case(kind, Fault::answered_before_the_site(moved));
    }
    stops(&scene, &slug, &[], 2, "site_redirects");
}

fn a_site_without_rest(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("closed");
    for kind in [Kind::OtherGet, Kind::Index, Kind::Me] {
        let page = Answer::html(200, "Just a site");
        scene.proxy.in_case(kind, Fault::answered_before_the_site(page));
    }
    stops(&scene, &slug, &[], 2, "not_wordpress");
}

fn no_secret_in_verbose_runs(version: &str) {
    let scene = Scene::on(version);
    let (slug, _) = scene.article_with_picture("verbose");
    let verbose = ["push", "--json", "--verbose"];
    scene.proxy.once(Kind::Upload, Fault::answer_lost());
    scene.proxy.once(Kind::Create, Fault::answer_lost());
    scene.run(&verbose).ends(0, &slug, "completed", None);
    scene.run(&["push", "--verbose"]).exits(0);
    scene.run(&["status", "--verbose"]).exits(0);
    scene.proxy.once(Kind::PostList, Fault::none().without_request_header("Authorization"));
    scene.run(&verbose).ends(5, &slug, "deferred", Some("cannot_look_up"));
    scene.proves(&slug, 1, 1);
}

fn no_secret_where_the_site_repeats_it(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_with("echo", "", BODY);
    let secret = scene.authorization();
    // A debug page that shows the request it got.
    let page = Answer::html(500, &format!("Authorization: {secret}"));
    scene.proxy.once(Kind::Create, Fault::answered_before_the_site(page));
    scene.run(&["push", "--json", "--verbose"]).ends(4, &slug, "held", Some("not_found"));
    let error = json!({"code": "debug", "message": format!("you sent {secret}")});
    scene.proxy.once(Kind::PostList, Fault::answered_before_the_site(Answer::json(403, &error)));
    let ran = scene.run(&["push", "--json", "--verbose"]);
    ran.ends(4, &slug, "unknown", Some("cannot_look_up"));
    scene.proves(&slug, 1, 0);
}

fn no_secret_in_a_password_file_that_others_can_read(version: &str) {
    use std::os::unix::fs::PermissionsExt;
    let scene = Scene::on(version);
    let slug = scene.article("file");
    let config = scene.project.read("oncepress.toml");
    let config = config.replace("[network]", "password_file = \"secret.pass\"\n\n[network]");
    scene.project.write("oncepress.toml", config);
    scene.project.write("secret.pass", "not the real one, but readable");
    let path = scene.project.path().join("secret.pass");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644)).expect("a mode");
    let ran = scene.run_with(&["push", "--json"], &[("ONCEPRESS_APP_PASSWORD", "")]);
    ran.exits(2);
    scene.proves(&slug, 0, 0);
    assert!(scene.proxy.arrivals().is_empty());
}
