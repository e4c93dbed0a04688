//! A folder of articles of the test's own, and pictures with bytes of their own.
//!
//! Absent from here: running anything. The one rule: everything that a run may read or
//! write lies in one temporary folder, so that "nothing was written" can be checked.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The folder: `project/` with config, articles and journal, and `home/`.
#[derive(Debug)]
pub(crate) struct Project {
    folder: tempfile::TempDir,
}

/// One file or folder, as a change of it would show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    modified: SystemTime,
    /// Nothing for a folder.
    content: Option<Vec<u8>>,
}

/// Everything below a folder.
pub(crate) type Listing = BTreeMap<PathBuf, Entry>;

impl Project {
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("oncepress-it-").tempdir();
        let project = Self { folder: folder.expect("a temporary folder") };
        for path in [project.path().join("articles"), project.home()] {
            fs::create_dir_all(path).expect("a folder in it");
        }
        project
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
        fs::write(path, content).expect("the file is written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).expect("the file is read")
    }

    /// The settings for one site. Each reconciliation asks once: no scene waits for a
    /// clock.
    pub(crate) fn configure(&self, url: &str, user: &str, network: &str) {
        let config = format!(
            "[site]\nurl = \"{url}\"\nusername = \"{user}\"\n\n\
             [network]\n{network}\nlookup_delays_s = [0]\n"
        );
        self.write("oncepress.toml", config);
    }

    /// Writes `articles/SLUG.md` with these front matter lines and this body.
    pub(crate) fn article(&self, slug: &str, front_matter: &str, body: &str) {
        let text = format!("---\n{front_matter}---\n\n{body}\n");
        self.write(&format!("articles/{slug}.md"), text);
    }

    /// Writes a picture that no other test has under `articles/`, too small for
    /// WordPress to make smaller sizes of it.
    pub(crate) fn picture(&self, name: &str) {
        self.write(&format!("articles/{name}"), png(8, 0));
    }

    /// As [`Project::picture`], of which WordPress makes smaller sizes.
    pub(crate) fn picture_with_sizes(&self, name: &str) {
        self.write(&format!("articles/{name}"), png(400, 0));
    }

    /// As [`Project::picture`], with so many bytes in it that decoders skip.
    pub(crate) fn large_picture(&self, name: &str, padding_bytes: usize) {
        self.write(&format!("articles/{name}"), png(8, padding_bytes));
    }

    /// Everything in the temporary folder, home included.
    pub(crate) fn listing(&self) -> Listing {
        let mut listing = Listing::new();
        list(self.folder.path(), &mut listing);
        listing
    }

    /// The files of the journal, by name, as text.
    pub(crate) fn journal(&self) -> BTreeMap<PathBuf, String> {
        let mut listing = Listing::new();
        let folder = self.path().join(".oncepress");
        if folder.exists() {
            list(&folder, &mut listing);
        }
        listing
            .into_iter()
            .filter_map(|(path, entry)| {
                let content = entry.content?;
                Some((path, String::from_utf8_lossy(&content).into_owned()))
            })
            .collect()
    }

    /// What users must never do.
    pub(crate) fn delete_the_journal(&self) {
        fs::remove_dir_all(self.path().join(".oncepress")).expect("there is a journal");
    }
}

impl Entry {
    pub(crate) fn contains(&self, text: &str) -> bool {
        let wanted = text.as_bytes();
        self.content
            .as_ref()
            .is_some_and(|content| content.windows(wanted.len()).any(|window| window == wanted))
    }
}

fn list(folder: &Path, into: &mut Listing) {
    for entry in fs::read_dir(folder).expect("the folder is read") {
        let path = entry.expect("an entry").path();
        let about = fs::symlink_metadata(&path).expect("about the entry");
        let modified = about.modified().expect("a time of change");
        let content = about.is_file().then(|| fs::read(&path).expect("the file is read"));
        if about.is_dir() {
            list(&path, into);
        }
        into.insert(path, Entry { modified, content });
    }
}

pub(crate) fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("random bytes");
    bytes
}

/// A name that no other test, and no earlier run of this one, has used.
pub(crate) fn unique(stem: &str) -> String {
    format!("{stem}-{:010x}", u64::from_be_bytes(random_bytes()) >> 24)
}

/// A square PNG of black and white noise that no other has, with a chunk of padding.
pub(crate) fn png(side: u16, padding_bytes: usize) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = [u32::from(side).to_be_bytes(), u32::from(side).to_be_bytes()].concat();
    // One bit a pixel, grey; the usual methods.
    header.extend_from_slice(&[1, 0, 0, 0, 0]);
    chunk(&mut file, *b"IHDR", &header);
    if padding_bytes > 0 {
        chunk(&mut file, *b"paDd", &vec![b'.'; padding_bytes]);
    }
    let noise = random_bytes::<8>();
    let mut rows = Vec::new();
    for row in 0..usize::from(side) {
        rows.push(0);
        rows.extend((0..usize::from(side) / 8).map(|column| noise[(row + column) % 8]));
    }
    chunk(&mut file, *b"IDAT", &stored_zlib(&rows));
    chunk(&mut file, *b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, name: [u8; 4], data: &[u8]) {
    let length = u32::try_from(data.len()).expect("a small chunk");
    file.extend_from_slice(&length.to_be_bytes());
    let start = file.len();
    file.extend_from_slice(&name);
    file.extend_from_slice(data);
    let sum = crc32(&file[start..]);
    file.extend_from_slice(&sum.to_be_bytes());
}

/// A zlib stream with one block that is not compressed.
fn stored_zlib(data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).expect("a small block");
    let mut stream = vec![0x78, 0x01, 0x01];
    stream.extend_from_slice(&length.to_le_bytes());
    stream.extend_from_slice(&(!length).to_le_bytes());
    stream.extend_from_slice(data);
    let (mut low, mut high) = (1_u32, 0_u32);
    for byte in data {
        low = (low + u32::from(*byte)) % 65521;
        high = (high + low) % 65521;
    }
    stream.extend_from_slice(&(high << 16 | low).to_be_bytes());
    stream
}

fn crc32(data: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in data {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    !sum
}
