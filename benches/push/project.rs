//! A folder with articles, and `oncepress push` in it.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::Failure;
use crate::drafts::Draft;
use crate::lab::Lab;

/// Names its requests in nginx's log.
pub(crate) const USER_AGENT: &str = "OncePress/";

/// A project folder that nobody has pushed from yet.
pub(crate) struct Project {
    dir: TempDir,
    password: String,
}

/// What one push did.
pub(crate) struct Pushed {
    pub(crate) took: Duration,
    /// Requests that its run log tells of.
    pub(crate) exchanges: usize,
}

impl Project {
    /// Below cargo's target folder: on a real disk, as `/tmp` may not be.
    pub(crate) fn make(lab: &Lab, drafts: &[Draft]) -> Result<Self, Failure> {
        let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
        let articles = dir.path().join("articles");
        std::fs::create_dir(&articles)?;
        for draft in drafts {
            let text = format!("+++\ntitle = {:?}\n+++\n{}", draft.title, draft.html);
            put(&articles.join(format!("{}.html", draft.slug)), &text)?;
        }
        let config = format!("[site]\nurl = {:?}\nusername = {:?}\n", lab.url, lab.user);
        put(&dir.path().join("oncepress.toml"), &config)?;
        Ok(Self { dir, password: lab.password.clone() })
    }

    /// Runs `oncepress push` from start to exit; all articles must end in this way.
    pub(crate) fn push(&self, outcome: &str, articles: usize) -> Result<Pushed, Failure> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_oncepress"));
        command
            .args(["push", "--json", "--quiet"])
            .current_dir(self.dir.path())
            .env("ONCEPRESS_APP_PASSWORD", &self.password)
            .stdin(Stdio::null());
        let started = Instant::now();
        let output = command.output()?;
        let took = started.elapsed();
        let told = String::from_utf8_lossy(&output.stdout);
        let failed = || {
            let errors = String::from_utf8_lossy(&output.stderr);
            format!("oncepress push ended with {}: {told}{errors}", output.status)
        };
        if !output.status.success() {
            return Err(failed().into());
        }
        let result: Value = serde_json::from_str(&told)?;
        if result["counts"][outcome] != articles {
            return Err(failed().into());
        }
        let run = result["run_id"].as_str().ok_or_else(failed)?;
        Ok(Pushed { took, exchanges: self.exchanges(run)? })
    }

    fn exchanges(&self, run: &str) -> Result<usize, Failure> {
        let journal = self.dir.path().join(".oncepress");
        for site in std::fs::read_dir(&journal)? {
            let log = site?.path().join("runs").join(format!("{run}.ndjson"));
            if log.is_file() {
                let text = std::fs::read_to_string(log)?;
                let is_exchange = |line: &&str| line.contains("\"event\":\"exchanged\"");
                return Ok(text.lines().filter(is_exchange).count());
            }
        }
        Err(format!("there is no log of run {run} in {}", journal.display()).into())
    }
}

fn put(path: &Path, text: &str) -> Result<(), Failure> {
    Ok(std::fs::File::create_new(path)?.write_all(text.as_bytes())?)
}
