//! The real WordPress of `scripts/lab`: where it is, what arrived there, what it holds.
//!
//! The one rule: only rows of this benchmark are deleted; the site may be in use.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::Failure;
use crate::drafts::Draft;

const VERSION: &str = "7.1";
/// How long nginx may take to write down what it has answered.
const LOG_WAIT: Duration = Duration::from_millis(100);

/// One site of the lab, and an account on it.
pub(crate) struct Lab {
    pub(crate) full_version: String,
    pub(crate) url: String,
    pub(crate) user: &'static str,
    pub(crate) password: String,
    /// Begins all slugs of this benchmark.
    pub(crate) token: String,
    dir: PathBuf,
    access_log: PathBuf,
}

impl Lab {
    /// Finds the site in the lab's folder: `ONCEPRESS_LAB`, else `target/lab`.
    pub(crate) fn open() -> Result<Self, Failure> {
        let dir = environment("ONCEPRESS_LAB").map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("target/lab"),
            PathBuf::from,
        );
        let file = dir.join("lab.json");
        let text = std::fs::read_to_string(&file)
            .map_err(|error| format!("{}: {error}; run scripts/bench", file.display()))?;
        let lab: Value = serde_json::from_str(&text)?;
        let site = lab["sites"]
            .as_array()
            .and_then(|sites| sites.iter().find(|site| site["version"] == VERSION))
            .ok_or_else(|| format!("{} has no site {VERSION}", file.display()))?;
        let text = |value: &Value| value.as_str().map(str::to_owned).ok_or("lab.json lacks a text");
        let user = "editor";
        Ok(Self {
            full_version: text(&site["full_version"])?,
            url: text(&site["url"])?,
            user,
            password: text(&site["users"][user]["password"])?,
            token: format!("bench-{:08x}", getrandom::u32()?),
            access_log: Path::new(&text(&site["path"])?).join("../log/access.log"),
            dir,
        })
    }

    /// Begins to count.
    pub(crate) fn arrivals(&self) -> Result<Arrivals<'_>, Failure> {
        std::thread::sleep(LOG_WAIT);
        let from = std::fs::metadata(&self.access_log)?.len();
        Ok(Arrivals { lab: self, from })
    }

    /// The site holds these drafts, each once, with this title and this body.
    pub(crate) fn expect_drafts(&self, drafts: &[Draft]) -> Result<(), Failure> {
        let rows = self.sql(&format!(
            "SELECT post_name, CONCAT(SHA2(post_title, 256), SHA2(TRIM(TRAILING CHAR(10) FROM post_content), 256)) \
             FROM wp_posts WHERE post_type = 'post' AND post_status = 'draft' \
             AND post_name LIKE '{}-%' ORDER BY post_name",
            self.token
        ))?;
        let digest = |text: &str| oncepress::names::Digest::of(text.as_bytes()).to_string();
        let expected: Vec<String> = drafts
            .iter()
            .map(|draft| {
                format!("{}\t{}{}", draft.slug, digest(&draft.title), digest(draft.html.trim()))
            })
            .collect();
        let found: Vec<&str> = rows.lines().collect();
        match expected.iter().zip(&found).find(|(expected, found)| expected != *found) {
            Some((expected, found)) => {
                Err(format!("a draft is not as it was sent: {expected} became {found}").into())
            }
            None if found.len() != expected.len() => {
                Err(format!("{} drafts became {}", expected.len(), found.len()).into())
            }
            None => Ok(()),
        }
    }

    /// Deletes the posts of this benchmark, so that the site does not grow.
    pub(crate) fn delete_drafts(&self) -> Result<(), Failure> {
        self.sql(&format!(
            "DELETE p, m, r FROM wp_posts p \
             LEFT JOIN wp_postmeta m ON m.post_id = p.ID \
             LEFT JOIN wp_term_relationships r ON r.object_id = p.ID \
             WHERE p.post_name LIKE '{}-%'",
            self.token
        ))?;
        Ok(())
    }

    fn sql(&self, query: &str) -> Result<String, Failure> {
        let output = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/lab"))
            .args(["sql", "--dir"])
            .arg(&self.dir)
            .args([VERSION, query])
            .output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }
}

/// The requests since some moment, as nginx wrote them down: it does so anyway, so that
/// counting costs no lane anything.
pub(crate) struct Arrivals<'a> {
    lab: &'a Lab,
    from: u64,
}

impl Arrivals<'_> {
    /// How many requests came from clients of this name.
    pub(crate) fn since(&self, user_agent: &str) -> Result<usize, Failure> {
        std::thread::sleep(LOG_WAIT);
        let mut log = File::open(&self.lab.access_log)?;
        log.seek(SeekFrom::Start(self.from))?;
        let mut text = String::new();
        log.read_to_string(&mut text)?;
        Ok(text.lines().filter(|line| line.contains(&format!("\"{user_agent}"))).count())
    }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark is a program of its own")]
pub(crate) fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.is_empty())
}
