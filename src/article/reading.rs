//! One article file, from its bytes to an article or to all of its problems.
//!
//! Absent from here: other articles. The rule to keep: a problem does not end the
//! reading where what follows can still be understood; the author sees all at once.

use std::collections::HashMap;
use std::path::Path;

use crate::names::{ArticleKey, Digest, PostType, Slug};
use crate::render::markdown::IdSlot;
use crate::render::{LineMap, blocks, markdown};

use super::addresses::{self, Address, Usage};
use super::captions::Words;
use super::digest::{Rendering, digest};
use super::fault::{Fault, Finding, quoted};
use super::fields::Fields;
use super::html::{self, Found, FoundFile};
use super::id_slots::{is_local_image, with_ids};
use super::image::{Content, Contents, stem, upload_slug};
use super::limits::Limits;
use super::locate::{Listings, Located, linked, locate, shown_from};
use super::metadata::{Metadata, understand};
use super::model::{Article, BodyFormat, ImageIndex, MediaFile, Reference, Wanted};
use super::oddity;
use super::problem::Problem;
use super::scan::{Markup, Source, join, leaves_root, resolved};
use super::slug;
use super::source::{fields_in_body, read_text, sidecar, split};

/// What became of one file.
pub(super) struct Reading {
    pub(super) path: String,
    /// The slug as written, where the file could be read that far.
    pub(super) slug: Option<WrittenSlug>,
    pub(super) post_type: PostType,
    pub(super) problems: Vec<Problem>,
    pub(super) warnings: Vec<Problem>,
    pub(super) article: Option<Box<Article>>,
}

/// A slug, and where it stands.
pub(super) struct WrittenSlug {
    pub(super) text: String,
    pub(super) path: String,
    pub(super) line: u32,
}

impl Reading {
    fn problem(&mut self, path: &str, finding: Finding) {
        self.problems.push(Problem::new(path, finding));
    }

    fn own_problem(&mut self, finding: Finding) {
        self.problems.push(Problem::new(&self.path, finding));
    }
}

/// Reads one article file.
pub(super) fn read(
    source: &Source,
    listings: &Listings,
    contents: &Contents,
    limits: &Limits,
) -> Reading {
    let mut reading = Reading {
        path: source.path.clone(),
        slug: None,
        post_type: PostType::Post,
        problems: Vec::new(),
        warnings: Vec::new(),
        article: None,
    };
    if let Some(fault) = &source.fault {
        reading.own_problem(fault.clone().at(1));
        return reading;
    }
    let file = canonical(&source.folder.join(&source.name));
    let text = match read_text(&source.root, &file, limits.article_bytes_max) {
        Ok(text) => text,
        Err(finding) => {
            reading.own_problem(finding);
            return reading;
        }
    };
    let parts = match split_parts(source, &text, &mut reading, limits) {
        Ok(parts) => parts,
        Err(problem) => {
            reading.problems.push(problem);
            return reading;
        }
    };
    read_parts(source, parts, &mut reading, Files { listings, contents, limits });
    reading
}

/// A file's fields and body.
struct Parts<'t> {
    fields: Fields,
    /// The file that the fields stand in.
    fields_path: String,
    body: &'t str,
    body_line: u32,
}

fn split_parts<'t>(
    source: &Source,
    text: &'t str,
    reading: &mut Reading,
    limits: &Limits,
) -> Result<Parts<'t>, Problem> {
    let name = format!("{}.toml", stem(&source.name));
    let file = source.folder.join(&name);
    // A link that leads nowhere is a sidecar too, if a broken one.
    if file.symlink_metadata().is_err() {
        let split = split(text, limits).map_err(|finding| Problem::new(&source.path, finding))?;
        let fields_path = source.path.clone();
        return Ok(Parts {
            fields: split.fields,
            fields_path,
            body: split.body,
            body_line: split.body_line,
        });
    }
    if let Some(finding) = fields_in_body(text) {
        reading.own_problem(finding);
    }
    let fields_path = join(&source.shown_folder, &name);
    let fields = match leaves_root(&file, &source.root) {
        Some(fault) => Err(fault.at(1)),
        None => read_text(&source.root, &canonical(&file), limits.article_bytes_max)
            .and_then(|text| sidecar(&text, limits)),
    };
    let fields = fields.map_err(|finding| Problem::new(&fields_path, finding))?;
    Ok(Parts { fields, fields_path, body: text, body_line: 1 })
}

/// The path free of links; as it is if that fails, and then opening it will tell.
fn canonical(file: &Path) -> std::path::PathBuf {
    resolved(file).unwrap_or_else(|_| file.to_owned())
}

