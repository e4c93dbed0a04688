//! The documents say what the program does.
//!
//! Absent from here: taste. The one rule: each list in a document that has its like in
//! the code is compared with it in both directions, so that neither can change alone.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test writes its files and fails by panicking, in its helpers too"
)]

mod agents;
mod architecture;
mod documents;
mod guarantees;
mod readme;
mod support;
