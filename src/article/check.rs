//! The check of a set of files: each by itself, then all against each other.
//!
//! Absent from here: what can be wrong with one file (`reading.rs`). The rule to keep:
//! every file ends as an article or with its problems; none is dropped, and one file's
//! problems never hide another's.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use unicode_normalization::UnicodeNormalization;

use crate::names::PostType;

use super::fault::{Finding, quoted};
use super::image::Contents;
use super::limits::Limits;
use super::locate::Listings;
use super::problem::{CheckError, Checked, InvalidArticle, Problem};
use super::reading::{Reading, read};
use super::scan::scan;
use super::slug;

/// How far a check got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilesChecked {
    /// Article files that were read.
    pub done: usize,
    /// Article files in all.
    pub all: usize,
}

/// Checks the articles that `paths` mean: files or folders, relative to `base` (the
/// working directory). Without any, `root` (the articles folder) is meant.
///
/// Images are read only from inside `root`; for a path outside of it, from inside the
/// folder that was given (or the folder of the file that was given). Nothing is written.
pub fn check(
    paths: &[PathBuf],
    root: &Path,
    base: &Path,
    limits: &Limits,
) -> Result<Checked, CheckError> {
    check_watched(paths, root, base, limits, &|_| ())
}

/// The same, and tells `watch` of each file that was read, from several threads at once.
pub fn check_watched(
    paths: &[PathBuf],
    root: &Path,
    base: &Path,
    limits: &Limits,
    watch: &(dyn Fn(FilesChecked) + Sync),
) -> Result<Checked, CheckError> {
    let found = scan(paths, root, base, limits)?;
    let (listings, contents) = (Listings::default(), Contents::default());
    let done = AtomicUsize::new(0);
    let mut readings: Vec<Reading> = found
        .sources
        // On all processors; what comes out is in the order of what went in.
        .par_iter()
        .map(|source| {
            let reading = read(source, &listings, &contents, limits);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            watch(FilesChecked { done, all: found.sources.len() });
            reading
        })
        .collect();
    find_collisions(&mut readings);

    let mut checked = Checked { warnings: found.warnings, ..Checked::default() };
    for reading in readings {
        let Reading { path, slug, mut problems, warnings, article, .. } = reading;
        checked.warnings.extend(warnings);
        match article {
            Some(article) if problems.is_empty() => checked.articles.push(*article),
            _ => {
                problems.sort_by(|a, b| (a.line, &a.path).cmp(&(b.line, &b.path)));
                // A page that shows the same missing image ten times on a line has one problem.
                problems.dedup();
                debug_assert!(!problems.is_empty(), "an article is missing without a problem");
                checked.invalid.push(InvalidArticle { path, slug: slug.map(|s| s.text), problems });
            }
        }
    }
    checked.warnings.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    Ok(checked)
}

/// Tells articles whose slugs are one to WordPress, or would be on another file system.
fn find_collisions(readings: &mut [Reading]) {
    let mut groups: BTreeMap<(PostType, String), Vec<usize>> = BTreeMap::new();
    for (index, reading) in readings.iter().enumerate() {
        let Some(slug) = &reading.slug else { continue };
        let composed: String = slug.text.nfc().collect();
        let stored = slug::stored_form(&composed);
        if !stored.is_empty() {
            groups.entry((reading.post_type, stored)).or_default().push(index);
        }
    }
    for group in groups.values().filter(|group| group.len() > 1) {
        let paths: Vec<String> =
            group.iter().filter_map(|index| readings.get(*index)).map(|r| r.path.clone()).collect();
        for (place, index) in group.iter().enumerate() {
            if let Some(reading) = readings.get_mut(*index) {
                tell_collision(reading, place, &paths);
            }
        }
    }
}

fn tell_collision(reading: &mut Reading, own_place: usize, paths: &[String]) {
    /// Enough to see what happened.
    const NAMES_MAX: usize = 5;
    let Some(slug) = &reading.slug else { return };
    let others = || paths.iter().enumerate().filter(|(place, _)| *place != own_place);
    let mut names: Vec<&str> = others().map(|(_, path)| path.as_str()).take(NAMES_MAX).collect();
    let more = others().count() - names.len();
    let more = format!("{more} more");
    if names.len() < paths.len() - 1 {
        names.push(&more);
    }
    let message = format!(
        "the slug {} is also that of {}: give each article its own",
        quoted(&slug.text),
        names.join(", ")
    );
    let finding = Finding::new(slug.line, "slug_collision", message);
    reading.problems.push(Problem::new(&slug.path, finding));
}
