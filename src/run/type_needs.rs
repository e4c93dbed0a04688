//! What an article needs because of its type: that the site has the type and its fields,
//! a parent, and meta that the site keeps.
//!
//! Absent from here: terms and authors (`needs`). The one rule: what the site would drop
//! or refuse is said before the first write of a run.

use std::collections::{BTreeMap, BTreeSet};

use crate::article::{Article, ParentName};
use crate::names::{ArticleKey, PostId, PostType};
use crate::protocol::kinds::MetaValue;
use crate::protocol::sighting::Unclear;
use crate::wordpress::{MetaFields, MetaFit, ParentAnswer, Site, TypeField, TypeKnown};

use super::needs::{Needs, Unmet};
use super::result::{Reason, Warning};

/// What the site knows of the parents and the meta that articles name, by type.
#[derive(Debug, Default)]
pub(super) struct TypeFacts {
    parents: BTreeMap<PostType, Result<BTreeMap<ParentName, ParentAnswer>, Unclear>>,
    meta: BTreeMap<PostType, Result<MetaFields, Unclear>>,
    /// The articles that this run would create: one can be the parent of another.
    creates: BTreeSet<ArticleKey>,
}

/// Asks the site, in bulk, for what these articles name.
pub(super) async fn ask(site: &Site, articles: &[&Article]) -> TypeFacts {
    let creates = articles.iter().map(|article| article.key.clone()).collect();
    let mut facts = TypeFacts { creates, ..TypeFacts::default() };
    let mut parents: BTreeMap<PostType, BTreeSet<ParentName>> = BTreeMap::new();
    for article in articles {
        let post_type = article.key.post_type;
        if let Some(parent) = &article.parent {
            parents.entry(post_type).or_default().insert(parent.clone());
        }
        if !article.meta.is_empty() && !facts.meta.contains_key(&post_type) {
            facts.meta.insert(post_type, site.meta_fields(post_type).await);
        }
    }
    for (post_type, wanted) in parents {
        let wanted: Vec<_> = wanted.into_iter().collect();
        facts.parents.insert(post_type, site.resolve_parents(post_type, &wanted).await);
    }
    facts
}

/// Why the site has no place for this article, as far as its type tells.
pub(super) fn no_such_type(site: &Site, article: &Article) -> Option<Reason> {
    let name = article.key.post_type.as_str();
    let offer = match site.known_type(article.key.post_type) {
        TypeKnown::Offered(offer) => offer,
        // The look-up that could not be asked says so.
        TypeKnown::NotAsked => return None,
        TypeKnown::NotOffered => {
            let message = format!(
                "the site offers no type \"{name}\" that the user {} may write over REST; it \
                 offers: {}",
                site.account().name,
                site.type_names().join(", ")
            );
            return Some(Reason::new("type_not_offered", message));
        }
    };
    let given = [
        (TypeField::Title, true),
        (TypeField::Body, true),
        (TypeField::Excerpt, article.excerpt.is_some()),
        (TypeField::Author, article.author.is_some()),
        (TypeField::FeaturedImage, article.featured.is_some()),
        (TypeField::CommentStatus, article.comment_status.is_some()),
        (TypeField::Format, article.format.is_some()),
        (TypeField::Parent, article.parent.is_some()),
        (TypeField::Categories, !article.categories.is_empty()),
        (TypeField::Tags, !article.tags.is_empty()),
    ];
    let dropped: Vec<&str> = given
        .into_iter()
        .filter(|(field, is_given)| *is_given && !offer.has(*field))
        .map(|(field, _)| field.name())
        .collect();
    if dropped.is_empty() {
        return None;
    }
    let message = format!(
        "the site's type \"{name}\" has no {}, and would drop it: leave it out, or choose another \
         type",
        dropped.join(", no ")
    );
    Some(Reason::new("field_not_for_type", message))
}

/// Adds the parent and the meta of this article to what it needs.
pub(super) fn add(facts: &TypeFacts, article: &Article, needs: &mut Needs) -> Result<(), Unmet> {
    needs.parent = parent(facts, article)?;
    let (meta, warnings) = meta(facts, article)?;
    needs.meta = meta;
    needs.warnings = warnings;
    Ok(())
}

