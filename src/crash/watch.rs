//! Who watches the steps of a run on this thread.
//!
//! Absent from here: what survives a power loss (`shadow`). The one rule: a step is
//! counted before it is done, and done only if the watch lets it.

use std::cell::RefCell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::fault::{Fault, How};
use super::points::die;
use super::shadow::Shadow;
use crate::journal::DiskStep;
use crate::wordpress::RequestKind;

thread_local! {
    /// The last one counts; the others wait until it ends.
    static WATCHES: RefCell<Vec<Rc<RefCell<State>>>> = const { RefCell::new(Vec::new()) };
}

/// A step of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The disk is changed, at this path.
    Disk(DiskStep, PathBuf),
    /// A write is about to leave for the site.
    Send(RequestKind),
    /// The answer to a write, or the news that there is none, has arrived.
    Answer(RequestKind),
}

/// How a run dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Death {
    /// The process is killed.
    Kill,
    /// The thread unwinds to [`Watch::run`], and whatever runs on the way has no effect.
    Unwind,
}

/// What unwinds.
struct Died;

/// Is told of every step before it is done, with what would survive a power loss then.
type Observer = Box<dyn FnMut(&Step, &Shadow)>;

struct State {
    death: Death,
    steps: Vec<Step>,
    reads: usize,
    die_at: Option<usize>,
    fault: Option<(usize, Fault)>,
    read_fault: Option<(usize, Fault)>,
    is_dead: bool,
    shadow: Option<Shadow>,
    observer: Option<Observer>,
}

/// Watches the steps of this thread until it is dropped. A later watch on the same
/// thread takes its place meanwhile.
#[must_use = "the watch ends when it is dropped"]
pub struct Watch(Rc<RefCell<State>>);

impl Drop for Watch {
    fn drop(&mut self) {
        WATCHES.with_borrow_mut(|watches| watches.retain(|watch| !Rc::ptr_eq(watch, &self.0)));
    }
}

impl Watch {
    /// Begins to watch, and lets every step be done.
    pub fn begin() -> Self {
        Self::begin_with(Death::Unwind)
    }

    pub(super) fn begin_with(death: Death) -> Self {
        let state = Rc::new(RefCell::new(State {
            death,
            steps: Vec::new(),
            reads: 0,
            die_at: None,
            fault: None,
            read_fault: None,
            is_dead: false,
            shadow: None,
            observer: None,
        }));
        WATCHES.with_borrow_mut(|watches| watches.push(Rc::clone(&state)));
        Self(state)
    }

    /// Watches for as long as the thread lives.
    pub(super) fn keep(self) {
        std::mem::forget(self);
    }

    /// Keeps account of what would survive a power loss.
    pub fn keep_shadow(&self, shadow: Shadow) {
        self.0.borrow_mut().shadow = Some(shadow);
    }

    /// What would survive now, if an account was kept.
    #[must_use]
    pub fn shadow(&self) -> Option<Shadow> {
        self.0.borrow().shadow.clone()
    }

    /// Tells of every step before it is done, if an account is kept: dying there would
    /// leave what is there then. The observer takes no step itself.
    pub fn observe(&self, observer: impl FnMut(&Step, &Shadow) + 'static) {
        self.0.borrow_mut().observer = Some(Box::new(observer));
    }

    /// The run dies in the place of the step with this number.
    pub fn die_at(&self, step: usize) {
        self.0.borrow_mut().die_at = Some(step);
    }

    /// The step with this number fails, if the disk does it.
    pub fn fail_at(&self, step: usize, fault: Fault) {
        self.0.borrow_mut().fault = Some((step, fault));
    }

    /// The reading of the journal with this number, from 1, fails. Reads are not steps:
    /// they change nothing, so there is nothing to die in between.
    pub fn fail_read_at(&self, number: usize, fault: Fault) {
        self.0.borrow_mut().read_fault = Some((number, fault));
    }

    /// The steps so far.
    #[must_use]
    pub fn steps(&self) -> Vec<Step> {
        self.0.borrow().steps.clone()
    }

    /// How often the journal was read so far.
    #[must_use]
    pub fn reads(&self) -> usize {
        self.0.borrow().reads
    }

    /// Nothing fails and nobody dies any more; counting begins anew.
    pub fn heal(&self) {
        let mut state = self.0.borrow_mut();
        (state.die_at, state.fault, state.read_fault) = (None, None, None);
        (state.is_dead, state.reads) = (false, 0);
        state.steps.clear();
    }

    /// Does the work; nothing if it died on the way.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(done) if !self.0.borrow().is_dead => Some(done),
            Ok(_) => None,
            Err(payload) if payload.is::<Died>() => None,
            Err(panic) => resume_unwind(panic),
        }
    }
}

