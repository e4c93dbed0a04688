//! The scenes of OncePress, played against real WordPress sites.
//!
//! `scripts/lab up` starts the sites; a scene without its site fails and says so. Each
//! scene has its own folder, proxy, slugs and pictures, so all of them run side by side
//! and again on a used database. Absent from here: tests of one function, which live
//! beside it.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test reads its environment, writes its files and fails by panicking"
)]

mod support;

#[path = "../support/png.rs"]
mod png;
#[path = "../support/samples.rs"]
#[expect(dead_code, reason = "another suite uses the rest")]
mod samples;

mod answers;
mod block_articles;
mod collisions;
mod crashes;
mod credentials;
mod decisions;
mod doctor;
mod files;
mod folder;
mod journal;
mod locks;
mod lookups;
mod lost_files;
mod other_slugs;
mod plain;
mod projection;
mod receipts;
mod scenes;
mod shown;
mod slugs;
mod term_answers;
mod the_proxy;
mod types;
mod upload_forms;
mod uploads;
