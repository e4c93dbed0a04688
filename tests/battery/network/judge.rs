//! Whether a case ended as it must, judged by the site and by what arrived there.
//!
//! Absent from here: playing the case (`play`). The one rule: what a run says of itself
//! is compared with the site's truth at that moment, and believed in nothing.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use super::ask::Ask;
use super::desk::Ran;
use super::kinds::Kind;
use super::oracle::{Course, End, courses};
use super::outcome::{Lie, Outcome, Proves, Way};
use super::server::Arrival;
use super::site::Row;

/// One run, and what there was when it had ended.
pub(super) struct Round {
    pub(super) ran: Ran,
    /// Arrivals of this run that are writes.
    pub(super) writes: usize,
    pub(super) journal: Journal,
    /// Records that say `sending`.
    pub(super) sending: usize,
    pub(super) ours: Vec<Row>,
}

/// Whether a run left the journal as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Journal {
    AsItWas,
    Changed,
}

/// A case that was played to its end.
pub(super) struct Played {
    pub(super) kind: Kind,
    pub(super) outcome: Outcome,
    /// The round in which the outcome came to its request.
    pub(super) at: usize,
    pub(super) rounds: Vec<Round>,
    pub(super) arrivals: Vec<Arrival>,
    /// Names of the outcomes that came to a request.
    pub(super) met: Vec<String>,
    /// Rows that are not ours, at the start and at the end.
    pub(super) foreign: (Vec<Row>, Vec<Row>),
    pub(super) terms: Vec<String>,
}

impl Round {
    /// It wrote nothing, here or there.
    pub(super) fn is_quiet(&self) -> bool {
        self.writes == 0 && self.journal == Journal::AsItWas
    }

    fn article(&self) -> &Value {
        &self.ran.json["articles"][0]
    }

    fn word(&self, name: &str) -> &str {
        self.article()[name].as_str().unwrap_or_default()
    }

    fn end(&self) -> Result<End, String> {
        Ok(match self.word("outcome") {
            "created" | "completed" => End::Made,
            "skipped" => End::Skipped,
            "deferred" => End::Deferred,
            "rejected" => End::Refused,
            "held" | "unknown" => End::Doubt,
            other => return Err(format!("the outcome is {other:?}")),
        })
    }

    fn posts(&self) -> usize {
        self.ours.iter().filter(|row| !row.is_file).count()
    }
}

