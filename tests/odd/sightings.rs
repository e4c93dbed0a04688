//! What look-ups find: somebody's posts, lost posts, hidden ones, other languages.
//!
//! Absent from here: answers that are no proof (`lookups`), and receipts (`receipts`).
//! The one rule: what is found is left alone, unless it says exactly what was sent.

use serde_json::{Value, json};

use crate::support::http::Reply;
use crate::support::rows::{Row, play};
use crate::support::rules::{Ask, Carries, Give, Times, bent, this};
use crate::support::site::Stored;

const CREATED: &str = "0: x created - confirmed confirmed; look-up 1, create 1; 1 posts";

fn post(id: u64, slug: &str, status: &str) -> Value {
    json!({
        "id": id, "slug": slug, "status": status, "type": "post", "link": "",
        "title": { "raw": "Somebody's" }, "content": { "raw": "<p>Else.</p>" },
    })
}

fn put(posts: &'static [(u64, &'static str, &'static str)]) -> impl Fn(&mut Stored) + Send + Sync {
    move |stored| {
        stored.posts.extend(posts.iter().map(|(id, slug, status)| post(*id, slug, status)));
    }
}

/// Nothing was sent: whatever is there is skipped, run after run.
fn skipped(name: &str, reason: &str, posts: &'static [(u64, &'static str, &'static str)]) -> Row {
    let line = format!("0: x skipped {reason} none none; look-up 1; {} posts", posts.len());
    Row::new(name).where_the_site(put(posts)).run(line.clone()).run(line)
}

/// Facts §1, cases FIND-01, FIND-05, FIND-06, FIND-12, DUP-17.
#[test]
fn a_slug_that_is_taken_is_left_alone() {
    play(vec![
        skipped("DUP-17 a draft", "exists", &[(7, "x", "draft")]),
        skipped("FIND-06 a published post", "exists", &[(7, "x", "publish")]),
        skipped("a scheduled post", "exists", &[(7, "x", "future")]),
        skipped("a private post", "exists", &[(7, "x", "private")]),
        skipped("a status of a plugin", "exists", &[(7, "x", "in-review")]),
        skipped("FIND-05 two drafts", "exists_several", &[(7, "x", "draft"), (8, "x", "draft")]),
        skipped("FIND-12 in the trash", "exists_in_trash", &[(7, "x__trashed", "trash")]),
        skipped("in the trash without the suffix", "exists_in_trash", &[(7, "x", "trash")]),
        skipped(
            "in the trash twice",
            "exists_in_trash",
            &[(7, "x__trashed", "trash"), (8, "x__trashed-2", "trash")],
        ),
        skipped(
            "one here, one in the trash",
            "exists_several",
            &[(7, "x__trashed", "trash"), (8, "x", "draft")],
        ),
        Row::new("FIND-03 one that this user may not read")
            .where_the_site(put(&[(7, "x", "draft")]))
            .where_the_site(|stored| stored.hidden.push(7))
            .run("0: x skipped exists_hidden none none; look-up 1; 1 posts"),
    ]);
}

/// The answer was lost, and this is what the site shows then.
fn held(name: &str, reason: &str, posts: &'static [(u64, &'static str, &'static str)]) -> Row {
    let count = posts.len();
    let put = put(posts);
    Row::new(name)
        .rule(Ask::Create, Times::Once, Carries::Nothing, this(Reply::html(502, "")))
        .network("settle_s = 600")
        .run("4: x unknown settling possible sending +answer_lost; look-up 2, create 1; 0 posts")
        .then(move |site, _| site.change(|stored| put(stored)))
        .run(format!("4: x held {reason} possible sending; look-up 1; {count} posts"))
        .run(format!("4: x held {reason} possible sending; look-up 1; {count} posts"))
}

/// Spec §4, the row of `sending`.
#[test]
fn what_does_not_say_what_was_sent_is_not_adopted() {
    let hidden = Row::new("hidden")
        .rule(Ask::Create, Times::Once, Carries::Out, this(Reply::html(502, "")))
        .rule(
            Ask::LookUp,
            Times::Nth(2),
            Carries::Out,
            bent(|reply| Reply { body: b"[]".to_vec(), ..reply }),
        )
        .run(
            "4: x held hidden possible sending +answer_lost; \
             look-up 2, candidates 3, create 1; 1 posts",
        )
        // The hold goes away by itself.
        .run("0: x completed - confirmed confirmed; look-up 1; 1 posts");
    play(vec![
        held("another draft", "content_differs", &[(7, "x", "draft")]),
        held("a published post", "content_differs", &[(7, "x", "publish")]),
        held("two", "several_found", &[(7, "x", "draft"), (8, "x", "draft")]),
        held("in the trash", "found_in_trash", &[(7, "x__trashed", "trash")]),
        held("the second twin in the trash", "found_in_trash", &[(8, "x__trashed-2", "trash")]),
        hidden,
    ]);
}

