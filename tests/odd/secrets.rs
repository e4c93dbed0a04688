//! Sites that show back what they were sent.
//!
//! Absent from here: the search itself, which every run of every row ends with
//! (`support::desk`). The one rule: no answer can make the password show.

use serde_json::json;

use crate::support::http::{Reply, Request};
use crate::support::rows::{Row, play};
use crate::support::rules::{Ask, Carries, Give, Times};

/// An answer that is made of the request's own header.
fn echo(make: fn(&str) -> Reply) -> Give {
    std::sync::Arc::new(move |request: &Request, _| {
        make(request.header("authorization").unwrap_or("none"))
    })
}

#[test]
fn a_password_that_the_site_shows_back_is_not_repeated() {
    let row = |name: &str, on, make, line: &str| {
        Row::new(name).rule(on, Times::Always, Carries::Nothing, echo(make)).run(line)
    };
    let page = |it: &str| Reply::html(500, &format!("<html>Authorization: {it}"));
    let error = |it: &str| {
        Reply::json(403, &json!({ "code": "debug", "message": format!("you sent {it}") }))
    };
    let code = |it: &str| Reply::json(400, &json!({ "code": it, "message": "" }));
    let moved = |it: &str| Reply::html(302, "").with("location", &format!("/login?was={it}"));
    let server = |it: &str| Reply::html(502, "").with("server", it);
    let header = |it: &str| Reply::html(500, "").with("x-wp-upload-attachment-id", it);
    let kind = |it: &str| Reply::new(500, it, "");
    let held = "4: x held not_found possible sending +answer_lost; \
         look-up 2, candidates 3, create 1; 0 posts";
    let deferred = "5: x deferred cannot_look_up none none; look-up 1; 0 posts";
    play(vec![
        row("a page", Ask::Create, page, held),
        row("an error", Ask::Create, error, held),
        row("a code", Ask::Create, code, held),
        row(
            "a redirect",
            Ask::Create,
            moved,
            "3: x rejected redirected none none; look-up 1, create 1; 0 posts",
        ),
        row("a server's name", Ask::Create, server, held),
        row("another header", Ask::Create, header, held),
        row("a content type", Ask::Create, kind, held),
        row("a page for a look-up", Ask::LookUp, page, deferred),
        row("an error for a look-up", Ask::LookUp, error, deferred),
        row("a code for a look-up", Ask::LookUp, code, deferred),
        row("a redirect of a look-up", Ask::LookUp, moved, deferred),
        row(
            "an error for the account",
            Ask::Me,
            error,
            "6 !account_refused: x deferred account_refused none none; preflight only; 0 posts",
        ),
        row(
            "a code for the account",
            Ask::Me,
            code,
            "6 !account_refused: x deferred account_refused none none; preflight only; 0 posts",
        ),
    ]);
}

/// In the proper answer too: what is stored of it goes into the journal.
#[test]
fn a_password_in_the_echo_of_a_draft_does_not_reach_the_journal() {
    let row = |field: &'static str, warnings: &str| {
        let give: Give = std::sync::Arc::new(move |request: &Request, reply: Reply| {
            let mut post: serde_json::Value = serde_json::from_slice(&reply.body).expect("it");
            post[field] = json!(request.header("authorization"));
            Reply { body: post.to_string().into_bytes(), ..reply }
        });
        Row::new(field).rule(Ask::Create, Times::Once, Carries::Out, give).run(format!(
            "0: x created - confirmed confirmed{warnings}; look-up 1{}, create 1; 1 posts",
            if warnings.contains("slug") { ", candidates 3" } else { "" }
        ))
    };
    play(vec![row("link", ""), row("slug", " +slug_changed")]);
}
