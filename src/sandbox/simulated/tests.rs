//! Every accident: what the client is told, what the site has, what the log says.

use std::time::Duration;

use base64::Engine as _;
use bytes::Bytes;
use serde_json::{Value, json};

use super::super::{Fault, MadeKind, Reached, Request, Response, Taxonomy, Version, World};
use super::{Carried, Simulated};
use crate::names::Timestamp;

/// Seconds after the beginning.
fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_775_000_000 + seconds).unwrap()
}

fn site(faults: &[&str]) -> Simulated {
    let mut site = Simulated::new(World::new(Version::V7_1, "http://site.example"));
    set(&mut site, faults);
    site
}

fn set(site: &mut Simulated, faults: &[&str]) {
    for text in faults {
        let fault: Fault = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        site.add_fault(fault);
    }
}

fn request(method: &str, target: &str, content_type: &str, body: impl Into<Bytes>) -> Request {
    let pair = "admin:sandboxAdministrator0001";
    let basic = base64::engine::general_purpose::STANDARD.encode(pair);
    http::Request::builder()
        .method(method)
        .uri(format!("/wp-json/wp/v2/{target}"))
        .header("authorization", format!("Basic {basic}"))
        .header("content-type", content_type)
        .header("content-disposition", "attachment; filename=\"dot.png\"")
        .body(body.into())
        .unwrap()
}

fn create(slug: &str) -> Request {
    let body = json!({
        "status": "draft", "slug": slug, "title": "A title", "content": "<p>Text</p>",
        "categories": [1],
    });
    request("POST", "posts", "application/json", body.to_string())
}

fn look_up(slugs: &str) -> Request {
    let target = format!("posts?slug={slugs}&status=any,trash&context=edit&_fields=id,slug");
    request("GET", &target, "", "")
}

/// One dot, as PNG.
const DOT: [u8; 67] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b,
    0x55, 0x00, 0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x08, 0xd7, 0x63, 0x60, 0x00, 0x00, 0x00,
    0x02, 0x00, 0x01, 0xe2, 0x21, 0xbc, 0x33, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae,
    0x42, 0x60, 0x82,
];

fn upload() -> Request {
    request("POST", "media?slug=dot-1", "image/png", Bytes::from_static(&DOT))
}

/// What the client is told, in a word.
fn told(carried: &Carried) -> String {
    match carried {
        Carried::Answer(answer) => format!("{}{}", answer.status().as_u16(), body_of(answer)),
        Carried::NoAnswer => "no answer".to_owned(),
        Carried::NeverArrived => "never arrived".to_owned(),
        Carried::AnswerCut(answer, bytes) => {
            format!("{} cut after {bytes}", answer.status().as_u16())
        }
        Carried::Slow(by, inner) => format!("{}, after {} s", told(inner), by.as_secs()),
    }
}

/// Whether a body is what WordPress would say: JSON; else how it begins.
fn body_of(answer: &Response) -> String {
    match serde_json::from_slice::<Value>(answer.body()) {
        Ok(value) => match value.get("code").and_then(Value::as_str) {
            Some(code) => format!(" {code}"),
            None => String::new(),
        },
        Err(_) if answer.body().is_empty() => " empty".to_owned(),
        Err(_) => format!(" {}", String::from_utf8_lossy(&answer.body()[..6])),
    }
}

fn json_of(carried: &Carried) -> Value {
    match carried {
        Carried::Answer(answer) => serde_json::from_slice(answer.body()).unwrap(),
        other => panic!("an answer was due, not {other:?}"),
    }
}

/// Slugs in a list, and its total.
fn listed(carried: &Carried) -> (Vec<String>, String) {
    let Carried::Answer(answer) = carried else { panic!("an answer was due, not {carried:?}") };
    let rows = json_of(carried);
    let slug = |row: &Value| row["slug"].as_str().unwrap_or_default().to_owned();
    let total = answer.headers().get("x-wp-total").unwrap().to_str().unwrap();
    (rows.as_array().unwrap().iter().map(slug).collect(), total.to_owned())
}

