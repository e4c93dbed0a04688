//! Slugs that are taken, before a send and after one whose outcome is unknown.
//!
//! Absent from here: posts that a receipt stands for (`receipts`). The one rule: what
//! was on the site is the same afterwards, byte for byte.

use serde_json::json;

use crate::support::lab::stored;
use crate::support::project::unique;
use crate::support::rules::{Fault, Kind};
use crate::support::scene::{BODY, Scene, front_matter, on_each_version, somebodys_post};

on_each_version!(
    a_draft_of_our_own_user_is_there,
    a_published_post_is_there,
    a_published_post_that_an_author_may_not_edit,
    a_colleagues_draft_that_an_author_cannot_see,
    a_colleagues_draft_that_an_administrator_can_see,
    a_trashed_draft_is_there,
    several_drafts_share_the_slug,
    a_page_has_the_slug,
    an_article_that_is_a_page,
    a_slug_in_another_script,
    in_doubt_and_a_colleague_takes_the_slug,
    in_doubt_and_the_draft_was_edited,
    in_doubt_and_small_edits_are_edits,
    in_doubt_and_the_draft_was_trashed,
    in_doubt_and_a_second_draft_appears,
    in_doubt_as_an_administrator,
    html_that_the_site_filters_is_still_ours,
    html_of_an_administrator_is_not_filtered,
);

/// Somebody's post is there first: nothing is sent, and nothing of it changes.
fn skips(scene: &Scene, slug: &str, reason: &str, posts: usize) {
    let fingerprint = |scene: &Scene| {
        let of_slug = format!("post_name LIKE '{slug}%'");
        scene.site.sql(&format!("SELECT * FROM wp_posts WHERE {of_slug} ORDER BY ID"))
    };
    let before = fingerprint(scene);
    let planned = scene.plan();
    planned.ends(0, slug, "skip", Some(reason));
    scene.push().ends(0, slug, "skipped", Some(reason));
    scene.push().ends(0, slug, "skipped", Some(reason));
    scene.proves(slug, 0, posts);
    assert_eq!(fingerprint(scene), before);
}

fn a_draft_of_our_own_user_is_there(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("exists");
    scene.site.make_post("author", &somebodys_post(&slug, "draft"));
    skips(&scene, &slug, "exists", 1);
}

fn a_published_post_is_there(version: &str) {
    let scene = Scene::as_user(version, "editor");
    let slug = scene.article("exists");
    scene.site.make_post("author2", &somebodys_post(&slug, "publish"));
    skips(&scene, &slug, "exists", 1);
}

/// Everybody can read it, but a look-up is made with the right to edit.
fn a_published_post_that_an_author_may_not_edit(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("exists");
    scene.site.make_post("author2", &somebodys_post(&slug, "publish"));
    skips(&scene, &slug, "exists_hidden", 1);
}

fn a_colleagues_draft_that_an_author_cannot_see(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("hidden");
    scene.site.make_post("author2", &somebodys_post(&slug, "draft"));
    skips(&scene, &slug, "exists_hidden", 1);
}

fn a_colleagues_draft_that_an_administrator_can_see(version: &str) {
    let scene = Scene::as_user(version, "admin");
    let slug = scene.article("exists");
    scene.site.make_post("author2", &somebodys_post(&slug, "draft"));
    skips(&scene, &slug, "exists", 1);
}

fn a_trashed_draft_is_there(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("trashed");
    let id = scene.site.make_post("author", &somebodys_post(&slug, "draft"));
    scene.site.trash_post("author", id);
    skips(&scene, &slug, "exists_in_trash", 1);
    assert_eq!(scene.site.posts(&slug)[0].slug, format!("{slug}__trashed"));
}

fn several_drafts_share_the_slug(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("several");
    for _ in 0..2 {
        // Without a status WordPress does not make the slug unique.
        scene.site.make_post("author", &json!({"title": "One of two", "slug": slug}));
    }
    skips(&scene, &slug, "exists_several", 2);
    assert!(scene.site.posts(&slug).iter().all(|post| post.slug == slug));
}

fn a_page_has_the_slug(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("page");
    let page = somebodys_post(&slug, "draft");
    assert_eq!(scene.site.rest("admin", "POST", "/wp/v2/pages", &page).status, 201);
    scene.push().ends(0, &slug, "created", None);
    let rows = scene.proves(&slug, 1, 2);
    assert!(rows.iter().all(|row| row.slug == slug));
}

fn an_article_that_is_a_page(version: &str) {
    let scene = Scene::as_user(version, "editor");
    let slug = scene.article_with("page", "type: page\n", BODY);
    scene.loses_the_answer();
    scene.push().ends(0, &slug, "completed", None);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
    let create = &scene.proxy.of_kind(Kind::Create)[0];
    assert!(create.target.contains("/wp/v2/pages"), "{}", create.target);
}

