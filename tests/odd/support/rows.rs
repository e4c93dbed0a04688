//! Rows: what is odd about a site, and one line for each run that is made against it.
//!
//! A line tells everything that a run concluded and everything that it asked:
//!
//! ```text
//! 4 !site_busy: x held not_found possible sending +answer_lost; look-up 2, create 1; 0 posts
//! │ │           │ │    │         │        │       │             │                    └ on the site
//! │ │           │ │    │         │        │       │             └ requests beyond index and me
//! │ │           │ │    │         │        │       └ warnings
//! │ │           │ │    │         │        └ the record's phase on the disk
//! │ │           │ │    │         └ what may exist on the site
//! │ │           │ │    └ reason
//! │ │           │ └ outcome
//! │ │           └ article (several are parted by commas)
//! │ └ errors of the whole run
//! └ exit code
//! ```
//!
//! Absent from here: single oddities. The one rule: lines are compared whole, so a
//! request too many is as wrong as a draft too many.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;

use serde_json::Value;

use super::desk::{Desk, Ran};
use super::raw::{RawServer, Upset};
use super::rules::{Ask, Carries, Give, Rule, Times};
use super::server::Server;
use super::site::{Site, Stored};

/// Rows that are played at once: most of their time is the disk's and the clock's.
const PLAYERS: usize = 4;

/// Parts lines of which each is right: who wins a race is not ours to say.
pub(crate) const OR: &str = " || ";

type Prepare = Box<dyn Fn(&Desk) + Send + Sync>;
type Between = Box<dyn Fn(&Site, &Desk) + Send + Sync>;

/// One row of a table.
pub(crate) struct Row {
    name: String,
    site: Site,
    upsets: Vec<Upset>,
    network: &'static str,
    prepare: Prepare,
    /// What happens before the run with this number (0 is the first).
    between: Vec<(usize, Between)>,
    runs: Vec<String>,
}

/// Where the site is.
enum Host {
    Mock(Server),
    Raw(RawServer),
}

impl Host {
    fn url(&self) -> String {
        match self {
            Self::Mock(server) => server.url(),
            Self::Raw(server) => server.url(),
        }
    }

    fn after_run(&self) {
        if let Self::Raw(server) = self {
            server.listen_again();
            assert!(server.creates_had_fresh_connections(), "a create came on a used connection");
        }
    }
}

impl Row {
    /// A row about one article, `x`.
    pub(crate) fn new(name: impl Into<String>) -> Self {
        let prepare: Prepare = Box::new(|desk: &Desk| desk.article("x"));
        let (name, site, network) = (name.into(), Site::new(), "");
        Self { name, site, upsets: vec![], network, prepare, between: vec![], runs: vec![] }
    }

    /// The folder holds something else than `x`.
    pub(crate) fn with(mut self, prepare: impl Fn(&Desk) + Send + Sync + 'static) -> Self {
        self.prepare = Box::new(prepare);
        self
    }

    pub(crate) fn with_articles(self, slugs: &'static [&'static str]) -> Self {
        self.with(move |desk| slugs.iter().for_each(|slug| desk.article(slug)))
    }

    pub(crate) fn with_picture(self) -> Self {
        self.with(|desk| desk.article_with_picture("x"))
    }

    pub(crate) fn network(mut self, network: &'static str) -> Self {
        self.network = network;
        self
    }

    /// The site, before anything is asked.
    pub(crate) fn where_the_site(self, change: impl FnOnce(&mut Stored)) -> Self {
        self.site.change(change);
        self
    }

    pub(crate) fn rule(self, on: Ask, times: Times, carries: Carries, give: Give) -> Self {
        self.site.rule(Rule::new(on, times, carries, give));
        self
    }

    /// Every answer to this question is odd.
    pub(crate) fn always(self, on: Ask, give: Give) -> Self {
        self.rule(on, Times::Always, Carries::Out, give)
    }

    /// The site is behind a bare socket, and misbehaves there.
    pub(crate) fn upset(mut self, upset: Upset) -> Self {
        self.upsets.push(upset);
        self
    }

    /// Something happens before the next run that is named.
    pub(crate) fn then(mut self, act: impl Fn(&Site, &Desk) + Send + Sync + 'static) -> Self {
        self.between.push((self.runs.len(), Box::new(act)));
        self
    }

    /// The site is healthy from here on.
    pub(crate) fn healed(self) -> Self {
        self.then(|site, _| site.heal())
    }

    /// The next run, and its line.
    pub(crate) fn run(mut self, line: impl Into<String>) -> Self {
        self.runs.push(line.into());
        self
    }

    pub(crate) fn runs(self, lines: &[&str]) -> Self {
        lines.iter().fold(self, |row, line| row.run(*line))
    }

    fn play(&self) -> Result<(), String> {
        let server = match self.upsets.as_slice() {
            [] => Host::Mock(Server::of(&self.site)),
            upsets => Host::Raw(RawServer::of(&self.site, upsets)),
        };
        let desk = Desk::new(&server.url(), self.network);
        (self.prepare)(&desk);
        for (number, expected) in self.runs.iter().enumerate() {
            for (_, act) in self.between.iter().filter(|(before, _)| *before == number) {
                act(&self.site, &desk);
            }
            let args: &[&str] =
                if number == 0 { &["push", "--json", "--verbose"] } else { &["push", "--json"] };
            let ran = desk.run(args);
            let line = line(&ran, &desk, &self.site);
            if !expected.split(OR).any(|allowed| allowed == line) {
                return Err(self.report(number, expected, &line, &ran, &desk));
            }
            server.after_run();
        }
        self.status_asks_nothing(&desk)
    }

    /// People look at the journal in both forms afterwards; that is offline.
    fn status_asks_nothing(&self, desk: &Desk) -> Result<(), String> {
        desk.run(&["status"]);
        desk.run(&["status", "--json"]);
        let asked = self.site.take_counts();
        if asked.is_empty() {
            Ok(())
        } else {
            Err(format!("{}: status asked {asked:?}", self.name))
        }
    }

    fn report(&self, number: usize, expected: &str, line: &str, ran: &Ran, desk: &Desk) -> String {
        let mut text = format!(
            "{}, run {}\n  expected: {expected}\n  happened: {line}\nstdout: {}\nstderr:\n{}",
            self.name,
            number + 1,
            ran.stdout,
            ran.stderr
        );
        for (name, content) in desk.journal() {
            let _ = write!(text, "{name}: {content}");
        }
        text
    }
}

