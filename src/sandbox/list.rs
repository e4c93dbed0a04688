//! Reading posts, pages and attachments: lists and single rows.
//!
//! Absent from here: changing them. The one rule: a row that the reader may not see is
//! dropped after it was counted (facts §2).

use serde_json::Value;

use super::post::{Post, PostKind, Status};
use super::refused::{refused_list, refused_read};
use super::reply::Reply;
use super::rest::Ask;
use super::rights::{may_edit, may_read};
use super::view::Shown;
use super::world::{Version, World};

/// Rows of a page where the request names no number.
const PER_PAGE_USUAL: i64 = 10;

impl World {
    pub(super) fn list(&self, ask: &Ask<'_>, kind: PostKind) -> Reply {
        let shown = Shown::of(ask.params.text("context").as_deref());
        if let Some(refusal) = refused_list(ask, kind).or_else(|| impossible_order(ask)) {
            return refusal;
        }
        let mut found: Vec<&Post> = self
            .posts
            .values()
            .filter(|post| post.kind == kind && self.matches(ask, kind, post))
            .collect();
        sort(ask, &mut found);
        let mut total = i64::try_from(found.len()).unwrap_or(i64::MAX);
        let per_page = ask.params.number("per_page").unwrap_or(PER_PAGE_USUAL);
        let page = ask.params.number("page").unwrap_or(1);
        // What lies behind the last row is not counted.
        if ask.params.number("offset").is_some_and(|offset| offset >= total) && page == 1 {
            total = 0;
        }
        let pages = (total + per_page - 1) / per_page;
        if page > pages && total > 0 {
            let message = "The page number requested is larger than the number of pages available.";
            return Reply::error(400, "rest_post_invalid_page_number", message);
        }
        let skip = match ask.params.number("offset") {
            Some(offset) => offset,
            None => (page - 1) * per_page,
        };
        let rows = found
            .into_iter()
            .skip(usize::try_from(skip).unwrap_or(usize::MAX))
            .take(usize::try_from(per_page).unwrap_or(0))
            .filter(|post| match shown {
                Shown::Edit => may_edit(ask, post),
                Shown::View | Shown::Embed | Shown::Unlocked => may_read(ask, post),
            })
            .map(|post| self.view(post, shown));
        let reply = Reply::ok(Value::Array(rows.collect()))
            .with("x-wp-total", total.to_string())
            .with("x-wp-totalpages", pages.to_string());
        match page_links(&self.home, ask, kind.route(), page, pages) {
            Some(link) => reply.with("link", link),
            None => reply,
        }
    }

    pub(super) fn read(&self, ask: &Ask<'_>, kind: PostKind, id: u64) -> Reply {
        let Some(post) = self.of_kind(kind, id) else {
            return Reply::error(404, "rest_post_invalid_id", "Invalid post ID.");
        };
        let shown = Shown::of(ask.params.text("context").as_deref());
        if let Some(refusal) = refused_read(ask, post) {
            return refusal;
        }
        let unlocked = ask.params.text("password").is_some_and(|given| !given.is_empty());
        let shown = if unlocked && shown == Shown::View { Shown::Unlocked } else { shown };
        let link = format!("<{}>; rel=\"alternate\"; type=text/html", self.link(post));
        Reply::ok(self.view(post, shown)).with("link", link)
    }

    pub(super) fn of_kind(&self, kind: PostKind, id: u64) -> Option<&Post> {
        self.posts.get(&id).filter(|post| post.kind == kind)
    }

