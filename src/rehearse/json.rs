//! A rehearsal as one JSON object: `oncepress.rehearsal/1`. Changes to it only add.
//!
//! Absent from here: where it is written to. The one rule: it has everything that the
//! verdicts come from, so that they can be checked by somebody else.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::child::{End, Ran};
use super::judge::broken;
use super::play::Played;
use super::scene::{Expected, Promise};
use super::site::Truth;
use crate::report::Exit;
use crate::report::json::Outcome;
use crate::sandbox::Arrival;

/// The name and version of the object.
pub const SCHEMA: &str = "oncepress.rehearsal/1";

/// What `rehearse --json` prints where the scenes could be played.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Document<'a> {
    /// The name and version of this schema.
    #[schemars(extend("const" = SCHEMA))]
    schema: &'static str,
    /// The command.
    #[schemars(extend("const" = "rehearse"))]
    command: &'static str,
    /// Whether every scene ended as promised.
    ok: bool,
    /// The exit code.
    exit_code: u8,
    /// How many scenes ended how.
    counts: Counts,
    /// The scenes that were played.
    scenes: Vec<SceneEntry<'a>>,
    /// Where they were played, if that was kept.
    folder: Option<String>,
}

/// How many scenes ended how.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "SceneCounts")]
struct Counts {
    /// As promised.
    as_promised: usize,
    /// Otherwise.
    broken: usize,
}

/// One scene.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct SceneEntry<'a> {
    /// Its name.
    scene: &'static str,
    /// What was done.
    done: &'static str,
    /// The commands that were run.
    runs: Vec<RunEntry<'a>>,
    /// What arrived at the site.
    arrivals: Option<Arrivals<'a>>,
    /// The posts that the site has in the end.
    posts: Vec<PostEntry<'a>>,
    /// How many images it has in the end.
    images: usize,
    /// What was promised.
    expected: PromiseEntry,
    /// Whether it ended so.
    verdict: SceneVerdict,
    /// What ended otherwise.
    broken: Vec<String>,
}

/// Whether a scene ended as promised.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SceneVerdict {
    /// It did.
    AsPromised,
    /// It did not.
    Broken,
}

/// What arrived at the site of a scene.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Arrivals<'a> {
    /// Creates of posts.
    creates: usize,
    /// Uploads.
    uploads: usize,
    /// Every other request that asked the site to change something.
    others: &'a [String],
    /// The creates and uploads, with what became of each, as the control routes of the
    /// simulated site tell them.
    #[schemars(with = "Vec<Map<String, Value>>")]
    writes: &'a [Arrival],
}

/// A post that the site has in the end.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct PostEntry<'a> {
    /// Its id.
    post_id: u64,
    /// Its slug.
    slug: &'a str,
    /// Its status.
    status: &'a str,
}

/// How many of each a scene may come to.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct PromiseEntry {
    /// Creates that arrive.
    creates: usize,
    /// Posts in the end.
    posts: usize,
    /// Uploads that arrive.
    uploads: usize,
    /// Images in the end.
    images: usize,
}

/// One command that was run.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct RunEntry<'a> {
    /// The command.
    argv: Vec<String>,
    /// How it ended, if it was not killed.
    exit_code: Option<i32>,
    /// Where it was killed, if it was.
    killed_at: Option<&'static str>,
    /// The codes of the errors that it told.
    errors: Vec<&'a str>,
    /// What it said of the articles, as far as the verdict uses it: keys of the schema
    /// `result`.
    #[schemars(with = "Vec<Map<String, Value>>")]
    articles: Vec<Value>,
    /// How it had to end.
    expected: ExpectedEntry,
}

/// How a command had to end.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(deny_unknown_fields)]
enum ExpectedEntry {
    /// With this outcome of the article.
    Article {
        /// The exit code.
        exit_code: u8,
        /// The article's outcome.
        #[schemars(with = "Outcome")]
        outcome: &'static str,
        /// The code of its reason.
        reason: Option<&'static str>,
    },
    /// With this error of the whole run.
    Error {
        /// The exit code.
        exit_code: u8,
        /// There is none.
        outcome: (),
        /// The code of the error.
        error: Option<&'static str>,
    },
    /// By being killed.
    Killed {
        /// Where.
        killed_at: &'static str,
    },
    /// In order.
    Unlocked {
        /// The exit code.
        exit_code: u8,
    },
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
    SceneEntry {
        scene: played.scene.name,
        done: played.scene.done,
        runs: played.runs.iter().zip(played.scene.expected()).map(run).collect(),
        arrivals: truth.map(arrivals),
        posts: truth.map_or_else(Vec::new, posts),
        images: truth.map_or(0, |truth| truth.images),
        expected: promised(played.scene.promise),
        verdict: if broken.is_empty() { SceneVerdict::AsPromised } else { SceneVerdict::Broken },
        broken,
    }
}

fn arrivals(truth: &Truth) -> Arrivals<'_> {
    let Truth { creates, uploads, others, writes, .. } = truth;
    Arrivals { creates: *creates, uploads: *uploads, others, writes }
}

fn posts(truth: &Truth) -> Vec<PostEntry<'_>> {
    let posts = truth.posts.iter();
    posts
        .map(|post| PostEntry { post_id: post.id, slug: &post.slug, status: &post.status })
        .collect()
}

fn promised(promise: Promise) -> PromiseEntry {
    let Promise { creates, posts, uploads, images, .. } = promise;
    PromiseEntry { creates, posts, uploads, images }
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

fn wanted(expected: Expected) -> ExpectedEntry {
    match expected {
        Expected::Says(says) => {
            let exit_code = says.exit().code();
            match says.codes() {
                (Some(outcome), reason) => ExpectedEntry::Article { exit_code, outcome, reason },
                (None, error) => ExpectedEntry::Error { exit_code, outcome: (), error },
            }
        }
        Expected::KilledAt(point) => ExpectedEntry::Killed { killed_at: point },
        Expected::Unlocked => ExpectedEntry::Unlocked { exit_code: Exit::Settled.code() },
    }
}
