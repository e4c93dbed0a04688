//! Odd answers before anything is sent: finding the REST root, proving the account.
//!
//! Absent from here: sites that can't be reached (`unreachable`). The one rule: a run
//! that could not begin sent nothing, tried the account once, and leaves a doubt as it
//! is.

use serde_json::{Value, json};

use crate::support::http::Reply;
use crate::support::rows::{Row, play};
use crate::support::rules::{Ask, Carries, Give, Times, bent, this};

const CREATED: &str = "0: x created - confirmed confirmed; look-up 1, create 1; 1 posts";
const NOT_FOUND: &str = "4: x held not_found possible sending +answer_lost; \
     look-up 2, candidates 3, create 1; 0 posts";
const STILL: &str = "4: x held not_found possible sending; look-up 1, candidates 3; 0 posts";

/// Such an answer with nothing sent before, and with a lost answer before it.
fn stops(name: &str, on: Ask, exit: i32, code: &str, asked: &str, give: &Give) -> [Row; 2] {
    let in_doubt = if exit == 6 { 6 } else { 4 };
    let fault = give.clone();
    [
        Row::new(format!("{name}, nothing sent"))
            .always(on, give.clone())
            .run(format!("{exit} !{code}: x deferred {code} none none; {asked}; 0 posts"))
            .healed()
            .run(CREATED),
        Row::new(format!("{name}, in doubt"))
            .rule(Ask::Create, Times::Once, Carries::Nothing, this(Reply::html(502, "")))
            .run(NOT_FOUND)
            .then(move |site, _| {
                use crate::support::rules::Rule;
                site.rule(Rule::new(on, Times::Always, Carries::Out, fault.clone()));
            })
            .run(format!(
                "{in_doubt} !{code}: x unknown cannot_look_up possible sending; {asked}; 0 posts"
            ))
            .healed()
            .run(STILL),
    ]
}

fn me(name: &str, exit: i32, code: &str, give: &Give) -> [Row; 2] {
    stops(name, Ask::Me, exit, code, "preflight only", give)
}

fn all(rows: Vec<[Row; 2]>) {
    play(rows.into_iter().flatten().collect());
}

/// Cases AUTH-01, AUTH-02, AUTH-03, AUTH-05, AUTH-08, AUTH-12.
#[test]
fn an_account_that_is_refused_is_tried_once() {
    let error = |status, code: &str| this(Reply::error(status, code));
    all(vec![
        me("AUTH-01 the header stripped", 6, "not_logged_in", &error(401, "rest_not_logged_in")),
        me("AUTH-03 a wrong password", 6, "wrong_password", &error(401, "incorrect_password")),
        me("AUTH-03 an unknown user", 6, "wrong_password", &error(401, "invalid_username")),
        me("an unknown e-mail", 6, "wrong_password", &error(401, "invalid_email")),
        me(
            "AUTH-05 switched off",
            6,
            "application_passwords_off",
            &error(401, "application_passwords_disabled"),
        ),
        me(
            "AUTH-05 switched off for the user",
            6,
            "application_passwords_off",
            &error(401, "application_passwords_disabled_for_user"),
        ),
        me("AUTH-08 a plugin", 6, "account_refused", &error(403, "itsec_rest_api_access")),
        me("AUTH-08 a plugin with 401", 6, "account_refused", &error(401, "jwt_auth_bad_config")),
        me("AUTH-12 maintenance", 5, "account_refused", &error(401, "vip_maintenance_mode")),
        me(
            "a password of the web server",
            6,
            "web_password",
            &this(Reply::html(401, "<html>").with("www-authenticate", "Basic realm=\"x\"")),
        ),
        me("a staging password", 6, "account_refused", &this(Reply::html(401, "<html>"))),
        me("a site that fails", 5, "site_broken", &error(500, "internal_server_error")),
    ]);
}

