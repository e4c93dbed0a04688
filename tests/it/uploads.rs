//! Images: one upload per content, and no post before every image is proved stored.
//!
//! Absent from here: crashes in uploads (`crashes`). The one rule: count the uploads
//! that arrived and the attachments in the database, and look that no post was made too
//! early.

use serde_json::json;

use crate::support::http::Answer;
use crate::support::project::unique;
use crate::support::rules::{Fault, Give, Kind, Take};
use crate::support::scene::{BODY, Scene, on_each_version};

on_each_version!(
    the_answer_is_lost_and_the_picture_is_found,
    the_answer_breaks_off,
    a_warning_before_the_answer,
    php_dies_while_it_makes_the_sizes,
    php_dies_silently_while_it_makes_the_sizes,
    a_gateway_gives_up_on_an_upload_that_never_arrived,
    a_large_upload_is_cut_in_its_middle,
    a_type_that_the_site_refuses,
    one_picture_used_twice_is_uploaded_once,
    one_picture_of_two_articles_is_uploaded_once,
    one_picture_from_two_machines_is_uploaded_once,
    one_picture_of_two_people,
    one_of_two_uploads_is_in_doubt,
    a_picture_that_is_missing_blocks_its_article,
    an_upload_never_takes_an_articles_slug,
    a_text_edit_after_a_rejection_uploads_nothing_again,
);

/// The picture is stored, whatever the answer says.
fn found_in_spite_of(version: &str, fault: Fault) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("upload");
    scene.proxy.once(Kind::Upload, fault);
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.article(&slug)["media"][0]["outcome"], "completed");
    scene.proves(&slug, 1, 1);
    let rows = scene.proves_media(&picture, 1, 1);
    assert_eq!(ran.article(&slug)["media"][0]["attachment_id"], rows[0].id);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
    scene.proves_media(&picture, 1, 1);
}

fn the_answer_is_lost_and_the_picture_is_found(version: &str) {
    found_in_spite_of(version, Fault::answer_lost());
}

fn the_answer_breaks_off(version: &str) {
    found_in_spite_of(version, Fault::answer_cut(Give::HalfTheBody));
}

/// Case MED-09: the object is in the answer, but the answer is no JSON. What came stands in
/// the run's log, for who has to look.
fn a_warning_before_the_answer(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("warning");
    scene.proxy.once(Kind::Upload, Fault::lab("warning-before-json"));
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.article(&slug)["media"][0]["outcome"], "completed");
    scene.proves(&slug, 1, 1);
    let id = scene.proves_media(&picture, 1, 1)[0].id;
    let logs = scene.project.journal();
    let mut lines = logs.iter().filter(|(path, _)| path.extension().is_some_and(|e| e == "ndjson"));
    let about = |line: &&str| line.contains("\"POST\"") && line.contains("\"wp/v2/media\"");
    let told = lines.find_map(|(_, log)| log.lines().find(about)).expect("a line in the log");
    assert!(told.contains("201, "), "{told}");
    assert!(told.contains(&format!("x-wp-upload-attachment-id: {id}")), "{told}");
}

/// PHP dies between the attachment and its smaller sizes: the picture is found, and
/// the sizes are made afterwards.
fn sizes_are_finished_after(version: &str, fault: &str) {
    let scene = Scene::on(version);
    let picture = unique("pic");
    scene.project.picture_with_sizes(&format!("{picture}.png"));
    let slug = scene.article_with("sizes", "", &format!("![A picture]({picture}.png)"));
    scene.proxy.once(Kind::Upload, Fault::lab(fault));
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.article(&slug)["media"][0]["outcome"], "completed");
    scene.proves(&slug, 1, 1);
    let id = scene.proves_media(&picture, 1, 1)[0].id;
    assert_eq!(scene.proxy.of_kind(Kind::PostProcess).len(), 1);
    let thumbnails = scene.site.sql(&format!(
        "SELECT COUNT(*) FROM wp_postmeta WHERE post_id = {id} \
         AND meta_key = '_wp_attachment_metadata' AND meta_value LIKE '%\"thumbnail\"%'"
    ));
    assert_eq!(thumbnails, [["1"]]);
}

