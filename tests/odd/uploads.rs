//! Odd answers to an upload.
//!
//! Absent from here: creates. The one rule: an image that is not confirmed blocks its
//! article, is never sent a second time, and no post leaves without it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::http::Reply;
use crate::support::rows::{Row, play};
use crate::support::rules::{Ask, Carries, Give, Times, bent, this};

const CREATED: &str = "0: x created - confirmed confirmed [created -]; \
     look-up 1, create 1, media-look-up 1, upload 1; 1 posts";
const COMPLETED: &str = "0: x created - confirmed confirmed [completed -]; \
     look-up 1, create 1, media-look-up 2, upload 1; 1 posts";
/// Found by the id that the answer named.
const READ: &str = "0: x created - confirmed confirmed [completed -]; \
     look-up 1, create 1, media-look-up 1, media-read 1, upload 1; 1 posts";
const CONFIRMED: &str = "0: x skipped confirmed confirmed confirmed; receipts 1; 1 posts";
const UNKNOWN: &str = "4: x held media_unknown possible prepared [held not_found]; \
     look-up 1, media-look-up 2, upload 1; 0 posts";
const READ_UNKNOWN: &str = "4: x held media_unknown possible prepared [held not_found]; \
     look-up 1, media-look-up 2, media-read 1, upload 1; 0 posts";
const STILL_UNKNOWN: &str = "4: x held media_unknown possible prepared [held not_found]; \
     look-up 1, media-look-up 1; 0 posts";

fn row(name: &str, carries: Carries, give: &Give) -> Row {
    Row::new(name).with_picture().rule(Ask::Upload, Times::Once, carries, give.clone())
}

/// The answer is no proof, and names nothing.
fn doubtful(name: &str, give: &Give) -> [Row; 2] {
    [
        row(&format!("{name}, stored"), Carries::Out, give).runs(&[COMPLETED, CONFIRMED]),
        row(&format!("{name}, not stored"), Carries::Nothing, give).runs(&[
            UNKNOWN,
            STILL_UNKNOWN,
            STILL_UNKNOWN,
        ]),
    ]
}

/// The answer is no proof, and names the attachment.
fn hinted(name: &str, give: &Give) -> [Row; 2] {
    [
        row(&format!("{name}, stored"), Carries::Out, give).runs(&[READ, CONFIRMED]),
        row(&format!("{name}, not stored"), Carries::Nothing, give).runs(&[
            READ_UNKNOWN,
            STILL_UNKNOWN,
            STILL_UNKNOWN,
        ]),
    ]
}

/// The healthy answer with another status and body; its header still names the id.
fn with_header(status: u16, body: &'static str) -> Give {
    bent(move |reply| {
        let body = body.as_bytes().to_vec();
        Reply { status, body, ..reply }.without("location")
    })
}

/// A page, and nothing that names the attachment.
fn page(status: u16, body: &str) -> Give {
    this(Reply::html(status, body))
}

