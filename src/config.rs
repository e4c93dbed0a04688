//! From `oncepress.toml` and the environment to a [`Config`] in which every value is
//! already valid.
//!
//! Absent from here: reading the environment (`cli` passes it in) and the network.
//! The one rule: a password is a [`SecretString`] from the moment it is read, and no
//! error of this module quotes it.

mod error;
mod keyring;
mod password;
mod raw;

pub use error::ConfigError;
pub use password::Password;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use secrecy::SecretString;

use crate::article::{BodyFormat, MediaKind};
use crate::wordpress::SiteUrl;
use raw::{RawConfig, RawCreate, RawFormat, RawSite, override_from};

/// The name of the configuration file, searched from the working directory upward.
pub const FILE_NAME: &str = "oncepress.toml";
/// A configuration file larger than this is not one of ours.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// The schema of the file.
#[must_use]
pub fn schema() -> schemars::Schema {
    crate::schema::read::<RawConfig>("config")
}

/// The environment, as `cli` read it.
pub type Environment = BTreeMap<String, String>;

/// Everything that a run is told, beside its arguments.
#[derive(Debug)]
pub struct Config {
    /// The folder that relative paths of the file are relative to.
    pub base: PathBuf,
    /// The site, where one is configured. `check` needs none.
    pub site: Option<SiteConfig>,
    /// The folder of the articles, absolute.
    pub articles_dir: PathBuf,
    /// What the Markdown of an article becomes that does not say so itself.
    pub body_format: BodyFormat,
    /// What to do about tags that the site does not have.
    pub missing_tags: MissingTags,
    /// The largest image that is uploaded, in bytes.
    pub image_bytes_max: u64,
    /// The largest other file that is uploaded, in bytes.
    pub file_bytes_max: u64,
    /// Kinds of files that are uploaded beside the usual images.
    pub allowed_kinds: BTreeSet<MediaKind>,
    /// Time limits.
    pub network: Network,
    /// The folder of the journals, absolute.
    pub journal_dir: PathBuf,
}

/// Which site, and as whom.
#[derive(Debug)]
pub struct SiteConfig {
    /// The address of the site, without query or fragment.
    pub url: SiteUrl,
    /// The WordPress login.
    pub username: String,
    /// Where the application password comes from.
    pub password: PasswordSource,
    /// The site's title, where it must be checked before anything is sent.
    pub expect_name: Option<String>,
}

/// Where the application password comes from.
#[derive(Debug)]
pub enum PasswordSource {
    /// `ONCEPRESS_APP_PASSWORD`.
    Environment(SecretString),
    /// A file that others on this machine can't read.
    File(PathBuf),
    /// A program and its arguments; its standard output is the password. No shell.
    Command(Vec<String>),
    /// The keyring of the operating system.
    #[cfg(feature = "keyring")]
    Keyring {
        /// The site's address.
        site: String,
        /// The WordPress login.
        user: String,
    },
    /// The password of a user of the simulated site, which is no secret.
    Sandbox(SecretString),
    /// None is configured.
    Missing,
}

/// What to do about tags that the site does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingTags {
    /// Create them.
    Create,
    /// Reject the article that names one.
    Reject,
}

/// Time limits of the network.
#[derive(Debug, Clone)]
pub struct Network {
    /// Until a connection stands, DNS and TLS included.
    pub connect_timeout: Duration,
    /// Until a request is answered whole.
    pub timeout: Duration,
    /// How long a site may still be working on a request whose answer was lost.
    pub settle: Duration,
    /// When to look for a post after its answer was lost: waits before each look-up.
    pub lookup_delays: Vec<Duration>,
}

/// Reads the configuration: the file that `--config` names, else the nearest one from
/// `cwd` upward, else none; then the overrides of the environment.
pub fn load(explicit: Option<&Path>, cwd: &Path, env: &Environment) -> Result<Config, ConfigError> {
    let file = match explicit {
        Some(path) => Some(cwd.join(path)),
        None => cwd.ancestors().map(|dir| dir.join(FILE_NAME)).find(|path| path.is_file()),
    };
    let (mut table, base, place) = match &file {
        Some(path) => {
            let base = path.parent().unwrap_or(cwd).to_owned();
            (read_table(path)?, base, path.display().to_string())
        }
        None => (toml::Table::new(), cwd.to_owned(), "the environment".to_owned()),
    };
    override_from(&mut table, env)?;
    let raw: RawConfig =
        table.try_into().map_err(|error: toml::de::Error| ConfigError::Syntax {
            path: file.clone().unwrap_or_else(|| PathBuf::from("the environment")),
            message: error.message().to_owned(),
        })?;
    build(raw, base, &place, env)
}

/// The configuration of somebody who configured nothing: every default.
pub fn load_nothing(cwd: &Path) -> Result<Config, ConfigError> {
    build(RawConfig::default(), cwd.to_owned(), "the defaults", &Environment::new())
}

fn read_table(path: &Path) -> Result<toml::Table, ConfigError> {
    let read = |source| ConfigError::Read { path: path.to_owned(), source };
    let length = std::fs::metadata(path).map_err(read)?.len();
    if length > FILE_BYTES_MAX {
        return Err(ConfigError::Syntax {
            path: path.to_owned(),
            message: format!("{length} bytes, more than a configuration can have"),
        });
    }
    let text = std::fs::read_to_string(path).map_err(read)?;
    // Parsed once into our types for an error with line and column, then as a table,
    // because overrides are laid over it.
    let syntax = |error: toml::de::Error| ConfigError::Syntax {
        path: path.to_owned(),
        message: error.to_string().trim_end().to_owned(),
    };
    toml::from_str::<RawConfig>(&text).map_err(syntax)?;
    toml::from_str(&text).map_err(syntax)
}

