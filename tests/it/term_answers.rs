//! What a site says of terms, parents, meta and templates, where it says it oddly.
//!
//! Absent from here: plain cases (`types`, `folder`). The one rule: the database shows
//! which term, parent or template the post has, and that nothing was sent where it is not
//! certain.

use serde_json::json;

use crate::support::http::Answer;
use crate::support::project::unique;
use crate::support::rules::{Fault, Kind};
use crate::support::scene::{BODY, Scene, front_matter, on_each_version};

on_each_version!(
    a_tag_that_only_the_refusal_names_is_used,
    a_refusal_that_names_another_tag_is_not_believed,
    a_refusal_that_names_no_tag_is_not_believed,
    a_parent_that_this_account_may_not_read_is_refused,
    meta_that_the_site_tells_nothing_of_is_sent_as_written,
    a_template_of_the_theme_is_kept,
);

/// A tag on the site, by its id.
fn tag(scene: &Scene, name: &str) -> u64 {
    let answer = scene.site.rest("admin", "POST", "/wp/v2/tags", &json!({ "name": name }));
    answer.value()["id"].as_u64().expect("the id of a new tag")
}

/// The ids of the tags that a post has.
fn tags_of(scene: &Scene, post: u64) -> Vec<Vec<String>> {
    scene.site.sql(&format!(
        "SELECT term_id FROM wp_term_relationships JOIN wp_term_taxonomy USING (term_taxonomy_id) \
         WHERE object_id = {post} AND taxonomy = 'post_tag'"
    ))
}

/// An article with a tag that is on the site, where the look-up does not show it (yet);
/// its slug, the tag's name and id.
fn article_with_a_tag_unseen(scene: &Scene) -> (String, String, u64) {
    let name = unique("unseen");
    let id = tag(scene, &name);
    let slug = scene.article_with("unseen", &format!("tags: [\"{name}\"]\n"), BODY);
    scene.proxy.once(Kind::TermGet, Fault::answered_before_the_site(Answer::no_rows()));
    (slug, name, id)
}

/// How often the site has a tag of this name.
fn tags_named(scene: &Scene, name: &str) -> usize {
    scene.site.sql(&format!("SELECT term_id FROM wp_terms WHERE name = '{name}'")).len()
}

/// What the refusal of a name that is taken says, with this id.
fn term_exists(data: &serde_json::Value) -> Fault {
    let message = "A term with the name provided already exists in this taxonomy.";
    let body = json!({ "code": "term_exists", "message": message, "data": data });
    Fault::answer_replaced(Answer::json(400, &body))
}

/// Case TERM-03.
fn a_tag_that_only_the_refusal_names_is_used(version: &str) {
    let scene = Scene::on(version);
    let (slug, name, id) = article_with_a_tag_unseen(&scene);
    scene.push().ends(0, &slug, "created", None);
    assert_eq!(scene.proxy.of_kind(Kind::TermCreate)[0].site_said, [400]);
    let post = scene.proves(&slug, 1, 1)[0].id;
    assert_eq!(tags_of(&scene, post), [[id.to_string()]]);
    assert_eq!(tags_named(&scene, &name), 1);
}

/// Case TERM-01: the id in the refusal is that of another tag.
fn a_refusal_that_names_another_tag_is_not_believed(version: &str) {
    let scene = Scene::on(version);
    let (slug, name, id) = article_with_a_tag_unseen(&scene);
    let other = unique("another");
    let other_id = tag(&scene, &other);
    let wrong = json!({ "status": 400, "term_id": other_id });
    scene.proxy.once(Kind::TermCreate, term_exists(&wrong));
    let ran = scene.push();
    ran.ends(3, &slug, "rejected", Some("tag_ambiguous"));
    let message = format!(
        "the site has no tag \"{name}\", and takes \"{other}\" (id:{other_id}) for the same; name \
         it as \"id:{other_id}\" if it is meant"
    );
    assert_eq!(ran.article(&slug)["message"], message);
    scene.proves(&slug, 0, 0);
    // The next look-up shows the tag, and it is used.
    scene.push().ends(0, &slug, "created", None);
    let post = scene.proves(&slug, 1, 1)[0].id;
    assert_eq!(tags_of(&scene, post), [[id.to_string()]]);
    assert_eq!(tags_named(&scene, &name), 1);
}

