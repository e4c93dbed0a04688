//! Whole article files: fields in each notation, and files that something happened to.
//!
//! Absent from here: pieces of articles in any order, which `src/article/tests` tries. The
//! one rule: a file ends as one article or with its problems, and the same file always as
//! the same.

use std::cell::Cell;
use std::collections::BTreeMap;

use oncepress::article::{Article, Checked, CommentStatus, PostFormat, TermName};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseResult;

use crate::folder::{Folder, article_files};
use crate::fuzzing::fuzz;

/// The fields of an article that is good.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Fields {
    title: String,
    slug: String,
    status: Option<&'static str>,
    excerpt: Option<String>,
    categories: Vec<String>,
    tags: Vec<String>,
    date: Option<&'static str>,
    author: Option<String>,
    format: Option<&'static str>,
    comment_status: Option<&'static str>,
    featured: Option<&'static str>,
    meta: BTreeMap<String, String>,
}

/// A text of one line that means itself: what YAML and TOML would read as something else
/// is in it on purpose.
fn any_text() -> impl Strategy<Value = String> {
    let words = select(vec![
        "no",
        "1.10",
        "true",
        "null",
        "~",
        "0x1F",
        "2026-01-02",
        "1_000",
        "12:30",
        "[a]",
        "{a}",
        "# x",
        "a: b",
        "- a",
        "'a'",
        "\"a\"",
        "!tag",
        "&a",
        "*a",
        "|",
        ">",
        "%a",
        "@a",
        "\\n",
        "---",
        "+++",
        "a\\",
        "é写真",
        "😀",
        "R&D <b>",
    ]);
    let free = "[ -~é写真—…]{1,30}";
    prop_oneof![2 => words.prop_map(str::to_owned), 3 => free]
        .prop_map(|text| text.trim().to_owned())
        .prop_filter("nothing is left", |text| !text.is_empty())
}

fn any_terms() -> impl Strategy<Value = Vec<String>> {
    vec(any_text(), 0..4).prop_map(|mut terms| {
        terms.retain(|term| !term.starts_with("id:"));
        terms.sort_by_key(|term| term.to_lowercase());
        terms.dedup_by_key(|term| term.to_lowercase());
        terms
    })
}

fn any_fields() -> impl Strategy<Value = Fields> {
    let closed = (
        option::of(select(vec!["draft", "pending"])),
        option::of(select(vec!["2026-04-01T09:00:00+09:00", "2026-04-01 09:00:00Z"])),
        option::of(select(vec!["standard", "aside", "quote"])),
        option::of(select(vec!["open", "closed"])),
        option::of(select(vec!["ok.png", "img/紅葉.webp"])),
    );
    let texts = (any_text(), "[a-z][a-z0-9]{0,9}(-[a-z0-9]{1,9}x){0,3}", option::of(any_text()));
    let rest = (any_terms(), any_terms(), option::of(any_text()));
    (closed, texts, rest, btree_map("[a-z_]{1,9}", any_text(), 0..3)).prop_map(
        |(closed, (title, slug, excerpt), (categories, tags, author), meta)| {
            let (status, date, format, comment_status, featured) = closed;
            Fields {
                title,
                slug: format!("s{slug}"),
                status,
                excerpt,
                categories,
                tags,
                date,
                author,
                format,
                comment_status,
                featured,
                meta,
            }
        },
    )
}

/// A text between double quotes, as both notations read it.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn list(texts: &[String]) -> String {
    format!("[{}]", texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", "))
}

impl Fields {
    fn scalars(&self) -> Vec<(&'static str, String)> {
        let mut scalars = vec![("title", self.title.clone()), ("slug", self.slug.clone())];
        let optional = [
            ("status", self.status.map(str::to_owned)),
            ("excerpt", self.excerpt.clone()),
            ("date", self.date.map(str::to_owned)),
            ("author", self.author.clone()),
            ("format", self.format.map(str::to_owned)),
            ("comment_status", self.comment_status.map(str::to_owned)),
            ("featured_image", self.featured.map(str::to_owned)),
        ];
        scalars.extend(optional.into_iter().filter_map(|(name, text)| Some((name, text?))));
        scalars
    }

    /// As YAML, in the style that the number chooses.
    fn yaml(&self, style: u8) -> String {
        let scalar = |text: &str| match style % 2 {
            0 => quoted(text),
            _ => format!("'{}'", text.replace('\'', "''")),
        };
        let mut out = String::new();
        for (name, text) in self.scalars() {
            out.extend([name, ": ", &scalar(&text), "\n"]);
        }
        for (name, terms) in [("categories", &self.categories), ("tags", &self.tags)] {
            if style < 2 {
                out.extend([name, ": ", &list(terms), "\n"]);
            } else if !terms.is_empty() {
                out.extend([name, ":\n"]);
                out.extend(terms.iter().map(|term| format!("  - {}\n", scalar(term))));
            }
        }
        if !self.meta.is_empty() {
            out += "meta:\n";
            let pairs = self.meta.iter();
            out.extend(pairs.map(|(key, text)| format!("  {}: {}\n", quoted(key), scalar(text))));
        }
        out
    }

