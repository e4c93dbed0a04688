//! The start of a run: the site is found and the account is proved, once.
//!
//! Absent from here: deciding what to do. The one rule: until
//! the account is proved, the password is sent in one question only (`users/me`), and in
//! the index where the site wants to know who asks; a refusal ends the run, because a
//! second try can lock the account.

use std::collections::BTreeSet;

use secrecy::ExposeSecret as _;
use serde_json::Value;
use url::Url;

use super::answer::Answer;
use super::carrier::Carrier;
use super::discovery::{Found, busy, discover, no_answer};
use super::http::{Http, Identity};
use super::meta::KnownMeta;
use super::preflight_error::PreflightError;
use super::root::{Root, SiteUrl};
use super::text::clean;
use super::wire::{Question, RequestKind, Wire};
use super::{Credentials, NonceSource, Settings, Site};
use crate::names::{Timestamp, UserId};
use crate::protocol::kinds::ContentFilter;

/// What an account may do, as far as OncePress asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// Create posts.
    EditPosts,
    /// See and change the posts of others.
    EditOthersPosts,
    /// Create pages.
    EditPages,
    /// Upload files.
    UploadFiles,
    /// Write HTML that is stored as sent.
    UnfilteredHtml,
    /// Create categories.
    ManageCategories,
    /// Publish.
    PublishPosts,
    /// List users.
    ListUsers,
}

impl Capability {
    /// The name WordPress uses.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EditPosts => "edit_posts",
            Self::EditOthersPosts => "edit_others_posts",
            Self::EditPages => "edit_pages",
            Self::UploadFiles => "upload_files",
            Self::UnfilteredHtml => "unfiltered_html",
            Self::ManageCategories => "manage_categories",
            Self::PublishPosts => "publish_posts",
            Self::ListUsers => "list_users",
        }
    }
}

/// The user that the application password belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The user's id, the author of what is created.
    pub id: UserId,
    /// The display name, safe to show.
    pub name: String,
    /// The user's slug.
    pub slug: String,
    capabilities: BTreeSet<String>,
}

impl Account {
    /// Whether the account may do this.
    #[must_use]
    pub fn can(&self, capability: Capability) -> bool {
        self.capabilities.contains(capability.as_str())
    }

    /// Whether the site filters what this account writes (facts §3).
    #[must_use]
    pub fn content_filter(&self) -> ContentFilter {
        if self.can(Capability::UnfilteredHtml) { ContentFilter::Off } else { ContentFilter::On }
    }
}

/// An account as a test needs it.
#[cfg(test)]
pub(crate) fn account_for_tests(id: u64, capabilities: &[&str]) -> Account {
    Account {
        id: UserId::new(id).expect("above zero"),
        name: "Author".to_owned(),
        slug: "author".to_owned(),
        capabilities: capabilities.iter().map(|name| (*name).to_owned()).collect(),
    }
}

/// The site's clock, as its settings say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteClock {
    /// Minutes east of UTC.
    pub gmt_offset_minutes: i32,
    /// The zone's name, empty where only the offset is set.
    pub timezone: String,
}

impl SiteClock {
    /// A moment as the site shows it. By the zone's rules where it is named, because the
    /// offset is only today's (cases DATE-02, DATE-05).
    #[must_use]
    pub fn shows(&self, at: Timestamp) -> String {
        let named = jiff::tz::TimeZone::get(&self.timezone).ok();
        if let Some(zone) = named.filter(|_| !self.timezone.is_empty()) {
            let there = jiff::ZonedDateTime::new(at, zone).strftime("%Y-%m-%d %H:%M:%S %:z");
            return format!("{there} ({})", self.timezone);
        }
        let zone = jiff::tz::Offset::from_seconds(self.gmt_offset_minutes * 60);
        let zone = zone.unwrap_or(jiff::tz::Offset::UTC).to_time_zone();
        jiff::ZonedDateTime::new(at, zone).strftime("%Y-%m-%d %H:%M:%S %:z").to_string()
    }
}

/// What a route offers for languages (spec §5.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum LanguageOffer {
    /// No `lang` parameter: the site has no language plugin, or it does not filter.
    #[default]
    None,
    /// `lang=all` is offered.
    All,
    /// Only single languages are offered.
    OnlySingle,
}

/// What the collections offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Offers {
    pub(crate) posts: LanguageOffer,
    pub(crate) pages: LanguageOffer,
    pub(crate) media: LanguageOffer,
    pub(crate) sub_sizes: SubSizes,
}

/// When the smaller sizes of an image are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SubSizes {
    /// Before the answer to the upload, as all versions do.
    #[default]
    WithTheUpload,
    /// By a request of its own (7.1, `generate_sub_sizes=false`), so that an upload is
    /// answered as soon as its file is stored.
    Afterwards,
}

/// Finds the site and proves the account, in two requests on a usual site.
pub async fn connect(
    url: &SiteUrl,
    credentials: &Credentials,
    settings: &Settings,
    nonces: NonceSource,
) -> Result<Site, PreflightError> {
    not_empty(credentials)?;
    let http = Http::new(url.url(), credentials, settings).map_err(PreflightError::NoTls)?;
    prove(url, Wire::new(http, nonces)).await
}