/// Case AUTH-05: the index says that there are none.
#[test]
fn a_site_without_application_passwords_says_so() {
    let row = Row::new("AUTH-05")
        .where_the_site(|stored| stored.index["authentication"] = json!([]))
        .always(Ask::Me, this(Reply::error(401, "rest_not_logged_in")))
        .run(
            "6 !application_passwords_off: x deferred application_passwords_off none none; \
             preflight only; 0 posts",
        );
    play(vec![row]);
}

#[test]
fn an_account_that_is_not_answered_properly_stops_the_run() {
    let page = |status, text: &str| this(Reply::html(status, text));
    all(vec![
        me("WAF-04 a challenge", 5, "middleman", &page(202, "<html>sgcaptcha")),
        me("WAF-02 Cloudflare", 5, "middleman", &page(403, "<html>Just a moment...")),
        me("a page", 5, "site_broken", &page(200, "<html>")),
        me("empty", 5, "site_broken", &page(200, "")),
        me("null", 5, "site_broken", &this(Reply::json(200, &Value::Null))),
        me("a list", 5, "site_broken", &this(Reply::json(200, &json!([])))),
        me("no id", 5, "site_broken", &this(Reply::json(200, &json!({ "name": "W" })))),
        me("no capabilities", 5, "site_broken", &this(Reply::json(200, &json!({ "id": 3 })))),
        me("a gateway", 5, "site_broken", &page(502, "<html>")),
        me("RATE-01 too many", 5, "site_busy", &page(429, "")),
        me("ROOT-08 maintenance", 5, "site_busy", &page(503, "<html>")),
        me(
            "RED-06 a redirect",
            2,
            "site_redirects",
            &this(Reply::html(301, "").with("location", "https://evil.invalid/")),
        ),
    ]);
}

#[test]
fn an_account_without_the_right_sends_nothing() {
    let row = Row::new("a subscriber")
        .where_the_site(|stored| stored.me["capabilities"] = json!({ "read": true }))
        .run("6 !capability_missing: x deferred capability_missing none none; preflight only; 0 posts");
    play(vec![row]);
}

/// Cases ROOT-05, ROOT-08, RED-05 to RED-07, WAF-04.
#[test]
fn a_root_that_is_not_there_stops_the_run() {
    let index = |name: &str, exit, code: &str, asked: &str, give: Give| {
        stops(name, Ask::Index, exit, code, asked, &give)
    };
    let away = |status| {
        this(Reply::html(status, "").with("location", "https://www.other.invalid/wp-json/"))
    };
    let searched = "index 3, home 1, me 0";
    let once = "index 1, me 0";
    all(vec![
        index("RED-02 301 away", 2, "site_redirects", once, away(301)),
        index("RED-07 307 away", 2, "site_redirects", once, away(307)),
        index("RED-07 308 away", 2, "site_redirects", once, away(308)),
        index(
            "RED-05 302 home",
            2,
            "site_redirects",
            searched,
            this(Reply::html(302, "").with("location", "/")),
        ),
        index(
            "a password of the web server",
            6,
            "web_password",
            searched,
            this(Reply::html(401, "<html>").with("www-authenticate", "Basic realm=\"x\"")),
        ),
        index("404", 2, "not_wordpress", searched, this(Reply::html(404, "<html>"))),
        index("a page", 2, "not_wordpress", searched, this(Reply::html(200, "<html>"))),
        index(
            "BODY-06 PHP source",
            2,
            "not_wordpress",
            searched,
            bent(|reply| Reply { body: b"<?php require 'x';".to_vec(), ..reply }),
        ),
        index(
            "no wp/v2",
            2,
            "not_wordpress",
            searched,
            this(Reply::json(200, &json!({ "namespaces": ["oembed/1.0"] }))),
        ),
        index(
            "ROOT-05 switched off",
            2,
            "rest_closed",
            searched,
            this(Reply::error(404, "rest_disabled")),
        ),
        index(
            "ROOT-05 closed",
            2,
            "rest_closed",
            "index 2, me 0",
            this(Reply::error(401, "rest_cannot_access")),
        ),
        index(
            "ROOT-08 maintenance",
            5,
            "site_busy",
            once,
            this(Reply::html(503, "<html>").with("retry-after", "600")),
        ),
        index("RATE-01", 5, "site_busy", once, this(Reply::html(429, ""))),
        index(
            "WAF-04 a challenge",
            5,
            "middleman",
            searched,
            this(Reply::html(202, "<html>sgcaptcha").with("sg-captcha", "challenge")),
        ),
        index("a PHP death", 5, "site_broken", searched, this(Reply::html(500, "<p>critical"))),
    ]);
}

