//! Running the program: to its end, or held on a leash so that it can be killed.
//!
//! Absent from here: what a scene expects. The one rule: what every run promises
//! (one JSON object, counts that add up, an exit code that it also says) is checked for
//! every run, not where a test thinks of it.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::contract;

/// A run that has ended.
#[derive(Debug, Clone)]
pub(crate) struct Ran {
    pub(crate) command: String,
    /// The exit code, or the negative number of the signal that killed it.
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// What `--json` printed; null without it, and after a kill.
    pub(crate) json: Value,
}

impl Ran {
    fn new(command: String, status: ExitStatus, stdout: String, stderr: String) -> Self {
        let code = status.code().or_else(|| status.signal().map(|signal| -signal));
        let code = code.expect("a run ends by itself or by a signal");
        let mut ran = Self { command, code, stdout, stderr, json: Value::Null };
        if ran.command.contains("--json") && code >= 0 {
            ran.json = serde_json::from_str(&ran.stdout)
                .unwrap_or_else(|error| panic!("not one JSON object: {error}\n{}", ran.story()));
            ran.check_promises();
        }
        ran
    }

    /// What spec §12 says of every result.
    fn check_promises(&self) {
        let json = &self.json;
        assert!(json.is_object(), "not a JSON object\n{}", self.story());
        contract::judge(json);
        let said = (&json["exit_code"], &json["ok"]);
        let is = (&Value::from(self.code), &Value::from(self.code == 0));
        assert_eq!(said, is, "exit_code and ok are not what the shell sees\n{}", self.story());
        let first = self.command.split(' ').next().unwrap_or_default();
        if !matches!(first, "push" | "plan" | "status") {
            return;
        }
        assert_eq!(json["schema"], "oncepress.result/1", "{}", self.story());
        assert_eq!(json["command"], first, "{}", self.story());
        for article in json["articles"].as_array().expect("articles is a list") {
            self.check_article(article);
        }
        if first == "push" {
            self.check_counts();
        }
    }

    fn check_article(&self, article: &Value) {
        let fact = match article["outcome"].as_str() {
            Some("created" | "completed") => "confirmed",
            Some("unknown") => "possible",
            Some("rejected" | "invalid") => "none",
            // A deferral is never in doubt; its article may have a receipt.
            Some("deferred") => {
                assert_ne!(article["remote_effect"], "possible", "{}", self.story());
                return;
            }
            _ => return,
        };
        assert_eq!(article["remote_effect"], fact, "{article}\n{}", self.story());
    }

    fn check_counts(&self) {
        let counts = self.json["counts"].as_object().expect("counts is an object");
        let articles = self.json["articles"].as_array().expect("articles is a list");
        for (outcome, count) in counts {
            let have = articles.iter().filter(|article| article["outcome"] == *outcome).count();
            assert_eq!(*count, have, "count of {outcome}\n{}", self.story());
        }
        let total: u64 = counts.values().filter_map(Value::as_u64).sum();
        assert_eq!(total, articles.len() as u64, "no article is forgotten\n{}", self.story());
    }

    /// What the run says of this article; a file that is none yet is known by its path.
    pub(crate) fn article(&self, slug: &str) -> &Value {
        let articles = self.json["articles"].as_array();
        let path = format!("articles/{slug}.md");
        let is = |article: &&Value| article["slug"] == slug || article["path"] == path;
        articles
            .and_then(|articles| articles.iter().find(is))
            .unwrap_or_else(|| panic!("no word about {slug}\n{}", self.story()))
    }

    /// The id of the post that the run names for this article.
    pub(crate) fn post_id(&self, slug: &str) -> u64 {
        let id = self.article(slug)["post_id"].as_u64();
        id.unwrap_or_else(|| panic!("no post_id for {slug}\n{}", self.story()))
    }

    /// The whole truth about one run with one article.
    #[track_caller]
    pub(crate) fn ends(&self, code: i32, slug: &str, outcome: &str, reason: Option<&str>) -> &Self {
        self.exits(code);
        self.says(slug, outcome, reason)
    }

    /// What a run with several articles says of one.
    #[track_caller]
    pub(crate) fn says(&self, slug: &str, outcome: &str, reason: Option<&str>) -> &Self {
        let article = self.article(slug);
        let key = if article.get("action").is_some() { "action" } else { "outcome" };
        let said = (article[key].as_str(), article["reason"].as_str());
        assert_eq!(said, (Some(outcome), reason), "{article:#}");
        self
    }

