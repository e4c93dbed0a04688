//! Article files, offline: from a folder of files to articles that may be sent, and to
//! everything that is wrong with the others.
//!
//! Absent from here: the network, the journal, and any decision what to send. The rule
//! to keep: an [`Article`] exists only if nothing at all was wrong with it, and what is
//! wrong is told for all files at once, each with its file, line and code.
//!
//! An article is `NAME.md`, `NAME.html`, `NAME/index.md` or `NAME/index.html`. Its fields
//! stand in front of the body (YAML between `---`, TOML between `+++`) or in a sidecar
//! `NAME.toml` (`NAME/index.toml` for an index file). A folder with an index file is one
//! article: another article file beside it is a problem (`file_beside_index`), while its
//! subfolders are ordinary ones. Names that begin with a dot are passed over, and links
//! to folders are not entered: what they hold is foreign, or would come twice.

mod addresses;
mod captions;
mod check;
mod codes;
mod date;
mod digest;
mod fault;
mod fields;
mod html;
mod id_slots;
mod image;
mod limits;
mod locate;
mod metadata;
mod model;
mod oddity;
mod parent;
mod problem;
mod reading;
mod reference;
mod root;
mod scan;
pub mod slug;
mod source;
mod srcset;
mod sums;
mod terms;
#[cfg(test)]
mod tests;
mod toml;
mod yaml;

pub use check::{FilesChecked, check, check_watched};
pub use codes::CODES;
pub use date::ArticleDate;
pub use html::local_path_left;
pub use limits::Limits;
pub use model::{
    Article, BodyFormat, CommentStatus, Family, Fit, ImageIndex, MediaFile, MediaKind, ParentName,
    PostFormat, Reference, TermName, Wanted,
};
pub use problem::{CheckError, Checked, InvalidArticle, Problem};