#[test]
fn every_accident_of_a_create_tells_the_client_one_thing_and_the_log_the_truth() {
    // The fault, what the client is told, posts on the site, what the log says.
    let table = [
        ("me=slow:1", "201", 1, "committed, 1 made"),
        ("create-post=lose-request", "never arrived", 0, "not the site, 0 made"),
        ("create-post=lose-answer", "no answer", 1, "committed, 1 made"),
        ("create-post=late:5", "no answer", 0, "waiting, 0 made"),
        ("create-post=twice", "201", 2, "committed, 2 made"),
        ("create-post=twice:nothing", "no answer", 2, "committed, 2 made"),
        ("create-post=hide", "201", 1, "committed, 1 made"),
        ("create-post=fail-after", "500 <!DOCT", 1, "committed, 1 made"),
        ("create-post=fail-after:502", "502 <!DOCT", 1, "committed, 1 made"),
        ("create-post=fail-after:503", "503 <!DOCT", 1, "committed, 1 made"),
        ("create-post=fail-after:504", "504 <!DOCT", 1, "committed, 1 made"),
        ("create-post=refuse-after", "403 rest_cannot_update", 1, "committed, 1 made"),
        (
            "create-post=refuse-after:rest_invalid_type",
            "400 rest_invalid_type",
            1,
            "committed, 1 made",
        ),
        ("create-post=partial-terms", "201", 1, "committed, 1 made"),
        ("create-post=refuse", "400 rest_invalid_param", 0, "answered, 0 made"),
        ("create-post=challenge", "200 <!DOCT", 0, "not the site, 0 made"),
        ("create-post=challenge:202", "202 empty", 0, "not the site, 0 made"),
        ("create-post=challenge:403", "403 <!DOCT", 0, "not the site, 0 made"),
        ("create-post=redirect", "301 <!DOCT", 0, "not the site, 0 made"),
        ("create-post=redirect:302:slash", "302 <!DOCT", 0, "not the site, 0 made"),
        ("create-post=busy", "429 <!DOCT", 0, "not the site, 0 made"),
        ("create-post=busy:503:7", "503 <!DOCT", 0, "not the site, 0 made"),
        ("create-post=warning", "201 <br />", 1, "committed, 1 made"),
        ("create-post=cut:10", "201 cut after 10", 1, "committed, 1 made"),
        ("create-post=slow:3", "201, after 3 s", 1, "committed, 1 made"),
    ];
    for (fault, expected, posts, logged) in table {
        let mut site = site(&[fault]);
        let carried = site.carry(&create("a"), at(0));
        assert_eq!(told(&carried), expected, "{fault}");
        assert_eq!(site.world().posts().count(), posts, "{fault}");
        let [arrival] = site.arrivals() else { panic!("{fault}: one arrival") };
        let reached = match arrival.reached {
            Reached::NotTheSite => "not the site",
            Reached::Waiting { until } if until == at(5) => "waiting",
            Reached::Waiting { .. } => "waiting too long",
            Reached::Answered => "answered",
            Reached::Committed => "committed",
        };
        let made = arrival.made.len();
        assert_eq!(format!("{reached}, {made} made"), logged, "{fault}");
        assert_eq!(arrival.slug.as_deref(), Some("a"), "{fault}");
        assert!(arrival.made.iter().all(|made| made.what == MadeKind::Post), "{fault}");
    }
}

#[test]
fn a_post_that_was_made_partly_has_no_terms() {
    for (fault, tags) in [("create-post=partly", 0), ("create-post=lose-answer", 1)] {
        let mut site = site(&[fault]);
        let tag = site.by_a_person(|world| world.add_term(Taxonomy::Tag, "Tea", 0));
        let body = json!({"status": "draft", "slug": "a", "title": "A title", "tags": [tag]});
        site.carry(&request("POST", "posts", "application/json", body.to_string()), at(0));
        let post = site.world().posts().next().unwrap();
        assert_eq!((post.slug.as_str(), post.tags.len()), ("a", tags), "{fault}");
    }
}

#[test]
fn what_is_late_is_done_when_it_is_due_and_once() {
    let mut site = site(&["create-post:1=late:5"]);
    site.carry(&create("a"), at(0));
    assert_eq!(site.next_due(), Some(at(5)));
    assert_eq!(listed(&site.carry(&look_up("a"), at(4))).0, [""; 0]);
    assert_eq!(listed(&site.carry(&look_up("a"), at(5))).0, ["a"]);
    site.catch_up(at(600));
    assert_eq!(site.world().posts().count(), 1);
    let first = &site.arrivals()[0];
    assert!(first.committed(), "{first:?}");
    assert_eq!(first.made.len(), 1);
    assert_eq!(site.next_due(), None);
}

