//! Which nodes can be no block of their own kind, and how they are written then.
//!
//! Absent from here: writing them. The rule to keep: a block of HTML holds only what a
//! browser keeps as it is (`browser`), because the editor of 6.1 calls it invalid else.

use comrak::nodes::{AstNode, NodeValue};

use super::super::browser;
use super::super::markdown::plain;
use super::super::rich_text::{self, left_open};
use super::image::lone_image;

/// Which kind of block can hold something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// A block of its own kind.
    Text,
    /// A block of HTML.
    Html,
    /// None. It stands between blocks as it is, which the editor shows in a block of its
    /// old editor.
    Loose,
}

/// How a node is written that can be no block of its own kind, and how many after it
/// belong to it.
pub(super) fn part<'a>(node: &'a AstNode<'a>) -> (Fit, usize) {
    let fit = match &node.data().value {
        NodeValue::Paragraph if lone_image(node).is_some() => Fit::Text,
        NodeValue::Paragraph | NodeValue::Heading(_) | NodeValue::Table(_) => {
            if rich_text::fits(node) { Fit::Text } else { html_fit(&plain(node)) }
        }
        // Their list has marks (`id`) that the editor's list of 6.1 drops.
        NodeValue::FootnoteDefinition(_) => footnotes_fit(node),
        NodeValue::HtmlBlock(_) => return html_part(node),
        // What is loose can't stand in a block, so the whole of it is loose.
        NodeValue::List(_) | NodeValue::BlockQuote if is_on_top(node) => {
            let loose = |inner: &'a AstNode<'a>| {
                !matches!(inner.data().value, NodeValue::List(_) | NodeValue::BlockQuote)
                    && part(inner).0 == Fit::Loose
            };
            if node.descendants().skip(1).any(loose) { Fit::Loose } else { Fit::Text }
        }
        _ => Fit::Text,
    };
    (fit, 1)
}

/// How HTML is written.
fn html_fit(html: &str) -> Fit {
    if browser::keeps(html) { Fit::Html } else { Fit::Loose }
}

/// How the list of footnotes is written that this one begins.
fn footnotes_fit<'a>(first: &'a AstNode<'a>) -> Fit {
    let is_note =
        |note: &'a AstNode<'a>| matches!(note.data().value, NodeValue::FootnoteDefinition(_));
    let notes = || std::iter::successors(Some(first), |note| note.next_sibling());
    // The parser ends the list with the article, so all that follows would stand in it.
    if !notes().all(is_note) {
        return Fit::Loose;
    }
    html_fit(&notes().flat_map(AstNode::children).map(plain).collect::<String>())
}

fn is_on_top<'a>(node: &'a AstNode<'a>) -> bool {
    node.parent().is_some_and(|parent| matches!(parent.data().value, NodeValue::Document))
}

/// How far the end of an element is looked for: more is no details or box, but tags that
/// were never closed, each of which would be looked for to the end of the article.
const SIBLINGS_MAX: usize = 100;

/// HTML that opens an element belongs together with all up to the HTML that closes it.
fn html_part<'a>(node: &'a AstNode<'a>) -> (Fit, usize) {
    let mut open = Some(Vec::new());
    for (index, sibling) in
        std::iter::successors(Some(node), |node| node.next_sibling()).take(SIBLINGS_MAX).enumerate()
    {
        if let NodeValue::HtmlBlock(block) = &sibling.data().value {
            if own_blocks(&block.literal) != (0, 0) {
                return (Fit::Text, 1);
            }
            open = open.and_then(|open| left_open(&block.literal, open));
        }
        match &open {
            Some(open) if open.is_empty() => return whole_part(node, index + 1),
            Some(_) => {}
            None => return (Fit::Loose, 1),
        }
    }
    (Fit::Loose, 1)
}

/// How HTML is written whose elements end with the last of so many nodes.
fn whole_part<'a>(node: &'a AstNode<'a>, nodes: usize) -> (Fit, usize) {
    let siblings = std::iter::successors(Some(node), |node| node.next_sibling());
    let html: String = siblings.take(nodes).map(plain).collect();
    match html_fit(&html) {
        // By itself it is a block, which `html` writes.
        Fit::Text | Fit::Html if nodes == 1 => (Fit::Text, 1),
        fit => (fit, nodes),
    }
}

/// How many blocks the author opens and closes here; one that is both is both.
pub(super) fn own_blocks(html: &str) -> (usize, usize) {
    let comments = html.split("<!--").skip(1).filter_map(|rest| rest.split_once("-->"));
    let (mut opened, mut closed) = (0, 0);
    for (comment, _) in comments {
        let comment = comment.trim();
        if comment.starts_with("wp:") {
            opened += 1;
            closed += usize::from(comment.ends_with('/'));
        } else if comment.starts_with("/wp:") {
            closed += 1;
        }
    }
    (opened, closed)
}
