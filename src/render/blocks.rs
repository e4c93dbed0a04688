//! Markdown to the blocks of WordPress' editor.
//!
//! Absent from here: what an image's id is (`splice` puts it in), and what the editor's
//! rich text can hold (`rich_text`). The rule to keep: every block is valid in the
//! editors of 6.1, 6.8 and 7.1, which `scripts/blocks` asks them; what no block can hold
//! without a change goes into a block of HTML, whole.

mod image;
mod table;
#[cfg(test)]
mod tests;

use std::fmt::{self, Write};

use comrak::html::{ChildRendering, Context};
use comrak::nodes::{AstNode, ListType, NodeCodeBlock, NodeList, NodeValue};

use super::markdown::{self, IdSlot, Recorder, Rendered, write_code};
use super::rich_text::{Fit, fit, left_open};
use image::{Title, figure, image, lone_image};
use table::table;

type Writer<'o, 'c> = Context<'o, 'c, Recorder>;

/// Says of an image's address whether it means a file that will be uploaded.
pub type IsLocal = fn(&str) -> bool;

/// Renders a Markdown body, whose first line is line `first_line` of its file, as blocks.
#[must_use]
pub fn to_blocks(markdown: &str, first_line: u32, is_local: IsLocal) -> Rendered {
    let state = BlockState { is_local: Some(is_local), ..BlockState::default() };
    markdown::render(markdown, first_line, format_node, state)
}

/// What the writer of blocks has to know of what went before.
#[derive(Default)]
pub(super) struct BlockState {
    is_local: Option<IsLocal>,
    id_slots: Vec<IdSlot>,
    /// The part that is written as plain HTML, if we are in one.
    part: Option<Part>,
    /// Which cell of its row comes next.
    cell: usize,
    footnotes: Footnotes,
    /// How many blocks are open that the author wrote.
    own_blocks: usize,
}

/// Nodes that follow one another and are written as plain HTML.
struct Part {
    fit: Fit,
    /// How many of them are not yet written to their end.
    nodes_left: usize,
    /// How deep we are in one of them; 0 is between two.
    depth: usize,
}

/// Whether the footnotes' list, which the parser puts last and closes late, was begun.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Footnotes {
    #[default]
    None,
    Begun,
}

impl BlockState {
    /// Closes what is still open; the places for ids, in their order.
    pub(super) fn finish(mut self, html: &mut String) -> Vec<IdSlot> {
        match self.footnotes {
            Footnotes::None => {}
            Footnotes::Begun => html.push_str("<!-- /wp:html -->"),
        }
        if self.is_local.is_some() && !html.is_empty() && !html.ends_with('\n') {
            html.push('\n');
        }
        self.id_slots.sort_by_key(|slot| slot.range.start);
        self.id_slots
    }
}