#[test]
fn what_is_late_outlives_the_process_without_a_strangers_password() {
    let mut site = site(&["create-post=late:5"]);
    site.carry(&create("a"), at(0));
    let mut strange = create("b");
    let header = http::HeaderValue::from_static("Basic c3RyYW5nZXI6c2VjcmV0");
    strange.headers_mut().insert("authorization", header);
    site.carry(&strange, at(0));
    let text = serde_json::to_string(&site).unwrap();
    assert!(!text.contains("c3RyYW5nZXI6c2VjcmV0"), "{text}");
    let mut again: Simulated = serde_json::from_str(&text).unwrap();
    assert_eq!(again.faults().count(), 0, "faults end with the process");
    assert_eq!(again.arrivals(), [], "arrivals do, too");
    again.catch_up(at(5));
    let slugs: Vec<_> = again.world().posts().map(|post| post.slug.clone()).collect();
    assert_eq!(slugs, ["a"], "the stranger's was refused when its time came");
}

#[test]
fn a_password_with_blanks_is_known_later_too() {
    let mut site = site(&["create-post=late:5"]).at("http://site.example/blog");
    let pair = "Admin:sand boxA dmin istr ator 0001";
    let basic = base64::engine::general_purpose::STANDARD.encode(pair);
    let mut request = create("a");
    *request.uri_mut() = http::Uri::from_static("/blog/wp-json/wp/v2/posts");
    let header = http::HeaderValue::try_from(format!("Basic {basic}")).unwrap();
    request.headers_mut().insert("authorization", header);
    site.carry(&request, at(0));
    site.catch_up(at(5));
    assert_eq!(site.world().posts().count(), 1);
}

#[test]
fn the_log_of_arrivals_has_an_end() {
    let mut site = site(&["other=lose-request"]);
    let page = http::Request::builder().uri("/").body(Bytes::new()).unwrap();
    for _ in 0..100_001 {
        site.carry(&page, at(0));
    }
    assert_eq!(site.arrivals().len(), 90_001);
    assert_eq!(site.arrivals().last().map(|arrival| arrival.number), Some(100_001));
}

#[test]
fn a_request_that_is_delivered_twice_makes_twins_that_the_answers_tell_apart() {
    for (fault, slug) in [("create-post=twice:first", "a"), ("create-post=twice:second", "a-2")] {
        let mut site = site(&[fault]);
        let answer = json_of(&site.carry(&create("a"), at(0)));
        assert_eq!(answer["slug"], slug, "{fault}");
    }
}

#[test]
fn what_is_hidden_is_left_out_of_lists_alone() {
    for (fault, total) in [("create-post=hide", "0"), ("create-post=hide:counted", "1")] {
        let mut site = site(&[fault, "create-post=lose-answer"]);
        site.carry(&create("a"), at(0));
        let id = *site.hidden().first_key_value().unwrap().0;
        assert_eq!(listed(&site.carry(&look_up("a"), at(1))), (vec![], total.to_owned()));
        let by_ids = request("GET", &format!("posts?include={id}&status=any"), "", "");
        assert_eq!(listed(&site.carry(&by_ids, at(1))), (vec![], total.to_owned()));
        let by_id = request("GET", &format!("posts/{id}?context=edit"), "", "");
        assert_eq!(json_of(&site.carry(&by_id, at(1)))["slug"], "a");
        // Its slug is taken nevertheless.
        assert!(matches!(site.carry(&create("a"), at(1)), Carried::NoAnswer));
        assert_eq!(site.world().posts().map(|post| post.slug.as_str()).last(), Some("a-2"));
        site.show(id);
        assert_eq!(listed(&site.carry(&look_up("a"), at(2))), (vec!["a".into()], "1".into()));
    }
}

#[test]
fn a_stale_list_shows_what_was_there_when_the_fault_was_set_or_some_writes_ago() {
    let mut site = site(&[]);
    site.carry(&create("a"), at(0));
    set(&mut site, &["look-up=stale"]);
    site.carry(&create("b"), at(1));
    assert_eq!(listed(&site.carry(&look_up("a,b"), at(2))).0, ["a"]);
    site.clear_faults();
    set(&mut site, &["look-up=stale:2"]);
    let seen = |site: &mut Simulated| {
        let mut slugs = listed(&site.carry(&look_up("a,b,c,d,e"), at(9))).0;
        slugs.sort();
        slugs.concat()
    };
    assert_eq!(seen(&mut site), "ab", "nothing was written since");
    for (slug, expected) in [("c", "ab"), ("d", "ab"), ("e", "abc")] {
        site.carry(&create(slug), at(3));
        assert_eq!(seen(&mut site), expected, "{slug}");
    }
    // Other questions are answered from today.
    let list = request("GET", "posts?status=any&per_page=100", "", "");
    assert_eq!(listed(&site.carry(&list, at(9))).0.len(), 5);
}

