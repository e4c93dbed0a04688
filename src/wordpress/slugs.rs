//! Slugs on the wire: how they are asked for, and how an answer's are recognised.
//!
//! Absent from here: which slugs are acceptable (`article::slug`). The one rule: a
//! question must be certain to match the stored form, and a comparison must not depend
//! on how a server writes its percent signs (cases FIND-13, FIND-14).

use percent_encoding::percent_decode_str;
use unicode_normalization::UnicodeNormalization as _;

/// Bytes that WordPress keeps of a slug that goes to the trash; `__trashed` follows
/// (`wp_add_trashed_suffix_to_post_name_for_post`, seen on 6.1, 6.8 and 7.1).
const TRASHED_STEM_BYTES_MAX: usize = 191;
/// Bytes of a stored slug.
const SLUG_BYTES_MAX: usize = 200;

/// The slug that a post has in the trash.
pub(crate) fn trashed_form(stored: &str) -> String {
    let stem = stored.strip_suffix("__trashed").unwrap_or(stored);
    format!("{}__trashed", truncated(stem, TRASHED_STEM_BYTES_MAX))
}

/// The slug that WordPress gives to the next post that asks for this one: `x-2`, `x-3` …
pub(crate) fn numbered_form(stored: &str, number: u32) -> String {
    let suffix = format!("-{number}");
    format!("{}{suffix}", truncated(stored, SLUG_BYTES_MAX - suffix.len()))
}

/// `_truncate_post_slug`: percent-encoded characters are never cut in two, and no
/// hyphen stays at the end.
fn truncated(stored: &str, bytes_max: usize) -> &str {
    if stored.len() <= bytes_max {
        return stored;
    }
    let mut end = 0;
    for piece in Pieces(stored) {
        if end + piece.len() > bytes_max {
            break;
        }
        end += piece.len();
    }
    stored[..end].trim_end_matches('-')
}

/// A stored slug in its characters: plain ones, and percent-encoded ones of one to four
/// triplets.
struct Pieces<'a>(&'a str);

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let first = *self.0.as_bytes().first()?;
        let length = if first == b'%' { 3 * self.triplets() } else { 1 };
        let (piece, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        Some(piece)
    }
}

impl Pieces<'_> {
    fn triplets(&self) -> usize {
        let lead = self.0.get(1..3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match lead {
            Some(0xc0..=0xdf) => 2,
            Some(0xe0..=0xef) => 3,
            Some(0xf0..=0xff) => 4,
            Some(_) | None => 1,
        }
    }
}

/// What to put into `slug=`. The stored form always matches: WordPress' own clean-up
/// leaves it alone. Where the characters are of scripts that the clean-up leaves alone
/// too (it only touches Latin letters with accents, capitals and punctuation), they are
/// sent as they are, which takes a third of the room in a URL.
pub(crate) fn query_form(stored: &str) -> String {
    let Ok(decoded) = percent_decode_str(stored).decode_utf8() else { return stored.to_owned() };
    if decoded.chars().all(survives_clean_up) { decoded.into_owned() } else { stored.to_owned() }
}

fn survives_clean_up(character: char) -> bool {
    matches!(character,
        'a'..='z' | '0'..='9' | '-' | '_'
        // Hiragana, katakana and their length mark; not the combining voice marks,
        // which normalization would merge.
        | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'
        // Han, Hangul syllables.
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
        // Cyrillic, small letters.
        | '\u{0430}'..='\u{045f}')
}

/// The form in which slugs are compared: percent-encoding undone (twice where a server
/// encoded twice; a slug holds no percent sign of its own), NFC, lower case.
pub(crate) fn comparable(slug: &str) -> String {
    let mut text = slug.to_owned();
    for _ in 0..2 {
        match percent_decode_str(&text).decode_utf8() {
            Ok(decoded) if decoded != text => text = decoded.into_owned(),
            Ok(_) | Err(_) => break,
        }
    }
    text.nfc().collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trashed_form_of_a_long_slug_is_cut_as_wordpress_cuts_it() {
        // Seen on 6.1, 6.8 and 7.1.
        assert_eq!(trashed_form("x"), "x__trashed");
        let long = format!("{}-abc", "q".repeat(195));
        assert_eq!(trashed_form(&long), format!("{}__trashed", "q".repeat(191)));
        let kanji = "%e5%86%99".repeat(21);
        assert_eq!(trashed_form(&format!("{kanji}-abc")), format!("{kanji}-a__trashed"));
        let kanji = "%e5%86%99".repeat(20);
        let stored = format!("{kanji}abcdefgh-ijkl");
        assert_eq!(trashed_form(&stored), format!("{kanji}abcdefgh-ij__trashed"));
        let stored = "%e5%86%99".repeat(22);
        assert_eq!(trashed_form(&stored), format!("{}__trashed", "%e5%86%99".repeat(21)));
        let ends_in_hyphen = format!("{}-{}", "q".repeat(190), "z".repeat(8));
        assert_eq!(trashed_form(&ends_in_hyphen), format!("{}__trashed", "q".repeat(190)));
    }

    /// Seen on real sites: what letters of one to four octets become.
    #[test]
    fn long_slugs_are_cut_at_a_letter() {
        let text = include_str!("../../fixtures/slugs/suffixed.tsv");
        let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
        for line in rows {
            let cells: Vec<&str> = line.split('\t').collect();
            let [stored, second, trashed] = cells[..] else { panic!("three columns: {line:?}") };
            assert_eq!(numbered_form(stored, 2), second);
            assert_eq!(trashed_form(stored), trashed);
        }
    }

    #[test]
    fn a_numbered_form_stays_within_200_bytes() {
        assert_eq!(numbered_form("x", 2), "x-2");
        assert_eq!(numbered_form(&"q".repeat(200), 2), format!("{}-2", "q".repeat(198)));
    }

    #[test]
    fn only_what_the_clean_up_leaves_alone_is_asked_for_in_characters() {
        assert_eq!(query_form("plain-1_a"), "plain-1_a");
        assert_eq!(query_form("%e5%86%99%e7%9c%9f"), "写真");
        assert_eq!(query_form("%d1%82"), "т");
        // An accented letter would be folded to `e`.
        assert_eq!(query_form("%c3%a9"), "%c3%a9");
        // A slug cut in the middle of a character.
        assert_eq!(query_form("%e5%86"), "%e5%86");
        // A combining voice mark would be merged.
        assert_eq!(query_form("%e3%81%8b%e3%82%99"), "%e3%81%8b%e3%82%99");
    }

    #[test]
    fn slugs_are_compared_without_regard_to_how_they_are_encoded() {
        let stored = "%e5%86%99%e7%9c%9f";
        for other in ["%E5%86%99%E7%9C%9F", "写真", "%25e5%2586%2599%25e7%259c%259f"] {
            assert_eq!(comparable(stored), comparable(other), "{other}");
        }
        assert_ne!(comparable("a"), comparable("a-2"));
        assert_eq!(comparable("%e5%86"), "%e5%86");
    }
}
