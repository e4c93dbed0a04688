//! What really happened to each article and image: every request that was sent for it,
//! and every decision of a person.
//!
//! Absent from here: what the program says. The one rule: written from what arrived at
//! the site and from what persons did, so that a judge can hold the program against it.

use std::collections::{BTreeMap, BTreeSet};

use oncepress::sandbox::{Accident, Answered, Arrival, MadeKind, PostKind, Reached, Told};
use percent_encoding::{CONTROLS, utf8_percent_encode};

/// The status of an answer that says that something was created.
const CREATED: u16 = 201;

/// What a record is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Subject {
    /// The name of its type, and its slug as WordPress stores it.
    Article(&'static str, String),
    /// The SHA-256 of its bytes.
    Image(String),
}

impl Subject {
    pub(crate) fn of_article(kind: PostKind, slug: &str) -> Self {
        // ASCII stays, the rest is escaped; our slugs have no capitals.
        let stored = utf8_percent_encode(slug, CONTROLS).to_string().to_lowercase();
        Self::Article(kind.name(), stored)
    }

    /// The file of its record, below the journal.
    pub(crate) fn record_name(&self) -> String {
        match self {
            Self::Article(kind, slug) => format!("articles/{kind}/{slug}.json"),
            Self::Image(digest) => format!("media/{digest}.json"),
        }
    }
}

/// The stories of all subjects.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ledger {
    stories: BTreeMap<Subject, Story>,
    /// Rows whose words a person changed.
    pub(crate) edited: BTreeSet<u64>,
    /// Drafts of a colleague with an article's slug, by the article's place.
    pub(crate) theirs: BTreeMap<usize, u64>,
}

/// What happened to one subject.
#[derive(Debug, Clone, Default)]
pub(crate) struct Story {
    sends: Vec<Send>,
    /// A person's decision that the past is void begins a new one.
    era: u32,
    /// What persons named as ours.
    adopted: BTreeSet<u64>,
    /// Whether a person named one in this era.
    is_adopted: bool,
}

/// A request that was sent for it.
#[derive(Debug, Clone)]
pub(crate) struct Send {
    era: u32,
    /// The operation and the serial of the record that stood on the disk.
    pub(crate) record: (String, u64),
    truth: Truth,
}

/// What became of it.
#[derive(Debug, Clone)]
enum Truth {
    /// There was no connection.
    NeverLeft,
    /// As the site knows it.
    Arrived(Arrival),
}

impl Ledger {
    pub(crate) fn story(&self, subject: &Subject) -> Option<&Story> {
        self.stories.get(subject)
    }

    pub(crate) fn stories(&self) -> impl Iterator<Item = (&Subject, &Story)> {
        self.stories.iter()
    }

    pub(crate) fn story_mut(&mut self, subject: &Subject) -> &mut Story {
        self.stories.entry(subject.clone()).or_default()
    }

    /// Takes over what the site has learned about the requests since.
    pub(crate) fn learn(&mut self, arrivals: &[Arrival]) {
        for send in self.stories.values_mut().flat_map(|story| &mut story.sends) {
            if let Truth::Arrived(known) = &mut send.truth
                && let Some(now) = arrivals.iter().find(|arrival| arrival.number == known.number)
            {
                known.clone_from(now);
            }
        }
    }

    /// Every row that we made or that a person named as ours.
    pub(crate) fn ours(&self) -> BTreeSet<u64> {
        self.stories.values().flat_map(|story| story.made().chain(story.adopted())).collect()
    }
}

impl Story {
    pub(crate) fn sent(&mut self, record: (String, u64), arrival: Option<Arrival>) {
        let truth = arrival.map_or(Truth::NeverLeft, Truth::Arrived);
        self.sends.push(Send { era: self.era, record, truth });
    }

    pub(crate) fn sends(&self) -> &[Send] {
        &self.sends
    }

    /// A person says that nothing is left of what was sent so far.
    pub(crate) fn begin_era(&mut self) {
        self.era += 1;
        self.is_adopted = false;
    }

    /// A person names the object.
    pub(crate) fn adopt(&mut self, id: u64) {
        self.adopted.insert(id);
        self.is_adopted = true;
    }

    pub(crate) fn adopted(&self) -> impl Iterator<Item = u64> {
        self.adopted.iter().copied()
    }

    /// Every row that was made for it.
    pub(crate) fn made(&self) -> impl Iterator<Item = u64> {
        self.sends.iter().flat_map(Send::made)
    }

