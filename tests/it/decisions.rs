//! What a person decides, and what the next run makes of it.
//!
//! Absent from here: how an article came into doubt. The one rule: a decision is about
//! one article (or one of its uploads) and sends nothing itself.

use serde_json::json;

use crate::support::http::Answer;
use crate::support::rules::{Fault, Kind};
use crate::support::scene::{Scene, on_each_version};

on_each_version!(
    adopt_a_draft_that_was_edited,
    adopt_after_an_edit_of_the_article,
    adopt_a_draft_with_another_slug,
    adopt_refuses_a_trashed_post,
    adopt_refuses_an_attachment,
    adopt_refuses_what_is_not_there,
    not_created_and_sent_once_more,
    not_created_is_refused_where_a_post_is_found,
    not_created_is_refused_where_the_site_cannot_be_asked,
    not_created_and_the_post_appears_before_the_send,
    not_created_needs_something_in_doubt,
    restart_after_an_edit,
    withdraw_and_bring_back,
    an_upload_was_not_created,
    an_upload_is_adopted,
    a_decision_needs_a_reason,
);

fn adopt_a_draft_that_was_edited(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_in_doubt("adopt");
    let id = scene.site.posts(&slug)[0].id;
    scene.site.change_post("editor", id, &json!({"content": "<p>An editor was here.</p>"}));
    scene.push().ends(4, &slug, "held", Some("content_differs"));
    scene.resolve(&slug, &["--adopt", &id.to_string()]).exits(0);
    let ran = scene.push();
    ran.ends(0, &slug, "skipped", Some("confirmed"));
    assert_eq!(ran.post_id(&slug), id);
    scene.proves(&slug, 1, 1);
}

fn adopt_after_an_edit_of_the_article(version: &str) {
    let scene = Scene::on(version);
    let (slug, id) = scene.article_created("adopt");
    scene.edit(&slug);
    scene.push().ends(4, &slug, "held", Some("edited_after_receipt"));
    scene.resolve(&slug, &["--adopt", &id.to_string()]).exits(0);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    // Bound to that input: another edit is another question.
    scene.edit(&slug);
    scene.push().ends(4, &slug, "held", Some("edited_after_receipt"));
    scene.proves(&slug, 1, 1);
}

fn adopt_a_draft_with_another_slug(version: &str) {
    let scene = Scene::on(version);
    let (slug, id) = scene.article_created("adopt");
    let other = format!("other-{slug}");
    scene.site.change_post("editor", id, &json!({"slug": other}));
    scene.push().ends(4, &slug, "held", Some("receipt_mismatch"));
    scene.resolve(&slug, &["--adopt", &id.to_string()]).exits(0);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 0);
}

/// The decision is refused, and the record is what it was.
fn refuses(scene: &Scene, slug: &str, code: i32, decision: &[&str], error: &str) {
    let before = scene.records();
    let ran = scene.resolve(slug, decision);
    ran.exits(code);
    assert_eq!(ran.errors(), [error]);
    assert_eq!(scene.records(), before, "a refused decision changed a record");
}

fn adopt_refuses_a_trashed_post(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_in_doubt("adopt");
    let id = scene.site.posts(&slug)[0].id;
    scene.site.trash_post("author", id);
    refuses(&scene, &slug, 4, &["--adopt", &id.to_string()], "post_in_trash");
    scene.push().ends(4, &slug, "held", Some("found_in_trash"));
    scene.proves(&slug, 1, 1);
}

fn adopt_refuses_an_attachment(version: &str) {
    let scene = Scene::on(version);
    let (other, picture) = scene.article_with_picture("other");
    scene.push().ends(0, &other, "created", None);
    let attachment = scene.site.attachments(&picture)[0].id;
    let slug = scene.article_never_delivered("adopt");
    refuses(&scene, &slug, 4, &["--adopt", &attachment.to_string()], "no_such_post");
    scene.proves(&slug, 1, 0);
}

