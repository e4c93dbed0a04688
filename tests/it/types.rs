//! Pages, other types, parents, meta, authors, dates and categories by path.
//!
//! Absent from here: terms that are created (`folder`). The one rule: what the database
//! holds decides, and what is refused was refused before anything was sent.

use serde_json::{Value, json};

use crate::support::project::unique;
use crate::support::rules::Kind;
use crate::support::scene::{BODY, Scene, front_matter, on_each_version};

on_each_version!(
    a_custom_type_goes_under_its_own_route,
    a_lost_answer_of_a_custom_type_is_found,
    a_type_that_the_site_does_not_offer_is_refused,
    a_field_that_a_type_does_not_have_is_refused,
    a_page_is_put_below_its_parent,
    a_parent_by_path_and_by_id,
    a_parent_that_is_not_certain_is_refused,
    a_parent_of_the_same_run_comes_first,
    meta_is_sent_in_the_type_that_the_site_wants,
    meta_that_the_site_would_drop_is_told_before,
    meta_that_the_site_would_refuse_is_refused_before,
    author_date_format_template_and_comments,
    a_template_that_the_theme_does_not_have_is_rejected,
    categories_of_one_name_under_two_parents,
    a_tag_among_two_hundred_and_fifty,
);

/// One column of one row.
fn column(scene: &Scene, column: &str, id: u64) -> String {
    scene.site.sql(&format!("SELECT {column} FROM wp_posts WHERE ID = {id}"))[0][0].clone()
}

fn meta_of(scene: &Scene, id: u64, key: &str) -> Vec<Vec<String>> {
    let of = format!("post_id = {id} AND meta_key = '{key}'");
    scene.site.sql(&format!("SELECT meta_value FROM wp_postmeta WHERE {of}"))
}

fn make(scene: &Scene, route: &str, fields: &Value) -> u64 {
    let answer = scene.site.rest("admin", "POST", &format!("/wp/v2/{route}"), fields);
    let made: Value = serde_json::from_slice(&answer.body).expect("JSON");
    made["id"].as_u64().unwrap_or_else(|| panic!("nothing was made: {made}"))
}

fn page(scene: &Scene, slug: &str, parent: u64) -> u64 {
    let fields = json!({
        "status": "draft", "slug": slug, "title": slug, "content": "<p>x</p>", "parent": parent,
    });
    make(scene, "pages", &fields)
}

fn refused(scene: &Scene, slug: &str, reason: &str) -> String {
    scene.plan().says(slug, "reject", Some(reason));
    let ran = scene.push();
    ran.ends(3, slug, "rejected", Some(reason));
    scene.proves_nothing_sent();
    ran.article(slug)["message"].as_str().unwrap_or_default().to_owned()
}

fn a_custom_type_goes_under_its_own_route(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_with("book", "type: lab_book\n", BODY);
    scene.plan().ends(0, &slug, "create", None);
    scene.push().ends(0, &slug, "created", None);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    let rows = scene.proves(&slug, 1, 1);
    assert_eq!(column(&scene, "post_type", rows[0].id), "lab_book");
    assert_eq!(rows[0].status, "draft");
    // The types are asked for once a run, and in no run without such an article.
    let asked = scene.proxy.arrivals();
    let types = asked.iter().filter(|arrival| arrival.target.contains("/wp/v2/types"));
    assert_eq!(types.count(), 3);
}

fn a_lost_answer_of_a_custom_type_is_found(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_with("book", "type: lab_book\n", BODY);
    scene.loses_the_answer();
    scene.push().ends(0, &slug, "completed", None);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
}

fn a_type_that_the_site_does_not_offer_is_refused(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_with("film", "type: lab_film\n", BODY);
    refused(&scene, &slug, "type_not_offered");
}

fn a_field_that_a_type_does_not_have_is_refused(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_with("book", "type: lab_book\nexcerpt: Short\ntags: [a]\n", BODY);
    refused(&scene, &slug, "field_not_for_type");
}

fn a_page_is_put_below_its_parent(version: &str) {
    let scene = Scene::as_user(version, "editor");
    let parent = unique("about");
    let id = page(&scene, &parent, 0);
    let slug = scene.article_with("team", &format!("type: page\nparent: {parent}\n"), BODY);
    scene.loses_the_answer();
    scene.push().ends(0, &slug, "completed", None);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    let rows = scene.proves(&slug, 1, 1);
    assert_eq!(column(&scene, "post_parent", rows[0].id), id.to_string());
}

