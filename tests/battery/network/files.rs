//! Each kind of file in each place of an article: the answer to its upload is lost.
//!
//! Absent from here: other requests and other outcomes (the table of the module above). The
//! one rule: the site's own tables say how many files and posts there are. The file in
//! question lies between two others; a featured image goes up last.
//!
//! Cases MED-01, MED-02 and MED-07.

use std::fmt::Write as _;
use std::fs;

use super::ask::Ask;
use super::desk::{Desk, Ran};
use super::outcome::{Outcome, Then, Way};
use super::samples::{IMAGES, MEDIA, sample};
use super::server::{Arrival, Fault, Server};
use super::site::{Row, Site};

/// Where an article refers to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Image,
    ImageSet,
    PictureSource,
    Video,
    VideoSource,
    Poster,
    Audio,
    Link,
    Featured,
}

const PLACES: [Place; 9] = [
    Place::Image,
    Place::ImageSet,
    Place::PictureSource,
    Place::Video,
    Place::VideoSource,
    Place::Poster,
    Place::Audio,
    Place::Link,
    Place::Featured,
];

/// What the site does with the request whose answer nobody hears.
const WAYS: [Way; 3] = [Way::Undone, Way::Done, Way::Late];

/// Runs after which it must rest.
const RUNS_MAX: usize = 4;
const ANSWER_MAX_S: u32 = 60;

impl Place {
    /// The kinds of files that can stand here, by their endings.
    fn kinds(self) -> Vec<&'static str> {
        match self {
            Self::Image | Self::ImageSet | Self::PictureSource | Self::Poster | Self::Featured => {
                IMAGES.to_vec()
            }
            Self::Video | Self::VideoSource | Self::Audio => MEDIA.to_vec(),
            Self::Link => [&IMAGES[..], &MEDIA, &["pdf"]].concat(),
        }
    }

    /// The HTML that refers to it.
    fn html(self, name: &str) -> String {
        match self {
            Self::Image => format!("<img src=\"{name}\" alt=\"x\">"),
            Self::ImageSet => {
                let remote = "https://example.com/a.png";
                format!("<img src=\"{remote}\" srcset=\"{remote} 1x, {name} 2x\" alt=\"x\">")
            }
            Self::PictureSource => {
                let inner = "<img src=\"https://example.com/a.png\" alt=\"x\">";
                format!("<picture><source srcset=\"{name}\">{inner}</picture>")
            }
            Self::Video => format!("<video src=\"{name}\" controls></video>"),
            Self::VideoSource => format!("<video controls><source src=\"{name}\"></video>"),
            Self::Poster => {
                let remote = "https://example.com/a.mp4";
                format!("<video src=\"{remote}\" poster=\"{name}\"></video>")
            }
            Self::Audio => format!("<audio src=\"{name}\" controls></audio>"),
            Self::Link => format!("<a href=\"{name}\">the file</a>"),
            Self::Featured => "<p>It stands above the article.</p>".to_owned(),
        }
    }
}

/// One cell: what is lost where, and whether the site did what it was asked to.
#[derive(Debug, Clone, Copy)]
struct Cell {
    place: Place,
    kind: &'static str,
    way: Way,
}

/// What came of it.
struct Played {
    runs: Vec<Ran>,
    arrivals: Vec<Arrival>,
    rows: Vec<Row>,
}

impl Cell {
    fn file(self) -> String {
        format!("middle.{}", self.kind)
    }

    /// Writes the article `x` with three files, of which this is the second.
    fn write(self, desk: &Desk) {
        for (name, own) in [("before.png", "before"), ("after.png", "after")] {
            desk.write(&format!("articles/{name}"), sample("png", own.as_bytes()));
        }
        let file = self.file();
        desk.write(&format!("articles/{file}"), sample(self.kind, b"middle"));
        let front = match self.place {
            Place::Featured => format!("featured_image: {file}\n"),
            _ => String::new(),
        };
        let body = self.place.html(&file);
        let body = format!(
            "<img src=\"before.png\" alt=\"x\">\n{body}\n<img src=\"after.png\" alt=\"x\">"
        );
        desk.write("articles/x.html", format!("---\ntitle: The title\n{front}---\n{body}\n"));
    }

    /// Which upload of the run it is: the featured image goes last.
    fn nth(self) -> u32 {
        if self.place == Place::Featured { 3 } else { 2 }
    }

