//! `oncepress push`: brings every article to its end, with the lock held.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::article::Checked;
use crate::config::{Config, SiteConfig};
use crate::journal::{JournalWarning, LockError, LockedJournal, RunInfo, RunLog, host_facts};
use crate::render::RENDERER_VERSION;
use crate::report::exit::Exit;
use crate::report::json::Tense;
use crate::report::log::line;
use crate::report::plan_file::PlanFile;
use crate::run::approved::ApprovedPlan;
use crate::run::interrupt::Interrupt;
use crate::run::result::{RunResult, Trouble};
use crate::run::{Context, Event, push, put_off, run_id, with_causes, without_site};
use crate::wordpress::Site;

use super::args::{Global, Paths, Push};
use super::console::Console;
use super::session;
use super::world::World;

/// How often a busy lock is tried.
const LOCK_POLL: Duration = Duration::from_millis(100);

pub(super) async fn run(global: &Global, push: &Push, world: &World, console: Console<'_>) -> Exit {
    let result = pushed(global, push, world, console).await.unwrap_or_else(session::failed);
    console.finish("push", Tense::Done, &result, Exit::of(&result))
}

async fn pushed(
    global: &Global,
    args: &Push,
    world: &World,
    console: Console<'_>,
) -> Result<RunResult, Trouble> {
    let interrupt = world.listen().map_err(|error| super::internal(error.to_string()))?;
    let config = session::config(global, world)?;
    let site_config = session::site_config(&config)?;
    let plan = args.plan.as_deref().map(|path| plan_in(path, world)).transpose()?;
    let checked = match &plan {
        None => session::checked(&config, &args.paths, world)?,
        Some(plan) => planned_files(plan, &config, world)?,
    };
    let dir = session::journal_dir(&config, site_config)?;
    let locked = lock(&dir, &config, world, &interrupt, "push", args.lock_wait).await;
    let mut journal = match locked {
        Ok(journal) => journal,
        Err(trouble) => {
            let interrupted = interrupt.raised();
            let articles = if trouble.code == session::BUSY {
                // What the other run sends right now is in its hands, and no doubt.
                put_off(&checked.articles, &trouble.code)
            } else {
                let view = session::journal_view(&config, site_config)?;
                without_site(&view, &checked.articles, world.now(), &trouble.code)
            };
            let failed = RunResult { articles, interrupted, ..session::failed(trouble) };
            return Ok(session::with_check(failed, &checked));
        }
    };
    for JournalWarning::NetworkFileSystem { kind, dir } in journal.warnings() {
        console.remark(&format!(
            "{} is on {kind}, where a lock may not hold between machines; run on one at a time",
            dir.display()
        ));
    }
    let with_lock = WithLock {
        config: &config,
        site_config,
        checked: &checked,
        plan: plan.as_ref(),
        world,
        console,
    };
    let outcome = with_lock.run(&mut journal, interrupt).await;
    // Every orderly end takes the marker away, failures among them.
    let finished = journal.finish();
    let mut result = outcome.unwrap_or_else(session::failed);
    if let Err(error) = finished {
        let hint = "the next run will ask you to run `oncepress unlock`";
        result.troubles.push(session::local("marker_left", with_causes(&error), hint));
    }
    Ok(session::with_check(result, &checked))
}

/// The plan in a file.
fn plan_in(path: &Path, world: &World) -> Result<PlanFile, Trouble> {
    let failed = |why: String| plan_unreadable(&path.display().to_string(), &why);
    let bytes = std::fs::read(world.cwd.join(path)).map_err(|error| failed(error.to_string()))?;
    let plan = PlanFile::read(&bytes).map_err(|error| failed(with_causes(&error)))?;
    if plan.renderer_version != RENDERER_VERSION {
        return Err(failed("another version of OncePress made it, and renders differently".into()));
    }
    Ok(plan)
}

/// Checks the files that a plan names; one that is gone is told with the result.
fn planned_files(plan: &PlanFile, config: &Config, world: &World) -> Result<Checked, Trouble> {
    let named = plan.paths().map(PathBuf::from);
    let paths: Vec<_> = named.filter(|path| world.cwd.join(path).exists()).collect();
    if paths.is_empty() {
        return Ok(Checked::default());
    }
    session::checked(config, &Paths { paths }, world)
}

/// The plan, if it is one for this site.
fn approved(plan: &PlanFile, site: &Site, world: &World) -> Result<ApprovedPlan, Trouble> {
    if plan.site != site.url() {
        let message =
            format!("the plan is for {}, and this is {}; nothing was sent", plan.site, site.url());
        return Err(session::usage("plan_of_another_site", message, "oncepress plan --out FILE"));
    }
    plan.approved(world.person(), world.now())
        .map_err(|error| plan_unreadable("the plan", &with_causes(&error)))
}

