//! What can become of a write at the site.
//!
//! Absent from here: deaths and disks. The one rule: a truth that can't happen to a kind
//! of write is not tried with it.

use std::num::NonZeroU32;

use oncepress::sandbox::{
    Accident, BusyStatus, DeadAnswer, Fault, Kind, LateRefusal, Occurrence, ServerError, Target,
    Told,
};

/// Seconds after which a late site does what it was asked: after the first rerun has
/// looked, and before the second.
const LATE_S: u32 = 60;

/// What becomes of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Truth {
    /// It is done, and answered so.
    Done,
    /// It never arrived.
    NotReceived,
    /// It was refused before anything was done.
    Refused,
    /// It was done, and the answer was lost.
    AnswerLost,
    /// It is done when the client has given up and looked again.
    DoneLate,
    /// A part of it was done, then the site died.
    DonePartly,
    /// It was done, and the answer is an error of the server.
    DoneThen5xx,
    /// It was done, and the answer is a refusal.
    DoneThen4xx,
    /// It was delivered and done twice; the first answer came back.
    TwiceToldFirst,
    /// It was delivered and done twice; the second answer came back.
    TwiceToldSecond,
    /// It was delivered and done twice; no answer came back.
    TwiceToldNothing,
}

impl Truth {
    pub(super) const ALL: [Self; 11] = [
        Self::Done,
        Self::NotReceived,
        Self::Refused,
        Self::AnswerLost,
        Self::DoneLate,
        Self::DonePartly,
        Self::DoneThen5xx,
        Self::DoneThen4xx,
        Self::TwiceToldFirst,
        Self::TwiceToldSecond,
        Self::TwiceToldNothing,
    ];

    fn accident(self, kind: Kind) -> Option<Accident> {
        let accident = match self {
            Self::Done => return None,
            Self::NotReceived => Accident::LoseRequest,
            // A tag that is refused: the site wants to be left alone.
            Self::Refused if kind == Kind::CreateTag => {
                Accident::Busy { status: BusyStatus::TooMany, retry_after_s: 1 }
            }
            Self::Refused => Accident::Refuse,
            Self::AnswerLost => Accident::LoseAnswer,
            Self::DoneLate => Accident::Late { seconds: LATE_S },
            Self::DonePartly if kind == Kind::Upload => Accident::DeadImages(DeadAnswer::Error),
            Self::DonePartly => Accident::Partly,
            Self::DoneThen5xx => Accident::FailAfter(ServerError::BadGateway),
            Self::DoneThen4xx => Accident::RefuseAfter(LateRefusal::CannotUpdate),
            Self::TwiceToldFirst => Accident::Twice(Told::First),
            Self::TwiceToldSecond => Accident::Twice(Told::Second),
            Self::TwiceToldNothing => Accident::Twice(Told::Nothing),
        };
        accident.fits(kind).then_some(accident)
    }

    /// The fault that makes this the truth of the write of this kind with this number,
    /// from 1. Nothing for [`Self::Done`], or where it can't happen.
    pub(super) fn fault(self, kind: Kind, number: u32) -> Option<Fault> {
        Some(Fault {
            on: Target::Kind(kind),
            when: Occurrence::Only(NonZeroU32::new(number)?),
            accident: self.accident(kind)?,
        })
    }
}
