//! What has become of drafts that have a receipt.
//!
//! Absent from here: look-ups by slug. The one rule: nothing is ever sent for a record
//! that is confirmed, and a site that lost too much is not believed at all.

use serde_json::json;

use crate::support::desk::Desk;
use crate::support::http::Reply;
use crate::support::rows::{Row, play};
use crate::support::rules::{Ask, Carries, Rule, Times, bent, this};
use crate::support::site::{Site, Stored};

const CREATED: &str = "0: x created - confirmed confirmed; look-up 1, create 1; 1 posts";

/// A draft was created; then this happens to it.
fn after(name: &str, change: fn(&mut Stored), line: &str) -> Row {
    Row::new(name).run(CREATED).then(move |site, _| site.change(change)).runs(&[line, line])
}

fn set(stored: &mut Stored, field: &str, value: serde_json::Value) {
    stored.posts[0][field] = value;
}

/// Spec §4, the row of `confirmed`.
#[test]
fn what_people_did_with_the_draft_is_their_right_or_stops_the_article() {
    let skipped = "0: x skipped confirmed confirmed confirmed; receipts 1; 1 posts";
    play(vec![
        after("edited", |stored| stored.posts[0]["content"]["raw"] = json!("New"), skipped),
        after("published", |stored| set(stored, "status", json!("publish")), skipped),
        after("its title", |stored| stored.posts[0]["title"]["raw"] = json!("New"), skipped),
        after(
            "another slug",
            |stored| set(stored, "slug", json!("y")),
            "4: x held receipt_mismatch confirmed confirmed; receipts 1; 1 posts",
        ),
        after(
            "in the trash",
            |stored| {
                set(stored, "slug", json!("x__trashed"));
                set(stored, "status", json!("trash"));
            },
            "4: x held receipt_in_trash confirmed confirmed; receipts 1; 1 posts",
        ),
        after(
            "deleted",
            |stored| stored.posts.clear(),
            "4: x held receipt_missing confirmed confirmed; receipts 1, read 1, candidates 3; 0 posts",
        ),
    ]);
}

/// Cases CON-06, FIND-02: gone from the list says nothing.
#[test]
fn a_draft_that_only_the_list_leaves_out_is_not_gone() {
    let left_out = |name: &str| {
        Row::new(name).run(CREATED).then(|site, _| {
            let empty =
                bent(|reply| Reply { body: b"[]".to_vec(), ..reply }.with("x-wp-total", "0"));
            site.rule(Rule::new(Ask::Receipts, Times::Always, Carries::Out, empty));
        })
    };
    let answers = |row: Row, reply: Reply| {
        row.then(move |site, _| {
            let give = this(reply.clone());
            site.rule(Rule::new(Ask::Read, Times::Always, Carries::Out, give));
        })
    };
    let deferred = "5: x deferred cannot_look_up confirmed confirmed; receipts 1, read 1; 1 posts";
    play(vec![
        left_out("read by its id")
            .run("0: x skipped confirmed confirmed confirmed; receipts 1, read 1; 1 posts"),
        answers(left_out("hidden"), Reply::error(403, "rest_forbidden_context"))
            .run("4: x held hidden confirmed confirmed; receipts 1, read 1, candidates 3; 1 posts"),
        answers(left_out("no route"), Reply::error(404, "rest_no_route")).run(deferred),
        answers(left_out("a page"), Reply::html(404, "<html>")).run(deferred),
        answers(left_out("a firewall"), Reply::html(403, "<html>")).run(deferred),
        answers(left_out("another post"), Reply::json(200, &json!({ "id": 7 }))).run(deferred),
        answers(left_out("a redirect"), Reply::html(301, "").with("location", "/")).run(deferred),
        answers(
            left_out("gone, says a cache"),
            Reply::error(404, "rest_post_invalid_id").with("age", "30"),
        )
        .run(deferred),
    ]);
}

#[test]
fn receipts_that_cannot_be_verified_defer() {
    let line = "5: x deferred cannot_look_up confirmed confirmed; receipts 1; 1 posts";
    let row = |name: &str, reply: Reply| {
        Row::new(name).run(CREATED).then(move |site, _| {
            let give = this(reply.clone());
            site.rule(Rule::new(Ask::Receipts, Times::Always, Carries::Out, give));
        })
    };
    let foreign = json!([{ "id": 7, "slug": "z", "status": "draft", "type": "post" }]);
    play(vec![
        row("busy", Reply::html(503, "")).run(line),
        row("too many requests", Reply::html(429, "").with("retry-after", "30")).run(line),
        row("a firewall", Reply::html(403, "<html>")).run(line),
        row("credentials lost", Reply::error(401, "rest_forbidden_context")).run(line),
        row("a page", Reply::html(200, "<html>")).run(line),
        row("the filter dropped", Reply::json(200, &foreign).with("x-wp-total", "1")).run(line),
        row("a cache", Reply::json(200, &json!([])).with("x-wp-total", "0").with("age", "1"))
            .run(line),
    ]);
}

