//! A second death, at every step of what is done after a first.
//!
//! Absent from here: a third. The one rule: after a death a person runs the command,
//! unlocks as told, and runs it again; each of the three may die at each of its steps.

use std::rc::Rc;

use oncepress::crash::{Found, Loss};
use serde_json::Value;

use super::Tried;
use super::desk::Desk;
use super::every_step::{Act, Write, after, deaths, first_run, photographed};
use super::play::{
    AGAIN_MS, Before, Known, PUSH, Scene, is_abandoned, told, until_it_rests, way_out,
};

/// When what comes after the second death begins.
const THIRD_MS: i64 = AGAIN_MS + 10_000;

/// Whether the deaths after this write are among the first deaths. What differs between
/// the images, and between the articles, is in the first and the last of each.
pub(super) fn is_first(write: &Write, writes: usize) -> bool {
    [1, 4, writes].contains(&write.place) || write.kind == oncepress::sandbox::Kind::CreateTag
}

/// Plays a first death right after this write left, and one right before the next leaves,
/// and all second ones.
pub(super) fn die_twice(desk: &Desk, write: &Write, known: &Known) -> (Tried, Vec<String>) {
    let (whole, photos) = photographed(desk, &first_run(Some(write)));
    let steps = deaths(&whole.steps, write.place);
    let (mut tried, mut wrongs) = (Tried::default(), Vec::new());
    for step in [*steps.start(), *steps.end()] {
        for loss in [Loss::Nothing, Loss::Unsynced] {
            let scene = after(step, whole.steps.len(), &photos[step - 1], loss);
            if scene.before == Before::Ended || !known.is_new(&scene) {
                continue;
            }
            let mut second = Second { desk, known, tried, wrongs: Vec::new() };
            if let Err(wrong) = second.play(&scene) {
                second.wrongs.push(wrong);
            }
            tried = second.tried;
            let at = format!("{write:?}, dies at {step}, {loss:?}");
            wrongs.extend(second.wrongs.into_iter().map(|wrong| format!("{at}; then {wrong}")));
        }
    }
    (tried, wrongs)
}

struct Second<'a> {
    desk: &'a Desk,
    known: &'a Known,
    tried: Tried,
    wrongs: Vec<String>,
}

/// How a command ended that nobody stopped.
struct End {
    json: Value,
    found: Found,
}

impl Second<'_> {
    fn play(&mut self, first: &Scene) -> Result<(), String> {
        let End { json, found } = self.die_in(&PUSH, &first.found, first)?;
        if !is_abandoned(&json) {
            return Ok(());
        }
        let next = way_out(&json)?;
        let arguments: Vec<_> = next.split(' ').skip(1).collect();
        let End { found, .. } = self.die_in(&arguments, &found, first)?;
        self.die_in(&PUSH, &found, first)?;
        Ok(())
    }

    /// Dies at every step of this command, and then lets it come to its end.
    fn die_in(&mut self, arguments: &[&str], found: &Found, first: &Scene) -> Result<End, String> {
        let act = Act { arguments, found, place: first.seen.place.clone(), at_ms: AGAIN_MS };
        let (ran, photos) = photographed(self.desk, &act);
        let last = photos.last().expect("the end is photographed");
        let json = if arguments == PUSH { told(&ran, &last.found)? } else { Value::Null };
        let sent = first.seen.place.writes().count();
        for (index, photo) in photos.iter().enumerate() {
            let has_sent = photo.seen.place.writes().count() > sent;
            let before = if index == ran.steps.len() && !is_abandoned(&json) {
                Before::Ended
            } else if has_sent && index + 1 < ran.steps.len() {
                Before::DiedAfterSending
            } else {
                Before::Died
            };
            for loss in Loss::ALL {
                let found = photo.shadow.found_after(loss, &photo.found);
                let seen = Rc::clone(&photo.seen);
                let wrong = self.go_on(&Scene { found, seen, at_ms: THIRD_MS, before });
                let at = ran.steps.get(index);
                let told = |wrong| format!("{} dies at {at:?}, {loss:?}:\n  {wrong}", arguments[0]);
                self.wrongs.extend(wrong.map(told));
            }
        }
        Ok(End { json, found: last.found.clone() })
    }

    fn go_on(&mut self, scene: &Scene) -> Option<String> {
        self.tried.cases += 1;
        if !self.known.is_new(scene) {
            return None;
        }
        self.tried.distinct += 1;
        let wrongs = until_it_rests(self.desk, scene, self.known);
        (!wrongs.is_empty()).then(|| wrongs.join("\n  "))
    }
}
