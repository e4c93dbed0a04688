//! Whether an answer to a read is proof.
//!
//! Absent from here: asking. Everything is a pure function of the answer. The one rule:
//! each condition of spec §5 that can be told from one answer is checked here, and what
//! falls short is [`Unclear`] with the reason.

use serde_json::Value;

use super::answer::{Answer, CACHE_STATUS_HEADERS, Cut, Middleman};
use super::http::Failure;
use super::text::clean;
use crate::protocol::sighting::{Unclear, UnclearWhy};

/// One page of a list, which is proof as far as one page can be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Page {
    pub(crate) rows: Vec<Value>,
    /// `X-WP-Total`: how many rows match, also those that this user may not read
    /// (facts §2).
    pub(crate) total: u64,
}

/// What asking for one object by its id showed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Item {
    Found(Value),
    /// The site says that there is no such object.
    Missing,
    /// It is there, but this user may not read it.
    Hidden,
}

pub(crate) fn unclear(why: UnclearWhy, detail: impl Into<String>) -> Unclear {
    Unclear { why, detail: detail.into() }
}

pub(crate) fn unanswered(failure: &Failure) -> Unclear {
    unclear(UnclearWhy::NoAnswer, failure.to_string())
}

/// Judges an answer that should be a page of a list.
pub(crate) fn judge_page(answer: &Answer) -> Result<Page, Unclear> {
    let value = judge_read(answer)?;
    let Value::Array(rows) = value else {
        let what = format!("a JSON array was due ({})", answer.describe());
        return Err(unclear(UnclearWhy::NotJson, what));
    };
    let total = answer.header_number("x-wp-total").ok_or_else(|| {
        unclear(UnclearWhy::TotalMissing, "the answer does not say how many rows there are")
    })?;
    if total < rows.len() as u64 {
        let what = format!("the site counts {total} rows and sent {}", rows.len());
        return Err(unclear(UnclearWhy::TotalMissing, what));
    }
    Ok(Page { rows, total })
}

/// Judges an answer that should be one object, asked for by its id.
pub(crate) fn judge_item(answer: &Answer, id: u64) -> Result<Item, Unclear> {
    if let Some((code, _)) = answer.wordpress_error() {
        // Codes from facts §2; `rest_forbidden` is what some plugins make of the second.
        match (answer.status, code.as_str()) {
            (404, "rest_post_invalid_id") => {
                cache_signs(answer)?;
                return Ok(Item::Missing);
            }
            (403, "rest_forbidden_context" | "rest_forbidden") => return Ok(Item::Hidden),
            _ => {}
        }
    }
    let value = judge_read(answer)?;
    if value.get("id").and_then(Value::as_u64) != Some(id) {
        let what = format!("object {id} was asked for ({})", answer.describe());
        return Err(unclear(UnclearWhy::ForeignRow, what));
    }
    Ok(Item::Found(value))
}

/// Judges what all reads have in common: 200, JSON and nothing else, no cache.
pub(crate) fn judge_read(answer: &Answer) -> Result<Value, Unclear> {
    if answer.is_redirect() {
        let to = answer.header("location").map_or_else(|| "nowhere".to_owned(), clean);
        return Err(unclear(UnclearWhy::Redirected, format!("status {} to {to}", answer.status)));
    }
    let described = || answer.describe();
    if let Some(Middleman(_)) = answer.middleman() {
        return Err(unclear(UnclearWhy::Middleman, described()));
    }
    match answer.status {
        200 => {}
        202 => return Err(unclear(UnclearWhy::Middleman, described())),
        429 | 503 => {
            let wait = answer.retry_after_s().map(|seconds| format!(", come back in {seconds} s"));
            let what = described() + &wait.unwrap_or_default();
            return Err(unclear(UnclearWhy::Busy, what));
        }
        // WordPress refuses in JSON; a page comes from somebody before it (case WAF-05).
        400 | 401 | 403 if answer.looks_like_html() => {
            return Err(unclear(UnclearWhy::Middleman, described()));
        }
        400 | 401 | 403 => return Err(unclear(UnclearWhy::Refused, described())),
        _ => return Err(unclear(UnclearWhy::Status, described())),
    }
    cache_signs(answer)?;
    if let Some(cut @ Cut::Broken(_)) = &answer.cut {
        return Err(unclear(UnclearWhy::NoAnswer, cut.to_string()));
    }
    answer.read_json().map_err(|error| {
        // Never the body itself: it can be PHP source with passwords (case BODY-06).
        unclear(UnclearWhy::NotJson, format!("{} ({error})", described()))
    })
}

