//! From a path in an article to a file in the folder.
//!
//! Absent from here: the file's content. The rule to keep: a name counts only as the
//! folder's listing spells it, on every system, because the next machine may be one that
//! minds the case (IMG-05); and nothing outside the folder is even listed.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use percent_encoding::percent_decode_str;
use unicode_normalization::UnicodeNormalization;

use super::addresses;
use super::fault::{Fault, quoted};
use super::reference::scheme;
use super::root::Root;
use super::scan::join;

/// A file that a reference means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Located {
    /// The file, absolute and free of links, in the root.
    pub(super) file: PathBuf,
    /// The path from the article's folder, with its names as they are on disk.
    pub(super) relative: String,
}

/// Names in folders, each read once a run, by whichever thread asks first.
#[derive(Debug, Default)]
pub(super) struct Listings {
    folders: Mutex<HashMap<PathBuf, Arc<Names>>>,
}

/// The names in a folder, and what each stands for.
type Names = BTreeMap<String, Entry>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    /// It may lead anywhere.
    Link,
    /// It is where it is listed.
    Own,
}

impl Listings {
    /// The names in a folder. One that is not UTF-8 can't be written in an article.
    fn names(&self, folder: &Path) -> io::Result<Arc<Names>> {
        // Held while a folder is read, so that nobody reads it a second time meanwhile. A
        // map is whole between two changes, whoever died.
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(names) = folders.get(folder) {
            return Ok(Arc::clone(names));
        }
        let mut names = Names::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let is_link = entry.file_type()?.is_symlink();
            let kind = if is_link { Entry::Link } else { Entry::Own };
            names.extend(entry.file_name().into_string().map(|name| (name, kind)));
        }
        let names = Arc::new(names);
        folders.insert(folder.to_owned(), Arc::clone(&names));
        Ok(names)
    }
}

/// Finds the file that `path`, percent-encoded as in an address, means for an article in
/// `folder` (absolute, free of links, in the root): decoded first, then as it stands; if
/// both exist, nobody can say which is meant (IMG-01).
pub(super) fn locate(
    root: &Root,
    listings: &Listings,
    folder: &Path,
    path: &str,
) -> Result<Located, Fault> {
    let decoded = percent_decode_str(path).decode_utf8().ok();
    let decoded = decoded.as_deref().unwrap_or(path);
    refuse_unsafe(decoded)?;
    let meant = walk(root, listings, folder, decoded);
    if decoded == path {
        return meant;
    }
    match (meant, walk(root, listings, folder, path)) {
        (Ok(_), Ok(_)) => {
            let message = format!(
                "there is a file {} and a file {}: rename one of them",
                quoted(decoded),
                quoted(path)
            );
            Err(Fault::new("image_ambiguous", message))
        }
        (Ok(located), _) => Ok(located),
        // Only "no such file" lets the second reading count.
        (Err(fault), Ok(located)) if fault.code == "image_missing" => Ok(located),
        (Err(fault), _) => Err(fault),
    }
}

/// What a link's path leads to, if it is a file to upload.
pub(super) fn linked(located: Result<Located, Fault>, path: &str) -> Result<Located, Fault> {
    let not_uploaded = || addresses::unsupported("<a href>", path);
    let extension = |path: &str| Path::new(path).extension().map(OsStr::to_ascii_lowercase);
    let is_article = |path: &str| {
        extension(path).is_some_and(|e| ["md", "markdown", "html", "htm"].iter().any(|x| e == *x))
    };
    match located {
        Ok(located) if is_article(&located.relative) => {
            let message = format!(
                "{} is an article, and has no address before it is published: write the address \
                 that it will have",
                quoted(&located.relative)
            );
            Err(Fault::new("link_to_article", message))
        }
        Ok(located) if located.file.is_dir() => Err(not_uploaded()),
        Ok(located) => Ok(located),
        // What does not end like a file was hardly meant as one.
        Err(fault)
            if fault.code == "image_missing" && (is_article(path) || extension(path).is_none()) =>
        {
            Err(not_uploaded())
        }
        Err(fault) => Err(fault),
    }
}

