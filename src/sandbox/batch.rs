//! `/batch/v1`: several writes in one request, one after the other.
//!
//! The one rule: not atomic; what was made before a failure stays (facts §3).

use serde_json::{Map, Value, json};

use super::arguments::missing;
use super::checks::{one_of, plain};
use super::form::add_field;
use super::params::Params;
use super::post::PostKind;
use super::reply::{Body, Reply, Wrong};
use super::rest::{Ask, kind_of, no_route, taxonomy_of};
use super::routes::takes;
use super::world::World;

/// How a batch may be checked.
const VALIDATIONS: &[&str] = &["require-all-validate", "normal"];
const METHODS: &[&str] = &["POST", "PUT", "PATCH", "DELETE"];
/// The most requests of a batch.
const REQUESTS_MAX: usize = 25;

impl World {
    pub(super) fn batch(&mut self, ask: &Ask<'_>) -> Reply {
        let requests = match ask.params.get("requests") {
            Some(Value::Array(requests)) => requests.as_slice(),
            Some(_) | None => &[],
        };
        if ask.params.text("validation").as_deref() == Some("require-all-validate") {
            let wrong: Vec<Option<Reply>> =
                requests.iter().map(|request| self.wrong_one(&one(ask, request))).collect();
            if wrong.iter().any(Option::is_some) {
                let told = |wrong: Option<Reply>| match wrong {
                    Some(wrong) => enveloped(wrong),
                    None => Some(Value::Null),
                };
                let responses: Option<Vec<Value>> = wrong.into_iter().map(told).collect();
                let body = json!({ "failed": "validation", "responses": responses });
                return Reply { status: 207, ..Reply::ok(body) };
            }
        }
        let mut responses = Vec::new();
        for request in requests {
            let mut one = one(ask, request);
            let reply = match self.wrong_one(&one) {
                Some(wrong) => self.allowing(&one, wrong),
                None => self.dispatch(&mut one),
            };
            let Some(response) = enveloped(reply) else { return Reply::critical() };
            responses.push(response);
        }
        Reply { status: 207, ..Reply::ok(json!({ "responses": responses })) }
    }

    /// Why a request can't be part of a batch, or has arguments that don't fit.
    fn wrong_one(&self, one: &Ask<'_>) -> Option<Reply> {
        if !takes(one) {
            return Some(no_route());
        }
        let route: Vec<&str> = one.route.iter().map(String::as_str).collect();
        let takes_batches = |name: &str| {
            taxonomy_of(name).is_some()
                || kind_of(name).is_some_and(|kind| kind != PostKind::Attachment)
        };
        if !matches!(route.as_slice(), ["wp", "v2", name, ..] if takes_batches(name)) {
            let message = "The requested route does not support batch requests.";
            return Some(Reply::error(400, "rest_batch_not_allowed", message));
        }
        self.wrong_arguments(one)
    }
}

/// One request of a batch.
fn one<'r>(ask: &Ask<'r>, request: &Value) -> Ask<'r> {
    let path = request.get("path").and_then(Value::as_str).unwrap_or_default();
    let method = request.get("method").and_then(Value::as_str).unwrap_or("POST");
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let mut all = Map::new();
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        add_field(&mut all, &name, value.into_owned());
    }
    if let Some(Value::Object(body)) = request.get("body") {
        all.extend(body.clone());
    }
    Ask {
        // The methods were checked before.
        method: method.parse().unwrap_or(http::Method::POST),
        route: path.split('/').filter(|part| !part.is_empty()).map(str::to_lowercase).collect(),
        params: Params::of_object(all),
        request: ask.request,
        user: ask.user.clone(),
        now: ask.now,
        mishap: ask.mishap,
    }
}

/// An answer as it stands in the answer to a batch; nothing, if PHP died of it.
fn enveloped(reply: Reply) -> Option<Value> {
    let headers: Map<String, Value> =
        reply.headers.iter().map(|(name, value)| (title(name), json!(value))).collect();
    // PHP writes an empty map as a list.
    let headers = if headers.is_empty() { json!([]) } else { Value::Object(headers) };
    match reply.body {
        Body::Json(body) => {
            Some(json!({ "body": body, "status": reply.status, "headers": headers }))
        }
        Body::Html(_) | Body::Nothing => None,
    }
}

/// The refusal of a batch as a whole.
pub(super) fn wrong_batch(ask: &Ask<'_>) -> Option<Reply> {
    let Some(requests) = ask.params.get("requests") else { return Some(missing("requests")) };
    let wrong = ask.params.not_one_of("validation", VALIDATIONS).or_else(|| wrong_list(requests));
    wrong.map(|wrong| Reply::invalid_parameters(&[wrong]))
}

fn wrong_list(requests: &Value) -> Option<Wrong> {
    const NAME: &str = "requests";
    let Value::Array(requests) = requests else {
        let message = "requests[0] is not of type object.".to_owned();
        let mut wrong = plain(NAME, "rest_invalid_type", message);
        wrong.data = json!({ "param": "requests[0]" });
        return Some(wrong);
    };
    if requests.len() > REQUESTS_MAX {
        let message = format!("requests must contain at most {REQUESTS_MAX} items.");
        return Some(plain(NAME, "rest_too_many_items", message));
    }
    requests.iter().enumerate().find_map(|(at, request)| {
        if request.get("path").is_none() {
            let message = format!("path is a required property of requests[{at}].");
            return Some(plain(NAME, "rest_property_required", message));
        }
        let method = request.get("method").and_then(Value::as_str)?;
        let message = format!("requests[{at}][method] is not one of {}.", one_of(METHODS));
        (!METHODS.contains(&method)).then(|| plain(NAME, "rest_not_in_enum", message))
    })
}

/// `x-wp-total` as `X-Wp-Total`: in a batch headers stand in the JSON.
fn title(name: &str) -> String {
    let part = |part: &str| {
        let mut letters = part.chars();
        letters.next().map_or_else(String::new, |first| {
            first.to_ascii_uppercase().to_string() + letters.as_str()
        })
    };
    name.split('-').map(part).collect::<Vec<_>>().join("-")
}
