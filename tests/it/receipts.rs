//! Articles whose draft has a receipt, and what people do to such drafts.
//!
//! Absent from here: articles in doubt. The one rule: a receipt is verified and never a
//! reason to send, overwrite or delete.

use serde_json::json;

use crate::support::rules::{Fault, Kind};
use crate::support::scene::{Scene, on_each_version};

on_each_version!(
    the_draft_was_deleted,
    most_drafts_are_gone,
    the_draft_was_trashed,
    the_draft_has_another_slug,
    the_draft_belongs_to_somebody_else_now,
    the_article_was_edited,
    the_draft_was_edited_on_the_site,
    the_draft_was_published,
    the_site_cannot_be_asked_about_the_receipt,
    the_list_leaves_out_a_known_draft,
);

/// So many that one of them is less than a fifth.
const MANY: usize = 7;

fn many_articles(scene: &Scene) -> Vec<(String, u64)> {
    let slugs: Vec<String> = (0..MANY).map(|_| scene.article("many")).collect();
    let ran = scene.push();
    ran.exits(0);
    slugs
        .into_iter()
        .map(|slug| (slug.clone(), ran.says(&slug, "created", None).post_id(&slug)))
        .collect()
}

fn the_draft_was_deleted(version: &str) {
    let scene = Scene::on(version);
    let articles = many_articles(&scene);
    let (gone, id) = &articles[2];
    scene.site.delete("posts", *id);
    for _ in 0..2 {
        let ran = scene.push();
        ran.exits(4).says(gone, "held", Some("receipt_missing"));
        for (slug, _) in articles.iter().filter(|(slug, _)| slug != gone) {
            ran.says(slug, "skipped", Some("confirmed"));
        }
    }
    scene.proves(gone, 1, 0);
    assert_eq!(scene.proxy.of_kind(Kind::Create).len(), MANY);
}

fn most_drafts_are_gone(version: &str) {
    let scene = Scene::on(version);
    let articles = many_articles(&scene);
    let fresh = scene.article("fresh");
    for (_, id) in &articles[..4] {
        scene.site.delete("posts", *id);
    }
    // Another database, a restored backup: nothing that it shows can be believed.
    let ran = scene.push();
    assert_eq!(ran.errors(), ["mass_absence"]);
    ran.exits(4).says(&fresh, "deferred", Some("mass_absence"));
    scene.proves(&fresh, 0, 0);
    assert_eq!(scene.proxy.of_kind(Kind::Create).len(), MANY);
}

fn the_draft_was_trashed(version: &str) {
    let scene = Scene::on(version);
    let (slug, id) = scene.article_created("trashed");
    scene.site.trash_post("author", id);
    scene.push().ends(4, &slug, "held", Some("receipt_in_trash"));
    scene.push().ends(4, &slug, "held", Some("receipt_in_trash"));
    let rows = scene.proves(&slug, 1, 1);
    assert_eq!(rows[0].status, "trash");
}

fn the_draft_has_another_slug(version: &str) {
    let scene = Scene::on(version);
    let (slug, id) = scene.article_created("renamed");
    let other = format!("other-{slug}");
    scene.site.change_post("editor", id, &json!({"slug": other}));
    scene.push().ends(4, &slug, "held", Some("receipt_mismatch"));
    scene.proves(&slug, 1, 0);
    assert_eq!(scene.site.posts(&other)[0].id, id);
}

fn the_draft_belongs_to_somebody_else_now(version: &str) {
    let scene = Scene::on(version);
    let (slug, id) = scene.article_created("given-away");
    let author2 = scene.site.user_id("author2");
    scene.site.change_post("admin", id, &json!({"author": author2}));
    scene.push().ends(4, &slug, "held", Some("hidden"));
    scene.proves(&slug, 1, 1);
}

fn the_article_was_edited(version: &str) {
    let scene = Scene::on(version);
    let (slug, id) = scene.article_created("edited");
    let sent = scene.site.content(id);
    scene.edit(&slug);
    scene.push().ends(4, &slug, "held", Some("edited_after_receipt"));
    scene.push().ends(4, &slug, "held", Some("edited_after_receipt"));
    scene.proves(&slug, 1, 1);
    assert_eq!(scene.site.content(id), sent);
}

fn the_draft_was_edited_on_the_site(version: &str) {
    let scene = Scene::on(version);
    let (slug, id) = scene.article_created("edited");
    let edited = "<p>An editor was here.</p>";
    scene.site.change_post("editor", id, &json!({"content": edited}));
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
    assert_eq!(scene.site.content(id), edited);
}

fn the_draft_was_published(version: &str) {
    let scene = Scene::on(version);
    let (slug, id) = scene.article_created("published");
    scene.site.change_post("editor", id, &json!({"status": "publish"}));
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    let rows = scene.proves(&slug, 1, 1);
    assert_eq!(rows[0].status, "publish");
}

fn the_site_cannot_be_asked_about_the_receipt(version: &str) {
    let scene = Scene::on(version);
    let (slug, _) = scene.article_created("unclear");
    scene.proxy.always(Kind::PostList, Fault::none().and_answer_header("Age", "3"));
    scene.push().ends(5, &slug, "deferred", Some("cannot_look_up"));
    scene.goes_well_again();
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
}

fn the_list_leaves_out_a_known_draft(version: &str) {
    let scene = Scene::on(version);
    let (known, _) = scene.article_created("known");
    let fresh = scene.article("fresh");
    // A view in which a draft that exists does not appear says nothing about others.
    scene.hides_drafts();
    let ran = scene.push();
    ran.says(&known, "held", Some("receipt_missing"));
    ran.says(&fresh, "deferred", Some("cannot_look_up")).exits(4);
    scene.goes_well_again();
    scene.proves(&fresh, 0, 0);
    let ran = scene.push();
    ran.says(&known, "skipped", Some("confirmed")).says(&fresh, "created", None).exits(0);
    scene.proves(&fresh, 1, 1);
    scene.proves(&known, 1, 1);
}