fn refuse_unsafe(path: &str) -> Result<(), Fault> {
    let drive = scheme(path).is_some_and(|(scheme, _)| scheme.len() == 1 || scheme == "file");
    if path.contains('\0') {
        return Err(Fault::new("image_path_nul", "the path holds a NUL byte"));
    }
    if drive || path.starts_with(['/', '\\']) {
        return Err(absolute(path));
    }
    if path.contains('\\') {
        let message = format!("{} holds a backslash: write / between folders", quoted(path));
        return Err(Fault::new("image_path_backslash", message));
    }
    Ok(())
}

/// A path that does not begin where the article is.
pub(super) fn absolute(path: &str) -> Fault {
    let message = format!(
        "{} is an absolute path: write the path from the article's folder, or a full address",
        quoted(path)
    );
    Fault::new("image_path_absolute", message)
}

/// Goes down from the root, name by name.
fn walk(root: &Root, listings: &Listings, folder: &Path, path: &str) -> Result<Located, Fault> {
    let missing = || Fault::new("image_missing", format!("there is no file {}", quoted(path)));
    let outside = || {
        let message =
            format!("{} is outside the articles folder: move the image into it", quoted(path));
        Fault::new("image_outside_folder", message)
    };
    let inner = folder.strip_prefix(root.path()).map_err(|_| outside())?;
    let mut names: Vec<String> = Vec::new();
    let mut above = inner.components().count();
    let mut ups = 0;
    for name in path.split('/').filter(|name| !matches!(*name, "" | ".")) {
        if name != ".." {
            names.push(name.to_owned());
        } else if names.pop().is_none() {
            above = above.checked_sub(1).ok_or_else(outside)?;
            ups += 1;
        }
    }
    let mut current: PathBuf = root.path().iter().chain(inner.iter().take(above)).collect();
    let mut case_differs = false;
    for name in &mut names {
        let listing = listings.names(&current).map_err(|_| missing())?;
        let (spelled, exact) = spelling(&listing, name).ok_or_else(missing)?;
        case_differs |= !exact;
        current.push(&spelled);
        if listing.get(&spelled) != Some(&Entry::Own) {
            // A link that leads nowhere is as good as no file.
            current = current.canonicalize().map_err(|_| missing())?;
        }
        *name = spelled;
        if !root.contains(&current) {
            let message = format!(
                "{} leaves the articles folder by a link: put the image itself there",
                quoted(path)
            );
            return Err(Fault::new("image_link_outside", message));
        }
    }
    let relative = format!("{}{}", "../".repeat(ups), names.join("/"));
    if case_differs {
        let message = format!("{} is there as {}: write it so", quoted(path), quoted(&relative));
        return Err(Fault::new("image_case", message));
    }
    if names.is_empty() || path.ends_with('/') {
        return Err(missing());
    }
    Ok(Located { file: current, relative })
}

/// The name as the listing spells it, and whether that is the same name. Two spellings
/// of one name in Unicode are the same (file systems change them on the way); capitals
/// are not.
fn spelling(listing: &Names, name: &str) -> Option<(String, bool)> {
    if listing.contains_key(name) {
        return Some((name.to_owned(), true));
    }
    let composed: String = name.nfc().collect();
    let mut equal = listing.keys().filter(|entry| entry.nfc().eq(composed.chars()));
    if let (Some(one), None) = (equal.next(), equal.next()) {
        return Some((one.clone(), true));
    }
    let folded = composed.to_lowercase();
    let fold = |entry: &str| entry.nfc().collect::<String>().to_lowercase();
    listing.keys().find(|entry| fold(entry) == folded).map(|entry| (entry.to_owned(), false))
}

/// A path relative to a folder, as the user would type it.
pub(super) fn shown_from(folder: &str, relative: &str) -> String {
    let mut shown = folder.to_owned();
    for name in relative.split('/') {
        let last = shown.rsplit('/').next().unwrap_or_default();
        shown = match name {
            ".." if !matches!(last, "" | "..") => {
                let folder = shown.len() - last.len();
                // The slash of the root stays.
                shown[..folder]
                    .strip_suffix('/')
                    .filter(|f| !f.is_empty())
                    .map_or_else(|| shown[..folder].to_owned(), str::to_owned)
            }
            name => join(&shown, name),
        };
    }
    shown
}
