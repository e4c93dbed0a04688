//! A site in a sub-directory and without permalinks, where the REST root is a query.
//!
//! Absent from here: everything that does not depend on the address. The one rule: the
//! same scenes give the same ends.

use crate::support::rules::{Fault, Kind};
use crate::support::scene::Scene;

const SITE: &str = "6.8-plain";

#[test]
fn a_normal_run_and_again() {
    let scene = Scene::on(SITE);
    let (slug, picture) = scene.article_with_picture("plain");
    scene.push().ends(0, &slug, "created", None);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    let id = scene.proves(&slug, 1, 1)[0].id;
    scene.proves_media(&picture, 1, 1);
    let content = scene.site.content(id);
    assert!(content.contains("/blog/wp-content/uploads/"), "{content}");
}

#[test]
fn an_answer_is_lost_and_found() {
    let scene = Scene::on(SITE);
    let (slug, picture) = scene.article_with_picture("plain");
    scene.loses_the_upload_answer();
    scene.loses_the_answer();
    scene.push().ends(0, &slug, "completed", None);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
    scene.proves_media(&picture, 1, 1);
}

#[test]
fn an_answer_is_lost_and_not_visible() {
    let scene = Scene::on(SITE);
    let slug = scene.article_in_doubt("plain");
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

#[test]
fn a_crash_after_the_site_has_committed() {
    let scene = Scene::on(SITE);
    let slug = scene.article("plain");
    scene.push_and_crash_at("article.after-answer");
    scene.unlock_after_a_crash();
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

#[test]
fn an_index_in_place_of_the_list() {
    let scene = Scene::on(SITE);
    let slug = scene.article_in_doubt("plain");
    // What `?rest_route=/?slug=x` gets: the whole index, with 200.
    let index = scene.site.rest("author", "GET", "/", &serde_json::Value::Null);
    scene.proxy.always(Kind::PostList, Fault::answered_before_the_site(index));
    scene.push().ends(4, &slug, "unknown", Some("cannot_look_up"));
    scene.goes_well_again();
    scene.proves(&slug, 1, 1);
}
