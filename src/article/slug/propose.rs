//! A slug that is fine, made of one that is not.
//!
//! Absent from here: what is wrong with the first. The one rule: a proposal has
//! itself passed every check.

use percent_encoding::percent_decode_str;

use super::{STORED_BYTES_MAX, accents, check, is_dropped, is_unseen, stored, tags};

/// Makes another name of digits, or of a name that WordPress keeps.
const SUFFIX: &str = "-article";

/// How far back from the cut a hyphen is looked for, in characters: words of this
/// length stay whole.
const WORD_CHARACTERS_MAX: usize = 20;

/// A slug that reads like this text, in the form that people write.
pub(super) fn slug_like(written: &str) -> Option<String> {
    let decoded = percent_decode_str(written).decode_utf8_lossy();
    let text = stored::without_entities(&tags::stripped(&decoded));
    // Accents before case: `İ` in lower case is an `i` with a mark that would stay.
    let text = accents::removed(&accents::removed(&text).to_lowercase());
    let text = text.replace("l·l", "ll");
    let text = hyphenated(text.trim_end_matches(stored::TRASHED_SUFFIX));
    let whole = fitted(&text, STORED_BYTES_MAX);
    let named = fitted(&text, STORED_BYTES_MAX - SUFFIX.len()) + SUFFIX;
    [whole, named].into_iter().find(|slug| check(slug).is_ok())
}

/// A hyphen for each run of spaces, dots, slashes and dashes between other
/// characters; without what WordPress would drop.
fn hyphenated(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let between = matches!(character, '-' | '.' | '/')
            || character.is_whitespace()
            || stored::fate(character) == stored::Fate::Dash;
        if between {
            if !out.is_empty() && !out.ends_with('-') {
                out.push('-');
            }
        } else if character == '×' {
            out.push('x');
        } else if !(character.is_control()
            || is_unseen(character)
            || is_dropped(character)
            || character == char::REPLACEMENT_CHARACTER)
        {
            out.push(character);
        }
    }
    out.truncate(out.trim_end_matches('-').len());
    out
}

/// As much of the text as fits, without half a word where a hyphen is near.
fn fitted(text: &str, bytes_max: usize) -> String {
    let mut bytes = 0;
    let end = text.char_indices().find(|(_, character)| {
        bytes += if character.is_ascii() { 1 } else { 3 * character.len_utf8() };
        bytes > bytes_max
    });
    let Some((end, _)) = end else { return text.to_owned() };
    let cut = &text[..end];
    // What follows the cut may itself begin a word.
    let word_end = if text[end..].starts_with('-') { None } else { cut.rfind('-') };
    match word_end {
        Some(at) if cut[at..].chars().count() <= WORD_CHARACTERS_MAX => cut[..at].to_owned(),
        _ => cut.trim_end_matches('-').to_owned(),
    }
}
