//! The site during one command, and who watches what arrives there.
//!
//! Absent from here: what the command says. The one rule: each create and upload is
//! judged at the moment when it arrives, by the record that lies on the disk and by what
//! really happened before.

use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use oncepress::report::Exit;
use oncepress::run::interrupt::Interrupt;
use oncepress::run::result::Interruption;
use oncepress::sandbox::{
    Accident, Arrival, Counted, Kind, PostKind, Request, Response, Simulated, World, received,
};
use oncepress::wordpress::{Carrier, Lost};
use serde_json::Value;
use tokio::sync::watch;

use crate::action::Push;
use crate::cast::{Cast, HOME};
use crate::desk::{Around, Seat};
use crate::dice::mixed;
use crate::ledger::{Ledger, Subject};
use crate::state::{State, is_send, moment};

/// Milliseconds that a request takes.
const REQUEST_MS: i64 = 20;
/// Milliseconds after which a client gives up that gets no answer.
const PATIENCE_MS: i64 = 2_000;
/// How long a slow answer may take.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Random numbers of a second run, far from those of the first.
const SECOND_DRAWS: u64 = 1 << 40;

/// What tells the time and draws numbers in one command.
#[derive(Debug, Clone)]
pub(crate) struct Works {
    clock_ms: Arc<AtomicI64>,
    drawn: Arc<AtomicU64>,
}

impl Works {
    pub(crate) fn of(state: &State) -> Self {
        Self {
            clock_ms: Arc::new(AtomicI64::new(state.clock_ms)),
            drawn: Arc::new(AtomicU64::new(state.drawn)),
        }
    }

    /// Milliseconds since 1970, and numbers drawn.
    pub(crate) fn read(&self) -> (i64, u64) {
        (self.clock_ms.load(Ordering::SeqCst), self.drawn.load(Ordering::SeqCst))
    }

    /// Each look at the clock is a millisecond later.
    pub(crate) fn around(&self, carrier: Carrier, interrupt: Interrupt) -> Around {
        let Self { clock_ms, drawn } = self.clone();
        Around {
            clock: Arc::new(move || moment(clock_ms.fetch_add(1, Ordering::SeqCst))),
            random: Arc::new(move || mixed(drawn.fetch_add(1, Ordering::SeqCst))),
            carrier,
            interrupt,
        }
    }

    fn pass(&self, by_ms: i64) -> i64 {
        self.clock_ms.fetch_add(by_ms, Ordering::SeqCst) + by_ms
    }
}

/// The site while a command runs.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) site: Simulated,
    pub(crate) ledger: Ledger,
    /// What was found wrong.
    pub(crate) wrongs: Vec<String>,
    /// The requests that left, in order.
    pub(crate) heard: Vec<Kind>,
    /// Whose creates and uploads left.
    pub(crate) sent: Vec<Subject>,
    cast: Cast,
    digests: Vec<String>,
    seat: Seat,
    works: Works,
    is_stale: bool,
    unreachable: Option<Kind>,
    second: Option<Kind>,
    interrupted: Option<(Kind, watch::Sender<Option<Interruption>>)>,
}

impl Stage {
    /// The site of this state, to which a command comes.
    pub(crate) fn of(cast: &Cast, state: &State, seat: &Seat, works: &Works) -> Self {
        let digest = |(image, version): (usize, &u8)| crate::cast::image_digest(image, *version);
        Self {
            site: state.site.clone(),
            ledger: state.ledger.clone(),
            wrongs: Vec::new(),
            heard: Vec::new(),
            sent: Vec::new(),
            cast: cast.clone(),
            digests: state.images.iter().enumerate().map(digest).collect(),
            seat: seat.clone(),
            works: works.clone(),
            is_stale: state.stale.is_some(),
            unreachable: None,
            second: None,
            interrupted: None,
        }
    }

    /// Sets what goes wrong in this run, and gives what the run listens to.
    pub(crate) fn set(&mut self, push: &Push) -> Interrupt {
        let (sender, receiver) = watch::channel(None);
        push.faults.iter().for_each(|fault| self.site.add_fault(*fault));
        let stale = |accident: Accident| matches!(accident, Accident::Stale(_));
        self.is_stale |= push.faults.iter().any(|fault| stale(fault.accident));
        self.unreachable = push.unreachable;
        self.second = push.second;
        self.interrupted = push.interrupted.map(|kind| (kind, sender));
        Interrupt::new(receiver)
    }

