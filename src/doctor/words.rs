//! The sentences: what was found, the evidence, and what to do.
//!
//! Absent from here: lines and colours (`human`). The one rule: where two causes look
//! the same, both are named, each with its own fix.

use super::finding::{FilteredBy, Finding, PasswordForm};
use crate::protocol::sighting::UnclearWhy;
use crate::run::with_causes;
use crate::wordpress::{Capability, Identity, PreflightError, Seen};

/// Bytes of a MiB.
const MIB: u64 = 1024 * 1024;

/// The limits of uploads, as far as they are known.
pub(super) fn upload_limits(image_bytes_max: u64, file_bytes_max: u64) -> String {
    format!(
        "WordPress does not tell its limit over REST; Media > Add New shows it. OncePress sends \
         images up to {} and other files up to {}",
        size(image_bytes_max),
        size(file_bytes_max)
    )
}

fn size(bytes: u64) -> String {
    if bytes >= MIB && bytes.is_multiple_of(MIB) {
        format!("{} MiB", bytes / MIB)
    } else {
        format!("{bytes} bytes")
    }
}

pub(super) fn connected(url: &str) -> String {
    if url.starts_with("https:") {
        format!("{url} answers, over https")
    } else {
        format!("{url} answers")
    }
}

impl Finding {
    /// What was found, in one sentence.
    #[must_use]
    pub fn message(&self) -> String {
        let text = match self {
            Self::Fine(_, text) | Self::Skipped(_, text) | Self::UnusualPassword(text) => text,
            Self::Configuration(error) | Self::Password(error) => {
                return on_one_line(&with_causes(error));
            }
            Self::BadAddress(error) => return error.to_string(),
            Self::Preflight { error, .. } => return with_causes(error),
            Self::NotSignedIn { error, form, .. } => {
                let likelier = match form {
                    PasswordForm::Usual => "Two causes look the same from here",
                    PasswordForm::Unusual => {
                        "The password has not the form of an application password, so it is \
                         likely the cause"
                    }
                };
                return format!("{}. {likelier}", with_causes(error));
            }
            Self::Other(_, trouble) => &trouble.message,
            Self::NoApplicationPasswords { .. } => "the site does not offer application passwords",
            Self::PlainPermalinks { root } => {
                return format!("at {root}, not at /wp-json/: it works all the same");
            }
            Self::HomeNotHttps { home } => {
                return format!("the site calls itself {home}, without https");
            }
            Self::NoUploads => {
                "the account may not upload files: articles with images will be rejected"
            }
            Self::NoPages => "the account may not make pages: articles of that type are rejected",
            Self::OthersHidden => {
                "the account does not see the drafts of others: one that has an article's slug \
                 stops it, or shows only when the new draft's slug gets a number"
            }
            Self::HtmlFiltered(FilteredBy::Role) => {
                "WordPress takes scripts, iframes, styles and the like out of what this account \
                 sends"
            }
            Self::HtmlFiltered(FilteredBy::Site) => {
                "WordPress takes scripts, iframes, styles and the like out of what this account \
                 sends, although the account has the right to them"
            }
            Self::OneLanguage => {
                "lists show one language at a time: that something is not there can't be proved, \
                 so nothing will be sent"
            }
            Self::LookUpsCached(_) => {
                "a cache answers look-ups: what it says may be old, so nothing will be sent"
            }
            Self::LookUpsUnclear(unclear) => {
                return format!(
                    "look-ups prove nothing, so nothing will be sent: {}",
                    unclear.detail
                );
            }
            Self::LookUpsForeign(_) => {
                "a look-up of a slug that nobody has shows or counts posts, so nothing will be sent"
            }
            Self::ClocksApart { site_ahead_s } => {
                let (seconds, word) = (
                    site_ahead_s.unsigned_abs(),
                    if *site_ahead_s < 0 { "behind" } else { "ahead of" },
                );
                return format!("the site's clock is {seconds} seconds {word} this machine's");
            }
        };
        text.to_owned()
    }

    /// What it was told from.
    #[must_use]
    pub fn evidence(&self) -> Vec<String> {
        match self {
            Self::Preflight { seen, .. } | Self::NotSignedIn { seen, .. } => what_was_seen(seen),
            Self::NoApplicationPasswords { .. } => {
                vec!["the index of the REST API lists none under `authentication`".to_owned()]
            }
            Self::HomeNotHttps { home } => {
                vec![format!("home in the index of the REST API: {home}")]
            }
            Self::HtmlFiltered(FilteredBy::Role) => {
                vec!["unfiltered_html is not among the account's capabilities".to_owned()]
            }
            Self::HtmlFiltered(FilteredBy::Site) => vec![
                "unfiltered_html is among the account's capabilities, and its posts do not link \
                 to that action"
                    .to_owned(),
            ],
            Self::NoUploads => vec![lacks(Capability::UploadFiles)],
            Self::NoPages => vec![lacks(Capability::EditPages)],
            Self::OthersHidden => vec![lacks(Capability::EditOthersPosts)],
            Self::OneLanguage => {
                vec!["lists have a parameter `lang`, and it does not take `all`".to_owned()]
            }
            Self::LookUpsCached(detail) | Self::LookUpsForeign(detail) => vec![detail.clone()],
            Self::Fine(..)
            | Self::Skipped(..)
            | Self::Configuration(_)
            | Self::BadAddress(_)
            | Self::Password(_)
            | Self::UnusualPassword(_)
            | Self::Other(..)
            | Self::PlainPermalinks { .. }
            | Self::LookUpsUnclear(_)
            | Self::ClocksApart { .. } => Vec::new(),
        }
    }

