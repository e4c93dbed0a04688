//! What a look-up showed.
//!
//! Absent from here: how the site is asked (`wordpress::lookup`). The one rule:
//! [`Sighting::Absent`] is a proof, so whatever falls short of the seven conditions
//! of a proof (ARCHITECTURE.md, "When not found is proof") is [`Sighting::Unclear`].

/// What a look-up by slug showed. `F` is what is known of one found object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sighting<F> {
    /// Proved: nothing on the site has this slug, not even in the trash.
    Absent,
    /// One object, with the content that was recorded as sent.
    Same(F),
    /// One object, with other content.
    Differs(F),
    /// More than one object.
    Several(Vec<F>),
    /// One object, in the trash.
    Trashed(F),
    /// The site counts an object that this user may not read.
    Hidden,
    /// The look-up failed, or is no proof.
    Unclear(Unclear),
}

/// What a look-up by the id of a receipt showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReceiptSighting<F> {
    /// Proved: the site has no object with this id.
    Missing,
    /// The object is there, under the slug of the receipt.
    Present(F),
    /// The object is there, under another slug.
    Mismatch(F),
    /// The object is in the trash.
    Trashed(F),
    /// The object is there, but this user may not read it.
    Hidden,
    /// The look-up failed, or is no proof.
    Unclear(Unclear),
}

/// Why a look-up is no proof.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Unclear {
    /// The kind, for machines.
    pub why: UnclearWhy,
    /// What was seen, in words without control characters.
    pub detail: String,
}

/// The kinds of look-ups that prove nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnclearWhy {
    /// No answer: the connection failed, broke or timed out.
    NoAnswer,
    /// The site sent the question elsewhere.
    Redirected,
    /// The site refused to say (401, 403 and the like).
    Refused,
    /// A status other than 200.
    Status,
    /// The body was not a JSON array, or had something around it.
    NotJson,
    /// `X-WP-Total` is missing, or smaller than the rows that came.
    TotalMissing,
    /// A row came that was not asked for: the filter was dropped on the way.
    ForeignRow,
    /// A cache answered.
    Cached,
    /// The site filters by language, and offers no way to ask for all.
    Language,
    /// A post that is known to exist did not come back.
    ControlMissing,
    /// A page middleman (challenge, firewall, login page) answered.
    Middleman,
    /// The site asked us to come back later (429 or 503).
    Busy,
}

impl UnclearWhy {
    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::NoAnswer => "no_answer",
            Self::Redirected => "redirected",
            Self::Refused => "refused",
            Self::Status => "odd_status",
            Self::NotJson => "not_json",
            Self::TotalMissing => "total_missing",
            Self::ForeignRow => "filter_dropped",
            Self::Cached => "cached_answer",
            Self::Language => "language_filter",
            Self::ControlMissing => "control_missing",
            Self::Middleman => "middleman",
            Self::Busy => "site_busy",
        }
    }
}