/// Case CON-10: the site was still working on it.
#[test]
fn a_draft_that_appears_late_completes() {
    let late = |settle: &'static str, first: &str, second: &str| {
        Row::new(format!("late, {settle}"))
            .network(settle)
            .rule(Ask::Create, Times::Once, Carries::Out, this(Reply::html(504, "")))
            .rule(Ask::LookUp, Times::Nth(2), Carries::Out, nothing())
            .rule(Ask::LookUp, Times::Nth(3), Carries::Out, nothing())
            .runs(&[first, second])
            .run("0: x completed - confirmed confirmed; look-up 1; 1 posts")
            .run("0: x skipped confirmed confirmed confirmed; receipts 1; 1 posts")
    };
    play(vec![
        late(
            "settle_s = 600",
            "4: x unknown settling possible sending +answer_lost; look-up 2, create 1; 1 posts",
            "4: x unknown settling possible sending; look-up 1; 1 posts",
        ),
        late(
            "settle_s = 0",
            "4: x held not_found possible sending +answer_lost; \
             look-up 2, candidates 3, create 1; 1 posts",
            "4: x held not_found possible sending; look-up 1, candidates 3; 1 posts",
        ),
    ]);
}

fn nothing() -> Give {
    bent(|reply| Reply { body: b"[]".to_vec(), ..reply }.with("x-wp-total", "0"))
}

/// Spec §5.6.
#[test]
fn a_site_with_languages_is_asked_for_all_of_them_or_not_believed() {
    let offering = |name: &str, lang: Value| {
        Row::new(name).where_the_site(move |stored| {
            for route in ["/wp/v2/posts", "/wp/v2/pages", "/wp/v2/media"] {
                stored.index["routes"][route]["endpoints"][0]["args"]["lang"] = lang.clone();
            }
        })
    };
    let asks_all: Give = std::sync::Arc::new(|request, reply| {
        assert_eq!(request.asks("lang"), Some("all"));
        reply
    });
    play(vec![
        offering("all", json!({ "enum": ["de", "ja", "all"] }))
            .always(Ask::LookUp, asks_all.clone())
            .run(CREATED),
        offering("all, in a list", json!({ "items": { "enum": ["all", "de"] } }))
            .always(Ask::LookUp, asks_all)
            .run(CREATED),
        offering("only single ones", json!({ "enum": ["de", "ja"] }))
            .run("5: x deferred cannot_look_up none none; preflight only; 0 posts"),
        offering("nobody knows which", json!({}))
            .run("5: x deferred cannot_look_up none none; preflight only; 0 posts"),
    ]);
}

/// Case ROOT-01: every route is a parameter of one page.
#[test]
fn plain_permalinks_are_found_and_used() {
    let only_by_parameter: Give = std::sync::Arc::new(|request, reply| {
        if request.route.starts_with('?') { reply } else { Reply::html(404, "<html>") }
    });
    let row = Row::new("plain")
        .always(Ask::Index, only_by_parameter)
        .run("0: x created - confirmed confirmed; index 2, me 1, look-up 1, create 1; 1 posts")
        .run("0: x skipped confirmed confirmed confirmed; index 2, me 1, receipts 1; 1 posts");
    play(vec![row]);
}

/// Spec §5.1: to the end, or it is no list.
#[test]
fn a_list_of_which_a_page_is_lost_is_no_list() {
    let many = |name: &str| {
        Row::new(name).where_the_site(|stored| {
            stored.posts.extend((1..=150).map(|id| post(id, "x", "draft")));
        })
    };
    let second = |row: Row, give: Give| row.rule(Ask::LookUp, Times::Nth(2), Carries::Out, give);
    let deferred = "5: x deferred cannot_look_up none none; look-up 2; 150 posts";
    let empty = bent(|reply| Reply { body: b"[]".to_vec(), ..reply });
    let first_again: Give = std::sync::Arc::new(|_, reply| {
        let rows: Vec<Value> = (1..=50).map(|id| post(id, "x", "draft")).collect();
        Reply { body: json!(rows).to_string().into_bytes(), ..reply }
    });
    play(vec![
        many("all pages").run("0: x skipped exists_several none none; look-up 2; 150 posts"),
        second(many("the second empty"), empty)
            .run("0: x skipped exists_hidden none none; look-up 2; 150 posts"),
        second(many("the second counts otherwise"), bent(|reply| reply.with("x-wp-total", "149")))
            .run(deferred),
        second(many("the second is the first"), first_again).run(deferred),
        second(many("the second fails"), this(Reply::error(400, "rest_post_invalid_page_number")))
            .run(deferred),
        second(many("the second out of a cache"), bent(|reply| reply.with("age", "9")))
            .run(deferred),
    ]);
}
