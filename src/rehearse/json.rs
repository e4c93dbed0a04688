//! A rehearsal as one JSON object: `oncepress.rehearsal/1`. Changes to it only add.
//!
//! Absent from here: where it is written to. The one rule: it has everything that the
//! verdicts come from, so that they can be checked by somebody else.

use serde::Serialize;
use serde_json::{Value, json};

use super::child::{End, Ran};
use super::judge::broken;
use super::play::Played;
use super::scene::Expected;
use crate::report::Exit;

/// The name and version of the object.
pub const SCHEMA: &str = "oncepress.rehearsal/1";

/// The object.
#[derive(Debug, Serialize)]
pub struct Document<'a> {
    schema: &'static str,
    command: &'static str,
    ok: bool,
    exit_code: u8,
    counts: Counts,
    scenes: Vec<SceneEntry<'a>>,
    folder: Option<String>,
}

#[derive(Debug, Serialize)]
struct Counts {
    as_promised: usize,
    broken: usize,
}

#[derive(Debug, Serialize)]
struct SceneEntry<'a> {
    scene: &'static str,
    done: &'static str,
    runs: Vec<RunEntry<'a>>,
    arrivals: Value,
    posts: Vec<Value>,
    images: usize,
    expected: Value,
    verdict: &'static str,
    broken: Vec<String>,
}

#[derive(Debug, Serialize)]
struct RunEntry<'a> {
    argv: Vec<String>,
    exit_code: Option<i32>,
    killed_at: Option<&'static str>,
    errors: Vec<&'a str>,
    articles: Vec<Value>,
    expected: Value,
}

/// The object of this rehearsal. `folder` is where it was kept.
#[must_use]
pub fn document(played: &[Played], exit: Exit, folder: Option<String>) -> Document<'_> {
    let scenes: Vec<_> = played.iter().map(scene).collect();
    let as_promised = scenes.iter().filter(|scene| scene.broken.is_empty()).count();
    let counts = Counts { as_promised, broken: scenes.len() - as_promised };
    let (ok, exit_code) = (exit == Exit::Settled, exit.code());
    Document { schema: SCHEMA, command: "rehearse", ok, exit_code, counts, scenes, folder }
}

fn scene(played: &Played) -> SceneEntry<'_> {
    let broken = broken(played);
    let truth = played.truths.last();
    let promise = played.scene.promise;
    SceneEntry {
        scene: played.scene.name,
        done: played.scene.done,
        runs: played.runs.iter().zip(played.scene.expected()).map(run).collect(),
        arrivals: truth.map_or(Value::Null, |truth| {
            json!({
                "creates": truth.creates, "uploads": truth.uploads, "others": truth.others,
                "writes": truth.writes,
            })
        }),
        posts: truth.map_or_else(Vec::new, |truth| {
            let post = |post: &super::site::Post| {
                json!({"post_id": post.id, "slug": post.slug, "status": post.status})
            };
            truth.posts.iter().map(post).collect()
        }),
        images: truth.map_or(0, |truth| truth.images),
        expected: json!({
            "creates": promise.creates, "posts": promise.posts,
            "uploads": promise.uploads, "images": promise.images,
        }),
        verdict: if broken.is_empty() { "as_promised" } else { "broken" },
        broken,
    }
}

fn run((ran, expected): (&Ran, Expected)) -> RunEntry<'_> {
    let (exit_code, killed_at) = match ran.end {
        End::Exit(code) => (Some(code), None),
        End::Killed(point) => (None, Some(point)),
        End::Otherwise | End::Hung => (None, None),
    };
    let articles = ran.json["articles"].as_array().map(Vec::as_slice).unwrap_or_default();
    RunEntry {
        argv: std::iter::once("oncepress".to_owned()).chain(ran.arguments.clone()).collect(),
        exit_code,
        killed_at,
        errors: ran.said().errors,
        articles: articles.iter().map(article).collect(),
        expected: wanted(expected),
    }
}

/// What a run said of an article, as far as a verdict uses it.
fn article(entry: &Value) -> Value {
    let keys =
        ["slug", "outcome", "reason", "post_id", "remote_effect", "warnings", "media", "next"];
    keys.iter().map(|key| ((*key).to_owned(), entry[*key].clone())).collect()
}

fn wanted(expected: Expected) -> Value {
    match expected {
        Expected::Says(says) => {
            let (outcome, reason) = says.codes();
            let key = if outcome.is_some() { "reason" } else { "error" };
            let mut object = json!({"exit_code": says.exit().code(), "outcome": outcome});
            object[key] = json!(reason);
            object
        }
        Expected::KilledAt(point) => json!({"killed_at": point}),
        Expected::Unlocked => json!({"exit_code": 0}),
    }
}
