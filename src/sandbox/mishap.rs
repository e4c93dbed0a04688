//! What goes wrong inside WordPress while it works on one request.
//!
//! Absent from here: what goes wrong on the way to it and back. The one rule: each of
//! these was seen on a real site (facts §3 and §4).

/// What goes wrong inside WordPress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mishap {
    /// A plugin dies after the row was inserted: no terms, no image, no meta; 500.
    DiesAfterInsert,
    /// A plugin dies when everything is stored; 500.
    DiesAfterFields,
    /// 403 `rest_cannot_update`, for meta, after the row was inserted.
    RefusedAfterInsert,
    /// 400 `rest_invalid_type`, for meta, after the row was inserted.
    TypeErrorAfterInsert,
    /// 201, and of the terms only the first was stored.
    TermsPartly,
    /// The attachment is stored, its sizes are not, and PHP dies with a 500.
    ImageSizesDie,
    /// As [`Self::ImageSizesDie`], with an empty 200.
    ImageSizesDieSilently,
    /// A warning of PHP stands before the JSON.
    WarningBeforeJson,
    /// The request is refused before anything is stored: 400 `rest_invalid_param`.
    RefusedBeforeInsert,
}