#[test]
fn a_dropped_filter_lists_every_post() {
    let mut site = site(&["look-up=drop-filter"]);
    for slug in ["a", "b", "c"] {
        site.carry(&create(slug), at(0));
    }
    let (mut slugs, total) = listed(&site.carry(&look_up("b"), at(1)));
    slugs.sort();
    assert_eq!((slugs, total.as_str()), (vec!["a".into(), "b".into(), "c".into()], "3"));
}

#[test]
fn an_image_whose_sizes_died_is_stored_and_told_of_in_a_header() {
    for (fault, expected) in
        [("upload=dead-images", "500 "), ("upload=dead-images:empty", "200 empty")]
    {
        let mut site = site(&[fault]);
        let carried = site.carry(&upload(), at(0));
        assert!(told(&carried).starts_with(expected), "{fault}: {}", told(&carried));
        let Carried::Answer(answer) = carried else { panic!("{fault}") };
        let id = site.world().posts().next().unwrap().id.to_string();
        assert_eq!(answer.headers()["x-wp-upload-attachment-id"], id.as_str(), "{fault}");
        let made: Vec<_> = site.arrivals()[0].made.iter().map(|made| made.what).collect();
        assert_eq!(made, [MadeKind::Attachment], "{fault}");
    }
}

#[test]
fn a_redirect_points_where_it_says_and_a_busy_site_says_how_long() {
    let mut site = site(&["look-up:1=redirect:301:away", "look-up:2=redirect:302:slash"]);
    let mut header = |name: &str| -> String {
        let carried = site.carry(&look_up("a"), at(0));
        let Carried::Answer(answer) = carried else { panic!("an answer was due") };
        answer.headers()[name].to_str().unwrap().to_owned()
    };
    let query = "?slug=a&status=any,trash&context=edit&_fields=id,slug";
    let path = "/wp-json/wp/v2/posts";
    assert_eq!(header("location"), format!("https://elsewhere.invalid{path}{query}"));
    assert_eq!(header("location"), format!("{path}/{query}"));
    let mut site = self::site(&["any=busy:429:7"]);
    let Carried::Answer(answer) = site.carry(&look_up("a"), at(0)) else { panic!("an answer") };
    assert_eq!(answer.headers()["retry-after"], "7");
}

#[test]
fn several_faults_meet_one_request() {
    let mut site = site(&[
        "create-post=hide",
        "create-post=warning",
        "create-post=cut:4",
        "create-post=slow:2",
        "any:1=slow:1",
    ]);
    let carried = site.carry(&create("a"), at(0));
    assert_eq!(told(&carried), "201 cut after 4, after 2 s, after 1 s");
    assert_eq!(site.hidden().len(), 1);
    assert_eq!(site.arrivals()[0].accidents.len(), 5);
    assert!(matches!(
        super::super::received(carried, Duration::from_secs(3)),
        Ok(answer) if answer.body().len() == 4
    ));
}

#[test]
fn a_client_waits_as_long_as_it_waits() {
    let slow = |site: &mut Simulated| site.carry(&create("a"), at(0));
    let mut site = site(&["create-post=slow:3"]);
    assert!(super::super::received(slow(&mut site), Duration::from_secs(3)).is_ok());
    assert!(super::super::received(slow(&mut site), Duration::from_secs(2)).is_err());
    assert_eq!(site.world().posts().count(), 2, "the site has done its part");
}

#[test]
fn the_same_requests_meet_the_same_accidents() {
    let faults = ["create-post:2=lose-answer", "look-up:2+=stale:1", "any:5=fail-after"];
    let run = || {
        let mut site = site(&faults);
        for (second, slug) in ["a", "b", "c"].into_iter().enumerate() {
            let second = i64::try_from(second).unwrap();
            site.carry(&look_up(slug), at(second));
            site.carry(&create(slug), at(second));
        }
        site
    };
    assert_eq!(run(), run());
    let forgotten = {
        let mut site = run();
        site.forget_arrivals();
        site
    };
    assert_ne!(run(), forgotten);
}

#[test]
fn a_reset_site_is_a_fresh_one() {
    let mut site = site(&["create-post=hide"]);
    site.carry(&create("a"), at(0));
    let changes = site.changes();
    site.reset();
    assert!(site.changes() > changes, "it is written down");
    assert_eq!((site.world().posts().count(), site.hidden().len()), (0, 0));
    assert_eq!((site.faults().count(), site.arrivals().len()), (0, 0));
    assert_eq!(site.world(), &World::new(Version::V7_1, "http://site.example"));
}
