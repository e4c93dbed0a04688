//! Right after a send whose outcome is unknown: a few bounded look-ups.
//!
//! Absent from here: sending. The one rule: every look ends in the decision table, and
//! the table never sends from `sending`.

use std::time::Duration;

use crate::names::Timestamp;
use crate::protocol::decide::{Action, SentInput, Standing, UnknownReason, decide};
use crate::protocol::sighting::Sighting;

use super::context::Context;
use super::event::{Event, Subject};
use super::look::age;

/// Looks until the outcome is settled or the look-ups are used up. The last action is
/// the answer.
pub(super) async fn settle<F>(
    context: &Context<'_>,
    subject: &Subject,
    settle_until: Timestamp,
    emit: &mut dyn FnMut(Event),
    mut look: impl AsyncFnMut() -> Sighting<F>,
) -> Action<F> {
    let mut last = Action::Unknown(UnknownReason::Settling);
    for delay in &context.network.lookup_delays {
        emit(Event::Looking { subject: subject.clone(), wait_s: delay.as_secs() });
        if *delay > Duration::ZERO {
            context.interrupt.sleep(*delay).await;
        }
        let sighting = look().await;
        let nothing_yet = matches!(sighting, Sighting::Absent | Sighting::Unclear(_));
        let age = age(context.now(), settle_until);
        last = decide(Standing::Sending(SentInput::Same, age, sighting));
        if !nothing_yet || context.interrupt.raised().is_some() {
            break;
        }
    }
    last
}
