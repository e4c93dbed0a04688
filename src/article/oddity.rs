//! What is said about marks of other tools.
//!
//! Absent from here: finding them (`render`). The rule to keep: they are warnings, because
//! an author may mean the text as it stands.

use super::fault::Finding;
use crate::render::Oddity;

/// The warning about an oddity.
pub(super) fn finding(line: u32, oddity: Oddity) -> Finding {
    let (code, message) = match oddity {
        Oddity::BlankInImage => (
            "markdown_image_blank",
            "an image's address with a blank is text to Markdown: write %20 for \
             the blank, or put the address between < and >",
        ),
        Oddity::VaultLink => (
            "markdown_vault",
            "[[…]] is a link only in a notes vault and stays as text here: write \
             [text](address), or ![text](file) for an image",
        ),
        Oddity::VaultComment => (
            "markdown_vault",
            "%%…%% hides text only in a notes vault and stays as it is here: take it out",
        ),
        Oddity::Generator => (
            "markdown_generator",
            "a mark of a site generator, such as {{…}}, {%…%} or {#…}, stays as text \
             here: write Markdown or HTML in its place, or put it in code",
        ),
    };
    Finding::new(line, code, message)
}
