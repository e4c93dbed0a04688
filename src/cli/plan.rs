//! `oncepress plan`: looks, and says what `push` would do. No lock, no write.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use crate::article::Checked;
use crate::config::Config;
use crate::report::exit::Exit;
use crate::report::json::Tense;
use crate::report::plan_file::{Made, PlanFile};
use crate::run::interrupt::Interrupt;
use crate::run::result::{RunResult, Trouble, Verdict};
use crate::run::{Context, plan_only, run_id, without_site};

use super::args::{Global, Plan};
use super::console::Console;
use super::session;
use super::world::World;

pub(super) async fn run(global: &Global, args: &Plan, world: &World, console: Console<'_>) -> Exit {
    let result = planned(global, args, world, console).await.unwrap_or_else(session::failed);
    let to_do =
        |verdict: &Verdict| matches!(verdict, Verdict::WouldCreate | Verdict::WouldComplete);
    let exit = match Exit::of(&result) {
        Exit::Settled
            if args.detailed_exitcode
                && result.articles.iter().any(|article| to_do(&article.verdict)) =>
        {
            Exit::ToDo
        }
        exit => exit,
    };
    console.finish("plan", Tense::Planned, &result, exit)
}

async fn planned(
    global: &Global,
    args: &Plan,
    world: &World,
    console: Console<'_>,
) -> Result<RunResult, Trouble> {
    let interrupt = world.listen().map_err(|error| super::internal(error.to_string()))?;
    let config = session::config(global, world)?;
    session::site_config(&config)?;
    let checked = session::checked(&config, &args.paths, world)?;
    let mut result = look(&config, &checked, world, console, interrupt).await?;
    if let Some(path) = &args.out {
        write_plan(path, &mut result, &checked, world)?;
    }
    Ok(session::with_check(result, &checked))
}

/// Writes the plan, unless the site could not be asked; then the result says so.
fn write_plan(
    path: &Path,
    result: &mut RunResult,
    checked: &Checked,
    world: &World,
) -> Result<(), Trouble> {
    let shown = path.display();
    let Some(site) = result.site.clone().filter(|_| result.troubles.is_empty()) else {
        result.remarks.push(format!("no plan was written to {shown}"));
        return Ok(());
    };
    let made = Made {
        at: world.now(),
        by: world.person(),
        site,
        renderer: crate::render::RENDERER_VERSION,
    };
    let plan = PlanFile::of(made, result, &checked.articles)
        .map_err(|error| super::internal(error.to_string()))?;
    let text =
        serde_json::to_string_pretty(&plan).map_err(|error| super::internal(error.to_string()))?;
    let write = |text: String| {
        let mut file = File::create(world.cwd.join(path))?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    };
    write(text + "\n").map_err(|error: io::Error| {
        let message = format!("the plan can't be written to {shown}: {error}");
        session::usage("plan_not_written", message, "name another file for --out")
    })?;
    result.remarks.push(format!("the plan {} is in {shown}", plan.id()));
    result.plan_file = Some(shown.to_string());
    Ok(())
}

async fn look(
    config: &Config,
    checked: &Checked,
    world: &World,
    console: Console<'_>,
    interrupt: Interrupt,
) -> Result<RunResult, Trouble> {
    let site_config = session::site_config(config)?;
    let journal = session::journal_view(config, site_config)?;
    let remark = |text: &str| console.remark(text);
    let site = match session::reach(config, site_config, world, &interrupt, &remark).await {
        Ok(site) => site,
        Err(trouble) => {
            let articles = without_site(&journal, &checked.articles, world.now(), &trouble.code);
            let interrupted = interrupt.raised();
            return Ok(RunResult { articles, interrupted, ..session::failed(trouble) });
        }
    };
    if let Some(bars) = world.streams.bars() {
        bars.wait("looking", super::push::LOOKING);
    }
    let run = run_id(world.now(), &world.random);
    let context = Context {
        site: &site,
        network: &config.network,
        missing_tags: config.missing_tags,
        clock: world.clock.clone(),
        random: world.random.clone(),
        run,
        interrupt,
    };
    plan_only(&context, &journal, &checked.articles)
        .await
        .map_err(|error| session::journal_trouble(&error))
}
