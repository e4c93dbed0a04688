//! Two runs, dead runs, and runs that are asked to stop.
//!
//! Absent from here: crashes at a point of a send (`crashes`). The one rule: whoever
//! does not have the lock sends nothing.

use std::fs;
use std::path::PathBuf;

use rustix::process::Signal;

use crate::support::rules::{Fault, Gate, Kind};
use crate::support::scene::{Scene, on_each_version};

on_each_version!(
    a_second_run_waits_for_the_lock,
    reading_commands_need_no_lock,
    a_dead_run_must_be_unlocked,
    an_unreadable_marker_can_be_unlocked,
    unlock_wants_the_right_run,
    interrupted_while_an_answer_is_awaited,
    terminated_while_an_answer_is_awaited,
    interrupted_twice,
    interrupted_and_the_answer_never_comes,
    interrupted_while_an_upload_is_awaited,
    interrupted_while_the_site_is_asked,
    nobody_reads_the_result,
    a_decision_waits_for_no_lock_either,
);

/// The one run marker below the journal.
fn marker(scene: &Scene) -> Option<PathBuf> {
    let named = |path: &PathBuf| path.file_name().is_some_and(|name| name == "run.json");
    scene.project.journal().into_keys().find(named)
}

fn a_second_run_waits_for_the_lock(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("wait");
    let gate = Gate::new();
    scene.proxy.once(Kind::Create, Fault::held_at(&gate));
    let mut first = scene.spawn(&["push", "--json"]);
    gate.wait_reached(&mut first);
    let mut second = scene.spawn(&["push", "--json", "--lock-wait", "600s"]);
    second.wait_for_open_file(&scene.project.path().join(".oncepress"));
    gate.open();
    scene.finish(first).ends(0, &slug, "created", None);
    scene.finish(second).ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
}

fn reading_commands_need_no_lock(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("read");
    let gate = Gate::new();
    scene.proxy.once(Kind::Create, Fault::held_at(&gate));
    let mut run = scene.spawn(&["push", "--json"]);
    gate.wait_reached(&mut run);
    scene.run(&["check", "--json"]).exits(0);
    let status = scene.status();
    status.exits(4);
    assert_eq!(status.article(&slug)["remote_effect"], "possible");
    scene.plan().exits(0).says(&slug, "complete", None);
    gate.open();
    scene.finish(run).ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
}

fn a_dead_run_must_be_unlocked(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("dead");
    scene.push_and_crash_at("article.after-answer");
    assert!(marker(&scene).is_some());
    // It is not cleaned up by itself, however often it is tried.
    scene.push().exits(7);
    scene.unlock_after_a_crash();
    assert_eq!(marker(&scene), None);
    scene.push().ends(0, &slug, "completed", None);
    assert_eq!(marker(&scene), None);
    scene.proves(&slug, 1, 1);
}