/// Spec §5.7: a look-up that does not show what is known to exist shows nothing.
#[test]
fn a_look_up_without_the_post_that_is_known_to_exist_proves_nothing() {
    let empty = bent(|reply| Reply { body: b"[]".to_vec(), ..reply }.with("x-wp-total", "0"));
    let row = Row::new("control missing")
        .run(CREATED)
        .then(|_, desk: &Desk| desk.article("y"))
        .then(move |site: &Site, _| {
            site.rule(Rule::new(Ask::LookUp, Times::Always, Carries::Out, empty.clone()));
        })
        .run(
            "5: x skipped confirmed confirmed confirmed, y deferred cannot_look_up none none; \
             receipts 1, look-up 1; 1 posts",
        )
        .healed()
        .run(
            "0: x skipped confirmed confirmed confirmed, y created - confirmed confirmed; \
             receipts 1, look-up 1, create 1; 2 posts",
        );
    // The control is also asked for where the confirmed article is not in the run.
    let gone = Row::new("the only known post gone")
        .run(CREATED)
        .then(|site, desk| {
            site.change(|stored| stored.posts.clear());
            std::fs::remove_file(desk.path("articles/x.md")).expect("it was there");
            desk.article("y");
        })
        .run("5: y deferred cannot_look_up none none; receipts 1, read 1; 0 posts");
    play(vec![row, gone]);
}

/// So many were confirmed, so many of them are gone, and a new article came.
fn absence(confirmed: usize, gone: usize, line: &str) -> Row {
    let names: Vec<String> = (0..confirmed).map(|number| format!("a{number:02}")).collect();
    let created: Vec<_> =
        names.iter().map(|name| format!("{name} created - confirmed confirmed")).collect();
    Row::new(format!("{gone} of {confirmed}"))
        .with(move |desk| names.iter().for_each(|name| desk.article(name)))
        .run(format!("0: {}; look-up 1, create {confirmed}; {confirmed} posts", created.join(", ")))
        .then(move |site, desk| {
            site.change(|stored| drop(stored.posts.drain(..gone)));
            desk.article("x");
        })
        .run(line)
}

fn each(from: usize, to: usize, ends: &str) -> String {
    (from..to).map(|number| format!("a{number:02} {ends}")).collect::<Vec<_>>().join(", ")
}

/// Spec §5.7: more than a fifth of three or more.
#[test]
fn a_site_that_lost_too_many_of_our_drafts_is_not_believed() {
    let missing = "held receipt_missing confirmed confirmed";
    let there = "skipped confirmed confirmed confirmed";
    let created = "x created - confirmed confirmed";
    let absent = "x deferred mass_absence none none";
    let some = |all: usize, gone: usize| {
        let candidates = gone * 3;
        format!(
            "4: {}, {}, {created}; receipts 1, look-up 1, read {gone}, candidates {candidates}, \
             create 1; {} posts",
            each(0, gone, missing),
            each(gone, all, there),
            all - gone + 1
        )
    };
    let mass = |all: usize, gone: usize| {
        let candidates = gone * 3;
        format!(
            "4 !mass_absence: {}, {}, {absent}; receipts 1, look-up 1, read {gone}, \
             candidates {candidates}; {} posts",
            each(0, gone, missing),
            each(gone, all, there),
            all - gone
        )
    };
    play(vec![
        absence(5, 2, &some(5, 2)),
        absence(15, 3, &some(15, 3)),
        absence(14, 3, &mass(14, 3)),
        absence(6, 3, &mass(6, 3)),
        absence(4, 3, &mass(4, 3)),
    ]);
}

/// The wrong site, or one restored from an old backup.
#[test]
fn a_site_that_lost_all_our_drafts_gets_nothing() {
    let line = format!(
        "4 !mass_absence: {}, x deferred cannot_look_up none none; \
         receipts 1, read 3, candidates 9; 0 posts",
        each(0, 3, "held receipt_missing confirmed confirmed")
    );
    play(vec![absence(3, 3, &line)]);
}
