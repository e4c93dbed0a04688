//! At the end of a run: does the site have a second copy of what it made?
//!
//! Absent from here: doing anything about it. The one rule: never silent. A request that
//! something on the way delivered twice makes a post that no answer told of; a person
//! hears of it here and removes one of the two.

use std::collections::{BTreeMap, BTreeSet};

use crate::article::Article;
use crate::names::{AttachmentId, PostType, Slug};
use crate::wordpress::{MadePost, MadeUpload};

use super::engine::Engine;
use super::result::{ArticleResult, MediaVerdict, Verdict, Warning};
use super::upload::MediaState;

impl Engine<'_> {
    /// Adds a warning to each article whose post or image seems to be there twice.
    /// Only what this run made or found is asked about, in a request for up to 100 posts
    /// and one for as many images. Nothing is asked where the run was stopped: a person
    /// waits, or the site is busy.
    pub(super) async fn warn_of_twins(&self, pairs: &mut [(&Article, ArticleResult)]) {
        if self.stopped().is_some() {
            return;
        }
        let types: BTreeSet<PostType> =
            pairs.iter().map(|(article, _)| article.key.post_type).collect();
        for post_type in types {
            self.warn_of_twin_posts(post_type, pairs).await;
        }
        self.warn_of_twin_uploads(pairs).await;
    }

    async fn warn_of_twin_posts(
        &self,
        post_type: PostType,
        pairs: &mut [(&Article, ArticleResult)],
    ) {
        let ours: BTreeSet<u64> = ids(pairs);
        let made: Vec<MadePost<'_>> = pairs
            .iter()
            .filter(|(article, _)| article.key.post_type == post_type)
            .filter_map(|(article, result)| made(article, result))
            .collect();
        if made.is_empty() {
            return;
        }
        let twins = self.context.site.twins_of_posts(post_type, &made).await;
        for (article, result) in pairs {
            let beside = twins.get(&article.key.slug);
            if let (true, Some(twin)) = (article.key.post_type == post_type, beside)
                && !ours.contains(&twin.get())
            {
                let edit = self.context.site.edit_url(twin.get());
                let message = format!(
                    "the site has a second post with this title, made after ours (id {twin}): \
                     something on the way may have delivered the request twice; look at it, and \
                     delete one of the two by hand: {edit}"
                );
                result.warnings.push(Warning { code: "second_copy".to_owned(), message });
            }
        }
    }

    async fn warn_of_twin_uploads(&self, pairs: &mut [(&Article, ArticleResult)]) {
        let mut made: BTreeMap<&Slug, AttachmentId> = BTreeMap::new();
        for (article, _) in pairs.iter() {
            for image in &article.images {
                if let Some(MediaState::Ready { id, how, .. }) = self.media.get(&image.digest)
                    && matches!(how, MediaVerdict::Created | MediaVerdict::Completed)
                {
                    made.insert(&image.upload_slug, *id);
                }
            }
        }
        let made: Vec<MadeUpload<'_>> =
            made.into_iter().map(|(slug, id)| MadeUpload { slug, id }).collect();
        if made.is_empty() {
            return;
        }
        let twins = self.context.site.twins_of_uploads(&made).await;
        for (article, result) in pairs {
            for image in &article.images {
                let Some(twin) = twins.get(&image.upload_slug) else { continue };
                let message = format!(
                    "image {}: the site has a second copy of it (id {twin}); delete one of the \
                     two in the media library, by hand",
                    image.path
                );
                result.warnings.push(Warning { code: "media_second_copy".to_owned(), message });
            }
        }
    }
}

fn made<'a>(article: &'a Article, result: &ArticleResult) -> Option<MadePost<'a>> {
    let is_made = matches!(result.verdict, Verdict::Created | Verdict::Completed);
    let post = result.post.as_ref().filter(|_| is_made)?;
    let slug = &article.key.slug;
    // Another slug than ours is told already, with those who may have it.
    (post.slug == slug.stored()).then_some(MadePost {
        slug,
        id: post.post_id,
        title: &article.title,
    })
}

fn ids(pairs: &[(&Article, ArticleResult)]) -> BTreeSet<u64> {
    pairs.iter().filter_map(|(_, result)| Some(result.post.as_ref()?.post_id.get())).collect()
}