/// The bytes of this file that would survive a power loss now; nothing if it, or a folder
/// that it is in, would not be there.
///
/// # Panics
///
/// If no watch on this thread keeps an account.
#[must_use]
pub fn durable(path: &Path) -> Option<Vec<u8>> {
    let Some(state) = current() else { panic!("nobody watches this thread") };
    let state = state.borrow();
    let Some(shadow) = &state.shadow else { panic!("the watch keeps no shadow") };
    shadow.durable(path).map(<[u8]>::to_vec)
}

fn current() -> Option<Rc<RefCell<State>>> {
    WATCHES.with_borrow(|watches| watches.last().cloned())
}

/// Whether the run has died: nothing may leave this process for the site.
pub(crate) fn is_dead() -> bool {
    current().is_some_and(|state| state.borrow().is_dead)
}

/// A write is about to leave.
pub(crate) fn sending(kind: RequestKind) {
    let _no_fault_of_a_disk = reach(Step::Send(kind));
}

/// The answer to a write has arrived, or is known not to.
pub(crate) fn answered(kind: RequestKind) {
    let _no_fault_of_a_disk = reach(Step::Answer(kind));
}

/// What becomes of a step.
enum Verdict {
    Done,
    Fails(How),
    Dead,
}

fn reach(step: Step) -> Verdict {
    let Some(state) = current() else { return Verdict::Done };
    let mut state = state.borrow_mut();
    if state.is_dead {
        return Verdict::Dead;
    }
    let seen = &mut *state;
    if let (Some(observer), Some(shadow)) = (&mut seen.observer, &seen.shadow) {
        observer(&step, shadow);
    }
    state.steps.push(step);
    let number = state.steps.len();
    if state.die_at == Some(number) {
        state.is_dead = true;
        match state.death {
            Death::Kill => die(),
            // A second panic would end the process.
            Death::Unwind if std::thread::panicking() => return Verdict::Dead,
            Death::Unwind => {}
        }
        drop(state);
        resume_unwind(Box::new(Died));
    }
    match state.fault {
        Some((begins, fault)) if fault.strikes(begins, number) => Verdict::Fails(fault.how),
        Some(_) | None => Verdict::Done,
    }
}

fn note(tell: impl FnOnce(&mut Shadow)) {
    if let Some(state) = current()
        && let Some(shadow) = &mut state.borrow_mut().shadow
    {
        tell(shadow);
    }
}

fn dead() -> io::Error {
    io::Error::other("the run is dead")
}

/// A change of the disk at one path.
pub(crate) fn change<T>(
    step: DiskStep,
    path: &Path,
    work: impl FnOnce() -> io::Result<T>,
) -> io::Result<T> {
    match reach(Step::Disk(step, path.to_owned())) {
        Verdict::Dead => Err(dead()),
        Verdict::Done => {
            let done = work()?;
            note(|shadow| shadow.changed(step, path));
            Ok(done)
        }
        Verdict::Fails(how) => {
            match how {
                How::DoneAndRefused(_) => {
                    work()?;
                    note(|shadow| shadow.changed(step, path));
                }
                How::Dropped if step == DiskStep::SyncFile => note(|shadow| shadow.dropped(path)),
                How::Refused(_) | How::Short | How::Dropped => {}
            }
            Err(how.error())
        }
    }
}

/// A file gets (another) name.
pub(crate) fn place(
    step: DiskStep,
    from: &Path,
    to: &Path,
    work: impl FnOnce() -> io::Result<()>,
) -> io::Result<()> {
    match reach(Step::Disk(step, to.to_owned())) {
        Verdict::Dead => Err(dead()),
        Verdict::Done => {
            work()?;
            note(|shadow| shadow.placed(step, from, to));
            Ok(())
        }
        Verdict::Fails(how) => {
            if let How::DoneAndRefused(_) = how {
                work()?;
                note(|shadow| shadow.placed(step, from, to));
            }
            Err(how.error())
        }
    }
}

/// Bytes go into a file; the work may be given fewer of them.
pub(crate) fn write(
    step: DiskStep,
    path: &Path,
    bytes: &[u8],
    work: impl FnOnce(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    match reach(Step::Disk(step, path.to_owned())) {
        Verdict::Dead => Err(dead()),
        Verdict::Done => work(bytes),
        Verdict::Fails(how) => {
            match how {
                How::DoneAndRefused(_) => work(bytes)?,
                How::Short => work(&bytes[..bytes.len() / 2])?,
                How::Refused(_) | How::Dropped => {}
            }
            Err(how.error())
        }
    }
}

/// The journal is read.
pub(crate) fn read<T>(work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let Some(state) = current() else { return work() };
    let fault = {
        let mut state = state.borrow_mut();
        state.reads += 1;
        let number = state.reads;
        state.read_fault.filter(|(begins, fault)| fault.strikes(*begins, number))
    };
    match fault {
        Some((_, fault)) => Err(fault.how.error()),
        None => work(),
    }
}
