//! C1 to C6: the process dies by SIGKILL at each point of a send, and is run again.
//!
//! Absent from here: lost answers without a crash (`scenes`). The one rule: after a
//! crash the record may not know what the site knows, so what is on the site is asserted
//! before the rerun and after it.

use crate::support::rules::{Fault, Gate, Kind};
use crate::support::scene::{Scene, on_each_version};

on_each_version!(
    c1_before_the_sending_record,
    c2_after_the_sending_record,
    c3_after_the_site_has_committed,
    c3_and_the_draft_is_not_visible,
    c3_by_a_kill_while_the_answer_is_on_its_way,
    c4_while_confirming,
    c5_after_confirmed,
    c6_prepared_and_then_edited,
    c1_of_an_upload,
    c2_of_an_upload,
    c3_of_an_upload,
    c3_of_an_upload_that_is_not_visible,
    c4_of_an_upload,
    c5_of_an_upload,
    the_second_of_two_articles_crashes,
    two_crashes_before_the_send,
    two_crashes_around_one_send,
    two_crashes_of_upload_and_article,
    a_crash_while_looking_for_what_a_crash_left,
    a_crash_while_completing_what_a_crash_left,
    a_crash_while_completing_an_upload,
);

fn c1_before_the_sending_record(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("c1");
    scene.push_and_crash_at("article.before-sending-record");
    scene.proves(&slug, 0, 0);
    scene.unlock_after_a_crash();
    scene.push().ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
}

fn c2_after_the_sending_record(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("c2");
    scene.push_and_crash_at("article.after-sending-record");
    scene.proves(&slug, 0, 0);
    scene.unlock_after_a_crash();
    // The record is the same as after C3, so it may not be sent.
    scene.push().ends(4, &slug, "held", Some("not_found"));
    scene.push().ends(4, &slug, "held", Some("not_found"));
    scene.proves(&slug, 0, 0);
}

