//! Each field in which a stored post can differ from what was sent, and what is shown.
//!
//! Absent from here: what WordPress does to texts (`projecting`). The one rule: a row
//! names every difference that it has, in the words that a person sees.

use serde_json::{Value, json};

use super::super::differences::{differences, says_the_same};
use super::super::stored::StoredPost;
use super::support::{fields, slug};
use crate::names::{AttachmentId, PostId, PostType, TermId, UserId};
use crate::protocol::kinds::{ContentFilter, MetaValue, PostFields};

/// All that can be sent.
fn sent() -> PostFields {
    let term = |id| TermId::new(id).expect("above zero");
    PostFields {
        excerpt: Some(" Short, 10 < 20 ".to_owned()),
        categories: vec![term(3), term(5)],
        tags: vec![term(9)],
        featured_media: AttachmentId::new(7),
        date: Some("2026-04-01T09:00:00+09:00".parse().expect("a time")),
        author: UserId::new(2),
        template: Some("wide.php".to_owned()),
        format: Some("aside".to_owned()),
        comment_status: Some("closed".to_owned()),
        parent: PostId::new(12),
        meta: vec![
            ("a".to_owned(), MetaValue::Text("1".to_owned())),
            ("b".to_owned(), MetaValue::Text("x".to_owned())),
        ],
        ..fields("<p>Ten letters and ten more</p>")
    }
}

/// The post that says all of it.
fn stored() -> Value {
    json!({
        "id": 42, "slug": "x", "status": "draft", "type": "post", "link": "https://h/?p=42",
        "title": {"raw": "A title"}, "content": {"raw": "<p>Ten letters and ten more</p>"},
        "excerpt": {"raw": "Short, 10 < 20"}, "categories": [5, 3], "tags": [9],
        "featured_media": 7, "date_gmt": "2026-04-01T00:00:00", "author": 2,
        "template": "wide.php", "format": "aside", "comment_status": "closed",
        "parent": 12, "meta": {"a": "1", "b": "x", "foreign": 1},
    })
}

fn said(sent: &PostFields, stored: Value) -> Vec<String> {
    let stored = StoredPost::read(stored, PostType::Post).expect("a post");
    let found = differences(&slug("x"), sent, &stored);
    found.iter().map(|d| format!("{}: {:?}, {:?}", d.field.code(), d.sent, d.stored)).collect()
}

