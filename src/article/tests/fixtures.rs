//! The fixtures of the repository, good and bad.

use std::collections::BTreeSet;

use super::*;
use crate::render::splice;

/// Small, so that what is too large is still small enough to keep.
fn small_limits() -> Limits {
    Limits {
        image_bytes_max: 3_000,
        image_pixels_max: 10_000,
        article_bytes_max: 2_000,
        front_matter_bytes_max: 400,
        title_chars_max: 60,
        references_max: 5,
        ..Limits::default()
    }
}

/// Cases DATE-02 (`date_without_offset`), DATE-04 (`status_not_draft`), FM-01
/// (`front_matter_missing`), FM-02 and FM-03 (`front_matter_unreadable`), FM-04 and FM-05
/// (`date_invalid`), IMG-01 (`image_ambiguous`), IMG-05 (`image_case`), IMG-07
/// (`image_outside_folder`, `image_path_absolute`), IMG-09 (`image_missing`), MED-21
/// (`image_type_unsupported`) and MED-22 (`image_too_large`).
#[test]
fn bad_fixtures_give_exactly_these_lines() {
    let root = Path::new("fixtures/bad");
    let checked = check(&[], root, repository(), &small_limits()).unwrap();
    let lines = problem_lines(&checked);
    let golden = repository().join("fixtures/bad/expected.txt");
    let found = lines.join("\n") + "\n";
    let expected = fs::read_to_string(&golden).unwrap_or_default();
    assert_eq!(found, expected, "\n{found}");

    for entry in fs::read_dir(repository().join(root)).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if matches!(name.as_str(), "img" | "expected.txt") {
            continue;
        }
        let code = name.split(['.', '-']).next().unwrap();
        let path = format!("fixtures/bad/{name}");
        let stem = path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem);
        assert!(
            lines.iter().any(|line| line.starts_with(stem) && code_of(line).starts_with(code)),
            "{name} has no problem {code}"
        );
    }
}

#[test]
fn every_code_has_a_fixture_or_a_test_and_an_explanation() {
    // Shown by tests below, because a repository can't hold what makes them.
    let elsewhere = [
        "article_outside_folder",
        "file_name_not_utf8",
        "file_unreadable",
        "image_link_outside",
        "image_unreadable",
        "index_in_root",
    ];
    let golden = fs::read_to_string(repository().join("fixtures/bad/expected.txt")).unwrap();
    let seen: BTreeSet<&str> = golden.lines().map(code_of).chain(elsewhere).collect();
    let explained: BTreeSet<&str> = CODES.iter().map(|(code, _)| *code).collect();
    assert_eq!(explained.len(), CODES.len(), "a code is explained twice");
    for code in &seen {
        // The slug's own codes are explained by `slug`.
        let slug = code.starts_with("slug_") && *code != "slug_collision";
        assert!(slug || explained.contains(code), "{code} is not explained");
    }
    for (code, text) in CODES {
        assert!(seen.contains(code) || text.starts_with("Warning. "), "{code} is never seen");
    }
}

#[test]
fn demo_articles_are_good() {
    let root = Path::new("fixtures/demo");
    let checked = check(&[], root, repository(), &Limits::default()).unwrap();
    assert_eq!(problem_lines(&checked), Vec::<String>::new());
    assert_eq!(warning_lines(&checked), Vec::<String>::new());
    let table: Vec<String> = checked
        .articles
        .iter()
        .map(|article| {
            let images: Vec<&str> =
                article.images.iter().map(|image| image.upload_name.as_str()).collect();
            format!("{} {} {:?} {}", article.path, article.key, article.title, images.join(","))
        })
        .collect();
    insta::assert_snapshot!(table.join("\n"));
}

#[test]
fn demo_articles_are_rendered_and_rewritten() {
    let root = Path::new("fixtures/demo");
    let checked = check(&[], root, repository(), &Limits::default()).unwrap();
    let mut all = String::new();
    for article in &checked.articles {
        let urls: Vec<String> = article
            .images
            .iter()
            .map(|image| format!("https://example.com/up/{}", image.upload_name))
            .collect();
        let html =
            splice::rewrite(&article.html, &article.references, |i| uploaded(&urls[i.get()]));
        all.extend(["== ", &article.path, "\n", &html, "\n"]);
    }
    insta::assert_snapshot!(all);
}
