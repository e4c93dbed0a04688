//! Answers of any kind, and what they may prove.
//!
//! Absent from here: questions of several answers (`fuzz_lookups`). The one rule: what an
//! answer proves is said here a second time, in other words and by other means, and both
//! must agree.

use std::cell::Cell;

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use serde_json::Value;

use super::super::classify::{Sent, classify};
use super::super::proof::{Item, judge_item, judge_page};
use super::fuzz_drafts::{Draft, any_read_answer, any_write_answer};
use super::support::{Act, Server, fields, http, site, slug};
use crate::fuzzing::fuzz;
use crate::journal::SendPermit;
use crate::names::PostType;
use crate::protocol::outcome::Outcome;

fn any_sent() -> impl Strategy<Value = Sent> {
    prop_oneof![
        2 => Just(Sent::Post(PostType::Post)),
        1 => Just(Sent::Post(PostType::Page)),
        1 => Just(Sent::Attachment),
    ]
}

fn type_of(sent: Sent) -> &'static str {
    match sent {
        Sent::Post(PostType::Post) => "post",
        Sent::Post(PostType::Page) => "page",
        Sent::Post(PostType::Other(_)) => "lab_book",
        Sent::Attachment => "attachment",
    }
}

/// Spec §6, "Created", as far as it concerns the answer alone.
fn is_proper_201(draft: &Draft, sent: Sent) -> Option<u64> {
    let value = draft.whole_json().filter(|_| draft.status == 201 && draft.is_said_to_be_json())?;
    let id = value.as_object()?.get("id")?.as_u64().filter(|id| *id > 0)?;
    let header = draft.header("x-wp-upload-attachment-id").and_then(|text| text.parse().ok());
    let agrees = header.is_none_or(|header: u64| header == id);
    (value["type"] == type_of(sent) && agrees).then_some(id)
}

/// Whether the answer speaks of an object of the kind that was sent.
fn names_an_object(draft: &Draft, sent: Sent) -> bool {
    let is_it = |value: &Value| {
        value["id"].as_u64().is_some_and(|id| id > 0) && value["type"] == type_of(sent)
    };
    let text = String::from_utf8_lossy(&draft.body()).into_owned();
    let in_body = text.char_indices().filter(|(_, c)| *c == '{').any(|(at, _)| {
        let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
        values.next().is_some_and(|value| value.is_ok_and(|value| is_it(&value)))
    });
    let header = draft.header("x-wp-upload-attachment-id");
    let in_header = sent == Sent::Attachment
        && header.and_then(|id| id.parse::<u64>().ok()).is_some_and(|id| id > 0);
    let base = match sent {
        Sent::Post(PostType::Post) => "posts/42",
        Sent::Post(PostType::Page) => "pages/42",
        Sent::Post(PostType::Other(_)) => "/42",
        Sent::Attachment => "media/42",
    };
    let at = draft.header("location").unwrap_or_default().replace("%2F", "/");
    let in_location = at.ends_with(base) && !(300..400).contains(&draft.status);
    in_body || in_header || in_location
}

/// What WordPress refuses before it inserts, from facts §3 and §4.
fn is_refused_before_the_insert(draft: &Draft, sent: Sent) -> bool {
    let text = String::from_utf8_lossy(&draft.body()).into_owned();
    let text = text.trim_start().trim_start_matches('\u{feff}').to_owned();
    let first = serde_json::Deserializer::from_str(&text).into_iter::<Value>().next();
    let code = match first {
        Some(Ok(value)) => value["code"].as_str().map(str::to_owned),
        _ => None,
    };
    let known = [
        "rest_cannot_create",
        "rest_invalid_param",
        "rest_not_logged_in",
        "rest_no_route",
        "empty_content",
    ];
    match code {
        Some(code) => {
            known.contains(&code.as_str())
                || sent == Sent::Attachment && code.starts_with("rest_upload_")
                // Not readable as an error of WordPress: then the status alone counts.
                || matches!(draft.status, 404 | 405 | 413 | 415) && draft.whole_json().is_none()
        }
        None => matches!(draft.status, 404 | 405 | 413 | 415),
    }
}

fn check_write(draft: &Draft, sent: Sent) -> TestCaseResult {
    let outcome = classify(&Ok(draft.answer()), sent);
    let proper = is_proper_201(draft, sent);
    match outcome {
        Outcome::Created(object) => {
            prop_assert_eq!(object["id"].as_u64(), proper, "created without a proper 201");
        }
        Outcome::Rejected(rejection) => {
            prop_assert_eq!(rejection.status, draft.status);
            prop_assert!(!names_an_object(draft, sent), "refused, and it names an object");
            let is_redirect = (300..400).contains(&draft.status);
            let refuses = draft.status >= 400
                && !matches!(draft.status, 429 | 503)
                && !draft.is_cut
                && is_refused_before_the_insert(draft, sent);
            prop_assert!(is_redirect || refuses, "nothing shows that it was refused");
        }
        Outcome::NotSent(why) => prop_assert!(false, "an answer came: {why}"),
        Outcome::Unknown(unsettled) => {
            prop_assert_eq!(proper, None, "a proper 201 is known");
            prop_assert!(unsettled.hint != Some(0));
            prop_assert!(unsettled.hint.is_none() || names_an_object(draft, sent));
        }
    }
    Ok(())
}

