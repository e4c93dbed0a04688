//! One finding: what was seen of one check, with the evidence.
//!
//! Absent from here: the sentences (`words`). The one rule: a finding holds what it was
//! made of, and its code keeps its meaning.

use super::check::{Check, Status};
use crate::config::ConfigError;
use crate::protocol::sighting::{Unclear, UnclearWhy};
use crate::run::result::{Trouble, TroubleKind};
use crate::wordpress::{PreflightError, Seen, SiteUrlError};

/// One finding.
#[derive(Debug)]
pub enum Finding {
    /// All is well, in words.
    Fine(Check, String),
    /// It was not looked at, and why.
    Skipped(Check, String),
    /// The configuration can't be used.
    Configuration(ConfigError),
    /// The address on the command line can't be one.
    BadAddress(SiteUrlError),
    /// There is no password to be had.
    Password(ConfigError),
    /// The password does not look like an application password.
    UnusualPassword(String),
    /// What would keep a run from beginning.
    Preflight {
        /// Which check it belongs to.
        check: Check,
        /// What it is.
        error: PreflightError,
        /// The answers that led to it.
        seen: Vec<Seen>,
    },
    /// The site does not see us as signed in, and can't tell why.
    NotSignedIn {
        /// What came.
        error: PreflightError,
        /// The answer.
        seen: Vec<Seen>,
        /// Whether the password looks like an application password.
        form: PasswordForm,
    },
    /// The index offers no application passwords, and nobody was there to try one.
    NoApplicationPasswords {
        /// The address that the site calls its own.
        home: String,
    },
    /// A trouble that other commands would end with, too.
    Other(Check, Trouble),
    /// The REST root is a parameter.
    PlainPermalinks {
        /// The root.
        root: String,
    },
    /// Visitors come over https, and the site does not know.
    HomeNotHttps {
        /// The address that the site calls its own.
        home: String,
    },
    /// The account may not upload files.
    NoUploads,
    /// The account may not make pages.
    NoPages,
    /// The account does not see the drafts of others.
    OthersHidden,
    /// HTML is changed when it is stored.
    HtmlFiltered(FilteredBy),
    /// A language plugin shows one language at a time.
    OneLanguage,
    /// A cache answers look-ups.
    LookUpsCached(String),
    /// Look-ups prove nothing.
    LookUpsUnclear(Unclear),
    /// The site sends, or counts, rows that were not asked for.
    LookUpsForeign(String),
    /// The two clocks are apart.
    ClocksApart {
        /// How far the site's is ahead of ours, in seconds.
        site_ahead_s: i64,
    },
}

/// Whether a password looks like an application password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasswordForm {
    /// 24 letters and digits.
    Usual,
    /// Anything else.
    Unusual,
}

/// Who filters HTML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilteredBy {
    /// The account has no right to any HTML.
    Role,
    /// The account has it, and the site takes it away.
    Site,
}

impl Finding {
    /// Which check it belongs to.
    #[must_use]
    pub fn check(&self) -> Check {
        match self {
            Self::Fine(check, _)
            | Self::Skipped(check, _)
            | Self::Other(check, _)
            | Self::Preflight { check, .. } => *check,
            Self::Configuration(_) | Self::BadAddress(_) => Check::Configuration,
            Self::Password(_) | Self::UnusualPassword(_) => Check::Password,
            Self::NotSignedIn { .. } => Check::SignIn,
            Self::NoApplicationPasswords { .. } => Check::ApplicationPasswords,
            Self::HomeNotHttps { .. } => Check::Address,
            Self::PlainPermalinks { .. } => Check::RestApi,
            Self::NoUploads | Self::NoPages | Self::OthersHidden => Check::Rights,
            Self::HtmlFiltered(_) => Check::Html,
            Self::OneLanguage => Check::Languages,
            Self::LookUpsCached(_) | Self::LookUpsUnclear(_) | Self::LookUpsForeign(_) => {
                Check::LookUps
            }
            Self::ClocksApart { .. } => Check::Clock,
        }
    }

    /// How the check ended.
    #[must_use]
    pub fn status(&self) -> Status {
        match (self, self.trouble_kind()) {
            (Self::Fine(..), _) => Status::Ok,
            (Self::Skipped(..), _) => Status::Skipped,
            (_, None) => Status::Warning,
            (_, Some(_)) => Status::Problem,
        }
    }

    /// The stable code; that of the check where there is nothing to say.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Fine(check, _) | Self::Skipped(check, _) => check.code(),
            Self::Configuration(error) | Self::Password(error) => error.code(),
            Self::BadAddress(error) => error.code(),
            Self::UnusualPassword(_) => "password_unusual",
            Self::Preflight { error, .. } | Self::NotSignedIn { error, .. } => error.code(),
            Self::NoApplicationPasswords { .. } => "application_passwords_off",
            Self::Other(_, trouble) => &trouble.code,
            Self::PlainPermalinks { .. } => "plain_permalinks",
            Self::HomeNotHttps { .. } => "home_not_https",
            Self::NoUploads => "no_right_to_upload",
            Self::NoPages => "no_right_to_pages",
            Self::OthersHidden => "drafts_of_others_hidden",
            Self::HtmlFiltered(_) => "html_filtered",
            Self::OneLanguage => "one_language",
            Self::LookUpsCached(_) => "look_ups_cached",
            Self::LookUpsUnclear(_) => "look_ups_unclear",
            Self::LookUpsForeign(_) => "look_ups_foreign",
            Self::ClocksApart { .. } => "clocks_apart",
        }
    }

    /// What must change, of a problem.
    #[must_use]
    pub fn trouble_kind(&self) -> Option<TroubleKind> {
        match self {
            Self::Fine(..)
            | Self::Skipped(..)
            | Self::UnusualPassword(_)
            | Self::PlainPermalinks { .. }
            | Self::HomeNotHttps { .. }
            | Self::NoUploads
            | Self::NoPages
            | Self::OthersHidden
            | Self::HtmlFiltered(_)
            | Self::ClocksApart { .. } => None,
            Self::Configuration(_)
            | Self::BadAddress(_)
            | Self::Password(_)
            | Self::OneLanguage
            | Self::LookUpsCached(_)
            | Self::LookUpsForeign(_) => Some(TroubleKind::Usage),
            Self::NoApplicationPasswords { .. } => Some(TroubleKind::Credentials),
            Self::Other(_, trouble) => Some(trouble.kind),
            Self::Preflight { error, .. } | Self::NotSignedIn { error, .. } => {
                Some(error.kind().into())
            }
            Self::LookUpsUnclear(unclear) => Some(kind_of_unclear(unclear.why)),
        }
    }
}

fn kind_of_unclear(why: UnclearWhy) -> TroubleKind {
    match why {
        UnclearWhy::Refused => TroubleKind::Credentials,
        UnclearWhy::NoAnswer | UnclearWhy::Status | UnclearWhy::Middleman | UnclearWhy::Busy => {
            TroubleKind::Temporary
        }
        UnclearWhy::Redirected
        | UnclearWhy::NotJson
        | UnclearWhy::TotalMissing
        | UnclearWhy::ForeignRow
        | UnclearWhy::Cached
        | UnclearWhy::Language
        | UnclearWhy::ControlMissing => TroubleKind::Usage,
    }
}
