//! Attachments: looking them up, verifying receipts, the upload, and its sizes.
//!
//! Absent from here: which files are uploaded. The one rule: [`Site::upload`] uses up a
//! permit and sends one request; the file is streamed and never held whole.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

use super::Site;
use super::SubSizes;
use super::body::CountedBody;
use super::classify::{Sent, classify};
use super::list::Collection;
use super::lookup::{Depth, SlugLookUp, SlugView};
use super::proof::{judge_read, unanswered, unclear};
use super::receipts::{IdView, ReadFailure};
use super::slugs::comparable;
use super::text::{clean, clean_to};
use super::wire::{RequestKind, Wire, Write};
use crate::journal::SendPermit;
use crate::names::{AttachmentId, Slug, UserId};
use crate::protocol::kinds::{FoundAttachment, Sizes};
use crate::protocol::outcome::{Outcome, Pressure, Unsettled};
use crate::protocol::sighting::{ReceiptSighting, Sighting, Unclear, UnclearWhy};

const MEDIA: &str = "wp/v2/media";
const FIELDS: &str = "id,slug,status,type,author,mime_type,source_url,missing_image_sizes";
/// Every status an attachment can be in: `/media` takes these and refuses `any`
/// (tried on 6.1, 6.8 and 7.1).
const STATUSES: &str = "inherit,private,trash";
/// The longest URL of an upload: title, alternative text and caption are in it.
const UPLOAD_URL_BYTES_MAX: usize = 7_000;

/// An upload without a title or caption gets those that the camera or an agency wrote
/// into the file (EXIF, IPTC). An empty `caption` counts as none; an object with an empty
/// text does not (`insert_attachment`; tried on 6.1, 6.8 and 7.1).
const CAPTION: &str = "caption%5Braw%5D";

/// One upload slug to look up.
#[derive(Debug, Clone, Copy)]
pub struct MediaQuestion<'a> {
    /// The slug that we chose.
    pub slug: &'a Slug,
    /// The MIME type it must have to be ours.
    pub mime: &'a str,
    /// The user it must belong to, where that is known.
    pub author: Option<UserId>,
}

/// One file to upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its size when its digest was made.
    pub bytes: u64,
    /// Its MD5, which the site compares with what arrived.
    pub md5: [u8; 16],
    /// Its MIME type, from its bytes.
    pub mime: String,
    /// The file name that we chose: ASCII letters, digits, `-`, `_` and one dot.
    pub name: String,
    /// The attachment slug that we chose.
    pub slug: Slug,
    /// The title that people see in the media library.
    pub title: String,
    /// The alternative text.
    pub alt: String,
    /// What is said under it, as text.
    pub caption: String,
    /// When its smaller sizes may be made, where the site leaves that open.
    pub sub_sizes: SubSizes,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct StoredAttachment {
    id: u64,
    slug: String,
    status: String,
    #[serde(rename = "type")]
    post_type: String,
    author: u64,
    mime_type: String,
    source_url: String,
    /// Missing in answers of sites that can't make sizes at all.
    #[serde(default)]
    missing_image_sizes: Vec<Value>,
}

impl StoredAttachment {
    fn read(value: Value) -> Result<(Self, FoundAttachment), Unclear> {
        let stored: Self = serde_json::from_value(value).map_err(|error| {
            let what = format!("a row is not an attachment: {}", clean(&error.to_string()));
            unclear(UnclearWhy::NotJson, what)
        })?;
        let id = AttachmentId::new(stored.id).filter(|_| stored.post_type == "attachment");
        let Some(attachment_id) = id else {
            let what = format!("row {} is a {}", stored.id, clean(&stored.post_type));
            return Err(unclear(UnclearWhy::ForeignRow, what));
        };
        if !is_address(&stored.source_url) {
            // It goes into posts as it is: a relative path would be the article's own.
            let shown = clean(&stored.source_url);
            let what = format!("attachment {attachment_id} has no address but {shown:?}");
            return Err(unclear(UnclearWhy::NotJson, what));
        }
        let found = FoundAttachment {
            attachment_id,
            stored_slug: stored.slug.clone(),
            url: clean_to(&stored.source_url, 2_000),
            mime: clean(&stored.mime_type),
            sizes: if stored.missing_image_sizes.is_empty() { Sizes::Made } else { Sizes::Missing },
        };
        Ok((stored, found))
    }
}

