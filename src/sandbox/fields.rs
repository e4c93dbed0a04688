//! The fields of a create or change: which don't fit, and what dates mean.
//!
//! The one rule: what is refused here is refused before anything is stored.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::Offset;
use serde_json::Value;

use super::checks::plain;
use super::post::{Post, PostKind, Status};
use super::reply::{WITHOUT_DETAILS, Wrong};
use super::rest::Ask;
use super::world::{local, utc};

/// Statuses that a request may give.
const STATUSES: &[&str] = &["publish", "future", "draft", "pending", "private"];
const FORMATS: &[&str] =
    &["standard", "aside", "chat", "gallery", "link", "image", "quote", "status", "video", "audio"];
const OPEN_CLOSED: &[&str] = &["open", "closed"];

pub(super) fn wrong_fields(ask: &Ask<'_>, kind: PostKind) -> Vec<Wrong> {
    let params = &ask.params;
    let post = kind == PostKind::Post;
    let file = kind == PostKind::Attachment;
    let written = !file;
    let having = |part: &str, wrong: Option<Wrong>| wrong.filter(|_| kind.has(part));
    let format = if post { params.not_one_of("format", FORMATS) } else { None };
    let checked = [
        params.not_moment("date"),
        params.not_moment("date_gmt"),
        params.not_text("slug"),
        params.not_one_of("status", STATUSES),
        written.then(|| params.not_text("password")).flatten(),
        having("author", params.not_whole("author")),
        having("thumbnail", params.not_whole("featured_media")),
        having("comments", params.not_one_of("comment_status", OPEN_CLOSED)),
        having("comments", params.not_one_of("ping_status", OPEN_CLOSED)),
        format,
        wrong_meta(ask).filter(|_| kind != PostKind::Chapter),
        post.then(|| params.not_switch("sticky")).flatten(),
        written.then(|| wrong_template(ask)).flatten(),
        post.then(|| params.not_ids("categories")).flatten(),
        post.then(|| params.not_ids("tags")).flatten(),
        params.not_whole("parent").filter(|_| kind.has_parents()),
        having("page-attributes", params.not_whole("menu_order")),
        file.then(|| params.not_text("alt_text")).flatten(),
        file.then(|| params.not_whole("post")).flatten(),
    ];
    checked.into_iter().flatten().collect()
}

fn wrong_template(ask: &Ask<'_>) -> Option<Wrong> {
    ask.params.text("template").filter(|name| !name.is_empty())?;
    Some(plain("template", "rest_invalid_param", "template is not one of .".to_owned()))
}

fn wrong_meta(ask: &Ask<'_>) -> Option<Wrong> {
    let meta = ask.params.get("meta")?;
    let (name, message) = ("meta".to_owned(), "Invalid parameter.".to_owned());
    let wrong = Wrong { name, code: WITHOUT_DETAILS, message, data: Value::Null };
    (!meta.is_object()).then_some(wrong)
}

/// Sets both dates from whichever came; `date` is the site's time (facts §3). `null`
/// takes a date away, and the row floats again.
pub(super) fn set_dates(ask: &Ask<'_>, post: &mut Post) {
    if let Some((there, gmt)) = ask.params.text("date").and_then(|text| site_date(&text)) {
        post.date = there;
        post.date_gmt = Some(gmt);
    } else if let Some(text) = ask.params.text("date_gmt") {
        let text = if text.ends_with('Z') { text } else { format!("{text}Z") };
        if let Some((there, gmt)) = site_date(&text) {
            post.date = there;
            post.date_gmt = Some(gmt);
        }
    } else if ask.params.is_null("date") || ask.params.is_null("date_gmt") {
        post.date = local(ask.now);
        let floats = matches!(post.status, Status::Draft | Status::Pending);
        post.date_gmt = (!floats).then(|| utc(ask.now));
    }
}

/// A date of a request: the site's time, and UTC.
///
/// Day and time must both be there; a 30th of February is the 1st or 2nd of March.
pub(super) fn site_date(text: &str) -> Option<(String, String)> {
    let (day, rest) = text.split_at_checked(10)?;
    let time = rest.strip_prefix(['T', 't', ' '])?;
    let (time, zone) = time.split_at_checked(8)?;
    let zone = match zone.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => zone,
    };
    let time: Time = time.parse().ok()?;
    let there = DateTime::from_parts(rolled_over(day)?, time);
    if zone.is_empty() {
        let there = there.strftime("%Y-%m-%dT%H:%M:%S").to_string();
        let gmt = super::view::gmt_of(&there);
        return Some((there, gmt));
    }
    let moment = offset(zone)?.to_timestamp(there).ok()?;
    Some((local(moment), utc(moment)))
}

/// `2020-02-30` is `2020-03-01`.
fn rolled_over(day: &str) -> Option<Date> {
    let mut numbers = day.split('-').map(|number| number.parse::<i16>().ok());
    let (year, month, day) = (numbers.next()??, numbers.next()??, numbers.next()??);
    let month = i8::try_from(month).ok()?;
    let first = Date::new(year, month, 1).ok()?;
    let days = (1..=31).contains(&day).then_some(day - 1)?;
    first.checked_add(jiff::Span::new().days(days)).ok()
}

/// `Z`, `+02` or `+02:00`.
fn offset(zone: &str) -> Option<Offset> {
    if zone == "Z" {
        return Some(Offset::UTC);
    }
    let (sign, hours) = match (zone.strip_prefix('+'), zone.strip_prefix('-')) {
        (Some(hours), _) => (1, hours),
        (None, Some(hours)) => (-1, hours),
        (None, None) => return None,
    };
    let (hours, minutes) = hours.split_once(':').unwrap_or((hours, "00"));
    let number = |text: &str| if text.len() == 2 { text.parse::<i32>().ok() } else { None };
    Offset::from_seconds(sign * (number(hours)? * 3600 + number(minutes)? * 60)).ok()
}
