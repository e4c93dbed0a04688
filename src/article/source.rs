//! From the bytes of a file to its fields and its body.
//!
//! Absent from here: what fields and body mean. The rule to keep: what looks like front
//! matter but can't be read is never body text; it would be published (FM-01, FM-02).

use std::io::{self, Read};
use std::path::Path;

use super::fault::Finding;
use super::fields::{Fields, line_at};
use super::limits::Limits;
use super::root::Root;
use super::{toml, yaml};

/// Reads a text file in the root: UTF-8, without its byte order mark.
pub(super) fn read_text(root: &Root, file: &Path, bytes_max: u64) -> Result<String, Finding> {
    let unreadable = |error: io::Error| {
        Finding::new(1, "file_unreadable", format!("the file can't be read: {error}"))
    };
    let opened = root.open_file(file).map_err(unreadable)?;
    let mut bytes = Vec::new();
    opened.take(bytes_max.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > bytes_max {
        let message = format!("the file is larger than {bytes_max} bytes");
        return Err(Finding::new(1, "file_too_large", message));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        let message = "the file is UTF-16: save it as UTF-8";
        return Err(Finding::new(1, "file_not_utf8", message));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = error.as_bytes().get(..valid).unwrap_or_default();
        let line = line_at(&String::from_utf8_lossy(before), valid, 1);
        Finding::new(line, "file_not_utf8", "the file is not UTF-8 here: save it as UTF-8")
    })?;
    if let Some(offset) = text.find('\0') {
        let line = line_at(&text, offset, 1);
        return Err(Finding::new(
            line,
            "file_nul",
            "the file holds a NUL byte: is it a text file?",
        ));
    }
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    if text.trim().is_empty() {
        return Err(Finding::new(1, "file_empty", "the file is empty"));
    }
    Ok(text)
}

/// An article file in two.
#[derive(Debug)]
pub(super) struct Split<'t> {
    pub(super) fields: Fields,
    pub(super) body: &'t str,
    /// The line of the file on which the body begins.
    pub(super) body_line: u32,
}

/// Splits off the front matter. None is found: there must be some, so that is a problem.
pub(super) fn split<'t>(text: &'t str, limits: &Limits) -> Result<Split<'t>, Finding> {
    let (first, _) = line_end(text, 0);
    let read = match first {
        "---" => yaml::read,
        "+++" => toml::read,
        _ => return Err(missing(text)),
    };
    let begin = line_end(text, 0).1;
    let mut at = begin;
    while at < text.len() {
        let (line, next) = line_end(text, at);
        if line == first {
            let matter = &text[begin..at];
            if matter.len() > limits.front_matter_bytes_max {
                return Err(too_large(limits));
            }
            let body_line = line_at(text, next, 1);
            return Ok(Split { fields: read(matter, 2), body: &text[next..], body_line });
        }
        at = next;
    }
    let message = format!("the front matter has no end: put a line {first} behind it");
    Err(Finding::new(1, "front_matter_unclosed", message))
}

/// Reads a sidecar's fields.
pub(super) fn sidecar(text: &str, limits: &Limits) -> Result<Fields, Finding> {
    if text.len() > limits.front_matter_bytes_max {
        return Err(too_large(limits));
    }
    Ok(toml::read(text, 1))
}

/// Whether a body that has a sidecar begins with fields of its own.
pub(super) fn fields_in_body(body: &str) -> Option<Finding> {
    let line = first_line_with_fields(body)?;
    let message = "the article has a sidecar and fields of its own: keep them in one place";
    Some(Finding::new(line, "front_matter_twice", message))
}

fn too_large(limits: &Limits) -> Finding {
    let message =
        format!("the front matter is larger than {} bytes", limits.front_matter_bytes_max);
    Finding::new(1, "front_matter_too_large", message)
}

fn missing(text: &str) -> Finding {
    let (line, message) = match first_line_with_fields(text) {
        Some(line) => (
            line,
            "this looks like front matter, but is not: the first line of the file must be --- \
             (YAML) or +++ (TOML) and nothing else",
        ),
        None => (
            1,
            "the file has no front matter: begin it with ---, a line title: …, and --- (or put \
             the fields into a .toml file of the same name)",
        ),
    };
    Finding::new(line, "front_matter_missing", message)
}

/// The line, early in a text, where something stands that is meant as front matter.
fn first_line_with_fields(text: &str) -> Option<u32> {
    const LINES_MAX: usize = 10;
    let mut blank = true;
    for (index, line) in text.lines().take(LINES_MAX).enumerate() {
        let line = line.trim();
        let fence = blank && (line.starts_with("---") || line.starts_with("+++"));
        let title = line.strip_prefix("title").map(str::trim_start);
        if fence || title.is_some_and(|rest| rest.starts_with([':', '='])) {
            return u32::try_from(index + 1).ok();
        }
        blank &= line.is_empty();
    }
    None
}

/// The line that begins at `at`, without blanks behind it, and where the next begins.
fn line_end(text: &str, at: usize) -> (&str, usize) {
    let rest = &text[at..];
    let next = rest.find('\n').map_or(text.len(), |end| at + end + 1);
    (text[at..next].trim_end(), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> &'static str {
        split(text, &Limits::default()).map_or_else(|finding| finding.code, |_| "ok")
    }

    #[test]
    fn front_matter_is_split_off() {
        let limits = Limits::default();
        for (text, body, line) in [
            ("---\ntitle: a\n---\nbody\n", "body\n", 4),
            ("--- \r\ntitle: a\r\n---\r\n\r\nbody", "\r\nbody", 4),
            ("+++\ntitle = 'a'\n+++\n---\n", "---\n", 4),
            ("---\n---", "", 2),
        ] {
            let split = split(text, &limits).unwrap();
            assert_eq!((split.body, split.body_line), (body, line), "{text:?}");
        }
    }

    #[test]
    fn what_looks_like_front_matter_is_never_body() {
        assert_eq!(code("---\ntitle: a\n"), "front_matter_unclosed");
        assert_eq!(code("---\ntitle: a\n+++\n"), "front_matter_unclosed");
        for text in ["title: a\n\nb", "\n---\ntitle: a\n---\nb", "----\nx", "# Heading\n", " ---\n"]
        {
            assert_eq!(code(text), "front_matter_missing", "{text:?}");
        }
        assert!(fields_in_body("<p>\n").is_none());
        assert_eq!(fields_in_body("\n---\na").map(|f| f.line), Some(2));
        assert_eq!(fields_in_body("a\ntitle = 'x'").map(|f| f.line), Some(2));
    }
}