impl Site {
    /// Looks attachments up by slug, in bulk. `Same` means: the very slug, the MIME type
    /// and the author.
    pub async fn look_up_media(
        &self,
        questions: &[MediaQuestion<'_>],
        control: Option<&str>,
    ) -> BTreeMap<Slug, Sighting<FoundAttachment>> {
        let collection = self.media_collection(RequestKind::LookUp);
        let look_up = SlugLookUp { collection, control, depth: Depth::Taken };
        let slugs: BTreeSet<&str> = questions.iter().map(|asked| asked.slug.stored()).collect();
        let mut views = self.look_up_slugs(&look_up, &slugs).await;
        // A file of another user can be used by all, although only that user may edit
        // it. One that we may have sent ourselves is not looked for among theirs.
        let hidden = |asked: &&MediaQuestion<'_>| {
            asked.author.is_none() && views.get(asked.slug.stored()) == Some(&SlugView::Hidden)
        };
        let others: BTreeSet<&str> =
            questions.iter().filter(hidden).map(|asked| asked.slug.stored()).collect();
        if !others.is_empty() {
            let collection = self.readable_media(RequestKind::LookUp);
            let look_up = SlugLookUp { collection, control: None, depth: Depth::Taken };
            views.extend(self.look_up_slugs(&look_up, &others).await);
        }
        questions
            .iter()
            .map(|asked| {
                let view = views.get(asked.slug.stored());
                (asked.slug.clone(), sighting(*asked, view))
            })
            .collect()
    }

    /// Asks for the attachments of receipts, as [`Site::verify_posts`] does for posts.
    pub async fn verify_media(
        &self,
        receipts: &[(AttachmentId, &str)],
    ) -> BTreeMap<AttachmentId, ReceiptSighting<FoundAttachment>> {
        let collection = self.media_collection(RequestKind::Receipts);
        let ids = receipts.iter().map(|(id, _)| id.get()).collect();
        let mut views = self.verify_ids(&collection, &ids).await;
        let readable = self.readable_media(RequestKind::Receipts);
        for (id, view) in views.iter_mut().filter(|(_, view)| **view == IdView::Hidden) {
            *view = self.one(&readable, *id).await;
        }
        receipts
            .iter()
            .map(|(id, slug)| (*id, receipt_sighting(slug, views.get(&id.get()))))
            .collect()
    }

    /// Reads one attachment. `None` is proof that the site has no such attachment.
    pub async fn read_media(
        &self,
        id: AttachmentId,
    ) -> Result<Option<FoundAttachment>, ReadFailure> {
        let collection = self.media_collection(RequestKind::Read);
        match self.one(&collection, id.get()).await {
            IdView::Row(row) => StoredAttachment::read(row)
                .map(|(_, found)| Some(found))
                .map_err(ReadFailure::Unclear),
            IdView::Missing => Ok(None),
            IdView::Hidden => Err(ReadFailure::Hidden),
            IdView::Unclear(why) => Err(ReadFailure::Unclear(why)),
        }
    }

    pub(super) fn media_collection(&self, kind: RequestKind) -> Collection<'static> {
        let language = self.offers.media;
        Collection { kind, route: MEDIA, status: Some(STATUSES), language, fields: FIELDS }
    }

    /// The files that this user may use, if not edit: asked for without the rights and
    /// statuses of an editor.
    fn readable_media(&self, kind: RequestKind) -> Collection<'static> {
        Collection { status: None, ..self.media_collection(kind) }
    }

    /// Sends one file.
    pub async fn upload(&self, permit: SendPermit, file: &UploadFile) -> Outcome<FoundAttachment> {
        // The permit ends here: whatever happens below, there is no second request.
        drop(permit);
        // WordPress takes a caption for HTML.
        let caption = html_escape::encode_text(&file.caption);
        let mut parameters = vec![
            ("slug", file.slug.stored()),
            ("title", file.title.as_str()),
            ("alt_text", file.alt.as_str()),
            (CAPTION, caption.as_ref()),
            ("_fields", FIELDS),
        ];
        if (file.sub_sizes, self.offers.sub_sizes) == (SubSizes::Afterwards, SubSizes::Afterwards) {
            parameters.push(("generate_sub_sizes", "false"));
        }
        if Wire::url_bytes(&self.root, MEDIA, &parameters) > UPLOAD_URL_BYTES_MAX {
            let why = "its title, alternative text and caption are too long for one request";
            return Outcome::NotSent(format!("{}: {why}", file.path.display()));
        }
        // `;` or a quote would cut the name short (facts §4).
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
        if !file.name.bytes().all(is_plain) {
            return Outcome::NotSent(format!("{:?} is no name for an upload", file.name));
        }
        let body = match CountedBody::from_file(&file.path, file.bytes).await {
            Ok(body) => body,
            Err(why) => return Outcome::NotSent(why),
        };
        let md5 = file.md5.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
        let write = Write {
            kind: RequestKind::Upload,
            route: MEDIA,
            parameters: &parameters,
            body,
            content_type: &file.mime,
            headers: vec![
                ("content-disposition", format!("attachment; filename=\"{}\"", file.name)),
                // Lower-case hex, not base64 (facts §4).
                ("content-md5", md5),
            ],
        };
        let answer = self.wire.post(&self.root, write).await;
        crate::crash::point("upload", "after-answer");
        match classify(&answer, Sent::Attachment) {
            Outcome::Created(object) => created(object),
            Outcome::Rejected(rejection) => Outcome::Rejected(rejection),
            Outcome::NotSent(why) => Outcome::NotSent(why),
            Outcome::Unknown(unsettled) => Outcome::Unknown(unsettled),
        }
    }

    /// Has the site make the sizes that are missing. It makes no others, so it can be
    /// asked again (facts §4).
    pub async fn post_process(&self, id: AttachmentId) -> Result<FoundAttachment, Unclear> {
        let route = format!("{MEDIA}/{id}/post-process");
        let write = Write {
            kind: RequestKind::PostProcess,
            route: &route,
            parameters: &[("_fields", FIELDS)],
            body: CountedBody::from_bytes(br#"{"action":"create-image-subsizes"}"#.to_vec()),
            content_type: "application/json",
            headers: Vec::new(),
        };
        let answer = self.wire.post(&self.root, write).await;
        let value = judge_read(&answer.map_err(|failure| unanswered(&failure))?)?;
        StoredAttachment::read(value).map(|(_, found)| found)
    }
}

