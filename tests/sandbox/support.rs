//! A project of the test's own, the program run in it, and a served simulated site.
//!
//! Absent from here: what a test expects. The one rule: nothing of the machine's
//! environment gets into a run.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use crate::contract;

/// One dot, as PNG.
const DOT: [u8; 67] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b,
    0x55, 0x00, 0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x08, 0xd7, 0x63, 0x60, 0x00, 0x00, 0x00,
    0x02, 0x00, 0x01, 0xe2, 0x21, 0xbc, 0x33, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae,
    0x42, 0x60, 0x82,
];

/// What a run left.
#[derive(Debug)]
pub(crate) struct Ran {
    /// Nothing if a signal killed it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// The document on standard output, which is as its schema says.
    pub(crate) fn json(&self) -> Value {
        let document = serde_json::from_str(&self.stdout);
        let document = document.unwrap_or_else(|error| panic!("{error}: {self:?}"));
        contract::judge(&document);
        document
    }

    /// The outcome of the only article, with its reason, its warnings and the exit code.
    pub(crate) fn in_a_line(&self) -> String {
        let json = self.json();
        let code = self.code.expect("it ended by itself");
        let [article] = json["articles"].as_array().expect("articles").as_slice() else {
            return format!("{} exit {code}", json["errors"][0]["code"]);
        };
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let reason = article["reason"].as_str().map(str::to_owned);
        let warnings = article["warnings"].as_array().expect("warnings").iter();
        let warnings = warnings.map(|warning| format!("+{}", text(&warning["code"])));
        let words = std::iter::once(text(&article["outcome"])).chain(reason).chain(warnings);
        let line = words.collect::<Vec<_>>().join(" ");
        format!("{line} exit {code}")
    }
}

/// A folder with a configuration and articles.
pub(crate) struct Project {
    folder: TempDir,
}

impl Project {
    /// With one article, which has an image and two tags.
    pub(crate) fn new(url: &str) -> Self {
        let project = Self { folder: tempfile::tempdir().expect("a folder") };
        project.configure(url, "");
        project.write(
            "articles/a-walk.md",
            "---\ntitle: A walk\ncategories: [Uncategorized]\ntags: [one, two]\n---\n\
             Text.\n\n![A dot](dot.png)\n",
        );
        project.write("articles/dot.png", DOT);
        project
    }

    /// Nobody waits: each reconciliation asks once.
    pub(crate) fn configure(&self, url: &str, more: &str) {
        let user = if url == "sandbox:" { "" } else { "username = \"admin\"\n" };
        self.write(
            "oncepress.toml",
            format!(
                "[site]\nurl = \"{url}\"\n{user}{more}\n[network]\nlookup_delays_s = [0]\n\
                 timeout_s = 1\n"
            ),
        );
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, content).expect("written");
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.path().join(name).exists()
    }

    /// The simulated site of `sandbox:`.
    pub(crate) fn kept(&self) -> Value {
        let text = fs::read_to_string(self.path().join(".oncepress/SANDBOX.json")).expect("kept");
        serde_json::from_str(&text).expect("JSON")
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, &[])
    }

    pub(crate) fn run_with(&self, args: &[&str], env: &[(&str, &str)]) -> Ran {
        let output = self.command(args).envs(env.iter().copied()).output().expect("it runs");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = program(self.path());
        command.args(args).env("ONCEPRESS_APP_PASSWORD", "sandboxAdministrator0001");
        command
    }
}

fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oncepress"));
    command.current_dir(folder).env_clear().env("HOME", folder).stdin(Stdio::null());
    command
}

/// `oncepress sandbox`, running.
pub(crate) struct Served {
    child: Child,
    pub(crate) told: Value,
    /// The address, without a slash at its end.
    pub(crate) url: String,
    folder: PathBuf,
}

