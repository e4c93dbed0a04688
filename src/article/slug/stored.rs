//! What WordPress makes of a slug that is sent to it.
//!
//! Absent from here: whether a slug is acceptable (that is `lint`). The one rule:
//! this takes the same steps as the real `sanitize_title`, also where a step looks
//! odd; `fixtures/slugs/table.tsv` holds what real sites answered.

use std::fmt::Write as _;

use percent_encoding::percent_decode_str;

use super::{accents, tags};
use crate::names::Slug;

/// The longest slug WordPress stores, in bytes of the encoded form: the width of
/// its column (facts §1).
pub const STORED_BYTES_MAX: usize = 200;

/// What the slug of a post in the trash ends with (facts §1).
pub(super) const TRASHED_SUFFIX: &str = "__trashed";

/// Become a hyphen: no-break space, non-breaking hyphen, en dash, em dash.
///
/// The non-breaking hyphen does so in 7.1; 6.1 and 6.8 keep it.
const DASHES: &[char] = &['\u{a0}', '\u{2011}', '\u{2013}', '\u{2014}'];

/// Become a hyphen when written as an entity; every other entity vanishes.
///
/// `&#8209;` does so in 7.1; in 6.1 and 6.8 it vanishes.
const DASH_ENTITIES: &[&str] =
    &["&nbsp;", "&#8209;", "&#160;", "&ndash;", "&#8211;", "&mdash;", "&#8212;"];

/// Vanish. First what can be seen: punctuation, quotes, signs, accents that stand
/// alone or did not combine.
const DROPPED_VISIBLE: &[char] = &[
    '\u{a1}', '\u{bf}', '\u{ab}', '\u{bb}', '\u{2039}', '\u{203a}', '\u{2018}', '\u{2019}',
    '\u{201c}', '\u{201d}', '\u{201a}', '\u{201b}', '\u{201e}', '\u{201f}', '\u{2022}', '\u{a9}',
    '\u{ae}', '\u{b0}', '\u{2026}', '\u{2122}', '\u{b4}', '\u{2ca}', '\u{301}', '\u{341}',
    '\u{300}', '\u{304}', '\u{30c}',
];

/// Vanish, and can't be seen: soft hyphen, joiners, direction marks, byte order
/// mark, the placeholder of an object.
const DROPPED_INVISIBLE: &[char] = &[
    '\u{ad}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}',
    '\u{202c}', '\u{202d}', '\u{202e}', '\u{feff}', '\u{fffc}',
];

/// Become a hyphen: spaces of a certain width, line and paragraph separator.
const WIDE_SPACES: &[char] = &[
    '\u{2000}', '\u{2001}', '\u{2002}', '\u{2003}', '\u{2004}', '\u{2005}', '\u{2006}', '\u{2007}',
    '\u{2008}', '\u{2009}', '\u{200a}', '\u{2028}', '\u{2029}', '\u{202f}',
];

/// The multiplication sign becomes the letter x.
const TIMES: char = '\u{d7}';

/// What becomes of one character beyond ASCII, apart from case and accents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is stored, percent-encoded.
    Kept,
    /// A hyphen takes its place.
    Dash,
    /// It vanishes, or a letter takes its place, and a reader could see it.
    Dropped,
    /// It vanishes, and nobody could see it.
    DroppedUnseen,
}

/// What becomes of this character beyond ASCII.
pub(super) fn fate(character: char) -> Fate {
    if DASHES.contains(&character) || WIDE_SPACES.contains(&character) {
        Fate::Dash
    } else if DROPPED_VISIBLE.contains(&character) || character == TIMES {
        Fate::Dropped
    } else if DROPPED_INVISIBLE.contains(&character) {
        Fate::DroppedUnseen
    } else {
        Fate::Kept
    }
}

/// What WordPress stores as slug when it is sent this text.
///
/// It is what 7.1 does with the rules of the locale `en_US`, the `mbstring` and
/// `intl` extensions and no plugin. Where 6.1 or 6.8, or another locale, differ
/// (`ǝ`, the non-breaking hyphen, `l·l` in Catalan …), `lint` refuses the text.
/// Lower case is PHP's affair: before 8.3 it makes a final `Σ` a `σ`, as here, later
/// a `ς`, and it knows no letters that are newer than itself. Those are refused too.
#[must_use]
pub fn stored_form(text: &str) -> String {
    // The REST API cleans the slug when it checks the request, and the insert
    // cleans it again. For odd texts, such as a cut octet, the second time tells.
    sanitize_title(&sanitize_title(text))
}

/// The slug of this post once it lies in the trash (facts §1).
#[must_use]
pub fn trashed_form(slug: &Slug) -> String {
    let stored = slug.stored();
    if stored.ends_with(TRASHED_SUFFIX) {
        return stored.to_owned();
    }
    shortened(stored, STORED_BYTES_MAX - TRASHED_SUFFIX.len()) + TRASHED_SUFFIX
}

