//! What an article says beside an image.
//!
//! Absent from here: reading HTML (`html.rs`), and the words inside a file. The rule to
//! keep: words belong to an image only where HTML says so, by an attribute or a figure of
//! its own; a guess would put one picture's words under another.

use std::collections::BTreeSet;

use lol_html::html_content::Element;

/// The words that go up with a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Words {
    /// What it shows, for who can't see it.
    pub(super) alt: String,
    /// What is said under it.
    pub(super) caption: String,
}

impl Words {
    /// What an element's attributes say.
    pub(super) fn of(element: &Element<'_, '_>) -> Self {
        let said = |name| plain(&element.get_attribute(name).unwrap_or_default());
        Self { alt: said("alt"), caption: said("title") }
    }

    /// Fills in what another place, where the same file stands, left unsaid.
    pub(super) fn fill(&self, alt: &mut String, caption: &mut String) {
        for (said, own) in [(&self.alt, alt), (&self.caption, caption)] {
            if own.is_empty() {
                said.clone_into(own);
            }
        }
    }
}

/// The captions of figures, as they are met.
#[derive(Debug, Default)]
pub(super) struct Captions {
    /// The text of each figure so far, if it has some.
    figures: Vec<Option<String>>,
    /// Whether the text that comes is that of the figure that was met last.
    heard: bool,
    /// Where the elements in figures begin.
    inside: BTreeSet<usize>,
}

/// The place of an element among figures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Standing {
    offset: usize,
    figures: usize,
}

impl Captions {
    pub(super) fn figure(&mut self) {
        self.figures.push(None);
    }

    pub(super) fn inside_figure(&mut self, offset: usize) {
        self.inside.insert(offset);
    }

    /// A caption begins. The second of a figure is that of the figure around it, which
    /// may hold many images.
    pub(super) fn caption(&mut self) {
        let figure = self.figures.last_mut();
        self.heard = figure.is_some_and(|text| {
            let first = text.is_none();
            text.get_or_insert_default();
            first
        });
    }

    pub(super) fn text(&mut self, text: &str) {
        if let (true, Some(Some(caption))) = (self.heard, self.figures.last_mut()) {
            caption.push_str(text);
        }
    }

    pub(super) fn standing(&self, offset: usize) -> Standing {
        Standing { offset, figures: self.figures.len() }
    }

    /// The caption of an element that stood there, as it is written.
    pub(super) fn of(&self, standing: Standing) -> Option<&str> {
        let figure = standing.figures.checked_sub(1)?;
        let caption = self.figures.get(figure)?.as_deref()?;
        self.inside.contains(&standing.offset).then_some(caption)
    }
}

/// Text as it is read: references to characters resolved, blanks as one.
pub(super) fn plain(written: &str) -> String {
    let text = html_escape::decode_html_entities(written);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
