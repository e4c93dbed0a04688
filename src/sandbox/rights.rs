//! Who may read, change and delete a row.
//!
//! The one rule: the capability that a row needs follows from its author and its
//! status, as in WordPress' map of capabilities.

use super::post::{Post, Status};
use super::rest::Ask;

/// Whether the one who asks may change this row.
pub(super) fn may_edit(ask: &Ask<'_>, post: &Post) -> bool {
    may(ask, post, "edit")
}

/// Whether the one who asks may delete this row.
pub(super) fn may_delete(ask: &Ask<'_>, post: &Post) -> bool {
    may(ask, post, "delete")
}

fn may(ask: &Ask<'_>, post: &Post, verb: &str) -> bool {
    let plural = post.kind.plural();
    let capability = |which: &str| format!("{verb}{which}_{plural}");
    let status = match post.status {
        Status::Trash => post.status_before_trash.unwrap_or(Status::Draft),
        other => other,
    };
    let published = matches!(status, Status::Publish | Status::Future);
    if ask.user_id() == post.author {
        let which = if published { "_published" } else { "" };
        return ask.can(&capability(which));
    }
    ask.can(&capability("_others"))
        && (!published || ask.can(&capability("_published")))
        && (status != Status::Private || ask.can(&capability("_private")))
}

/// Whether the one who asks may read this row.
pub(super) fn may_read(ask: &Ask<'_>, post: &Post) -> bool {
    match post.status {
        Status::Publish | Status::Inherit => true,
        Status::Private => {
            ask.user_id() == post.author || ask.can(&format!("read_private_{}", post.kind.plural()))
        }
        Status::Draft | Status::Pending | Status::Future | Status::Trash => {
            (ask.user.is_some() && ask.user_id() == post.author) || may_edit(ask, post)
        }
    }
}