    fn toml(&self) -> String {
        let mut out = String::new();
        for (name, text) in self.scalars() {
            out.extend([name, " = ", &quoted(&text), "\n"]);
        }
        for (name, terms) in [("categories", &self.categories), ("tags", &self.tags)] {
            out.extend([name, " = ", &list(terms), "\n"]);
        }
        if !self.meta.is_empty() {
            out += "[meta]\n";
            let pairs = self.meta.iter();
            out.extend(pairs.map(|(key, text)| format!("{} = {}\n", quoted(key), quoted(text))));
        }
        out
    }

    /// Whether an article says what was written.
    fn check(&self, article: &Article) -> TestCaseResult {
        let names = |terms: &[TermName]| -> Vec<String> {
            let name = |term: &TermName| match term {
                TermName::Name(name) => name.clone(),
                TermName::Id(id) => format!("id:{id}"),
            };
            terms.iter().map(name).collect()
        };
        prop_assert_eq!(&article.title, &self.title);
        prop_assert_eq!(article.key.slug.stored(), &self.slug);
        prop_assert_eq!(article.status.as_str(), self.status.unwrap_or("draft"));
        prop_assert_eq!(&article.excerpt, &self.excerpt);
        prop_assert_eq!(names(&article.categories), self.categories.clone());
        prop_assert_eq!(names(&article.tags), self.tags.clone());
        prop_assert_eq!(&article.author, &self.author);
        prop_assert_eq!(article.format.map(PostFormat::as_str), self.format);
        let comments = article.comment_status.map(CommentStatus::as_str);
        prop_assert_eq!(comments, self.comment_status);
        prop_assert_eq!(&article.meta, &self.meta);
        prop_assert_eq!(article.date.is_some(), self.date.is_some());
        prop_assert_eq!(article.featured.is_some(), self.featured.is_some());
        Ok(())
    }
}

fn lines_of(checked: &Checked) -> Vec<String> {
    checked.invalid.iter().flat_map(|bad| &bad.problems).map(ToString::to_string).collect()
}

fn only(checked: &Checked) -> Result<&Article, TestCaseError> {
    match checked.articles.as_slice() {
        [article] => Ok(article),
        _ => Err(TestCaseError::fail(lines_of(checked).join("\n"))),
    }
}

#[test]
fn fields_are_the_same_in_every_notation_and_so_is_the_digest() {
    let folder = Folder::with_images();
    let body =
        select(vec!["Text.\n", "\n# A\n\n![x](ok.png)\n", "---\n", "+++\r\n\r\n*a*", "写真"]);
    let cases = (any_fields(), body, 0..4_u8, any::<bool>());
    fuzz("front matter", 300, &cases, |(fields, body, style, crlf)| {
        let ends = |text: String| if crlf { text.replace('\n', "\r\n") } else { text };
        let yaml = ends(format!("---\n{}---\n", fields.yaml(style))) + body;
        let toml = ends(format!("+++\n{}+++\n", fields.toml())) + body;
        let mut digests = Vec::new();
        for text in [&yaml, &toml] {
            folder.cleared().write("a.md", text.as_bytes());
            let (first, again) = (folder.check(), folder.check());
            fields.check(only(&first)?)?;
            digests.extend([only(&first)?.digest, only(&again)?.digest]);
        }
        if !matches!(body, "---\n" | "+++\r\n\r\n*a*") {
            folder.cleared().write("a.md", body.as_bytes());
            folder.write("a.toml", ends(fields.toml()).as_bytes());
            let checked = folder.check();
            fields.check(only(&checked)?)?;
            digests.push(only(&checked)?.digest);
        }
        prop_assert!(digests.iter().all(|digest| *digest == digests[0]), "{digests:?}");
        // One letter more in any field is another article.
        let longer = Fields { title: fields.title.clone() + "x", ..fields.clone() };
        folder.cleared().write("a.md", ends(format!("---\n{}---\n", longer.yaml(0))).as_bytes());
        folder.write("a.md", (ends(format!("---\n{}---\n", longer.yaml(0))) + body).as_bytes());
        prop_assert_ne!(only(&folder.check())?.digest, digests[0]);
        Ok(())
    });
}

