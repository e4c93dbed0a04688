//! Addresses: the site as configured, and the root of its REST API.
//!
//! Absent from here: requests. The one rule: the origin of the configured address is
//! the only one that a URL made here can have.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

use super::http::is_loopback;
use super::text::clean;

/// What stays as it is in a query value. Commas do, because lists of slugs are long
/// and a URL may not be.
const QUERY_VALUE: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b',');
/// As [`QUERY_VALUE`], with the slashes of a route.
const ROUTE_VALUE: &AsciiSet = &QUERY_VALUE.remove(b'/');

/// Why an address can't be the site's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SiteUrlError {
    /// It is not a URL.
    #[error("the site's url is not a url: {0:?}")]
    NotAUrl(String),
    /// The password would travel in the clear (case AUTH-06).
    #[error("the site's url is not https: {0:?}")]
    NotHttps(String),
    /// It has a user, a query or a fragment.
    #[error("the site's url has more than a host and a path: {0:?}")]
    TooMuch(String),
    /// The hosted platform has another API (case ROOT-06).
    #[error("{0} is hosted by WordPress.com, whose API is not that of WordPress")]
    WordPressCom(String),
}

impl SiteUrlError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotAUrl(_) | Self::TooMuch(_) => "site_url_invalid",
            Self::NotHttps(_) => "site_url_not_https",
            Self::WordPressCom(_) => "site_not_supported",
        }
    }

    /// What to do.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotAUrl(_) => "set url to the site's address, such as https://example.com",
            Self::NotHttps(_) => {
                "use https; only a site on this machine (localhost) may use http, because the password would travel in the clear"
            }
            Self::TooMuch(_) => {
                "give only the address, such as https://example.com/blog; user and password have their own settings"
            }
            Self::WordPressCom(_) => {
                "use a self-hosted WordPress; sites on *.wordpress.com are not supported"
            }
        }
    }
}

/// What names the simulated site in this process.
const SANDBOX: &str = "sandbox:";
/// The address that the simulated site has. It never resolves, so that nothing that is
/// meant for it can get to the network.
const SANDBOX_HOME: &str = "http://sandbox.invalid/";

/// The site's address as configured: `https` (or this machine), a host, a path; or
/// `sandbox:`, the simulated site in this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteUrl(Url);

impl SiteUrl {
    /// Reads an address. `/wp-json`, `/wp-admin`, `/wp-login.php` and `/index.php` at
    /// its end are dropped, because people copy them along.
    pub fn parse(text: &str) -> Result<Self, SiteUrlError> {
        let text = text.trim();
        let shown = || hide_user(text);
        if text == SANDBOX {
            let home = Url::parse(SANDBOX_HOME).map_err(|_| SiteUrlError::NotAUrl(shown()))?;
            return Ok(Self(home));
        }
        let mut url = Url::parse(text).map_err(|_| SiteUrlError::NotAUrl(shown()))?;
        let Some(host) = url.host_str().map(|host| host.trim_end_matches('.').to_owned()) else {
            return Err(SiteUrlError::NotAUrl(shown()));
        };
        match url.scheme() {
            "https" => {}
            "http" if is_loopback(&url) => {}
            "http" => return Err(SiteUrlError::NotHttps(shown())),
            _ => return Err(SiteUrlError::NotAUrl(shown())),
        }
        let bare = url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none();
        if !bare {
            return Err(SiteUrlError::TooMuch(shown()));
        }
        if is_hosted(&url) {
            return Err(SiteUrlError::WordPressCom(host));
        }
        url.set_host(Some(&host)).map_err(|_| SiteUrlError::NotAUrl(shown()))?;
        let path = trimmed_path(url.path());
        url.set_path(&path);
        Ok(Self(url))
    }

    /// The address, ending in a slash.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether this is the simulated site in this process. No other address can be its:
    /// `http` is for this machine alone.
    #[must_use]
    pub fn is_sandbox(&self) -> bool {
        self.as_str() == SANDBOX_HOME
    }

    /// The address as a URL.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.0
    }

    /// The usual places of the REST root, likeliest first (cases ROOT-01 to ROOT-03).
    pub(crate) fn root_guesses(&self) -> [Root; 3] {
        let at = |path: &str| {
            let mut url = self.0.clone();
            url.set_path(&format!("{}{path}", self.0.path()));
            url
        };
        [Root::Path(at("wp-json/")), Root::Query(at("")), Root::Query(at("index.php"))]
    }
}

/// Whether this is an address of WordPress.com.
pub(crate) fn is_hosted(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    host == "wordpress.com" || host.ends_with(".wordpress.com")
}

fn trimmed_path(path: &str) -> String {
    let mut path = path.trim_end_matches('/');
    while let Some(shorter) = ["/wp-json", "/wp-admin", "/wp-login.php", "/index.php"]
        .iter()
        .find_map(|end| path.strip_suffix(end))
    {
        path = shorter.trim_end_matches('/');
    }
    format!("{path}/")
}

/// An address for messages, without user and password.
fn hide_user(text: &str) -> String {
    match text.rfind('@') {
        Some(at) => clean(&format!("…{}", &text[at..])),
        None => clean(text),
    }
}

/// Where the REST API is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Root {
    /// Routes are added to a path: `https://h/wp-json/`.
    Path(Url),
    /// Routes are the parameter `rest_route` of a page (case ROOT-01).
    Query(Url),
}

impl Root {
    /// Reads a root that the site names in its `Link` header; all four forms are known
    /// (case ROOT-04).
    pub(crate) fn named(url: &Url) -> Self {
        let mut plain = url.clone();
        plain.set_fragment(None);
        plain.set_query(None);
        if url.query_pairs().any(|(name, _)| name == "rest_route") {
            return Self::Query(plain);
        }
        if !plain.path().ends_with('/') {
            let path = format!("{}/", plain.path());
            plain.set_path(&path);
        }
        Self::Path(plain)
    }

    /// Where the root is: host and path say which site it is.
    pub(crate) fn base(&self) -> &Url {
        match self {
            Self::Path(url) | Self::Query(url) => url,
        }
    }

    /// The URL of a route such as `wp/v2/posts` (`""` is the index) with parameters.
    pub(crate) fn url(&self, route: &str, parameters: &[(&str, &str)]) -> Url {
        let mut query = String::new();
        let mut url = match self {
            Self::Path(base) => {
                let mut url = base.clone();
                url.set_path(&format!("{}{route}", base.path()));
                url
            }
            Self::Query(base) => {
                query.push_str("rest_route=/");
                query.extend(utf8_percent_encode(route, ROUTE_VALUE));
                base.clone()
            }
        };
        for (name, value) in parameters {
            if !query.is_empty() {
                query.push('&');
            }
            query.push_str(name);
            query.push('=');
            query.extend(utf8_percent_encode(value, QUERY_VALUE));
        }
        url.set_query((!query.is_empty()).then_some(query.as_str()));
        url
    }
}

impl std::fmt::Display for Root {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.url("", &[]).as_str())
    }
}
