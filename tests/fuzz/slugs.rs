//! Slugs: what is accepted is what WordPress stores, and what is stored has its form.
//!
//! Absent from here: what real sites answered (`src/article/slug/tests.rs`). The one rule:
//! the form is judged byte by byte, without the code's own idea of it.

use std::cell::Cell;

use oncepress::article::slug::{lint, numbered_form, stored_form, trashed_form};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::fuzzing::fuzz;

/// Texts of what slugs are made of and of what troubles them.
fn any_slug() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => "[a-z0-9]{1,12}",
        2 => Just("-".to_owned()),
        2 => any::<char>().prop_map(String::from),
        3 => "[ぁ-ゖァ-ヺ一-龠가-힣а-яא-ת]{1,9}",
        1 => "[ -~]{1,3}",
        1 => "(%[0-9a-fA-F]{2}){1,4}",
        1 => select(vec![
            "か\u{3099}", "e\u{301}", "İ", "ẞ", "l·l", "\u{2011}", "&amp;", "<b>", "feed", "page2",
            "__trashed", "\u{200d}", "%", "%e5%86", "😀", "\u{fffd}", "..", "  ",
        ]).prop_map(str::to_owned),
    ];
    prop_oneof![
        4 => vec(piece.clone(), 0..5).prop_map(|pieces| pieces.concat()),
        1 => vec(piece, 20..50).prop_map(|pieces| pieces.concat()),
        1 => "[a-z]{180,215}",
        1 => "[一-龠]{20,25}[a-z]{0,20}",
    ]
}

/// At most 200 bytes of `a-z 0-9 - _` and octets, with no hyphen where none may be.
fn has_stored_form(stored: &str) -> bool {
    let plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_%".contains(&byte);
    stored.len() <= 200
        && stored.bytes().all(plain)
        && !stored.starts_with('-')
        && !stored.ends_with('-')
        && !stored.contains("--")
}

/// Whether every percent sign begins an octet in lower case, and the octets are UTF-8.
fn has_whole_octets(stored: &str) -> bool {
    let mut bytes = Vec::new();
    let mut rest = stored.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let Some((hex, after)) = rest.split_at_checked(2) else { return false };
        let text = std::str::from_utf8(hex).unwrap_or_default();
        if text.to_ascii_lowercase() != text {
            return false;
        }
        let Ok(byte) = u8::from_str_radix(text, 16) else { return false };
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8(bytes).is_ok()
}

#[test]
fn an_accepted_slug_is_the_stored_one_and_every_stored_one_has_its_form() {
    let accepted = Cell::new(0_u32);
    fuzz("slugs", 2_000, &(any_slug(), 2..20_000_u32), |(text, number)| {
        let stored = stored_form(&text);
        prop_assert!(has_stored_form(&stored), "{stored}");
        match lint(&text) {
            Ok(slug) => {
                accepted.set(accepted.get() + 1);
                prop_assert_eq!(slug.stored(), &stored);
                prop_assert!(has_whole_octets(&stored), "{stored}");
                prop_assert_eq!(stored_form(&stored), stored.clone(), "not idempotent");
                prop_assert_eq!(lint(&stored), Ok(slug.clone()));
                let readable = slug.readable();
                prop_assert_eq!(lint(&readable), Ok(slug.clone()));
                for form in [numbered_form(&slug, number), trashed_form(&slug)] {
                    prop_assert!(has_stored_form(&form) && has_whole_octets(&form), "{form}");
                    prop_assert_ne!(&form, &stored);
                }
            }
            Err(problem) => {
                prop_assert!(!problem.message.is_empty() && !problem.message.contains('\n'));
                if let Some(proposal) = problem.proposal {
                    prop_assert!(lint(&proposal).is_ok(), "{proposal}");
                    prop_assert_ne!(proposal, text);
                }
            }
        }
        Ok(())
    });
    assert!(accepted.get() > 200, "{accepted:?}");
}
