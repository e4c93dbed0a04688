//! Odd answers: what a site, or something before it, can answer, and what follows.
//!
//! Each row plays the program against a small WordPress of which one thing is odd, and
//! compares in one line what the run concluded, what the journal then says, and every
//! request that arrived. Absent from here: a real WordPress (`tests/it`), and tests of
//! one function, which live beside it. The one rule: no row may pass if a create or an
//! upload were sent twice.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test writes its files and fails by panicking"
)]

mod support;

mod bodies;
mod bulk;
mod doctor;
mod echoes;
mod lookups;
mod preflight;
mod pressure;
mod receipts;
mod refusals;
mod secrets;
mod sightings;
mod transport;
mod unreachable;
mod uploads;