/// Whether a page of the site finds a file there: with a host, or from the site's root
/// on, as some plugins shorten addresses.
fn is_address(text: &str) -> bool {
    text.starts_with('/')
        || url::Url::parse(text)
            .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

fn created(object: Value) -> Outcome<FoundAttachment> {
    let hint = object.get("id").and_then(Value::as_u64);
    match StoredAttachment::read(object) {
        Ok((_, found)) => Outcome::Created(found),
        Err(error) => {
            Outcome::Unknown(Unsettled { detail: error.detail, hint, pressure: Pressure::None })
        }
    }
}

fn sighting(asked: MediaQuestion<'_>, view: Option<&SlugView>) -> Sighting<FoundAttachment> {
    let rows = match view {
        Some(SlugView::Rows(rows)) => rows,
        Some(SlugView::Hidden) => return Sighting::Hidden,
        Some(SlugView::Unclear(why)) => return Sighting::Unclear(why.clone()),
        None => return Sighting::Unclear(unclear(UnclearWhy::NoAnswer, "it was not asked for")),
    };
    let read = rows.iter().cloned().map(StoredAttachment::read).collect::<Result<Vec<_>, _>>();
    let mut attachments = match read {
        Ok(attachments) => attachments,
        Err(why) => return Sighting::Unclear(why),
    };
    match attachments.len() {
        0 => Sighting::Absent,
        1 => {
            let (stored, found) = attachments.remove(0);
            let is_ours = comparable(&stored.slug) == comparable(asked.slug.stored())
                && stored.mime_type == asked.mime
                && asked.author.is_none_or(|author| author.get() == stored.author);
            if stored.status == "trash" {
                Sighting::Trashed(found)
            } else if is_ours {
                Sighting::Same(found)
            } else {
                Sighting::Differs(found)
            }
        }
        _ => Sighting::Several(attachments.into_iter().map(|(_, found)| found).collect()),
    }
}

fn receipt_sighting(receipt_slug: &str, view: Option<&IdView>) -> ReceiptSighting<FoundAttachment> {
    let row = match view {
        Some(IdView::Row(row)) => row,
        Some(IdView::Missing) => return ReceiptSighting::Missing,
        Some(IdView::Hidden) => return ReceiptSighting::Hidden,
        Some(IdView::Unclear(why)) => return ReceiptSighting::Unclear(why.clone()),
        None => {
            return ReceiptSighting::Unclear(unclear(UnclearWhy::NoAnswer, "it was not asked for"));
        }
    };
    match StoredAttachment::read(row.clone()) {
        Err(why) => ReceiptSighting::Unclear(why),
        Ok((stored, found)) if stored.status == "trash" => ReceiptSighting::Trashed(found),
        Ok((stored, found)) if comparable(&stored.slug) == comparable(receipt_slug) => {
            ReceiptSighting::Present(found)
        }
        Ok((_, found)) => ReceiptSighting::Mismatch(found),
    }
}
