//! Odd answers to look-ups: when "not found" is no proof.
//!
//! Absent from here: several articles in one look-up (`bulk`). The one rule: a look-up
//! that proves nothing sends nothing, before a send and after one.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::http::Reply;
use crate::support::rows::{Row, play};
use crate::support::rules::{Ask, Carries, Give, Times, bent, this};

const CREATED: &str = "0: x created - confirmed confirmed; look-up 1, create 1; 1 posts";
const DEFERRED: &str = "5: x deferred cannot_look_up none none; look-up 1; 0 posts";
const UNKNOWN: &str =
    "4: x unknown cannot_look_up possible sending +answer_lost; look-up 2, create 1; 0 posts";
const STILL_UNKNOWN: &str = "4: x unknown cannot_look_up possible sending; look-up 1; 0 posts";
const NOT_FOUND: &str = "4: x held not_found possible sending; look-up 1, candidates 3; 0 posts";

/// A look-up that proves nothing: before a send nothing is sent, after one it stays
/// unknown; once the site is well again, the first is created, the second held.
fn unclear(name: &str, give: &Give) -> [Row; 2] {
    let lost = this(Reply::html(502, "<html>"));
    [
        Row::new(format!("{name}, before"))
            .always(Ask::LookUp, give.clone())
            .runs(&[DEFERRED, DEFERRED])
            .healed()
            .run(CREATED),
        Row::new(format!("{name}, after"))
            .rule(Ask::Create, Times::Once, Carries::Nothing, lost)
            .rule(Ask::LookUp, Times::From(2), Carries::Out, give.clone())
            .runs(&[UNKNOWN, STILL_UNKNOWN])
            .healed()
            .run(NOT_FOUND),
    ]
}

fn all(rows: Vec<[Row; 2]>) {
    play(rows.into_iter().flatten().collect());
}

fn header(name: &'static str, value: &'static str) -> Give {
    bent(move |reply| reply.with(name, value))
}

fn body(text: &'static str) -> Give {
    bent(move |reply| Reply { body: text.as_bytes().to_vec(), ..reply })
}

fn status(status: u16) -> Give {
    bent(move |reply| Reply { status, ..reply })
}

/// Spec §5.1, cases RED-06, AUTH-10, WAF-01, WAF-04, BODY-09, ROOT-08, RATE-01.
#[test]
fn another_status_than_200_proves_nothing() {
    let moved = |status, to: &str| this(Reply::html(status, "").with("location", to));
    let page = |status| this(Reply::html(status, "<html>Blocked</html>"));
    all(vec![
        unclear("RED-06 a redirect", &moved(301, "https://other.invalid/?slug=x")),
        unclear("RED-06 a redirect that keeps the method", &moved(307, "/elsewhere")),
        unclear("a redirect with a list", &status(302)),
        unclear("WAF-04 a challenge", &page(202)),
        unclear("202 with a list", &status(202)),
        unclear("201 with a list", &status(201)),
        unclear("206", &status(206)),
        unclear("204", &this(Reply::html(204, ""))),
        unclear("304", &this(Reply::html(304, ""))),
        unclear("BODY-09 500 with a list", &status(500)),
        unclear("a bad gateway", &page(502)),
        unclear("WAF-01 a firewall", &page(403)),
        unclear("404", &page(404)),
        unclear("no route", &this(Reply::error(404, "rest_no_route"))),
        unclear("AUTH-10 credentials lost", &this(Reply::error(401, "rest_forbidden_context"))),
        unclear("a status refused", &this(Reply::error(400, "rest_invalid_param"))),
        unclear("ROOT-08 maintenance", &this(Reply::html(503, "").with("retry-after", "600"))),
        unclear("RATE-01 too many", &this(Reply::html(429, ""))),
        unclear("414", &page(414)),
    ]);
}

