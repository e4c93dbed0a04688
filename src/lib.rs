//! OncePress registers a folder of article files as WordPress drafts, and never makes a
//! second draft of the same article, whatever goes wrong on the way.
//!
//! The plan of the house, in the direction of the data:
//!
//! ```text
//! files --article--> Article --run::plan--> Plan --run::engine--> results --report--> text, JSON
//!                       ^                     |        |
//!      wordpress (sightings, outcomes)   journal (records) <-- protocol decides
//! ```
//!
//! - [`article`], [`render`]: files to articles, offline; every problem at once.
//! - [`protocol`]: phases, sightings, outcomes, and the total function that decides.
//! - [`journal`]: the durable memory; the only maker of the right to send.
//! - [`wordpress`]: one typed request each; answers to outcomes; look-ups to sightings.
//! - [`run`]: look, decide, record, send, record.
//! - [`report`]: results to words, JSON and exit codes.
//! - [`doctor`]: what may keep a site from being published to, and how to mend it.
//! - [`explain`]: what each code means.
//! - [`rehearse`]: the accidents, played by children of this program on a simulated site.
//! - [`cli`]: argv, environment, clock, printing.
//! - [`sandbox`]: a simulated WordPress to try all of this on, with accidents.
//!
//! The heart of it: a create whose answer was lost is not a failure but an unknown
//! outcome. A durable `sending` record stands before each create, and the next run
//! compares it with what the site shows. "Not found" never licenses a second send.

pub mod article;
pub mod cli;
pub mod config;
pub mod crash;
pub mod doctor;
pub mod explain;
pub mod journal;
pub mod names;
pub mod protocol;
pub mod rehearse;
pub mod render;
pub mod report;
pub mod run;
pub mod sandbox;
pub mod wordpress;

/// Random tests stand beside what they try; how they run is shared with `tests/fuzz`.
#[cfg(test)]
#[path = "../tests/fuzz/fuzzing.rs"]
mod fuzzing;
