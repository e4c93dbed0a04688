//! Several runs at once: on one journal, with kills and stops in between, and on two
//! machines that share no journal.
//!
//! Absent from here: what one run does by itself. The one rule: whatever the processes do
//! to each other, each article has at most one post and each image one attachment, and
//! where two journals make that impossible to keep, the run says so.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test reads its environment, writes its files and fails by panicking"
)]

mod machines;
mod person;
mod processes;
mod schedules;
mod stage;
