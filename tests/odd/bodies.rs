//! Answers to a create that are broken, decorated, empty, or come from somebody else.
//!
//! Absent from here: refusals with a code (`refusals`), and broken connections
//! (`transport`). The one rule: each is played with a draft behind it and without one,
//! because the answer does not tell.

use std::time::Duration;

use serde_json::{Value, json};

use crate::refusals::{CONFIRMED, CREATED, NOT_FOUND, STILL_NOT_FOUND, doubtful};
use crate::support::http::Reply;
use crate::support::rows::{Row, play};
use crate::support::rules::{Ask, Carries, Give, Times, bent, this};

/// The lost draft is found by the id that the answer mentions.
const READ: &str = "0: x completed - confirmed confirmed; look-up 1, read 1, create 1; 1 posts";
/// The answer mentions an id, and there is no such draft.
const READ_NOT_FOUND: &str = "4: x held not_found possible sending +answer_lost; \
     look-up 2, read 1, candidates 3, create 1; 0 posts";

/// The answer mentions the id of the draft, but is no proof of it.
fn hinted(name: &str, give: &Give) -> [Row; 2] {
    let row = |end: &str, carries| {
        Row::new(format!("{name}, {end}")).rule(Ask::Create, Times::Once, carries, give.clone())
    };
    [
        row("stored", Carries::Out).runs(&[READ, CONFIRMED]),
        row("not stored", Carries::Nothing).runs(&[
            READ_NOT_FOUND,
            STILL_NOT_FOUND,
            STILL_NOT_FOUND,
        ]),
    ]
}

fn all(rows: Vec<[Row; 2]>) {
    play(rows.into_iter().flatten().collect());
}

/// The healthy answer without its headers that name the draft, with another body.
fn with_body(change: impl Fn(&str) -> String + Send + Sync + 'static) -> Give {
    bent(move |mut reply| {
        let body = String::from_utf8(reply.body.clone()).expect("the healthy body is text");
        reply.body = change(&body).into_bytes();
        reply.without("location")
    })
}

/// The healthy answer with another value of one field.
fn with_field(name: &'static str, value: Value) -> Give {
    with_body(move |body| {
        let mut object: Value = serde_json::from_str(body).expect("the healthy body is JSON");
        object[name] = value.clone();
        object.to_string()
    })
}

/// A 201 with this body, and nothing that names the draft.
fn bare(body: &'static str) -> Give {
    with_body(move |_| body.to_owned())
}

#[test]
fn a_201_that_is_not_the_post_proves_nothing() {
    all(vec![
        doubtful("BODY-08 null", &bare("null")),
        doubtful("DUP-19 an empty 201", &bare("")),
        doubtful("RED-01 a list", &bare("[]")),
        doubtful("an empty object", &bare("{}")),
        doubtful("a string", &bare("\"created\"")),
        doubtful("true", &bare("true")),
        doubtful("a number", &bare("41")),
        doubtful("white space", &bare(" \n ")),
        doubtful("half of it", &with_body(|body| body[..body.len() / 2].to_owned())),
        doubtful("id 0", &with_field("id", json!(0))),
        doubtful("id -1", &with_field("id", json!(-1))),
        doubtful("id as text", &with_field("id", json!("41"))),
        doubtful("id as a float", &with_field("id", json!(41.0))),
        doubtful(
            "a huge id",
            &with_body(|body| body.replacen(":41,", ":99999999999999999999,", 1)),
        ),
        doubtful("id null", &with_field("id", Value::Null)),
        doubtful("another type", &with_field("type", json!("page"))),
        doubtful("no type", &with_field("type", Value::Null)),
        doubtful("a list with the post in it, without its type", &bare("[{\"id\":41}]")),
        doubtful("BODY-06 PHP source", &bare("<?php define('DB_PASSWORD', 'x'); ?>")),
        doubtful("two marks", &with_body(|_| "\u{feff}\u{feff}null".to_owned())),
        doubtful(
            "not UTF-8",
            &bent(|mut reply| {
                reply.body = vec![0xff, 0xfe, b'{', 0, b'}', 0];
                reply.without("location")
            }),
        ),
    ]);
}

