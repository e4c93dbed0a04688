//! The scenes S1 to S8 that the README tells: a normal run, lost answers, and what a
//! rerun makes of them.
//!
//! Absent from here: crashes (`crashes`), the many kinds of odd answers (`answers`).
//! The one rule: each scene counts the creates that arrived.

use crate::support::http::Answer;
use crate::support::rules::{Fault, Gate, Kind};
use crate::support::scene::{BODY, Scene, front_matter, on_each_version};

on_each_version!(
    s1_a_normal_run_and_again,
    s2_answer_lost_and_found_in_the_same_run,
    s3_answer_lost_and_not_yet_visible,
    s3_the_site_may_still_be_working_on_it,
    s4_the_record_was_deleted_by_hand,
    s5_answer_to_an_upload_lost_and_not_visible,
    s6_the_site_cannot_be_asked,
    s6_the_site_is_down_when_it_should_be_asked,
    s7_edited_while_sending,
    s8_two_runs_at_once,
);

fn s1_a_normal_run_and_again(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("s1");
    let first = scene.push();
    first.ends(0, &slug, "created", None);
    assert_eq!(first.article(&slug)["attempt"], 1);
    assert_eq!(first.article(&slug)["media"][0]["outcome"], "created");

    let rows = scene.proves(&slug, 1, 1);
    assert_eq!(rows[0].id, first.post_id(&slug));
    assert_eq!((rows[0].slug.as_str(), rows[0].status.as_str()), (&*slug, "draft"));
    assert_eq!(rows[0].title, format!("About {slug}"));
    let attachments = scene.proves_media(&picture, 1, 1);
    let id = first.article(&slug)["media"][0]["attachment_id"].as_u64();
    assert_eq!(id, Some(attachments[0].id));
    let content = scene.site.content(rows[0].id);
    assert!(content.contains("/wp-content/uploads/"), "{content}");
    assert!(!content.contains(&format!("\"{picture}.png\"")), "a local path: {content}");

    let again = scene.push();
    again.ends(0, &slug, "skipped", Some("confirmed"));
    assert_eq!(again.post_id(&slug), rows[0].id);
    scene.proves(&slug, 1, 1);
    scene.proves_media(&picture, 1, 1);
    assert_eq!(scene.proxy.of_kind(Kind::Me).len(), 2, "credentials are tried once a run");
    for kind in [Kind::Create, Kind::Upload] {
        // A pooled connection that has gone stale would have to be retried.
        assert_eq!(scene.proxy.of_kind(kind)[0].on_connection, 1, "{kind:?} on a used connection");
    }
}

fn s2_answer_lost_and_found_in_the_same_run(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("s2");
    scene.loses_the_answer();
    let ran = scene.push();
    ran.ends(0, &slug, "completed", None);
    let rows = scene.proves(&slug, 1, 1);
    assert_eq!(rows[0].id, ran.post_id(&slug));
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
}

fn s3_answer_lost_and_not_yet_visible(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("s3");
    scene.loses_the_answer();
    scene.hides_drafts();
    let first = scene.push();
    first.ends(4, &slug, "held", Some("not_found"));
    assert_eq!(first.article(&slug)["remote_effect"], "possible");
    let next = first.article(&slug)["next"].to_string();
    assert!(next.contains(&format!("oncepress resolve {slug} --adopt ")), "{next}");

    let second = scene.push();
    second.ends(4, &slug, "held", Some("not_found"));
    assert_eq!(second.article(&slug)["since"], first.article(&slug)["since"]);
    scene.proves(&slug, 1, 1);

    scene.goes_well_again();
    let third = scene.push();
    third.ends(0, &slug, "completed", None);
    let rows = scene.proves(&slug, 1, 1);
    assert_eq!(rows[0].id, third.post_id(&slug));
}

fn s3_the_site_may_still_be_working_on_it(version: &str) {
    let scene = Scene::on(version);
    scene.settles_after(3600);
    let slug = scene.article("s3");
    scene.loses_the_answer();
    scene.hides_drafts();
    scene.push().ends(4, &slug, "unknown", Some("settling"));
    scene.push().ends(4, &slug, "unknown", Some("settling"));
    scene.proves(&slug, 1, 1);
    scene.goes_well_again();
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

fn s4_the_record_was_deleted_by_hand(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_in_doubt("s4");
    scene.project.delete_the_journal();
    scene.hides_drafts();
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.warnings(&slug), ["slug_changed"]);
    // The tool can't know better: this is why records must not be deleted.
    let rows = scene.proves(&slug, 2, 2);
    assert_eq!(rows[1].slug, format!("{slug}-2"));
    assert_eq!(rows[1].id, ran.post_id(&slug));
}

fn s5_answer_to_an_upload_lost_and_not_visible(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("s5");
    scene.loses_the_upload_answer();
    scene.hides_media();
    scene.push().ends(4, &slug, "held", Some("media_unknown"));
    scene.push().ends(4, &slug, "held", Some("media_unknown"));
    scene.proves(&slug, 0, 0);
    scene.proves_media(&picture, 1, 1);

    scene.goes_well_again();
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.article(&slug)["media"][0]["outcome"], "completed");
    scene.proves(&slug, 1, 1);
    scene.proves_media(&picture, 1, 1);
}

fn s6_the_site_cannot_be_asked(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_in_doubt("s6");
    let broken = Answer::html(500, "Internal Server Error");
    scene.proxy.always(Kind::PostList, Fault::answered_before_the_site(broken));
    scene.push().ends(4, &slug, "unknown", Some("cannot_look_up"));
    scene.goes_well_again();
    scene.proves(&slug, 1, 1);
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

fn s6_the_site_is_down_when_it_should_be_asked(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_in_doubt("s6");
    scene.proxy.refuse();
    // The doubt about this article is older than the outage, and outlives it.
    scene.push().ends(4, &slug, "unknown", Some("cannot_look_up"));
    scene.proxy.accept_again();
    scene.proves(&slug, 1, 1);
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

fn s7_edited_while_sending(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_in_doubt("s7");
    let id = scene.proves(&slug, 1, 1)[0].id;
    let sent = scene.site.content(id);
    scene.edit(&slug);
    scene.push().ends(4, &slug, "held", Some("edited_while_sending"));
    scene.hides_drafts();
    scene.push().ends(4, &slug, "held", Some("not_found"));
    scene.goes_well_again();
    scene.push().ends(4, &slug, "held", Some("edited_while_sending"));
    scene.proves(&slug, 1, 1);
    assert_eq!(scene.site.content(id), sent);

    // The edit taken back, the draft is what was sent.
    scene.project.article(&slug, &front_matter(&slug), BODY);
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

fn s8_two_runs_at_once(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("s8");
    let gate = Gate::new();
    scene.proxy.once(Kind::Create, Fault::held_at(&gate));
    let mut first = scene.spawn(&["push", "--json"]);
    gate.wait_reached(&mut first);

    let arrived = scene.proxy.arrivals().len();
    let second = scene.push();
    second.exits(5);
    assert_eq!(second.errors(), ["busy"]);
    let message = second.json["errors"][0]["message"].as_str().unwrap_or_default();
    assert!(message.contains(&first.id().to_string()), "the holder's pid: {message}");
    assert_eq!(scene.proxy.arrivals().len(), arrived, "the second run asked the site");

    gate.open();
    scene.finish(first).ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
}
