//! From facts to findings.
//!
//! Absent from here: asking, and the sentences of what is wrong (`words`). The one rule:
//! every check has a finding, if only that it was not looked at and why.

use super::check::Check;
use super::facts::{
    Asked, Clocks, Configuration, Facts, LookedUp, NotSignedIn, Password, Reached, SignedIn,
    SiteFacts,
};
use super::finding::{FilteredBy, Finding, PasswordForm};
use super::words;
use crate::protocol::sighting::UnclearWhy;
use crate::wordpress::{
    About, Account, Capability, HtmlKept, Identity, LanguageOffer, PasswordsOffered,
    PreflightError, RootForm, Seen,
};

/// Clocks that differ by less are told to agree: an answer may take that long.
const CLOCKS_APART_S_MIN: i64 = 60;
/// Answers that are shown as evidence; the way to a root has four places at most.
const SEEN_MAX: usize = 5;

const WHAT_STANDS_ABOVE: &str = "what stands above it comes first";

/// Findings in the order of the checks, at least one for each.
#[must_use]
pub fn judge(facts: Facts) -> Vec<Finding> {
    let Facts { configuration, password, site, image_bytes_max, file_bytes_max } = facts;
    let form = match password {
        Password::Unusual(_) => PasswordForm::Unusual,
        Password::Usual
        | Password::Unreadable(_)
        | Password::NotForThisAddress
        | Password::Unknown => PasswordForm::Usual,
    };
    let (why, url) = match &site {
        SiteFacts::NoAddress => ("there is no address to ask", None),
        SiteFacts::NoWay(_) => (WHAT_STANDS_ABOVE, None),
        SiteFacts::Interrupted => ("interrupted", None),
        SiteFacts::Asked(asked) => (WHAT_STANDS_ABOVE, Some(asked.url.clone())),
    };
    let mut findings = vec![of_configuration(configuration, url.as_deref()), of_password(password)];
    match site {
        SiteFacts::NoAddress | SiteFacts::Interrupted => {}
        SiteFacts::NoWay(trouble) => findings.push(Finding::Other(Check::Connection, trouble)),
        SiteFacts::Asked(asked) => of_site(&mut findings, asked, form),
    }
    let limits = words::upload_limits(image_bytes_max, file_bytes_max);
    findings.push(Finding::Skipped(Check::Uploads, limits));
    for check in Check::ALL {
        if !findings.iter().any(|finding| finding.check() == check) {
            findings.push(Finding::Skipped(check, why.to_owned()));
        }
    }
    findings.sort_by_key(Finding::check);
    findings
}

fn of_configuration(configuration: Configuration, url: Option<&str>) -> Finding {
    let fine = |text: String| Finding::Fine(Check::Configuration, text);
    let url = url.unwrap_or("the site");
    match configuration {
        Configuration::Complete { username } => fine(format!("{url} as {username}")),
        Configuration::AddressGiven => fine(format!("{url}, from the command line")),
        Configuration::Broken(error) => Finding::Configuration(error),
        Configuration::BadAddress(error) => Finding::BadAddress(error),
    }
}

fn of_password(password: Password) -> Finding {
    match password {
        Password::Usual => Finding::Fine(Check::Password, "found".to_owned()),
        Password::Unusual(remark) => Finding::UnusualPassword(remark),
        Password::Unreadable(error) => Finding::Password(error),
        Password::NotForThisAddress => Finding::Skipped(
            Check::Password,
            "the configured one is not for this address, and is not sent to it".to_owned(),
        ),
        Password::Unknown => Finding::Skipped(
            Check::Password,
            "a configuration that can be used would name it".to_owned(),
        ),
    }
}