/// As [`connect`], for a site in this process.
pub async fn connect_in_process(
    url: &SiteUrl,
    credentials: &Credentials,
    carrier: Carrier,
    nonces: NonceSource,
) -> Result<Site, PreflightError> {
    not_empty(credentials)?;
    let http = Http::in_process(carrier, url.url(), credentials).map_err(PreflightError::NoTls)?;
    prove(url, Wire::new(http, nonces)).await
}

fn not_empty(credentials: &Credentials) -> Result<(), PreflightError> {
    if credentials.username.trim().is_empty() {
        return Err(PreflightError::CredentialsEmpty("user name"));
    }
    if credentials.password.expose_secret().trim().is_empty() {
        return Err(PreflightError::CredentialsEmpty("password"));
    }
    Ok(())
}

async fn prove(url: &SiteUrl, wire: Wire) -> Result<Site, PreflightError> {
    let Found { root, index } = discover(&wire, url).await?;
    is_the_address(url, &root, &index)?;
    let account = prove_account(&wire, url, &root, &index).await?;
    let offers = match offers_in(&index) {
        Some(offers) => offers,
        None => ask_offers(&wire, url, &root).await?,
    };
    if !account.can(Capability::EditPosts) {
        let capability = Capability::EditPosts.as_str();
        return Err(PreflightError::MissingCapability { user: account.name, capability });
    }
    let text = |name: &str| clean(index.get(name).and_then(Value::as_str).unwrap_or_default());
    Ok(Site {
        name: clean(&html_escape::decode_html_entities(&text("name"))),
        admin: admin_base(url, &text("url")),
        home: text("home"),
        clock: clock(&index),
        url: url.clone(),
        wire,
        root,
        account,
        offers,
        meta: KnownMeta::in_index(&index),
        types: tokio::sync::OnceCell::new(),
    })
}

/// Whether the root belongs to the path that the site calls its own. Only the paths are
/// compared: behind a proxy the site may know itself by another host. A root that ends
/// in `wp-json/` is only found at the right path.
fn is_the_address(url: &SiteUrl, root: &Root, index: &Value) -> Result<(), PreflightError> {
    let home = index.get("home").and_then(Value::as_str).and_then(|home| Url::parse(home).ok());
    let (Root::Query(base), Some(home)) = (root, home) else { return Ok(()) };
    let path = |url: &Url| {
        let path = url.path().trim_end_matches("index.php").trim_matches('/');
        percent_encoding::percent_decode_str(path).collect::<Vec<u8>>()
    };
    if path(base) == path(&home) {
        return Ok(());
    }
    Err(PreflightError::NotTheAddress { url: url.as_str().to_owned(), home: clean(home.as_str()) })
}

async fn prove_account(
    wire: &Wire,
    site: &SiteUrl,
    root: &Root,
    index: &Value,
) -> Result<Account, PreflightError> {
    let parameters = [("context", "edit"), ("_fields", "id,name,slug,capabilities")];
    let question = Question {
        kind: RequestKind::Preflight,
        route: "wp/v2/users/me",
        parameters: &parameters,
        identity: Identity::Account,
    };
    let answer = wire.get(root, question).await.map_err(|failure| no_answer(site, failure))?;
    if answer.status == 200
        && let Ok(user) = answer.read_json()
        && let Some(account) = account_in(&user)
    {
        return Ok(account);
    }
    Err(refusal(site, index, &answer))
}

fn account_in(value: &Value) -> Option<Account> {
    let text = |name: &str| clean(value.get(name).and_then(Value::as_str).unwrap_or_default());
    let granted = |value: &Value| match value {
        Value::Bool(granted) => *granted,
        Value::Number(number) => number.as_u64() == Some(1),
        Value::String(text) => text == "1",
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    };
    Some(Account {
        id: UserId::new(value.get("id")?.as_u64()?)?,
        name: text("name"),
        slug: text("slug"),
        capabilities: value
            .get("capabilities")?
            .as_object()?
            .iter()
            .filter(|(_, value)| granted(value))
            .map(|(name, _)| name.clone())
            .collect(),
    })
}

