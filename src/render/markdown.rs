//! Markdown (`CommonMark` with tables, footnotes, strikethrough, task lists and callouts)
//! to HTML.
//!
//! Absent from here: images as files, and front matter. The rule to keep: the HTML
//! must come through WordPress' own filters unharmed. `wpautop` makes a `<br>` of
//! every line break inside a paragraph (CONT-04), shortcodes are run wherever a `[`
//! stands (CONT-05); so a paragraph is one line, and code has no plain `[`.

use std::cell::Cell;
use std::fmt::{self, Write};
use std::ops::Range;
use std::rc::Rc;

use comrak::html::{
    ChildRendering, Context, format_document, format_document_with_formatter, format_node_default,
};
use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, Options, options::Plugins};

use super::blocks::BlockState;
use super::lines::{LineMap, Mark, MarkedText};
use super::oddities::{self, Oddity};
use super::plain_marks;

/// A `[` that no shortcode begins with. WordPress writes the number with three digits
/// when it filters an author's HTML (`wp_kses_normalize_entities`), so we do at once.
const BRACKET: &str = "&#091;";

/// A Markdown body as HTML.
#[derive(Debug, Clone)]
pub struct Rendered {
    /// The HTML. References in it are as the author wrote them, percent-encoded.
    pub html: String,
    /// Where each place of the HTML comes from.
    pub lines: LineMap,
    /// What stayed text though it was hardly meant so, and its lines.
    pub oddities: Vec<(u32, Oddity)>,
    /// Where the ids of local images belong, in the order of the HTML. Only blocks name them.
    pub id_slots: Vec<IdSlot>,
}

/// A place in the HTML that waits for the id of an uploaded image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdSlot {
    /// The bytes of the placeholder, a `0`.
    pub range: Range<usize>,
    /// Where the image's address begins in the HTML: the value of its `src`.
    pub address: usize,
}

/// Renders a Markdown body whose first line is line `first_line` of its file.
#[must_use]
pub fn to_html(markdown: &str, first_line: u32) -> Rendered {
    render(markdown, first_line, format_node, BlockState::default())
}

/// Writes one node; called before and after its children.
pub(super) type Formatter = for<'a, 'b, 'c, 'd> fn(
    &'b mut Context<'c, 'd, Recorder>,
    &'a AstNode<'a>,
    bool,
) -> Result<ChildRendering, fmt::Error>;

/// Renders a body node by node.
pub(super) fn render(
    markdown: &str,
    first_line: u32,
    formatter: Formatter,
    blocks: BlockState,
) -> Rendered {
    let options = options();
    let arena = Arena::new();
    let root = comrak::parse_document(&arena, markdown, &options);
    plain_marks::replace(&arena, root);
    let written = Rc::new(Cell::new(0));
    let mut output = Output { html: String::new(), written: Rc::clone(&written) };
    let recorder = Recorder { written, marks: Vec::new(), first_line, blocks };
    let plugins = Plugins::default();
    let outcome =
        format_document_with_formatter(root, &options, &mut output, &plugins, formatter, recorder);
    // Only the writer can fail, and it writes to memory.
    let (marks, blocks) =
        outcome.map(|recorder| (recorder.marks, recorder.blocks)).unwrap_or_default();
    let mut html = output.html;
    let id_slots = blocks.finish(&mut html);
    let lines = LineMap::new(&html, marks);
    let oddities = oddities::find(root, |line| line_of(line, first_line));
    Rendered { html, lines, oddities, id_slots }
}

fn options() -> Options<'static> {
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.footnotes = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    options.extension.ofm_callouts = true;
    // The site's own rules for the user decide about raw HTML, not we.
    options.render.r#unsafe = true;
    options
}

/// A node and what is below it as plain HTML.
pub(super) fn plain<'a>(node: &'a AstNode<'a>) -> String {
    let mut html = String::new();
    // Writing to a string can't fail.
    let _ = format_document(node, &options(), &mut html);
    html
}

/// Collects the HTML and tells the recorder how much there is.
struct Output {
    html: String,
    written: Rc<Cell<usize>>,
}

/// The arrow from a footnote back to its place.
const BACK: char = '\u{21a9}';
/// What makes a sign text that is also an emoji: WordPress puts images where emoji stand.
const AS_TEXT: &str = "\u{fe0e}";

impl Output {
    /// Whether the arrow that was just written is all there is in a footnote's link.
    fn is_in_back_link(&self) -> bool {
        let tag = self.html.rsplit_once('<').map_or("", |(_, tag)| tag);
        let tag = tag.strip_suffix(BACK).and_then(|tag| tag.strip_suffix("\">"));
        tag.is_some_and(|tag| {
            tag.starts_with("a href=\"#fnref-") && tag.contains(" data-footnote-backref-idx=\"")
        })
    }
}

impl Write for Output {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for part in text.split_inclusive(BACK) {
            self.html.push_str(part);
            if part.ends_with(BACK) && self.is_in_back_link() {
                self.html.push_str(AS_TEXT);
            }
        }
        self.written.set(self.html.len());
        Ok(())
    }
}

/// Remembers which node each piece of HTML was made from.
pub(super) struct Recorder {
    written: Rc<Cell<usize>>,
    marks: Vec<Mark>,
    first_line: u32,
    /// What the writer of blocks has to know of what went before.
    pub(super) blocks: BlockState,
}

