//! Where a run dies: from the name of a point to the number of a step.
//!
//! Absent from here: dying (`oncepress::crash`). The one rule: the step is looked up in
//! the very run that is to die, played to its end before, because the same state and the
//! same accidents make the same steps.

use oncepress::crash::Step;
use oncepress::journal::DiskStep;
use oncepress::wordpress::RequestKind;

use crate::action::{Death, Point, Sent};

/// The number of the step in whose place the run dies, if it comes there.
pub(crate) fn step_of(steps: &[Step], death: Death) -> Option<usize> {
    match death {
        Death::Step(number) => (number <= steps.len()).then_some(number),
        // Steps are numbered from 1.
        Death::At(sent, point) => Some(index_of(steps, sent, point)? + 1),
    }
}

fn index_of(steps: &[Step], sent: Sent, point: Point) -> Option<usize> {
    let kind = match sent {
        Sent::Article => RequestKind::CreatePost,
        Sent::Upload => RequestKind::Upload,
    };
    let from = |start: usize, is_it: &dyn Fn(&Step) -> bool| {
        steps.iter().skip(start).position(is_it).map(|index| start + index)
    };
    let is_disk =
        |wanted: DiskStep| move |step: &Step| matches!(step, Step::Disk(is, _) if *is == wanted);
    let leaves = from(0, &|step| *step == Step::Send(kind))?;
    let answer = || from(leaves, &|step| *step == Step::Answer(kind));
    let rename = || from(answer()?, &is_disk(DiskStep::Rename));
    match point {
        // Before it is written, room for the receipt is taken: a file, then its blocks.
        Point::BeforeRecord => {
            let reserve = steps[..leaves].iter().rposition(is_disk(DiskStep::Reserve))?;
            reserve.checked_sub(1)
        }
        Point::AfterRecord => Some(leaves),
        Point::AfterAnswer => answer(),
        Point::WhileConfirming => rename(),
        Point::AfterConfirmed => {
            let synced = from(rename()?, &is_disk(DiskStep::SyncFolder))?;
            (synced + 1 < steps.len()).then_some(synced + 1)
        }
    }
}
