//! One line at the foot of a terminal that says what goes on: files checked, articles
//! done, bytes uploaded, what is waited for.
//!
//! Absent from here: whether there is a terminal (`console`), and everything that stays
//! on it. The one rule: the line is drawn and nothing else; no result, record or decision
//! depends on it, and it is away while anything else is printed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::article::FilesChecked;
use crate::run::{Event, Subject};
use crate::wordpress::{HandedOver, UploadWatch};

const COUNTED: &str = "{prefix:9} [{bar:24}] {pos}/{len} {wide_msg}";
const BYTES: &str = "{prefix:9} [{bar:24}] {binary_bytes}/{binary_total_bytes} {wide_msg}";
const WORDS: &str = "{prefix:9} {wide_msg}";

/// The line.
#[derive(Clone)]
pub(crate) struct Bars {
    bar: ProgressBar,
    articles: Arc<Mutex<Articles>>,
}

/// How many articles of a push have an outcome.
#[derive(Default)]
struct Articles {
    ended: u64,
    all: u64,
}

impl Bars {
    pub(crate) fn on(target: ProgressDrawTarget) -> Self {
        let bars =
            Self { bar: ProgressBar::with_draw_target(Some(0), target), articles: Arc::default() };
        bars.rest();
        bars
    }

    /// Prints something else meanwhile.
    pub(crate) fn away_while<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Takes the line away until there is something to say.
    pub(crate) fn rest(&self) {
        self.bar.finish_and_clear();
    }

    /// The check begins.
    pub(crate) fn check(&self) {
        self.show(COUNTED, "checking", "files", (0, 0));
    }

    /// Called from several threads at once.
    pub(crate) fn checked(&self, files: FilesChecked) {
        let all = files.all as u64;
        if self.bar.length() != Some(all) {
            self.bar.set_length(all);
        }
        self.bar.set_position(files.done as u64);
    }

    /// What is waited for, where nothing can be counted.
    pub(crate) fn wait(&self, prefix: &'static str, what: &str) {
        self.show(WORDS, prefix, what, (0, 0));
    }

    pub(crate) fn tell(&self, event: &Event) {
        match event {
            Event::Planned { articles, .. } => {
                self.articles().all = *articles as u64;
                self.send("");
            }
            // Its first bytes will say how many there are.
            Event::Sending { subject: Subject::Image(path), .. } => self.wait("uploading", path),
            Event::Sending { subject, .. } => self.send(&subject.to_string()),
            Event::Looking { subject, wait_s: 0 } => self.wait("looking", &subject.to_string()),
            Event::Looking { subject, wait_s } => {
                let what = format!("waiting {wait_s} s, then looking again: {subject}");
                self.wait("looking", &what);
            }
            Event::Ended { .. } => {
                self.articles().ended += 1;
                self.send("");
            }
            Event::Sent { .. } => self.send(""),
            Event::Exchanged(_) => {}
        }
    }

    /// Draws the bytes of an upload as they leave.
    pub(crate) fn watch(&self) -> UploadWatch {
        let bar = self.bar.clone();
        Arc::new(move |HandedOver { bytes, of }| {
            if bar.length() != Some(of) {
                bar.set_style(style(BYTES));
                bar.set_length(of);
            }
            bar.set_position(bytes);
            if bytes >= of {
                // The last change before the site's answer, which may be long in coming.
                bar.force_draw();
            }
        })
    }

    fn send(&self, what: &str) {
        let counted = {
            let articles = self.articles();
            (articles.ended, articles.all)
        };
        self.show(COUNTED, "sending", what, counted);
    }

    fn show(&self, template: &str, prefix: &'static str, what: &str, (done, all): (u64, u64)) {
        if self.bar.is_finished() {
            self.bar.reset();
        }
        self.bar.set_style(style(template));
        self.bar.set_prefix(prefix);
        self.bar.set_message(plain(what));
        self.bar.update(|state| {
            state.set_pos(done);
            state.set_len(all);
        });
        // Not left to the rate of drawing: the next change may be a minute away.
        self.bar.force_draw();
    }

    fn articles(&self) -> MutexGuard<'_, Articles> {
        self.articles.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The templates are constants, and the tests read each of them.
fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> ")
}

