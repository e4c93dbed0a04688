//! Death at every step of a run, with every truth at the site and every loss of the disk.
//!
//! Absent from here: disks that fail while the run lives (`io_errors`). The one rule: the
//! truth at the site is the truth of the last write that left before the death, so each
//! write is tried with each truth, and the death comes at each step until the next one.
//!
//! A run is played once and photographed before each of its steps: what is there then is
//! what a death leaves. That this is so is tried with deaths at all steps of one run.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::rc::Rc;

use oncepress::crash::{Found, Loss, Shadow, Step, Watch, found_in};
use oncepress::sandbox::Kind;

use super::Tried;
use super::desk::{Desk, Plan, Ran, essence};
use super::play::{AGAIN_MS, Before, Known, PUSH, Scene, until_it_rests};
use super::project::{FOLDER, SITE};
use super::site::{Place, Seen, Shared, held};
use super::truths::Truth;

/// A write of the first run, and what becomes of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Write {
    pub(super) kind: Kind,
    /// Its number among those of its kind, from 1.
    pub(super) number: u32,
    /// Its number among all, from 1; 0 for what comes before the first.
    pub(super) place: usize,
    pub(super) truth: Truth,
}

/// A command that is run at some time on some site.
pub(super) struct Act<'a> {
    pub(super) arguments: &'a [&'a str],
    pub(super) found: &'a Found,
    pub(super) place: Place,
    pub(super) at_ms: i64,
}

/// The first run, with a site where this becomes of that write.
pub(super) fn first_run(write: Option<&Write>) -> Act<'static> {
    let mut site = SITE.clone();
    let fault = write.and_then(|write| write.truth.fault(write.kind, write.number));
    if let Some(fault) = fault {
        site.add_fault(fault);
    }
    Act { arguments: &PUSH, found: &FOLDER, place: Place::new(site), at_ms: 0 }
}

/// One command under a watch.
pub(super) fn run_once(desk: &Desk, act: &Act<'_>, plan: Plan<'_>) -> (Ran, Place) {
    desk.lay_out(act.found);
    let shared = act.place.shared(desk.root());
    held(&shared).set_clock(act.at_ms);
    let ran = desk.run(act.arguments, act.at_ms, Place::carrier(&shared), plan);
    let place = held(&shared).clone();
    (ran, place)
}

/// Every write of the first run with everything that can become of it.
pub(super) fn writes() -> Vec<Write> {
    let (ran, place) = run_once(&Desk::new(), &first_run(None), &|_: &Watch| {});
    let said = ran.said.expect("nobody told it to die");
    assert_eq!(said.exit.code(), 0, "{}{}", said.stdout, said.stderr);
    let kinds: Vec<Kind> = place.writes().map(|arrival| arrival.kind).collect();
    assert_eq!(kinds.len(), 10, "six images, a tag, three posts: {kinds:?}");
    let mut counts: HashMap<Kind, u32> = HashMap::new();
    let mut writes = vec![Write { kind: kinds[0], number: 1, place: 0, truth: Truth::Done }];
    for (place, kind) in kinds.into_iter().enumerate() {
        let number = *counts.entry(kind).and_modify(|count| *count += 1).or_insert(1);
        let can_be = |truth: &Truth| *truth == Truth::Done || truth.fault(kind, number).is_some();
        let with = |truth| Write { kind, number, place: place + 1, truth };
        writes.extend(Truth::ALL.into_iter().filter(can_be).map(with));
    }
    writes
}

/// What is there before a step.
#[derive(Clone)]
pub(super) struct Photo {
    pub(super) found: Found,
    pub(super) shadow: Shadow,
    pub(super) seen: Rc<Seen>,
}

/// Who photographs.
#[derive(Clone)]
struct Photographer {
    root: PathBuf,
    shared: Shared,
    photos: Rc<RefCell<Vec<Photo>>>,
}

impl Photographer {
    fn take(&self, shadow: &Shadow) {
        let found = found_in(&self.root).expect("the folder is read");
        let place = held(&self.shared);
        let count = |place: &Place| place.site.arrivals().len();
        let mut photos = self.photos.borrow_mut();
        let same = photos.last().filter(|last| count(&last.seen.place) == count(&place));
        let seen = same.map_or_else(|| Seen::of(&place), |last| Rc::clone(&last.seen));
        photos.push(Photo { found, shadow: shadow.clone(), seen });
    }
}

