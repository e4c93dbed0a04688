//! Uploads: a raw body or a form with a file.
//!
//! Absent from here: keeping the bytes; their digest is kept. The one rule: the checks
//! come in the order of a real site, and the row is inserted before the image's sizes
//! are made (facts §4).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use md5::{Digest as _, Md5};
use sha2::Sha256;

use super::fields::set_dates;
use super::file_names::{TYPES, file_name, mime_of};
use super::filter::{Place, filtered};
use super::form::{Content, is_multipart, parts};
use super::mishap::Mishap;
use super::params::header;
use super::post::{File, Post, PostKind, Status};
use super::reply::Reply;
use super::rest::Ask;
use super::view::{SIZES, Shown};
use super::world::{Version, World, local};

/// The longest edge that is kept as it is, in pixels (facts §4).
const EDGE_MAX: u64 = 2560;

/// A file as it came.
struct Arrived {
    name: String,
    bytes: bytes::Bytes,
    way: Way,
}

/// How a file came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Body,
    Form,
}

/// A file as it is to be stored.
struct Accepted {
    name: String,
    mime: &'static str,
    size: Option<(u64, u64)>,
}

impl World {
    pub(super) fn upload(&mut self, ask: &Ask<'_>) -> Reply {
        let refusal = self.refused_create(ask, PostKind::Attachment);
        if let Some(refusal) = refusal.or_else(|| self.refused_author(ask)) {
            return refusal;
        }
        let arrived = match arrived(ask) {
            Ok(arrived) => arrived,
            Err(refusal) => return refusal,
        };
        if ask.mishap == Some(Mishap::RefusedBeforeInsert) {
            return not_taken(&arrived);
        }
        let Some(accepted) = self.accepted(&arrived) else { return not_taken(&arrived) };
        let id = self.insert_upload(ask, &arrived, &accepted);
        match ask.mishap {
            Some(Mishap::DiesAfterInsert | Mishap::DiesAfterFields) => return Reply::critical(),
            Some(Mishap::RefusedAfterInsert | Mishap::TypeErrorAfterInsert) => {
                let message = "Sorry, you are not allowed to edit this custom field.";
                return Reply::error(403, "rest_cannot_update", message);
            }
            Some(_) | None => {}
        }
        self.measure(id);
        let died = match ask.mishap {
            Some(Mishap::ImageSizesDie) => Some(Reply::critical()),
            Some(Mishap::ImageSizesDieSilently) => Some(Reply::silence()),
            Some(_) | None => None,
        };
        if let Some(died) = died {
            return died.with("x-wp-upload-attachment-id", id.to_string());
        }
        let later = self.version == Version::V7_1
            && ask.params.get("generate_sub_sizes").is_some()
            && !ask.params.is_on("generate_sub_sizes");
        if !later {
            self.make_sizes(id, Scaling::WhereTooLarge);
        }
        let Some(post) = self.posts.get(&id) else { return Reply::critical() };
        let location = format!("{}/wp-json/wp/v2/media/{id}", self.home);
        Reply::created(self.view(post, Shown::Edit), location)
            .with("x-wp-upload-attachment-id", id.to_string())
    }

    /// The name and type under which a file is stored, if it is.
    fn accepted(&self, arrived: &Arrived) -> Option<Accepted> {
        let name = file_name(&arrived.name, self.version);
        let (stem, ending) = name.rsplit_once('.')?;
        let by_name = mime_of(&ending.to_ascii_lowercase(), self.version)?;
        let found = infer::get(&arrived.bytes).map(|kind| kind.mime_type());
        let image = imagesize::blob_size(&arrived.bytes).ok();
        let size = image.map(|size| (size.width as u64, size.height as u64));
        if !by_name.starts_with("image/") {
            let fits = found.is_none_or(|found| fits_name(found, by_name));
            return fits.then(|| Accepted { name: name.clone(), mime: by_name, size: None });
        }
        let (true_ending, mime) = TYPES.iter().find(|(_, mime)| Some(*mime) == found)?;
        mime_of(true_ending, self.version)?;
        let size = Some(size?);
        let name = if *mime == by_name { name.clone() } else { format!("{stem}.{true_ending}") };
        Some(Accepted { name, mime, size })
    }

