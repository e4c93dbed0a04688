//! A request and an answer, as servers and the sites behind them see them.
//!
//! Absent from here: who listens (`door`). The one rule: an answer is plain data, so that
//! a case can bend it in any way before it leaves.

use std::fmt::Write as _;
use std::io::{BufRead, Error, ErrorKind, Result};
use std::time::Duration;

use serde_json::{Value, json};

/// The head of a request.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    pub(crate) method: String,
    pub(crate) target: String,
    /// With their names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    /// The length of the body that is to come.
    pub(crate) body_bytes: usize,
}

impl Head {
    /// Reads the next one. Nothing where the connection ends.
    pub(crate) fn read(reader: &mut impl BufRead) -> Result<Option<Self>> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(None);
            }
            let line = line.trim_end().to_owned();
            if line.is_empty() {
                break;
            }
            lines.push(line);
        }
        let bad = || Error::from(ErrorKind::InvalidData);
        let mut words = lines.first().ok_or_else(bad)?.split(' ');
        let (Some(method), Some(target)) = (words.next(), words.next()) else { return Err(bad()) };
        let headers: Vec<(String, String)> = lines[1..]
            .iter()
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
            .collect();
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let body_bytes = length.map_or(Ok(0), |(_, length)| length.parse()).map_err(|_| bad())?;
        let (method, target) = (method.to_owned(), target.to_owned());
        Ok(Some(Self { method, target, headers, body_bytes }))
    }
}

/// One request that arrived whole.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// The route below `/wp-json/`, or the path where it is not below that.
    pub(crate) route: String,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// Reads a request target such as `/wp-json/wp/v2/posts?slug=a%2Cb`.
    pub(crate) fn new(
        method: &str,
        target: &str,
        headers: Vec<(String, String)>,
        body: Vec<u8>,
    ) -> Self {
        let url = url::Url::parse("http://localhost").expect("a base");
        let url = url.join(target).expect("a request target");
        let mut query: Vec<(String, String)> =
            url.query_pairs().map(|(name, value)| (name.into_owned(), value.into())).collect();
        let by_query = query.iter().position(|(name, _)| name == "rest_route");
        let route = match (url.path().strip_prefix("/wp-json/"), by_query) {
            (Some(route), _) => route.to_owned(),
            // Plain permalinks: the route is a parameter.
            (None, Some(at)) => {
                let route = query.remove(at).1;
                format!("?{}", route.trim_start_matches('/'))
            }
            (None, None) => url.path().to_owned(),
        };
        Self { method: method.to_owned(), route, query, headers, body }
    }

    /// The value of a parameter.
    pub(crate) fn asks(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        self.headers.iter().find(|(known, _)| is(known)).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("the request's body is JSON")
    }
}

/// One answer.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) delay: Duration,
}

impl Reply {
    pub(crate) fn new(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("content-type".to_owned(), kind.to_owned())];
        Self { status, headers, body: body.into(), delay: Duration::ZERO }
    }

    pub(crate) fn json(status: u16, body: &Value) -> Self {
        let kind = "application/json; charset=UTF-8";
        Self::new(status, kind, body.to_string())
            .with("cache-control", "no-cache, must-revalidate, max-age=0, no-store, private")
    }

    /// An error as WordPress writes it.
    pub(crate) fn error(status: u16, code: &str) -> Self {
        let message = format!("The site says {code}.");
        Self::json(
            status,
            &json!({ "code": code, "message": message, "data": { "status": status } }),
        )
    }

    pub(crate) fn html(status: u16, body: &str) -> Self {
        Self::new(status, "text/html; charset=UTF-8", body)
    }

    /// Replaces a header.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    pub(crate) fn late(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// As it goes over the wire, with these framing headers.
    pub(crate) fn bytes(&self, framing: &str) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} Odd\r\n{framing}", self.status);
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        head.push_str("\r\n");
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(&self.body);
        bytes
    }

    /// As [`Self::bytes`], with the right length.
    pub(crate) fn framed(&self) -> Vec<u8> {
        self.bytes(&format!("content-length: {}\r\n", self.body.len()))
    }
}
