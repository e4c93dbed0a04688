//! Puts the site's addresses, and its ids, where local references stood.
//!
//! Absent from here: finding the references, and knowing the addresses. The rule to
//! keep: outside the replaced attribute values not one byte changes; what the author
//! wrote is what is sent.

use std::fmt::Write;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::article::{Fit, ImageIndex, Reference, Wanted};
use crate::names::AttachmentId;

/// What can't stand in an address as it is. WordPress returns upload URLs with raw
/// non-ASCII in them (MED-17); `%` is left alone, because the address may hold escapes.
const NOT_IN_URL: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Where an image is on the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uploaded<'u> {
    /// The id of its attachment.
    pub id: AttachmentId,
    /// Its address.
    pub address: &'u str,
}

/// The HTML with each reference's attribute value replaced by the address of its image.
///
/// Values keep their quotes; a whole value without quotes gets them. A reference that does
/// not fit the HTML (out of order or out of range) is impossible for an `Article`, and
/// is left as it stands.
#[must_use]
pub fn rewrite<'u>(
    html: &str,
    references: &[Reference],
    mut place_of: impl FnMut(ImageIndex) -> Uploaded<'u>,
) -> String {
    let mut rewritten = String::with_capacity(html.len() + references.len() * 64);
    let mut copied_to = 0;
    for reference in references {
        let range = reference.range.clone();
        let (Some(before), Some(_)) = (html.get(copied_to..range.start), html.get(range.clone()))
        else {
            debug_assert!(false, "a reference does not fit its HTML: {range:?}");
            continue;
        };
        rewritten.push_str(before);
        copied_to = range.end;
        let place = place_of(reference.image);
        match reference.wants {
            Wanted::Address => {}
            Wanted::Id => {
                // Writing to a string can't fail.
                let _ = write!(rewritten, "{}", place.id);
                continue;
            }
        }
        let value = attribute_value(place.address);
        match reference.fit {
            // An unquoted value can't begin with a quote, so the byte before tells.
            Fit::Value if before.ends_with(['"', '\'']) => rewritten.push_str(&value),
            // Writing to a string can't fail.
            Fit::Value => drop(write!(rewritten, "\"{value}\"")),
            // No blank, quote or bracket is in it, so it also fits where there are no quotes.
            Fit::Part => rewritten.push_str(&value),
            Fit::Candidate => rewritten.push_str(&value.replace(',', "%2C")),
        }
    }
    rewritten.push_str(html.get(copied_to..).unwrap_or_default());
    rewritten
}

/// An address as it stands in an attribute, whichever quotes are around it.
fn attribute_value(url: &str) -> String {
    let encoded = utf8_percent_encode(url, NOT_IN_URL).to_string();
    encoded.replace('&', "&amp;").replace('\'', "&#039;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(address: &str) -> Uploaded<'_> {
        Uploaded { id: AttachmentId::new(12).unwrap(), address }
    }

    fn reference(html: &str, value: &str) -> Reference {
        let start = html.find(value).unwrap();
        let range = start..start + value.len();
        Reference { range, image: ImageIndex::new(0), fit: Fit::Value, wants: Wanted::Address }
    }

    #[test]
    fn only_the_value_changes() {
        let html = "<P ><img  SRC='a.png'/ alt=\"a.png\" >\r\n<img src=b.png class=x>";
        let references = [reference(html, "a.png"), reference(html, "b.png")];
        assert_eq!(
            rewrite(html, &references, |_| at("https://h/写 真's.jpg?a=1&b=%20")),
            "<P ><img  SRC='https://h/%E5%86%99%20%E7%9C%9F&#039;s.jpg?a=1&amp;b=%20'/ alt=\"a.png\" >\r\n\
             <img src=\"https://h/%E5%86%99%20%E7%9C%9F&#039;s.jpg?a=1&amp;b=%20\" class=x>"
        );
    }

    /// A comma at an address's end would end it, and quotes in the middle of a value the value.
    #[test]
    fn a_part_of_a_value_changes_alone() {
        let html = "<img srcset='a.png 1x, b.png 2x'><a href=c.pdf#page=2>c</a>";
        let references: Vec<Reference> =
            [("a.png", Fit::Candidate), ("b.png", Fit::Candidate), ("c.pdf", Fit::Part)]
                .map(|(value, fit)| Reference { fit, ..reference(html, value) })
                .into();
        assert_eq!(
            rewrite(html, &references, |_| at("https://h/a b,'c,")),
            "<img srcset='https://h/a%20b%2C&#039;c%2C 1x, https://h/a%20b%2C&#039;c%2C 2x'>\
             <a href=https://h/a%20b,&#039;c,#page=2>c</a>"
        );
    }

    #[test]
    fn an_id_stands_as_a_number() {
        let html = "<!-- {\"id\":0,} --><img src=\"a.png\" class=\"wp-image-0\"/>";
        let id = |start: usize| Reference {
            range: start..start + 1,
            image: ImageIndex::new(0),
            fit: Fit::Part,
            wants: Wanted::Id,
        };
        let references =
            [id(html.find("0,").unwrap()), reference(html, "a.png"), id(html.rfind('0').unwrap())];
        assert_eq!(
            rewrite(html, &references, |_| at("https://h/a.png")),
            "<!-- {\"id\":12,} --><img src=\"https://h/a.png\" class=\"wp-image-12\"/>"
        );
    }

    proptest! {
        #[test]
        fn every_byte_outside_the_values_stays(
            pieces in prop::collection::vec((any::<String>(), "[a-z]{1,8}", prop::bool::ANY), 0..8),
            tail in any::<String>(),
            url in any::<String>(),
        ) {
            let (mut html, mut references, mut expected) = (String::new(), Vec::new(), String::new());
            let value = attribute_value(&url);
            for (before, old, quoted) in &pieces {
                let before = before.trim_end_matches(['"', '\'']);
                let open = if *quoted { "\"" } else { "=" };
                html.extend([before, open]);
                references.push(Reference {
                    range: html.len()..html.len() + old.len(),
                    image: ImageIndex::new(0),
                    fit: Fit::Value,
                    wants: Wanted::Address,
                });
                html += old;
                let added = if *quoted { "" } else { "\"" };
                expected.extend([before, open, added, &value, added]);
            }
            html += &tail;
            expected += &tail;
            prop_assert_eq!(rewrite(&html, &references, |_| at(&url)), expected);
            prop_assert!(!value.contains(['"', '\'', '<', '>', ' ', '\n']));
        }
    }
}
