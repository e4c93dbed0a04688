//! What the check tells: problems, warnings, and the articles that have none.
//!
//! Absent from here: finding them. The rule to keep: an [`InvalidArticle`] has at least
//! one problem, and a problem prints as one line that editors can jump to.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::fault::{Finding, without_controls};
use super::model::Article;

/// One thing that is wrong, or worth a warning, at one place.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Problem {
    /// The file, as the user would type it, with `/` between its parts.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The stable code; [`CODES`](super::CODES) explains it.
    #[schemars(description = "The code; `oncepress explain CODE` says what it means.")]
    pub code: &'static str,
    /// One line that says what is wrong and what to do.
    pub message: String,
}

impl Problem {
    pub(super) fn new(path: &str, finding: Finding) -> Self {
        let Finding { line, code, message } = finding;
        Self { path: path.to_owned(), line, code, message: without_controls(&message) }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = without_controls(&self.path);
        write!(f, "{path}:{}: {}: {}", self.line, self.code, self.message)
    }
}

/// An article file that can't be sent as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidArticle {
    /// The article file, as the user would type it.
    pub path: String,
    /// Its slug as written (or the name of its file), where that much was readable.
    pub slug: Option<String>,
    /// What is wrong; never empty, in the order of their lines.
    pub problems: Vec<Problem>,
}

/// What the check of a set of files gave.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// The articles that may be sent, sorted by path.
    pub articles: Vec<Article>,
    /// The others, sorted by path.
    pub invalid: Vec<InvalidArticle>,
    /// What does not stop an article but its author should know, sorted by path and line.
    pub warnings: Vec<Problem>,
}

/// Why the files could not be checked at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// A path that was given does not exist.
    #[error("{} does not exist", path.display())]
    NotFound {
        /// The path as given.
        path: PathBuf,
    },
    /// A file was given that is no article by its name.
    #[error("{} is not an article: their names end in .md or .html", path.display())]
    NotAnArticle {
        /// The path as given.
        path: PathBuf,
    },
    /// A folder (or a path that was given) can't be read.
    #[error("can't read {}", path.display())]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// There are more articles than the limit.
    #[error("more than {max} articles below {}", path.display())]
    TooManyArticles {
        /// Where the limit was passed.
        path: PathBuf,
        /// The limit.
        max: usize,
    },
    /// There are more files and folders than the limit.
    #[error("more than {max} files below {}: is it the folder of the articles?", path.display())]
    TooManyFiles {
        /// Where the limit was passed.
        path: PathBuf,
        /// The limit.
        max: usize,
    },
}
