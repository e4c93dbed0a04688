//! Makes an action happen, and judges it.
//!
//! Absent from here: which actions happen (`explore`, `random`). The one rule: an action
//! takes a state and gives a new one; the old one stays as it was.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use oncepress::cli::inside::Said;
use oncepress::crash::{Step, Watch};
use oncepress::run::interrupt::Interrupt;
use oncepress::sandbox::Kind;

use crate::action::{Action, Death, Decision, Push, Thing, Token};
use crate::cast::{Cast, image_path};
use crate::death::step_of;
use crate::desk::{Desk, secret_in};
use crate::ledger::Subject;
use crate::stage::{Stage, Works};
use crate::state::{Files, State};
use crate::{judge, person};

/// An id that no row of a short case has.
const NOBODYS_ID: u64 = 99_999;

/// Why an action can't happen in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pruned {
    /// What it is about is not there: no row, no record, no dead run.
    NothingThere,
    /// It is so already.
    AlreadySo,
    /// The run does not come to the point where it should die.
    PointNotReached,
    /// The run does not send what the accident is about.
    NothingSent,
    /// Look-ups are stale: then nothing else goes wrong on the site.
    OneAccidentAtATime,
}

/// What a command did.
#[derive(Debug)]
pub(crate) struct Ran {
    /// Nothing if it died.
    pub(crate) said: Option<Said>,
    pub(crate) heard: Vec<Kind>,
    pub(crate) sent: Vec<Subject>,
}

/// What an action led to.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) state: State,
    pub(crate) ran: Option<Ran>,
    /// What was found wrong.
    pub(crate) wrongs: Vec<String>,
}

/// Plays the actions of one case after the other, in one folder.
#[derive(Debug)]
pub(crate) struct Player {
    pub(crate) cast: Cast,
    desk: Desk,
    /// The steps of the last run that was played to its end for a death.
    steps: Option<(u64, Push, Vec<Step>)>,
}

impl Player {
    pub(crate) fn of(cast: Cast) -> Self {
        Self { cast, desk: Desk::new(), steps: None }
    }

    /// Makes the action happen in this state.
    pub(crate) fn play(&mut self, state: &State, action: &Action) -> Result<Played, Pruned> {
        let mut played = match action {
            Action::Push(push) => self.push(state, push)?,
            Action::Plan => self.command(state, &["plan", "--json"]),
            Action::Status => self.command(state, &["status", "--json"]),
            Action::Unlock(token) => {
                let run = state.abandoned().ok_or(Pruned::NothingThere)?;
                let token = match token {
                    Token::Right => run.as_str(),
                    Token::Wrong => "20260101T000000Z-0000",
                };
                self.command(state, &["unlock", token, "--json"])
            }
            Action::Resolve { article, image, decision } => {
                self.resolve(state, *article, *image, *decision)?
            }
            Action::Edit(_)
            | Action::EditBack(_)
            | Action::Forget(_)
            | Action::OnSite(..)
            | Action::Hide(..)
            | Action::Show(_)
            | Action::Stale
            | Action::Fresh
            | Action::Hour => {
                let mut state = state.clone();
                person::act(&self.cast, &mut state, action)?;
                Played { state, ran: None, wrongs: Vec::new() }
            }
        };
        played.state.id = next_id();
        let judged = judge::action(&self.cast, state, action, &played);
        played.wrongs.extend(judged);
        Ok(played)
    }

    fn push(&mut self, state: &State, push: &Push) -> Result<Played, Pruned> {
        let goes_wrong = !push.faults.is_empty() || push.unreachable.is_some();
        if state.stale.is_some() && goes_wrong {
            return Err(Pruned::OneAccidentAtATime);
        }
        let played = match push.dies {
            None => self.run(state, &["push", "--json"], push, None).0,
            Some(death) => {
                let number = self.step(state, push, death).ok_or(Pruned::PointNotReached)?;
                self.run(state, &["push", "--json"], push, Some(number)).0
            }
        };
        let heard = played.ran.as_ref().map(|ran| ran.heard.as_slice()).unwrap_or_default();
        let is_met = |kind: Option<Kind>| kind.is_none_or(|kind| heard.contains(&kind));
        let of_faults = push.faults.iter().all(|fault| person::may_happen(fault, heard));
        let of_kinds = [push.unreachable, push.second, push.interrupted].into_iter().all(is_met);
        if of_faults && of_kinds { Ok(played) } else { Err(Pruned::NothingSent) }
    }

