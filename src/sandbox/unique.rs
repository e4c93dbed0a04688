//! Which slug a row gets.
//!
//! The one rule: look, then take the first number that is free, as WordPress does
//! (facts §1).

use crate::article::slug::shortened;

use super::post::{PostKind, Status};
use super::world::World;

/// The longest stored slug, in bytes.
const SLUG_BYTES_MAX: usize = 200;
/// Names of feeds, which no slug may be.
const FEEDS: [&str; 6] = ["rdf", "rss", "rss2", "atom", "feed", "embed"];
/// What ends the slug of a row in the trash.
const TRASHED: &str = "__trashed";

impl World {
    /// The slug, or the first with a number that is free.
    pub(super) fn unique_slug(
        &self,
        wanted: &str,
        id: u64,
        status: Status,
        kind: PostKind,
        parent: u64,
    ) -> String {
        if matches!(status, Status::Draft | Status::Pending) || wanted.is_empty() {
            return wanted.to_owned();
        }
        let rivals = |slug: &str| {
            self.posts.values().any(|post| {
                let rival = match kind {
                    PostKind::Attachment => true,
                    PostKind::Page | PostKind::Chapter => {
                        (post.kind == kind || post.kind == PostKind::Attachment)
                            && post.parent == parent
                    }
                    PostKind::Post | PostKind::Book => post.kind == kind,
                };
                rival && post.id != id && post.slug == slug
            })
        };
        // A number could be a year or a month; zero is none of them.
        let digits =
            wanted.bytes().all(|b| b.is_ascii_digit()) && wanted.bytes().any(|b| b != b'0');
        let like_a_page = wanted.strip_prefix("page").unwrap_or(wanted);
        let numbered_page =
            !like_a_page.is_empty() && like_a_page.bytes().all(|b| b.is_ascii_digit());
        let reserved = FEEDS.contains(&wanted)
            || match kind {
                PostKind::Post => digits,
                PostKind::Page | PostKind::Chapter => numbered_page,
                PostKind::Attachment | PostKind::Book => false,
            };
        if !reserved && !rivals(wanted) {
            return wanted.to_owned();
        }
        let mut number = 2_u64;
        loop {
            let suffix = format!("-{number}");
            let slug = shortened(wanted, SLUG_BYTES_MAX - suffix.len()) + &suffix;
            if !rivals(&slug) {
                return slug;
            }
            number += 1;
        }
    }
}

/// The slug of a row that goes to the trash, before it is made unique.
pub(super) fn trashed_slug(slug: &str) -> String {
    if slug.ends_with(TRASHED) {
        return slug.to_owned();
    }
    shortened(slug, SLUG_BYTES_MAX - TRASHED.len()) + TRASHED
}
