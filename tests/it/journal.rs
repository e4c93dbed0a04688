//! Journals that are damaged, full, missing, or another machine's.
//!
//! Absent from here: how records are written (tests beside `src/journal`). The one
//! rule: what can't be read is never "no record".

use std::fs;
use std::path::PathBuf;

use crate::support::rules::{Fault, Gate, Kind};
use crate::support::scene::{BODY, Scene, front_matter, on_each_version};

on_each_version!(
    a_record_of_zeros,
    a_record_that_breaks_off,
    a_record_of_a_newer_version,
    a_copy_made_by_a_sync_service,
    a_damaged_record_is_settled_by_a_person,
    a_full_disk_before_the_send,
    a_full_disk_before_everything,
    a_disk_that_fails_after_the_answer,
    a_second_machine_without_the_journal,
    the_journal_was_deleted_and_the_draft_is_seen,
    the_site_has_moved,
);

fn record(scene: &Scene, slug: &str) -> PathBuf {
    let name = format!("{slug}.json");
    let is = |path: &PathBuf| path.file_name().is_some_and(|known| *known == *name);
    scene.project.journal().into_keys().find(is).expect("the article's record")
}

/// A record that can't be read may be the one that says `sending`: its article stops,
/// whatever the site shows, and the others go on.
fn stops_its_article(version: &str, damage: fn(Vec<u8>) -> Vec<u8>) {
    let scene = Scene::on(version);
    let slug = scene.article_never_delivered("damaged");
    let path = record(&scene, &slug);
    let damaged = damage(fs::read(&path).expect("the record"));
    fs::write(&path, &damaged).expect("the record is damaged");
    let other = scene.article("other");
    let ran = scene.push();
    ran.exits(7).says(&slug, "held", Some("journal_damaged")).says(&other, "created", None);
    assert_eq!(ran.article(&slug)["remote_effect"], "possible");
    scene.push().exits(7).says(&slug, "held", Some("journal_damaged"));
    assert_eq!(fs::read(&path).expect("the record"), damaged, "left as it was found");
    scene.proves(&slug, 1, 0);
    scene.proves(&other, 1, 1);
}

fn a_record_of_zeros(version: &str) {
    stops_its_article(version, |record| vec![0; record.len()]);
}

fn a_record_that_breaks_off(version: &str) {
    stops_its_article(version, |record| record[..record.len() / 2].to_vec());
}

fn a_record_of_a_newer_version(version: &str) {
    stops_its_article(version, |record| {
        let text = String::from_utf8(record).expect("a record is text");
        let newer = text.replacen("/1\"", "/2\"", 1);
        assert_ne!(newer, text, "the record names its schema");
        newer.into_bytes()
    });
}

fn a_copy_made_by_a_sync_service(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_never_delivered("copied");
    let path = record(&scene, &slug);
    let copy = path.with_file_name(format!("{slug} (conflicted copy).json"));
    fs::copy(&path, &copy).expect("the copy");
    let fresh = scene.article("fresh");
    let ran = scene.push();
    ran.exits(7);
    assert_eq!(ran.errors(), ["journal_conflict_copy"]);
    scene.proves(&fresh, 0, 0);
    fs::remove_file(copy).expect("the copy goes away");
    scene.push().exits(4).says(&fresh, "created", None).says(&slug, "held", Some("not_found"));
    scene.proves(&fresh, 1, 1);
    scene.proves(&slug, 1, 0);
}

