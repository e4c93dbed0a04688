//! The parent of a page as given.
//!
//! Absent from here: which pages a site has. The rule to keep: a parent is named by
//! slugs or by its id, never by a title, which several pages can have.

use crate::names::{PostId, Slug};

use super::fault::{Fault, quoted};
use super::model::ParentName;
use super::slug::stored_form;

/// Levels of a path. WordPress sets no limit; nobody writes more.
const LEVELS_MAX: usize = 20;

/// Reads `team`, `about/team` or `id:12`.
pub(super) fn parse(text: &str) -> Result<ParentName, Fault> {
    let fault = |message: String| Fault::new("parent_invalid", message);
    if let Some(number) = text.strip_prefix("id:") {
        let id = number.trim().parse().ok().and_then(PostId::new);
        return id.map(ParentName::Id).ok_or_else(|| {
            fault(format!("{} is not an id: write id: and a number above zero", quoted(text)))
        });
    }
    let path = text.trim_matches('/');
    if path.is_empty() {
        return Err(fault("parent is empty: name a slug, or leave the line out".to_owned()));
    }
    let mut slugs = Vec::new();
    for written in path.split('/') {
        let form = stored_form(written);
        let slug = Slug::from_stored(&form).ok();
        if let Some(slug) = slug.filter(|slug| slug.readable() == written || form == written) {
            slugs.push(slug);
            continue;
        }
        let instead = Slug::from_stored(&form).map_or_else(
            |_| String::new(),
            |slug| format!("; {} would be one", quoted(&slug.readable())),
        );
        return Err(fault(format!(
            "{} is no slug{instead}: name the parent by its slug, by a path of slugs such as \
             about/team, or as id:N",
            quoted(written)
        )));
    }
    if slugs.len() > LEVELS_MAX {
        return Err(fault(format!("a parent has at most {LEVELS_MAX} levels")));
    }
    Ok(ParentName::Path(slugs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parent_is_a_slug_a_path_or_an_id() {
        let told = |text: &str| match parse(text) {
            Ok(ParentName::Id(id)) => format!("id {id}"),
            Ok(ParentName::Path(slugs)) => {
                slugs.iter().map(Slug::stored).collect::<Vec<_>>().join(" > ")
            }
            Err(fault) => fault.message,
        };
        let rows = [
            ("team", "team"),
            ("/about/team/", "about > team"),
            ("2024", "2024"),
            ("id: 12", "id 12"),
            ("会社/チーム", "%e4%bc%9a%e7%a4%be > %e3%83%81%e3%83%bc%e3%83%a0"),
            ("%e4%bc%9a%e7%a4%be", "%e4%bc%9a%e7%a4%be"),
            ("id:0", "\"id:0\" is not an id: write id: and a number above zero"),
            ("/", "parent is empty: name a slug, or leave the line out"),
            (
                "About us",
                "\"About us\" is no slug; \"about-us\" would be one: name the parent by its slug, \
                 by a path of slugs such as about/team, or as id:N",
            ),
            (
                "a//b",
                "\"\" is no slug: name the parent by its slug, by a path of slugs such as \
                 about/team, or as id:N",
            ),
        ];
        for (text, wanted) in rows {
            assert_eq!(told(text), wanted, "{text}");
        }
    }
}
