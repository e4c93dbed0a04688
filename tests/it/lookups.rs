//! Look-ups that seem to say "not there" and prove nothing.
//!
//! Absent from here: what a proper look-up shows (`collisions`, `receipts`). The one
//! rule: a look-up that is no proof never leads to a send, neither a first nor a second.

use serde_json::json;

use crate::support::http::Answer;
use crate::support::project::unique;
use crate::support::rules::{Fault, Give, Kind};
use crate::support::scene::{Scene, on_each_version, somebodys_post};

on_each_version!(
    an_age_header,
    a_cache_hit,
    the_total_is_missing,
    the_total_counts_more_than_came,
    the_filter_is_dropped,
    an_error_500,
    an_error_500_with_rows,
    a_page_in_place_of_the_list,
    a_challenge_in_place_of_the_list,
    an_object_in_place_of_the_list,
    an_empty_body,
    a_redirect,
    the_answer_is_lost,
    the_answer_breaks_off,
    credentials_are_stripped,
    a_comment_of_a_cache_behind_the_list,
    a_comment_of_a_cache_with_brackets,
    a_harmless_comment_behind_the_list,
    a_warning_before_the_list,
    a_cache_that_had_nothing,
    a_site_that_is_busy_for_a_moment,
    every_question_is_a_new_one,
    many_articles_need_few_questions,
);

/// The look-up is no proof: nothing is sent, neither for a new article nor again for
/// one whose outcome is unknown; both go on once the site can be asked.
fn proves_nothing(version: &str, fault: &Fault) {
    let scene = Scene::on(version);
    // A look-up without its filter shows this one.
    scene.site.make_post("author", &somebodys_post(&unique("bystander"), "draft"));
    let doubtful = scene.article_in_doubt("doubtful");
    let fresh = scene.article("fresh");
    scene.proxy.always(Kind::PostList, fault.clone());
    for _ in 0..2 {
        let ran = scene.push();
        ran.exits(4).says(&doubtful, "unknown", Some("cannot_look_up"));
        ran.says(&fresh, "deferred", Some("cannot_look_up"));
    }
    scene.goes_well_again();
    scene.proves(&doubtful, 1, 1);
    scene.proves(&fresh, 0, 0);
    let ran = scene.push();
    ran.exits(0).says(&doubtful, "completed", None).says(&fresh, "created", None);
    scene.proves(&doubtful, 1, 1);
    scene.proves(&fresh, 1, 1);
}

fn an_age_header(version: &str) {
    proves_nothing(version, &Fault::none().and_answer_header("Age", "7"));
}

fn a_cache_hit(version: &str) {
    proves_nothing(version, &Fault::none().and_answer_header("X-Cache", "HIT from lab"));
}

fn the_total_is_missing(version: &str) {
    proves_nothing(version, &Fault::none().without_answer_header("X-WP-Total"));
}

fn the_total_counts_more_than_came(version: &str) {
    let scene = Scene::on(version);
    let fresh = scene.article("hidden");
    let one_hidden = Answer::no_rows().with("X-WP-Total", "1").with("X-WP-TotalPages", "1");
    scene.proxy.always(Kind::PostList, Fault::answered_before_the_site(one_hidden));
    scene.push().ends(0, &fresh, "skipped", Some("exists_hidden"));
    scene.proves(&fresh, 0, 0);
}

fn the_filter_is_dropped(version: &str) {
    proves_nothing(version, &Fault::lab("drop-slug-filter"));
}

fn an_error_500(version: &str) {
    let answer = Answer::html(500, "Internal Server Error");
    proves_nothing(version, &Fault::answered_before_the_site(answer));
}

fn an_error_500_with_rows(version: &str) {
    let answer = Answer::json(500, &json!([])).with("X-WP-Total", "0");
    proves_nothing(version, &Fault::answered_before_the_site(answer));
}

fn a_page_in_place_of_the_list(version: &str) {
    let answer = Answer::html(200, "Log in");
    proves_nothing(version, &Fault::answered_before_the_site(answer));
}