fn a_refusal_that_names_no_tag_is_not_believed(version: &str) {
    let scene = Scene::on(version);
    let (slug, name, id) = article_with_a_tag_unseen(&scene);
    let nobodys = json!({ "status": 400, "term_id": 99_999_999 });
    scene.proxy.once(Kind::TermCreate, term_exists(&nobodys));
    scene.push().ends(5, &slug, "deferred", Some("cannot_look_up_terms"));
    scene.proves(&slug, 0, 0);
    scene.push().ends(0, &slug, "created", None);
    let post = scene.proves(&slug, 1, 1)[0].id;
    assert_eq!(tags_of(&scene, post), [[id.to_string()]]);
    assert_eq!(tags_named(&scene, &name), 1);
}

/// A colleague's draft: the site counts it, and shows it not.
fn a_parent_that_this_account_may_not_read_is_refused(version: &str) {
    let scene = Scene::on(version);
    let parent = unique("theirs");
    let fields = json!({ "status": "draft", "slug": parent, "title": parent, "content": "x" });
    let made = scene.site.rest("author2", "POST", "/wp/v2/lab_chapter", &fields);
    let id = made.value()["id"].as_u64().expect("the id of a new chapter");
    let slug = unique("below");
    for named in [parent.clone(), format!("'id:{id}'")] {
        let more = format!("type: lab_chapter\nparent: {named}\n");
        scene.project.article(&slug, &(front_matter(&slug) + &more), BODY);
        scene.plan().says(&slug, "reject", Some("parent_hidden"));
        scene.push().ends(3, &slug, "rejected", Some("parent_hidden"));
        scene.proves_nothing_sent();
    }
    // Whoever may read it may put a chapter below it.
    let scene = Scene::as_user(version, "author2");
    let more = format!("type: lab_chapter\nparent: {parent}\n");
    let slug = scene.article_with("below", &more, BODY);
    scene.push().ends(0, &slug, "created", None);
    let post = scene.proves(&slug, 1, 1)[0].id;
    let above = scene.site.sql(&format!("SELECT post_parent FROM wp_posts WHERE ID = {post}"));
    assert_eq!(above, [[id.to_string()]]);
}

/// A host that answers no OPTIONS: what fits is kept, and what would be dropped is told
/// afterwards, by the echo.
fn meta_that_the_site_tells_nothing_of_is_sent_as_written(version: &str) {
    let scene = Scene::on(version);
    let meta = "type: lab_book\nmeta:\n  lab_pages: 12\n  lab_nothing: x\n";
    let slug = scene.article_with("book", meta, BODY);
    let page = || Fault::answered_before_the_site(Answer::html(403, "Forbidden"));
    // The types are asked for first.
    scene.proxy.nth(Kind::OtherGet, 2, page());
    let planned = scene.plan();
    planned.ends(0, &slug, "create", None);
    assert_eq!(planned.warnings(&slug), ["meta_unchecked"]);
    let options = &scene.proxy.of_kind(Kind::OtherGet)[1];
    assert_eq!(options.method, "OPTIONS", "{}", options.target);
    scene.proxy.nth(Kind::OtherGet, 2, page());
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.warnings(&slug), ["meta_dropped", "meta_unchecked"]);
    let post = scene.proves(&slug, 1, 1)[0].id;
    let kept = scene.site.sql(&format!(
        "SELECT meta_key, meta_value FROM wp_postmeta WHERE post_id = {post} AND meta_key LIKE 'lab%'"
    ));
    assert_eq!(kept, [["lab_pages", "12"]]);
}

/// The templates of the themes that the lab's sites have.
fn a_template_of_the_theme_is_kept(version: &str) {
    let template = if version == "6.1" { "blank" } else { "page-no-title" };
    let scene = Scene::as_user(version, "editor");
    let more = format!("type: page\ntemplate: {template}\n");
    let slug = scene.article_with("template", &more, BODY);
    scene.loses_the_answer();
    let ran = scene.push();
    ran.ends(0, &slug, "completed", None);
    assert_eq!(ran.warnings(&slug), [""; 0]);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    let post = scene.proves(&slug, 1, 1)[0].id;
    let stored = scene.site.sql(&format!(
        "SELECT meta_value FROM wp_postmeta WHERE post_id = {post} AND meta_key = '_wp_page_template'"
    ));
    assert_eq!(stored, [[template]]);
}
