//! Each accident once, over the network: what `push` says, what arrived, what exists, and
//! what the next `push` says.

use crate::support::*;

/// Faults; what the run says, what arrived by its end and what exists; the same of the
/// rerun, from which the faults are gone.
const TABLE: &[(&[&str], &str, &str)] = &[
    (
        &["create-post=lose-request"],
        "unknown settling +answer_lost exit 4 | creates 1 posts 0 uploads 1 files 1",
        "unknown settling exit 4 | creates 1 posts 0 uploads 1 files 1",
    ),
    (
        &["create-post=lose-answer"],
        "completed exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=late:0"],
        "completed exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=late:86400"],
        "unknown settling +answer_lost exit 4 | creates 1 posts 0 uploads 1 files 1",
        "unknown settling exit 4 | creates 1 posts 0 uploads 1 files 1",
    ),
    (
        &["create-post=twice:first"],
        "created +second_copy exit 0 | creates 1 posts 2 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 2 uploads 1 files 1",
    ),
    (
        &["create-post=twice:second"],
        "created +slug_changed exit 0 | creates 1 posts 2 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 2 uploads 1 files 1",
    ),
    (
        &["create-post=twice:nothing"],
        "completed +second_copy exit 0 | creates 1 posts 2 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 2 uploads 1 files 1",
    ),
    (
        &["create-post=hide"],
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=fail-after:500"],
        "completed exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=fail-after:502"],
        "completed exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=fail-after:503"],
        "completed exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=fail-after:504"],
        "completed exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=refuse-after:rest_cannot_update"],
        "completed exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=refuse-after:rest_invalid_type"],
        "completed exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=partly"],
        "completed +tags_dropped exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=partial-terms"],
        "created +tags_dropped exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=refuse"],
        "rejected rest_invalid_param exit 3 | creates 1 posts 0 uploads 1 files 1",
        "created exit 0 | creates 2 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=challenge:200"],
        "unknown settling +answer_lost exit 4 | creates 1 posts 0 uploads 1 files 1",
        "unknown settling exit 4 | creates 1 posts 0 uploads 1 files 1",
    ),
    (
        &["create-post=challenge:202"],
        "unknown settling +answer_lost exit 4 | creates 1 posts 0 uploads 1 files 1",
        "unknown settling exit 4 | creates 1 posts 0 uploads 1 files 1",
    ),
    (
        &["create-post=challenge:403"],
        "unknown settling +answer_lost exit 4 | creates 1 posts 0 uploads 1 files 1",
        "unknown settling exit 4 | creates 1 posts 0 uploads 1 files 1",
    ),
    (
        &["create-post=redirect:301:away"],
        "rejected redirected exit 3 | creates 1 posts 0 uploads 1 files 1",
        "created exit 0 | creates 2 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=redirect:302:slash"],
        "rejected redirected exit 3 | creates 1 posts 0 uploads 1 files 1",
        "created exit 0 | creates 2 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=busy:429:30"],
        "unknown settling +answer_lost exit 4 | creates 1 posts 0 uploads 1 files 1",
        "unknown settling exit 4 | creates 1 posts 0 uploads 1 files 1",
    ),
    (
        &["create-post=busy:503:30"],
        "unknown settling +answer_lost exit 4 | creates 1 posts 0 uploads 1 files 1",
        "unknown settling exit 4 | creates 1 posts 0 uploads 1 files 1",
    ),
    (
        &["create-post=warning"],
        "completed exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=cut:20"],
        "completed exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=slow:30"],
        "completed exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["upload=lose-request"],
        "held media_unknown exit 4 | creates 0 posts 0 uploads 1 files 0",
        "held media_unknown exit 4 | creates 0 posts 0 uploads 1 files 0",
    ),
    (
        &["upload=lose-answer"],
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["upload=late:0"],
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["upload=twice:first"],
        "created +media_second_copy exit 0 | creates 1 posts 1 uploads 1 files 2",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 2",
    ),
    (
        &["upload=twice:nothing"],
        "created +media_second_copy exit 0 | creates 1 posts 1 uploads 1 files 2",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 2",
    ),
    (
        &["upload=fail-after:500"],
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["upload=refuse-after:rest_cannot_update"],
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["upload=dead-images:500"],
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["upload=dead-images:empty"],
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["upload=refuse"],
        "rejected media_type_refused exit 3 | creates 0 posts 0 uploads 1 files 0",
        "created exit 0 | creates 1 posts 1 uploads 2 files 1",
    ),
    (
        &["upload=challenge:202"],
        "held media_unknown exit 4 | creates 0 posts 0 uploads 1 files 0",
        "held media_unknown exit 4 | creates 0 posts 0 uploads 1 files 0",
    ),
    (
        &["upload=warning"],
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["upload=cut:20"],
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-tag:1=lose-answer"],
        "deferred cannot_look_up_terms exit 5 | creates 0 posts 0 uploads 1 files 1",
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-tag:1=lose-request"],
        "deferred cannot_look_up_terms exit 5 | creates 0 posts 0 uploads 1 files 1",
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-tag:1=twice:second"],
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-tag=fail-after:500"],
        "deferred cannot_look_up_terms exit 5 | creates 0 posts 0 uploads 1 files 1",
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["index=challenge:403"],
        "deferred not_wordpress exit 2 | creates 0 posts 0 uploads 0 files 0",
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["index=slow:30"],
        "deferred no_answer exit 5 | creates 0 posts 0 uploads 0 files 0",
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["me=lose-answer"],
        "deferred no_answer exit 5 | creates 0 posts 0 uploads 0 files 0",
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["me=busy:503:30"],
        "deferred site_busy exit 5 | creates 0 posts 0 uploads 0 files 0",
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["look-up=stale"],
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["look-up=drop-filter"],
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["look-up=cut:1"],
        "deferred cannot_look_up exit 5 | creates 0 posts 0 uploads 0 files 0",
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["look-up=warning"],
        "deferred cannot_look_up exit 5 | creates 0 posts 0 uploads 0 files 0",
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["look-up=challenge:200"],
        "deferred cannot_look_up exit 5 | creates 0 posts 0 uploads 0 files 0",
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["look-up=redirect:302:slash"],
        "deferred cannot_look_up exit 5 | creates 0 posts 0 uploads 0 files 0",
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["look-up=busy:429:30"],
        "deferred cannot_look_up exit 5 | creates 0 posts 0 uploads 0 files 0",
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["look-up-media=lose-answer"],
        "deferred cannot_look_up exit 5 | creates 0 posts 0 uploads 0 files 0",
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["terms=fail-after:500"],
        "deferred cannot_look_up_terms exit 5 | creates 0 posts 0 uploads 0 files 0",
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["any=slow:0"],
        "created exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=lose-answer", "create-post=hide"],
        "unknown settling +answer_lost exit 4 | creates 1 posts 1 uploads 1 files 1",
        "unknown settling exit 4 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=lose-answer", "create-post=hide:counted"],
        "held hidden +answer_lost exit 4 | creates 1 posts 1 uploads 1 files 1",
        "held hidden exit 4 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["upload=lose-answer", "upload=hide"],
        "held media_unknown exit 4 | creates 0 posts 0 uploads 1 files 1",
        "held media_unknown exit 4 | creates 0 posts 0 uploads 1 files 1",
    ),
    (
        &["create-post=lose-answer", "look-up:2+=stale"],
        "unknown settling +answer_lost exit 4 | creates 1 posts 1 uploads 1 files 1",
        "completed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=lose-answer", "look-up:2+=drop-filter"],
        "completed exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=lose-answer", "look-up:2+=challenge:200"],
        "unknown cannot_look_up +answer_lost exit 4 | creates 1 posts 1 uploads 1 files 1",
        "completed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
    (
        &["create-post=fail-after:500", "create-post=partial-terms"],
        "completed +tags_dropped exit 0 | creates 1 posts 1 uploads 1 files 1",
        "skipped confirmed exit 0 | creates 1 posts 1 uploads 1 files 1",
    ),
];

