//! Whether a browser keeps a piece of HTML as it is written.
//!
//! Absent from here: mending it. The rule to keep: the editor of 6.1 reads a block of HTML
//! as a browser does, which ends what was left open, moves what is misplaced and adds what
//! may be left out (`<tbody>`), and calls the block invalid when that made a difference.
//! So both readings, of the tags as they stand and of the tree that they make, must agree.

mod tree;

use std::cell::RefCell;

use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{RawKind, Rawtext, Rcdata, ScriptData};
use html5ever::tokenizer::{
    Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::{Attribute, LocalName};

/// How deep elements may stand in one another: no person writes more, and each level of a
/// tree takes some of the stack.
const DEPTH_MAX: usize = 200;

/// Where the HTML ends. Private letters like these stand in no text.
const END: &str = "\u{e001}";
/// An ampersand with which no reference begins: a browser reads `&copy` as `©`, the editor
/// only `&copy;`.
const AMPERSAND: char = '\u{e000}';
/// A `<` that was written as `&lt;`: the editor takes any other for the begin of a tag.
const LESS: char = '\u{e002}';

/// What HTML says, piece by piece. Blanks count for nothing, as to the editor.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Start(LocalName, Vec<(String, String)>),
    End(LocalName),
    Word(String),
    Comment(String),
}

/// Whether a browser keeps this HTML as it is.
pub(super) fn keeps(html: &str) -> bool {
    // To a browser these are odd comments.
    if html.contains("<?") || html.contains("<![") {
        return false;
    }
    // What is not ended, a comment or a tag, would take in the mark.
    let html = format!("{html} {END}");
    let Some(written) = as_written(&html) else { return false };
    let ends = matches!(written.last(), Some(Piece::Word(word)) if word == END);
    ends && written == tree::read(&html)
}

fn unmarked(text: &str) -> String {
    text.replace(AMPERSAND, "&").replace(LESS, "<")
}

/// Adds the words of a text, of which the editor looks at nothing else.
fn push_words(pieces: &mut Vec<Piece>, text: &str) {
    pieces.extend(text.split_whitespace().map(|word| Piece::Word(unmarked(word))));
}

/// Attributes in one order, and names as HTML has them.
fn sorted(attributes: &[Attribute]) -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> = attributes
        .iter()
        .map(|one| (one.name.local.to_ascii_lowercase().to_string(), unmarked(&one.value)))
        .collect();
    pairs.sort();
    pairs
}

/// The tags as they stand; none if no tree can be like them: a tag has no partner, or names
/// an attribute twice.
fn as_written(html: &str) -> Option<Vec<Piece>> {
    let tokens = Tokenizer::new(Written::default(), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(marked(html)));
    while !matches!(tokens.feed(&input), html5ever::TokenizerResult::Done) {}
    tokens.end();
    let Written { pieces, text, open, fault } = tokens.sink;
    let mut pieces = pieces.into_inner();
    push_words(&mut pieces, &text.into_inner());
    let is_whole = open.into_inner().is_empty() && fault.into_inner().is_none();
    is_whole.then_some(pieces)
}

/// The HTML with what the editor reads in another way than a browser hidden from both.
fn marked(html: &str) -> String {
    let mut marked = String::with_capacity(html.len());
    for (index, part) in html.split('&').enumerate() {
        if index > 0 {
            let name_end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '#');
            let is_reference = name_end.is_some_and(|end| end > 0 && part[end..].starts_with(';'));
            marked.push(if is_reference { '&' } else { AMPERSAND });
        }
        marked.push_str(part);
    }
    marked.replace("&lt;", LESS.encode_utf8(&mut [0; 4]))
}

/// Collects the tags as they stand.
#[derive(Default)]
struct Written {
    pieces: RefCell<Vec<Piece>>,
    text: RefCell<String>,
    /// The elements that are open.
    open: RefCell<Vec<LocalName>>,
    fault: RefCell<Option<Fault>>,
}

/// Something that no tree can show as it stands.
enum Fault {
    Partner,
    Twice,
    Deep,
    Less,
}

impl Written {
    fn push(&self, piece: Piece) {
        let mut pieces = self.pieces.borrow_mut();
        push_words(&mut pieces, &self.text.take());
        pieces.push(piece);
    }

    fn text(&self, text: &str) {
        let open = self.open.borrow();
        let raw = open.last().and_then(|name| raw_kind(name));
        if text.contains('<') && matches!(raw, None | Some(Rcdata)) {
            self.fault.replace(Some(Fault::Less));
        }
        self.text.borrow_mut().push_str(text);
    }

