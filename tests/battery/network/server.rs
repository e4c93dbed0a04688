//! A bare server before the site: it lets one request of a run meet its outcome.
//!
//! Absent from here: what the site says (`site`), and whether all went well (`judge`).
//! The one rule: an arrival is noted, with what the journal on the disk then says, before
//! anything else is done about it.

use std::collections::BTreeMap;
use std::io::{BufReader, Read as _, Result, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;

use super::ask::Ask;
use super::desk::journal_in;
use super::door::{Door, reset_when_dropped};
use super::http::{Head, Reply, Request};
use super::outcome::{Address, Heard, Outcome, Then, Way};
use super::site::Site;

/// A connection that nobody speaks on is given up after this.
const IDLE_MAX: Duration = Duration::from_secs(60);
/// Half of a short header.
const HALF_HEAD_BYTES: usize = 30;

/// Which request meets an outcome, and which.
#[derive(Clone)]
pub(super) struct Fault {
    /// The run, from 0.
    pub(super) run: usize,
    pub(super) ask: Ask,
    /// Which request of its kind in that run, from 1.
    pub(super) nth: u32,
    /// Requests of all kinds that come before it in that run.
    pub(super) before: usize,
    pub(super) outcome: Outcome,
}

/// One request that arrived.
#[derive(Debug, Clone)]
pub(super) struct Arrival {
    pub(super) run: usize,
    pub(super) ask: Ask,
    pub(super) method: String,
    pub(super) target: String,
    /// For a create or an upload: the operation of its `sending` record on the disk.
    pub(super) operation: Option<String>,
}

pub(super) struct Server {
    door: Door,
    shared: Arc<Shared>,
}

struct Shared {
    site: Site,
    base: PathBuf,
    state: Mutex<State>,
    /// Wakes those who are silent until the client has given up.
    over: Condvar,
}

#[derive(Default)]
struct State {
    run: usize,
    running: bool,
    faults: Vec<Fault>,
    /// How often each kind came in this run.
    met: BTreeMap<Ask, u32>,
    arrivals: Vec<Arrival>,
    at_door: Option<Outcome>,
    /// What the site does when the client has given up.
    late: Vec<(Head, Vec<u8>)>,
    /// Outcomes that a request met.
    played: Vec<String>,
}

impl Server {
    /// Serves the site. `base` is the folder whose journal is looked at.
    pub(super) fn new(site: &Site, base: PathBuf, faults: Vec<Fault>) -> Self {
        let state = Mutex::new(State { faults, ..State::default() });
        let shared = Arc::new(Shared { site: site.clone(), base, state, over: Condvar::new() });
        let serving = shared.clone();
        let door = Door::open(None, move |stream, door: &Door| serving.serve(stream, door));
        Self { door, shared }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.door.address())
    }

    pub(super) fn begin(&self, run: usize) {
        self.door.open_again();
        let mut state = self.shared.state();
        state.run = run;
        state.running = true;
        state.met.clear();
        drop(state);
        self.shared.before_the_next(&self.door);
    }

    /// The client of this run has ended: what was to be late is done now.
    pub(super) fn end(&self) {
        let late = {
            let mut state = self.shared.state();
            state.running = false;
            state.at_door = None;
            std::mem::take(&mut state.late)
        };
        self.shared.over.notify_all();
        for (head, body) in late {
            self.shared.site.answer(&head, &body);
        }
    }

    pub(super) fn arrivals(&self) -> Vec<Arrival> {
        self.shared.state().arrivals.clone()
    }

    pub(super) fn played(&self) -> Vec<String> {
        self.shared.state().played.clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
        self.door.shut();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Serves one connection, which has one request. An error here is the client's
    /// leaving.
    fn serve(&self, stream: TcpStream, door: &Door) {
        stream.set_read_timeout(Some(IDLE_MAX)).expect("the socket takes the option");
        let at_door = self.state().at_door.take();
        let _ = match at_door {
            Some(outcome) => self.at_the_door(&stream, &outcome),
            None => self.exchange(stream, door),
        };
    }

    fn at_the_door(&self, stream: &TcpStream, outcome: &Outcome) -> Result<()> {
        self.state().played.push(outcome.name.clone());
        if matches!(outcome.way, Way::HalfHead | Way::Astray(_)) {
            let mut bytes = [0; HALF_HEAD_BYTES];
            (&*stream).read_exact(&mut bytes)?;
        }
        self.end_with(stream, outcome.then);
        Ok(())
    }

    fn exchange(&self, stream: TcpStream, door: &Door) -> Result<()> {
        let mut reader = BufReader::new(stream);
        let Some(head) = Head::read(&mut reader)? else { return Ok(()) };
        let request = Request::new(&head.method, &head.target, head.headers.clone(), Vec::new());
        let fault = self.arrived(&head, &request);
        let half = fault.as_ref().is_some_and(|outcome| outcome.way == Way::HalfBody);
        let until = if half { head.body_bytes / 2 } else { head.body_bytes };
        let mut body = vec![0; until];
        reader.read_exact(&mut body)?;
        let request = Request { body: body.clone(), ..request };
        let stream = reader.get_ref();
        let Some(outcome) = fault else {
            let reply = self.site.answer(&head, &body).with("connection", "close");
            self.before_the_next(door);
            return (&*stream).write_all(&reply.framed());
        };
        let healthy = self.act(&outcome, &head, &body);
        self.before_the_next(door);
        if let Some(healthy) = healthy {
            let healthy = healthy.with("connection", "close");
            (&*stream).write_all(&(outcome.says)(&request, &healthy))?;
        }
        self.end_with(stream, outcome.then);
        Ok(())
    }

    /// Notes the arrival, and finds what is to become of it.
    fn arrived(&self, head: &Head, request: &Request) -> Option<Outcome> {
        let ask = Ask::of(request);
        let operation =
            matches!(ask, Ask::Create | Ask::Upload).then(|| self.sending_operation(ask)).flatten();
        let mut state = self.state();
        let nth = {
            let met = state.met.entry(ask).or_default();
            *met += 1;
            *met
        };
        let run = state.run;
        let (method, target) = (head.method.clone(), head.target.clone());
        state.arrivals.push(Arrival { run, ask, method, target, operation });
        let is = |fault: &&Fault| fault.run == run && fault.ask == ask && fault.nth == nth;
        let outcome = state.faults.iter().find(is).map(|fault| fault.outcome.clone());
        state.played.extend(outcome.iter().map(|outcome| outcome.name.clone()));
        outcome
    }

    /// The operation of the one record of this kind that says `sending`.
    fn sending_operation(&self, ask: Ask) -> Option<String> {
        let folder = if ask == Ask::Create { "/articles/" } else { "/media/" };
        let journal = journal_in(&self.base);
        let records = journal.iter().filter(|(name, _)| name.contains(folder));
        let sending = records.filter_map(|(_, text)| {
            let record: Value = serde_json::from_str(text).ok()?;
            (record["phase"] == "sending").then_some(record)
        });
        let operations: Vec<_> = sending
            .filter_map(|record| Some(record["operation_id"].as_str()?.to_owned()))
            .collect();
        <[String; 1]>::try_from(operations).ok().map(|[one]| one)
    }

    /// Lets the site do what the outcome says. What a healthy site answers, unless the
    /// request did not arrive.
    fn act(&self, outcome: &Outcome, head: &Head, body: &[u8]) -> Option<Reply> {
        match outcome.way {
            Way::Astray(_) | Way::Refused | Way::AtTheDoor | Way::HalfHead | Way::HalfBody => None,
            Way::Undone => Some(self.site.would_answer(head, body)),
            Way::Done => Some(self.site.answer(head, body)),
            Way::Late => {
                self.state().late.push((head.clone(), body.to_vec()));
                Some(self.site.would_answer(head, body))
            }
            Way::Twice(which) => {
                let first = self.site.answer(head, body);
                let second = self.site.answer(head, body);
                Some(if which == Heard::First { first } else { second })
            }
        }
    }

    /// Some outcomes begin before their request is seen: the door is made ready.
    fn before_the_next(&self, door: &Door) {
        let mut state = self.state();
        let so_far = state.met.values().map(|met| *met as usize).sum::<usize>();
        let run = state.run;
        let is = |fault: &&Fault| fault.run == run && fault.before == so_far;
        let next = state.faults.iter().find(is).map(|fault| fault.outcome.clone());
        match next.as_ref().map(|outcome| outcome.way) {
            Some(Way::Refused) => {
                state.played.extend(next.map(|outcome| outcome.name));
                drop(state);
                door.shut();
            }
            Some(Way::AtTheDoor | Way::HalfHead | Way::Astray(Address::NoTls)) => {
                state.at_door = next;
            }
            Some(Way::Astray(Address::NoName | Address::Stranger)) => {
                state.played.extend(next.map(|outcome| outcome.name));
            }
            Some(Way::HalfBody | Way::Undone | Way::Done | Way::Late | Way::Twice(_)) | None => {}
        }
    }

    fn end_with(&self, stream: &TcpStream, then: Then) {
        match then {
            Then::Close => {}
            Then::Reset => reset_when_dropped(stream),
            Then::Silence => {
                let running = |state: &mut State| state.running;
                let state = self.over.wait_while(self.state(), running);
                drop(state.unwrap_or_else(PoisonError::into_inner));
            }
        }
    }
}
