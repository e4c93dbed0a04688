//! Whether a stored post says what was sent.
//!
//! Absent from here: the other fields (`differences`). The one rule: both sides go
//! through the same projection, which undoes what WordPress itself does on save and
//! nothing else. Where it is unsure it says "differs", and a person looks.
//!
//! What WordPress does (seen with thirty bodies and twenty titles as administrator and
//! author on 6.1, 6.8 and 7.1; `fixtures/answers/stored-texts.json` holds them): titles
//! are trimmed; 6.1 adds `rel="noopener"` to links with a target and rewrites their
//! quotes; 6.8 and later write the JSON of block comments anew; for a user without
//! `unfiltered_html` tags and attributes that are not allowed go, text is escaped, and
//! 7.1 rewrites every tag. Databases without four-byte characters store them as
//! entities (case CONT-07).

use std::collections::BTreeMap;

use serde_json::Value;

use super::markup::{Reading, Token, decoded, join_texts, tokens};
use crate::protocol::kinds::ContentFilter;

/// Whether two bodies (or excerpts) say the same.
pub(crate) fn same_content(sent: &str, stored: &str, filter: ContentFilter) -> bool {
    let (sent, stored) = (newlines(sent), newlines(stored));
    sent == stored || body(&sent, filter) == body(&stored, filter)
}

/// Whether two titles say the same.
pub(crate) fn same_title(sent: &str, stored: &str, filter: ContentFilter) -> bool {
    let (sent, stored) = (newlines(sent), newlines(stored));
    let (sent, stored) = (sent.trim(), stored.trim());
    sent == stored || title(sent, filter) == title(stored, filter)
}

fn newlines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

fn body(html: &str, filter: ContentFilter) -> Vec<Token> {
    match filter {
        ContentFilter::Off => settled(tokens(html, Reading::Html), filter),
        ContentFilter::On => {
            let read = tokens(&without_controls(html), Reading::Filter);
            settled(sieved(read, &BODY_TAGS), filter)
        }
    }
}

fn title(html: &str, filter: ContentFilter) -> Vec<Token> {
    match filter {
        ContentFilter::Off => settled(tokens(html, Reading::Html), filter),
        ContentFilter::On => {
            let read = tokens(&without_controls(html), Reading::Filter);
            settled(sieved(read, &TITLE_TAGS), filter)
        }
    }
}

/// `wp_kses_no_null` removes these before anything else.
fn without_controls(text: &str) -> String {
    text.replace(|c| matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}'), "")
}

/// Tags that the filter lets through in bodies, on every version tried.
#[rustfmt::skip]
const BODY_TAGS: [&str; 78] = [
    "a", "abbr", "acronym", "address", "article", "aside", "audio", "b", "bdo", "big",
    "blockquote", "br", "button", "caption", "cite", "code", "col", "colgroup", "dd", "del",
    "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "font", "footer",
    "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "i", "img", "ins", "kbd",
    "label", "li", "main", "mark", "nav", "ol", "p", "pre", "q", "rp", "rt", "ruby", "s",
    "samp", "section", "small", "span", "strike", "strong", "sub", "summary", "sup", "table",
    "tbody", "td", "tfoot", "th", "thead", "tr", "track", "tt", "u", "ul", "var", "video",
];
/// Tags that the filter lets through in titles (`wp_kses_data`).
#[rustfmt::skip]
const TITLE_TAGS: [&str; 14] = [
    "a", "abbr", "acronym", "b", "blockquote", "cite", "code", "del", "em", "i", "q", "s",
    "strike", "strong",
];

/// Keeps what the filter lets through for certain. What it lets through on some
/// versions only is dropped on both sides.
fn sieved(tokens: Vec<Token>, tags: &[&str]) -> Vec<Token> {
    let passes = |name: &str| tags.contains(&name);
    tokens
        .into_iter()
        .filter_map(|token| match token {
            Token::Open(name, attributes) if passes(&name) => {
                let attributes = sieved_attributes(&name, attributes);
                Some(Token::Open(name, attributes))
            }
            Token::Close(name) if passes(&name) => Some(Token::Close(name)),
            Token::Open(..) | Token::Close(_) => None,
            Token::Text(_) | Token::Comment(_) => Some(token),
        })
        .collect()
}

fn sieved_attributes(tag: &str, attributes: BTreeMap<String, String>) -> BTreeMap<String, String> {
    attributes
        .into_iter()
        .filter(|(name, _)| attribute_passes(tag, name))
        .map(|(name, value)| {
            let value = if is_address(&name) { address(&value) } else { value };
            (name, value)
        })
        .collect()
}

fn attribute_passes(tag: &str, name: &str) -> bool {
    if matches!(name, "class" | "id" | "title" | "role" | "lang" | "dir" | "aria-label")
        || name.starts_with("data-")
    {
        return true;
    }
    let own: &[&str] = match tag {
        "a" => &["href", "rel", "target", "name"],
        "img" => &["src", "alt", "width", "height", "align"],
        "video" => &["src", "poster", "width", "height"],
        "audio" => &["src"],
        "track" => &["src", "kind", "label", "srclang"],
        "td" | "th" => &["colspan", "rowspan", "align", "scope"],
        "ol" => &["start", "type"],
        "li" => &["value"],
        "col" | "colgroup" => &["span"],
        "blockquote" | "q" => &["cite"],
        "del" | "ins" => &["datetime"],
        "font" => &["color", "size", "face"],
        _ => &[],
    };
    own.contains(&name)
}

