//! The engine: look, decide, record, send, record.
//!
//! Absent from here: printing, argv, the environment, the clock. The one rule: one way
//! of data; a plan is made by reading alone, and `push` carries out that very plan.

pub mod approved;
pub mod context;
mod engine;
pub mod event;
mod handed_back;
pub mod interrupt;
mod look;
mod look_uploads;
mod needs;
mod plan;
mod post;
mod refresh;
pub mod resolve;
pub mod resolve_upload;
pub mod result;
mod send;
mod settle;
mod settled;
mod sizes;
pub mod status;
mod twins;
mod type_needs;
mod upload;
mod upload_forms;
mod view;

pub use context::{Clock, Context, Random, run_id};
pub use event::{Event, Subject};
pub use view::codes;

use crate::article::{Article, InvalidArticle, Problem};
use crate::journal::{JournalError, JournalView, LockedJournal};
use crate::names::{ArticleKey, PostType, Timestamp};
use crate::protocol::Unclear;
use crate::protocol::kinds::ContentFilter;
use crate::protocol::sighting::UnclearWhy;

use approved::ApprovedPlan;
use plan::{Item, Plan, Step};
use result::{ArticleResult, MediaResult, Reason, RunResult, Verdict, Warning};

/// Looks at everything and says what `push` would do. Writes nothing anywhere.
pub async fn plan_only(
    context: &Context<'_>,
    journal: &JournalView,
    articles: &[Article],
) -> Result<RunResult, JournalError> {
    let planning = plan::plan(context, journal, articles);
    let Some(plan) = context.interrupt.unless_raised(planning).await else {
        return Ok(interrupted(context, journal, articles));
    };
    let plan = plan?;
    let troubles = plan.mass_absence.map(look::MassAbsence::trouble).into_iter().collect();
    let mut results: Vec<_> = plan.items.iter().map(|item| planned(context, &plan, item)).collect();
    warn_of_filter(context, articles, &mut results);
    Ok(RunResult {
        run: None,
        site: Some(context.site.url().to_owned()),
        articles: results,
        troubles,
        remarks: Vec::new(),
        plan_file: None,
        interrupted: context.interrupt.raised(),
    })
}

/// Brings every article to its end; with a plan, only as that has it.
pub async fn push(
    context: &Context<'_>,
    journal: &mut LockedJournal,
    articles: &[Article],
    approved: Option<&ApprovedPlan>,
    emit: &mut dyn FnMut(Event),
) -> Result<RunResult, JournalError> {
    let planning = plan::plan(context, journal.view(), articles);
    let planned = context.interrupt.unless_raised(planning).await;
    context.pass_on_exchanges(emit);
    let Some(plan) = planned else {
        return Ok(interrupted(context, journal.view(), articles));
    };
    let mut plan = plan?;
    if let Some(approved) = approved {
        approved.hold_back(&mut plan.items);
    }
    let creates = plan.items.iter().filter(|item| matches!(item.step, Step::Create(..))).count();
    emit(Event::Planned { articles: plan.items.len(), creates });
    let mut done =
        engine::carry_out(context, journal, plan, approved.map(ApprovedPlan::approval), emit).await;
    warn_of_filter(context, articles, &mut done.articles);
    Ok(RunResult {
        run: Some(context.run.clone()),
        site: Some(context.site.url().to_owned()),
        articles: done.articles,
        troubles: done.troubles,
        remarks: Vec::new(),
        plan_file: None,
        interrupted: context.interrupt.raised(),
    })
}

/// Tells what the site takes out of the articles that it is sent, as this user.
fn warn_of_filter(context: &Context<'_>, articles: &[Article], results: &mut [ArticleResult]) {
    let account = context.site.account();
    if account.content_filter() == ContentFilter::Off {
        return;
    }
    // One result for each article, in one order.
    for (article, result) in articles.iter().zip(results) {
        debug_assert_eq!(article.path, result.path);
        if matches!(result.verdict, Verdict::WouldCreate | Verdict::Created) {
            result.warnings.extend(article.filtered.iter().map(
                |Problem { line, code, message, .. }| Warning {
                    code: (*code).to_owned(),
                    message: format!("line {line}: {message}, which {} has not", account.name),
                },
            ));
        }
    }
}

