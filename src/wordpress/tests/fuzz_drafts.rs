//! Answers in their parts, put together in any way.
//!
//! Absent from here: what they prove (`fuzz_answers`). The one rule: a draft says in its
//! fields what it holds, so that a test need not read it as the program does.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use super::super::answer::{Answer, Cut};

/// An answer in its parts, so that the tests know what it holds.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, &'static str)>,
    pub(super) before: &'static str,
    pub(super) json: String,
    pub(super) after: &'static str,
    pub(super) is_cut: bool,
}

impl Draft {
    pub(super) fn body(&self) -> Vec<u8> {
        [self.before, &self.json, self.after].concat().into_bytes()
    }

    pub(super) fn answer(&self) -> Answer {
        let cut = self.is_cut.then(|| Cut::Broken("reset".to_owned()));
        let mut answer =
            Answer { status: self.status, body: self.body(), cut, ..Answer::default() };
        for (name, value) in &self.headers {
            answer.keep_header(name, value.as_bytes());
        }
        answer
    }

    pub(super) fn header(&self, name: &str) -> Option<&'static str> {
        self.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// The value of a body that is one JSON value and at most a byte order mark.
    pub(super) fn whole_json(&self) -> Option<Value> {
        let text = String::from_utf8(self.body()).ok()?;
        let text = text.trim_matches([' ', '\t', '\r', '\n', '\u{c}']);
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        serde_json::from_str(text).ok().filter(|_| !self.is_cut)
    }

    pub(super) fn is_said_to_be_json(&self) -> bool {
        let kind = self.header("content-type").unwrap_or_default().to_lowercase();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        kind == "application/json" || kind.ends_with("+json")
    }
}

fn any_headers() -> impl Strategy<Value = Vec<(&'static str, &'static str)>> {
    let kind = select(vec![
        "application/json; charset=UTF-8",
        "application/json",
        "APPLICATION/JSON ; x=y",
        "application/problem+json",
        "application/jsonp",
        "text/html; charset=UTF-8",
        "text/json",
        "",
    ]);
    let kind = prop_oneof![6 => Just("application/json; charset=UTF-8"), 2 => kind];
    let others = select(vec![
        ("location", "https://h/wp-json/wp/v2/posts/42"),
        ("location", "https://h/?rest_route=%2Fwp%2Fv2%2Fmedia%2F42"),
        ("location", "https://h/wp-json/wp/v2/posts"),
        ("location", "https://h/login"),
        ("x-wp-upload-attachment-id", "42"),
        ("x-wp-upload-attachment-id", "43"),
        ("x-wp-upload-attachment-id", "0"),
        ("x-wp-upload-attachment-id", "none"),
        ("retry-after", "30"),
        ("server", "cloudflare"),
        ("cf-mitigated", "challenge"),
        ("age", "0"),
        ("age", "12"),
        ("x-cache", "MISS"),
        ("x-cache", "Hit from cloudfront"),
        ("cf-cache-status", "DYNAMIC"),
        ("cf-cache-status", "STALE"),
        ("x-varnish", "32770"),
        ("x-varnish", "32770 3"),
        ("cache-control", "no-cache, must-revalidate, max-age=0"),
        ("cache-control", "public, max-age=600"),
        ("cache-control", "no-store, max-age=600"),
    ]);
    let total = select(vec!["0", "1", "2", "2", "3", "-1", "1, 1", "two"]);
    let usual = (option::weighted(0.95, kind), option::weighted(0.9, total));
    (usual, vec(others, 0..3)).prop_map(|((kind, total), others)| {
        let kind = kind.map(|kind| ("content-type", kind));
        let total = total.map(|total| ("x-wp-total", total));
        let mut headers: Vec<_> = kind.into_iter().chain(total).collect();
        for (name, value) in others {
            if headers.iter().all(|(known, _)| *known != name) {
                headers.push((name, value));
            }
        }
        headers
    })
}

