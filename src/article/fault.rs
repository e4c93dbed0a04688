//! A problem before it is known in which file and line it is.
//!
//! Absent from here: the codes' meanings (`codes.rs`). The rule to keep: a message is
//! one line and says what to do.

/// What is wrong, and its code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) code: &'static str,
    pub(super) message: String,
}

impl Fault {
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// This fault, on a line.
    pub(super) fn at(self, line: u32) -> Finding {
        Finding { line, code: self.code, message: self.message }
    }
}

/// A fault with its line, in a file that the one who asked knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) line: u32,
    pub(super) code: &'static str,
    pub(super) message: String,
}

impl Finding {
    pub(super) fn new(line: u32, code: &'static str, message: impl Into<String>) -> Self {
        Self { line, code, message: message.into() }
    }
}

/// Something of the user's, in quotes, made short and free of control characters: files
/// are untrusted, and messages reach terminals and logs.
pub(super) fn quoted(text: &str) -> String {
    const CHARS_MAX: usize = 100;
    let mut short: String = text.chars().take(CHARS_MAX).collect();
    if text.chars().nth(CHARS_MAX).is_some() {
        short.push('…');
    }
    format!("\"{}\"", without_controls(&short))
}

/// The text with control characters and direction marks written as `\u{…}`.
pub(super) fn without_controls(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control()
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}' | '\u{2066}'..='\u{2069}')
        {
            plain.extend(c.escape_unicode());
        } else {
            plain.push(c);
        }
    }
    plain
}
