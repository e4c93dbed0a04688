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

use super::addresses::{self, ImageAddress, Place};
use super::fault::{Fault, quoted};
use super::reference::Path;

/// Something found at a byte of the HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) offset: usize,
    pub(super) fault: Fault,
}

/// An `<img src>` that is local.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundImage {
    /// The bytes of the value, without quotes.
    pub(super) range: Range<usize>,
    pub(super) path: Path,
    pub(super) alt: String,
}

/// What is in a piece of HTML.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// In the order of the HTML.
    pub(super) images: Vec<FoundImage>,
    pub(super) problems: Vec<Spot>,
    pub(super) warnings: Vec<Spot>,
    has_blocks: bool,
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

    /// Records that the HTML is made of WordPress' blocks.
    fn found_block(&mut self) {
        self.has_blocks = true;
        self.warnings.retain(|spot| spot.fault.code != LINE_BREAK);
    }

    /// Takes over what was found in a part that begins at `offset`.
    fn take_in(&mut self, part: Self, offset: usize) {
        let moved = |mut spot: Spot| {
            spot.offset += offset;
            spot
        };
        self.problems.extend(part.problems.into_iter().map(moved));
        self.warnings.extend(part.warnings.into_iter().map(moved));
        self.images.extend(part.images.into_iter().map(|mut image| {
            image.range = image.range.start + offset..image.range.end + offset;
            image
        }));
    }
}

/// Elements of a whole document. WordPress puts the body into a page of its own.
const DOCUMENT_TAGS: [&str; 5] = ["html", "head", "body", "base", "frameset"];

/// What WordPress takes out for users without `unfiltered_html` (wordpress-facts §3).
const FILTERED_TAGS: [&str; 3] = ["script", "style", "iframe"];

/// Reads HTML.
pub(super) fn read(html: &str) -> Found {
    let mut found = read_part(html, 0);
    found.images.sort_by_key(|image| image.range.start);
    found
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
    if FILTERED_TAGS.contains(&tag.as_str()) {
        found.warning(start, filtered(&format!("<{tag}>")));
    }
    for attribute in element.attributes() {
        let name = attribute.name();
        let value = html_escape::decode_html_entities(&attribute.value()).into_owned();
        let range = attribute.value_source_location().map_or(start..start, |at| at.bytes());
        if tag == "img" && name == "src" {
            let alt = element.get_attribute("alt").unwrap_or_default();
            read_image(range, &value, &alt, found);
        } else if name == "srcdoc" {
            read_srcdoc(range.start, &value, found, depth);
        } else if name.starts_with("on") {
            found.warning(range.start, filtered(&format!("the attribute {name}")));
        } else {
            let place = Place { tag: &tag, attribute: &name };
            for fault in place.faults(&value) {
                found.problem(range.start, fault);
            }
        }
    }
}

fn filtered(part: &str) -> Fault {
    let message = format!("{part} is taken out by WordPress unless the user has unfiltered_html");
    Fault::new("html_filtered", message)
}

fn read_image(range: Range<usize>, value: &str, alt: &str, found: &mut Found) {
    match addresses::image(value) {
        ImageAddress::Remote => {}
        ImageAddress::Local(path) => {
            let alt = html_escape::decode_html_entities(alt).trim().to_owned();
            found.images.push(FoundImage { range, path, alt });
        }
        ImageAddress::Wrong(fault) => found.problem(range.start, fault),
    }
}

