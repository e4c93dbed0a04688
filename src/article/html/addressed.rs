//! Attributes that hold addresses: one, a list with sizes, or a whole document.
//!
//! Absent from here: which attributes those are (`addresses.rs`). The rule to keep: a
//! range covers what is replaced and nothing else; what can't be replaced is a problem.

use std::ops::Range;

use super::super::addresses::{self, Address, Place, Usage};
use super::super::fault::Fault;
use super::super::model::Fit;
use super::super::srcset;
use super::{DEPTH_MAX, Found, FoundFile, decoded, read_part};

pub(super) fn read_address(
    mut range: Range<usize>,
    written: &str,
    value: &str,
    usage: Usage,
    place: Place<'_>,
    found: &mut Found,
) {
    match place.address(usage, value) {
        Address::Remote => {}
        Address::Local(path) => {
            let mut fit = Fit::Value;
            if let (Usage::Media | Usage::Link, Some(end)) =
                (usage, addresses::before_fragment(written))
            {
                // `#page=2` of a PDF, `#t=10` of a film: true of the uploaded file too.
                range.end = range.start + end;
                fit = Fit::Part;
            }
            found.files.push(FoundFile::new(range, fit, path, usage));
        }
        Address::Wrong(fault) => found.problem(range.start, fault),
    }
}

/// Reads a list of images with their sizes.
pub(super) fn read_srcset(range: Range<usize>, written: &str, place: Place<'_>, found: &mut Found) {
    if place.tag == "img" {
        found.filtered(range.start, "the attribute srcset");
    }
    let value = decoded(written);
    let meant: Vec<&str> =
        srcset::addresses(&value).into_iter().filter_map(|at| value.get(at)).collect();
    let spans = srcset::addresses(written);
    let same = spans.len() == meant.len()
        && spans.iter().zip(&meant).all(|(at, meant)| decoded(&written[at.clone()]) == **meant);
    for (index, address) in meant.iter().enumerate() {
        match (place.address(Usage::Image, address), spans.get(index)) {
            (Address::Remote, _) => {}
            (Address::Wrong(fault), _) => found.problem(range.start, fault),
            (Address::Local(path), Some(span)) if same => {
                let range = range.start + span.start..range.start + span.end;
                found.files.push(FoundFile::new(range, Fit::Candidate, path, Usage::Image));
            }
            // A blank or comma that is written as a character reference.
            (Address::Local(_), _) => {
                found.problem(range.start, addresses::unsupported(&place.name(), address));
            }
        }
    }
}

/// A document in an attribute: what it refers to can't be rewritten.
pub(super) fn read_srcdoc(offset: usize, value: &str, found: &mut Found, depth: u8) {
    if depth >= DEPTH_MAX {
        found.problem(offset, Fault::new("html_ambiguous", "srcdoc is nested"));
        return;
    }
    let inner = read_part(value, depth + 1);
    for file in inner.files {
        found.problem(offset, addresses::unsupported("srcdoc", &file.path.path));
    }
    for spot in inner.problems {
        if spot.fault.code != "html_document" {
            found.problem(offset, spot.fault);
        }
    }
}
