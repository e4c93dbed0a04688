//! `oncepress doctor` on sites each of which has one illness.
//!
//! Each case is asked twice, for people and for machines. Absent from here: sites that
//! are real (`tests/it`). The one rule, looked at after every case: nothing is sent but
//! questions, and after the first refusal no password is sent again.

mod account;
mod before;
mod lookups;
mod root;

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::desk::{Desk, Ran};
use crate::support::rows::asked;
use crate::support::rules::{Ask, Carries, Give, Rule, Times};
use crate::support::server::Server;
use crate::support::site::{Site, Stored};

/// What stands in a golden text in place of the address, as wide as the address.
const PLACE: &str = "http://127.0.0.1:PORT.";

/// A site with an illness.
struct Case {
    site: Site,
    /// Further lines of `[site]`.
    config: &'static str,
}

impl Case {
    fn healthy() -> Self {
        Self { site: Site::new(), config: "" }
    }

    /// Every answer to this question is odd.
    fn always(self, on: Ask, give: Give) -> Self {
        self.from(on, 1, give)
    }

    /// Answers are odd from this question of its kind on.
    fn from(self, on: Ask, first: u32, give: Give) -> Self {
        self.site.rule(Rule::new(on, Times::From(first), Carries::Out, give));
        self
    }

    fn where_the_site(self, change: impl FnOnce(&mut Stored)) -> Self {
        self.site.change(change);
        self
    }

    fn configured(self, config: &'static str) -> Self {
        Self { config, ..self }
    }

    /// What people see, and below it what was asked. Fails unless machines are told the
    /// same.
    fn told(&self) -> String {
        let server = Server::of(&self.site);
        let desk = Desk::new(&server.url(), "");
        let config = std::fs::read_to_string(desk.path("oncepress.toml")).expect("it is there");
        desk.write(
            "oncepress.toml",
            config.replace("[network]", &format!("{}\n[network]", self.config)),
        );
        self.told_at(&desk, &server.url(), &["doctor"])
    }

    fn told_at(&self, desk: &Desk, url: &str, args: &[&str]) -> String {
        let json = desk.run(&[args, &["--json"]].concat());
        let for_machines = self.asked();
        // A rule may count the questions: the site is as it was before.
        self.site.begin_anew();
        let ran = desk.run(args);
        assert_eq!(self.asked(), for_machines, "the two forms ask the same");
        told(&ran, &json);
        let text = ran.stdout.replace(url, PLACE);
        format!("{text}---\nexit {}; {for_machines}\n", ran.exit)
    }

    /// What was asked, after a look at how.
    fn asked(&self) -> String {
        let log = self.site.take_log();
        let is_question = |method: &str| matches!(method, "GET" | "HEAD" | "OPTIONS");
        assert!(log.iter().all(|one| is_question(&one.method)), "{log:?}");
        let signed: Vec<_> = log.iter().filter(|one| one.signed).collect();
        let refused = signed.iter().position(|one| matches!(one.status, 401 | 403));
        let after = refused.map_or(0, |at| signed.len() - at - 1);
        assert_eq!(after, 0, "a password was sent after it was refused: {log:?}");
        format!("{}; {} with the password", asked(&self.site.take_counts()), signed.len())
    }
}

/// The two forms say the same, and each line fits.
fn told(ran: &Ran, json: &Ran) {
    assert_eq!((ran.stderr.as_str(), json.stderr.as_str()), ("", ""));
    assert_eq!(ran.exit, json.exit);
    let object = &json.json;
    assert_eq!(object["schema"], "oncepress.doctor/1", "{}", json.stdout);
    assert_eq!(object["command"], "doctor");
    assert_eq!(object["exit_code"], json.exit);
    assert_eq!(object["ok"], json.exit == 0);
    let list = |key: &str| object[key].as_array().cloned().unwrap_or_default();
    let word = |check: &Value, key: &str| check[key].as_str().expect("a text").to_owned();
    let lines: Vec<&str> = ran.stdout.lines().collect();
    for line in &lines {
        assert!(line.chars().count() <= 80, "{line}");
        assert!(!line.contains(char::is_control), "{line:?}");
    }
    // The heads of the lines, in the order of the checks.
    let heads: Vec<String> = lines
        .iter()
        .filter(|line| {
            ["ok ", "warning ", "problem ", "skipped "].iter().any(|w| line.starts_with(w))
        })
        .map(|line| line[..22].split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    let expected: Vec<String> = list("checks")
        .iter()
        .map(|check| {
            let name = word(check, "check").replace("sign_in", "sign-in");
            let name = name.replace("look_ups", "look-ups").replace('_', " ");
            format!("{} {name}", word(check, "status"))
        })
        .collect();
    assert_eq!(heads, expected);
    for check in list("checks") {
        let is_plain = matches!(check["status"].as_str(), Some("ok" | "skipped"));
        assert_eq!(is_plain, check["code"] == check["check"], "{check}");
        assert_eq!(is_plain, check["hint"].is_null(), "what to do about {check}");
        assert!(!word(&check, "message").contains(char::is_control), "{check}");
    }
    let problems: Vec<Value> = list("checks")
        .into_iter()
        .filter(|check| check["status"] == "problem")
        .map(|check| check["code"].clone())
        .collect();
    let errors: Vec<Value> = list("errors").iter().map(|error| error["code"].clone()).collect();
    assert_eq!(errors, problems);
    assert!(list("errors").iter().all(|error| error["remote_effect"] == "none"));
    let mut next = String::new();
    for (index, command) in list("next").iter().enumerate() {
        let lead = if index == 0 { "next: " } else { "      " };
        let _ = writeln!(next, "{lead}{}", command.as_str().expect("a command"));
    }
    assert!(ran.stdout.ends_with(&next), "{}", ran.stdout);
}

/// Compares what people see with its golden text.
macro_rules! shows {
    ($name:literal, $case:expr) => {
        insta::assert_snapshot!($name, $case.told());
    };
}
use shows;
