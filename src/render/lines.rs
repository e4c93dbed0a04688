//! Where a place in rendered HTML comes from in the user's file.
//!
//! Absent from here: the rendering itself. The rule to keep: every line told to a
//! person is a line of the file they edit, never of the HTML made from it.

/// A place in the HTML that is known to come from a line of the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    /// Where it is in the HTML, in bytes.
    pub(super) offset: usize,
    /// The line it comes from, from 1.
    pub(super) line: u32,
    /// Whether what follows is the file's own text or was made by the renderer.
    pub(super) text: MarkedText,
}

/// What follows a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkedText {
    /// The file's own text: one line further there is one line further here.
    Verbatim,
    /// Made by the renderer: its line breaks mean nothing.
    Made,
}

/// From byte offsets in HTML to lines of the file it was made from.
#[derive(Debug, Clone)]
pub struct LineMap {
    line_breaks: Vec<usize>,
    marks: Vec<Mark>,
}

impl LineMap {
    /// The map of a body that is sent as it is; its first line is `first_line`.
    #[must_use]
    pub fn verbatim(html: &str, first_line: u32) -> Self {
        let mark = Mark { offset: 0, line: first_line, text: MarkedText::Verbatim };
        Self::new(html, vec![mark])
    }

    /// The map with these marks, which are in the order of their offsets.
    pub(super) fn new(html: &str, marks: Vec<Mark>) -> Self {
        debug_assert!(marks.is_sorted_by_key(|mark| mark.offset));
        let line_breaks = html.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        Self { line_breaks: line_breaks.map(|(offset, _)| offset).collect(), marks }
    }

    /// The line, from 1, that the byte at `offset` comes from.
    #[must_use]
    pub fn line(&self, offset: usize) -> u32 {
        let after = self.marks.partition_point(|mark| mark.offset <= offset);
        let Some(mark) = after.checked_sub(1).and_then(|index| self.marks.get(index)) else {
            return 1;
        };
        match mark.text {
            MarkedText::Made => mark.line,
            MarkedText::Verbatim => {
                let lines = self.breaks_before(offset) - self.breaks_before(mark.offset);
                mark.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX))
            }
        }
    }

    fn breaks_before(&self, offset: usize) -> usize {
        self.line_breaks.partition_point(|line_break| *line_break < offset)
    }
}