impl Recorder {
    /// How much HTML there is, in bytes.
    pub(super) fn offset(&self) -> usize {
        self.written.get()
    }

    /// Remembers that what follows comes from this node.
    pub(super) fn record(&mut self, node: &AstNode<'_>) {
        let data = node.data();
        let text = match data.value {
            NodeValue::HtmlBlock(_) | NodeValue::HtmlInline(_) => MarkedText::Verbatim,
            _ => MarkedText::Made,
        };
        let line = line_of(data.sourcepos.start.line, self.first_line);
        self.marks.push(Mark { offset: self.written.get(), line, text });
    }
}

fn line_of(line_in_body: usize, first_line: u32) -> u32 {
    let before = line_in_body.saturating_sub(1);
    first_line.saturating_add(u32::try_from(before).unwrap_or(u32::MAX))
}

/// Writes a node of an article that is plain HTML.
pub(super) fn format_node<'a>(
    context: &mut Context<'_, '_, Recorder>,
    node: &'a AstNode<'a>,
    entering: bool,
) -> Result<ChildRendering, fmt::Error> {
    if entering {
        if matches!(node.data().value, NodeValue::HtmlBlock(_)) {
            // The line break that goes before the block is not the block's first line.
            context.cr()?;
        }
        context.user.record(node);
    }
    match &node.data().value {
        NodeValue::SoftBreak if entering => context.write_str(" ")?,
        NodeValue::LineBreak if entering => context.write_str("<br />")?,
        NodeValue::Code(code) if entering => {
            context.write_str("<code>")?;
            write_code(context, &code.literal)?;
            context.write_str("</code>")?;
        }
        NodeValue::CodeBlock(block) if entering => {
            context.cr()?;
            let language = block.info.split_whitespace().next().unwrap_or("");
            if language.is_empty() {
                context.write_str("<pre><code>")?;
            } else {
                context.write_str("<pre><code class=\"language-")?;
                write_code(context, language)?;
                context.write_str("\">")?;
            }
            write_code(context, &block.literal)?;
            context.write_str("</code></pre>\n")?;
        }
        NodeValue::SoftBreak
        | NodeValue::LineBreak
        | NodeValue::Code(_)
        | NodeValue::CodeBlock(_) => {}
        _ => return format_node_default(context, node, entering),
    }
    Ok(ChildRendering::HTML)
}

/// Writes code, in which no shortcode begins.
pub(super) fn write_code(context: &mut Context<'_, '_, Recorder>, literal: &str) -> fmt::Result {
    for (index, part) in literal.split('[').enumerate() {
        if index > 0 {
            context.write_str(BRACKET)?;
        }
        context.escape(part)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(markdown: &str) -> String {
        to_html(markdown, 1).html
    }

    #[test]
    fn a_paragraph_is_one_line() {
        assert_eq!(html("one\ntwo  \nthree\\\nfour\n"), "<p>one two<br />three<br />four</p>\n");
        assert_eq!(
            html("> a\n> *b\n> c*\n"),
            "<blockquote>\n<p>a <em>b c</em></p>\n</blockquote>\n"
        );
    }

    #[test]
    fn code_keeps_its_lines_and_has_no_shortcode() {
        assert_eq!(
            html("```php x\n[caption]\n\n<b>&\n```\n\n`[gallery]` and [text]\n"),
            "<pre><code class=\"language-php\">&#091;caption]\n\n&lt;b&gt;&amp;\n</code></pre>\n\
             <p><code>&#091;gallery]</code> and [text]</p>\n"
        );
    }

    #[test]
    fn raw_html_tables_footnotes_and_strikethrough() {
        assert_eq!(
            html("<div class=\"x\">\n<b>y</b>\n</div>\n"),
            "<div class=\"x\">\n<b>y</b>\n</div>\n"
        );
        assert_eq!(html("~~a~~\n"), "<p><del>a</del></p>\n");
        assert!(html("| a |\n|---|\n| b |\n").contains("<td>b</td>"));
        assert!(html("a[^1]\n\n[^1]: note\n").contains("<li id=\"fn-1\">"));
    }

    #[test]
    fn only_the_way_back_from_a_footnote_is_no_emoji() {
        let made = html("a\u{21a9}[^1] <b>\u{21a9}</b>\n\n[^1]: note \u{21a9}\n");
        assert!(
            made.ends_with("reference 1\">\u{21a9}\u{fe0e}</a></p>\n</li>\n</ol>\n</section>\n")
        );
        assert_eq!(made.matches(AS_TEXT).count(), 1);
    }

    #[test]
    fn every_place_knows_its_line() {
        let markdown = "# t\n\n![one](a.png) text\nmore ![two](b.png)\n\n- x\n\n  <div>\n  <img src=\"c.png\">\n  </div>\n\n> y <b\n> title=\"z\"><img src=\"d.png\">\n\n[r]\n![five][ref]\n\n[ref]: e.png\n";
        let rendered = to_html(markdown, 10);
        let line = |needle: &str| rendered.lines.line(rendered.html.find(needle).unwrap());
        assert_eq!(line("a.png"), 12);
        assert_eq!(line("b.png"), 13);
        assert_eq!(line("c.png"), 18);
        assert_eq!(line("d.png"), 22);
        assert_eq!(line("e.png"), 25);
    }
}
