//! Several articles at once, and the commands that only read.
//!
//! Absent from here: what a check finds (tests beside `src/article`). The one rule:
//! doubt or fault of one article stops that one.

use serde_json::Value;

use crate::support::project::unique;
use crate::support::rules::{Fault, Kind};
use crate::support::scene::{BODY, Scene, on_each_version};

on_each_version!(
    one_bad_article_among_good_ones,
    one_doubtful_article_among_good_ones,
    one_rejected_article_among_good_ones,
    check_and_status_ask_nobody,
    plan_says_what_push_does,
    paths_name_what_is_pushed,
    terms_are_found_and_made_once,
    a_category_that_is_missing,
    people_get_words_and_programs_get_json,
    the_date_of_a_draft,
);

fn one_bad_article_among_good_ones(version: &str) {
    let scene = Scene::on(version);
    let (first, last) = (scene.article("good-a"), scene.article("good-z"));
    let bad = unique("good-m");
    scene.project.article(&bad, "excerpt: no title at all\n", BODY);
    let ran = scene.push();
    ran.exits(3).says(&bad, "invalid", Some("check_failed"));
    ran.says(&first, "created", None).says(&last, "created", None);
    assert_ne!(ran.article(&bad)["problems"], Value::Array(Vec::new()));
    scene.proves(&bad, 0, 0);
    scene.proves(&first, 1, 1);
    scene.proves(&last, 1, 1);
}

fn one_doubtful_article_among_good_ones(version: &str) {
    let scene = Scene::on(version);
    let slugs = [scene.article("a"), scene.article("b"), scene.article("c")];
    scene.proxy.nth(Kind::Create, 2, Fault::never_delivered());
    let ran = scene.push();
    ran.exits(4).says(&slugs[0], "created", None);
    ran.says(&slugs[1], "held", Some("not_found")).says(&slugs[2], "created", None);
    let again = scene.push();
    again.exits(4).says(&slugs[0], "skipped", Some("confirmed"));
    again.says(&slugs[1], "held", Some("not_found"));
    again.says(&slugs[2], "skipped", Some("confirmed"));
    for (slug, posts) in slugs.iter().zip([1, 0, 1]) {
        scene.proves(slug, 1, posts);
    }
}

fn one_rejected_article_among_good_ones(version: &str) {
    let scene = Scene::on(version);
    let good = scene.article("a");
    let bad = scene.article_with("b", "template: no-such-template.php\n", BODY);
    let other = scene.article("c");
    let ran = scene.push();
    ran.exits(3).says(&good, "created", None).says(&other, "created", None);
    ran.says(&bad, "rejected", Some("rest_invalid_param"));
    scene.proves(&bad, 1, 0);
    scene.proves(&good, 1, 1);
    scene.proves(&other, 1, 1);
}

fn check_and_status_ask_nobody(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("offline");
    scene.run(&["check", "--json"]).exits(0);
    scene.run(&["check"]).exits(0);
    scene.status();
    assert!(scene.proxy.arrivals().is_empty());
    assert!(!scene.project.path().join(".oncepress").exists(), "reading made a journal");

    scene.loses_the_answer();
    scene.hides_drafts();
    scene.push().ends(4, &slug, "held", Some("not_found"));
    let arrived = scene.proxy.arrivals().len();
    let status = scene.status();
    status.ends(4, &slug, "held", Some("not_found"));
    assert_eq!(status.article(&slug)["remote_effect"], "possible");
    assert_eq!(scene.proxy.arrivals().len(), arrived);
    scene.proves(&slug, 1, 1);
}

fn plan_says_what_push_does(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("plan");
    scene.plan().ends(0, &slug, "create", None);
    scene.proves_nothing_sent();
    scene.push().ends(0, &slug, "created", None);
    scene.plan().ends(0, &slug, "skip", Some("confirmed"));

    let doubtful = scene.article("plan");
    scene.push_and_crash_at("article.after-answer");
    scene.plan().exits(0).says(&doubtful, "complete", None);
    scene.unlock_after_a_crash();
    scene.push().exits(0).says(&doubtful, "completed", None);
    scene.proves(&doubtful, 1, 1);
    scene.proves(&slug, 1, 1);
    scene.proves_media(&picture, 1, 1);
}

