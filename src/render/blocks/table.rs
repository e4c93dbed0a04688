//! The block of a table.
//!
//! Absent from here: tables with cells that rich text can't hold; those are HTML. The
//! rule to keep: columns are as wide as their content, which the editor of 6.1 takes for
//! the normal case and later ones must be told.

use std::fmt::{self, Write};

use comrak::nodes::{AstNode, NodeValue, TableAlignment};

use super::{Writer, begin, end};

/// Writes a part of a table.
pub(super) fn table<'a>(
    context: &mut Writer<'_, '_>,
    node: &'a AstNode<'a>,
    entering: bool,
) -> fmt::Result {
    match (&node.data().value, entering) {
        (NodeValue::Table(_), true) => {
            begin(context, node, "table", r#"{"hasFixedLayout":false}"#)?;
            context.write_str("<figure class=\"wp-block-table\"><table>")
        }
        (NodeValue::Table(_), false) => {
            context.write_str("</table></figure>")?;
            end(context, "table")
        }
        (NodeValue::TableRow(is_header), true) => {
            context.user.blocks.cell = 0;
            context.write_str(match (is_header, follows_row(node)) {
                (true, _) => "<thead><tr>",
                (false, true) => "<tr>",
                (false, false) => "<tbody><tr>",
            })
        }
        (NodeValue::TableRow(is_header), false) => {
            context.write_str(match (is_header, node.next_sibling().is_some()) {
                (true, _) => "</tr></thead>",
                (false, true) => "</tr>",
                (false, false) => "</tr></tbody>",
            })
        }
        (NodeValue::TableCell, true) => {
            context.user.record(node);
            let alignment = match alignment(node, context.user.blocks.cell) {
                Some(name) => format!(" class=\"has-text-align-{name}\" data-align=\"{name}\""),
                None => String::new(),
            };
            context.user.blocks.cell += 1;
            write!(context, "<{}{alignment}>", cell_tag(node))
        }
        (NodeValue::TableCell, false) => write!(context, "</{}>", cell_tag(node)),
        _ => Ok(()),
    }
}

/// Whether another row of the table's body goes before this one.
fn follows_row<'a>(row: &'a AstNode<'a>) -> bool {
    row.previous_sibling()
        .is_some_and(|before| matches!(before.data().value, NodeValue::TableRow(false)))
}

fn cell_tag<'a>(cell: &'a AstNode<'a>) -> &'static str {
    let in_header =
        cell.parent().is_some_and(|row| matches!(row.data().value, NodeValue::TableRow(true)));
    if in_header { "th" } else { "td" }
}

fn alignment<'a>(cell: &'a AstNode<'a>, index: usize) -> Option<&'static str> {
    let table = cell.parent()?.parent()?;
    let data = table.data();
    let NodeValue::Table(table) = &data.value else { return None };
    match table.alignments.get(index)? {
        TableAlignment::None => None,
        TableAlignment::Left => Some("left"),
        TableAlignment::Center => Some("center"),
        TableAlignment::Right => Some("right"),
    }
}
