//! Rows as the REST API shows them.
//!
//! Absent from here: who may see what (`list`). The one rule: the fields and their
//! order are those of a real site.

use serde_json::{Map, Value, json};

use super::file_names::original_path;
use super::post::{File, Post, PostKind, Status};
use super::rest::Ask;
use super::world::{Version, World, local, utc};

/// How much of a row is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    View,
    Edit,
    Embed,
    /// As [`Self::View`], with what a password hides.
    Unlocked,
}

impl Shown {
    /// What the request's context shows.
    pub(super) fn of_ask(ask: &Ask<'_>) -> Self {
        Self::of(ask.params.text("context").as_deref())
    }

    pub(super) fn of(context: Option<&str>) -> Self {
        match context {
            Some("edit") => Self::Edit,
            Some("embed") => Self::Embed,
            Some(_) | None => Self::View,
        }
    }
}

impl World {
    /// A row as JSON.
    pub(super) fn view(&self, post: &Post, shown: Shown) -> Value {
        let mut out = Map::new();
        let mut put = |name: &str, value: Value| drop(out.insert(name.to_owned(), value));
        let edit = shown == Shown::Edit;
        let whole = shown != Shown::Embed;
        put("id", json!(post.id));
        put("date", json!(post.date));
        if whole {
            let gmt = post.date_gmt.clone().unwrap_or_else(|| gmt_of(&post.date));
            put("date_gmt", json!(gmt));
            put("guid", text(&self.guid(post), &self.guid(post), edit));
            put("modified", json!(local(post.modified)));
            put("modified_gmt", json!(utc(post.modified)));
        }
        if edit && post.kind != PostKind::Attachment {
            put("password", json!(post.password));
        }
        put("slug", json!(post.slug));
        if whole {
            put("status", json!(post.status.name()));
        }
        put("type", json!(post.kind.name()));
        put("link", json!(self.link(post)));
        put("title", text(&post.title, &self.shown_title(post), edit));
        match &post.file {
            Some(file) => self.put_file(&mut out, post, file, shown),
            None => self.put_content(&mut out, post, shown),
        }
        Value::Object(out)
    }

    fn put_content(&self, out: &mut Map<String, Value>, post: &Post, shown: Shown) {
        let edit = shown == Shown::Edit;
        let whole = shown != Shown::Embed;
        let mut put = |name: &str, value: Value| drop(out.insert(name.to_owned(), value));
        let locked = !post.password.is_empty();
        let hidden = locked && !edit && shown != Shown::Unlocked;
        let rendered = if hidden { String::new() } else { rendered(&post.content) };
        if whole {
            let mut content = text(&post.content, &rendered, edit);
            with(&mut content, "protected", json!(locked));
            if edit {
                let blocks = post.content.contains("<!-- wp:");
                with(&mut content, "block_version", json!(i32::from(blocks)));
            }
            put("content", content);
        }
        // Pages show one, which they have no field for in the editor.
        if post.kind.has("excerpt") || post.kind == PostKind::Page {
            let taken = post.excerpt.is_empty() || hidden;
            let shown = if taken { rendered } else { self::rendered(&post.excerpt) };
            let mut excerpt = text(&post.excerpt, &shown, edit);
            with(&mut excerpt, "protected", json!(locked));
            put("excerpt", excerpt);
        }
        if post.kind.has("author") {
            put("author", json!(post.author));
        }
        if post.kind.has("thumbnail") {
            put("featured_media", json!(post.featured_media));
        }
        if !whole {
            return;
        }
        if post.kind.has_parents() {
            put("parent", json!(post.parent));
        }
        if post.kind.has("page-attributes") {
            put("menu_order", json!(post.menu_order));
        }
        if post.kind.has("comments") {
            put("comment_status", json!(post.comment_status));
            put("ping_status", json!(post.ping_status));
        }
        if post.kind == PostKind::Post {
            put("sticky", json!(post.sticky));
        }
        put("template", json!(post.template));
        if post.kind == PostKind::Post {
            put("format", json!(post.format));
        }
        if post.kind.has("custom-fields") {
            put("meta", Value::Object(post.meta.clone().into_iter().collect()));
        }
        if post.kind == PostKind::Post {
            put("categories", json!(post.categories));
            put("tags", json!(post.tags));
        }
        if edit {
            put("permalink_template", json!(self.permalink_template(post)));
            put("generated_slug", json!(self.generated_slug(post)));
        }
        if self.version >= Version::V6_8 {
            put("class_list", json!(self.classes(post)));
        }
    }

