//! Terms and authors against a fake site (spec §9, cases TERM).

use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use super::support::site;
use crate::names::TermId;
use crate::wordpress::{AuthorAnswer, Taxonomy, TermAnswer, TermFailure, TermWanted};

fn term(id: u64, name: &str) -> Value {
    json!({"id": id, "name": name, "slug": format!("s-{id}"), "parent": 0, "taxonomy": "post_tag"})
}

/// A taxonomy of this many tags, of which one is `R&amp;D`.
async fn tags(count: u64) -> MockServer {
    let server = MockServer::start().await;
    let list = move |request: &Request| {
        let query = |name: &str| {
            let pair = request.url.query_pairs().find(|(key, _)| key == name);
            pair.map(|(_, value)| value.into_owned())
        };
        let page: u64 = query("page").map_or(1, |page| page.parse().expect("a page"));
        let named = |id: u64| if id == count { "R&amp;D".into() } else { format!("tag {id}") };
        let all = (1..=count).map(|id| term(id, &named(id)));
        let rows: Vec<Value> = match (query("search"), query("slug")) {
            (Some(text), _) => all
                .filter(|term| term["name"].as_str().is_some_and(|name| name.contains(&text)))
                .collect(),
            (None, Some(slug)) => all.filter(|term| term["slug"] == slug).collect(),
            (None, None) => all.collect(),
        };
        let start = usize::try_from((page - 1) * 100).expect("small");
        let shown: Vec<&Value> = rows.iter().skip(start).take(100).collect();
        ResponseTemplate::new(200)
            .insert_header("x-wp-total", rows.len().to_string().as_str())
            .set_body_json(json!(shown))
    };
    Mock::given(method("GET"))
        .and(path("/wp-json/wp/v2/tags"))
        .respond_with(list)
        .mount(&server)
        .await;
    server
}

/// Case TERM-04.
#[tokio::test]
async fn a_term_is_found_on_whatever_page_it_is() {
    for (count, requests) in [(3, 1), (250, 4), (5_000, 2)] {
        let server = tags(count).await;
        let site = site(&server.uri());
        let wanted = [TermWanted::Word("R&D".to_owned())];
        let found = site.resolve_terms(Taxonomy::Tag, &wanted).await.expect("proof");
        let TermAnswer::Found(term) = &found[&wanted[0]] else { panic!("{count}: {found:?}") };
        assert_eq!((term.id.get(), term.name.as_str()), (count, "R&D"));
        assert!(site.requests().total() <= requests + 1, "{count}: {:?}", site.requests());
    }
    let server = tags(3).await;
    let ids = [2, 9].map(|id| TermWanted::Id(TermId::new(id).expect("above zero")));
    let found = site(&server.uri()).resolve_terms(Taxonomy::Tag, &ids).await.expect("proof");
    assert!(matches!(found[&ids[0]], TermAnswer::Found(_)));
    assert!(matches!(found[&ids[1]], TermAnswer::Missing { .. }));
}

async fn creating(status: u16, body: Value) -> MockServer {
    let server = tags(3).await;
    Mock::given(method("POST"))
        .and(path("/wp-json/wp/v2/tags"))
        .respond_with(ResponseTemplate::new(status).set_body_json(body))
        .mount(&server)
        .await;
    let single = ResponseTemplate::new(200).set_body_json(term(2, "R&amp;D"));
    Mock::given(method("GET"))
        .and(path("/wp-json/wp/v2/tags/2"))
        .respond_with(single)
        .mount(&server)
        .await;
    server
}

/// Cases TERM-01 and TERM-03: the id in the error is read back.
#[tokio::test]
async fn a_tag_that_exists_is_the_tag_if_it_has_the_name() {
    let exists = |status: u16, data: Value| {
        (status, json!({"code": "term_exists", "message": "x", "data": data}))
    };
    let rows = [
        exists(400, json!({"status": 400, "term_id": 2})),
        exists(409, json!({"status": 409, "term_id": 2})),
        exists(500, json!(2)),
    ];
    for (status, body) in rows {
        let server = creating(status, body).await;
        let site = site(&server.uri());
        assert_eq!(site.create_tag("r&d").await.map(|term| term.id.get()), Ok(2), "{status}");
        let other = site.create_tag("Something else").await;
        assert!(matches!(other, Err(TermFailure::OtherTerm(_))), "{other:?}");
    }
}

#[tokio::test]
async fn a_tag_is_created_refused_or_unclear() {
    let server = creating(201, term(7, "New")).await;
    let made = site(&server.uri()).create_tag("New").await;
    assert_eq!(made.map(|term| term.id.get()), Ok(7));
    let sent: Value =
        server.received_requests().await.expect("recorded")[0].body_json().expect("JSON");
    assert_eq!(sent, json!({"name": "New"}));
    let server = creating(403, json!({"code": "rest_cannot_create", "message": "No."})).await;
    let refused = site(&server.uri()).create_tag("New").await;
    assert!(matches!(refused, Err(TermFailure::Refused(_))), "{refused:?}");
    // Case TERM-06.
    let body = json!({"code": "db_insert_error", "message": "Could not insert the term."});
    let server = creating(500, body).await;
    let refused = site(&server.uri()).create_tag("New").await;
    assert!(matches!(refused, Err(TermFailure::Refused(_))), "{refused:?}");
    for (status, body) in [(500, json!("x")), (201, json!([])), (200, term(7, "New"))] {
        let server = creating(status, body).await;
        let unclear = site(&server.uri()).create_tag("New").await;
        assert!(matches!(unclear, Err(TermFailure::Unclear(_))), "{status}: {unclear:?}");
    }
}

#[tokio::test]
async fn an_author_is_taken_by_slug_and_never_by_display_name() {
    let server = MockServer::start().await;
    let users = json!([{"id": 9, "slug": "bob", "name": "Sue"}]);
    let list = ResponseTemplate::new(200).insert_header("x-wp-total", "1").set_body_json(users);
    Mock::given(method("GET"))
        .and(path("/wp-json/wp/v2/users"))
        .respond_with(list)
        .mount(&server)
        .await;
    let site = site(&server.uri());
    let id = |answer| match answer {
        Ok(AuthorAnswer::Found(id)) => Some(crate::names::UserId::get(id)),
        _ => None,
    };
    assert_eq!(id(site.resolve_author("author").await), Some(3));
    assert_eq!(id(site.resolve_author("Bob").await), Some(9));
    assert_eq!(site.resolve_author("Sue").await, Ok(AuthorAnswer::NotAllowed));
}