#[test]
fn the_table_has_every_accident() {
    let missing: Vec<&str> = oncepress::sandbox::Accident::CATALOGUE
        .iter()
        .filter_map(|(form, _)| form.split([':', '[']).next())
        .filter(|name| {
            let is_it = |fault: &&str| {
                let accident = fault.split('=').nth(1).unwrap_or_default();
                accident.split(':').next() == Some(*name)
            };
            !TABLE.iter().any(|(faults, _, _)| faults.iter().any(is_it))
        })
        .collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn no_accident_makes_a_second_create_or_a_second_upload() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path(), &[]);
    let mut wrong = Vec::new();
    for (faults, first, rerun) in TABLE {
        served.control("POST", "reset", "");
        served.set(faults);
        let project = Project::new(&served.url);
        let told = |ran: &Ran| {
            let line = ran.in_a_line();
            let creates = served.arrived("create-post");
            let uploads = served.arrived("upload");
            let posts = served.rows("post").len();
            let files = served.rows("attachment").len();
            format!("{line} | creates {creates} posts {posts} uploads {uploads} files {files}")
        };
        let one = told(&project.run(&["push", "--json", "--quiet"]));
        served.control("DELETE", "faults", "");
        let two = told(&project.run(&["push", "--json", "--quiet"]));
        if one != *first || two != *rerun {
            wrong.push(format!("(&{faults:?}, {one:?}, {two:?}),"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
