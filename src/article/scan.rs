//! From the paths that were given to the article files they mean.
//!
//! Absent from here: reading them. The rule to keep: nothing that could be meant as an
//! article is passed over in silence.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::fault::{Fault, Finding, quoted};
use super::limits::Limits;
use super::problem::{CheckError, Problem};
use super::root::Root;

/// Files that are called by their folder.
const INDEX_NAMES: [&str; 2] = ["index.md", "index.html"];

/// How a body is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Markup {
    Markdown,
    Html,
}

/// An article file, not yet read.
#[derive(Debug)]
pub(super) struct Source {
    /// As the user would type it.
    pub(super) path: String,
    /// Its folder, absolute and free of links.
    pub(super) folder: PathBuf,
    /// Its folder, as the user would type it; empty for the working directory.
    pub(super) shown_folder: String,
    /// The name of the file.
    pub(super) name: String,
    /// What the article is called if it gives no slug.
    pub(super) slug_by_name: String,
    pub(super) markup: Markup,
    pub(super) root: Arc<Root>,
    /// Why it can't be an article, whatever is in it.
    pub(super) fault: Option<Fault>,
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) sources: Vec<Source>,
    pub(super) warnings: Vec<Problem>,
    seen: HashSet<PathBuf>,
    files: usize,
}

/// Finds the articles that `paths` mean.
pub(super) fn scan(
    paths: &[PathBuf],
    root: &Path,
    base: &Path,
    limits: &Limits,
) -> Result<Scan, CheckError> {
    let root = base.join(root);
    let articles_root = root.canonicalize().ok();
    let mut scan = Scan::default();
    if paths.is_empty() {
        let shown = root.strip_prefix(base).unwrap_or(&root);
        scan.add(shown, articles_root.as_deref(), base, limits)?;
    }
    for path in paths {
        scan.add(path, articles_root.as_deref(), base, limits)?;
    }
    scan.sources.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(scan)
}

/// A folder on the way.
struct Folder {
    path: PathBuf,
    shown: String,
    root: Arc<Root>,
}