fn of_site(findings: &mut Vec<Finding>, asked: Asked, form: PasswordForm) {
    let Asked { url, mut trail, reached, clocks } = asked;
    match reached {
        Reached::Nothing(error) => {
            let check = place_of(&error);
            if check > Check::Connection {
                findings.push(Finding::Fine(Check::Connection, words::connected(&url)));
            }
            if check == Check::RestApi {
                let text = "told once the REST API is found".to_owned();
                findings.push(Finding::Skipped(Check::Address, text));
            }
            trail.truncate(SEEN_MAX);
            findings.push(Finding::Preflight { check, error, seen: trail });
        }
        Reached::Root(about, NotSignedIn::NotTried) => {
            of_root(findings, &url, &about);
            if about.passwords == PasswordsOffered::No {
                findings.push(Finding::NoApplicationPasswords { home: about.home });
            } else {
                findings.push(passwords_fine(&about));
            }
            let text = "there is no password to try".to_owned();
            findings.push(Finding::Skipped(Check::SignIn, text));
        }
        Reached::Root(about, NotSignedIn::Refused(error)) => {
            of_root(findings, &url, &about);
            let last = trail.pop();
            refused(findings, &about, error, last.into_iter().collect(), form);
        }
        Reached::SignedIn(about, signed_in) => {
            of_root(findings, &url, &about);
            findings.push(passwords_fine(&about));
            of_account(findings, *signed_in);
        }
    }
    findings.push(of_clocks(clocks));
}

/// Which check an error belongs to that comes before the account is tried.
fn place_of(error: &PreflightError) -> Check {
    match error {
        PreflightError::CredentialsEmpty(_) => Check::Password,
        PreflightError::NoTls(_)
        | PreflightError::NotConnected { .. }
        | PreflightError::Tls { .. }
        | PreflightError::NoAnswer { .. } => Check::Connection,
        PreflightError::Redirected { .. }
        | PreflightError::RootElsewhere(_)
        | PreflightError::Hosted(_)
        | PreflightError::NotTheAddress { .. } => Check::Address,
        PreflightError::WebPassword(_)
        | PreflightError::Middleman { .. }
        | PreflightError::Busy { .. }
        | PreflightError::Broken(_)
        | PreflightError::RestClosed { .. }
        | PreflightError::RestHidden { .. }
        | PreflightError::NotWordPress { .. } => Check::RestApi,
        PreflightError::ApplicationPasswordsOff { .. } => Check::ApplicationPasswords,
        PreflightError::NotLoggedIn { .. }
        | PreflightError::WrongPassword { .. }
        | PreflightError::Refused { .. } => Check::SignIn,
        PreflightError::MissingCapability { .. } => Check::Rights,
    }
}

fn of_root(findings: &mut Vec<Finding>, url: &str, about: &About) {
    findings.push(Finding::Fine(Check::Connection, words::connected(url)));
    if url.starts_with("https:") && about.home.starts_with("http:") {
        findings.push(Finding::HomeNotHttps { home: about.home.clone() });
    }
    findings.push(match about.form {
        RootForm::Path => Finding::Fine(Check::RestApi, format!("at {}", about.root)),
        RootForm::Query => Finding::PlainPermalinks { root: about.root.clone() },
    });
    let is_told = findings.iter().any(|finding| finding.check() == Check::Address);
    if !is_told {
        let text = "the site's own; nothing redirects".to_owned();
        findings.push(Finding::Fine(Check::Address, text));
    }
}

fn passwords_fine(about: &About) -> Finding {
    let text = match about.passwords {
        PasswordsOffered::Yes => "the site offers application passwords",
        PasswordsOffered::No => "accepted, although the index does not offer them",
        PasswordsOffered::Unsaid => "the index says nothing of them",
    };
    Finding::Fine(Check::ApplicationPasswords, text.to_owned())
}

/// The account was refused, once.
fn refused(
    findings: &mut Vec<Finding>,
    about: &About,
    error: PreflightError,
    mut seen: Vec<Seen>,
    form: PasswordForm,
) {
    if about.passwords == PasswordsOffered::No {
        let showed = "offers no application passwords".to_owned();
        let (asked, identity) = (about.root.clone(), Identity::Anonymous);
        seen.push(Seen { asked, showed, identity });
    }
    if let PreflightError::NotLoggedIn { .. } = error {
        findings.push(passwords_fine(about));
        findings.push(Finding::NotSignedIn { error, seen, form });
        return;
    }
    let check = match place_of(&error) {
        check @ (Check::ApplicationPasswords | Check::Rights) => check,
        Check::Configuration
        | Check::Password
        | Check::Connection
        | Check::Address
        | Check::RestApi
        | Check::SignIn
        | Check::Html
        | Check::Languages
        | Check::LookUps
        | Check::Uploads
        | Check::Clock => Check::SignIn,
    };
    if check != Check::ApplicationPasswords {
        findings.push(passwords_fine(about));
    }
    findings.push(Finding::Preflight { check, error, seen });
}

