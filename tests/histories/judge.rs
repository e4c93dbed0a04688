//! Judges an action: what the site and the journal are after it, against what really
//! happened.
//!
//! Absent from here: what a run says of each article (`verdict`). The one rule: written
//! from the specification, and never from the code that decides.

use std::collections::BTreeSet;

use oncepress::report::Exit;
use oncepress::sandbox::{Kind, PostKind, Status};
use serde_json::Value;

use crate::action::{Action, Decision, Thing, Token};
use crate::cast::{Cast, JOURNAL};
use crate::ledger::Subject;
use crate::play::{Played, Ran};
use crate::stage::changed_rows;
use crate::state::{Files, State};
use crate::verdict;

/// What is wrong with an action and its effects: each begins with the name of a rule.
pub(crate) fn action(cast: &Cast, before: &State, action: &Action, played: &Played) -> Vec<String> {
    let after = &played.state;
    let mut wrongs = surplus(after);
    let Some(ran) = &played.ran else { return wrongs };
    wrongs.extend(on_the_site(before, after));
    let is_push = matches!(action, Action::Push(_));
    if !is_push && ran.heard.iter().any(|kind| kind.is_write()) {
        wrongs.push(format!("only-push-writes: {:?}", ran.heard));
    }
    let Some(said) = &ran.said else { return wrongs };
    if serde_json::from_str::<Value>(&said.stdout).is_err() {
        wrongs.push(format!("json: standard output is no JSON: {said:?}"));
        return wrongs;
    }
    match action {
        Action::Push(push) => wrongs.extend(verdict::push(cast, before, after, push, ran)),
        Action::Plan => {
            wrongs.extend(unchanged("plan-writes-nothing", before, after));
            wrongs.extend(verdict::plan(cast, after, ran));
        }
        Action::Status => {
            wrongs.extend(unchanged("status-writes-nothing", before, after));
            if !ran.heard.is_empty() {
                wrongs.push(format!("status-is-offline: {:?}", ran.heard));
            }
        }
        Action::Unlock(token) => wrongs.extend(unlock(before, after, *token, said.exit)),
        Action::Resolve { article, image, decision } => {
            let thing = image.map_or(Thing::Article(*article), Thing::Image);
            let subject = before.subject(cast, thing);
            wrongs.extend(resolve(before, after, &subject, *decision, ran));
        }
        Action::Edit(_)
        | Action::EditBack(_)
        | Action::Forget(_)
        | Action::OnSite(..)
        | Action::Hide(..)
        | Action::Show(_)
        | Action::Stale
        | Action::Fresh
        | Action::Hour => {}
    }
    wrongs
}

/// At most one row for an article or image, but for those that a person let be made.
fn surplus(after: &State) -> Vec<String> {
    let of_story = |(subject, story): (&Subject, &crate::ledger::Story)| {
        story.surplus().map(|why| format!("at-most-one: {subject:?}: {why}"))
    };
    after.ledger.stories().filter_map(of_story).collect()
}

/// Nothing that was there is changed, and nothing is there that no request of ours made.
fn on_the_site(before: &State, after: &State) -> Vec<String> {
    let (was, is) = (before.site.world(), after.site.world());
    let changed = changed_rows(was, is);
    let mut wrongs: Vec<String> =
        changed.into_iter().map(|what| format!("nothing-overwritten: {what}")).collect();
    let ours = after.ledger.ours();
    let known: BTreeSet<u64> = was.posts().map(|row| row.id).collect();
    for row in is.posts().filter(|row| !known.contains(&row.id) && !ours.contains(&row.id)) {
        wrongs.push(format!("nothing-else-made: row {} ({})", row.id, row.slug));
    }
    wrongs
}

/// The journal but for what comes and goes with every lock.
fn records(files: &Files) -> Files {
    let lock = format!("{JOURNAL}/lock");
    let counts = |name: &String| *name != lock && !name.contains("/.tmp-");
    files.iter().filter(|(name, _)| counts(name)).map(|(a, b)| (a.clone(), b.clone())).collect()
}

fn unchanged(rule: &str, before: &State, after: &State) -> Option<String> {
    let (was, is) = (records(&before.journal), records(&after.journal));
    (was != is).then(|| format!("{rule}: the journal was {:?}, is {:?}", was.keys(), is.keys()))
}

