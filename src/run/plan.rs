//! The plan: for every article what would be done, from reading alone.
//!
//! Absent from here: every write, here and on the site; `plan` prints this and stops,
//! `push` goes on from it. The one rule: an article gets as far as a create only with
//! everything it needs settled.

use std::collections::BTreeMap;

use crate::article::Article;
use crate::journal::{JournalError, JournalView};
use crate::names::{Digest, Timestamp};
use crate::protocol::decide::Action;
use crate::protocol::kinds::FoundPost;
use crate::protocol::{ArticleRecord, Phase};

use super::context::Context;
use super::look::{self, Control, MassAbsence, Sightings};
use super::look_uploads::{LookedUpload, UploadFacts, look_uploads};
use super::needs::{self, Needs, Unmet};
use super::result::{Reason, RemoteEffect, Trouble, TroubleKind};
use super::with_causes;

/// What would be done, and what it rests on.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    /// In the order of the articles.
    pub items: Vec<Item<'a>>,
    /// The image files of the articles that would be created.
    pub uploads: BTreeMap<Digest, LookedUpload>,
    /// What later slug look-ups must show to be trusted.
    pub control: Control,
    /// When the site was asked.
    pub looked_at: Timestamp,
    /// Set if so many confirmed posts are gone that nothing is to be written.
    pub mass_absence: Option<MassAbsence>,
}

/// One article and what would be done.
#[derive(Debug)]
pub(super) struct Item<'a> {
    /// The article.
    pub article: &'a Article,
    /// What would be done.
    pub step: Step,
}

/// What would be done for one article.
#[derive(Debug)]
pub(super) enum Step {
    /// Create it: all that it needs is settled.
    Create(Box<ArticleRecord>, Needs),
    /// What the decision table says, other than a create.
    Settle(Box<ArticleRecord>, Action<FoundPost>),
    /// It can't be created as it is.
    Refuse(Box<ArticleRecord>, Reason),
    /// It can't be created now.
    PutOff(Box<ArticleRecord>, Reason),
    /// Its record says nothing that can be relied on.
    Damaged(String),
}

/// Looks and decides, without writing anything.
pub(super) async fn plan<'a>(
    context: &Context<'_>,
    journal: &JournalView,
    articles: &'a [Article],
) -> Result<Plan<'a>, JournalError> {
    let looked_at = context.now();
    let mut seen = look::look(context.site, journal, articles, looked_at).await?;
    let mut items: Vec<Item<'a>> = std::mem::take(&mut seen.articles)
        .into_iter()
        .map(|looked| {
            let step = match looked.found {
                Err(damaged) => Step::Damaged(with_causes(&damaged)),
                Ok((record, Action::Create)) => {
                    first_refusal(context, looked.article, Box::new(record), seen.mass_absence)
                }
                Ok((record, action)) => no_right_or(context, looked.article, record, action),
            };
            Item { article: looked.article, step }
        })
        .collect();
    settle_needs(context, &mut items).await;
    let uploads = look_for_images(context, journal, &items, looked_at).await;
    let Sightings { control, mass_absence, .. } = seen;
    Ok(Plan { items, uploads, control, looked_at, mass_absence })
}

/// A site refuses to be asked for what the user may not make. Where nothing was sent
/// before, that is no doubt but a missing right.
fn no_right_or(
    context: &Context<'_>,
    article: &Article,
    record: ArticleRecord,
    action: Action<FoundPost>,
) -> Step {
    let nothing_sent = matches!(record.phase(), Phase::None | Phase::Prepared(_));
    match (&action, needs::missing_right(context.site, article)) {
        (Action::Defer(_), Some(reason)) if nothing_sent => Step::Refuse(Box::new(record), reason),
        _ => Step::Settle(Box::new(record), action),
    }
}

/// What keeps an article from being created that no further question could change.
fn first_refusal(
    context: &Context<'_>,
    article: &Article,
    record: Box<ArticleRecord>,
    mass_absence: Option<MassAbsence>,
) -> Step {
    if let Some(absence) = mass_absence {
        return Step::PutOff(record, Reason::new("mass_absence", absence.to_string()));
    }
    match needs::missing_right(context.site, article) {
        Some(reason) => Step::Refuse(record, reason),
        None => Step::Create(record, Needs::default()),
    }
}

/// Asks for the terms and authors of all creates at once.
async fn settle_needs(context: &Context<'_>, items: &mut [Item<'_>]) {
    let creates: Vec<&Article> = items
        .iter()
        .filter(|item| matches!(item.step, Step::Create(..)))
        .map(|item| item.article)
        .collect();
    let facts = needs::ask(context.site, &creates).await;
    for item in items {
        let step = std::mem::replace(&mut item.step, Step::Damaged(String::new()));
        item.step = match step {
            Step::Create(record, _) => {
                match needs::needs(&facts, item.article, context.missing_tags) {
                    Ok(needs) => Step::Create(record, needs),
                    Err(Unmet::Refused(reason)) => Step::Refuse(record, reason),
                    Err(Unmet::Unclear(reason)) => Step::PutOff(record, reason),
                }
            }
            other @ (Step::Settle(..) | Step::Refuse(..) | Step::PutOff(..) | Step::Damaged(_)) => {
                other
            }
        };
    }
}

/// Looks for the images of all creates at once; each content once.
async fn look_for_images(
    context: &Context<'_>,
    journal: &JournalView,
    items: &[Item<'_>],
    now: Timestamp,
) -> BTreeMap<Digest, LookedUpload> {
    let mut files = BTreeMap::new();
    for item in items.iter().filter(|item| matches!(item.step, Step::Create(..))) {
        for image in &item.article.images {
            let (slug, mime) = (&image.upload_slug, image.kind.mime());
            files.entry(image.digest).or_insert(UploadFacts { digest: image.digest, slug, mime });
        }
    }
    let files: Vec<_> = files.into_values().collect();
    look_uploads(context.site, journal, &files, now).await
}

impl std::fmt::Display for MassAbsence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { missing, asked } = self;
        write!(f, "{missing} of {asked} posts that are known to exist are not on the site")
    }
}

impl MassAbsence {
    /// The trouble that it is for the whole run.
    #[must_use]
    pub(super) fn trouble(self) -> Trouble {
        let message = format!("{self}; nothing was sent, because its look-ups can't be believed");
        let hint = "look whether this is the right site, and whether it was restored from a backup";
        Trouble::new(TroubleKind::Doubt, "mass_absence", message, hint)
            .with_effect(RemoteEffect::Confirmed)
    }
}
