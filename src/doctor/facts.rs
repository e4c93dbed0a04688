//! What was collected, before anything is made of it.
//!
//! Absent from here: asking (`ask`) and judging (`judge`). The one rule: plain data, so
//! that a test can write down any site.

use crate::config::ConfigError;
use crate::names::Timestamp;
use crate::protocol::sighting::Unclear;
use crate::run::result::Trouble;
use crate::wordpress::{
    About, Account, HtmlKept, LanguageOffer, PreflightError, Seen, SiteUrlError,
};

/// Everything that findings are made of.
#[derive(Debug)]
pub struct Facts {
    /// The configuration, and what is wrong with it.
    pub configuration: Configuration,
    /// The password.
    pub password: Password,
    /// What the site showed.
    pub site: SiteFacts,
    /// The largest image that OncePress uploads, in bytes.
    pub image_bytes_max: u64,
    /// The largest other file that OncePress uploads, in bytes.
    pub file_bytes_max: u64,
}

/// The configuration, and what is wrong with it.
#[derive(Debug)]
pub enum Configuration {
    /// It names a site and a user.
    Complete {
        /// The user.
        username: String,
    },
    /// The address was given on the command line, and is not that of the configuration.
    AddressGiven,
    /// It can't be used.
    Broken(ConfigError),
    /// The address that was given on the command line can't be one.
    BadAddress(SiteUrlError),
}

/// The password.
#[derive(Debug)]
pub enum Password {
    /// It looks like an application password.
    Usual,
    /// It does not, in words.
    Unusual(String),
    /// It could not be had.
    Unreadable(ConfigError),
    /// It is not for this address.
    NotForThisAddress,
    /// The configuration that would name it can't be used.
    Unknown,
}

/// What the site showed.
#[derive(Debug)]
pub enum SiteFacts {
    /// There was no address to ask.
    NoAddress,
    /// There is no way to it.
    NoWay(Trouble),
    /// Somebody wanted to stop before all was asked.
    Interrupted,
    /// It was asked.
    Asked(Asked),
}

/// What the site showed when it was asked.
#[derive(Debug)]
pub struct Asked {
    /// The address.
    pub url: String,
    /// What was asked, in order, and what came.
    pub trail: Vec<Seen>,
    /// How far it went.
    pub reached: Reached,
    /// The clocks, if the site told the time.
    pub clocks: Option<Clocks>,
}

/// The two clocks, read at about the same moment.
#[derive(Debug, Clone, Copy)]
pub struct Clocks {
    /// The site's.
    pub site: Timestamp,
    /// This machine's.
    pub here: Timestamp,
}

/// How far it went.
#[derive(Debug)]
pub enum Reached {
    /// Not to a REST root at the site's own address.
    Nothing(PreflightError),
    /// To the root, and not further.
    Root(About, NotSignedIn),
    /// The account was accepted.
    SignedIn(About, Box<SignedIn>),
}

/// Why nobody is signed in.
#[derive(Debug)]
pub enum NotSignedIn {
    /// There was nobody to sign in.
    NotTried,
    /// The account was refused.
    Refused(PreflightError),
}

/// What was seen with the account.
#[derive(Debug)]
pub struct SignedIn {
    /// The account.
    pub account: Account,
    /// Why this is not the site that the journal or the configuration means.
    pub other_site: Option<Trouble>,
    /// Whether HTML is stored as sent; not asked where the account has no right to it.
    pub html: Option<HtmlKept>,
    /// What lists offer for languages.
    pub languages: LanguageOffer,
    /// Look-ups of something that is not there.
    pub look_ups: Vec<LookedUp>,
}

/// One look-up of a slug that nobody uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookedUp {
    /// Proved to be absent, as it should be.
    Absent,
    /// The site counts a row that this user may not read: its counts can't be relied on.
    Counted,
    /// A row came.
    Found,
    /// The answer is no proof.
    Unclear(Unclear),
}
