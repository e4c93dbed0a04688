//! Every code that OncePress takes for "nothing was created" is shown on real sites.
//!
//! The one rule: the list is read from the code that uses it, so that a code can't be
//! added there without a request here (the chapter `refusals`, whose last requests show
//! that nothing was created).

use std::collections::BTreeSet;

use super::script::Script;

/// Codes that no request can bring about on a site as it comes, and why.
const NOT_TO_BE_HAD: [(&str, &str); 2] = [
    ("rest_cannot_assign_term", "whoever may write posts may use all of core's terms"),
    ("rest_forbidden_status", "today it stands inside of rest_invalid_param"),
];

#[test]
fn each_code_that_proves_that_nothing_was_created_is_shown() {
    let code = include_str!("../../src/wordpress/classify.rs");
    let list = code.split_once("const BEFORE_INSERT").expect("the list").1;
    let list = list.split_once("];").expect("the end of the list").0;
    let believed: BTreeSet<&str> = list
        .lines()
        .filter_map(|line| line.trim().strip_prefix("(\"")?.split_once('"'))
        .map(|(code, _)| code)
        .collect();
    assert!(believed.len() > 10, "the list was not found: {believed:?}");

    let scripts = Script::all();
    let chapter = scripts.iter().find(|script| script.name == "refusals").expect("the chapter");
    let facts = chapter.steps.iter().flat_map(|step| &step.facts);
    let shown: BTreeSet<&str> = facts.filter_map(super::facts::Fact::code).collect();
    let excused = NOT_TO_BE_HAD.iter().map(|(code, _reason)| *code);
    let missing: Vec<&str> =
        believed.iter().copied().filter(|code| !shown.contains(code)).collect();
    let excused: Vec<&str> = excused.collect();
    assert_eq!(missing, excused, "codes that the chapter `refusals` does not show");
}
