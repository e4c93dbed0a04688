//! What can become of one request: how far it gets, what the site does, what is heard.
//!
//! Absent from here: the table itself (`connection`, `bodies`, `statuses`, `lists`,
//! `echoes`), and what OncePress concludes (`oracle`). The one rule: whether the site
//! acted and what the answer says are told apart, because from outside they can't be.

use std::sync::Arc;

use super::http::{Reply, Request};

/// One outcome of one request.
#[derive(Clone)]
pub(super) struct Outcome {
    pub(super) name: String,
    pub(super) way: Way,
    pub(super) says: Says,
    pub(super) then: Then,
    pub(super) proves: Proves,
}

/// How far a request gets, and whether the site acts on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// The run goes to an address at which the site is not.
    Astray(Address),
    /// Nobody listens, from here to the end of the run.
    Refused,
    /// Somebody accepts the connection, and reads nothing.
    AtTheDoor,
    /// A part of the header is read.
    HalfHead,
    /// The header and a part of the body are read.
    HalfBody,
    /// It arrives whole, and the site does nothing.
    Undone,
    /// The site does it.
    Done,
    /// The site does it after the client has given up.
    Late,
    /// The site gets it twice, and does it twice. One of its answers is heard.
    Twice(Heard),
}

/// Where the site is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Address {
    /// A name that is nobody's.
    NoName,
    /// TLS, on a port that does not speak it.
    NoTls,
    /// TLS, with a certificate that nobody vouches for.
    Stranger,
}

/// The answer to which of two deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heard {
    First,
    Second,
}

/// What the client hears, made of the request and of what a healthy site answers.
pub(super) type Says = Arc<dyn Fn(&Request, &Reply) -> Vec<u8> + Send + Sync>;

/// What becomes of the connection afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    Close,
    Reset,
    /// It stays open, and nothing more is said until the client gives up.
    Silence,
}

/// What the answer is worth, by the documents and not by the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proves {
    /// A healthy answer, or one that is odd in a way that spoils nothing.
    Truth,
    /// Nothing at all.
    Nothing(Nothing),
    /// The site refused before it made anything (facts §3 and §4; spec §6).
    Refusal,
    /// It is well-formed and says what is not so.
    Lie(Lie),
}

/// An answer that proves nothing, as far as preflight tells them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nothing {
    /// Not even a whole header.
    Unheard,
    /// Some answer.
    Heard,
    /// WordPress lets nobody in, or not this account.
    Shut,
    /// The site asks for fewer requests.
    Busy,
    /// The site is said to be on another origin.
    Moved,
}

/// What is not so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lie {
    /// A list leaves its rows out, and counts none.
    RowsLeftOut,
    /// A list shows its rows, and counts one more.
    OneHidden,
    /// A list counts its rows, and shows none.
    AllHidden,
    /// There is no such object.
    Gone,
    /// This user may not read it.
    NotForYou,
    /// The slug is another.
    OtherSlug,
    /// What is stored says something else.
    OtherText,
    /// It was published.
    Published,
    /// It is in the trash.
    Trashed,
    /// Its id is that of somebody else's object.
    OtherId,
}

impl Outcome {
    /// Whether somebody on the way, or the site, says no to whoever asks.
    pub(super) fn is_refusal(&self) -> bool {
        self.name.starts_with("401, ") || self.name.starts_with("403, ")
    }

    pub(super) fn new(name: impl Into<String>, proves: Proves, says: Says) -> Self {
        Self { name: name.into(), way: Way::Done, says, then: Then::Close, proves }
    }

    /// A well-formed answer, made of the healthy one.
    pub(super) fn reply(
        name: impl Into<String>,
        proves: Proves,
        make: impl Fn(&Request, &Reply) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let says: Says = Arc::new(move |request, reply| {
            make(request, reply).with("connection", "close").framed()
        });
        Self::new(name, proves, says)
    }

    pub(super) fn way(mut self, way: Way) -> Self {
        self.way = way;
        self
    }

    pub(super) fn then(mut self, then: Then) -> Self {
        self.then = then;
        self
    }

    /// Not a byte is heard.
    pub(super) fn unheard(name: impl Into<String>, then: Then) -> Self {
        let says: Says = Arc::new(|_, _| Vec::new());
        Self::new(name, Proves::Nothing(Nothing::Unheard), says).then(then)
    }

    /// The outcome that is none.
    pub(super) fn healthy() -> Self {
        Self::reply("healthy", Proves::Truth, |_, reply| reply.clone())
    }
}

/// What a kind of request is to HTTP: which outcomes it can meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A read that is answered with one object.
    Item,
    /// A read that is answered with a list.
    List(Rows),
    /// A write that makes an object: 201.
    Insert,
    /// A write that changes one: 200.
    Change,
}

/// Whether the healthy list has a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    None,
    Some,
}

impl Shape {
    pub(super) fn is_write(self) -> bool {
        match self {
            Self::Insert | Self::Change => true,
            Self::Item | Self::List(_) => false,
        }
    }

    /// The status of a healthy answer.
    pub(super) fn status(self) -> u16 {
        match self {
            Self::Insert => 201,
            Self::Item | Self::List(_) | Self::Change => 200,
        }
    }

    /// The outcome in each way in which it can come to such a request. Rules: a read
    /// changes nothing, so done and undone are one; a refusal comes from a site that did
    /// nothing, unless it lies; the truth comes from one that did it.
    pub(super) fn in_each_way(self, outcome: &Outcome) -> Vec<Outcome> {
        let ways: &[(Way, &str)] = match (self.is_write(), outcome.proves) {
            (false, _) | (true, Proves::Truth | Proves::Lie(_)) => &[(Way::Done, "")],
            (true, Proves::Nothing(_) | Proves::Refusal) => {
                &[(Way::Undone, ", nothing done"), (Way::Done, ", done")]
            }
        };
        let named = |(way, end): &(Way, &str)| {
            let name = format!("{}{end}", outcome.name);
            Outcome { name, ..outcome.clone().way(*way) }
        };
        ways.iter().map(named).collect()
    }
}
