//! A promise that is not kept is noticed. These tests make up what was seen; the real
//! thing is played in `tests/rehearse`.

use serde_json::{Value, json};

use super::child::{End, Ran};
use super::judge::broken;
use super::play::Played;
use super::scene::{Expected, Promise, Scene};
use super::site::{Post, Truth};
use super::stage::SLUG;
use super::{conclusion, named, row};
use crate::report::human::Paint;

fn scenes() -> Vec<&'static Scene> {
    named(&[]).expect("all scenes")
}

fn scene(name: &str) -> &'static Scene {
    named(&[name.to_owned()]).expect("the scene")[0]
}

fn truth(promise: Promise) -> Truth {
    let post = |number: usize| Post {
        id: number as u64,
        slug: if number == 1 { SLUG.to_owned() } else { format!("{SLUG}-{number}") },
        status: "draft".to_owned(),
        content: "<p>I write in my editor, and send it once.</p>".to_owned(),
    };
    Truth {
        creates: promise.creates,
        uploads: promise.uploads,
        others: Vec::new(),
        posts: (1..=promise.posts).map(post).collect(),
        images: promise.images,
        writes: Vec::new(),
    }
}

fn ran(expected: Expected, post_id: usize) -> Ran {
    let (end, json) = match expected {
        Expected::KilledAt(point) => (End::Killed(point), Value::Null),
        Expected::Unlocked => {
            (End::Exit(0), json!({"command": "unlock", "exit_code": 0, "ok": true}))
        }
        Expected::Says(says) => {
            let code = says.exit().code();
            let (outcome, reason) = says.codes();
            let (articles, errors) = match outcome {
                Some(word) => {
                    let warnings = match says.to_string().split_once("warning: ") {
                        Some((_, code)) => json!([{"code": code}]),
                        None => json!([]),
                    };
                    let article = json!({
                        "slug": SLUG, "outcome": word, "reason": reason, "post_id": post_id,
                        "warnings": warnings, "next": [format!("oncepress resolve {SLUG} --restart")],
                    });
                    (json!([article]), json!([]))
                }
                None => (json!([]), json!([{"code": reason}])),
            };
            let ok = code == 0;
            let json = json!({"exit_code": code, "ok": ok, "articles": articles, "errors": errors});
            (End::Exit(code.into()), json)
        }
    };
    Ran { arguments: vec!["push".to_owned(), "--json".to_owned()], end, json }
}

/// Everything as the scene promises it.
fn kept(scene: &'static Scene) -> Played {
    let truth = truth(scene.promise);
    let post_id = truth.posts.len();
    let runs: Vec<_> = scene.expected().into_iter().map(|wanted| ran(wanted, post_id)).collect();
    let truths = runs.iter().map(|_| truth.clone()).collect();
    Played { scene, runs, truths, cut: None }
}

/// Every scene with one thing changed must be broken, and for this reason.
#[track_caller]
fn breaks(change: impl Fn(&mut Played) -> bool, reason: &str) {
    let mut changed = 0;
    for scene in scenes() {
        let mut played = kept(scene);
        if change(&mut played) {
            changed += 1;
            let broken = broken(&played);
            let found = broken.iter().any(|fault| fault.contains(reason));
            assert!(found, "{}: {broken:?}", scene.name);
            assert!(conclusion(&[played]).starts_with("\n0 of 1 as promised"), "{}", scene.name);
        }
    }
    assert!(changed > 0, "no scene has what is changed");
}

fn last(played: &mut Played) -> &mut Truth {
    played.truths.last_mut().expect("a truth")
}

#[test]
fn a_scene_that_goes_as_promised_is_not_broken() {
    for scene in scenes() {
        assert_eq!(broken(&kept(scene)), Vec::<String>::new(), "{}", scene.name);
    }
}

#[test]
fn one_post_more_is_noticed() {
    let more = |played: &mut Played| {
        let truth = last(played);
        let id = truth.posts.len() as u64 + 1;
        let (status, content) = ("draft".to_owned(), String::new());
        truth.posts.push(Post { id, slug: format!("{SLUG}-9"), status, content });
        true
    };
    breaks(more, "promised");
    let mut played = kept(scene("S3"));
    more(&mut played);
    assert_eq!(broken(&played), ["2 posts exist, 1 promised"]);
    assert_eq!(
        conclusion(&[kept(scene("S1")), played]),
        "\n1 of 2 as promised; AN ARTICLE HAS TWO POSTS: S3\n"
    );
}

#[test]
fn one_request_more_is_noticed() {
    breaks(
        |played| {
            last(played).creates += 1;
            true
        },
        "promised",
    );
    breaks(
        |played| {
            last(played).uploads += 1;
            true
        },
        "promised",
    );
    breaks(
        |played| {
            last(played).images += 1;
            true
        },
        "promised",
    );
    let change = |played: &mut Played| {
        last(played).others.push("PUT wp/v2/posts/1".to_owned());
        true
    };
    breaks(change, "the site was asked to change: PUT wp/v2/posts/1");
}

#[test]
fn a_post_that_went_away_or_was_changed_is_noticed() {
    breaks(|played| last(played).posts.pop().is_some(), "was removed");
    let change = |played: &mut Played| match last(played).posts.first_mut() {
        Some(post) => {
            post.content.push('!');
            true
        }
        None => false,
    };
    breaks(change, "post 1 was changed");
}

#[test]
fn a_post_that_is_public_or_shows_a_local_path_is_noticed() {
    let publish = |played: &mut Played| {
        let mut posts = played.truths.iter_mut().flat_map(|truth| &mut truth.posts);
        posts.by_ref().map(|post| post.status = "publish".to_owned()).count() > 0
    };
    breaks(publish, "is publish, not a draft");
    let local = |played: &mut Played| {
        let posts = played.truths.iter_mut().flat_map(|truth| &mut truth.posts);
        posts.map(|post| post.content = "<img src=\"mug.png\">".to_owned()).count() > 0
    };
    breaks(local, "shows an image by its local path");
}