fn an_unreadable_marker_can_be_unlocked(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("garbage");
    scene.push_and_crash_at("article.after-answer");
    fs::write(marker(&scene).expect("a marker"), b"\0\0\0\0").expect("garbage is written");
    scene.unlock_after_a_crash();
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

fn unlock_wants_the_right_run(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("which");
    scene.push_and_crash_at("article.after-answer");
    let before = scene.project.journal();
    let refused = scene.run(&["unlock", "another-run", "--json"]);
    refused.exits(2);
    assert_eq!(refused.errors(), ["wrong_run_id"]);
    assert_eq!(scene.project.journal(), before);
    scene.unlock_after_a_crash();
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

/// A signal while an answer is on its way: it is heard, recorded, and no second
/// article is begun.
fn stops_in_order(version: &str, signal: Signal, code: i32) {
    let scene = Scene::on(version);
    let (first, second) = (scene.article("stop-a"), scene.article("stop-b"));
    let gate = Gate::new();
    scene.proxy.once(Kind::Create, Fault::held_at(&gate));
    let mut run = scene.spawn(&["push", "--json"]);
    gate.wait_reached(&mut run);
    run.signal(signal);
    run.wait_for_word("ending in order");
    gate.open();
    let ran = scene.finish(run);
    ran.exits(code).says(&first, "created", None);
    ran.says(&second, "deferred", Some("interrupted"));
    assert_eq!(marker(&scene), None, "an orderly end leaves no marker");
    scene.proves(&first, 1, 1);
    scene.proves(&second, 0, 0);
    let ran = scene.push();
    ran.exits(0).says(&first, "skipped", Some("confirmed")).says(&second, "created", None);
    scene.proves(&first, 1, 1);
    scene.proves(&second, 1, 1);
}

fn interrupted_while_an_answer_is_awaited(version: &str) {
    stops_in_order(version, Signal::INT, 130);
}

fn terminated_while_an_answer_is_awaited(version: &str) {
    stops_in_order(version, Signal::TERM, 143);
}

fn interrupted_twice(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("twice");
    let gate = Gate::new();
    scene.proxy.once(Kind::Create, Fault::held_at(&gate));
    let mut run = scene.spawn(&["push"]);
    gate.wait_reached(&mut run);
    run.signal(Signal::INT);
    run.wait_for_word("ending in order");
    run.signal(Signal::INT);
    // The gate is still closed: it did not wait for the answer.
    scene.finish(run).exits(130);
    gate.open();
    scene.proves(&slug, 1, 1);
    if marker(&scene).is_some() {
        scene.unlock_after_a_crash();
    }
    scene.push().ends(0, &slug, "completed", None);
    scene.proves(&slug, 1, 1);
}

fn interrupted_and_the_answer_never_comes(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("endless");
    let gate = Gate::new();
    scene.proxy.once(Kind::Create, Fault::held_at(&gate));
    let mut run = scene.spawn(&["push", "--json"]);
    gate.wait_reached(&mut run);
    run.signal(Signal::INT);
    // The request in flight is time-boxed; what became of it is found out at once.
    let ran = scene.finish(run);
    ran.exits(130).says(&slug, "completed", None);
    assert_eq!(marker(&scene), None);
    gate.open();
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
}

fn interrupted_while_an_upload_is_awaited(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("stop");
    let gate = Gate::new();
    scene.proxy.once(Kind::Upload, Fault::held_at(&gate));
    let mut run = scene.spawn(&["push", "--json"]);
    gate.wait_reached(&mut run);
    run.signal(Signal::INT);
    run.wait_for_word("ending in order");
    gate.open();
    scene.finish(run).ends(130, &slug, "deferred", Some("interrupted"));
    scene.proves(&slug, 0, 0);
    scene.push().ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
    scene.proves_media(&picture, 1, 1);
}

fn interrupted_while_the_site_is_asked(version: &str) {
    let scene = Scene::on(version);
    let doubtful = scene.article_in_doubt("doubt");
    let fresh = scene.article("fresh");
    let gate = Gate::new();
    scene.proxy.once(Kind::PostList, Fault::held_at(&gate));
    let mut run = scene.spawn(&["push", "--json"]);
    gate.wait_reached(&mut run);
    run.signal(Signal::INT);
    // The gate stays closed: a question is not worth waiting for.
    let ran = scene.finish(run);
    ran.exits(130).says(&doubtful, "unknown", Some("cannot_look_up"));
    assert_eq!(ran.article(&fresh)["outcome"], "deferred");
    assert_eq!(marker(&scene), None);
    gate.open();
    let ran = scene.push();
    ran.exits(0).says(&doubtful, "completed", None).says(&fresh, "created", None);
    scene.proves(&doubtful, 1, 1);
    scene.proves(&fresh, 1, 1);
}

fn nobody_reads_the_result(version: &str) {
    let scene = Scene::on(version);
    let slugs = [scene.article("unread-a"), scene.article("unread-b")];
    // Both ends of the pipe to the reader are gone before the run says a word.
    let shell = "exec > >(exec true) 2> >(exec true); wait";
    scene.run_in_shell(shell, &["push", "--verbose"]).exits(0);
    let ran = scene.push();
    for slug in &slugs {
        ran.says(slug, "skipped", Some("confirmed"));
        scene.proves(slug, 1, 1);
    }
    assert_eq!(marker(&scene), None);
}

fn a_decision_waits_for_no_lock_either(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("busy");
    let gate = Gate::new();
    scene.proxy.once(Kind::Create, Fault::held_at(&gate));
    let mut run = scene.spawn(&["push", "--json"]);
    gate.wait_reached(&mut run);
    let decision = scene.resolve(&slug, &["--not-created"]);
    decision.exits(5);
    assert_eq!(decision.errors(), ["busy"]);
    gate.open();
    scene.finish(run).ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
}
