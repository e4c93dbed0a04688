//! Codes in words: what happened, what may exist on the site, what was not done, and
//! the next command.
//!
//! Absent from here: layout. The one rule: no sentence calls a doubt a failure.

use crate::protocol::decide::{HoldReason, SkipReason, UnknownReason};
use crate::run::result::{
    ArticleResult, HeldWhy, MediaResult, MediaVerdict, RemoteEffect, Verdict,
};

/// What the verdict means, in a sentence or two.
#[must_use]
pub fn sentence(result: &ArticleResult) -> String {
    match &result.verdict {
        Verdict::WouldCreate => "would be created".to_owned(),
        Verdict::WouldComplete => {
            "an earlier send reached the site; its receipt would be recorded".to_owned()
        }
        Verdict::Created => "created as a draft; look at it before you publish it".to_owned(),
        Verdict::Completed => {
            "an earlier send had reached the site; its receipt is recorded, nothing was sent again"
                .to_owned()
        }
        Verdict::Skipped(reason) => skipped(*reason).to_owned(),
        Verdict::Unknown(reason) => unknown(reason, result),
        Verdict::Held(HeldWhy::Decided(reason)) => held(*reason).to_owned(),
        Verdict::Held(HeldWhy::JournalDamaged(why)) => format!(
            "its record can't be used, so what was sent is not known; nothing was sent. {why}"
        ),
        Verdict::Deferred(reason) | Verdict::Rejected(reason) => reason.message.clone(),
        Verdict::Invalid => "the file is not an article yet; nothing was sent".to_owned(),
    }
}

fn skipped(reason: SkipReason) -> &'static str {
    match reason {
        SkipReason::Exists => {
            "the site has a post with this slug that was not made from here; it was left alone"
        }
        SkipReason::ExistsSeveral => {
            "the site has several posts with this slug; they were left alone"
        }
        SkipReason::ExistsInTrash => {
            "the site has a post with this slug in its trash; nothing was sent"
        }
        SkipReason::ExistsHidden => {
            "the site counts a post with this slug that this user may not see or edit; nothing was sent"
        }
        SkipReason::Confirmed => "its draft is on the site",
        SkipReason::Withdrawn => "withdrawn by a person's decision",
    }
}

fn unknown(reason: &UnknownReason, result: &ArticleResult) -> String {
    match reason {
        UnknownReason::CannotLookUp(unclear) => format!(
            "it was sent, its answer was lost, and the site can't be asked now: {}. The post may \
             exist; it was not sent again",
            unclear.detail
        ),
        UnknownReason::NotLookedUp => {
            "it was sent, and its answer was lost. It was not sent again; a look at the site may \
             settle it"
                .to_owned()
        }
        UnknownReason::Settling => {
            let after = result.settles_at.map_or_else(String::new, |time| {
                format!(" after {} UTC", time.strftime("%H:%M:%S"))
            });
            format!(
                "it was sent, its answer was lost, and the site does not show it yet. The site \
                 may still be working on it: run again{after}. It was not sent again"
            )
        }
    }
}

fn held(reason: HoldReason) -> &'static str {
    match reason {
        HoldReason::InputChanged => {
            "it was edited after it was prepared and before it was sent; nothing was sent"
        }
        HoldReason::RendererChanged => {
            "it was prepared by another version of OncePress that renders differently; nothing \
             was sent"
        }
        HoldReason::NotFound => {
            "it was sent, its answer was lost, and the site does not show it. It may have been \
             lost, or be where this user can't see it; it was not sent again"
        }
        HoldReason::EditedWhileSending => {
            "it was sent, the post was found, and the article was edited since; nothing on the \
             site was overwritten"
        }
        HoldReason::ContentDiffers => {
            "it was sent, its answer was lost, and the post with its slug says something else; \
             nothing was sent again or overwritten"
        }
        HoldReason::SeveralFound => {
            "it was sent, its answer was lost, and several posts have its slug; nothing was sent \
             again"
        }
        HoldReason::FoundInTrash => {
            "it was sent, its answer was lost, and the post with its slug is in the trash; \
             nothing was sent again"
        }
        HoldReason::Hidden => {
            "the site counts a post with its slug or id that this user may not see or edit; \
             nothing was sent"
        }
        HoldReason::ReceiptMissing => {
            "its draft was made, and the site does not have it any more; it was not sent again"
        }
        HoldReason::ReceiptInTrash => "its draft was made, and is in the trash now",
        HoldReason::ReceiptMismatch => {
            "its draft was made, and the post with that id has another slug now"
        }
        HoldReason::EditedAfterReceipt => {
            "its draft is on the site, and the article was edited since; the draft was not \
             overwritten"
        }
        HoldReason::MediaUnknown => "an image of it is not settled on the site; no post was sent",
    }
}

