//! Faults as text: `KIND[:N|:N+]=ACCIDENT`.
//!
//! Absent from here: what they do. The one rule: what is written is read back as the
//! same fault.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use super::accident::{
    Accident, BusyStatus, ChallengePage, Counted, DeadAnswer, Destination, LateRefusal, Moved,
    ServerError, Since, Told,
};
use super::kind::Kind;
use super::words::{UnknownWord, word};
use super::{Fault, Occurrence, Target};

/// Seconds in a day: nobody waits longer for a test.
const SECONDS_MAX: u32 = 86_400;
/// Writes that a stale answer can be behind: each is a copy of the site.
const WRITES_MAX: u32 = 100;
/// What a busy site asks for when nobody says otherwise.
const RETRY_AFTER_S: u32 = 30;

/// Why a text is no fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultError {
    /// It has no `=`.
    #[error("{0:?} is no fault: write KIND=ACCIDENT, such as create-post=lose-answer")]
    NoAccident(String),
    /// A word of it is not known.
    #[error(transparent)]
    Word(#[from] UnknownWord),
    /// What stands behind the kind is no occurrence.
    #[error("{0:?} is no occurrence: write 2 for the second request, 2+ for it and all later ones")]
    Occurrence(String),
    /// An accident needs another argument than it has.
    #[error("{accident} takes {wanted}, not {given:?}")]
    Argument {
        /// The accident.
        accident: String,
        /// What it takes.
        wanted: &'static str,
        /// What was given.
        given: String,
    },
    /// It can't happen to such requests.
    #[error("{accident} can't happen to {kind}: it is for {}", fitting(*accident))]
    DoesNotFit {
        /// The accident.
        accident: Accident,
        /// The kind.
        kind: Kind,
    },
}

fn fitting(accident: Accident) -> String {
    let fitting = Kind::ALL.iter().filter(|(kind, _, _)| accident.fits(*kind));
    fitting.map(|(_, name, _)| *name).collect::<Vec<_>>().join(", ")
}

impl FromStr for Fault {
    type Err = FaultError;

    fn from_str(text: &str) -> Result<Self, FaultError> {
        let Some((request, accident)) = text.trim().split_once('=') else {
            return Err(FaultError::NoAccident(text.chars().take(80).collect()));
        };
        let (kind, when) = match request.split_once(':') {
            None => (request, Occurrence::Every),
            Some((kind, when)) => (kind, occurrence(when)?),
        };
        let on = if kind == "any" { Target::Any } else { Target::Kind(known_kind(kind)?) };
        let accident: Accident = accident.parse()?;
        match on {
            Target::Kind(kind) if !accident.fits(kind) => {
                Err(FaultError::DoesNotFit { accident, kind })
            }
            Target::Any | Target::Kind(_) => Ok(Self { on, when, accident }),
        }
    }
}

/// As for a kind alone, with `any` among the words that are offered.
fn known_kind(text: &str) -> Result<Kind, UnknownWord> {
    let mut names = Kind::ALL.map(|(kind, name, _)| (name, kind)).to_vec();
    names.push(("any", Kind::Other));
    word("kind of request", text, &names)
}

fn occurrence(text: &str) -> Result<Occurrence, FaultError> {
    let wrong = || FaultError::Occurrence(text.to_owned());
    let (number, from) = match text.strip_suffix('+') {
        Some(number) => (number, true),
        None => (text, false),
    };
    let number: NonZeroU32 = number.parse().map_err(|_| wrong())?;
    Ok(if from { Occurrence::From(number) } else { Occurrence::Only(number) })
}

/// The arguments of an accident, taken one after the other.
struct Arguments<'a> {
    accident: &'a str,
    rest: Option<&'a str>,
}

