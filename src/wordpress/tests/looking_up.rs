//! Look-ups against a site that behaves and misbehaves (spec §5, cases FIND and CON).

use std::collections::{BTreeMap, BTreeSet};

use wiremock::MockServer;

use super::fake::{Fault, Posts};
use super::support::{fields, row, settings, site, site_with, slug};
use crate::names::{PostId, PostType, Slug};
use crate::protocol::kinds::FoundPost;
use crate::protocol::sighting::{ReceiptSighting, Sighting, UnclearWhy};
use crate::wordpress::preflight::{LanguageOffer, Offers};
use crate::wordpress::{PostQuestion, ReadFailure, RequestKind};

/// A sighting in one word.
fn word(sighting: &Sighting<FoundPost>) -> &'static str {
    match sighting {
        Sighting::Absent => "absent",
        Sighting::Same(_) => "same",
        Sighting::Differs(_) => "differs",
        Sighting::Several(_) => "several",
        Sighting::Trashed(_) => "trashed",
        Sighting::Hidden => "hidden",
        Sighting::Unclear(unclear) => unclear.why.code(),
    }
}

async fn seen(
    server: &MockServer,
    slugs: &[&str],
    control: Option<&str>,
) -> (Vec<&'static str>, u64) {
    let site = site(&server.uri());
    let slugs: Vec<Slug> = slugs.iter().map(|text| slug(text)).collect();
    let questions: Vec<PostQuestion<'_>> =
        slugs.iter().map(|slug| PostQuestion { slug, sent: None }).collect();
    let sightings = site.look_up_posts(PostType::Post, &questions, control).await;
    let words = slugs.iter().map(|slug| word(&sightings[slug])).collect();
    (words, site.requests().of(RequestKind::LookUp))
}

#[tokio::test]
async fn each_sighting_is_seen_in_one_request() {
    let posts = Posts::with(&[
        (1, "one", "draft"),
        (2, "public", "publish"),
        (3, "trashed__trashed", "trash"),
        (4, "twin", "draft"),
        (5, "twin", "pending"),
        (6, "again", "draft"),
        (7, "again__trashed", "trash"),
        (8, "%e5%86%99%e7%9c%9f", "draft"),
        (9, "unasked", "draft"),
    ]);
    let server = posts.start().await;
    let asked = ["one", "public", "trashed", "twin", "again", "%e5%86%99%e7%9c%9f", "absent"];
    let (words, requests) = seen(&server, &asked, None).await;
    assert_eq!(words, ["differs", "differs", "trashed", "several", "several", "differs", "absent"]);
    assert_eq!(requests, 1);
    let request = &server.received_requests().await.expect("recorded")[0];
    let query: BTreeMap<_, _> = request.url.query_pairs().into_owned().collect();
    assert_eq!(query["status"], "any,trash");
    assert_eq!(query["context"], "edit");
    assert!(!query.contains_key("page"), "the first page is the one that comes by itself");
    assert!(query["slug"].contains("one,one__trashed"));
    assert!(query["slug"].contains("写真,"), "{}", query["slug"]);
    assert_eq!(query["oncepress_nonce"].len(), 16);
}

#[tokio::test]
async fn every_question_is_new_to_a_cache() {
    let server = Posts::default().start().await;
    let site = site(&server.uri());
    let x = slug("x");
    for _ in 0..3 {
        let question = [PostQuestion { slug: &x, sent: None }];
        site.look_up_posts(PostType::Post, &question, None).await;
    }
    let requests = server.received_requests().await.expect("recorded");
    let urls: BTreeSet<&str> = requests.iter().map(|request| request.url.as_str()).collect();
    assert_eq!(urls.len(), 3);
}

