//! What an answer to a create proves, and what it only seems to prove.
//!
//! Absent from here: uploads (`uploads`) and look-ups (`lookups`). The one rule: every
//! odd answer is played twice where the truth can differ, once with the post stored and
//! once without, because from the outside the two look the same.

use serde_json::{Value, json};

use crate::support::http::Answer;
use crate::support::project::unique;
use crate::support::rules::{Fault, Gate, Give, Kind, Take};
use crate::support::scene::{BODY, Scene, front_matter, on_each_version};

on_each_version!(
    an_error_403_after_the_insert,
    an_error_400_after_the_insert,
    core_refuses_a_protected_meta_field_after_the_insert,
    core_refuses_a_meta_field_of_the_wrong_type_after_the_insert,
    a_plugin_dies_after_the_insert,
    a_plugin_dies_silently_after_the_insert,
    a_php_error_after_the_insert,
    a_plugin_dies_before_the_tags_are_set,
    a_gateway_gives_up_on_a_create_that_was_carried_out,
    a_gateway_gives_up_on_a_create_that_never_arrived,
    a_firewall_page_in_place_of_the_answer,
    a_firewall_blocks_the_create,
    a_challenge_in_place_of_the_answer,
    an_empty_200_in_place_of_the_answer,
    a_list_in_place_of_the_answer,
    a_200_in_place_of_the_201,
    only_a_location,
    an_answer_cut_in_its_head,
    an_answer_cut_in_its_body,
    a_warning_before_the_json,
    a_comment_behind_the_json,
    an_odd_answer_and_no_draft_to_be_seen,
    the_connection_breaks_before_the_answer,
    the_connection_breaks_within_the_request,
    the_connection_is_refused,
    a_redirect_is_not_followed,
    a_body_too_large_for_the_server,
    core_refuses_an_argument_before_the_insert,
    the_site_asks_for_fewer_requests,
    tags_are_dropped,
    an_answer_that_is_not_a_draft,
    an_insert_that_lands_after_we_gave_up,
    the_site_goes_away_in_the_middle,
    the_answer_to_a_new_tag_is_lost,
    a_pending_post,
);

/// The post exists, whatever the answer says: it is found and completed at once, and
/// the next run has nothing to do.
fn completes_in_spite_of(version: &str, fault: Fault) {
    let scene = Scene::on(version);
    let slug = scene.article("answer");
    scene.proxy.once(Kind::Create, fault);
    let ran = scene.push();
    ran.ends(0, &slug, "completed", None);
    let rows = scene.proves(&slug, 1, 1);
    assert_eq!(rows[0].id, ran.post_id(&slug));
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
}

/// The post does not exist, but the answer does not prove that: never sent again.
fn holds_because_of(version: &str, fault: Fault) {
    let scene = Scene::on(version);
    let slug = scene.article("answer");
    scene.proxy.once(Kind::Create, fault);
    scene.push().ends(4, &slug, "held", Some("not_found"));
    scene.push().ends(4, &slug, "held", Some("not_found"));
    scene.proves(&slug, 1, 0);
}

/// The answer proves that there is no post: the next run sends once more.
fn refused_by(version: &str, fault: Fault, reason: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("answer");
    scene.proxy.once(Kind::Create, fault);
    scene.push().ends(3, &slug, "rejected", Some(reason));
    scene.proves(&slug, 1, 0);
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.article(&slug)["attempt"], 2);
    scene.proves(&slug, 2, 1);
}

fn an_error_403_after_the_insert(version: &str) {
    completes_in_spite_of(version, Fault::lab("error-403-after-insert"));
}

fn an_error_400_after_the_insert(version: &str) {
    completes_in_spite_of(version, Fault::lab("error-400-after-insert"));
}

/// Meta that core refuses after it has inserted the post: the draft is there, and the
/// report says what it lacks.
fn meta_refused_after_the_insert(version: &str, meta: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_with("meta", &format!("{meta}\n"), BODY);
    let ran = scene.push();
    ran.ends(0, &slug, "completed", None);
    assert_eq!(ran.warnings(&slug), ["meta_dropped"]);
    scene.proves(&slug, 1, 1);
}

fn core_refuses_a_protected_meta_field_after_the_insert(version: &str) {
    meta_refused_after_the_insert(version, "meta:\n  lab_protected: anything");
}

/// A value that only WordPress itself finds wrong: what the schema's type tells is refused
/// before the send (`types`).
fn core_refuses_a_meta_field_of_the_wrong_type_after_the_insert(version: &str) {
    meta_refused_after_the_insert(version, "type: lab_book\nmeta:\n  lab_short: too long");
}

