//! A folder in memory, in which command lines are run one after the other.
//!
//! Absent from here: the site, and what a command should do. The one rule: before each
//! command the folder is made what the state says, and after it the state is made what
//! the folder says.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oncepress::cli::inside::{self, Said, Surroundings};
use oncepress::run::interrupt::Interrupt;
use oncepress::run::{Clock, Random};
use oncepress::wordpress::Carrier;

use crate::cast::{Cast, JOURNAL, image_bytes, image_path};
use crate::state::{Files, State};

/// A disk that is memory: what a sync costs is not looked at here.
const MEMORY: &str = "/dev/shm";

/// The folder of one thread.
#[derive(Debug)]
pub(crate) struct Desk {
    folder: tempfile::TempDir,
    /// What lies there.
    there: Files,
}

/// What surrounds a command.
pub(crate) struct Around {
    pub(crate) clock: Clock,
    pub(crate) random: Random,
    pub(crate) carrier: Carrier,
    pub(crate) interrupt: Interrupt,
}

/// Runs commands in a folder.
#[derive(Debug, Clone)]
pub(crate) struct Seat {
    folder: PathBuf,
    password: String,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix("oncepress-histories-");
        let folder =
            if Path::new(MEMORY).is_dir() { builder.tempdir_in(MEMORY) } else { builder.tempdir() };
        let folder = folder.expect("a temporary folder");
        fs::create_dir_all(folder.path().join("articles/img")).expect("a folder");
        Self { folder, there: Files::new() }
    }

    /// Makes the folder what the state says, and gives a seat in it.
    pub(crate) fn lay_out(&mut self, cast: &Cast, state: &State) -> Seat {
        let mut wanted = state.journal.clone();
        wanted.insert("oncepress.toml".to_owned(), cast.config().into_bytes().into());
        for (article, version) in state.articles.iter().enumerate() {
            let text = cast.article_text(article, *version);
            wanted.insert(cast.article_path(article), text.into_bytes().into());
        }
        for (image, version) in state.images.iter().enumerate() {
            wanted.insert(image_path(image), image_bytes(image, *version).into());
        }
        if state.journal.is_empty() {
            // No run has been here, so there are no folders either.
            let journals = self.path(".oncepress");
            if journals.exists() {
                fs::remove_dir_all(journals).expect("the journal is removed");
            }
            self.there.retain(|name, _| !name.starts_with(".oncepress/"));
        }
        let gone = self.there.keys().filter(|name| !wanted.contains_key(*name));
        for name in gone {
            fs::remove_file(self.path(name)).expect("the file is removed");
        }
        for (name, bytes) in &wanted {
            if self.there.get(name) != Some(bytes) {
                let path = self.path(name);
                fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
                fs::write(path, bytes).expect("the file is written");
            }
        }
        self.there = wanted;
        Seat { folder: self.folder.path().to_owned(), password: cast.password.clone() }
    }

    /// Takes the journal's files, and looks for the password in them and in the logs,
    /// which are then removed.
    pub(crate) fn clear_away(&mut self, cast: &Cast) -> (Files, Vec<String>) {
        let mut found = Files::new();
        let root = self.folder.path().to_owned();
        let mut leaks = Vec::new();
        read_all(&root, &root, &mut |name, bytes| {
            if let Some(form) = secret_in(cast, bytes) {
                leaks.push(format!("no-secret: {form} is in {name}"));
            }
            let old = self.there.get(name).filter(|old| ***old == *bytes);
            found.insert(name.to_owned(), old.cloned().unwrap_or_else(|| bytes.into()));
        });
        let logs = format!("{JOURNAL}/runs/");
        for name in found.keys().filter(|name| name.starts_with(&logs)) {
            fs::remove_file(root.join(name)).expect("the log is removed");
        }
        found.retain(|name, _| !name.starts_with(&logs));
        self.there = found;
        (self.journal(), leaks)
    }

    fn journal(&self) -> Files {
        let journal = self.there.iter().filter(|(name, _)| name.starts_with(".oncepress/"));
        journal.map(|(name, bytes)| (name.clone(), bytes.clone())).collect()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

impl Seat {
    pub(crate) fn run(&self, arguments: &[&str], around: Around) -> Said {
        let home = self.folder.display().to_string();
        let env = [
            ("HOME", home.as_str()),
            ("TMPDIR", &home),
            ("USER", "ann"),
            ("ONCEPRESS_APP_PASSWORD", &self.password),
        ];
        let Around { clock, random, carrier, interrupt } = around;
        let surroundings = Surroundings {
            cwd: self.folder.clone(),
            env: env.map(|(key, value)| (key.to_owned(), value.to_owned())).into(),
            clock,
            random,
            carrier: Some(carrier),
            interrupt,
        };
        inside::run(arguments, surroundings)
    }

    /// A file of the journal as it is on the disk now.
    pub(crate) fn record(&self, name: &str) -> Option<serde_json::Value> {
        let bytes = fs::read(self.folder.join(JOURNAL).join(name)).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Every file of the journal but the logs, as it is on the disk now.
    pub(crate) fn journal(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        let journal = self.folder.join(JOURNAL);
        if journal.is_dir() {
            read_all(&journal, &journal, &mut |name, bytes| {
                found.insert(name.to_owned(), bytes.to_vec());
            });
        }
        found.retain(|name, _| !name.starts_with("runs/"));
        found
    }
}

fn read_all(root: &Path, folder: &Path, take: &mut dyn FnMut(&str, &[u8])) {
    for entry in fs::read_dir(folder).expect("the folder is read") {
        let entry = entry.expect("an entry");
        let path = entry.path();
        if entry.file_type().expect("a type").is_dir() {
            read_all(root, &path, take);
        } else {
            let name = path.strip_prefix(root).expect("below the root");
            let bytes = fs::read(&path).expect("the file is read");
            take(name.to_str().expect("UTF-8"), &bytes);
        }
    }
}

/// The form of the password that stands in these bytes, if one does.
pub(crate) fn secret_in<'c>(cast: &'c Cast, bytes: &[u8]) -> Option<&'c str> {
    let stands_in = |form: &&String| memchr::memmem::find(bytes, form.as_bytes()).is_some();
    cast.secrets.iter().find(stands_in).map(String::as_str)
}

/// Shared bytes that are the same bytes.
pub(crate) fn same(one: &Files, other: &Files) -> bool {
    let equal = |(a, b): ((&String, &Arc<[u8]>), (&String, &Arc<[u8]>))| {
        a.0 == b.0 && (Arc::ptr_eq(a.1, b.1) || a.1 == b.1)
    };
    one.len() == other.len() && one.iter().zip(other).all(equal)
}
