//! `oncepress resolve`: records a person's decision about one article.

use std::path::Path;
use std::time::Duration;

use crate::article::{Article, Checked};
use crate::config::{Config, SiteConfig};
use crate::journal::{JournalView, LockedJournal};
use crate::names::{ArticleKey, Digest};
use crate::report::exit::Exit;
use crate::report::json::Tense;
use crate::run::interrupt::Interrupt;
use crate::run::resolve::{Person, Resolved, Verdict, resolve_article};
use crate::run::resolve_upload::resolve_upload;
use crate::run::result::{RunResult, Trouble};
use crate::run::status::status;
use crate::run::with_causes;
use crate::wordpress::Site;

use super::args::{Global, Paths, Resolve};
use super::console::Console;
use super::push::lock;
use super::session;
use super::world::World;

pub(super) async fn run(
    global: &Global,
    args: &Resolve,
    world: &World,
    console: Console<'_>,
) -> Exit {
    let result = decided(global, args, world, console).await.unwrap_or_else(session::failed);
    // A decision that was recorded is settled, whatever phase the record is in now.
    let exit = match result.troubles.first() {
        Some(trouble) => Exit::of_trouble(trouble.kind),
        None => Exit::Settled,
    };
    console.finish("resolve", Tense::Done, &result, exit)
}

fn verdict(args: &Resolve) -> Verdict {
    match (args.adopt, args.not_created, args.restart) {
        (Some(id), _, _) => Verdict::Adopt(id),
        (None, true, _) => Verdict::NotCreated,
        (None, false, true) => Verdict::Restart,
        (None, false, false) => Verdict::Withdraw,
    }
}

async fn decided(
    global: &Global,
    args: &Resolve,
    world: &World,
    console: Console<'_>,
) -> Result<RunResult, Trouble> {
    let interrupt = world.listen().map_err(|error| super::internal(error.to_string()))?;
    if args.because.trim().is_empty() {
        let message = "--because is empty: say why, for the record".to_owned();
        return Err(session::usage("no_reason", message, "oncepress resolve --help"));
    }
    let key = session::article_key(&args.slug)?;
    let config = session::config(global, world)?;
    let site_config = session::site_config(&config)?;
    let dir = session::journal_dir(&config, site_config)?;
    let mut journal = lock(&dir, &config, world, &interrupt, "resolve", Duration::ZERO).await?;
    let decision = Decision { args, key, config: &config, site_config, world, console };
    let outcome = decision.carry_out(&mut journal, &interrupt).await;
    let finished = journal.finish();
    let mut result = outcome?;
    if let Err(error) = finished {
        let hint = "the next run will ask you to run `oncepress unlock`";
        result.troubles.push(session::local("marker_left", with_causes(&error), hint));
    }
    Ok(result)
}

struct Decision<'a> {
    args: &'a Resolve,
    key: ArticleKey,
    config: &'a Config,
    site_config: &'a SiteConfig,
    world: &'a World,
    console: Console<'a>,
}

impl Decision<'_> {
    async fn carry_out(
        &self,
        journal: &mut LockedJournal,
        interrupt: &Interrupt,
    ) -> Result<RunResult, Trouble> {
        let verdict = verdict(self.args);
        // Files that fail the check do not matter here, only the one that is meant.
        let checked = session::checked(self.config, &Paths { paths: Vec::new() }, self.world)
            .unwrap_or_default();
        let article = checked.articles.iter().find(|article| article.key == self.key);
        let site = self.site(verdict, interrupt).await?;
        let person = self.person(journal);
        let resolved = match &self.args.media {
            None => {
                resolve_article(site.as_ref(), journal, &self.key, article, verdict, &person)
                    .await?
            }
            Some(path) => {
                let digest = self.image(journal.view(), &checked, article, path)?;
                resolve_upload(site.as_ref(), journal, &self.key, digest, verdict, &person).await?
            }
        };
        let url = Some(self.site_config.url.as_str().to_owned());
        let mut result = status(journal.view(), url, std::slice::from_ref(&self.key))
            .map_err(|error| session::journal_trouble(&error))?;
        let Resolved { message } = resolved;
        result.remarks = vec![format!("{}: {message}", self.key)];
        Ok(result)
    }

    /// Decisions that rest on what the site shows ask it; a withdrawal does not.
    async fn site(&self, verdict: Verdict, interrupt: &Interrupt) -> Result<Option<Site>, Trouble> {
        match verdict {
            Verdict::Withdraw => Ok(None),
            Verdict::Adopt(_) | Verdict::NotCreated | Verdict::Restart => {
                let remark = |text: &str| self.console.remark(text);
                session::reach(self.config, self.site_config, self.world, interrupt, &remark)
                    .await
                    .map(Some)
            }
        }
    }

    fn person(&self, journal: &LockedJournal) -> Person {
        let operation = crate::names::OperationId::from_random((self.world.random)());
        Person {
            by: self.world.person(),
            because: self.args.because.trim().to_owned(),
            at: self.world.now(),
            run: journal.run().run_id.clone(),
            operation,
        }
    }

    /// The content that a path means: an image of the article as it is, or one that a
    /// record names.
    fn image(
        &self,
        journal: &JournalView,
        checked: &Checked,
        article: Option<&Article>,
        path: &Path,
    ) -> Result<Digest, Trouble> {
        let text = path.to_string_lossy();
        let file = self.world.cwd.join(path).canonicalize().ok();
        let images = article.into_iter().chain(&checked.articles).flat_map(|a| &a.images);
        for image in images {
            if image.path == text || file.as_ref() == Some(&image.file) {
                return Ok(image.digest);
            }
        }
        let records = journal.uploads().map_err(|error| session::journal_trouble(&error))?;
        let names = |record: &&crate::protocol::UploadRecord| {
            record.input().is_some_and(|input| input.paths.iter().any(|known| *known == text))
        };
        let found = records.iter().flatten().find(names).map(|record| *record.identity());
        found.ok_or_else(|| {
            let message = format!("{text} is no image of an article, and no record names it");
            session::usage("no_such_image", message, "oncepress status")
        })
    }
}
