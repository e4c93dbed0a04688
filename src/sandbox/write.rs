//! Creating, changing and deleting posts and pages.
//!
//! Absent from here: uploads (`upload`). The one rule: the row is inserted first, and
//! what comes after it can still answer with an error (facts §3).

use serde_json::{Value, json};

use super::fields::set_dates;
use super::filter::{Place, filtered};
use super::meta;
use super::mishap::Mishap;
use super::post::{File, Post, PostKind, Status};
use super::refused::refused_delete;
use super::reply::{Reply, Wrong, only_fields};
use super::rest::Ask;
use super::term::Taxonomy;
use super::term_changes::USUAL_CATEGORY;
use super::unique::trashed_slug;
use super::view::Shown;
use super::world::{Version, World, utc};

impl World {
    pub(super) fn create(&mut self, ask: &Ask<'_>, kind: PostKind) -> Reply {
        if let Some(refusal) = self.refused_create(ask, kind) {
            return refusal;
        }
        if let Some(refusal) = self.refused_values(ask, kind) {
            return refusal;
        }
        if ask.mishap == Some(Mishap::RefusedBeforeInsert) {
            let template = "The site refuses this parameter.".to_owned();
            let (name, code, data) = ("template".to_owned(), "rest_invalid_param", Value::Null);
            return Reply::invalid_parameters(&[Wrong { name, code, message: template, data }]);
        }
        let post = self.new_post(ask, kind);
        let empty = post.title.is_empty() && post.content.is_empty() && post.excerpt.is_empty();
        // Pages have no excerpts, and WordPress asks only where there is one.
        if empty && kind.has("excerpt") {
            let message = "Content, title, and excerpt are empty.";
            return Reply::error(400, "empty_content", message);
        }
        let id = post.id;
        self.last_post = id;
        self.posts.insert(id, post);
        if let Some(failure) = self.finish(ask, kind, id) {
            return failure;
        }
        let Some(post) = self.posts.get(&id) else { return Reply::critical() };
        let location = format!("{}/wp-json/wp/v2/{}/{id}", self.home, kind.route());
        Reply::created(self.view(post, Shown::Edit), location)
    }

    /// What core refuses while it prepares the row.
    fn refused_values(&self, ask: &Ask<'_>, kind: PostKind) -> Option<Reply> {
        let status = ask.params.text("status");
        let publishes = match status.as_deref() {
            Some("private" | "publish" | "future") => true,
            Some(_) | None => false,
        };
        if publishes && !ask.can(&format!("publish_{}", kind.plural())) {
            let message = if status.as_deref() == Some("private") {
                "Sorry, you are not allowed to create private posts in this post type."
            } else {
                "Sorry, you are not allowed to publish posts in this post type."
            };
            return Some(ask.forbidden("rest_cannot_publish", message));
        }
        if let Some(refusal) = self.refused_author(ask).filter(|_| kind.has("author")) {
            return Some(refusal);
        }
        let parent = ask.params.number("parent").map_or(0, i64::unsigned_abs);
        // Any row will do, of whatever kind.
        if kind.has_parents() && parent != 0 && !self.posts.contains_key(&parent) {
            let message = "Invalid post parent ID.";
            return Some(Reply::error(400, "rest_post_invalid_id", message));
        }
        None
    }

    pub(super) fn refused_author(&self, ask: &Ask<'_>) -> Option<Reply> {
        let author = ask.params.number("author").filter(|id| *id != 0)?.unsigned_abs();
        let known = self.users.iter().any(|user| user.id == author);
        (!known).then(|| Reply::error(400, "rest_invalid_author", "Invalid author ID."))
    }

    fn new_post(&self, ask: &Ask<'_>, kind: PostKind) -> Post {
        let comments = if kind == PostKind::Post { "open" } else { "closed" };
        let mut post = Post {
            kind,
            // Where the request names no category, WordPress gives the usual one.
            categories: if kind == PostKind::Post { vec![USUAL_CATEGORY] } else { Vec::new() },
            comment_status: comments.to_owned(),
            ping_status: comments.to_owned(),
            meta: self.usual_meta(kind),
            ..Post::blank(self.last_post + 1, ask.user_id(), ask.now)
        };
        self.fill(ask, &mut post, None);
        post.guid = self.link(&post);
        post
    }

    pub(super) fn usual_meta(&self, kind: PostKind) -> std::collections::BTreeMap<String, Value> {
        let keys = meta::keys(kind, self.version).iter();
        keys.map(|key| (key.name.to_owned(), key.usual())).collect()
    }

