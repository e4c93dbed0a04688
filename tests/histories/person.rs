//! What people do, in the folder and on the site.
//!
//! Absent from here: commands, but for what a decision of a person means to the ledger.
//! The one rule: nothing is done that is so already, so every action changes something.

use oncepress::report::Exit;
use oncepress::sandbox::{Accident, Status};
use oncepress::sandbox::{Counted, Fault, Kind, Occurrence, PostKind, Since, Target};

use crate::action::{Act, Action, Decision, Thing};
use crate::cast::{COLLEAGUE, Cast, JOURNAL};
use crate::ledger::Subject;
use crate::play::{Played, Pruned};
use crate::state::State;

const HOUR_MS: i64 = 3_600_000;

/// The kinds of look-ups that can be stale.
const LOOK_UPS: [Kind; 2] = [Kind::LookUp, Kind::LookUpMedia];

/// Does what a person, or the time, does.
pub(crate) fn act(cast: &Cast, state: &mut State, action: &Action) -> Result<(), Pruned> {
    match action {
        Action::Edit(thing) => {
            let version = version_of(state, *thing);
            *version = version.checked_add(1).ok_or(Pruned::AlreadySo)?;
            Ok(())
        }
        Action::EditBack(thing) => {
            let version = version_of(state, *thing);
            if *version == 0 {
                return Err(Pruned::AlreadySo);
            }
            *version = 0;
            Ok(())
        }
        Action::Forget(thing) => forget(cast, state, *thing),
        Action::OnSite(act, thing) => on_site(cast, state, *act, *thing),
        Action::Hide(thing, counted) => hide(cast, state, *thing, *counted),
        Action::Show(thing) => show(cast, state, *thing),
        Action::Stale => stale(state),
        Action::Fresh => fresh(state),
        Action::Hour => {
            state.clock_ms += HOUR_MS;
            state.catch_up();
            Ok(())
        }
        Action::Push(_)
        | Action::Plan
        | Action::Status
        | Action::Unlock(_)
        | Action::Resolve { .. } => unreachable!("these are commands"),
    }
}

fn version_of(state: &mut State, thing: Thing) -> &mut u8 {
    match thing {
        Thing::Article(place) => &mut state.articles[place],
        Thing::Image(place) => &mut state.images[place],
    }
}

/// Deletes the record of something by hand: what users must not do (spec, scene S4).
fn forget(cast: &Cast, state: &mut State, thing: Thing) -> Result<(), Pruned> {
    let subject = state.subject(cast, thing);
    let name = format!("{JOURNAL}/{}", subject.record_name());
    state.journal.remove(&name).ok_or(Pruned::NothingThere)?;
    state.ledger.story_mut(&subject).begin_era();
    Ok(())
}

fn on_site(cast: &Cast, state: &mut State, act: Act, thing: Thing) -> Result<(), Pruned> {
    state.catch_up();
    let now = state.now();
    match act {
        Act::Write | Act::TrashTheirs | Act::DeleteTheirs => {
            let Thing::Article(place) = thing else { return Err(Pruned::NothingThere) };
            return theirs(cast, state, act, place);
        }
        Act::Edit | Act::Rename | Act::Publish | Act::Trash | Act::Untrash | Act::Delete => {}
    }
    let subject = state.subject(cast, thing);
    let row = state.ours(&subject).ok_or(Pruned::NothingThere)?;
    let (id, status, kind) = (row.id, row.status, row.kind);
    let is_trash = status == Status::Trash;
    let is_file = kind == PostKind::Attachment;
    let is_possible = match act {
        Act::Edit | Act::Rename => !is_trash,
        Act::Publish => matches!(status, Status::Draft | Status::Pending),
        // Attachments have no trash.
        Act::Trash => !is_trash && !is_file,
        Act::Untrash => is_trash,
        Act::Delete => true,
        Act::Write | Act::TrashTheirs | Act::DeleteTheirs => false,
    };
    if !is_possible {
        return Err(Pruned::AlreadySo);
    }
    if act == Act::Edit && !state.ledger.edited.insert(id) {
        return Err(Pruned::AlreadySo);
    }
    state.site.by_a_person(|world| match act {
        Act::Edit => world.edit(id, now, |row| row.content.push_str("<p>One more.</p>")),
        Act::Rename => world.edit(id, now, |row| row.slug.push_str("-renamed")),
        Act::Publish => world.publish(id, now),
        Act::Trash => world.trash(id, now),
        Act::Untrash => world.untrash(id, now),
        Act::Delete => world.remove(id),
        Act::Write | Act::TrashTheirs | Act::DeleteTheirs => {}
    });
    Ok(())
}

