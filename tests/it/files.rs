//! Files of every kind and in every place: each arrives once, and no local path does.
//!
//! Absent from here: accidents on the way, which are the same for all files (`uploads`).
//! The one rule: what a site stored is asked of its database.

use crate::samples::sample;
use crate::support::project::{png, random_bytes, unique};
use crate::support::rules::Kind;
use crate::support::scene::{Scene, on_each_version};

on_each_version!(
    every_place_that_shows_a_file,
    one_file_in_many_places_is_uploaded_once,
    names_of_files_are_ours_and_titles_are_theirs,
    svg_is_refused_by_the_site,
    avif_is_taken_or_refused_by_the_site,
    what_the_site_takes_out_is_told_to_those_it_is_taken_from,
);

/// A file of this kind that nobody else has.
fn own(kind: &str) -> Vec<u8> {
    sample(kind, &random_bytes::<8>())
}

/// A scene in which these kinds are allowed, and these files lie beside the articles.
fn with_files(version: &str, user: &str, allow: &str, files: &[(&str, Vec<u8>)]) -> Scene {
    let scene = Scene::as_user(version, user);
    let config = scene.project.read("oncepress.toml");
    scene.project.write("oncepress.toml", format!("{config}\n[media]\nallow = {allow}\n"));
    for (name, bytes) in files {
        scene.project.write(&format!("articles/{name}"), bytes);
    }
    scene
}

/// The content of the one post that was created, and the addresses in it.
fn created(scene: &Scene, slug: &str) -> String {
    let ran = scene.push();
    ran.ends(0, slug, "created", None);
    let id = ran.article(slug)["post_id"].as_u64().expect("an id");
    scene.site.content(id)
}

fn every_place_that_shows_a_file(version: &str) {
    let names = ["a", "b", "c", "d", "e"].map(unique);
    let [small, large, poster, featured, linked] = &names;
    let mut files: Vec<(String, Vec<u8>)> =
        names.iter().map(|name| (format!("{name}.png"), png(8, 0))).collect();
    let more = [
        ("film.mp4", own("mp4")),
        ("film.webm", own("webm")),
        ("sound.mp3", own("mp3")),
        ("paper.pdf", own("pdf")),
    ];
    files.extend(more.map(|(name, bytes)| (name.to_owned(), bytes)));
    let files: Vec<(&str, Vec<u8>)> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
    let scene = with_files(version, "editor", "[\"pdf\", \"mp4\", \"webm\", \"mp3\"]", &files);
    let body = format!(
        "<figure><img src=\"{small}.png\" srcset=\"{small}.png 1x,{large}.png 2x\" alt=\"A\"></figure>\n\
         <video controls src='film.mp4#t=1' poster={poster}.png></video>\n\
         <video><source src=film.webm></video> <audio src=\"sound.mp3\"></audio>\n\
         <p><a href=\"paper.pdf#page=2\">paper</a> <a href='./{linked}.png?x=1'>picture</a></p>\n\
         <pre>&lt;img src=\"{small}.png\"&gt;</pre>"
    );
    let slug = unique("places");
    let head = format!("---\ntitle: Places\nfeatured_image: {featured}.png\n---\n");
    scene.project.write(&format!("articles/{slug}.html"), head + &body);
    let content = created(&scene, &slug);
    assert_eq!(scene.proxy.of_kind(Kind::Upload).len(), 9, "{content}");
    let addresses: Vec<&str> = content
        .split("http://")
        .skip(1)
        .filter_map(|rest| rest.split(['"', '\'', ' ', '#']).next())
        .collect();
    assert_eq!(addresses.len(), 9, "{content}");
    assert!(content.contains(".mp4#t=1'") && content.contains(".pdf#page=2\""), "{content}");
    // With the addresses taken out, what is left is what was written, its places taken out.
    let shown = format!("{small}.png\"&gt;");
    assert!(content.ends_with(&format!("<pre>&lt;img src=\"{shown}</pre>")), "{content}");
    assert_eq!(content.matches(".png 1x,http://").count(), 1, "{content}");
    assert!(!content.contains("\"./") && !content.contains("=film"), "{content}");
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
}

fn one_file_in_many_places_is_uploaded_once(version: &str) {
    let bytes = own("pdf");
    let files = [("one.pdf", bytes.clone()), ("two.pdf", bytes)];
    let scene = with_files(version, "author", "[\"pdf\"]", &files);
    let body = "[one](one.pdf) and [two](two.pdf#page=3)\n\n<a href=one.pdf>again</a>";
    let (here, there) =
        (scene.article_with("twice", "", body), scene.article_with("thrice", "", body));
    let ran = scene.push();
    ran.says(&here, "created", None);
    ran.says(&there, "created", None);
    scene.proves(&here, 1, 1);
    scene.proves(&there, 1, 1);
    assert_eq!(scene.proxy.of_kind(Kind::Upload).len(), 1);
}