    fn matches(&self, ask: &Ask<'_>, kind: PostKind, post: &Post) -> bool {
        let params = &ask.params;
        if !Self::statuses(ask, kind).contains(&post.status) {
            return false;
        }
        let ids = |name: &str| params.ids(name).filter(|ids| !ids.is_empty());
        if let Some(slugs) = params.list("slug").filter(|slugs| !slugs.is_empty()) {
            let wanted = |slug: &String| crate::article::slug::stored_form(slug) == post.slug;
            if !slugs.iter().any(wanted) {
                return false;
            }
        }
        let after = |name: &str, stands: &str, later: bool| {
            params.text(name).is_none_or(|limit| {
                let limit = site_time(&limit);
                if later { *stands > *limit } else { *stands < *limit }
            })
        };
        // What a type does not have its lists do not filter by.
        let by_author = |name: &str| ids(name).filter(|_| kind.has("author"));
        let nested = kind.has_parents() || kind == PostKind::Attachment;
        let by_parent = |name: &str| ids(name).filter(|_| nested);
        let modified = super::world::local(post.modified);
        ids("include").is_none_or(|ids| ids.contains(&post.id))
            && (ids("include").is_some()
                || ids("exclude").is_none_or(|ids| !ids.contains(&post.id)))
            && by_author("author").is_none_or(|ids| ids.contains(&post.author))
            && by_author("author_exclude").is_none_or(|ids| !ids.contains(&post.author))
            && by_parent("parent").is_none_or(|ids| ids.contains(&post.parent))
            && by_parent("parent_exclude").is_none_or(|ids| !ids.contains(&post.parent))
            && after("after", &post.date, true)
            && after("before", &post.date, false)
            && after("modified_after", &modified, true)
            && after("modified_before", &modified, false)
            && self.matches_kind(ask, post)
            && self.matches_search(ask, post)
    }

    /// The filters that only rows of one kind have.
    fn matches_kind(&self, ask: &Ask<'_>, post: &Post) -> bool {
        let params = &ask.params;
        match &post.file {
            Some(file) => {
                let fits = |asked: &String| file.mime.split('/').next() == Some(asked.as_str());
                let kinds = params.list("media_type").filter(|kinds| !kinds.is_empty());
                let by_kind = kinds.map(|kinds| kinds.iter().any(fits));
                let by_mime = params.text("mime_type").map(|asked| asked == file.mime);
                match (by_kind, by_mime) {
                    // Since 7.1 either will do.
                    (Some(kind), Some(mime)) if self.version >= Version::V7_1 => kind || mime,
                    (kind, mime) => kind.unwrap_or(true) && mime.unwrap_or(true),
                }
            }
            None if post.kind.has("page-attributes") => {
                params.number("menu_order").is_none_or(|order| order == post.menu_order)
            }
            None if post.kind == PostKind::Book => true,
            None => {
                let sticky = params.get("sticky").map(|_| params.is_on("sticky"));
                let format = params.text("format").filter(|_| self.version > Version::V6_1);
                sticky.is_none_or(|sticky| sticky == post.sticky)
                    && format.is_none_or(|format| format == post.format)
                    && matches_terms(ask, post)
            }
        }
    }

    fn matches_search(&self, ask: &Ask<'_>, post: &Post) -> bool {
        let search = ask.params.text("search").unwrap_or_default().to_lowercase();
        let columns = match self.version {
            Version::V6_1 => Vec::new(),
            Version::V6_8 | Version::V7_1 => ask.params.list("search_columns").unwrap_or_default(),
        };
        let holds = |word: &str| {
            [("title", &post.title), ("excerpt", &post.excerpt), ("content", &post.content)]
                .into_iter()
                .filter(|(name, _)| columns.is_empty() || columns.contains(&format!("post_{name}")))
                .any(|(_, text)| text.to_lowercase().contains(word))
        };
        words_of(&search).into_iter().all(|word| match word.strip_prefix('-') {
            Some(unwanted) if !unwanted.is_empty() => !holds(unwanted),
            Some(_) | None => holds(word),
        })
    }

    /// The statuses that a list asks for; a refused one was found before.
    fn statuses(ask: &Ask<'_>, kind: PostKind) -> Vec<Status> {
        let usual = if kind == PostKind::Attachment { "inherit" } else { "publish" };
        let asked = ask.params.list("status").filter(|asked| !asked.is_empty());
        let asked = asked.unwrap_or_else(|| vec![usual.to_owned()]);
        let mut statuses = Vec::new();
        for name in &asked {
            match Status::parse(name) {
                Some(status) => statuses.push(status),
                None => statuses.extend([
                    Status::Draft,
                    Status::Pending,
                    Status::Publish,
                    Status::Future,
                    Status::Private,
                ]),
            }
        }
        statuses
    }
}

