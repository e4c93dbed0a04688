//! HTML as tokens, read the way WordPress reads it.
//!
//! Absent from here: which tokens matter (`projection`). The one rule: the same reader
//! is used on both sides of a comparison. Tokens, not a tree: WordPress' filter works
//! on tokens, and a tree builder would repair the two sides differently.

use std::collections::BTreeMap;

/// The longest tag. What is longer is text on both sides, so that a text full of
/// brackets that are never closed does not take the square of its length to read.
const TAG_BYTES_MAX: usize = 32 * 1024;

/// One token. Names are lower-case, values and text have their entities decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    Text(String),
    Open(String, Attributes),
    Close(String),
    Comment(String),
    /// `<!DOCTYPE …>`, `<?php … ?>` and the like, as it stands.
    Declaration(String),
}

pub(crate) type Attributes = BTreeMap<String, String>;

/// How a `<` is told from a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As a browser does: quotes hold a tag together.
    Html,
    /// As WordPress' filter (`wp_pre_kses_less_than`, `wp_kses_split`) does: a tag ends
    /// at the first `>`, and a `<` with another `<` before it is text.
    Filter,
}

/// The tokens of some HTML, texts joined.
pub(crate) fn tokens(html: &str, reading: Reading) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        push_text(&mut tokens, &rest[..start]);
        rest = &rest[start..];
        let Some(piece) = piece(rest, reading) else {
            push_text(&mut tokens, "<");
            rest = &rest[1..];
            continue;
        };
        rest = &rest[piece.len()..];
        let token = token(piece, reading);
        let raw_text_of = match &token {
            Token::Open(name, _) if is_raw_text(name) && reading == Reading::Html => {
                Some(name.clone())
            }
            Token::Text(_)
            | Token::Open(..)
            | Token::Close(_)
            | Token::Comment(_)
            | Token::Declaration(_) => None,
        };
        tokens.push(token);
        if let Some(name) = raw_text_of {
            let end = find_close(rest, &name);
            tokens.push(Token::Text(rest[..end].to_owned()));
            rest = &rest[end..];
        }
    }
    push_text(&mut tokens, rest);
    join_texts(tokens)
}

/// Puts texts that follow each other into one, and drops empty ones.
pub(crate) fn join_texts(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        match (joined.last_mut(), token) {
            (_, Token::Text(text)) if text.is_empty() => {}
            (Some(Token::Text(before)), Token::Text(text)) => before.push_str(&text),
            (_, token) => joined.push(token),
        }
    }
    joined
}

/// A block without content is written as `<!-- wp:x /-->` or as a pair.
pub(crate) fn without_empty_blocks(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        if let (Some(Token::Comment(open)), Token::Comment(close)) = (out.last_mut(), &token)
            && let Some(name) = close.trim().strip_prefix("/wp:").map(plain_name)
            && let Some(opened) = open.trim().strip_prefix("wp:")
            && plain_name(opened.split_ascii_whitespace().next().unwrap_or(opened)) == name
            && !opened.ends_with('/')
        {
            *open = format!("{} /", open.trim_end());
            continue;
        }
        out.push(token);
    }
    out
}

/// The name of a block; `core/` goes without saying.
fn plain_name(name: &str) -> &str {
    name.strip_prefix("core/").unwrap_or(name)
}

/// A text without its entities. Numbers from 128 to 159 mean what they mean in a
/// browser; WordPress writes them so (`convert_invalid_entities`).
pub(crate) fn decoded(text: &str) -> String {
    /// Windows-1252, from 128 on; a zero where it has no character.
    const WINDOWS: &str = "€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ";
    let has_numbers = text.contains("&#");
    let text = html_escape::decode_html_entities(text);
    if !has_numbers || !text.contains(|c| matches!(c, '\u{80}'..='\u{9f}')) {
        return text.into_owned();
    }
    let meant = |c: char| match c {
        '\u{80}'..='\u{9f}' => {
            WINDOWS.chars().nth(c as usize - 0x80).filter(|c| *c != '\0').unwrap_or(c)
        }
        _ => c,
    };
    text.chars().map(meant).collect()
}

fn push_text(tokens: &mut Vec<Token>, text: &str) {
    tokens.push(Token::Text(decoded(text)));
}

fn is_raw_text(name: &str) -> bool {
    matches!(name, "script" | "style" | "textarea" | "title")
}

fn find_close(text: &str, name: &str) -> usize {
    let closing = format!("</{name}");
    text.to_ascii_lowercase().find(&closing).unwrap_or(text.len())
}

/// The tag or comment at the start of the text, from its `<` to its `>`.
fn piece(text: &str, reading: Reading) -> Option<&str> {
    let ends_at = |end: usize| Some(&text[..end]);
    if reading == Reading::Filter {
        let end = 1 + text[1..].find(['<', '>'])?;
        if text.as_bytes()[end] == b'<' {
            return None;
        }
        if let Some(inside) = text.strip_prefix("<!--") {
            return ends_at(4 + inside.find("-->").map_or(inside.len(), |at| at + 3));
        }
        return ends_at(end + 1);
    }
    if let Some(inside) = text.strip_prefix("<!--") {
        // One that never ends goes on to the end, as in a browser.
        return ends_at(4 + inside.find("-->").map_or(inside.len(), |at| at + 3));
    }
    let next = text[1..].chars().next()?;
    if !(next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')) {
        return None;
    }
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate().take(TAG_BYTES_MAX) {
        match (quote, byte) {
            (None, b'>') => return ends_at(at + 1),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            (None | Some(_), _) => {}
        }
    }
    None
}

