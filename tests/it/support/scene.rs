//! A scene: one real site, one proxy before it, one folder of articles, one user.
//!
//! Absent from here: the scenes. The one rule: every scene ends by saying how many
//! requests arrived and how many rows the database has; a scene that forgets to, that
//! changed what was there, or that leaked the password, fails here.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::process::Command;
use std::thread;

use serde_json::{Value, json};

use super::lab::{PostRow, Site};
use super::project::{Project, unique};
use super::proxy::Proxy;
use super::rules::{Fault, Kind};
use super::run::{Ran, Spawned, oncepress};

/// See the module.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) site: Site,
    pub(crate) proxy: Proxy,
    pub(crate) project: Project,
    user: String,
    told: RefCell<Vec<String>>,
    proved: Cell<bool>,
}

/// Title, body and slug of a plain article.
pub(crate) fn front_matter(slug: &str) -> String {
    format!("title: \"About {slug}\"\n")
}

/// A body of two paragraphs. Nothing in it is changed by WordPress's filters.
pub(crate) const BODY: &str = "The first paragraph.\n\nThe second one, with *emphasis*.";

impl Scene {
    /// A scene on the site of this version, as an author: the user whose HTML is
    /// filtered and who does not see other people's drafts.
    pub(crate) fn on(version: &str) -> Self {
        Self::as_user(version, "author")
    }

    pub(crate) fn as_user(version: &str, user: &str) -> Self {
        let site = Site::of(version);
        let (proxy, project) = (site.proxy(), Project::new());
        project.configure(&proxy.url(), user, "settle_s = 0");
        Self {
            site,
            proxy,
            project,
            user: user.to_owned(),
            told: RefCell::default(),
            proved: Cell::new(false),
        }
    }

    /// The site could still be working on a request for so long.
    pub(crate) fn settles_after(&self, seconds: u32) {
        let network = format!("settle_s = {seconds}");
        self.project.configure(&self.proxy.url(), &self.user, &network);
    }

    /// A request is given up after so long, and the site could still work on it.
    pub(crate) fn gives_up_after(&self, seconds: u32) {
        let network = format!("settle_s = 3600\ntimeout_s = {seconds}");
        self.project.configure(&self.proxy.url(), &self.user, &network);
    }

    // --- articles ----------------------------------------------------------

    /// Writes an article with a new slug.
    pub(crate) fn article(&self, stem: &str) -> String {
        let slug = unique(stem);
        self.project.article(&slug, &front_matter(&slug), BODY);
        slug
    }

    /// Writes an article with a new slug, more front matter and another body.
    pub(crate) fn article_with(&self, stem: &str, more: &str, body: &str) -> String {
        let slug = unique(stem);
        self.project.article(&slug, &(front_matter(&slug) + more), body);
        slug
    }

    /// Writes an article with one picture of its own; gives slug and picture stem.
    pub(crate) fn article_with_picture(&self, stem: &str) -> (String, String) {
        let picture = unique("pic");
        self.project.picture(&format!("{picture}.png"));
        let body = format!("{BODY}\n\n![A picture]({picture}.png)");
        (self.article_with(stem, "", &body), picture)
    }

    /// Changes the body of an article that [`Scene::article`] wrote.
    pub(crate) fn edit(&self, slug: &str) {
        let name = format!("articles/{slug}.md");
        let text = self.project.read(&name);
        self.project.write(&name, text + "\nA sentence written later.\n");
    }

    // --- runs --------------------------------------------------------------

    pub(crate) fn push(&self) -> Ran {
        self.run(&["push", "--json"])
    }

    pub(crate) fn plan(&self) -> Ran {
        self.run(&["plan", "--json"])
    }

    pub(crate) fn status(&self) -> Ran {
        self.run(&["status", "--json"])
    }