/// What is needed to read images.
#[derive(Clone, Copy)]
struct Files<'a> {
    listings: &'a Listings,
    contents: &'a Contents,
    limits: &'a Limits,
}

fn read_parts(source: &Source, parts: Parts<'_>, reading: &mut Reading, files: Files<'_>) {
    let Parts { fields, fields_path, body, body_line } = parts;
    let complete = !fields.unreadable;
    let mut metadata = understand(fields, files.limits);
    reading.post_type = metadata.post_type;
    for finding in std::mem::take(&mut metadata.findings) {
        reading.problem(&fields_path, finding);
    }
    for finding in std::mem::take(&mut metadata.warnings) {
        reading.warnings.push(Problem::new(&fields_path, finding));
    }
    let slug = read_slug(source, &metadata, complete, &fields_path, reading);
    let format = metadata.body_format.unwrap_or(files.limits.body_format);
    let rendering = Rendering { markup: source.markup, format };
    let Body { html, lines, found, id_slots } = read_body(rendering, body, body_line, reading);
    let mut images = Images::default();
    let found = images.read_references(source, found, &lines, reading, files);
    let references = with_ids(found, &id_slots);
    let in_body: Vec<Digest> = references
        .iter()
        .filter(|reference| reference.wants == Wanted::Address)
        .filter_map(|reference| images.all.get(reference.image.get()))
        .map(|image| image.digest)
        .collect();
    let featured = images.read_featured(source, &metadata, &fields_path, reading, files);
    let (Some(slug), true) = (slug, reading.problems.is_empty()) else { return };
    let key = ArticleKey { post_type: metadata.post_type, slug };
    let featured_digest = featured.and_then(|index| images.all.get(index.get())).map(|i| i.digest);
    let digest = digest(&key, &metadata, rendering, body, &in_body, featured_digest);
    reading.article = Some(Box::new(Article {
        path: source.path.clone(),
        key,
        parent: metadata.parent,
        status: metadata.status,
        title: metadata.title,
        excerpt: metadata.excerpt,
        categories: metadata.categories,
        tags: metadata.tags,
        featured,
        date: metadata.date,
        author: metadata.author,
        template: metadata.template,
        format: metadata.format,
        comment_status: metadata.comment_status,
        meta: metadata.meta,
        html,
        references,
        images: images.all,
        filtered: reading.warnings.iter().filter(|w| w.code == html::FILTERED).cloned().collect(),
        digest,
    }));
}

fn read_slug(
    source: &Source,
    metadata: &Metadata,
    complete: bool,
    fields_path: &str,
    reading: &mut Reading,
) -> Option<Slug> {
    let written = match &metadata.slug {
        Some(text) => {
            WrittenSlug { text: text.text.clone(), path: fields_path.to_owned(), line: text.line }
        }
        // The field may be in the part that could not be read.
        None if !complete => return None,
        None => {
            WrittenSlug { text: source.slug_by_name.clone(), path: source.path.clone(), line: 1 }
        }
    };
    let slug = slug::lint(&written.text).map_err(|problem| {
        let mut message = problem.message;
        if let Some(proposal) = problem.proposal.filter(|proposal| !message.contains(proposal)) {
            message = format!("{message}; {} would do", quoted(&proposal));
        }
        if metadata.slug.is_none() {
            message += " (the file's name is the slug: rename it, or add the field slug)";
        }
        reading.problem(&written.path, Finding::new(written.line, problem.code, message));
    });
    reading.slug = Some(written);
    slug.ok()
}

/// A body as HTML, and what is in it.
struct Body {
    html: String,
    lines: LineMap,
    found: Found,
    id_slots: Vec<IdSlot>,
}

fn read_body(rendering: Rendering, body: &str, body_line: u32, reading: &mut Reading) -> Body {
    let (html, lines, id_slots) = match rendering.markup {
        Markup::Html => (body.to_owned(), LineMap::verbatim(body, body_line), Vec::new()),
        Markup::Markdown => {
            let rendered = match rendering.format {
                BodyFormat::Html => markdown::to_html(body, body_line),
                BodyFormat::Blocks => blocks::to_blocks(body, body_line, is_local_image),
            };
            for (line, oddity) in rendered.oddities {
                let finding = oddity::finding(line, oddity);
                reading.warnings.push(Problem::new(&reading.path, finding));
            }
            (rendered.html, rendered.lines, rendered.id_slots)
        }
    };
    if html.trim().is_empty() {
        let line = body_line.saturating_sub(1).max(1);
        reading.own_problem(Finding::new(line, "body_empty", "the article has no body"));
    }
    let mut found = html::read(&html);
    for spot in std::mem::take(&mut found.problems) {
        reading.own_problem(spot.fault.at(lines.line(spot.offset)));
    }
    for spot in std::mem::take(&mut found.warnings) {
        let finding = spot.fault.at(lines.line(spot.offset));
        reading.warnings.push(Problem::new(&reading.path, finding));
    }
    Body { html, lines, found, id_slots }
}

