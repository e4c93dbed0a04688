//! What an article's HTML refers to, and what else a person should know about it.
//!
//! Absent from here: the files (`locate.rs`) and the rewriting (`render::splice`). The
//! rule to keep: HTML is read as a browser reads it. Text, code and comments refer to
//! nothing; every other place that can hold an address is looked at, because a local
//! path that slips through is a broken post.

use std::cell::RefCell;
use std::ops::Range;

use lol_html::errors::RewritingError;
use lol_html::html_content::{Comment, Element};
use lol_html::{HtmlRewriter, Settings, doc_comments, doctype, element, text};

use addressed::{read_address, read_srcdoc, read_srcset};

use super::addresses::{self, Place, Role, Usage};
use super::captions::{Captions, Standing, Words, plain};
use super::fault::{Fault, quoted};
use super::model::Fit;
use super::reference::Path;

/// Something found at a byte of the HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) offset: usize,
    pub(super) fault: Fault,
}

/// A local file that the HTML refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundFile {
    /// The bytes that are replaced: the value without quotes, or a part of it.
    pub(super) range: Range<usize>,
    pub(super) fit: Fit,
    pub(super) path: Path,
    pub(super) usage: Usage,
    pub(super) words: Words,
    standing: Standing,
}

impl FoundFile {
    fn new(range: Range<usize>, fit: Fit, path: Path, usage: Usage) -> Self {
        let (words, standing) = (Words::default(), Standing::default());
        Self { range, fit, path, usage, words, standing }
    }
}

/// What is in a piece of HTML.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// In the order of the HTML.
    pub(super) files: Vec<FoundFile>,
    pub(super) problems: Vec<Spot>,
    pub(super) warnings: Vec<Spot>,
    has_blocks: bool,
    captions: Captions,
}

const LINE_BREAK: &str = "html_line_break";

impl Found {
    fn problem(&mut self, offset: usize, fault: Fault) {
        self.problems.push(Spot { offset, fault });
    }

    /// Tells once that this is a whole document.
    fn whole_document(&mut self, offset: usize, part: &str) {
        const CODE: &str = "html_document";
        if self.problems.iter().all(|spot| spot.fault.code != CODE) {
            let message = format!(
                "{part} belongs to a whole HTML document: keep only what is between <body> and \
                 </body>"
            );
            self.problem(offset, Fault::new(CODE, message));
        }
    }

    fn warning(&mut self, offset: usize, fault: Fault) {
        self.warnings.push(Spot { offset, fault });
    }

    /// Tells once of a line break in a paragraph, which `wpautop` makes a `<br>` (CONT-04).
    /// HTML made of blocks is spared that, so one block clears the article.
    fn line_break(&mut self, offset: usize, text: &str) {
        let inner = text.trim();
        let seen = |spot: &Spot| spot.fault.code == LINE_BREAK;
        if inner.contains('\n') && !self.has_blocks && !self.warnings.iter().any(seen) {
            let breaks = text.find(inner).unwrap_or(0) + inner.find('\n').unwrap_or(0);
            let message = "WordPress shows a line break inside a paragraph as one: put the \
                           paragraph on one line";
            self.warning(offset + breaks, Fault::new(LINE_BREAK, message));
        }
    }

    /// Tells once of each part that the site may take out.
    fn filtered(&mut self, offset: usize, part: &str) {
        let message =
            format!("{part} is taken out by WordPress unless the user has unfiltered_html");
        if !self.warnings.iter().any(|spot| spot.fault.message == message) {
            self.warning(offset, Fault::new(FILTERED, message));
        }
    }

    /// Records that the HTML is made of WordPress' blocks.
    fn found_block(&mut self) {
        self.has_blocks = true;
        self.warnings.retain(|spot| spot.fault.code != LINE_BREAK);
    }

    /// Gives each file the caption of its figure, which may come behind it.
    fn caption_files(&mut self) {
        for file in &mut self.files {
            if let Some(caption) = self.captions.of(file.standing).map(plain)
                && !caption.is_empty()
            {
                file.words.caption = caption;
            }
        }
    }

