//! Judges what a run says of each article against the site's truth.
//!
//! Absent from here: what the site and the journal are after it (`judge`). The one rule:
//! an outcome is a claim, and each claim is checked where it can be: on the site, in what
//! arrived there, or in the record.

use oncepress::sandbox::{Accident, Post, Status, Target};
use serde_json::Value;

use crate::action::{Push, Thing};
use crate::cast::Cast;
use crate::judge::{is_look_up, receipt_of, visible};
use crate::ledger::{Send, Story, Subject};
use crate::play::Ran;
use crate::state::State;

/// Codes of refusals that another account would not meet.
const RIGHTS: [&str; 3] = ["no_right_", "rest_cannot_", "rest_forbidden"];
/// Exit codes, the gravest first (spec, section 12).
const GRAVEST: [u8; 9] = [7, 130, 143, 6, 4, 2, 3, 5, 0];

/// What is wrong with the result of a push.
pub(crate) fn push(
    cast: &Cast,
    before: &State,
    after: &State,
    push: &Push,
    ran: &Ran,
) -> Vec<String> {
    let mut claims = Claims { cast, after, push, ran, json: Value::Null, wrongs: Vec::new() };
    claims.read("push");
    if claims.json.is_null() {
        return claims.wrongs;
    }
    claims.counts();
    if before.abandoned().is_some() {
        claims.abandoned(before);
    } else if after.abandoned().is_some() {
        claims.wrong("orderly-end", "the marker stays behind".to_owned());
    }
    claims.exit();
    for place in 0..cast.articles.len() {
        claims.article(place);
    }
    claims.second_posts_are_told();
    claims.wrongs
}

/// What is wrong with a plan.
pub(crate) fn plan(cast: &Cast, after: &State, ran: &Ran) -> Vec<String> {
    let push = &Push::default();
    let mut claims = Claims { cast, after, push, ran, json: Value::Null, wrongs: Vec::new() };
    claims.read("plan");
    for place in 0..cast.articles.len() {
        let subject = after.subject(cast, Thing::Article(place));
        let forbidden = after.ledger.story(&subject).and_then(Story::forbids_sending);
        let path = cast.article_path(place);
        let entry = claims.entry(&path).cloned().unwrap_or(Value::Null);
        if let (Some("create"), Some(why)) = (entry["action"].as_str(), forbidden) {
            claims.wrong("no-resend", format!("a create of {subject:?} is planned: {why}"));
        }
    }
    claims.wrongs
}

/// A result, and what it is held against.
struct Claims<'a> {
    cast: &'a Cast,
    after: &'a State,
    push: &'a Push,
    ran: &'a Ran,
    json: Value,
    wrongs: Vec<String>,
}

