//! Finding the REST root, and what it says of the site.
//!
//! Absent from here: the account (`preflight`). The one rule: nobody is followed. A
//! root counts only if its own JSON names `wp/v2`, on the configured origin; where a
//! redirect or a `Link` points elsewhere, a person decides (cases RED-05 to RED-07).

use serde_json::Value;

use super::answer::{Answer, Middleman};
use super::http::{ConnectProblem, Failure, Identity};
use super::preflight_error::PreflightError;
use super::root::{Root, SiteUrl};
use super::text::clean;
use super::wire::{Question, RequestKind, Wire};

/// The parts of the index that are used. The whole index is 190 KB, this is a fifth.
const INDEX_FIELDS: &str = "name,url,home,gmt_offset,timezone_string,namespaces,authentication,\
    routes./wp/v2/posts.endpoints,routes./wp/v2/pages.endpoints,routes./wp/v2/media.endpoints";

/// What was found at the root.
pub(crate) struct Found {
    pub(crate) root: Root,
    pub(crate) index: Value,
}

/// What one place showed.
enum Place {
    Root(Value),
    /// A REST API that wants to know who asks (case ROOT-05).
    Closed(String, String),
    Elsewhere(PreflightError),
}

/// Looks for the REST root: at its three usual places, then where the home page says.
pub(crate) async fn discover(wire: &Wire, site: &SiteUrl) -> Result<Found, PreflightError> {
    let mut most_telling: Option<PreflightError> = None;
    for root in site.root_guesses() {
        match try_root(wire, site, root).await? {
            Ok(found) => return Ok(found),
            Err(error) => keep_most_telling(&mut most_telling, error),
        }
    }
    let home = wire.get_page(site.url().clone()).await.map_err(|error| no_answer(site, error))?;
    if let Some(target) = elsewhere(wire, site, site.as_str(), &home) {
        return Err(target);
    }
    let Some(link) = rest_link(site, &home) else {
        let what = home.describe();
        return Err(most_telling.unwrap_or_else(|| not_wordpress(site, what)));
    };
    if !wire.is_home(&link) {
        return Err(PreflightError::RootElsewhere(clean(link.as_str())));
    }
    match try_root(wire, site, Root::named(&link)).await? {
        Ok(found) => Ok(found),
        Err(error) => Err(error),
    }
}

/// The outer error ends the search, the inner one only says that it is not here.
async fn try_root(
    wire: &Wire,
    site: &SiteUrl,
    root: Root,
) -> Result<Result<Found, PreflightError>, PreflightError> {
    match judge(wire, site, &root, &ask_index(wire, site, &root, Identity::Anonymous).await?)? {
        Place::Root(index) => return Ok(Ok(Found { root, index })),
        Place::Elsewhere(error) => return Ok(Err(error)),
        Place::Closed(..) => {}
    }
    // Anonymous reading is refused. The credentials stay on the configured origin.
    match judge(wire, site, &root, &ask_index(wire, site, &root, Identity::Account).await?)? {
        Place::Root(index) => Ok(Ok(Found { root, index })),
        Place::Elsewhere(error) => Ok(Err(error)),
        Place::Closed(code, message) => Err(PreflightError::RestClosed { code, message }),
    }
}

async fn ask_index(
    wire: &Wire,
    site: &SiteUrl,
    root: &Root,
    identity: Identity,
) -> Result<Answer, PreflightError> {
    let parameters = [("_fields", INDEX_FIELDS)];
    let kind = RequestKind::Preflight;
    let question = Question { kind, route: "", parameters: &parameters, identity };
    wire.get(root, question).await.map_err(|failure| no_answer(site, failure))
}

