//! What several commands do first: read the configuration, check the files, find the
//! journal, reach the site.
//!
//! Absent from here: the commands themselves. The one rule: every failure becomes a
//! [`Trouble`] with the next command, so that it can be told as text and as JSON.

use std::path::PathBuf;
use std::sync::Arc;

use crate::article::{CheckError, Checked, Limits, Problem, check_watched};
use crate::config::{Config, ConfigError, SiteConfig};
use crate::journal::{
    JournalError, JournalView, LockError, MarkerState, Pending, locate, site_key,
};
use crate::names::ArticleKey;
use crate::run::interrupt::Interrupt;
use crate::run::result::{RemoteEffect, RunResult, Trouble, TroubleKind, Warning};
use crate::run::with_causes;
use crate::sandbox::{Kept, KeptError, Version};
use crate::wordpress::{
    Carrier, Credentials, PreflightError, Settings, Site, connect, connect_in_process,
};

use super::args::{Global, Paths};
use super::world::World;

/// The simulated site's file in the folder of the journals. No site has this key, because
/// a key has no capitals, so it is nobody's journal.
const SANDBOX_FILE: &str = "SANDBOX.json";

/// The configuration, with its overrides.
pub(crate) fn config(global: &Global, world: &World) -> Result<Config, Trouble> {
    crate::config::load(global.config.as_deref(), &world.cwd, &world.env)
        .map_err(|error| config_trouble(&error))
}

fn config_trouble(error: &ConfigError) -> Trouble {
    usage(error.code(), with_causes(error), error.hint())
}

/// A trouble that changing arguments or configuration ends.
pub(crate) fn usage(code: &str, message: String, hint: impl Into<String>) -> Trouble {
    Trouble::new(TroubleKind::Usage, code, message, hint)
}

/// Checks the files that were named, or the articles folder.
pub(crate) fn checked(config: &Config, paths: &Paths, world: &World) -> Result<Checked, Trouble> {
    let limits = Limits {
        image_bytes_max: config.image_bytes_max,
        file_bytes_max: config.file_bytes_max,
        allowed: config.allowed_kinds.clone(),
        body_format: config.body_format,
        ..Limits::default()
    };
    // Shown as a person in the working directory would type it.
    let dir = config.articles_dir.strip_prefix(&world.cwd).unwrap_or(&config.articles_dir);
    let default = [if dir.as_os_str().is_empty() { PathBuf::from(".") } else { dir.to_owned() }];
    let named = if paths.paths.is_empty() { &default[..] } else { &paths.paths };
    let bars = world.streams.bars();
    if let Some(bars) = bars {
        bars.check();
    }
    let watch = |files| {
        if let Some(bars) = bars {
            bars.checked(files);
        }
    };
    let checked = check_watched(named, &config.articles_dir, &world.cwd, &limits, &watch);
    if let Some(bars) = bars {
        bars.rest();
    }
    checked.map_err(|error: CheckError| {
        usage(
            "cannot_check",
            with_causes(&error),
            "name article files or their folder, or set [articles] dir",
        )
    })
}

/// The site's configuration.
pub(crate) fn site_config(config: &Config) -> Result<&SiteConfig, Trouble> {
    config.site.as_ref().ok_or_else(|| config_trouble(&ConfigError::NoSite))
}

/// The folder of the site's journal, found without asking the site.
pub(crate) fn journal_dir(config: &Config, site: &SiteConfig) -> Result<PathBuf, Trouble> {
    let url = site.url.url();
    let known = locate(&config.journal_dir, url).map_err(|error| journal_trouble(&error))?;
    Ok(known.unwrap_or_else(|| config.journal_dir.join(site_key(url).as_str())))
}

/// The journal, for reading.
pub(crate) fn journal_view(config: &Config, site: &SiteConfig) -> Result<JournalView, Trouble> {
    let dir = journal_dir(config, site)?;
    let journal = JournalView::open(&dir).map_err(|error| journal_trouble(&error))?;
    let strangers = journal.strangers().map_err(|error| journal_trouble(&error))?;
    match strangers.into_iter().next() {
        Some(path) => Err(journal_trouble(&JournalError::ConflictCopy { path })),
        None => Ok(journal),
    }
}

