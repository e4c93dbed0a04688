//! The addresses in a `srcset`.
//!
//! Absent from here: what they point at. The rule to keep: the list is taken apart as
//! the HTML standard says ("parse a srcset attribute"), because browsers do: an address
//! ends at a blank and not at a comma, and commas in brackets belong to a descriptor.

use std::ops::Range;

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)
}

/// Where each candidate's address stands. Descriptors are passed over: a browser drops a
/// candidate whose descriptor is wrong, and a local path in it is local all the same.
pub(super) fn addresses(srcset: &str) -> Vec<Range<usize>> {
    let bytes = srcset.as_bytes();
    let skip = |from: usize, skipped: &dyn Fn(u8) -> bool| {
        bytes.iter().skip(from).position(|b| !skipped(*b)).map_or(bytes.len(), |n| from + n)
    };
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        let start = skip(at, &|b| is_blank(b) || b == b',');
        if start == bytes.len() {
            return found;
        }
        let end = skip(start, &|b| !is_blank(b));
        let address = srcset.get(start..end).unwrap_or_default().trim_end_matches(',');
        found.push(start..start + address.len());
        at = if start + address.len() == end { descriptors_end(bytes, end) } else { end };
    }
}

/// The comma behind the descriptors that begin here, or the end.
fn descriptors_end(bytes: &[u8], from: usize) -> usize {
    let mut in_brackets = false;
    for (at, byte) in bytes.iter().enumerate().skip(from) {
        match byte {
            b'(' => in_brackets = true,
            b')' => in_brackets = false,
            b',' if !in_brackets => return at,
            _ => {}
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(srcset: &str) -> Vec<&str> {
        addresses(srcset).into_iter().map(|range| &srcset[range]).collect()
    }

    #[test]
    fn candidates_as_the_standard_reads_them() {
        for (srcset, expected) in [
            ("", &[][..]),
            (" , ,\n", &[]),
            ("a.png", &["a.png"]),
            ("a.png 1x, b.png 2x", &["a.png", "b.png"]),
            ("a.png, b.png 100w", &["a.png", "b.png"]),
            ("\n a.png 1x,\tb.png\r\n2x ", &["a.png", "b.png"]),
            // A comma in an address is a part of it, unless it ends it.
            ("a,b.png 1x,c.png", &["a,b.png", "c.png"]),
            ("a.png,b.png", &["a.png,b.png"]),
            ("a.png,,, b.png", &["a.png", "b.png"]),
            (",a.png", &["a.png"]),
            ("data:image/png;base64,AA== 1x, b.png 2x", &["data:image/png;base64,AA==", "b.png"]),
            ("a.png type(x, y) 1x, b.png", &["a.png", "b.png"]),
            ("写真.png 1x, é.png 2x", &["写真.png", "é.png"]),
        ] {
            assert_eq!(found(srcset), expected, "{srcset:?}");
        }
    }

    proptest! {
        #[test]
        fn addresses_are_in_order_and_hold_no_blank(srcset in "[a,( )\\t\\n1x写]{0,40}") {
            let mut end = 0;
            for range in addresses(&srcset) {
                prop_assert!(range.start >= end && range.end > range.start);
                let address = &srcset[range.clone()];
                prop_assert!(!address.bytes().any(is_blank), "{address:?}");
                prop_assert!(!address.starts_with(',') && !address.ends_with(','));
                end = range.end;
            }
        }
    }
}
