//! Whether a stored post says what was sent.
//!
//! Absent from here: the other fields (`differences`), blocks (`block_comments`). The
//! one rule: what WordPress itself does on save is done to what was *sent*, and the
//! result is compared with the stored text as it stands. Where it is unsure it says
//! "differs", and a person looks.
//!
//! What WordPress does, seen with eighty bodies and twenty titles as administrator and
//! author on 6.1, 6.8 and 7.1 (`fixtures/projection`, `fixtures/answers/stored-texts.json`,
//! and the sources of `kses.php`, `formatting.php` and `blocks.php`):
//!
//! - everybody's: titles are trimmed; `&#150;` becomes `&#8211;`; 6.1 adds `noopener` to
//!   links with a target; 6.8 and later write the JSON of block comments anew. Databases
//!   without four-byte characters store them as entities (case CONT-07).
//! - a user's without `unfiltered_html`: see `filtered`. 7.1 rewrites every tag.
//!
//! What can't be told: an editor took away every occurrence of a tag or attribute that
//! some version of the filter would have taken away.

use super::block_comments::same_comment;
use super::filtered::{Era, Place, Seen, left_of, normalized, style_is_left_of};
use super::markup::{Attributes, Reading, Token, join_texts, tokens, without_empty_blocks};
use crate::protocol::kinds::ContentFilter;

/// Whether two bodies (or excerpts) say the same.
pub(crate) fn same_content(sent: &str, stored: &str, filter: ContentFilter) -> bool {
    let (sent, stored) = (newlines(sent), newlines(stored));
    sent == stored || says(&sent, &stored, filter, Place::Body)
}

/// Whether two titles say the same.
pub(crate) fn same_title(sent: &str, stored: &str, filter: ContentFilter) -> bool {
    let (sent, stored) = (newlines(sent), newlines(stored));
    let (sent, stored) = (sent.trim(), stored.trim());
    sent == stored || says(sent, stored, filter, Place::Title)
}

fn newlines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Whether WordPress would store this of what was sent.
pub(super) fn says(sent: &str, stored: &str, filter: ContentFilter, place: Place) -> bool {
    match filter {
        ContentFilter::Off => {
            let stored = without_empty_blocks(tokens(stored, Reading::Html));
            let sent = without_empty_blocks(tokens(sent, Reading::Html));
            all_same(&sent, &stored, same_attributes, filter)
        }
        ContentFilter::On => {
            let stored = without_empty_blocks(tokens(stored, Reading::Filter));
            [Era::NumbersFirst, Era::NamedFirst]
                .into_iter()
                .any(|era| is_left_of(&normalized(sent, era), &stored, place))
        }
    }
}

/// Whether the filter leaves this of what was sent.
fn is_left_of(sent: &str, stored: &[Token], place: Place) -> bool {
    let seen = Seen::in_stored(stored);
    let mut sent = tokens(sent, Reading::Filter);
    sent.retain(|token| seen.leaves(place, token));
    let sent = without_empty_blocks(join_texts(sent));
    let same = |(tag, sent): (&str, &Attributes), stored: (&str, &Attributes)| {
        let left = left_of(&seen, place, tag, sent);
        let mut kept = stored.1.clone();
        let style = kept.remove("style");
        let style = style.as_deref().unwrap_or_default();
        same_attributes((tag, &left), (stored.0, &kept))
            && style_is_left_of(sent.get("style").map_or("", String::as_str), style)
    };
    all_same(&sent, stored, same, ContentFilter::On)
}

/// Whether two texts agree token by token.
fn all_same(
    sent: &[Token],
    stored: &[Token],
    same_tags: impl Fn((&str, &Attributes), (&str, &Attributes)) -> bool,
    filter: ContentFilter,
) -> bool {
    let same = |(sent, stored): (&Token, &Token)| match (sent, stored) {
        (Token::Open(sent_tag, sent), Token::Open(stored_tag, stored)) => {
            sent_tag == stored_tag && same_tags((sent_tag, sent), (stored_tag, stored))
        }
        (Token::Comment(sent), Token::Comment(stored)) => same_comment(sent, stored, filter),
        (
            Token::Text(_)
            | Token::Open(..)
            | Token::Close(_)
            | Token::Comment(_)
            | Token::Declaration(_),
            _,
        ) => sent == stored,
    };
    sent.len() == stored.len() && sent.iter().zip(stored).all(same)
}

/// Whether the attributes agree, but for the `noopener` that 6.1 adds to a link that has
/// a `target` (`wp_targeted_link_rel`).
fn same_attributes(sent: (&str, &Attributes), stored: (&str, &Attributes)) -> bool {
    if sent.1 == stored.1 {
        return true;
    }
    let ((tag, sent), (_, stored)) = (sent, stored);
    if tag != "a" || !sent.contains_key("target") {
        return false;
    }
    let rel = sent.get("rel").map_or("", String::as_str);
    let mut words: Vec<&str> = rel.split_ascii_whitespace().collect();
    if !words.contains(&"noopener") {
        words.push("noopener");
    }
    let mut expected = sent.clone();
    expected.insert("rel".to_owned(), words.join(" "));
    expected == *stored
}
