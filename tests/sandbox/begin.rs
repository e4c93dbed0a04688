//! `oncepress init`: from an empty folder to a draft.

use std::fs;
use std::path::Path;

use crate::support::*;

/// A folder in which there is nothing.
fn empty() -> Project {
    let project = Project::new("sandbox:");
    for entry in fs::read_dir(project.path()).expect("the folder") {
        let path = entry.expect("an entry").path();
        let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        removed.expect("removed");
    }
    project
}

fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path.file_name().expect("a name").to_string_lossy().into_owned());
        }
    }
    found.sort();
    found
}

#[test]
fn what_it_makes_becomes_a_draft_at_once() {
    let project = empty();
    let ran = project.run(&["init"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    assert_eq!(
        ran.stdout,
        "made:\n  oncepress.toml\n  articles/first-article.md\n  articles/img/lighthouse.png\n\n\
         with git: commit the articles and oncepress.toml; put a password file\n\
         on .gitignore, and .oncepress too unless whoever runs next pulls it. Records\n\
         must outlive a clone: without them a lost answer is forgotten\n\nnext:\n\
         \u{20} oncepress check   finds what is wrong, offline\n\
         \u{20} oncepress push    makes a draft on the simulated site until [site] url is yours\n"
    );
    let checked = project.run(&["check"]);
    assert_eq!(checked.stdout, "1 valid, 0 invalid, 0 problems, 0 warnings\n");
    assert_eq!(project.run(&["push", "--json"]).in_a_line(), "created exit 0");
    assert_eq!(project.run(&["push", "--json"]).in_a_line(), "skipped confirmed exit 0");
    assert_eq!(rows(&project.kept()["site"], "attachment").len(), 1);
}

#[test]
fn a_file_in_the_way_keeps_all_from_being_written() {
    for name in ["oncepress.toml", "articles/first-article.md", "articles/img/lighthouse.png"] {
        let project = empty();
        project.write(&format!("blog/{name}"), "mine");
        let ran = project.run(&["init", "blog", "--json"]);
        assert_eq!(ran.in_a_line(), "\"would_overwrite\" exit 2");
        let message = format!("blog/{name} is there already; nothing was written");
        assert_eq!(ran.json()["errors"][0]["message"], message);
        assert_eq!(files(project.path()).len(), 1, "{name}");
        assert_eq!(fs::read(project.path().join("blog").join(name)).expect("there"), b"mine");
    }
    let project = empty();
    std::os::unix::fs::symlink("nowhere", project.path().join("oncepress.toml")).expect("a link");
    assert_eq!(project.run(&["init", "--json"]).in_a_line(), "\"would_overwrite\" exit 2");
}

#[test]
fn a_folder_that_takes_no_files_is_told() {
    let project = empty();
    project.write("blog", "a file");
    let ran = project.run(&["init", "blog", "--json"]);
    assert_eq!(ran.in_a_line(), "\"init_failed\" exit 7", "{ran:?}");
    assert!(ran.stderr.contains("nothing was written"), "{ran:?}");
}

#[test]
fn machines_are_told_what_was_made() {
    let project = empty();
    let told = project.run(&["init", "blog", "--json"]).json();
    assert_eq!(told["schema"], "oncepress.init/1");
    assert_eq!((&told["ok"], &told["exit_code"]), (&true.into(), &0.into()));
    let made = told["created"].as_array().expect("a list");
    assert_eq!(made.len(), 3);
    for path in made {
        assert!(project.exists(path.as_str().expect("a path")), "{path}");
    }
}
