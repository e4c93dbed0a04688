//! Where a run can be told to die, and in a test build its disk to fail.
//!
//! Absent from here: any effect of a step in a normal build, where each function does
//! what it was handed and nothing else (`idle`). The one rule: after death nothing has an
//! effect any more, neither on the disk nor on the site, whatever clean-up code still
//! runs: what is left is what SIGKILL leaves.
//!
//! *Points* have names, and every build has them. Every change of the journal's disk, and
//! the way of every write to the site and back, is a *step*; a run's steps are numbered
//! from 1. In a test build
//!
//! - a `Watch` on this thread counts them, dies at one, or makes one fail, and keeps a
//!   `Shadow`: what of the journal would survive a power loss;
//! - in a process of its own, `ONCEPRESS_CRASH_AT=step:17` (or a point) ends it by
//!   SIGKILL, and `ONCEPRESS_DISK=enospc@12` (`@12+`: from then on) fails a disk step.

#[cfg(any(test, feature = "crash-points"))]
mod fault;
#[cfg(not(any(test, feature = "crash-points")))]
mod idle;
mod points;
#[cfg(any(test, feature = "crash-points"))]
mod process;
#[cfg(any(test, feature = "crash-points"))]
mod shadow;
#[cfg(any(test, feature = "crash-points"))]
mod watch;

pub(crate) use points::{arm_to, die, point};

#[cfg(any(test, feature = "crash-points"))]
pub use self::{
    fault::{Errno, Fault, How, Times},
    process::arm,
    shadow::{Found, Loss, Shadow, found_in, make},
    watch::{Step, Watch, durable},
};
#[cfg(any(test, feature = "crash-points"))]
pub(crate) use watch::{answered, change, is_dead, place, read, sending, write};

#[cfg(not(any(test, feature = "crash-points")))]
pub(crate) use idle::{answered, change, is_dead, place, read, sending, write};
