//! Slugs as WordPress stores them.
//!
//! Absent from here: whether the slug is free on the site. The one rule: a slug
//! that passes is stored exactly as it was written, whatever the version and the
//! language of the site; what is stored is how a post is found again (facts §1).

mod accents;
mod propose;
mod stored;
mod tags;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use unicode_normalization::UnicodeNormalization as _;

use crate::names::Slug;

pub(crate) use accents::removed as without_accents;
pub(crate) use stored::shortened;
pub use stored::{STORED_BYTES_MAX, numbered_form, stored_form, trashed_form};
pub(crate) use tags::stripped as without_tags;

/// Names that WordPress keeps for feeds and embeds (case FIND-08).
const RESERVED: &[&str] = &["feed", "rdf", "rss", "rss2", "atom", "embed"];

/// How many characters a message lists.
const LISTED_MAX: usize = 10;

/// Why a slug can't be used as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlugProblem {
    /// The stable code, such as `slug_upper_case`.
    pub code: &'static str,
    /// What is wrong, in words.
    pub message: String,
    /// A slug that is fine, where one can be made of it.
    pub proposal: Option<String>,
}

/// The slug, if WordPress stores it as written.
///
/// "As written" means: decoded, and in Unicode's composed form (NFC), the stored
/// slug is the text. A text of octets (`%e5%86%99`) counts as what it decodes to.
/// Refused are also slugs that only some versions, languages or post types change,
/// and a few that WordPress keeps but nobody could see or type (spec §13).
pub fn lint(text: &str) -> Result<Slug, SlugProblem> {
    check(text).map_err(|problem| SlugProblem {
        code: problem.code(),
        message: problem.message(),
        proposal: propose::slug_like(text),
    })
}

/// What is wrong with a slug.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Problem {
    Empty,
    /// `%` that is no octet, octets that are no text, or that hide plain letters.
    Percent,
    Space,
    Control(Vec<char>),
    Invisible(Vec<char>),
    UpperCase(Vec<char>),
    /// Letters that WordPress replaces by plain ones.
    Accent(Vec<char>),
    Dot,
    Slash,
    Dash(Vec<char>),
    Character(Vec<char>),
    /// Two hyphens in a row, or one at an end.
    Hyphen,
    DigitsOnly,
    Reserved,
    TooLong(usize),
    /// WordPress changes it in a way this list does not name.
    Changed(String),
}

/// All rules in the order in which a writer would mend them.
fn check(written: &str) -> Result<Slug, Problem> {
    let decoded = decoded(written)?;
    let text: String = decoded.nfc().collect();
    // `written` says the same as `text`, but a text of octets is kept to the byte.
    let octets = written.contains('%');
    check_characters(&text)?;
    if text.starts_with('-') || text.ends_with('-') || text.contains("--") {
        return Err(Problem::Hyphen);
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Problem::DigitsOnly);
    }
    if is_reserved(&text) {
        return Err(Problem::Reserved);
    }
    let stored = stored::encoded(&text);
    if stored.len() > STORED_BYTES_MAX {
        return Err(Problem::TooLong(stored.len()));
    }
    // The rules above explain; this decides. The slug must come through in both
    // spellings: a person who saves the post in the browser sends the readable one.
    for sent in [&text, &stored] {
        let answer = stored_form(sent);
        if answer != stored {
            return Err(Problem::Changed(answer));
        }
    }
    if octets && stored_form(written) != stored {
        return Err(Problem::Percent);
    }
    Slug::from_stored(&stored).map_err(|_| Problem::Changed(stored))
}

/// The text that octets stand for; other text as it is.
fn decoded(written: &str) -> Result<Cow<'_, str>, Problem> {
    if !written.contains('%') {
        return Ok(Cow::Borrowed(written));
    }
    let text = percent_decode_str(written).decode_utf8().map_err(|_| Problem::Percent)?;
    // A `%` that is left was no octet or was encoded twice; an octet for plain ASCII
    // is kept by WordPress as it is, so `%61` would be another slug than `a`.
    let plain = |text: &str| text.bytes().filter(u8::is_ascii).count();
    let octets = written.matches('%').count();
    if text.contains('%') || plain(&text) + 3 * octets != plain(written) {
        return Err(Problem::Percent);
    }
    Ok(text)
}

/// Which characters are not wanted, and what they are together.
type Rule = (fn(char) -> bool, fn(Vec<char>) -> Problem);

/// The rules for each character by itself, and for `l·l`.
fn check_characters(text: &str) -> Result<(), Problem> {
    let those = |is: fn(char) -> bool| -> Option<Vec<char>> {
        let mut found = Vec::new();
        for character in text.chars().filter(|c| is(*c)) {
            if !found.contains(&character) {
                found.push(character);
            }
        }
        (!found.is_empty()).then_some(found)
    };
    if text.chars().all(char::is_whitespace) {
        return Err(Problem::Empty);
    }
    if those(char::is_whitespace).is_some() {
        return Err(Problem::Space);
    }
    if stored_form(text).is_empty() {
        return Err(Problem::Empty);
    }
    let rules: [Rule; 8] = [
        (char::is_control, Problem::Control),
        (is_unseen, Problem::Invisible),
        (is_upper_case, Problem::UpperCase),
        (|c| accents::replacement(c).is_some_and(|to| !to.is_empty()), Problem::Accent),
        (|c| c == '.', |_| Problem::Dot),
        (|c| c == '/', |_| Problem::Slash),
        (|c| stored::fate(c) == stored::Fate::Dash, Problem::Dash),
        (is_dropped, Problem::Character),
    ];
    for (is, problem) in rules {
        if let Some(found) = those(is) {
            return Err(problem(found));
        }
    }
    // Sites in Catalan write `ll`.
    if text.contains("l·l") { Err(Problem::Accent(vec!['·'])) } else { Ok(()) }
}

