//! `oncepress plan`: looks, and says what `push` would do. No lock, no write.

use crate::article::Checked;
use crate::config::Config;
use crate::report::exit::Exit;
use crate::report::json::Tense;
use crate::run::interrupt::Interrupt;
use crate::run::result::{RunResult, Trouble};
use crate::run::{Context, plan_only, run_id, without_site};

use super::args::{Global, Paths};
use super::console::Console;
use super::session;
use super::world::World;

pub(super) async fn run(
    global: &Global,
    paths: &Paths,
    world: &World,
    console: Console<'_>,
) -> Exit {
    let result = planned(global, paths, world, console).await.unwrap_or_else(session::failed);
    console.finish("plan", Tense::Planned, &result, Exit::of(&result))
}

async fn planned(
    global: &Global,
    paths: &Paths,
    world: &World,
    console: Console<'_>,
) -> Result<RunResult, Trouble> {
    let interrupt = world.listen().map_err(|error| super::internal(error.to_string()))?;
    let config = session::config(global, world)?;
    session::site_config(&config)?;
    let checked = session::checked(&config, paths, world)?;
    let result = look(&config, &checked, world, console, interrupt).await?;
    Ok(session::with_check(result, &checked))
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
