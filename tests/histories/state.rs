//! The state of a case: the folder, the site, the clock, and what really happened.
//!
//! Absent from here: how it changes. The one rule: a copy of the value is a copy of the
//! whole case; nothing that could influence a run lies anywhere else.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use oncepress::sandbox::{Kind, Post, Reached, Simulated, Version, World};
use serde_json::Value;

use crate::action::Thing;
use crate::cast::{Cast, HOME, JOURNAL, image_digest};
use crate::ledger::{Ledger, Subject};
use crate::play::next_id;

/// When every case begins: in the middle of a month, because uploads are filed by month.
const START_S: i64 = 1_767_322_800;

/// Files by their path below the folder of the case.
pub(crate) type Files = BTreeMap<String, Arc<[u8]>>;

/// Everything that can differ between two moments of a case.
#[derive(Debug, Clone)]
pub(crate) struct State {
    /// Told apart from every other state of this process; no part of what it is.
    pub(crate) id: u64,
    /// The journal's files. Logs of runs are not among them: nothing reads them.
    pub(crate) journal: Files,
    /// How often each article file was changed.
    pub(crate) articles: Vec<u8>,
    /// How often each image file was changed.
    pub(crate) images: Vec<u8>,
    /// The site, with what is set to go wrong there from run to run.
    pub(crate) site: Simulated,
    /// What look-ups show, if they are stale.
    pub(crate) stale: Option<World>,
    /// Milliseconds since 1970.
    pub(crate) clock_ms: i64,
    /// How many random numbers were drawn.
    pub(crate) drawn: u64,
    pub(crate) ledger: Ledger,
}

impl State {
    /// The beginning of a case.
    pub(crate) fn of(cast: &Cast) -> Self {
        Self {
            id: next_id(),
            journal: Files::new(),
            articles: vec![0; cast.articles.len()],
            images: vec![0; cast.images],
            site: Simulated::new(World::new(Version::V7_1, HOME)),
            stale: None,
            clock_ms: START_S * 1_000,
            drawn: 0,
            ledger: Ledger::default(),
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        moment(self.clock_ms)
    }

    /// Whom this thing's story is about, as the thing is today.
    pub(crate) fn subject(&self, cast: &Cast, thing: Thing) -> Subject {
        match thing {
            Thing::Article(place) => {
                let piece = &cast.articles[place];
                Subject::of_article(piece.kind, piece.slug)
            }
            Thing::Image(place) => Subject::Image(image_digest(place, self.images[place])),
        }
    }

    /// The record of a subject, where there is one that can be read.
    pub(crate) fn record(&self, subject: &Subject) -> Option<Value> {
        let bytes = self.journal.get(&format!("{JOURNAL}/{}", subject.record_name()))?;
        serde_json::from_slice(bytes).ok()
    }

    /// The phase of its record.
    pub(crate) fn phase(&self, subject: &Subject) -> String {
        let record = self.record(subject);
        let phase = record.as_ref().and_then(|record| record["phase"].as_str());
        phase.unwrap_or("none").to_owned()
    }

    /// The name of the run that died and was not unlocked.
    pub(crate) fn abandoned(&self) -> Option<String> {
        let bytes = self.journal.get(&format!("{JOURNAL}/run.json"))?;
        let marker: Value = serde_json::from_slice(bytes).expect("markers are written whole");
        Some(marker["run_id"].as_str().expect("a marker names its run").to_owned())
    }

    /// The newest row of ours that is there.
    pub(crate) fn ours(&self, subject: &Subject) -> Option<&Post> {
        let story = self.ledger.story(subject)?;
        let mut ids: Vec<u64> = story.made().chain(story.adopted()).collect();
        ids.sort_unstable();
        ids.iter().rev().find_map(|id| self.site.world().post(*id))
    }

    /// Takes what arrived into the ledger, and forgets what is over.
    pub(crate) fn note_arrivals(&mut self) {
        self.ledger.learn(self.site.arrivals());
        let waits = |reached| matches!(reached, Reached::Waiting { .. });
        if !self.site.arrivals().iter().any(|arrival| waits(arrival.reached)) {
            self.site.forget_arrivals();
        }
    }

    /// What is late and due by now happens.
    pub(crate) fn catch_up(&mut self) {
        let now = self.now();
        self.site.catch_up(now);
        self.note_arrivals();
    }
}

pub(crate) fn moment(clock_ms: i64) -> Timestamp {
    Timestamp::from_millisecond(clock_ms).expect("a time of this century")
}

/// Whether a request asks for a post, page or attachment that is counted by the ledger.
pub(crate) fn is_send(kind: Kind) -> bool {
    matches!(kind, Kind::CreatePost | Kind::Upload)
}
