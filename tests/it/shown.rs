//! What readers of a draft see of it, as the site itself renders it.
//!
//! Absent from here: what is stored (`projection`). The one rule: the page is asked of the
//! site after all its filters, and no word of the article may have become something else.

use serde_json::{Value, json};

use crate::support::http::Answer;
use crate::support::project::unique;
use crate::support::rules::{Fault, Kind};
use crate::support::scene::{BODY, Scene, on_each_version};

on_each_version!(
    a_wrapped_paragraph_has_no_line_breaks,
    code_is_shown_as_it_was_written,
    letters_of_four_bytes_are_kept,
    an_address_that_is_not_ascii_is_encoded,
    a_floating_date_is_no_reason_to_doubt,
    a_draft_that_says_something_else_is_told,
);

/// Title and content as visitors would get them.
fn rendered(scene: &Scene, id: u64) -> [String; 2] {
    let route = format!("/wp/v2/posts/{id}?context=edit&_fields=title,content");
    let said = scene.site.rest("admin", "GET", &route, &Value::Null).value();
    ["title", "content"].map(|name| said[name]["rendered"].as_str().expect("a text").to_owned())
}

/// The draft of an article with this body, by the account whose HTML is filtered.
fn shown(version: &str, body: &str) -> String {
    let scene = Scene::on(version);
    let slug = scene.article_with("shown", "", body);
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.warnings(&slug), [""; 0]);
    let [_, content] = rendered(&scene, scene.proves(&slug, 1, 1)[0].id);
    content
}

/// Case CONT-04: `wpautop` makes a `<br>` of a line break in a paragraph.
fn a_wrapped_paragraph_has_no_line_breaks(version: &str) {
    let content = shown(version, "One line\nand the next\nof one paragraph.\n\n- a\n  b\n");
    assert!(content.contains("<p>One line and the next of one paragraph.</p>"), "{content}");
    assert!(!content.contains("<br"), "{content}");
}

/// Case CONT-05: blank lines, signs of HTML, and shortcodes that WordPress knows.
fn code_is_shown_as_it_was_written(version: &str) {
    let code = "if a < b && c {\n\n    [gallery ids=\"1\"]\n\n}\n[caption]x[/caption]\n";
    let content = shown(version, &format!("```\n{code}```\n\nAlso `[gallery]` in a line.\n"));
    let (_, rest) = content.split_once("<pre><code>").expect("a block of code");
    let (block, rest) = rest.split_once("</code></pre>").expect("its end");
    assert_eq!(html_escape::decode_html_entities(block), code, "{content}");
    let inline = html_escape::decode_html_entities(rest);
    assert!(inline.contains("<code>[gallery]</code>"), "{content}");
}

/// Case CONT-07.
fn letters_of_four_bytes_are_kept(version: &str) {
    let scene = Scene::on(version);
    let slug = unique("letters");
    scene.project.article(&slug, "title: \"🏡 𢤱 &amp\"\n", "🏡 and 𢤱.\n");
    scene.loses_the_answer();
    scene.push().ends(0, &slug, "completed", None);
    let row = &scene.proves(&slug, 1, 1)[0];
    assert!(row.title.starts_with("🏡 𢤱 "), "{}", row.title);
    assert!(scene.site.content(row.id).contains("🏡 and 𢤱."));
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
}

/// Case MED-17: some sites give addresses with the letters themselves.
fn an_address_that_is_not_ascii_is_encoded(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("address");
    let with_letters = |answer: &mut Value| {
        let address = answer["source_url"].as_str().expect("an address");
        answer["source_url"] = json!(address.replace(".png", "-Gädke 写.png"));
    };
    scene.proxy.once(Kind::Upload, Fault::answer_changed(with_letters));
    scene.push().ends(0, &slug, "created", None);
    let content = scene.site.content(scene.proves(&slug, 1, 1)[0].id);
    assert!(content.contains("-G%C3%A4dke%20%E5%86%99.png\""), "{content}");
    scene.proves_media(&picture, 1, 1);
}

/// Case DATE-03: a draft without a date has another one each day, which says nothing.
fn a_floating_date_is_no_reason_to_doubt(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_in_doubt("floating");
    let id = scene.proves(&slug, 1, 1)[0].id;
    scene.site.sql(&format!(
        "UPDATE wp_posts SET post_date = '2001-02-03 04:05:06', post_date_gmt = \
         '0000-00-00 00:00:00' WHERE ID = {id}"
    ));
    let ran = scene.push();
    ran.ends(0, &slug, "completed", None);
    assert_eq!(ran.warnings(&slug), [""; 0]);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
}

/// Cases CONT-03 and CONT-08: what the site echoes is another text. The receipt stands by
/// its id, and a person is told.
fn a_draft_that_says_something_else_is_told(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_with("other", "", BODY);
    let other = |answer: &mut Value| answer["content"]["raw"] = json!("<p>Remains.</p>");
    scene.proxy.once(Kind::Create, Fault::answer_changed(other));
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.warnings(&slug), ["content_changed"]);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    // The same words in an answer that is none, too.
    let broken = Answer::html(502, "Remains.");
    let second = scene.article("other");
    scene.proxy.once(Kind::Create, Fault::answer_replaced(broken));
    scene.push().says(&second, "completed", None);
    scene.proves(&slug, 1, 1);
    scene.proves(&second, 1, 1);
}
