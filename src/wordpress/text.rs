//! Text that a site sent, made safe to show.
//!
//! Absent from here: what the text means. The one rule: no message, record or report
//! holds server text that has not been through [`clean`], because a control character
//! or a change of writing direction can forge what a person (or an agent) reads.

/// Characters of server text that a message shows; a plugin's error fits, a page does
/// not.
pub(crate) const SHOWN_CHARS_MAX: usize = 300;

/// The text on one line, without control characters (C0, C1), changes of writing
/// direction and invisible characters, at most [`SHOWN_CHARS_MAX`] characters.
pub(crate) fn clean(text: &str) -> String {
    clean_to(text, SHOWN_CHARS_MAX)
}

/// As [`clean`], with another limit.
pub(crate) fn clean_to(text: &str, chars_max: usize) -> String {
    let mut out = String::new();
    let mut count = 0;
    for character in text.chars() {
        let character = if is_unsafe(character) { ' ' } else { character };
        if character == ' ' && (out.is_empty() || out.ends_with(' ')) {
            continue;
        }
        if count == chars_max {
            out.push('…');
            break;
        }
        out.push(character);
        count += 1;
    }
    out.truncate(out.trim_end().len());
    out
}

fn is_unsafe(character: char) -> bool {
    character.is_control()
        || character.is_whitespace()
        || matches!(character,
            '\u{061c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_and_direction_overrides_never_reach_a_message() {
        let nasty = "a\u{1b}[31mb\u{9b}c\u{202e}d\u{2066}e\u{200f}f\r\n\tg\u{feff}h\0";
        assert_eq!(clean(nasty), "a [31mb c d e f g h");
    }

    #[test]
    fn long_text_is_cut_at_a_character() {
        assert_eq!(clean_to(&"写".repeat(9), 4), "写写写写…");
        assert_eq!(clean_to("abcd", 4), "abcd");
    }
}