    /// The columns of the row, from the request.
    ///
    /// `known_status` is that of a row that is there already.
    fn fill(&self, ask: &Ask<'_>, post: &mut Post, known_status: Option<Status>) {
        let params = &ask.params;
        let kind = post.kind;
        // What a type does not have its rows do not take.
        let has = |part: &str| kind.has(part) || kind == PostKind::Page;
        let whole = ask.can("unfiltered_html");
        let html = |text: String, place: Place| {
            if whole { text } else { filtered(&text, place, self.version) }
        };
        if let Some(title) = params.raw("title") {
            html(title, Place::Title).trim().clone_into(&mut post.title);
        }
        if let Some(content) = params.raw("content") {
            post.content = self.with_noopener(html(content, Place::Post));
        }
        if let Some(excerpt) = params.raw("excerpt").filter(|_| has("excerpt")) {
            post.excerpt = self.with_noopener(html(excerpt, Place::Post));
        }
        if let Some(id) = params.number("author").filter(|id| *id != 0 && has("author")) {
            post.author = id.unsigned_abs();
        }
        let parent = if post.kind == PostKind::Attachment { "post" } else { "parent" };
        let nested = post.kind.has_parents() || post.kind == PostKind::Attachment;
        if let Some(parent) = params.number(parent).filter(|_| nested) {
            post.parent = parent.unsigned_abs();
        }
        post.menu_order = params.number("menu_order").unwrap_or(post.menu_order);
        let talks = has("comments");
        for (name, place) in [
            ("comment_status", &mut post.comment_status),
            ("ping_status", &mut post.ping_status),
            ("template", &mut post.template),
            ("password", &mut post.password),
        ] {
            let offered = talks || !name.ends_with("_status");
            if let Some(text) = params.text(name).filter(|_| offered) {
                *place = text;
            }
        }
        let status = params.text("status").and_then(|name| Status::parse(&name));
        if let Some(status) = status {
            post.status = status;
        }
        set_dates(ask, post);
        // What is to be published in the future waits, and what is not does not.
        let later = post.date_gmt.as_ref().is_some_and(|gmt| *gmt > utc(ask.now));
        if post.status == Status::Publish && later {
            post.status = Status::Future;
        } else if post.status == Status::Future && !later {
            post.status = Status::Publish;
        }
        self.set_slug(ask, post, status.or(known_status));
    }

    fn set_slug(&self, ask: &Ask<'_>, post: &mut Post, status: Option<Status>) {
        let (id, kind, parent) = (post.id, post.kind, post.parent);
        if let Some(slug) = ask.params.text("slug") {
            post.slug = crate::article::slug::stored_form(&slug);
            // A draft's slug is made unique only where the request names a status.
            if matches!(status, Some(Status::Draft | Status::Pending)) {
                post.slug = self.unique_slug(&post.slug, id, Status::Publish, kind, parent);
            }
        }
        // Who may not publish does not choose the slug of what waits for an editor.
        if post.status == Status::Pending && !ask.can(&format!("publish_{}", kind.plural())) {
            post.slug = String::new();
        }
        let written = matches!(post.status, Status::Draft | Status::Pending);
        if post.slug.is_empty() && !written {
            post.slug = crate::article::slug::stored_form(&post.title);
            if post.slug.is_empty() {
                post.slug = id.to_string();
            }
        }
        post.slug = self.unique_slug(&post.slug, id, post.status, kind, parent);
    }

    /// WordPress 6.1 adds `rel="noopener"` to links that open a new window.
    fn with_noopener(&self, html: String) -> String {
        if self.version > Version::V6_1 || !html.contains("target") {
            return html;
        }
        let mut out = String::with_capacity(html.len());
        let mut rest = html.as_str();
        while let Some(at) = rest.find("<a ") {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            let end = rest.find('>').unwrap_or(rest.len());
            out.push_str(&link_with_noopener(&rest[..end]));
            rest = &rest[end..];
        }
        out + rest
    }

    /// What comes after the insert. The row stays, whatever this answers.
    fn finish(&mut self, ask: &Ask<'_>, kind: PostKind, id: u64) -> Option<Reply> {
        if ask.mishap == Some(Mishap::DiesAfterInsert) {
            return Some(Reply::critical());
        }
        let partly = ask.mishap == Some(Mishap::TermsPartly);
        // What is no image leaves none, and what is not there changes nothing.
        let image = ask.params.number("featured_media").map(i64::unsigned_abs);
        let image = image.and_then(|id| match self.posts.get(&id) {
            Some(post) => {
                let is_image = |file: &File| file.mime.starts_with("image/");
                Some(if post.file.as_ref().is_some_and(is_image) { id } else { 0 })
            }
            None => (id == 0).then_some(0),
        });
        let known = |taxonomy: Taxonomy| {
            let ids = ask.params.ids(taxonomy.route());
            ids.map(|ids| self.known_terms(taxonomy, &ids))
        };
        let (categories, tags) = (known(Taxonomy::Category), known(Taxonomy::Tag));
        let format = ask.params.text("format");
        let sticky = ask.params.get("sticky").map(|_| ask.params.is_on("sticky"));
        let Some(post) = self.posts.get_mut(&id) else { return Some(Reply::critical()) };
        if let Some(image) = image.filter(|_| kind.has("thumbnail")) {
            post.featured_media = image;
        }
        if let (Some(format), PostKind::Post) = (format, kind) {
            post.format = format;
        }
        post.sticky = sticky.unwrap_or(post.sticky);
        if kind == PostKind::Post {
            if let Some(categories) = categories {
                post.categories = categories;
            }
            if let Some(mut tags) = tags {
                if partly {
                    tags.truncate(1);
                }
                post.tags = tags;
            }
        }
        // Terms and image are set by now, and meta comes last.
        let version = self.version;
        if let Some(failure) = meta::refused(ask).or_else(|| meta::set(ask, post, version)) {
            return Some(failure);
        }
        (ask.mishap == Some(Mishap::DiesAfterFields)).then(Reply::critical)
    }

