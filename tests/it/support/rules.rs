//! What a request is, what the proxy does with it, and when.
//!
//! Absent from here: sockets. The one rule: a fault says in order what happens to the
//! request, to the site and to the answer, so that a scene's truth (was it stored or
//! not?) can be read off the fault.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;

use super::http::Answer;
use super::run::Spawned;

/// What a request asks of WordPress, by method and route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The REST index.
    Index,
    /// `users/me`.
    Me,
    /// Posts or pages, listed: the look-up.
    PostList,
    /// One post or page by its id.
    PostGet,
    /// A new post or page.
    Create,
    /// A post or page changed or deleted.
    PostChange,
    /// Attachments, listed.
    MediaList,
    /// One attachment by its id.
    MediaGet,
    /// A new attachment.
    Upload,
    /// `media/ID/post-process`.
    PostProcess,
    /// An attachment changed or deleted.
    MediaChange,
    /// Categories or tags, listed or one of them.
    TermGet,
    /// A new category or tag.
    TermCreate,
    /// Everything else that reads: the site's front page, types, settings.
    OtherGet,
    /// Everything else.
    OtherWrite,
}

impl Kind {
    /// The kind of a request to this REST route; no route is the site itself.
    pub(crate) fn of(method: &str, route: Option<&str>) -> Self {
        let reads = method == "GET" || method == "HEAD";
        if method == "OPTIONS" {
            return Self::OtherGet;
        }
        let Some(route) = route else {
            return if reads { Self::OtherGet } else { Self::OtherWrite };
        };
        let parts: Vec<&str> = route.split('/').filter(|part| !part.is_empty()).collect();
        let pick = |read, write| if reads { read } else { write };
        match parts.as_slice() {
            [] => pick(Self::Index, Self::OtherWrite),
            ["wp", "v2", "users", "me"] => pick(Self::Me, Self::OtherWrite),
            ["wp", "v2", "posts" | "pages" | "books" | "lab_chapter"] => {
                pick(Self::PostList, Self::Create)
            }
            ["wp", "v2", "posts" | "pages" | "books" | "lab_chapter", ..] => {
                pick(Self::PostGet, Self::PostChange)
            }
            ["wp", "v2", "media"] => pick(Self::MediaList, Self::Upload),
            ["wp", "v2", "media", _] => pick(Self::MediaGet, Self::MediaChange),
            ["wp", "v2", "media", _, "post-process"] => pick(Self::OtherGet, Self::PostProcess),
            ["wp", "v2", "categories" | "tags"] => pick(Self::TermGet, Self::TermCreate),
            ["wp", "v2", "categories" | "tags", _] => pick(Self::TermGet, Self::OtherWrite),
            _ => pick(Self::OtherGet, Self::OtherWrite),
        }
    }

    /// Whether it asks for something new or something else on the site.
    pub(crate) fn writes(self) -> bool {
        match self {
            Self::Create
            | Self::PostChange
            | Self::Upload
            | Self::PostProcess
            | Self::MediaChange
            | Self::TermCreate
            | Self::OtherWrite => true,
            Self::Index
            | Self::Me
            | Self::PostList
            | Self::PostGet
            | Self::MediaList
            | Self::MediaGet
            | Self::TermGet
            | Self::OtherGet => false,
        }
    }
}

/// How much of the request the proxy takes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Take {
    /// All of it.
    Whole,
    /// The head; then the connection is closed.
    HeadOnly,
    /// So many bytes of the body; then the connection is closed.
    Some(usize),
    /// So many bytes of the body, which the site gets too, as a cut request.
    SomeAndForward(usize),
}

/// What the client gets.
#[derive(Debug, Clone)]
pub(crate) enum Give {
    /// The site's answer.
    TheAnswer,
    /// Another one in its place.
    Instead(Answer),
    /// The site's answer, with its JSON changed.
    Changed(fn(&mut Value)),
    /// Nothing: the connection closes without a byte.
    Nothing,
    /// The first half of the answer's head.
    HalfTheHead,
    /// The head and the first half of the body.
    HalfTheBody,
}

/// Whether a header is set or taken away.
#[derive(Debug, Clone)]
pub(crate) enum Edit {
    Set(&'static str, String),
    Remove(&'static str),
}

/// What happens to one request, in this order.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) take: Take,
    pub(crate) request_edits: Vec<Edit>,
    /// How often the site gets it: 0 is "answered by somebody before the site".
    pub(crate) deliveries: usize,
    /// Where the request waits before it is delivered.
    pub(crate) gate_before: Option<Gate>,
    /// Where the answer waits before it is given.
    pub(crate) gate: Option<Gate>,
    pub(crate) give: Give,
    pub(crate) answer_edits: Vec<Edit>,
    /// Whether later connections are refused.
    pub(crate) then_refuse: bool,
}

impl Fault {
    /// No fault at all; the others are made from it.
    pub(crate) fn none() -> Self {
        Self {
            take: Take::Whole,
            request_edits: Vec::new(),
            deliveries: 1,
            gate_before: None,
            gate: None,
            give: Give::TheAnswer,
            answer_edits: Vec::new(),
            then_refuse: false,
        }
    }

