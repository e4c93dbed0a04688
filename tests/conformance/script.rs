//! Scripts: lists of requests, as texts in `scripts/`.
//!
//! ```text
//! # What the chapter is about.
//! WHO METHOD PATH [BODY] [-> NAME]
//!   Header: value
//!   = [VERSIONS] STATUS [CODE] [PATH=VALUE ...]
//! ```
//!
//! - `PATH` is below `wp-json`, or below the site's own address if it begins with `!`.
//! - `BODY` is JSON, or what the header `content-type` says; `=FILE:NAME` uploads a file
//!   of `files`, and `+FILE:NAME FIELDS` does so by a form.
//! - `-> NAME` keeps the id of the answer, and `<NAME>` stands for it later.
//! - `$T` is a word that no other run uses.
//! - `Mishap: NAME` is not sent: the simulated site meets this mishap, where a real one
//!   meets the header `X-Lab-Fault`, or refuses by itself.
//! - `=` states a fact: what a real site answers; see `facts`.

use std::path::Path;

use super::facts::Fact;

/// A chapter of the suite.
pub(crate) struct Script {
    pub(crate) name: String,
    pub(crate) steps: Vec<Step>,
}

/// One request.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) line: usize,
    pub(crate) who: String,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) body: Body,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) mishap: Option<String>,
    pub(crate) capture: Option<String>,
    pub(crate) facts: Vec<Fact>,
}

/// What a request carries.
#[derive(Debug, Clone)]
pub(crate) enum Body {
    Nothing,
    /// Sent as it stands, broken JSON too.
    Text(String),
    /// One of the `files`, under this name, as the whole body.
    File {
        kind: String,
        name: String,
    },
    /// One of the `files`, under this name, in a form with these fields (`a=b&c=d`).
    Form {
        kind: String,
        name: String,
        fields: String,
    },
}

impl Script {
    /// Every script, in the order of their names.
    pub(crate) fn all() -> Vec<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/scripts");
        let files = std::fs::read_dir(&folder).expect("the folder of scripts");
        let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        paths.sort();
        let script = |path: std::path::PathBuf| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            Self { steps: steps(&name, &text), name }
        };
        paths.into_iter().map(script).collect()
    }

    pub(crate) fn requests(&self) -> usize {
        self.steps.len()
    }
}

fn steps(name: &str, text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let place = format!("{name}:{}: {line}", at + 1);
        let Some(about) = line.strip_prefix("  ") else {
            steps.push(step(at + 1, line).unwrap_or_else(|| panic!("{place}")));
            continue;
        };
        let step = steps.last_mut().unwrap_or_else(|| panic!("{place}: no request before it"));
        if let Some(fact) = about.strip_prefix("= ") {
            step.facts.push(Fact::parse(fact).unwrap_or_else(|| panic!("{place}")));
            continue;
        }
        let header = about.split_once(": ").unwrap_or_else(|| panic!("{place}: no header"));
        match header {
            ("Mishap", mishap) => step.mishap = Some(mishap.to_owned()),
            (key, value) => step.headers.push((key.to_owned(), value.to_owned())),
        }
    }
    steps
}

fn step(line_number: usize, line: &str) -> Option<Step> {
    let (line, capture) = match line.rsplit_once(" -> ") {
        Some((line, name)) => (line, Some(name.trim().to_owned())),
        None => (line, None),
    };
    let mut words = line.splitn(4, ' ').map(str::to_owned);
    let (who, method, path) = (words.next()?, words.next()?, words.next()?);
    let body = body(words.next().unwrap_or_default().trim())?;
    let (headers, facts, mishap) = (Vec::new(), Vec::new(), None);
    Some(Step { line: line_number, who, method, path, body, headers, mishap, capture, facts })
}

fn body(text: &str) -> Option<Body> {
    if text.is_empty() {
        return Some(Body::Nothing);
    }
    if let Some(file) = text.strip_prefix('=') {
        let (kind, name) = file.split_once(':')?;
        return Some(Body::File { kind: kind.to_owned(), name: name.to_owned() });
    }
    let Some(form) = text.strip_prefix('+') else { return Some(Body::Text(text.to_owned())) };
    let (file, fields) = form.split_once(' ').unwrap_or((form, ""));
    let (kind, name) = file.split_once(':')?;
    let (kind, name, fields) = (kind.to_owned(), name.to_owned(), fields.to_owned());
    Some(Body::Form { kind, name, fields })
}