    fn insert_upload(&mut self, ask: &Ask<'_>, arrived: &Arrived, accepted: &Accepted) -> u64 {
        let id = self.next_post_id();
        let date = local(ask.now);
        let parent = ask.params.number("post").map_or(0, i64::unsigned_abs);
        // Files lie in the folder of the month of the post that they belong to.
        let owner = self.of_kind(PostKind::Post, parent);
        let folder = owner.map_or(&date, |post| &post.date).get(..7).unwrap_or_default();
        let path = self.free_path(&folder.replace('-', "/"), &accepted.name);
        let stem = path.rsplit('/').next().unwrap_or(&path);
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
        let text = |name: &str, place: Place| {
            let text = ask.params.raw(name).unwrap_or_default();
            let whole = ask.can("unfiltered_html");
            if whole { text } else { filtered(&text, place, self.version) }
        };
        let title = text("title", Place::Title).trim().to_owned();
        let title = if title.is_empty() { self.title_of(arrived, stem) } else { title };
        let wanted = ask.params.text("slug").filter(|slug| !slug.is_empty());
        let wanted = crate::article::slug::stored_form(wanted.as_ref().unwrap_or(&title));
        let slug = self.unique_slug(&wanted, id, Status::Inherit, PostKind::Attachment, parent);
        let file = File {
            path,
            original: None,
            mime: accepted.mime.to_owned(),
            bytes: arrived.bytes.len() as u64,
            sha256: hex(&Sha256::digest(&arrived.bytes)),
            size: accepted.size,
            measured: false,
            sizes: BTreeMap::new(),
            alt: alt_text(ask).unwrap_or_default(),
        };
        let mut post = Post {
            kind: PostKind::Attachment,
            status: Status::Inherit,
            slug,
            title,
            content: text("description", Place::Post),
            excerpt: text("caption", Place::Post),
            parent,
            date_gmt: Some(super::world::utc(ask.now)),
            comment_status: "open".to_owned(),
            ping_status: "closed".to_owned(),
            file: Some(file),
            ..Post::blank(id, ask.user_id(), ask.now)
        };
        set_dates(ask, &mut post);
        if let Some(author) = ask.params.number("author").filter(|id| *id != 0) {
            post.author = author.unsigned_abs();
        }
        self.posts.insert(id, post);
        id
    }

    /// The title of an upload that was given none: the name of the file. Of a form it is
    /// the name as it was sent, since a version between 6.1 and 6.8.
    fn title_of(&self, arrived: &Arrived, stem: &str) -> String {
        let sent = arrived.name.rsplit_once('.').map(|(stem, _)| stem);
        match (arrived.way, sent) {
            (Way::Form, Some(sent)) if self.version > Version::V6_1 && !sent.is_empty() => {
                sent.to_owned()
            }
            (Way::Form | Way::Body, _) => stem.to_owned(),
        }
    }

    /// Takes down what a file is, before its sizes are made.
    fn measure(&mut self, id: u64) {
        if let Some(file) = self.posts.get_mut(&id).and_then(|post| post.file.as_mut()) {
            file.measured = true;
        }
    }

    /// Makes the sizes of an image that are missing.
    pub(super) fn make_sizes(&mut self, id: u64, scaling: Scaling) {
        let Some(file) = self.posts.get_mut(&id).and_then(|post| post.file.as_mut()) else {
            return;
        };
        file.measured = true;
        let Some((width, height)) = file.size else { return };
        let mut whole = (width, height);
        let scalable = file.mime != "image/png" && scaling == Scaling::WhereTooLarge;
        if scalable && width.max(height) > EDGE_MAX && file.original.is_none() {
            whole = fitted(width, height, EDGE_MAX);
            let name = file.path.rsplit('/').next().unwrap_or(&file.path).to_owned();
            if let Some((stem, ending)) = file.path.rsplit_once('.') {
                file.path = format!("{stem}-scaled.{ending}");
            }
            file.original = Some(name);
            file.size = Some(whole);
            // Any other number than the upload's: nobody may count on the bytes.
            file.bytes = file.bytes / 2 + 1;
        }
        for (name, edge) in SIZES {
            let size = match name {
                "thumbnail" if width > edge || height > edge => (edge.min(width), edge.min(height)),
                "thumbnail" => continue,
                "medium_large" if width > edge => (edge, scaled(height, edge, width)),
                "medium_large" => continue,
                _ if width > edge || height > edge => fitted(width, height, edge),
                _ => continue,
            };
            if size != whole {
                file.sizes.entry(name.to_owned()).or_insert(size);
            }
        }
    }
}