#[test]
fn every_field_that_was_sent_is_compared() {
    let long = format!("<p>Ten letters and {}</p>", "z".repeat(200));
    let cut = format!("<p>Ten letters and {}…", "z".repeat(101));
    let rows: [(&str, Value, &str); 23] = [
        ("slug", json!("x-2"), r#"slug_changed: "x", "x-2""#),
        ("status", json!("pending"), r#"status_changed: "draft", "pending""#),
        ("title", json!({"raw": "A tale"}), r#"title_changed: "A title", "A tale""#),
        ("title", Value::Null, r#"title_changed: "A title", "(not told)""#),
        (
            "content",
            json!({"raw": "<p>Other</p>"}),
            r#"content_changed: "<p>Ten letters and ten more</p>", "<p>Other</p>""#,
        ),
        (
            "content",
            json!({"raw": "<p>Ten letters and ten</p>"}),
            r#"content_changed: "…>Ten letters and ten more</p>", "…>Ten letters and ten</p>""#,
        ),
        (
            "content",
            Value::Null,
            r#"content_changed: "<p>Ten letters and ten more</p>", "(not told)""#,
        ),
        ("excerpt", json!({"raw": "Shirt"}), r#"excerpt_changed: "Short, 10 < 20", "Shirt""#),
        ("excerpt", Value::Null, r#"excerpt_changed: "Short, 10 < 20", "(not told)""#),
        ("categories", json!([3]), r#"categories_dropped: "3, 5", "3""#),
        ("categories", json!([3, 5, 6]), r#"categories_dropped: "3, 5", "3, 5, 6""#),
        ("categories", Value::Null, r#"categories_dropped: "3, 5", """#),
        ("tags", json!([]), r#"tags_dropped: "9", """#),
        ("featured_media", json!(0), r#"featured_image_dropped: "7", "0""#),
        (
            "date_gmt",
            json!("2026-04-01T09:00:00"),
            r#"date_changed: "2026-04-01T00:00:00", "2026-04-01T09:00:00""#,
        ),
        ("author", json!(3), r#"author_changed: "2", "3""#),
        ("template", json!(""), r#"template_changed: "wide.php", """#),
        ("format", Value::Null, r#"format_changed: "aside", """#),
        ("comment_status", json!("open"), r#"comment_status_changed: "closed", "open""#),
        ("parent", json!(0), r#"parent_changed: "12", "0""#),
        ("meta", json!({"a": "2", "b": "x"}), r#"meta_dropped: "a: 1", "a: 2""#),
        ("meta", json!({"a": 1, "b": "x"}), ""),
        ("meta", json!({"a": "1"}), r#"meta_dropped: "b: x", "b: (none)""#),
    ];
    assert_eq!(said(&sent(), stored()), [""; 0]);
    for (field, value, expected) in rows {
        let mut changed = stored();
        changed[field] = value;
        let expected: Vec<&str> =
            Some(expected).filter(|text| !text.is_empty()).into_iter().collect();
        assert_eq!(said(&sent(), changed), expected, "{field}");
    }
    let mut longer = stored();
    longer["content"] = json!({"raw": long});
    let shown = said(&sent(), longer);
    assert!(shown.len() == 1 && shown[0].ends_with(&format!("{cut:?}")), "{shown:?}");
}

/// The site gives typed meta back in its type, or as text.
#[test]
fn typed_meta_is_compared_by_its_value() {
    let number = |text: &str| MetaValue::Number(text.to_owned());
    let rows = [
        (MetaValue::Integer(42), json!(42), true),
        (MetaValue::Integer(42), json!("42"), true),
        (MetaValue::Integer(42), json!(43), false),
        (number("1.10"), json!(1.1), true),
        (number("1.10"), json!(1.2), false),
        (MetaValue::Boolean(true), json!(true), true),
        (MetaValue::Boolean(true), json!(false), false),
        (MetaValue::Text("42".to_owned()), json!(42), true),
        (MetaValue::Text("042".to_owned()), json!(42), false),
    ];
    for (value, stored_value, same) in rows {
        let told = format!("{value:?}, {stored_value}");
        let sent = PostFields { meta: vec![("key".to_owned(), value)], ..sent() };
        let mut stored = stored();
        stored["meta"] = json!({ "key": stored_value });
        assert_eq!(said(&sent, stored).is_empty(), same, "{told}");
    }
}

/// WordPress fills in what was not sent.
#[test]
fn a_field_that_was_not_sent_is_not_compared() {
    assert_eq!(said(&fields("<p>Ten letters and ten more</p>"), stored()), [""; 0]);
    let without_meta = PostFields { meta: Vec::new(), ..sent() };
    let mut listed = stored();
    listed["meta"] = json!([]);
    assert_eq!(said(&without_meta, listed), [""; 0]);
}

#[test]
fn an_excerpt_is_filtered_as_a_body_is() {
    let sent = PostFields {
        excerpt: Some("<b>a</b><script>b</script>".to_owned()),
        filter: ContentFilter::On,
        ..sent()
    };
    let mut filtered = stored();
    filtered["excerpt"] = json!({"raw": "<b>a</b>b"});
    assert_eq!(said(&sent, filtered), [""; 0]);
}

#[test]
fn only_title_and_content_make_it_another_text() {
    for (field, value, same) in [
        ("title", json!({"raw": "B"}), false),
        ("content", json!({"raw": "B"}), false),
        ("excerpt", json!({"raw": "B"}), true),
        ("slug", json!("x-2"), true),
    ] {
        let mut changed = stored();
        changed[field] = value;
        let changed = StoredPost::read(changed, PostType::Post).expect("a post");
        assert_eq!(says_the_same(&differences(&slug("x"), &sent(), &changed)), same, "{field}");
    }
}
