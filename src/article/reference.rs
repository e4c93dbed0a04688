//! What an address in an article points at.
//!
//! Absent from here: the file system. The rule to keep: what is not certainly on the web
//! is local, so that no path of the author's machine passes as an address.

/// What an address points at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// Nothing is written.
    Nothing,
    /// A place in the post itself: `#part`, `?page=2`.
    Within,
    /// `https:`, `http:` or `//host`.
    Remote,
    /// `data:` or `blob:`, which holds its content or means only the author's browser.
    Data,
    /// Another scheme.
    OtherScheme(String),
    /// A path from a root, a drive or another machine: `/a`, `C:\a`, `\\host\a`, `file:`.
    Absolute,
    /// A path from where the article is.
    Local(Path),
}

/// A local path as written, percent-encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Path {
    /// Without query and fragment.
    pub(super) path: String,
    /// The query and fragment, with their `?` or `#`.
    pub(super) suffix: String,
}

/// Reads an address as a browser would: blanks around it and line breaks in it vanish.
pub(super) fn target(written: &str) -> Target {
    let address: String = written
        .trim_matches(|c: char| c <= ' ')
        .chars()
        .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
        .collect();
    if address.is_empty() {
        return Target::Nothing;
    }
    if address.starts_with(['#', '?']) {
        return Target::Within;
    }
    if let Some((scheme, rest)) = scheme(&address) {
        return match scheme.as_str() {
            // Without `//`, browsers take `http:a.png` as a path.
            "http" | "https" if is_host(rest) => Target::Remote,
            "data" | "blob" => Target::Data,
            "file" => Target::Absolute,
            // One letter is a drive.
            _ if scheme.len() == 1 => Target::Absolute,
            _ => Target::OtherScheme(scheme),
        };
    }
    if is_host(&address) {
        return Target::Remote;
    }
    if address.starts_with(['/', '\\']) {
        return Target::Absolute;
    }
    let end = address.find(['?', '#']).unwrap_or(address.len());
    let (path, suffix) = address.split_at(end);
    Target::Local(Path { path: path.to_owned(), suffix: suffix.to_owned() })
}

/// Whether what follows the scheme names another machine.
fn is_host(rest: &str) -> bool {
    rest.strip_prefix("//")
        .is_some_and(|host| !host.is_empty() && !host.starts_with(['/', '\\', '?', '#', ':', '@']))
}

/// The scheme in lower case, and what follows it.
pub(super) fn scheme(address: &str) -> Option<(String, &str)> {
    let (scheme, rest) = address.split_once(':')?;
    let mut bytes = scheme.bytes();
    let valid = bytes.next().is_some_and(|b| b.is_ascii_alphabetic())
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    valid.then(|| (scheme.to_ascii_lowercase(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets() {
        let local = |path: &str, suffix: &str| {
            Target::Local(Path { path: path.to_owned(), suffix: suffix.to_owned() })
        };
        for (written, expected) in [
            ("", Target::Nothing),
            (" \n", Target::Nothing),
            ("#a", Target::Within),
            ("?p=2", Target::Within),
            ("https://h/a.png", Target::Remote),
            (" HTTP://h/a", Target::Remote),
            ("//h/a.png", Target::Remote),
            ("///etc/passwd", Target::Absolute),
            ("https:///etc/passwd", Target::OtherScheme("https".to_owned())),
            ("http:a.png", Target::OtherScheme("http".to_owned())),
            ("data:image/png;base64,AA", Target::Data),
            ("blob:https://h/1", Target::Data),
            ("d\na\tta:x", Target::Data),
            ("file:///etc/passwd", Target::Absolute),
            ("FILE:a.png", Target::Absolute),
            ("C:\\secret.png", Target::Absolute),
            ("c:/secret.png", Target::Absolute),
            ("\\\\server\\share\\x.png", Target::Absolute),
            ("/etc/passwd", Target::Absolute),
            ("mailto:a@b", Target::OtherScheme("mailto".to_owned())),
            ("a.png", local("a.png", "")),
            ("../a%20b.png?v=2#x", local("../a%20b.png", "?v=2#x")),
            ("1a:b.png", local("1a:b.png", "")),
        ] {
            assert_eq!(target(written), expected, "{written:?}");
        }
    }
}