/// Tells the header that was lost from the password that is wrong, as far as the code
/// tells them apart (cases AUTH-02, AUTH-05, AUTH-08).
fn refusal(site: &SiteUrl, index: &Value, answer: &Answer) -> PreflightError {
    let what = answer.describe();
    if matches!(answer.status, 429 | 503) {
        return busy(answer);
    }
    if answer.is_redirect() {
        let from = format!("{}wp/v2/users/me", site.as_str());
        let to = clean(answer.header("location").unwrap_or("nowhere"));
        return PreflightError::Redirected { from, to };
    }
    let Some((code, message)) = answer.wordpress_error() else {
        if let Some(who) = answer.middleman() {
            return PreflightError::Middleman { who: who.0, what };
        }
        if answer.status == 401 {
            // A password in front of the site, such as a staging area's.
            let code = "http_401".to_owned();
            return PreflightError::Refused { status: 401, code, message: what };
        }
        return PreflightError::Broken(what);
    };
    let (code, message) = (clean(&code), clean(&message));
    let offers_passwords = index
        .get("authentication")
        .is_none_or(|offered| offered.get("application-passwords").is_some());
    match code.as_str() {
        "application_passwords_disabled" | "application_passwords_disabled_for_user" => {
            PreflightError::ApplicationPasswordsOff { code, message }
        }
        "rest_not_logged_in" | "rest_cannot_view" | "rest_forbidden" if !offers_passwords => {
            PreflightError::ApplicationPasswordsOff { code, message }
        }
        "rest_not_logged_in" => PreflightError::NotLoggedIn { code, message },
        "incorrect_password" | "invalid_username" | "invalid_email" | "authentication_failed" => {
            PreflightError::WrongPassword { code, message }
        }
        _ if answer.status >= 500 => PreflightError::Broken(what),
        _ => PreflightError::Refused { status: answer.status, code, message },
    }
}

/// What the index says of the collections; nothing if it hides its routes.
fn offers_in(index: &Value) -> Option<Offers> {
    let routes = index.get("routes")?.as_object()?;
    let offer = |route: &str| routes.get(route).map(language_offer).unwrap_or_default();
    routes.contains_key("/wp/v2/posts").then(|| Offers {
        posts: offer("/wp/v2/posts"),
        pages: offer("/wp/v2/pages"),
        media: offer("/wp/v2/media"),
        sub_sizes: routes.get("/wp/v2/media").map(sub_sizes_offer).unwrap_or_default(),
    })
}

/// An index that hides its routes: the posts' own route is asked, and taken for all.
async fn ask_offers(wire: &Wire, site: &SiteUrl, root: &Root) -> Result<Offers, PreflightError> {
    let answer = wire.options(root, "wp/v2/posts").await;
    let answer = answer.map_err(|failure| no_answer(site, failure))?;
    // Some hosts refuse OPTIONS. A language plugin that hides its routes, too, is not
    // known; a look-up then still has its other conditions.
    let offer = match answer.read_json() {
        Ok(route) if answer.status == 200 => language_offer(&route),
        Ok(_) | Err(_) => LanguageOffer::None,
    };
    Ok(Offers { posts: offer, pages: offer, media: offer, sub_sizes: SubSizes::default() })
}

/// 7.1 lists the parameter among those of an upload; 6.1 and 6.8 don't know it.
fn sub_sizes_offer(media: &Value) -> SubSizes {
    let endpoints = media.get("endpoints").and_then(Value::as_array);
    let offers = |endpoint: &Value| {
        endpoint.get("args").is_some_and(|args| args.get("generate_sub_sizes").is_some())
    };
    if endpoints.is_some_and(|endpoints| endpoints.iter().any(offers)) {
        SubSizes::Afterwards
    } else {
        SubSizes::WithTheUpload
    }
}

fn language_offer(route: &Value) -> LanguageOffer {
    let endpoints = route.get("endpoints").and_then(Value::as_array);
    let is_get = |endpoint: &&Value| {
        endpoint
            .get("methods")
            .and_then(Value::as_array)
            .is_some_and(|methods| methods.iter().any(|method| method == "GET"))
    };
    let lang = endpoints
        .and_then(|endpoints| endpoints.iter().find(is_get))
        .and_then(|endpoint| endpoint.get("args")?.get("lang"));
    let Some(lang) = lang else { return LanguageOffer::None };
    let in_enum = |holder: &Value| {
        holder
            .get("enum")
            .and_then(Value::as_array)
            .is_some_and(|values| values.iter().any(|value| value == "all"))
    };
    if in_enum(lang) || lang.get("items").is_some_and(in_enum) {
        LanguageOffer::All
    } else {
        LanguageOffer::OnlySingle
    }
}

/// WordPress gives hours, with quarters, as a number or as text.
fn clock(index: &Value) -> SiteClock {
    let hours = match index.get("gmt_offset") {
        Some(Value::Number(number)) => number.as_f64(),
        Some(Value::String(text)) => text.parse().ok(),
        _ => None,
    };
    let minutes = (hours.unwrap_or(0.0) * 60.0).round().clamp(-900.0, 900.0);
    #[expect(clippy::cast_possible_truncation, reason = "at most 900")]
    SiteClock {
        gmt_offset_minutes: minutes as i32,
        timezone: clean(index.get("timezone_string").and_then(Value::as_str).unwrap_or_default()),
    }
}

/// Where the admin screens are: below the folder that WordPress is in, which need not
/// be that of the site (case ROOT-03). An address on another host is not believed.
fn admin_base(site: &SiteUrl, named: &str) -> String {
    let named = url::Url::parse(named).ok().filter(|url| url.host() == site.url().host());
    let base = named.as_ref().map_or(site.as_str(), url::Url::as_str);
    format!("{}/wp-admin/", base.trim_end_matches('/'))
}