    /// Why no request may be sent for it now, if so: something sent in this era was not
    /// proved to have made nothing.
    pub(crate) fn forbids_sending(&self) -> Option<String> {
        if self.is_adopted {
            return Some(format!("a person named {:?}", self.adopted));
        }
        self.doubts().next().map(|send| format!("an earlier send is not settled: {send:?}"))
    }

    /// What was sent in this era and is not proved to have made nothing.
    pub(crate) fn doubts(&self) -> impl Iterator<Item = &Send> {
        self.sends.iter().filter(|send| send.era == self.era && !send.is_proved_empty())
    }

    /// Eras in which more was made than one row for the era and one for each request that
    /// the site delivered twice.
    pub(crate) fn surplus(&self) -> Option<String> {
        for era in 0..=self.era {
            let sends = || self.sends.iter().filter(|send| send.era == era);
            let made: Vec<u64> = sends().flat_map(Send::made).collect();
            let allowed = 1 + sends().filter(|send| send.was_delivered_twice()).count();
            if made.len() > allowed {
                return Some(format!("rows {made:?} were made, {allowed} may be"));
            }
        }
        None
    }

    /// The parts on which anything to come depends, as text.
    pub(crate) fn essence(&self, record: Option<(String, u64)>) -> String {
        let is_used = record.is_some_and(|record| self.uses(&record));
        let mut text = format!("adopted={:?}/{} used={is_used}", self.adopted, self.is_adopted);
        for send in &self.sends {
            let is_open = send.era == self.era && !send.is_proved_empty();
            let made: Vec<u64> = send.made().collect();
            let waits = matches!(send.reached(), Some(Reached::Waiting { .. }));
            // An old send that made nothing and never will has no part in what comes.
            if is_open || waits || !made.is_empty() {
                let age = self.era - send.era;
                let twice = send.was_delivered_twice();
                text += &format!(" [{age} open={is_open} waits={waits} twice={twice} {made:?}]");
            }
        }
        text
    }

    /// Whether a request was sent with this record.
    pub(crate) fn uses(&self, record: &(String, u64)) -> bool {
        self.sends.iter().any(|send| send.record == *record)
    }
}

impl Send {
    fn arrival(&self) -> Option<&Arrival> {
        match &self.truth {
            Truth::NeverLeft => None,
            Truth::Arrived(arrival) => Some(arrival),
        }
    }

    fn reached(&self) -> Option<Reached> {
        self.arrival().map(|arrival| arrival.reached)
    }

    /// Posts, pages and attachments that it made.
    pub(crate) fn made(&self) -> impl Iterator<Item = u64> {
        let made = self.arrival().map(|arrival| arrival.made.as_slice()).unwrap_or_default();
        let is_row = |kind| match kind {
            MadeKind::Post | MadeKind::Page | MadeKind::Attachment | MadeKind::Other => true,
            MadeKind::Category | MadeKind::Tag => false,
        };
        made.iter().filter(move |made| is_row(made.what)).map(|made| made.id)
    }

    pub(crate) fn was_delivered_twice(&self) -> bool {
        let has = |arrival: &Arrival| {
            arrival.accidents.iter().any(|what| matches!(what, Accident::Twice(_)))
        };
        self.arrival().is_some_and(has)
    }

    /// The slug in the answer that the client got whole.
    pub(crate) fn told_slug(&self) -> Option<String> {
        let arrival = self.arrival()?;
        let second = arrival.accidents.contains(&Accident::Twice(Told::Second));
        let told = arrival.made.get(usize::from(second))?;
        let is_told = arrival.answered == Answered::Whole(CREATED);
        is_told.then(|| told.slug.clone())
    }

    /// Whether an answer, or the lack of a connection, proves to whoever sent it that
    /// nothing was made: a refusal of WordPress' own, or a redirect (spec, section 6).
    pub(crate) fn is_proved_empty(&self) -> bool {
        let Some(arrival) = self.arrival() else { return true };
        let is_whole = matches!(arrival.answered, Answered::Whole(_));
        let is_proof = |what: &Accident| {
            matches!(what, Accident::Refuse | Accident::Redirect { .. } | Accident::Slow { .. })
        };
        let is_settled = match arrival.reached {
            Reached::NotTheSite => !arrival.accidents.is_empty(),
            Reached::Answered => true,
            Reached::Waiting { .. } | Reached::Committed => false,
        };
        is_settled && is_whole && arrival.made.is_empty() && arrival.accidents.iter().all(is_proof)
    }
}
