//! Places that can hold an address, and what is wrong with one there.
//!
//! Absent from here: the files behind local ones. The rule to keep: what `<img>`,
//! `<source>`, `<video>`, `<audio>` and links refer to is uploaded, and `featured_image`;
//! a local path in any other place is a problem. It is never sent.

use super::fault::{Fault, quoted};
use super::locate::absolute;
use super::reference::{Path, Target, target};
use super::srcset;

/// Attributes that hold one address.
const ONE: [&str; 13] = [
    "src",
    "href",
    "xlink:href",
    "poster",
    "background",
    "data",
    "longdesc",
    "lowsrc",
    "dynsrc",
    "data-src",
    "data-lazy-src",
    "data-original",
    "data-full-url",
];

/// Attributes that hold a list of addresses with sizes.
const SEVERAL: [&str; 4] = ["srcset", "imagesrcset", "data-srcset", "data-lazy-srcset"];

/// What a local file is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Usage {
    /// Shown as an image.
    Image,
    /// Played: `<video>`, `<audio>` and their sources.
    Media,
    /// Linked to.
    Link,
}

/// What an attribute of an element is to the files of an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Its value is an address of a file that is uploaded.
    File(Usage),
    /// Its value lists images that are uploaded.
    Candidates,
    /// A local path in it is a problem.
    Other,
}

/// Names under which blocks keep an address in their settings.
const IN_BLOCKS: [&str; 6] = ["url", "src", "href", "poster", "mediaUrl", "mediaLink"];

/// The address of a file that can be uploaded.
pub(super) enum Address {
    Local(Path),
    Remote,
    Wrong(Fault),
}

/// Reads the address of an image.
pub(super) fn image(value: &str) -> Address {
    Address::Wrong(match target(value) {
        Target::Remote => return Address::Remote,
        Target::Local(path) => return Address::Local(path),
        Target::Nothing | Target::Within => {
            Fault::new("image_source_empty", "the image has no address")
        }
        Target::Data => data(value),
        Target::Absolute => absolute(value),
        Target::OtherScheme(scheme) => {
            let message = format!(
                "{} begins with {scheme}: and is no address of an image: write ./ before a file's \
                 name, or a full address",
                quoted(value)
            );
            Fault::new("image_scheme_unsupported", message)
        }
    })
}

/// An attribute of an element.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) tag: &'a str,
    pub(super) attribute: &'a str,
}

impl Place<'_> {
    /// What this attribute is to the files.
    pub(super) fn role(self) -> Role {
        match (self.tag, self.attribute) {
            ("img", "src") | ("video", "poster") => Role::File(Usage::Image),
            ("video" | "audio" | "source", "src") => Role::File(Usage::Media),
            ("a" | "area", "href") => Role::File(Usage::Link),
            ("img" | "source", "srcset") => Role::Candidates,
            _ => Role::Other,
        }
    }

    /// How this attribute is called in messages.
    pub(super) fn name(self) -> String {
        format!("<{} {}>", self.tag, self.attribute)
    }

    /// Reads the address of a file that is used so.
    pub(super) fn address(self, usage: Usage, value: &str) -> Address {
        if (self.tag, self.attribute) == ("img", "src") {
            return image(value);
        }
        match (target(value), usage) {
            (Target::Local(path), _) => Address::Local(path),
            (Target::Absolute, Usage::Link) if value.trim_start().starts_with('/') => {
                // A link from the site's root is an address of the site.
                Address::Remote
            }
            (Target::Absolute, Usage::Link) => Address::Wrong(unsupported(&self.name(), value)),
            (Target::Absolute, Usage::Image | Usage::Media) => Address::Wrong(absolute(value)),
            (Target::Data, _) => Address::Wrong(data(value)),
            (Target::Nothing | Target::Within | Target::Remote | Target::OtherScheme(_), _) => {
                Address::Remote
            }
        }
    }

    /// What is wrong with this value here.
    pub(super) fn faults(&self, value: &str) -> Vec<Fault> {
        let Self { tag, attribute } = *self;
        let name = self.name();
        if attribute == "style" {
            return in_css(value, &name);
        }
        if SEVERAL.contains(&attribute) {
            return srcset::addresses(value)
                .into_iter()
                .filter_map(|at| fault(&name, value.get(at)?, Rooted::Local))
                .collect();
        }
        if ONE.contains(&attribute) && (attribute != "data" || tag == "object") {
            // Where a file is shown, a path from a root may as well be of this machine.
            return fault(&name, value, Rooted::Local).into_iter().collect();
        }
        Vec::new()
    }
}

