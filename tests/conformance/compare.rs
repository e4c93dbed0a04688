//! Compares what the two sides answered, and keeps the list of known differences.

use std::collections::BTreeMap;

use serde_json::Value;

use super::play::Came;
use super::script::Script;

/// Differences that are known, each with its reason: `VERSIONS | WHERE | PATH | REASON`.
const KNOWN: &str = include_str!("differences.txt");

struct Known {
    versions: &'static str,
    place: &'static str,
    path: &'static str,
    line: &'static str,
}

/// The comparison with one version.
pub(crate) struct Comparison {
    version: String,
    known: Vec<(Known, usize)>,
    unknown: Vec<String>,
    wrong_facts: Vec<String>,
}

impl Comparison {
    pub(crate) fn of(version: &str) -> Self {
        let parse = |line: &'static str| {
            let mut parts = line.split('|').map(str::trim);
            let mut part = || parts.next().filter(|part| !part.is_empty());
            let known = (|| {
                let (versions, place, path) = (part()?, part()?, part()?);
                part().map(|_reason| Known { versions, place, path, line })
            })();
            known.unwrap_or_else(|| panic!("differences.txt: {line}"))
        };
        let lines = KNOWN.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
        let known = lines.map(parse).filter(|known| {
            known.versions == "all" || known.versions.split(' ').any(|named| named == version)
        });
        Self {
            version: version.to_owned(),
            known: known.map(|known| (known, 0)).collect(),
            unknown: Vec::new(),
            wrong_facts: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, script: &Script, real: &[Came], simulated: &[Came]) {
        for ((step, real), simulated) in script.steps.iter().zip(real).zip(simulated) {
            let place = format!("{}:{}", script.name, step.line);
            let request = format!("{} {} {}", step.who, step.method, step.path);
            let facts = step.facts.iter().filter(|fact| fact.holds_for(&self.version));
            for wrong in facts.flat_map(|fact| fact.wrong_in(&real.0)) {
                self.wrong_facts.push(format!("{place} {request}\n    {wrong}"));
            }
            let mut found = BTreeMap::new();
            differences("", &real.0, &simulated.0, &mut found);
            for (path, (real, simulated)) in found {
                let known = self.known.iter_mut().find(|(known, _)| {
                    (known.place == "*" || known.place == script.name || known.place == place)
                        && fits(known.path, &path)
                });
                match known {
                    Some((_, used)) => *used += 1,
                    None => self.unknown.push(format!(
                        "{place} {request}\n    {path}\n      real      {real}\n      \
                         simulated {simulated}"
                    )),
                }
            }
        }
    }

    /// Fails if anything differs that is not known to, or is no longer different, or if a
    /// fact is none.
    pub(crate) fn finish(self) {
        let unused = self.known.iter().filter(|(_, used)| *used == 0);
        let unused: Vec<&str> = unused.map(|(known, _)| known.line).collect();
        assert!(
            self.unknown.is_empty() && unused.is_empty() && self.wrong_facts.is_empty(),
            "WordPress {}\n{} differences\n{}\n{} lines of differences.txt that are not needed\n\
             {}\n{} facts that are not so\n{}",
            self.version,
            self.unknown.len(),
            self.unknown.join("\n"),
            unused.len(),
            unused.join("\n"),
            self.wrong_facts.len(),
            self.wrong_facts.join("\n"),
        );
    }
}

/// `*` stands for one part of a path, `**` at the end for all that follow.
fn fits(pattern: &str, path: &str) -> bool {
    let (mut pattern, mut path) = (pattern.split('/'), path.split('/'));
    loop {
        match (pattern.next(), path.next()) {
            (Some("**"), _) | (None, None) => return true,
            (Some("*"), Some(_)) => {}
            (Some(wanted), Some(part)) if wanted == part => {}
            _ => return false,
        }
    }
}

fn differences(
    path: &str,
    real: &Value,
    simulated: &Value,
    found: &mut BTreeMap<String, (String, String)>,
) {
    let at = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}/{key}") };
    match (real, simulated) {
        (Value::Object(a), Value::Object(b)) => {
            for key in a.keys().chain(b.keys().filter(|key| !a.contains_key(*key))) {
                let (x, y) = (a.get(key), b.get(key));
                if let (Some(x), Some(y)) = (x, y) {
                    differences(&at(key), x, y, found);
                } else {
                    let text = |value: Option<&Value>| {
                        value.map_or("(not there)".to_owned(), Value::to_string)
                    };
                    found.insert(at(key), (text(x), text(y)));
                }
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (x, y)) in a.iter().zip(b).enumerate() {
                differences(&at(&index.to_string()), x, y, found);
            }
        }
        (a, b) if a == b => {}
        (a, b) => {
            found.insert(path.to_owned(), (a.to_string(), b.to_string()));
        }
    }
}