fn of_account(findings: &mut Vec<Finding>, signed_in: SignedIn) {
    let SignedIn { account, other_site, html, languages, look_ups } = signed_in;
    if let Some(trouble) = other_site {
        findings.retain(|finding| finding.check() != Check::Address);
        findings.push(Finding::Other(Check::Address, trouble));
    }
    let text = format!("accepted: {} (user {})", account.name, account.id);
    findings.push(Finding::Fine(Check::SignIn, text));
    of_rights(findings, &account);
    if !account.can(Capability::EditPosts) {
        return;
    }
    findings.push(of_html(&account, html.as_ref()));
    let language = match languages {
        LanguageOffer::None => "nothing is filtered by language",
        LanguageOffer::All => "filtered by language; every look-up asks for all of them",
        LanguageOffer::OnlySingle => {
            findings.push(Finding::OneLanguage);
            return;
        }
    };
    findings.push(Finding::Fine(Check::Languages, language.to_owned()));
    findings.push(of_look_ups(look_ups));
}

fn of_rights(findings: &mut Vec<Finding>, account: &Account) {
    if !account.can(Capability::EditPosts) {
        let capability = Capability::EditPosts.as_str();
        let error = PreflightError::MissingCapability { user: account.name.clone(), capability };
        findings.push(Finding::Preflight { check: Check::Rights, error, seen: Vec::new() });
        return;
    }
    let missing = [
        (Capability::UploadFiles, Finding::NoUploads),
        (Capability::EditPages, Finding::NoPages),
        (Capability::EditOthersPosts, Finding::OthersHidden),
    ];
    let before = findings.len();
    let lacks = missing.into_iter().filter(|(capability, _)| !account.can(*capability));
    findings.extend(lacks.map(|(_, finding)| finding));
    if findings.len() == before {
        let text = "may create posts and pages, upload, and see everybody's drafts".to_owned();
        findings.push(Finding::Fine(Check::Rights, text));
    }
}

fn of_html(account: &Account, kept: Option<&HtmlKept>) -> Finding {
    let fine = |text: &str| Finding::Fine(Check::Html, text.to_owned());
    if !account.can(Capability::UnfilteredHtml) {
        return Finding::HtmlFiltered(FilteredBy::Role);
    }
    match kept {
        Some(HtmlKept::No) => Finding::HtmlFiltered(FilteredBy::Site),
        Some(HtmlKept::Yes) => fine("stored as it is sent"),
        Some(HtmlKept::NoPost | HtmlKept::Unclear(_)) | None => {
            fine("stored as it is sent, by the account's rights; no post shows it")
        }
    }
}

fn of_look_ups(look_ups: Vec<LookedUp>) -> Finding {
    let count = look_ups.len();
    let not_proof = look_ups.into_iter().find(|seen| *seen != LookedUp::Absent);
    match not_proof {
        None => {
            let text = format!("complete, and not out of a cache ({count} asked)");
            Finding::Fine(Check::LookUps, text)
        }
        Some(LookedUp::Unclear(unclear)) if unclear.why == UnclearWhy::Cached => {
            Finding::LookUpsCached(unclear.detail)
        }
        Some(LookedUp::Unclear(unclear)) if unclear.why == UnclearWhy::ForeignRow => {
            Finding::LookUpsForeign(unclear.detail)
        }
        Some(LookedUp::Unclear(unclear)) => Finding::LookUpsUnclear(unclear),
        Some(LookedUp::Counted) => {
            let text = "the site counts more posts than it sends".to_owned();
            Finding::LookUpsForeign(text)
        }
        Some(LookedUp::Absent | LookedUp::Found) => {
            Finding::LookUpsForeign("a post with a random slug came".to_owned())
        }
    }
}

fn of_clocks(clocks: Option<Clocks>) -> Finding {
    let Some(Clocks { site, here }) = clocks else {
        let text = "the site does not tell the time".to_owned();
        return Finding::Skipped(Check::Clock, text);
    };
    let site_ahead_s = site.as_second() - here.as_second();
    if site_ahead_s.abs() < CLOCKS_APART_S_MIN {
        let text = format!("within {CLOCKS_APART_S_MIN} seconds of this machine's");
        return Finding::Fine(Check::Clock, text);
    }
    Finding::ClocksApart { site_ahead_s }
}
