//! Checks of single arguments, with the words of WordPress where one does not fit.
//!
//! Absent from here: which argument a route has (`arguments`, `fields`). The one rule:
//! what a check refuses is refused before anything is read or stored.

use serde_json::{Value, json};

use super::params::{Params, as_number};
use super::reply::Wrong;

impl Params {
    /// A whole number.
    pub(super) fn not_whole(&self, name: &str) -> Option<Wrong> {
        let value = self.get(name)?;
        as_number(value).is_none().then(|| wrong_type(name, "integer"))
    }

    /// A whole number that is not less than this.
    pub(super) fn not_from(&self, name: &str, min: i64) -> Option<Wrong> {
        let number = as_number(self.get(name)?);
        let small = number.is_some_and(|number| number < min);
        let message = format!("{name} must be greater than or equal to {min}");
        self.not_whole(name).or_else(|| small.then(|| plain(name, "rest_out_of_bounds", message)))
    }

    /// A whole number between two others.
    pub(super) fn not_between(&self, name: &str, min: i64, max: i64) -> Option<Wrong> {
        let number = as_number(self.get(name)?);
        let outside = number.is_some_and(|number| !(min..=max).contains(&number));
        let message = format!("{name} must be between {min} (inclusive) and {max} (inclusive)");
        self.not_whole(name).or_else(|| outside.then(|| plain(name, "rest_out_of_bounds", message)))
    }

    /// A text.
    pub(super) fn not_text(&self, name: &str) -> Option<Wrong> {
        (!self.get(name)?.is_string()).then(|| wrong_type(name, "string"))
    }

    /// One of these words.
    pub(super) fn not_one_of(&self, name: &str, known: &[&str]) -> Option<Wrong> {
        let wrong = self.not_text(name);
        let word = self.get(name)?.as_str().unwrap_or_default();
        wrong.or_else(|| (!known.contains(&word)).then(|| not_in_enum(name, known)))
    }

    /// Yes or no.
    pub(super) fn not_switch(&self, name: &str) -> Option<Wrong> {
        let fits = match self.get(name)? {
            Value::Bool(_) => true,
            Value::String(text) => {
                matches!(text.to_ascii_lowercase().as_str(), "true" | "false" | "1" | "0")
            }
            Value::Number(number) => matches!(number.as_i64(), Some(0 | 1)),
            Value::Null | Value::Array(_) | Value::Object(_) => false,
        };
        (!fits).then(|| wrong_type(name, "boolean"))
    }

    /// A list of ids.
    pub(super) fn not_ids(&self, name: &str) -> Option<Wrong> {
        let list = self.list(name)?;
        let at = list.iter().position(|id| id.parse::<i64>().is_err())?;
        let entry = format!("{name}[{at}]");
        let message = format!("{entry} is not of type integer.");
        let data = json!({ "param": entry });
        Some(Wrong { name: name.to_owned(), code: "rest_invalid_type", message, data })
    }

    /// A list of terms' ids, of which lists know a longer form too.
    pub(super) fn not_term_ids(&self, name: &str) -> Option<Wrong> {
        let reason = self.not_ids(name)?.message;
        let message = format!("{name} is not a valid Term ID List. Reason: {reason}");
        let data = json!({ "position": 0 });
        Some(Wrong { name: name.to_owned(), code: "rest_no_matching_schema", message, data })
    }

    /// A moment.
    pub(super) fn not_moment(&self, name: &str) -> Option<Wrong> {
        self.text(name).filter(|text| super::fields::site_date(text).is_none())?;
        Some(plain(name, "rest_invalid_date", "Invalid date.".to_owned()))
    }
}

pub(super) fn plain(name: &str, code: &'static str, message: String) -> Wrong {
    Wrong { name: name.to_owned(), code, message, data: Value::Null }
}

fn wrong_type(name: &str, kind: &str) -> Wrong {
    let message = format!("{name} is not of type {kind}.");
    let data = json!({ "param": name });
    Wrong { name: name.to_owned(), code: "rest_invalid_type", message, data }
}

pub(super) fn not_in_enum(name: &str, known: &[&str]) -> Wrong {
    let message = match known {
        [only] => format!("{name} is not {only}."),
        _ => format!("{name} is not one of {}.", one_of(known)),
    };
    plain(name, "rest_not_in_enum", message)
}

pub(super) fn one_of(known: &[&str]) -> String {
    match known.split_last() {
        Some((last, [first])) => format!("{first} and {last}"),
        Some((last, rest)) if !rest.is_empty() => format!("{}, and {last}", rest.join(", ")),
        Some((last, _)) => (*last).to_owned(),
        None => String::new(),
    }
}
