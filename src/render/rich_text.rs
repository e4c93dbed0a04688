//! What the text of a block can hold without a change.
//!
//! Absent from here: writing it. The rule to keep: the editor reads the text as a browser
//! does and writes it again; where that could give other HTML, the block would be invalid,
//! so only HTML that is certainly written back the same counts as text.

use comrak::nodes::{AstNode, NodeValue};

/// Elements that stand in text, and end where they are told to.
const PAIRED: [&str; 29] = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "i", "ins", "kbd",
    "mark", "q", "ruby", "rp", "rt", "s", "samp", "small", "span", "strong", "sub", "sup", "time",
    "u", "var",
];
/// Elements that stand in text and hold nothing.
const SINGLE: [&str; 3] = ["br", "img", "wbr"];
/// Characters that the editor uses for itself and takes out of text.
const RESERVED: [char; 2] = ['\u{feff}', '\u{fffc}'];

/// Void elements, which hold nothing anywhere.
const VOID: [&str; 13] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
];
/// Elements whose content is no HTML.
const RAW: [&str; 4] = ["script", "style", "textarea", "title"];

/// Whether the text of a block can hold the text in and below a node.
pub(super) fn fits<'a>(node: &'a AstNode<'a>) -> bool {
    let (mut links, mut written_links) = (false, false);
    for inner in node.descendants() {
        match &inner.data().value {
            NodeValue::Text(text) if text.contains(RESERVED) => return false,
            NodeValue::Code(code) if code.literal.contains(RESERVED) => return false,
            NodeValue::Link(_) | NodeValue::FootnoteReference(_) => links = true,
            NodeValue::HtmlInline(html) => written_links |= html.starts_with("<a"),
            _ => {}
        }
        if !matches!(inner.data().value, NodeValue::Image(_)) && !children_fit(inner) {
            return false;
        }
    }
    // A link in a link ends the outer one.
    !(links && written_links)
}

/// Whether each tag among the children has its partner among them.
fn children_fit<'a>(node: &'a AstNode<'a>) -> bool {
    let mut open: Vec<String> = Vec::new();
    for child in node.children() {
        let NodeValue::HtmlInline(html) = &child.data().value else { continue };
        match tag(html) {
            Some(Tag::Single) => {}
            Some(Tag::Open(name)) if name == "a" && open.contains(&name) => return false,
            Some(Tag::Open(name)) => open.push(name),
            Some(Tag::Close(name)) if open.last() == Some(&name) => drop(open.pop()),
            Some(Tag::Close(_)) | None => return false,
        }
    }
    open.is_empty()
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Tag {
    Open(String),
    Close(String),
    Single,
}

/// Reads a tag; none if text can't hold it.
fn tag(html: &str) -> Option<Tag> {
    let inner = html.strip_prefix('<')?.strip_suffix('>')?;
    if let Some(name) = inner.strip_prefix('/') {
        let name = name.trim_end();
        return PAIRED.contains(&name).then(|| Tag::Close(name.to_owned()));
    }
    let end = inner.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inner.len());
    let (name, attributes) = inner.split_at(end);
    let closed = attributes.trim_end().ends_with('/');
    if !are_plain(attributes) {
        None
    } else if SINGLE.contains(&name) {
        Some(Tag::Single)
    } else {
        // `<b/>` does not end in HTML, though it looks so.
        (PAIRED.contains(&name) && !closed).then(|| Tag::Open(name.to_owned()))
    }
}

/// The elements that a piece of HTML leaves open after those that were open before; none
/// if it closes what is not open.
pub(super) fn left_open(html: &str, mut open: Vec<String>) -> Option<Vec<String>> {
    let mut rest = html;
    while let Some((_, after)) = rest.split_once('<') {
        rest = after;
        if let Some(comment) = after.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
            continue;
        }
        let (inner, closing) = match after.strip_prefix('/') {
            Some(inner) => (inner, true),
            None => (after, false),
        };
        let name: String = inner
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_lowercase();
        if name.is_empty() || VOID.contains(&name.as_str()) {
            continue;
        }
        let end = end_of_tag(inner);
        rest = inner.get(end..).unwrap_or_default();
        if closing {
            if open.pop() != Some(name) {
                return None;
            }
        } else if RAW.contains(&name.as_str()) {
            let lower = rest.to_ascii_lowercase();
            let end = lower.find(&format!("</{name}"))?;
            rest = rest.get(end + 1..).unwrap_or_default();
        } else {
            open.push(name);
        }
    }
    Some(open)
}

/// Where a tag ends; quotes can hold a `>`.
fn end_of_tag(tag: &str) -> usize {
    let mut quote = None;
    for (at, c) in tag.char_indices() {
        match (quote, c) {
            (None, '>') => return at + 1,
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None | Some(_), _) => {}
        }
    }
    tag.len()
}

/// Whether attributes are in quotes, in lower case, and none is there twice.
fn are_plain(attributes: &str) -> bool {
    let mut rest = attributes.trim().trim_end_matches('/').trim_end();
    let mut names = Vec::new();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let lower = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        if name.is_empty() || !name.bytes().all(lower) || names.contains(&name) {
            return false;
        }
        names.push(name);
        rest = after.trim_start();
        if let Some(value) = rest.strip_prefix('=') {
            let value = value.trim_start();
            let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
                return false;
            };
            let Some((_, after)) = value[1..].split_once(quote) else { return false };
            rest = after.trim_start();
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_html_leaves_open() {
        let open = |html: &str| left_open(html, Vec::new()).map(|open| open.join(" "));
        for (html, left) in [
            ("<div class='>'><p>x<br></p>", Some("div")),
            ("<!-- <div> --><hr/><B>y</b>", Some("")),
            ("<script>if (a<b) '<p>'</script>", Some("")),
            ("<details>\n<summary>More</summary>", Some("details")),
            ("a < b", Some("")),
            ("</details>", None),
            ("<b><i></b></i>", None),
        ] {
            assert_eq!(open(html).as_deref(), left, "{html}");
        }
    }

    #[test]
    fn tags() {
        let open = |name: &str| Some(Tag::Open(name.to_owned()));
        for (html, expected) in [
            ("<b>", open("b")),
            ("</kbd >", Some(Tag::Close("kbd".to_owned()))),
            ("<span class=\"A\" title='x > y' hidden>", open("span")),
            ("<br>", Some(Tag::Single)),
            ("<br />", Some(Tag::Single)),
            ("<img src=\"a.png\"/>", Some(Tag::Single)),
            ("<B>", None),
            ("<b/>", None),
            ("<div>", None),
            ("<p>", None),
            ("<a href=x>", None),
            ("<a HREF=\"x\">", None),
            ("<a href=\"x\" href=\"y\">", None),
            ("<!-- x -->", None),
            ("<?x?>", None),
        ] {
            assert_eq!(tag(html), expected, "{html}");
        }
    }
}
