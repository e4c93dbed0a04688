//! The answer to an upload is lost, for each kind of file and each place that shows one.
//!
//! Absent from here: what else happens to uploads (`uploads`, `upload_forms`), and every
//! kind in every place (`tests/battery/network/files.rs`, on the simulated site). The one
//! rule: the database says how many attachments and posts there are.

use crate::samples::sample;
use crate::support::project::{random_bytes, unique};
use crate::support::rules::{Fault, Gate, Kind};
use crate::support::scene::{Scene, on_each_version};

on_each_version!(
    the_answer_is_lost_and_the_file_is_found,
    the_answer_is_lost_and_the_file_is_found_later,
    the_request_is_lost,
    the_file_arrives_when_its_run_is_dead,
);

/// A kind of file, and the place in which it stands here.
#[derive(Debug, Clone, Copy)]
struct Form {
    kind: &'static str,
    /// `FILE` stands for its name.
    front: &'static str,
    html: &'static str,
}

const FORMS: [Form; 9] = [
    Form { kind: "gif", front: "", html: "<img src=\"FILE\" alt=\"x\">" },
    Form {
        kind: "webp",
        front: "",
        html: "<img src=\"https://example.com/a.png\" srcset=\"FILE 2x\" alt=\"x\">",
    },
    Form { kind: "avif", front: "featured_image: FILE\n", html: "<p>Above.</p>" },
    Form { kind: "jpg", front: "", html: "<video controls poster=\"FILE\"></video>" },
    Form { kind: "mp4", front: "", html: "<video controls src=\"FILE\"></video>" },
    Form { kind: "webm", front: "", html: "<video controls><source src=\"FILE\"></video>" },
    Form { kind: "mp3", front: "", html: "<audio controls src=\"FILE\"></audio>" },
    Form { kind: "pdf", front: "", html: "<p><a href=\"FILE\">The paper</a></p>" },
    Form { kind: "svg", front: "", html: "<p><a href=\"FILE\">The drawing</a></p>" },
];

/// A form on the stage of one site.
struct Act {
    scene: Scene,
    form: Form,
    slug: String,
    /// What the slug of its attachment begins with.
    stem: String,
}

impl Act {
    fn new(version: &str, form: Form) -> Self {
        let scene = Scene::as_user(version, "editor");
        let config = scene.project.read("oncepress.toml");
        let allow = "[media]\nallow = [\"svg\", \"pdf\", \"mp4\", \"webm\", \"mp3\"]\n";
        scene.project.write("oncepress.toml", format!("{config}\n{allow}"));
        let (slug, stem) = (unique("lost"), unique(form.kind));
        let file = format!("{stem}.{}", form.kind);
        scene.project.write(&format!("articles/{file}"), sample(form.kind, &random_bytes::<8>()));
        let (front, html) = (form.front.replace("FILE", &file), form.html.replace("FILE", &file));
        let text = format!("---\ntitle: {slug}\n{front}---\n{html}\n");
        scene.project.write(&format!("articles/{slug}.html"), text);
        Self { scene, form, slug, stem }
    }

    /// Whether the site takes it: none takes SVG, and AVIF came after 6.1.
    fn is_taken(&self) -> bool {
        match self.form.kind {
            "svg" => false,
            "avif" => self.scene.site.version() != "6.1",
            _ => true,
        }
    }

    /// It is in doubt, and so is its article.
    fn is_held(&self, attachments: usize) {
        self.scene.push().ends(4, &self.slug, "held", Some("media_unknown"));
        self.scene.proves(&self.slug, 0, 0);
        self.scene.proves_media(&self.stem, 1, attachments);
    }

    /// One upload, one attachment, one post that shows it; or no post at all where the site
    /// refused the file and nobody heard.
    fn ends(&self) {
        let Self { scene, form, slug, stem } = self;
        if !self.is_taken() {
            self.is_held(0);
            self.is_held(0);
            return;
        }
        let ran = scene.push();
        ran.ends(0, slug, "created", None);
        self.is_whole();
        assert_eq!(ran.article(slug)["media"][0]["outcome"], "completed", "{form:?}");
        let told: &[&str] = if form.kind == "avif" { &["image_avif"] } else { &[] };
        assert_eq!(ran.warnings(slug), told, "{form:?}");
        // What is no image has no sizes to be finished.
        let asked = scene.proxy.of_kind(Kind::PostProcess).len();
        let may_ask = ["jpg", "gif", "webp", "avif"].contains(&form.kind);
        assert!(asked == 0 || may_ask, "{form:?}");
        scene.push().ends(0, slug, "skipped", Some("confirmed"));
        scene.proves_media(stem, 1, 1);
    }

    fn is_whole(&self) {
        let Self { scene, form, slug, stem } = self;
        let post = scene.proves(slug, 1, 1)[0].id;
        let attachment = scene.proves_media(stem, 1, 1)[0].id;
        let meta = |key: &str, post: u64| {
            scene.site.sql(&format!(
                "SELECT meta_value FROM wp_postmeta WHERE post_id = {post} AND meta_key = '{key}'"
            ))
        };
        if form.front.is_empty() {
            let file = &meta("_wp_attached_file", attachment)[0][0];
            let content = scene.site.content(post);
            let shown = content.matches(&format!("/wp-content/uploads/{file}")).count();
            assert_eq!(shown, 1, "{content}");
        } else {
            assert_eq!(meta("_thumbnail_id", post), [[attachment.to_string()]]);
        }
    }
}

/// Cases MED-01 and MED-07.
fn the_answer_is_lost_and_the_file_is_found(version: &str) {
    for form in FORMS {
        let act = Act::new(version, form);
        act.scene.loses_the_upload_answer();
        act.ends();
    }
}

fn the_answer_is_lost_and_the_file_is_found_later(version: &str) {
    for form in FORMS {
        let act = Act::new(version, form);
        act.scene.loses_the_upload_answer();
        act.scene.hides_media();
        let attachments = usize::from(act.is_taken());
        act.is_held(attachments);
        act.is_held(attachments);
        act.scene.goes_well_again();
        act.ends();
    }
}

fn the_request_is_lost(version: &str) {
    for form in FORMS {
        let act = Act::new(version, form);
        act.scene.proxy.once(Kind::Upload, Fault::never_delivered());
        act.is_held(0);
        act.is_held(0);
    }
}

/// The site works on what a run sent that no longer lives: before that nothing is there,
/// and afterwards all is.
fn the_file_arrives_when_its_run_is_dead(version: &str) {
    for form in FORMS {
        let act = Act::new(version, form);
        let gate = Gate::new();
        act.scene.proxy.once(Kind::Upload, Fault::on_its_way_at(&gate));
        let mut run = act.scene.spawn(&["push", "--json"]);
        gate.wait_reached(&mut run);
        assert_eq!(run.kill().code, -9);
        act.scene.unlock_after_a_crash();
        act.is_held(0);
        gate.open();
        act.scene.proxy.wait_until_the_site_has_answered(Kind::Upload);
        act.ends();
    }
}
