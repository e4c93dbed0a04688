//! The rules that make an answer odd.
//!
//! Absent from here: the healthy answers (`site`). The one rule: a rule says apart
//! whether the site carries a request out and what it answers, because from outside the
//! two can't be told apart.

use std::sync::Arc;

pub(crate) use super::ask::Ask;
use super::http::{Reply, Request};

/// Whether the site carries out what it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Carries {
    Out,
    /// It does nothing, whatever it answers.
    Nothing,
}

/// How often a rule holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Times {
    Once,
    Always,
    /// From this request of its kind on (1 is the first).
    From(u32),
    /// Once, for this request of its kind.
    Nth(u32),
}

/// Makes the odd answer out of the healthy one.
pub(crate) type Give = Arc<dyn Fn(&Request, Reply) -> Reply + Send + Sync>;

/// One rule.
#[derive(Clone)]
pub(crate) struct Rule {
    pub(crate) on: Ask,
    pub(crate) times: Times,
    pub(crate) carries: Carries,
    pub(crate) give: Give,
    pub(crate) met: u32,
}

impl Rule {
    pub(crate) fn new(on: Ask, times: Times, carries: Carries, give: Give) -> Self {
        Self { on, times, carries, give, met: 0 }
    }

    /// Whether it holds for this request; counts the requests of its kind.
    pub(crate) fn meets(&mut self, ask: Ask) -> bool {
        if self.on != ask {
            return false;
        }
        self.met += 1;
        match self.times {
            Times::Once => self.met == 1,
            Times::Always => true,
            Times::From(first) => self.met >= first,
            Times::Nth(number) => self.met == number,
        }
    }
}

/// This very answer.
pub(crate) fn this(reply: Reply) -> Give {
    Arc::new(move |_, _| reply.clone())
}

/// The healthy answer, changed.
pub(crate) fn bent(change: impl Fn(Reply) -> Reply + Send + Sync + 'static) -> Give {
    Arc::new(move |_, reply| change(reply))
}