fn format_node<'a>(
    context: &mut Writer<'_, '_>,
    node: &'a AstNode<'a>,
    entering: bool,
) -> Result<ChildRendering, fmt::Error> {
    if context.user.blocks.part.is_none() && entering {
        begin_part(context, node)?;
    }
    if context.user.blocks.part.is_some() {
        return in_part(context, node, entering);
    }
    let data = node.data();
    match &data.value {
        NodeValue::Paragraph => return paragraph(context, node, entering),
        NodeValue::Heading(heading) => {
            let level = heading.level;
            if entering {
                // 2 is what the editor takes a heading for that names no level.
                let settings =
                    if level == 2 { String::new() } else { format!(r#"{{"level":{level}}}"#) };
                begin(context, node, "heading", &settings)?;
                write!(context, "<h{level} class=\"wp-block-heading\">")?;
            } else {
                write!(context, "</h{level}>")?;
                end(context, "heading")?;
            }
        }
        NodeValue::List(list) => write_list(context, node, list, entering)?,
        NodeValue::Item(_) if entering => {
            begin(context, node, "list-item", "")?;
            context.write_str("<li>")?;
        }
        NodeValue::Item(_) => {
            context.write_str("</li>")?;
            end(context, "list-item")?;
        }
        NodeValue::BlockQuote if entering => {
            begin(context, node, "quote", "")?;
            context.write_str("<blockquote class=\"wp-block-quote\">")?;
        }
        NodeValue::BlockQuote => {
            context.write_str("</blockquote>")?;
            end(context, "quote")?;
        }
        NodeValue::CodeBlock(block) if entering => code(context, node, block)?,
        NodeValue::ThematicBreak if entering => {
            begin(context, node, "separator", "")?;
            context.write_str("<hr class=\"wp-block-separator has-alpha-channel-opacity\"/>")?;
            end(context, "separator")?;
        }
        NodeValue::HtmlBlock(block) if entering => html(context, node, &block.literal)?,
        NodeValue::Table(_) | NodeValue::TableRow(_) | NodeValue::TableCell => {
            table(context, node, entering)?;
        }
        NodeValue::Image(link) if entering => {
            context.user.record(node);
            image(context, node, link, Title::Attribute)?;
            return Ok(ChildRendering::Skip);
        }
        NodeValue::CodeBlock(_)
        | NodeValue::ThematicBreak
        | NodeValue::HtmlBlock(_)
        | NodeValue::Image(_) => {}
        _ => return markdown::format_node(context, node, entering),
    }
    Ok(ChildRendering::HTML)
}

/// How a node is written that can be no block of its own kind, and how many after it
/// belong to it.
fn part<'a>(node: &'a AstNode<'a>) -> (Fit, usize) {
    let fit = match &node.data().value {
        NodeValue::Paragraph if lone_image(node).is_some() => Fit::Text,
        NodeValue::Paragraph | NodeValue::Heading(_) | NodeValue::Table(_) => fit(node),
        // Their list has marks (`id`) that the editor's list of 6.1 drops.
        NodeValue::FootnoteDefinition(_) => Fit::Html,
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
            // By itself it is a block, which `html` writes.
            Some(open) if open.is_empty() && index == 0 => return (Fit::Text, 1),
            Some(open) if open.is_empty() => return (Fit::Html, index + 1),
            Some(_) => {}
            None => return (Fit::Loose, 1),
        }
    }
    (Fit::Loose, 1)
}

/// Begins a part of plain HTML, if this node needs one.
fn begin_part<'a>(context: &mut Writer<'_, '_>, node: &'a AstNode<'a>) -> fmt::Result {
    if context.user.blocks.own_blocks > 0 && matches!(node.data().value, NodeValue::HtmlBlock(_)) {
        return Ok(());
    }
    let (fit, nodes_left) = part(node);
    let footnote = matches!(node.data().value, NodeValue::FootnoteDefinition(_));
    match fit {
        Fit::Text => return Ok(()),
        Fit::Html if footnote && context.user.blocks.footnotes == Footnotes::Begun => {}
        Fit::Html => begin(context, node, "html", "")?,
        Fit::Loose if node.previous_sibling().is_some() => gap(context)?,
        Fit::Loose => {}
    }
    if footnote {
        context.user.blocks.footnotes = Footnotes::Begun;
    }
    context.user.blocks.part = Some(Part { fit, nodes_left, depth: 0 });
    Ok(())
}

/// Writes a node of a part of plain HTML, and ends the part after its last.
fn in_part<'a>(
    context: &mut Writer<'_, '_>,
    node: &'a AstNode<'a>,
    entering: bool,
) -> Result<ChildRendering, fmt::Error> {
    let rendering = markdown::format_node(context, node, entering)?;
    let Some(part) = &mut context.user.blocks.part else { return Ok(rendering) };
    if entering {
        part.depth += 1;
        return Ok(rendering);
    }
    part.depth -= 1;
    if part.depth == 0 {
        part.nodes_left -= 1;
        if part.nodes_left == 0 {
            let fit = part.fit;
            context.user.blocks.part = None;
            // The list of footnotes ends after the last of them.
            if fit == Fit::Html && !matches!(node.data().value, NodeValue::FootnoteDefinition(_)) {
                end(context, "html")?;
            }
        }
    }
    Ok(rendering)
}

/// Writes what goes before a block. `settings` is JSON, or empty.
fn begin<'a>(
    context: &mut Writer<'_, '_>,
    node: &'a AstNode<'a>,
    name: &str,
    settings: &str,
) -> fmt::Result {
    if node.previous_sibling().is_some_and(|before| !is_item_text(before)) {
        gap(context)?;
    }
    context.user.record(node);
    write!(context, "<!-- wp:{name} ")?;
    if !settings.is_empty() {
        write!(context, "{settings} ")?;
    }
    context.write_str("-->\n")
}

/// Leaves a line free, as the editor does between blocks.
fn gap(context: &mut Writer<'_, '_>) -> fmt::Result {
    context.cr()?;
    context.write_str("\n")
}

