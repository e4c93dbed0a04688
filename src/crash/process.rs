//! A process that is told by its environment where to die: test builds only.
//!
//! Absent from here: deaths and faults within a test (`watch`). The one rule: what can't
//! be understood stops the process at once; a test that armed nothing must not pass.

use super::fault::Fault;
use super::points::{arm_to, die};
use super::watch::{Death, Watch};

/// Asks for death at `step:N`, at `POINT` or at `POINT:N` (the N-th time, from 1), and
/// for a disk that fails: `KIND@N` or `KIND@N+`. Holds for this thread's steps, until the
/// process ends.
///
/// # Panics
///
/// If a text says neither.
pub fn arm(crash_at: Option<&str>, disk: Option<&str>) {
    if crash_at.is_none() && disk.is_none() {
        return;
    }
    let watch = Watch::begin_with(Death::Kill);
    if let Some(text) = crash_at {
        let (name, number) = text.rsplit_once(':').unwrap_or((text, "1"));
        let number = number.parse().ok().filter(|number| *number > 0);
        match (name, number) {
            ("step", Some(number)) => watch.die_at(number),
            (_, Some(_)) => arm_to(text, |_| die()),
            (_, None) => panic!("{text:?} is not step:N, POINT or POINT:N"),
        }
    }
    if let Some(text) = disk {
        match Fault::parse(text) {
            Some((step, fault)) => watch.fail_at(step, fault),
            None => panic!("{text:?} is not KIND@N or KIND@N+"),
        }
    }
    watch.keep();
}