/// Plays a command and photographs before each of its steps, and at its end.
pub(super) fn photographed(desk: &Desk, act: &Act<'_>) -> (Ran, Vec<Photo>) {
    desk.lay_out(act.found);
    let shared = act.place.shared(desk.root());
    held(&shared).set_clock(act.at_ms);
    let photographer = Photographer {
        root: desk.root().to_owned(),
        shared: Shared::clone(&shared),
        photos: Rc::default(),
    };
    let ran = desk.run(act.arguments, act.at_ms, Place::carrier(&shared), &|watch: &Watch| {
        let photographer = photographer.clone();
        watch.observe(move |_, shadow| photographer.take(shadow));
    });
    photographer.take(&ran.shadow);
    let photos = photographer.photos.take();
    assert_eq!(photos.len(), ran.steps.len() + 1);
    (ran, photos)
}

/// The steps at which the run is to die so that this write is the last one that left.
pub(super) fn deaths(steps: &[Step], place: usize) -> RangeInclusive<usize> {
    let is_send = |number: &usize| matches!(steps[number - 1], Step::Send(_));
    let sends: Vec<usize> = (1..=steps.len()).filter(is_send).collect();
    // Before the first write nothing has become of any.
    let from = if place == 0 { 0 } else { sends[place - 1] };
    let to = sends.get(place).copied().unwrap_or(steps.len() + 1);
    from + 1..=to
}

/// What is found after a death in a push at this step and after this loss.
pub(super) fn after(step: usize, steps: usize, photo: &Photo, loss: Loss) -> Scene {
    let before = match (step > steps, photo.seen.place.writes().next().is_some()) {
        (true, _) => Before::Ended,
        // The last step is the sync of the folder that the marker was removed from.
        (false, true) if step < steps => Before::DiedAfterSending,
        (false, _) => Before::Died,
    };
    let found = photo.shadow.found_after(loss, &photo.found);
    Scene { found, seen: Rc::clone(&photo.seen), at_ms: AGAIN_MS, before }
}

/// Plays all deaths after one write.
pub(super) fn die_after(desk: &Desk, write: &Write, known: &Known) -> (Tried, Vec<String>) {
    let (whole, photos) = photographed(desk, &first_run(Some(write)));
    assert!(whole.said.is_some(), "nobody told it to die");
    let (mut tried, mut wrongs) = (Tried::default(), Vec::new());
    for step in deaths(&whole.steps, write.place) {
        for loss in Loss::ALL {
            let scene = after(step, whole.steps.len(), &photos[step - 1], loss);
            tried.cases += 1;
            if !known.is_new(&scene) {
                continue;
            }
            tried.distinct += 1;
            let found = until_it_rests(desk, &scene, known);
            if !found.is_empty() {
                let at = whole.steps.get(step - 1);
                let found = found.join("\n  ");
                wrongs.push(format!("{write:?}, dies at {step} ({at:?}), {loss:?}:\n  {found}"));
            }
        }
    }
    (tried, wrongs)
}

/// Dies at every step of a run, and compares what is left with the photos of a run that
/// lives. Gives the number of steps.
pub(super) fn photos_are_true(desk: &Desk) -> usize {
    let act = first_run(None);
    let (whole, photos) = photographed(desk, &act);
    for (index, photo) in photos.iter().enumerate().take(whole.steps.len()) {
        let (died, place) = run_once(desk, &act, &|watch: &Watch| watch.die_at(index + 1));
        assert!(died.said.is_none(), "it dies at {}", index + 1);
        assert_eq!(Seen::of(&place).essence, photo.seen.essence, "{index}");
        let found = desk.look();
        for loss in Loss::ALL {
            let left = died.shadow.found_after(loss, &found);
            let seen = photo.shadow.found_after(loss, &photo.found);
            assert_eq!(essence(&left), essence(&seen), "{index} {loss:?}");
        }
    }
    whole.steps.len()
}
