//! The smaller sizes of an image: when they are made, and finishing them.
//!
//! Absent from here: the upload itself (`upload`). The one rule: sizes are never worth an
//! upload or a post: what is missing is told, and nothing is sent again for it.

use crate::article::{MediaFile, MediaKind};
use crate::protocol::kinds::{FoundAttachment, Sizes};
use crate::wordpress::SubSizes;

use super::engine::Engine;
use super::result::Warning;

/// The longest edge that WordPress keeps as it is (`big_image_size_threshold`).
const EDGE_KEPT_MAX: usize = 2_560;

/// Sizes that are made afterwards come without what else WordPress does to an upload: it
/// makes large images smaller and turns photos upright, but neither to a PNG
/// (`wp_create_image_subsizes`). Only where nothing is lost they are left for later.
pub(super) fn sub_sizes(image: &MediaFile) -> SubSizes {
    let edge = image.pixels.map_or(0, |(width, height)| width.max(height));
    let is_kept = edge <= EDGE_KEPT_MAX;
    match image.kind {
        MediaKind::Png => SubSizes::Afterwards,
        MediaKind::Gif | MediaKind::Webp if is_kept => SubSizes::Afterwards,
        // The site decides alone about what has no smaller sizes, or other ones.
        MediaKind::Jpeg
        | MediaKind::Gif
        | MediaKind::Webp
        | MediaKind::Avif
        | MediaKind::Svg
        | MediaKind::Pdf
        | MediaKind::Mp4
        | MediaKind::Webm
        | MediaKind::Mp3 => SubSizes::WithTheUpload,
    }
}

/// Whether smaller sizes of it can stand in a page. What 7.1 calls the missing sizes of a
/// PDF are previews of its first page, which few hosts can make and no article shows.
fn is_shown_in_sizes(kind: MediaKind) -> bool {
    match kind {
        MediaKind::Jpeg | MediaKind::Png | MediaKind::Gif | MediaKind::Webp | MediaKind::Avif => {
            true
        }
        MediaKind::Svg | MediaKind::Pdf | MediaKind::Mp4 | MediaKind::Webm | MediaKind::Mp3 => {
            false
        }
    }
}

impl Engine<'_> {
    /// Makes the smaller sizes that were left for later, or whose making died. The file
    /// itself is stored, so failing here is not the article's trouble: it is told, and the
    /// site serves the whole image instead.
    pub(super) async fn with_sizes(
        &mut self,
        image: &MediaFile,
        found: FoundAttachment,
    ) -> FoundAttachment {
        if found.sizes == Sizes::Made || !is_shown_in_sizes(image.kind) {
            return found;
        }
        let finished = self.context.site.post_process(found.attachment_id).await;
        let found = finished.unwrap_or(found);
        if found.sizes == Sizes::Missing {
            self.warn_of_sizes(image, &found);
        }
        found
    }

    fn warn_of_sizes(&mut self, image: &MediaFile, found: &FoundAttachment) {
        let message = format!(
            "image {}: it is stored (id {}), but the site did not say that it made its smaller \
             sizes. Look at the draft; `wp media regenerate {}` or a plugin makes what is missing",
            image.path, found.attachment_id, found.attachment_id
        );
        let warning = Warning { code: "sizes_missing".to_owned(), message };
        self.media_warnings.entry(image.digest).or_insert(warning);
    }
}
