//! Named points at which this process can be told to stop.
//!
//! Absent from here: who may arm a point, and how the process stops; see `cli`. The one
//! rule: a point that was not armed costs one look at a cell, and does nothing.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

static ARMED: OnceLock<Armed> = OnceLock::new();

/// A point that is waited for.
struct Armed {
    /// Kind and name, as in `article.after-answer`.
    point: String,
    /// The time, counted from 1, at which it counts.
    occurrence: usize,
    seen: AtomicUsize,
    stop: fn(&str),
}

/// The process has come to this point of handling an `article` or `upload`.
pub(crate) fn point(kind: &str, name: &str) {
    if let Some(armed) = ARMED.get() {
        armed.reached(kind, name);
    }
}

/// Calls this function at `KIND.NAME`, or at `KIND.NAME:N` the N-th time, from 1. Only the
/// first arming counts.
pub(crate) fn arm_to(wanted: &str, stop: fn(&str)) {
    let (point, occurrence) = wanted.rsplit_once(':').unwrap_or((wanted, "1"));
    let (point, occurrence) = (point.to_owned(), occurrence.parse().unwrap_or(1));
    ARMED.get_or_init(|| Armed { point, occurrence, seen: AtomicUsize::new(0), stop });
}

impl Armed {
    fn reached(&self, kind: &str, name: &str) {
        let is_named = |rest: &str| rest.strip_prefix('.') == Some(name);
        if self.point.strip_prefix(kind).is_some_and(is_named)
            && self.seen.fetch_add(1, Ordering::SeqCst) + 1 == self.occurrence
        {
            (self.stop)(&self.point);
        }
    }
}

/// Dies by SIGKILL: no clean-up code runs, as in a real crash.
pub(crate) fn die() -> ! {
    let this = rustix::process::getpid();
    // If even this fails, abort: a crash point never lets the run go on.
    rustix::process::kill_process(this, rustix::process::Signal::KILL).ok();
    std::process::abort()
}
