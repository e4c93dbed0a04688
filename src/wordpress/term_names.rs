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
/// only in ASCII case, else by a path of names, `Parent/Child`. A name that holds a slash
/// comes before a path, and a path that begins at the top before one that does not.
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
    let exact: Same = |a, b| spelled(a) == spelled(b);
    let folded: Same = |a, b| name_key(a) == name_key(b);
    let at = |term: &FoundTerm, from, same| lies_at(term, word, terms, from, same);
    let fits: [&dyn Fn(&FoundTerm) -> bool; 7] = [
        &|term| spelled(&term.name) == written,
        &|term| comparable(&term.slug) == slug && word.trim() == slug,
        &|term| name_key(&term.name) == key,
        &|term| at(term, Begin::Top, exact),
        &|term| at(term, Begin::Anywhere, exact),
        &|term| at(term, Begin::Top, folded),
        &|term| at(term, Begin::Anywhere, folded),
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

type Same = fn(&str, &str) -> bool;

/// Where a path of names may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begin {
    /// At a term without a parent.
    Top,
    /// At any term.
    Anywhere,
}

/// Whether a term lies at this path of names. Each name may hold slashes itself, so every
/// slash is tried as the one between parent and child.
fn lies_at(term: &FoundTerm, path: &str, terms: &[FoundTerm], from: Begin, same: Same) -> bool {
    let begins_here = match from {
        Begin::Top => term.parent.is_none(),
        Begin::Anywhere => true,
    };
    if begins_here && same(&term.name, path) {
        return true;
    }
    let Some(parent) = term.parent.and_then(|id| terms.iter().find(|other| other.id == id)) else {
        return false;
    };
    path.match_indices('/').any(|(at, slash)| {
        let (above, own) = (&path[..at], &path[at + slash.len()..]);
        same(&term.name, own) && lies_at(parent, above, terms, from, same)
    })
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

    fn below(id: u64, name: &str, parent: u64) -> FoundTerm {
        FoundTerm { parent: TermId::new(parent), ..term(id, name, &format!("slug-{id}")) }
    }

    /// Case TERM-01: the same name under two parents, and names that hold slashes.
    #[test]
    fn a_path_of_names_tells_children_apart() {
        let terms = [
            term(1, "Art", "art"),
            term(2, "Sport", "sport"),
            below(3, "News", 1),
            below(4, "News", 2),
            term(5, "AC/DC", "ac-dc"),
            below(6, "Live", 5),
            term(7, "Art/News", "art-news-2"),
            below(8, "Art", 2),
            below(9, "News", 8),
            below(10, "Only", 3),
        ];
        let rows = [
            ("News", Err(3)),
            ("Sport/News", Ok(4)),
            ("Sport / News", Ok(4)),
            ("sport/NEWS", Ok(4)),
            // The name that is written so comes before the path.
            ("Art/News", Ok(7)),
            // From the top before from anywhere.
            ("Art/News/Only", Ok(10)),
            ("Sport/Art/News", Ok(9)),
            ("AC/DC", Ok(5)),
            ("AC/DC/Live", Ok(6)),
            ("DC/Live", Err(0)),
            ("Art/Live", Err(0)),
            ("/News", Err(0)),
        ];
        for (word, wanted) in rows {
            assert_eq!(chosen(word, &terms), wanted, "{word}");
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
