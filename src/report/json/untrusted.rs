//! Which texts of a result hold words of the site.
//!
//! Absent from here: the texts themselves. The one rule: where it is not certain that a
//! text is made of our words alone, it is named.

use crate::protocol::UnknownReason;
use crate::run::result::{ArticleResult, RunResult, Verdict, WordsOf};

/// JSON pointers to these texts of the object of this result.
pub(super) fn pointers(result: &RunResult) -> Vec<String> {
    let articles = result.articles.iter().enumerate().flat_map(|(index, article)| {
        of_article(article).into_iter().map(move |rest| format!("/articles/{index}/{rest}"))
    });
    let errors =
        result.troubles.iter().enumerate().filter_map(|(index, trouble)| match trouble.words {
            WordsOf::Here => None,
            WordsOf::Site => Some(format!("/errors/{index}/message")),
        });
    articles.chain(errors).collect()
}

fn of_article(article: &ArticleResult) -> Vec<String> {
    let mut found = Vec::new();
    match &article.verdict {
        // These messages say what the site answered.
        Verdict::Deferred(_)
        | Verdict::Rejected(_)
        | Verdict::Unknown(UnknownReason::CannotLookUp(_)) => found.push("message".to_owned()),
        Verdict::WouldCreate
        | Verdict::WouldComplete
        | Verdict::Created
        | Verdict::Completed
        | Verdict::Skipped(_)
        | Verdict::Unknown(UnknownReason::NotLookedUp | UnknownReason::Settling)
        | Verdict::Held(_)
        | Verdict::Invalid => {}
    }
    if article.post.is_some() {
        found.push("stored_slug".to_owned());
    }
    // Most of them show what the site stored beside what was sent.
    let warnings = 0..article.warnings.len();
    found.extend(warnings.map(|index| format!("warnings/{index}/message")));
    let candidates = 0..article.candidates.len();
    found.extend(
        candidates
            .flat_map(|index| ["slug", "status"].map(|key| format!("candidates/{index}/{key}"))),
    );
    found
}
