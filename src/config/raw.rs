//! The file as it is written, with its defaults, and the environment's overrides.
//!
//! Absent from here: what values may be (`config`). The one rule: an unknown key is an
//! error, because a misspelt limit would be a limit that does not hold.

use std::path::PathBuf;

use serde::Deserialize;

use super::{ConfigError, Environment, value_error};

/// Prefix of the environment variables that override the file.
const PREFIX: &str = "ONCEPRESS_";

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawConfig {
    pub(super) site: RawSite,
    pub(super) articles: RawArticles,
    pub(super) terms: RawTerms,
    pub(super) media: RawMedia,
    pub(super) network: RawNetwork,
    pub(super) journal: RawJournal,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawSite {
    pub(super) url: Option<String>,
    pub(super) username: Option<String>,
    pub(super) password_file: Option<PathBuf>,
    pub(super) password_command: Option<Vec<String>>,
    pub(super) keyring: bool,
    pub(super) expect_name: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawArticles {
    pub(super) dir: PathBuf,
    pub(super) format: RawFormat,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawFormat {
    Html,
    Blocks,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawTerms {
    pub(super) create: RawCreate,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawCreate {
    Tags,
    None,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawMedia {
    pub(super) image_bytes_max: u64,
    pub(super) file_bytes_max: u64,
    pub(super) allow: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_field_names, reason = "the unit stands at the end of the key")]
pub(super) struct RawNetwork {
    pub(super) connect_timeout_s: u64,
    pub(super) timeout_s: u64,
    pub(super) settle_s: u64,
    pub(super) lookup_delays_s: Vec<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawJournal {
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
