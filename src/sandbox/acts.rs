//! What people do on the site, past its REST API: in the admin screens.
//!
//! Absent from here: rights; whoever calls this may do it. The one rule: each act
//! leaves what the real screens leave, twins of a slug among it (facts §1).

use jiff::Timestamp;

use super::post::{Post, Status};
use super::term::Taxonomy;
use super::term_changes::USUAL_CATEGORY;
use super::world::{World, utc};

impl World {
    /// Writes a draft in the admin screens, with this very slug, even if it is taken.
    pub fn write_draft(&mut self, author: &str, slug: &str, title: &str, now: Timestamp) -> u64 {
        let id = self.next_post_id();
        let author = self.user(author).map_or(1, |user| user.id);
        let post = Post {
            slug: crate::article::slug::stored_form(slug),
            title: title.to_owned(),
            content: format!("<p>{title}</p>"),
            categories: vec![USUAL_CATEGORY],
            guid: format!("{}/?p={id}", self.home),
            ..Post::blank(id, author, now)
        };
        self.posts.insert(id, post);
        id
    }

    /// Changes a row in place. Nothing happens if there is none.
    pub fn edit(&mut self, id: u64, now: Timestamp, change: impl FnOnce(&mut Post)) {
        if let Some(post) = self.posts.get_mut(&id) {
            change(post);
            post.modified = now;
        }
    }

    /// Publishes a draft. Its slug is made unique as on a real site.
    pub fn publish(&mut self, id: u64, now: Timestamp) {
        let Some(mut post) = self.posts.get(&id).cloned() else { return };
        post.status = Status::Publish;
        post.date_gmt.get_or_insert_with(|| utc(now));
        if post.slug.is_empty() {
            post.slug = crate::article::slug::stored_form(&post.title);
        }
        post.slug = self.unique_slug(&post.slug, id, post.status, post.kind, post.parent);
        post.modified = now;
        self.posts.insert(id, post);
    }

    /// Moves a row to the trash.
    pub fn trash(&mut self, id: u64, now: Timestamp) {
        if self.posts.get(&id).is_some_and(|post| post.status != Status::Trash) {
            self.move_to_trash(id, now);
        }
    }

    /// Takes a row out of the trash: a draft again, under its old slug, even if that is
    /// taken by now.
    pub fn untrash(&mut self, id: u64, now: Timestamp) {
        let Some(post) = self.posts.get_mut(&id) else { return };
        if post.status != Status::Trash {
            return;
        }
        post.status = Status::Draft;
        post.status_before_trash = None;
        if let Some(slug) = post.slug_before_trash.take() {
            post.slug = slug;
        }
        post.modified = now;
    }

    /// Deletes a row for good, and takes it out of where it was featured.
    pub fn remove(&mut self, id: u64) {
        self.posts.remove(&id);
        for post in self.posts.values_mut().filter(|post| post.featured_media == id) {
            post.featured_media = 0;
        }
    }

    /// Adds a category or tag, and gives its id.
    pub fn add_term(&mut self, taxonomy: Taxonomy, name: &str, parent: u64) -> u64 {
        self.add_term_row(taxonomy, name, parent)
    }
}
