//! A project folder and a simulated site that the test's own process serves.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use jiff::Timestamp;
use oncepress::sandbox::{Kept, Kind, Listening, PostKind, Simulated, Version, World};
use serde_json::Value;
use tempfile::TempDir;

/// A user of the simulated site.
pub(crate) const LOGIN: &str = "author";
/// The articles of a project, by slug. They share an image and a tag.
pub(crate) const ARTICLES: [&str; 2] = ["first-walk", "second-walk"];

pub(crate) fn clock() -> oncepress::run::Clock {
    Arc::new(Timestamp::now)
}

/// A site that is served until this is dropped.
pub(crate) struct Site {
    pub(crate) kept: Arc<Kept>,
    pub(crate) url: String,
    end: Option<tokio::sync::oneshot::Sender<()>>,
    server: Option<std::thread::JoinHandle<()>>,
}

impl Site {
    pub(crate) fn serve() -> Self {
        let (tell, told) = std::sync::mpsc::channel();
        let (end, until) = tokio::sync::oneshot::channel::<()>();
        let server = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listening = Listening::on(0).await.unwrap();
                let url = listening.home();
                let site = Simulated::new(World::new(Version::V7_1, &url));
                let kept = Arc::new(Kept::in_memory(site));
                tell.send((kept.clone(), url)).unwrap();
                let until = async { drop(until.await) };
                listening.serve(kept, clock(), until).await;
            });
        });
        let (kept, url) = told.recv().unwrap();
        Self { kept, url, end: Some(end), server: Some(server) }
    }

    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut Simulated) -> T) -> T {
        self.kept.with(Timestamp::now(), work).expect("a site in memory")
    }

    /// Posts with this slug, whatever number it got.
    pub(crate) fn posts(&self, slug: &str) -> usize {
        self.rows(PostKind::Post, slug)
    }

    /// Uploads; the articles have one image, so more than one is one too many.
    pub(crate) fn attachments(&self) -> usize {
        self.rows(PostKind::Attachment, "")
    }

    fn rows(&self, kind: PostKind, slug: &str) -> usize {
        self.with(|site| {
            let rows = site.world().posts();
            rows.filter(|post| post.kind == kind && post.slug.starts_with(slug)).count()
        })
    }

    /// Creates of this slug that arrived at the site.
    pub(crate) fn creates(&self, slug: &str) -> usize {
        self.with(|site| {
            let of_slug = |slug_sent: &Option<String>| slug_sent.as_deref() == Some(slug);
            let arrivals = site.arrivals().iter();
            arrivals.filter(|a| a.kind == Kind::CreatePost && of_slug(&a.slug)).count()
        })
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        if let Some(end) = self.end.take() {
            let _ended_already = end.send(());
        }
        if let Some(server) = self.server.take() {
            server.join().expect("the server ends");
        }
    }
}

/// A folder with articles and a journal of its own.
pub(crate) struct Project(TempDir);

impl Project {
    pub(crate) fn new(url: &str) -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        project.write(
            "oncepress.toml",
            &format!(
                "[site]\nurl = \"{url}\"\nusername = \"{LOGIN}\"\n\
                 [network]\ntimeout_s = 20\nsettle_s = 0\nlookup_delays_s = [0]\n"
            ),
        );
        for slug in ARTICLES {
            let text = format!(
                "---\ntitle: The {slug}\ntags: [walks]\n---\nA walk.\n\n![A dot](dot.png)\n"
            );
            project.write(&format!("articles/{slug}.md"), &text);
        }
        let image = include_bytes!("../../fixtures/demo/img/once.png");
        std::fs::write(project.path().join("articles/dot.png"), image).unwrap();
        project
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// The program in this folder, with nothing of the machine's environment.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_oncepress"));
        command
            .current_dir(self.path())
            .env_clear()
            .env("HOME", self.path())
            .env("TMPDIR", self.path())
            .env("ONCEPRESS_APP_PASSWORD", password())
            .args(arguments)
            .arg("--json")
            .stdin(Stdio::null());
        command
    }

    /// Every record of the journal, by its path.
    pub(crate) fn records(&self) -> Vec<(PathBuf, Value)> {
        let mut found = Vec::new();
        let mut folders = vec![self.path().join(".oncepress")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "json") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    found.push((path, serde_json::from_str(&text).unwrap()));
                }
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    }
}

pub(crate) fn password() -> String {
    oncepress::sandbox::password_of(LOGIN).expect("a user of the simulated site")
}

/// Writes down what was counted, for the table that `scripts/test` prints.
pub(crate) fn count(name: &str, what: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/battery");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{}.txt", name.replace(' ', "-")));
    std::fs::write(file, format!("{name}: {what}\n")).unwrap();
}
