//! The simulated site with what can happen on the way to it and back.
//!
//! Absent from here: sockets and clocks; nothing waits. The one rule: what happened is
//! what the arrivals say, whatever the client was told, and a copy of the value is a copy
//! of the site with everything that is still to happen.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::fault::{
    Accident, Answered, Armed, Arrival, Asked, Counted, Fault, KeptRequest, Late, Reached, Told,
    View, Work, in_front, made_between, on_the_way_back,
};
use super::{Request, Response, World};
use crate::names::Timestamp;

/// Arrivals that are kept: weeks of a publisher's tests. The oldest tenth goes then.
const ARRIVALS_MAX: usize = 100_000;

/// What a client gets.
#[derive(Debug, Clone)]
pub enum Carried {
    /// An answer.
    Answer(Response),
    /// The site has the request; the connection closes without an answer.
    NoAnswer,
    /// The request was lost on its way; the connection closes without an answer.
    NeverArrived,
    /// The connection closes when so many bytes of the answer's body were sent.
    AnswerCut(Response, usize),
    /// After so long, what is inside. The site has done its part already.
    Slow(Duration, Box<Carried>),
}

/// A simulated site, its faults, and what arrived there. Written down, it is the site
/// alone, with what is hidden and what is late: faults and arrivals end with the process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Simulated {
    world: World,
    /// What lists leave out.
    hidden: BTreeMap<u64, Counted>,
    late: Vec<Late>,
    /// How many requests came in the life of the site.
    requests: u64,
    /// How often something changed that outlives the process.
    changes: u64,
    #[serde(skip)]
    faults: Vec<Armed>,
    #[serde(skip)]
    arrivals: Vec<Arrival>,
}

impl Simulated {
    /// A site to which nothing happens yet.
    #[must_use]
    pub fn new(world: World) -> Self {
        Self {
            world,
            hidden: BTreeMap::new(),
            late: Vec::new(),
            requests: 0,
            changes: 0,
            faults: Vec::new(),
            arrivals: Vec::new(),
        }
    }

    /// The same site at another address.
    #[must_use]
    pub fn at(mut self, home: &str) -> Self {
        self.world.set_home(home);
        self
    }

    /// A number that grows whenever something changes that outlives the process.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// The site. What is late is in it only after [`Self::catch_up`].
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// A person does something on the site, without a request that is noted.
    pub fn by_a_person<T>(&mut self, act: impl FnOnce(&mut World) -> T) -> T {
        let before = self.world.clone();
        let result = act(&mut self.world);
        for armed in &mut self.faults {
            armed.remember(&before);
        }
        self.changes += 1;
        result
    }

    /// What arrived, in order; of more than 100,000 requests, the latest.
    #[must_use]
    pub fn arrivals(&self) -> &[Arrival] {
        &self.arrivals
    }

    /// Forgets what arrived. What is late still comes.
    pub fn forget_arrivals(&mut self) {
        self.arrivals.clear();
    }

    /// The faults that are set, in order.
    pub fn faults(&self) -> impl Iterator<Item = Fault> {
        self.faults.iter().map(Armed::fault)
    }

    /// Sets one more fault. It counts requests from now on.
    pub fn add_fault(&mut self, fault: Fault) {
        self.faults.push(Armed::new(fault, &self.world));
    }

    /// Takes all faults away. What they have hidden or delayed stays so.
    pub fn clear_faults(&mut self) {
        self.faults.clear();
    }

    /// Leaves a post, page or attachment out of lists.
    pub fn hide(&mut self, id: u64, counted: Counted) {
        self.hidden.insert(id, counted);
        self.changes += 1;
    }

    /// Shows it in lists again.
    pub fn show(&mut self, id: u64) {
        self.hidden.remove(&id);
        self.changes += 1;
    }

    /// What lists leave out.
    #[must_use]
    pub fn hidden(&self) -> &BTreeMap<u64, Counted> {
        &self.hidden
    }

    /// A fresh site of the same version and address. Only the count of requests goes on.
    pub fn reset(&mut self) {
        let fresh = Self::new(World::new(self.world.version(), self.world.home()));
        let (requests, changes) = (self.requests, self.changes + 1);
        *self = Self { requests, changes, ..fresh };
    }

    /// When the next late request is due.
    #[must_use]
    pub fn next_due(&self) -> Option<Timestamp> {
        self.late.iter().map(|late| late.due).min()
    }

    /// Does what late requests ask for that are due by now.
    pub fn catch_up(&mut self, now: Timestamp) {
        while let Some(due) = self.next_due().filter(|due| *due <= now) {
            let next = self.late.iter().position(|late| late.due == due);
            let Some(late) = next.map(|index| self.late.remove(index)) else { return };
            self.changes += 1;
            let Late { work, request, .. } = late;
            self.site(&request.into(), &work, due);
        }
    }

