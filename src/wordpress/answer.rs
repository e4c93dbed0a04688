//! One answer of the site, and what can be told from it without knowing the question.
//!
//! Absent from here: deciding (`proof` for reads, `classify` for writes). The one rule:
//! nothing is repaired here; what was tolerated is told.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde_json::Value;

use super::markup::{Reading, Token, tokens};
use super::secrets::Secrets;
use super::text::clean;

/// Response headers that are looked at beside [`CACHE_STATUS_HEADERS`], and nothing else:
/// cookies and the like are never kept.
const HEADERS_OF_INTEREST: [&str; 19] = [
    "age",
    "allow",
    "cache-control",
    "cf-mitigated",
    "cf-ray",
    "content-type",
    "date",
    "link",
    "location",
    "retry-after",
    "server",
    "sg-captcha",
    "www-authenticate",
    "x-rocket-nginx-serving-static",
    "x-sucuri-id",
    "x-varnish",
    "x-wp-total",
    "x-wp-totalpages",
    "x-wp-upload-attachment-id",
];

/// Headers in which caches say whether they answered.
pub(crate) const CACHE_STATUS_HEADERS: [&str; 19] = [
    "cf-cache-status",
    "x-ac",
    "x-cache",
    "x-cache-status",
    "x-fastcgi-cache",
    "x-kinsta-cache",
    "x-litespeed-cache",
    "x-microcache",
    "x-microcache-status",
    "x-nananana",
    "x-nginx-cache",
    "x-nginx-cache-status",
    "x-proxy-cache",
    "x-proxy-cache-status",
    "x-qc-cache",
    "x-srcache-fetch-status",
    "x-sucuri-cache",
    "x-varnish-cache",
    "x-wp-engine-cache",
];

fn kept_headers() -> impl Iterator<Item = &'static str> {
    HEADERS_OF_INTEREST.into_iter().chain(CACHE_STATUS_HEADERS)
}

/// Bytes of one kept header value.
const HEADER_BYTES_MAX: usize = 2_000;

/// What the site (or something before it) answered.
#[derive(Debug, Clone, Default)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<&'static str, String>,
    pub(crate) body: Vec<u8>,
    /// Why the body is not whole, if it is not.
    pub(crate) cut: Option<Cut>,
}

/// Why a body is not whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cut {
    /// It is longer than what is read.
    TooLong(usize),
    /// The connection broke, or the time was over.
    Broken(String),
}

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooLong(bytes_max) => write!(f, "the answer is longer than {bytes_max} bytes"),
            Self::Broken(why) => write!(f, "the answer broke off: {why}"),
        }
    }
}

/// What kind of thing answered in WordPress' place, in words for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Middleman(pub(crate) String);

impl Answer {
    /// Overwrites our own secrets, should the site have repeated one.
    pub(crate) fn mask(&mut self, secrets: &Secrets) {
        secrets.mask(&mut self.body);
        for value in self.headers.values_mut() {
            let mut bytes = std::mem::take(value).into_bytes();
            secrets.mask(&mut bytes);
            *value = String::from_utf8_lossy(&bytes).into_owned();
        }
    }

    pub(crate) fn keep_header(&mut self, name: &str, value: &[u8]) {
        let Some(name) = kept_headers().find(|known| *known == name) else {
            return;
        };
        let value = &value[..value.len().min(HEADER_BYTES_MAX)];
        let value = String::from_utf8_lossy(value).into_owned();
        // Several lines of one header mean the same as one line with commas.
        self.headers
            .entry(name)
            .and_modify(|known| {
                known.push_str(", ");
                known.push_str(&value);
            })
            .or_insert(value);
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        debug_assert!(kept_headers().any(|known| known == name), "{name} is not kept");
        self.headers.get(name).map(|value| value.trim())
    }

    pub(crate) fn header_number(&self, name: &str) -> Option<u64> {
        self.header(name)?.parse().ok()
    }

    pub(crate) fn is_redirect(&self) -> bool {
        (300..400).contains(&self.status)
    }

    /// Whether the answer says that it is JSON. A challenge page with status 200 or
    /// 202 does not (case WAF-04).
    pub(crate) fn says_json(&self) -> bool {
        let Some(kind) = self.header("content-type") else { return false };
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        kind == "application/json" || kind.ends_with("+json")
    }

    pub(crate) fn looks_like_html(&self) -> bool {
        let says_html = self
            .header("content-type")
            .is_some_and(|kind| kind.to_ascii_lowercase().contains("html"));
        let start = self.body.trim_ascii_start();
        says_html || start.starts_with(b"<")
    }

    /// The whole body as JSON. A byte order mark and white space before it are
    /// tolerated (case BODY-04); anything else around it is an error.
    pub(crate) fn strict_json(&self) -> Result<Value, String> {
        if let Some(why) = &self.cut {
            return Err(why.to_string());
        }
        serde_json::from_slice(without_mark(&self.body)).map_err(|error| clean(&error.to_string()))
    }

