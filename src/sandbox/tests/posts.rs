//! Posts: slugs, hidden rows, statuses.

use base64::Engine as _;
use bytes::Bytes;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::sandbox::{Mishap, Request, Version, World};

const HOME: &str = "http://sandbox.invalid";

fn now() -> Timestamp {
    "2026-01-02T03:04:05Z".parse().unwrap()
}

fn world() -> World {
    World::new(Version::V7_1, HOME)
}

fn request(world: &World, login: &str, method: &str, target: &str, body: &Value) -> Request {
    let user = world.user(login).unwrap();
    let pair = format!("{}:{}", user.login, user.password);
    let basic = base64::engine::general_purpose::STANDARD.encode(pair);
    let body =
        if body.is_null() { Bytes::new() } else { Bytes::from(body.to_string().into_bytes()) };
    http::Request::builder()
        .method(method)
        .uri(format!("{HOME}{target}"))
        .header("authorization", format!("Basic {basic}"))
        .header("content-type", "application/json")
        .body(body)
        .unwrap()
}

fn ask(
    world: &mut World,
    login: &str,
    method: &str,
    target: &str,
    body: &Value,
) -> (u16, Value, http::HeaderMap) {
    let request = request(world, login, method, target, body);
    let response = world.answer(&request, now(), None);
    let value = serde_json::from_slice(response.body()).unwrap_or(Value::Null);
    (response.status().as_u16(), value, response.headers().clone())
}

fn create(world: &mut World, login: &str, slug: &str) -> Value {
    let body = json!({ "status": "draft", "slug": slug, "title": slug, "content": "<p>x</p>" });
    let (status, value, _) = ask(world, login, "POST", "/wp-json/wp/v2/posts", &body);
    assert_eq!(status, 201, "{value}");
    value
}

#[test]
fn a_second_create_with_a_slug_gets_a_number_whoever_has_the_first() {
    let mut world = world();
    assert_eq!(create(&mut world, "author2", "a")["slug"], "a");
    assert_eq!(create(&mut world, "author", "a")["slug"], "a-2");
    assert_eq!(create(&mut world, "author", "feed")["slug"], "feed-2");
    assert_eq!(create(&mut world, "author", "2024")["slug"], "2024-2");
}

#[test]
fn what_the_reader_may_not_see_is_counted_and_not_sent() {
    let mut world = world();
    create(&mut world, "author2", "a");
    let look = "/wp-json/wp/v2/posts?slug=a,a__trashed&status=any,trash&context=edit&_fields=id";
    let (status, rows, headers) = ask(&mut world, "author", "GET", look, &Value::Null);
    assert_eq!((status, rows, &headers["x-wp-total"]), (200, json!([]), &"1".parse().unwrap()));
    let (_, rows, _) = ask(&mut world, "editor", "GET", look, &Value::Null);
    assert_eq!(rows, json!([{ "id": 10 }]));
}

#[test]
fn the_trash_frees_the_slug() {
    let mut world = world();
    create(&mut world, "author", "a");
    let (status, row, _) =
        ask(&mut world, "author", "DELETE", "/?rest_route=/wp/v2/posts/10", &Value::Null);
    assert_eq!(
        (status, &row["slug"], &row["status"]),
        (200, &json!("a__trashed"), &json!("trash"))
    );
    assert_eq!(create(&mut world, "author", "a")["slug"], "a");
    assert_eq!(world.posts().count(), 2);
}

#[test]
fn every_mishap_after_the_insert_leaves_the_row() {
    let after = [
        Mishap::DiesAfterInsert,
        Mishap::DiesAfterFields,
        Mishap::RefusedAfterInsert,
        Mishap::TypeErrorAfterInsert,
        Mishap::TermsPartly,
        Mishap::WarningBeforeJson,
    ];
    for mishap in after {
        let mut world = world();
        let body = json!({ "status": "draft", "slug": "a", "title": "t" });
        let request = request(&world, "author", "POST", "/wp-json/wp/v2/posts", &body);
        world.answer(&request, now(), Some(mishap));
        assert_eq!(world.posts().count(), 1, "{mishap:?}");
    }
    let mut world = world();
    let body = json!({ "status": "draft", "slug": "a", "title": "t" });
    let request = request(&world, "author", "POST", "/wp-json/wp/v2/posts", &body);
    let answer = world.answer(&request, now(), Some(Mishap::RefusedBeforeInsert));
    assert_eq!((answer.status().as_u16(), world.posts().count()), (400, 0));
}