fn a_parent_by_path_and_by_id(version: &str) {
    let scene = Scene::as_user(version, "editor");
    let (a, b, team) = (unique("a"), unique("b"), unique("team"));
    let (a_id, b_id) = (page(&scene, &a, 0), page(&scene, &b, 0));
    let wanted = page(&scene, &team, a_id);
    page(&scene, &team, b_id);
    let slug = scene.article_with("path", &format!("type: page\nparent: {a}/{team}\n"), BODY);
    let numbered = scene.article_with("id", &format!("type: page\nparent: 'id:{b_id}'\n"), BODY);
    let ran = scene.push();
    ran.ends(0, &slug, "created", None).says(&numbered, "created", None);
    let rows = scene.proves(&slug, 1, 1);
    assert_eq!(column(&scene, "post_parent", rows[0].id), wanted.to_string());
    let rows = scene.proves(&numbered, 1, 1);
    assert_eq!(column(&scene, "post_parent", rows[0].id), b_id.to_string());
}

fn a_parent_that_is_not_certain_is_refused(version: &str) {
    let scene = Scene::as_user(version, "editor");
    let (a, b, team) = (unique("a"), unique("b"), unique("team"));
    for above in [page(&scene, &a, 0), page(&scene, &b, 0)] {
        page(&scene, &team, above);
    }
    let slug = scene.article_with("two", &format!("type: page\nparent: {team}\n"), BODY);
    refused(&scene, &slug, "parent_ambiguous");
    let text = front_matter(&slug) + "type: page\nparent: nowhere-at-all\n";
    scene.project.article(&slug, &text, BODY);
    refused(&scene, &slug, "parent_missing");
}

/// Two pages of one folder, one below the other: the next run finishes.
fn a_parent_of_the_same_run_comes_first(version: &str) {
    let scene = Scene::as_user(version, "editor");
    let above = scene.article_with("above", "type: page\n", BODY);
    let below = scene.article_with("below", &format!("type: page\nparent: {above}\n"), BODY);
    let ran = scene.push();
    ran.ends(5, &above, "created", None).says(&below, "deferred", Some("parent_not_yet"));
    let ran = scene.push();
    ran.ends(0, &above, "skipped", Some("confirmed")).says(&below, "created", None);
    let parent = scene.proves(&above, 1, 1)[0].id;
    let rows = scene.proves(&below, 1, 1);
    assert_eq!(column(&scene, "post_parent", rows[0].id), parent.to_string());
}

fn meta_is_sent_in_the_type_that_the_site_wants(version: &str) {
    let scene = Scene::on(version);
    let meta = "type: lab_book\nmeta:\n  lab_pages: 321\n  lab_subtitle: \"007\"\n";
    let slug = scene.article_with("book", meta, BODY);
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.warnings(&slug), [""; 0]);
    let id = scene.proves(&slug, 1, 1)[0].id;
    assert_eq!(meta_of(&scene, id, "lab_pages"), [["321"]]);
    assert_eq!(meta_of(&scene, id, "lab_subtitle"), [["007"]]);
    let create = &scene.proxy.of_kind(Kind::Create)[0];
    let sent: Value = serde_json::from_slice(&create.body).expect("JSON");
    assert_eq!(sent["meta"], json!({ "lab_pages": 321, "lab_subtitle": "007" }));
}

fn meta_that_the_site_would_drop_is_told_before(version: &str) {
    let scene = Scene::on(version);
    let meta = "meta:\n  lab_number: \"12\"\n  nobody_knows_this: x\n";
    let slug = scene.article_with("meta", meta, BODY);
    let planned = scene.plan();
    planned.ends(0, &slug, "create", None);
    assert_eq!(planned.warnings(&slug), ["meta_not_registered"]);
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.warnings(&slug), ["meta_not_registered"]);
    let id = scene.proves(&slug, 1, 1)[0].id;
    assert_eq!(meta_of(&scene, id, "lab_number"), [["12"]]);
    // The index that preflight reads says it all: nothing more is asked for a post.
    let other = scene.proxy.of_kind(Kind::OtherGet);
    assert_eq!(other.len(), 0, "{other:#?}");
}

fn meta_that_the_site_would_refuse_is_refused_before(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_with("meta", "meta:\n  lab_number: many\n", BODY);
    refused(&scene, &slug, "meta_invalid");
}