    /// The comment behind the JSON, if it speaks of a cache: the signature of one that
    /// may have answered.
    pub(crate) fn cache_signature(&self) -> Option<String> {
        let body = without_mark(&self.body);
        let mut values = serde_json::Deserializer::from_slice(body).into_iter::<IgnoredAny>();
        values.next()?.ok()?;
        let rest = String::from_utf8_lossy(&body[values.byte_offset()..]);
        rest.to_ascii_lowercase().contains("cache").then(|| clean(&rest))
    }

    /// As [`Self::strict_json`], but HTML comments after the JSON are tolerated: some
    /// cache plugins sign every answer (case BODY-05). Only for reads.
    pub(crate) fn read_json(&self) -> Result<Value, String> {
        let strict = match self.strict_json() {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        if self.cut.is_some() {
            return Err(strict);
        }
        let body = without_mark(&self.body);
        let mut values = serde_json::Deserializer::from_slice(body).into_iter::<Value>();
        let Some(Ok(value)) = values.next() else { return Err(strict) };
        let rest = &body[values.byte_offset()..];
        if only_comments(rest) {
            return Ok(value);
        }
        Err(strict)
    }

    /// What had to be tolerated around the JSON, in words for a person.
    pub(crate) fn oddity(&self) -> Option<&'static str> {
        if self.body.trim_ascii_start().starts_with(b"\xef\xbb\xbf") {
            return Some("its answers begin with a byte order mark: a PHP file was saved with one");
        }
        let ends_in_comment = self.says_json() && self.body.trim_ascii_end().ends_with(b"-->");
        ends_in_comment
            .then_some("its answers end in an HTML comment: a cache or speed plugin adds it")
    }

    /// The `code` and `message` of a WordPress error object, the message without its HTML.
    pub(crate) fn wordpress_error(&self) -> Option<(String, String)> {
        let value = self.read_json().ok()?;
        let code = value.get("code")?.as_str()?.to_owned();
        let message = value.get("message").and_then(Value::as_str).unwrap_or_default();
        let texts = tokens(message, Reading::Html).into_iter().filter_map(|token| match token {
            Token::Text(text) => Some(text),
            Token::Open(..) | Token::Close(_) | Token::Comment(_) | Token::Declaration(_) => None,
        });
        Some((code, texts.collect::<Vec<_>>().join(" ")))
    }

    /// Seconds that the answer asks to wait. Both forms of `Retry-After` are read; the
    /// date form counts from the answer's own `Date`.
    pub(crate) fn retry_after_s(&self) -> Option<u64> {
        let text = self.header("retry-after")?;
        if let Ok(seconds) = text.parse() {
            return Some(seconds);
        }
        let at = http_date(text)?;
        let now = http_date(self.header("date")?)?;
        u64::try_from(at.as_second() - now.as_second()).ok()
    }

    /// When the answer was made, by the clock of who made it; nothing of an answer that a
    /// cache kept for a while.
    pub(crate) fn fresh_date(&self) -> Option<jiff::Timestamp> {
        let is_fresh = self.header("age").is_none_or(|age| age == "0");
        is_fresh.then(|| http_date(self.header("date")?)).flatten()
    }

    /// Who answered in WordPress' place, as far as the headers and the page tell
    /// (cases WAF-01 to WAF-05).
    pub(crate) fn middleman(&self) -> Option<Middleman> {
        let server = self.header("server").unwrap_or_default().to_ascii_lowercase();
        let name = if self.header("sg-captcha").is_some() {
            "SiteGround's bot protection"
        } else if self.header("cf-mitigated").is_some() {
            "a Cloudflare challenge"
        } else if self.looks_like_html() && self.header("x-sucuri-id").is_some() {
            "the Sucuri firewall"
        } else if self.looks_like_html()
            && (self.header("cf-ray").is_some() || server.contains("cloudflare"))
        {
            "Cloudflare"
        } else {
            let page = String::from_utf8_lossy(&self.body[..self.body.len().min(20_000)])
                .to_ascii_lowercase();
            middleman_in_page(&page)?
        };
        Some(Middleman(name.to_owned()))
    }

    /// Whether the web server, and not WordPress, wants a password.
    pub(crate) fn wants_web_password(&self) -> bool {
        self.status == 401
            && self.header("www-authenticate").is_some()
            && self.wordpress_error().is_none()
    }

