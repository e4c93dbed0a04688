//! The letters that WordPress replaces by plain ones.
//!
//! Absent from here: marks that follow a letter without making one character with
//! it. The one rule: the table holds what `remove_accents` of 7.1 was seen to do to
//! each character of Unicode (`scripts/lab.d/slug-table.php`, mode `accents`).
//!
//! How sites differ: `Ə` and `ǝ` stay in 6.1. Sites in German write `ae`, `oe`,
//! `ue`, `ss` for `ä`, `ö`, `ü`, `ß` (7.1 also `SS` for `ẞ`), Danish ones `ae`,
//! `oe`, `aa` for `æ`, `ø`, `å`, Serbian and Bosnian ones `dj` for `đ`, Catalan ones
//! `ll` for `l·l`. All of these but `ẞ` and `l·l` change everywhere.

use unicode_normalization::UnicodeNormalization as _;

/// A replacement, and the characters it replaces.
const ACCENTS: &[(&str, &str)] = &[
    ("A", "ÀÁÂÃÄÅĀĂĄǍẠẢẤẦẨẪẬẮẰẲẴẶ"),
    ("a", "ªàáâãäåāăąǎɑạảấầẩẫậắằẳẵặ"),
    ("AE", "Æ"),
    ("ae", "æ"),
    ("C", "ÇĆĈĊČ"),
    ("c", "çćĉċč"),
    ("D", "ÐĎĐ"),
    ("d", "ðďđ"),
    ("E", "ÈÉÊËĒĔĖĘĚƏẸẺẼẾỀỂỄỆ€"),
    ("e", "èéêëēĕėęěǝẹẻẽếềểễệ"),
    ("G", "ĜĞĠĢ"),
    ("g", "ĝğġģ"),
    ("H", "ĤĦ"),
    ("h", "ĥħ"),
    ("I", "ÌÍÎÏĨĪĬĮİǏỈỊ"),
    ("i", "ìíîïĩīĭįıǐỉị"),
    ("IJ", "Ĳ"),
    ("ij", "ĳ"),
    ("J", "Ĵ"),
    ("j", "ĵ"),
    ("K", "Ķ"),
    ("k", "ķĸ"),
    ("L", "ĹĻĽĿŁ"),
    ("l", "ĺļľŀł"),
    ("N", "ÑŃŅŇŊ"),
    ("n", "ñńņňŉŋ"),
    ("O", "ÒÓÔÕÖØŌŎŐƠǑỌỎỐỒỔỖỘỚỜỞỠỢ"),
    ("o", "ºòóôõöøōŏőơǒọỏốồổỗộớờởỡợ"),
    ("OE", "Œ"),
    ("oe", "œ"),
    ("R", "ŔŖŘ"),
    ("r", "ŕŗř"),
    ("S", "ŚŜŞŠȘ"),
    ("s", "ßśŝşšſș"),
    ("T", "ŢŤŦȚ"),
    ("t", "ţťŧț"),
    ("TH", "Þ"),
    ("th", "þ"),
    ("U", "ÙÚÛÜŨŪŬŮŰŲƯǓǕǗǙǛỤỦỨỪỬỮỰ"),
    ("u", "ùúûüũūŭůűųưǔǖǘǚǜụủứừửữự"),
    ("W", "Ŵ"),
    ("w", "ŵ"),
    ("Y", "ÝŶŸỲỴỶỸ"),
    ("y", "ýÿŷỳỵỷỹ"),
    ("Z", "ŹŻŽ"),
    ("z", "źżž"),
    ("", "£"),
];

/// The last character of the table: whole scripts need no search.
const LAST: char = '\u{20ac}';

/// What WordPress writes for this character, where it is not kept.
pub(super) fn replacement(character: char) -> Option<&'static str> {
    if character.is_ascii() || character > LAST {
        return None;
    }
    ACCENTS.iter().find(|(_, from)| from.contains(character)).map(|(to, _)| *to)
}

/// The text composed (NFC), each accented letter replaced.
pub(crate) fn removed(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    text.nfc().fold(String::with_capacity(text.len()), |mut out, character| {
        match replacement(character) {
            Some(plain) => out.push_str(plain),
            None => out.push(character),
        }
        out
    })
}
