//! The scenes S1 to S8 and the crashes C1 to C6.
//!
//! Absent from here: how a step is done. The one rule: a scene that is told to people is
//! played here, and what it promises is what they are told.

use super::scene::{Article, Promise, Says, Scene, Step, Weather};
use crate::protocol::{HoldReason, SkipReason};

use Says::{Busy, CannotLookUp, Completed, Created, CreatedBesideAnother};
use Step::{Begin, DeleteRecords, Edit, End, KilledAt, Push, Site, Unlock};
use Weather::{Fair, Gone, Hides, LosesAnswerAndGoes, LosesAnswerAndHides};

const CONFIRMED: Says = Says::Skipped(SkipReason::Confirmed);
const NOT_FOUND: Says = Says::Held(HoldReason::NotFound);
const EDITED: Says = Says::Held(HoldReason::EditedWhileSending);
const INPUT_CHANGED: Says = Says::Held(HoldReason::InputChanged);
const MEDIA_UNKNOWN: Says = Says::Held(HoldReason::MediaUnknown);

/// So many creates arrive, and so many posts exist.
const fn posts(creates: usize, posts: usize) -> Promise {
    Promise { creates, posts, uploads: 0, images: 0 }
}

const SCENES: &[Scene] = &[
    Scene {
        name: "S1",
        done: "pushed, and pushed again",
        article: Article::WithImage,
        steps: &[Push(Created), Push(CONFIRMED)],
        promise: Promise { creates: 1, posts: 1, uploads: 1, images: 1 },
    },
    Scene {
        name: "S2",
        done: "answer lost, and the site went away; pushed again when it was back",
        article: Article::Text,
        steps: &[Site(LosesAnswerAndGoes), Push(CannotLookUp), Site(Fair), Push(Completed)],
        promise: posts(1, 1),
    },
    Scene {
        name: "S3",
        done: "answer lost, draft not shown; pushed again; pushed again when it was shown",
        article: Article::Text,
        steps: &[
            Site(LosesAnswerAndHides),
            Push(NOT_FOUND),
            Push(NOT_FOUND),
            Site(Fair),
            Push(Completed),
        ],
        promise: posts(1, 1),
    },
    Scene {
        name: "S4",
        done: "answer lost, draft not shown; its record deleted by hand; pushed again",
        article: Article::Text,
        steps: &[
            Site(LosesAnswerAndHides),
            Push(NOT_FOUND),
            DeleteRecords,
            Push(CreatedBesideAnother),
        ],
        promise: posts(2, 2),
    },
    Scene {
        name: "S5",
        done: "answer to the upload of its image lost, image not shown; pushed again",
        article: Article::WithImage,
        steps: &[Site(LosesAnswerAndHides), Push(MEDIA_UNKNOWN), Push(MEDIA_UNKNOWN)],
        promise: Promise { creates: 0, posts: 0, uploads: 1, images: 1 },
    },
    Scene {
        name: "S6",
        done: "answer lost, draft not shown; pushed when the site could not be asked, and again \
               when it could",
        article: Article::Text,
        steps: &[
            Site(LosesAnswerAndHides),
            Push(NOT_FOUND),
            Site(Gone),
            Push(CannotLookUp),
            Site(Fair),
            Push(Completed),
        ],
        promise: posts(1, 1),
    },
    Scene {
        name: "S7",
        done: "answer lost, draft not shown; article edited; pushed again when the draft was \
               shown",
        article: Article::Text,
        steps: &[Site(LosesAnswerAndHides), Push(NOT_FOUND), Edit, Site(Fair), Push(EDITED)],
        promise: posts(1, 1),
    },
    Scene {
        name: "S8",
        // Where two runs without a lock would make two posts.
        done: "pushed while another push was about to send; pushed again after that one",
        article: Article::Text,
        steps: &[Begin("article.before-sending-record", Created), Push(Busy), End, Push(CONFIRMED)],
        promise: posts(1, 1),
    },
    Scene {
        name: "C1",
        done: "killed before it wrote down that it would send",
        article: Article::Text,
        steps: &[KilledAt("article.before-sending-record"), Unlock, Push(Created)],
        promise: posts(1, 1),
    },
    Scene {
        name: "C2",
        done: "killed after it wrote down that it would send, before it sent",
        article: Article::Text,
        steps: &[KilledAt("article.after-sending-record"), Unlock, Push(NOT_FOUND)],
        promise: posts(0, 0),
    },
    Scene {
        name: "C3",
        done: "killed after the site had made the draft, before the answer was read; draft not \
               shown, then shown",
        article: Article::Text,
        steps: &[
            Site(Hides),
            KilledAt("article.after-answer"),
            Unlock,
            Push(NOT_FOUND),
            Site(Fair),
            Push(Completed),
        ],
        promise: posts(1, 1),
    },
    Scene {
        name: "C4",
        done: "killed while it wrote down the receipt",
        article: Article::Text,
        steps: &[KilledAt("article.while-confirming"), Unlock, Push(Completed)],
        promise: posts(1, 1),
    },
    Scene {
        name: "C5",
        done: "killed right after it wrote down the receipt",
        article: Article::Text,
        steps: &[KilledAt("article.after-confirmed"), Unlock, Push(CONFIRMED)],
        promise: posts(1, 1),
    },
    Scene {
        name: "C6",
        done: "killed before it wrote down that it would send; then the article was edited",
        article: Article::Text,
        steps: &[KilledAt("article.before-sending-record"), Unlock, Edit, Push(INPUT_CHANGED)],
        promise: posts(0, 0),
    },
    Scene {
        name: "C2 upload",
        done: "killed after it wrote down that it would upload its image, before it did",
        article: Article::WithImage,
        steps: &[KilledAt("upload.after-sending-record"), Unlock, Push(MEDIA_UNKNOWN)],
        promise: posts(0, 0),
    },
    Scene {
        name: "C3 upload",
        done: "killed after the site had stored its image, before the answer was read",
        article: Article::WithImage,
        steps: &[KilledAt("upload.after-answer"), Unlock, Push(Created), Push(CONFIRMED)],
        promise: Promise { creates: 1, posts: 1, uploads: 1, images: 1 },
    },
];

/// The names of all scenes, in order.
pub fn names() -> impl Iterator<Item = &'static str> {
    SCENES.iter().map(|scene| scene.name)
}

/// The scenes with these names, in their own order; all of them without any name. `C2`
/// means each scene that begins so. The error is the name that no scene has.
pub fn named(wanted: &[String]) -> Result<Vec<&'static Scene>, String> {
    let is = |scene: &Scene, name: &str| {
        let first = scene.name.split(' ').next().unwrap_or_default();
        name.eq_ignore_ascii_case(scene.name) || name.eq_ignore_ascii_case(first)
    };
    if let Some(unknown) = wanted.iter().find(|name| !SCENES.iter().any(|scene| is(scene, name))) {
        return Err(unknown.clone());
    }
    let chosen = |scene: &&Scene| wanted.is_empty() || wanted.iter().any(|name| is(scene, name));
    Ok(SCENES.iter().filter(chosen).collect())
}