/// The journal can't be used.
pub(crate) fn journal_trouble(error: &JournalError) -> Trouble {
    let (code, hint) = match error {
        JournalError::ConflictCopy { .. } => (
            "journal_conflict_copy",
            "compare it with the record beside it, keep what is newer, move the other away",
        ),
        _ => ("journal_unusable", "look at the path; never delete records to make the tool go on"),
    };
    local(code, format!("{}; nothing was sent", with_causes(error)), hint)
}

/// A trouble of the local state.
pub(crate) fn local(code: &str, message: String, hint: impl Into<String>) -> Trouble {
    Trouble::new(TroubleKind::LocalState, code, message, hint)
}

/// The code of a lock that a living run has.
pub(crate) const BUSY: &str = "busy";

/// Why the journal could not be had.
pub(crate) fn lock_trouble(error: &LockError) -> Trouble {
    match error {
        LockError::Busy { .. } => Trouble::new(
            TroubleKind::Temporary,
            BUSY,
            format!("{}; this one did nothing", with_causes(error)),
            "run the same command again when it has ended, or with --lock-wait",
        )
        .with_next("oncepress push --lock-wait 30s"),
        LockError::Abandoned(abandoned) => {
            let message = format!(
                "{}; nothing was sent. {}",
                who_died(&abandoned.marker),
                left_behind(&abandoned.pending)
            );
            let effect = if nothing_left(&abandoned.pending) {
                RemoteEffect::None
            } else {
                RemoteEffect::Possible
            };
            let unlock = format!("oncepress unlock {}", abandoned.marker.token());
            let hint = format!("if that process is gone, run: {unlock}");
            local("abandoned_run", message, hint).with_next(unlock).with_effect(effect)
        }
        LockError::Journal(error) => journal_trouble(error),
        LockError::LockFile { .. } | LockError::Disk(_) => local(
            "journal_unusable",
            format!("{}; nothing was sent", with_causes(error)),
            "make room on the disk, or see who may write there, then run the same command again",
        ),
    }
}

/// The run that died, in words.
pub(crate) fn who_died(marker: &MarkerState) -> String {
    match marker {
        MarkerState::Readable(info) => format!(
            "the run {} (`{}`, process {} on {}, since {:.0}) ended without a word",
            info.run_id, info.command, info.pid, info.host, info.started
        ),
        MarkerState::Unreadable { why, .. } => {
            format!("a run ended without a word, and its marker can't be read ({why})")
        }
    }
}

/// What it left in doubt, in words.
pub(crate) fn left_behind(pending: &Pending) -> String {
    if nothing_left(pending) {
        return "It left nothing in doubt.".to_owned();
    }
    let articles = pending.articles.iter().map(|record| record.identity().to_string());
    let uploads = pending.uploads.iter().map(|record| {
        let input = record.input();
        let path = input.and_then(|input| input.paths.first());
        format!("image {}", path.map_or_else(|| record.identity().to_string(), Clone::clone))
    });
    let damaged = pending.damaged.iter().map(|damaged| damaged.path.display().to_string());
    let names: Vec<_> = articles.chain(uploads).chain(damaged).collect();
    format!("It may have been sending: {}.", names.join(", "))
}

fn nothing_left(pending: &Pending) -> bool {
    pending.articles.is_empty() && pending.uploads.is_empty() && pending.damaged.is_empty()
}

/// Reads the password, finds the REST root and proves the account.
pub(crate) async fn reach(
    config: &Config,
    site: &SiteConfig,
    world: &World,
    interrupt: &Interrupt,
    remark: &dyn Fn(&str),
) -> Result<Site, Trouble> {
    let password = site.password.read().map_err(|error| config_trouble(&error))?;
    if let Some(text) = &password.remark {
        remark(text);
    }
    let credentials = Credentials { username: site.username.clone(), password: password.secret };
    let settings = Settings {
        connect_timeout: config.network.connect_timeout,
        timeout: config.network.timeout,
    };
    let random = world.random.clone();
    let carrier = match world.carrier.clone() {
        None if site.url.is_sandbox() => Some(sandbox(config, site, world)?),
        carrier => carrier,
    };
    let connecting = async {
        match carrier {
            Some(carrier) => connect_in_process(&site.url, &credentials, carrier, random).await,
            None => connect(&site.url, &credentials, &settings, random).await,
        }
    };
    let connected = interrupt.unless_raised(connecting).await;
    let reached = connected.ok_or_else(interrupted)?.map_err(|error| preflight_trouble(&error))?;
    same_site(config, site, &reached)?;
    Ok(reached)
}