/// Cases BODY-01 to BODY-03, BODY-05, BODY-08: an id is evidence of where to look.
#[test]
fn an_id_around_the_junk_is_read_and_never_believed() {
    let warning =
        "<br />\n<b>Warning</b>: Undefined property: stdClass::$post_name in x.php<br />\n";
    let rows = vec![
        hinted("BODY-01 a warning before", &with_body(move |body| format!("{warning}{body}"))),
        hinted(
            "BODY-01 a warning with braces",
            &with_body(|body| format!("array(1) {{ }} {body}")),
        ),
        hinted("BODY-05 a comment after", &with_body(|body| format!("{body}<!-- cached? -->"))),
        hinted("text after", &with_body(|body| format!("{body} done"))),
        hinted("the object twice", &with_body(|body| format!("{body}{body}"))),
        hinted("a list with the post in it", &with_body(|body| format!("[{body}]"))),
        hinted("BODY-02 status 200", &bent(|reply| Reply { status: 200, ..reply })),
        hinted("status 202", &bent(|reply| Reply { status: 202, ..reply })),
        hinted(
            "status 200 as HTML",
            &bent(|reply| Reply { status: 200, ..reply }.with("content-type", "text/html")),
        ),
        hinted(
            "a 201 that says it is HTML",
            &bent(|reply| reply.with("content-type", "text/html")),
        ),
        hinted("a 201 that does not say what it is", &bent(|reply| reply.without("content-type"))),
        hinted("DUP-05 status 500", &bent(|reply| Reply { status: 500, ..reply })),
        hinted(
            "BODY-08 only a Location",
            &bent(|mut reply| {
                reply.body.clear();
                reply
            }),
        ),
        hinted(
            "a Location of the form with a parameter",
            &bent(|mut reply| {
                reply.body = b"null".to_vec();
                reply.with("location", "/?rest_route=%2Fwp%2Fv2%2Fposts%2F41")
            }),
        ),
        hinted(
            "a refusal that names the post",
            &bent(|mut reply| {
                reply.body = br#"{"code":"rest_invalid_param","message":"no"}"#.to_vec();
                Reply { status: 400, ..reply }
            }),
        ),
    ];
    all(rows);
}

/// Somebody before WordPress answered, cases DUP-07, WAF-01 to WAF-05, AUTH-12.
#[test]
fn a_page_from_somebody_else_proves_nothing() {
    let page = |status, body: &str| Reply::html(status, body);
    let captcha = page(202, "<html><meta http-equiv=refresh content='0;/.well-known/sgcaptcha/'>");
    let replies = [
        ("WAF-04 SiteGround's challenge", captcha.with("sg-captcha", "challenge")),
        ("WAF-04 any challenge", page(202, "<html>Checking your browser</html>")),
        ("WAF-04 a challenge with 200", page(200, "<html>Just a moment...</html>")),
        ("WAF-01 a firewall", page(403, "<html>Forbidden</html>")),
        ("WAF-02 Cloudflare", page(403, "<html>").with("server", "cloudflare").with("cf-ray", "1")),
        ("Wordfence", page(403, "<html>Generated by Wordfence</html>")),
        ("ModSecurity", page(406, "<html>mod_security</html>")),
        ("Sucuri", page(403, "<html>").with("x-sucuri-id", "1")),
        ("a staging password", page(401, "<html>Authorization Required</html>")),
        ("a login page", page(200, "<html><form action=/wp-login.php>")),
        ("DUP-05 a PHP death", page(500, "<p>There has been a critical error.</p>")),
        ("a bad gateway", page(502, "<html>")),
        ("DUP-07 a gateway's time limit", page(504, "<html>")),
        ("Cloudflare's time limit", page(524, "<html>")),
        ("a time limit", page(408, "")),
        ("DUP-08 a conflict", page(409, "")),
        ("a status without meaning", page(299, "")),
        ("an empty 200", page(200, "")),
        ("an empty 204", page(204, "")),
        ("too early", page(425, "")),
        ("a firewall that hides as a 400", page(400, "<html>Bad Request</html>")),
        ("gone", page(410, "<html>")),
        ("a list with 200", Reply::json(200, &json!([]))),
        ("AUTH-12 maintenance as 401", Reply::error(401, "vip_maintenance_mode")),
    ];
    all(replies.into_iter().map(|(name, reply)| doubtful(name, &this(reply))).collect());
}

