//! Looking again right before creates, when the plan's look-ups have grown old.
//!
//! Absent from here: sending and writing. The one rule: what was absent an hour ago is
//! not proved absent now; a colleague may have made it since.

use std::collections::BTreeMap;

use crate::names::{PostType, Timestamp};
use crate::protocol::Phase;
use crate::protocol::decide::{Action, PreparedInput, Standing, decide};
use crate::protocol::sighting::Sighting;
use crate::wordpress::PostQuestion;

use super::context::Context;
use super::look::{Control, look_up_with_control, not_answered};
use super::plan::{Item, Step};

/// Seconds after which a sighting is too old to create on.
const SIGHTING_AGE_S_MAX: i64 = 60;

/// If the plan's look-ups are old, looks again for all creates that are left; what is
/// not proved absent any more is no create any more.
pub(super) async fn refresh(
    context: &Context<'_>,
    control: &Control,
    items: &mut [Item<'_>],
    looked_at: &mut Timestamp,
) {
    let now = context.now();
    if now.duration_since(*looked_at).as_secs() < SIGHTING_AGE_S_MAX {
        return;
    }
    *looked_at = now;
    let mut by_type: BTreeMap<PostType, Vec<PostQuestion<'_>>> = BTreeMap::new();
    for item in items.iter().filter(|item| matches!(item.step, Step::Create(..))) {
        let key = &item.article.key;
        let question = PostQuestion { slug: &key.slug, sent: None };
        by_type.entry(key.post_type).or_default().push(question);
    }
    for (post_type, questions) in by_type {
        let mut seen = look_up_with_control(context.site, post_type, &questions, control).await;
        for item in items.iter_mut().filter(|item| item.article.key.post_type == post_type) {
            let step = std::mem::replace(&mut item.step, Step::Damaged(String::new()));
            item.step = match step {
                Step::Create(record, needs) => {
                    let unanswered = || Sighting::Unclear(not_answered("slug"));
                    let sighting = seen.remove(&item.article.key.slug).unwrap_or_else(unanswered);
                    let standing = match record.phase() {
                        Phase::Prepared(_) => Standing::Prepared(PreparedInput::Same, sighting),
                        Phase::None | Phase::Sending(_) | Phase::Confirmed(_) => {
                            Standing::None(sighting)
                        }
                    };
                    match decide(standing) {
                        Action::Create => Step::Create(record, needs),
                        other => Step::Settle(record, other),
                    }
                }
                other @ (Step::Settle(..)
                | Step::Refuse(..)
                | Step::PutOff(..)
                | Step::Damaged(_)) => other,
            };
        }
    }
}
