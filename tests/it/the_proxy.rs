//! The tests' own tools do what they say, shown with plain requests to a real site.
//!
//! Absent from here: OncePress. The one rule: each fault is shown by both of its sides,
//! what the client got and what the database has.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::{Value, json};

use crate::support::http::{Answer, Head, ask};
use crate::support::lab::Site;
use crate::support::project::{png, unique};
use crate::support::proxy::Proxy;
use crate::support::rules::{Fault, Give, Kind, Take};
use crate::support::scene::on_each_version;

on_each_version!(
    passes_everything_through_and_writes_it_down,
    an_answer_is_lost_after_the_site_has_committed,
    a_request_is_cut_before_the_site_gets_it,
    the_site_itself_goes_wrong,
    a_user_without_a_password_is_nobody,
    pictures_are_pictures,
);

fn create_request(site: &Site, proxy: &Proxy, slug: &str) -> (Head, Vec<u8>) {
    let body = json!({"title": "A title", "slug": slug, "status": "draft"}).to_string();
    (request(site, proxy, "POST", "/wp/v2/posts", "application/json"), body.into_bytes())
}

fn request(site: &Site, proxy: &Proxy, method: &str, route: &str, content_type: &str) -> Head {
    Head {
        start: format!("{method} {} HTTP/1.1", site.target(route)),
        headers: vec![
            ("Host".to_owned(), proxy.address().to_string()),
            ("Authorization".to_owned(), site.authorization("author")),
            ("Content-Type".to_owned(), content_type.to_owned()),
        ],
    }
}

fn create(site: &Site, proxy: &Proxy, slug: &str) -> io::Result<Answer> {
    let (head, body) = create_request(site, proxy, slug);
    ask(proxy.address(), &head, &body)
}

/// Everything that comes back, though it may be no answer.
fn raw(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let mut socket = TcpStream::connect(address).expect("the proxy listens");
    socket.write_all(bytes).expect("the request is taken");
    let mut answer = Vec::new();
    // A reset tells no less than a close.
    let _ = socket.read_to_end(&mut answer);
    answer
}

fn passes_everything_through_and_writes_it_down(version: &str) {
    let (site, slug) = (Site::of(version), unique("through"));
    let proxy = site.proxy();
    let answer = create(&site, &proxy, &slug).expect("an answer");
    assert_eq!(answer.status, 201);
    assert_eq!(answer.value()["slug"], slug);
    let link = answer.value()["link"].as_str().expect("a link").to_owned();
    assert!(link.starts_with(&proxy.url()), "the site's links lead back through the proxy: {link}");

    let route = format!("/wp/v2/posts?slug={slug}&status=any,trash&context=edit");
    let rows = site.rest_through(proxy.address(), "author", "GET", &route, &Value::Null);
    assert_eq!(rows.head.get("x-wp-total"), Some("1"));
    assert_eq!(rows.value()[0]["id"], answer.value()["id"]);

    let arrivals = proxy.arrivals();
    let kinds: Vec<Kind> = arrivals.iter().map(|arrival| arrival.kind).collect();
    assert_eq!(kinds, [Kind::Create, Kind::PostList]);
    assert_eq!(arrivals[0].site_said, [201]);
    assert!(arrivals[0].has_header("authorization"));
    assert_eq!(arrivals[0].json()["slug"], slug);
    assert_eq!(proxy.creates(&slug).len(), 1);
    assert!(arrivals[1].query.contains("status=any,trash"));
    assert_eq!(site.posts(&slug).len(), 1);
}

fn an_answer_is_lost_after_the_site_has_committed(version: &str) {
    let (site, slug) = (Site::of(version), unique("lost"));
    let proxy = site.proxy();
    let (mut head, body) = create_request(&site, &proxy, &slug);
    head.set("Content-Length", &body.len().to_string());
    let bytes = [head.to_bytes(), body].concat();

    proxy.once(Kind::Create, Fault::answer_lost());
    assert!(raw(proxy.address(), &bytes).is_empty());
    assert_eq!(site.posts(&slug).len(), 1);

    proxy.once(Kind::Create, Fault::answer_cut(Give::HalfTheHead));
    let half = String::from_utf8(raw(proxy.address(), &bytes)).expect("text");
    assert!(half.starts_with("HTTP/1.1 201") && !half.contains("\r\n\r\n"), "{half}");
    assert_eq!(site.posts(&slug).len(), 2);

    proxy.once(Kind::Create, Fault::answer_cut(Give::HalfTheBody));
    let half = String::from_utf8(raw(proxy.address(), &bytes)).expect("text");
    let (head, cut) = half.split_once("\r\n\r\n").expect("a whole head");
    let length: usize = head
        .lines()
        .find_map(|line| line.strip_prefix("Content-Length: "))
        .and_then(|length| length.parse().ok())
        .expect("the length of the whole body");
    assert_eq!(cut.len(), length / 2);
    assert_eq!(site.posts(&slug).len(), 3);

    proxy.once(Kind::Create, Fault::delivered_twice());
    assert_eq!(create(&site, &proxy, &slug).expect("an answer").status, 201);
    assert_eq!(proxy.creates(&slug)[3].site_said, [201, 201]);
    assert_eq!(site.posts(&slug).len(), 5);

    proxy.once(Kind::Create, Fault::answer_replaced(Answer::html(504, "Gateway Time-out")));
    assert_eq!(create(&site, &proxy, &slug).expect("an answer").status, 504);
    assert_eq!(site.posts(&slug).len(), 6);
}