fn is_address(name: &str) -> bool {
    matches!(name, "href" | "src" | "poster" | "cite")
}

/// `wp_kses_bad_protocol`: the scheme in lower case, and without one that is not
/// allowed.
fn address(value: &str) -> String {
    const ALLOWED: [&str; 21] = [
        "http", "https", "ftp", "ftps", "mailto", "news", "irc", "irc6", "ircs", "gopher", "nntp",
        "feed", "telnet", "mms", "rtsp", "sms", "svn", "tel", "fax", "xmpp", "webcal",
    ];
    let value = value.trim();
    let Some((scheme, rest)) = value.split_once(':') else { return value.to_owned() };
    let is_scheme = !scheme.is_empty() && scheme.bytes().all(|b| b.is_ascii_alphanumeric());
    let lower = scheme.to_ascii_lowercase();
    if !is_scheme {
        value.to_owned()
    } else if ALLOWED.contains(&lower.as_str()) {
        format!("{lower}:{rest}")
    } else {
        rest.trim().to_owned()
    }
}

/// Undoes what is done to everybody's text: `noopener`, and block comments.
fn settled(tokens: Vec<Token>, filter: ContentFilter) -> Vec<Token> {
    let settled = tokens
        .into_iter()
        .map(|token| match token {
            Token::Open(name, attributes) if name == "a" => {
                Token::Open(name, without_noopener(attributes))
            }
            Token::Comment(text) => Token::Comment(comment(&text, filter)),
            Token::Text(_) | Token::Open(..) | Token::Close(_) => token,
        })
        .collect();
    join_texts(without_empty_blocks(settled))
}

fn without_noopener(mut attributes: BTreeMap<String, String>) -> BTreeMap<String, String> {
    if let Some(rel) = attributes.remove("rel") {
        let words: Vec<&str> =
            rel.split_ascii_whitespace().filter(|word| *word != "noopener").collect();
        if !words.is_empty() {
            attributes.insert("rel".to_owned(), words.join(" "));
        }
    }
    attributes
}

/// A comment in one form: a block's name and its JSON with keys in order, other
/// comments without what the filter changes in them.
fn comment(text: &str, filter: ContentFilter) -> String {
    let trimmed = text.trim();
    let (inside, ending) = match trimmed.strip_suffix('/') {
        Some(inside) => (inside.trim_end(), " /"),
        None => (trimmed, ""),
    };
    let block = inside.strip_prefix("wp:").or_else(|| inside.strip_prefix("/wp:"));
    let Some(block) = block else {
        return match filter {
            ContentFilter::Off => text.to_owned(),
            ContentFilter::On => single_dashes(&decoded(text)),
        };
    };
    let slash = if inside.starts_with('/') { "/" } else { "" };
    let (name, json) = block.split_once(char::is_whitespace).unwrap_or((block, ""));
    let name = name.strip_prefix("core/").unwrap_or(name);
    let json = match serde_json::from_str::<Value>(json.trim()) {
        Ok(value) if value.as_object().is_some_and(serde_json::Map::is_empty) => String::new(),
        Ok(value) => in_order(&value, filter),
        Err(_) => json.trim().to_owned(),
    };
    format!("{slash}wp:{name} {json}{ending}")
}

/// In a comment the filter makes one dash of several, and none at the end.
fn single_dashes(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        if character != '-' || !out.ends_with('-') {
            out.push(character);
        }
    }
    out.strip_suffix('-').map(str::to_owned).unwrap_or(out)
}

/// JSON with its keys in order; strings as the filter would leave them.
fn in_order(value: &Value, filter: ContentFilter) -> String {
    match value {
        Value::Object(map) => {
            let sorted: BTreeMap<&String, String> =
                map.iter().map(|(key, value)| (key, in_order(value, filter))).collect();
            format!("{sorted:?}")
        }
        Value::Array(items) => {
            format!("{:?}", items.iter().map(|item| in_order(item, filter)).collect::<Vec<_>>())
        }
        Value::String(text) if filter == ContentFilter::On => {
            format!("{:?}", body(text, filter))
        }
        Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => value.to_string(),
    }
}

/// A block without content is written as `<!-- wp:x /-->` or as a pair.
fn without_empty_blocks(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        if let (Some(Token::Comment(open)), Token::Comment(close)) = (out.last_mut(), &token)
            && let Some(name) = close.strip_prefix("/wp:")
            && open
                .split_once(' ')
                .is_some_and(|(opened, _)| opened == format!("wp:{}", name.trim()))
            && !open.ends_with(" /")
        {
            open.push_str(" /");
            continue;
        }
        out.push(token);
    }
    out
}