fn c3_after_the_site_has_committed(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("c3");
    scene.push_and_crash_at("article.after-answer");
    scene.proves(&slug, 1, 1);
    scene.unlock_after_a_crash();
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

fn c3_and_the_draft_is_not_visible(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("c3");
    scene.push_and_crash_at("article.after-answer");
    scene.unlock_after_a_crash();
    scene.hides_drafts();
    scene.push().ends(4, &slug, "held", Some("not_found"));
    scene.proves(&slug, 1, 1);
    scene.goes_well_again();
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

fn c3_by_a_kill_while_the_answer_is_on_its_way(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("c3");
    let gate = Gate::new();
    scene.proxy.once(Kind::Create, Fault::held_at(&gate));
    let mut run = scene.spawn(&["push", "--json"]);
    gate.wait_reached(&mut run);
    assert_eq!(run.kill().code, -9);
    gate.open();
    scene.proves(&slug, 1, 1);
    scene.unlock_after_a_crash();
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

fn c4_while_confirming(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("c4");
    scene.push_and_crash_at("article.while-confirming");
    scene.proves(&slug, 1, 1);
    scene.unlock_after_a_crash();
    scene.hides_drafts();
    scene.push().ends(4, &slug, "held", Some("not_found"));
    scene.goes_well_again();
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

fn c5_after_confirmed(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("c5");
    scene.push_and_crash_at("article.after-confirmed");
    scene.proves(&slug, 1, 1);
    scene.unlock_after_a_crash();
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
}

fn c6_prepared_and_then_edited(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("c6");
    scene.push_and_crash_at("article.before-sending-record");
    scene.edit(&slug);
    scene.unlock_after_a_crash();
    scene.push().ends(4, &slug, "held", Some("input_changed"));
    scene.proves(&slug, 0, 0);
}

fn c1_of_an_upload(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("c1");
    scene.push_and_crash_at("upload.before-sending-record");
    scene.proves_media(&picture, 0, 0);
    scene.unlock_after_a_crash();
    scene.push().ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
    scene.proves_media(&picture, 1, 1);
}

fn c2_of_an_upload(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("c2");
    scene.push_and_crash_at("upload.after-sending-record");
    scene.unlock_after_a_crash();
    scene.push().ends(4, &slug, "held", Some("media_unknown"));
    scene.push().ends(4, &slug, "held", Some("media_unknown"));
    scene.proves(&slug, 0, 0);
    scene.proves_media(&picture, 0, 0);
}

fn c3_of_an_upload(version: &str) {
    crash_of_an_upload_that_is_stored(version, "upload.after-answer", "completed");
}

fn c4_of_an_upload(version: &str) {
    crash_of_an_upload_that_is_stored(version, "upload.while-confirming", "completed");
}

fn c5_of_an_upload(version: &str) {
    crash_of_an_upload_that_is_stored(version, "upload.after-confirmed", "skipped");
}

fn crash_of_an_upload_that_is_stored(version: &str, point: &str, media_outcome: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("c3");
    scene.push_and_crash_at(point);
    scene.proves(&slug, 0, 0);
    scene.proves_media(&picture, 1, 1);
    scene.unlock_after_a_crash();
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.article(&slug)["media"][0]["outcome"], media_outcome);
    scene.proves(&slug, 1, 1);
    scene.proves_media(&picture, 1, 1);
}

fn c3_of_an_upload_that_is_not_visible(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("c3");
    scene.push_and_crash_at("upload.after-answer");
    scene.unlock_after_a_crash();
    scene.hides_media();
    scene.push().ends(4, &slug, "held", Some("media_unknown"));
    scene.proves(&slug, 0, 0);
    scene.goes_well_again();
    scene.push().ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
    scene.proves_media(&picture, 1, 1);
}

fn the_second_of_two_articles_crashes(version: &str) {
    let scene = Scene::on(version);
    let (first, second) = (scene.article("c2-a"), scene.article("c2-b"));
    scene.push_and_crash_at("article.after-sending-record:2");
    scene.proves(&first, 1, 1);
    scene.proves(&second, 0, 0);
    scene.unlock_after_a_crash();
    let ran = scene.push();
    ran.says(&first, "skipped", Some("confirmed"));
    ran.says(&second, "held", Some("not_found")).exits(4);
    scene.proves(&first, 1, 1);
    scene.proves(&second, 0, 0);
}

fn two_crashes_before_the_send(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("c1-c2");
    scene.push_and_crash_at("article.before-sending-record");
    scene.unlock_after_a_crash();
    scene.push_and_crash_at("article.after-sending-record");
    scene.unlock_after_a_crash();
    scene.push().ends(4, &slug, "held", Some("not_found"));
    scene.proves(&slug, 0, 0);
}

fn two_crashes_around_one_send(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("c1-c3");
    scene.push_and_crash_at("article.before-sending-record");
    scene.unlock_after_a_crash();
    scene.push_and_crash_at("article.after-answer");
    scene.proves(&slug, 1, 1);
    scene.unlock_after_a_crash();
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

fn two_crashes_of_upload_and_article(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("c3-c3");
    scene.push_and_crash_at("upload.after-answer");
    scene.unlock_after_a_crash();
    scene.push_and_crash_at("article.after-answer");
    scene.proves(&slug, 1, 1);
    scene.unlock_after_a_crash();
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
    scene.proves_media(&picture, 1, 1);
}

fn a_crash_while_looking_for_what_a_crash_left(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("c3-kill");
    scene.push_and_crash_at("article.after-answer");
    scene.unlock_after_a_crash();
    // Killed while the look-up that would settle it is on its way back.
    let gate = Gate::new();
    scene.proxy.once(Kind::PostList, Fault::held_at(&gate));
    let mut run = scene.spawn(&["push", "--json"]);
    gate.wait_reached(&mut run);
    assert_eq!(run.kill().code, -9);
    gate.open();
    scene.unlock_after_a_crash();
    scene.push().ends(0, &slug, "completed", None);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
}

fn a_crash_while_completing_what_a_crash_left(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("c3-c4-c5");
    scene.push_and_crash_at("article.after-answer");
    scene.unlock_after_a_crash();
    scene.push_and_crash_at("article.while-confirming");
    scene.unlock_after_a_crash();
    scene.push_and_crash_at("article.after-confirmed");
    scene.unlock_after_a_crash();
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
}

fn a_crash_while_completing_an_upload(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("c3-c4-c5");
    scene.push_and_crash_at("upload.after-answer");
    scene.unlock_after_a_crash();
    scene.push_and_crash_at("upload.while-confirming");
    scene.unlock_after_a_crash();
    scene.push_and_crash_at("upload.after-confirmed");
    scene.unlock_after_a_crash();
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.article(&slug)["media"][0]["outcome"], "skipped");
    scene.proves(&slug, 1, 1);
    scene.proves_media(&picture, 1, 1);
}