#[test]
fn an_answer_to_a_write_proves_no_more_than_it_says() {
    let (created, rejected) = (Cell::new(0_u32), Cell::new(0_u32));
    fuzz("answers to writes", 6_000, &(any_write_answer(), any_sent()), |(draft, sent)| {
        match classify(&Ok(draft.answer()), sent) {
            Outcome::Created(_) => created.set(created.get() + 1),
            Outcome::Rejected(_) => rejected.set(rejected.get() + 1),
            Outcome::NotSent(_) | Outcome::Unknown(_) => {}
        }
        check_write(&draft, sent)
    });
    assert!(created.get() > 30 && rejected.get() > 100, "{created:?} {rejected:?}");
}

/// Spec §5, the conditions that one answer can fulfil: a cache did not answer.
fn may_come_from_a_cache(draft: &Draft) -> bool {
    let says = |name: &str, words: &[&str]| {
        let value = draft.header(name).unwrap_or_default().to_lowercase();
        words.iter().any(|word| value.contains(word))
    };
    draft.header("age").is_some_and(|age| age != "0")
        || says("x-cache", &["hit"])
        || says("cf-cache-status", &["stale", "hit"])
        || says("x-varnish", &[" "])
        || says("cache-control", &["public"])
        || draft.after.contains("cached")
}

#[test]
fn an_answer_to_a_read_proves_no_more_than_it_says() {
    let (pages, missing) = (Cell::new(0_u32), Cell::new(0_u32));
    fuzz("answers to reads", 6_000, &any_read_answer(), |draft| {
        let answer = draft.answer();
        if let Ok(page) = judge_page(&answer) {
            pages.set(pages.get() + 1);
            prop_assert_eq!(draft.status, 200);
            prop_assert!(!draft.is_cut && !may_come_from_a_cache(&draft));
            prop_assert!(matches!(draft.before, "" | " \n" | "\u{feff}"), "{:?}", draft.before);
            prop_assert!(matches!(draft.after, "" | "\n" | "<!-- fast -->"), "{:?}", draft.after);
            let rows: Vec<Value> = serde_json::from_str(draft.json.trim())?;
            prop_assert_eq!(&page.rows, &rows);
            let total = draft.header("x-wp-total").and_then(|total| total.parse().ok());
            prop_assert_eq!(Some(page.total), total);
            prop_assert!(page.total >= rows.len() as u64);
        }
        match judge_item(&answer, 42) {
            Ok(Item::Missing) => {
                missing.set(missing.get() + 1);
                prop_assert_eq!(draft.status, 404);
                prop_assert!(!draft.is_cut && !may_come_from_a_cache(&draft));
                let error: Value = serde_json::from_str(&draft.json)?;
                prop_assert_eq!(&error["code"], "rest_post_invalid_id");
            }
            Ok(Item::Hidden) => prop_assert_eq!(draft.status, 403),
            Ok(Item::Found(row)) => {
                prop_assert_eq!(draft.status, 200);
                prop_assert_eq!(&row["id"], 42);
            }
            Err(_) => {}
        }
        Ok(())
    });
    assert!(pages.get() > 100 && missing.get() > 3, "{pages:?} {missing:?}");
}

/// The same through a real connection: one arrival, and a receipt only for a proper 201.
#[test]
fn a_create_that_is_answered_with_anything_arrives_once() {
    use std::sync::{Arc, Mutex};
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let text: Arc<Mutex<String>> = Arc::default();
    let said = text.clone();
    let server = Server::start(move |_| Act::SendAndClose(said.lock().unwrap().clone()));
    let (site, x) = (site(&server.url), slug("x"));
    let sent = fields("<p>a {b}</p>");
    let arrived = Cell::new(0);
    fuzz("creates answered", 300, &any_write_answer(), |draft| {
        let body = String::from_utf8(draft.body()).unwrap();
        let longer = draft.is_cut.then_some(("content-length", "99999"));
        let kind = draft.header("content-type").is_none().then_some(("content-type", "x/y"));
        let headers: Vec<_> = draft.headers.iter().copied().chain(longer).chain(kind).collect();
        *text.lock().unwrap() = http(draft.status, &headers, &body);
        let permit = SendPermit::without_record();
        let outcome = runtime.block_on(site.create_post(permit, PostType::Post, &x, &sent));
        arrived.set(arrived.get() + 1);
        prop_assert_eq!(server.posts(), arrived.get());
        let proper = is_proper_201(&draft, Sent::Post(PostType::Post));
        match outcome {
            Outcome::Created(found) => prop_assert_eq!(Some(found.post_id.get()), proper),
            Outcome::Rejected(_) | Outcome::NotSent(_) => prop_assert_eq!(proper, None),
            // What is no post in its other fields is not taken for one.
            Outcome::Unknown(unsettled) => {
                prop_assert!(proper.is_none() || unsettled.hint == proper);
            }
        }
        Ok(())
    });
}
