//! Which term a name means.
//!
//! Absent from here: asking the site. The one rule: exact before near, and of several
//! that fit none is taken.

use unicode_normalization::UnicodeNormalization as _;

use super::slugs::comparable;
use super::terms::{FoundTerm, TermAnswer, TermWanted};

/// Terms with a near name that an error shows.
const NEAR_MAX: usize = 5;

/// A name as it is written: composed, white space squeezed as WordPress does.
fn spelled(name: &str) -> String {
    let decoded = html_escape::decode_html_entities(name);
    decoded.nfc().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name as WordPress tells names apart when it creates one: `NEWS` is `News`, `CAFÉ`
/// is not `Café` (tried on 6.1, 6.8 and 7.1: it lowers ASCII letters only).
pub(super) fn name_key(name: &str) -> String {
    spelled(name).to_ascii_lowercase()
}

/// The term that is meant: by exact name, else by slug, else by a name that differs
/// only in ASCII case.
pub(super) fn choose(wanted: &TermWanted, terms: &[FoundTerm]) -> TermAnswer {
    let word = match wanted {
        TermWanted::Id(id) => {
            return match terms.iter().find(|term| term.id == *id) {
                Some(term) => TermAnswer::Found(term.clone()),
                None => TermAnswer::Missing { near: Vec::new() },
            };
        }
        TermWanted::Word(word) => word,
    };
    let (written, key, slug) = (spelled(word), name_key(word), comparable(word.trim()));
    let fits: [&dyn Fn(&FoundTerm) -> bool; 3] = [
        &|term| spelled(&term.name) == written,
        &|term| comparable(&term.slug) == slug && word.trim() == slug,
        &|term| name_key(&term.name) == key,
    ];
    for fits in fits {
        let mut found: Vec<FoundTerm> = terms.iter().filter(|term| fits(term)).cloned().collect();
        match found.len() {
            0 => {}
            1 => return TermAnswer::Found(found.remove(0)),
            _ => return TermAnswer::Several(found),
        }
    }
    TermAnswer::Missing { near: near(&key, terms) }
}

/// Names that begin alike, or hold one another, or differ by a letter or two.
fn near(key: &str, terms: &[FoundTerm]) -> Vec<FoundTerm> {
    let mut scored: Vec<(usize, &FoundTerm)> = terms
        .iter()
        .filter_map(|term| {
            let name = spelled(&term.name).to_lowercase();
            let key = key.to_lowercase();
            let holds = name.contains(&key) || key.contains(&name);
            let distance = edit_distance(&key, &name);
            let close = distance <= 1 + key.chars().count() / 4;
            (holds || close).then_some((distance, term))
        })
        .collect();
    scored.sort_by_key(|(distance, term)| (*distance, term.id));
    scored.into_iter().take(NEAR_MAX).map(|(_, term)| term.clone()).collect()
}

fn edit_distance(a: &str, b: &str) -> usize {
    /// Longer names are compared by their start.
    const CHARS_MAX: usize = 60;
    let b: Vec<char> = b.chars().take(CHARS_MAX).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(CHARS_MAX).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::TermId;

    fn term(id: u64, name: &str, slug: &str) -> FoundTerm {
        let id = TermId::new(id).expect("above zero");
        FoundTerm { id, name: name.to_owned(), slug: slug.to_owned(), parent: None }
    }

    fn chosen(word: &str, terms: &[FoundTerm]) -> Result<u64, usize> {
        match choose(&TermWanted::Word(word.to_owned()), terms) {
            TermAnswer::Found(term) => Ok(term.id.get()),
            TermAnswer::Missing { .. } => Err(0),
            TermAnswer::Several(found) => Err(found.len()),
        }
    }

    #[test]
    fn a_term_is_taken_only_if_it_is_certain() {
        let terms = [
            term(1, "R&D", "rd"),
            term(2, "News", "news"),
            term(3, "News", "news-b"),
            term(4, "Café", "cafe"),
            term(5, "CAFÉ", "cafe-3"),
            term(6, "日本", "%e6%97%a5%e6%9c%ac"),
            term(7, "Newsletter", "newsletter"),
            term(8, "a b", "a-b"),
        ];
        // TERM-02: entities; a slug; white space.
        for word in ["R&D", "r&d", "R&amp;D", "rd", " R&D "] {
            assert_eq!(chosen(word, &terms), Ok(1), "{word}");
        }
        // TERM-01: two of one name; their slugs tell them apart.
        assert_eq!(chosen("News", &terms), Err(2));
        assert_eq!(chosen("NEWS", &terms), Err(2));
        assert_eq!(chosen("news", &terms), Ok(2));
        assert_eq!(chosen("news-b", &terms), Ok(3));
        // WordPress tells these two apart, and so do we; NFD is the same name.
        assert_eq!(chosen("café", &terms), Ok(4));
        assert_eq!(chosen("Cafe\u{301}", &terms), Ok(4));
        assert_eq!(chosen("Cafe", &terms), Err(0));
        assert_eq!(chosen("日本", &terms), Ok(6));
        assert_eq!(chosen("a  b", &terms), Ok(8));
        // TERM-08: never the first fuzzy hit.
        assert_eq!(chosen("Newslett", &terms), Err(0));
    }

    #[test]
    fn near_names_are_shown_for_a_missing_term() {
        let terms = [term(1, "Announcements", "a"), term(2, "News", "n"), term(3, "Zebra", "z")];
        let TermAnswer::Missing { near } = choose(&TermWanted::Word("Announcement".into()), &terms)
        else {
            panic!("it is not there");
        };
        assert_eq!(near, [term(1, "Announcements", "a")]);
    }
}
