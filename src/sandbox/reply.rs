//! Answers as they are made: status, headers, JSON.
//!
//! Absent from here: what is answered. The one rule: an error has the shape that
//! WordPress gives it: `code`, `message`, `data.status`.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use serde_json::{Map, Value, json};

use super::Response;

/// An answer in the making.
#[derive(Debug, Clone)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Body,
}

/// What an answer says.
#[derive(Debug, Clone)]
pub(super) enum Body {
    Json(Value),
    Html(String),
    /// Nothing at all: PHP died before it wrote.
    Nothing,
}

/// What WordPress shows when PHP dies.
const CRITICAL: &str = "<!DOCTYPE html>\n<html lang=\"en-US\">\n<head><title>WordPress &rsaquo; \
    Error</title></head>\n<body id=\"error-page\"><div class=\"wp-die-message\"><p>There has been \
    a critical error on this website.</p></div></body>\n</html>\n";

impl Reply {
    pub(super) fn ok(body: Value) -> Self {
        Self { status: 200, headers: Vec::new(), body: Body::Json(body) }
    }

    pub(super) fn created(body: Value, location: String) -> Self {
        Self { status: 201, headers: vec![("location", location)], body: Body::Json(body) }
    }

    pub(super) fn error(status: u16, code: &str, message: &str) -> Self {
        Self::error_with(status, code, message, &json!({ "status": status }))
    }

    pub(super) fn error_with(status: u16, code: &str, message: &str, data: &Value) -> Self {
        let body = json!({ "code": code, "message": message, "data": data });
        Self { status, headers: Vec::new(), body: Body::Json(body) }
    }

    /// Parameters that don't fit: name, code and message of each.
    pub(super) fn invalid_parameters(wrong: &[Wrong]) -> Self {
        let names: Vec<&str> = wrong.iter().map(|wrong| wrong.name.as_str()).collect();
        let mut params = Map::new();
        let mut details = Map::new();
        for Wrong { name, code, message, data } in wrong {
            params.insert(name.clone(), json!(message));
            if *code != WITHOUT_DETAILS {
                let detail = json!({ "code": code, "message": message, "data": data });
                details.insert(name.clone(), detail);
            }
        }
        let details = if details.is_empty() { json!([]) } else { Value::Object(details) };
        let message = format!("Invalid parameter(s): {}", names.join(", "));
        let data = json!({ "status": 400, "params": params, "details": details });
        Self::error_with(400, "rest_invalid_param", &message, &data)
    }

    pub(super) fn critical() -> Self {
        Self { status: 500, headers: Vec::new(), body: Body::Html(CRITICAL.to_owned()) }
    }

    pub(super) fn silence() -> Self {
        Self { status: 200, headers: Vec::new(), body: Body::Nothing }
    }

    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(super) fn is_error(&self) -> bool {
        self.status >= 400
    }

    /// Whether PHP died before the answer was finished.
    pub(super) fn died(&self) -> bool {
        match self.body {
            Body::Html(_) | Body::Nothing => true,
            Body::Json(_) => false,
        }
    }

    /// Whether no route takes the request.
    pub(super) fn is_no_route(&self) -> bool {
        matches!(&self.body, Body::Json(body) if body["code"] == "rest_no_route")
    }

    /// The answer as it leaves.
    pub(super) fn response(self) -> Response {
        let (kind, bytes) = match self.body {
            Body::Json(value) => {
                ("application/json; charset=UTF-8", Bytes::from(value.to_string()))
            }
            Body::Html(text) => ("text/html; charset=UTF-8", Bytes::from(text)),
            Body::Nothing => ("application/json; charset=UTF-8", Bytes::new()),
        };
        let mut response = Response::new(bytes);
        *response.status_mut() = http::StatusCode::from_u16(self.status)
            .unwrap_or(http::StatusCode::INTERNAL_SERVER_ERROR);
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        for (name, value) in self.headers {
            // Values are texts of our own; one that could not stand in a header would
            // be missing in the conformance suite.
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
        response
    }
}

/// The code of a parameter whose check says no more than that it does not fit.
pub(super) const WITHOUT_DETAILS: &str = "";

/// A parameter that does not fit.
#[derive(Debug, Clone)]
pub(super) struct Wrong {
    pub(super) name: String,
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) data: Value,
}

/// Keeps only the fields that `_fields` names, in the order of the answer.
pub(super) fn only_fields(value: Value, wanted: &[String]) -> Value {
    match value {
        Value::Array(rows) => {
            Value::Array(rows.into_iter().map(|row| only_fields(row, wanted)).collect())
        }
        Value::Object(object) => match kept(object, wanted) {
            // PHP writes an empty array either way.
            kept if kept.is_empty() => Value::Array(Vec::new()),
            kept => Value::Object(kept),
        },
        other => other,
    }
}

fn kept(object: Map<String, Value>, wanted: &[String]) -> Map<String, Value> {
    let mut out = Map::new();
    for (name, value) in object {
        if wanted.contains(&name) {
            out.insert(name, value);
            continue;
        }
        let inner: Vec<String> = wanted
            .iter()
            .filter_map(|field| field.strip_prefix(&name)?.strip_prefix('.').map(str::to_owned))
            .collect();
        if inner.is_empty() {
            continue;
        }
        let inside = match value {
            Value::Object(inside) => match kept(inside, &inner) {
                // PHP writes an empty array either way.
                inside if inside.is_empty() => Value::Array(Vec::new()),
                inside => Value::Object(inside),
            },
            other => other,
        };
        out.insert(name, inside);
    }
    out
}