/// Whether too large an image is made smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scaling {
    WhereTooLarge,
    Never,
}

/// Whether a file of this type may have a name of that one. Of films, and of sounds, any
/// may have the name of any other.
fn fits_name(found: &str, by_name: &str) -> bool {
    let is_one_of = |family: &str| found.starts_with(family) && by_name.starts_with(family);
    found == by_name || is_one_of("video/") || is_one_of("audio/")
}

/// The size with the longer edge at so many pixels.
fn fitted(width: u64, height: u64, edge: u64) -> (u64, u64) {
    if width >= height {
        (edge, scaled(height, edge, width))
    } else {
        (scaled(width, edge, height), edge)
    }
}

fn scaled(length: u64, edge: u64, longer: u64) -> u64 {
    ((length * edge * 2 + longer) / (longer * 2)).max(1)
}

/// The refusal of a file that WordPress does not take, by its type or for being empty.
fn not_taken(arrived: &Arrived) -> Reply {
    let code = match arrived.way {
        Way::Body => "rest_upload_sideload_error",
        Way::Form => "rest_upload_unknown_error",
    };
    let message = if arrived.bytes.is_empty() {
        "File is empty. Please upload something more substantial. This error could also be \
         caused by uploads being disabled in your php.ini file or by post_max_size being \
         defined as smaller than upload_max_filesize in php.ini."
    } else {
        "Sorry, you are not allowed to upload this file type."
    };
    Reply::error(500, code, message)
}

/// The alternative text of the request, on one line and without tags.
pub(super) fn alt_text(ask: &Ask<'_>) -> Option<String> {
    let plain = crate::article::slug::without_tags(&ask.params.text("alt_text")?);
    Some(plain.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The file of the request, or why there is none.
fn arrived(ask: &Ask<'_>) -> Result<Arrived, Reply> {
    let no_data = || Reply::error(400, "rest_upload_no_data", "No data supplied.");
    if is_multipart(ask.request) {
        let file = parts(ask.request).into_iter().find_map(|part| match part.content {
            Content::File { name, bytes } if part.name == "file" => Some((name, bytes)),
            Content::File { .. } | Content::Field(_) => None,
        });
        let (name, bytes) = file.ok_or_else(no_data)?;
        check_digest(ask, &bytes)?;
        return Ok(Arrived { name, bytes, way: Way::Form });
    }
    let bytes = ask.request.body().clone();
    if bytes.is_empty() {
        return Err(no_data());
    }
    if header(ask.request, "content-type").is_empty() {
        let message = "No Content-Type supplied.";
        return Err(Reply::error(400, "rest_upload_no_content_type", message));
    }
    let disposition = header(ask.request, "content-disposition");
    if disposition.is_empty() {
        let message = "No Content-Disposition supplied.";
        return Err(Reply::error(400, "rest_upload_no_content_disposition", message));
    }
    let Some(name) = name_in(disposition) else {
        let message = "Invalid Content-Disposition supplied. Content-Disposition needs to be \
            formatted as `attachment; filename=\"image.png\"` or similar.";
        return Err(Reply::error(400, "rest_upload_invalid_disposition", message));
    };
    check_digest(ask, &bytes)?;
    Ok(Arrived { name, bytes, way: Way::Body })
}

fn check_digest(ask: &Ask<'_>, bytes: &[u8]) -> Result<(), Reply> {
    let wanted = header(ask.request, "content-md5").trim();
    if !wanted.is_empty() && wanted != hex(&Md5::digest(bytes)) {
        let message = "Content hash did not match expected.";
        return Err(Reply::error(412, "rest_upload_hash_mismatch", message));
    }
    Ok(())
}

fn hex(digest: &[u8]) -> String {
    digest.iter().fold(String::new(), |mut hex, byte| {
        // Writing to a string can't fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// The name in a Content-Disposition; `;` ends it, quoted or not (facts §4).
fn name_in(disposition: &str) -> Option<String> {
    let (_, parts) = disposition.split_once(';')?;
    let value = parts.split(';').find_map(|part| {
        let (key, value) = part.split_once('=')?;
        (key.trim() == "filename").then(|| value.trim().to_owned())
    })?;
    let quoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    Some(quoted.unwrap_or(&value).to_owned()).filter(|name| !name.is_empty())
}