fn a_plugin_dies_after_the_insert(version: &str) {
    completes_in_spite_of(version, Fault::lab("die-after-insert"));
}

fn a_plugin_dies_silently_after_the_insert(version: &str) {
    completes_in_spite_of(version, Fault::lab("die-after-insert-silent"));
}

fn a_php_error_after_the_insert(version: &str) {
    completes_in_spite_of(version, Fault::lab("fatal-after-insert"));
}

fn a_plugin_dies_before_the_tags_are_set(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_with("tags", "tags: [\"a tag of the lab\"]\n", BODY);
    scene.proxy.once(Kind::Create, Fault::lab("die-before-terms"));
    let ran = scene.push();
    ran.ends(0, &slug, "completed", None);
    assert_eq!(ran.warnings(&slug), ["tags_dropped"]);
    scene.proves(&slug, 1, 1);
}

fn a_gateway_gives_up_on_a_create_that_was_carried_out(version: &str) {
    completes_in_spite_of(version, Fault::answer_replaced(Answer::html(504, "Gateway Time-out")));
}

fn a_gateway_gives_up_on_a_create_that_never_arrived(version: &str) {
    let page = Answer::html(504, "Gateway Time-out");
    holds_because_of(version, Fault::answered_before_the_site(page));
}

fn a_firewall_page_in_place_of_the_answer(version: &str) {
    completes_in_spite_of(version, Fault::answer_replaced(Answer::html(403, "Blocked")));
}

fn a_firewall_blocks_the_create(version: &str) {
    holds_because_of(version, Fault::answered_before_the_site(Answer::html(403, "Blocked")));
}

fn a_challenge_in_place_of_the_answer(version: &str) {
    completes_in_spite_of(version, Fault::answer_replaced(Answer::html(202, "Are you a robot?")));
}

fn an_empty_200_in_place_of_the_answer(version: &str) {
    completes_in_spite_of(version, Fault::answer_replaced(Answer::new(200, "text/html", "")));
}

fn a_list_in_place_of_the_answer(version: &str) {
    completes_in_spite_of(version, Fault::answer_replaced(Answer::json(200, &json!([]))));
}

fn a_200_in_place_of_the_201(version: &str) {
    completes_in_spite_of(version, Fault::answer_replaced(Answer::json(200, &json!({"ok": true}))));
}

fn only_a_location(version: &str) {
    let answer = Answer::new(201, "application/json", "null");
    completes_in_spite_of(version, Fault::answer_replaced(answer));
}

fn an_answer_cut_in_its_head(version: &str) {
    completes_in_spite_of(version, Fault::answer_cut(Give::HalfTheHead));
}

fn an_answer_cut_in_its_body(version: &str) {
    completes_in_spite_of(version, Fault::answer_cut(Give::HalfTheBody));
}

fn a_warning_before_the_json(version: &str) {
    completes_in_spite_of(version, Fault::lab("warning-before-json"));
}

fn a_comment_behind_the_json(version: &str) {
    completes_in_spite_of(version, Fault::lab("comment-after-json"));
}

