//! One file in its three forms: for the record, for the request, and as the receipt.
//!
//! Absent from here: sending (`upload`). The one rule: each is made of what the check read
//! or the site said, and of nothing that is read again.

use crate::article::MediaFile;
use crate::names::Timestamp;
use crate::protocol::kinds::{AttachmentReceipt, FoundAttachment, KnownBy, UploadInput};
use crate::wordpress::UploadFile;

use super::sizes::sub_sizes;

pub(super) fn input(image: &MediaFile) -> UploadInput {
    UploadInput {
        paths: vec![image.path.clone()],
        bytes: image.bytes,
        mime: image.kind.mime().to_owned(),
        upload_slug: image.upload_slug.clone(),
    }
}

pub(super) fn receipt(
    found: &FoundAttachment,
    known_by: KnownBy,
    at: Timestamp,
) -> AttachmentReceipt {
    AttachmentReceipt {
        attachment_id: found.attachment_id,
        stored_slug: found.stored_slug.clone(),
        url: found.url.clone(),
        mime: found.mime.clone(),
        known_by,
        at,
    }
}

/// Characters of an attachment's title, alternative text and caption in the media library.
/// They travel in the request's address, where twelve bytes can stand for one character
/// and 7,000 bytes are the end; the article's own words stay whole.
const LIBRARY_TEXT_CHARS_MAX: usize = 180;

pub(super) fn upload_file(image: &MediaFile) -> UploadFile {
    let cut = |text: &str| text.chars().take(LIBRARY_TEXT_CHARS_MAX).collect();
    UploadFile {
        path: image.file.clone(),
        bytes: image.bytes,
        md5: image.md5,
        mime: image.kind.mime().to_owned(),
        name: image.upload_name.clone(),
        slug: image.upload_slug.clone(),
        title: cut(&image.title),
        alt: cut(&image.alt),
        caption: cut(&image.caption),
        sub_sizes: sub_sizes(image),
    }
}