    #[track_caller]
    pub(crate) fn exits(&self, code: i32) -> &Self {
        assert_eq!(self.code, code, "the exit code of {}", self.command);
        self
    }

    /// The warnings' codes of one article.
    pub(crate) fn warnings(&self, slug: &str) -> Vec<String> {
        codes(&self.article(slug)["warnings"])
    }

    /// The codes of what stopped the run.
    pub(crate) fn errors(&self) -> Vec<String> {
        codes(&self.json["errors"])
    }

    pub(crate) fn story(&self) -> String {
        format!(
            "$ oncepress {}\nexit {}\n--- stdout\n{}\n--- stderr\n{}\n",
            self.command, self.code, self.stdout, self.stderr
        )
    }
}

/// The codes in a list of notes.
pub(crate) fn codes(notes: &Value) -> Vec<String> {
    let notes = notes.as_array().map(Vec::as_slice).unwrap_or_default();
    let code = |note: &Value| note["code"].as_str().unwrap_or("(no code)").to_owned();
    notes.iter().map(code).collect()
}

/// The program in this folder, with an environment that has nothing of ours.
pub(crate) fn oncepress(folder: &Path, home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oncepress"));
    command.args(args).current_dir(folder).env_clear();
    command.env("PATH", "/usr/bin:/bin").env("HOME", home).stdin(Stdio::null());
    command
}

/// A run that goes on.
#[derive(Debug)]
pub(crate) struct Spawned {
    command: String,
    child: Child,
    stdout: Listener,
    stderr: Listener,
}

/// Collects what a run prints, while it prints.
#[derive(Debug)]
struct Listener {
    heard: Arc<Mutex<String>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Listener {
    fn new(mut from: impl Read + Send + 'static) -> Self {
        let heard = Arc::new(Mutex::new(String::new()));
        let into = Arc::clone(&heard);
        let thread = thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(bytes @ 1..) = from.read(&mut buffer) {
                let text = String::from_utf8_lossy(&buffer[..bytes]);
                into.lock().unwrap_or_else(PoisonError::into_inner).push_str(&text);
            }
        });
        Self { heard, thread: Some(thread) }
    }

    fn so_far(&self) -> String {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn whole(mut self) -> String {
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the listener ends with the run");
        }
        self.so_far()
    }
}

/// How often a condition of a running program is looked at. Not a limit.
const LOOK_EVERY: Duration = Duration::from_millis(10);

impl Spawned {
    pub(crate) fn new(mut command: Command, words: String) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let stdout = Listener::new(child.stdout.take().expect("its stdout"));
        let stderr = Listener::new(child.stderr.take().expect("its stderr"));
        Self { command: words, child, stdout, stderr }
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("the child can be asked").is_some()
    }

    /// What it has printed so far.
    pub(crate) fn talk(&self) -> String {
        format!("$ {}\n{}\n{}", self.command, self.stdout.so_far(), self.stderr.so_far())
    }

    /// Its process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).expect("the run is still there");
    }

    /// Waits until the run has one of its files below this folder open.
    pub(crate) fn wait_for_open_file(&mut self, folder: &Path) {
        let descriptors = format!("/proc/{}/fd", self.child.id());
        let open = || -> bool {
            let Ok(entries) = std::fs::read_dir(&descriptors) else { return false };
            entries
                .flatten()
                .filter_map(|entry| std::fs::read_link(entry.path()).ok())
                .any(|path| path.starts_with(folder))
        };
        self.wait_until(open, "opened a file of the journal");
    }

    /// Waits until it has said this on stderr.
    pub(crate) fn wait_for_word(&mut self, word: &str) {
        let heard = Arc::clone(&self.stderr.heard);
        let said = || heard.lock().unwrap_or_else(PoisonError::into_inner).contains(word);
        self.wait_until(said, word);
    }

    fn wait_until(&mut self, mut condition: impl FnMut() -> bool, what: &str) {
        while !condition() {
            assert!(!self.has_ended(), "the run ended before it {what}:\n{}", self.talk());
            thread::sleep(LOOK_EVERY);
        }
    }

    /// Its end, whenever it comes.
    pub(crate) fn finish(mut self) -> Ran {
        let status = self.child.wait().expect("the run ends");
        Ran::new(self.command, status, self.stdout.whole(), self.stderr.whole())
    }

    /// Its end, by SIGKILL.
    pub(crate) fn kill(self) -> Ran {
        self.signal(Signal::KILL);
        self.finish()
    }
}