/// Case MED-06.
fn php_dies_while_it_makes_the_sizes(version: &str) {
    sizes_are_finished_after(version, "die-in-image-sizes");
}

fn php_dies_silently_while_it_makes_the_sizes(version: &str) {
    sizes_are_finished_after(version, "die-in-image-sizes-silent");
}

fn a_gateway_gives_up_on_an_upload_that_never_arrived(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("gateway");
    let page = Answer::html(504, "Gateway Time-out");
    scene.proxy.once(Kind::Upload, Fault::answered_before_the_site(page));
    scene.push().ends(4, &slug, "held", Some("media_unknown"));
    scene.push().ends(4, &slug, "held", Some("media_unknown"));
    scene.proves(&slug, 0, 0);
    scene.proves_media(&picture, 1, 0);
}

/// More than what a kernel takes off a client's hands unread.
const LARGE_BYTES: usize = 7_500_000;

fn a_large_upload_is_cut_in_its_middle(version: &str) {
    let scene = Scene::on(version);
    let picture = unique("large");
    scene.project.large_picture(&format!("{picture}.png"), LARGE_BYTES);
    let body = format!("{BODY}\n\n![Large]({picture}.png)");
    let slug = scene.article_with("large", "", &body);
    // The whole body was never handed over, so nothing can have been stored, whether
    // the site got the first part or not.
    for (uploads, take) in [(1, Take::Some(64 * 1024)), (2, Take::SomeAndForward(64 * 1024))] {
        scene.proxy.once(Kind::Upload, Fault::request_cut(take));
        scene.push().ends(5, &slug, "deferred", Some("not_sent"));
        scene.proves(&slug, 0, 0);
        scene.proves_media(&picture, uploads, 0);
    }
    scene.push().ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
    scene.proves_media(&picture, 3, 1);
}

fn a_type_that_the_site_refuses(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("refused");
    // Measured on all versions: a refusal, though it says 500.
    let refusal = json!({
        "code": "rest_upload_sideload_error",
        "message": "Sorry, you are not allowed to upload this file type.",
        "data": {"status": 500},
    });
    scene.proxy.once(Kind::Upload, Fault::answered_before_the_site(Answer::json(500, &refusal)));
    scene.push().ends(3, &slug, "rejected", Some("media_type_refused"));
    scene.proves(&slug, 0, 0);
    scene.proves_media(&picture, 1, 0);
}

/// Case MED-03.
fn one_picture_used_twice_is_uploaded_once(version: &str) {
    let scene = Scene::on(version);
    let picture = unique("pic");
    scene.project.picture(&format!("{picture}.png"));
    let bytes = std::fs::read(scene.project.path().join(format!("articles/{picture}.png")));
    // The same content under another name is the same picture.
    scene.project.write(&format!("articles/copy-of-{picture}.png"), bytes.expect("the picture"));
    let front = format!("featured_image: {picture}.png\n");
    let body = format!("{BODY}\n\n![One]({picture}.png) ![Two](copy-of-{picture}.png)");
    let slug = scene.article_with("twice", &front, &body);
    scene.push().ends(0, &slug, "created", None);
    let post = scene.proves(&slug, 1, 1)[0].id;
    let attachment = scene.site.sql(&format!(
        "SELECT meta_value FROM wp_postmeta WHERE post_id = {post} AND meta_key = '_thumbnail_id'"
    ));
    assert_eq!(scene.proxy.of_kind(Kind::Upload).len(), 1);
    let shown = scene.site.content(post).matches("/wp-content/uploads/").count();
    assert_eq!((attachment.len(), shown), (1, 2));
}

/// Case MED-04.
fn one_picture_of_two_articles_is_uploaded_once(version: &str) {
    let scene = Scene::on(version);
    let (first, picture) = scene.article_with_picture("shared-a");
    let body = format!("{BODY}\n\n![The same]({picture}.png)");
    let second = scene.article_with("shared-b", "", &body);
    let ran = scene.push();
    ran.says(&first, "created", None).says(&second, "created", None).exits(0);
    scene.proves(&first, 1, 1);
    scene.proves(&second, 1, 1);
    scene.proves_media(&picture, 1, 1);

    let third = scene.article_with("shared-c", "", &body);
    scene.push().says(&third, "created", None).exits(0);
    scene.proves(&third, 1, 1);
    scene.proves_media(&picture, 1, 1);
}

