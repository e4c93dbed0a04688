//! What a request asks.
//!
//! Absent from here: answers. The one rule: what OncePress should never ask has a name
//! too, so that it is counted and not passed over.

use super::http::Request;

/// What a request asks. The names in a row's `asked` are these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Ask {
    Index,
    Home,
    Me,
    Options,
    Receipts,
    LookUp,
    Read,
    Candidates,
    /// Whether what was made is there twice.
    SecondCopies,
    MediaSecondCopies,
    Create,
    MediaReceipts,
    MediaLookUp,
    MediaRead,
    Upload,
    PostProcess,
    Terms,
    Author,
    /// The types that the account may write.
    Types,
    CreateTag,
    /// Nothing that OncePress should ever ask.
    Stray,
}

impl Ask {
    pub(crate) fn of(request: &Request) -> Self {
        let has = |name: &str| request.asks(name).is_some();
        // Our look-ups always ask for the form in the trash too.
        let by_slug = |slug: &str| slug.contains("__trashed");
        // `x-2` alone is what a second copy of `x` is called.
        let is_second = |slugs: &str| slugs.split(',').all(|slug| slug.ends_with("-2"));
        let second = request.asks("slug").is_some_and(is_second);
        let route = request.route.trim_start_matches('?');
        match (request.method.as_str(), route) {
            ("GET", "") => Self::Index,
            ("GET", "/" | "/index.php") => Self::Home,
            ("GET", "wp/v2/users/me") => Self::Me,
            ("OPTIONS", "wp/v2/posts" | "wp/v2/pages" | "wp/v2/books") => Self::Options,
            ("POST", "wp/v2/posts" | "wp/v2/pages" | "wp/v2/books") => Self::Create,
            ("POST", "wp/v2/media") => Self::Upload,
            ("POST", "wp/v2/tags") => Self::CreateTag,
            ("POST", route) if route.ends_with("/post-process") => Self::PostProcess,
            ("GET", "wp/v2/posts" | "wp/v2/pages" | "wp/v2/books") if second => Self::SecondCopies,
            ("GET", "wp/v2/media") if second => Self::MediaSecondCopies,
            ("GET", "wp/v2/posts" | "wp/v2/pages" | "wp/v2/books") if has("include") => {
                Self::Receipts
            }
            ("GET", "wp/v2/posts" | "wp/v2/pages" | "wp/v2/books")
                if request.asks("slug").is_some_and(by_slug) =>
            {
                Self::LookUp
            }
            ("GET", "wp/v2/posts" | "wp/v2/pages" | "wp/v2/books") => Self::Candidates,
            ("GET", "wp/v2/media") if has("include") => Self::MediaReceipts,
            ("GET", "wp/v2/media") => Self::MediaLookUp,
            ("GET", "wp/v2/categories" | "wp/v2/tags") => Self::Terms,
            ("GET", "wp/v2/users") => Self::Author,
            ("GET", route) if route.starts_with("wp/v2/posts/") => Self::Read,
            ("GET", route) if route.starts_with("wp/v2/pages/") => Self::Read,
            ("GET", route) if route.starts_with("wp/v2/books/") => Self::Read,
            ("GET", "wp/v2/types") => Self::Types,
            ("GET", route) if route.starts_with("wp/v2/media/") => Self::MediaRead,
            ("GET", route) if route.starts_with("wp/v2/tags/") => Self::Terms,
            _ => Self::Stray,
        }
    }

    /// Its name in a row.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Home => "home",
            Self::Me => "me",
            Self::Options => "options",
            Self::Receipts => "receipts",
            Self::LookUp => "look-up",
            Self::Read => "read",
            Self::Candidates => "candidates",
            Self::SecondCopies => "second-copies",
            Self::MediaSecondCopies => "media-second-copies",
            Self::Create => "create",
            Self::MediaReceipts => "media-receipts",
            Self::MediaLookUp => "media-look-up",
            Self::MediaRead => "media-read",
            Self::Upload => "upload",
            Self::PostProcess => "post-process",
            Self::Terms => "terms",
            Self::Author => "author",
            Self::Types => "types",
            Self::CreateTag => "create-tag",
            Self::Stray => "STRAY",
        }
    }
}