/// What happens to files in editors, on the way and on disks.
#[derive(Debug, Clone)]
enum Harm {
    Flip(Index, u8),
    Cut(Index),
    Insert(Index, &'static str),
    Remove(Index, usize),
    Twice(Index, usize),
    Replace(&'static str, &'static str),
}

fn any_harm() -> impl Strategy<Value = Harm> {
    let at = any::<Index>;
    let pieces = select(vec![
        "\n",
        "\r",
        "\t",
        " ",
        "\0",
        "\u{feff}",
        "---\n",
        "+++\n",
        "title: x\n",
        "title = 'x'\n",
        ":",
        "\"",
        "'",
        "[",
        "{",
        "&a ",
        "*a ",
        "<",
        ">",
        "![](",
        "<img src=",
        "]]>",
        "<!--",
        "```\n",
        "é",
        "\u{202e}",
        "\\",
        "%",
        "<![CDATA[",
        "<textarea>",
    ]);
    let words = select(vec![
        ("\n", "\r\n"),
        ("---", "+++"),
        ("+++", "---"),
        ("title", "Title"),
        (": ", ":"),
        ("\"", "'"),
        ("  ", "\t"),
        ("img/", "../img/"),
        ("ok.png", "OK.png"),
        (".", ".."),
    ]);
    prop_oneof![
        2 => (at(), 1..=u8::MAX).prop_map(|(at, mask)| Harm::Flip(at, mask)),
        1 => at().prop_map(Harm::Cut),
        4 => (at(), pieces).prop_map(|(at, piece)| Harm::Insert(at, piece)),
        2 => (at(), 1..40_usize).prop_map(|(at, length)| Harm::Remove(at, length)),
        1 => (at(), 1..200_usize).prop_map(|(at, length)| Harm::Twice(at, length)),
        2 => words.prop_map(|(from, to)| Harm::Replace(from, to)),
    ]
}

impl Harm {
    fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let range = |index: &Index, length: usize| {
            let start = index.index(bytes.len());
            start..(start + length).min(bytes.len())
        };
        match self {
            Self::Flip(at, mask) => {
                let at = at.index(bytes.len());
                bytes[at] ^= mask;
            }
            Self::Cut(at) => bytes.truncate(at.index(bytes.len())),
            Self::Insert(at, piece) => {
                let at = at.index(bytes.len());
                drop(bytes.splice(at..at, piece.bytes()));
            }
            Self::Remove(at, length) => drop(bytes.drain(range(at, *length))),
            Self::Twice(at, length) => {
                let range = range(at, *length);
                let again = bytes[range.clone()].to_vec();
                drop(bytes.splice(range.end..range.end, again));
            }
            Self::Replace(from, to) => {
                *bytes = String::from_utf8_lossy(bytes).replace(from, to).into_bytes();
            }
        }
    }
}

#[test]
fn a_harmed_file_is_one_article_or_has_problems_on_its_lines() {
    let files: Vec<_> =
        article_files().into_iter().filter(|(_, bytes)| bytes.len() < 20_000).collect();
    assert!(files.len() > 60);
    let folder = Folder::with_images();
    let good = Cell::new(0_u32);
    let cases = (any::<Index>(), vec(any_harm(), 0..4));
    fuzz("article files", 1_200, &cases, |(which, harms)| {
        let (kind, bytes) = which.get(&files);
        let mut bytes = bytes.clone();
        for harm in &harms {
            harm.apply(&mut bytes);
        }
        folder.cleared();
        if kind == "toml" {
            folder.write("a.toml", &bytes);
            folder.write("a.md", b"Text.\n");
        } else {
            folder.write(&format!("a.{kind}"), &bytes);
        }
        let checked = folder.check();
        prop_assert_eq!(checked.articles.len() + checked.invalid.len(), 1);
        let problems = checked.invalid.iter().flat_map(|bad| {
            assert!(!bad.problems.is_empty(), "refused without a problem");
            &bad.problems
        });
        for problem in problems.chain(&checked.warnings) {
            let lines = folder.lines(problem.path.trim_start_matches("./"));
            prop_assert!((1..=lines).contains(&(problem.line as usize)), "{problem} of {lines}");
            prop_assert!(!problem.to_string().chars().any(char::is_control), "{problem:?}");
        }
        let again = folder.check();
        prop_assert_eq!(lines_of(&checked), lines_of(&again));
        for (article, again) in checked.articles.iter().zip(&again.articles) {
            good.set(good.get() + 1);
            prop_assert_eq!(article.digest, again.digest);
            prop_assert!(!article.title.is_empty() && !article.html.trim().is_empty());
            prop_assert!(matches!(article.status.as_str(), "draft" | "pending"));
        }
        Ok(())
    });
    assert!(good.get() > 50, "{good:?}");
}