fn a_request_is_cut_before_the_site_gets_it(version: &str) {
    let (site, slug) = (Site::of(version), unique("cut"));
    let proxy = site.proxy();
    let (mut head, body) = create_request(&site, &proxy, &slug);
    head.set("Content-Length", &body.len().to_string());
    let bytes = [head.to_bytes(), body].concat();

    for take in [Take::HeadOnly, Take::Some(10), Take::SomeAndForward(10)] {
        proxy.once(Kind::Create, Fault::request_cut(take));
        assert!(raw(proxy.address(), &bytes).is_empty());
    }
    proxy.once(Kind::Create, Fault::never_delivered());
    assert!(raw(proxy.address(), &bytes).is_empty());
    let before = Answer::html(403, "Blocked");
    proxy.once(Kind::Create, Fault::answered_before_the_site(before).then_refuse());
    assert_eq!(create(&site, &proxy, &slug).expect("an answer").status, 403);
    let refused = TcpStream::connect(proxy.address()).map_err(|error| error.kind());
    assert_eq!(refused.err(), Some(io::ErrorKind::ConnectionRefused));

    assert_eq!(proxy.of_kind(Kind::Create).len(), 5);
    assert!(site.posts(&slug).is_empty());
    proxy.accept_again();
    assert_eq!(create(&site, &proxy, &slug).expect("an answer").status, 201);
}

fn the_site_itself_goes_wrong(version: &str) {
    let (site, slug) = (Site::of(version), unique("wrong"));
    let proxy = site.proxy();
    proxy.once(Kind::Create, Fault::lab("error-403-after-insert"));
    assert_eq!(create(&site, &proxy, &slug).expect("an answer").status, 403);
    assert_eq!(site.posts(&slug).len(), 1);

    proxy.once(Kind::PostList, Fault::lab("hide-drafts").and_answer_header("Age", "7"));
    let route = format!("/wp/v2/posts?slug={slug}&status=any&context=edit");
    let rows = site.rest_through(proxy.address(), "author", "GET", &route, &Value::Null);
    assert_eq!(rows.value(), json!([]));
    assert_eq!(rows.head.get("x-wp-total"), Some("0"));
    assert_eq!(rows.head.get("age"), Some("7"));

    proxy.once(Kind::PostList, Fault::none().without_answer_header("X-WP-Total"));
    let rows = site.rest_through(proxy.address(), "author", "GET", &route, &Value::Null);
    assert_eq!(
        (rows.head.get("x-wp-total"), rows.value()[0]["slug"].as_str()),
        (None, Some(&*slug))
    );
}

fn a_user_without_a_password_is_nobody(version: &str) {
    let (site, slug) = (Site::of(version), unique("nobody"));
    let proxy = site.proxy();
    proxy.once(Kind::Create, Fault::none().without_request_header("Authorization"));
    let answer = create(&site, &proxy, &slug).expect("an answer");
    assert_eq!((answer.status, &answer.value()["code"]), (401, &json!("rest_cannot_create")));
    assert!(site.posts(&slug).is_empty());
}

fn pictures_are_pictures(version: &str) {
    let (site, stem) = (Site::of(version), unique("pic"));
    let proxy = site.proxy();
    let route = format!("/wp/v2/media?slug={stem}");
    let mut head = request(&site, &proxy, "POST", &route, "image/png");
    head.set("Content-Disposition", &format!("attachment; filename=\"{stem}.png\""));
    let answer = ask(proxy.address(), &head, &png(8, 100)).expect("an answer");
    assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
    assert_eq!(answer.value()["media_details"]["width"], 8);
    assert_eq!(proxy.of_kind(Kind::Upload).len(), 1);
    assert_eq!(site.attachments(&stem).len(), 1);
}

#[test]
fn routes_are_told_apart_without_permalinks() {
    passes_everything_through_and_writes_it_down("6.8-plain");
}
