//! The fields of an article as written, whichever notation they were written in.
//!
//! Absent from here: what a field means (`metadata.rs`). The rule to keep: a scalar is
//! the text the author sees in the file; `1.10`, `no` and dates are not numbers, truth
//! values and timestamps here (FM-04).

use super::fault::{Fault, Finding, quoted};

/// One field: a name, its value, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) value: Value,
}

/// A value as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    List(Vec<Text>),
    Map(Vec<Pair>),
}

impl Value {
    /// What it is, in words.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
        }
    }
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) line: u32,
}

/// An entry of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) key: String,
    pub(super) text: String,
    pub(super) line: u32,
}

/// The fields that were readable, and what was wrong with the others.
#[derive(Debug, Default)]
pub(super) struct Fields {
    pub(super) readable: Vec<Field>,
    pub(super) findings: Vec<Finding>,
    /// Whether the notation could be read to its end: if not, a field that is not here
    /// may well be in the file.
    pub(super) unreadable: bool,
}

impl Fields {
    pub(super) fn find(&mut self, line: u32, fault: Fault) {
        self.findings.push(fault.at(line));
    }

    /// Records that the notation itself is broken at a line.
    pub(super) fn break_off(&mut self, line: u32, why: &str) {
        let message = format!("the front matter can't be read: {why}");
        self.findings.push(Finding::new(line, "front_matter_unreadable", message));
        self.unreadable = true;
    }

    /// Adds a field unless its name is there already.
    pub(super) fn add(&mut self, field: Field) {
        match self.readable.iter().find(|other| other.name == field.name) {
            Some(first) => {
                let fault = duplicate(&field.name, first.line);
                self.find(field.line, fault);
            }
            None => self.readable.push(field),
        }
    }
}

/// A name that was given twice.
pub(super) fn duplicate(name: &str, first_line: u32) -> Fault {
    let message = format!("{} is given twice, first on line {first_line}", quoted(name));
    Fault::new("field_duplicate", message)
}

/// A value of the wrong shape.
pub(super) fn wrong_type(name: &str, is: &str, wanted: &str) -> Fault {
    Fault::new("field_type", format!("{} is {is}, but must be {wanted}", quoted(name)))
}

/// The line, from 1, on which byte `offset` of a text stands whose first line is
/// `first_line`.
pub(super) fn line_at(text: &str, offset: usize, first_line: u32) -> u32 {
    let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
    let breaks = before.split(|byte| *byte == b'\n').count() - 1;
    first_line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX))
}
