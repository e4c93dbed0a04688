//! Who and what takes part in a case: an account, articles, images.
//!
//! Absent from here: what happens to them. The one rule: everything is known from the
//! cast and a version number, so a state need not keep the files of the folder.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use oncepress::names::Digest;
use oncepress::sandbox::{PostKind, password_of};

use crate::dice::Dice;

/// Where the site is; every request is carried to a simulated one.
pub(crate) const HOME: &str = "https://example.com";
/// The folder of the site's journal, below that of the case.
pub(crate) const JOURNAL: &str = ".oncepress/example.com";
/// Somebody else who writes on the site.
pub(crate) const COLLEAGUE: &str = "editor";
/// Seconds for which a site may still be working on a request.
pub(crate) const SETTLE_S: i64 = 120;

/// One dot, as PNG.
const DOT: [u8; 67] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b,
    0x55, 0x00, 0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x08, 0xd7, 0x63, 0x60, 0x00, 0x00, 0x00,
    0x02, 0x00, 0x01, 0xe2, 0x21, 0xbc, 0x33, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae,
    0x42, 0x60, 0x82,
];

/// Slugs; the number of an article is its place, from 1.
const SLUGS: [&str; 3] = ["autumn", "kyoto-walk", "紅葉"];
const TAGS: [&str; 3] = ["travel", "R&D", "autumn"];

/// Everything that does not change in a case.
#[derive(Debug, Clone)]
pub(crate) struct Cast {
    /// The login.
    pub(crate) login: &'static str,
    /// The application password.
    pub(crate) password: String,
    /// The forms in which the password travels.
    pub(crate) secrets: [String; 2],
    pub(crate) articles: Vec<Piece>,
    /// How many image files the folder has.
    pub(crate) images: usize,
}

/// An article.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub(crate) slug: &'static str,
    pub(crate) kind: PostKind,
    /// Images in its text, by their place from 0.
    pub(crate) images: Vec<usize>,
    pub(crate) featured: Option<usize>,
    pub(crate) tags: Vec<&'static str>,
}

impl Cast {
    /// One article with one image.
    pub(crate) fn of_the_exploration() -> Self {
        let piece = Piece {
            slug: SLUGS[0],
            kind: PostKind::Post,
            images: vec![0],
            featured: None,
            tags: Vec::new(),
        };
        Self::of("admin", vec![piece], 1)
    }

    /// One to three articles, none to two images that they share, tags, pages.
    pub(crate) fn thrown(dice: &mut Dice) -> Self {
        let login = if dice.one_in(4) { "author" } else { "admin" };
        let images = dice.below(3);
        let articles = 1 + dice.below(3);
        let articles = SLUGS[..articles].iter().map(|slug| {
            let kind = if dice.one_in(6) { PostKind::Page } else { PostKind::Post };
            let shown = (0..images).filter(|_| !dice.one_in(3)).collect();
            let featured = (images > 0 && dice.one_in(3)).then(|| dice.below(images));
            // Pages have no tags.
            let has_tags = kind == PostKind::Post;
            let tags = TAGS.into_iter().filter(|_| has_tags && dice.one_in(3)).collect();
            Piece { slug, kind, images: shown, featured, tags }
        });
        Self::of(login, articles.collect(), images)
    }

    fn of(login: &'static str, articles: Vec<Piece>, images: usize) -> Self {
        let password = password_of(login).expect("a user of a fresh simulated site");
        let encoded = STANDARD.encode(format!("{login}:{password}"));
        let secrets = [password.clone(), encoded];
        Self { login, password, secrets, articles, images }
    }

    /// The settings. Nobody waits: each reconciliation asks once.
    pub(crate) fn config(&self) -> String {
        format!(
            "[site]\nurl = \"{HOME}\"\nusername = \"{}\"\n\n[network]\nsettle_s = {SETTLE_S}\n\
             lookup_delays_s = [0]\n",
            self.login
        )
    }

    /// The file of an article, below the folder of the case.
    pub(crate) fn article_path(&self, article: usize) -> String {
        format!("articles/{}.md", self.articles[article].slug)
    }

    /// What stands in it.
    pub(crate) fn article_text(&self, article: usize, version: u8) -> String {
        let Piece { slug, kind, images, featured, tags } = &self.articles[article];
        let mut text = format!("---\ntitle: On {slug}\ntype: {}\n", kind.name());
        if !tags.is_empty() {
            let tags: Vec<_> = tags.iter().map(|tag| format!("\"{tag}\"")).collect();
            text += &format!("tags: [{}]\n", tags.join(", "));
        }
        if let Some(image) = featured {
            text += &format!("featured_image: {}\n", image_name(*image));
        }
        text += &format!("---\n\nWords about {slug}, version {version}.\n");
        for image in images {
            text += &format!("\n![A dot]({})\n", image_name(*image));
        }
        text
    }

    /// The images of an article, the featured one too.
    pub(crate) fn images_of(&self, article: usize) -> Vec<usize> {
        let piece = &self.articles[article];
        let mut images = piece.images.clone();
        images.extend(piece.featured);
        images.sort_unstable();
        images.dedup();
        images
    }
}

/// An image as articles name it.
fn image_name(image: usize) -> String {
    format!("img/dot-{image}.png")
}

/// The file of an image, below the folder of the case.
pub(crate) fn image_path(image: usize) -> String {
    format!("articles/{}", image_name(image))
}

/// Its bytes. What follows the end of a PNG is ignored by who shows it.
pub(crate) fn image_bytes(image: usize, version: u8) -> Vec<u8> {
    let mut bytes = DOT.to_vec();
    bytes.extend(format!("image {image}, version {version}").bytes());
    bytes
}

/// What an image's record is named after.
pub(crate) fn image_digest(image: usize, version: u8) -> String {
    Digest::of(&image_bytes(image, version)).to_string()
}
