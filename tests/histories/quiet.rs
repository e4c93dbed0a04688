//! The end of a case: nothing goes wrong any more, and the run is repeated until it
//! changes nothing.
//!
//! Absent from here: what else may happen. The one rule: a run that changed nothing
//! changes nothing however often it is repeated, and that point is reached soon.

use crate::action::{Action, Push, Token};
use crate::desk::same;
use crate::play::Player;
use crate::state::State;

/// Runs after which nothing may change any more.
const RUNS_MAX: usize = 4;

/// What the end of a case led to.
#[derive(Debug, Default)]
pub(crate) struct Ended {
    /// What was done.
    pub(crate) actions: Vec<Action>,
    /// What was found wrong.
    pub(crate) wrongs: Vec<String>,
}

/// Plays the end of a case: now, and once more when an hour has passed.
pub(crate) fn end(player: &mut Player, state: &State) -> Ended {
    let mut ended = Ended::default();
    let mut state = state.clone();
    for first in [vec![Action::Fresh, Action::Unlock(Token::Right)], vec![Action::Hour]] {
        for action in first {
            // What is not due is not possible.
            if let Ok(next) = step(player, &state, action, &mut ended) {
                state = next;
            }
        }
        state = until_quiet(player, state, &mut ended);
        if !ended.wrongs.is_empty() {
            break;
        }
    }
    ended
}

fn until_quiet(player: &mut Player, state: State, ended: &mut Ended) -> State {
    let mut state = state;
    for _ in 0..RUNS_MAX {
        let Ok(next) = step(player, &state, Action::Push(Push::default()), ended) else {
            return state;
        };
        let is_quiet =
            same(&state.journal, &next.journal) && state.site.world() == next.site.world();
        state = next;
        if is_quiet || !ended.wrongs.is_empty() {
            return state;
        }
    }
    ended.wrongs.push(format!("gets-quiet: {RUNS_MAX} runs, and each changed something"));
    state
}

fn step(
    player: &mut Player,
    state: &State,
    action: Action,
    ended: &mut Ended,
) -> Result<State, crate::play::Pruned> {
    let played = player.play(state, &action)?;
    ended.actions.push(action);
    ended.wrongs.extend(played.wrongs);
    Ok(played.state)
}
