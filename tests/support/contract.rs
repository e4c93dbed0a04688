//! The printed schemas, as judges of what is printed.
//!
//! Absent from here: what is judged, which is everything that a test reads of the program.
//! The one rule: the schemas are those that `oncepress schema` prints.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

/// Each schema by its name.
pub(crate) static SCHEMAS: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| {
    let list = printed(&["schema", "--json"]);
    let entries = list["schemas"].as_array().expect("a list").iter();
    let name = |entry: &Value| entry["name"].as_str().expect("a name").to_owned();
    entries.map(name).map(|name| (name.clone(), printed(&["schema", &name]))).collect()
});

static JUDGES: LazyLock<BTreeMap<&str, Validator>> = LazyLock::new(|| {
    let judge = |(name, schema): (&'static String, &'static Value)| {
        let options = jsonschema::options().should_validate_formats(true);
        let judge = options.build(schema).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name.as_str(), judge)
    };
    SCHEMAS.iter().map(judge).collect()
});

fn printed(args: &[&str]) -> Value {
    let output =
        Command::new(env!("CARGO_BIN_EXE_oncepress")).args(args).output().expect("it runs");
    assert!(output.status.success(), "{args:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}"))
}

/// What the schema of this name has against a document; nothing if that is as it says.
pub(crate) fn objections(name: &str, document: &Value) -> Vec<String> {
    let errors = JUDGES[name].iter_errors(document);
    errors.map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// Fails unless what a command printed on standard output is as its schema says.
pub(crate) fn judge(printed: &Value) {
    assert_valid(name_of(printed), printed);
}

/// Fails unless the document is as the schema of this name says.
pub(crate) fn assert_valid(name: &str, document: &Value) {
    let objections = objections(name, document);
    assert!(objections.is_empty(), "not as the schema {name} says: {objections:#?}\n{document:#}");
}

/// The name of the schema of what a command printed on standard output.
pub(crate) fn name_of(printed: &Value) -> &'static str {
    match printed["schema"].as_str().expect("every document names its schema") {
        // A check that could not begin ends as every other command does.
        "oncepress.result/1"
            if printed["command"] == "check" && printed["errors"] == Value::Array(Vec::new()) =>
        {
            "check"
        }
        "oncepress.result/1" => "result",
        "oncepress.doctor/1" => "doctor",
        "oncepress.explanation/1" => "explanation",
        "oncepress.completions/1" => "completions",
        "oncepress.init/1" => "init",
        "oncepress.man/1" => "man",
        "oncepress.rehearsal/1" => "rehearsal",
        "oncepress.sandbox/1" if printed.get("kinds").is_some() => "faults",
        "oncepress.sandbox/1" => "sandbox",
        "oncepress.schemas/1" => "schemas",
        other => panic!("no schema of {other}"),
    }
}