fn plan_unreadable(plan: &str, why: &str) -> Trouble {
    let message = format!("{plan} can't be carried out: {why}; nothing was sent");
    session::usage("plan_unreadable", message, "make it anew: oncepress plan --out FILE")
}

/// Takes the lock, waiting at most so long. Each try is short, so that an interruption
/// never falls between the lock and its marker.
pub(super) async fn lock(
    dir: &Path,
    config: &Config,
    world: &World,
    interrupt: &Interrupt,
    command: &str,
    wait: Duration,
) -> Result<LockedJournal, Trouble> {
    let run = run_id(world.now(), &world.random);
    let facts = host_facts();
    let info = RunInfo {
        run_id: run,
        pid: std::process::id(),
        boot_id: facts.boot_id,
        host: facts.host,
        started: world.now(),
        command: format!("oncepress {command}"),
    };
    let mut left = wait;
    loop {
        let rescue_dirs = world.rescue_dirs(config.base.clone());
        match LockedJournal::lock(dir, info.clone(), Duration::ZERO, rescue_dirs) {
            Ok(journal) => return Ok(journal),
            Err(LockError::Busy { .. }) if !left.is_zero() && interrupt.raised().is_none() => {
                let nap = LOCK_POLL.min(left);
                interrupt.sleep(nap).await;
                left -= nap;
            }
            Err(error) => return Err(session::lock_trouble(&error)),
        }
    }
}

/// What is waited for until there is a plan.
pub(super) const LOOKING: &str = "for articles and images on the site";

/// Everything that a push needs once it has the lock.
struct WithLock<'a> {
    config: &'a Config,
    site_config: &'a SiteConfig,
    checked: &'a Checked,
    plan: Option<&'a PlanFile>,
    world: &'a World,
    console: Console<'a>,
}

impl WithLock<'_> {
    async fn run(
        &self,
        journal: &mut LockedJournal,
        interrupt: Interrupt,
    ) -> Result<RunResult, Trouble> {
        let Self { config, site_config, checked, plan, world, console } = self;
        let run = journal.run().run_id.clone();
        let remark = |text: &str| console.remark(text);
        let mut site = match session::reach(config, site_config, world, &interrupt, &remark).await {
            Ok(site) => site,
            Err(trouble) => {
                let (now, code) = (world.now(), trouble.code.as_str());
                let articles = without_site(journal.view(), &checked.articles, now, code);
                let interrupted = interrupt.raised();
                let failed = session::failed(trouble);
                return Ok(RunResult { run: Some(run), articles, interrupted, ..failed });
            }
        };
        if let Some(bars) = world.streams.bars() {
            site.watch_uploads(bars.watch());
            bars.wait("looking", LOOKING);
        }
        let approved = plan.map(|plan| approved(plan, &site, world)).transpose()?;
        let (root, url) = (site.root_url(), site_config.url.url());
        journal.remember_site(root, url).map_err(|error| {
            session::local(
                "journal_write_failed",
                with_causes(&error),
                "make room on the disk, then run the same command again",
            )
        })?;
        let context = Context {
            site: &site,
            network: &config.network,
            missing_tags: config.missing_tags,
            clock: world.clock.clone(),
            random: world.random.clone(),
            run: run.clone(),
            interrupt,
        };
        let mut log = Log::open(journal);
        let mut emit = |event: Event| {
            let line = line(&event, &run, world.now());
            log.write(&line);
            console.tell(&event, &line);
        };
        let mut result = push(&context, journal, &checked.articles, approved.as_ref(), &mut emit)
            .await
            .map_err(|error| session::journal_trouble(&error))?;
        result.articles.extend(approved.iter().flat_map(|approved| approved.gone(checked)));
        result.remarks.extend(log.close());
        Ok(result)
    }
}

/// The run log; a gap in it is told once, and stops nothing.
struct Log {
    file: Option<RunLog>,
    gap: Option<String>,
}

impl Log {
    fn open(journal: &LockedJournal) -> Self {
        match journal.run_log() {
            Ok(file) => Self { file: Some(file), gap: None },
            Err(error) => Self { file: None, gap: Some(with_causes(&error)) },
        }
    }

    fn write(&mut self, line: &Value) {
        if let Some(file) = &mut self.file
            && let Err(error) = file.append(line)
        {
            self.gap.get_or_insert_with(|| with_causes(&error));
        }
    }

    fn close(self) -> Option<String> {
        let closed = self.file.map(RunLog::close);
        let failed = closed.and_then(Result::err).map(|error| with_causes(&error));
        self.gap.or(failed)
    }
}
