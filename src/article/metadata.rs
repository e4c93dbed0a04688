//! What the fields of an article mean.
//!
//! Absent from here: how they are written (`yaml.rs`, `toml.rs`), the slug's rules
//! (`slug`) and the featured image's file. The rule to keep: a field that is not known
//! is a problem, never passed over; what a person wrote, they meant.

use std::collections::BTreeMap;

use crate::names::{DraftStatus, PostType, TypeName};

use super::date::ArticleDate;
use super::fault::{Fault, Finding, quoted};
use super::fields::{Field, Fields, Text, Value, wrong_type};
use super::limits::Limits;
use super::model::{BodyFormat, CommentStatus, ParentName, PostFormat, TermName};
use super::{parent, terms};

/// The fields there are (spec §13).
const NAMES: [&str; 17] = [
    "title",
    "slug",
    "type",
    "parent",
    "status",
    "excerpt",
    "categories",
    "tags",
    "featured_image",
    "featured_image_alt",
    "date",
    "author",
    "template",
    "format",
    "body_format",
    "comment_status",
    "meta",
];

/// What other tools call them.
const OTHER_NAMES: [(&str, &str); 19] = [
    ("category", "categories"),
    ("tag", "tags"),
    ("keywords", "tags"),
    ("image", "featured_image"),
    ("cover", "featured_image"),
    ("thumbnail", "featured_image"),
    ("featured_media", "featured_image"),
    ("summary", "excerpt"),
    ("description", "excerpt"),
    ("draft", "status"),
    ("published", "status"),
    ("permalink", "slug"),
    ("url", "slug"),
    ("name", "slug"),
    ("layout", "template"),
    ("post_type", "type"),
    ("post_parent", "parent"),
    ("post_format", "format"),
    ("comments", "comment_status"),
];

/// The fields of one article, as far as they could be understood.
#[derive(Debug)]
pub(super) struct Metadata {
    pub(super) title: String,
    /// As written, with its line; none: the name of the file counts.
    pub(super) slug: Option<Text>,
    pub(super) post_type: PostType,
    pub(super) parent: Option<ParentName>,
    pub(super) status: DraftStatus,
    pub(super) excerpt: Option<String>,
    pub(super) categories: Vec<TermName>,
    pub(super) tags: Vec<TermName>,
    pub(super) featured_image: Option<Text>,
    pub(super) featured_image_alt: Option<Text>,
    pub(super) date: Option<ArticleDate>,
    pub(super) author: Option<String>,
    pub(super) template: Option<String>,
    pub(super) format: Option<PostFormat>,
    pub(super) body_format: Option<BodyFormat>,
    pub(super) comment_status: Option<CommentStatus>,
    pub(super) meta: BTreeMap<String, String>,
    /// Problems, in no order.
    pub(super) findings: Vec<Finding>,
    /// Warnings, in no order.
    pub(super) warnings: Vec<Finding>,
}

/// Understands the fields.
pub(super) fn understand(fields: Fields, limits: &Limits) -> Metadata {
    let complete = !fields.unreadable;
    let mut reader = Reader { fields: fields.readable, findings: fields.findings };
    reader.refuse_unknown();
    let title = reader.title(limits, complete);
    let post_type = reader.post_type();
    let parent = reader.parent(post_type);
    let status = reader.status();
    let slug = reader.text("slug");
    let (categories, tags, warnings) = reader.terms(post_type);
    let featured_image = reader.text("featured_image").filter(|text| !text.text.is_empty());
    let featured_image_alt = reader.text("featured_image_alt");
    if let (Some(alt), None, true) = (&featured_image_alt, &featured_image, complete) {
        let message = "there is a featured_image_alt but no featured_image";
        reader.findings.push(Finding::new(alt.line, "featured_image_alt_alone", message));
    }
    let format =
        reader.choice("format", PostFormat::parse, "format_unknown", || PostFormat::ALL.join(", "));
    if format.is_some() {
        reader.refuse_for_page("format", post_type);
    }
    let body_format =
        reader.choice("body_format", BodyFormat::parse, "body_format_unknown", || {
            "html, blocks".to_owned()
        });
    let comment_status =
        reader.choice("comment_status", CommentStatus::parse, "comment_status_unknown", || {
            "open, closed".to_owned()
        });
    Metadata {
        title,
        slug,
        post_type,
        parent,
        status,
        excerpt: reader.text("excerpt").map(|text| text.text).filter(|text| !text.is_empty()),
        categories,
        tags,
        featured_image,
        featured_image_alt,
        date: reader.date(),
        author: reader.not_empty("author"),
        template: reader.not_empty("template"),
        format,
        body_format,
        comment_status,
        meta: reader.meta(),
        findings: reader.findings,
        warnings,
    }
}

