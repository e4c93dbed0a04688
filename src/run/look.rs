//! Looking: records on one side, the site on the other, and a standing for each.
//!
//! Absent from here: sending, and every write. The one rule: an article is looked up
//! in the way its record calls for (by slug, or by the id of its receipt), in bulk.

use std::collections::BTreeMap;

use crate::article::Article;
use crate::journal::{Damaged, JournalError, JournalView};
use crate::names::{ArticleKey, Digest, PostId, PostType, Slug, Timestamp};
use crate::protocol::decide::{Action, Age, PreparedInput, SentInput, Standing, decide};
use crate::protocol::kinds::{FoundPost, PostFields, PostReceipt};
use crate::protocol::sighting::{ReceiptSighting, Sighting, Unclear, UnclearWhy};
use crate::protocol::{ArticleRecord, Phase};
use crate::render::RENDERER_VERSION;
use crate::wordpress::{PostQuestion, Site};

/// Confirmed posts of other articles that are asked for as a positive control, when
/// none of this run's articles is confirmed. More than one, because an editor may have
/// deleted one.
const CONTROLS_MAX: usize = 5;
/// Fewer missing posts than this are editors' deletions, never a mass absence.
const MASS_ABSENCE_MIN: usize = 3;

/// An article, its record, and what is to be done.
#[derive(Debug)]
pub(super) struct Looked<'a> {
    /// The article as it is in the folder.
    pub article: &'a Article,
    /// Its record, and what the table says.
    pub found: Result<(ArticleRecord, Action<FoundPost>), Damaged>,
}

/// Everything the look-ups showed.
#[derive(Debug)]
pub(super) struct Sightings<'a> {
    /// In the order of the articles.
    pub articles: Vec<Looked<'a>>,
    /// What slug look-ups must show to be trusted.
    pub control: Control,
    /// Set if so many confirmed posts are gone that the site is not to be believed.
    pub mass_absence: Option<MassAbsence>,
}

/// Too many confirmed posts seem to be gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MassAbsence {
    /// Confirmed posts that the site does not show.
    pub missing: usize,
    /// Confirmed posts that were asked for.
    pub asked: usize,
}

/// The positive control of slug look-ups, per type: a post known to exist.
#[derive(Debug, Clone, Default)]
pub(super) struct Control(BTreeMap<PostType, ControlOfType>);

#[derive(Debug, Clone)]
enum ControlOfType {
    /// This slug must come back.
    Slug(String),
    /// Confirmed posts exist, and the site shows none of them.
    Lost,
}

impl Control {
    fn of(&self, post_type: PostType) -> Option<&ControlOfType> {
        self.0.get(&post_type)
    }
}

/// Reads the records, asks the site, and decides, without writing anything.
pub(super) async fn look<'a>(
    site: &Site,
    journal: &JournalView,
    articles: &'a [Article],
    now: Timestamp,
) -> Result<Sightings<'a>, JournalError> {
    let records: Vec<_> = articles.iter().map(|article| record_of(journal, &article.key)).collect();
    let receipts = receipts_to_ask(journal, &records)?;
    let mut by_receipt = BTreeMap::new();
    let mut control = Control::default();
    for (post_type, asked) in &receipts {
        let questions: Vec<_> =
            asked.iter().map(|receipt| (receipt.post_id, receipt.stored_slug.as_str())).collect();
        let shown = site.verify_posts(*post_type, &questions).await;
        control.0.insert(*post_type, control_among(&shown));
        by_receipt.extend(shown.into_iter().map(|(id, sighting)| ((*post_type, id), sighting)));
    }
    let mass_absence = mass_absence(&by_receipt);
    let mut by_slug = look_up_slugs(site, &records, articles, &control).await;
    let articles = articles
        .iter()
        .zip(records)
        .map(|(article, record)| {
            let found = record.map(|record| {
                let standing = standing(article, &record, &mut by_slug, &by_receipt, now);
                (record, decide(standing))
            });
            Looked { article, found }
        })
        .collect();
    Ok(Sightings { articles, control, mass_absence })
}

fn record_of(journal: &JournalView, key: &ArticleKey) -> Result<ArticleRecord, Damaged> {
    Ok(journal.article(key)?.unwrap_or_else(|| ArticleRecord::new(key.clone())))
}

