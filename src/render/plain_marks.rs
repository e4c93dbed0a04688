//! Task lists and callouts in plain words, before anything is written.
//!
//! Absent from here: the Markdown that makes them. The rule to keep: what is put in their
//! place comes through every role's filters and the editor's lists; a check box, which
//! WordPress takes away from authors, does not.

use comrak::Arena;
use comrak::nodes::{Ast, AstNode, NodeList, NodeValue, Sourcepos};

/// What is done, as text: WordPress would put an image where it stands as an emoji.
const DONE: &str = "\u{2611}\u{fe0e} ";
const OPEN: &str = "\u{2610} ";

/// Puts signs in the place of check boxes, and quotes in the place of callouts.
pub(super) fn replace<'a>(arena: &'a Arena<'a>, root: &'a AstNode<'a>) {
    // All at once: whoever walks a tree must not meet a change in it.
    let nodes: Vec<&'a AstNode<'a>> = root.descendants().collect();
    for node in nodes {
        let position = node.data().sourcepos;
        let value = node.data().value.clone();
        match value {
            NodeValue::TaskItem(task) => {
                let Some(list) = node.parent().and_then(list_of) else { continue };
                node.data_mut().value = NodeValue::Item(list);
                let sign = if task.symbol.is_some() { DONE } else { OPEN };
                let sign = text(arena, sign.to_owned(), position);
                match node.first_child() {
                    Some(first) if matches!(first.data().value, NodeValue::Paragraph) => {
                        first.prepend(sign);
                    }
                    Some(_) | None => node.prepend(paragraph(arena, sign, position)),
                }
            }
            NodeValue::Callout(callout) => {
                node.data_mut().value = NodeValue::BlockQuote;
                let strong = alloc(arena, NodeValue::Strong, position);
                if let Some(title) = node.first_child().filter(|first| is_title(first)) {
                    // The parser puts the title's words in a paragraph.
                    for words in title.children().collect::<Vec<_>>() {
                        for word in words.children().collect::<Vec<_>>() {
                            strong.append(word);
                        }
                    }
                    title.detach();
                }
                if strong.first_child().is_none() {
                    strong.append(text(arena, callout.default_title(), position));
                }
                node.prepend(paragraph(arena, strong, position));
            }
            _ => {}
        }
    }
}

fn list_of<'a>(node: &'a AstNode<'a>) -> Option<NodeList> {
    match &node.data().value {
        NodeValue::List(list) => Some(*list),
        _ => None,
    }
}

fn alloc<'a>(arena: &'a Arena<'a>, value: NodeValue, position: Sourcepos) -> &'a AstNode<'a> {
    arena.alloc(AstNode::from(Ast::new_with_sourcepos(value, position)))
}

fn is_title<'a>(node: &'a AstNode<'a>) -> bool {
    matches!(node.data().value, NodeValue::CalloutTitle)
}

fn text<'a>(arena: &'a Arena<'a>, text: String, position: Sourcepos) -> &'a AstNode<'a> {
    alloc(arena, NodeValue::Text(text.into()), position)
}

fn paragraph<'a>(
    arena: &'a Arena<'a>,
    child: &'a AstNode<'a>,
    position: Sourcepos,
) -> &'a AstNode<'a> {
    let paragraph = alloc(arena, NodeValue::Paragraph, position);
    paragraph.append(child);
    paragraph
}

#[cfg(test)]
mod tests {
    use crate::render::markdown::to_html;

    #[test]
    fn tasks_and_callouts_are_plain_words() {
        for (markdown, html) in [
            (
                "- [x] a\n- [ ] b\n- [y] c\n",
                "<ul>\n<li>\u{2611}\u{fe0e} a</li>\n<li>\u{2610} b</li>\n<li>[y] c</li>\n</ul>\n",
            ),
            (
                "1. [X] a\n\n   b\n",
                "<ol>\n<li>\n<p>\u{2611}\u{fe0e} a</p>\n<p>b</p>\n</li>\n</ol>\n",
            ),
            ("[x] no list\n", "<p>[x] no list</p>\n"),
            (
                "> [!NOTE]\n> *a*\n",
                "<blockquote>\n<p><strong>Note</strong></p>\n<p><em>a</em></p>\n</blockquote>\n",
            ),
            (
                "> [!tip] Its & title\n> a\n",
                "<blockquote>\n<p><strong>Its &amp; title</strong></p>\n<p>a</p>\n</blockquote>\n",
            ),
            (
                "> [!my-kind]-\n> a\n>\n> > [!q] *b*\n",
                "<blockquote>\n<p><strong>My kind</strong></p>\n<p>a</p>\n<blockquote>\n<p><strong><em>b</em></strong></p>\n</blockquote>\n</blockquote>\n",
            ),
            ("> a\n> [!NOTE] b\n", "<blockquote>\n<p>a [!NOTE] b</p>\n</blockquote>\n"),
        ] {
            assert_eq!(to_html(markdown, 1).html, html, "{markdown}");
        }
    }

    #[test]
    fn each_place_knows_its_line() {
        let rendered = to_html("a\n\n- [x] b\n- [ ] ![c](c.png)\n\n> [!NOTE]\n> d\n", 1);
        let line = |needle: &str| rendered.lines.line(rendered.html.find(needle).unwrap());
        assert_eq!(["\u{2611}", "\u{2610}", "c.png", "Note", "d<"].map(line), [3, 4, 4, 6, 7]);
    }
}
