//! What every part of a run needs: the site, the limits, the clock, the ids.
//!
//! Absent from here: the journal, which is passed to those who may write. The one
//! rule: time and randomness come in as values.

use std::sync::Arc;

use crate::config::{MissingTags, Network};
use crate::names::{OperationId, RunId, Timestamp};
use crate::wordpress::Site;

use super::event::Event;
use super::interrupt::Interrupt;

/// Tells the time.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;
/// Gives random numbers.
pub type Random = Arc<dyn Fn() -> u64 + Send + Sync>;

/// What every part of a run needs.
pub struct Context<'a> {
    /// The site, its REST root and the account, as preflight found them.
    pub site: &'a Site,
    /// Time limits.
    pub network: &'a Network,
    /// What to do about tags that the site does not have.
    pub missing_tags: MissingTags,
    /// Tells the time.
    pub clock: Clock,
    /// Gives random numbers.
    pub random: Random,
    /// The run.
    pub run: RunId,
    /// Whether the user wants to stop.
    pub interrupt: Interrupt,
}

impl Context<'_> {
    /// Now.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// A new name for an attempt.
    #[must_use]
    pub fn operation(&self) -> OperationId {
        OperationId::from_random((self.random)())
    }

    /// Passes on what the client wrote down about its requests.
    pub fn pass_on_exchanges(&self, emit: &mut dyn FnMut(Event)) {
        for exchange in self.site.take_exchanges() {
            emit(Event::Exchanged(exchange));
        }
    }
}

/// A new name for a run: when it began, and a random part.
#[must_use]
pub fn run_id(now: Timestamp, random: &Random) -> RunId {
    RunId::from_time_and_random(now, random())
}
