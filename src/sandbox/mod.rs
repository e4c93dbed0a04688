//! A simulated WordPress: what real sites do with the requests of a publisher, as a pure
//! state machine.
//!
//! Absent from here: being used by the rest of the crate to decide anything, and
//! sockets, clocks and randomness in the model itself. The one rule: where it differs
//! from a real WordPress, it is wrong; `tests/conformance` compares them.
//!
//! - [`World`]: users, posts, attachments, terms; [`World::answer`] is the site.
//! - [`Mishap`]: what goes wrong inside WordPress while it works on one request.
//! - [`Simulated`]: a world with [`Fault`]s on the way to it and back, and what arrived.
//! - [`Kept`]: shared, and in a file; [`Listening`]: served on this machine.

mod acts;
mod allow;
mod allowed_html;
mod arguments;
mod batch;
mod checks;
mod fields;
mod file_names;
mod filter;
mod form;
mod index;
mod list;
mod media;
mod meta;
mod mishap;
mod params;
mod people;
mod post;
mod refused;
mod reply;
mod rest;
mod rights;
mod routes;
mod term;
mod term_changes;
mod terms;
mod unique;
mod upload;
mod users;
mod view;
mod world;
mod write;

// What happens on the way to the world and back, and where it is kept and served.
mod fault;
mod kept;
mod server;
mod simulated;

#[cfg(test)]
mod tests;

pub use fault::{
    Accident, Answered, Arrival, BusyStatus, ChallengePage, Counted, DeadAnswer, Destination,
    Fault, FaultError, Kind, LateRefusal, Made, MadeKind, Moved, Occurrence, Reached, ServerError,
    Since, Target, Told, UnknownWord,
};
pub use kept::{DEFAULT_USER, Kept, KeptError, password_of, received};
pub use mishap::Mishap;
pub use people::{Role, User};
pub use post::{File, Post, PostKind, Status};
pub use server::{ACTS, CONTROL, Listening, ROUTES};
pub use simulated::{Carried, Simulated};
pub use term::{Taxonomy, Term};
pub use world::{Version, World};

/// A request as it reaches the site: path and query in the URI, headers, body.
pub type Request = http::Request<bytes::Bytes>;
/// An answer of the site.
pub type Response = http::Response<bytes::Bytes>;