/// The slug a post gets when the plain one and all numbers below this one are
/// taken (facts §1). WordPress counts from 2.
#[must_use]
pub fn numbered_form(slug: &Slug, number: u32) -> String {
    let suffix = format!("-{number}");
    shortened(slug.stored(), STORED_BYTES_MAX - suffix.len()) + &suffix
}

/// The percent-encoded form of this text, uncut: ASCII stays as it is.
pub(super) fn encoded(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, character| {
        push_encoded(&mut out, character);
        out
    })
}

fn push_encoded(out: &mut String, character: char) {
    if character.is_ascii() {
        out.push(character);
        return;
    }
    for byte in character.encode_utf8(&mut [0; 4]).bytes() {
        // Writing to a string can't fail.
        let _ = write!(out, "%{byte:02x}");
    }
}

/// The part of a stored form that leaves room for a suffix, without half a
/// character and without a hyphen at its end.
pub(crate) fn shortened(stored: &str, bytes_max: usize) -> String {
    if stored.len() <= bytes_max {
        return stored.to_owned();
    }
    let readable = percent_decode_str(stored).decode_utf8_lossy();
    encoded_cut(&readable, bytes_max).trim_end_matches('-').to_owned()
}

/// One pass of the real `sanitize_title` for saving.
fn sanitize_title(text: &str) -> String {
    let text = tags::stripped(&accents::removed(text));
    let text = with_octets_only(&text);
    // Character by character, so that a final sigma is as in PHP before 8.3.
    let text: String = text.chars().flat_map(char::to_lowercase).collect();
    let text = encoded_cut(&text, STORED_BYTES_MAX).to_ascii_lowercase();
    let text = without_entities(&with_replacements(text));
    tidied(&text)
}

/// Drops every percent sign that does not begin an octet (`%` and two hex digits).
///
/// WordPress puts octets aside as `---41---` and brings back whatever has this
/// form afterwards, so a text that was written like this becomes an octet.
fn with_octets_only(text: &str) -> String {
    let hex = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
    let mut aside = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        aside.push_str(before);
        rest = after;
        if hex(after.as_bytes().first()) && hex(after.as_bytes().get(1)) {
            let (digits, after) = after.split_at(2);
            aside.push_str("---");
            aside.push_str(digits);
            aside.push_str("---");
            rest = after;
        }
    }
    aside.push_str(rest);

    let mut out = String::with_capacity(aside.len());
    let mut rest = aside.as_str();
    while let Some(at) = rest.find("---") {
        let window = &rest.as_bytes()[at..];
        if hex(window.get(3)) && hex(window.get(4)) && window.get(5..8) == Some(b"---".as_slice()) {
            out.push_str(&rest[..at]);
            out.push('%');
            out.push_str(&rest[at + 3..at + 5]);
            rest = &rest[at + 8..];
        } else {
            out.push_str(&rest[..=at]);
            rest = &rest[at + 1..];
        }
    }
    out + rest
}

/// The percent-encoded form, cut before the first character that does not fit.
fn encoded_cut(text: &str, bytes_max: usize) -> String {
    let mut out = String::with_capacity(text.len().min(bytes_max));
    for character in text.chars() {
        let before = out.len();
        push_encoded(&mut out, character);
        if out.len() > bytes_max {
            out.truncate(before);
            break;
        }
    }
    out
}

/// Replaces what WordPress replaces by name, in its order: one replacement can
/// bring together what a later one finds.
fn with_replacements(mut text: String) -> String {
    replace_octets(&mut text, DASHES, "-");
    for entity in DASH_ENTITIES {
        if text.contains(entity) {
            text = text.replace(entity, "-");
        }
    }
    text = text.replace('/', "-");
    replace_octets(&mut text, DROPPED_VISIBLE, "");
    replace_octets(&mut text, DROPPED_INVISIBLE, "");
    replace_octets(&mut text, WIDE_SPACES, "-");
    replace_octets(&mut text, &[TIMES], "x");
    text
}

/// Replaces the encoded form of each of these characters, one after the other.
fn replace_octets(text: &mut String, characters: &[char], with: &str) {
    if !text.contains('%') {
        return;
    }
    let mut octets = String::new();
    for &character in characters {
        octets.clear();
        push_encoded(&mut octets, character);
        if text.contains(&octets) {
            *text = text.replace(&octets, with);
        }
    }
}

/// Drops everything from a `&` to the next `;` on the same line, if something
/// stands between.
pub(super) fn without_entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let line = after.split('\n').next().unwrap_or_default();
        if let Some((at, _)) = line.char_indices().skip(1).find(|(_, c)| *c == ';') {
            rest = &after[at + 1..];
        } else {
            out.push('&');
            rest = after;
        }
    }
    out + rest
}

/// Keeps letters, digits, `_`, `%`; dots, spaces and hyphens become one hyphen
/// each run, and none at the ends.
fn tidied(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'_' | b'%' => out.push(char::from(byte)),
            b'-' | b'.' | b' ' if !out.is_empty() && !out.ends_with('-') => out.push('-'),
            _ => {}
        }
    }
    out.truncate(out.trim_end_matches('-').len());
    out
}
