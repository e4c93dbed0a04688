//! The file as it is written, with its defaults, and the environment's overrides.
//!
//! Absent from here: what values may be (`config`). The one rule: an unknown key is an
//! error, because a misspelt limit would be a limit that does not hold.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ConfigError, Environment, value_error};

/// Prefix of the environment variables that override the file.
const PREFIX: &str = "ONCEPRESS_";

/// The configuration: `oncepress.toml`, read as TOML.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawConfig {
    /// The site, and who signs in.
    pub(super) site: RawSite,
    /// The articles.
    pub(super) articles: RawArticles,
    /// Categories and tags.
    pub(super) terms: RawTerms,
    /// Images and other files.
    pub(super) media: RawMedia,
    /// Time limits.
    pub(super) network: RawNetwork,
    /// The memory of what was sent.
    pub(super) journal: RawJournal,
}

/// The site, and who signs in.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawSite {
    /// The site's address as in a browser, or `sandbox:`.
    pub(super) url: Option<String>,
    /// The WordPress login or e-mail.
    pub(super) username: Option<String>,
    /// A file with the application password, mode 0600.
    pub(super) password_file: Option<PathBuf>,
    /// A program and its arguments that print the application password.
    pub(super) password_command: Option<Vec<String>>,
    /// `true`: the application password is in the keyring of the system.
    pub(super) keyring: bool,
    /// The site's title; with another one nothing is sent.
    pub(super) expect_name: Option<String>,
}

/// The articles.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawArticles {
    /// The folder of the articles.
    pub(super) dir: PathBuf,
    /// What Markdown becomes.
    pub(super) format: RawFormat,
}

/// What Markdown becomes.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawFormat {
    /// HTML.
    Html,
    /// Blocks of WordPress' editor.
    Blocks,
}

/// Categories and tags.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawTerms {
    /// What may be created when an article names it and the site has none.
    pub(super) create: RawCreate,
}

/// What may be created.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawCreate {
    /// Tags.
    Tags,
    /// Nothing: a missing tag rejects the article.
    None,
}

/// Images and other files.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawMedia {
    /// The largest image that is uploaded, in bytes.
    pub(super) image_bytes_max: u64,
    /// The largest other file that is uploaded, in bytes.
    pub(super) file_bytes_max: u64,
    /// Of `svg`, `pdf`, `mp4`, `webm` and `mp3`: what is uploaded beside images.
    pub(super) allow: Vec<String>,
}

/// Time limits.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_field_names, reason = "the unit stands at the end of the key")]
pub(super) struct RawNetwork {
    /// Seconds until a connection must stand (1 to 600).
    pub(super) connect_timeout_s: u64,
    /// Seconds until a request must be answered whole (1 to 3600).
    pub(super) timeout_s: u64,
    /// Seconds for which a site may still be working on a lost create (0 to 86400).
    pub(super) settle_s: u64,
    /// Seconds to wait before each look-up after a lost answer (1 to 20 waits).
    pub(super) lookup_delays_s: Vec<u64>,
}

/// The memory of what was sent.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawJournal {
    /// The folder of the journal.
    pub(super) dir: PathBuf,
}

impl Default for RawArticles {
    fn default() -> Self {
        Self { dir: "articles".into(), format: RawFormat::Html }
    }
}

impl Default for RawTerms {
    fn default() -> Self {
        Self { create: RawCreate::Tags }
    }
}

impl Default for RawMedia {
    fn default() -> Self {
        // Many hosts refuse more than 8 to 64 MB; a web image above 10 MiB is most
        // often a mistake.
        Self {
            image_bytes_max: 10 * 1024 * 1024,
            file_bytes_max: 100 * 1024 * 1024,
            allow: Vec::new(),
        }
    }
}

impl Default for RawNetwork {
    fn default() -> Self {
        Self {
            connect_timeout_s: 10,
            timeout_s: 60,
            // More than the usual time limits of PHP (30 s) and of proxies (60 to 100 s).
            settle_s: 120,
            lookup_delays_s: vec![0, 2, 5, 10],
        }
    }
}

impl Default for RawJournal {
    fn default() -> Self {
        Self { dir: ".oncepress".into() }
    }
}

/// The keys that `ONCEPRESS_SECTION_KEY` overrides.
const KEYS: [(&str, &str, KeyKind); 17] = [
    ("site", "url", KeyKind::Text),
    ("site", "username", KeyKind::Text),
    ("site", "password_file", KeyKind::Text),
    ("site", "password_command", KeyKind::Toml),
    ("site", "keyring", KeyKind::Toml),
    ("site", "expect_name", KeyKind::Text),
    ("articles", "dir", KeyKind::Text),
    ("articles", "format", KeyKind::Text),
    ("terms", "create", KeyKind::Text),
    ("media", "image_bytes_max", KeyKind::Toml),
    ("media", "file_bytes_max", KeyKind::Toml),
    ("media", "allow", KeyKind::Toml),
    ("network", "connect_timeout_s", KeyKind::Toml),
    ("network", "timeout_s", KeyKind::Toml),
    ("network", "settle_s", KeyKind::Toml),
    ("network", "lookup_delays_s", KeyKind::Toml),
    ("journal", "dir", KeyKind::Text),
];

/// How the text of a variable becomes a value.
#[derive(Clone, Copy)]
enum KeyKind {
    Text,
    /// A number or list, written as in the file.
    Toml,
}

/// Lays the environment's overrides over the file.
pub(super) fn override_from(table: &mut toml::Table, env: &Environment) -> Result<(), ConfigError> {
    for (section, key, kind) in KEYS {
        let name = format!("{PREFIX}{}_{}", section.to_uppercase(), key.to_uppercase());
        let Some(text) = env.get(&name) else { continue };
        let value = match kind {
            KeyKind::Text => toml::Value::String(text.clone()),
            KeyKind::Toml => {
                let fragment: toml::Table = toml::from_str(&format!("v = {text}"))
                    .map_err(|error| value_error(&name, error.message()))?;
                fragment.get("v").cloned().ok_or_else(|| value_error(&name, "has no value"))?
            }
        };
        let section = table
            .entry(section)
            .or_insert_with(|| toml::Value::Table(toml::Table::new()))
            .as_table_mut()
            .ok_or_else(|| value_error(section, "must be a table"))?;
        section.insert(key.to_owned(), value);
    }
    Ok(())
}
