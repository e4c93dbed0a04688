//! What an article needs beyond its own text before it may be created: rights of the
//! account, terms and an author that the site knows.
//!
//! Absent from here: creating a term (`post`). The one rule: all of it is settled by
//! reading, before the first write of a run.

use std::collections::BTreeMap;

use crate::article::{Article, TermName};
use crate::config::MissingTags;
use crate::names::{PostId, PostType, TermId, UserId};
use crate::protocol::kinds::MetaValue;
use crate::protocol::sighting::Unclear;
use crate::wordpress::{
    AuthorAnswer, Capability, FoundTerm, Site, Taxonomy, TermAnswer, TermWanted,
};

use super::result::{Reason, Warning};
use super::type_needs::{self, TypeFacts};

/// Everything that an article's create needs from the site, by id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Needs {
    /// Its categories.
    pub categories: Vec<TermId>,
    /// Its tags that exist.
    pub tags: Vec<TermId>,
    /// Names of tags that are to be created.
    pub new_tags: Vec<String>,
    /// Another author than the account's user.
    pub author: Option<UserId>,
    /// The post above it.
    pub parent: Option<PostId>,
    /// The meta that the site keeps, in the types that it wants.
    pub meta: Vec<(String, MetaValue)>,
    /// What will not be as the article says.
    pub warnings: Vec<Warning>,
}

/// Why an article can't be created now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unmet {
    /// It can't be created as it is.
    Refused(Reason),
    /// The site could not say.
    Unclear(Reason),
}

/// What the site knows of the terms and authors that articles name.
#[derive(Debug)]
pub(super) struct SiteFacts {
    terms: BTreeMap<Taxonomy, Result<BTreeMap<TermWanted, TermAnswer>, Unclear>>,
    authors: BTreeMap<String, Result<AuthorAnswer, Unclear>>,
    types: TypeFacts,
}

/// Asks the site, in bulk, for all terms and authors that these articles name.
pub(super) async fn ask(site: &Site, articles: &[&Article]) -> SiteFacts {
    let types = type_needs::ask(site, articles).await;
    let mut facts = SiteFacts { terms: BTreeMap::new(), authors: BTreeMap::new(), types };
    for taxonomy in [Taxonomy::Category, Taxonomy::Tag] {
        let mut wanted: Vec<_> =
            articles.iter().flat_map(|article| terms(article, taxonomy)).map(wanted_term).collect();
        wanted.sort_unstable();
        wanted.dedup();
        if !wanted.is_empty() {
            facts.terms.insert(taxonomy, site.resolve_terms(taxonomy, &wanted).await);
        }
    }
    for login in articles.iter().filter_map(|article| article.author.as_deref()) {
        if !facts.authors.contains_key(login) {
            facts.authors.insert(login.to_owned(), site.resolve_author(login).await);
        }
    }
    facts
}

fn terms(article: &Article, taxonomy: Taxonomy) -> &[TermName] {
    match taxonomy {
        Taxonomy::Category => &article.categories,
        Taxonomy::Tag => &article.tags,
    }
}

fn wanted_term(name: &TermName) -> TermWanted {
    match name {
        TermName::Id(id) => TermWanted::Id(*id),
        TermName::Name(name) => TermWanted::Word(name.clone()),
    }
}

/// What the account may not do that this article's create takes.
pub(super) fn missing_right(site: &Site, article: &Article) -> Option<Reason> {
    let account = site.account();
    let lacks = |capability| !account.can(capability);
    if article.key.post_type == PostType::Page && lacks(Capability::EditPages) {
        let message = format!("the user {} may not create pages", account.name);
        return Some(Reason::new("no_right_to_pages", message));
    }
    if !article.images.is_empty() && lacks(Capability::UploadFiles) {
        let message =
            format!("the user {} may not upload files, and the article has images", account.name);
        return Some(Reason::new("no_right_to_upload", message));
    }
    type_needs::no_such_type(site, article)
}

