//! What can be done with an attachment beyond reading and changing it.

use super::mishap::Mishap;
use super::post::PostKind;
use super::reply::Reply;
use super::rest::Ask;
use super::rights::may_edit;
use super::upload::Scaling;
use super::view::Shown;
use super::world::World;

impl World {
    /// `POST /wp/v2/media/ID/post-process`: makes the sizes that are missing.
    pub(super) fn post_process(&mut self, ask: &Ask<'_>, id: u64) -> Reply {
        let Some(post) = self.of_kind(PostKind::Attachment, id) else {
            return Reply::error(404, "rest_post_invalid_id", "Invalid post ID.");
        };
        if !may_edit(ask, post) {
            let message = "Sorry, you are not allowed to edit this post.";
            return ask.forbidden("rest_cannot_edit", message);
        }
        match ask.mishap {
            Some(Mishap::ImageSizesDie | Mishap::DiesAfterInsert | Mishap::DiesAfterFields) => {
                return Reply::critical();
            }
            Some(Mishap::ImageSizesDieSilently) => return Reply::silence(),
            Some(_) | None => {}
        }
        self.make_sizes(id, Scaling::Never);
        match self.posts.get(&id) {
            Some(post) => Reply::ok(self.view(post, Shown::Edit)),
            None => Reply::critical(),
        }
    }
}
