//! A plan that somebody approved, and what of it still stands.
//!
//! Absent from here: the file (`report::plan_file`). The one rule: an approval is for what
//! was seen then. What has changed since is not sent, and neither is what was not in it.

use std::collections::{BTreeMap, BTreeSet};

use crate::article::{Article, Checked};
use crate::names::{ArticleKey, Digest, Timestamp};
use crate::protocol::ArticleRecord;
use crate::protocol::kinds::Approval;

use super::plan::{Item, Step};
use super::result::{ArticleResult, Reason, Verdict};

/// A plan that may be carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovedPlan {
    /// Its digest.
    pub id: Digest,
    /// Who carries it out, as `user@host`.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// What it has.
    pub articles: BTreeMap<ArticleKey, ApprovedArticle>,
}

/// One article of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovedArticle {
    /// Its file, as the user named it.
    pub path: String,
    /// What it was.
    pub digest: Digest,
    /// Whether the plan was to create it.
    pub creates: Creates,
}

/// Whether a plan creates an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Creates {
    /// The site had nothing of it.
    Yes,
    /// Something else was to be done, or nothing.
    No,
}

impl ApprovedPlan {
    /// What a record keeps of it.
    #[must_use]
    pub fn approval(&self) -> Approval {
        Approval { plan: self.id, by: self.by.clone(), at: self.at }
    }

    /// Takes every create out that was not approved as it is now. What sends nothing needs
    /// no approval.
    pub(super) fn hold_back(&self, items: &mut [Item<'_>]) {
        for item in items {
            let Step::Create(record, _) = &item.step else { continue };
            if let Some(reason) = self.refusal(item.article) {
                item.step = Step::Refuse(Box::new(ArticleRecord::clone(record)), reason);
            }
        }
    }

    fn refusal(&self, article: &Article) -> Option<Reason> {
        let stale = |what: &str| {
            let message = format!("{what} since it was planned; nothing was sent");
            Some(Reason::new("plan_stale", message))
        };
        match self.articles.get(&article.key) {
            None => Some(Reason::new("not_in_plan", "the plan does not have it; nothing was sent")),
            Some(planned) if planned.digest != article.digest => stale("the article was changed"),
            Some(ApprovedArticle { creates: Creates::No, .. }) => {
                stale("the site or the journal shows something else")
            }
            Some(ApprovedArticle { creates: Creates::Yes, .. }) => None,
        }
    }

    /// What was to be created and is no article of the folder any more.
    #[must_use]
    pub fn gone(&self, checked: &Checked) -> Vec<ArticleResult> {
        let keys: BTreeSet<_> = checked.articles.iter().map(|article| &article.key).collect();
        let invalid: BTreeSet<_> = checked.invalid.iter().map(|file| &file.path).collect();
        let is_there = |key: &ArticleKey, planned: &ApprovedArticle| {
            keys.contains(key) || invalid.contains(&planned.path)
        };
        let creates = |planned: &ApprovedArticle| planned.creates == Creates::Yes;
        self.articles
            .iter()
            .filter(|(key, planned)| creates(planned) && !is_there(key, planned))
            .map(|(key, planned)| gone(key, planned))
            .collect()
    }
}

fn gone(key: &ArticleKey, planned: &ApprovedArticle) -> ArticleResult {
    let message = "no file has this slug any more, so nothing was sent";
    let verdict = Verdict::Rejected(Reason::new("plan_stale", message));
    ArticleResult::new(Some(key.clone()), planned.path.clone(), verdict)
}