fn any_object() -> impl Strategy<Value = Value> {
    let id = prop_oneof![
        8 => Just(json!(42)),
        4 => select(vec![json!(0), json!(-42), json!("42"), json!(4.2), json!(null), json!([42])]),
    ];
    let types = prop_oneof![
        2 => Just("post"),
        2 => select(vec!["page", "attachment", "revision", ""]),
    ];
    let status = select(vec!["draft", "pending", "publish", "future", "trash", "inherit"]);
    (option::weighted(0.9, id), option::weighted(0.9, types), status).prop_map(
        |(id, object_type, status)| {
            let mut object = json!({
                "slug": "x", "status": status, "link": "https://h/?p=42", "author": 3,
                "title": {"raw": "A title"}, "content": {"raw": "<p>a {b}</p>"},
                "mime_type": "image/png", "source_url": "https://h/u.png",
            });
            if let Some(id) = id {
                object["id"] = id;
            }
            if let Some(object_type) = object_type {
                object["type"] = json!(object_type);
            }
            object
        },
    )
}

fn any_error() -> impl Strategy<Value = Value> {
    let code = select(vec![
        "rest_cannot_create",
        "rest_invalid_param",
        "rest_not_logged_in",
        "rest_no_route",
        "rest_forbidden",
        "rest_forbidden_context",
        "rest_cannot_update",
        "rest_post_invalid_id",
        "rest_upload_sideload_error",
        "rest_upload_",
        "rest_uploaded",
        "db_insert_error",
        "internal_server_error",
        "empty_content",
        "invalid_username",
        "",
    ]);
    (code, any_object(), any::<bool>()).prop_map(|(code, object, with_object)| {
        let mut error = json!({"code": code, "message": "<b>No</b>.", "data": {"status": 400}});
        if with_object {
            error["data"] = object;
        }
        error
    })
}

fn any_json() -> impl Strategy<Value = String> {
    let text = |value: Value| value.to_string();
    prop_oneof![
        5 => any_object().prop_map(text),
        4 => any_error().prop_map(text),
        1 => vec(any_object(), 0..3).prop_map(|rows| Value::from(rows).to_string()),
        1 => select(vec!["", "null", "0", "\"42\"", "[]", "{}", "<html>", "true"]).prop_map(str::to_owned),
        1 => "[\\[\\]{}\":,a-z0-9 ]{0,40}",
        // Cut somewhere.
        2 => (any_object(), any::<Index>()).prop_map(|(object, at)| {
            let text = object.to_string();
            text[..at.index(text.len())].to_owned()
        }),
    ]
}

fn any_draft(
    status: impl Strategy<Value = u16>,
    json: impl Strategy<Value = String>,
) -> impl Strategy<Value = Draft> {
    let before =
        select(vec![" \n", "\u{feff}", "\u{feff}\u{feff}", "<br />\n<b>Warning</b>: {x}\n", "0"]);
    let after = select(vec!["\n", " x", "<!-- fast -->", "<!-- cached by X -->", "<!--", "{}"]);
    let around = (option::weighted(0.15, before), option::weighted(0.15, after));
    let is_cut = prop::bool::weighted(0.05);
    (status, any_headers(), around, json, is_cut).prop_map(
        |(status, headers, (before, after), json, is_cut)| {
            let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
            Draft { status, headers, before, json, after, is_cut }
        },
    )
}

pub(super) fn any_write_answer() -> impl Strategy<Value = Draft> {
    let others = vec![
        202, 204, 301, 302, 307, 308, 400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500,
        502, 503, 504, 520,
    ];
    let status =
        prop_oneof![6 => Just(201), 2 => Just(200), 5 => select(others), 1 => 200..600_u16];
    any_draft(status, any_json())
}

pub(super) fn any_read_answer() -> impl Strategy<Value = Draft> {
    let others = vec![201, 202, 301, 400, 401, 429, 500, 503];
    let status = prop_oneof![6 => Just(200), 3 => Just(404), 2 => Just(403), 2 => select(others)];
    let list = vec(any_object(), 0..3).prop_map(|rows| Value::from(rows).to_string());
    let error = any_error().prop_map(|error| error.to_string());
    any_draft(status, prop_oneof![2 => list, 2 => any_json(), 1 => error])
}
