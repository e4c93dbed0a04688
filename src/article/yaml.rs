//! YAML front matter, read from the parser's events.
//!
//! Absent from here: YAML's types, anchors, aliases, tags and merge keys. The rule to
//! keep: a scalar's text is the value; nothing is guessed from how it looks.

use saphyr_parser::{Event, Parser, ScanError, Span, StrInput};

use super::fault::{Fault, quoted};
use super::fields::{Field, Fields, Pair, Text, Value, duplicate, line_at, wrong_type};

/// What YAML's errors mean nine times out of ten (FM-03).
const HINT: &str = "a value that holds \": \", \" #\", or begins with a quote, bracket or other \
                    sign must stand in quotes";

/// Reads front matter whose first line is `first_line` of its file.
pub(super) fn read(text: &str, first_line: u32) -> Fields {
    let mut reader = Reader {
        parser: Parser::new_from_str(text),
        first_line,
        last_line: line_at(text.trim_end(), text.len(), first_line),
        fields: Fields::default(),
    };
    if let Err(stop) = reader.document() {
        reader.fields.break_off(stop.line, &stop.why);
    }
    reader.fields
}

/// Why reading can't go on, and where.
struct Stop {
    line: u32,
    why: String,
}

struct Reader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    first_line: u32,
    last_line: u32,
    fields: Fields,
}

/// A node, without its children.
enum Node {
    Scalar(String),
    List,
    Map,
    Alias,
    End,
}

impl Reader<'_> {
    fn line(&self, line_in_text: usize) -> u32 {
        let before = u32::try_from(line_in_text.saturating_sub(1)).unwrap_or(u32::MAX);
        self.first_line.saturating_add(before)
    }

    fn stop_for(&self, error: &ScanError) -> Stop {
        // What is not closed is missed only behind the end.
        let line = self.line(error.marker().line()).min(self.last_line);
        Stop { line, why: format!("{} ({HINT})", error.info()) }
    }

    fn event(&mut self) -> Result<Option<(Event<'_>, Span)>, Stop> {
        match self.parser.next_event() {
            None => Ok(None),
            Some(Ok(event)) => Ok(Some(event)),
            Some(Err(error)) => Err(self.stop_for(&error)),
        }
    }

    fn document(&mut self) -> Result<(), Stop> {
        loop {
            let first_line = self.first_line;
            match self.event()? {
                None | Some((Event::StreamEnd, _)) => return Ok(()),
                Some((Event::StreamStart | Event::DocumentStart(_) | Event::Nothing, _)) => {}
                Some((Event::MappingStart(anchor, tag), span)) => {
                    let (plain, line) = (anchor == 0 && tag.is_none(), span.start.line());
                    if !plain {
                        let line = self.line(line);
                        self.unsupported(line);
                    }
                    break;
                }
                Some((_, span)) => {
                    let line = first_line + u32::try_from(span.start.line()).unwrap_or(1) - 1;
                    let why = "it must be lines of the form `name: value`".to_owned();
                    return Err(Stop { line, why });
                }
            }
        }
        self.top()?;
        loop {
            match self.event()? {
                None | Some((Event::StreamEnd, _)) => return Ok(()),
                Some((Event::DocumentEnd | Event::Nothing, _)) => {}
                Some((_, span)) => {
                    let line = self.line(span.start.line());
                    let why = "it holds more than one document".to_owned();
                    return Err(Stop { line, why });
                }
            }
        }
    }

    fn top(&mut self) -> Result<(), Stop> {
        loop {
            let (node, line) = self.node()?;
            let name = match node {
                Node::End => return Ok(()),
                Node::Scalar(name) => name,
                Node::List | Node::Map | Node::Alias => {
                    self.skip(&node)?;
                    self.fields.find(line, wrong_type("a name", "not a text", "a text"));
                    let (value, _) = self.node()?;
                    self.skip(&value)?;
                    continue;
                }
            };
            let (node, _) = self.node()?;
            let value = match node {
                Node::Scalar(text) => Value::Text(text),
                Node::List => Value::List(self.list(&name)?),
                Node::Map => Value::Map(self.map(&name)?),
                // Told already, as unsupported.
                Node::Alias | Node::End => continue,
            };
            self.fields.add(Field { name, line, value });
        }
    }

    fn list(&mut self, name: &str) -> Result<Vec<Text>, Stop> {
        let mut items = Vec::new();
        loop {
            match self.node()? {
                (Node::End, _) => return Ok(items),
                (Node::Scalar(text), line) => items.push(Text { text, line }),
                (node, line) => {
                    self.skip(&node)?;
                    let fault = wrong_type(name, "a list of lists or maps", "a list of texts");
                    self.fields.find(line, fault);
                }
            }
        }
    }

    fn map(&mut self, name: &str) -> Result<Vec<Pair>, Stop> {
        let mut pairs: Vec<Pair> = Vec::new();
        loop {
            let (key_node, line) = self.node()?;
            if matches!(key_node, Node::End) {
                return Ok(pairs);
            }
            self.skip(&key_node)?;
            let (value_node, _) = self.node()?;
            self.skip(&value_node)?;
            let (Node::Scalar(key), Node::Scalar(text)) = (key_node, value_node) else {
                let fault = wrong_type(name, "a map of lists or maps", "a map of texts");
                self.fields.find(line, fault);
                continue;
            };
            match pairs.iter().find(|pair| pair.key == key) {
                Some(first) => {
                    let fault = duplicate(&format!("{name}.{key}"), first.line);
                    self.fields.find(line, fault);
                }
                None => pairs.push(Pair { key, text, line }),
            }
        }
    }

    /// Reads over the children of a node that can't be used.
    fn skip(&mut self, node: &Node) -> Result<(), Stop> {
        let mut depth = usize::from(matches!(node, Node::List | Node::Map));
        while depth > 0 {
            match self.node()?.0 {
                Node::List | Node::Map => depth += 1,
                Node::End => depth -= 1,
                Node::Scalar(_) | Node::Alias => {}
            }
        }
        Ok(())
    }

    /// The next node and its line. What YAML has beyond plain values is told here, once
    /// for all places.
    fn node(&mut self) -> Result<(Node, u32), Stop> {
        loop {
            let Some((event, span)) = self.event()? else { return Ok((Node::End, 1)) };
            let (node, special) = match event {
                Event::Scalar(text, _, anchor, tag) => {
                    (Node::Scalar(text.into_owned()), anchor != 0 || tag.is_some())
                }
                Event::SequenceStart(anchor, tag) => (Node::List, anchor != 0 || tag.is_some()),
                Event::MappingStart(anchor, tag) => (Node::Map, anchor != 0 || tag.is_some()),
                Event::Alias(_) => (Node::Alias, true),
                Event::SequenceEnd | Event::MappingEnd | Event::StreamEnd => (Node::End, false),
                Event::Nothing
                | Event::StreamStart
                | Event::DocumentStart(_)
                | Event::DocumentEnd => continue,
            };
            let line = self.line(span.start.line());
            if special {
                self.unsupported(line);
            }
            return Ok((node, line));
        }
    }

    fn unsupported(&mut self, line: u32) {
        let message = format!(
            "YAML anchors ({}), aliases ({}) and tags ({}) are not read: write the value out, or \
             put it in quotes if it is meant as text",
            quoted("&x"),
            quoted("*x"),
            quoted("!x")
        );
        self.fields.find(line, Fault::new("yaml_unsupported", message));
    }
}
