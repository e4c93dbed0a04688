//! Creates that the site refuses: with a code that core raises before it inserts, and
//! with any other.
//!
//! Absent from here: answers that are no JSON (`bodies`). The one rule: only a code on
//! the list takes the record back; every other refusal may hide a draft, so each is
//! played with a draft behind it and without one.

use crate::support::http::Reply;
use crate::support::rows::{Row, play};
use crate::support::rules::{Ask, Carries, Give, Times, this};

/// The lost draft is found by its slug.
pub(crate) const COMPLETED: &str =
    "0: x completed - confirmed confirmed; look-up 2, create 1; 1 posts";
/// Every later run.
pub(crate) const CONFIRMED: &str =
    "0: x skipped confirmed confirmed confirmed; receipts 1; 1 posts";
/// It was sent, and is not to be seen.
pub(crate) const NOT_FOUND: &str = "4: x held not_found possible sending +answer_lost; \
     look-up 2, candidates 3, create 1; 0 posts";
/// Every later run.
pub(crate) const STILL_NOT_FOUND: &str =
    "4: x held not_found possible sending; look-up 1, candidates 3; 0 posts";
/// A run against a healthy site.
pub(crate) const CREATED: &str = "0: x created - confirmed confirmed; look-up 1, create 1; 1 posts";

/// The answer to the first create is no proof of anything.
pub(crate) fn doubtful(name: &str, give: &Give) -> [Row; 2] {
    let row = |end: &str, carries| {
        Row::new(format!("{name}, {end}")).rule(Ask::Create, Times::Once, carries, give.clone())
    };
    [
        row("stored", Carries::Out).runs(&[COMPLETED, CONFIRMED, CONFIRMED]),
        row("not stored", Carries::Nothing).runs(&[NOT_FOUND, STILL_NOT_FOUND, STILL_NOT_FOUND]),
    ]
}

/// The answer to the first create proves that there is no draft.
fn refused(exit: u8, code: &str, give: Give) -> Row {
    Row::new(code)
        .rule(Ask::Create, Times::Once, Carries::Nothing, give)
        .run(format!("{exit}: x rejected {code} none none; look-up 1, create 1; 0 posts"))
        .runs(&[CREATED, CONFIRMED])
}

/// Facts §3 and §4: raised before the insert.
#[test]
fn a_code_that_core_raises_before_the_insert_lets_the_next_run_send() {
    // With the exit code: 6 where the account lacks a right.
    let codes = [
        (3, 400, "empty_content"),
        (6, 403, "rest_cannot_assign_sticky"),
        (6, 403, "rest_cannot_assign_term"),
        (6, 403, "rest_cannot_create"),
        (6, 403, "rest_cannot_edit_others"),
        (6, 403, "rest_cannot_publish"),
        (6, 400, "rest_forbidden_status"),
        (3, 400, "rest_invalid_author"),
        (3, 400, "rest_invalid_json"),
        (3, 400, "rest_invalid_param"),
        (3, 400, "rest_missing_callback_param"),
        (3, 404, "rest_no_route"),
        (3, 400, "rest_post_exists"),
    ];
    let row = |(exit, status, code)| refused(exit, code, this(Reply::error(status, code)));
    play(codes.map(row).into());
}

/// Facts §3, cases DUP-05, DUP-06: core inserts first, then reports.
#[test]
fn any_other_code_may_hide_a_draft() {
    let codes = [
        (403, "rest_cannot_update"),
        (400, "rest_invalid_type"),
        (500, "db_insert_error"),
        (500, "db_update_error"),
        (500, "internal_server_error"),
        (403, "rest_forbidden"),
        (403, "forbidden"),
        (401, "rest_forbidden_context"),
        (409, "post_exists"),
        (404, "rest_post_invalid_id"),
        (404, "acf_field_not_found"),
        (400, "invalid_taxonomy"),
        (500, "rest_meta_database_error"),
        (400, "REST_INVALID_PARAM"),
        (400, "rest_invalid_param_plugin"),
        (500, "wp_die"),
        (422, "validation_failed"),
        (418, "teapot"),
    ];
    let rows = codes.map(|(status, code)| {
        doubtful(&format!("{status} {code}"), &this(Reply::error(status, code)))
    });
    play(rows.into_iter().flatten().collect());
}

/// Case AUTH-08: the account was proved at the start and is refused now. More tries
/// would fail alike, and can lock the account.
#[test]
fn a_refused_account_stops_the_run() {
    let codes = ["rest_not_logged_in", "rest_cannot_create"];
    let row = |code: &str| {
        Row::new(format!("401 {code}"))
            .with_articles(&["x", "y"])
            .rule(Ask::Create, Times::Always, Carries::Nothing, this(Reply::error(401, code)))
            .run(format!(
                "6 !account_refused: x rejected {code} none none, \
                 y deferred account_refused none none; look-up 1, create 1; 0 posts"
            ))
            .healed()
            .run(
                "0: x created - confirmed confirmed, y created - confirmed confirmed; \
                 look-up 1, create 2; 2 posts",
            )
    };
    play(codes.map(row).into());
}