impl<'a> Arguments<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest?;
        let (first, rest) = match rest.split_once(':') {
            Some((first, rest)) => (first, Some(rest)),
            None => (rest, None),
        };
        self.rest = rest;
        Some(first)
    }

    /// The next word, or what it is when it is left out.
    fn word<T: Copy>(
        &mut self,
        what: &'static str,
        known: &[(&'static str, T)],
    ) -> Result<T, FaultError> {
        match self.next() {
            None => Ok(known[0].1),
            Some(text) => Ok(word(what, text, known)?),
        }
    }

    fn number(&mut self, wanted: &'static str, max: u32) -> Result<u32, FaultError> {
        let given = self.next().unwrap_or_default();
        given.parse().ok().filter(|number| *number <= max).ok_or_else(|| FaultError::Argument {
            accident: self.accident.to_owned(),
            wanted,
            given: given.to_owned(),
        })
    }

    fn seconds(&mut self) -> Result<u32, FaultError> {
        self.number("seconds, at most 86400", SECONDS_MAX)
    }

    fn end(mut self, accident: Accident) -> Result<Accident, FaultError> {
        match self.next() {
            None => Ok(accident),
            Some(given) => Err(FaultError::Argument {
                accident: self.accident.to_owned(),
                wanted: "nothing more",
                given: given.to_owned(),
            }),
        }
    }
}

impl FromStr for Accident {
    type Err = FaultError;

    fn from_str(text: &str) -> Result<Self, FaultError> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        let mut given = Arguments { accident: name, rest };
        let accident = match name {
            "lose-request" => Self::LoseRequest,
            "lose-answer" => Self::LoseAnswer,
            "late" => Self::Late { seconds: given.seconds()? },
            "twice" => Self::Twice(given.word(Told::WHAT, Told::ALL)?),
            "hide" => Self::Hide(given.word(Counted::WHAT, Counted::ALL)?),
            "stale" if given.rest.is_none() => Self::Stale(Since::Set),
            "stale" => Self::Stale(Since::Writes(
                given.number("a number of writes, at most 100", WRITES_MAX)?,
            )),
            "drop-filter" => Self::DropFilter,
            "fail-after" => Self::FailAfter(given.word(ServerError::WHAT, ServerError::ALL)?),
            "refuse-after" => Self::RefuseAfter(given.word(LateRefusal::WHAT, LateRefusal::ALL)?),
            "partly" => Self::Partly,
            "partial-terms" => Self::PartialTerms,
            "dead-images" => Self::DeadImages(given.word(DeadAnswer::WHAT, DeadAnswer::ALL)?),
            "refuse" => Self::Refuse,
            "challenge" => Self::Challenge(given.word(ChallengePage::WHAT, ChallengePage::ALL)?),
            "redirect" => Self::Redirect {
                status: given.word(Moved::WHAT, Moved::ALL)?,
                to: given.word(Destination::WHAT, Destination::ALL)?,
            },
            "busy" => Self::Busy {
                status: given.word(BusyStatus::WHAT, BusyStatus::ALL)?,
                retry_after_s: match given.rest {
                    None => RETRY_AFTER_S,
                    Some(_) => given.seconds()?,
                },
            },
            "warning" => Self::Warning,
            "cut" => Self::Cut { bytes: given.number("a number of bytes", u32::MAX)? },
            "slow" => Self::Slow { seconds: given.seconds()? },
            other => return Err(unknown_accident(other)),
        };
        given.end(accident)
    }
}

fn unknown_accident(name: &str) -> FaultError {
    let plain = |form: &'static str| form.split([':', '[']).next().unwrap_or(form);
    let known = Accident::CATALOGUE.map(|(form, _)| (plain(form), ()));
    match word("accident", name, &known) {
        Err(unknown) => unknown.into(),
        // A word of the catalogue that the reader above does not read.
        Ok(()) => FaultError::NoAccident(name.to_owned()),
    }
}

impl fmt::Display for Accident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LoseRequest => f.write_str("lose-request"),
            Self::LoseAnswer => f.write_str("lose-answer"),
            Self::Late { seconds } => write!(f, "late:{seconds}"),
            Self::Twice(told) => write!(f, "twice:{}", told.word()),
            Self::Hide(Counted::Uncounted) => f.write_str("hide"),
            Self::Hide(Counted::Counted) => f.write_str("hide:counted"),
            Self::Stale(Since::Set) => f.write_str("stale"),
            Self::Stale(Since::Writes(writes)) => write!(f, "stale:{writes}"),
            Self::DropFilter => f.write_str("drop-filter"),
            Self::FailAfter(status) => write!(f, "fail-after:{}", status.word()),
            Self::RefuseAfter(code) => write!(f, "refuse-after:{}", code.word()),
            Self::Partly => f.write_str("partly"),
            Self::PartialTerms => f.write_str("partial-terms"),
            Self::DeadImages(answer) => write!(f, "dead-images:{}", answer.word()),
            Self::Refuse => f.write_str("refuse"),
            Self::Challenge(page) => write!(f, "challenge:{}", page.word()),
            Self::Redirect { status, to } => {
                write!(f, "redirect:{}:{}", status.word(), to.word())
            }
            Self::Busy { status, retry_after_s } => {
                write!(f, "busy:{}:{retry_after_s}", status.word())
            }
            Self::Warning => f.write_str("warning"),
            Self::Cut { bytes } => write!(f, "cut:{bytes}"),
            Self::Slow { seconds } => write!(f, "slow:{seconds}"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.on {
            Target::Any => f.write_str("any")?,
            Target::Kind(kind) => kind.fmt(f)?,
        }
        match self.when {
            Occurrence::Every => {}
            Occurrence::Only(number) => write!(f, ":{number}")?,
            Occurrence::From(number) => write!(f, ":{number}+")?,
        }
        write!(f, "={}", self.accident)
    }
}
