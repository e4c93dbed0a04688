//! Finding the REST root, and what it says of the site.
//!
//! Absent from here: the account (`account`). The one rule: nobody is followed. A
//! root counts only if its own JSON names `wp/v2`, on the configured origin; where a
//! redirect or a `Link` points elsewhere, a person decides (cases RED-05 to RED-07).

use serde_json::Value;

use super::answer::{Answer, Middleman};
use super::http::{ConnectProblem, Failure, Identity};
use super::preflight_error::PreflightError;
use super::root::{Root, SiteUrl, is_hosted};
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

/// What one question showed, in words, for a person who has to find out why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// The address that was asked.
    pub asked: String,
    /// The answer in one line.
    pub showed: String,
    pub(crate) identity: Identity,
}

impl Seen {
    pub(crate) fn new(asked: &str, identity: Identity, answer: &Answer) -> Self {
        let mut showed = answer.describe();
        if let Some(to) = answer.header("location").filter(|_| answer.is_redirect()) {
            showed = format!("{showed}, to {}", clean(to));
        }
        Self { asked: clean(asked), showed, identity }
    }
}

/// What was asked on the way, in order.
pub(crate) type Trail = Vec<Seen>;

/// What one place showed.
enum Place {
    Root(Value),
    /// A REST API that wants to know who asks (case ROOT-05).
    Closed(String, String),
    Elsewhere(PreflightError),
}

/// Looks for the REST root: at its three usual places, then where the home page says.
pub(crate) async fn discover(
    wire: &Wire,
    site: &SiteUrl,
    trail: &mut Trail,
) -> Result<Found, PreflightError> {
    let mut most_telling: Option<PreflightError> = None;
    for root in site.root_guesses() {
        match try_root(wire, site, root, trail).await? {
            Ok(found) => return Ok(found),
            Err(error) => keep_most_telling(&mut most_telling, error),
        }
    }
    let home = wire.get_page(site.url().clone()).await.map_err(|error| no_answer(site, error))?;
    let mut seen = Seen::new(site.as_str(), Identity::Anonymous, &home);
    if is_made_by_wordpress(&home) {
        seen.showed.push_str(", a page of WordPress");
    }
    trail.push(seen);
    if let Some(target) = elsewhere(wire, site, site.as_str(), &home) {
        return Err(target);
    }
    let Some(link) = rest_link(site, &home) else {
        let what = home.describe();
        let error = most_telling.unwrap_or_else(|| not_wordpress(site, what));
        return Err(if is_made_by_wordpress(&home) { hidden(error) } else { error });
    };
    if !wire.is_home(&link) {
        return Err(root_elsewhere(&link));
    }
    match try_root(wire, site, Root::named(&link), trail).await? {
        Ok(found) => Ok(found),
        Err(error) => Err(error),
    }
}

/// The outer error ends the search, the inner one only says that it is not here.
async fn try_root(
    wire: &Wire,
    site: &SiteUrl,
    root: Root,
    trail: &mut Trail,
) -> Result<Result<Found, PreflightError>, PreflightError> {
    let answer = ask_index(wire, site, &root, Identity::Anonymous, trail).await?;
    let closed = match judge(wire, site, &root, &answer)? {
        Place::Root(index) => return Ok(Ok(Found { root, index })),
        Place::Elsewhere(error) => return Ok(Err(error)),
        Place::Closed(code, message) => PreflightError::RestClosed { code, message },
    };
    if !wire.has_account() {
        return Err(closed);
    }
    // Anonymous reading is refused. The credentials stay on the configured origin.
    let answer = ask_index(wire, site, &root, Identity::Account, trail).await?;
    let refused = matches!(answer.status, 401 | 403);
    let error = match judge(wire, site, &root, &answer)? {
        Place::Root(index) => return Ok(Ok(Found { root, index })),
        Place::Closed(code, message) => return Err(PreflightError::RestClosed { code, message }),
        // What it said before tells more than that this is no answer of the API.
        Place::Elsewhere(PreflightError::NotWordPress { .. }) => closed,
        Place::Elsewhere(error) => error,
    };
    // One try: a password that was refused, by whomever, is not sent to the next place.
    if refused { Err(error) } else { Ok(Err(error)) }
}

async fn ask_index(
    wire: &Wire,
    site: &SiteUrl,
    root: &Root,
    identity: Identity,
    trail: &mut Trail,
) -> Result<Answer, PreflightError> {
    let parameters = [("_fields", INDEX_FIELDS)];
    let kind = RequestKind::Preflight;
    let question = Question { kind, route: "", parameters: &parameters, identity };
    let answer = wire.get(root, question).await.map_err(|failure| no_answer(site, failure))?;
    trail.push(Seen::new(&root.to_string(), identity, &answer));
    Ok(answer)
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
    if answer.wants_web_password() {
        return Ok(Place::Elsewhere(PreflightError::WebPassword(what)));
    }
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
        PreflightError::Middleman { .. } | PreflightError::WebPassword(_) => 4,
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

/// A page whose parts lie where WordPress keeps them.
fn is_made_by_wordpress(page: &Answer) -> bool {
    let page = String::from_utf8_lossy(&page.body);
    ["/wp-content/", "/wp-includes/"].iter().any(|folder| page.contains(folder))
}

fn hidden(error: PreflightError) -> PreflightError {
    match error {
        PreflightError::NotWordPress { url, what } => PreflightError::RestHidden { url, what },
        other => other,
    }
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
    let mut to = target.clone();
    to.set_query(None);
    to.set_fragment(None);
    let to = to.as_str().trim_end_matches('/');
    let to = to.strip_suffix("/wp-json").unwrap_or(to);
    if is_hosted(&target) {
        return Some(PreflightError::Hosted(clean(to)));
    }
    Some(PreflightError::Redirected { from: clean(asked), to: clean(to) })
}

/// A REST root on another origin. Sites that WordPress.com hosts name its own (case
/// ROOT-06).
fn root_elsewhere(link: &url::Url) -> PreflightError {
    let link_text = clean(link.as_str());
    if is_hosted(link) {
        return PreflightError::Hosted(link_text);
    }
    PreflightError::RootElsewhere(link_text)
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
