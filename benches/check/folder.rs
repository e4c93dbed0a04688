//! The folder that is checked.
//!
//! Absent from here: anything random; each run has the same bytes. The one rule: no two
//! images are the same, because the check would read the second one only once.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use super::Failure;

/// Articles in the folder.
pub(super) const ARTICLES: usize = 10_000;
/// Images that each article shows.
pub(super) const IMAGES_PER_ARTICLE: usize = 2;
/// Articles in one folder.
const FOLDER: usize = 100;
/// Bytes of one image: a small picture on a page.
const IMAGE_BYTES: usize = 16 * 1024;
/// Paragraphs of one article.
const PARAGRAPHS: usize = 12;

/// Writes `articles` into the folder and says which files are in it.
#[expect(clippy::disallowed_methods, reason = "the benchmark's own folder")]
pub(super) fn make(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::with_capacity(ARTICLES * (IMAGES_PER_ARTICLE + 1));
    for number in 0..ARTICLES {
        let here = folder.join(format!("articles/part-{}", number / FOLDER));
        if number % FOLDER == 0 {
            fs::create_dir_all(here.join("img"))?;
        }
        let mut text = format!("---\ntitle: Article {number}\nslug: article-{number}\n---\n");
        for paragraph in 0..PARAGRAPHS {
            writeln!(
                text,
                "## Part {paragraph}\n\nSome *words* of article {number} with [a link](https://example.com/{paragraph}), \
                 `code` and **more** of them, as many as a paragraph has on most days.\n"
            )?;
        }
        for image in 0..IMAGES_PER_ARTICLE {
            let name = format!("img/picture-{number}-{image}.png");
            writeln!(text, "![Picture {image}]({name})\n")?;
            let file = here.join(&name);
            fs::write(&file, png(number * IMAGES_PER_ARTICLE + image))?;
            files.push(file);
        }
        let file = here.join(format!("article-{number}.md"));
        fs::write(&file, text)?;
        files.push(file);
    }
    Ok(files)
}

/// A PNG as far as readers of its size go; its pixels are noise.
fn png(number: usize) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x40\0\0\0\x40\x08\x02\0\0\0".to_vec();
    // Nobody here looks at the checksums of the parts.
    bytes.extend([0; 4]);
    let length = IMAGE_BYTES - bytes.len() - 12;
    bytes.extend(u32::try_from(length).unwrap_or_default().to_be_bytes());
    bytes.extend(b"IDAT");
    let mut state = number as u64 + 1;
    bytes.extend(
        std::iter::repeat_with(|| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()[0]
        })
        .take(length),
    );
    bytes.extend([0; 4]);
    bytes.extend(b"\0\0\0\0IEND\xae\x42\x60\x82");
    bytes
}