/// Whether running the same command again can change the verdict by itself.
#[must_use]
pub fn is_retryable(result: &ArticleResult) -> bool {
    let unsettled = |image: &MediaResult| matches!(image.verdict, MediaVerdict::Unknown(_));
    match &result.verdict {
        Verdict::Unknown(_) | Verdict::Deferred(_) => true,
        Verdict::Held(HeldWhy::Decided(HoldReason::MediaUnknown)) => {
            result.media.iter().any(unsettled)
        }
        Verdict::WouldCreate
        | Verdict::WouldComplete
        | Verdict::Created
        | Verdict::Completed
        | Verdict::Skipped(_)
        | Verdict::Held(_)
        | Verdict::Rejected(_)
        | Verdict::Invalid => false,
    }
}

/// The code of what may exist on the site.
#[must_use]
pub fn effect_code(effect: RemoteEffect) -> &'static str {
    match effect {
        RemoteEffect::None => "none",
        RemoteEffect::Possible => "possible",
        RemoteEffect::Confirmed => "confirmed",
    }
}

/// The commands that can settle this verdict, likeliest first.
#[must_use]
pub fn next(result: &ArticleResult) -> Vec<String> {
    let slug = result.key.as_ref().map_or_else(|| "SLUG".to_owned(), ToString::to_string);
    let slug = quoted(&slug);
    let again = || "oncepress push".to_owned();
    // Only a post found by our slug or receipt is named; what merely resembles ours is
    // for a person to pick.
    let adopt = || {
        let id =
            result.post.as_ref().map_or_else(|| "ID".to_owned(), |post| post.post_id.to_string());
        format!("oncepress resolve {slug} --adopt {id} --because \"…\"")
    };
    let resolve = |decision: &str| format!("oncepress resolve {slug} {decision} --because \"…\"");
    match &result.verdict {
        Verdict::WouldCreate | Verdict::WouldComplete => vec![again()],
        Verdict::Created | Verdict::Completed | Verdict::Skipped(SkipReason::Confirmed) => {
            Vec::new()
        }
        Verdict::Skipped(SkipReason::Withdrawn) => vec![resolve("--restart")],
        Verdict::Skipped(SkipReason::Exists) => vec![adopt()],
        Verdict::Skipped(
            SkipReason::ExistsSeveral | SkipReason::ExistsInTrash | SkipReason::ExistsHidden,
        ) => Vec::new(),
        Verdict::Unknown(UnknownReason::NotLookedUp) => vec!["oncepress plan".to_owned(), again()],
        Verdict::Unknown(_) | Verdict::Deferred(_) => vec![again()],
        Verdict::Held(HeldWhy::JournalDamaged(_)) => vec![adopt(), resolve("--not-created")],
        Verdict::Held(HeldWhy::Decided(reason)) => match reason {
            HoldReason::InputChanged | HoldReason::RendererChanged => vec![resolve("--restart")],
            HoldReason::NotFound => {
                vec![adopt(), resolve("--not-created"), resolve("--withdraw")]
            }
            HoldReason::Hidden | HoldReason::ContentDiffers | HoldReason::SeveralFound => {
                vec![adopt(), resolve("--withdraw")]
            }
            HoldReason::FoundInTrash => vec![resolve("--withdraw")],
            HoldReason::EditedWhileSending | HoldReason::EditedAfterReceipt => vec![adopt()],
            HoldReason::ReceiptMissing => vec![resolve("--withdraw"), resolve("--restart")],
            HoldReason::ReceiptInTrash => vec![resolve("--withdraw")],
            HoldReason::ReceiptMismatch => vec![adopt(), resolve("--withdraw")],
            HoldReason::MediaUnknown => media_next(result, &slug),
        },
        Verdict::Rejected(_) => vec![again()],
        Verdict::Invalid => vec![format!("oncepress check {}", quoted(&result.path))],
    }
}

fn media_next(result: &ArticleResult, slug: &str) -> Vec<String> {
    let blocks = |verdict: &MediaVerdict| {
        matches!(verdict, MediaVerdict::Held(_) | MediaVerdict::Unknown(_))
    };
    let path = result.media.iter().find(|image| blocks(&image.verdict));
    let path = path.map_or_else(|| "PATH".to_owned(), |image| quoted(&image.path));
    vec![
        "oncepress push".to_owned(),
        format!("oncepress resolve {slug} --media {path} --adopt ID --because \"…\""),
        format!("oncepress resolve {slug} --media {path} --not-created --because \"…\""),
    ]
}

/// Quoted for a shell where it needs to be.
pub(super) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
