//! The accidents that OncePress is made for, played for real: child processes of this
//! program, killed where a scene says so, against a simulated site.
//!
//! Absent from here: argv, the environment, printing (`cli`), and anything that real
//! runs use. The one rule: a verdict is worked out from what the site has and what
//! arrived there, from what each child said and how it ended, and from nothing else.

mod child;
mod json;
mod judge;
mod play;
mod scene;
mod scenes;
mod site;
mod stage;
mod table;
#[cfg(test)]
mod tests;

pub use child::{GO_ON, REHEARSAL_VARIABLE, stopped_line};
pub use json::{Document, SCHEMA, document};
pub use judge::as_promised;
pub use play::{Played, play, site_path};
pub use scene::Scene;
pub use scenes::{named, names};
pub use stage::{After, Playhouse};
pub use table::{conclusion, heading, row};
