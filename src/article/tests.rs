//! The check as a whole.
//!
//! The rule to keep: a problem is compared as the whole line a person sees.

mod fields;
mod files;
mod fixtures;
mod folders;
mod properties;

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn problem_lines(checked: &Checked) -> Vec<String> {
    checked.invalid.iter().flat_map(|i| &i.problems).map(ToString::to_string).collect()
}

fn warning_lines(checked: &Checked) -> Vec<String> {
    checked.warnings.iter().map(ToString::to_string).collect()
}

fn code_of(line: &str) -> &str {
    line.split(": ").nth(1).unwrap()
}

/// A folder that holds files, for one test.
struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let folder = Self(TempDir::new().unwrap());
        for (path, content) in files {
            folder.write(path, content);
        }
        folder
    }

    #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
    fn write(&self, path: &str, content: &[u8]) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn check(&self, paths: &[&str], root: &str) -> Checked {
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        check(&paths, Path::new(root), self.path(), &Limits::default()).unwrap()
    }

    fn problems(&self, paths: &[&str], root: &str) -> Vec<String> {
        problem_lines(&self.check(paths, root))
    }
}

fn uploaded(address: &str) -> crate::render::splice::Uploaded<'_> {
    crate::render::splice::Uploaded { id: crate::names::AttachmentId::new(12).unwrap(), address }
}

const MD: &[u8] = b"---\ntitle: A\n---\nText.\n";
const SHOWS_X: &[u8] = b"---\ntitle: A\n---\n![](x.png)\n";

fn png() -> Vec<u8> {
    fs::read(repository().join("fixtures/bad/img/ok.png")).unwrap()
}
