//! What the sites store of many texts is judged "the same", and each small edit of it
//! "different", by the very look-up of a run.
//!
//! Every create's answer is lost, so that the run has to judge what it finds. For the
//! edits the drafts are hidden at first, and changed in the database before the next
//! run. Absent from here: the texts (`fixtures/projection`). The one rule: a text
//! that WordPress damages beyond what is undone is named there, and held.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use crate::support::project::unique;
use crate::support::rules::{Fault, Kind};
use crate::support::run::Ran;
use crate::support::scene::{Scene, on_each_version};

on_each_version!(stored_texts_are_the_same_and_edited_ones_are_not);

/// Texts and edits that are judged at least, per version and user.
const TEXTS_MIN: usize = 100;
const EDITS_MIN: usize = 40;
/// Of the edits, each user of each version gets one in so many, another one each.
const SHARE: usize = 6;

#[derive(Debug, Deserialize)]
struct Row {
    #[serde(alias = "body")]
    text: String,
    /// Sites and users, as `6.1 author`, where WordPress damages it.
    #[serde(default)]
    damaged: Vec<String>,
    edits: Vec<(String, String)>,
}

/// The column that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Content,
    Title,
}

impl Field {
    fn column(self) -> &'static str {
        match self {
            Self::Content => "post_content",
            Self::Title => "post_title",
        }
    }
}

/// One article, and what is to become of its stored text.
struct Case<'a> {
    slug: String,
    name: &'a str,
    field: Field,
    row: &'a Row,
    edit: Option<&'a (String, String)>,
}

fn rows(file: &str) -> BTreeMap<String, Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/projection").join(file);
    toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// A text of several hundred kilobytes, with every kind of thing in it.
fn huge() -> Row {
    let mut text = String::new();
    for number in 0..4_000 {
        let _ = writeln!(
            text,
            "<!-- wp:paragraph {{\"n\":{number}}} -->\n<p class=\"n{number}\">写真 {number} &amp; \
             <a href=\"https://e.example/?a={number}&amp;b=2\">link</a></p>\n\
             <!-- /wp:paragraph -->\n"
        );
    }
    let edit = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    Row { text, damaged: Vec::new(), edits: vec![edit("a=3999&", "a=3998&"); SHARE] }
}

/// Cases CONT-01, CONT-07 and CONT-10.
fn stored_texts_are_the_same_and_edited_ones_are_not(version: &str) {
    let bodies = rows("bodies.toml").into_iter().chain([("huge".to_owned(), huge())]).collect();
    let titles = rows("titles.toml");
    let mut counts = Vec::new();
    let turn = ["6.1", "6.8", "7.1"].iter().position(|one| *one == version).unwrap();
    for (number, user) in ["admin", "author"].into_iter().enumerate() {
        let cases = cases(turn * 2 + number, &bodies, &titles);
        let (texts, edits) = judge(version, user, &cases);
        assert!(texts >= TEXTS_MIN && edits >= EDITS_MIN, "{texts} texts and {edits} edits");
        counts.push(format!("{texts} texts the same and {edits} edits different as {user}"));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/battery");
    std::fs::create_dir_all(&folder).unwrap();
    let line = format!("projection on {version}: {}\n", counts.join(", "));
    std::fs::write(folder.join(format!("projection-{version}.txt")), line).unwrap();
}

fn cases<'a>(
    turn: usize,
    bodies: &'a BTreeMap<String, Row>,
    titles: &'a BTreeMap<String, Row>,
) -> Vec<Case<'a>> {
    let bodies = bodies.iter().map(|(name, row)| (name, row, Field::Content));
    let titles = titles.iter().map(|(name, row)| (name, row, Field::Title));
    let mut cases = Vec::new();
    let mut number = 0;
    for (name, row, field) in bodies.chain(titles) {
        let case = |edit| Case { slug: unique("stored"), name, field, row, edit };
        cases.push(case(None));
        for edit in &row.edits {
            number += 1;
            if number % SHARE == turn {
                cases.push(case(Some(edit)));
            }
        }
    }
    cases
}

fn write(scene: &Scene, case: &Case<'_>) {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let text = &case.row.text;
    let article = match case.field {
        Field::Content => format!("---\ntitle: {}\n---\n{text}", quoted(case.name)),
        Field::Title => {
            let text = quoted(text);
            format!("---\ntitle: {text}\nexcerpt: {text}\n---\n<p>{}</p>", case.name)
        }
    };
    scene.project.write(&format!("articles/{}.html", case.slug), article);
}

