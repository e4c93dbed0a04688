//! Whether a case ended as it must.
//!
//! Absent from here: playing it. The one rule: what the program says is held against what
//! the site has and what arrived there, and believed in nothing.

use oncepress::sandbox::{Accident, Answered, Arrival, Kind, MadeKind, Post, PostKind, World};
use serde_json::Value;

use super::project::{SITE, SLUGS, digests};
use super::site::Place;

/// Everything that is wrong at the end; the last run, which had nothing left to do, said
/// this.
pub(super) fn judge(place: &Place, last: &Value) -> Vec<String> {
    let mut wrongs = place.wrongs.clone();
    let world = place.site.world();
    wrongs.extend(foreign_changes(SITE.world(), world));
    let writes: Vec<_> = place.writes().collect();
    for slug in SLUGS {
        wrongs.extend(article_wrongs(world, &writes, slug, article_of(last, slug)));
    }
    wrongs.extend(tag_wrongs(world));
    wrongs.extend(exit_wrong(last));
    wrongs
}

fn article_of<'a>(json: &'a Value, slug: &str) -> &'a Value {
    let articles = json["articles"].as_array().map(Vec::as_slice).unwrap_or_default();
    articles.iter().find(|article| article["slug"] == slug).unwrap_or(&Value::Null)
}

/// What others have on the site is as it was, and nothing is there that nobody sent.
fn foreign_changes(before: &World, after: &World) -> Vec<String> {
    let changed = |post: &&Post| after.post(post.id) != Some(post);
    let posts = before.posts().filter(changed).map(|post| format!("changed: {post:?}"));
    let changed = |term: &&oncepress::sandbox::Term| !after.terms().any(|now| now == *term);
    let terms = before.terms().filter(changed).map(|term| format!("{term:?}"));
    posts.chain(terms).collect()
}

fn tag_wrongs(world: &World) -> Option<String> {
    // One that is ours, one of somebody else, and the category that every site has.
    let count = world.terms().count();
    (count > 3).then(|| format!("{count} terms"))
}

/// One subject: an article, or an image. What arrived for it, and what it made.
struct Subject<'a> {
    name: String,
    sends: Vec<&'a Arrival>,
    made: Vec<u64>,
}