/// The receipts of these articles, or a few of others where these have none.
fn receipts_to_ask(
    journal: &JournalView,
    records: &[Result<ArticleRecord, Damaged>],
) -> Result<BTreeMap<PostType, Vec<PostReceipt>>, JournalError> {
    let mut asked: BTreeMap<PostType, Vec<PostReceipt>> = BTreeMap::new();
    let mut types = Vec::new();
    for record in records.iter().flatten() {
        let post_type = record.identity().post_type;
        types.push(post_type);
        if let Some(receipt) = record.receipt() {
            asked.entry(post_type).or_default().push(receipt.clone());
        }
    }
    types.sort_unstable();
    types.dedup();
    types.retain(|post_type| !asked.contains_key(post_type));
    if types.is_empty() {
        return Ok(asked);
    }
    // A damaged record of an article that is not in this run says nothing about these.
    for record in journal.articles()?.into_iter().flatten() {
        let post_type = record.identity().post_type;
        let Some(receipt) = record.receipt() else { continue };
        let controls = asked.entry(post_type).or_default();
        if types.contains(&post_type) && controls.len() < CONTROLS_MAX {
            controls.push(receipt.clone());
        }
    }
    asked.retain(|_, receipts| !receipts.is_empty());
    Ok(asked)
}

fn control_among(shown: &BTreeMap<PostId, ReceiptSighting<FoundPost>>) -> ControlOfType {
    let visible = shown.values().find_map(|sighting| match sighting {
        ReceiptSighting::Present(found) | ReceiptSighting::Mismatch(found) => {
            // A draft whose slug an editor emptied can't be asked for by slug.
            (!found.stored_slug.is_empty()).then(|| found.stored_slug.clone())
        }
        ReceiptSighting::Missing
        | ReceiptSighting::Trashed(_)
        | ReceiptSighting::Hidden
        | ReceiptSighting::Unclear(_) => None,
    });
    visible.map_or(ControlOfType::Lost, ControlOfType::Slug)
}

fn mass_absence(
    shown: &BTreeMap<(PostType, PostId), ReceiptSighting<FoundPost>>,
) -> Option<MassAbsence> {
    let asked = shown.len();
    let missing =
        shown.values().filter(|sighting| matches!(sighting, ReceiptSighting::Missing)).count();
    (missing >= MASS_ABSENCE_MIN && missing * 5 > asked).then_some(MassAbsence { missing, asked })
}

type BySlug = BTreeMap<ArticleKey, Sighting<FoundPost>>;

/// Asks by slug for every article without a receipt; with its content where a send's
/// outcome is unknown.
async fn look_up_slugs(
    site: &Site,
    records: &[Result<ArticleRecord, Damaged>],
    articles: &[Article],
    control: &Control,
) -> BySlug {
    let mut questions: BTreeMap<PostType, Vec<PostQuestion<'_>>> = BTreeMap::new();
    for (article, record) in articles.iter().zip(records) {
        let Ok(record) = record else { continue };
        let sent = match record.phase() {
            Phase::None | Phase::Prepared(_) => None,
            Phase::Sending(sending) => Some(&sending.sent),
            Phase::Confirmed(_) => continue,
        };
        if record.withdrawn().is_none() {
            let question = PostQuestion { slug: &article.key.slug, sent };
            questions.entry(article.key.post_type).or_default().push(question);
        }
    }
    let mut answers = BySlug::new();
    for (post_type, questions) in questions {
        for (slug, sighting) in look_up_with_control(site, post_type, &questions, control).await {
            answers.insert(ArticleKey { post_type, slug }, sighting);
        }
    }
    answers
}