/// Raised by the web server before WordPress runs, cases RED-01 to RED-08.
#[test]
fn a_redirect_and_a_web_servers_own_no_prove_that_there_is_no_draft() {
    let row = |name: &str, code: &str, reply: Reply| {
        Row::new(name)
            .rule(Ask::Create, Times::Once, Carries::Nothing, this(reply))
            .run(format!("3: x rejected {code} none none; look-up 1, create 1; 0 posts"))
            .runs(&[CREATED, CONFIRMED])
    };
    let moved = |status, to: &str| Reply::html(status, "<html>").with("location", to);
    let elsewhere = "https://evil.invalid/wp-json/wp/v2/posts";
    let mut rows: Vec<Row> = [301, 302, 303, 307, 308]
        .into_iter()
        .flat_map(|status| {
            [
                row(&format!("RED-07 {status} away"), "redirected", moved(status, elsewhere)),
                row(
                    &format!("RED-03 {status} slash"),
                    "redirected",
                    moved(status, "/wp-json/wp/v2/posts/"),
                ),
            ]
        })
        .collect();
    rows.push(row("a redirect to nowhere", "redirected", Reply::html(301, "")));
    rows.push(row("a 304", "redirected", Reply::html(304, "")));
    for status in [404, 405, 413, 415] {
        rows.push(row(
            &status.to_string(),
            &format!("http_{status}"),
            Reply::html(status, "<html>"),
        ));
    }
    play(rows);
}

#[test]
fn what_the_json_may_have_around_it() {
    let created = |name: &str, give: Give| {
        Row::new(name).always(Ask::Create, give).runs(&[CREATED, CONFIRMED])
    };
    play(vec![
        created("BODY-04 a byte order mark", with_body(|body| format!("\u{feff}{body}"))),
        created("white space", with_body(|body| format!("\n\n {body}\r\n "))),
        created("problem+json", bent(|reply| reply.with("content-type", "application/hal+json"))),
        created("no Location", bent(|reply| reply.without("location"))),
        created(
            "a Location that names another post",
            bent(|reply| reply.with("location", "/wp-json/wp/v2/posts/7")),
        ),
        created("fields that nobody asked for", with_field("yoast_head", json!("<meta>"))),
        created("late, but in time", bent(|reply| reply.late(Duration::from_millis(300)))),
    ]);
}

/// More than OncePress reads of an answer; what it says is lost, the draft is not.
#[test]
fn an_answer_without_end_or_without_haste() {
    let long = with_body(|body| format!("{body}{}", " ".repeat(9 * 1024 * 1024)));
    let slow = bent(|reply| reply.late(Duration::from_millis(2500)));
    let slow = |carries, lines: &[&str]| {
        Row::new("CON-10 an answer that comes too late")
            .network("timeout_s = 1")
            .rule(Ask::Create, Times::Once, carries, slow.clone())
            .runs(lines)
    };
    let completed = crate::refusals::COMPLETED;
    play(vec![
        Row::new("nine megabytes")
            .rule(Ask::Create, Times::Once, Carries::Out, long)
            .runs(&[READ, CONFIRMED]),
        slow(Carries::Out, &[completed, CONFIRMED]),
        slow(Carries::Nothing, &[NOT_FOUND, STILL_NOT_FOUND, STILL_NOT_FOUND]),
    ]);
}