fn author_date_format_template_and_comments(version: &str) {
    let scene = Scene::as_user(version, "admin");
    let more = "author: author2\ndate: 2031-02-03T04:05:06-05:00\nformat: aside\n\
                comment_status: closed\nexcerpt: In short\n";
    let slug = scene.article_with("fields", more, BODY);
    let planned = scene.plan();
    planned.ends(0, &slug, "create", None);
    // The site's zone is Asia/Tokyo (cases DATE-02 and DATE-05).
    let shown = "2031-02-03 18:05:06 +09:00 (Asia/Tokyo)";
    assert_eq!(planned.article(&slug)["site_date"], shown);
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.warnings(&slug), [""; 0]);
    let row = &scene.proves(&slug, 1, 1)[0];
    assert_eq!((row.author, row.status.as_str()), (scene.site.user_id("author2"), "draft"));
    assert_eq!(column(&scene, "post_date", row.id), "2031-02-03 18:05:06");
    assert_eq!(column(&scene, "post_date_gmt", row.id), "2031-02-03 09:05:06");
    assert_eq!(column(&scene, "comment_status", row.id), "closed");
    assert_eq!(column(&scene, "post_excerpt", row.id), "In short");
    let format = format!(
        "SELECT slug FROM wp_terms JOIN wp_term_taxonomy USING (term_id) JOIN \
         wp_term_relationships USING (term_taxonomy_id) WHERE object_id = {} AND taxonomy = \
         'post_format'",
        row.id
    );
    assert_eq!(scene.site.sql(&format), [["post-format-aside"]]);
    let id = scene.site.user_id("author2");
    let by_id = scene.article_with("by-id", &format!("author: 'id:{id}'\n"), BODY);
    scene.push().says(&by_id, "created", None);
    assert_eq!(scene.proves(&by_id, 1, 1)[0].author, id);
    let nobody = scene.article_with("nobody", "author: 'id:99999999'\n", BODY);
    scene.push().says(&nobody, "rejected", Some("author_missing"));
}

fn a_template_that_the_theme_does_not_have_is_rejected(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_with("template", "template: no-such-file.php\n", BODY);
    scene.push().ends(3, &slug, "rejected", Some("rest_invalid_param"));
    scene.proves(&slug, 1, 0);
}

/// Case TERM-01, and a name with a slash.
fn categories_of_one_name_under_two_parents(version: &str) {
    let scene = Scene::on(version);
    let (a, b, child) = (unique("R&D \"x\", 研究"), unique("AC/DC"), unique("Neues & Altes"));
    let category = |name: &str, parent: u64| {
        make(&scene, "categories", &json!({ "name": name, "parent": parent }))
    };
    let (a_id, b_id) = (category(&a, 0), category(&b, 0));
    let (first, second) = (category(&child, a_id), category(&child, b_id));
    let list = |names: &[String]| {
        let quoted: Vec<_> = names.iter().map(|name| json!(name).to_string()).collect();
        format!("categories: [{}]\n", quoted.join(", "))
    };
    let slug = scene.article_with("two", &list(std::slice::from_ref(&child)), BODY);
    scene.push().ends(3, &slug, "rejected", Some("category_ambiguous"));
    scene.proves_nothing_sent();
    let names = [format!("{a}/{child}"), b.clone()];
    scene.project.article(&slug, &(front_matter(&slug) + &list(&names)), BODY);
    scene.push().ends(0, &slug, "created", None);
    let id = scene.proves(&slug, 1, 1)[0].id;
    let of = |id: u64| {
        let joined = "wp_term_relationships JOIN wp_term_taxonomy USING (term_taxonomy_id)";
        let of = format!("object_id = {id} ORDER BY term_id");
        scene.site.sql(&format!("SELECT term_id FROM {joined} WHERE {of}"))
    };
    assert_eq!(of(id), [[b_id.to_string()], [first.to_string()]]);
    let other = scene.article_with("other", &list(&[format!("{b} / {child}")]), BODY);
    scene.push().says(&other, "created", None);
    assert_eq!(of(scene.proves(&other, 1, 1)[0].id), [[second.to_string()]]);
}

/// Cases TERM-04 and TERM-08: pages of terms, and no fuzzy hit.
fn a_tag_among_two_hundred_and_fifty(version: &str) {
    let scene = Scene::on(version);
    let stem = unique("tag");
    let requests: Vec<Value> = (0..250)
        .map(|n| json!({ "path": "/wp/v2/tags", "body": { "name": format!("{stem} {n}") } }))
        .map(|mut request| {
            request["method"] = json!("POST");
            request
        })
        .collect();
    for some in requests.chunks(25) {
        scene.site.rest("admin", "POST", "/batch/v1", &json!({ "requests": some }));
    }
    let tags = format!("tags: [\"{stem} 23\", \"{stem} 249\", \"{stem}\"]\n");
    let slug = scene.article_with("tags", &tags, BODY);
    scene.push().ends(0, &slug, "created", None);
    let id = scene.proves(&slug, 1, 1)[0].id;
    let names = scene.site.sql(&format!(
        "SELECT name FROM wp_terms JOIN wp_term_taxonomy USING (term_id) JOIN \
         wp_term_relationships USING (term_taxonomy_id) WHERE object_id = {id} AND taxonomy = \
         'post_tag' ORDER BY CHAR_LENGTH(name)"
    ));
    assert_eq!(names, [[stem.clone()], [format!("{stem} 23")], [format!("{stem} 249")]]);
    // Only the one that was missing was made.
    assert_eq!(scene.proxy.of_kind(Kind::TermCreate).len(), 1);
    let made = format!(
        "DELETE t, x FROM wp_terms t JOIN wp_term_taxonomy x USING (term_id) \
                        WHERE t.name LIKE '{stem}%' AND x.count = 0"
    );
    scene.site.sql(&made);
}