/// Changes the stored text; not, if the filter took away what was to be changed.
fn edit(scene: &Scene, case: &Case<'_>, (from, to): &(String, String)) -> bool {
    let row = &scene.site.posts(&case.slug)[0];
    let stored = match case.field {
        Field::Content => scene.site.content(row.id),
        Field::Title => hexed(scene, row.id),
    };
    let edited = stored.replacen(from, to, 1);
    if edited == stored {
        return false;
    }
    let column = case.field.column();
    scene.site.sql(&format!("UPDATE wp_posts SET {column} = '' WHERE ID = {}", row.id));
    // In pieces: the command line of the database's client has a limit.
    let letters: Vec<char> = edited.chars().collect();
    for piece in letters.chunks(12_000) {
        let piece: String = piece.iter().collect();
        let hex = piece.bytes().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
        scene.site.sql(&format!(
            "UPDATE wp_posts SET {column} = CONCAT({column}, CONVERT(X'{hex}' USING utf8mb4)) \
             WHERE ID = {}",
            row.id
        ));
    }
    true
}

/// The stored title, byte for byte.
fn hexed(scene: &Scene, id: u64) -> String {
    let rows = scene.site.sql(&format!("SELECT HEX(post_title) FROM wp_posts WHERE ID = {id}"));
    let byte = |at: usize| u8::from_str_radix(&rows[0][0][at..at + 2], 16).unwrap();
    String::from_utf8((0..rows[0][0].len()).step_by(2).map(byte).collect()).unwrap()
}

/// Plays all cases as this user, and tells how many texts and edits were judged.
fn judge(version: &str, user: &str, cases: &[Case<'_>]) -> (usize, usize) {
    let (texts, edits): (Vec<_>, Vec<_>) = cases.iter().partition(|case| case.edit.is_none());
    judge_texts(version, user, &texts);
    (texts.len(), judge_edits(version, user, &edits))
}

fn scene(version: &str, user: &str, cases: &[&Case<'_>]) -> Scene {
    let scene = Scene::as_user(version, user);
    for case in cases {
        write(&scene, case);
    }
    scene.run(&["check", "--json"]).exits(0);
    scene.proxy.always(Kind::Create, Fault::answer_lost());
    scene
}

fn judge_texts(version: &str, user: &str, cases: &[&Case<'_>]) {
    let scene = scene(version, user, cases);
    let site = format!("{version} {user}");
    let (damaged, whole): (Vec<_>, Vec<_>) =
        cases.iter().partition(|case| case.row.damaged.contains(&site));
    let ran = scene.push();
    scene.proves(&cases[0].slug, 1, 1);
    agrees(&ran, &whole, ("completed", None));
    agrees(&ran, &damaged, ("held", Some("content_differs")));
}

fn judge_edits(version: &str, user: &str, cases: &[&Case<'_>]) -> usize {
    let scene = scene(version, user, cases);
    scene.hides_drafts();
    let ran = scene.push();
    scene.proves(&cases[0].slug, 1, 1);
    agrees(&ran, cases, ("held", Some("not_found")));
    scene.goes_well_again();
    let made = |case: &&&Case<'_>| case.edit.is_some_and(|to| edit(&scene, case, to));
    let edited: Vec<_> = cases.iter().filter(made).copied().collect();
    agrees(&scene.push(), &edited, ("held", Some("content_differs")));
    edited.len()
}

/// All of them ended so. Notes of a check are not the matter here, and the lost answer is
/// known.
fn agrees(ran: &Ran, cases: &[&Case<'_>], expected: (&str, Option<&str>)) {
    let mut wrong = Vec::new();
    for case in cases {
        let article = ran.article(&case.slug);
        let said = (article["outcome"].as_str().unwrap_or_default(), article["reason"].as_str());
        let is_known = |code: &String| code.starts_with("html_") || code == "answer_lost";
        let warned = said.0 == "completed" && !ran.warnings(&case.slug).iter().all(is_known);
        if said != expected || warned {
            let warnings = &article["warnings"];
            let edit = case.edit;
            wrong.push(format!("{} {edit:?}: {said:?} {warnings}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
