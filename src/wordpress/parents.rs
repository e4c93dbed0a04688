//! The parent of a page: from slugs to an id.
//!
//! Absent from here: which types have parents. The one rule: a parent is taken only if it
//! is certain to be the one that was meant; of several that fit none is taken.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::Site;
use super::proof::unclear;
use super::slugs::comparable;
use super::text::clean;
use super::wire::RequestKind;
use crate::article::ParentName;
use crate::names::{PostId, PostType, Slug};
use crate::protocol::sighting::{Unclear, UnclearWhy};

const FIELDS: &str = "id,slug,parent,status,type";
/// Slugs or ids asked for in one request; a page of the list holds no more rows.
const ASKED_MAX: usize = 100;
/// Levels above a page that are followed. A circle of parents would not end.
const LEVELS_MAX: usize = 50;

/// What was found for one parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParentAnswer {
    /// Exactly one fits.
    Found(PostId),
    /// None fits.
    Missing,
    /// Several fit.
    Several(Vec<PostId>),
    /// The site counts one that this account may not read, so nobody knows which is meant.
    Hidden,
}

#[derive(Debug, Clone, Deserialize)]
struct Row {
    id: u64,
    slug: String,
    #[serde(default)]
    parent: u64,
    status: String,
    #[serde(rename = "type")]
    post_type: String,
}

impl Site {
    /// Finds the parents that articles of one type name, in one request for up to a
    /// hundred slugs, and one for up to a hundred ids.
    pub async fn resolve_parents(
        &self,
        post_type: PostType,
        wanted: &[ParentName],
    ) -> Result<BTreeMap<ParentName, ParentAnswer>, Unclear> {
        let mut slugs = BTreeSet::new();
        let mut ids = BTreeSet::new();
        for name in wanted {
            match name {
                ParentName::Id(id) => drop(ids.insert(id.to_string())),
                ParentName::Path(path) => slugs.extend(path.iter().map(|s| s.stored().to_owned())),
            }
        }
        let (mut rows, mut hidden) = (BTreeMap::new(), false);
        for (filter, asked) in [("slug", slugs), ("include", ids)] {
            let asked: Vec<String> = asked.into_iter().collect();
            for some in asked.chunks(ASKED_MAX) {
                hidden |= self.read_rows(post_type, filter, some, &mut rows).await?;
            }
        }
        Ok(wanted.iter().map(|name| (name.clone(), answer(name, &rows, hidden))).collect())
    }

    /// Adds the rows that match, and says whether the site kept some back.
    async fn read_rows(
        &self,
        post_type: PostType,
        filter: &str,
        asked: &[String],
        rows: &mut BTreeMap<u64, Row>,
    ) -> Result<bool, Unclear> {
        let collection = self.post_collection(RequestKind::Terms, post_type, FIELDS).await?;
        let list = self.list(&collection, &[(filter, &asked.join(","))]).await?;
        let hidden = list.hidden() > 0;
        for value in list.rows {
            let row: Row = serde_json::from_value(value).map_err(|error| {
                let what = format!("a row is not a page: {}", clean(&error.to_string()));
                unclear(UnclearWhy::NotJson, what)
            })?;
            let was_asked_for = match filter {
                "slug" => asked.iter().any(|slug| comparable(slug) == comparable(&row.slug)),
                _ => asked.contains(&row.id.to_string()),
            };
            if row.post_type != post_type.as_str() || !was_asked_for {
                let what = format!("row {} was not asked for", row.id);
                return Err(unclear(UnclearWhy::ForeignRow, what));
            }
            rows.insert(row.id, row);
        }
        Ok(hidden)
    }
}

fn answer(name: &ParentName, rows: &BTreeMap<u64, Row>, hidden: bool) -> ParentAnswer {
    let found = |id: u64| PostId::new(id).map_or(ParentAnswer::Missing, ParentAnswer::Found);
    let is_there = |row: &&Row| row.status != "trash";
    let path = match name {
        ParentName::Id(id) => {
            return match rows.get(&id.get()).filter(is_there) {
                Some(row) => found(row.id),
                None if hidden => ParentAnswer::Hidden,
                None => ParentAnswer::Missing,
            };
        }
        ParentName::Path(path) => path,
    };
    let fitting: Vec<&Row> =
        rows.values().filter(is_there).filter(|row| fits(row, path, rows).is_some()).collect();
    let whole: Vec<&&Row> =
        fitting.iter().filter(|row| fits(row, path, rows) == Some(Reach::Root)).collect();
    match (whole.as_slice(), fitting.as_slice()) {
        _ if hidden => ParentAnswer::Hidden,
        // A path that is complete means the page at its end, whatever lies deeper.
        ([only], _) => found(only.id),
        ([], [only]) => found(only.id),
        (_, []) => ParentAnswer::Missing,
        (_, several) => {
            ParentAnswer::Several(several.iter().filter_map(|row| PostId::new(row.id)).collect())
        }
    }
}

/// How far up a path that fits reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// There are pages above it.
    Part,
    /// Its first slug is that of a page without a parent.
    Root,
}

/// Whether a row and the rows above it have the slugs of this path.
fn fits(row: &Row, path: &[Slug], rows: &BTreeMap<u64, Row>) -> Option<Reach> {
    let mut row = row;
    for (level, slug) in path.iter().rev().take(LEVELS_MAX).enumerate() {
        if comparable(&row.slug) != comparable(slug.stored()) {
            return None;
        }
        if level + 1 < path.len() {
            // The rows of all slugs of the path are here.
            row = rows.get(&row.parent)?;
        }
    }
    Some(if row.parent == 0 { Reach::Root } else { Reach::Part })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> BTreeMap<u64, Row> {
        let row = |id: u64, slug: &str, parent: u64, status: &str| Row {
            id,
            slug: slug.to_owned(),
            parent,
            status: status.to_owned(),
            post_type: "page".to_owned(),
        };
        let rows = [
            row(1, "about", 0, "publish"),
            row(2, "team", 1, "draft"),
            row(3, "work", 0, "publish"),
            row(4, "team", 3, "publish"),
            row(5, "only", 3, "publish"),
            row(6, "top", 0, "publish"),
            row(7, "top", 1, "publish"),
            row(8, "gone", 0, "trash"),
        ];
        rows.into_iter().map(|row| (row.id, row)).collect()
    }

    #[test]
    fn a_parent_is_taken_only_if_it_is_certain() {
        let told = |text: &str, hidden: bool| {
            let slug = |slug| Slug::from_stored(slug).expect("a slug");
            let name = text.strip_prefix("id:").map_or_else(
                || ParentName::Path(text.split('/').map(slug).collect()),
                |id| ParentName::Id(PostId::new(id.parse().expect("a number")).expect("an id")),
            );
            match answer(&name, &rows(), hidden) {
                ParentAnswer::Found(id) => id.to_string(),
                ParentAnswer::Missing => "missing".to_owned(),
                ParentAnswer::Several(ids) => format!("{} fit", ids.len()),
                ParentAnswer::Hidden => "hidden".to_owned(),
            }
        };
        let table = [
            ("about", "1"),
            ("about/team", "2"),
            ("work/team", "4"),
            ("team", "2 fit"),
            ("only", "5"),
            ("top", "6"),
            ("about/top", "7"),
            ("work/only", "5"),
            ("top/only", "missing"),
            ("gone", "missing"),
            ("id:8", "missing"),
            ("id:5", "5"),
            ("id:9", "missing"),
        ];
        for (text, wanted) in table {
            assert_eq!(told(text, false), wanted, "{text}");
        }
        assert_eq!(told("about", true), "hidden");
    }
}
