//! A folder of articles with its settings, and the program run in it.
//!
//! Absent from here: the site. The one rule: after every run, every byte that the
//! program wrote is searched for the password, in each form in which it could show.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

pub(crate) use super::png::png;
use super::secrets::{Account, no_secret_in, read_all};

const ACCOUNT: Account = Account { user: "writer", password: "abcd EFGH 1234 ijkl MNOP 6789" };
pub(crate) const USER: &str = ACCOUNT.user;
pub(crate) const BODY: &str = "Only a body.";

/// The folder.
pub(crate) struct Desk {
    folder: tempfile::TempDir,
}

/// One run of the program.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) exit: i32,
    pub(crate) json: Value,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Desk {
    /// `network` holds further lines of `[network]`.
    pub(crate) fn new(url: &str, network: &str) -> Self {
        let folder = tempfile::Builder::new().prefix("oncepress-odd-").tempdir();
        let desk = Self { folder: folder.expect("a temporary folder") };
        fs::create_dir_all(desk.path("articles")).expect("a folder");
        let has = |key: &str| network.contains(key);
        let settle = if has("settle_s") { "" } else { "settle_s = 0\n" };
        let timeout = if has("timeout_s") { "" } else { "timeout_s = 20\n" };
        let delays = "lookup_delays_s = [0]\n";
        let config = format!(
            "[site]\nurl = \"{url}\"\nusername = \"{USER}\"\n\n\
             [network]\n{delays}{settle}{timeout}{network}\n"
        );
        desk.write("oncepress.toml", config);
        desk
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("the file is written");
    }

    /// Writes `articles/SLUG.md`.
    pub(crate) fn article(&self, slug: &str) {
        self.article_with(slug, "", BODY);
    }

    /// With further lines of front matter, and a body.
    pub(crate) fn article_with(&self, slug: &str, front_matter: &str, body: &str) {
        let text = format!("---\ntitle: The title of {slug}\n{front_matter}---\n\n{body}\n");
        self.write(&format!("articles/{slug}.md"), text);
    }

    /// An article with a picture, whose bytes are its own.
    pub(crate) fn article_with_picture(&self, slug: &str) {
        self.write(&format!("articles/{slug}.png"), png(slug.as_bytes()));
        self.article_with(slug, "", &format!("![A picture]({slug}.png)"));
    }

    /// Runs the program, and looks for secrets in all that it wrote.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, &[])
    }

    pub(crate) fn run_with(&self, args: &[&str], env: &[(&str, &str)]) -> Ran {
        let output = Command::new(env!("CARGO_BIN_EXE_oncepress"))
            .args(args)
            .current_dir(self.folder.path())
            .env_clear()
            .env("HOME", self.folder.path())
            .env("TMPDIR", self.folder.path())
            .env("ONCEPRESS_APP_PASSWORD", ACCOUNT.password)
            .envs(env.iter().copied())
            .output()
            .expect("the program runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        let exit = output.status.code().expect("it was not killed");
        let json = serde_json::from_str(&stdout).unwrap_or(Value::Null);
        if json.is_object() {
            crate::contract::judge(&json);
        }
        no_secret_in(self.folder.path(), &ACCOUNT, &stdout, &stderr);
        Ran { exit, json, stdout, stderr }
    }

    /// The phase of an article's record on the disk; `none` where it has no record.
    pub(crate) fn phase(&self, slug: &str) -> String {
        match self.journal().iter().find(|(name, _)| name.ends_with(&format!("/post/{slug}.json")))
        {
            Some((_, text)) => phase_in(text),
            None => "none".to_owned(),
        }
    }

    /// The files of the journal, by name.
    pub(crate) fn journal(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        let folder = self.path(".oncepress");
        if folder.exists() {
            read_all(&folder, &mut files);
        }
        files
    }
}

fn phase_in(record: &str) -> String {
    let record: Value = serde_json::from_str(record).expect("a record is JSON");
    record["phase"].as_str().expect("a record has a phase").to_owned()
}