fn value_error(place: &str, message: impl Into<String>) -> ConfigError {
    ConfigError::Value { place: place.to_owned(), message: message.into() }
}

fn build(
    raw: RawConfig,
    base: PathBuf,
    place: &str,
    env: &Environment,
) -> Result<Config, ConfigError> {
    let site = match raw.site.url.clone() {
        Some(url) => Some(build_site(raw.site, &url, &base, place, env)?),
        None => None,
    };
    let seconds = |key: &str, value: u64, min: u64, max: u64| {
        if (min..=max).contains(&value) {
            Ok(Duration::from_secs(value))
        } else {
            let message = format!("{value} s is not between {min} and {max} s");
            Err(value_error(&format!("{place}: [network] {key}"), message))
        }
    };
    let lookup_delays = raw
        .network
        .lookup_delays_s
        .iter()
        .map(|value| seconds("lookup_delays_s", *value, 0, 600))
        .collect::<Result<Vec<_>, _>>()?;
    if lookup_delays.is_empty() || lookup_delays.len() > 20 {
        let message = "has 1 to 20 waits, in seconds";
        return Err(value_error(&format!("{place}: [network] lookup_delays_s"), message));
    }
    Ok(Config {
        articles_dir: base.join(raw.articles.dir),
        journal_dir: base.join(raw.journal.dir),
        body_format: match raw.articles.format {
            RawFormat::Html => BodyFormat::Html,
            RawFormat::Blocks => BodyFormat::Blocks,
        },
        missing_tags: match raw.terms.create {
            RawCreate::Tags => MissingTags::Create,
            RawCreate::None => MissingTags::Reject,
        },
        image_bytes_max: raw.media.image_bytes_max,
        file_bytes_max: raw.media.file_bytes_max,
        allowed_kinds: kinds(&raw.media.allow, place)?,
        network: Network {
            connect_timeout: seconds("connect_timeout_s", raw.network.connect_timeout_s, 1, 600)?,
            timeout: seconds("timeout_s", raw.network.timeout_s, 1, 3600)?,
            settle: seconds("settle_s", raw.network.settle_s, 0, 86_400)?,
            lookup_delays,
        },
        site,
        base,
    })
}

fn kinds(words: &[String], place: &str) -> Result<BTreeSet<MediaKind>, ConfigError> {
    let kind = |word: &String| {
        let known = MediaKind::ALL.into_iter().find(|kind| kind.opt_in() == Some(word.as_str()));
        known.ok_or_else(|| {
            let all: Vec<_> = MediaKind::ALL.into_iter().filter_map(MediaKind::opt_in).collect();
            let message = format!("{word:?} is none of {}", all.join(", "));
            value_error(&format!("{place}: [media] allow"), message)
        })
    };
    words.iter().map(kind).collect()
}

fn build_site(
    raw: RawSite,
    url: &str,
    base: &Path,
    place: &str,
    env: &Environment,
) -> Result<SiteConfig, ConfigError> {
    let at = |key: &str| format!("{place}: [site] {key}");
    let url =
        SiteUrl::parse(url).map_err(|source| ConfigError::Address { place: at("url"), source })?;
    let username = match &raw.username {
        None if url.is_sandbox() => crate::sandbox::DEFAULT_USER.to_owned(),
        username => username.clone().unwrap_or_default(),
    };
    if username.trim().is_empty() {
        return Err(value_error(&at("username"), "is missing: the WordPress login or e-mail"));
    }
    if username.contains(':') {
        return Err(value_error(&at("username"), "can't contain a colon"));
    }
    let password = password_source(&raw, &url, &username, base, place, env)?;
    Ok(SiteConfig { url, username, password, expect_name: raw.expect_name })
}

/// Of the places for a password, the one that is given; the environment stands before all.
fn password_source(
    raw: &RawSite,
    url: &SiteUrl,
    username: &str,
    base: &Path,
    place: &str,
    env: &Environment,
) -> Result<PasswordSource, ConfigError> {
    let at = |key: &str| format!("{place}: [site] {key}");
    // A password in the environment is that of a real site, and no business of this one.
    let variable = env.get("ONCEPRESS_APP_PASSWORD").filter(|_| !url.is_sandbox());
    if let Some(text) = variable {
        return Ok(PasswordSource::Environment(SecretString::from(text.clone())));
    }
    let given: Vec<&str> = [
        ("password_file", raw.password_file.is_some()),
        ("password_command", raw.password_command.is_some()),
        ("keyring", raw.keyring),
    ]
    .into_iter()
    .filter_map(|(key, is_given)| is_given.then_some(key))
    .collect();
    if let [first, second, ..] = given.as_slice() {
        let message = format!("can't stand beside {second}: give one of them");
        return Err(value_error(&at(first), message));
    }
    if let Some(path) = &raw.password_file {
        return Ok(PasswordSource::File(base.join(path)));
    }
    if let Some(argv) = &raw.password_command {
        return match argv.first() {
            Some(program) if !program.is_empty() => Ok(PasswordSource::Command(argv.clone())),
            Some(_) | None => Err(value_error(&at("password_command"), "names no program")),
        };
    }
    if raw.keyring {
        return keyring::source(url.as_str(), username, &at("keyring"));
    }
    if !url.is_sandbox() {
        return Ok(PasswordSource::Missing);
    }
    crate::sandbox::password_of(username)
        .map(|password| PasswordSource::Sandbox(SecretString::from(password)))
        .map_err(|users| {
            let message = format!("the simulated site has the users {}", users.join(", "));
            value_error(&at("username"), message)
        })
}

#[cfg(test)]
mod tests;