fn adopt_refuses_what_is_not_there(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_never_delivered("adopt");
    refuses(&scene, &slug, 4, &["--adopt", "999999999"], "no_such_post");
    scene.proves(&slug, 1, 0);
}

fn not_created_and_sent_once_more(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_never_delivered("again");
    scene.resolve(&slug, &["--not-created"]).exits(0);
    scene.proves(&slug, 1, 0);
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.article(&slug)["attempt"], 2);
    scene.proves(&slug, 2, 1);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 2, 1);
}

fn not_created_is_refused_where_a_post_is_found(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_in_doubt("again");
    refuses(&scene, &slug, 4, &["--not-created"], "found_after_all");
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

fn not_created_is_refused_where_the_site_cannot_be_asked(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_in_doubt("again");
    scene.proxy.always(Kind::PostList, Fault::none().and_answer_header("Age", "60"));
    refuses(&scene, &slug, 5, &["--not-created"], "cannot_look_up");
    scene.goes_well_again();
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

fn not_created_and_the_post_appears_before_the_send(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_in_doubt("late");
    // The person looks while the site does not show it, and vouches too early.
    scene.hides_drafts();
    scene.resolve(&slug, &["--not-created"]).exits(0);
    scene.goes_well_again();
    scene.push().ends(0, &slug, "skipped", Some("exists"));
    scene.proves(&slug, 1, 1);
}

fn not_created_needs_something_in_doubt(version: &str) {
    let scene = Scene::on(version);
    let (slug, id) = scene.article_created("sure");
    refuses(&scene, &slug, 4, &["--not-created"], "found_after_all");
    scene.site.delete("posts", id);
    refuses(&scene, &slug, 2, &["--not-created"], "not_applicable");
    scene.proves(&slug, 1, 0);
}

fn restart_after_an_edit(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("restart");
    scene.push_and_crash_at("article.before-sending-record");
    scene.edit(&slug);
    scene.unlock_after_a_crash();
    scene.push().ends(4, &slug, "held", Some("input_changed"));
    scene.resolve(&slug, &["--restart"]).exits(0);
    scene.push().ends(0, &slug, "created", None);
    let id = scene.proves(&slug, 1, 1)[0].id;
    assert!(scene.site.content(id).contains("A sentence written later."));
}

fn withdraw_and_bring_back(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_in_doubt("withdraw");
    scene.resolve(&slug, &["--withdraw"]).exits(0);
    scene.push().ends(0, &slug, "skipped", Some("withdrawn"));
    scene.hides_drafts();
    scene.push().ends(0, &slug, "skipped", Some("withdrawn"));
    // Bringing it back brings back its doubt.
    scene.resolve(&slug, &["--restart"]).exits(0);
    scene.push().ends(4, &slug, "held", Some("not_found"));
    scene.goes_well_again();
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

fn an_upload_was_not_created(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("upload");
    let page = Answer::html(504, "Gateway Time-out");
    scene.proxy.once(Kind::Upload, Fault::answered_before_the_site(page));
    scene.push().ends(4, &slug, "held", Some("media_unknown"));
    let path = format!("articles/{picture}.png");
    scene.resolve(&slug, &["--media", &path, "--not-created"]).exits(0);
    scene.push().ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
    scene.proves_media(&picture, 2, 1);
}

fn an_upload_is_adopted(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("upload");
    scene.loses_the_upload_answer();
    scene.hides_media();
    scene.push().ends(4, &slug, "held", Some("media_unknown"));
    scene.goes_well_again();
    let id = scene.site.attachments(&picture)[0].id.to_string();
    let path = format!("articles/{picture}.png");
    scene.resolve(&slug, &["--media", &path, "--adopt", &id]).exits(0);
    scene.push().ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
    scene.proves_media(&picture, 1, 1);
}

fn a_decision_needs_a_reason(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_never_delivered("reason");
    let before = scene.records();
    scene.run(&["resolve", &slug, "--not-created", "--json"]).exits(2);
    assert_eq!(scene.records(), before);
    scene.proves(&slug, 1, 0);
}