#[tokio::test]
async fn a_thousand_slugs_take_about_ten_requests_of_bounded_length() {
    let server = Posts::numbered(500).start().await;
    let slugs: Vec<String> = (1..=1000).map(|number| format!("a-{number}")).collect();
    let asked: Vec<&str> = slugs.iter().map(String::as_str).collect();
    let (words, requests) = seen(&server, &asked, None).await;
    assert_eq!(words.iter().filter(|word| **word == "differs").count(), 500);
    assert_eq!(words.iter().filter(|word| **word == "absent").count(), 500);
    assert_eq!(requests, 10);
    // Long Japanese slugs: fewer in one request, none too long.
    let slugs: Vec<String> =
        (10..110).map(|number| format!("{}-{number}", "%e5%86%99".repeat(20))).collect();
    let asked: Vec<&str> = slugs.iter().map(String::as_str).collect();
    let (words, requests) = seen(&server, &asked, Some("a-1")).await;
    assert!(words.iter().all(|word| *word == "absent"), "{words:?}");
    // Each with its two forms in the trash: nearly 700 bytes a slug.
    assert!(requests <= 8, "{requests}");
    for request in server.received_requests().await.expect("recorded") {
        assert!(request.url.as_str().len() <= 7_100, "{}", request.url.as_str().len());
    }
}

#[tokio::test]
async fn a_list_of_several_pages_is_read_to_its_end() {
    let named = |id| if id < 250 { "many" } else { "last" };
    let rows = (1..=250).map(|id| row(id, named(id), "draft")).collect();
    let mut posts = Posts { rows, ..Posts::default() };
    let server = posts.clone().start().await;
    assert_eq!(
        seen(&server, &["many", "last", "none"], None).await,
        (vec!["several", "differs", "absent"], 3)
    );
    posts.fault = Fault::Grows;
    let server = posts.start().await;
    assert_eq!(seen(&server, &["many"], None).await.0, ["total_missing"]);
}

/// Case FIND-03: the site counts a post that this user may not read.
#[tokio::test]
async fn a_hidden_post_is_narrowed_down_to_its_slug() {
    let mut posts = Posts::numbered(60);
    posts.hidden = BTreeSet::from([37]);
    let server = posts.clone().start().await;
    let slugs: Vec<String> = (1..=100).map(|number| format!("a-{number}")).collect();
    let asked: Vec<&str> = slugs.iter().map(String::as_str).collect();
    let (words, requests) = seen(&server, &asked, Some("a-1")).await;
    for (number, word) in (1..).zip(&words) {
        let expected = match number {
            37 => "hidden",
            1..=60 => "differs",
            _ => "absent",
        };
        assert_eq!(*word, expected, "a-{number}");
    }
    assert!(requests <= 15, "{requests}");
    // So many that it is given up: doubt, never absence, and a bounded number of requests.
    posts.hidden = (1..=60).collect();
    let server = posts.start().await;
    let (words, requests) = seen(&server, &asked, None).await;
    assert!(
        words[..60].iter().all(|word| matches!(*word, "hidden" | "total_missing")),
        "{words:?}"
    );
    assert!(requests <= 66, "{requests}");
}

/// A firewall that dislikes one slug must not stop the others (P4).
#[tokio::test]
async fn a_refusal_of_one_word_concerns_one_slug() {
    let posts = Posts { fault: Fault::FirewallOn("union-select"), ..Posts::numbered(3) };
    let server = posts.start().await;
    let asked = ["a-1", "a-2", "x", "y", "z", "how-union-select-works", "a-3", "w"];
    let (words, requests) = seen(&server, &asked, None).await;
    let expected =
        ["differs", "differs", "absent", "absent", "absent", "middleman", "differs", "absent"];
    assert_eq!(words, expected);
    assert!(requests <= 9, "{requests}");
    // A site that refuses everything is asked twice, not a hundred times.
    let server = Posts { fault: Fault::Status(403), ..Posts::default() }.start().await;
    let (words, requests) = seen(&server, &asked, None).await;
    assert!(words.iter().all(|word| *word == "refused"), "{words:?}");
    assert_eq!(requests, 2);
}

#[tokio::test]
async fn what_is_not_proof_is_never_absence() {
    let rows = [
        (Fault::DropsFilter, "filter_dropped"),
        (Fault::NoTotal, "total_missing"),
        (Fault::Header("age", "7"), "cached_answer"),
        (Fault::Header("x-cache", "HIT"), "cached_answer"),
        (Fault::Header("cf-cache-status", "HIT"), "cached_answer"),
        (Fault::Header("cache-control", "max-age=600"), "cached_answer"),
        (Fault::Status(500), "odd_status"),
        (Fault::Status(202), "middleman"),
        (Fault::Status(301), "redirected"),
        (Fault::Status(429), "site_busy"),
        (Fault::Status(503), "site_busy"),
        (Fault::ListsNothing, "control_missing"),
    ];
    for (fault, expected) in rows {
        let server = Posts { fault: fault.clone(), ..Posts::numbered(2) }.start().await;
        let (words, requests) = seen(&server, &["x"], Some("a-1")).await;
        assert_eq!((words, requests), (vec![expected], 1), "{fault:?}");
    }
}