    fn put_file(&self, out: &mut Map<String, Value>, post: &Post, file: &File, shown: Shown) {
        let edit = shown == Shown::Edit;
        let mut put = |name: &str, value: Value| drop(out.insert(name.to_owned(), value));
        put("author", json!(post.author));
        if shown != Shown::Embed {
            if self.version >= Version::V6_8 {
                put("featured_media", json!(0));
            }
            put("comment_status", json!(post.comment_status));
            put("ping_status", json!(post.ping_status));
            put("template", json!(""));
            put("meta", json!([]));
            if edit {
                put("permalink_template", json!(self.permalink_template(post)));
                put("generated_slug", json!(self.generated_slug(post)));
            }
            if self.version >= Version::V6_8 {
                put("class_list", json!(self.classes(post)));
            }
            put("description", text(&post.content, &post.content, edit));
        }
        put("caption", text(&post.excerpt, &rendered(&post.excerpt), edit));
        put("alt_text", json!(file.alt));
        let kind = if file.mime.starts_with("image/") { "image" } else { "file" };
        put("media_type", json!(kind));
        put("mime_type", json!(file.mime));
        put("media_details", self.media_details(file));
        if shown != Shown::Embed {
            put("post", if post.parent == 0 { Value::Null } else { json!(post.parent) });
        }
        put("source_url", json!(self.source_url(file)));
        if edit {
            put("missing_image_sizes", json!(missing_sizes(file, self.version)));
        }
        if self.version >= Version::V7_1 && shown != Shown::Embed {
            let original = original_path(file);
            put("filename", json!(original.rsplit('/').next()));
            put("filesize", json!(file.bytes));
        }
        if self.version >= Version::V7_1 && edit && file.size.is_some() {
            // For the editor's own uploader.
            put("exif_orientation", json!(1));
            put("image_output_format", Value::Null);
            put("image_save_progressive", json!(false));
            put("image_quality", json!({ "default": 82, "sizes": [] }));
        }
    }

    fn media_details(&self, file: &File) -> Value {
        if !file.measured {
            return json!({});
        }
        let Some((width, height)) = file.size else {
            return json!({ "filesize": file.bytes, "sizes": {} });
        };
        let size = |name: &str, (width, height): (u64, u64), path: &str| {
            let address = format!("{}/wp-content/uploads/{path}", self.home);
            let of_name = path.rsplit('/').next().unwrap_or(path);
            let about = json!({
                "file": of_name, "width": width, "height": height, "mime_type": file.mime,
                "source_url": address,
            });
            (name.to_owned(), about)
        };
        let original = original_path(file);
        let (stem, ending) = original.rsplit_once('.').unwrap_or((&original, ""));
        let smaller = file.sizes.iter().map(|(name, (width, height))| {
            size(name, (*width, *height), &format!("{stem}-{width}x{height}.{ending}"))
        });
        let mut sizes: Map<String, Value> = smaller.collect();
        if !file.sizes.is_empty() {
            sizes.extend([size("full", (width, height), &file.path)]);
        }
        let mut details = json!({
            "width": width, "height": height, "file": file.path, "filesize": file.bytes,
            "sizes": sizes, "image_meta": self.image_meta(),
        });
        if let Some(original) = &file.original {
            with(&mut details, "original_image", json!(original));
        }
        details
    }

    /// What cameras write into files: nothing, in files without it.
    fn image_meta(&self) -> Value {
        let mut meta = json!({
            "aperture": "0", "credit": "", "camera": "", "caption": "", "created_timestamp": "0",
            "copyright": "", "focal_length": "0", "iso": "0", "shutter_speed": "0", "title": "",
            "orientation": "0", "keywords": [],
        });
        if self.version >= Version::V7_1 {
            with(&mut meta, "alt", json!(""));
        }
        meta
    }

    pub(super) fn source_url(&self, file: &File) -> String {
        format!("{}/wp-content/uploads/{}", self.home, file.path)
    }

    fn guid(&self, post: &Post) -> String {
        post.file.as_ref().map_or_else(
            || post.guid.clone(),
            |file| format!("{}/wp-content/uploads/{}", self.home, original_path(file)),
        )
    }

    /// The address for visitors.
    pub(super) fn link(&self, post: &Post) -> String {
        let by_number = |name: &str| format!("{}/?{name}={}", self.home, post.id);
        let public = matches!(post.status, Status::Publish | Status::Private | Status::Inherit);
        let above = self.posts.get(&post.parent).map(|parent| self.link(parent));
        match (post.kind, above) {
            // Types of the lab have no addresses of their own.
            (PostKind::Book | PostKind::Chapter, _) => self.link_by_type(post),
            (PostKind::Page, _) if !public => by_number("page_id"),
            (PostKind::Post, _) if !public => by_number("p"),
            // Below what has no address of its own there is none.
            (PostKind::Attachment, Some(above)) if above.contains('?') => {
                by_number("attachment_id")
            }
            (PostKind::Page | PostKind::Attachment, Some(above)) => {
                format!("{above}{}/", post.slug)
            }
            (PostKind::Post | PostKind::Page | PostKind::Attachment, _) => {
                format!("{}/{}/", self.home, post.slug)
            }
        }
    }

