//! The simulated site as users have it: `url = "sandbox:"`, and `oncepress sandbox`.
//!
//! Absent from here: whether the simulated site is like a real one, and each accident by
//! itself, which is tested beside it. The one rule: what happened is read from the site,
//! not from what the program says of it.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test writes its files and fails by panicking"
)]

mod support;

#[path = "../support/contract.rs"]
mod contract;

mod approval;
mod begin;
mod control;
mod events;
mod faults;
mod fields;
mod full;
mod in_process;
mod keys;
mod schemas;
mod shell;
mod state;
