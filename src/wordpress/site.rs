//! A site whose root is known and whose account is proved.
//!
//! Absent from here: the requests themselves, each kind of which has its own file. The
//! one rule: only [`connect`](super::connect) makes one.

use super::account::Account;
use super::body::UploadWatch;
use super::meta::KnownMeta;
use super::preflight::{LanguageOffer, Offers, SiteClock};
use super::root::{Root, SiteUrl};
use super::types::OfferedTypes;
use super::wire::{Exchange, RequestCounts, Wire};
use crate::names::Timestamp;

/// A site whose root is known and whose account is proved.
pub struct Site {
    pub(super) url: SiteUrl,
    pub(super) root: Root,
    pub(super) wire: Wire,
    pub(super) account: Account,
    pub(super) offers: Offers,
    pub(super) meta: KnownMeta,
    /// Filled when an article's type is asked for.
    pub(super) types: tokio::sync::OnceCell<OfferedTypes>,
    pub(super) name: String,
    pub(super) home: String,
    pub(super) admin: String,
    pub(super) clock: SiteClock,
}

impl Site {
    /// The REST root, for people.
    #[must_use]
    pub fn root(&self) -> String {
        self.root.to_string()
    }

    /// The REST root's place: its host and path say which journal is the site's.
    #[must_use]
    pub fn root_url(&self) -> &url::Url {
        self.root.base()
    }

    /// The address as configured.
    #[must_use]
    pub fn url(&self) -> &str {
        self.url.as_str()
    }

    /// The site's title.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The address that visitors use, as the site says.
    #[must_use]
    pub fn home(&self) -> &str {
        &self.home
    }

    /// What its lists offer for languages: of those asked about, the one that hides most.
    #[must_use]
    pub fn languages(&self) -> LanguageOffer {
        let Offers { posts, pages, media, sub_sizes: _ } = self.offers;
        let all = [posts, pages, media];
        let is = |wanted: LanguageOffer| all.contains(&wanted);
        if is(LanguageOffer::OnlySingle) {
            LanguageOffer::OnlySingle
        } else if is(LanguageOffer::All) {
            LanguageOffer::All
        } else {
            LanguageOffer::None
        }
    }

    /// The time of the site's clock at its latest answer, if it told it.
    #[must_use]
    pub fn site_time(&self) -> Option<Timestamp> {
        self.wire.site_time()
    }

    /// The site's clock.
    #[must_use]
    pub fn clock(&self) -> &SiteClock {
        &self.clock
    }

    /// Who is signed in.
    #[must_use]
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// Where a person edits this post or attachment.
    #[must_use]
    pub fn edit_url(&self, id: u64) -> String {
        format!("{}post.php?post={id}&action=edit", self.admin)
    }

    /// How many requests were sent so far, by kind.
    #[must_use]
    pub fn requests(&self) -> RequestCounts {
        self.wire.requests()
    }

    /// What was odd about the site's answers and was tolerated, each once (cases BODY-04
    /// and BODY-05).
    #[must_use]
    pub fn oddities(&self) -> Vec<&'static str> {
        self.wire.oddities()
    }

    /// From now on, somebody is told how far each upload got.
    pub fn watch_uploads(&mut self, watch: UploadWatch) {
        self.wire.watch_uploads(watch);
    }

    /// The requests since the last call, for the run log.
    #[must_use]
    pub fn take_exchanges(&self) -> Vec<Exchange> {
        self.wire.take_exchanges()
    }
}

impl std::fmt::Debug for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Site").field("root", &self.root()).finish_non_exhaustive()
    }
}