    /// The number of the step at which this run dies.
    fn step(&mut self, state: &State, push: &Push, death: Death) -> Option<usize> {
        let alive = Push { dies: None, ..push.clone() };
        let is_known = |known: &(u64, Push, Vec<Step>)| known.0 == state.id && known.1 == alive;
        if !self.steps.as_ref().is_some_and(is_known) {
            let steps = self.run(state, &["push", "--json"], &alive, None).1;
            self.steps = Some((state.id, alive, steps));
        }
        let (_, _, steps) = self.steps.as_ref()?;
        step_of(steps, death)
    }

    fn resolve(
        &mut self,
        state: &State,
        article: usize,
        image: Option<usize>,
        decision: Decision,
    ) -> Result<Played, Pruned> {
        let about = image.map_or(Thing::Article(article), Thing::Image);
        let subject = state.subject(&self.cast, about);
        let id = match decision {
            Decision::AdoptOurs => state.ours(&subject).map(|row| row.id),
            Decision::AdoptTheirs => state.ledger.theirs.get(&article).copied(),
            Decision::AdoptNothing => Some(NOBODYS_ID),
            Decision::NotCreated | Decision::Restart | Decision::Withdraw => None,
        };
        let is_adoption = matches!(
            decision,
            Decision::AdoptOurs | Decision::AdoptTheirs | Decision::AdoptNothing
        );
        if (is_adoption && id.is_none()) || (image.is_some() && state.record(&subject).is_none()) {
            return Err(Pruned::NothingThere);
        }
        let id = id.map(|id| id.to_string()).unwrap_or_default();
        let piece = &self.cast.articles[article];
        let slug = format!("{}:{}", piece.kind.name(), piece.slug);
        let mut arguments = vec!["resolve", slug.as_str(), "--json", "--because", "a story"];
        match decision {
            Decision::AdoptOurs | Decision::AdoptTheirs | Decision::AdoptNothing => {
                arguments.extend(["--adopt", id.as_str()]);
            }
            Decision::NotCreated => arguments.push("--not-created"),
            Decision::Restart => arguments.push("--restart"),
            Decision::Withdraw => arguments.push("--withdraw"),
        }
        let path = image.map(image_path);
        if let Some(path) = &path {
            arguments.extend(["--media", path.as_str()]);
        }
        let played = self.command(state, &arguments);
        Ok(person::decided(state, played, &subject, decision, id.parse().ok()))
    }

    fn command(&mut self, state: &State, arguments: &[&str]) -> Played {
        self.run(state, arguments, &Push::default(), None).0
    }

    /// Runs a command line; it dies in the place of this step.
    fn run(
        &mut self,
        state: &State,
        arguments: &[&str],
        push: &Push,
        dies_at: Option<usize>,
    ) -> (Played, Vec<Step>) {
        let seat = self.desk.lay_out(&self.cast, state);
        let works = Works::of(state);
        let mut stage = Stage::of(&self.cast, state, &seat, &works);
        let interrupt: Interrupt = stage.set(push);
        let stage = Arc::new(Mutex::new(stage));
        let around = works.around(Stage::carrier(&stage), interrupt);
        let watch = Watch::begin();
        if let Some(number) = dies_at {
            watch.die_at(number);
        }
        let said = watch.run(|| seat.run(arguments, around));
        let steps = watch.steps();
        drop(watch);
        let (journal, mut wrongs) = self.desk.clear_away(&self.cast);
        if let Some(said) = &said {
            for (name, text) in [("stdout", &said.stdout), ("stderr", &said.stderr)] {
                if let Some(form) = secret_in(&self.cast, text.as_bytes()) {
                    wrongs.push(format!("no-secret: {form} is in {name}"));
                }
            }
        }
        let mut stage = stage.lock().expect("nobody panicked with it");
        wrongs.append(&mut stage.wrongs);
        if dies_at.is_some() && said.is_some() {
            wrongs.push(format!("it-dies: the run goes on after step {dies_at:?}"));
        }
        let after = self.after(state, &mut stage, journal, &works);
        let ran = Ran { said, heard: stage.heard.clone(), sent: stage.sent.clone() };
        (Played { state: after, ran: Some(ran), wrongs }, steps)
    }

    fn after(&self, state: &State, stage: &mut Stage, journal: Files, works: &Works) -> State {
        let (clock_ms, drawn) = works.read();
        let mut site = stage.site.clone();
        if state.stale.is_none() {
            // What went wrong in this run ends with it; what it made late or hid stays so.
            site.clear_faults();
        }
        let mut after =
            State { journal, site, clock_ms, drawn, ledger: stage.ledger.clone(), ..state.clone() };
        after.note_arrivals();
        after
    }
}

/// A number for each state, so that what is known of one is not taken for another.
pub(crate) fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