    /// Carries one request to the site, and what comes back to the client.
    pub fn carry(&mut self, request: &Request, now: Timestamp) -> Carried {
        self.catch_up(now);
        self.requests += 1;
        if self.arrivals.len() >= ARRIVALS_MAX {
            self.arrivals.drain(..ARRIVALS_MAX / 10);
        }
        let asked = Asked::of(request);
        let accidents: Vec<Accident> =
            self.faults.iter_mut().filter_map(|armed| armed.meet(asked.kind)).collect();
        let (kind, method) = (asked.kind, asked.method.clone());
        let work = Work { number: self.requests, kind, method, accidents };
        self.arrivals.push(Arrival::new(self.requests, now, asked, &work.accidents));
        let carried = self.carried(request, &work, now);
        if let Some(arrival) = self.arrivals.last_mut() {
            arrival.answered = answered(&carried);
        }
        work.accidents.iter().fold(carried, |carried, accident| match accident.slow() {
            Some(by) => Carried::Slow(by, Box::new(carried)),
            None => carried,
        })
    }

    fn carried(&mut self, request: &Request, work: &Work, now: Timestamp) -> Carried {
        let accidents = &work.accidents;
        if let Some(stopped) = accidents.iter().find_map(|what| in_front(*what, request.uri())) {
            return stopped;
        }
        if let Some(late) = accidents.iter().find_map(|what| what.late()) {
            // A time beyond the calendar never comes.
            let due = now.checked_add(late).unwrap_or(Timestamp::MAX);
            self.note(work.number, |arrival| arrival.reached = Reached::Waiting { until: due });
            let request = KeptRequest::of(request, &self.world, now);
            self.late.push(Late { due, work: work.clone(), request });
            self.changes += 1;
            return Carried::NoAnswer;
        }
        let first = self.site(request, work, now);
        let Some(told) = accidents.iter().find_map(|what| what.twice()) else {
            return on_the_way_back(first, accidents);
        };
        let second = self.site(request, work, now);
        match told {
            Told::First => on_the_way_back(first, accidents),
            Told::Second => on_the_way_back(second, accidents),
            Told::Nothing => Carried::NoAnswer,
        }
    }

    fn note(&mut self, number: u64, what: impl FnOnce(&mut Arrival)) {
        // Forgotten arrivals are not noted any more.
        if let Some(arrival) = self.arrivals.iter_mut().rfind(|known| known.number == number) {
            what(arrival);
        }
    }

    /// WordPress works on the request.
    fn site(&mut self, request: &Request, work: &Work, now: Timestamp) -> Response {
        self.note(work.number, |arrival| {
            if !arrival.committed() {
                arrival.reached = Reached::Answered;
            }
        });
        if work.is_read() {
            return self.read(request, work, now);
        }
        let mishap = work.accidents.iter().find_map(|what| what.mishap());
        let before = self.world.clone();
        let answer = self.world.answer(request, now, mishap);
        if before != self.world {
            self.committed(&before, work);
        }
        answer
    }

    /// The answer to a question, from what lists show.
    fn read(&mut self, request: &Request, work: &Work, now: Timestamp) -> Response {
        let is_stale = work.accidents.iter().any(|what| what.stale().is_some());
        let past = self.faults.iter().filter(|_| is_stale).find_map(|armed| armed.past(work.kind));
        let view = View { world: past.unwrap_or(&self.world), hidden: &self.hidden };
        view.answer(request, work, now)
    }

    /// Notes what a write has made, and keeps the state before it for stale answers.
    fn committed(&mut self, before: &World, work: &Work) {
        self.changes += 1;
        for armed in &mut self.faults {
            armed.remember(before);
        }
        let made = made_between(before, &self.world);
        if let Some(counted) = work.accidents.iter().find_map(|what| what.hide()) {
            let rows = made.iter().filter(|made| made.what.is_row());
            self.hidden.extend(rows.map(|made| (made.id, counted)));
        }
        self.note(work.number, |arrival| {
            arrival.reached = Reached::Committed;
            arrival.made.extend(made);
        });
    }
}

/// What the client is told, whenever it comes.
fn answered(carried: &Carried) -> Answered {
    match carried {
        Carried::Answer(answer) => Answered::Whole(answer.status().as_u16()),
        Carried::AnswerCut(answer, _) => Answered::Cut(answer.status().as_u16()),
        Carried::NoAnswer | Carried::NeverArrived => Answered::Nothing,
        Carried::Slow(_, inner) => answered(inner),
    }
}

#[cfg(test)]
mod tests;
