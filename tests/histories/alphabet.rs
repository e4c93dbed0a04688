//! The actions of the exploration.
//!
//! Absent from here: in which order they happen. The one rule: every accident that the
//! specification names for a send is in the whole alphabet, once for the article and once
//! for its image.

use oncepress::sandbox::{Counted, Kind};

use crate::action::{Act, Action, Decision, Point, Push, Sent, Thing, Token, read};

const ARTICLE: Thing = Thing::Article(0);
const IMAGE: Thing = Thing::Image(0);

/// What the site and the way to it can do with a create or an upload.
const TO_SENDS: [&str; 14] = [
    "lose-request",
    "lose-answer",
    "late:1",
    "late:100",
    "fail-after:502",
    "refuse-after:rest_cannot_update",
    "refuse",
    "twice:first",
    "twice:second",
    "twice:nothing",
    "busy:429",
    "challenge:200",
    "redirect:302:away",
    "warning",
];

/// Runs with accidents that are no single accident of a send.
const MORE_RUNS: &str = "
    push create-post=partly;
    push create-post=cut:20;
    push upload=dead-images:500;
    push upload=dead-images:empty;
    push create-post=hide create-post=lose-answer;
    push create-post=hide:counted create-post=lose-answer;
    push upload=hide upload=lose-answer;
    push upload=hide:counted upload=lose-answer;
    push create-post=lose-answer look-up=stale;
    push upload=lose-answer look-up-media=stale;
    push create-post=lose-answer look-up:2=lose-answer;
    push look-up=lose-answer;
    push look-up=drop-filter;
    push look-up=challenge:200;
    push look-up-media=lose-answer;
    push look-up-media=drop-filter;
    push receipts=lose-answer;
    push receipts=stale;
    push read=lose-answer;
    push create-post=lose-answer dies=article.after-answer;
    push upload=late:100 dies=upload.after-answer;
    push create-post=late:100 dies=article.after-answer;
    push second=create-post;
    push second=upload;
    push interrupted=create-post;
    push interrupted=upload;
    push unreachable=create-post;
    push unreachable=upload;
    push dies=step:9;
    push dies=step:18;
    push dies=step:27";

/// Those that are played from every state that the first actions lead to.
const CORE: &str = "
    push;
    push create-post=lose-answer;
    push create-post=late:100;
    push create-post=lose-request;
    push upload=lose-answer;
    push dies=article.after-sending-record;
    unlock;
    hour;
    resolve article-1 not-created;
    resolve article-1 restart;
    resolve article-1 not-created image-1;
    resolve article-1 adopt-ours;
    edit article-1;
    site delete article-1;
    show article-1";

/// Every action.
pub(crate) fn whole() -> Vec<Action> {
    let mut actions = vec![Action::Push(Push::default()), Action::Plan, Action::Status];
    for kind in [Kind::CreatePost, Kind::Upload] {
        let faults = TO_SENDS.iter().map(|accident| format!("push {kind}={accident}"));
        actions.extend(faults.flat_map(|text| read(&text)));
    }
    for sent in [Sent::Upload, Sent::Article] {
        for point in Point::ALL {
            let dies = Some(crate::action::Death::At(sent, point));
            actions.push(Action::Push(Push { dies, ..Push::default() }));
        }
    }
    actions.extend(read(MORE_RUNS));
    actions.extend([Action::Unlock(Token::Right), Action::Unlock(Token::Wrong)]);
    for decision in Decision::ALL {
        actions.push(Action::Resolve { article: 0, image: None, decision });
        if !matches!(decision, Decision::AdoptTheirs | Decision::Withdraw) {
            actions.push(Action::Resolve { article: 0, image: Some(0), decision });
        }
    }
    for thing in [ARTICLE, IMAGE] {
        actions.extend([Action::Edit(thing), Action::EditBack(thing)]);
        actions.push(Action::Hide(thing, Counted::Uncounted));
        actions.push(Action::Hide(thing, Counted::Counted));
        actions.push(Action::Show(thing));
        actions.extend(Act::TO_OURS.map(|act| Action::OnSite(act, thing)));
    }
    let theirs = [Act::Write, Act::TrashTheirs, Act::DeleteTheirs];
    actions.extend(theirs.map(|act| Action::OnSite(act, ARTICLE)));
    actions.extend([Action::Stale, Action::Fresh, Action::Hour]);
    actions
}

/// A few of them, for the longer histories.
pub(crate) fn core() -> Vec<Action> {
    read(CORE)
}