/// The same picture in another folder, without the first one's journal.
fn the_same_picture_elsewhere(here: &Scene, there: &Scene, picture: &str) -> String {
    let name = format!("articles/{picture}.png");
    let bytes = std::fs::read(here.project.path().join(&name)).expect("the picture");
    there.project.write(&name, bytes);
    there.article_with("elsewhere", "", &format!("{BODY}\n\n![The same]({picture}.png)"))
}

fn one_picture_from_two_machines_is_uploaded_once(version: &str) {
    let (here, there) = (Scene::on(version), Scene::on(version));
    let (first, picture) = here.article_with_picture("here");
    here.push().ends(0, &first, "created", None);
    let second = the_same_picture_elsewhere(&here, &there, &picture);
    let ran = there.push();
    ran.ends(0, &second, "created", None);
    assert_eq!(ran.article(&second)["media"][0]["outcome"], "skipped");
    here.proves(&first, 1, 1);
    there.proves(&second, 1, 1);
    there.proves_media(&picture, 0, 1);
}

/// Case MED-24.
fn one_picture_of_two_people(version: &str) {
    let (here, there) = (Scene::on(version), Scene::as_user(version, "author2"));
    let (first, picture) = here.article_with_picture("here");
    here.push().ends(0, &first, "created", None);
    let second = the_same_picture_elsewhere(&here, &there, &picture);
    there.push().ends(0, &second, "created", None);
    here.proves(&first, 1, 1);
    there.proves(&second, 1, 1);
}

/// Case MED-02.
fn one_of_two_uploads_is_in_doubt(version: &str) {
    let scene = Scene::on(version);
    let (one, two) = (unique("pic"), unique("pic"));
    for picture in [&one, &two] {
        scene.project.picture(&format!("{picture}.png"));
    }
    let body = format!("{BODY}\n\n![One]({one}.png)\n\n![Two]({two}.png)");
    let slug = scene.article_with("two", "", &body);
    scene.proxy.nth(Kind::Upload, 2, Fault::answer_lost());
    scene.hides_media();
    scene.push().ends(4, &slug, "held", Some("media_unknown"));
    scene.goes_well_again();
    scene.proves(&slug, 0, 0);
    scene.push().ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
    scene.proves_media(&one, 2, 1);
    scene.proves_media(&two, 2, 1);
}

/// Case IMG-09.
fn a_picture_that_is_missing_blocks_its_article(version: &str) {
    let scene = Scene::on(version);
    let body = format!("{BODY}\n\n![Not there](missing.png)");
    let bad = scene.article_with("missing", "", &body);
    let good = scene.article("good");
    let ran = scene.push();
    ran.says(&bad, "invalid", Some("check_failed")).says(&good, "created", None).exits(3);
    scene.proves(&bad, 0, 0);
    scene.proves(&good, 1, 1);
}

fn an_upload_never_takes_an_articles_slug(version: &str) {
    let scene = Scene::on(version);
    let slug = unique("same-name");
    scene.project.picture(&format!("{slug}.png"));
    let front = format!("title: \"About {slug}\"\n");
    scene.project.article(&slug, &front, &format!("![The picture]({slug}.png)"));
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert!(ran.warnings(&slug).is_empty());
    assert_eq!(scene.proves(&slug, 1, 1)[0].slug, slug);
    let attachment = &scene.proves_media(&slug, 1, 1)[0];
    assert_ne!(attachment.slug, slug);
}

/// Case MED-05.
fn a_text_edit_after_a_rejection_uploads_nothing_again(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("edit");
    let refusal = Answer::html(413, "Request Entity Too Large");
    scene.proxy.once(Kind::Create, Fault::answered_before_the_site(refusal));
    scene.push().ends(3, &slug, "rejected", Some("http_413"));
    scene.edit(&slug);
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.article(&slug)["media"][0]["outcome"], "skipped");
    scene.proves(&slug, 2, 1);
    scene.proves_media(&picture, 1, 1);
}
