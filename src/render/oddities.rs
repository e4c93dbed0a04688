//! What an author wrote for another tool, and Markdown takes for text.
//!
//! Absent from here: what is said about it. The rule to keep: it stays as it was written;
//! only people know what it should be.

use comrak::nodes::{AstNode, NodeValue};

/// Something that was hardly meant as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Oddity {
    /// `![text](a file.png)`: the blank ends the address (IMG-02).
    BlankInImage,
    /// `[[note]]` or `![[file]]`, of a notes vault.
    VaultLink,
    /// `%%comment%%`, of a notes vault, which would be published.
    VaultComment,
    /// `{{< tag >}}`, `{% tag %}`, `{: .class}` or `{#id}`, of a site generator.
    Generator,
}

/// The oddities of a body and the lines that hold them, each kind once a line.
pub(super) fn find<'a>(
    root: &'a AstNode<'a>,
    line_of: impl Fn(usize) -> u32,
) -> Vec<(u32, Oddity)> {
    let mut found = Vec::new();
    for node in root.descendants() {
        let data = node.data();
        let NodeValue::Text(text) = &data.value else { continue };
        let line = line_of(data.sourcepos.start.line);
        for (oddity, is_there) in [
            (Oddity::BlankInImage, holds_image_with_blank(text)),
            (Oddity::VaultLink, between(text, "[[", "]]").is_some()),
            (Oddity::VaultComment, between(text, "%%", "%%").is_some()),
            (Oddity::Generator, holds_generator_mark(text)),
        ] {
            if is_there {
                found.push((line, oddity));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What stands between these marks, if it is something.
fn between<'t>(text: &'t str, open: &str, close: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(open)?;
    let (inner, _) = rest.split_once(close)?;
    (!inner.trim().is_empty()).then_some(inner)
}

fn holds_generator_mark(text: &str) -> bool {
    // The begin is enough where the rest may be on another line or in other letters.
    let begins = ["{{<", "{{%", "{% ", "{%-"].iter().any(|mark| text.contains(mark));
    let names = |inner: &str| inner.starts_with(|c: char| c.is_ascii_alphabetic());
    begins
        || between(text, "{{", "}}").is_some_and(|inner| inner.starts_with(' ') || names(inner))
        || between(text, "{:", "}").is_some()
        || between(text, "{#", "}").is_some_and(names)
}

/// Whether this text, which `CommonMark` did not take as an image, was meant as one.
fn holds_image_with_blank(text: &str) -> bool {
    text.split("![").skip(1).any(|rest| {
        let target = rest.split_once("](").and_then(|(_, rest)| rest.split_once(')'));
        target.is_some_and(|(target, _)| target.trim().contains(' ') && target.contains('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::Oddity::{BlankInImage, Generator, VaultComment, VaultLink};
    use crate::render::markdown::to_html;

    #[test]
    fn marks_of_other_tools_are_told() {
        for (markdown, oddities) in [
            ("a\n\n![x](my pic.png)\n", vec![(7, BlankInImage)]),
            ("`![x](my pic.png)` ![x](<my pic.png>) ![x](a.png \"t\")\n", vec![]),
            (
                "see [[Note|it]] and [[b]]\nand ![[c.png|300]]\n",
                vec![(5, VaultLink), (6, VaultLink)],
            ),
            ("`[[x]]` [[]] [a][b] [ [c] ]\n\n    [[d]]\n", vec![]),
            ("a %%secret%% b\n", vec![(5, VaultComment)]),
            ("100%% sure, 5 % of 6 %\n", vec![]),
            ("{{< figure\nsrc=\"*x*\" >}}\n", vec![(5, Generator)]),
            ("{% include a.html %} {{ page.x }} {{y}}\n", vec![(5, Generator)]),
            (
                "# H {#id}\n\n{: .lead}\n* TOC\n{:toc}\n",
                vec![(5, Generator), (7, Generator), (9, Generator)],
            ),
            ("$\\frac{{1}}{2}$ {a} {#1} `{{ x }}`\n", vec![]),
        ] {
            assert_eq!(to_html(markdown, 5).oddities, oddities, "{markdown}");
        }
    }
}
