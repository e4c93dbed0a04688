//! The decisions, and nothing else.
//!
//! What a record says ([`record`]) and how it changes ([`change`]), what the site
//! showed ([`sighting`]), what one send proved ([`outcome`]), and the total function
//! that decides from records and sightings ([`decide()`]). Absent from here: files,
//! network, clock, randomness, async, serialization. The one rule: doubt is a value
//! with a name, never an error that somebody could retry.

pub mod change;
pub mod decide;
pub mod kinds;
pub mod outcome;
pub mod record;
pub mod restore;
pub mod sighting;

#[cfg(test)]
mod tests;

pub use change::{Change, Decision, IllegalChange};
pub use decide::{Action, DeferReason, HoldReason, SkipReason, Standing, UnknownReason, decide};
pub use kinds::{Articles, FoundAttachment, FoundPost, Kind, PostFields, Uploads};
pub use outcome::{Outcome, Rejection, Unsettled};
pub use record::{ArticleRecord, Phase, Record, UploadRecord};
pub use sighting::{ReceiptSighting, Sighting, Unclear};
