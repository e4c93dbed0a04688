//! The ids of images that blocks name, as references beside those of their addresses.
//!
//! Absent from here: the ids. The rule to keep: an id belongs to the image whose address
//! stands where the renderer said, and to no other.

use std::collections::HashMap;

use crate::render::markdown::IdSlot;

use super::addresses::{self, Address};
use super::model::{Fit, ImageIndex, Reference, Wanted};

/// Whether an address is that of an image to upload.
pub(super) fn is_local_image(address: &str) -> bool {
    matches!(addresses::image(address), Address::Local(_))
}

/// The references and, where their ids belong, references for these, in the HTML's order.
pub(super) fn with_ids(mut references: Vec<Reference>, id_slots: &[IdSlot]) -> Vec<Reference> {
    if id_slots.is_empty() {
        return references;
    }
    let images: HashMap<usize, ImageIndex> =
        references.iter().map(|reference| (reference.range.start, reference.image)).collect();
    references.extend(id_slots.iter().filter_map(|IdSlot { range, address }| {
        // An image without a reference is a problem already, and so there is no article.
        let image = *images.get(address)?;
        let range = range.clone();
        Some(Reference { range, image, fit: Fit::Part, wants: Wanted::Id })
    }));
    references.sort_by_key(|reference| reference.range.start);
    references
}