#[test]
fn a_run_that_ends_otherwise_is_noticed() {
    breaks(
        |played| {
            played.runs[0].end = End::Exit(1);
            true
        },
        "run 1: exit status 1 instead of",
    );
    breaks(
        |played| {
            played.runs[0].end = End::Otherwise;
            true
        },
        "run 1: ended by a signal",
    );
    breaks(
        |played| {
            played.runs[0].end = End::Hung;
            true
        },
        "run 1: no end",
    );
    let last_run = |played: &mut Played| played.runs.pop().is_some();
    breaks(last_run, "was not started");
    let one_more = |played: &mut Played| {
        played.runs.push(ran(Expected::Unlocked, 1));
        true
    };
    breaks(one_more, "runs instead of");
    let cut = |played: &mut Played| {
        played.cut = Some("no such file".to_owned());
        true
    };
    breaks(cut, "cut short: no such file");
}

#[test]
fn a_run_that_says_something_else_is_noticed() {
    let each = |change: fn(&mut Value), reason: &str| {
        let change = |played: &mut Played| {
            let said = played.runs.iter_mut().rev().find(|ran| ran.json["articles"][0].is_object());
            said.map(|ran| change(&mut ran.json)).is_some()
        };
        breaks(change, reason);
    };
    each(|json| json["articles"][0]["outcome"] = "rejected".into(), "said \"rejected");
    each(|json| json["articles"][0]["reason"] = "hidden".into(), ": hidden");
    each(|json| json["articles"] = json!([]), "said \"nothing\" instead of");
    each(|json| json["errors"] = json!([{"code": "busy"}]), "said \"busy\" instead of");
    each(|json| json["exit_code"] = 99.into(), "but its JSON does not say so");
    each(|json| json["ok"] = Value::Null, "but its JSON does not say so");
}

#[test]
fn a_post_that_is_named_and_does_not_exist_is_noticed() {
    let invent = |played: &mut Played| {
        let names = |ran: &&mut Ran| {
            matches!(ran.said().outcome, Some("created" | "completed" | "skipped"))
        };
        let ran = played.runs.iter_mut().find(names);
        ran.map(|ran| ran.json["articles"][0]["post_id"] = 77.into()).is_some()
    };
    breaks(invent, "named post 77, which the site does not have");
}

#[test]
fn another_command_than_unlock_is_noticed() {
    let other = |played: &mut Played| {
        let unlock = played.runs.iter_mut().find(|ran| ran.json["command"] == "unlock");
        unlock.map(|ran| ran.json["command"] = "push".into()).is_some()
    };
    breaks(other, "is no unlock");
}

#[test]
fn a_held_article_without_a_way_on_is_noticed() {
    let silence = |played: &mut Played| {
        let held = played.runs.iter_mut().find(|ran| ran.said().outcome == Some("held"));
        held.map(|ran| ran.json["articles"][0]["next"] = json!(["oncepress push"])).is_some()
    };
    breaks(silence, "named no command by which a person can settle it");
}

#[test]
fn a_warning_too_many_or_too_few_is_noticed() {
    let mut silent = kept(scene("S4"));
    silent.runs[1].json["articles"][0]["warnings"] = json!([]);
    assert_eq!(
        broken(&silent),
        ["run 2: said \"created\" instead of \"created, warning: slug_changed\""]
    );
    let mut loud = kept(scene("S1"));
    loud.runs[0].json["articles"][0]["warnings"] = json!([{"code": "slug_changed"}]);
    assert_eq!(
        broken(&loud),
        ["run 1: said \"created, warning: slug_changed\" instead of \"created\""]
    );
}

#[test]
fn a_row_tells_what_is_broken() {
    let mut played = kept(scene("S3"));
    last(&mut played).posts.clear();
    played.runs[2].end = End::Exit(4);
    insta::assert_snapshot!(row(&played, Paint::Never), @r"
    S3      answer lost, draft not       held: not_found             1     0 BROKEN
            shown; pushed again; pushed  completed
            again when it was shown
            ! run 3: exit status 4 instead of exit status 0
            ! 0 posts exist, 1 promised
            ! post 1 was removed
    ");
    let painted = row(&kept(scene("S1")), Paint::Always);
    assert!(painted.contains("\u{1b}[32mok\u{1b}[0m"), "{painted}");
}

#[test]
fn only_a_deleted_record_excuses_two_posts() {
    let all: Vec<_> = scenes().into_iter().map(kept).collect();
    let count = all.len();
    assert_eq!(
        conclusion(&all),
        format!(
            "\n{count} of {count} as promised; no article has two posts, but for S4 \
             (record deleted)\n"
        )
    );
    assert_eq!(conclusion(&all[..3]), "\n3 of 3 as promised; no article has two posts\n");
}

#[test]
fn scenes_are_named_as_people_write_them() {
    let names = |wanted: &[&str]| {
        let wanted: Vec<_> = wanted.iter().map(|name| (*name).to_owned()).collect();
        named(&wanted).map(|scenes| scenes.iter().map(|scene| scene.name).collect::<Vec<_>>())
    };
    assert_eq!(names(&["c2", "S3"]), Ok(vec!["S3", "C2", "C2 upload"]));
    assert_eq!(names(&["c2 upload"]), Ok(vec!["C2 upload"]));
    assert_eq!(names(&["S3", "S9"]), Err("S9".to_owned()));
    assert_eq!(names(&[""]), Err(String::new()));
}