impl Played {
    /// Everything that is wrong with it.
    pub(super) fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if !self.met.contains(&self.outcome.name) {
            faults.push("no request met this outcome".to_owned());
        }
        for (number, round) in self.rounds.iter().enumerate() {
            let told = self.told_truly(number, round);
            faults.extend(told.err().map(|fault| format!("run {}: {fault}", number + 1)));
        }
        faults.extend(self.took_its_course().err());
        faults.extend(self.sent_once().err());
        faults.extend(self.left_all_else_alone().err());
        faults
    }

    fn took_its_course(&self) -> Result<(), String> {
        let last = self.rounds.last().ok_or("no run at all")?;
        if !last.is_quiet() {
            return Err("it never came to rest".to_owned());
        }
        let (first, end) = (self.rounds[self.at].end()?, last.end()?);
        let happened = Course { first, last: end, posts: last.posts() };
        let expected = courses(self.kind, &self.outcome);
        if expected.contains(&happened) {
            Ok(())
        } else {
            Err(format!("expected {expected:?}, happened {happened:?}"))
        }
    }

    /// What the run says of the article, the effect and the exit code, against the site.
    fn told_truly(&self, number: usize, round: &Round) -> Result<(), String> {
        let must = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
        let (end, posts) = (round.end()?, round.posts());
        let effect = round.word("remote_effect");
        // Spec §6: what the site did besides is not told, and not done again.
        let taken_at_its_word =
            self.outcome.proves == Proves::Refusal && self.outcome.way == Way::Done;
        let hidden = self.outcome.proves == Proves::Lie(Lie::OneHidden) && number == self.at;
        match end {
            End::Made => must(posts > 0 && effect == "confirmed", "made, and there is no post")?,
            End::Skipped if round.word("reason") == "confirmed" => {
                must(posts > 0 && effect == "confirmed", "confirmed, and there is no post")?;
            }
            End::Skipped => {
                let taken = self.kind == Kind::LookUpTaken;
                must(taken || hidden || posts > 0, "skipped, and nobody has the slug")?;
            }
            End::Deferred if number > self.at || self.at == 0 => {
                must(posts == 0 && effect == "none", "put off, and there is a post")?;
            }
            End::Deferred => {}
            End::Refused => {
                must(effect == "none", "refused, with an effect")?;
                must(posts == 0 || taken_at_its_word, "refused, and there is a post")?;
            }
            End::Doubt => must(effect != "none", "in doubt, without an effect")?,
        }
        must(effect != "confirmed" || posts > 0, "confirmed, and there is no post")?;
        let in_doubt = round.sending > 0;
        must((effect == "possible") == in_doubt, "possible is not what the journal says")?;
        must(effect != "none" || posts == 0 || taken_at_its_word, "no effect, and a post")?;
        self.exit_fits(end, round)
    }

    /// Spec §12: 7, 6, 4, 3, 5, where several apply.
    fn exit_fits(&self, end: End, round: &Round) -> Result<(), String> {
        let errors = round.ran.json["errors"].as_array().ok_or("no list of errors")?;
        let allowed: &[u8] = match (end, errors.is_empty()) {
            (End::Made | End::Skipped, true) => &[0],
            // A post that is no draft.
            (End::Made, false) => &[4],
            (End::Skipped, false) => &[],
            (End::Deferred, true) => &[5],
            (End::Deferred, false) if self.kind.is_preflight() => &[2, 5, 6],
            (End::Deferred, false) => &[5, 6],
            (End::Refused, true) => &[3, 6],
            (End::Refused, false) => &[6],
            (End::Doubt, true) => &[4],
            (End::Doubt, false) => &[4, 6],
        };
        let exit = round.ran.exit;
        if allowed.contains(&exit) && round.ran.json["exit_code"] == exit {
            return Ok(());
        }
        Err(format!("the exit code {exit} is none of {allowed:?}"))
    }

    /// Each create and each upload has a `sending` record of its own on the disk.
    fn sent_once(&self) -> Result<(), String> {
        for ask in [Ask::Create, Ask::Upload] {
            let arrived: Vec<_> =
                self.arrivals.iter().filter(|arrival| arrival.ask == ask).collect();
            let operations: BTreeSet<_> =
                arrived.iter().filter_map(|arrival| arrival.operation.as_deref()).collect();
            if operations.len() != arrived.len() {
                let (word, count) = (ask.word(), arrived.len());
                return Err(format!("{count} × {word} with the records {operations:?}"));
            }
        }
        self.is_one_of_each()
    }

    /// At most one post and one file; what a second delivery made is told.
    fn is_one_of_each(&self) -> Result<(), String> {
        let last = self.rounds.last().ok_or("no run at all")?;
        let twice = matches!(self.outcome.way, Way::Twice(_));
        let files = last.ours.iter().filter(|row| row.is_file).count();
        let most = if twice && self.kind == Kind::Upload { 2 } else { 1 };
        if files > most {
            return Err(format!("{files} files"));
        }
        let two_made = twice && self.kind.makes_what_is_recorded();
        let warned =
            !self.rounds[self.at].article()["warnings"].as_array().is_none_or(Vec::is_empty);
        if two_made && !warned {
            return Err("it was delivered twice, and nothing told".to_owned());
        }
        if let Some(post) = last.ours.iter().find(|row| has_no_address(&row.content)) {
            return Err(format!("a post shows no file of the site: {}", post.content));
        }
        Ok(())
    }

    fn left_all_else_alone(&self) -> Result<(), String> {
        if self.foreign.0 != self.foreign.1 {
            return Err("something foreign changed".to_owned());
        }
        let at_home = matches!(self.kind, Kind::Index | Kind::IndexAsAccount);
        let stray = |arrival: &&Arrival| {
            arrival.ask == Ask::Stray || (arrival.ask == Ask::Home && !at_home)
        };
        if let Some(stray) = self.arrivals.iter().find(stray) {
            return Err(format!("asked what nobody should: {} {}", stray.method, stray.target));
        }
        let names: BTreeSet<_> = self.terms.iter().collect();
        if names.len() < self.terms.len() {
            return Err(format!("a term twice: {:?}", self.terms));
        }
        Ok(())
    }

    /// All that ends the debugging.
    pub(super) fn report(&self, faults: &[String], journal: &str) -> String {
        let mut text = format!("{:?}, {}\n", self.kind, self.outcome.name);
        for fault in faults {
            let _ = writeln!(text, "  ! {fault}");
        }
        for (number, round) in self.rounds.iter().enumerate() {
            let Ran { exit, stdout, stderr, .. } = &round.ran;
            let _ = writeln!(text, "-- run {}: exit {exit}\n{stdout}\n{stderr}", number + 1);
            for row in &round.ours {
                let _ = writeln!(text, "on the site: {row:?}");
            }
        }
        for Arrival { run, ask, method, target, operation } in &self.arrivals {
            let word = ask.word();
            let _ = writeln!(
                text,
                "arrived in run {}: {word} {method} {target} {operation:?}",
                run + 1
            );
        }
        text + journal
    }
}

/// An image whose address is no address on a site.
fn has_no_address(content: &str) -> bool {
    content.split("src=\"").skip(1).any(|rest| !rest.starts_with("http"))
}
