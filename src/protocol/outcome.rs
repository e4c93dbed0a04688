//! What one send proved.
//!
//! Absent from here: how an answer is read (`wordpress::classify`). The one rule:
//! only what is known to be raised before WordPress inserts anything is a
//! [`Outcome::Rejected`]; every answer that is not a proper 201 and not on that list
//! is [`Outcome::Unknown`].

/// What one create or upload proved. `C` is what a proper answer told.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "an outcome that is dropped is a send that is forgotten"]
pub enum Outcome<C> {
    /// The object exists, and this is what the site says of it.
    Created(C),
    /// The site refused before it stored anything.
    Rejected(Rejection),
    /// The request did not leave whole, so nothing can have been stored.
    NotSent(String),
    /// Either nothing arrived, or the object exists and only the answer was lost.
    Unknown(Unsettled),
}

/// A refusal that proves that nothing was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// The HTTP status.
    pub status: u16,
    /// The code that WordPress gave, or one of ours (`redirected`, `http_404` …).
    pub code: String,
    /// The message, without control characters.
    pub message: String,
}

/// Everything known of a send whose outcome is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsettled {
    /// What came instead of a proper answer, in words.
    pub detail: String,
    /// An id that the answer mentioned: evidence of where to look, never proof.
    pub hint: Option<u64>,
    /// Whether the site asked for fewer requests.
    pub pressure: Pressure,
}

/// Whether an answer asked to stop sending for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pressure {
    /// It did not.
    None,
    /// 429, or 503 with `Retry-After`: start no new write in this run.
    BackOff {
        /// Seconds the site asked to wait, if it said so.
        retry_after_s: Option<u64>,
    },
}
