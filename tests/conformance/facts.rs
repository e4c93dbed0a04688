//! Facts: what the documents say of WordPress, shown on a real site.
//!
//! A fact stands under its request: `= [VERSIONS] STATUS [CODE] [PATH=VALUE ...]`.
//! Without versions it holds on all. `CODE` is an error's code. `PATH` leads into the
//! answer as it is written down (`body/slug`, `headers/x-wp-total`), and `VALUE` is a
//! word or JSON; `PATH=` alone means that nothing is there. The one rule: a fact is
//! checked against the real site; the comparison carries it over to the simulated one.

use serde_json::Value;

/// One line of facts.
#[derive(Debug, Clone)]
pub(crate) struct Fact {
    /// The versions that it holds for; empty for all.
    versions: Vec<String>,
    status: u64,
    code: Option<String>,
    values: Vec<(String, String)>,
}

impl Fact {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (versions, text) = match text.strip_prefix('[') {
            Some(text) => text.split_once("] ")?,
            None => ("", text),
        };
        let mut words = words(text).into_iter();
        let status = words.next()?.parse().ok()?;
        let mut fact = Self {
            versions: versions.split_whitespace().map(str::to_owned).collect(),
            status,
            code: None,
            values: Vec::new(),
        };
        for word in words {
            match word.split_once('=') {
                Some((path, value)) => fact.values.push((path.to_owned(), value.to_owned())),
                None => fact.code = Some(word),
            }
        }
        Some(fact)
    }

    pub(crate) fn holds_for(&self, version: &str) -> bool {
        self.versions.is_empty() || self.versions.iter().any(|named| named == version)
    }

    /// The code of the error that this fact is about.
    pub(crate) fn code(&self) -> Option<&str> {
        self.code.as_deref()
    }

    /// What of this fact is not so in an answer.
    pub(crate) fn wrong_in(&self, came: &Value) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut check = |path: &str, wanted: Option<Value>| {
            let found = path.split('/').try_fold(came, |value, part| match value {
                Value::Array(rows) => rows.get(part.parse::<usize>().ok()?),
                Value::Object(_) => value.get(part),
                _ => None,
            });
            if found != wanted.as_ref() {
                let text =
                    |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
                wrong.push(format!("{path}: {}, not {}", text(found), text(wanted.as_ref())));
            }
        };
        check("status", Some(Value::from(self.status)));
        if let Some(code) = &self.code {
            check("body/code", Some(Value::from(code.as_str())));
        }
        for (path, value) in &self.values {
            let wanted = match value.as_str() {
                "" => None,
                text => Some(serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))),
            };
            // A header is a text, even one that says a number.
            let wanted = match wanted {
                Some(Value::Number(number)) if path.starts_with("headers/") => {
                    Some(Value::from(number.to_string()))
                }
                other => other,
            };
            check(path, wanted);
        }
        wrong
    }
}

/// Parts between blanks; a quoted text holds its blanks.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let (mut quoted, mut escaped) = (false, false);
    for letter in text.chars() {
        quoted ^= letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
        match words.last_mut() {
            Some(word) if quoted || letter != ' ' => word.push(letter),
            _ => words.push(String::new()),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
