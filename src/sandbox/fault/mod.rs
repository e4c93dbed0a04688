//! Faults: which accident happens to which request.
//!
//! What lives here: the kinds of requests ([`Kind`]), the accidents ([`Accident`]), their
//! text form, the log of what arrived ([`Arrival`]), and the answers that are not
//! WordPress'. Absent from here: the site, the clock, and making accidents happen
//! (`simulated`). The one rule: a fault counts the requests that it could happen to from
//! when it was set, so that the same requests meet the same accidents every time.

mod accident;
mod answers;
mod armed;
mod arrival;
mod kind;
mod text;
mod view;
mod way;
mod words;
mod work;

use std::num::NonZeroU32;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use accident::{
    Accident, BusyStatus, ChallengePage, Counted, DeadAnswer, Destination, LateRefusal, Moved,
    ServerError, Since, Told,
};
pub use arrival::{Answered, Arrival, Made, MadeKind, Reached};
pub use kind::Kind;
pub use text::FaultError;
pub use words::UnknownWord;

pub(super) use armed::Armed;
pub(super) use arrival::made_between;
pub(super) use kind::Asked;
pub(super) use view::View;
pub(super) use way::{in_front, on_the_way_back};
pub(super) use work::{KeptRequest, Late, Work};

/// One accident, and when it happens. As text: `create-post=lose-answer`,
/// `create-post:2=late:5`, `look-up:3+=stale`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fault {
    /// The requests that are counted.
    pub on: Target,
    /// Which of them meet it.
    pub when: Occurrence,
    /// What happens.
    pub accident: Accident,
}

/// The requests that a fault counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// All that the accident can happen to.
    Any,
    /// Those of one kind.
    Kind(Kind),
}

/// Which of the requests meet a fault, counted from one since it was set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Occurrence {
    /// All of them.
    Every,
    /// This one.
    Only(NonZeroU32),
    /// This one and all later ones.
    From(NonZeroU32),
}

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fault {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