    /// One line about the answer for messages: status, kind, who sent it.
    pub(crate) fn describe(&self) -> String {
        let kind = match self.header("content-type") {
            Some(kind) => clean(kind),
            None => "no content type".to_owned(),
        };
        let mut parts = vec![format!("status {}", self.status), kind];
        if let Some(Middleman(name)) = self.middleman() {
            parts.push(format!("probably from {name}"));
        } else if let Some(server) = self.header("server") {
            parts.push(format!("server {}", clean(server)));
        }
        if let Some((code, message)) = self.wordpress_error() {
            parts.push(format!("code {}: {}", clean(&code), clean(&message)));
        } else if self.body.trim_ascii().is_empty() && self.cut.is_none() {
            parts.push("empty body".to_owned());
        }
        parts.join(", ")
    }
}

fn middleman_in_page(page: &str) -> Option<&'static str> {
    if !page.trim_start().starts_with('<') {
        return None;
    }
    let known = [
        ("sgcaptcha", "SiteGround's bot protection"),
        ("wordfence", "Wordfence"),
        ("mod_security", "ModSecurity"),
        ("modsecurity", "ModSecurity"),
        ("imunify360", "Imunify360"),
        ("ddos-guard", "DDoS-Guard"),
        ("incapsula", "Imperva"),
        ("just a moment...", "a Cloudflare challenge"),
        ("wp-login.php", "a login page"),
    ];
    known.into_iter().find(|(sign, _)| page.contains(sign)).map(|(_, name)| name)
}

/// The bytes without one byte order mark and the white space before it.
fn without_mark(body: &[u8]) -> &[u8] {
    let body = body.trim_ascii_start();
    body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body)
}

fn only_comments(rest: &[u8]) -> bool {
    let Ok(mut rest) = std::str::from_utf8(rest) else { return false };
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return true;
        }
        let Some(inside) = rest.strip_prefix("<!--") else { return false };
        let Some(end) = inside.find("-->") else { return false };
        rest = &inside[end + 3..];
    }
}

fn http_date(text: &str) -> Option<jiff::Timestamp> {
    jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut answer = Answer { status, body: body.as_bytes().to_vec(), ..Answer::default() };
        for (name, value) in headers {
            answer.keep_header(name, value.as_bytes());
        }
        answer
    }

    #[test]
    fn a_byte_order_mark_is_tolerated_and_other_junk_is_not() {
        let json = |body: &str| answer(200, &[], body).strict_json().is_ok();
        assert!(json("[]"));
        assert!(json("\u{feff}[]"));
        assert!(json(" \n\u{feff} []\n"));
        assert!(!json("[] x"));
        assert!(!json("<br />[]"));
        assert!(!json("\u{feff}\u{feff}[]"));
        assert!(!json(""));
    }

    #[test]
    fn comments_after_the_json_are_read_but_nothing_else_is() {
        let read = |body: &str| answer(200, &[], body).read_json();
        assert!(read("[]<!-- a -->\n <!-- b -->").is_ok());
        assert!(read("[]").is_ok());
        assert!(read("[]<!-- a").is_err());
        assert!(read("[]<!-- a --> x").is_err());
        assert!(read("<!-- a -->[]").is_err());
        assert!(read("[1<!-- a -->").is_err());
    }

    #[test]
    fn both_forms_of_retry_after_are_read() {
        assert_eq!(answer(503, &[("retry-after", "600")], "").retry_after_s(), Some(600));
        let dated = [
            ("date", "Wed, 21 Oct 2015 07:28:00 GMT"),
            ("retry-after", "Wed, 21 Oct 2015 07:28:30 GMT"),
        ];
        assert_eq!(answer(429, &dated, "").retry_after_s(), Some(30));
        assert_eq!(answer(429, &dated[1..], "").retry_after_s(), None);
        assert_eq!(answer(429, &[("retry-after", "soon")], "").retry_after_s(), None);
    }

    #[test]
    fn a_challenge_is_named() {
        let captcha = answer(202, &[("sg-captcha", "challenge")], "<html>");
        assert_eq!(captcha.middleman(), Some(Middleman("SiteGround's bot protection".into())));
        let cloudflare = answer(403, &[("cf-ray", "1"), ("content-type", "text/html")], "x");
        assert_eq!(cloudflare.middleman(), Some(Middleman("Cloudflare".into())));
        // WordPress behind Cloudflare: the header alone says nothing.
        let json = answer(200, &[("cf-ray", "1"), ("content-type", "application/json")], "[]");
        assert_eq!(json.middleman(), None);
    }

    #[test]
    fn a_message_is_shown_without_its_html() {
        let body = r#"{"code":"x","message":"<p>Critical &amp; <a href='y'>more</a>.</p>"}"#;
        let (_, message) = answer(500, &[], body).wordpress_error().expect("an error");
        assert_eq!(clean(&message), "Critical & more .");
    }

    #[test]
    fn only_named_headers_are_kept() {
        let kept = answer(200, &[("set-cookie", "secret"), ("age", "1"), ("age", "2")], "");
        assert_eq!(kept.headers.len(), 1);
        assert_eq!(kept.header("age"), Some("1, 2"));
    }
}
