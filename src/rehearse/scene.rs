//! What a scene is: what is done, what each run must say, and what must be on the site.
//!
//! Absent from here: the scenes themselves (`scenes`), and playing them (`play`). The one
//! rule: a scene is data, so that what it promises can be read without running it.

use crate::protocol::{HoldReason, SkipReason};
use crate::report::Exit;

/// One accident, from the first run to the last.
#[derive(Debug, Clone, Copy)]
pub struct Scene {
    /// Its name, such as `S3` or `C2 upload`.
    pub name: &'static str,
    /// What is done, in a few words for people.
    pub done: &'static str,
    pub(super) article: Article,
    pub(super) steps: &'static [Step],
    pub(super) promise: Promise,
}

/// What is to be published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Article {
    /// A text.
    Text,
    /// A text with an image.
    WithImage,
}

/// One thing that is done.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// `push`, to its end.
    Push(Says),
    /// `push`, killed at this point of [`crate::crash`].
    KilledAt(&'static str),
    /// `push`, which the dead run's marker stops, and the `unlock` that it names.
    Unlock,
    /// `push`, which waits at this point, and what it will say in the end.
    Begin(&'static str, Says),
    /// The run that was begun goes on to its end.
    End,
    /// From now on the site behaves so.
    Site(Weather),
    /// A sentence is added to the article.
    Edit,
    /// What nobody should do: the journal is deleted by hand.
    DeleteRecords,
}

/// How the site behaves from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weather {
    /// As it should.
    Fair,
    /// It carries out the next create and upload, and their answers are lost. What was
    /// made since it began so is not shown.
    LosesAnswerAndHides,
    /// It carries out the next create, its answer is lost, and after that no question
    /// about posts is answered.
    LosesAnswerAndGoes,
    /// What was made since it began so is not shown.
    Hides,
    /// No question about posts is answered.
    Gone,
}

/// What a run must say of the article, and with it, how it must end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// Created as a draft.
    Created,
    /// Created, with the warning that another post has the slug.
    CreatedBesideAnother,
    /// Found where an earlier run left it.
    Completed,
    /// Skipped.
    Skipped(SkipReason),
    /// Held for a person.
    Held(HoldReason),
    /// Its outcome can't be settled, because the site can't be asked.
    CannotLookUp,
    /// Another run has the lock.
    Busy,
    /// The last run died.
    Abandoned,
}

/// What there must be in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Promise {
    /// Creates that arrived at the site.
    pub(super) creates: usize,
    /// Posts that exist.
    pub(super) posts: usize,
    /// Uploads that arrived.
    pub(super) uploads: usize,
    /// Images that exist.
    pub(super) images: usize,
}

/// What one child process must do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    /// End by itself, and say this.
    Says(Says),
    /// Reach this point and be killed there.
    KilledAt(&'static str),
    /// Remove the marker of the run that died.
    Unlocked,
}

impl Scene {
    /// What each child process must do, in the order in which they start.
    pub(super) fn expected(&self) -> Vec<Expected> {
        let of = |step: &Step| match step {
            Step::Push(says) | Step::Begin(_, says) => vec![Expected::Says(*says)],
            Step::KilledAt(point) => vec![Expected::KilledAt(point)],
            Step::Unlock => vec![Expected::Says(Says::Abandoned), Expected::Unlocked],
            Step::End | Step::Site(_) | Step::Edit | Step::DeleteRecords => Vec::new(),
        };
        self.steps.iter().flat_map(of).collect()
    }
}

impl Says {
    /// The word and the reason as `--json` has them, or no word where the whole run stops.
    pub(super) fn codes(self) -> (Option<&'static str>, Option<&'static str>) {
        match self {
            Self::Created | Self::CreatedBesideAnother => (Some("created"), None),
            Self::Completed => (Some("completed"), None),
            Self::Skipped(reason) => (Some("skipped"), Some(reason.code())),
            Self::Held(reason) => (Some("held"), Some(reason.code())),
            Self::CannotLookUp => (Some("unknown"), Some("cannot_look_up")),
            Self::Busy => (None, Some("busy")),
            Self::Abandoned => (None, Some("abandoned_run")),
        }
    }

    /// How the run must end.
    pub(super) fn exit(self) -> Exit {
        match self {
            Self::Created | Self::CreatedBesideAnother | Self::Completed | Self::Skipped(_) => {
                Exit::Settled
            }
            Self::Held(_) | Self::CannotLookUp => Exit::Doubt,
            Self::Busy => Exit::Temporary,
            Self::Abandoned => Exit::LocalState,
        }
    }
}