/// Facts §4, cases MED-01 to MED-06.
#[test]
fn an_answer_that_is_no_proof_is_settled_by_looking_or_blocks_the_article() {
    let rows = vec![
        doubtful("MED-01 a PHP death", &page(500, "<p>critical error")),
        doubtful("a gateway's time limit", &page(504, "<html>")),
        doubtful("an empty 200", &page(200, "")),
        doubtful("an empty 201", &page(201, "")),
        doubtful("null", &this(Reply::json(201, &Value::Null))),
        doubtful("a list", &this(Reply::json(200, &json!([])))),
        doubtful("a post", &this(Reply::json(201, &json!({ "id": 7, "type": "post" })))),
        doubtful("a challenge", &page(202, "<html>sgcaptcha")),
        doubtful("a firewall", &page(403, "<html>Forbidden")),
        doubtful("an unknown code", &this(Reply::error(500, "db_insert_error"))),
        doubtful("a code of a plugin", &this(Reply::error(403, "offload_failed"))),
        doubtful("a code of posts", &this(Reply::error(403, "rest_cannot_update"))),
        hinted("MED-06 a 500 with the header", &with_header(500, "<html>")),
        hinted("MED-06 an empty 200 with the header", &with_header(200, "")),
        hinted("an empty 201 with the header", &with_header(201, "")),
        hinted("a 502 with the header", &with_header(502, "<html>")),
        hinted(
            "a refusal with the header",
            &with_header(500, r#"{"code":"rest_upload_sideload_error","message":"no"}"#),
        ),
        hinted("the object as 200", &bent(|reply| Reply { status: 200, ..reply })),
        hinted(
            "a warning before",
            &bent(|mut reply| {
                reply.body = [b"<br />Warning".as_slice(), &reply.body].concat();
                reply.without("x-wp-upload-attachment-id").without("location")
            }),
        ),
        hinted(
            "only a Location",
            &bent(|mut reply| {
                reply.body.clear();
                reply.without("x-wp-upload-attachment-id")
            }),
        ),
    ];
    play(rows.into_iter().flatten().collect());
}

#[test]
fn a_header_and_a_body_that_disagree_prove_nothing() {
    let other = bent(|reply| reply.with("x-wp-upload-attachment-id", "7"));
    play(vec![
        row("another id in the header", Carries::Out, &other).runs(&[
            "0: x created - confirmed confirmed [completed -]; \
             look-up 1, create 1, media-look-up 2, media-read 1, upload 1; 1 posts",
            CONFIRMED,
        ]),
        row("no header", Carries::Out, &bent(|reply| reply.without("x-wp-upload-attachment-id")))
            .runs(&[CREATED, CONFIRMED]),
    ]);
}

/// Facts §4, cases MED-08, MED-10, MED-21 to MED-23: nothing was stored.
#[test]
fn a_refused_file_lets_the_next_run_send() {
    let refused = |exit: u8, name: &str, code: &str, reply: Reply| {
        row(name, Carries::Nothing, &this(reply))
            .run(format!(
                "{exit}: x rejected {code} none none [rejected {code}]; \
                 look-up 1, media-look-up 1, upload 1; 0 posts"
            ))
            .runs(&[CREATED, CONFIRMED])
    };
    let codes = [
        (400, "rest_upload_no_data"),
        (412, "rest_upload_hash_mismatch"),
        (400, "rest_upload_invalid_disposition"),
        (400, "rest_upload_no_content_disposition"),
        (400, "rest_upload_no_content_type"),
        (400, "rest_upload_file_too_big"),
        (400, "rest_upload_limited_space"),
        (400, "rest_invalid_param"),
        (404, "rest_no_route"),
    ];
    let mut rows: Vec<Row> =
        codes.map(|(status, code)| refused(3, code, code, Reply::error(status, code))).into();
    for (status, code) in
        [(500, "rest_upload_sideload_error"), (400, "rest_upload_image_type_not_supported")]
    {
        rows.push(refused(3, code, "media_type_refused", Reply::error(status, code)));
    }
    let no_right = "rest_cannot_create";
    // Older versions say 400 (case MED-11).
    for status in [400, 403] {
        let name = format!("{status} {no_right}");
        rows.push(refused(6, &name, no_right, Reply::error(status, no_right)));
    }
    rows.push(refused(3, "413", "http_413", Reply::html(413, "<html>")));
    let away = Reply::html(307, "").with("location", "https://evil.invalid/");
    rows.push(refused(3, "RED-07", "redirected", away));
    play(rows);
}

#[test]
fn a_refused_account_stops_the_run_before_the_next_file() {
    let row = Row::new("401")
        .with(|desk| ["x", "y"].iter().for_each(|slug| desk.article_with_picture(slug)))
        .rule(
            Ask::Upload,
            Times::Always,
            Carries::Nothing,
            this(Reply::error(401, "rest_cannot_create")),
        )
        .run(
            "6 !account_refused: x rejected rest_cannot_create none none \
             [rejected rest_cannot_create], y deferred account_refused none none; \
             look-up 1, media-look-up 1, upload 1; 0 posts",
        );
    play(vec![row]);
}

/// The file is stored and its sizes are not made: one more question finishes them.
#[test]
fn missing_sizes_are_finished_and_never_block() {
    let missing = || {
        bent(|reply| {
            let mut object: Value = serde_json::from_slice(&reply.body).expect("the attachment");
            object["missing_image_sizes"] = json!(["medium"]);
            Reply { body: object.to_string().into_bytes(), ..reply }
        })
    };
    let processed = "0: x created - confirmed confirmed [created -]; \
         look-up 1, create 1, media-look-up 1, upload 1, post-process 1; 1 posts";
    let untold = processed.replace("[created -]", "[created -] +sizes_missing");
    play(vec![
        row("finished", Carries::Out, &missing()).runs(&[processed, CONFIRMED]),
        row("not finished", Carries::Out, &missing())
            .always(Ask::PostProcess, page(504, "<html>"))
            .runs(&[&untold, CONFIRMED]),
        row("not there", Carries::Out, &missing())
            .always(Ask::PostProcess, this(Reply::error(404, "rest_no_route")))
            .runs(&[&untold, CONFIRMED]),
    ]);
}

/// What a look-up by our own slug shows after a lost answer.
#[test]
fn what_is_found_after_a_lost_answer_must_be_ours() {
    let held = |name: &str, reason: &str, change: fn(&mut Value)| {
        row(name, Carries::Nothing, &page(502, "<html>"))
            .rule(
                Ask::MediaLookUp,
                Times::From(2),
                Carries::Out,
                std::sync::Arc::new(move |request, reply: Reply| {
                    let slugs = request.asks("slug").unwrap_or_default();
                    let slug = slugs.split(',').next().unwrap_or_default();
                    let mut row = json!({
                        "id": 9, "slug": slug, "status": "inherit", "type": "attachment",
                        "author": 3, "mime_type": "image/png", "source_url": "http://localhost/a",
                        "missing_image_sizes": [],
                    });
                    change(&mut row);
                    Reply { body: json!([row]).to_string().into_bytes(), ..reply }
                        .with("x-wp-total", "1")
                }),
            )
            .run(format!(
                "4: x held media_unknown possible prepared [held {reason}]; \
                 look-up 1, media-look-up 2, upload 1; 0 posts"
            ))
            .run(format!(
                "4: x held media_unknown possible prepared [held {reason}]; \
                 look-up 1, media-look-up 1; 0 posts"
            ))
    };
    play(vec![
        held("somebody else's", "content_differs", |row| row["author"] = json!(4)),
        held("another type", "content_differs", |row| row["mime_type"] = json!("image/webp")),
        held("in the trash", "found_in_trash", |row| row["status"] = json!("trash")),
    ]);
}

/// Case DUP-04, for files.
#[test]
fn a_file_that_is_another_files_is_not_counted_as_new() {
    let first = bent(|reply| {
        let mut object: Value = serde_json::from_slice(&reply.body).expect("the attachment");
        object["id"] = json!(41);
        object["slug"] = json!("first-one");
        Reply { body: object.to_string().into_bytes(), ..reply }
            .without("x-wp-upload-attachment-id")
            .without("location")
    });
    let row = Row::new("the same id again")
        .with(|desk| ["x", "y"].iter().for_each(|slug| desk.article_with_picture(slug)))
        .rule(Ask::Upload, Times::Nth(2), Carries::Nothing, first)
        .run(
            "4: x created - confirmed confirmed [created -], \
             y held media_unknown possible prepared [held not_found]; \
             look-up 1, create 1, media-look-up 2, upload 2; 1 posts",
        )
        .run(
            "4: x skipped confirmed confirmed confirmed, \
             y held media_unknown possible prepared [held not_found]; \
             receipts 1, look-up 1, media-look-up 1; 1 posts",
        );
    play(vec![row]);
}

#[test]
fn an_answer_that_comes_too_late() {
    let slow = bent(|reply| reply.late(Duration::from_millis(2500)));
    play(vec![
        row("stored", Carries::Out, &slow).network("timeout_s = 1").runs(&[COMPLETED, CONFIRMED]),
        row("not stored", Carries::Nothing, &slow)
            .network("timeout_s = 1")
            .runs(&[UNKNOWN, STILL_UNKNOWN]),
    ]);
}
