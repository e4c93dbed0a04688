//! A folder of article files for one case, and its check.
//!
//! Absent from here: what the files hold. The one rule: nothing is left behind.

use std::fs;
use std::path::{Path, PathBuf};

use oncepress::article::{Checked, Limits, check};
use tempfile::TempDir;

pub(crate) struct Folder(TempDir);

impl Folder {
    /// An empty folder, in memory where there is such a place.
    pub(crate) fn new() -> Self {
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
        Self(folder.unwrap())
    }

    /// A folder with the images of the demo articles, and `ok.png`.
    pub(crate) fn with_images() -> Self {
        let folder = Self::new();
        for (from, to) in [
            ("bad/img/ok.png", "ok.png"),
            ("demo/img/紅葉.webp", "img/紅葉.webp"),
            ("demo/photo-walk/img/red bridge.jpg", "img/red bridge.jpg"),
        ] {
            folder.write(to, &fs::read(fixtures().join(from)).unwrap());
        }
        folder
    }

    pub(crate) fn write(&self, name: &str, content: &[u8]) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Without its article files and sidecars.
    pub(crate) fn cleared(&self) -> &Self {
        for entry in fs::read_dir(self.0.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() && path.extension().is_some_and(|kind| kind != "png") {
                fs::remove_file(path).unwrap();
            }
        }
        self
    }

    pub(crate) fn check(&self) -> Checked {
        check(&[], Path::new("."), self.0.path(), &Limits::default()).unwrap()
    }

    /// Lines of one of its files, as editors count them: CR, LF and both together end one.
    pub(crate) fn lines(&self, name: &str) -> usize {
        let content = fs::read(self.0.path().join(name)).unwrap_or_default();
        let both = content.windows(2).filter(|pair| pair == b"\r\n").count();
        1 + content.iter().filter(|byte| matches!(byte, b'\r' | b'\n')).count() - both
    }
}

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// Every article file and sidecar of the fixtures, good and bad.
pub(crate) fn article_files() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for folder in ["demo", "demo/photo-walk", "bad"] {
        for entry in fs::read_dir(fixtures().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
            if path.is_file() && matches!(kind, "md" | "html" | "toml") {
                files.push((kind.to_owned(), fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}