/// A path may hold what moves the cursor.
fn plain(text: &str) -> String {
    text.replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use indicatif::{InMemoryTerm, TermLike as _};

    use super::*;
    use crate::names::{ArticleKey, OperationId, PostType, Slug};

    fn bars() -> (Bars, InMemoryTerm) {
        let terminal = InMemoryTerm::new(8, 80);
        let bars = Bars::on(ProgressDrawTarget::term_like(Box::new(terminal.clone())));
        (bars, terminal)
    }

    fn article(slug: &str) -> Subject {
        let slug = Slug::from_stored(slug).unwrap();
        Subject::Article(ArticleKey { post_type: PostType::Post, slug })
    }

    fn sending(subject: Subject) -> Event {
        Event::Sending { subject, operation: OperationId::from_random(1), attempt: 1 }
    }

    fn ended(slug: &str) -> Event {
        Event::Ended { subject: article(slug), outcome: "created", reason: None, post_id: Some(1) }
    }

    fn image(path: &str) -> Subject {
        Subject::Image(path.to_owned())
    }

    #[test]
    fn each_stage_has_its_line() {
        let (bars, terminal) = bars();
        let mut seen = Vec::new();
        let mut see = || seen.push(terminal.contents());
        see();
        bars.check();
        bars.checked(FilesChecked { done: 250, all: 1000 });
        bars.away_while(|| ());
        see();
        bars.rest();
        see();
        bars.wait("looking", "for articles and images on the site");
        see();
        bars.tell(&Event::Planned { articles: 3, creates: 2 });
        bars.tell(&ended("first"));
        see();
        bars.tell(&sending(image("articles/img/harbour.jpg")));
        see();
        let watch = bars.watch();
        watch(HandedOver { bytes: 16 * 1024, of: 4 * 1024 * 1024 });
        watch(HandedOver { bytes: 3 * 1024 * 1024, of: 4 * 1024 * 1024 });
        bars.away_while(|| ());
        see();
        watch(HandedOver { bytes: 4 * 1024 * 1024, of: 4 * 1024 * 1024 });
        see();
        bars.tell(&sending(article("second")));
        see();
        bars.tell(&Event::Looking { subject: article("second"), wait_s: 0 });
        see();
        bars.tell(&Event::Looking { subject: article("second"), wait_s: 5 });
        see();
        bars.tell(&ended("second"));
        see();
        bars.rest();
        see();
        let expected = [
            "",
            "checking  [======>                 ] 250/1000 files",
            "",
            "looking   for articles and images on the site",
            "sending   [========>               ] 1/3",
            "uploading articles/img/harbour.jpg",
            "uploading [==================>     ] 3.00 MiB/4.00 MiB articles/img/harbour.jpg",
            "uploading [========================] 4.00 MiB/4.00 MiB articles/img/harbour.jpg",
            "sending   [========>               ] 1/3 second",
            "looking   second",
            "looking   waiting 5 s, then looking again: second",
            "sending   [================>       ] 2/3",
            "",
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn what_is_printed_stays_whole_above_the_line() {
        let (bars, terminal) = bars();
        bars.tell(&Event::Planned { articles: 2, creates: 2 });
        for line in ["first: created #10", "second: held (not_found)"] {
            bars.away_while(|| terminal.write_line(line)).unwrap();
        }
        let printed = "first: created #10\nsecond: held (not_found)";
        let line = "sending   [                        ] 0/2";
        assert_eq!(terminal.contents(), format!("{printed}\n{line}"));
        bars.rest();
        assert_eq!(terminal.contents(), printed);
        bars.away_while(|| terminal.write_line("next: oncepress status")).unwrap();
        assert_eq!(terminal.contents(), format!("{printed}\nnext: oncepress status"));
    }

    /// Wide letters, a name that is too long, and one that would move the cursor.
    #[test]
    fn a_line_never_gets_longer_than_the_terminal_is_wide() {
        let (bars, terminal) = bars();
        let wide = "articles/京都の秋".to_owned() + &"秋".repeat(60);
        for path in [wide.as_str(), &"a".repeat(200), "a\u{1b}[2J\nb\t.png"] {
            bars.tell(&sending(image(path)));
            let seen = terminal.contents();
            assert_eq!(seen.lines().count(), 1, "{seen}");
            assert!(unicode_width::UnicodeWidthStr::width(seen.as_str()) <= 80, "{seen}");
        }
        assert_eq!(terminal.contents(), "uploading a [2J b .png");
    }
}
