//! Errors and redirects, as a page and as WordPress writes them.
//!
//! Absent from here: answers that look like success (`bodies`). The one rule: which of
//! them prove a refusal is written here from facts §3 and §4 and spec §6.

use serde_json::json;

use super::http::{Reply, Request};
use super::kinds::Kind;
use super::outcome::{Nothing, Outcome, Proves, Shape};

const HEARD: Proves = Proves::Nothing(Nothing::Heard);
const BUSY: Proves = Proves::Nothing(Nothing::Busy);

pub(super) fn outcomes(kind: Kind, shape: Shape) -> Vec<Outcome> {
    let all = errors(kind).into_iter().chain(redirects(kind)).chain(refusals(kind));
    let all = all.chain(after_the_insert(kind, shape));
    all.flat_map(|outcome| shape.in_each_way(&outcome)).collect()
}

const STATUSES: [u16; 19] =
    [400, 401, 403, 404, 405, 409, 410, 412, 413, 414, 415, 418, 429, 500, 502, 503, 504, 520, 524];

fn errors(kind: Kind) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for status in STATUSES {
        let busy = matches!(status, 429 | 503);
        // Raised before WordPress runs (spec §6); for a post or a file only.
        let refused = matches!(status, 404 | 405 | 413 | 415) && kind.makes_what_is_recorded();
        let of_page = if refused {
            Proves::Refusal
        } else if busy {
            BUSY
        } else {
            HEARD
        };
        let of_error = match status {
            401 | 403 => Proves::Nothing(Nothing::Shut),
            429 | 503 => BUSY,
            _ => HEARD,
        };
        outcomes.push(Outcome::reply(format!("{status}, a page"), of_page, move |_, _| {
            Reply::html(status, "<html><body>An error</body></html>")
        }));
        // A code that nobody knows: a plugin may raise it before or after the insert.
        outcomes.push(Outcome::reply(format!("{status}, an error"), of_error, move |_, _| {
            Reply::error(status, "odd_plugin")
        }));
    }
    for (name, wait) in [("with seconds to wait", "30"), ("with junk to wait", "soon")] {
        outcomes.push(Outcome::reply(format!("429, {name}"), BUSY, move |_, _| {
            Reply::error(429, "too_many_requests").with("retry-after", wait)
        }));
    }
    outcomes.push(Outcome::reply("500, a page that shows the request", HEARD, shows_the_request));
    outcomes.push(Outcome::reply("403, a firewall", HEARD, |_, _| {
        Reply::html(403, "<html>Just a moment...</html>").with("cf-mitigated", "challenge")
    }));
    outcomes
}

/// A page for debugging, with the password in it.
fn shows_the_request(request: &Request, _: &Reply) -> Reply {
    Reply::html(500, &format!("<html><pre>{:?}</pre></html>", request.headers))
}

fn redirects(kind: Kind) -> Vec<Outcome> {
    let proves = |elsewhere| match (kind.makes_what_is_recorded(), elsewhere) {
        (true, _) => Proves::Refusal,
        (false, Nothing::Moved) => Proves::Nothing(Nothing::Moved),
        (false, _) => HEARD,
    };
    let elsewhere = "https://elsewhere.example/wp-json/";
    let places = [
        (301, "301 to the same host", Nothing::Heard, Some("/elsewhere/")),
        (302, "302 to the same host", Nothing::Heard, Some("/elsewhere/")),
        (303, "303 to the same host", Nothing::Heard, Some("/elsewhere/")),
        (307, "307 to the same host", Nothing::Heard, Some("/elsewhere/")),
        (308, "308 to the same host", Nothing::Heard, Some("/elsewhere/")),
        (301, "301 to another host", Nothing::Moved, Some(elsewhere)),
        (307, "307 to another host", Nothing::Moved, Some(elsewhere)),
        (302, "302 nowhere", Nothing::Heard, None),
    ];
    let mut outcomes = Vec::new();
    for (status, name, nothing, place) in places {
        let make = move |_: &Request, _: &Reply| match place {
            Some(place) => Reply::html(status, "").with("location", place),
            None => Reply::html(status, ""),
        };
        outcomes.push(Outcome::reply(name, proves(nothing), make));
    }
    outcomes.push(Outcome::reply("307 to itself", proves(Nothing::Heard), |request, _| {
        Reply::html(307, "").with("location", &format!("/wp-json/{}", request.route))
    }));
    outcomes.push(Outcome::reply("304", proves(Nothing::Heard), |_, _| Reply::html(304, "")));
    outcomes
}

/// Codes that WordPress raises before it makes anything.
fn refusals(kind: Kind) -> Vec<Outcome> {
    let of_posts = [
        (400, "rest_invalid_param"),
        (400, "empty_content"),
        (400, "rest_invalid_json"),
        (400, "rest_invalid_author"),
        (400, "rest_post_exists"),
        (400, "rest_missing_callback_param"),
        (401, "rest_cannot_create"),
        (403, "rest_cannot_create"),
        (403, "rest_cannot_publish"),
        (403, "rest_cannot_edit_others"),
        (403, "rest_cannot_assign_term"),
        (404, "rest_no_route"),
    ];
    let of_uploads = [
        (400, "rest_upload_no_data"),
        (400, "rest_upload_invalid_disposition"),
        (403, "rest_cannot_create"),
        (412, "rest_upload_hash_mismatch"),
        (500, "rest_upload_sideload_error"),
    ];
    // The database does not take the name, and never will (case TERM-06).
    let of_tags =
        [(403, "rest_cannot_create"), (400, "rest_invalid_param"), (500, "db_insert_error")];
    let codes: &[(u16, &'static str)] = match kind {
        Kind::CreatePost | Kind::CreatePage | Kind::CreateBook => &of_posts,
        Kind::Upload => &of_uploads,
        Kind::CreateTag => &of_tags,
        _ => &[],
    };
    let one = |(status, code): &(u16, &'static str)| {
        let (status, code) = (*status, *code);
        Outcome::reply(format!("{status} {code}"), Proves::Refusal, move |_, _| {
            Reply::error(status, code)
        })
    };
    codes.iter().map(one).collect()
}

/// Errors that core raises when the post exists already (facts §3).
fn after_the_insert(kind: Kind, shape: Shape) -> Vec<Outcome> {
    if shape != Shape::Insert {
        return Vec::new();
    }
    let codes = [
        (400, "rest_invalid_type"),
        (403, "rest_cannot_update"),
        (500, "db_insert_error"),
        (500, "internal_server_error"),
    ];
    let one = |(status, code)| {
        Outcome::reply(format!("{status} {code}"), HEARD, move |_, _| {
            let body = json!({ "code": code, "message": "<p>Critical.</p>", "data": null });
            Reply::json(status, &body)
        })
    };
    let not_told = |(_, code): &(u16, &str)| kind != Kind::CreateTag || *code != "db_insert_error";
    codes.into_iter().filter(not_told).map(one).collect()
}