    fn play(self) -> Played {
        let (site, desk) = (Site::new(), Desk::new());
        self.write(&desk);
        let foreign: Vec<u64> = site.rows().iter().map(|row| row.id).collect();
        let outcome = Outcome::unheard("the answer is lost", Then::Close).way(self.way);
        let (run, ask, nth, before) = (0, Ask::Upload, self.nth(), usize::MAX);
        let server =
            Server::new(&site, desk.base(), vec![Fault { run, ask, nth, before, outcome }]);
        let mut runs = Vec::new();
        for run in 0..=RUNS_MAX {
            desk.configure(&server.url(), ANSWER_MAX_S);
            let mut config = fs::read_to_string(desk.path("oncepress.toml")).expect("settings");
            let _ = write!(
                config,
                "\n[media]\nallow = [\"svg\", \"pdf\", \"mp4\", \"webm\", \"mp3\"]\n"
            );
            desk.write("oncepress.toml", config);
            let journal = desk.journal();
            let so_far = server.arrivals().len();
            server.begin(run);
            runs.push(desk.push());
            server.end();
            let arrived = &server.arrivals()[so_far..];
            let wrote = arrived.iter().any(|arrival| arrival.method == "POST");
            if run > 0 && !wrote && journal == desk.journal() {
                break;
            }
        }
        assert_eq!(server.played().len(), 1, "{self:?}: the answer was not lost once");
        let rows = site.rows().into_iter().filter(|row| !foreign.contains(&row.id)).collect();
        Played { runs, arrivals: server.arrivals(), rows }
    }

    /// Whether the site has the file in the end. Real ones, too, refuse SVG.
    fn is_stored(self) -> bool {
        self.way != Way::Undone && self.kind != "svg"
    }

    fn judge(self, played: &Played) -> Vec<String> {
        let Played { runs, arrivals, rows } = played;
        let mut wrong = Vec::new();
        let mut must = |holds: bool, what: &str| {
            if !holds {
                wrong.push(what.to_owned());
            }
        };
        let files = |stem: &str| {
            rows.iter().filter(|row| row.is_file && row.slug.starts_with(stem)).count()
        };
        let posts: Vec<&Row> = rows.iter().filter(|row| !row.is_file).collect();
        let creates = arrivals.iter().filter(|arrival| arrival.ask == Ask::Create).count();
        let uploads = |stem: &str| {
            let of_it = |arrival: &&Arrival| {
                arrival.ask == Ask::Upload && arrival.target.contains(&format!("slug={stem}-"))
            };
            arrivals.iter().filter(of_it).count()
        };
        let expected = usize::from(self.is_stored());
        must(uploads("middle") == 1, "it was not uploaded once");
        must(files("middle") == expected, "the site has another number of it");
        must(posts.len() == expected && creates == expected, "posts or creates");
        for stem in ["before", "after"] {
            let (sent, there) = (uploads(stem), files(stem));
            must(sent == there && there <= 1, "another file was sent twice or lost");
            must(there == 1 || expected == 0, "another file is missing");
        }
        let first = &runs[0].json["articles"][0];
        let last = &runs[runs.len() - 1].json["articles"][0];
        must(runs.len() <= RUNS_MAX, "it never came to rest");
        if self.way == Way::Done && self.is_stored() {
            must(first["outcome"] == "created", "it was not found in the same run");
        } else {
            must(first["outcome"] == "held", "the doubt did not hold it");
            must(first["reason"] == "media_unknown", "the doubt has another name");
            must(runs[0].exit == 4, "the exit code of the doubt");
        }
        let end = if self.is_stored() { ("skipped", 0) } else { ("held", 4) };
        must(last["outcome"] == end.0 && runs[runs.len() - 1].exit == end.1, "it ended otherwise");
        for post in posts {
            let shown = if self.place == Place::Featured { 2 } else { 3 };
            must(post.content.matches("/wp-content/uploads/").count() == shown, "its addresses");
            let featured = post.whole["featured_media"] != 0;
            must(featured == (self.place == Place::Featured), "its featured image");
        }
        wrong
    }
}

impl Played {
    /// All that ends the debugging.
    fn story(&self) -> String {
        let mut story = String::new();
        for (number, Ran { exit, stdout, stderr, .. }) in self.runs.iter().enumerate() {
            let _ = writeln!(story, "-- run {}: exit {exit}\n{stdout}\n{stderr}", number + 1);
        }
        for Arrival { run, method, target, .. } in &self.arrivals {
            let _ = writeln!(story, "arrived in run {}: {method} {target}", run + 1);
        }
        for row in &self.rows {
            let _ = writeln!(story, "on the site: {row:?}");
        }
        story
    }
}

#[test]
fn the_lost_answer_to_any_file_in_any_place_makes_no_second_one() {
    let mut count = 0;
    let mut failures = String::new();
    for place in PLACES {
        for kind in place.kinds() {
            for way in WAYS {
                let cell = Cell { place, kind, way };
                let played = cell.play();
                let wrong = cell.judge(&played);
                if !wrong.is_empty() {
                    let _ = writeln!(failures, "{cell:?}: {wrong:?}\n{}", played.story());
                }
                count += 1;
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
    // Five places of images, three of what is played, one of all; three ways each.
    assert_eq!(count, (5 * 6 + 3 * 3 + 10) * 3);
}
