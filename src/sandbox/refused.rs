//! Requests that the account may not make, as WordPress refuses them.
//!
//! Absent from here: parameters that don't fit (`checks`, `fields`). The one rule: a
//! refusal here comes before anything is looked at or stored.

use super::arguments::edit_capability;
use super::params::as_number;
use super::post::{Post, PostKind};
use super::reply::Reply;
use super::rest::Ask;
use super::rights::{may_delete, may_edit, may_read};
use super::view::Shown;
use super::world::{Version, World};

impl World {
    /// A create or an upload.
    pub(super) fn refused_create(&self, ask: &Ask<'_>, kind: PostKind) -> Option<Reply> {
        if ask.params.number("id").is_some_and(|id| id != 0) {
            return Some(Reply::error(400, "rest_post_exists", "Cannot create existing post."));
        }
        let plural = kind.plural();
        if names_another(ask) && !ask.can(&format!("edit_others_{plural}")) {
            let message = "Sorry, you are not allowed to create posts as this user.";
            return Some(ask.forbidden("rest_cannot_edit_others", message));
        }
        if let Some(refusal) = self.refused_sticky(ask, kind) {
            return Some(refusal);
        }
        if !ask.can(&format!("edit_{plural}")) {
            let message = "Sorry, you are not allowed to create posts as this user.";
            return Some(ask.forbidden("rest_cannot_create", message));
        }
        if kind == PostKind::Attachment && !ask.can("upload_files") {
            let message = "Sorry, you are not allowed to create posts as this user.";
            return Some(ask.forbidden("rest_cannot_create", message));
        }
        let owner = as_number(ask.params.get("post")?).unwrap_or(-1);
        let post = self.posts.get(&owner.unsigned_abs());
        let may = owner == 0 || post.is_some_and(|post| may_edit(ask, post));
        let message = "Sorry, you are not allowed to upload media to this post.";
        (kind == PostKind::Attachment && !may).then(|| ask.forbidden("rest_cannot_edit", message))
    }

    fn refused_sticky(&self, ask: &Ask<'_>, kind: PostKind) -> Option<Reply> {
        let may = ask.can(&format!("edit_others_{}", kind.plural()))
            || (self.version == Version::V6_1 && ask.can("publish_posts"));
        let message = "Sorry, you are not allowed to make posts sticky.";
        let asked = ask.params.is_on("sticky") || ask.params.not_switch("sticky").is_some();
        (asked && !may).then(|| ask.forbidden("rest_cannot_assign_sticky", message))
    }

    /// A change of a row.
    pub(super) fn refused_update(&self, ask: &Ask<'_>, post: &Post) -> Option<Reply> {
        if !may_edit(ask, post) {
            let message = "Sorry, you are not allowed to edit this post.";
            return Some(ask.forbidden("rest_cannot_edit", message));
        }
        if names_another(ask) && !ask.can(&format!("edit_others_{}", post.kind.plural())) {
            let message = "Sorry, you are not allowed to update posts as this user.";
            return Some(ask.forbidden("rest_cannot_edit_others", message));
        }
        self.refused_sticky(ask, post.kind)
    }
}

/// Whether the request names an author, and not the one who asks.
fn names_another(ask: &Ask<'_>) -> bool {
    let author = ask.params.get("author");
    author.is_some_and(|author| {
        // A list is asked for a list of authors, which is no author.
        ask.is_read()
            || as_number(author).is_none_or(|id| id != 0 && id.unsigned_abs() != ask.user_id())
    })
}

/// A list.
pub(super) fn refused_list(ask: &Ask<'_>, kind: PostKind) -> Option<Reply> {
    let edit = ask.params.text("context").as_deref() == Some("edit");
    let message = "Sorry, you are not allowed to edit posts in this post type.";
    (edit && !ask.can(edit_capability(kind)))
        .then(|| ask.forbidden("rest_forbidden_context", message))
}

/// Reading one row.
pub(super) fn refused_read(ask: &Ask<'_>, post: &Post) -> Option<Reply> {
    let shown = Shown::of(ask.params.text("context").as_deref());
    if shown == Shown::Edit && !may_edit(ask, post) {
        let message = "Sorry, you are not allowed to edit this post.";
        return Some(ask.forbidden("rest_forbidden_context", message));
    }
    if !may_read(ask, post) {
        let message = "Sorry, you are not allowed to do that.";
        return Some(ask.forbidden("rest_forbidden", message));
    }
    let given = ask.params.text("password").filter(|given| !given.is_empty())?;
    (!post.password.is_empty() && given != post.password)
        .then(|| Reply::error(403, "rest_post_incorrect_password", "Incorrect post password."))
}

/// Deleting one row.
pub(super) fn refused_delete(ask: &Ask<'_>, post: &Post) -> Option<Reply> {
    let message = "Sorry, you are not allowed to delete this post.";
    (!may_delete(ask, post)).then(|| ask.forbidden("rest_cannot_delete", message))
}