impl Scan {
    /// Adds what one given path means.
    fn add(
        &mut self,
        given: &Path,
        articles_root: Option<&Path>,
        base: &Path,
        limits: &Limits,
    ) -> Result<(), CheckError> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => CheckError::NotFound { path: given.to_owned() },
            _ => CheckError::Unreadable { path: given.to_owned(), source: error },
        };
        let path = base.join(given);
        let is_folder = fs::metadata(&path).map_err(failed)?.is_dir();
        let folder_path = if is_folder { &path } else { path.parent().unwrap_or(&path) };
        let folder_path = folder_path.canonicalize().map_err(failed)?;
        // Outside of the articles folder, what was given is a folder of its own.
        let root = match articles_root {
            Some(root) if folder_path.starts_with(root) => root,
            _ => &folder_path,
        };
        let root = Arc::new(Root::new(root).map_err(failed)?);
        let shown = shown(given);
        if is_folder {
            let folder = Folder { path: folder_path, shown, root };
            return self.walk(folder, articles_root, limits);
        }
        let no_article = || CheckError::NotAnArticle { path: given.to_owned() };
        let name = path.file_name().ok_or_else(no_article)?;
        let markup = markup(name).ok_or_else(no_article)?;
        let shown = shown.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        let folder = Folder { path: folder_path, shown, root };
        let beside_index = INDEX_NAMES.iter().any(|name| folder.path.join(name).is_file());
        self.article(&folder, name, markup, beside_index, articles_root);
        Ok(())
    }

    /// Adds the articles below a folder.
    fn walk(
        &mut self,
        folder: Folder,
        articles_root: Option<&Path>,
        limits: &Limits,
    ) -> Result<(), CheckError> {
        let top = PathBuf::from(&folder.shown);
        let mut unread = vec![folder];
        while let Some(folder) = unread.pop() {
            let failed =
                |source| CheckError::Unreadable { path: PathBuf::from(&folder.shown), source };
            let mut entries: Vec<DirEntry> =
                fs::read_dir(&folder.path).and_then(Iterator::collect).map_err(failed)?;
            self.files += entries.len();
            if self.files > limits.files_max {
                return Err(CheckError::TooManyFiles { path: top, max: limits.files_max });
            }
            entries.retain(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
            entries.sort_by_key(DirEntry::file_name);
            let has_index = entries.iter().any(|entry| is_index(&entry.file_name()));
            for entry in &entries {
                let kind = entry.file_type().map_err(failed)?;
                let target_is_folder = kind.is_symlink() && entry.path().is_dir();
                if kind.is_dir() {
                    unread.push(Folder {
                        path: folder.path.join(entry.file_name()),
                        shown: join(&folder.shown, &entry.file_name().to_string_lossy()),
                        root: Arc::clone(&folder.root),
                    });
                } else if target_is_folder {
                    self.warn(
                        &folder,
                        entry,
                        "folder_link_skipped",
                        "a link to a folder is not entered",
                    );
                } else {
                    self.file(&folder, entry, &entries, has_index, articles_root);
                }
            }
            if self.sources.len() > limits.articles_max {
                return Err(CheckError::TooManyArticles { path: top, max: limits.articles_max });
            }
        }
        Ok(())
    }

    fn file(
        &mut self,
        folder: &Folder,
        entry: &DirEntry,
        entries: &[DirEntry],
        has_index: bool,
        articles_root: Option<&Path>,
    ) {
        let name = entry.file_name();
        if let Some(markup) = markup(&name) {
            self.article(folder, &name, markup, has_index, articles_root);
            return;
        }
        let extension = extension(&name).map(str::to_ascii_lowercase);
        match extension.as_deref() {
            Some("md" | "markdown" | "mdown" | "mkd" | "mdx" | "html" | "htm" | "xhtml") => {
                let message = "not read: the names of articles end in .md or .html";
                self.warn(folder, entry, "file_ignored", message);
            }
            Some("toml") if name != "oncepress.toml" => {
                let stem = Path::new(&name).file_stem();
                let used = entries
                    .iter()
                    .map(DirEntry::file_name)
                    .any(|other| markup(&other).is_some() && Path::new(&other).file_stem() == stem);
                if !used {
                    let message = "not read: there is no article of this name beside it";
                    self.warn(folder, entry, "sidecar_unused", message);
                }
            }
            _ => {}
        }
    }

    fn article(
        &mut self,
        folder: &Folder,
        name: &OsStr,
        markup: Markup,
        has_index: bool,
        articles_root: Option<&Path>,
    ) {
        let file = folder.path.join(name);
        if !self.seen.insert(file.clone()) {
            return;
        }
        let index = is_index(name);
        let fault = if name.to_str().is_none() {
            Some(Fault::new("file_name_not_utf8", "the file's name is not UTF-8: rename it"))
        } else if index && articles_root == Some(folder.path.as_path()) {
            let message = "an index file is called by its folder, and the articles folder has no \
                           name of an article: move it into a folder of its own";
            Some(Fault::new("index_in_root", message))
        } else if has_index && !index && articles_root != Some(folder.path.as_path()) {
            let message = "a folder with an index file is one article: move this file out of it";
            Some(Fault::new("file_beside_index", message))
        } else {
            leaves_root(&file, &folder.root)
        };
        let called = if index { folder.path.file_name() } else { Path::new(name).file_stem() };
        let name = name.to_string_lossy().into_owned();
        self.sources.push(Source {
            path: join(&folder.shown, &name),
            folder: folder.path.clone(),
            shown_folder: folder.shown.clone(),
            name,
            slug_by_name: called.unwrap_or_default().to_string_lossy().into_owned(),
            markup,
            root: Arc::clone(&folder.root),
            fault,
        });
    }

    fn warn(&mut self, folder: &Folder, entry: &DirEntry, code: &'static str, message: &str) {
        let path = join(&folder.shown, &entry.file_name().to_string_lossy());
        self.warnings.push(Problem::new(&path, Finding::new(1, code, message)));
    }
}

/// The path free of links of a file whose folder is free of them. Only a link costs more
/// than one look.
pub(super) fn resolved(file: &Path) -> io::Result<PathBuf> {
    if file.symlink_metadata()?.is_symlink() { file.canonicalize() } else { Ok(file.to_owned()) }
}

/// Why a file that may be a link must not be read.
pub(super) fn leaves_root(file: &Path, root: &Root) -> Option<Fault> {
    match resolved(file) {
        Ok(target) if root.contains(&target) => None,
        Ok(_) => Some(Fault::new(
            "article_outside_folder",
            "the file is a link that leaves the articles folder: put the file itself there",
        )),
        Err(error) => {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let message = format!("{} can't be read: {error}", quoted(&name));
            Some(Fault::new("file_unreadable", message))
        }
    }
}

fn extension(name: &OsStr) -> Option<&str> {
    Path::new(name).extension().and_then(OsStr::to_str)
}

fn markup(name: &OsStr) -> Option<Markup> {
    match extension(name)? {
        "md" => Some(Markup::Markdown),
        "html" => Some(Markup::Html),
        _ => None,
    }
}

fn is_index(name: &OsStr) -> bool {
    INDEX_NAMES.iter().any(|index| name == *index)
}

/// A path as it is shown: `/` between its parts, no `.` among them.
fn shown(path: &Path) -> String {
    let mut shown = String::new();
    for component in path.components() {
        match component {
            Component::CurDir | Component::Prefix(_) => {}
            Component::RootDir => shown.push('/'),
            Component::ParentDir => shown = join(&shown, ".."),
            Component::Normal(name) => shown = join(&shown, &name.to_string_lossy()),
        }
    }
    shown
}

/// A shown path, one part longer.
pub(super) fn join(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        folder if folder.ends_with('/') => format!("{folder}{name}"),
        folder => format!("{folder}/{name}"),
    }
}
