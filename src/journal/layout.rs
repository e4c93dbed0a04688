//! Where each file of one site's journal lies.
//!
//! Absent from here: what is in the files. The one rule: a file name says whose record
//! it is, and a name that says nothing we know is a stranger, never passed over.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::disk::TEMP_PREFIX;
use super::wire::Written;
use crate::crash;
use crate::names::{ArticleKey, Digest, InvalidName, PostType, SiteKey, Slug};
use crate::protocol::kinds::{Articles, Uploads};

/// The types whose folders every journal has under `articles`.
const POST_TYPES: [PostType; 2] = [PostType::Post, PostType::Page];
/// How the folders of other types begin: any name can be a type's, and `post-old` beside
/// `post` is a copy, not a type.
const OTHER_TYPE_PREFIX: &str = "type.";

/// Files that file managers and version control put anywhere. They are no copies of
/// ours, so they are passed over; everything else unknown stops the run.
const HARMLESS: [&str; 6] =
    [".DS_Store", ".directory", "Thumbs.db", "desktop.ini", ".gitignore", ".gitkeep"];

/// A journal that can't be used, or a question to it that has no answer.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The folder's name is not a site key.
    #[error("{} is not the journal of a site", path.display())]
    NotAJournal {
        /// The folder.
        path: PathBuf,
        /// What is wrong with its name.
        #[source]
        source: InvalidName,
    },
    /// Something else is where a folder should be, such as a link to nowhere.
    #[error("{} is not a folder that can be read", path.display())]
    NotAFolder {
        /// Where.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A file that OncePress did not write, such as the copy that a sync service makes
    /// when two machines wrote the same file. One of the two may say `sending`.
    #[error("{} is not a file of OncePress: a copy made by a sync service?", path.display())]
    ConflictCopy {
        /// The file.
        path: PathBuf,
    },
    /// A file of the journal that is not a record can't be used.
    #[error(transparent)]
    Damaged(#[from] super::damage::Damaged),
    /// The journals of several sites were used with this URL.
    #[error("{url} has been the address of several sites: {}", listed(dirs))]
    Ambiguous {
        /// The URL from the configuration.
        url: String,
        /// The journals.
        dirs: Vec<PathBuf>,
    },
}

fn listed(dirs: &[PathBuf]) -> String {
    dirs.iter().map(|dir| dir.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// The paths of one site's journal.
#[derive(Debug, Clone)]
pub struct Layout {
    dir: PathBuf,
    key: SiteKey,
}

impl Layout {
    /// The layout of this folder, whose name is the site key.
    pub(super) fn of(dir: &Path) -> Result<Self, JournalError> {
        let name = dir.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let key = SiteKey::parse(name)
            .map_err(|source| JournalError::NotAJournal { path: dir.to_owned(), source })?;
        Ok(Self { dir: dir.to_owned(), key })
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(super) fn key(&self) -> &SiteKey {
        &self.key
    }

    pub(super) fn lock(&self) -> PathBuf {
        self.dir.join("lock")
    }

    pub(super) fn marker(&self) -> PathBuf {
        self.dir.join("run.json")
    }

    pub(super) fn site(&self) -> PathBuf {
        self.dir.join("site.json")
    }

    pub(super) fn runs(&self) -> PathBuf {
        self.dir.join("runs")
    }

    pub(super) fn set_aside(&self) -> PathBuf {
        self.dir.join("set-aside")
    }

    fn articles(&self) -> PathBuf {
        self.dir.join("articles")
    }

    fn articles_of(&self, post_type: PostType) -> PathBuf {
        let name = post_type.as_str();
        self.articles().join(match post_type {
            PostType::Post | PostType::Page => name.to_owned(),
            PostType::Other(_) => format!("{OTHER_TYPE_PREFIX}{name}"),
        })
    }

    /// The types that have records, or could.
    fn post_types(&self) -> Result<Vec<PostType>, JournalError> {
        let mut types = POST_TYPES.to_vec();
        for path in paths_in(&self.articles())? {
            let name = path.file_name().and_then(|name| name.to_str());
            types.extend(name.and_then(other_type_of));
        }
        Ok(types)
    }

    fn media(&self) -> PathBuf {
        self.dir.join("media")
    }

    /// Every folder that a run needs, parents first. Folders of other types than `post`
    /// and `page` are made with their first record.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let mut folders = vec![self.dir.clone(), self.articles()];
        folders.extend(POST_TYPES.map(|post_type| self.articles_of(post_type)));
        folders.extend([self.media(), self.runs()]);
        folders
    }

    /// The folders that hold files which are replaced.
    pub(super) fn folders_with_temps(&self) -> Result<Vec<PathBuf>, JournalError> {
        let others = self.post_types()?.into_iter().filter(|known| !POST_TYPES.contains(known));
        let others: Vec<_> = others.map(|post_type| self.articles_of(post_type)).collect();
        let runs = self.runs();
        Ok(self.folders().into_iter().filter(|folder| *folder != runs).chain(others).collect())
    }

    /// Everything that is neither ours nor harmless.
    pub(super) fn strangers(&self) -> Result<Vec<PathBuf>, JournalError> {
        let ours = ["lock", "run.json", "site.json", "articles", "media", "runs", "set-aside"];
        let mut strangers = Vec::new();
        let mut sift = |folder: &Path, known: &dyn Fn(&str) -> bool| {
            for path in paths_in(folder)? {
                let name = path.file_name().and_then(|name| name.to_str());
                let fine = |name: &str| {
                    known(name) || HARMLESS.contains(&name) || name.starts_with(TEMP_PREFIX)
                };
                if !name.is_some_and(fine) {
                    strangers.push(path);
                }
            }
            Ok::<_, JournalError>(())
        };
        sift(&self.dir, &|name| ours.contains(&name))?;
        let is_type = |name: &str| {
            POST_TYPES.iter().any(|known| known.as_str() == name) || other_type_of(name).is_some()
        };
        sift(&self.articles(), &is_type)?;
        for post_type in self.post_types()? {
            sift(&self.articles_of(post_type), &|name| slug_of(name).is_some())?;
        }
        sift(&self.media(), &|name| digest_of(name).is_some())?;
        if let Some(root) = self.dir.parent() {
            // Copies of the whole folder, such as `example.com (1)`.
            let other_site =
                |name: &str| SiteKey::parse(name).is_ok() || !name.starts_with(self.key.as_str());
            sift(root, &other_site)?;
        }
        Ok(strangers)
    }
}

/// A kind of record that has a place in the journal.
pub trait Journaled: Written {
    /// The file of its record.
    fn path(layout: &Layout, identity: &Self::Identity) -> PathBuf;
    /// What every well-named file of this kind is about.
    fn all(layout: &Layout) -> Result<Vec<Self::Identity>, JournalError>;
    /// How the names of its crash points begin.
    const CRASH_PREFIX: &'static str;
}

impl Journaled for Articles {
    const CRASH_PREFIX: &'static str = "article";

    fn path(layout: &Layout, key: &ArticleKey) -> PathBuf {
        layout.articles_of(key.post_type).join(format!("{}.json", key.slug.stored()))
    }

    fn all(layout: &Layout) -> Result<Vec<ArticleKey>, JournalError> {
        let mut keys = Vec::new();
        for post_type in layout.post_types()? {
            for path in paths_in(&layout.articles_of(post_type))? {
                let slug = path.file_name().and_then(|name| slug_of(name.to_str()?));
                keys.extend(slug.map(|slug| ArticleKey { post_type, slug }));
            }
        }
        Ok(keys)
    }
}

impl Journaled for Uploads {
    const CRASH_PREFIX: &'static str = "upload";

    fn path(layout: &Layout, digest: &Digest) -> PathBuf {
        layout.media().join(format!("{digest}.json"))
    }

    fn all(layout: &Layout) -> Result<Vec<Digest>, JournalError> {
        let paths = paths_in(&layout.media())?;
        let digest = |path: &PathBuf| digest_of(path.file_name()?.to_str()?);
        Ok(paths.iter().filter_map(digest).collect())
    }
}

/// The type whose folder has this name, where that is not `post` or `page`.
fn other_type_of(folder_name: &str) -> Option<PostType> {
    let name = folder_name.strip_prefix(OTHER_TYPE_PREFIX)?;
    PostType::parse(name).ok().filter(|parsed| matches!(parsed, PostType::Other(_)))
}

fn slug_of(file_name: &str) -> Option<Slug> {
    Slug::from_stored(file_name.strip_suffix(".json")?).ok()
}

fn digest_of(file_name: &str) -> Option<Digest> {
    Digest::from_hex(file_name.strip_suffix(".json")?).ok()
}

/// Whether a folder is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Folder {
    /// It is.
    Present,
    /// Nothing at all is at its place.
    Missing,
}

/// Looks at the place of a folder. A link to nowhere is not "missing": the records are
/// somewhere else, and "no record" would let every article be sent again.
pub(super) fn look_at(path: &Path) -> Result<Folder, JournalError> {
    let failed = |source| JournalError::NotAFolder { path: path.to_owned(), source };
    match crash::read(|| fs::symlink_metadata(path)) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Folder::Missing),
        Err(error) => return Err(failed(error)),
    }
    if fs::metadata(path).map_err(failed)?.is_dir() {
        Ok(Folder::Present)
    } else {
        Err(failed(io::ErrorKind::NotADirectory.into()))
    }
}

/// The paths in this folder, sorted; none if it is missing.
pub(super) fn paths_in(folder: &Path) -> Result<Vec<PathBuf>, JournalError> {
    let failed = |source| JournalError::NotAFolder { path: folder.to_owned(), source };
    let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match look_at(place)? {
        Folder::Missing => Ok(Vec::new()),
        Folder::Present => {
            let mut paths = Vec::new();
            for entry in crash::read(|| fs::read_dir(place)).map_err(failed)? {
                paths.push(entry.map_err(failed)?.path());
            }
            paths.sort();
            Ok(paths)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A copy of a folder must not become the folder of a type.
    #[test]
    fn only_a_name_of_our_own_form_is_the_folder_of_a_type() {
        let told = |name: &str| other_type_of(name).map(|known| known.as_str().to_owned());
        assert_eq!(told("type.lab_book").as_deref(), Some("lab_book"));
        for name in ["post", "post-old", "book", "type.", "type.post", "type.page", "type.wp_block"]
        {
            assert_eq!(told(name), None, "{name}");
        }
        for name in ["type.book (1)", "type.Book", "type.a_name_that_is_too_long"] {
            assert_eq!(told(name), None, "{name}");
        }
    }
}