fn an_odd_answer_and_no_draft_to_be_seen(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("answer");
    // A clean JSON error with WordPress's own code, and yet the post is there.
    scene.proxy.once(Kind::Create, Fault::lab("error-403-after-insert"));
    scene.hides_drafts();
    scene.push().ends(4, &slug, "held", Some("not_found"));
    scene.proves(&slug, 1, 1);
    scene.goes_well_again();
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

fn the_connection_breaks_before_the_answer(version: &str) {
    holds_because_of(version, Fault::never_delivered());
}

fn the_connection_breaks_within_the_request(version: &str) {
    // So small a request is handed over whole before anybody notices.
    holds_because_of(version, Fault::request_cut(Take::HeadOnly));
}

fn the_connection_is_refused(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("refused");
    scene.proxy.once(Kind::Upload, Fault::none().then_refuse());
    scene.push().ends(5, &slug, "deferred", Some("not_sent"));
    scene.proves(&slug, 0, 0);
    scene.proves_media(&picture, 1, 1);
    scene.proxy.accept_again();
    scene.push().ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
    scene.proves_media(&picture, 1, 1);
}

fn a_redirect_is_not_followed(version: &str) {
    let elsewhere = Answer::html(308, "Moved").with("Location", "http://127.0.0.1:1/elsewhere");
    refused_by(version, Fault::answered_before_the_site(elsewhere), "redirected");
}

fn a_body_too_large_for_the_server(version: &str) {
    let answer = Answer::html(413, "Request Entity Too Large");
    refused_by(version, Fault::answered_before_the_site(answer), "http_413");
}

fn core_refuses_an_argument_before_the_insert(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_with("template", "template: no-such-template.php\n", BODY);
    scene.push().ends(3, &slug, "rejected", Some("rest_invalid_param"));
    scene.proves(&slug, 1, 0);
    scene.project.article(&slug, &front_matter(&slug), BODY);
    scene.push().ends(0, &slug, "created", None);
    scene.proves(&slug, 2, 1);
}

fn the_site_asks_for_fewer_requests(version: &str) {
    let scene = Scene::on(version);
    let (first, second) = (scene.article("busy-a"), scene.article("busy-b"));
    let busy = Answer::html(429, "Too Many Requests").with("Retry-After", "1");
    scene.proxy.once(Kind::Create, Fault::answer_replaced(busy));
    let ran = scene.push();
    // No automatic resend of a write, and no new write in this run.
    ran.says(&first, "completed", None).says(&second, "deferred", Some("rate_limited")).exits(5);
    scene.proves(&first, 1, 1);
    scene.proves(&second, 0, 0);
    let ran = scene.push();
    ran.says(&first, "skipped", Some("confirmed")).says(&second, "created", None).exits(0);
    scene.proves(&first, 1, 1);
    scene.proves(&second, 1, 1);
}

fn tags_are_dropped(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_with("tags", "tags: [\"a tag of the lab\"]\n", BODY);
    scene.proxy.once(Kind::Create, Fault::lab("drop-terms"));
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.warnings(&slug), ["tags_dropped"]);
    scene.proves(&slug, 1, 1);
}

/// Case DATE-04.
fn an_answer_that_is_not_a_draft(version: &str) {
    let scene = Scene::on(version);
    let (first, second) = (scene.article("alarm-a"), scene.article("alarm-b"));
    let published = |answer: &mut Value| answer["status"] = json!("publish");
    scene.proxy.once(Kind::Create, Fault::answer_changed(published));
    let ran = scene.push();
    ran.exits(4).says(&first, "created", None);
    ran.says(&second, "deferred", Some("status_not_draft"));
    assert_eq!(ran.errors(), ["status_not_draft"]);
    scene.proves(&first, 1, 1);
    scene.proves(&second, 0, 0);
}

fn an_insert_that_lands_after_we_gave_up(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("late");
    scene.gives_up_after(4);
    let gate = Gate::new();
    scene.proxy.once(Kind::Create, Fault::on_its_way_at(&gate));
    scene.push().ends(4, &slug, "unknown", Some("settling"));
    scene.proves(&slug, 1, 0);
    scene.push().ends(4, &slug, "unknown", Some("settling"));
    gate.open();
    scene.proxy.wait_until_the_site_has_answered(Kind::Create);
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

fn the_site_goes_away_in_the_middle(version: &str) {
    let scene = Scene::on(version);
    let slugs = [scene.article("a"), scene.article("b"), scene.article("c"), scene.article("d")];
    scene.proxy.once(Kind::Create, Fault::none().then_refuse());
    let ran = scene.push();
    ran.exits(5).says(&slugs[0], "created", None);
    for slug in &slugs[1..] {
        ran.says(slug, "deferred", Some("not_sent"));
    }
    scene.proxy.accept_again();
    let ran = scene.push();
    ran.exits(0).says(&slugs[0], "skipped", Some("confirmed"));
    for slug in &slugs {
        scene.proves(slug, 1, 1);
    }
}

fn the_answer_to_a_new_tag_is_lost(version: &str) {
    let scene = Scene::on(version);
    let tag = unique("tag");
    let slug = scene.article_with("tag", &format!("tags: [\"{tag}\"]\n"), BODY);
    scene.proxy.once(Kind::TermCreate, Fault::answer_lost());
    // WordPress itself makes no second tag of one name, so nothing is in doubt.
    scene.push().ends(5, &slug, "deferred", Some("cannot_look_up_terms"));
    scene.proves(&slug, 0, 0);
    scene.push().ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
    let rows = scene.site.sql(&format!("SELECT slug FROM wp_terms WHERE name = '{tag}'"));
    assert_eq!(rows.len(), 1);
}

fn a_pending_post(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_with("pending", "status: pending\n", BODY);
    scene.loses_the_answer();
    scene.push().ends(0, &slug, "completed", None);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    assert_eq!(scene.proves(&slug, 1, 1)[0].status, "pending");
}