/// Words of a search: parts between blanks, and whole texts between quotes.
fn words_of(search: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (at, part) in search.split('"').enumerate() {
        // Between the first and the second quote stands the first whole text.
        if at % 2 == 1 {
            words.push(part);
        } else {
            words.extend(part.split_whitespace());
        }
    }
    words
}

fn matches_terms(ask: &Ask<'_>, post: &Post) -> bool {
    let ids = |name: &str| ask.params.ids(name).filter(|ids| !ids.is_empty());
    let mut wanted = Vec::new();
    for (name, terms) in [("categories", &post.categories), ("tags", &post.tags)] {
        let any = |ids: &[u64]| ids.iter().any(|id| terms.contains(id));
        wanted.extend(ids(name).map(|ids| any(&ids)));
        wanted.extend(ids(&format!("{name}_exclude")).map(|ids| !any(&ids)));
    }
    if ask.params.text("tax_relation").as_deref() == Some("OR") && !wanted.is_empty() {
        return wanted.contains(&true);
    }
    !wanted.contains(&false)
}

/// An order that needs something else in the request.
fn impossible_order(ask: &Ask<'_>) -> Option<Reply> {
    let lacks = |name: &str| ask.params.list(name).is_none_or(|list| list.is_empty());
    match ask.params.text("orderby").as_deref() {
        Some("relevance") if lacks("search") => {
            let message = "You need to define a search term to order by relevance.";
            Some(Reply::error(400, "rest_no_search_term_defined", message))
        }
        Some("include") if lacks("include") => {
            let message = "You need to define an include parameter to order by include.";
            Some(Reply::error(400, "rest_orderby_include_missing_include", message))
        }
        Some(_) | None => None,
    }
}

fn sort(ask: &Ask<'_>, found: &mut [&Post]) {
    let by = ask.params.text("orderby").unwrap_or_else(|| "date".to_owned());
    match by.as_str() {
        "id" => found.sort_by_key(|post| post.id),
        "slug" => found.sort_by(|a, b| a.slug.cmp(&b.slug)),
        "title" => found.sort_by_key(|post| post.title.to_lowercase()),
        "author" => found.sort_by_key(|post| post.author),
        "modified" => found.sort_by_key(|post| (post.modified, post.id)),
        "include" => {
            let ids = ask.params.ids("include").unwrap_or_default();
            found.sort_by_key(|post| ids.iter().position(|id| *id == post.id));
            return;
        }
        "include_slugs" => {
            let slugs = ask.params.list("slug").unwrap_or_default();
            found.sort_by_key(|post| slugs.iter().position(|slug| *slug == post.slug));
            return;
        }
        "menu_order" => found.sort_by_key(|post| post.menu_order),
        _ => found.sort_by(|a, b| a.date.cmp(&b.date).then(a.id.cmp(&b.id))),
    }
    if ask.params.text("order").as_deref() != Some("asc") {
        found.reverse();
    }
}

/// A moment in a query, in the site's zone.
fn site_time(text: &str) -> String {
    match text.parse::<jiff::Timestamp>() {
        Ok(moment) => super::world::local(moment),
        Err(_) => text.to_owned(),
    }
}

/// Links to the pages before and after this one.
pub(super) fn page_links(
    home: &str,
    ask: &Ask<'_>,
    route: &str,
    page: i64,
    pages: i64,
) -> Option<String> {
    let query = ask.request.uri().query().unwrap_or_default();
    let to = |page: i64, rel: &str| {
        let others = url::form_urlencoded::parse(query.as_bytes())
            .filter(|(name, _)| name != "page" && name != "rest_route");
        let query = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(others)
            .append_pair("page", &page.to_string())
            .finish();
        format!("<{home}/wp-json/wp/v2/{route}?{query}>; rel=\"{rel}\"")
    };
    let previous = (page > 1).then(|| to((page - 1).min(pages), "prev"));
    let next = (page < pages).then(|| to(page + 1, "next"));
    match (previous, next) {
        (None, None) => None,
        (previous, next) => Some(previous.into_iter().chain(next).collect::<Vec<_>>().join(", ")),
    }
}
