//! What agents are told is what the program does: docs/agents.md and the skill.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::*;

const FOR_AGENTS: [&str; 2] = ["docs/agents.md", "skills/oncepress/SKILL.md"];

/// A project on the simulated site, in which the document is played from top to bottom.
struct Played {
    folder: TempDir,
    last: Value,
}

impl Played {
    fn new() -> Self {
        let played = Self { folder: tempfile::tempdir().unwrap(), last: Value::Null };
        fs::create_dir(played.path().join("articles")).unwrap();
        played.write(
            "oncepress.toml",
            "[site]\nurl = \"sandbox:\"\n\n[network]\nsettle_s = 0\nlookup_delays_s = [0]\n",
        );
        played.write(
            "articles/tea-guide.md",
            "---\ntitle: \"Tea: a short guide\"\n---\nBoil *water*.\n",
        );
        played
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    fn run(&self, arguments: &[String], env: &[(&str, &str)]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_oncepress"))
            .args(arguments)
            .current_dir(self.path())
            .env_clear()
            .env("HOME", self.path())
            .envs(env.iter().copied())
            .output()
            .unwrap()
    }

    /// What happens between the examples, which the text around them tells.
    fn between(&self, line: &str) {
        if line.contains("articles/mug.md") && !self.path().join("articles/mug.md").exists() {
            self.write("articles/mug.md", "---\ntitle: A mug\n---\nIt holds tea.\n");
            let killed = [("ONCEPRESS_CRASH_AT", "article.after-sending-record")];
            let output = self.run(&words("push articles/mug.md"), &killed);
            assert_eq!(output.status.code(), None, "it is killed in the middle of the send");
        }
        if self.last["errors"][0]["code"] == "abandoned_run" {
            let unlock = self.last["next"][0].as_str().unwrap();
            let output = self.run(&words(unlock.strip_prefix("oncepress ").unwrap()), &[]);
            assert!(output.status.success(), "{output:?}");
        }
    }

    /// What a line of the document prints.
    fn printed(&mut self, line: &str) -> Value {
        if let Some((cut, name)) = line.split_once(" -n 1 ") {
            let text = fs::read_to_string(self.path().join(name)).unwrap();
            let mut lines = text.lines();
            let line = if cut == "head" { lines.next() } else { lines.next_back() };
            return serde_json::from_str(line.unwrap()).unwrap();
        }
        self.between(line);
        let output = self.run(&words(line.strip_prefix("oncepress ").unwrap()), &[]);
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert_eq!(stdout.matches('\n').count(), 1, "one object on one line: {stdout}");
        self.last = serde_json::from_str(&stdout).unwrap();
        assert_eq!(output.status.code().map(Value::from).as_ref(), Some(&self.last["exit_code"]));
        self.last.clone()
    }
}

/// The words of a command line; quotes hold several together.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    parts
        .flat_map(|(index, part)| match index % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

/// Without what differs from run to run: `d` is a digit, `x` a hexadecimal one.
fn unmistakable(text: &str) -> String {
    let masks = [
        ("x".repeat(64), "DIGEST"),
        ("ddddddddtddddddz-xxxxxxxx".to_owned(), "RUN"),
        ("dddd-dd-ddTdd:dd:dd".to_owned(), "TIME"),
    ];
    let fits = |mask: &str, text: &str| {
        let fit = |(mask, c): (char, char)| match mask {
            'd' => c.is_ascii_digit(),
            'x' => c.is_ascii_hexdigit(),
            _ => mask == c,
        };
        text.len() >= mask.len() && mask.chars().zip(text.chars()).all(fit)
    };
    let mut plain = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some((mask, name)) = masks.iter().find(|(mask, _)| fits(mask, rest)) {
            plain.push_str(name);
            rest = rest[mask.len()..].trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
        } else if let Some((_, after)) =
            rest.strip_prefix("process ").and_then(|rest| rest.split_once(", since"))
        {
            plain.push_str("process OF HOST, since");
            rest = after;
        } else {
            plain.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    plain
}

#[test]
fn every_example_is_what_the_program_prints() {
    let text = read("docs/agents.md");
    let mut played = Played::new();
    let mut examples = 0;
    for block in text.split("```console\n$ ").skip(1) {
        let block = block.split("\n```").next().unwrap();
        let (line, shown) = block.split_once('\n').expect("a command and what it prints");
        let shown: Value =
            serde_json::from_str(shown).unwrap_or_else(|error| panic!("{line}: {error}"));
        let real = played.printed(line);
        // As text, so that the order of the keys counts too.
        assert_eq!(unmistakable(&shown.to_string()), unmistakable(&real.to_string()), "{line}");
        examples += 1;
    }
    assert!(examples > 7, "{examples} examples");
}

#[test]
fn exit_codes_are_those_of_the_readme() {
    let table = |document: &str, name: &str| -> BTreeMap<String, String> {
        let rows = rows(&section(document, name)).into_iter();
        rows.map(|row| (row[0].clone(), row[1].clone())).collect()
    };
    let readme = table("README.md", "Exit codes");
    assert_eq!(table("docs/agents.md", "Exit codes"), readme);
    let skill = table("skills/oncepress/SKILL.md", "What each exit code asks of you");
    assert_same("the skill", &set(skill.into_keys()), &set(readme.into_keys()));
}

#[test]
fn outcomes_and_events_are_those_of_the_program() {
    let outcomes = first_cells(&section("docs/agents.md", "Outcomes"));
    let counts = &Played::new().printed("oncepress status --json")["counts"];
    let real = counts.as_object().unwrap().keys().cloned();
    assert_same("outcomes", &set(outcomes), &set(real));
    let events = first_cells(&section("docs/agents.md", "Events"));
    let schema: Value = serde_json::from_str(&help(&["schema", "event"])).expect("JSON");
    let kinds = schema["oneOf"].as_array().expect("a line is one of several");
    let real = kinds.iter().map(|kind| kind["properties"]["event"]["const"].as_str());
    let real: Vec<&str> = real.map(|name| name.expect("its name")).collect();
    assert_same("events", &set(events), &set(real.into_iter().map(str::to_owned)));
}

#[test]
fn commands_that_are_named_exist() {
    let commands = help_list(&help(&["-h"]), "Commands");
    for document in FOR_AGENTS {
        let text = read(document);
        let named = text.split(['`', '\n', '"']).filter_map(|piece| {
            piece.trim_start_matches("$ ").strip_prefix("oncepress ")?.split(' ').next()
        });
        let named: Vec<&str> = named.filter(|word| !word.starts_with('-')).collect();
        assert!(named.len() > 8, "{document}: {named:?}");
        for command in named {
            assert!(commands.contains_key(command), "{document}: no command {command}");
        }
    }
}

#[test]
fn codes_that_are_named_are_explained_or_keys_of_the_result() {
    let mut known = read("src/explain/codes.toml");
    known += &read("README.md");
    known += &help(&["schema", "event"]);
    let is_code = |word: &&str| {
        word.contains('_') && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
    };
    for document in FOR_AGENTS {
        let text = prose(&read(document));
        for code in quoted(&text).into_iter().filter(is_code) {
            let forms = [format!("\n[{code}]"), format!("{code}`"), format!("\"{code}\"")];
            let is_known = forms.iter().any(|form| known.contains(form));
            assert!(is_known, "{document}: no {code}");
        }
    }
}

/// The head by which agents find a skill: its folder's name, and when to use it.
#[test]
fn the_skill_has_its_head() {
    let text = read("skills/oncepress/SKILL.md");
    let head = text.strip_prefix("---\n").and_then(|text| text.split_once("\n---\n")).unwrap().0;
    let fields: Vec<_> = head.lines().map(|line| line.split_once(": ").unwrap()).collect();
    let [("name", "oncepress"), ("description", what)] = fields.as_slice() else {
        panic!("{fields:?}");
    };
    assert!(what.len() <= 1024 && !what.contains(": "), "{what}");
}