struct Reader {
    fields: Vec<Field>,
    findings: Vec<Finding>,
}

impl Reader {
    fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    fn refuse_unknown(&mut self) {
        for field in &self.fields {
            if !NAMES.contains(&field.name.as_str()) {
                let message = match near_name(&field.name) {
                    Some(near) => format!("no field {}: is {near} meant?", quoted(&field.name)),
                    None => format!(
                        "no field {}: the fields are {}",
                        quoted(&field.name),
                        NAMES.join(", ")
                    ),
                };
                self.findings.push(Finding::new(field.line, "field_unknown", message));
            }
        }
    }

    /// The text of a field, without blanks around it.
    fn text(&mut self, name: &str) -> Option<Text> {
        let Field { line, value, .. } = self.field(name)?;
        let line = *line;
        match value {
            Value::Text(text) => Some(Text { text: text.trim().to_owned(), line }),
            other => {
                let finding = wrong_type(name, other.kind(), "a text").at(line);
                self.findings.push(finding);
                None
            }
        }
    }

    fn not_empty(&mut self, name: &str) -> Option<String> {
        let text = self.text(name)?;
        if text.text.is_empty() {
            let message = format!("{name} is empty: give it a value or leave the line out");
            self.findings.push(Finding::new(text.line, "field_empty", message));
            return None;
        }
        Some(text.text)
    }

    fn title(&mut self, limits: &Limits, complete: bool) -> String {
        let Some(Text { text, line }) = self.text("title") else {
            if complete && self.field("title").is_none() {
                let message = "there is no title: add the field title";
                self.findings.push(Finding::new(1, "title_missing", message));
            }
            return String::new();
        };
        let finding = if text.is_empty() {
            Some(("title_empty", "the title is empty".to_owned()))
        } else if text.chars().any(char::is_control) {
            let message = "the title holds a line break or another control character: write it \
                           on one line";
            Some(("title_control_character", message.to_owned()))
        } else {
            let (chars, max) = (text.chars().count(), limits.title_chars_max);
            (chars > max).then(|| {
                ("title_too_long", format!("the title has {chars} characters; at most {max} fit"))
            })
        };
        self.findings.extend(finding.map(|(code, message)| Finding::new(line, code, message)));
        text
    }

    fn post_type(&mut self) -> PostType {
        let Some(Text { text, line }) = self.text("type") else { return PostType::Post };
        PostType::parse(&text).unwrap_or_else(|_| {
            let message = if text.is_empty() || TypeName::parse(&text).is_err() {
                format!(
                    "{} is not the name of a type: write post, page, or the name that the site \
                     uses, of at most 20 letters a to z, digits, - and _",
                    quoted(&text)
                )
            } else {
                format!(
                    "{} is a type of WordPress itself, which holds no articles: write post, page, \
                     or another type of the site",
                    quoted(&text)
                )
            };
            self.findings.push(Finding::new(line, "type_unsupported", message));
            PostType::Post
        })
    }

