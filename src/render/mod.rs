//! From an article's body to the HTML that is sent.
//!
//! Absent from here: files, the network, the journal. The rule to keep: the same
//! input gives the same bytes; where that must change, [`RENDERER_VERSION`] goes up,
//! because a record holds what was sent and is compared with what would be sent.

pub mod blocks;
mod browser;
mod lines;
pub mod markdown;
mod oddities;
mod plain_marks;
mod rich_text;
pub mod splice;

pub use lines::LineMap;
pub use oddities::Oddity;

/// The version of everything that turns a body into HTML. The journal records it;
/// it goes up when the HTML of any input would change (spec §3, `renderer_changed`).
pub const RENDERER_VERSION: u32 = 2;