/// What this article's create needs, by id.
pub(super) fn needs(
    facts: &SiteFacts,
    article: &Article,
    missing_tags: MissingTags,
) -> Result<Needs, Unmet> {
    let mut needs = Needs::default();
    for name in &article.categories {
        match answer(facts, Taxonomy::Category, name)? {
            TermAnswer::Found(term) => needs.categories.push(term.id),
            TermAnswer::Missing { near } => return Err(missing(Taxonomy::Category, name, near)),
            TermAnswer::Several(terms) => return Err(several(Taxonomy::Category, name, terms)),
        }
    }
    for name in &article.tags {
        match (answer(facts, Taxonomy::Tag, name)?, name) {
            (TermAnswer::Found(term), _) => needs.tags.push(term.id),
            (TermAnswer::Missing { .. }, TermName::Name(text))
                if missing_tags == MissingTags::Create =>
            {
                needs.new_tags.push(text.clone());
            }
            (TermAnswer::Missing { near }, _) => return Err(missing(Taxonomy::Tag, name, near)),
            (TermAnswer::Several(terms), _) => return Err(several(Taxonomy::Tag, name, terms)),
        }
    }
    // WordPress keeps no order of terms, so ascending ids compare with its echo.
    needs.categories.sort_unstable();
    needs.categories.dedup();
    needs.author = author(facts, article)?;
    type_needs::add(&facts.types, article, &mut needs)?;
    Ok(needs)
}

fn answer<'f>(
    facts: &'f SiteFacts,
    taxonomy: Taxonomy,
    name: &TermName,
) -> Result<&'f TermAnswer, Unmet> {
    let unclear = |detail: String| {
        let message = format!("the site could not be asked for {}: {detail}", taxonomy.plural());
        Unmet::Unclear(Reason::new("cannot_look_up_terms", message))
    };
    match facts.terms.get(&taxonomy) {
        Some(Ok(answers)) => answers
            .get(&wanted_term(name))
            .ok_or_else(|| unclear("no answer for this name".to_owned())),
        Some(Err(doubt)) => Err(unclear(doubt.detail.clone())),
        None => Err(unclear("they were not asked for".to_owned())),
    }
}

fn author(facts: &SiteFacts, article: &Article) -> Result<Option<UserId>, Unmet> {
    let Some(login) = &article.author else { return Ok(None) };
    let refused = |code: &str, message: String| Err(Unmet::Refused(Reason::new(code, message)));
    match facts.authors.get(login) {
        Some(Ok(AuthorAnswer::Found(id))) => Ok(Some(*id)),
        Some(Ok(AuthorAnswer::Missing)) => {
            refused("author_missing", format!("the site shows no user \"{login}\""))
        }
        Some(Ok(AuthorAnswer::NotAllowed)) => {
            let message = format!("this account may not see the user \"{login}\"");
            refused("no_right_to_author", message)
        }
        Some(Err(doubt)) => {
            let message = format!("the site could not be asked for \"{login}\": {}", doubt.detail);
            Err(Unmet::Unclear(Reason::new("cannot_look_up_author", message)))
        }
        None => {
            let message = format!("\"{login}\" was not asked for");
            Err(Unmet::Unclear(Reason::new("cannot_look_up_author", message)))
        }
    }
}

fn missing(taxonomy: Taxonomy, name: &TermName, near: &[FoundTerm]) -> Unmet {
    let mut message = format!("the site has no {} {}", taxonomy.singular(), quoted(name));
    if !near.is_empty() {
        message.push_str("; near names: ");
        message.push_str(&listed(near));
    }
    let code = match taxonomy {
        Taxonomy::Category => {
            message.push_str("; create it in WordPress, or name another");
            "category_missing"
        }
        Taxonomy::Tag => {
            message.push_str("; create it in WordPress, or allow it with [terms] create");
            "tag_missing"
        }
    };
    Unmet::Refused(Reason::new(code, message))
}

fn several(taxonomy: Taxonomy, name: &TermName, terms: &[FoundTerm]) -> Unmet {
    let instead = match taxonomy {
        Taxonomy::Category => "by a path such as \"Parent/Child\", or as \"id:N\"",
        Taxonomy::Tag => "as \"id:N\"",
    };
    let message = format!(
        "{} fits several {}: {}; name one {instead}",
        quoted(name),
        taxonomy.plural(),
        listed(terms)
    );
    let code = match taxonomy {
        Taxonomy::Category => "category_ambiguous",
        Taxonomy::Tag => "tag_ambiguous",
    };
    Unmet::Refused(Reason::new(code, message))
}

fn quoted(name: &TermName) -> String {
    match name {
        TermName::Id(id) => format!("\"id:{id}\""),
        TermName::Name(name) => format!("\"{name}\""),
    }
}

fn listed(terms: &[FoundTerm]) -> String {
    let one = |term: &FoundTerm| format!("\"{}\" (id:{}, {})", term.name, term.id, term.slug);
    terms.iter().map(one).collect::<Vec<_>>().join(", ")
}
