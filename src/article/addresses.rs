//! Places that can hold an address, and what is wrong with one there.
//!
//! Absent from here: the files behind local ones. The rule to keep: `<img src>` and
//! `featured_image` are uploaded; a local path in any other place is a problem until it
//! is uploaded and rewritten too. It is never sent.

use super::fault::{Fault, quoted};
use super::locate::absolute;
use super::reference::{Path, Target, target};

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

/// Names under which blocks keep an address in their settings.
const IN_BLOCKS: [&str; 6] = ["url", "src", "href", "poster", "mediaUrl", "mediaLink"];

/// The address of an image that can be uploaded.
pub(super) enum ImageAddress {
    Local(Path),
    Remote,
    Wrong(Fault),
}

/// Reads the address of an image.
pub(super) fn image(value: &str) -> ImageAddress {
    ImageAddress::Wrong(match target(value) {
        Target::Remote => return ImageAddress::Remote,
        Target::Local(path) => return ImageAddress::Local(path),
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
pub(super) struct Place<'a> {
    pub(super) tag: &'a str,
    pub(super) attribute: &'a str,
}

impl Place<'_> {
    /// What is wrong with this value here.
    pub(super) fn faults(&self, value: &str) -> Vec<Fault> {
        let Self { tag, attribute } = *self;
        let name = format!("<{tag} {attribute}>");
        if attribute == "style" {
            return in_css(value, &name);
        }
        if SEVERAL.contains(&attribute) {
            // The first that is wrong: a data: address has commas of its own.
            return candidates(value)
                .find_map(|one| fault(&name, one, Rooted::Local))
                .into_iter()
                .collect();
        }
        if ONE.contains(&attribute) && (attribute != "data" || tag == "object") {
            // A link from the site's root is an address of the site. Where a file is
            // shown, it may as well be one of this machine.
            let rooted = if matches!(tag, "a" | "area") { Rooted::OnSite } else { Rooted::Local };
            return fault(&name, value, rooted).into_iter().collect();
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

fn candidates(srcset: &str) -> impl Iterator<Item = &str> {
    srcset.split(',').filter_map(|candidate| candidate.split_ascii_whitespace().next())
}

/// A local address in a place that is not uploaded yet.
pub(super) fn unsupported(place: &str, address: &str) -> Fault {
    let message = format!(
        "{} in {place} is a local path, and only those of <img src> and featured_image are \
         uploaded: write a full address",
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