fn parent(facts: &TypeFacts, article: &Article) -> Result<Option<PostId>, Unmet> {
    let Some(name) = &article.parent else { return Ok(None) };
    let type_name = article.key.post_type.as_str();
    let refused = |code: &str, message: String| Err(Unmet::Refused(Reason::new(code, message)));
    let unclear = |detail: &str| {
        let message = format!("the site could not be asked for the parent \"{name}\": {detail}");
        Err(Unmet::Unclear(Reason::new("cannot_look_up_parent", message)))
    };
    let answers = match facts.parents.get(&article.key.post_type) {
        Some(Ok(answers)) => answers,
        Some(Err(doubt)) => return unclear(&doubt.detail),
        None => return unclear("it was not asked for"),
    };
    match answers.get(name) {
        Some(ParentAnswer::Found(id)) => Ok(Some(*id)),
        Some(ParentAnswer::Missing) if will_be_made(facts, article, name) => {
            let message = format!(
                "the parent \"{name}\" is an article of this run, and not on the site yet; run the \
                 same command again"
            );
            Err(Unmet::Unclear(Reason::new("parent_not_yet", message)))
        }
        Some(ParentAnswer::Missing) => refused(
            "parent_missing",
            format!("the site has no {type_name} \"{name}\" to be the parent; create it first"),
        ),
        Some(ParentAnswer::Several(ids)) => {
            let ids: Vec<String> = ids.iter().map(|id| format!("id:{id}")).collect();
            let message = format!(
                "the parent \"{name}\" fits several: {}; name one of these, or a whole path such as \
                 about/team",
                ids.join(", ")
            );
            refused("parent_ambiguous", message)
        }
        Some(ParentAnswer::Hidden) => refused(
            "parent_hidden",
            format!(
                "the site has a {type_name} like \"{name}\" that this account may not read, so it \
                 is not certain which is meant; name the parent as id:N, or use another account"
            ),
        ),
        None => unclear("no answer for this name"),
    }
}

/// Whether another article of this run becomes the parent.
fn will_be_made(facts: &TypeFacts, article: &Article, name: &ParentName) -> bool {
    let ParentName::Path(path) = name else { return false };
    path.last().is_some_and(|slug| {
        let key = ArticleKey { post_type: article.key.post_type, slug: slug.clone() };
        key != article.key && facts.creates.contains(&key)
    })
}

type Meta = (Vec<(String, MetaValue)>, Vec<Warning>);

fn meta(facts: &TypeFacts, article: &Article) -> Result<Meta, Unmet> {
    let mut warnings = Vec::new();
    let mut warn = |code: &str, message: String| {
        warnings.push(Warning { code: code.to_owned(), message });
    };
    let as_written = || {
        let text = |(key, text): (&String, &String)| (key.clone(), MetaValue::Text(text.clone()));
        article.meta.iter().map(text).collect()
    };
    let fields = match facts.meta.get(&article.key.post_type) {
        None => return Ok((as_written(), warnings)),
        Some(Ok(fields)) => fields,
        Some(Err(doubt)) => {
            let message = format!(
                "the site did not say which meta fields it keeps ({}), so they are sent as written",
                doubt.detail
            );
            warn("meta_unchecked", message);
            return Ok((as_written(), warnings));
        }
    };
    let name = article.key.post_type.as_str();
    let mut meta = Vec::new();
    for (key, text) in &article.meta {
        match fields.fit(key, text) {
            MetaFit::Fits(value) => meta.push((key.clone(), value)),
            MetaFit::NotRegistered => {
                let known = match fields.keys().as_slice() {
                    [] => "it keeps none".to_owned(),
                    keys => format!("it keeps: {}", keys.join(", ")),
                };
                let message = format!(
                    "the site keeps no meta field \"{key}\" for {name} over REST, so it is not \
                     sent; {known}"
                );
                warn("meta_not_registered", message);
            }
            MetaFit::Refused(takes) => {
                let message = format!(
                    "the site's meta field \"{key}\" takes {takes}, not \"{text}\"; with it the \
                     site would make the post and then refuse"
                );
                return Err(Unmet::Refused(Reason::new("meta_invalid", message)));
            }
        }
    }
    Ok((meta, warnings))
}