/// The way to the simulated site in this process, whose posts are kept beside the
/// journals: it is not one of them, and no record is in it.
pub(crate) fn sandbox(
    config: &Config,
    site: &SiteConfig,
    world: &World,
) -> Result<Carrier, Trouble> {
    let path = config.journal_dir.join(SANDBOX_FILE);
    let kept = Kept::in_file(&path, site.url.as_str(), Version::V7_1)
        .map_err(|error| sandbox_trouble(&error))?;
    Ok(Arc::new(kept).carrier(world.clock.clone(), config.network.timeout))
}

/// The simulated site can't be had.
pub(crate) fn sandbox_trouble(error: &KeptError) -> Trouble {
    let message = format!("{}; nothing was changed", with_causes(error));
    match error {
        KeptError::OfAnother { .. } => {
            usage("sandbox_file_foreign", message, "name another file; this one is left alone")
        }
        KeptError::Damaged { .. } => {
            let hint = "move the file away to begin with a fresh simulated site";
            local("sandbox_damaged", message, hint)
        }
        KeptError::NotKept(_) | KeptError::NotJson(_) => {
            local("sandbox_not_kept", message, "make room on the disk, or see who may write there")
        }
    }
}

fn interrupted() -> Trouble {
    let message = "interrupted before the site was reached; nothing was sent";
    Trouble::new(TroubleKind::Temporary, "interrupted", message, "run the same command again")
}

/// Records of one site must never serve another.
pub(crate) fn same_site(config: &Config, site: &SiteConfig, reached: &Site) -> Result<(), Trouble> {
    let journal = journal_dir(config, site)?;
    let key = site_key(reached.root_url());
    if journal.file_name().and_then(|name| name.to_str()) != Some(key.as_str()) {
        return Err(usage(
            "site_elsewhere",
            format!("{} leads to the REST root {}", site.url.as_str(), reached.root()),
            format!("set [site] url to {}", reached.home()),
        ));
    }
    match &site.expect_name {
        Some(expected) if expected != reached.name() => Err(usage(
            "unexpected_site",
            format!(
                "the site is called \"{}\", not \"{expected}\"; nothing was sent",
                reached.name()
            ),
            "correct [site] url or expect_name",
        )),
        Some(_) | None => Ok(()),
    }
}

fn preflight_trouble(error: &PreflightError) -> Trouble {
    let message = format!("{}; nothing was sent", with_causes(error));
    Trouble::new(error.kind().into(), error.code(), message, error.hint()).with_words_of_the_site()
}

/// A result that consists of one trouble.
pub(crate) fn failed(trouble: Trouble) -> RunResult {
    RunResult {
        run: None,
        site: None,
        articles: Vec::new(),
        troubles: vec![trouble],
        remarks: Vec::new(),
        plan_file: None,
        interrupted: None,
    }
}

/// Puts files that failed the check and warnings of the check into a result.
pub(crate) fn with_check(mut result: RunResult, checked: &Checked) -> RunResult {
    for Problem { path, line, code, message } in &checked.warnings {
        // The run itself told this where the site and its user make it true.
        if *code == "html_filtered" {
            continue;
        }
        let message = format!("line {line}: {message}");
        let warning = Warning { code: (*code).to_owned(), message };
        if let Some(article) = result.articles.iter_mut().find(|article| article.path == *path) {
            article.warnings.push(warning);
        }
    }
    result.articles.extend(crate::run::invalid(&checked.invalid));
    result.articles.sort_by(|a, b| a.path.cmp(&b.path));
    result
}

/// The article that a person names: a slug, or a type, a colon and a slug.
pub(crate) fn article_key(text: &str) -> Result<ArticleKey, Trouble> {
    use crate::names::PostType;
    let (post_type, slug) = match text.split_once(':') {
        // What is no type may be a slug that is refused below, with a better message.
        Some((name, slug)) => match PostType::parse(name) {
            Ok(post_type) => (post_type, slug),
            Err(_) => (PostType::Post, text),
        },
        None => (PostType::Post, text),
    };
    let slug = crate::article::slug::lint(slug).map_err(|problem| {
        usage(
            "slug_invalid",
            format!("{text:?} is no slug: {}", problem.message),
            "oncepress status",
        )
    })?;
    Ok(ArticleKey { post_type, slug })
}
