//! Objects that say of themselves what is not so: echoes of writes, and what reads show.
//!
//! Absent from here: lists that leave rows out (`lists`). The one rule: everything about
//! the answer is in order but the one thing that it says.

use serde_json::{Value, json};

use super::bodies::each;
use super::http::Reply;
use super::kinds::Kind;
use super::outcome::{Lie, Nothing, Outcome, Proves};
use super::site::foreign_id;

const HEARD: Proves = Proves::Nothing(Nothing::Heard);

pub(super) fn outcomes(kind: Kind) -> Vec<Outcome> {
    match kind {
        Kind::CreatePost | Kind::CreatePage | Kind::CreateBook => post_echoes(),
        Kind::Upload => upload_echoes(),
        Kind::LookUpAgain | Kind::LookUpTaken => rows_of_posts(),
        Kind::ReceiptById | Kind::Read | Kind::MediaRead => gone(),
        _ => Vec::new(),
    }
}

fn says(name: &str, proves: Proves, change: fn(&mut Value)) -> Outcome {
    Outcome::reply(name, proves, move |_, reply| each(reply.clone(), change))
}

fn post_echoes() -> Vec<Outcome> {
    vec![
        says("another slug", Proves::Lie(Lie::OtherSlug), |post| post["slug"] = json!("other")),
        says("no slug", Proves::Nothing(Nothing::Heard), |post| post["slug"] = Value::Null),
        says("published", Proves::Lie(Lie::Published), |post| post["status"] = json!("publish")),
        says("in the trash", Proves::Lie(Lie::Published), |post| post["status"] = json!("trash")),
        says("another type", HEARD, |post| post["type"] = json!("event")),
        says("another title", Proves::Lie(Lie::OtherText), |post| {
            post["title"]["raw"] = json!("Somebody else's");
        }),
        says("other content", Proves::Lie(Lie::OtherText), |post| {
            post["content"]["raw"] = json!("<p>Somebody else's</p>");
        }),
        says("neither title nor content", Proves::Lie(Lie::OtherText), |post| {
            post["title"] = Value::Null;
            post["content"] = Value::Null;
        }),
        says("somebody else's id", Proves::Lie(Lie::OtherId), |post| {
            post["id"] = json!(foreign_id());
        }),
    ]
}

fn upload_echoes() -> Vec<Outcome> {
    vec![
        says("another type", HEARD, |file| file["type"] = json!("post")),
        says("no address", HEARD, |file| file["source_url"] = Value::Null),
        says("an empty address", HEARD, |file| file["source_url"] = json!("")),
        says("a local address", HEARD, |file| file["source_url"] = json!("x.png")),
        says("the address of a script", HEARD, |file| {
            file["source_url"] = json!("javascript:alert(1)");
        }),
        Outcome::reply("a header that names another file", HEARD, |_, reply| {
            reply.clone().with("x-wp-upload-attachment-id", "900001")
        }),
    ]
}

/// What a look-up by slug shows of the one post that it finds.
fn rows_of_posts() -> Vec<Outcome> {
    vec![
        says("a row in the trash", Proves::Lie(Lie::Trashed), |row| {
            row["status"] = json!("trash");
            let slug = row["slug"].as_str().expect("a slug").to_owned();
            row["slug"] = json!(format!("{slug}__trashed"));
        }),
        says("a row with another title", Proves::Lie(Lie::OtherText), |row| {
            row["title"]["raw"] = json!("Somebody else's");
        }),
        says("a row without a status", HEARD, |row| row["status"] = Value::Null),
        says("a row with another slug", HEARD, |row| row["slug"] = json!("other")),
    ]
}

fn gone() -> Vec<Outcome> {
    let error = |name: &str, lie, status, code: &'static str| {
        Outcome::reply(name, Proves::Lie(lie), move |_, _| Reply::error(status, code))
    };
    vec![
        error("404 rest_post_invalid_id", Lie::Gone, 404, "rest_post_invalid_id"),
        error("403 rest_forbidden_context", Lie::NotForYou, 403, "rest_forbidden_context"),
    ]
}
