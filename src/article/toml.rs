//! TOML front matter and sidecars.
//!
//! Absent from here: TOML's types. The rule to keep: a value that is no string is taken
//! as its text in the file, so that both notations mean the same.

use toml_edit::{Document, Item, Key, Table, TableLike, Value as TomlValue};

use super::fault::{Fault, quoted};
use super::fields::{Field, Fields, Pair, Text, Value, line_at, wrong_type};

/// Reads TOML whose first line is `first_line` of its file.
pub(super) fn read(text: &str, first_line: u32) -> Fields {
    let mut fields = Fields::default();
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => {
            let offset = error.span().map_or(text.len(), |span| span.start);
            let line = line_at(text, offset, first_line);
            if error.message().starts_with("duplicate key") {
                // TOML stops here, so what follows is not known either.
                let name = error.span().and_then(|span| text.get(span)).unwrap_or("a name");
                let message = format!("{} is given twice", quoted(name));
                fields.find(line, Fault::new("field_duplicate", message));
                fields.unreadable = true;
            } else {
                fields.break_off(line, &error.message().replace('\n', " "));
            }
            return fields;
        }
    };
    Reader { text, first_line, fields: &mut fields }.top(document.as_table());
    fields
}

struct Reader<'t> {
    text: &'t str,
    first_line: u32,
    fields: &'t mut Fields,
}

impl Reader<'_> {
    fn top(&mut self, table: &Table) {
        for (name, item) in table {
            let line = self.key_line(table.key(name), item);
            let value = match item {
                Item::None => continue,
                Item::Table(table) => Value::Map(self.map(name, table)),
                Item::Value(TomlValue::InlineTable(table)) => Value::Map(self.map(name, table)),
                Item::Value(TomlValue::Array(array)) => {
                    let mut items = Vec::new();
                    for item in array {
                        let line = self.value_line(item, line);
                        if let Some(text) = self.scalar(item) {
                            items.push(Text { text, line });
                        } else {
                            let is = "a list of lists or maps";
                            self.fields.find(line, wrong_type(name, is, "a list of texts"));
                        }
                    }
                    Value::List(items)
                }
                Item::Value(value) => match self.scalar(value) {
                    Some(text) => Value::Text(text),
                    None => continue,
                },
                Item::ArrayOfTables(_) => {
                    self.fields.find(line, wrong_type(name, "a list of maps", "a text"));
                    continue;
                }
            };
            self.fields.add(Field { name: name.to_owned(), line, value });
        }
    }

    fn map(&mut self, name: &str, table: &dyn TableLike) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (key, item) in table.iter() {
            let line = self.key_line(table.key(key), item);
            if let Some(text) = item.as_value().and_then(|value| self.scalar(value)) {
                pairs.push(Pair { key: key.to_owned(), text, line });
            } else {
                let is = "a map of lists or maps";
                self.fields.find(line, wrong_type(name, is, "a map of texts"));
            }
        }
        pairs
    }

    /// The text of a value that is neither a list nor a map.
    fn scalar(&self, value: &TomlValue) -> Option<String> {
        match value {
            TomlValue::String(text) => Some(text.value().clone()),
            TomlValue::Array(_) | TomlValue::InlineTable(_) => None,
            other => other.span().and_then(|span| self.text.get(span)).map(str::to_owned),
        }
    }

    fn key_line(&self, key: Option<&Key>, item: &Item) -> u32 {
        let span = key.and_then(Key::span).or_else(|| item.span());
        line_at(self.text, span.map_or(0, |span| span.start), self.first_line)
    }

    fn value_line(&self, value: &TomlValue, otherwise: u32) -> u32 {
        value.span().map_or(otherwise, |span| line_at(self.text, span.start, self.first_line))
    }
}
