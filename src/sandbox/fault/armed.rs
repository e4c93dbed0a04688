//! A fault that is set: what it has counted, and the past that a stale answer shows.
//!
//! Absent from here: answers. The one rule: copies of the past are kept only by faults
//! that show it.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::super::World;
use super::accident::{Accident, Since};
use super::kind::Kind;
use super::{Fault, Occurrence, Target};

/// A fault that is set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::sandbox) struct Armed {
    fault: Fault,
    /// Requests that it could have happened to.
    counted: u32,
    /// Earlier states, the oldest first.
    past: VecDeque<World>,
}

impl Armed {
    pub(in crate::sandbox) fn new(fault: Fault, world: &World) -> Self {
        let past = match fault.accident.stale() {
            Some(Since::Set) => VecDeque::from([world.clone()]),
            Some(Since::Writes(_)) | None => VecDeque::new(),
        };
        Self { fault, counted: 0, past }
    }

    pub(in crate::sandbox) fn fault(&self) -> Fault {
        self.fault
    }

    /// Counts a request of this kind, and gives the accident if it happens to it.
    pub(in crate::sandbox) fn meet(&mut self, kind: Kind) -> Option<Accident> {
        if !self.fault.counts(kind) {
            return None;
        }
        self.counted = self.counted.saturating_add(1);
        let happens = match self.fault.when {
            Occurrence::Every => true,
            Occurrence::Only(number) => number.get() == self.counted,
            Occurrence::From(number) => number.get() <= self.counted,
        };
        happens.then_some(self.fault.accident)
    }

    /// Keeps the state before a write.
    pub(in crate::sandbox) fn remember(&mut self, before: &World) {
        let Some(Since::Writes(writes)) = self.fault.accident.stale() else { return };
        self.past.push_back(before.clone());
        if self.past.len() > writes as usize {
            self.past.pop_front();
        }
    }

    /// The state that a stale answer to such a request shows; nothing if that is today's.
    pub(in crate::sandbox) fn past(&self, kind: Kind) -> Option<&World> {
        self.past.front().filter(|_| self.fault.counts(kind))
    }
}

impl Fault {
    /// Whether it counts requests of this kind.
    fn counts(self, kind: Kind) -> bool {
        match self.on {
            Target::Any => self.accident.fits(kind),
            Target::Kind(wanted) => wanted == kind,
        }
    }
}
