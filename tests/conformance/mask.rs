//! What differs between two sites that answer alike: ids, addresses, moments.
//!
//! The one rule: identity is kept. The id of a post that a script made is shown by the
//! name that the script gave it, and a moment by its distance from now.

use jiff::{Timestamp, civil::DateTime};
use serde_json::{Map, Value, json};

use super::play::Ids;

/// How far a moment may be from now to count as now, in seconds. The sites' clocks are
/// this machine's.
const NOW_SECONDS: i64 = 120;

/// Meta fields that the lab registers, with which core itself refuses after the insert.
const LAB_META: [&str; 2] = ["lab_number", "lab_protected"];

/// Slugs that no post may have: they get a number, however many there are.
const RESERVED: [&str; 6] = ["feed", "embed", "rdf", "rss", "rss2", "atom"];

/// Posts, pages and attachments share one series of ids; terms and users have their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Series {
    Rows,
    Terms,
    Users,
}

impl Series {
    /// The ids that are the same on all sites: of the users, of the first category, and
    /// that of nothing at all. A row's id, however small, depends on what was there before.
    fn same_on_all_sites(self, id: u64) -> bool {
        match self {
            Self::Rows => id == 0,
            Self::Terms => id <= 1,
            Self::Users => id <= 5,
        }
    }
}

pub(crate) struct Mask<'a> {
    pub(crate) home: &'a str,
    pub(crate) token: &'a str,
    pub(crate) ids: &'a Ids,
    /// Whose ids stand under the key `id`.
    pub(crate) series: Series,
    pub(crate) now: Timestamp,
}

impl Mask<'_> {
    pub(crate) fn header(&self, name: &str, value: &str) -> Value {
        match name {
            "x-wp-upload-attachment-id" => match value.parse() {
                Ok(id) => self.id(Series::Rows, id),
                Err(_) => json!(value),
            },
            // PHP and the simulation write the character set in different letters.
            "content-type" => json!(value.to_ascii_lowercase()),
            "link" => {
                let rels = value.split("rel=").skip(1).map(|rel| rel.split(['"', ';']).nth(1));
                json!(rels.map(Option::unwrap_or_default).collect::<Vec<_>>())
            }
            _ => json!(self.text(value)),
        }
    }

    pub(crate) fn value(&self, key: &str, value: Value) -> Value {
        match value {
            Value::Object(object) => {
                let of_the_lab = |key: &str| LAB_META.contains(&key);
                let kept: Map<_, _> = object
                    .into_iter()
                    .filter(|(key, _)| !of_the_lab(key))
                    .map(|(key, value)| (self.text(&key), self.value(&key, value)))
                    .collect();
                // PHP writes an empty map as a list.
                let was_meta = key == "meta" && kept.is_empty();
                if was_meta { json!([]) } else { Value::Object(kept) }
            }
            Value::Array(items) => {
                Value::Array(items.into_iter().map(|item| self.value(key, item)).collect())
            }
            Value::Number(number) => {
                let names_a_row = [
                    "id",
                    "post",
                    "parent",
                    "featured_media",
                    "term_id",
                    "categories",
                    "tags",
                    "additional_data",
                ];
                match number.as_u64() {
                    Some(id) if names_a_row.contains(&key) => self.id(self.series_of(key), id),
                    _ => Value::Number(number),
                }
            }
            Value::String(text) => json!(self.text(&text)),
            other => other,
        }
    }

    fn series_of(&self, key: &str) -> Series {
        match key {
            "term_id" | "categories" | "tags" | "additional_data" => Series::Terms,
            "post" | "featured_media" => Series::Rows,
            _ => self.series,
        }
    }

    fn id(&self, series: Series, id: u64) -> Value {
        match self.ids.iter().find(|(_, known)| **known == (series, id)) {
            Some((name, _)) => json!(format!("<{name}>")),
            None if series.same_on_all_sites(id) => json!(id),
            None => json!("<other>"),
        }
    }

    fn text(&self, text: &str) -> String {
        if let Some(moment) = self.moment(text) {
            return moment;
        }
        if let Some(reserved) = numbered_reserved(text) {
            return reserved;
        }
        let mut text = text.replace(self.home, "<home>").replace(self.token, "$T");
        let addresses =
            ["?p=", "?page_id=", "?attachment_id=", "/posts/", "/pages/", "/media/", "post-"];
        let more =
            ["/tags/", "/categories/", "?post=", "?parent=", "&p=", "/books/", "/lab_chapter/"];
        for before in addresses.iter().chain(&more) {
            text = self.ids_after(&text, before);
        }
        text
    }

    fn ids_after(&self, text: &str, before: &str) -> String {
        let terms = ["/tags/", "/categories/"].contains(&before);
        let series = if terms { Series::Terms } else { Series::Rows };
        let mut out = String::new();
        let mut rest = text;
        while let Some((start, after)) = rest.split_once(before) {
            out.push_str(start);
            out.push_str(before);
            let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
            match after[..end].parse::<u64>() {
                Ok(id) => match self.id(series, id) {
                    Value::String(name) => out.push_str(&name),
                    other => out.push_str(&other.to_string()),
                },
                Err(_) => out.push_str(&after[..end]),
            }
            rest = &after[end..];
        }
        out + rest
    }

    /// A moment near now, in UTC or in the zone of the sites.
    fn moment(&self, text: &str) -> Option<String> {
        let then: DateTime = text.trim_end_matches('Z').trim_end_matches("+00:00").parse().ok()?;
        let then = jiff::tz::Offset::UTC.to_timestamp(then).ok()?;
        let seconds = then.as_second() - self.now.as_second();
        for (name, zone) in [("<now>", 0), ("<now there>", 9 * 3600)] {
            if (seconds - zone).abs() <= NOW_SECONDS {
                return Some(name.to_owned());
            }
        }
        None
    }
}

/// `feed-7` as `feed-<n>`: every run on a real site gets the next number.
fn numbered_reserved(text: &str) -> Option<String> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (stem, number) = text.rsplit_once('-')?;
    let reserved = RESERVED.contains(&stem) || digits(stem);
    (reserved && digits(number)).then(|| format!("{stem}-<n>"))
}
