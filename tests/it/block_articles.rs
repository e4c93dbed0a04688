//! Articles as blocks: what the sites store holds the ids that they gave, and comes
//! through their filters.
//!
//! Absent from here: whether blocks are valid, which `scripts/blocks` asks the editors.
//! The one rule: compare the stored content, byte for byte where nothing filters it.

use std::path::Path;

use serde_json::Value;

use crate::support::project::unique;
use crate::support::scene::{Scene, on_each_version};

on_each_version!(
    pictures_in_blocks_get_their_ids,
    one_project_as_blocks_and_one_article_as_html,
    blocks_of_an_author_are_found_again,
);

/// The path of the address that the site gave to an attachment.
fn path(scene: &Scene, id: u64) -> String {
    let answer = scene.site.rest("admin", "GET", &format!("/wp/v2/media/{id}"), &Value::Null);
    let value = answer.value();
    let address = value["source_url"].as_str().expect("an address");
    url::Url::parse(address).expect("an address").path().to_owned()
}

/// Case MED-25.
fn pictures_in_blocks_get_their_ids(version: &str) {
    let scene = Scene::as_user(version, "admin");
    let (one, two) = (unique("pic"), unique("pic"));
    scene.project.picture(&format!("{one}.png"));
    scene.project.picture(&format!("{two}.png"));
    let body = format!(
        "![One]({one}.png \"Its -- caption\")\n\nText ![two]({two}.png) and ![one]({one}.png).\n"
    );
    let slug = scene.article_with("blocks", "body_format: blocks\n", &body);
    scene.push().ends(0, &slug, "created", None);
    let id = scene.proves(&slug, 1, 1)[0].id;
    let [first, second] = [&one, &two].map(|stem| scene.site.attachments(stem)[0].id);
    let [first_at, second_at] = [first, second].map(|id| path(&scene, id));
    // Sent through a proxy, the site takes the proxy's address for its own.
    assert_eq!(
        scene.site.content(id).replace(scene.proxy.url().trim_end_matches('/'), ""),
        format!(
            "<!-- wp:image {{\"id\":{first},\"sizeSlug\":\"full\",\"linkDestination\":\"none\"}} -->\n\
             <figure class=\"wp-block-image size-full\"><img src=\"{first_at}\" alt=\"One\" \
             class=\"wp-image-{first}\"/><figcaption class=\"wp-element-caption\">Its -- caption\
             </figcaption></figure>\n<!-- /wp:image -->\n\n<!-- wp:paragraph -->\n<p>Text <img \
             src=\"{second_at}\" alt=\"two\" class=\"wp-image-{second}\"/> and <img \
             src=\"{first_at}\" alt=\"one\" class=\"wp-image-{first}\"/>.</p>\n\
             <!-- /wp:paragraph -->\n"
        )
    );
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
}

fn one_project_as_blocks_and_one_article_as_html(version: &str) {
    let scene = Scene::on(version);
    let silent = scene.article_with("blocks", "", "Some text.\n");
    let html = scene.article_with("html", "body_format: html\n", "Some text.\n");
    let env = [("ONCEPRESS_ARTICLES_FORMAT", "blocks")];
    let ran = scene.run_with(&["push", "--json"], &env);
    ran.ends(0, &silent, "created", None);
    let stored = |slug: &str| scene.site.content(scene.proves(slug, 1, 1)[0].id);
    assert_eq!(
        stored(&silent),
        "<!-- wp:paragraph -->\n<p>Some text.</p>\n<!-- /wp:paragraph -->\n"
    );
    assert_eq!(stored(&html), "<p>Some text.</p>\n");
}

/// The filters for authors rewrite the settings of blocks and some of the text; what is
/// stored is still known to be what was sent, when the answer was lost.
fn blocks_of_an_author_are_found_again(version: &str) {
    let scene = Scene::as_user(version, "author");
    for name in ["a.png", "b.png", "c.png", "my picture (1).png"] {
        scene.project.picture(name);
    }
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/blocks");
    for name in [
        "text",
        "lists",
        "quotes",
        "code",
        "tables",
        "images",
        "footnotes",
        "agent",
        "vault",
        "generator",
    ] {
        let body = std::fs::read_to_string(fixtures.join(name).with_extension("md")).unwrap();
        let slug = scene.article_with(name, "body_format: blocks\n", &body);
        scene.loses_the_answer();
        let ran = scene.push();
        ran.ends(0, &slug, "completed", None);
        scene.proves(&slug, 1, 1);
    }
}