fn paths_name_what_is_pushed(version: &str) {
    let scene = Scene::on(version);
    let (wanted, other) = (scene.article("wanted"), scene.article("other"));
    let path = format!("articles/{wanted}.md");
    let ran = scene.run(&["push", "--json", &path]);
    ran.ends(0, &wanted, "created", None);
    assert_eq!(ran.json["articles"].as_array().map(Vec::len), Some(1));
    scene.proves(&wanted, 1, 1);
    scene.proves(&other, 0, 0);
}

/// Case TERM-02.
fn terms_are_found_and_made_once(version: &str) {
    let scene = Scene::on(version);
    let tag = unique("R&D");
    let front = format!("tags: [\"{tag}\"]\n");
    let (first, second) =
        (scene.article_with("tag-a", &front, BODY), scene.article_with("tag-b", &front, BODY));
    let ran = scene.push();
    ran.exits(0).says(&first, "created", None).says(&second, "created", None);
    let third = scene.article_with("tag-c", &front, BODY);
    scene.push().exits(0).says(&third, "created", None);
    assert_eq!(scene.proxy.of_kind(Kind::TermCreate).len(), 1);
    let stored = tag.replace('&', "&amp;");
    let rows = scene.site.sql(&format!("SELECT slug FROM wp_terms WHERE name = '{stored}'"));
    assert_eq!(rows.len(), 1);
    for slug in [&first, &second, &third] {
        let id = scene.proves(slug, 1, 1)[0].id;
        let tags = format!(
            "SELECT t.name FROM wp_terms t JOIN wp_term_taxonomy x USING (term_id) \
             JOIN wp_term_relationships r USING (term_taxonomy_id) \
             WHERE r.object_id = {id} AND x.taxonomy = 'post_tag'"
        );
        assert_eq!(scene.site.sql(&tags), [[stored.clone()]]);
    }
}

fn a_category_that_is_missing(version: &str) {
    let scene = Scene::on(version);
    let bad = scene.article_with("category", "categories: [\"No such thing\"]\n", BODY);
    let good = scene.article("category");
    let ran = scene.push();
    ran.exits(3).says(&bad, "rejected", Some("category_missing")).says(&good, "created", None);
    scene.proves(&bad, 0, 0);
    scene.proves(&good, 1, 1);
}

fn people_get_words_and_programs_get_json(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("words");
    scene.loses_the_answer();
    scene.hides_drafts();
    let ran = scene.run(&["push"]);
    ran.exits(4);
    assert!(serde_json::from_str::<Value>(&ran.stdout).is_err(), "words on stdout");
    assert!(ran.stdout.contains(&slug), "the article is named: {}", ran.stdout);
    let quiet = scene.run(&["push", "--json", "--quiet"]);
    quiet.ends(4, &slug, "held", Some("not_found"));
    assert_eq!(quiet.stderr, "");
    scene.proves(&slug, 1, 1);
}

/// Case DATE-05.
fn the_date_of_a_draft(version: &str) {
    let scene = Scene::on(version);
    // The site is in Tokyo, nine hours ahead of UTC and fourteen of this offset.
    let slug = scene.article_with("date", "date: 2030-01-02T03:04:05-05:00\n", BODY);
    scene.loses_the_answer();
    let ran = scene.push();
    ran.ends(0, &slug, "completed", None);
    assert!(ran.warnings(&slug).is_empty());
    let id = scene.proves(&slug, 1, 1)[0].id;
    let dates = scene.site.sql(&format!("SELECT post_date FROM wp_posts WHERE ID = {id}"));
    assert_eq!(dates, [["2030-01-02 17:04:05"]]);
}