    /// Carries requests to a stage that several hold.
    pub(crate) fn carrier(stage: &Arc<Mutex<Self>>) -> Carrier {
        let stage = Arc::clone(stage);
        Arc::new(move |request| stage.lock().expect("nobody panicked with it").carry(&request))
    }

    fn carry(&mut self, request: &Request) -> Result<Response, Lost> {
        let now = moment(self.works.pass(REQUEST_MS));
        self.site.catch_up(now);
        let probe = (request.method() == http::Method::POST).then(|| {
            let mut probe = Simulated::new(self.site.world().clone());
            let _not_for_the_client = probe.carry(request, now);
            probe.arrivals()[0].clone()
        });
        let send = probe.as_ref().filter(|probe| is_send(probe.kind));
        let send = send.map(|probe| self.look_at(request, probe));
        let kind = probe.map(|probe| probe.kind);
        if kind.is_some() && self.unreachable == kind {
            self.unreachable = None;
            self.heard.extend(kind);
            if let Some((subject, record)) = send {
                self.ledger.story_mut(&subject).sent(record, None);
                self.sent.push(subject);
            }
            return Err(Lost::NotConnected("connection refused".to_owned()));
        }
        let carried = self.site.carry(request, now);
        let arrival = self.site.arrivals().last().expect("it arrived").clone();
        let kind = arrival.kind;
        self.heard.push(kind);
        // The pages by which a REST root is found are of no other kind.
        if kind == Kind::Other && arrival.method != "GET" {
            self.wrong("only-what-is-needed", &format!("{arrival:?}"));
        }
        if let Some((subject, record)) = send {
            self.ledger.story_mut(&subject).sent(record, Some(arrival));
            self.sent.push(subject);
        }
        self.meanwhile(kind);
        let answer = received(carried, TIMEOUT);
        if answer.is_err() {
            self.works.pass(PATIENCE_MS);
        }
        answer
    }

    /// What else happens while the first request of a kind is under way.
    fn meanwhile(&mut self, kind: Kind) {
        if self.second == Some(kind) {
            self.second = None;
            self.run_second();
        }
        if let Some((_, sender)) = self.interrupted.take_if(|(wanted, _)| *wanted == kind) {
            sender.send_replace(Some(Interruption::Interrupt));
        }
    }

    fn wrong(&mut self, rule: &str, text: &str) {
        self.wrongs.push(format!("{rule}: {text}"));
    }

    /// Judges a create or upload that is about to arrive, and gives whose it is and the
    /// record that stands for it.
    fn look_at(&mut self, request: &Request, probe: &Arrival) -> (Subject, (String, u64)) {
        let slug = probe.slug.clone().unwrap_or_default();
        let kind = match (probe.kind, probe.route.as_str()) {
            (Kind::Upload, _) => PostKind::Attachment,
            (_, "wp/v2/pages") => PostKind::Page,
            _ => PostKind::Post,
        };
        let subject = match kind {
            PostKind::Attachment => {
                Subject::Image(oncepress::names::Digest::of(request.body()).to_string())
            }
            PostKind::Post | PostKind::Page | PostKind::Book | PostKind::Chapter => {
                Subject::Article(kind.name(), slug.clone())
            }
        };
        let record = self.seat.record(&subject.record_name()).unwrap_or(Value::Null);
        let standing = standing(&record).unwrap_or_default();
        if record["phase"] != "sending" {
            let text = format!("{subject:?} is sent, and its record is {record}");
            self.wrong("no-send-without-record", &text);
        }
        if let Some(story) = self.ledger.story(&subject).cloned() {
            if story.uses(&standing) {
                let text = format!("{subject:?}: one more request for {standing:?}");
                self.wrong("one-request-per-record", &text);
            }
            if let Some(why) = story.forbids_sending() {
                self.wrong("no-resend", &format!("{subject:?} is sent again: {why}"));
            }
        }
        if let Some(why) = self.should_be_seen(kind, &slug) {
            let text = format!("{subject:?} is sent although the site shows {why}");
            self.wrong("create-only-where-absent", &text);
        }
        if kind != PostKind::Attachment {
            self.look_at_words(request.body(), &subject);
        }
        (subject, standing)
    }

