//! The account: who is signed in, and what they may do.
//!
//! Absent from here: finding the site (`discovery`). The one rule: it is one question,
//! asked once; a refusal ends the run, because a second try can lock the account.

use std::collections::BTreeSet;

use serde_json::Value;

use super::answer::Answer;
use super::discovery::{Found, Seen, Trail, busy, no_answer};
use super::http::Identity;
use super::preflight_error::PreflightError;
use super::root::SiteUrl;
use super::text::clean;
use super::wire::{Question, RequestKind, Wire};
use crate::names::UserId;
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
/// Asks who is signed in, and adds what was seen to the trail.
pub(super) async fn prove_account(
    wire: &Wire,
    site: &SiteUrl,
    found: &Found,
    trail: &mut Trail,
) -> Result<Account, PreflightError> {
    let parameters = [("context", "edit"), ("_fields", "id,name,slug,capabilities")];
    let question = Question {
        kind: RequestKind::Preflight,
        route: "wp/v2/users/me",
        parameters: &parameters,
        identity: Identity::Account,
    };
    let Found { root, index } = found;
    let answer = wire.get(root, question).await.map_err(|failure| no_answer(site, failure))?;
    let asked = root.url("wp/v2/users/me", &[]);
    trail.push(Seen::new(asked.as_str(), Identity::Account, &answer));
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
        if answer.wants_web_password() {
            return PreflightError::WebPassword(what);
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
