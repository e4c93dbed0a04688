//! What happens in front of WordPress and on the way back.
//!
//! Absent from here: WordPress. Pure functions of an accident. The one rule: every
//! accident is named in both, so that a new one has to say where it happens.

use http::Uri;

use super::super::Response;
use super::super::simulated::Carried;
use super::accident::Accident;
use super::answers::{broken_page, busy, challenge, late_refusal, redirect, with_warning};

/// What a request meets that does not get to WordPress.
pub(in crate::sandbox) fn in_front(accident: Accident, uri: &Uri) -> Option<Carried> {
    match accident {
        Accident::LoseRequest => Some(Carried::NeverArrived),
        Accident::Busy { status, retry_after_s } => {
            Some(Carried::Answer(busy(status, retry_after_s)))
        }
        Accident::Challenge(page) => Some(Carried::Answer(challenge(page))),
        Accident::Redirect { status, to } => Some(Carried::Answer(redirect(status, to, uri))),
        Accident::Refuse
        | Accident::Late { .. }
        | Accident::Twice(_)
        | Accident::DropFilter
        | Accident::Stale(_)
        | Accident::PartialTerms
        | Accident::Partly
        | Accident::DeadImages(_)
        | Accident::Hide(_)
        | Accident::LoseAnswer
        | Accident::FailAfter(_)
        | Accident::RefuseAfter(_)
        | Accident::Warning
        | Accident::Cut { .. }
        | Accident::Slow { .. } => None,
    }
}

/// What becomes of WordPress' answer, one accident after the other.
pub(in crate::sandbox) fn on_the_way_back(answer: Response, accidents: &[Accident]) -> Carried {
    let mut answer = answer;
    for (index, accident) in accidents.iter().enumerate() {
        match accident {
            Accident::FailAfter(status) => answer = broken_page(*status),
            Accident::RefuseAfter(code) => answer = late_refusal(*code),
            Accident::Warning => answer = with_warning(answer),
            Accident::LoseAnswer => return Carried::NoAnswer,
            Accident::Cut { bytes } => {
                let bytes = usize::try_from(*bytes).unwrap_or(usize::MAX);
                return match on_the_way_back(answer, &accidents[index + 1..]) {
                    Carried::Answer(answer) => {
                        let bytes = bytes.min(answer.body().len());
                        Carried::AnswerCut(answer, bytes)
                    }
                    lost => lost,
                };
            }
            Accident::LoseRequest
            | Accident::Refuse
            | Accident::Busy { .. }
            | Accident::Challenge(_)
            | Accident::Redirect { .. }
            | Accident::Late { .. }
            | Accident::Twice(_)
            | Accident::DropFilter
            | Accident::Stale(_)
            | Accident::PartialTerms
            | Accident::Partly
            | Accident::DeadImages(_)
            | Accident::Hide(_)
            | Accident::Slow { .. } => {}
        }
    }
    Carried::Answer(answer)
}
