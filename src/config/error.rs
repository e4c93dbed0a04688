//! Why there is no configuration.
//!
//! Absent from here: reading it. The one rule: no error quotes a password.

use std::path::PathBuf;

use super::FILE_NAME;
use crate::wordpress::SiteUrlError;

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file named by `--config` can't be read.
    #[error("can't read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is no TOML, or has a key we don't know.
    #[error("{}: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// What the parser said, with its line.
        message: String,
    },
    /// A value is out of its range.
    #[error("{place}: {message}")]
    Value {
        /// The key, and where it came from.
        place: String,
        /// What is wrong with it.
        message: String,
    },
    /// The site's address can't be one.
    #[error("{place}")]
    Address {
        /// The key, and where it came from.
        place: String,
        /// Why.
        source: SiteUrlError,
    },
    /// No site is configured.
    #[error(
        "no site is configured: no {FILE_NAME} here or above, and ONCEPRESS_SITE_URL is not set"
    )]
    NoSite,
    /// There is no usable password.
    #[error("{0}")]
    Password(String),
}

impl ConfigError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSite => "no_site",
            Self::Password(_) => "no_password",
            Self::Address { source, .. } => source.code(),
            Self::Read { .. } | Self::Syntax { .. } | Self::Value { .. } => "config_invalid",
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Address { source, .. } => source.hint(),
            Self::Read { .. } | Self::Syntax { .. } | Self::Value { .. } => {
                "config.example.toml documents every key"
            }
            Self::NoSite => {
                "copy config.example.toml to oncepress.toml and set [site] url and username"
            }
            Self::Password(_) => {
                "make an application password in WordPress under Users > Profile, and give it as \
                 ONCEPRESS_APP_PASSWORD or in the file that [site] password_file names (mode 0600)"
            }
        }
    }
}