fn end(context: &mut Writer<'_, '_>, name: &str) -> fmt::Result {
    context.cr()?;
    write!(context, "<!-- /wp:{name} -->")
}

/// Whether a node is the text of a list's item, which stands in it as it is.
fn is_item_text<'a>(node: &'a AstNode<'a>) -> bool {
    let in_item = node.parent().is_some_and(|p| matches!(p.data().value, NodeValue::Item(_)));
    in_item
        && node.previous_sibling().is_none()
        && matches!(node.data().value, NodeValue::Paragraph)
        && fit(node) == Fit::Text
}

fn paragraph<'a>(
    context: &mut Writer<'_, '_>,
    node: &'a AstNode<'a>,
    entering: bool,
) -> Result<ChildRendering, fmt::Error> {
    if is_item_text(node) {
        if entering {
            context.user.record(node);
        }
        return Ok(ChildRendering::HTML);
    }
    match (lone_image(node), entering) {
        (Some(picture), true) => {
            figure(context, node, picture)?;
            return Ok(ChildRendering::Skip);
        }
        (Some(_), false) => {}
        (None, true) => {
            begin(context, node, "paragraph", "")?;
            context.write_str("<p>")?;
        }
        (None, false) => {
            context.write_str("</p>")?;
            end(context, "paragraph")?;
        }
    }
    Ok(ChildRendering::HTML)
}

fn write_list<'a>(
    context: &mut Writer<'_, '_>,
    node: &'a AstNode<'a>,
    list: &NodeList,
    entering: bool,
) -> fmt::Result {
    let tag = match list.list_type {
        ListType::Bullet => "ul",
        ListType::Ordered => "ol",
    };
    if !entering {
        write!(context, "</{tag}>")?;
        return end(context, "list");
    }
    let (settings, start) = match (list.list_type, list.start) {
        (ListType::Bullet, _) => (String::new(), String::new()),
        (ListType::Ordered, 1) => (r#"{"ordered":true}"#.to_owned(), String::new()),
        (ListType::Ordered, start) => {
            (format!(r#"{{"ordered":true,"start":{start}}}"#), format!(" start=\"{start}\""))
        }
    };
    begin(context, node, "list", &settings)?;
    write!(context, "<{tag}{start} class=\"wp-block-list\">")
}

fn code<'a>(
    context: &mut Writer<'_, '_>,
    node: &'a AstNode<'a>,
    block: &NodeCodeBlock,
) -> fmt::Result {
    let language = block.info.split_whitespace().next().unwrap_or("");
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '#' | '+' | '-' | '.' | '_');
    if !language.is_empty() && language.chars().all(plain) {
        // Two hyphens would end the comment.
        let setting = language.replace("--", "\\u002d\\u002d");
        begin(context, node, "code", &format!(r#"{{"className":"language-{setting}"}}"#))?;
        write!(context, "<pre class=\"wp-block-code language-{language}\"><code>")?;
    } else {
        begin(context, node, "code", "")?;
        context.write_str("<pre class=\"wp-block-code\"><code>")?;
    }
    write_code(context, block.literal.strip_suffix('\n').unwrap_or(&block.literal))?;
    context.write_str("</code></pre>")?;
    end(context, "code")
}

/// Writes a block of HTML, or what the author wrote for one of WordPress' own marks.
fn html<'a>(context: &mut Writer<'_, '_>, node: &'a AstNode<'a>, literal: &str) -> fmt::Result {
    let literal = literal.trim_end_matches(['\n', '\r']);
    let within = context.user.blocks.own_blocks;
    let (opened, closed) = own_blocks(literal);
    context.user.blocks.own_blocks = (within + opened).saturating_sub(closed);
    let name = match literal.trim() {
        // Blocks that the author wrote are blocks already, with all HTML in them.
        _ if within + opened + closed > 0 => None,
        "<!--more-->" => Some("more"),
        "<!--nextpage-->" => Some("nextpage"),
        _ => Some("html"),
    };
    match name {
        Some(name) => begin(context, node, name, "")?,
        None if node.previous_sibling().is_some() => gap(context)?,
        None => {}
    }
    context.user.record(node);
    context.write_str(literal)?;
    name.map_or(Ok(()), |name| end(context, name))
}

/// How many blocks the author opens and closes here; one that is both is both.
fn own_blocks(html: &str) -> (usize, usize) {
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