impl<'a> Subject<'a> {
    fn of(
        name: String,
        writes: &[&'a Arrival],
        kind: Kind,
        is_it: impl Fn(&Arrival) -> bool,
    ) -> Self {
        let is_send = |arrival: &&&Arrival| arrival.kind == kind && is_it(arrival);
        let sends: Vec<_> = writes.iter().filter(is_send).copied().collect();
        let is_row = |what| matches!(what, MadeKind::Post | MadeKind::Page | MadeKind::Attachment);
        let made = sends.iter().flat_map(|send| &send.made);
        let made = made.filter(|made| is_row(made.what)).map(|made| made.id).collect();
        Self { name, sends, made }
    }

    fn was_twice(&self) -> bool {
        self.sends.iter().any(|send| Place::was_twice(send))
    }

    fn wrongs(&self) -> Vec<String> {
        let Self { name, sends, made } = self;
        let mut wrongs = Vec::new();
        let at_most = 1 + usize::from(self.was_twice());
        if made.len() > at_most {
            wrongs.push(format!("{name} is there {} times: {made:?}", made.len()));
        }
        // Another request only after the answer to the one before proved that it made
        // nothing.
        let all_but_last = &sends[..sends.len().saturating_sub(1)];
        for send in all_but_last {
            let is_refused = send.accidents == [Accident::Refuse]
                && matches!(send.answered, Answered::Whole(_))
                && send.made.is_empty();
            if !is_refused {
                wrongs.push(format!("{name} was sent again after {send:?}"));
            }
        }
        wrongs
    }
}

fn is_settled(outcome: &Value) -> bool {
    ["created", "completed", "skipped"].iter().any(|settled| outcome == settled)
}

fn article_wrongs(world: &World, writes: &[&Arrival], slug: &str, article: &Value) -> Vec<String> {
    let mut wrongs = Vec::new();
    let of_slug = |arrival: &Arrival| arrival.slug.as_deref() == Some(slug);
    let post = Subject::of(format!("article {slug}"), writes, Kind::CreatePost, of_slug);
    wrongs.extend(post.wrongs());
    let mut are_all_there = true;
    for digest in digests(slug) {
        let stem = &digest[..8];
        let of_stem =
            |arrival: &Arrival| arrival.slug.as_deref().is_some_and(|slug| slug.contains(stem));
        let name = format!("image {digest} of {slug}");
        let image = Subject::of(name, writes, Kind::Upload, of_stem);
        wrongs.extend(image.wrongs());
        let files = world.posts().filter_map(|post| post.file.as_ref());
        let count = files.filter(|file| file.sha256 == digest).count();
        if count != image.made.len() {
            wrongs.push(format!("{}: {count} files, made by {:?}", image.name, image.sends));
        }
        are_all_there &= count > 0;
    }
    wrongs.extend(told_wrongs(world, &post, article, are_all_there));
    wrongs
}

/// What the last run says of an article, against the truth.
fn told_wrongs(
    world: &World,
    post: &Subject<'_>,
    article: &Value,
    are_images_there: bool,
) -> Vec<String> {
    let mut wrongs = Vec::new();
    let outcome = &article["outcome"];
    let told = article["post_id"].as_u64();
    match (is_settled(outcome), post.made.is_empty()) {
        (true, true) => {
            wrongs.push(format!("{} is not there, and said to be: {article}", post.name));
        }
        (true, false) if !told.is_some_and(|id| post.made.contains(&id)) => {
            wrongs.push(format!("{} is {:?}, not {told:?}", post.name, post.made));
        }
        (false, false) if !post.was_twice() => {
            wrongs.push(format!("{} is there, and said to be in doubt: {article}", post.name));
        }
        (true, false) | (false, true | false) => {}
    }
    if !is_settled(outcome) && outcome != "held" && outcome != "unknown" {
        wrongs.push(format!("{} does not rest: {article}", post.name));
    }
    if is_settled(outcome) && !are_images_there {
        wrongs.push(format!("{} lacks an image, and is settled: {article}", post.name));
    }
    // A twin that a proxy made shows in the slug, if its answer was the one that was heard.
    let stored = told.and_then(|id| world.post(id)).map(|post| post.slug.as_str());
    if is_settled(outcome) && article["stored_slug"].as_str() != stored {
        wrongs.push(format!("{} has the slug {stored:?}: {article}", post.name));
    }
    for id in &post.made {
        match world.post(*id) {
            Some(Post { kind: PostKind::Post, title, .. }) if title.starts_with("On ") => {}
            other => wrongs.push(format!("{}: {other:?}", post.name)),
        }
    }
    wrongs
}

/// Whatever a run says is settled is on the site, and an exit of 0 means that all is.
pub(super) fn settled_are_there(place: &Place, told: &Value) -> Vec<String> {
    let world = place.site.world();
    let mut wrongs = Vec::new();
    let mut are_settled = true;
    for slug in SLUGS {
        let article = article_of(told, slug);
        let id = article["post_id"].as_u64();
        let is_there = id.and_then(|id| world.post(id)).is_some_and(|post| post.slug == slug);
        if is_settled(&article["outcome"]) && !is_there {
            wrongs.push(format!("article {slug} is not there, and said to be: {article}"));
        }
        are_settled &= is_settled(&article["outcome"]);
    }
    if told["exit_code"] == 0 && !are_settled {
        wrongs.push(format!("exit 0, and not all is settled: {told}"));
    }
    wrongs
}

fn exit_wrong(last: &Value) -> Option<String> {
    let articles = last["articles"].as_array().map(Vec::as_slice).unwrap_or_default();
    let are_settled = articles.iter().all(|article| is_settled(&article["outcome"]));
    let expected = if are_settled && articles.len() == SLUGS.len() { 0 } else { 4 };
    (last["exit_code"] != expected).then(|| format!("not the exit {expected}: {last}"))
}