/// The images of one article, one for each content.
#[derive(Default)]
struct Images {
    all: Vec<MediaFile>,
    by_digest: HashMap<Digest, ImageIndex>,
    /// Of the files that were read last.
    warnings: Vec<Fault>,
}

impl Images {
    fn read_references(
        &mut self,
        source: &Source,
        found: Found,
        lines: &LineMap,
        reading: &mut Reading,
        files: Files<'_>,
    ) -> Vec<Reference> {
        let max = files.limits.references_max;
        if let Some(beyond) = found.files.get(max) {
            let message = format!("more than {max} images in one article: split it");
            let line = lines.line(beyond.range.start);
            reading.own_problem(Finding::new(line, "images_too_many", message));
            return Vec::new();
        }
        let mut references = Vec::new();
        for FoundFile { range, fit, path, usage, words, .. } in found.files {
            let read = self.read(source, &path.path, &words, usage, files);
            self.warn(&source.path, lines.line(range.start), reading);
            match read {
                Ok(image) => {
                    references.push(Reference { range, image, fit, wants: Wanted::Address });
                }
                Err(mut fault) => {
                    if fault.code == "image_missing" && !path.suffix.is_empty() {
                        fault.message = format!(
                            "{} ({} is not part of the name: write %23 for #, %3F for ?)",
                            fault.message,
                            quoted(&path.suffix)
                        );
                    }
                    reading.own_problem(fault.at(lines.line(range.start)));
                }
            }
        }
        references
    }

    fn read_featured(
        &mut self,
        source: &Source,
        metadata: &Metadata,
        fields_path: &str,
        reading: &mut Reading,
        files: Files<'_>,
    ) -> Option<ImageIndex> {
        let written = metadata.featured_image.as_ref()?;
        let alt = metadata.featured_image_alt.as_ref().map_or("", |alt| alt.text.as_str());
        let words = Words { alt: alt.to_owned(), ..Words::default() };
        let image = match addresses::image(&written.text) {
            // In a field, a path is not cut at # or ?.
            Address::Local(path) => {
                let path = format!("{}{}", path.path, path.suffix);
                self.read(source, &path, &words, Usage::Image, files)
            }
            Address::Remote => Err(Fault::new(
                "featured_image_remote",
                "WordPress can't feature an image of another site: save it beside the article",
            )),
            Address::Wrong(fault) => Err(fault),
        };
        self.warn(fields_path, written.line, reading);
        image.map_err(|fault| reading.problem(fields_path, fault.at(written.line))).ok()
    }

    /// Tells what the file that was read last gives cause to.
    fn warn(&mut self, path: &str, line: u32, reading: &mut Reading) {
        let findings = self.warnings.drain(..).map(|fault| fault.at(line));
        reading.warnings.extend(findings.map(|finding| Problem::new(path, finding)));
    }

    /// Reads the image at a path; the same content again is the same image.
    fn read(
        &mut self,
        source: &Source,
        path: &str,
        words: &Words,
        usage: Usage,
        files: Files<'_>,
    ) -> Result<ImageIndex, Fault> {
        let located = locate(&source.root, files.listings, &source.folder, path);
        let Located { file, relative } = match usage {
            Usage::Image | Usage::Media => located?,
            Usage::Link => linked(located, path)?,
        };
        let content = files.contents.read(&source.root, &file, files.limits)?;
        let name = relative.rsplit('/').next().unwrap_or(&relative);
        content.must_serve(usage, name)?;
        let Content { digest, md5, bytes, kind, pixels, .. } = content;
        if let Some(index) = self.by_digest.get(&digest) {
            if let Some(image) = self.all.get_mut(index.get()) {
                words.fill(&mut image.alt, &mut image.caption);
            }
            return Ok(*index);
        }
        self.warnings.extend(content.warnings(name));
        let title = stem(name).to_owned();
        let upload_slug = upload_slug(&title, digest);
        let index = ImageIndex::new(self.all.len());
        self.all.push(MediaFile {
            path: shown_from(&source.shown_folder, &relative),
            file,
            digest,
            md5,
            bytes,
            kind,
            pixels,
            alt: words.alt.clone(),
            caption: words.caption.clone(),
            title,
            upload_name: format!("{}.{}", upload_slug.stored(), kind.extension()),
            upload_slug,
        });
        self.by_digest.insert(digest, index);
        Ok(index)
    }
}