    fn known_terms(&self, taxonomy: Taxonomy, ids: &[u64]) -> Vec<u64> {
        let is_one = |id: &u64| self.terms.get(id).is_some_and(|term| term.taxonomy == taxonomy);
        let mut known: Vec<u64> = ids.iter().copied().filter(is_one).collect();
        known.sort_by_key(|id| (self.terms.get(id).map(|term| term.name.to_lowercase()), *id));
        known.dedup();
        known
    }

    pub(super) fn update(&mut self, ask: &Ask<'_>, kind: PostKind, id: u64) -> Reply {
        let Some(post) = self.of_kind(kind, id).cloned() else {
            return Reply::error(404, "rest_post_invalid_id", "Invalid post ID.");
        };
        if let Some(refusal) = self.refused_update(ask, &post) {
            return refusal;
        }
        if let Some(refusal) = self.refused_values(ask, kind) {
            return refusal;
        }
        let mut changed = post;
        let known_status = changed.status;
        self.fill(ask, &mut changed, Some(known_status));
        if known_status == Status::Trash && changed.status != Status::Trash {
            changed.status_before_trash = None;
            if let Some(slug) = changed.slug_before_trash.take() {
                changed.slug = slug;
            }
        }
        changed.modified = ask.now;
        if let Some(file) = &mut changed.file {
            if let Some(alt) = super::upload::alt_text(ask) {
                file.alt = alt;
            }
            if let Some(caption) = ask.params.raw("caption") {
                changed.excerpt = caption;
            }
            if let Some(description) = ask.params.raw("description") {
                changed.content = description;
            }
        }
        self.posts.insert(id, changed);
        if kind != PostKind::Attachment
            && let Some(failure) = self.finish(ask, kind, id)
        {
            return failure;
        }
        match self.posts.get(&id) {
            Some(post) => Reply::ok(self.view(post, Shown::Edit)),
            None => Reply::critical(),
        }
    }

    pub(super) fn delete(&mut self, ask: &Ask<'_>, kind: PostKind, id: u64) -> Reply {
        let Some(post) = self.of_kind(kind, id).cloned() else {
            return Reply::error(404, "rest_post_invalid_id", "Invalid post ID.");
        };
        if let Some(refusal) = refused_delete(ask, &post) {
            return refusal;
        }
        if ask.params.is_on("force") {
            let previous = self.view(&post, Shown::Edit);
            let previous = match ask.fields() {
                Some(fields) => only_fields(previous, &fields),
                None => previous,
            };
            self.posts.remove(&id);
            for other in self.posts.values_mut().filter(|other| other.featured_media == id) {
                other.featured_media = 0;
            }
            return Reply::ok(json!({ "deleted": true, "previous": previous }));
        }
        if kind == PostKind::Attachment {
            let message = "The post does not support trashing. Set 'force=true' to delete.";
            return Reply::error(501, "rest_trash_not_supported", message);
        }
        if post.status == Status::Trash {
            let message = "The post has already been deleted.";
            return Reply::error(410, "rest_already_trashed", message);
        }
        self.move_to_trash(id, ask.now);
        match self.posts.get(&id) {
            Some(post) => Reply::ok(self.view(post, Shown::Edit)),
            None => Reply::critical(),
        }
    }

    /// Moves a row to the trash; its slug is free again (facts §1).
    pub(super) fn move_to_trash(&mut self, id: u64, now: jiff::Timestamp) {
        let Some(mut post) = self.posts.get(&id).cloned() else { return };
        post.status_before_trash = Some(post.status);
        post.slug_before_trash = Some(post.slug.clone());
        post.status = Status::Trash;
        post.modified = now;
        let slug = trashed_slug(&post.slug);
        post.slug = self.unique_slug(&slug, id, Status::Trash, post.kind, post.parent);
        self.posts.insert(id, post);
    }
}

fn link_with_noopener(tag: &str) -> String {
    if !tag.contains("target=") || tag.contains("noopener") {
        return tag.to_owned();
    }
    for quote in ['"', '\''] {
        let opening = format!("rel={quote}");
        if let Some((before, after)) = tag.split_once(&opening)
            && let Some((rel, rest)) = after.split_once(quote)
        {
            return format!("{before}{opening}{rel} noopener{quote}{rest}");
        }
    }
    format!("{tag} rel=\"noopener\"")
}