    /// Takes over what was found in a part that begins at `offset`.
    fn take_in(&mut self, part: Self, offset: usize) {
        let moved = |mut spot: Spot| {
            spot.offset += offset;
            spot
        };
        self.problems.extend(part.problems.into_iter().map(moved));
        self.warnings.extend(part.warnings.into_iter().map(moved));
        self.files.extend(part.files.into_iter().map(|mut file| {
            file.range = file.range.start + offset..file.range.end + offset;
            file
        }));
    }
}

/// Elements of a whole document. WordPress puts the body into a page of its own.
const DOCUMENT_TAGS: [&str; 5] = ["html", "head", "body", "base", "frameset"];

/// Elements that WordPress takes out for users without `unfiltered_html`: shown on 6.1,
/// 6.8 and 7.1 by `tests/it/files.rs`. Those that one of them keeps are not here.
pub(super) const FILTERED_TAGS: [&str; 20] = [
    "script", "style", "iframe", "form", "input", "select", "option", "datalist", "output",
    "embed", "picture", "source", "svg", "canvas", "template", "noscript", "link", "meta",
    "center", "marquee",
];

/// Functions of CSS with which WordPress takes the whole declaration out of a `style`
/// attribute (CONT-02): shown as [`FILTERED_TAGS`] are.
const FILTERED_FUNCTIONS: [&str; 7] = ["rgb", "rgba", "hsl", "hsla", "oklch", "blur", "image-set"];

/// Those in the text of a `style` attribute. Inside of a gradient they are kept.
fn filtered_functions(style: &str) -> impl Iterator<Item = &'static str> {
    let style = style.to_ascii_lowercase();
    FILTERED_FUNCTIONS.into_iter().filter(move |function| {
        style.split(';').filter(|declaration| !declaration.contains("gradient(")).any(
            |declaration| {
                let mut before = declaration.split('(').rev().skip(1);
                before.any(|text| {
                    let start = text.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '-');
                    text.get(start.map_or(0, |at| at + 1)..) == Some(*function)
                })
            },
        )
    })
}

/// The code of a warning about what is taken out.
pub(super) const FILTERED: &str = "html_filtered";

/// Reads HTML.
pub(super) fn read(html: &str) -> Found {
    let mut found = read_part(html, 0);
    found.files.sort_by_key(|file| file.range.start);
    found
}

/// A local path that is left in HTML whose references were rewritten. There is none, or
/// the HTML must not be sent: it would be a broken post.
#[must_use]
pub fn local_path_left(html: &str) -> Option<String> {
    let found = read(html);
    let unsupported =
        found.problems.into_iter().find(|spot| spot.fault.code == "reference_unsupported");
    let file = found.files.into_iter().next().map(|file| quoted(&file.path.path));
    file.or(unsupported.map(|spot| spot.fault.message))
}

/// Documents in documents (`srcdoc`) and the like, one in another: more is an attack.
const DEPTH_MAX: u8 = 3;

fn read_part(html: &str, depth: u8) -> Found {
    let found = RefCell::new(Found::default());
    // Where the reader was last, for an error that does not say where it is.
    let last = RefCell::new(0);
    let unread: RefCell<Vec<Range<usize>>> = RefCell::default();
    let outcome = pass(html, &found, &last, &unread, depth);
    let mut found = found.into_inner();
    if let Err(error) = outcome {
        let part = match &error {
            RewritingError::ParsingAmbiguity(_) => "the tags here are nested",
            _ => "the HTML here is written",
        };
        let message = format!(
            "{part} in a way that browsers read differently, so its images can't be found for \
             sure: correct it"
        );
        found.problem(last.into_inner(), Fault::new("html_ambiguous", message));
    }
    found.caption_files();
    // Without scripts, browsers show what is in <noscript>.
    for range in unread.into_inner() {
        let part = html.get(range.clone()).unwrap_or_default();
        if depth < DEPTH_MAX {
            found.take_in(read_part(part, depth + 1), range.start);
        } else {
            found.problem(range.start, Fault::new("html_ambiguous", "<noscript> is nested"));
        }
    }
    found
}

