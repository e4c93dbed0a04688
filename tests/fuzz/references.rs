//! Where the images' addresses go, and that nothing else changes.
//!
//! Absent from here: which attributes are references (`src/article/tests`). The one rule:
//! the text is taken apart by hand, at places that the test chose itself.

use oncepress::names::AttachmentId;
use oncepress::render::splice::{Uploaded, rewrite};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::folder::Folder;
use crate::fuzzing::fuzz;

fn at_address() -> Uploaded<'static> {
    Uploaded { id: AttachmentId::new(12).unwrap(), address: ADDRESS }
}

const ADDRESS: &str = "https://h.example/wp-content/uploads/2026/01/写真-1.png?a=1&b='2'";
const WRITTEN: &str =
    "https://h.example/wp-content/uploads/2026/01/%E5%86%99%E7%9C%9F-1.png?a=1&amp;b=&#039;2&#039;";

/// HTML around a hole for an address, or without one.
fn any_piece() -> impl Strategy<Value = (&'static str, Option<&'static str>, &'static str)> {
    let text = select(vec![
        "<p>Text &amp; more.</p>\n",
        "<p>写真\r\nand é</p>",
        "<!-- <img src=\"ok.png\"> -->",
        "<pre><code>&lt;img src=\"ok.png\"&gt;</code></pre>",
        "<p title='src=\"ok.png\"'>ok.png</p>",
        "<a href=\"https://h.example/ok.png\">far</a>",
        "<img src=\"https://h.example/ok.png\" alt=\"ok.png\">",
        "<p>a < b > c & d</p>",
        "<hr/>",
    ])
    .prop_map(|text| (text, None, ""));
    let image = select(vec![
        ("<img alt='a>b' src=\"", Some("\""), "\">"),
        ("<IMG\n SRC='", Some("'"), "' class=x>"),
        ("<img src=", None, " alt=\"ok.png\">"),
        ("<figure><img loading=lazy src = \"", Some("\""), "\"/></figure>"),
        ("<a href=\"https://h.example/\"><img src=\"", Some("\""), "\" data-x=ok.png></a>"),
    ])
    .prop_map(|(before, quote, after)| (before, Some(quote.unwrap_or_default()), after));
    prop_oneof![3 => text, 3 => image]
}

#[test]
fn bytes_outside_references_never_change() {
    let local = select(vec!["ok.png", "./ok.png", "ok.png?x=1#top", "o%6b.png", "img/../ok.png"]);
    let folder = Folder::with_images();
    fuzz("references", 400, &vec((any_piece(), local), 1..12), |pieces| {
        let (mut given, mut expected, mut holes) = (String::new(), String::new(), 0);
        for ((before, hole, after), local) in &pieces {
            given += before;
            expected += before;
            if let Some(quote) = hole {
                holes += 1;
                given += local;
                let added = if quote.is_empty() { "\"" } else { "" };
                expected.extend([added, WRITTEN, added]);
            }
            given += after;
            expected += after;
        }
        folder.cleared().write("a.html", format!("---\ntitle: A\n---\n{given}").as_bytes());
        let checked = folder.check();
        let said = format!("{:?}", checked.invalid);
        prop_assert_eq!(checked.articles.len(), 1, "{}", said);
        let article = &checked.articles[0];
        prop_assert_eq!(&article.html, &given);
        prop_assert_eq!(article.references.len(), holes);
        let rewritten = rewrite(&article.html, &article.references, |_| at_address());
        prop_assert_eq!(rewritten, expected);
        Ok(())
    });
}
