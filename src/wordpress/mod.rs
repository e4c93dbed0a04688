//! The client: one typed request each.
//!
//! What lives here: finding the REST root and proving the account ([`connect`]),
//! look-ups that end as a [`Sighting`](crate::protocol::Sighting), creates and uploads
//! that end as an [`Outcome`](crate::protocol::Outcome), terms and authors. Absent from
//! here: retries, redirects, the journal, printing, the clock, randomness of its own.
//! The one rule: doubt is a value (`Unclear`, `Unknown`), never an error that somebody
//! could retry.

mod account;
mod allowed;
mod answer;
mod authors;
mod block_comments;
mod body;
mod carrier;
mod classify;
mod differences;
mod discovery;
mod examine;
mod filtered;
mod http;
mod list;
mod lookup;
mod markup;
mod media;
mod meta;
mod parents;
mod posts;
mod preflight;
mod preflight_error;
mod projection;
mod proof;
mod receipts;
mod root;
mod secrets;
mod site;
mod slugs;
mod stored;
mod term_names;
mod terms;
mod text;
mod twins;
mod types;
mod wire;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

#[cfg(test)]
pub(crate) use account::account_for_tests;
pub use account::{Account, Capability};
pub use authors::AuthorAnswer;
pub use body::{HandedOver, UploadWatch};
pub use carrier::{Carrier, Lost};
pub use discovery::Seen;
pub use examine::{
    About, AccountSeen, Examination, HtmlKept, PasswordsOffered, Reached, RootForm, Way, examine,
};
pub(crate) use http::Identity;
pub use media::{MediaQuestion, UploadFile};
pub use meta::{MetaFields, MetaFit};
pub use parents::ParentAnswer;
pub use posts::PostQuestion;
pub use preflight::{LanguageOffer, SiteClock, SubSizes, connect, connect_in_process};
pub use preflight_error::{PreflightError, PreflightKind};
pub use receipts::ReadFailure;
pub use root::{SiteUrl, SiteUrlError};
pub use site::Site;
pub use terms::{FoundTerm, Taxonomy, TermAnswer, TermFailure, TermWanted};
pub use twins::{MadePost, MadeUpload};
pub use types::{TypeField, TypeKnown, TypeOffer};
pub use wire::{Came, Exchange, RequestCounts, RequestKind};

/// Who signs in. The password is an application password.
#[derive(Debug)]
pub struct Credentials {
    /// The login (or e-mail address) of the WordPress user.
    pub username: String,
    /// The application password, with or without its blanks.
    pub password: secrecy::SecretString,
}

/// Limits of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How long making a connection may take.
    pub connect_timeout: Duration,
    /// How long a whole request may take; an upload has more time by its size.
    pub timeout: Duration,
}

/// Where random numbers come from: each look-up needs a fresh one (spec §5.5).
pub type NonceSource = Arc<dyn Fn() -> u64 + Send + Sync>;
