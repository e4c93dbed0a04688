//! Golden files, which `scripts/blocks` shows to the editors of WordPress, and properties.

use std::fs;
use std::path::{Path, PathBuf};

use crate::article::{Fit, ImageIndex, Reference, Wanted};
use crate::names::AttachmentId;
use crate::render::browser;
use crate::render::markdown::Rendered;
use crate::render::splice::{Uploaded, rewrite};

use proptest::prelude::*;

use super::to_blocks;

fn is_local(address: &str) -> bool {
    !address.contains("://")
}

/// The blocks, with the ids that images have by their file's name: `a.png` has 1, and so on.
fn blocks(markdown: &str) -> String {
    let rendered = to_blocks(markdown, 1, is_local);
    let references: Vec<Reference> = rendered
        .id_slots
        .iter()
        .map(|slot| Reference {
            range: slot.range.clone(),
            image: ImageIndex::new(slot.address),
            fit: Fit::Part,
            wants: Wanted::Id,
        })
        .collect();
    let id = |address: usize| {
        let name = rendered.html[address..].trim_start_matches("./").bytes().next().unwrap();
        AttachmentId::new(u64::from(name - b'a') + 1).unwrap()
    };
    rewrite(&rendered.html, &references, |index| Uploaded { id: id(index.get()), address: "" })
}

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/blocks");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "md"));
    files.sort();
    files
}

#[test]
fn markdown_becomes_these_blocks() {
    let mut wrong = Vec::new();
    for file in fixtures() {
        let made = blocks(&fs::read_to_string(&file).unwrap());
        let golden = file.with_extension("html");
        if fs::read_to_string(&golden).unwrap_or_default() != made {
            wrong.push(format!("{} should be:\n{made}", golden.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_place_knows_its_line() {
    let markdown = "# t\n\n![one](a.png \"c\")\n\nmore ![two](b.png)\n\n- x\n\n  <div>\n  <img src=\"c.png\">\n  </div>\n\n> y <b\n> title=\"z\"><img src=\"d.png\">\n\n| t |\n|---|\n| x |\n| ![five][ref] |\n\n[ref]: e.png\n";
    let rendered = to_blocks(markdown, 10, is_local);
    let line = |needle: &str| rendered.lines.line(rendered.html.find(needle).unwrap());
    assert_eq!(line("a.png"), 12);
    assert_eq!(line("b.png"), 14);
    assert_eq!(line("c.png"), 19);
    assert_eq!(line("d.png"), 23);
    assert_eq!(line("e.png"), 28);
}

/// What stands in comments that open and close blocks, or what is wrong with them.
fn unbalanced(html: &str) -> Option<String> {
    let mut open: Vec<&str> = Vec::new();
    for part in html.split("<!--").skip(1) {
        let Some((comment, _)) = part.split_once("-->") else { return Some(part.to_owned()) };
        let comment = comment.trim();
        let name = comment.split(' ').next().unwrap_or_default();
        if let Some(name) = name.strip_prefix("/wp:") {
            if open.pop() != Some(name) {
                return Some(comment.to_owned());
            }
        } else if let Some(name) = name.strip_prefix("wp:") {
            open.push(name);
            let settings = comment.split_once(' ').map_or("{}", |(_, settings)| settings);
            if serde_json::from_str::<serde_json::Value>(settings).is_err() {
                return Some(comment.to_owned());
            }
        }
    }
    open.pop().map(str::to_owned)
}

/// The letters and digits that a reader sees, and those of alt texts.
fn letters(rendered: &Rendered) -> String {
    let mut text = String::new();
    let mut rest = rendered.html.as_str();
    while let Some((before, tag)) = rest.split_once('<') {
        text += before;
        let (tag, after) = tag.split_once('>').unwrap_or((tag, ""));
        if let Some((_, alt)) = tag.split_once("alt=\"") {
            text += alt.split('"').next().unwrap_or_default();
        }
        rest = after;
    }
    text += rest;
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn any_markdown() -> impl Strategy<Value = String> {
    let line = prop::sample::select(
        [
            "# one",
            "two three",
            "- four",
            "  - five",
            "1. six",
            "7) seven",
            "> eight",
            "> > nine",
            "```rust x--y",
            "```",
            "    ten",
            "| a | b |",
            "|---|:-:|",
            "| `c` | ![d](a.png) |",
            "---",
            "![e](a.png)",
            "![f](b.png)  ",
            "[![g](a.png)](https://h/)",
            "*h **i* j**",
            "k[^1]",
            "[^1]: l",
            "m\\",
            "",
            "",
            "",
            "  ",
            "\tn",
            "<https://h/o>",
            "~~p~~ & q < r",
            "- - s",
            "- [x] t",
            "> [!NOTE] u",
            "<!--more v-->",
            "<div>w",
            "</div>",
            "<table><tr><td>x</td></tr></table>",
            "y <b>z",
            "<ul><li>one</li></ul>",
        ]
        .as_slice(),
    );
    prop::collection::vec(line, 0..14).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #[test]
    fn each_block_is_closed_and_no_text_is_lost(markdown in any_markdown()) {
        let made = to_blocks(&markdown, 1, is_local);
        prop_assert_eq!(unbalanced(&made.html), None, "{}", made.html);
        let plain = crate::render::markdown::to_html(&markdown, 1);
        prop_assert_eq!(letters(&made), letters(&plain), "{}", made.html);
    }

    #[test]
    fn a_block_of_html_is_what_a_browser_keeps(markdown in any_markdown()) {
        let made = to_blocks(&markdown, 1, is_local).html;
        for block in made.split("<!-- wp:html -->").skip(1) {
            let html = block.split("<!-- /wp:html -->").next().unwrap_or_default();
            prop_assert!(browser::keeps(html), "{}", made);
        }
    }

    #[test]
    fn each_place_for_an_id_is_a_number_of_its_image(markdown in any_markdown()) {
        let made = to_blocks(&markdown, 1, is_local);
        for slot in &made.id_slots {
            prop_assert_eq!(&made.html[slot.range.clone()], "0");
            let address = made.html[slot.address..].split('"').next().unwrap_or_default();
            prop_assert!(["a.png", "b.png"].contains(&address), "{}", address);
        }
    }
}