fn unlock(before: &State, after: &State, token: Token, exit: Exit) -> Vec<String> {
    let mut wrongs = Vec::new();
    match token {
        Token::Wrong => {
            wrongs.extend(unchanged("unlock-by-name", before, after));
            if exit == Exit::Settled {
                wrongs.push("unlock-by-name: another run's name was accepted".to_owned());
            }
        }
        Token::Right => {
            let mut expected = records(&before.journal);
            expected.remove(&format!("{JOURNAL}/run.json"));
            if exit != Exit::Settled || records(&after.journal) != expected {
                wrongs.push(format!("unlock-removes-the-marker: {exit:?}"));
            }
        }
    }
    wrongs
}

fn resolve(
    before: &State,
    after: &State,
    subject: &Subject,
    decision: Decision,
    ran: &Ran,
) -> Vec<String> {
    let Some(said) = &ran.said else { return Vec::new() };
    if said.exit != Exit::Settled {
        return unchanged("refused-decision-changes-nothing", before, after).into_iter().collect();
    }
    let mut wrongs = Vec::new();
    let mut wrong = |text: String| wrongs.push(format!("decisions-fit-the-truth: {text}"));
    if before.abandoned().is_some() {
        wrong(format!("{decision:?} was accepted beside a dead run"));
    }
    let receipt = |state: &State| receipt_of(state, subject);
    match decision {
        Decision::AdoptNothing => wrong("a row that does not exist was adopted".to_owned()),
        Decision::AdoptOurs | Decision::AdoptTheirs => {
            let row = receipt(after).and_then(|id| before.site.world().post(id));
            match row {
                None => wrong(format!("{decision:?}: the receipt names no row")),
                Some(row) if row.status == Status::Trash => {
                    wrong(format!("row {} was adopted from the trash", row.id));
                }
                Some(row) if !is_of(subject, row.kind) => {
                    wrong(format!("row {} of another type was adopted", row.id));
                }
                Some(_) => {}
            }
        }
        Decision::NotCreated => {
            if before.phase(subject) != "sending" {
                wrong("nothing had been sent that could be not created".to_owned());
            }
            if let Some(id) = visible(before, subject) {
                wrong(format!("`not created` was accepted, and the site shows row {id}"));
            }
        }
        Decision::Restart => {
            let withdrawn = before.record(subject).map(|record| !record["withdrawn"].is_null());
            let stands = receipt(before).filter(|id| before.site.world().post(*id).is_some());
            if let (Some(false), Some(id)) = (withdrawn, stands) {
                wrong(format!("a restart was accepted, and row {id} stands"));
            }
            if withdrawn == Some(false) && before.phase(subject) == "sending" {
                wrong("a restart was accepted while a send was in doubt".to_owned());
            }
        }
        Decision::Withdraw => {
            if matches!(subject, Subject::Image(_)) {
                wrong("an upload was withdrawn".to_owned());
            }
        }
    }
    wrongs
}

/// The id in the receipt of a record.
pub(crate) fn receipt_of(state: &State, subject: &Subject) -> Option<u64> {
    let record = state.record(subject)?;
    let name = match subject {
        Subject::Article(..) => "post_id",
        Subject::Image(_) => "attachment_id",
    };
    record["receipt"][name].as_u64()
}

fn is_of(subject: &Subject, kind: PostKind) -> bool {
    match subject {
        Subject::Article(name, _) => kind.name() == *name,
        Subject::Image(_) => kind == PostKind::Attachment,
    }
}

/// A row under the slug of this article that every look-up shows or counts.
pub(crate) fn visible(state: &State, subject: &Subject) -> Option<u64> {
    use oncepress::sandbox::Counted;
    let Subject::Article(_, slug) = subject else { return None };
    if state.stale.is_some() {
        return None;
    }
    let trashed = format!("{slug}__trashed");
    let hides = |id: u64| state.site.hidden().get(&id) == Some(&Counted::Uncounted);
    let mut rows = state.site.world().posts();
    let found = rows.find(|row| {
        is_of(subject, row.kind) && (row.slug == *slug || row.slug == trashed) && !hides(row.id)
    });
    found.map(|row| row.id)
}

/// The kinds of requests that look for articles and uploads.
pub(crate) fn is_look_up(kind: Kind) -> bool {
    matches!(kind, Kind::LookUp | Kind::LookUpMedia | Kind::Receipts | Kind::Read | Kind::List)
}