/// One bulk look-up that is worth nothing unless a post known to exist comes back.
pub(super) async fn look_up_with_control(
    site: &Site,
    post_type: PostType,
    questions: &[PostQuestion<'_>],
    control: &Control,
) -> BTreeMap<Slug, Sighting<FoundPost>> {
    let control = match control.of(post_type) {
        None => None,
        Some(ControlOfType::Slug(slug)) => Some(slug.as_str()),
        Some(ControlOfType::Lost) => {
            let unclear = || Unclear {
                why: UnclearWhy::ControlMissing,
                detail: "the site shows none of the posts that are known to exist".to_owned(),
            };
            let answer =
                |question: &PostQuestion<'_>| (question.slug.clone(), Sighting::Unclear(unclear()));
            return questions.iter().map(answer).collect();
        }
    };
    site.look_up_posts(post_type, questions, control).await
}

/// One look-up for one article, with its positive control.
pub(super) async fn look_for_one(
    site: &Site,
    journal: &JournalView,
    key: &ArticleKey,
    sent: Option<&PostFields>,
) -> Result<Sighting<FoundPost>, JournalError> {
    let nothing_yet = [Ok(ArticleRecord::new(key.clone()))];
    let mut control = Control::default();
    for (post_type, asked) in receipts_to_ask(journal, &nothing_yet)? {
        let others = asked.iter().filter(|receipt| receipt.stored_slug != key.slug.stored());
        let questions: Vec<_> =
            others.map(|receipt| (receipt.post_id, receipt.stored_slug.as_str())).collect();
        if !questions.is_empty() {
            let shown = site.verify_posts(post_type, &questions).await;
            control.0.insert(post_type, control_among(&shown));
        }
    }
    let question = PostQuestion { slug: &key.slug, sent };
    let mut seen = look_up_with_control(site, key.post_type, &[question], &control).await;
    Ok(seen.remove(&key.slug).unwrap_or_else(|| Sighting::Unclear(not_answered("slug"))))
}

fn standing(
    article: &Article,
    record: &ArticleRecord,
    by_slug: &mut BySlug,
    by_receipt: &BTreeMap<(PostType, PostId), ReceiptSighting<FoundPost>>,
    now: Timestamp,
) -> Standing<FoundPost> {
    if record.withdrawn().is_some() {
        return Standing::Withdrawn;
    }
    let same = |digest: Digest| digest == article.digest;
    let sent_input = |digest| if same(digest) { SentInput::Same } else { SentInput::Changed };
    let mut sighting =
        || by_slug.remove(&article.key).unwrap_or_else(|| Sighting::Unclear(not_answered("slug")));
    match record.phase() {
        Phase::None => Standing::None(sighting()),
        Phase::Prepared(prepared) => {
            let input = if !same(prepared.input.digest) {
                PreparedInput::Changed
            } else if prepared.input.renderer != RENDERER_VERSION {
                PreparedInput::RendererChanged
            } else {
                PreparedInput::Same
            };
            Standing::Prepared(input, sighting())
        }
        Phase::Sending(sending) => {
            let input = sent_input(sending.prepared.input.digest);
            Standing::Sending(input, age(now, sending.settle_until), sighting())
        }
        Phase::Confirmed(confirmed) => {
            let asked = (article.key.post_type, confirmed.receipt.post_id);
            let shown = by_receipt
                .get(&asked)
                .cloned()
                .unwrap_or_else(|| ReceiptSighting::Unclear(not_answered("id")));
            Standing::Confirmed(sent_input(confirmed.input.digest), shown)
        }
    }
}

/// What the table says of these articles when the site can't be asked at all.
pub(super) fn without_site<'a>(
    journal: &JournalView,
    articles: &'a [Article],
    now: Timestamp,
    unclear: &Unclear,
) -> Vec<Looked<'a>> {
    let one = |article: &'a Article| {
        let found = record_of(journal, &article.key).map(|record| {
            let mut by_slug =
                BTreeMap::from([(article.key.clone(), Sighting::Unclear(unclear.clone()))]);
            let mut by_receipt = BTreeMap::new();
            if let Some(receipt) = record.receipt() {
                let asked = (article.key.post_type, receipt.post_id);
                by_receipt.insert(asked, ReceiptSighting::Unclear(unclear.clone()));
            }
            let standing = standing(article, &record, &mut by_slug, &by_receipt, now);
            (record, decide(standing))
        });
        Looked { article, found }
    };
    articles.iter().map(one).collect()
}

/// Whether a site could still be working on a request that settles then. A clock that
/// was set back makes a record look younger, which is the safe side.
#[must_use]
pub(super) fn age(now: Timestamp, settle_until: Timestamp) -> Age {
    if now < settle_until { Age::Settling } else { Age::Settled }
}

/// The sighting of something that a look-up passed over.
pub(super) fn not_answered(by: &str) -> Unclear {
    Unclear {
        why: UnclearWhy::NoAnswer,
        detail: format!("the look-up by {by} gave no answer for this one"),
    }
}