/// Nobody can see it. WordPress drops most of these; the joiners, direction marks and
/// fillers that it keeps would make two slugs that look the same.
fn is_unseen(character: char) -> bool {
    stored::fate(character) == stored::Fate::DroppedUnseen
        || matches!(
            character,
            '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{2060}'
                ..='\u{206f}' | '\u{3164}' | '\u{ffa0}'
        )
}

fn is_upper_case(character: char) -> bool {
    !character.to_lowercase().eq([character])
}

/// It vanishes, or for `×` becomes a letter.
fn is_dropped(character: char) -> bool {
    if character.is_ascii() {
        !matches!(character, 'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_')
    } else {
        stored::fate(character) == stored::Fate::Dropped
            || accents::replacement(character).is_some()
    }
}

/// WordPress adds a number to these by itself, or takes them for a trashed post's.
fn is_reserved(text: &str) -> bool {
    // A page named `page2` would be the second part of its parent.
    let part = text.strip_prefix("page").is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    RESERVED.contains(&text) || part || text.ends_with(stored::TRASHED_SUFFIX)
}

impl Problem {
    fn code(&self) -> &'static str {
        match self {
            Self::Empty => "slug_empty",
            Self::Percent => "slug_percent",
            Self::Space => "slug_space",
            Self::Control(_) => "slug_control",
            Self::Invisible(_) => "slug_invisible",
            Self::UpperCase(_) => "slug_upper_case",
            Self::Accent(_) => "slug_accent",
            Self::Dot => "slug_dot",
            Self::Slash => "slug_slash",
            Self::Dash(_) => "slug_dash",
            Self::Character(_) => "slug_character",
            Self::Hyphen => "slug_hyphen",
            Self::DigitsOnly => "slug_digits_only",
            Self::Reserved => "slug_reserved",
            Self::TooLong(_) => "slug_too_long",
            Self::Changed(_) => "slug_not_kept",
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Empty => "nothing of this slug would be left in WordPress".to_owned(),
            Self::Percent => "a % sign in a slug can only begin the octets of a letter of \
                              another script, such as %e5%86%99; these are not such octets"
                .to_owned(),
            Self::Space => "a slug has no spaces; write a hyphen".to_owned(),
            Self::Control(found) => {
                format!("a slug has no control characters; this one has {}", listed(found))
            }
            Self::Invisible(found) => {
                format!("a slug has no invisible characters; this one has {}", listed(found))
            }
            Self::UpperCase(found) => {
                format!("WordPress writes slugs in lower case; this one has {}", listed(found))
            }
            Self::Accent(found) => format!(
                "WordPress replaces accented and special letters, and by which depends on the \
                 site; this slug has {}",
                listed(found)
            ),
            Self::Dot => "WordPress makes a hyphen of each dot".to_owned(),
            Self::Slash => "a slug is one part of an address and has no slashes".to_owned(),
            Self::Dash(found) => {
                format!("the only dash in a slug is the hyphen; this one has {}", listed(found))
            }
            Self::Character(found) => {
                format!("WordPress drops some characters of this slug: {}", listed(found))
            }
            Self::Hyphen => {
                "a slug has no two hyphens in a row and none at its beginning or end".to_owned()
            }
            Self::DigitsOnly => "WordPress adds a number to a slug of digits only, because it \
                                 could be a year or a page"
                .to_owned(),
            Self::Reserved => "WordPress keeps this name for itself (feeds, embeds, parts of a \
                               page, the trash)"
                .to_owned(),
            Self::TooLong(bytes) => format!(
                "the slug takes {bytes} bytes in WordPress and would be cut at \
                 {STORED_BYTES_MAX}; letters of other scripts take 6 to 12 each"
            ),
            Self::Changed(stored) => format!("WordPress would store this slug as {stored:?}"),
        }
    }
}

/// The characters for a message: those without a shape by their number.
fn listed(characters: &[char]) -> String {
    let mut words: Vec<String> = characters
        .iter()
        .take(LISTED_MAX)
        .map(|&character| {
            // A mark without its letter would cling to what stands before it.
            let shapeless = character.is_control()
                || is_unseen(character)
                || unicode_normalization::char::is_combining_mark(character)
                || matches!(stored::fate(character), stored::Fate::Dash);
            if shapeless {
                format!("U+{:04X}", u32::from(character))
            } else {
                character.to_string()
            }
        })
        .collect();
    if characters.len() > LISTED_MAX {
        words.push("…".to_owned());
    }
    words.join(" ")
}