/// What a run concluded and asked, in one line.
pub(crate) fn line(ran: &Ran, desk: &Desk, site: &Site) -> String {
    let code = |value: &Value| value["code"].as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut text = ran.exit.to_string();
    for error in list(&ran.json["errors"]) {
        let _ = write!(text, " !{}", code(&error));
    }
    let articles = list(&ran.json["articles"]);
    let articles: Vec<_> = articles.iter().map(|article| one_article(article, desk)).collect();
    let asked = asked(&without_usual_end(site.take_counts(), &ran.json));
    let posts = site.stored().posts.len();
    let _ = write!(text, ": {}; {asked}; {posts} posts", articles.join(", "));
    text
}

fn one_article(article: &Value, desk: &Desk) -> String {
    let word = |name: &str| article[name].as_str().unwrap_or("-").to_owned();
    let slug = word("slug");
    let mut text = format!(
        "{slug} {} {} {} {}",
        word("outcome"),
        word("reason"),
        word("remote_effect"),
        desk.phase(&slug)
    );
    for image in article["media"].as_array().into_iter().flatten() {
        let word = |name: &str| image[name].as_str().unwrap_or("-").to_owned();
        let _ = write!(text, " [{} {}]", word("outcome"), word("reason"));
    }
    for warning in article["warnings"].as_array().into_iter().flatten() {
        let _ = write!(text, " +{}", warning["code"].as_str().unwrap_or_default());
    }
    text
}

/// Without the question that ends each run that made something: whether it is there twice.
/// Where it should have been asked and was not, it stays as a zero.
fn without_usual_end(mut counts: BTreeMap<Ask, usize>, json: &Value) -> BTreeMap<Ask, usize> {
    let articles = json["articles"].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_made =
        |value: &Value| matches!(value["outcome"].as_str(), Some("created" | "completed"));
    let as_sent = |article: &&Value| is_made(article) && article["slug"] == article["stored_slug"];
    let files = articles.iter().filter_map(|article| article["media"].as_array()).flatten();
    let usual = [
        (Ask::SecondCopies, articles.iter().any(|article| as_sent(&article))),
        (Ask::MediaSecondCopies, files.into_iter().any(is_made)),
    ];
    for (ask, is_due) in usual {
        let count = counts.entry(ask).or_insert(0);
        if *count == usize::from(is_due) {
            counts.remove(&ask);
        }
    }
    counts
}

/// The requests that arrived. The usual preflight is left out.
pub(crate) fn asked(counts: &BTreeMap<Ask, usize>) -> String {
    if counts.is_empty() {
        return "nothing asked".to_owned();
    }
    let mut counts = counts.clone();
    if counts.get(&Ask::Index) == Some(&1) && counts.get(&Ask::Me) == Some(&1) {
        counts.retain(|ask, _| !matches!(ask, Ask::Index | Ask::Me));
    } else {
        counts.entry(Ask::Me).or_insert(0);
    }
    let words: Vec<_> =
        counts.iter().map(|(ask, count)| format!("{} {count}", ask.word())).collect();
    if words.is_empty() { "preflight only".to_owned() } else { words.join(", ") }
}

/// Plays all rows, and tells all that went otherwise.
pub(crate) fn play(rows: Vec<Row>) {
    let count = rows.len();
    let left = Mutex::new(rows.into_iter());
    let next = || left.lock().expect("no player panics with it").next();
    let failures: Vec<String> = std::thread::scope(|scope| {
        let player = || {
            let mut failures = Vec::new();
            while let Some(row) = next() {
                failures.extend(row.play().err());
            }
            failures
        };
        let players: Vec<_> = (0..PLAYERS).map(|_| scope.spawn(player)).collect();
        players.into_iter().flat_map(|player| player.join().expect("it did not panic")).collect()
    });
    assert!(
        failures.is_empty(),
        "{} of {count} rows went otherwise:\n\n{}",
        failures.len(),
        failures.join("\n\n---\n\n")
    );
}
