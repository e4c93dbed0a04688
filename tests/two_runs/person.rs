//! What a person does after an accident: push again, unlock what died, until it is quiet.

use serde_json::Value;

use super::processes::{Ended, Process};
use super::stage::{ARTICLES, Project, Site};

/// Pushes and unlocks that a person may need.
const TRIES_MAX: usize = 8;

/// Plays the person, and gives the last push.
pub(crate) fn until_quiet(project: &Project, history: &mut Vec<String>) -> Ended {
    for _ in 0..TRIES_MAX {
        let push = Process::start(project, &["push"], None).wait();
        history.push(format!("{}: {:?}", push.name, push.code));
        let json = push.json();
        let Some(run) = abandoned(&json) else { return push };
        let unlock = Process::start(project, &["unlock", &run], None).wait();
        history.push(format!("{}: {:?}", unlock.name, unlock.code));
        assert_eq!(unlock.code, Some(0), "{unlock:#?}");
    }
    panic!("still not quiet after {TRIES_MAX} tries: {history:#?}");
}

/// The run that died, if that is why a push stopped.
pub(crate) fn abandoned(json: &Value) -> Option<String> {
    let error = json["errors"].as_array()?.iter().find(|error| error["code"] == "abandoned_run")?;
    let hint = error["hint"].as_str()?;
    let (_, run) = hint.split_once("oncepress unlock ")?;
    Some(run.trim().to_owned())
}

/// What must hold, whatever happened.
pub(crate) fn judge(site: &Site, project: &Project, last: &Ended, history: &[String]) {
    let told = || format!("{history:#?}\n{last:#?}\n{:#?}", project.records());
    let json = last.json();
    for slug in ARTICLES {
        let posts = site.posts(slug);
        assert!(posts <= 1, "{slug} has {posts} posts\n{}", told());
        let article = article(&json, slug).unwrap_or_else(|| panic!("{slug}\n{}", told()));
        let settled = ["created", "completed", "skipped"].contains(&outcome(article));
        assert_eq!(settled, posts == 1, "{slug}: {article}\n{}", told());
    }
    let attachments = site.attachments();
    assert!(attachments <= 1, "{attachments} attachments\n{}", told());
    let in_doubt =
        |slug: &&str| ["held", "unknown"].contains(&outcome(article(&json, slug).unwrap()));
    let expected = if ARTICLES.iter().any(in_doubt) { 4 } else { 0 };
    assert_eq!(last.code, Some(expected), "{}", told());

    let before = (site.with(|site| site.world().clone()), project.records());
    let again = Process::start(project, &["push"], None).wait();
    assert_eq!(again.code, Some(expected), "{again:#?}\n{}", told());
    let after = (site.with(|site| site.world().clone()), project.records());
    assert!(before == after, "one more push changed something\n{again:#?}\n{}", told());
}

pub(crate) fn article<'j>(json: &'j Value, slug: &str) -> Option<&'j Value> {
    json["articles"].as_array()?.iter().find(|article| article["slug"] == slug)
}

pub(crate) fn outcome(article: &Value) -> &str {
    article["outcome"].as_str().expect("an outcome")
}
