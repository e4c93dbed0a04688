//! What the filter (`wp_kses`) makes of a text, for users without `unfiltered_html`.
//!
//! Absent from here: reading tags (`markup`), comparing (`projection`). The one rule:
//! these are applied to what was *sent*, never to what is stored: a stored text is
//! compared as it stands, so that nothing an editor wrote is overlooked.

use std::collections::BTreeSet;

use super::allowed::{
    ADDRESSES, ATTRIBUTES, ENTITIES, EVERYWHERE, PROTOCOLS, STYLES, TAGS, TITLE_TAGS,
};
use super::markup::{Attributes, Token};

/// Which list of allowed tags counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Bodies and excerpts, `wp_kses_allowed_html('post')`.
    Body,
    /// Titles, `$allowedtags`.
    Title,
}

/// Two ways in which versions treat entities (`wp_kses_normalize_entities`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Era {
    /// 6.1 and 6.8: `&amp;#38;` becomes `&#038;`.
    NamedFirst,
    /// 7.1: it stays.
    NumbersFirst,
}

/// What stored tags show of the filter: tags and attributes that one version lets
/// through and another does not are there for every element or for none.
#[derive(Debug, Default)]
pub(super) struct Seen<'a> {
    tags: BTreeSet<&'a str>,
    attributes: BTreeSet<(&'a str, &'a str)>,
    declarations: bool,
}

impl<'a> Seen<'a> {
    pub(super) fn in_stored(tokens: &'a [Token]) -> Self {
        let mut seen = Self::default();
        for token in tokens {
            match token {
                Token::Open(tag, attributes) => {
                    seen.tags.insert(tag);
                    let names = attributes.keys().map(|name| (tag.as_str(), name.as_str()));
                    seen.attributes.extend(names);
                }
                Token::Close(tag) => {
                    seen.tags.insert(tag);
                }
                Token::Declaration(_) => seen.declarations = true,
                Token::Text(_) | Token::Comment(_) => {}
            }
        }
        seen
    }

    /// Whether the filter leaves this token. A tag that every version lets through is
    /// there; any other is there if the stored text has that tag at all.
    pub(super) fn leaves(&self, place: Place, token: &Token) -> bool {
        match token {
            Token::Open(tag, _) | Token::Close(tag) => {
                tag_passes(place, tag) || self.tags.contains(tag.as_str())
            }
            Token::Declaration(_) => self.declarations,
            Token::Text(_) | Token::Comment(_) => true,
        }
    }

    pub(super) fn leaves_attribute(&self, place: Place, tag: &str, name: &str) -> bool {
        attribute_passes(place, tag, name) || self.attributes.contains(&(tag, name))
    }
}

fn has_word(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == word)
}

fn tag_passes(place: Place, tag: &str) -> bool {
    match place {
        Place::Body => has_word(TAGS, tag),
        Place::Title => TITLE_TAGS.iter().any(|(allowed, _)| *allowed == tag),
    }
}

fn attribute_passes(place: Place, tag: &str, name: &str) -> bool {
    match place {
        Place::Title => TITLE_TAGS
            .iter()
            .any(|(allowed, attributes)| *allowed == tag && has_word(attributes, name)),
        Place::Body if !tag_passes(place, tag) => false,
        Place::Body => {
            has_word(EVERYWHERE, name)
                || is_data(name)
                || ATTRIBUTES
                    .iter()
                    .any(|(tags, attributes)| has_word(tags, tag) && has_word(attributes, name))
        }
    }
}

/// `data-*` passes with a plain name; 7.1 looks closer at `data-wp-bind--`.
fn is_data(name: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-".contains(&b);
    name.strip_prefix("data-").is_some_and(|rest| {
        !rest.is_empty() && rest.bytes().all(is_plain) && !rest.starts_with("wp-bind--")
    })
}

