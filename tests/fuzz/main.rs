//! Random articles, slugs and references.
//!
//! Absent from here: what only the crate can reach; random records and answers stand
//! beside the journal and the client. The one rule: what must come out is worked out here
//! anew, not taken from the code that is tried.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test writes its files and fails by panicking"
)]

mod articles;
mod folder;
mod fuzzing;
mod references;
mod slugs;
