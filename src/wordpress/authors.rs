//! Another author than the account: from a login to a user id.
//!
//! Absent from here: whether the account may write for others. The one rule: a user is
//! taken by the very login or slug, never by a display name.

use serde_json::Value;

use super::Site;
use super::account::Capability;
use super::http::Identity;
use super::proof::{judge_page, unanswered, unclear};
use super::wire::{Question, RequestKind};
use crate::names::UserId;
use crate::protocol::sighting::{Unclear, UnclearWhy};

/// What was found for one author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthorAnswer {
    /// This user.
    Found(UserId),
    /// The site has no such user.
    Missing,
    /// The account may not list users, and the user is not among those that everybody
    /// may see (who have published something).
    NotAllowed,
}

impl Site {
    /// Finds the user with this login or slug, or with this id, written `id:12`.
    pub async fn resolve_author(&self, login: &str) -> Result<AuthorAnswer, Unclear> {
        if let Some(number) = login.strip_prefix("id:") {
            return self.author_with_id(number.trim()).await;
        }
        if self.account.slug == login {
            return Ok(AuthorAnswer::Found(self.account.id));
        }
        let may_list = self.account.can(Capability::ListUsers);
        let slug = login.to_lowercase();
        let listing = [("context", "edit"), ("search", login), ("_fields", "id,slug,username")];
        let seeing = [("context", "view"), ("slug", slug.as_str()), ("_fields", "id,slug")];
        let mut parameters = if may_list { listing.to_vec() } else { seeing.to_vec() };
        parameters.push(("per_page", "100"));
        let question = Question {
            kind: RequestKind::Terms,
            route: "wp/v2/users",
            parameters: &parameters,
            identity: Identity::Account,
        };
        let answer = self.wire.get(&self.root, question).await;
        let page = judge_page(&answer.map_err(|failure| unanswered(&failure))?)?;
        let is = |row: &&Value, field: &str, wanted: &str| {
            row.get(field).and_then(Value::as_str) == Some(wanted)
        };
        let by_login = page.rows.iter().find(|row| is(row, "username", login));
        let found = by_login.or_else(|| page.rows.iter().find(|row| is(row, "slug", &slug)));
        if let Some(row) = found {
            let id = row.get("id").and_then(Value::as_u64).and_then(UserId::new);
            let no_id = || unclear(UnclearWhy::NotJson, "the user that was asked for has no id");
            return id.map(AuthorAnswer::Found).ok_or_else(no_id);
        }
        if !page.rows.iter().all(Value::is_object) || page.total > page.rows.len() as u64 {
            let what = "the site did not show every user that was asked for";
            return Err(unclear(UnclearWhy::TotalMissing, what));
        }
        Ok(if may_list { AuthorAnswer::Missing } else { AuthorAnswer::NotAllowed })
    }

    async fn author_with_id(&self, number: &str) -> Result<AuthorAnswer, Unclear> {
        let Some(id) = number.parse().ok().and_then(UserId::new) else {
            return Ok(AuthorAnswer::Missing);
        };
        if self.account.id == id {
            return Ok(AuthorAnswer::Found(id));
        }
        let may_list = self.account.can(Capability::ListUsers);
        let context = if may_list { "edit" } else { "view" };
        let include = id.to_string();
        let question = Question {
            kind: RequestKind::Terms,
            route: "wp/v2/users",
            parameters: &[("context", context), ("include", &include), ("_fields", "id")],
            identity: Identity::Account,
        };
        let answer = self.wire.get(&self.root, question).await;
        let page = judge_page(&answer.map_err(|failure| unanswered(&failure))?)?;
        let is_it = |row: &Value| row.get("id").and_then(Value::as_u64) == Some(id.get());
        if page.rows.iter().any(is_it) {
            return Ok(AuthorAnswer::Found(id));
        }
        if page.total > 0 {
            let what = "the site did not show the user that was asked for";
            return Err(unclear(UnclearWhy::TotalMissing, what));
        }
        Ok(if may_list { AuthorAnswer::Missing } else { AuthorAnswer::NotAllowed })
    }
}