/// A colleague's draft with the slug of an article.
fn theirs(cast: &Cast, state: &mut State, act: Act, place: usize) -> Result<(), Pruned> {
    let now = state.now();
    let piece = &cast.articles[place];
    let known = state.ledger.theirs.get(&place).copied();
    let known = known.filter(|id| state.site.world().post(*id).is_some());
    match (act, known) {
        (Act::Write, Some(_)) => Err(Pruned::AlreadySo),
        (Act::Write, None) => {
            let id = state.site.by_a_person(|world| {
                let id = world.write_draft(COLLEAGUE, piece.slug, "Somebody else's", now);
                world.edit(id, now, |row| row.kind = piece.kind);
                id
            });
            state.ledger.theirs.insert(place, id);
            Ok(())
        }
        (_, None) => Err(Pruned::NothingThere),
        (Act::TrashTheirs, Some(id)) => {
            if state.site.world().post(id).is_some_and(|row| row.status == Status::Trash) {
                return Err(Pruned::AlreadySo);
            }
            state.site.by_a_person(|world| world.trash(id, now));
            Ok(())
        }
        (_, Some(id)) => {
            state.site.by_a_person(|world| world.remove(id));
            Ok(())
        }
    }
}

fn rows_of(cast: &Cast, state: &State, thing: Thing) -> Vec<u64> {
    let subject = state.subject(cast, thing);
    let Some(story) = state.ledger.story(&subject) else { return Vec::new() };
    story.made().filter(|id| state.site.world().post(*id).is_some()).collect()
}

fn hide(cast: &Cast, state: &mut State, thing: Thing, counted: Counted) -> Result<(), Pruned> {
    state.catch_up();
    let rows = rows_of(cast, state, thing);
    if rows.is_empty() {
        return Err(Pruned::NothingThere);
    }
    let is_so = |id: &u64| state.site.hidden().get(id) == Some(&counted);
    if rows.iter().all(is_so) {
        return Err(Pruned::AlreadySo);
    }
    for id in rows {
        state.site.hide(id, counted);
    }
    Ok(())
}

fn show(cast: &Cast, state: &mut State, thing: Thing) -> Result<(), Pruned> {
    let mut rows = rows_of(cast, state, thing);
    rows.retain(|id| state.site.hidden().contains_key(id));
    if rows.is_empty() {
        return Err(Pruned::AlreadySo);
    }
    for id in rows {
        state.site.show(id);
    }
    Ok(())
}

fn stale(state: &mut State) -> Result<(), Pruned> {
    if state.stale.is_some() {
        return Err(Pruned::AlreadySo);
    }
    for kind in LOOK_UPS {
        let accident = Accident::Stale(Since::Set);
        let when = Occurrence::Every;
        state.site.add_fault(Fault { on: Target::Kind(kind), when, accident });
    }
    state.stale = Some(state.site.world().clone());
    Ok(())
}

fn fresh(state: &mut State) -> Result<(), Pruned> {
    state.stale.take().ok_or(Pruned::AlreadySo)?;
    state.site.clear_faults();
    Ok(())
}

/// Whether the fault could happen to any of these requests.
pub(crate) fn may_happen(fault: &Fault, heard: &[Kind]) -> bool {
    match fault.on {
        Target::Any => true,
        Target::Kind(kind) => heard.contains(&kind),
    }
}

/// What a decision that was accepted means to the ledger. Only one that was made against
/// the truth, or after our post was deleted, lets more be made than one row.
pub(crate) fn decided(
    before: &State,
    mut played: Played,
    subject: &Subject,
    decision: Decision,
    id: Option<u64>,
) -> Played {
    let said = played.ran.as_ref().and_then(|ran| ran.said.as_ref());
    if said.is_none_or(|said| said.exit != Exit::Settled) {
        return played;
    }
    let was_withdrawn = before.record(subject).is_some_and(|record| !record["withdrawn"].is_null());
    let was_confirmed = before.phase(subject) == "confirmed";
    let story = played.state.ledger.story_mut(subject);
    match decision {
        Decision::AdoptOurs | Decision::AdoptTheirs | Decision::AdoptNothing => {
            if let Some(id) = id {
                story.adopt(id);
            }
        }
        Decision::NotCreated => story.begin_era(),
        Decision::Restart if was_confirmed && !was_withdrawn => story.begin_era(),
        Decision::Restart | Decision::Withdraw => {}
    }
    played
}
