//! The drafts: small, all different, and the same in every lane but for their slugs.

/// What every lane sends.
pub(crate) struct Draft {
    pub(crate) title: String,
    pub(crate) slug: String,
    pub(crate) html: String,
}

/// This many drafts, whose slugs nobody else has.
pub(crate) fn make(count: usize, prefix: &str) -> Vec<Draft> {
    let one = |number: usize| Draft {
        title: format!("A small draft, number {number}"),
        slug: format!("{prefix}-{number:03}"),
        html: format!(
            "<p>This is draft number {number} of the benchmark. It has two paragraphs, so that \
             it looks like an article, and not many more words than that.</p>\n\
             <p>The second one has a <a href=\"https://example.com/{number}\">link</a> and \
             <em>some</em> <strong>stress</strong>.</p>\n"
        ),
    };
    (0..count).map(one).collect()
}