fn a_damaged_record_is_settled_by_a_person(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article_in_doubt("damaged");
    fs::write(record(&scene, &slug), b"").expect("the record is damaged");
    scene.push().ends(7, &slug, "held", Some("journal_damaged"));
    // The site contradicts it.
    let refused = scene.resolve(&slug, &["--not-created"]);
    refused.exits(4);
    assert_eq!(refused.errors(), ["found_after_all"]);
    let id = scene.site.posts(&slug)[0].id.to_string();
    scene.resolve(&slug, &["--adopt", &id]).exits(0);
    scene.push().ends(0, &slug, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
}

/// Runs `push` where no file may grow beyond so many KiB.
fn push_with_small_files(scene: &Scene, kib: u32) -> crate::support::run::Ran {
    scene.run_in_shell(&format!("trap '' XFSZ; ulimit -f {kib}"), &["push", "--json"])
}

fn a_full_disk_before_the_send(version: &str) {
    let scene = Scene::on(version);
    let picture_less = format!("{BODY}\n\n{}", "A long article. ".repeat(40_960));
    let slug = scene.article_with("full", "", &picture_less);
    let other = scene.article("a-small-one");
    // Room for the run's marker and a small record, none for the large one that would
    // say `sending`.
    let ran = push_with_small_files(&scene, 256);
    ran.exits(7).says(&slug, "deferred", Some("journal_write_failed"));
    ran.says(&other, "created", None);
    assert_eq!(ran.errors(), ["journal_write_failed"]);
    scene.proves(&slug, 0, 0);
    scene.proves(&other, 1, 1);
    let ran = scene.push();
    ran.exits(0).says(&slug, "created", None).says(&other, "skipped", Some("confirmed"));
    scene.proves(&slug, 1, 1);
    scene.proves(&other, 1, 1);
}

fn a_full_disk_before_everything(version: &str) {
    let scene = Scene::on(version);
    let slug = scene.article("full");
    push_with_small_files(&scene, 0).exits(7);
    scene.proves(&slug, 0, 0);
    scene.proves_nothing_sent();
    scene.push().ends(0, &slug, "created", None);
    scene.proves(&slug, 1, 1);
}

/// The post exists, and the journal's folder is gone from under the run: the receipt
/// must reach a person by every way there is.
fn a_disk_that_fails_after_the_answer(version: &str) {
    let scene = Scene::on(version);
    let (slug, waiting) = (scene.article("a-unsaved"), scene.article("b-waiting"));
    let gate = Gate::new();
    scene.proxy.once(Kind::Create, Fault::held_at(&gate));
    let mut run = scene.spawn(&["push"]);
    gate.wait_reached(&mut run);
    let folder = record(&scene, &slug).parent().expect("a folder").to_owned();
    let aside = folder.with_file_name("aside");
    fs::rename(&folder, &aside).expect("the folder goes away");
    fs::write(&folder, b"").expect("no folder can be made there");
    gate.open();
    let ran = scene.finish(run);
    fs::remove_file(&folder).expect("the file goes away");
    fs::rename(&aside, &folder).expect("the folder is back");
    ran.exits(7);
    let receipt = format!("\"post_id\":{}", scene.site.posts(&slug)[0].id);
    for (name, text) in [("stdout", &ran.stdout), ("stderr", &ran.stderr)] {
        let told =
            text.lines().any(|line| line.contains("receipt_not_saved") && line.contains(&receipt));
        assert!(told, "{name} does not tell the receipt\n{text}");
    }
    let is_a_rescue = |name: &str| name.starts_with("oncepress-rescue-");
    let files = fs::read_dir(scene.project.path()).expect("the project").flatten();
    let found: Vec<_> =
        files.filter(|file| file.file_name().to_str().is_some_and(is_a_rescue)).collect();
    assert_eq!(found.len(), 1, "one rescue file");
    let rescued = fs::read_to_string(found[0].path()).expect("readable");
    assert!(rescued.contains(&receipt), "{rescued}");
    scene.proves(&slug, 1, 1);
    scene.proves(&waiting, 0, 0);
    scene.push().exits(0).says(&slug, "completed", None).says(&waiting, "created", None);
    scene.proves(&slug, 1, 1);
    scene.proves(&waiting, 1, 1);
}

fn a_second_machine_without_the_journal(version: &str) {
    let (here, there) = (Scene::on(version), Scene::on(version));
    let slug = here.article("shared");
    there.project.article(&slug, &front_matter(&slug), BODY);
    here.push().ends(0, &slug, "created", None);
    there.push().ends(0, &slug, "skipped", Some("exists"));
    here.proves(&slug, 1, 1);
    there.proves(&slug, 0, 1);
}

fn the_journal_was_deleted_and_the_draft_is_seen(version: &str) {
    let scene = Scene::on(version);
    let (slug, picture) = scene.article_with_picture("deleted");
    scene.push().ends(0, &slug, "created", None);
    scene.project.delete_the_journal();
    scene.push().ends(0, &slug, "skipped", Some("exists"));
    scene.proves(&slug, 1, 1);
    scene.proves_media(&picture, 1, 1);
}

fn the_site_has_moved(version: &str) {
    let scene = Scene::on(version);
    let (created, _) = scene.article_created("moved");
    let doubtful = scene.article("moved");
    scene.proxy.once(Kind::Create, Fault::never_delivered());
    scene.push().exits(4).says(&doubtful, "held", Some("not_found"));
    // The same database at another address: another site, as far as records go.
    let elsewhere = scene.site.proxy();
    scene.project.configure(&elsewhere.url(), "author", "settle_s = 0");
    let ran = scene.push();
    ran.says(&created, "skipped", Some("exists")).says(&doubtful, "created", None).exits(0);
    assert_eq!((elsewhere.creates(&created).len(), elsewhere.creates(&doubtful).len()), (0, 1));
    // Back at the old address its own records hold.
    scene.project.configure(&scene.proxy.url(), "author", "settle_s = 0");
    let ran = scene.push();
    ran.says(&created, "skipped", Some("confirmed")).says(&doubtful, "completed", None).exits(0);
    scene.proves(&created, 1, 1);
    scene.proves(&doubtful, 1, 1);
}
