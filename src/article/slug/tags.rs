//! HTML tags taken out of a text the way PHP's `strip_tags` does it.
//!
//! Absent from here: any knowledge of HTML. The one rule: what PHP leaves is left,
//! also for text that no browser would take for a tag.

/// Where in the text we are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Text,
    Tag,
    /// After `<?`, until `?>` outside of parentheses.
    Code,
    /// After `<!`, until `>`.
    Declaration,
    /// After `<!--`, until `-->`.
    Comment,
}

/// What is remembered while walking through the text.
#[derive(Debug)]
struct Walk<'a> {
    bytes: &'a [u8],
    place: Place,
    /// How many `<` inside a tag await their `>`.
    depth: usize,
    /// The quote that is open. It stays open across places, as in PHP.
    quote: Option<u8>,
    /// In code: how many parentheses are open, and the last quote or parenthesis.
    parentheses: i64,
    last: u8,
    /// The tag began as `<?xml`.
    xml: bool,
}

/// The text without tags, comments, code and NUL characters.
#[must_use]
pub(crate) fn stripped(text: &str) -> String {
    if !text.contains(['<', '>', '\0']) {
        return text.to_owned();
    }
    let mut walk = Walk {
        bytes: text.as_bytes(),
        place: Place::Text,
        depth: 0,
        quote: None,
        parentheses: 0,
        last: 0,
        xml: false,
    };
    // Places change at ASCII characters alone, so no character is torn.
    text.char_indices()
        .filter(|&(at, character)| match u8::try_from(character).ok().filter(u8::is_ascii) {
            Some(byte) => walk.keeps(at, byte),
            None => walk.place == Place::Text,
        })
        .map(|(_, character)| character)
        .collect()
}

impl Walk<'_> {
    /// Takes one step; says whether the byte is part of what remains.
    fn keeps(&mut self, at: usize, byte: u8) -> bool {
        match self.place {
            Place::Text => return self.in_text(at, byte),
            Place::Tag => self.in_tag(at, byte),
            Place::Code => self.in_code(at, byte),
            Place::Declaration => self.in_declaration(at, byte),
            Place::Comment => {
                if byte == b'>' && self.quote.is_none() && self.follows(at, b"--") {
                    self.leave();
                }
            }
        }
        false
    }

    fn in_text(&mut self, at: usize, byte: u8) -> bool {
        match byte {
            0 => false,
            b'<' if self.quote.is_some() => false,
            b'<' if self.space_after(at) => true,
            b'<' => {
                self.last = b'<';
                self.place = Place::Tag;
                false
            }
            b'>' if self.depth > 0 => {
                self.depth -= 1;
                false
            }
            b'>' => self.quote.is_none(),
            _ => true,
        }
    }

    fn in_tag(&mut self, at: usize, byte: u8) {
        match byte {
            b'<' if self.quote.is_none() && !self.space_after(at) => self.depth += 1,
            b'>' if self.closes() => {
                self.last = b'>';
                if !(self.xml && self.follows(at, b"-")) {
                    self.xml = false;
                    self.leave();
                }
            }
            b'"' | b'\'' => self.toggle(byte),
            b'!' if self.follows(at, b"<") => {
                self.last = byte;
                self.place = Place::Declaration;
            }
            b'?' if self.follows(at, b"<") => {
                self.parentheses = 0;
                self.place = Place::Code;
            }
            _ => {}
        }
    }

    fn in_code(&mut self, at: usize, byte: u8) {
        let in_string = matches!(self.last, b'"' | b'\'');
        match byte {
            b'(' if !in_string => {
                self.last = byte;
                self.parentheses += 1;
            }
            b')' if !in_string => {
                self.last = byte;
                self.parentheses -= 1;
            }
            b'>' => {
                let outside = self.closes() && self.parentheses == 0 && self.last != b'"';
                if outside && self.follows(at, b"?") {
                    self.leave();
                }
            }
            b'"' | b'\'' if !self.follows(at, b"\\") => {
                if self.last == byte {
                    self.last = 0;
                } else if self.last != b'\\' {
                    self.last = byte;
                }
                self.toggle(byte);
            }
            // `<?xml` is a tag after all, but not at the very beginning of the text.
            b'l' | b'L' if at > 4 && self.follows_word(at, b"<?xm") => {
                self.xml = true;
                self.place = Place::Tag;
            }
            _ => {}
        }
    }

    fn in_declaration(&mut self, at: usize, byte: u8) {
        match byte {
            b'>' if self.closes() => self.leave(),
            b'"' | b'\'' if !self.follows(at, b"\\") => self.toggle(byte),
            b'-' if self.follows(at, b"!-") => self.place = Place::Comment,
            // A document type is a tag, but not at the very beginning of the text.
            b'e' | b'E' if at > 6 && self.follows_word(at, b"doctyp") => self.place = Place::Tag,
            _ => {}
        }
    }

    /// A `>`: does it end the place we are in?
    fn closes(&mut self) -> bool {
        if self.depth > 0 {
            self.depth -= 1;
            return false;
        }
        self.quote.is_none()
    }

    fn toggle(&mut self, quote: u8) {
        match self.quote {
            None => self.quote = Some(quote),
            Some(open) if open == quote => self.quote = None,
            Some(_) => {}
        }
    }

    fn leave(&mut self) {
        self.quote = None;
        self.place = Place::Text;
    }

    fn space_after(&self, at: usize) -> bool {
        matches!(self.bytes.get(at + 1), Some(b' ' | b'\t'..=b'\r'))
    }

    fn follows(&self, at: usize, word: &[u8]) -> bool {
        self.bytes[..at].ends_with(word)
    }

    fn follows_word(&self, at: usize, word: &[u8]) -> bool {
        let start = at.saturating_sub(word.len());
        self.bytes[start..at].eq_ignore_ascii_case(word)
    }
}