    /// The site does what it was asked to; nobody hears of it.
    pub(crate) fn answer_lost() -> Self {
        Self { give: Give::Nothing, ..Self::none() }
    }

    /// The site does what it was asked to; its answer breaks off.
    pub(crate) fn answer_cut(give: Give) -> Self {
        Self { give, ..Self::none() }
    }

    /// The whole request is taken, and the site never gets it.
    pub(crate) fn never_delivered() -> Self {
        Self { deliveries: 0, give: Give::Nothing, ..Self::none() }
    }

    /// Closes within the request; the site never gets it (or a cut one).
    pub(crate) fn request_cut(take: Take) -> Self {
        Self { take, deliveries: 0, give: Give::Nothing, ..Self::none() }
    }

    /// Somebody before the site answers.
    pub(crate) fn answered_before_the_site(answer: Answer) -> Self {
        Self { deliveries: 0, give: Give::Instead(answer), ..Self::none() }
    }

    /// The site does what it was asked to; somebody puts another answer in its place.
    pub(crate) fn answer_replaced(answer: Answer) -> Self {
        Self { give: Give::Instead(answer), ..Self::none() }
    }

    /// The site itself goes wrong: see `scripts/lab.d/mu-plugins/lab-faults.php`.
    pub(crate) fn lab(name: &str) -> Self {
        Self { request_edits: vec![Edit::Set("X-Lab-Fault", name.to_owned())], ..Self::none() }
    }

    /// A middleman that sends everything twice, and passes on the last answer.
    pub(crate) fn delivered_twice() -> Self {
        Self { deliveries: 2, ..Self::none() }
    }

    /// The site's answer waits at the gate.
    pub(crate) fn held_at(gate: &Gate) -> Self {
        Self { gate: Some(gate.clone()), ..Self::none() }
    }

    /// The request has left, and waits at the gate before the site gets it.
    pub(crate) fn on_its_way_at(gate: &Gate) -> Self {
        Self { gate_before: Some(gate.clone()), ..Self::none() }
    }

    /// The site does what it was asked to, and its answer says something else.
    pub(crate) fn answer_changed(change: fn(&mut Value)) -> Self {
        Self { give: Give::Changed(change), ..Self::none() }
    }

    pub(crate) fn and_answer_header(mut self, name: &'static str, value: &str) -> Self {
        self.answer_edits.push(Edit::Set(name, value.to_owned()));
        self
    }

    pub(crate) fn without_answer_header(mut self, name: &'static str) -> Self {
        self.answer_edits.push(Edit::Remove(name));
        self
    }

    pub(crate) fn without_request_header(mut self, name: &'static str) -> Self {
        self.request_edits.push(Edit::Remove(name));
        self
    }

    /// Nobody listens any more once this request is dealt with.
    pub(crate) fn then_refuse(mut self) -> Self {
        self.then_refuse = true;
        self
    }
}

/// Which of the requests of a kind a rule is for, counted from the rule's making.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Which {
    All,
    Nth(usize),
}

/// A fault, and the requests it is for.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) kind: Kind,
    pub(crate) which: Which,
    pub(crate) fault: Fault,
    /// Requests of this kind so far.
    pub(crate) seen: usize,
    /// Requests that got the fault.
    pub(crate) used: usize,
    /// Whether the scene depends on it.
    pub(crate) must_be_met: bool,
}

impl Rule {
    /// Counts the request; the fault, if it is for this one.
    pub(crate) fn meet(&mut self, kind: Kind) -> Option<Fault> {
        if kind != self.kind {
            return None;
        }
        self.seen += 1;
        let hit = match self.which {
            Which::All => true,
            Which::Nth(number) => self.seen == number,
        };
        hit.then(|| {
            self.used += 1;
            self.fault.clone()
        })
    }
}

/// A place where an answer waits until the test has done something else.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gate(Arc<(Mutex<GateState>, Condvar)>);

#[derive(Debug, Default)]
struct GateState {
    reached: bool,
    open: bool,
}

/// How often a wait looks whether the run it waits for has died meanwhile. Not a
/// limit: nothing fails because time passes.
const LOOK_EVERY: Duration = Duration::from_millis(20);

impl Gate {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> MutexGuard<'_, GateState> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The proxy's side: says that the answer is here, and waits.
    pub(crate) fn pass(&self) {
        let mut state = self.lock();
        state.reached = true;
        self.0.1.notify_all();
        while !state.open {
            state = self.0.1.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The test's side: waits until the answer is here. A run that ends without
    /// getting here ends the test.
    pub(crate) fn wait_reached(&self, run: &mut Spawned) {
        let mut state = self.lock();
        while !state.reached {
            state =
                self.0.1.wait_timeout(state, LOOK_EVERY).unwrap_or_else(PoisonError::into_inner).0;
            assert!(
                state.reached || !run.has_ended(),
                "the run ended before it reached the gate:\n{}",
                run.talk()
            );
        }
    }

    pub(crate) fn open(&self) {
        self.lock().open = true;
        self.0.1.notify_all();
    }
}