/// Spec §5.1, cases ROOT-01, BODY-02, BODY-06.
#[test]
fn another_body_than_a_whole_list_proves_nothing() {
    let page = this(Reply::html(200, "<html>Just a moment...").with("x-wp-total", "0"));
    all(vec![
        unclear("a page", &page),
        unclear("a login page", &this(Reply::html(200, "<html><form action=/wp-login.php>"))),
        unclear("ROOT-01 the index", &body(r#"{"namespaces":["wp/v2"]}"#)),
        unclear("an error as 200", &body(r#"{"code":"rest_forbidden"}"#)),
        unclear("null", &body("null")),
        unclear("an object", &body("{}")),
        unclear("empty", &body("")),
        unclear("BODY-02 a warning before", &body("<br />Warning []")),
        unclear("text after", &body("[] done")),
        unclear("BODY-06 PHP source", &body("<?php [] ?>")),
        unclear("half a list", &body("[{\"id\":9,\"slug\":\"x\"")),
        unclear(
            "rows that are no objects",
            &bent(|reply| Reply { body: b"[1]".to_vec(), ..reply }.with("x-wp-total", "1")),
        ),
        unclear("a row without an id", &rows(json!([{ "slug": "x", "status": "draft" }]))),
        unclear("a row without a slug", &rows(json!([{ "id": 9, "status": "draft" }]))),
        unclear("a row of another type", &rows(json!([row(9, "x", "page")]))),
        unclear("a row twice", &rows(json!([row(9, "x", "post"), row(9, "x", "post")]))),
    ]);
}

fn row(id: u64, slug: &str, kind: &str) -> Value {
    json!({
        "id": id, "slug": slug, "status": "draft", "type": kind, "link": "",
        "title": { "raw": "Somebody's" }, "content": { "raw": "Else." },
    })
}

/// A list of these rows, counted right.
fn rows(rows: Value) -> Give {
    let total = rows.as_array().map_or(0, Vec::len).to_string();
    bent(move |reply| {
        Reply { body: rows.to_string().into_bytes(), ..reply }.with("x-wp-total", &total)
    })
}

/// Spec §5.3 and §5.4, cases FIND-03, RED-01.
#[test]
fn rows_that_do_not_add_up_prove_nothing() {
    all(vec![
        unclear("no total", &bent(|reply| reply.without("x-wp-total"))),
        unclear("an empty total", &header("x-wp-total", "")),
        unclear("a total that is no number", &header("x-wp-total", "many")),
        unclear("a negative total", &header("x-wp-total", "-1")),
        unclear("two totals", &header("x-wp-total", "0, 0")),
        unclear(
            "a total below the rows",
            &bent(|reply| Reply {
                body: json!([row(9, "x", "post")]).to_string().into_bytes(),
                ..reply
            }),
        ),
        unclear("the filter dropped", &rows(json!([row(9, "somebodys-post", "post")]))),
        unclear(
            "the filter half dropped",
            &rows(json!([row(9, "x", "post"), row(8, "x-2", "post")])),
        ),
        unclear("an empty slug", &rows(json!([row(9, "", "post")]))),
    ]);
}

/// Spec §5.5, cases CON-01 to CON-05.
#[test]
fn an_answer_out_of_a_cache_proves_nothing() {
    let headers = [
        ("age", "3"),
        ("age", "0, 7"),
        ("x-cache", "HIT"),
        ("x-cache", "Hit from cloudfront"),
        ("x-microcache-status", "HIT"),
        ("cf-cache-status", "HIT"),
        ("cf-cache-status", "STALE"),
        ("x-litespeed-cache", "hit,private"),
        ("x-kinsta-cache", "HIT"),
        ("x-varnish", "32770 3"),
        ("cache-control", "max-age=600"),
        ("cache-control", "public, s-maxage=30"),
        ("cache-control", "max-age=0, s-maxage=30"),
        ("cache-control", "MAX-AGE=600"),
    ];
    let rows =
        headers.map(|(name, value)| unclear(&format!("{name}: {value}"), &header(name, value)));
    play(rows.into_iter().flatten().collect());
}

#[test]
fn what_a_proof_may_have_about_it() {
    let fine = |name: &str, give: Give| Row::new(name).always(Ask::LookUp, give).run(CREATED);
    play(vec![
        fine("BODY-04 a mark", body("\u{feff}[]")),
        fine("BODY-05 a comment after", body("[]\n<!-- Performance optimized by W3TC -->")),
        fine("age 0", header("age", "0")),
        fine("a miss", header("x-cache", "MISS")),
        fine("dynamic", header("cf-cache-status", "DYNAMIC")),
        fine("one varnish id", header("x-varnish", "32770")),
        fine("no cache-control", bent(|reply| reply.without("cache-control"))),
    ]);
}

#[test]
fn a_look_up_that_comes_too_late_proves_nothing() {
    let slow = bent(|reply| reply.late(Duration::from_millis(2500)));
    play(unclear("late", &slow).into_iter().map(|row| row.network("timeout_s = 1")).collect());
}

/// Cases CON-01, CON-08: no two questions are the same, and each asks for everything.
#[test]
fn every_question_is_new_and_asks_for_every_status() {
    let seen = std::sync::Arc::new(std::sync::Mutex::new(std::collections::BTreeSet::new()));
    let check: Give = std::sync::Arc::new(move |request, reply| {
        let nonce = request.asks("oncepress_nonce").expect("a nonce").to_owned();
        assert!(seen.lock().expect("no panic").insert(nonce), "a nonce came twice");
        assert_eq!(request.asks("status"), Some("any,trash"));
        assert_eq!(request.asks("context"), Some("edit"));
        assert_eq!(request.header("cache-control"), Some("no-cache"));
        assert!(request.header("authorization").is_some_and(|it| it.starts_with("Basic ")));
        reply
    });
    let lost = this(Reply::html(502, "<html>"));
    let row = Row::new("four look-ups")
        .always(Ask::LookUp, check)
        .rule(Ask::Create, Times::Once, Carries::Nothing, lost)
        .run(
            "4: x held not_found possible sending +answer_lost; \
             look-up 2, candidates 3, create 1; 0 posts",
        )
        .runs(&[NOT_FOUND, NOT_FOUND]);
    play(vec![row]);
}
