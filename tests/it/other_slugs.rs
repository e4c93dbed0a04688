//! Our post, stored under another slug than the one we sent.
//!
//! Absent from here: slugs that were taken before the look-up (`collisions`). The one
//! rule: it is detected and reported; nothing is renamed, and nothing is sent again.

use crate::support::rules::{Fault, Gate, Kind};
use crate::support::run::Ran;
use crate::support::scene::{Scene, on_each_version, somebodys_post};

on_each_version!(
    a_middleman_sends_it_twice,
    somebody_takes_the_slug_between_look_up_and_create,
    the_answer_names_a_post_under_another_slug,
    lost_under_another_slug,
);

fn a_middleman_sends_it_twice(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("twice");
    scene.proxy.once(Kind::Create, Fault::delivered_twice());
    let ran = scene.push();
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.warnings(&slug), ["slug_changed"]);
    // One request of ours; what a middleman does with it is detected, not prevented.
    let rows = scene.proves(&slug, 1, 2);
    assert_eq!(rows[1].slug, format!("{slug}-2"));
    assert_eq!(rows[1].id, ran.post_id(&slug));
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 2);
}

fn somebody_takes_the_slug_between_look_up_and_create(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("race");
    let gate = Gate::new();
    scene.proxy.once(Kind::Create, Fault::on_its_way_at(&gate));
    let mut run = scene.spawn(&["push", "--json"]);
    gate.wait_reached(&mut run);
    // A draft of a colleague that this author can't see, made after the look-up.
    scene.site.make_post("author2", &somebodys_post(&slug, "draft"));
    gate.open();
    let ran = scene.finish(run);
    ran.ends(0, &slug, "created", None);
    assert_eq!(ran.warnings(&slug), ["slug_changed"]);
    let rows = scene.proves(&slug, 1, 2);
    assert_eq!(rows[1].slug, format!("{slug}-2"));
    assert_eq!(rows[1].id, ran.post_id(&slug));
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 2);
}

/// A colleague takes the slug while the create is on its way, so ours is stored under
/// another one; and the answer does not arrive as it should.
fn stored_under_another_slug(scene: &Scene, slug: &str, fault: Fault) -> Ran {
    let gate = Gate::new();
    scene.proxy.once(Kind::Create, Fault { gate_before: Some(gate.clone()), ..fault });
    let mut run = scene.spawn(&["push", "--json"]);
    gate.wait_reached(&mut run);
    scene.site.make_post("author2", &somebodys_post(slug, "draft"));
    gate.open();
    scene.finish(run)
}

fn the_answer_names_a_post_under_another_slug(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("named");
    let ran = stored_under_another_slug(&scene, &slug, Fault::lab("warning-before-json"));
    ran.ends(0, &slug, "completed", None);
    assert_eq!(ran.warnings(&slug), ["slug_changed"]);
    let rows = scene.proves(&slug, 1, 2);
    assert_eq!((rows[1].id, rows[1].slug.as_str()), (ran.post_id(&slug), &*format!("{slug}-2")));
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 2);
}

fn lost_under_another_slug(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("unnamed");
    let ran = stored_under_another_slug(&scene, &slug, Fault::answer_lost());
    ran.ends(4, &slug, "held", Some("hidden"));
    let ours = scene.proves(&slug, 1, 2)[1].id;
    // Shown to the person who must decide, and never adopted by the tool.
    let candidates = ran.article(&slug)["candidates"].as_array().expect("candidates");
    assert!(candidates.iter().any(|candidate| candidate["post_id"] == ours), "{candidates:#?}");
    scene.push().ends(4, &slug, "held", Some("hidden"));
    scene.resolve(&slug, &["--adopt", &ours.to_string()]).exits(0);
    let ran = scene.push();
    ran.ends(0, &slug, "skipped", Some("confirmed"));
    assert_eq!(ran.post_id(&slug), ours);
    scene.proves(&slug, 1, 2);
}