fn a_challenge_in_place_of_the_list(version: &str) {
    let answer = Answer::html(202, "Are you a robot?");
    proves_nothing(version, &Fault::answered_before_the_site(answer));
}

fn an_object_in_place_of_the_list(version: &str) {
    let answer = Answer::json(200, &json!({"name": "a site"})).with("X-WP-Total", "0");
    proves_nothing(version, &Fault::answered_before_the_site(answer));
}

fn an_empty_body(version: &str) {
    let answer = Answer::new(200, "application/json", "").with("X-WP-Total", "0");
    proves_nothing(version, &Fault::answered_before_the_site(answer));
}

/// Followed, it would show an empty list without credentials.
fn a_redirect(version: &str) {
    let answer = Answer::html(302, "Found").with("Location", "/wp-json/wp/v2/posts?slug=x");
    proves_nothing(version, &Fault::answered_before_the_site(answer));
}

fn the_answer_is_lost(version: &str) {
    proves_nothing(version, &Fault::answer_lost());
}

fn the_answer_breaks_off(version: &str) {
    proves_nothing(version, &Fault::answer_cut(Give::HalfTheBody));
}

fn credentials_are_stripped(version: &str) {
    proves_nothing(version, &Fault::none().without_request_header("Authorization"));
}

fn no_rows_and(comment: &str) -> Fault {
    let answer = Answer::new(200, "application/json", format!("[]\n{comment}"))
        .with("X-WP-Total", "0")
        .with("X-WP-TotalPages", "0");
    Fault::answered_before_the_site(answer)
}

fn a_comment_of_a_cache_behind_the_list(version: &str) {
    proves_nothing(version, &no_rows_and("<!-- Performance optimized by W3 Total Cache. -->"));
}

fn a_comment_of_a_cache_with_brackets(version: &str) {
    proves_nothing(version, &no_rows_and("<!-- cached page [disk: enhanced] {x} -->"));
}

/// What a plugin leaves behind every page (case BODY-05) is no reason for doubt.
fn a_harmless_comment_behind_the_list(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("comment");
    scene.proxy.once(Kind::PostList, Fault::lab("comment-after-json"));
    scene.push().ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
}

fn a_warning_before_the_list(version: &str) {
    proves_nothing(version, &Fault::lab("warning-before-json"));
}

/// A cache that passed the question on is no reason for doubt.
fn a_cache_that_had_nothing(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("miss");
    let missed = Fault::none().and_answer_header("X-Cache", "MISS").and_answer_header("Age", "0");
    scene.proxy.always(Kind::PostList, missed);
    scene.push().ends(0, &slug, "created", None);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
}

fn a_site_that_is_busy_for_a_moment(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("busy");
    let busy = Answer::html(503, "Service Unavailable").with("Retry-After", "1");
    scene.proxy.always(Kind::PostList, Fault::answered_before_the_site(busy));
    scene.push().ends(5, &slug, "deferred", Some("cannot_look_up"));
    scene.proves(&slug, 0, 0);
    scene.goes_well_again();
    scene.push().ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
}

fn every_question_is_a_new_one(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("nonce");
    scene.loses_the_answer();
    scene.hides_drafts();
    for _ in 0..3 {
        scene.push();
    }
    scene.proves(&slug, 1, 1);
    let mut targets: Vec<String> =
        scene.proxy.of_kind(Kind::PostList).into_iter().map(|arrival| arrival.target).collect();
    let all = targets.len();
    targets.sort();
    targets.dedup();
    assert_eq!(targets.len(), all, "a cache could have answered: {targets:#?}");
    assert!(all >= 4);
}

/// One more than fit into one page of WordPress.
const MANY: usize = 101;

fn many_articles_need_few_questions(version: &str) {
    let scene = Scene::on(version);
    let slugs: Vec<String> = (0..MANY).map(|_| scene.article("many")).collect();
    let ran = scene.plan();
    ran.exits(0);
    for slug in &slugs {
        ran.says(slug, "create", None);
    }
    scene.proves_nothing_sent();
    let questions = scene.proxy.of_kind(Kind::PostList);
    assert_eq!(questions.len(), 2, "{}", scene.proxy.story());
}
