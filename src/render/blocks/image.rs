//! Images in blocks: one alone in its paragraph, and those in text.
//!
//! Absent from here: addresses and ids of the site, which are put in later. The rule to
//! keep: each place that waits for an id is told, with the address that it belongs to.

use std::fmt::{self, Write};

use comrak::html::escape_href;
use comrak::nodes::{AstNode, NodeLink, NodeValue};

use super::super::markdown::IdSlot;
use super::{Writer, begin, end};

/// An image that is all there is in a paragraph.
#[derive(Clone, Copy)]
pub(super) struct Picture<'a> {
    image: &'a AstNode<'a>,
    /// The link around it.
    link: Option<&'a AstNode<'a>>,
}

pub(super) fn lone_image<'a>(paragraph: &'a AstNode<'a>) -> Option<Picture<'a>> {
    let only =
        |node: &'a AstNode<'a>| node.first_child().filter(|child| child.next_sibling().is_none());
    let child = only(paragraph)?;
    match &child.data().value {
        NodeValue::Image(_) => Some(Picture { image: child, link: None }),
        // The block of an image can't keep the title of a link.
        NodeValue::Link(link) if link.title.is_empty() => only(child)
            .filter(|image| matches!(image.data().value, NodeValue::Image(_)))
            .map(|image| Picture { image, link: Some(child) }),
        _ => None,
    }
}

/// Writes the block of an image; its title is the caption.
pub(super) fn figure<'a>(
    context: &mut Writer<'_, '_>,
    node: &'a AstNode<'a>,
    Picture { image: picture, link }: Picture<'a>,
) -> fmt::Result {
    let data = picture.data();
    let NodeValue::Image(target) = &data.value else { return Ok(()) };
    let destination = if link.is_some() { "custom" } else { "none" };
    let local = is_local(context, target);
    let slot = if local {
        let settings = format!(r#"{{"id":0,"sizeSlug":"full","linkDestination":"{destination}"}}"#);
        begin(context, node, "image", &settings)?;
        // The settings end five bytes before what comes now: ` -->` and a line break.
        let start = context.user.offset() - " -->\n".len() - settings.len() + r#"{"id":"#.len();
        context.write_str("<figure class=\"wp-block-image size-full\">")?;
        Some(start..start + 1)
    } else {
        begin(context, node, "image", &format!(r#"{{"linkDestination":"{destination}"}}"#))?;
        context.write_str("<figure class=\"wp-block-image\">")?;
        None
    };
    if let Some(NodeValue::Link(link)) = link.map(|link| link.data().value.clone()) {
        context.write_str("<a href=\"")?;
        context.escape_href(&link.url)?;
        context.write_str("\">")?;
    }
    let address = image(context, picture, target, Title::Elsewhere)?;
    if link.is_some() {
        context.write_str("</a>")?;
    }
    context.user.blocks.id_slots.extend(slot.map(|range| IdSlot { range, address }));
    if !target.title.is_empty() {
        context.write_str("<figcaption class=\"wp-element-caption\">")?;
        context.escape(&target.title)?;
        context.write_str("</figcaption>")?;
    }
    context.write_str("</figure>")?;
    end(context, "image")
}

/// Where an image's title goes.
#[derive(Clone, Copy)]
pub(super) enum Title {
    Attribute,
    Elsewhere,
}

/// Writes `<img>`; where its address begins.
pub(super) fn image<'a>(
    context: &mut Writer<'_, '_>,
    node: &'a AstNode<'a>,
    target: &NodeLink,
    title: Title,
) -> Result<usize, fmt::Error> {
    context.write_str("<img src=\"")?;
    let address = context.user.offset();
    context.escape_href(&target.url)?;
    context.write_str("\" alt=\"")?;
    context.escape(&alt_text(node))?;
    context.write_str("\"")?;
    if is_local(context, target) {
        context.write_str(" class=\"wp-image-")?;
        let start = context.user.offset();
        context.user.blocks.id_slots.push(IdSlot { range: start..start + 1, address });
        context.write_str("0\"")?;
    }
    match title {
        Title::Attribute if !target.title.is_empty() => {
            context.write_str(" title=\"")?;
            context.escape(&target.title)?;
            context.write_str("\"")?;
        }
        Title::Attribute | Title::Elsewhere => {}
    }
    context.write_str("/>")?;
    Ok(address)
}

fn is_local(context: &Writer<'_, '_>, target: &NodeLink) -> bool {
    // Asked about what will stand in the HTML, as the reader of the HTML is.
    let mut written = String::new();
    let written = match escape_href(&mut written, &target.url, false) {
        Ok(()) => html_escape::decode_html_entities(&written),
        Err(fmt::Error) => return false,
    };
    context.user.blocks.is_local.is_some_and(|is_local| is_local(&written))
}

fn alt_text<'a>(image: &'a AstNode<'a>) -> String {
    let mut text = String::new();
    for node in image.descendants() {
        match &node.data().value {
            NodeValue::Text(part) => text.push_str(part),
            NodeValue::Code(code) => text.push_str(&code.literal),
            NodeValue::HtmlInline(html) => text.push_str(html),
            NodeValue::SoftBreak | NodeValue::LineBreak => text.push(' '),
            _ => {}
        }
    }
    text
}
