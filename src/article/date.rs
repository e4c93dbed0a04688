//! The date of an article.
//!
//! Absent from here: the site's time zone. The rule to keep: a date that does not say
//! its offset is refused, because every guess is wrong for somebody by hours (FM-04).

use jiff::Timestamp;

use super::fault::{Fault, quoted};

/// A moment, with the offset in which its author gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArticleDate {
    text: String,
    timestamp: Timestamp,
}

impl ArticleDate {
    /// RFC 3339 with the offset the author wrote, such as `2026-04-01T09:00:00+09:00`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The moment.
    #[must_use]
    pub fn timestamp(&self) -> Timestamp {
        self.timestamp
    }

    /// Reads RFC 3339: `2026-04-01T09:00:00+09:00`, the `T` may be a blank (as in TOML).
    pub(super) fn parse(written: &str) -> Result<Self, Fault> {
        let text = written.trim();
        let invalid = || {
            let message =
                format!("{} is not a date: write it like 2026-04-01T09:00:00+09:00", quoted(text));
            Fault::new("date_invalid", message)
        };
        if !text.is_ascii() || text.len() < 10 {
            return Err(invalid());
        }
        let (date, rest) = text.split_at(10);
        if !fits(date, "dddd-dd-dd") {
            return Err(invalid());
        }
        let time = match rest.as_bytes() {
            [] => return Err(without_offset(text, date, "00:00:00")),
            [b'T' | b't' | b' ', ..] if rest.len() > 8 => &rest[1..9],
            _ => return Err(invalid()),
        };
        if !fits(time, "dd:dd:dd") {
            return Err(invalid());
        }
        let fraction_and_offset = &rest[9..];
        let offset = fraction_and_offset
            .strip_prefix('.')
            .map_or(fraction_and_offset, |f| f.trim_start_matches(|c: char| c.is_ascii_digit()));
        let fraction = &fraction_and_offset[..fraction_and_offset.len() - offset.len()];
        if fraction == "." {
            return Err(invalid());
        }
        let offset = match offset {
            "" => return Err(without_offset(text, date, time)),
            "Z" | "z" => "Z",
            offset if fits(&offset[1..], "dd:dd") && offset.starts_with(['+', '-']) => offset,
            _ => return Err(invalid()),
        };
        let text = format!("{date}T{time}{fraction}{offset}");
        let timestamp = text.parse().map_err(|_| invalid())?;
        Ok(Self { text, timestamp })
    }
}

fn without_offset(written: &str, date: &str, time: &str) -> Fault {
    let message = format!(
        "{} does not say in which time zone: write {date}T{time}+09:00 with your own offset, or \
         {date}T{time}Z for UTC",
        quoted(written)
    );
    Fault::new("date_without_offset", message)
}

/// Whether the text has this shape, where `d` is a digit.
fn fits(text: &str, shape: &str) -> bool {
    text.len() == shape.len()
        && text.bytes().zip(shape.bytes()).all(|(byte, wanted)| match wanted {
            b'd' => byte.is_ascii_digit(),
            other => byte == other,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        let ok = |text: &str| ArticleDate::parse(text).map(|date| date.text).unwrap();
        assert_eq!(ok("2026-04-01T09:00:00+09:00"), "2026-04-01T09:00:00+09:00");
        assert_eq!(ok("2026-04-01 09:00:00.25z"), "2026-04-01T09:00:00.25Z");
        let parsed = ArticleDate::parse("2026-04-01T09:00:00+09:00").unwrap();
        assert_eq!(parsed.timestamp().to_string(), "2026-04-01T00:00:00Z");

        let code = |text: &str| ArticleDate::parse(text).unwrap_err().code;
        for text in ["2021-04-01", "2018-09-19 15:19:29", "2018-09-19T15:19:29.5"] {
            assert_eq!(code(text), "date_without_offset", "{text}");
        }
        for text in [
            "",
            "tomorrow",
            "2018-11-20 16:33 +0100",
            "2024-01-01 00:00:00 -5",
            "2024-13-01T00:00:00Z",
            "2024-02-30T00:00:00Z",
            "2024-01-01T25:00:00Z",
            "2024-01-01T00:00:00+0900",
            "2024-01-01T00:00:00.Z",
            "２０２４-01-01",
            "2024-01-01T",
            "2024-01-01T00:00:00é",
        ] {
            assert_eq!(code(text), "date_invalid", "{text}");
        }
    }
}
