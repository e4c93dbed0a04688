//! What can happen to a request, its effect and its answer.
//!
//! Absent from here: to which request it happens (`Fault`), and making it happen
//! (`simulated`). The one rule: a name that cannot happen to a kind of request is refused
//! where it is set, so a fault that is set is one that can show.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::super::Mishap;
use super::kind::Kind;

/// Declares an enum whose every value is written as one word.
macro_rules! worded {
    ($(#[$doc:meta])* $name:ident, $what:literal, { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum $name { $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)* }

        impl $name {
            /// Every value, with its word.
            pub const ALL: &[(&'static str, Self)] = &[$(($word, Self::$variant),)*];
            /// What the words stand for.
            pub(super) const WHAT: &'static str = $what;

            /// The word.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }
    };
}

worded! {
    /// Which of two answers the client is told, when a request was delivered twice.
    Told, "answer", {
        /// The first one.
        First = "first",
        /// The second one.
        Second = "second",
        /// None.
        Nothing = "nothing",
    }
}

worded! {
    /// Whether totals count what lists leave out.
    Counted, "count", {
        /// Lists and totals say nothing of it.
        Uncounted = "uncounted",
        /// `X-WP-Total` counts it, as for a post that the user may not read.
        Counted = "counted",
    }
}

worded! {
    /// The status of an answer that says that the server failed.
    ServerError, "status", {
        /// A plugin died: a page of WordPress.
        Internal = "500",
        /// A proxy lost the server behind it.
        BadGateway = "502",
        /// A server that is shutting down.
        Unavailable = "503",
        /// A proxy lost its patience.
        GatewayTimeout = "504",
    }
}

worded! {
    /// An error that WordPress raises when the row is there already (facts §3).
    LateRefusal, "code", {
        /// 403: meta that the user may not set.
        CannotUpdate = "rest_cannot_update",
        /// 400: meta of the wrong type.
        InvalidType = "rest_invalid_type",
    }
}

worded! {
    /// The page of a firewall that wants to see a browser.
    ChallengePage, "status", {
        /// "One moment, please", with status 200.
        Ok = "200",
        /// An empty page that sets a cookie, with status 202.
        Accepted = "202",
        /// "Access denied", with status 403.
        Forbidden = "403",
    }
}

worded! {
    /// The status of a redirect.
    Moved, "status", {
        /// For good.
        Permanently = "301",
        /// For now.
        Found = "302",
    }
}

worded! {
    /// Where a redirect points.
    Destination, "destination", {
        /// To another host.
        Away = "away",
        /// To the same address with a slash more.
        Slash = "slash",
    }
}

worded! {
    /// The status of a site that wants to be left alone for a while.
    BusyStatus, "status", {
        /// Too many requests.
        TooMany = "429",
        /// Maintenance.
        Unavailable = "503",
    }
}

worded! {
    /// What PHP answers when it dies while it makes the sizes of an image.
    DeadAnswer, "answer", {
        /// The page of a critical error.
        Error = "500",
        /// Nothing, with status 200.
        Empty = "empty",
    }
}

/// The state that a stale answer shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Since {
    /// As it was when the fault was set.
    Set,
    /// As it was before so many writes; at most back to when the fault was set.
    Writes(u32),
}

/// What happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Accident {
    /// The request is lost on its way; nobody answers.
    LoseRequest,
    /// WordPress refuses it before it inserts anything (400 `rest_invalid_param`; an
    /// upload: 500 `rest_upload_sideload_error`).
    Refuse,
    /// The web server wants to be left alone for a while; WordPress does not run.
    Busy {
        /// The status.
        status: BusyStatus,
        /// The value of `Retry-After`, in seconds.
        retry_after_s: u32,
    },
    /// A firewall answers with a page; WordPress does not run.
    Challenge(ChallengePage),
    /// The web server answers with a redirect; WordPress does not run.
    Redirect {
        /// The status.
        status: Moved,
        /// Where to.
        to: Destination,
    },
    /// The client gets no answer, and the site does what was asked so many seconds later.
    Late {
        /// Seconds.
        seconds: u32,
    },
    /// The site does what was asked twice.
    Twice(Told),
    /// A plugin drops the filter by slug: every post is listed.
    DropFilter,
    /// The answer shows an older state, as from a replica or a cache.
    Stale(Since),
    /// A plugin drops all terms but the first of each kind.
    PartialTerms,
    /// PHP dies after the row was inserted and before terms, image and meta are set.
    Partly,
    /// The file is stored, and PHP dies while it makes the sizes of the image.
    DeadImages(DeadAnswer),
    /// What the request makes is left out of lists from then on.
    Hide(Counted),
    /// The site does what was asked; the answer is lost.
    LoseAnswer,
    /// The site does what was asked; the answer says that the server failed.
    FailAfter(ServerError),
    /// The site does what was asked; the answer is a refusal.
    RefuseAfter(LateRefusal),
    /// A plugin prints a warning before the JSON.
    Warning,
    /// The connection breaks in the middle of the answer's body.
    Cut {
        /// Bytes of the body that arrive.
        bytes: u32,
    },
    /// The answer takes so many seconds.
    Slow {
        /// Seconds.
        seconds: u32,
    },
}

impl Accident {
    /// Every accident: how it is written, and what it does. What stands in brackets can
    /// be left out.
    pub const CATALOGUE: [(&'static str, &'static str); 19] = [
        ("lose-request", "the request never arrives, and nobody answers"),
        ("lose-answer", "the site does what was asked, and its answer is lost"),
        ("late:SECONDS", "no answer; the site does what was asked SECONDS later"),
        ("twice[:first|second|nothing]", "the site does it twice; which answer comes"),
        ("hide[:counted]", "what it makes is left out of lists (counted: totals count it)"),
        ("stale[:WRITES]", "shows the state of when this was set, or of WRITES writes ago"),
        ("drop-filter", "the filter by slug is ignored: everything is listed"),
        ("fail-after[:500|502|503|504]", "the site does it, then answers that it failed"),
        (
            "refuse-after[:CODE]",
            "the site does it, then refuses: rest_cannot_update, rest_invalid_type",
        ),
        ("partly", "the post is made without its terms, image and meta; then status 500"),
        ("partial-terms", "only the first category and the first tag are kept"),
        ("dead-images[:500|empty]", "the file is stored; PHP dies while it makes sizes"),
        ("refuse", "refused before anything is done, with a code that proves it"),
        ("challenge[:200|202|403]", "a firewall answers with a page; WordPress does not run"),
        (
            "redirect[:301|302[:away|slash]]",
            "a redirect to another host, or to itself with a slash",
        ),
        ("busy[:429|503[:SECONDS]]", "the site asks to wait SECONDS (30); WordPress does not run"),
        ("warning", "a plugin prints a warning before the JSON"),
        ("cut:BYTES", "the connection breaks after BYTES of the answer's body"),
        ("slow:SECONDS", "the answer takes SECONDS"),
    ];

    /// Whether it can happen to requests of this kind.
    #[must_use]
    pub fn fits(self, kind: Kind) -> bool {
        match self {
            Self::LoseRequest
            | Self::Busy { .. }
            | Self::Challenge(_)
            | Self::Redirect { .. }
            | Self::LoseAnswer
            | Self::FailAfter(_)
            | Self::Warning
            | Self::Cut { .. }
            | Self::Slow { .. } => true,
            Self::Late { .. } | Self::Twice(_) => kind.is_write(),
            Self::DropFilter => matches!(kind, Kind::LookUp | Kind::LookUpMedia),
            Self::Stale(_) => matches!(
                kind,
                Kind::LookUp
                    | Kind::LookUpMedia
                    | Kind::Receipts
                    | Kind::Read
                    | Kind::List
                    | Kind::Terms
            ),
            Self::PartialTerms | Self::Partly => kind == Kind::CreatePost,
            Self::DeadImages(_) => kind == Kind::Upload,
            Self::Refuse | Self::RefuseAfter(_) | Self::Hide(_) => {
                matches!(kind, Kind::CreatePost | Kind::Upload)
            }
        }
    }

    /// How much later the site does what was asked.
    pub(in crate::sandbox) fn late(self) -> Option<Duration> {
        let Self::Late { seconds } = self else { return None };
        Some(Duration::from_secs(seconds.into()))
    }

    /// How long the answer takes.
    pub(in crate::sandbox) fn slow(self) -> Option<Duration> {
        let Self::Slow { seconds } = self else { return None };
        Some(Duration::from_secs(seconds.into()))
    }

    pub(in crate::sandbox) fn twice(self) -> Option<Told> {
        let Self::Twice(told) = self else { return None };
        Some(told)
    }

    pub(in crate::sandbox) fn hide(self) -> Option<Counted> {
        let Self::Hide(counted) = self else { return None };
        Some(counted)
    }

    pub(in crate::sandbox) fn stale(self) -> Option<Since> {
        let Self::Stale(since) = self else { return None };
        Some(since)
    }

    /// What goes wrong inside WordPress.
    pub(in crate::sandbox) fn mishap(self) -> Option<Mishap> {
        match self {
            Self::Refuse => Some(Mishap::RefusedBeforeInsert),
            Self::PartialTerms => Some(Mishap::TermsPartly),
            Self::Partly => Some(Mishap::DiesAfterInsert),
            Self::DeadImages(DeadAnswer::Error) => Some(Mishap::ImageSizesDie),
            Self::DeadImages(DeadAnswer::Empty) => Some(Mishap::ImageSizesDieSilently),
            Self::LoseRequest
            | Self::Busy { .. }
            | Self::Challenge(_)
            | Self::Redirect { .. }
            | Self::Late { .. }
            | Self::Twice(_)
            | Self::DropFilter
            | Self::Stale(_)
            | Self::Hide(_)
            | Self::LoseAnswer
            | Self::FailAfter(_)
            | Self::RefuseAfter(_)
            | Self::Warning
            | Self::Cut { .. }
            | Self::Slow { .. } => None,
        }
    }
}
