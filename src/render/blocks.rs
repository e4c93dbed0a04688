//! Markdown to the blocks of WordPress' editor.
//!
//! Absent from here: what an image's id is (`splice` puts it in), and what the editor's
//! rich text can hold (`rich_text`). The rule to keep: every block is valid in the
//! editors of 6.1, 6.8 and 7.1, which `scripts/blocks` asks them; what no block can hold
//! without a change goes into a block of HTML, whole.

mod image;
mod part;
mod table;
#[cfg(test)]
mod tests;

use std::fmt::{self, Write};

use comrak::html::{ChildRendering, Context};
use comrak::nodes::{AstNode, ListType, NodeCodeBlock, NodeList, NodeValue};

use super::markdown::{self, IdSlot, Recorder, Rendered, write_code};
use super::rich_text;
use image::{Title, figure, image, lone_image};
use part::{Fit, own_blocks, part};
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
    more: More,
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
    Begun(Fit),
}

/// Whether the mark for "read more" was written: the editor takes one block of it.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum More {
    #[default]
    None,
    Written,
}

impl BlockState {
    /// Closes what is still open; the places for ids, in their order.
    pub(super) fn finish(mut self, html: &mut String) -> Vec<IdSlot> {
        match self.footnotes {
            Footnotes::None | Footnotes::Begun(Fit::Text | Fit::Loose) => {}
            Footnotes::Begun(Fit::Html) => html.push_str("<!-- /wp:html -->"),
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

/// Begins a part of plain HTML, if this node needs one.
fn begin_part<'a>(context: &mut Writer<'_, '_>, node: &'a AstNode<'a>) -> fmt::Result {
    if context.user.blocks.own_blocks > 0 && matches!(node.data().value, NodeValue::HtmlBlock(_)) {
        return Ok(());
    }
    let is_footnote = matches!(node.data().value, NodeValue::FootnoteDefinition(_));
    let (fit, nodes_left) = match context.user.blocks.footnotes {
        // One list holds them all.
        Footnotes::Begun(fit) if is_footnote => (fit, 1),
        Footnotes::Begun(_) | Footnotes::None => {
            let (fit, nodes_left) = part(node);
            match fit {
                Fit::Text => return Ok(()),
                Fit::Html => begin(context, node, "html", "")?,
                Fit::Loose if node.previous_sibling().is_some() => gap(context)?,
                Fit::Loose => {}
            }
            if is_footnote {
                context.user.blocks.footnotes = Footnotes::Begun(fit);
            }
            (fit, nodes_left)
        }
    };
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
        && rich_text::fits(node)
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
    // Blocks that the author wrote are blocks already, with all HTML in them.
    if within + opened + closed > 0 {
        if node.previous_sibling().is_some() {
            gap(context)?;
        }
        context.user.record(node);
        return context.write_str(literal);
    }
    let more = match context.user.blocks.more {
        More::None => more_text(literal.trim()),
        More::Written => None,
    };
    let Some(text) = more else {
        let name = if literal.trim() == "<!--nextpage-->" { "nextpage" } else { "html" };
        begin(context, node, name, "")?;
        context.user.record(node);
        context.write_str(literal)?;
        return end(context, name);
    };
    context.user.blocks.more = More::Written;
    if text.is_empty() {
        begin(context, node, "more", "")?;
        context.write_str("<!--more-->")?;
    } else {
        begin(context, node, "more", &format!(r#"{{"customText":{}}}"#, setting(text)))?;
        // As the editor writes it, with one blank.
        write!(context, "<!--more {text}-->")?;
    }
    end(context, "more")
}

/// The words of the link to the rest of the article, if this marks where the rest begins.
fn more_text(html: &str) -> Option<&str> {
    let text = html.strip_prefix("<!--more")?.strip_suffix("-->")?;
    let is_mark = text.is_empty() || text.starts_with(' ');
    (is_mark && !text.contains("--")).then(|| text.trim())
}

/// A text as the setting of a block, in which nothing may end the comment or open a tag.
fn setting(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    let inner = json.strip_prefix('"').and_then(|json| json.strip_suffix('"')).unwrap_or_default();
    let inner = inner.replace("\\\"", "\\u0022").replace("--", "\\u002d\\u002d");
    let inner = inner.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    format!("\"{inner}\"")
}
