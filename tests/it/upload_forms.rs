//! The forms that an upload takes: sizes made with it, sizes made afterwards (7.1), large
//! photos that the site makes smaller, and files with words of their camera.
//!
//! Absent from here: plain pictures (`uploads`). The one rule: whatever is lost on the
//! way, there is one upload and one attachment, and the sizes are there or are spoken of.

use crate::support::http::Answer;
use crate::support::jpeg::{CAMERA_TEXT, Words, jpeg};
use crate::support::project::unique;
use crate::support::rules::{Fault, Kind};
use crate::support::scene::{Scene, on_each_version};

on_each_version!(
    sizes_are_made_in_one_step_or_two,
    the_answer_to_the_first_step_is_lost,
    the_answer_to_the_first_step_is_lost_and_found_later,
    the_answer_to_the_second_step_is_lost,
    the_second_step_fails,
    a_crash_between_the_steps,
    a_large_photo_whose_answer_is_lost,
    words_of_a_camera_stay_in_the_file,
);

/// An article with a PNG of which the site makes smaller sizes; slug and picture.
fn article_with_sizes(scene: &Scene) -> (String, String) {
    let picture = unique("pic");
    scene.project.picture_with_sizes(&format!("{picture}.png"));
    let slug = scene.article_with("sizes", "", &format!("![A picture]({picture}.png)"));
    (slug, picture)
}

/// How many requests for sizes are due for a PNG that needs them.
fn steps(scene: &Scene) -> usize {
    usize::from(scene.site.version() == "7.1")
}

fn has_sizes(scene: &Scene, picture: &str) -> bool {
    let id = scene.proves_media(picture, 1, 1)[0].id;
    let rows = scene.site.sql(&format!(
        "SELECT COUNT(*) FROM wp_postmeta WHERE post_id = {id} \
         AND meta_key = '_wp_attachment_metadata' AND meta_value LIKE '%\"thumbnail\"%'"
    ));
    rows[0][0] == "1"
}

/// The article is there once, its picture too, and asking again changes nothing.
fn is_whole(scene: &Scene, slug: &str, picture: &str) {
    scene.proves(slug, 1, 1);
    assert!(has_sizes(scene, picture));
    let asked = scene.proxy.of_kind(Kind::PostProcess).len();
    scene.push().ends(0, slug, "skipped", Some("confirmed"));
    assert_eq!(scene.proxy.of_kind(Kind::PostProcess).len(), asked);
    scene.proves(slug, 1, 1);
    scene.proves_media(picture, 1, 1);
}

fn sizes_are_made_in_one_step_or_two(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = article_with_sizes(&scene);
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert!(ran.warnings(&slug).is_empty());
    assert_eq!(scene.proxy.of_kind(Kind::PostProcess).len(), steps(&scene));
    is_whole(&scene, &slug, &picture);
}

fn the_answer_to_the_first_step_is_lost(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = article_with_sizes(&scene);
    scene.loses_the_upload_answer();
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.article(&slug)["media"][0]["outcome"], "completed");
    is_whole(&scene, &slug, &picture);
}

fn the_answer_to_the_first_step_is_lost_and_found_later(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = article_with_sizes(&scene);
    scene.loses_the_upload_answer();
    scene.hides_media();
    scene.push().ends(4, &slug, "held", Some("media_unknown"));
    scene.proves(&slug, 0, 0);
    scene.goes_well_again();
    scene.push().ends(0, &slug, "created", None);
    is_whole(&scene, &slug, &picture);
}

fn the_answer_to_the_second_step_is_lost(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = article_with_sizes(&scene);
    scene.proxy.in_case(Kind::PostProcess, Fault::answer_lost());
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    // Nobody said that they are made.
    let expected: &[&str] = if steps(&scene) == 1 { &["sizes_missing"] } else { &[] };
    assert_eq!(ran.warnings(&slug), expected);
    assert_eq!(scene.proxy.of_kind(Kind::PostProcess).len(), steps(&scene));
    is_whole(&scene, &slug, &picture);
}

fn the_second_step_fails(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = article_with_sizes(&scene);
    let page = Answer::html(500, "Out of memory");
    scene.proxy.in_case(Kind::PostProcess, Fault::answered_before_the_site(page));
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    let expected: &[&str] = if steps(&scene) == 1 { &["sizes_missing"] } else { &[] };
    assert_eq!(ran.warnings(&slug), expected);
    assert_eq!(scene.proxy.of_kind(Kind::PostProcess).len(), steps(&scene));
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
    assert_eq!(has_sizes(&scene, &picture), expected.is_empty());
}

fn a_crash_between_the_steps(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = article_with_sizes(&scene);
    scene.push_and_crash_at("upload.after-confirmed");
    scene.unlock_after_a_crash();
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert!(ran.warnings(&slug).is_empty());
    is_whole(&scene, &slug, &picture);
}

/// 40 megapixels: the site keeps the file and shows a smaller one, `-scaled` (MED-13).
fn a_large_photo_whose_answer_is_lost(version: &str) {
    let scene = Scene::on(version);
    let picture = unique("photo");
    scene.project.write(&format!("articles/{picture}.jpg"), jpeg(7_304, 5_480, Words::None));
    let slug = scene.article_with("photo", "", &format!("![A photo]({picture}.jpg)"));
    scene.loses_the_upload_answer();
    scene.hides_media();
    scene.push().ends(4, &slug, "held", Some("media_unknown"));
    scene.proves(&slug, 0, 0);
    scene.goes_well_again();
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.article(&slug)["media"][0]["outcome"], "completed");
    let content = scene.site.content(scene.proves(&slug, 1, 1)[0].id);
    assert!(content.contains("-scaled.jpg"), "{content}");
    is_whole(&scene, &slug, &picture);
}

/// A file of 60 megabytes goes up from a process that may not have 50 of its own.
#[test]
fn a_large_file_is_never_held_whole() {
    let scene = Scene::on("6.8");
    let settings = scene.project.read("oncepress.toml");
    scene.project.write("oncepress.toml", settings + "\n[media]\nimage_bytes_max = 100000000\n");
    let picture = unique("large");
    scene.project.large_picture(&format!("{picture}.png"), 60_000_000);
    let slug = scene.article_with("large", "", &format!("![Large]({picture}.png)"));
    let ran = scene.run_in_shell("ulimit -d 50000", &["push", "--json"]);
    ran.ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
    scene.proves_media(&picture, 1, 1);
}

/// Without a caption of ours WordPress takes the one in the file, which nobody meant to
/// publish.
fn words_of_a_camera_stay_in_the_file(version: &str) {
    let scene = Scene::on(version);
    let picture = unique("camera");
    let file = jpeg(400, 300, Words::OfACamera);
    scene.project.write(&format!("articles/{picture}.jpg"), file.clone());
    let slug = scene.article_with("camera", "", &format!("![A photo]({picture}.jpg)"));
    scene.push().ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
    let texts = |id: u64| {
        let query = "SELECT post_title, post_excerpt, post_content FROM wp_posts WHERE ID";
        scene.site.sql(&format!("{query} = {id}"))[0].join("|")
    };
    let id = scene.proves_media(&picture, 1, 1)[0].id;
    assert_eq!(texts(id), format!("{picture}||"));
    // The very file, as any other tool would upload it: the words are really in it.
    let name = unique("foreign");
    let id = scene.site.upload("author", &format!("{name}.jpg"), "image/jpeg", &file);
    assert!(texts(id).contains(CAMERA_TEXT), "{}", texts(id));
    scene.site.delete("media", id);
}