/// A WordPress that keeps its API away, and one that another API stands for (case ROOT-06).
#[test]
fn a_site_without_its_api_stops_the_run() {
    let missing = || this(Reply::html(404, "<html>"));
    let stops = |name: &str, code: &str, home: Reply| {
        Row::new(name)
            .always(Ask::Index, missing())
            .always(Ask::Home, this(home))
            .run(format!("2 !{code}: x deferred {code} none none; index 3, home 1, me 0; 0 posts"))
    };
    let page = Reply::html(200, "<html><link href=\"/wp-includes/css/a.css\">");
    let link = "<https://public-api.wordpress.com/wp/v2/sites/1/>; rel=\"https://api.w.org/\"";
    play(vec![
        stops("hidden", "rest_hidden", page),
        stops("hosted", "site_not_supported", Reply::html(200, "<html>").with("link", link)),
    ]);
}

/// Facts §2: some hosts open the index to signed-in users only.
#[test]
fn an_index_for_users_only_is_asked_with_the_account() {
    let users_only: Give = std::sync::Arc::new(|request, reply| {
        if request.header("authorization").is_some() {
            reply
        } else {
            Reply::error(401, "rest_login_required")
        }
    });
    let row = Row::new("users only")
        .always(Ask::Index, users_only)
        .run("0: x created - confirmed confirmed; index 2, me 1, look-up 1, create 1; 1 posts");
    play(vec![row]);
}

/// What the index and the account may look like.
#[test]
fn what_a_healthy_site_may_look_like() {
    let fine = |name: &str, on, give| Row::new(name).always(on, give).run(CREATED);
    let mark = bent(|mut reply| {
        reply.body = [b"\xef\xbb\xbf".as_slice(), &reply.body].concat();
        reply
    });
    let comment = bent(|mut reply| {
        reply.body.extend(b"<!-- cached -->");
        reply
    });
    let no_routes = Row::new("an index that hides its routes")
        .where_the_site(|stored| drop(stored.index.as_object_mut().expect("it").remove("routes")))
        .run("0: x created - confirmed confirmed; options 1, look-up 1, create 1; 1 posts");
    let no_options = Row::new("and refuses to be asked what it offers")
        .where_the_site(|stored| drop(stored.index.as_object_mut().expect("it").remove("routes")))
        .always(Ask::Options, this(Reply::html(405, "<html>")))
        .run("0: x created - confirmed confirmed; options 1, look-up 1, create 1; 1 posts");
    play(vec![
        fine("BODY-04 a mark before the index", Ask::Index, mark.clone()),
        fine("BODY-04 a mark before the account", Ask::Me, mark),
        fine("BODY-05 a comment after the index", Ask::Index, comment.clone()),
        fine("BODY-05 a comment after the account", Ask::Me, comment),
        fine("an index out of a cache", Ask::Index, bent(|reply| reply.with("age", "600"))),
        no_routes,
        no_options,
    ]);
}

/// Cases RED-06, RED-07: the password is for the configured origin.
#[test]
fn the_index_is_asked_without_the_password() {
    let check: Give = std::sync::Arc::new(|request, reply| {
        assert_eq!(request.header("authorization"), None);
        reply
    });
    let anonymous = Row::new("index").always(Ask::Index, check.clone()).run(CREATED);
    let home = Row::new("home")
        .always(Ask::Index, this(Reply::html(404, "")))
        .always(Ask::Home, check)
        .run(
            "2 !not_wordpress: x deferred not_wordpress none none; \
             index 3, home 1, me 0; 0 posts",
        );
    play(vec![anonymous, home]);
}