    fn permalink_template(&self, post: &Post) -> String {
        match post.kind {
            PostKind::Attachment => format!("{}/?attachment_id={}", self.home, post.id),
            PostKind::Post => format!("{}/%postname%/", self.home),
            PostKind::Page => format!("{}/%pagename%/", self.home),
            PostKind::Book | PostKind::Chapter => self.link_by_type(post),
        }
    }

    fn link_by_type(&self, post: &Post) -> String {
        format!("{}/?post_type={}&p={}", self.home, post.kind.name(), post.id)
    }

    /// The title for visitors. 6.1 says in it that a row is private.
    fn shown_title(&self, post: &Post) -> String {
        if post.status == Status::Private && self.version == Version::V6_1 {
            return format!("Private: {}", post.title);
        }
        post.title.clone()
    }

    /// The slug that the row would get if it were published without one.
    fn generated_slug(&self, post: &Post) -> String {
        let from = if post.title.is_empty() { post.id.to_string() } else { post.title.clone() };
        let wanted = crate::article::slug::stored_form(&from);
        self.unique_slug(&wanted, post.id, Status::Publish, post.kind, post.parent)
    }

    fn classes(&self, post: &Post) -> Vec<String> {
        let kind = post.kind.name();
        let mut classes = vec![format!("post-{}", post.id), kind.to_owned()];
        classes.push(format!("type-{kind}"));
        classes.push(format!("status-{}", post.status.name()));
        if post.kind == PostKind::Post {
            classes.push(format!("format-{}", post.format));
        }
        if post.featured_media != 0 {
            classes.push("has-post-thumbnail".to_owned());
        }
        classes.push("hentry".to_owned());
        for (prefix, ids) in [("category", &post.categories), ("tag", &post.tags)] {
            for term in ids.iter().filter_map(|id| self.terms.get(id)) {
                classes.push(format!("{prefix}-{}", term.slug));
            }
        }
        classes
    }
}

/// The sizes that are made of an image, by name, with the box that they fit into.
pub(super) const SIZES: [(&str, u64); 6] = [
    ("medium", 300),
    ("large", 1024),
    ("thumbnail", 150),
    ("medium_large", 768),
    ("1536x1536", 1536),
    ("2048x2048", 2048),
];

/// The sizes that are still to be made, in the order of WordPress' settings.
fn missing_sizes(file: &File, version: Version) -> Vec<&'static str> {
    const ORDER: [&str; 6] =
        ["thumbnail", "medium", "medium_large", "large", "1536x1536", "2048x2048"];
    // Previews of a first page, which hosts without ImageMagick never make.
    if file.mime == "application/pdf" && version >= Version::V7_1 {
        return vec!["thumbnail", "medium", "large"];
    }
    let Some((width, height)) = file.size else { return Vec::new() };
    if !file.measured {
        return ORDER.to_vec();
    }
    let edge = |name: &str| SIZES.iter().find(|(known, _)| *known == name).map(|(_, edge)| *edge);
    let is_due = |name: &&str| {
        let longer = if *name == "medium_large" { width } else { width.max(height) };
        !file.sizes.contains_key(*name) && edge(name).is_some_and(|edge| longer > edge)
    };
    ORDER.into_iter().filter(is_due).collect()
}

/// `raw` in the context `edit`, and `rendered` always.
fn text(raw: &str, rendered: &str, edit: bool) -> Value {
    if edit { json!({ "raw": raw, "rendered": rendered }) } else { json!({ "rendered": rendered }) }
}

fn with(object: &mut Value, name: &str, value: Value) {
    if let Value::Object(object) = object {
        object.insert(name.to_owned(), value);
    }
}

/// Only what a reader of the API could rely on: the stored text and a line break; plain
/// words become a paragraph.
fn rendered(stored: &str) -> String {
    match stored.trim_end() {
        "" => String::new(),
        words if !words.contains(['<', '\n']) => format!("<p>{words}</p>\n"),
        html => format!("{html}\n"),
    }
}

/// The date in UTC of a date in the site's zone.
pub(super) fn gmt_of(date: &str) -> String {
    let hours = i64::from(super::world::zone_hours());
    match date.parse::<jiff::civil::DateTime>() {
        Ok(there) => there
            .saturating_sub(jiff::SignedDuration::from_hours(hours))
            .strftime("%Y-%m-%dT%H:%M:%S")
            .to_string(),
        Err(_) => date.to_owned(),
    }
}