/// What a piece is.
fn token(piece: &str, reading: Reading) -> Token {
    if let Some(inside) = piece.strip_prefix("<!--") {
        return Token::Comment(inside.strip_suffix("-->").unwrap_or(inside).to_owned());
    }
    let inside = piece.trim_start_matches('<').trim_end_matches('>').trim_start();
    let (inside, closes) = match inside.strip_prefix('/') {
        Some(inside) => (inside.trim_start(), true),
        None => (inside, false),
    };
    let is_name = |c: char| match reading {
        Reading::Html => !c.is_ascii_whitespace() && c != '/',
        Reading::Filter => c.is_ascii_alphanumeric() || c == '-',
    };
    let end = inside.find(|c| !is_name(c)).unwrap_or(inside.len());
    let (name, attributes) = inside.split_at(end);
    if !name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return Token::Declaration(piece.to_owned());
    }
    let name = name.to_ascii_lowercase();
    if closes {
        return Token::Close(name);
    }
    Token::Open(name, attributes_of(attributes))
}

/// The attributes of a tag; of two with one name the first counts. A value whose quote
/// is never closed is no attribute.
fn attributes_of(text: &str) -> Attributes {
    let mut attributes = BTreeMap::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        let end = rest
            .find(|c: char| c.is_ascii_whitespace() || matches!(c, '=' | '/'))
            .unwrap_or(rest.len());
        let name = rest[..end].to_ascii_lowercase();
        let after = rest[end..].trim_ascii_start();
        if name.is_empty() && after.is_empty() {
            return attributes;
        }
        let Some(value) = after.strip_prefix('=') else {
            rest = &rest[end..];
            attributes.entry(name).or_default();
            continue;
        };
        let value = value.trim_ascii_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, after) = if let Some(quote) = quote {
            let Some((value, after)) = value[1..].split_once(quote) else { return attributes };
            (value, after)
        } else {
            let end = value.find(|c: char| c.is_ascii_whitespace()).unwrap_or(value.len());
            value.split_at(end)
        };
        rest = after;
        if !name.is_empty() {
            attributes.entry(name).or_insert_with(|| decoded(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(name: &str, attributes: &[(&str, &str)]) -> Token {
        let attributes =
            attributes.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        Token::Open(name.to_owned(), attributes)
    }

    #[test]
    fn a_tag_is_read_however_it_is_written() {
        let expected = vec![open("a", &[("href", "x?a=1&b=2"), ("title", "q \"z\"")])];
        for html in [
            r#"<a href="x?a=1&amp;b=2" title="q &quot;z&quot;">"#,
            r#"<A HREF='x?a=1&b=2' title='q "z"'>"#,
            r#"<a title='q "z"'   href = "x?a=1&b=2" / >"#,
        ] {
            assert_eq!(tokens(html, Reading::Html), expected, "{html}");
        }
    }

    #[test]
    fn text_that_looks_like_a_tag_is_not_one() {
        let html = "1 < 2 &lt;b&gt; <3";
        assert_eq!(tokens(html, Reading::Html), [Token::Text("1 < 2 <b> <3".into())]);
        assert_eq!(tokens("a<b", Reading::Html), [Token::Text("a<b".into())]);
        assert_eq!(tokens("a <b c<i>d", Reading::Filter)[0], Token::Text("a <b c".into()));
    }

    #[test]
    fn the_filter_ends_a_tag_at_the_first_bracket() {
        let seen = tokens(r#"<img alt="a > b" src="x">"#, Reading::Filter);
        assert_eq!(seen, [open("img", &[]), Token::Text(r#" b" src="x">"#.into())]);
    }

    proptest::proptest! {
        #![proptest_config(crate::fuzzing::config(256))]

        #[test]
        fn any_text_is_read_to_its_end(text in "[<>/='\"!a-cé \\-&;:{}]{0,60}") {
            for reading in [Reading::Html, Reading::Filter] {
                let texts: usize = tokens(&text, reading)
                    .iter()
                    .map(|token| match token {
                        Token::Text(text) | Token::Comment(text) | Token::Declaration(text) => {
                            text.len()
                        },
                        Token::Open(..) | Token::Close(_) => 0,
                    })
                    .sum();
                proptest::prop_assert!(texts <= text.len());
            }
        }
    }

    #[test]
    fn scripts_are_text() {
        let seen = tokens("<script>a < b && '<p>'</SCRIPT>", Reading::Html);
        assert_eq!(seen[1], Token::Text("a < b && '<p>'".into()));
        assert_eq!(seen[2], Token::Close("script".into()));
    }
}