/// Cases MED-14 and MED-16: names that sites store each in their own way.
fn names_of_files_are_ours_and_titles_are_theirs(version: &str) {
    let names = ["Fête & co (1)+50%.jpg", "写真.jpg", "ÄÖ.jpg", "a;b\"c'.jpg", "ein Bild.JPEG"];
    let files = names.map(|name| (name, own("jpg")));
    let scene = with_files(version, "author", "[]", &files);
    let shown = names.map(|name| format!("![x](<{}>)\n\n", name.replace('%', "%25"))).concat();
    let slug = scene.article_with("names", "", &shown);
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.warnings(&slug), [""; 0]);
    scene.proves(&slug, 1, 1);
    let media = ran.article(&slug)["media"].as_array().expect("a list");
    let ascii = ["fete-co-1-50-", "xie-zhen-", "ao-", "a-b-c-", "ein-bild-"];
    assert_eq!(media.len(), names.len());
    for ((said, name), stem) in media.iter().zip(names).zip(ascii) {
        let id = said["attachment_id"].as_u64().expect("an id");
        assert_eq!(said["path"], format!("articles/{name}"));
        let row = scene.site.sql(&format!(
            "SELECT post_title, post_name, meta_value FROM wp_posts JOIN wp_postmeta ON post_id = \
             ID AND meta_key = '_wp_attached_file' WHERE ID = {id}"
        ));
        let [title, stored, file] = row[0].as_slice() else { panic!("{row:?}") };
        let written = name.rsplit_once('.').map_or(name, |(title, _)| title);
        // WordPress keeps titles of authors with their signs written out.
        assert_eq!(html_escape::decode_html_entities(title), written);
        assert!(stored.starts_with(stem) && file.ends_with(&format!("/{stored}.jpg")), "{row:?}");
    }
}

/// Case MED-10, where nothing is between us and the site.
fn svg_is_refused_by_the_site(version: &str) {
    let scene = with_files(version, "editor", "[\"svg\"]", &[("d.svg", own("svg"))]);
    let slug = scene.article_with("drawing", "", "![A drawing](d.svg)");
    scene.push().ends(3, &slug, "rejected", Some("media_type_refused"));
    scene.proves(&slug, 0, 0);
}

fn avif_is_taken_or_refused_by_the_site(version: &str) {
    let scene = with_files(version, "author", "[]", &[("dot.avif", own("avif"))]);
    let slug = scene.article_with("avif", "", "![A dot](dot.avif)");
    let ran = scene.push();
    assert_eq!(ran.article(&slug)["warnings"][0]["code"], "image_avif");
    if version == "6.1" {
        ran.ends(3, &slug, "rejected", Some("media_type_refused"));
        scene.proves(&slug, 0, 0);
    } else {
        ran.ends(0, &slug, "created", None);
        scene.proves(&slug, 1, 1);
    }
}

/// Cases CONT-01, CONT-02 and CONT-03.
fn what_the_site_takes_out_is_told_to_those_it_is_taken_from(version: &str) {
    let parts = [
        "script",
        "style",
        "iframe",
        "form",
        "input",
        "select",
        "option",
        "datalist",
        "output",
        "embed",
        "picture",
        "source",
        "svg",
        "canvas",
        "template",
        "noscript",
        "center",
        "marquee",
        "my-element",
    ];
    // With these the whole declaration goes (case CONT-02).
    let functions = ["rgb", "rgba", "hsl", "hsla", "oklch", "blur", "image-set"];
    let styled = |name: &&str| format!("<p style=\"color:{name}(1)\">x</p>\n");
    let html = parts.map(|tag| format!("<{tag}>x</{tag}>\n")).concat()
        + &functions.iter().map(styled).collect::<String>();
    let html = format!(
        "{html}<img src=\"https://example.com/a.png\" srcset=\"https://example.com/b.png 2x\">\n\
         <p onclick=\"x()\">x</p><details><summary>x</summary>x</details>"
    );
    for user in ["author", "editor"] {
        let scene = Scene::as_user(version, user);
        let slug = unique("filtered");
        scene
            .project
            .write(&format!("articles/{slug}.html"), format!("---\ntitle: A\n---\n{html}"));
        let planned = scene.plan();
        let ran = scene.push();
        ran.ends(0, &slug, "created", None);
        let told = |said: &serde_json::Value| -> Vec<String> {
            let warnings = said["warnings"].as_array().expect("a list");
            let filtered = warnings.iter().filter(|warning| warning["code"] == "html_filtered");
            filtered.map(|warning| warning["message"].as_str().expect("words").to_owned()).collect()
        };
        scene.proves(&slug, 1, 1);
        let said = told(ran.article(&slug));
        assert_eq!(told(planned.article(&slug)), said);
        let id = ran.article(&slug)["post_id"].as_u64().expect("an id");
        let stored = scene.site.content(id);
        let tags = parts.map(|tag| format!("<{tag}>"));
        let attributes = [" srcset=", " onclick="].map(str::to_owned);
        for part in tags.iter().chain(&attributes) {
            let name = part.trim_matches([' ', '=']);
            assert_eq!(stored.contains(part.as_str()), user == "editor", "{part}: {stored}");
            let spoken = said.iter().any(|message| message.contains(&format!("{name} is taken")));
            assert_eq!(spoken, user == "author", "{part}: {said:?}");
        }
        for name in functions {
            assert_eq!(stored.contains(&format!("color:{name}(")), user == "editor", "{stored}");
            let told = format!(": {name}() in a style attribute is taken");
            let spoken = said.iter().any(|message| message.contains(&told));
            assert_eq!(spoken, user == "author", "{name}: {said:?}");
        }
        assert!(stored.contains("<details><summary>"), "{stored}");
        let count = parts.len() + functions.len() + 2;
        assert!(said.len() == if user == "author" { count } else { 0 }, "{said:?}");
    }
}