/// A document in an attribute: what it refers to can't be rewritten.
fn read_srcdoc(offset: usize, value: &str, found: &mut Found, depth: u8) {
    if depth >= DEPTH_MAX {
        found.problem(offset, Fault::new("html_ambiguous", "srcdoc is nested"));
        return;
    }
    let inner = read_part(value, depth + 1);
    for image in inner.images {
        found.problem(offset, addresses::unsupported("srcdoc", &image.path.path));
    }
    for spot in inner.problems {
        if spot.fault.code != "html_document" {
            found.problem(offset, spot.fault);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn images(html: &str) -> Vec<String> {
        read(html).images.into_iter().map(|image| html[image.range].to_owned()).collect()
    }

    fn problems(html: &str) -> Vec<&'static str> {
        read(html).problems.into_iter().map(|spot| spot.fault.code).collect()
    }

    fn warnings(html: &str) -> Vec<&'static str> {
        read(html).warnings.into_iter().map(|spot| spot.fault.code).collect()
    }

    #[test]
    fn images_are_found_where_browsers_show_them() {
        assert_eq!(
            images(
                "<p>é<IMG alt=a SRC = 'a.png'><img src=b.png/><img src=\"c&amp;d.png\" src=e.png>"
            ),
            ["a.png", "b.png/", "c&amp;d.png", "e.png"]
        );
        assert_eq!(
            images("<noscript><img src=a.png></noscript><img src=b.png>"),
            ["a.png", "b.png"]
        );
        assert_eq!(images("<template><img src=a.png></template>"), ["a.png"]);
        let found = read("<img src='c&amp;d%20.png?x#y' alt='&lt;b&gt; '>");
        assert_eq!(found.images[0].path, Path { path: "c&d%20.png".into(), suffix: "?x#y".into() });
        assert_eq!(found.images[0].alt, "<b>");
    }

    #[test]
    fn text_code_and_comments_refer_to_nothing() {
        for html in [
            "<!-- <img src=b.png> -->",
            "<script>'<img src=a.png>'</script>",
            "<textarea><img src=a.png></textarea>",
            "<xmp><img src=a.png></xmp>",
            "<pre>&lt;img src=a.png></pre>",
            "<img src=https://h/a.png><img src=//h/a.png>",
            "<img>",
        ] {
            assert_eq!(images(html), Vec::<String>::new(), "{html}");
            assert_eq!(problems(html), Vec::<&str>::new(), "{html}");
        }
    }

    #[test]
    fn other_local_addresses_are_problems() {
        for html in [
            "<a href=guide.pdf>x</a>",
            "<a href='file:///etc/passwd'>x</a>",
            "<img srcset='https://h/a.png 1x, b.png 2x'>",
            "<picture><source srcset=a.webp></picture>",
            "<video src=/v.mp4 poster=https://h/p.png></video>",
            "<video poster=p.png></video>",
            "<svg><image xlink:href=a.png /></svg>",
            "<image src=a.png>",
            "<object data=a.swf></object>",
            "<td background=a.png>",
            "<p style=\"background: URL( 'a.png' )\">",
            "<style>p { background: url(a.png) }</style>",
            "<style>@import 'a.css' screen;</style>",
            "<style>@import url(\"a.css\");</style>",
            "<iframe srcdoc='&lt;img src=a.png>'></iframe>",
            "<noscript><video src=a.mp4></video></noscript>",
            "<img data-src=a.png>",
            "<!-- wp:image {\"id\":1,\"url\":\"a.png\"} -->",
            "<!-- wp:x {\"list\":[{\"src\":\"a.png\"}]} /-->",
        ] {
            assert_eq!(problems(html), ["reference_unsupported"], "{html}");
        }
        for html in [
            "<a href=/about/>x</a><a href=#x>y</a><a href=mailto:a@b>z</a><a href='?p=2'>q</a>",
            "<a href=''>x</a>",
            "<svg><use href='#a'/></svg>",
            "<p style='color:red;background:url(https://h/a.png)'>",
            "<!-- wp:image {\"id\":1,\"url\":\"https://h/a.png\"} -->",
            "<!-- wp:paragraph -->",
        ] {
            assert_eq!(problems(html), Vec::<&str>::new(), "{html}");
        }
        assert_eq!(problems("<a href='data:x'>x</a><img src=data:x>"), ["data_url", "data_url"]);
    }

    #[test]
    fn whole_documents_and_filtered_parts() {
        assert_eq!(
            problems("<!doctype html><html><head></head><body>x</body></html>"),
            ["html_document"]
        );
        assert_eq!(
            warnings("<!-- a --><!--more--><!--nextpage--><!-- wp:x --><!-- /wp:x -->"),
            ["html_comment"]
        );
        assert_eq!(warnings("<p>\na\n</p><p>a\nb<p>c\nd"), ["html_line_break"]);
        assert!(warnings("<!-- wp:paragraph --><p>a\nb</p><div>a\nb</div>").is_empty());
        assert!(warnings("<p>a\nb</p><!-- wp:paragraph -->").is_empty());
        assert_eq!(
            warnings("<p onclick=x><script></script><iframe></iframe><style></style>"),
            ["html_filtered"; 4]
        );
        assert_eq!(
            problems("<select><xmp><script>\"use strict\";</script></select>"),
            ["html_ambiguous"]
        );
    }
}
