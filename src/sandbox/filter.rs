//! What WordPress removes from the HTML of a user without `unfiltered_html`.
//!
//! Absent from here: who that is. The one rule: an element or attribute that is not on
//! the list goes, its text stays (facts §3).

use super::allowed_html::{TITLE, keeps_attribute, keeps_element};
use super::world::Version;

/// Where the HTML stands: a title may hold less than a post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Post,
    Title,
}

/// The HTML as it is stored.
pub(super) fn filtered(html: &str, place: Place, version: Version) -> String {
    let html = unfinished_tags_as_text(html);
    let mut out = String::with_capacity(html.len());
    let mut rest = html.as_str();
    while let Some(at) = rest.find(['<', '>']) {
        text(&mut out, &rest[..at]);
        rest = &rest[at..];
        if let Some(stray) = rest.strip_prefix('>') {
            out.push_str("&gt;");
            rest = stray;
        } else if rest.starts_with("<!--") {
            let end = rest.find("-->").map_or(rest.len(), |end| end + 3);
            let inside = rest[4..end].trim_end_matches("-->");
            if !inside.is_empty() {
                out.push_str("<!--");
                text(&mut out, inside);
                out.push_str("-->");
            }
            rest = &rest[end..];
        } else {
            let end = rest.find('>').map_or(rest.len(), |end| end + 1);
            tag(&mut out, &rest[1..end], place, version);
            rest = &rest[end..];
        }
    }
    text(&mut out, rest);
    out
}

/// A `<` that no `>` ends before the next `<` is text.
fn unfinished_tags_as_text(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest[1..].find(['<', '>']).map_or(rest.len(), |end| end + 1);
        if rest[end..].starts_with('>') {
            out.push_str(&rest[..=end]);
            rest = &rest[end + 1..];
        } else {
            let escaped = html_escape::encode_quoted_attribute(&rest[..end]).into_owned();
            out.push_str(&escaped);
            rest = &rest[end..];
        }
    }
    out + rest
}

/// Text: every `&` that begins no known entity is written as one.
fn text(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let entity = rest.split_once(';').map(|(name, _)| name).filter(|name| is_entity(name));
        out.push_str(if entity.is_some() { "&" } else { "&amp;" });
    }
    out.push_str(rest);
}

fn is_entity(name: &str) -> bool {
    let Some(number) = name.strip_prefix('#') else {
        let entity = format!("&{name};");
        return name.bytes().all(|b| b.is_ascii_alphanumeric())
            && html_escape::decode_html_entities(&entity) != entity;
    };
    match number.strip_prefix(['x', 'X']) {
        Some(hex) => (1..=6).contains(&hex.len()) && hex.bytes().all(|b| b.is_ascii_hexdigit()),
        None => (1..=7).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit()),
    }
}

/// One tag, without its `<`.
fn tag(out: &mut String, inside: &str, place: Place, version: Version) {
    let inside = inside.strip_suffix('>').unwrap_or(inside).trim_start();
    let (slash, inside) = match inside.strip_prefix('/') {
        Some(inside) => ("/", inside.trim_start()),
        None => ("", inside),
    };
    let end = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let (name, attributes) = inside.split_at(end.unwrap_or(inside.len()));
    let element = name.to_ascii_lowercase();
    let of_titles = TITLE.iter().find(|(known, _)| *known == element);
    let kept = match place {
        Place::Title => of_titles.is_some(),
        Place::Post => keeps_element(version, &element),
    };
    if !kept {
        return;
    }
    out.push('<');
    out.push_str(slash);
    out.push_str(name);
    if slash.is_empty() {
        for found in attributes_of(attributes) {
            let lower = found.name.to_ascii_lowercase();
            let kept = match place {
                Place::Title => of_titles.is_some_and(|(_, own)| own.contains(&lower.as_str())),
                Place::Post => keeps_attribute(version, &element, &lower),
            };
            if kept {
                attribute(out, &found, &lower, version);
            }
        }
        if attributes.trim_end().ends_with('/') {
            out.push_str(" /");
        }
    }
    out.push('>');
}

/// An attribute as it was found.
struct Attribute<'t> {
    name: &'t str,
    value: Option<&'t str>,
    quote: char,
}

fn attribute(out: &mut String, found: &Attribute<'_>, lower: &str, version: Version) {
    let rewritten = version > Version::V6_8;
    out.push(' ');
    out.push_str(if rewritten { lower } else { found.name });
    let Some(value) = found.value else { return };
    let takes_address = ["href", "src", "cite", "poster", "longdesc", "data"];
    let value = if takes_address.contains(&lower) { without_bad_scheme(value) } else { value };
    let quote = if rewritten { '"' } else { found.quote };
    out.push('=');
    out.push(quote);
    if rewritten {
        // Since 7.1 a value is read as a browser would, and written anew.
        for letter in html_escape::decode_html_entities(value).chars() {
            match letter {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '\'' => out.push_str("&apos;"),
                '"' => out.push_str("&quot;"),
                other => out.push(other),
            }
        }
    } else {
        text(out, value);
    }
    out.push(quote);
}

fn without_bad_scheme(value: &str) -> &str {
    const SCHEMES: &[&str] =
        &["http", "https", "ftp", "ftps", "mailto", "news", "irc", "feed", "tel", "sms", "urn"];
    match value.split_once(':') {
        Some((scheme, rest))
            if scheme.bytes().all(|b| b.is_ascii_alphanumeric())
                && !SCHEMES.contains(&scheme.to_ascii_lowercase().as_str()) =>
        {
            rest
        }
        Some(_) | None => value,
    }
}

/// The attributes of a tag: names with their values, without quotes.
fn attributes_of(text: &str) -> Vec<Attribute<'_>> {
    let mut found: Vec<Attribute<'_>> = Vec::new();
    let mut rest = text.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_ascii_whitespace() || c == '=' || c == '/');
        let (name, after) = rest.split_at(end.unwrap_or(rest.len()));
        let after = after.trim_start();
        let mut quote_kept = '"';
        let (value, after) = match after.strip_prefix('=') {
            None => (None, after),
            Some(after) => {
                let after = after.trim_start();
                let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
                let (value, after) = if let Some(quote) = quote {
                    quote_kept = quote;
                    after[1..].split_once(quote).unwrap_or((&after[1..], ""))
                } else {
                    let end = after.find(|c: char| c.is_ascii_whitespace());
                    after.split_at(end.unwrap_or(after.len()))
                };
                (Some(value), after)
            }
        };
        // Of two with one name, the first counts.
        if !name.is_empty() && !found.iter().any(|known| known.name == name) {
            found.push(Attribute { name, value, quote: quote_kept });
        }
        let next = after.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        // A sign that begins no name must not keep this from coming to an end.
        rest = if next.len() == rest.len() { &next[1..] } else { next };
    }
    found
}
