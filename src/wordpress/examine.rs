//! Looking a site over for `doctor`: the steps of a run's beginning, and what each showed.
//!
//! Absent from here: judging it (`doctor`), and anything that `preflight` does otherwise.
//! The one rule: the account is tried once, and only where the site was found at its own
//! address.

use serde_json::Value;

use super::account::prove_account;
use super::carrier::Carrier;
use super::discovery::{Found, Seen, Trail, discover};
use super::http::{Http, Identity};
use super::preflight::{assemble, is_the_address, offers};
use super::preflight_error::PreflightError;
use super::proof::{judge_page, unanswered};
use super::root::{Root, SiteUrl};
use super::text::clean;
use super::wire::{Question, RequestKind, Wire};
use super::{Credentials, NonceSource, Settings, Site};
use crate::names::Timestamp;
use crate::protocol::sighting::Unclear;

/// How requests get to the site.
pub enum Way<'a> {
    /// Over the network.
    Network(&'a Settings),
    /// The site is in this process.
    InProcess(Carrier),
}

/// What a site showed.
#[derive(Debug)]
pub struct Examination {
    /// What was asked, in order, and what came.
    pub trail: Vec<Seen>,
    /// How far it went.
    pub reached: Reached,
    /// The time of the site's clock at its latest answer, if it told it.
    pub site_time: Option<Timestamp>,
}

/// How far it went.
#[derive(Debug)]
pub enum Reached {
    /// Not to a REST root at the site's own address.
    Nothing(PreflightError),
    /// To the root.
    Root(About, AccountSeen),
}

/// What the root says of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// The REST root, for people.
    pub root: String,
    /// Which form of root it is.
    pub form: RootForm,
    /// The address that visitors use, as the site says.
    pub home: String,
    /// What the index says of application passwords.
    pub passwords: PasswordsOffered,
}

/// The form of a REST root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootForm {
    /// `/wp-json/`.
    Path,
    /// `?rest_route=`.
    Query,
}

/// What the index says of application passwords (facts §2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasswordsOffered {
    /// They are on.
    Yes,
    /// They are off, or the site does not know that it is on https.
    No,
    /// The index says nothing of signing in.
    Unsaid,
}

/// What the site says of the account.
#[derive(Debug)]
pub enum AccountSeen {
    /// There was nobody to sign in.
    NotAsked,
    /// It was refused, once.
    Refused(PreflightError),
    /// It was accepted.
    Proved(Box<Site>),
}

/// Looks for the site and, where there are credentials, tries them once.
pub async fn examine(
    url: &SiteUrl,
    credentials: Option<&Credentials>,
    way: Way<'_>,
    nonces: NonceSource,
) -> Examination {
    let http = match way {
        Way::Network(settings) => Http::new(url.url(), credentials, settings),
        Way::InProcess(carrier) => Http::in_process(carrier, url.url(), credentials),
    };
    let wire = match http {
        Ok(http) => Wire::new(http, nonces),
        Err(why) => {
            let reached = Reached::Nothing(PreflightError::NoTls(why));
            return Examination { trail: Trail::new(), reached, site_time: None };
        }
    };
    let mut trail = Trail::new();
    let found = match found_at(&wire, url, &mut trail).await {
        Ok(found) => found,
        Err(error) => {
            let site_time = wire.site_time();
            return Examination { trail, reached: Reached::Nothing(error), site_time };
        }
    };
    let about = about(&found);
    let seen = sign_in(url, wire, found, &mut trail).await;
    let (account, site_time) = match seen {
        Ok(site) => {
            let time = site.site_time();
            (AccountSeen::Proved(Box::new(site)), time)
        }
        Err((account, time)) => (account, time),
    };
    Examination { trail, reached: Reached::Root(about, account), site_time }
}

async fn found_at(wire: &Wire, url: &SiteUrl, trail: &mut Trail) -> Result<Found, PreflightError> {
    let found = discover(wire, url, trail).await?;
    is_the_address(url, &found)?;
    Ok(found)
}

async fn sign_in(
    url: &SiteUrl,
    wire: Wire,
    found: Found,
    trail: &mut Trail,
) -> Result<Site, (AccountSeen, Option<Timestamp>)> {
    if !wire.has_account() {
        return Err((AccountSeen::NotAsked, wire.site_time()));
    }
    let proved = match prove_account(&wire, url, &found, trail).await {
        Ok(account) => offers(&wire, url, &found).await.map(|offers| (account, offers)),
        Err(error) => Err(error),
    };
    match proved {
        Ok((account, offers)) => Ok(assemble(url, wire, found, account, offers)),
        Err(error) => Err((AccountSeen::Refused(error), wire.site_time())),
    }
}

fn about(found: &Found) -> About {
    let Found { root, index } = found;
    let passwords = match index.get("authentication") {
        None => PasswordsOffered::Unsaid,
        Some(offered) if offered.get("application-passwords").is_some() => PasswordsOffered::Yes,
        Some(_) => PasswordsOffered::No,
    };
    About {
        root: root.to_string(),
        form: match root {
            Root::Path(_) => RootForm::Path,
            Root::Query(_) => RootForm::Query,
        },
        home: clean(index.get("home").and_then(Value::as_str).unwrap_or_default()),
        passwords,
    }
}

/// Whether HTML is stored as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HtmlKept {
    /// The site says so of a post.
    Yes,
    /// The site filters, although the account has the right: `DISALLOW_UNFILTERED_HTML`,
    /// or a network of sites, where only its administrators are not filtered.
    No,
    /// There is no post to see it on.
    NoPost,
    /// The question was not answered properly.
    Unclear(Unclear),
}

impl Site {
    /// Asks whether this account's HTML is stored as sent. The list of capabilities does
    /// not tell: it names the right also where the site's configuration takes it away.
    /// The links of a post do (seen on 6.1, 6.8 and 7.1).
    pub async fn html_kept(&self) -> HtmlKept {
        const ACTION: &str = "wp:action-unfiltered-html";
        let parameters = [
            ("context", "edit"),
            ("status", "any,trash"),
            ("per_page", "1"),
            ("_fields", "id,_links"),
        ];
        let question = Question {
            kind: RequestKind::Preflight,
            route: "wp/v2/posts",
            parameters: &parameters,
            identity: Identity::Account,
        };
        let answer = self.wire.get(&self.root, question).await;
        let page = answer.map_err(|failure| unanswered(&failure)).and_then(|a| judge_page(&a));
        match page {
            Ok(page) => match page.rows.first().and_then(|row| row.get("_links")) {
                Some(links) if links.get(ACTION).is_some() => HtmlKept::Yes,
                Some(_) => HtmlKept::No,
                None => HtmlKept::NoPost,
            },
            Err(unclear) => HtmlKept::Unclear(unclear),
        }
    }
}