impl Claims<'_> {
    fn wrong(&mut self, rule: &str, text: String) {
        self.wrongs.push(format!("{rule}: {text}; it said: {}", self.json));
    }

    fn read(&mut self, command: &str) {
        let Some(said) = &self.ran.said else { return };
        self.json = serde_json::from_str(&said.stdout).unwrap_or(Value::Null);
        let exit = said.exit.code();
        let is_whole = self.json["schema"] == "oncepress.result/1"
            && self.json["command"] == command
            && self.json["exit_code"] == exit
            && self.json["ok"] == (exit == 0);
        if !is_whole {
            self.wrong("json", format!("the envelope does not fit exit {exit}"));
        }
    }

    fn articles(&self) -> Vec<Value> {
        self.json["articles"].as_array().cloned().unwrap_or_default()
    }

    fn errors(&self) -> Vec<Value> {
        self.json["errors"].as_array().cloned().unwrap_or_default()
    }

    fn entry(&self, path: &str) -> Option<&Value> {
        self.json["articles"].as_array()?.iter().find(|entry| entry["path"] == path)
    }

    /// Each article comes out once, and the counts are those of the entries (P3).
    fn counts(&mut self) {
        let mut paths: Vec<_> =
            (0..self.cast.articles.len()).map(|place| self.cast.article_path(place)).collect();
        paths.sort_unstable();
        let mut told: Vec<_> = self
            .articles()
            .iter()
            .filter_map(|entry| entry["path"].as_str().map(str::to_owned))
            .collect();
        told.sort_unstable();
        if told != paths {
            self.wrong("no-outcome-forgotten", format!("{paths:?} went in, {told:?} came out"));
        }
        let counts = self.json["counts"].as_object().cloned().unwrap_or_default();
        for (outcome, count) in counts {
            let entries = self.articles();
            let of_outcome = entries.iter().filter(|entry| entry["outcome"] == outcome.as_str());
            if count != of_outcome.count() {
                self.wrong("no-outcome-forgotten", format!("{outcome} is counted as {count}"));
            }
        }
    }

    /// A run beside the marker of a dead one asks nothing and writes nothing.
    fn abandoned(&mut self, before: &State) {
        let exit = self.ran.said.as_ref().map(|said| said.exit.code());
        let code = self.errors().first().map(|error| error["code"].clone());
        if exit != Some(7) || code != Some("abandoned_run".into()) || !self.ran.heard.is_empty() {
            let heard = &self.ran.heard;
            self.wrong("dead-run-stops", format!("exit {exit:?}, requests {heard:?}"));
        }
        if !crate::desk::same(&before.journal, &self.after.journal) {
            self.wrong("dead-run-stops", "the journal was changed".to_owned());
        }
    }

    /// The exit code is the gravest of what the articles call for, or graver where an
    /// error is told.
    fn exit(&mut self) {
        let exit = self.ran.said.as_ref().map_or(1, |said| said.exit.code());
        let rank = |code: u8| GRAVEST.iter().position(|known| *known == code);
        let called: Vec<u8> = self.articles().iter().map(called_for).collect();
        let was_interrupted =
            self.push.interrupted.is_some_and(|kind| self.ran.heard.contains(&kind));
        let signal = was_interrupted.then_some(130);
        let expected = called.into_iter().chain(signal).min_by_key(|code| rank(*code)).unwrap_or(0);
        let fits = match (rank(exit), self.errors().is_empty()) {
            (None, _) => false,
            (Some(_), true) => exit == expected,
            (Some(is), false) => is <= rank(expected).unwrap_or(usize::MAX),
        };
        if !fits {
            self.wrong("exit-code", format!("exit {exit}, the articles call for {expected}"));
        }
    }

    fn article(&mut self, place: usize) {
        let path = self.cast.article_path(place);
        let Some(entry) = self.entry(&path).cloned() else { return };
        let subject = self.after.subject(self.cast, Thing::Article(place));
        let outcome = entry["outcome"].as_str().unwrap_or_default().to_owned();
        let reason = entry["reason"].as_str().unwrap_or_default().to_owned();
        let claim = match outcome.as_str() {
            "created" => self.created(&subject, &entry),
            "completed" => self.completed(&subject, &entry),
            "skipped" => self.skipped(&subject, &entry, &reason),
            "held" => self.held(&subject, &entry, &reason),
            "unknown" => self.has_phase(&subject, &["sending"]),
            "rejected" | "deferred" => Ok(()),
            other => Err(format!("no outcome for this article: {other:?}")),
        };
        if let Err(why) = claim {
            self.wrong("outcome-is-true", format!("{subject:?} {outcome} {reason}: {why}"));
        }
        if let Err(why) = self.effect(&subject, &entry) {
            self.wrong("effect-is-true", format!("{subject:?} {outcome} {reason}: {why}"));
        }
        let may_retry = matches!(outcome.as_str(), "unknown" | "deferred")
            || (outcome == "held" && reason == "media_unknown");
        if entry["retryable"] == true && !may_retry {
            self.wrong("retry-is-safe", format!("{subject:?} {outcome} {reason}"));
        }
        let attempts = self.after.record(&subject).map(|record| record["attempts"].clone());
        if attempts.is_some_and(|attempts| attempts != entry["attempt"]) {
            self.wrong("attempts-are-counted", format!("{subject:?}: {}", entry["attempt"]));
        }
    }

    fn has_phase(&self, subject: &Subject, phases: &[&str]) -> Result<(), String> {
        let phase = self.after.phase(subject);
        let fits = phases.contains(&phase.as_str());
        if fits { Ok(()) } else { Err(format!("its record is {phase}")) }
    }

    /// The post as it is, and as look-ups show it where they are old: nothing gives that
    /// away, and so it is believed.
    fn shown(&self, id: u64) -> impl Iterator<Item = &Post> {
        let worlds = [Some(self.after.site.world()), self.after.stale.as_ref()];
        worlds.into_iter().flatten().filter_map(move |world| world.post(id))
    }

    /// The post that an entry names is there, and is the record's.
    fn named(&self, subject: &Subject, entry: &Value) -> Result<u64, String> {
        let id = entry["post_id"].as_u64().ok_or("no post is named")?;
        if self.shown(id).next().is_none() {
            return Err(format!("post {id} is not there"));
        }
        if self.shown(id).all(|row| row.status == Status::Trash) {
            return Err(format!("post {id} is in the trash"));
        }
        match receipt_of(self.after, subject) {
            Some(receipt) if receipt == id => Ok(id),
            receipt => Err(format!("post {id} is named, the receipt is {receipt:?}")),
        }
    }

    fn created(&self, subject: &Subject, entry: &Value) -> Result<(), String> {
        let id = self.named(subject, entry)?;
        let sent = self.ran.sent.iter().filter(|sent| *sent == subject).count();
        if sent != 1 {
            return Err(format!("{sent} creates were sent in this run"));
        }
        let story = self.after.ledger.story(subject).ok_or("nothing was sent")?;
        let last = story.sends().last().ok_or("nothing was sent")?;
        if !last.made().any(|made| made == id) {
            return Err(format!("post {id} was not made by this run"));
        }
        let status = self.after.site.world().post(id).map(|row| row.status);
        if !matches!(status, Some(Status::Draft | Status::Pending)) {
            return Err(format!("post {id} is {status:?}"));
        }
        Ok(())
    }

    /// What is completed was made by us, and nobody has changed it since. Where a person
    /// vouched wrongly that nothing was created, it may be what the earlier send made.
    fn completed(&self, subject: &Subject, entry: &Value) -> Result<(), String> {
        let id = self.named(subject, entry)?;
        let story = self.after.ledger.story(subject).ok_or("nothing was ever sent")?;
        let in_doubt = |send: &&Send| !send.is_proved_empty();
        if !story.sends().iter().filter(in_doubt).any(|send| send.made().any(|made| made == id)) {
            return Err(format!("post {id} was not made by a send that was in doubt"));
        }
        let is = self.after.site.world().post(id);
        let is_shown_as_it_is = self.shown(id).all(|row| Some(row) == is);
        if self.after.ledger.edited.contains(&id) && is_shown_as_it_is {
            return Err(format!("post {id} was changed on the site"));
        }
        Ok(())
    }

    fn skipped(&self, subject: &Subject, entry: &Value, reason: &str) -> Result<(), String> {
        match reason {
            "confirmed" => {
                let id = self.named(subject, entry)?;
                let story = self.after.ledger.story(subject).ok_or("nothing was ever sent")?;
                let is_ours = story.made().chain(story.adopted()).any(|known| known == id);
                if is_ours { Ok(()) } else { Err(format!("post {id} is not ours")) }
            }
            "withdrawn" => {
                let record = self.after.record(subject).unwrap_or(Value::Null);
                let is_so = !record["withdrawn"].is_null();
                if is_so { Ok(()) } else { Err("nobody withdrew it".to_owned()) }
            }
            "exists" | "exists_several" | "exists_in_trash" | "exists_hidden" => {
                self.has_phase(subject, &["none"])?;
                let Subject::Article(kind, slug) = subject else { return Ok(()) };
                let trashed = format!("{slug}__trashed");
                let stale = self.after.stale.as_ref();
                let worlds = [Some(self.after.site.world()), stale].into_iter().flatten();
                let mut rows = worlds.flat_map(oncepress::sandbox::World::posts);
                // Where a row is hidden that has the slug of the positive control, the site
                // counts one for every question, and nobody can tell for which.
                let is_control = |slug: &str| reason == "exists_hidden" && self.is_a_receipt(slug);
                let takes = rows.any(|row| {
                    row.kind.name() == *kind
                        && (row.slug == *slug || row.slug == trashed || is_control(&row.slug))
                });
                if takes { Ok(()) } else { Err("nothing has its slug".to_owned()) }
            }
            other => Err(format!("no reason to skip: {other:?}")),
        }
    }

    /// Whether a record has a receipt with this slug.
    fn is_a_receipt(&self, slug: &str) -> bool {
        let articles = (0..self.cast.articles.len()).map(Thing::Article);
        let mut subjects = articles.map(|thing| self.after.subject(self.cast, thing));
        subjects.any(|subject| {
            let record = self.after.record(&subject).unwrap_or(Value::Null);
            record["receipt"]["stored_slug"] == slug
        })
    }

    fn held(&self, subject: &Subject, entry: &Value, reason: &str) -> Result<(), String> {
        let row = receipt_of(self.after, subject).and_then(|id| self.after.site.world().post(id));
        let status = row.map(|row| row.status);
        match reason {
            "input_changed" => self.has_phase(subject, &["prepared"]),
            "not_found" => {
                self.has_phase(subject, &["sending"])?;
                match visible(self.after, subject).filter(|_| !self.is_blinded()) {
                    Some(id) => Err(format!("the site shows row {id}")),
                    None => Ok(()),
                }
            }
            "edited_while_sending" | "content_differs" | "several_found" | "found_in_trash" => {
                self.has_phase(subject, &["sending"])
            }
            "hidden" => self.has_phase(subject, &["sending", "confirmed"]),
            "receipt_missing" if status.is_none() => self.has_phase(subject, &["confirmed"]),
            "receipt_missing" => Err("its post is there".to_owned()),
            "receipt_in_trash" if status == Some(Status::Trash) => Ok(()),
            "receipt_in_trash" => Err(format!("its post is {status:?}")),
            "receipt_mismatch" | "edited_after_receipt" => self.has_phase(subject, &["confirmed"]),
            "media_unknown" => {
                let media = entry["media"].as_array().cloned().unwrap_or_default();
                let blocks =
                    |image: &Value| image["outcome"] == "held" || image["outcome"] == "unknown";
                if media.iter().any(blocks) { Ok(()) } else { Err("no image blocks it".to_owned()) }
            }
            other => Err(format!("no reason to hold: {other:?}")),
        }
    }

    /// Whether look-ups of this very run did not show the truth.
    fn is_blinded(&self) -> bool {
        self.push.faults.iter().any(|fault| match fault.on {
            Target::Any => true,
            Target::Kind(kind) => is_look_up(kind) || matches!(fault.accident, Accident::Hide(_)),
        })
    }

    /// `none` says that nothing of this article may be on the site that came from us.
    fn effect(&self, subject: &Subject, entry: &Value) -> Result<(), String> {
        match entry["remote_effect"].as_str().unwrap_or_default() {
            "none" => {
                let doubt = self.after.ledger.story(subject).and_then(|s| s.doubts().next());
                if let Some(doubt) = doubt {
                    return Err(format!("no effect is claimed, and there is {doubt:?}"));
                }
                self.has_phase(subject, &["none", "prepared"])
            }
            "possible" => {
                let is_image = entry["reason"] == "media_unknown";
                if is_image { Ok(()) } else { self.has_phase(subject, &["sending"]) }
            }
            "confirmed" => self.has_phase(subject, &["confirmed"]),
            other => Err(format!("no such effect: {other:?}")),
        }
    }

    /// A create whose answer names another slug than was asked for is told as such: two
    /// posts for one article are never silent.
    fn second_posts_are_told(&mut self) {
        for place in 0..self.cast.articles.len() {
            let subject = self.after.subject(self.cast, Thing::Article(place));
            if !self.ran.sent.contains(&subject) {
                continue;
            }
            let story = self.after.ledger.story(&subject);
            let told = story.and_then(|story| story.sends().last()?.told_slug());
            let Subject::Article(_, asked) = &subject else { continue };
            let path = self.cast.article_path(place);
            let entry = self.entry(&path).cloned().unwrap_or(Value::Null);
            let warnings = entry["warnings"].as_array().cloned().unwrap_or_default();
            let warns = warnings.iter().any(|warning| warning["code"] == "slug_changed");
            if told.is_some_and(|told| told != *asked) && !warns {
                self.wrong("never-silent", format!("{subject:?} got another slug"));
            }
        }
    }
}

/// The exit code that one entry calls for.
fn called_for(entry: &Value) -> u8 {
    let reason = entry["reason"].as_str().unwrap_or_default();
    match entry["outcome"].as_str().unwrap_or_default() {
        "held" if reason == "journal_damaged" => 7,
        "held" | "unknown" => 4,
        "rejected" if RIGHTS.iter().any(|rights| reason.starts_with(rights)) => 6,
        "rejected" | "invalid" => 3,
        "deferred" => 5,
        _ => 0,
    }
}