/// What a plan says of one article.
fn planned(context: &Context<'_>, plan: &Plan<'_>, item: &Item<'_>) -> ArticleResult {
    let article = item.article;
    match &item.step {
        Step::Damaged(why) => view::damaged(article, why.clone()),
        Step::Refuse(record, reason) => {
            view::ended(article, record, Verdict::Rejected(reason.clone()))
        }
        Step::PutOff(record, reason) => {
            view::ended(article, record, Verdict::Deferred(reason.clone()))
        }
        Step::Create(record, needs) => {
            let of_image = |image: &crate::article::MediaFile| {
                let (verdict, attachment_id) = upload::planned(plan.uploads.get(&image.digest)?);
                Some(MediaResult { path: image.path.clone(), verdict, attachment_id })
            };
            let media: Vec<_> = article.images.iter().filter_map(of_image).collect();
            let verdict = media.iter().find_map(upload::blocks).unwrap_or(Verdict::WouldCreate);
            let mut result = view::ended(article, record, verdict);
            result.media = media;
            result.warnings.extend(needs.warnings.iter().cloned());
            let clock = context.site.clock();
            result.site_date = article.date.as_ref().map(|date| clock.shows(date.timestamp()));
            result
        }
        Step::Settle(record, action) => {
            let (verdict, found) = view::planned(action.clone());
            let mut result = view::ended(article, record, verdict);
            if let [only] = found.as_slice() {
                result = view::with_post(result, context.site, only);
            }
            result.candidates =
                found.iter().map(|found| view::post_view(context.site, found)).collect();
            result
        }
    }
}

/// The result of a run that the user ended while it was looking.
fn interrupted(context: &Context<'_>, journal: &JournalView, articles: &[Article]) -> RunResult {
    RunResult {
        run: None,
        site: Some(context.site.url().to_owned()),
        articles: without_site(journal, articles, context.now(), "interrupted"),
        troubles: Vec::new(),
        remarks: Vec::new(),
        plan_file: None,
        interrupted: context.interrupt.raised(),
    }
}

/// Every article as deferred, for a run that was not this one's turn.
#[must_use]
pub fn put_off(articles: &[Article], code: &str) -> Vec<ArticleResult> {
    let one = |article: &Article| {
        let record = crate::protocol::ArticleRecord::new(article.key.clone());
        let reason = Reason::new(code, "another run has the journal; this one did nothing");
        view::ended(article, &record, Verdict::Deferred(reason))
    };
    articles.iter().map(one).collect()
}

/// What is known of every article when the site can't be asked at all: a send whose
/// outcome is unknown stays so, nothing else is in doubt, and `code` says once why.
#[must_use]
pub fn without_site(
    journal: &JournalView,
    articles: &[Article],
    now: Timestamp,
    code: &str,
) -> Vec<ArticleResult> {
    let detail = format!("the run could not ask ({code})");
    let unclear = Unclear { why: UnclearWhy::NoAnswer, detail };
    let one = |looked: look::Looked<'_>| match looked.found {
        Err(damaged) => view::damaged(looked.article, with_causes(&damaged)),
        Ok((record, action)) => {
            let verdict = match view::planned(action).0 {
                Verdict::Deferred(_) => Verdict::Deferred(Reason::new(
                    code,
                    "the run could not begin; nothing was sent",
                )),
                other => other,
            };
            view::ended(looked.article, &record, verdict)
        }
    };
    look::without_site(journal, articles, now, &unclear).into_iter().map(one).collect()
}

/// The results of files that failed the check, which no run touches.
#[must_use]
pub fn invalid(files: &[InvalidArticle]) -> Vec<ArticleResult> {
    let key = |file: &InvalidArticle| {
        let slug = crate::article::slug::lint(file.slug.as_deref()?).ok()?;
        Some(ArticleKey { post_type: PostType::Post, slug })
    };
    let one = |file: &InvalidArticle| ArticleResult {
        problems: file.problems.clone(),
        ..ArticleResult::new(key(file), file.path.clone(), Verdict::Invalid)
    };
    files.iter().map(one).collect()
}

/// An error and its causes on one line.
#[must_use]
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
