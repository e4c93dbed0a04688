//! `oncepress doctor`: what keeps a site from being published to, and how to mend it.
//!
//! Absent from here: judging (`doctor`). The one rule: the configured password goes to
//! the configured site alone, whatever address is named on the command line.

use crate::config::{Config, ConfigError, Network, SiteConfig};
use crate::doctor::facts::{Asked, Configuration, Facts, Password, SiteFacts};
use crate::doctor::{Check, Finding, ask, exit_of, human, json, judge};
use crate::report::exit::Exit;
use crate::run::interrupt::Interrupt;
use crate::run::result::{Interruption, Trouble};
use crate::wordpress::{Carrier, Credentials, Settings, Site, SiteUrl, Way};

use super::args::{Doctor, Global};
use super::console::Console;
use super::session;
use super::world::World;

pub(super) async fn run(
    global: &Global,
    args: &Doctor,
    world: &World,
    console: Console<'_>,
) -> Exit {
    match looked_over(global, args, world).await {
        Ok(LookedOver { site, findings, interrupted }) => {
            let exit = interrupted.map_or_else(|| exit_of(&findings), Exit::of_interruption);
            tell(site.as_deref(), &findings, exit, world, console)
        }
        Err(trouble) => {
            let findings = [Finding::Other(Check::Configuration, trouble)];
            tell(None, &findings, exit_of(&findings), world, console)
        }
    }
}

fn tell(
    site: Option<&str>,
    findings: &[Finding],
    exit: Exit,
    world: &World,
    console: Console<'_>,
) -> Exit {
    if !console.is_json() {
        return world.streams.print(&human::text(site, findings, exit, console.paint()), exit);
    }
    match serde_json::to_string(&json::document(site, findings, exit)) {
        Ok(text) => world.streams.print(&(text + "\n"), exit),
        Err(error) => {
            let text = format!("error: the result can't be written as JSON: {error}");
            world.streams.say(&text);
            Exit::Internal
        }
    }
}

/// What came of it.
struct LookedOver {
    site: Option<String>,
    findings: Vec<Finding>,
    interrupted: Option<Interruption>,
}

/// What is to be looked at, as far as it is known.
struct Subject {
    url: Option<SiteUrl>,
    credentials: Option<Credentials>,
    configuration: Configuration,
    password: Password,
}

async fn looked_over(global: &Global, args: &Doctor, world: &World) -> Result<LookedOver, Trouble> {
    let interrupt = world.listen().map_err(|error| super::internal(error.to_string()))?;
    let loaded = crate::config::load(global.config.as_deref(), &world.cwd, &world.env);
    let (config, broken) = match loaded {
        Ok(config) => (config, None),
        // Without any file and variable there is nothing that could be wrong.
        Err(error) => {
            let none = crate::config::load_nothing(&world.cwd);
            (none.map_err(|error| super::internal(error.to_string()))?, Some(error))
        }
    };
    let subject = subject(args, &config, broken);
    let asked = match &subject.url {
        None => SiteFacts::NoAddress,
        Some(url) => match asked(&config, url, &subject, world, &interrupt).await {
            Ok(Some(asked)) => SiteFacts::Asked(asked),
            Ok(None) => SiteFacts::Interrupted,
            Err(trouble) => SiteFacts::NoWay(trouble),
        },
    };
    let site = subject.url.map(|url| url.as_str().to_owned());
    let findings = judge(Facts {
        configuration: subject.configuration,
        password: subject.password,
        site: asked,
        image_bytes_max: config.image_bytes_max,
        file_bytes_max: config.file_bytes_max,
    });
    Ok(LookedOver { site, findings, interrupted: interrupt.raised() })
}

/// What the site showed; nothing if somebody wanted to stop meanwhile.
async fn asked(
    config: &Config,
    url: &SiteUrl,
    subject: &Subject,
    world: &World,
    interrupt: &Interrupt,
) -> Result<Option<Asked>, Trouble> {
    let settings = settings(&config.network);
    let way = match carrier(config, url, world)? {
        Some(carrier) => Way::InProcess(carrier),
        None => Way::Network(&settings),
    };
    let is_other = |site: &Site| other_site(config, url, site);
    let (credentials, random) = (subject.credentials.as_ref(), world.random.clone());
    let asking = ask(url, credentials, way, random, &world.clock, &is_other);
    Ok(interrupt.unless_raised(asking).await)
}

fn subject(args: &Doctor, config: &Config, broken: Option<ConfigError>) -> Subject {
    let unknown = |configuration| Subject {
        url: None,
        credentials: None,
        configuration,
        password: Password::Unknown,
    };
    let named = match args.url.as_deref().map(SiteUrl::parse).transpose() {
        Ok(named) => named,
        Err(error) => return unknown(Configuration::BadAddress(error)),
    };
    if let Some(error) = broken {
        return Subject { url: named, ..unknown(Configuration::Broken(error)) };
    }
    match (&config.site, named) {
        (None, None) => unknown(Configuration::Broken(ConfigError::NoSite)),
        (Some(site), None) => configured(site),
        (Some(site), Some(url)) if site.url == url => configured(site),
        (_, Some(url)) => Subject {
            url: Some(url),
            password: Password::NotForThisAddress,
            ..unknown(Configuration::AddressGiven)
        },
    }
}

fn configured(site: &SiteConfig) -> Subject {
    let username = site.username.clone();
    let (credentials, password) = match site.password.read() {
        Ok(password) => {
            let form = match password.remark {
                Some(remark) => Password::Unusual(remark),
                None => Password::Usual,
            };
            (Some(Credentials { username: username.clone(), password: password.secret }), form)
        }
        Err(error) => (None, Password::Unreadable(error)),
    };
    let configuration = Configuration::Complete { username };
    Subject { url: Some(site.url.clone()), credentials, configuration, password }
}

fn settings(network: &Network) -> Settings {
    Settings { connect_timeout: network.connect_timeout, timeout: network.timeout }
}

/// The way to a site in this process.
fn carrier(config: &Config, url: &SiteUrl, world: &World) -> Result<Option<Carrier>, Trouble> {
    match (&world.carrier, &config.site) {
        (Some(carrier), _) => Ok(Some(carrier.clone())),
        (None, Some(site)) if url.is_sandbox() => session::sandbox(config, site, world).map(Some),
        (None, _) => Ok(None),
    }
}

/// Whether this is another site than the configuration or the journal means.
fn other_site(config: &Config, url: &SiteUrl, reached: &Site) -> Option<Trouble> {
    let site = config.site.as_ref().filter(|site| site.url == *url)?;
    session::same_site(config, site, reached).err()
}