impl Served {
    pub(crate) fn start(folder: &Path, args: &[&str]) -> Self {
        let mut command = program(folder);
        command.args(["sandbox", "--json"]).args(args).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().expect("it starts");
        let mut line = String::new();
        let stdout = child.stdout.as_mut().expect("its output");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let told: Value = serde_json::from_str(&line).expect("one JSON object");
        let url = told["url"].as_str().expect("a url").trim_end_matches('/').to_owned();
        Self { child, told, url, folder: folder.to_owned() }
    }

    /// The control route's answer: status and object.
    pub(crate) fn control(&self, method: &str, route: &str, body: &str) -> (u16, Value) {
        let (status, text) = self.ask(method, &format!("/-/oncepress/{route}"), body);
        let value = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{method} {route}: {error}: {text:?}"));
        (status, value)
    }

    /// Status and body of an answer; status 0 if none came.
    pub(crate) fn ask(&self, method: &str, target: &str, body: &str) -> (u16, String) {
        let host = self.url.strip_prefix("http://").expect("http");
        let length = body.len();
        self.raw(&format!(
            "{method} {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        ))
    }

    /// Sends this and leaves; comes back when the server has seen that.
    pub(crate) fn break_off(&self, request: &str) {
        let host = self.url.strip_prefix("http://").expect("http");
        let mut stream = TcpStream::connect(host).expect("a connection");
        stream.write_all(request.as_bytes()).expect("sent");
        stream.shutdown(Shutdown::Write).expect("ended");
        let _closed = stream.read_to_end(&mut Vec::new());
    }

    /// Sends this and nothing more, and reads to the end of the connection: status and
    /// body of what came; status 0 if nothing did.
    pub(crate) fn raw(&self, request: &str) -> (u16, String) {
        let host = self.url.strip_prefix("http://").expect("http");
        let mut stream = TcpStream::connect(host).expect("a connection");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = Vec::new();
        // A connection that breaks ends an answer, too.
        let _broken = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).expect("UTF-8");
        let Some((head, body)) = answer.split_once("\r\n\r\n") else { return (0, answer) };
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.expect("a status"), body.to_owned())
    }

    pub(crate) fn set(&self, faults: &[&str]) {
        let body = serde_json::json!({ "faults": faults }).to_string();
        let (status, told) = self.control("POST", "faults", &body);
        assert_eq!(status, 200, "{told}");
    }

    /// Arrivals of one kind.
    pub(crate) fn arrived(&self, kind: &str) -> usize {
        let (_, told) = self.control("GET", "arrivals", "");
        let arrivals = told["arrivals"].as_array().expect("a list");
        arrivals.iter().filter(|arrival| arrival["kind"] == kind).count()
    }

    /// The slugs of the rows of one kind, sorted.
    pub(crate) fn rows(&self, kind: &str) -> Vec<String> {
        let (_, told) = self.control("GET", "state", "");
        rows(&told["site"], kind)
    }

    /// Ends it by SIGTERM, and gives its exit code.
    pub(crate) fn stop(mut self) -> Option<i32> {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::TERM).expect("it is there");
        self.child.wait().expect("it ends").code()
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // Gone already, where the test has stopped it.
        let _gone = self.child.kill();
        let _gone = self.child.wait();
    }
}

/// The slugs of the rows of one kind in a site that was written down, sorted.
pub(crate) fn rows(site: &Value, kind: &str) -> Vec<String> {
    let posts = site["world"]["posts"].as_object().expect("posts");
    let of_kind = posts.values().filter(|post| post["kind"] == kind);
    let mut slugs: Vec<String> =
        of_kind.map(|post| post["slug"].as_str().expect("a slug").to_owned()).collect();
    slugs.sort();
    slugs
}

/// The id of the only row with this slug in a site that was written down.
pub(crate) fn id_of(site: &Value, slug: &str) -> u64 {
    let posts = site["world"]["posts"].as_object().expect("posts");
    let mut ids = posts.values().filter(|post| post["slug"] == slug).map(|post| &post["id"]);
    let id = ids.next().and_then(Value::as_u64).expect("a row");
    assert_eq!(ids.next(), None, "one row has the slug {slug}");
    id
}