/// What is known to exist may itself be asked about.
#[tokio::test]
async fn the_control_is_seen_only_where_it_was_asked_for() {
    let server = Posts::numbered(2).start().await;
    assert_eq!(seen(&server, &["a-1"], Some("a-1")).await.0, ["differs"]);
    assert_eq!(seen(&server, &["a-1", "x"], Some("a-1")).await.0, ["differs", "absent"]);
    assert_eq!(seen(&server, &["x"], Some("a-1")).await.0, ["absent"]);
}

/// Rows that can't be told apart are no list.
#[tokio::test]
async fn a_row_without_an_id_of_its_own_is_no_proof_of_anything() {
    for rows in [vec![(1, "x", "draft"), (1, "x", "draft")], vec![(0, "x", "draft")]] {
        let server = Posts::with(&rows).start().await;
        assert_eq!(seen(&server, &["x"], None).await.0, ["not_json"], "{rows:?}");
    }
}

/// Once it is known that nothing comes back, nobody waits for nine more time-outs.
#[tokio::test]
async fn a_site_that_is_busy_or_gone_is_asked_once() {
    let slugs: Vec<String> = (1..=250).map(|number| format!("a-{number}")).collect();
    let asked: Vec<&str> = slugs.iter().map(String::as_str).collect();
    let server = Posts { fault: Fault::Status(503), ..Posts::default() }.start().await;
    let (words, requests) = seen(&server, &asked, None).await;
    assert!(words.iter().all(|word| *word == "site_busy"));
    assert_eq!(requests, 1);
    let gone = server.uri();
    drop(server);
    let x = slug("x");
    let site = site(&gone.replace("127.0.0.1", "localhost"));
    let seen =
        site.look_up_posts(PostType::Post, &[PostQuestion { slug: &x, sent: None }], None).await;
    assert_ne!(word(&seen[&x]), "absent");
}

/// Spec §5.6.
#[tokio::test]
async fn a_site_with_languages_is_asked_for_all_of_them_or_not_at_all() {
    let server = Posts::default().start().await;
    let x = slug("x");
    for (posts, expected) in
        [(LanguageOffer::All, "absent"), (LanguageOffer::OnlySingle, "language_filter")]
    {
        let site = site_with(&server.uri(), settings(), Offers { posts, ..Offers::default() });
        let question = [PostQuestion { slug: &x, sent: None }];
        let seen = site.look_up_posts(PostType::Post, &question, None).await;
        assert_eq!(word(&seen[&x]), expected);
    }
    let requests = server.received_requests().await.expect("recorded");
    assert_eq!(requests.len(), 1);
    assert!(requests[0].url.query_pairs().any(|(name, value)| name == "lang" && value == "all"));
}

#[tokio::test]
async fn content_is_fetched_only_where_something_was_sent() {
    let server = Posts::with(&[(1, "same", "draft"), (2, "other", "draft")]).start().await;
    let site = site(&server.uri());
    let (same, other, free) = (slug("same"), slug("other"), slug("free"));
    let (ours, not_ours) = (fields("<p>a</p>"), fields("<p>b</p>"));
    let questions = [
        PostQuestion { slug: &same, sent: Some(&ours) },
        PostQuestion { slug: &other, sent: Some(&not_ours) },
        PostQuestion { slug: &free, sent: None },
    ];
    let seen = site.look_up_posts(PostType::Post, &questions, None).await;
    assert_eq!(word(&seen[&same]), "same");
    assert_eq!(word(&seen[&other]), "differs");
    assert_eq!(word(&seen[&free]), "absent");
    let requests = server.received_requests().await.expect("recorded");
    let with_content: Vec<bool> =
        requests.iter().map(|request| request.url.as_str().contains("content.raw")).collect();
    assert_eq!(with_content, [false, true]);
}

fn post_id(id: u64) -> PostId {
    PostId::new(id).expect("above zero")
}