/// Signs that a cache answered (spec §5.5, cases CON-01 to CON-04).
fn cache_signs(answer: &Answer) -> Result<(), Unclear> {
    let cached = |what: String| Err(unclear(UnclearWhy::Cached, what));
    if let Some(age) = answer.header("age")
        && age.split(',').any(|age| age.trim() != "0")
    {
        return cached(format!("the answer is {} seconds old", clean(age)));
    }
    for name in CACHE_STATUS_HEADERS {
        if let Some(value) = answer.header(name)
            && says_hit(value)
        {
            return cached(format!("{name}: {}", clean(value)));
        }
    }
    // Varnish names two requests where the second one's answer came from the first's.
    if let Some(ids) = answer.header("x-varnish")
        && ids.split_ascii_whitespace().count() > 1
    {
        return cached(format!("x-varnish: {}", clean(ids)));
    }
    if let Some(control) = answer.header("cache-control")
        && may_be_kept(control)
    {
        return cached(format!("cache-control: {}", clean(control)));
    }
    if let Some(signature) = answer.cache_signature() {
        return cached(format!("behind the list: {signature}"));
    }
    Ok(())
}

/// `HIT`, `TCP_HIT`, `Hit from cloudfront`, and the states in which an old copy is sent.
fn says_hit(value: &str) -> bool {
    value
        .split(|c: char| !c.is_ascii_alphanumeric())
        .map(str::to_ascii_lowercase)
        .any(|word| matches!(word.as_str(), "hit" | "stale" | "updating" | "revalidated"))
}

/// An answer to a signed-in question says `no-cache` and `max-age=0` (facts §2). One
/// that allows anybody to keep it may have been kept already. Web servers add a second
/// `max-age` of their own to WordPress' words, which then counts for nothing.
fn may_be_kept(control: &str) -> bool {
    let control = control.to_ascii_lowercase();
    let mut directives = control.split(',').map(str::trim);
    let forbids = directives.clone().any(|word| matches!(word, "no-cache" | "no-store"));
    let allows = directives.any(|directive| {
        ["max-age=", "s-maxage="]
            .iter()
            .find_map(|name| directive.strip_prefix(name))
            .is_some_and(|seconds| seconds.trim_matches('"').parse::<u64>() != Ok(0))
    });
    allows && !forbids
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut answer = Answer { status, body: body.as_bytes().to_vec(), ..Answer::default() };
        let usual = [("content-type", "application/json; charset=UTF-8"), ("x-wp-total", "0")];
        for (name, value) in usual.iter().chain(headers) {
            answer.headers.retain(|known, _| known != name);
            answer.keep_header(name, value.as_bytes());
        }
        answer
    }

    #[derive(serde::Deserialize)]
    struct Row {
        name: String,
        status: u16,
        headers: std::collections::BTreeMap<String, String>,
        body: String,
        /// Missing where the answer is proof.
        unclear: Option<String>,
    }

    #[test]
    fn what_an_answer_to_a_look_up_proves() {
        let text = include_str!("../../fixtures/answers/reads.json");
        let rows: Vec<Row> = serde_json::from_str(text).expect("the table");
        assert!(rows.len() >= 40);
        for row in rows {
            let headers: Vec<(&str, &str)> =
                row.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            let judged = judge_page(&answer(row.status, &headers, &row.body));
            let seen = judged.err().map(|error| error.why.code());
            assert_eq!(seen, row.unclear.as_deref(), "{}", row.name);
        }
    }

    #[test]
    fn a_body_that_broke_off_is_no_list() {
        let mut cut = answer(200, &[], "[]");
        cut.cut = Some(Cut::Broken("connection reset".to_owned()));
        assert_eq!(judge_page(&cut).map_err(|error| error.why), Err(UnclearWhy::NoAnswer));
        // Fewer slugs in one question may have a shorter answer.
        cut.cut = Some(Cut::TooLong(1));
        assert_eq!(judge_page(&cut).map_err(|error| error.why), Err(UnclearWhy::NotJson));
    }

    #[test]
    fn one_object_is_found_missing_or_hidden() {
        let error = |code: &str| format!(r#"{{"code":"{code}","message":""}}"#);
        let found = judge_item(&answer(200, &[], r#"{"id":7}"#), 7);
        assert!(matches!(found, Ok(Item::Found(_))));
        let other = judge_item(&answer(200, &[], r#"{"id":8}"#), 7);
        assert_eq!(other.map_err(|error| error.why), Err(UnclearWhy::ForeignRow));
        let missing = answer(404, &[], &error("rest_post_invalid_id"));
        assert_eq!(judge_item(&missing, 7), Ok(Item::Missing));
        let hidden = answer(403, &[], &error("rest_forbidden_context"));
        assert_eq!(judge_item(&hidden, 7), Ok(Item::Hidden));
        // A route that is not there says nothing about the post.
        let no_route = judge_item(&answer(404, &[], &error("rest_no_route")), 7);
        assert_eq!(no_route.map_err(|error| error.why), Err(UnclearWhy::Status));
        let page = judge_item(&answer(404, &[("content-type", "text/html")], "<html>"), 7);
        assert_eq!(page.map_err(|error| error.why), Err(UnclearWhy::Status));
        let cached = answer(404, &[("age", "9")], &error("rest_post_invalid_id"));
        assert_eq!(judge_item(&cached, 7).map_err(|error| error.why), Err(UnclearWhy::Cached));
    }
}