fn pass(
    html: &str,
    found: &RefCell<Found>,
    last: &RefCell<usize>,
    unread: &RefCell<Vec<Range<usize>>>,
    depth: u8,
) -> Result<(), RewritingError> {
    let settings = Settings::new()
        .append_document_content_handler(doctype!(|doctype| {
            let offset = doctype.source_location().bytes().start;
            found.borrow_mut().whole_document(offset, "<!DOCTYPE>");
            Ok(())
        }))
        .append_document_content_handler(doc_comments!(|comment| {
            read_comment(comment, &mut found.borrow_mut());
            Ok(())
        }))
        .append_element_content_handler(element!("*", |element| {
            *last.borrow_mut() = element.source_location().bytes().start;
            read_element(element, &mut found.borrow_mut(), depth);
            Ok(())
        }))
        .append_element_content_handler(element!("figure", |_figure| {
            found.borrow_mut().captions.figure();
            Ok(())
        }))
        .append_element_content_handler(element!("figure *", |element| {
            let offset = element.source_location().bytes().start;
            found.borrow_mut().captions.inside_figure(offset);
            Ok(())
        }))
        .append_element_content_handler(element!("figcaption", |_caption| {
            found.borrow_mut().captions.caption();
            Ok(())
        }))
        .append_element_content_handler(text!("figcaption", |chunk| {
            found.borrow_mut().captions.text(chunk.as_str());
            Ok(())
        }))
        .append_element_content_handler(text!("style", |chunk| {
            let offset = chunk.source_location().bytes().start;
            for fault in addresses::in_css(chunk.as_str(), "<style>") {
                found.borrow_mut().problem(offset, fault);
            }
            Ok(())
        }))
        .append_element_content_handler(text!("p", |chunk| {
            let offset = chunk.source_location().bytes().start;
            found.borrow_mut().line_break(offset, chunk.as_str());
            Ok(())
        }))
        .append_element_content_handler(text!("noscript", |chunk| {
            let range = chunk.source_location().bytes();
            let mut unread = unread.borrow_mut();
            match unread.last_mut() {
                Some(before) if before.end == range.start => before.end = range.end,
                _ => unread.push(range),
            }
            Ok(())
        }));
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(html.as_bytes())?;
    rewriter.end()
}

fn read_comment(comment: &Comment<'_>, found: &mut Found) {
    let offset = comment.source_location().bytes().start;
    let written = comment.text();
    let text = written.trim();
    // WordPress' own marks; they are not shown.
    if let Some(block) = text.strip_prefix("wp:") {
        found.found_block();
        for fault in addresses::in_block(block) {
            found.problem(offset, fault);
        }
        return;
    }
    let more = text == "more" || text.starts_with("more ");
    if more || text.starts_with("/wp:") || text == "nextpage" {
        return;
    }
    let message = format!("the comment {} will be in the page's source", quoted(text));
    found.warning(offset, Fault::new("html_comment", message));
}

fn read_element(element: &Element<'_, '_>, found: &mut Found, depth: u8) {
    let tag = element.tag_name();
    let start = element.source_location().bytes().start;
    if DOCUMENT_TAGS.contains(&tag.as_str()) {
        found.whole_document(start, &format!("<{tag}>"));
    }
    // A name with a hyphen is an element that the page itself defines.
    if FILTERED_TAGS.contains(&tag.as_str()) || tag.contains('-') {
        found.filtered(start, &format!("<{tag}>"));
    }
    for attribute in element.attributes() {
        let name = attribute.name();
        let written = attribute.value();
        let value = html_escape::decode_html_entities(&written).into_owned();
        let range = attribute.value_source_location().map_or(start..start, |at| at.bytes());
        let place = Place { tag: &tag, attribute: &name };
        let before = found.files.len();
        match place.role() {
            Role::File(usage) => read_address(range, &written, &value, usage, place, found),
            Role::Candidates => read_srcset(range, &written, place, found),
            Role::Other if name == "srcdoc" => read_srcdoc(range.start, &value, found, depth),
            Role::Other if name.starts_with("on") => {
                found.filtered(range.start, &format!("the attribute {name}"));
            }
            Role::Other => {
                for fault in place.faults(&value) {
                    found.problem(range.start, fault);
                }
                if name == "style" {
                    for function in filtered_functions(&value) {
                        found.filtered(range.start, &format!("{function}() in a style attribute"));
                    }
                }
            }
        }
        let standing = found.captions.standing(start);
        for file in found.files.iter_mut().skip(before) {
            (file.words, file.standing) = (Words::of(element), standing);
        }
    }
}

fn decoded(text: &str) -> String {
    html_escape::decode_html_entities(text).into_owned()
}

mod addressed;
#[cfg(test)]
mod tests;