    /// A row that a look-up must have shown, or counted, under this slug.
    fn should_be_seen(&self, kind: PostKind, slug: &str) -> Option<String> {
        let trashed = format!("{slug}__trashed");
        let hides = |id: u64| self.site.hidden().get(&id) == Some(&Counted::Uncounted);
        let mut rows = self.site.world().posts();
        let is_it = |row: &&oncepress::sandbox::Post| {
            row.kind == kind && (row.slug == slug || row.slug == trashed) && !hides(row.id)
        };
        let found = rows.find(is_it).filter(|_| !self.is_stale);
        found.map(|row| format!("row {} ({})", row.id, row.status.name()))
    }

    /// A post is sent as a draft, with the addresses of images on the site.
    fn look_at_words(&mut self, body: &Bytes, subject: &Subject) {
        let body: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
        let status = body["status"].as_str().unwrap_or_default();
        if !["draft", "pending"].contains(&status) {
            self.wrong("only-drafts", &format!("{subject:?} is sent as {status:?}"));
        }
        let place = self
            .cast
            .articles
            .iter()
            .position(|piece| Subject::of_article(piece.kind, piece.slug) == *subject);
        let Some(place) = place else {
            return self.wrong("only-articles", &format!("{subject:?} is none of the folder"));
        };
        let piece = &self.cast.articles[place];
        let content = body["content"].as_str().unwrap_or_default();
        let all = content.matches("<img ").count();
        let ours = self.site.world().posts().filter(|row| {
            let file = row.file.as_ref();
            let is_shown = |image: &usize| {
                file.is_some_and(|file| file.sha256 == self.digests[*image])
                    || self.ledger.ours().contains(&row.id)
            };
            piece.images.iter().any(is_shown)
        });
        let uploads = format!("src=\"{HOME}/wp-content/uploads/");
        let mut addresses: Vec<_> = ours
            .filter_map(|row| row.file.as_ref())
            .map(|file| format!("{uploads}{}\"", file.path))
            .collect();
        // Where look-ups are old and nothing gives it away, an image that is gone is believed
        // to be there; its address is still one of the site.
        let remote: usize = if self.is_stale {
            content.matches(&uploads).count()
        } else {
            addresses.sort_unstable();
            addresses.dedup();
            addresses.iter().map(|address| content.matches(address.as_str()).count()).sum()
        };
        if all != piece.images.len() || remote != all {
            let text = format!("{subject:?} has {all} images, {remote} on the site: {content}");
            self.wrong("no-local-path", &text);
        }
    }

    /// Another run is started on the same folder: it must stop at the lock.
    fn run_second(&mut self) {
        let before = self.seat.journal();
        let seat = self.seat.clone();
        let works = self.works.clone();
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = asked.clone();
        let carrier: Carrier = Arc::new(move |_| {
            counter.fetch_add(1, Ordering::SeqCst);
            Err(Lost::NotConnected("it should not have come so far".to_owned()))
        });
        let drawn = works.drawn.load(Ordering::SeqCst) + SECOND_DRAWS;
        let works = Works { drawn: Arc::new(AtomicU64::new(drawn)), ..works };
        let around = works.around(carrier, Interrupt::new(watch::channel(None).1));
        let said = std::thread::spawn(move || seat.run(&["push", "--json"], around)).join();
        let said = said.expect("the second run does not panic");
        if said.exit != Exit::Temporary || asked.load(Ordering::SeqCst) > 0 {
            self.wrong("second-stops-at-lock", &format!("{said:?}"));
        }
        if self.seat.journal() != before {
            self.wrong("second-writes-nothing", &format!("{said:?}"));
        }
    }
}

/// The operation and the serial of a record.
pub(crate) fn standing(record: &Value) -> Option<(String, u64)> {
    Some((record["operation_id"].as_str()?.to_owned(), record["serial"].as_u64()?))
}

/// The world at the end of a command compared with that of its beginning: nothing that
/// was there may be changed, but for sizes of images that were finished.
pub(crate) fn changed_rows(before: &World, after: &World) -> Vec<String> {
    let mut changed = Vec::new();
    for row in before.posts() {
        let Some(now) = after.post(row.id) else {
            changed.push(format!("row {} is gone", row.id));
            continue;
        };
        let mut now = now.clone();
        if let (Some(was), Some(is)) = (&row.file, &mut now.file) {
            is.sizes.clone_from(&was.sizes);
        }
        if now != *row {
            changed.push(format!("row {} was {row:?}, is {now:?}", row.id));
        }
    }
    let terms = before.terms().filter(|term| !after.terms().any(|now| now == *term));
    changed.extend(terms.map(|term| format!("term {} was changed", term.name)));
    changed
}