    fn status(&mut self) -> DraftStatus {
        let Some(Text { text, line }) = self.text("status") else { return DraftStatus::Draft };
        DraftStatus::parse(&text).unwrap_or_else(|_| {
            let finding = match text.as_str() {
                "publish" | "future" | "private" => Finding::new(
                    line,
                    "status_not_draft",
                    format!(
                        "OncePress never makes a post public, so {text} is refused: write draft \
                         or pending, and publish in WordPress"
                    ),
                ),
                _ => Finding::new(
                    line,
                    "status_unknown",
                    format!("{} is not a status: write draft or pending", quoted(&text)),
                ),
            };
            self.findings.push(finding);
            DraftStatus::Draft
        })
    }

    fn parent(&mut self, post_type: PostType) -> Option<ParentName> {
        let Text { text, line } = self.text("parent")?;
        if post_type == PostType::Post {
            let message = "a post has no parent: leave it out, or make it a page";
            self.findings.push(Finding::new(line, "field_not_for_post", message));
            return None;
        }
        parent::parse(&text).map_err(|fault| self.findings.push(fault.at(line))).ok()
    }

    fn refuse_for_page(&mut self, name: &str, post_type: PostType) {
        if let (PostType::Page, Some(field)) = (post_type, self.field(name)) {
            let message = format!("a page has no {name}: leave it out, or make it a post");
            let finding = Finding::new(field.line, "field_not_for_page", message);
            self.findings.push(finding);
        }
    }

    fn terms(&mut self, post_type: PostType) -> (Vec<TermName>, Vec<TermName>, Vec<Finding>) {
        let mut warnings = Vec::new();
        let [categories, tags] = ["categories", "tags"].map(|name| {
            self.refuse_for_page(name, post_type);
            let field = self.fields.iter().find(|field| field.name == name);
            field.map_or_else(Vec::new, |field| {
                terms::read(field, &mut self.findings, &mut warnings)
            })
        });
        (categories, tags, warnings)
    }

    fn choice<T>(
        &mut self,
        name: &str,
        parse: impl Fn(&str) -> Option<T>,
        code: &'static str,
        choices: impl Fn() -> String,
    ) -> Option<T> {
        let Text { text, line } = self.text(name)?;
        let value = parse(&text);
        if value.is_none() {
            let message = format!("{} is not a {name}: choose of {}", quoted(&text), choices());
            self.findings.push(Finding::new(line, code, message));
        }
        value
    }

    fn date(&mut self) -> Option<ArticleDate> {
        let Text { text, line } = self.text("date")?;
        ArticleDate::parse(&text).map_err(|fault: Fault| self.findings.push(fault.at(line))).ok()
    }

    fn meta(&mut self) -> BTreeMap<String, String> {
        let Some(field) = self.field("meta") else { return BTreeMap::new() };
        let finding = match &field.value {
            Value::Map(pairs) => match pairs.iter().find(|pair| pair.key.trim().is_empty()) {
                None => {
                    return pairs.iter().map(|p| (p.key.clone(), p.text.clone())).collect();
                }
                Some(pair) => Finding::new(pair.line, "field_empty", "a meta key is empty"),
            },
            // `meta:` with nothing behind it is an empty map in YAML.
            Value::Text(text) if text.is_empty() => return BTreeMap::new(),
            other => wrong_type("meta", other.kind(), "a map of texts").at(field.line),
        };
        self.findings.push(finding);
        BTreeMap::new()
    }
}

/// The field that was probably meant.
fn near_name(name: &str) -> Option<&'static str> {
    const ERRORS_MAX: usize = 2;
    let plain = name.trim().to_lowercase().replace(['-', ' '], "_");
    if let Some((_, meant)) = OTHER_NAMES.iter().find(|(other, _)| *other == plain) {
        return Some(meant);
    }
    let distance = |candidate: &&str| strsim::damerau_levenshtein(candidate, &plain);
    let near = NAMES.into_iter().min_by_key(distance)?;
    // Two letters off is a slip in a long word and another word if it is short.
    let errors = distance(&near);
    (errors <= ERRORS_MAX && errors * 2 < near.len()).then_some(near)
}
