//! The start of a run: the site is found and the account is proved, once.
//!
//! Absent from here: deciding what to do. The one rule: until
//! the account is proved, the password is sent in one question only (`users/me`), and in
//! the index where the site wants to know who asks; a refusal ends the run, because a
//! second try can lock the account.

use secrecy::ExposeSecret as _;
use serde_json::Value;
use url::Url;

use super::account::{Account, Capability, prove_account};
use super::carrier::Carrier;
use super::discovery::{Found, Trail, discover, no_answer};
use super::http::Http;
use super::meta::KnownMeta;
use super::preflight_error::PreflightError;
use super::root::{Root, SiteUrl};
use super::text::clean;
use super::wire::Wire;
use super::{Credentials, NonceSource, Settings, Site};
use crate::names::Timestamp;

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
pub enum LanguageOffer {
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
    let http = Http::new(url.url(), Some(credentials), settings).map_err(PreflightError::NoTls)?;
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
    let http = Http::in_process(carrier, url.url(), Some(credentials));
    let http = http.map_err(PreflightError::NoTls)?;
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
    let mut trail = Trail::new();
    let found = discover(&wire, url, &mut trail).await?;
    is_the_address(url, &found)?;
    let account = prove_account(&wire, url, &found, &mut trail).await?;
    let offers = offers(&wire, url, &found).await?;
    may_create(&account)?;
    Ok(assemble(url, wire, found, account, offers))
}

/// Without this right there is nothing to do here.
pub(super) fn may_create(account: &Account) -> Result<(), PreflightError> {
    if account.can(Capability::EditPosts) {
        return Ok(());
    }
    let capability = Capability::EditPosts.as_str();
    Err(PreflightError::MissingCapability { user: account.name.clone(), capability })
}

/// What the collections offer, from the index or from the route itself.
pub(super) async fn offers(
    wire: &Wire,
    site: &SiteUrl,
    found: &Found,
) -> Result<Offers, PreflightError> {
    match offers_in(&found.index) {
        Some(offers) => Ok(offers),
        None => ask_offers(wire, site, &found.root).await,
    }
}

/// The site, of which all is known by now.
pub(super) fn assemble(
    url: &SiteUrl,
    wire: Wire,
    found: Found,
    account: Account,
    offers: Offers,
) -> Site {
    let Found { root, index } = found;
    let text = |name: &str| clean(index.get(name).and_then(Value::as_str).unwrap_or_default());
    Site {
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
    }
}

/// Whether the root belongs to the path that the site calls its own. Only the paths are
/// compared: behind a proxy the site may know itself by another host. A root that ends
/// in `wp-json/` is only found at the right path.
pub(super) fn is_the_address(url: &SiteUrl, found: &Found) -> Result<(), PreflightError> {
    let Found { root, index } = found;
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
