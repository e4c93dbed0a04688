//! What holds for every file, however broken.

use proptest::prelude::*;

use super::*;
use crate::render::splice;

/// Pieces that articles are made of, to be put together in any order.
const PIECES: [&str; 40] = [
    "---\n",
    "+++\n",
    "title: A\n",
    "title = 'A'\n",
    "tags: [a, b]\n",
    "tags:\n- a\n  - b\n",
    "meta:\n  a: b\n",
    "slug: x\n",
    "&a ",
    "*a ",
    "!t ",
    "? ",
    ": ",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "\r\n",
    "\n\n",
    "    ",
    "> ",
    "![a](ok.png)",
    "![a](gone.png \"t\")",
    "<img src=ok.png>",
    "<img src='ok.png' alt=x>",
    "<!-- ",
    " -->",
    "<noscript>",
    "</noscript>",
    "<svg>",
    "<select>",
    "<style>p{background:url(",
    "```\n",
    "`",
    "| a | b |\n|---|---|\n",
    "[^1]",
    "\u{feff}",
    "é写\u{0}",
];

fn any_article() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(PIECES.as_slice());
    let pieces =
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat().into_bytes());
    let framed =
        pieces.clone().prop_map(|body| [b"---\ntitle: A\n---\n", body.as_slice()].concat());
    prop_oneof![prop::collection::vec(any::<u8>(), 0..300), pieces, framed]
}

proptest! {
    #[test]
    fn every_file_is_an_article_or_has_a_problem(content in any_article(), html in any::<bool>(), sidecar in any::<bool>()) {
        let folder = Folder::new(&[("ok.png", &png())]);
        folder.write(if html { "x.html" } else { "x.md" }, &content);
        if sidecar {
            folder.write("x.toml", b"title = 'A'\n");
        }
        let checked = folder.check(&[], ".");
        prop_assert_eq!(checked.articles.len() + checked.invalid.len(), 1);
        let lines = content.split(|byte| *byte == b'\n').count();
        for problem in checked.invalid.iter().flat_map(|invalid| &invalid.problems) {
            prop_assert!(problem.line >= 1 && problem.line as usize <= lines, "{problem}");
            prop_assert!(!problem.to_string().contains('\n'), "{problem}");
        }
        prop_assert!(checked.invalid.iter().all(|invalid| !invalid.problems.is_empty()));
        for article in &checked.articles {
            let sent = splice::rewrite(&article.html, &article.references, |_| uploaded("https://h/x.png"));
            let left = html::read(&sent);
            prop_assert!(left.files.is_empty() && left.problems.is_empty(), "{sent}");
        }
    }

    #[test]
    fn every_image_file_is_an_image_or_has_a_problem(
        file in prop::sample::select(["bad/img/ok.png", "bad/img/photo.bmp", "demo/img/紅葉.webp", "demo/photo-walk/img/red bridge.jpg"].as_slice()),
        keep in 0_usize..4_000,
        changes in prop::collection::vec((0_usize..200, any::<u8>()), 0..6),
    ) {
        let mut bytes = fs::read(repository().join("fixtures").join(file)).unwrap();
        bytes.truncate(keep);
        for (at, byte) in changes {
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
        }
        let folder = Folder::new(&[("x", &bytes), ("a.md", b"---\ntitle: A\n---\n![](x)")]);
        let checked = folder.check(&[], ".");
        prop_assert_eq!(checked.articles.len() + checked.invalid.len(), 1);
        let images = checked.articles.iter().flat_map(|article| &article.images);
        for image in images {
            prop_assert_eq!(image.digest, crate::names::Digest::of(&bytes));
            prop_assert_eq!(image.bytes, bytes.len() as u64);
        }
    }

    #[test]
    fn fields_are_read_without_panic(text in "[a-c:\\-\\[\\]{}&*!|>'\"#%@`?, \t\r\n=.0-9]{0,80}") {
        let (yaml, toml) = (yaml::read(&text, 2), toml::read(&text, 1));
        prop_assert!(yaml.readable.iter().chain(&toml.readable).all(|field| field.line >= 1));
    }
}

/// Input whose reading must not take time or stack beyond its size: an article may come
/// from anyone.
#[test]
fn hostile_files_are_read_soon() {
    const TIMES: usize = 8_000;
    let folder = Folder::new(&[]);
    let start = std::time::Instant::now();
    for piece in [
        "> ",
        "[",
        "![",
        "*a ",
        "<div>",
        "<select>",
        "<noscript>",
        "- ",
        "`",
        "&",
        "<!--",
        "[^a]",
        "|",
        "<img src=x>",
        "<p>a\nb",
    ] {
        let body = piece.repeat(TIMES);
        folder.write("x.md", format!("---\ntitle: A\n---\n{body}").as_bytes());
        folder.write("y.html", format!("---\ntitle: A\n---\n{body}").as_bytes());
        let yaml: String = piece.repeat(2_000);
        folder.write("z.md", format!("---\ntitle: {yaml}\n{yaml}\n---\nx").as_bytes());
        folder.write("t.md", format!("+++\ntitle = {yaml}\n{yaml}\n+++\nx").as_bytes());
        let checked = folder.check(&[], ".");
        assert_eq!(checked.articles.len() + checked.invalid.len(), 4);
    }
    // Some two seconds without optimization. What is quadratic takes minutes.
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