    fn tag(&self, tag: &Tag) -> TokenSinkResult<()> {
        let mut open = self.open.borrow_mut();
        if tag.kind == TagKind::EndTag {
            if open.pop().as_ref() != Some(&tag.name) {
                self.fault.replace(Some(Fault::Partner));
            }
            self.push(Piece::End(tag.name.clone()));
            return TokenSinkResult::Continue;
        }
        if tag.had_duplicate_attributes {
            self.fault.replace(Some(Fault::Twice));
        }
        self.push(Piece::Start(tag.name.clone(), sorted(&tag.attrs)));
        if tag.self_closing || tree::VOID.contains(&tag.name.as_ref()) {
            self.push(Piece::End(tag.name.clone()));
            return TokenSinkResult::Continue;
        }
        open.push(tag.name.clone());
        if open.len() > DEPTH_MAX {
            self.fault.replace(Some(Fault::Deep));
        }
        raw_kind(&tag.name).map_or(TokenSinkResult::Continue, TokenSinkResult::RawData)
    }
}

/// How the content of an element is read that holds no tags.
fn raw_kind(name: &str) -> Option<RawKind> {
    match name {
        "script" => Some(ScriptData),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" => Some(Rawtext),
        "textarea" | "title" => Some(Rcdata),
        _ => None,
    }
}

impl TokenSink for Written {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) => return self.tag(&tag),
            Token::CommentToken(text) => self.push(Piece::Comment(unmarked(&text))),
            Token::CharacterTokens(text) => self.text(&text),
            // The tree has neither, so that the readings differ.
            Token::DoctypeToken(_) => self.push(Piece::Word("<!DOCTYPE>".to_owned())),
            Token::NullCharacterToken => self.push(Piece::Word("\0".to_owned())),
            Token::EOFToken | Token::ParseError(_) => {}
        }
        TokenSinkResult::Continue
    }
}

#[cfg(test)]
mod tests {
    use super::keeps;

    #[test]
    fn a_browser_keeps_these() {
        for html in [
            "",
            "text & more &lt; less",
            "<div class=\"x\" onclick=\"x()\">\n<p>Raw & <b>html</b></p>\n</div>",
            "<P>Upper <SPAN>case</SPAN> <a HREF=x>y</a></P>",
            "<img src=\"a.png\"><br/><hr />",
            "<table><thead><tr><th>a</th></tr></thead><tbody>\n<tr><td>b</td></tr></tbody></table>",
            "<table><caption>x</caption><colgroup><col></colgroup><tbody><tr><td></td></tr></tbody></table>",
            "<pre>\nkeep\n\n  this\n</pre>",
            "<!-- a comment & more -- &amp; -->",
            "<details><summary>More</summary><p>x</p></details>",
            "<ul>\n<li>a\n<ul><li>b</li></ul></li>\n</ul>",
            "<script async>if (a<b && c&amp;d) { '<p>' }</script><style>a > b {}</style>",
            "<iframe src=\"x\" allowfullscreen></iframe>",
            "<p><video controls><source src=\"x\"></video></p>",
            "<svg viewBox=\"0 0 2 2\"><circle r=\"1\"/></svg>",
            "<a href=\"?a=1&copy=2\">&copy; &mdash; &#x1F600; &nosuch;</a>",
            "<textarea>\nb</textarea><input type=\"checkbox\" checked>",
            "<template><tr><td>x</td></tr></template>",
            "<noscript><p>x</p></noscript>",
        ] {
            assert!(keeps(html), "{html}");
        }
    }

    #[test]
    fn a_browser_changes_these() {
        for html in [
            "<table><tr><td>no body</td></tr></table>",
            "<table><col><tbody></tbody></table>",
            "<table><tbody><tr><p>moved</p></tr></tbody></table>",
            "<p>open",
            "<p>one<p>two</p>",
            "</p>",
            "</div>",
            "<ul><li>a<li>b</ul>",
            "<p>a <div>block</div> in text</p>",
            "<b>crossing <i>x</b></i>",
            "<a href=\"x\">a <a href=\"y\">b</a></a>",
            "<td>alone</td>",
            "<html><body><p>x</p></body></html>",
            "<!DOCTYPE html><p>x</p>",
            "<div/>text",
            "<image src=\"x\">",
            "<b id=\"x\" id=\"y\">z</b>",
            "&copy 2026",
            "<?php echo 1 ?>",
            "<![CDATA[x]]>",
            "<h1>a<h2>b</h2></h1>",
            "<button>a<button>b</button></button>",
            "<p>a < b</p>",
            "<textarea><b></textarea>",
            "<!-- open",
            "<br class=\"open",
            "<script>open",
            "<plaintext>",
            "nul\0",
            &"<div>".repeat(10_000),
            &("<div>".repeat(10_000) + &"</div>".repeat(10_000)),
            &"<b></x>".repeat(10_000),
        ] {
            assert!(!keeps(html), "{html}");
        }
    }
}
