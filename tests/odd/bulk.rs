//! Many articles at once: what they cost, and doubts about single ones among them.
//!
//! Absent from here: what single answers prove. The one rule: questions are asked for
//! hundreds at once, and a doubt about one slug is that slug's alone.

use std::fmt::Write as _;

use serde_json::json;

use crate::support::desk::{Desk, Ran};
use crate::support::http::Reply;
use crate::support::rows::{Row, asked, play};
use crate::support::rules::{Ask, Give, bent};
use crate::support::server::Server;
use crate::support::site::Site;

/// So many articles with names of a usual length.
fn many(desk: &Desk, articles: usize) {
    for number in 0..articles {
        desk.article(&format!("notes-from-the-road-{number:04}"));
    }
}

fn counted(ran: &Ran, outcome: &str) -> u64 {
    ran.json["counts"][outcome].as_u64().expect("a count")
}

/// Spec §5: N articles cost about N/100 requests.
#[test]
fn a_thousand_confirmed_articles_are_verified_in_ten_requests() {
    let site = Site::new();
    let server = Server::of(&site);
    let desk = Desk::new(&server.url(), "");
    many(&desk, 1000);
    let first = desk.run(&["push", "--json", "--quiet"]);
    assert_eq!(counted(&first, "created"), 1000);
    let counts = site.take_counts();
    assert_eq!(counts.get(&Ask::Create), Some(&1000));
    assert!(counts[&Ask::LookUp] <= 20, "{}", asked(&counts));
    let again = desk.run(&["push", "--json", "--quiet"]);
    assert_eq!((counted(&again, "skipped"), again.exit), (1000, 0));
    assert_eq!(asked(&site.take_counts()), "receipts 10");
    // One new article costs one look-up more.
    desk.article("one-more");
    let more = desk.run(&["push", "--json", "--quiet"]);
    assert_eq!((counted(&more, "skipped"), counted(&more, "created")), (1000, 1));
    assert_eq!(asked(&site.take_counts()), "receipts 10, look-up 1, second-copies 1, create 1");
}

#[test]
fn two_hundred_confirmed_articles_take_four_requests() {
    let site = Site::new();
    let server = Server::of(&site);
    let desk = Desk::new(&server.url(), "");
    many(&desk, 200);
    desk.run(&["push", "--json", "--quiet"]);
    site.take_counts();
    let again = desk.run(&["push", "--json", "--quiet"]);
    assert_eq!((counted(&again, "skipped"), again.exit), (200, 0));
    let counts = site.take_counts();
    assert_eq!(counts.values().sum::<usize>(), 4);
    assert_eq!(asked(&counts), "receipts 2");
}

#[test]
fn a_plan_of_three_hundred_new_articles_takes_few_requests_and_sends_nothing() {
    let site = Site::new();
    let server = Server::of(&site);
    let desk = Desk::new(&server.url(), "");
    many(&desk, 300);
    let plan = desk.run(&["plan", "--json"]);
    assert_eq!((counted(&plan, "create"), plan.exit), (300, 0));
    let counts = site.take_counts();
    assert!(counts[&Ask::LookUp] <= 8, "{}", asked(&counts));
    assert_eq!(asked(&counts), format!("look-up {}", counts[&Ask::LookUp]));
    assert!(desk.journal().is_empty(), "a plan writes nothing");
}

const EIGHT: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

/// What becomes of the eight articles, of which `d` ends otherwise.
fn all_but_d(exit: u8, d: &str, asked: &str, posts: usize) -> String {
    let mut line = format!("{exit}: ");
    for (number, slug) in EIGHT.iter().enumerate() {
        let ends = if *slug == "d" { d } else { "created - confirmed confirmed" };
        let comma = if number == 0 { "" } else { ", " };
        let _ = write!(line, "{comma}{slug} {ends}");
    }
    line + &format!("; {asked}; {posts} posts")
}

/// Case FIND-03: the site counts one row more than it shows.
#[test]
fn a_hidden_row_is_found_among_many_and_stops_only_its_slug() {
    let row = Row::new("hidden").with_articles(&EIGHT).where_the_site(|stored| {
        stored.posts.push(json!({ "id": 7, "slug": "d", "status": "draft", "type": "post" }));
        stored.hidden.push(7);
    });
    // All eight, then four, two and one of them, each beside the other half.
    let line = all_but_d(0, "skipped exists_hidden none none", "look-up 7, create 7", 8);
    play(vec![row.run(line)]);
}

/// Case WAF-01, for questions: a firewall dislikes one word.
#[test]
fn a_slug_that_a_firewall_dislikes_stops_only_itself() {
    let dislikes = |reply: Reply| -> Give {
        std::sync::Arc::new(move |request, healthy| {
            let slugs = request.asks("slug").unwrap_or_default();
            if slugs.split(',').any(|slug| slug == "d") { reply.clone() } else { healthy }
        })
    };
    let row = |name: &str, reply: Reply| {
        // As for a hidden row, and one question whether it dislikes them all.
        let line = all_but_d(5, "deferred cannot_look_up none none", "look-up 8, create 7", 7);
        Row::new(name).with_articles(&EIGHT).always(Ask::LookUp, dislikes(reply)).run(line)
    };
    play(vec![
        row("a firewall", Reply::html(403, "<html>Forbidden</html>")),
        row("a page", Reply::html(200, "<html>Blocked</html>")),
        row("a death", Reply::html(500, "")),
        row("an error", Reply::error(400, "rest_invalid_param")),
    ]);
}

/// A site that refuses every question is asked twice, not sixty times.
#[test]
fn a_site_that_refuses_all_questions_is_not_asked_for_each() {
    let ends: Vec<_> =
        EIGHT.iter().map(|slug| format!("{slug} deferred cannot_look_up none none")).collect();
    let line = |asked: &str| format!("5: {}; {asked}; 0 posts", ends.join(", "));
    let row = |name: &str, asked: &str, give: Give| {
        Row::new(name).with_articles(&EIGHT).always(Ask::LookUp, give).run(line(asked))
    };
    let page = |status| bent(move |_| Reply::html(status, "<html>"));
    play(vec![
        row("a firewall", "look-up 2", page(403)),
        row("a death", "look-up 2", page(500)),
        row("a redirect", "look-up 2", bent(|_| Reply::html(301, "").with("location", "/"))),
        row("busy", "look-up 1", page(429)),
        row("a cache", "look-up 1", bent(|reply| reply.with("age", "5"))),
        row("no total", "look-up 1", bent(|reply| reply.without("x-wp-total"))),
    ]);
}