    /// A person's decision about an article.
    pub(crate) fn resolve(&self, slug: &str, decision: &[&str]) -> Ran {
        let mut words = vec!["resolve", slug];
        words.extend_from_slice(decision);
        words.extend_from_slice(&["--because", "a test says so", "--json"]);
        self.run(&words)
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, &[])
    }

    /// Runs to the end, with these variables in its environment.
    pub(crate) fn run_with(&self, args: &[&str], env: &[(&str, &str)]) -> Ran {
        let reads = matches!(args.first(), Some(&("check" | "doctor" | "plan" | "status")));
        let reads_only = reads && !args.contains(&"--out");
        let before = reads_only.then(|| self.project.listing());
        let ran = self.spawn_with(args, env).finish();
        self.tell(ran.story());
        self.check_secrets(&ran);
        if let Some(before) = before {
            let after = self.project.listing();
            assert!(before == after, "`{}` changed a file", ran.command);
        }
        ran
    }

    /// Runs to the end in a shell that first does something to its own limits.
    pub(crate) fn run_in_shell(&self, before: &str, args: &[&str]) -> Ran {
        let program = self.command(args);
        let mut shell = Command::new("bash");
        shell.arg("-c").arg(format!("{before}; exec \"$0\" \"$@\"")).arg(program.get_program());
        shell.args(program.get_args()).current_dir(self.project.path()).env_clear();
        shell.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let ran = Spawned::new(shell, args.join(" ")).finish();
        self.tell(ran.story());
        self.check_secrets(&ran);
        ran
    }

    pub(crate) fn spawn(&self, args: &[&str]) -> Spawned {
        self.spawn_with(args, &[])
    }

    fn spawn_with(&self, args: &[&str], env: &[(&str, &str)]) -> Spawned {
        let mut command = self.command(args);
        command.envs(env.iter().copied());
        Spawned::new(command, args.join(" "))
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = oncepress(&self.project.path(), &self.project.home(), args);
        command.env("ONCEPRESS_APP_PASSWORD", self.site.password(&self.user));
        command
    }

    /// What the header that signs the user in holds; a secret.
    pub(crate) fn authorization(&self) -> String {
        self.site.authorization(&self.user)
    }

    /// The end of a run that was spawned.
    pub(crate) fn finish(&self, run: Spawned) -> Ran {
        let ran = run.finish();
        self.tell(ran.story());
        self.check_secrets(&ran);
        ran
    }

    /// A push that dies by SIGKILL at a named point (`src/crash.rs`).
    pub(crate) fn push_and_crash_at(&self, point: &str) -> Ran {
        let ran = self.run_with(&["push", "--json"], &[("ONCEPRESS_CRASH_AT", point)]);
        assert_eq!(ran.code, -9, "the run was to die at {point}");
        ran
    }

    /// After a SIGKILL: `push` stops before it sends anything and names the command
    /// that removes the dead run's marker; that command leaves every record alone.
    pub(crate) fn unlock_after_a_crash(&self) {
        let arrived = self.proxy.arrivals().len();
        let records = self.records();
        let stopped = self.push();
        stopped.exits(7);
        assert_eq!(stopped.errors(), ["abandoned_run"]);
        let writes = self.proxy.arrivals().split_off(arrived);
        assert!(!writes.iter().any(|arrival| arrival.kind.writes()), "an abandoned run sent");
        let hint = stopped.json["errors"][0]["hint"].as_str().unwrap_or_default();
        let (_, run_id) = hint.split_once("oncepress unlock ").expect("the next command");
        let run_id = run_id.to_owned();
        self.run(&["unlock", &run_id]).exits(0);
        assert_eq!(self.records(), records, "unlock touched a record");
    }

    /// The records of articles and media, as they are on disk.
    pub(crate) fn records(&self) -> Vec<(PathBuf, String)> {
        let is_record = |path: &PathBuf| {
            path.components()
                .any(|part| part.as_os_str() == "articles" || part.as_os_str() == "media")
        };
        let mut records: Vec<_> = self.project.journal().into_iter().collect();
        records.retain(|(path, _)| is_record(path));
        records
    }

    // --- what goes wrong ---------------------------------------------------

    /// The next create is carried out, and its answer is lost.
    pub(crate) fn loses_the_answer(&self) {
        self.proxy.once(Kind::Create, Fault::answer_lost());
    }

    /// The next upload is carried out, and its answer is lost.
    pub(crate) fn loses_the_upload_answer(&self) {
        self.proxy.once(Kind::Upload, Fault::answer_lost());
    }

    /// Drafts are not visible (yet), until [`Scene::goes_well_again`].
    pub(crate) fn hides_drafts(&self) {
        self.proxy.always(Kind::PostList, Fault::lab("hide-drafts"));
        self.proxy.in_case(Kind::PostGet, Fault::lab("hide-drafts"));
    }

    /// Attachments are not visible (yet), until [`Scene::goes_well_again`].
    pub(crate) fn hides_media(&self) {
        self.proxy.always(Kind::MediaList, Fault::lab("hide-media"));
        self.proxy.in_case(Kind::MediaGet, Fault::lab("hide-media"));
    }

    /// No more faults; each of those so far must have happened.
    pub(crate) fn goes_well_again(&self) {
        self.proxy.clear_rules();
    }

    /// Makes an article whose draft exists and whose answer was lost, unseen since:
    /// its record stays `sending`.
    pub(crate) fn article_in_doubt(&self, stem: &str) -> String {
        let slug = self.article(stem);
        self.loses_the_answer();
        self.hides_drafts();
        self.push().ends(4, &slug, "held", Some("not_found"));
        self.goes_well_again();
        slug
    }

    /// Makes an article whose create the site never got: its record stays `sending`.
    pub(crate) fn article_never_delivered(&self, stem: &str) -> String {
        let slug = self.article(stem);
        self.proxy.once(Kind::Create, Fault::never_delivered());
        self.push().ends(4, &slug, "held", Some("not_found"));
        self.goes_well_again();
        slug
    }

    /// Makes an article with its draft and its receipt; gives slug and post id.
    pub(crate) fn article_created(&self, stem: &str) -> (String, u64) {
        let slug = self.article(stem);
        let ran = self.push();
        ran.says(&slug, "created", None).exits(0);
        (slug.clone(), ran.post_id(&slug))
    }

    // --- the truth ---------------------------------------------------------

    /// How often this slug was sent, and which posts the database has of it.
    #[track_caller]
    pub(crate) fn proves(&self, slug: &str, creates: usize, posts: usize) -> Vec<PostRow> {
        self.proved.set(true);
        let rows = self.site.posts(slug);
        let arrived = self.proxy.creates(slug).len();
        assert_eq!((arrived, rows.len()), (creates, posts), "creates and posts: {rows:#?}");
        rows
    }

    /// How many uploads arrived in all, and which attachments the database has.
    #[track_caller]
    pub(crate) fn proves_media(&self, stem: &str, uploads: usize, rows: usize) -> Vec<PostRow> {
        let attachments = self.site.attachments(stem);
        let arrived = self.proxy.of_kind(Kind::Upload).len();
        assert_eq!(
            (arrived, attachments.len()),
            (uploads, rows),
            "uploads and attachments: {attachments:#?}"
        );
        attachments
    }

    /// No create, upload or other write arrived.
    #[track_caller]
    pub(crate) fn proves_nothing_sent(&self) {
        self.proved.set(true);
        let arrivals = self.proxy.arrivals();
        let writes: Vec<_> = arrivals.iter().filter(|arrival| arrival.kind.writes()).collect();
        assert!(writes.is_empty(), "{writes:#?}");
    }

    fn tell(&self, story: String) {
        self.told.borrow_mut().push(story);
    }

    /// The password in none of the forms in which it travels, nowhere.
    fn check_secrets(&self, ran: &Ran) {
        let password = self.site.password(&self.user);
        let pair = self.site.authorization(&self.user).replace("Basic ", "");
        for secret in [password.as_str(), pair.as_str()] {
            for (place, text) in [("stdout", &ran.stdout), ("stderr", &ran.stderr)] {
                assert!(!text.contains(secret), "a secret in {place} of {}", ran.command);
            }
            for (path, entry) in self.project.listing() {
                assert!(!entry.contains(secret), "a secret in {}", path.display());
            }
        }
    }

    /// Everything that ends the debugging.
    fn story(&self) -> String {
        let (version, told) = (self.site.version(), self.told.borrow().join("\n"));
        let file = |(path, text): (PathBuf, String)| format!("--- {}\n{text}\n", path.display());
        let journal: Vec<String> = self.project.journal().into_iter().map(file).collect();
        format!(
            "WordPress {version} as {}\n{told}\nARRIVED\n{}\nJOURNAL\n{}",
            self.user,
            self.proxy.story(),
            journal.join("\n")
        )
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("{}", self.story());
            return;
        }
        assert!(self.proved.get(), "this scene never said what is on the site");
        for kind in [Kind::PostChange, Kind::MediaChange] {
            assert!(self.proxy.of_kind(kind).is_empty(), "something was changed: {kind:?}");
        }
    }
}

/// A post that somebody else has made, with the content of [`BODY`].
pub(crate) fn somebodys_post(slug: &str, status: &str) -> Value {
    json!({"title": format!("Somebody's {slug}"), "slug": slug, "status": status,
           "content": "<p>Something else.</p>"})
}

/// One test per version of WordPress for each of these scenes.
macro_rules! on_each_version {
    ($($scene:ident),* $(,)?) => {$(
        mod $scene {
            #[test]
            fn on_6_1() {
                super::$scene("6.1");
            }

            #[test]
            fn on_6_8() {
                super::$scene("6.8");
            }

            #[test]
            fn on_7_1() {
                super::$scene("7.1");
            }
        }
    )*};
}
pub(crate) use on_each_version;