/// `wp_kses_no_null`, and then `wp_kses_normalize_entities`: what is no entity that
/// WordPress knows becomes text.
pub(super) fn normalized(text: &str, era: Era) -> String {
    let is_control = |c| matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}');
    let text = text.replace(is_control, "");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find('&') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let after = &from[1..];
        let doubled = after.strip_prefix("amp;").and_then(|inner| Some((inner, number(inner)?)));
        if let (Era::NamedFirst, Some((inner, len))) = (era, doubled) {
            out.push('&');
            out.push_str(&inner[..len]);
            rest = &inner[len..];
        } else {
            let is_entity = named(after).is_some() || number(after).is_some();
            out.push_str(if is_entity { "&" } else { "&amp;" });
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// The length of the known name, with its semicolon, at the start of this.
fn named(text: &str) -> Option<usize> {
    let (name, _) = text.split_once(';')?;
    has_word(ENTITIES, name).then_some(name.len() + 1)
}

/// The length of `#38;` or `#x26;` at the start of this, if it is a character.
fn number(text: &str) -> Option<usize> {
    let (digits, _) = text.strip_prefix('#')?.split_once(';')?;
    let (code, len_max) = match digits.strip_prefix(['x', 'X']) {
        Some(hex) => (u32::from_str_radix(hex, 16), 6),
        None => (digits.parse::<u32>(), 7),
    };
    let significant = digits.trim_start_matches(['x', 'X']).trim_start_matches('0');
    let is_plain = digits.bytes().all(|b| b.is_ascii_alphanumeric());
    let code = code.ok().filter(|_| is_plain && significant.len() <= len_max)?;
    let is_valid = matches!(code, 0x9 | 0xa | 0xd | 0x20..=0xd7ff | 0xe000..=0xfffd
        | 0x10000..=0x10_ffff);
    is_valid.then_some(digits.len() + 2)
}

pub(super) fn is_address(name: &str) -> bool {
    has_word(ADDRESSES, name)
}

/// `wp_kses_bad_protocol`: what stands before a colon goes unless it is an allowed
/// scheme, which becomes lower case. A `#fn:1` becomes `1`.
pub(super) fn address(value: &str) -> String {
    /// As many as WordPress tries, before it gives the address up.
    const ROUNDS: usize = 6;
    if value.starts_with("https://") || value.starts_with("http://") {
        return value.to_owned();
    }
    let mut value = value.to_owned();
    for _ in 0..ROUNDS {
        let next = without_bad_scheme(&value);
        if next == value {
            return value;
        }
        value = next;
    }
    String::new()
}

fn without_bad_scheme(value: &str) -> String {
    let Some((before, after)) = value.split_once(':').filter(|(before, _)| !before.contains("/?"))
    else {
        return value.to_owned();
    };
    let scheme: String = before.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    let scheme = scheme.to_ascii_lowercase();
    let after = after.trim_matches([' ', '\t', '\n', '\r', '\0', '\u{b}']);
    if has_word(PROTOCOLS, &scheme) { format!("{scheme}:{after}") } else { after.to_owned() }
}

/// Whether the stored inline style is what `safecss_filter_attr` left of the one that
/// was sent: declarations may be missing, in no other order and none changed. A plain
/// declaration that every version lets through must be there.
pub(super) fn style_is_left_of(sent: &str, stored: &str) -> bool {
    let declarations = |style: &str| -> Vec<String> {
        let trimmed = style.split(';').map(|one| one.trim().to_owned());
        trimmed.filter(|one| !one.is_empty()).collect()
    };
    let (sent, stored) = (declarations(sent), declarations(stored));
    let mut stored = stored.iter().peekable();
    for declaration in &sent {
        if stored.next_if_eq(&declaration).is_none() && is_plain_style(declaration) {
            return false;
        }
    }
    stored.next().is_none()
}

fn is_plain_style(declaration: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"#., %-".contains(&b);
    declaration.split_once(':').is_some_and(|(property, value)| {
        has_word(STYLES, property) && !value.is_empty() && value.bytes().all(is_plain)
    })
}

/// The attributes that the filter leaves of those that were sent, but for `style`.
pub(super) fn left_of(
    seen: &Seen<'_>,
    place: Place,
    tag: &str,
    attributes: &Attributes,
) -> Attributes {
    attributes
        .iter()
        .filter(|(name, _)| *name != "style" && seen.leaves_attribute(place, tag, name))
        .map(|(name, value)| {
            let value = if is_address(name) { address(value) } else { value.clone() };
            (name.clone(), value)
        })
        .collect()
}