fn a_slug_in_another_script(version: &str) {
    let scene = Scene::on(version);
    let slug = unique("日本語の記事");
    scene.project.article(&slug, &front_matter("japanese"), BODY);
    scene.loses_the_answer();
    scene.push().ends(0, &slug, "completed", None);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    let rows = scene.proves(&slug, 1, 1);
    assert_eq!(rows[0].slug, stored(&slug));
}

fn in_doubt_and_a_colleague_takes_the_slug(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_never_delivered("doubt");
    scene.site.make_post("author2", &somebodys_post(&slug, "draft"));
    scene.push().ends(4, &slug, "held", Some("hidden"));
    scene.proves(&slug, 1, 1);
}

fn in_doubt_and_the_draft_was_edited(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_in_doubt("doubt");
    let id = scene.site.posts(&slug)[0].id;
    let edited = "<p>An editor was here.</p>";
    scene.site.change_post("editor", id, &json!({"content": edited}));
    scene.push().ends(4, &slug, "held", Some("content_differs"));
    scene.push().ends(4, &slug, "held", Some("content_differs"));
    scene.proves(&slug, 1, 1);
    assert_eq!(scene.site.content(id), edited);
}

/// What WordPress does to a text by itself is undone before texts are compared; what a
/// person does to it is not.
fn in_doubt_and_small_edits_are_edits(version: &str) {
    let scene = Scene::on(version);
    let body = "One <a href=\"https://example.com/?a=1&amp;b=2\">link</a> &amp; 2 &lt; 3 words.";
    let edits: [(&str, &str, &str); 6] = [
        ("content", "words", "word"),
        ("content", "a=1&amp;b=2", "a=1&amp;b=3"),
        ("content", "2 &lt; 3", "2 3"),
        ("content", "</a>", "</a><br>"),
        ("content", "<a ", "<a title=\"t\" "),
        ("title", "About", "about"),
    ];
    let slugs: Vec<String> = edits.iter().map(|_| scene.article_with("edit", "", body)).collect();
    scene.proxy.always(Kind::Create, Fault::answer_lost());
    scene.hides_drafts();
    scene.push().exits(4);
    scene.goes_well_again();
    for (slug, (field, old, new)) in slugs.iter().zip(edits) {
        let row = &scene.proves(slug, 1, 1)[0];
        let before = if field == "title" { row.title.clone() } else { scene.site.content(row.id) };
        let after = before.replacen(old, new, 1);
        assert_ne!(after, before, "nothing was edited");
        scene.site.change_post("editor", row.id, &json!({field: after}));
    }
    let ran = scene.push();
    ran.exits(4);
    for slug in &slugs {
        ran.says(slug, "held", Some("content_differs"));
        scene.proves(slug, 1, 1);
    }
}

fn in_doubt_and_the_draft_was_trashed(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_in_doubt("doubt");
    scene.site.trash_post("author", scene.site.posts(&slug)[0].id);
    scene.push().ends(4, &slug, "held", Some("found_in_trash"));
    let rows = scene.proves(&slug, 1, 1);
    assert_eq!(rows[0].status, "trash");
}

fn in_doubt_and_a_second_draft_appears(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_in_doubt("doubt");
    scene.site.make_post("author", &json!({"title": "A twin", "slug": slug}));
    scene.push().ends(4, &slug, "held", Some("several_found"));
    let rows = scene.proves(&slug, 1, 2);
    assert!(rows.iter().all(|row| row.slug == slug));
}

fn in_doubt_as_an_administrator(version: &str) {
    let scene = Scene::as_user(version, "admin");
    let slug = scene.article_in_doubt("doubt");
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

/// Things that WordPress changes or removes on save, depending on version and user.
const RICH: &str = "\
Ampersands & \"quotes\", 1 < 2, and <em onclick=\"alert(1)\">inline</em> HTML.

<a href=\"https://example.com/\" target=\"_blank\">A new window</a>

<iframe src=\"https://example.com/\"></iframe>

<script>console.log('hello');</script>

```html
<p>code & \"code\"</p>
```

- one
- two";

fn completes_rich_html(scene: &Scene) -> String {
    let slug = unique("rich");
    let title = format!("title: \"  Fish & \\\"chips\\\" <cheap> {slug}  \"\n");
    scene.project.article(&slug, &title, RICH);
    scene.loses_the_answer();
    let ran = scene.push();
    ran.ends(0, &slug, "completed", None);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    let id = scene.proves(&slug, 1, 1)[0].id;
    scene.site.content(id)
}

fn html_that_the_site_filters_is_still_ours(version: &str) {
    let scene = Scene::on(version);
    let stored = completes_rich_html(&scene);
    assert!(!stored.contains("<iframe") && !stored.contains("onclick"), "{stored}");
}

fn html_of_an_administrator_is_not_filtered(version: &str) {
    let scene = Scene::as_user(version, "admin");
    let stored = completes_rich_html(&scene);
    assert!(stored.contains("<iframe") && stored.contains("<script>"), "{stored}");
}