fn judge(
    wire: &Wire,
    site: &SiteUrl,
    root: &Root,
    answer: &Answer,
) -> Result<Place, PreflightError> {
    let asked = root.to_string();
    if answer.is_redirect() {
        // To another origin: everything will be redirected there. To our own: a stray
        // rewrite rule, and another root may still work (case RED-05).
        if let Some(error) = elsewhere(wire, site, &asked, answer) {
            return Err(error);
        }
        return Ok(Place::Elsewhere(redirected(&asked, answer)));
    }
    if matches!(answer.status, 429 | 503) {
        return Err(busy(answer));
    }
    if answer.status == 200
        && let Ok(index) = answer.read_json()
    {
        let is_root = index
            .get("namespaces")
            .and_then(Value::as_array)
            .is_some_and(|names| names.iter().any(|name| name == "wp/v2"));
        if is_root {
            return Ok(Place::Root(index));
        }
    }
    if let Some((code, message)) = answer.wordpress_error() {
        let (code, message) = (clean(&code), clean(&message));
        if matches!(answer.status, 401 | 403) {
            return Ok(Place::Closed(code, message));
        }
        return Ok(Place::Elsewhere(PreflightError::RestClosed { code, message }));
    }
    let what = answer.describe();
    if let Some(Middleman(who)) = answer.middleman() {
        return Ok(Place::Elsewhere(PreflightError::Middleman { who, what }));
    }
    if answer.status >= 500 {
        return Ok(Place::Elsewhere(PreflightError::Broken(what)));
    }
    Ok(Place::Elsewhere(not_wordpress(site, what)))
}

/// A firewall's page says more than a page that is simply not there.
fn keep_most_telling(kept: &mut Option<PreflightError>, new: PreflightError) {
    let telling = |error: &PreflightError| match error {
        PreflightError::Middleman { .. } => 4,
        PreflightError::RestClosed { .. } => 3,
        PreflightError::Broken(_) => 2,
        PreflightError::Redirected { .. } => 1,
        _ => 0,
    };
    if kept.as_ref().is_none_or(|known| telling(&new) > telling(known)) {
        *kept = Some(new);
    }
}

pub(crate) fn no_answer(site: &SiteUrl, failure: Failure) -> PreflightError {
    let url = site.as_str().to_owned();
    match failure {
        Failure::NotConnected(ConnectProblem::Tls, why) => PreflightError::Tls { url, why },
        Failure::NotConnected(
            ConnectProblem::Dns | ConnectProblem::TimedOut | ConnectProblem::Other,
            why,
        ) => PreflightError::NotConnected { url, why },
        Failure::NoAnswer(why) | Failure::BodyCut { why, .. } => {
            PreflightError::NoAnswer { url, why }
        }
    }
}

pub(crate) fn busy(answer: &Answer) -> PreflightError {
    PreflightError::Busy { what: answer.describe(), retry_after_s: answer.retry_after_s() }
}

fn not_wordpress(site: &SiteUrl, what: String) -> PreflightError {
    PreflightError::NotWordPress { url: site.as_str().to_owned(), what }
}

fn redirected(from: &str, answer: &Answer) -> PreflightError {
    let to = answer.header("location").map_or_else(|| "nowhere".to_owned(), clean);
    PreflightError::Redirected { from: clean(from), to }
}

/// A redirect that leaves the origin, told as the site's address there.
fn elsewhere(wire: &Wire, site: &SiteUrl, asked: &str, answer: &Answer) -> Option<PreflightError> {
    if !answer.is_redirect() {
        return None;
    }
    let target = site.url().join(answer.header("location")?).ok()?;
    if wire.is_home(&target) {
        return None;
    }
    let mut to = target;
    to.set_query(None);
    to.set_fragment(None);
    let to = to.as_str().trim_end_matches('/');
    let to = to.strip_suffix("/wp-json").unwrap_or(to);
    Some(PreflightError::Redirected { from: clean(asked), to: clean(to) })
}

/// The REST root that the home page names, in its header or in its head.
fn rest_link(site: &SiteUrl, home: &Answer) -> Option<url::Url> {
    const RELATION: &str = "https://api.w.org/";
    let in_header = home.header("link").and_then(|links| {
        links.split(',').find(|link| link.contains(RELATION)).and_then(|link| {
            let inside = link.trim().strip_prefix('<')?;
            Some(inside.split_once('>')?.0.to_owned())
        })
    });
    let target = in_header.or_else(|| {
        let page = String::from_utf8_lossy(&home.body);
        let tag = page.split('<').find(|tag| tag.starts_with("link") && tag.contains(RELATION))?;
        let value = tag.split_once("href=")?.1;
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let value = value[1..].split_once(quote)?.0;
        Some(html_escape::decode_html_entities(value).into_owned())
    })?;
    site.url().join(&target).ok()
}
