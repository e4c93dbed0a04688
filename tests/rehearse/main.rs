//! `oncepress rehearse` as a stranger runs it: what it prints, how it ends, and that it
//! leaves nothing behind.
//!
//! Absent from here: a promise that is not kept; `src/rehearse/tests.rs` makes one up.
//! The one rule: the program is told nothing of a site, a network or an account.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test writes its files and fails by panicking"
)]

#[path = "../support/contract.rs"]
mod contract;

mod printed;
mod refused;
mod stage;
mod tidy;
