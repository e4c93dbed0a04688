//! The accident battery: whatever goes wrong, at most one draft, and the truth told.
//!
//! Absent from here: a real WordPress (`tests/it`). The one rule: every case is judged
//! by what the site then has, not by what the program says of itself.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test writes its files and fails by panicking"
)]

mod disks;
mod network;

#[path = "../support/png.rs"]
mod png;
#[path = "../support/samples.rs"]
mod samples;
#[path = "../support/secrets.rs"]
mod secrets;