/// What a path that begins with `/` means.
#[derive(Clone, Copy)]
enum Rooted {
    OnSite,
    Local,
}

fn fault(place: &str, address: &str, rooted: Rooted) -> Option<Fault> {
    match (target(address), rooted) {
        (Target::Nothing | Target::Within | Target::Remote | Target::OtherScheme(_), _) => None,
        (Target::Data, _) => Some(data(address)),
        (Target::Absolute, Rooted::OnSite) if address.trim_start().starts_with('/') => None,
        (Target::Absolute | Target::Local(_), _) => Some(unsupported(place, address)),
    }
}

/// A local address in a place whose files are not uploaded, or that is no file's.
pub(super) fn unsupported(place: &str, address: &str) -> Fault {
    let message = format!(
        "{} in {place} is a local path, and no file that is uploaded from there: write a full \
         address",
        quoted(address)
    );
    Fault::new("reference_unsupported", message)
}

/// An address that holds its content itself, or means only the author's browser.
pub(super) fn data(address: &str) -> Fault {
    let message = format!("{}: save it as a file beside the article", quoted(address.trim()));
    Fault::new("data_url", message)
}

/// What is wrong with the addresses in CSS.
pub(super) fn in_css(css: &str, place: &str) -> Vec<Fault> {
    let lower = css.to_ascii_lowercase();
    let mut faults = Vec::new();
    for (start, end) in [("url(", ')'), ("@import", ';')] {
        for (at, _) in lower.match_indices(start) {
            let rest = css.get(at + start.len()..).unwrap_or_default();
            let address = rest.split(end).next().unwrap_or_default().trim();
            let quote = address.chars().next().filter(|c| matches!(c, '"' | '\''));
            let address = match quote {
                Some(quote) => address[1..].split(quote).next().unwrap_or_default(),
                // `@import url(…)` is found by its url().
                None if start == "@import" => continue,
                None => address,
            };
            faults.extend(fault(place, address, Rooted::Local));
        }
    }
    faults
}

/// What is wrong with the addresses in a block's settings: `image {"url":"a.png"}`.
pub(super) fn in_block(block: &str) -> Vec<Fault> {
    let Some(settings) = block.find('{').and_then(|at| block.get(at..)) else {
        return Vec::new();
    };
    let settings = settings.trim_end().trim_end_matches('/');
    // What is no JSON is no setting to WordPress either.
    let Ok(settings) = serde_json::from_str::<serde_json::Value>(settings) else {
        return Vec::new();
    };
    let name = block.split_whitespace().next().unwrap_or_default();
    let place = format!("the block {name}");
    let mut faults = Vec::new();
    let mut unread = vec![&settings];
    while let Some(value) = unread.pop() {
        match value {
            serde_json::Value::Object(fields) => {
                for (key, value) in fields {
                    match value.as_str() {
                        Some(address) if IN_BLOCKS.contains(&key.as_str()) => {
                            faults.extend(fault(&place, address, Rooted::OnSite));
                        }
                        _ => unread.push(value),
                    }
                }
            }
            serde_json::Value::Array(items) => unread.extend(items),
            _ => {}
        }
    }
    faults
}

/// Where the fragment of an address begins, as it is written: `#` may also begin a
/// character reference (`&#38;`), and one of those may be a `#`, which is left to fall
/// with the rest of the address.
pub(super) fn before_fragment(written: &str) -> Option<usize> {
    let is_reference = |at: usize| at > 0 && written.as_bytes().get(at - 1) == Some(&b'&');
    let (end, _) = written.match_indices('#').find(|(at, _)| !is_reference(*at))?;
    let before = written.get(..end)?;
    (!html_escape::decode_html_entities(before).contains('#') && !before.trim().is_empty())
        .then_some(end)
}