fn receipt_word(sighting: &ReceiptSighting<FoundPost>) -> &'static str {
    match sighting {
        ReceiptSighting::Missing => "missing",
        ReceiptSighting::Present(_) => "present",
        ReceiptSighting::Mismatch(_) => "mismatch",
        ReceiptSighting::Trashed(_) => "trashed",
        ReceiptSighting::Hidden => "hidden",
        ReceiptSighting::Unclear(unclear) => unclear.why.code(),
    }
}

#[tokio::test]
async fn a_thousand_receipts_take_ten_requests() {
    let server = Posts::numbered(1000).start().await;
    let site = site(&server.uri());
    let slugs: Vec<String> = (1..=1000).map(|id| format!("a-{id}")).collect();
    let receipts: Vec<(PostId, &str)> =
        (1..).map(post_id).zip(slugs.iter().map(String::as_str)).collect();
    let seen = site.verify_posts(PostType::Post, &receipts).await;
    assert!(seen.values().all(|sighting| receipt_word(sighting) == "present"));
    assert_eq!(site.requests().total(), 10);
}

#[tokio::test]
async fn a_receipt_that_the_list_leaves_out_is_asked_for_on_its_own() {
    let mut posts = Posts::with(&[
        (1, "one", "draft"),
        (2, "renamed", "publish"),
        (3, "three__trashed", "trash"),
        (4, "four", "draft"),
    ]);
    posts.hidden = BTreeSet::from([4]);
    let server = posts.clone().start().await;
    let site = site(&server.uri());
    let receipts = [(1, "one"), (2, "two"), (3, "three"), (4, "four"), (5, "five")]
        .map(|(id, slug)| (post_id(id), slug));
    let seen = site.verify_posts(PostType::Post, &receipts).await;
    let words: Vec<&str> = seen.values().map(receipt_word).collect();
    assert_eq!(words, ["present", "mismatch", "trashed", "hidden", "missing"]);
    assert_eq!(site.requests().of(RequestKind::Receipts), 3);
    // A list that shows nothing (a lagging replica, a plugin) is not believed.
    posts.fault = Fault::ListsNothing;
    let server = posts.start().await;
    let site = super::support::site(&server.uri());
    let seen = site.verify_posts(PostType::Post, &receipts).await;
    let words: Vec<&str> = seen.values().map(receipt_word).collect();
    assert_eq!(words, ["present", "mismatch", "trashed", "hidden", "control_missing"]);
}

#[tokio::test]
async fn mass_absence_is_shown_without_a_thousand_requests() {
    let server = Posts::default().start().await;
    let site = site(&server.uri());
    let receipts: Vec<(PostId, &str)> = (1..=100).map(|id| (post_id(id), "x")).collect();
    let seen = site.verify_posts(PostType::Post, &receipts).await;
    let missing = seen.values().filter(|sighting| receipt_word(sighting) == "missing").count();
    // More than a fifth: the run stops (spec §5.7).
    assert_eq!(missing, 23);
    assert_eq!(site.requests().total(), 24);
    let failing = Posts { fault: Fault::Status(500), ..Posts::default() }.start().await;
    let site = super::support::site(&failing.uri());
    let seen = site.verify_posts(PostType::Post, &receipts).await;
    assert!(seen.values().all(|sighting| receipt_word(sighting) == "odd_status"));
}

#[tokio::test]
async fn one_post_is_read_missing_or_hidden() {
    let mut posts = Posts::with(&[(1, "one", "draft"), (2, "two", "draft")]);
    posts.hidden = BTreeSet::from([2]);
    let server = posts.start().await;
    let site = site(&server.uri());
    let (one, sent) = (slug("one"), fields("<p>b</p>"));
    let read = site.read_post(PostType::Post, post_id(1), Some((&one, &sent))).await;
    let differences = read.expect("read").expect("found").differences;
    assert_eq!(differences.len(), 1, "{differences:?}");
    assert_eq!(site.read_post(PostType::Post, post_id(9), None).await, Ok(None));
    let hidden = site.read_post(PostType::Post, post_id(2), None).await;
    assert_eq!(hidden, Err(ReadFailure::Hidden));
    // A page's id is no post's: a row of another type is not taken.
    let page = site.read_post(PostType::Page, post_id(1), None).await;
    let Err(ReadFailure::Unclear(unclear)) = page else { panic!("{page:?}") };
    assert_eq!(unclear.why, UnclearWhy::ForeignRow);
}