    /// What to do; several where there are several causes.
    #[must_use]
    pub fn hints(&self) -> Vec<String> {
        let one = |text: &str| vec![text.to_owned()];
        match self {
            Self::Fine(..) | Self::Skipped(..) => Vec::new(),
            Self::Configuration(error) | Self::Password(error) => one(error.hint()),
            Self::BadAddress(error) => one(error.hint()),
            Self::UnusualPassword(_) => {
                one("make an application password in WordPress under Users > Profile")
            }
            Self::Preflight { error: error @ PreflightError::Busy { .. }, .. } => vec![format!(
                "{}; WordPress answers with 503 while it updates itself, ten minutes at most",
                error.hint()
            )],
            Self::Preflight { error: error @ PreflightError::RestClosed { .. }, seen, .. }
                if seen.iter().any(|one| one.identity == Identity::Account) =>
            {
                // A site that is open to its users says the same to a wrong password.
                let mut hints = vec![error.hint()];
                hints.extend(not_signed_in());
                hints
            }
            Self::Preflight { error, .. } => vec![error.hint()],
            Self::NotSignedIn { .. } => not_signed_in(),
            Self::Other(_, trouble) => vec![trouble.hint.clone()],
            Self::NoApplicationPasswords { home } => no_application_passwords(home),
            Self::PlainPermalinks { .. } => {
                one("nothing needs to be done. For /wp-json/, choose another structure under \
                 Settings > Permalinks, or have the web server lead it to WordPress")
            }
            Self::HomeNotHttps { .. } => one(
                "set both addresses under Settings > General to https; behind a proxy, have it \
                 tell WordPress that visitors come over https",
            ),
            Self::NoUploads => one("use an account with the role author or editor"),
            Self::NoPages => one("use an account with the role editor, if there are pages to send"),
            Self::OthersHidden => one("use an account with the role editor, if others write there"),
            Self::HtmlFiltered(FilteredBy::Role) => {
                one("use an account with the role editor, or keep articles free of such HTML; \
                 oncepress check names the places")
            }
            Self::HtmlFiltered(FilteredBy::Site) => {
                one("wp-config.php has DISALLOW_UNFILTERED_HTML, or the site is one of a network; \
                 keep articles free of such HTML")
            }
            Self::OneLanguage => one(
                "have the language plugin show all languages over REST to users who are signed in",
            ),
            Self::LookUpsCached(_) => {
                one("keep the cache, of the host or a plugin, away from /wp-json/")
            }
            Self::LookUpsUnclear(unclear) => one(unclear_hint(unclear.why)),
            Self::LookUpsForeign(_) => {
                one("a plugin or firewall drops the parameter slug from questions; have it leave \
                 /wp-json/ alone")
            }
            Self::ClocksApart { .. } => one(
                "see which of the two is wrong and let it follow the network's time; until then, \
                 times that OncePress shows are hard to compare with those of the site",
            ),
        }
    }
}

/// A parser's error draws the place below its line, over several lines of its own.
fn on_one_line(text: &str) -> String {
    let is_drawn = |line: &&str| {
        line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()).starts_with('|')
    };
    let told: Vec<&str> = text.lines().filter(|line| !is_drawn(line)).map(str::trim).collect();
    told.join(": ")
}

/// What several places showed alike is told once.
fn what_was_seen(seen: &[Seen]) -> Vec<String> {
    let mut before = None;
    let tell = |one: &Seen| {
        let Seen { asked, showed, identity } = one.clone();
        let as_whom = match identity {
            Identity::Anonymous => "",
            Identity::Account => " (signed in)",
        };
        let is_again = before.as_ref() == Some(&showed);
        let text = if is_again { "the same".to_owned() } else { showed.clone() };
        before = Some(showed);
        format!("{asked}{as_whom}: {text}")
    };
    seen.iter().map(tell).collect()
}

fn unclear_hint(why: UnclearWhy) -> &'static str {
    match why {
        UnclearWhy::Refused => {
            "the password got to WordPress for the account and not for a list: have what stands \
             before the site pass the Authorization header on for all of /wp-json/"
        }
        UnclearWhy::Middleman => {
            "have what stands before the site let this machine use all of /wp-json/, then run again"
        }
        UnclearWhy::NoAnswer | UnclearWhy::Busy | UnclearWhy::Status => {
            "run again; if it stays so, see the error log of the site"
        }
        UnclearWhy::Redirected
        | UnclearWhy::NotJson
        | UnclearWhy::TotalMissing
        | UnclearWhy::ForeignRow
        | UnclearWhy::Cached
        | UnclearWhy::Language
        | UnclearWhy::ControlMissing => {
            "see what stands between here and WordPress, or which plugin changes its answers"
        }
    }
}

fn lacks(capability: Capability) -> String {
    format!("{} is not among the account's capabilities", capability.as_str())
}

/// Core says the same of both (seen on 6.1, 6.8 and 7.1), and a second try could lock the
/// account. Each version has the test under Tools > Site Health.
fn not_signed_in() -> Vec<String> {
    [
        "if the user name or the password is wrong: use the login (not the password's label) and \
         an application password made under Users > Profile",
        "if they are right, the web server drops the Authorization header; Tools > Site Health in \
         WordPress says so. For Apache add `SetEnvIf Authorization \"(.*)\" \
         HTTP_AUTHORIZATION=$1`; for FastCGI and proxies pass the header on",
    ]
    .map(str::to_owned)
    .into()
}

fn no_application_passwords(home: &str) -> Vec<String> {
    let switched = "a security plugin or the host switched them off: switch them on, and make one \
                    in the user's profile";
    if home.starts_with("http:") {
        let unaware = format!(
            "the site calls itself {home}: WordPress offers them over https alone, so set its \
             addresses under Settings > General to https"
        );
        return vec![unaware, switched.to_owned()];
    }
    vec![switched.to_owned()]
}
