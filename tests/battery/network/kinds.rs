//! The kinds of requests, each with a scene in which it is asked.
//!
//! Absent from here: what becomes of the request (`outcome`). The one rule: without an
//! outcome every scene ends with one draft (or with the doubt that its kind is about),
//! and its request is asked; a test sees to both.

use serde_json::{Value, json};

use super::ask::Ask;
use super::bodies::each;
use super::desk::Desk;
use super::http::Reply;
use super::outcome::{Nothing, Outcome, Proves, Rows, Shape, Way};
use super::png::png;
use super::site::{COLLEAGUE, KNOWN_TAG};

/// A kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Index,
    IndexAsAccount,
    Me,
    Offers,
    /// For a slug that is free.
    LookUp,
    /// For a slug that somebody else has.
    LookUpTaken,
    /// After a create whose answer was lost.
    LookUpAgain,
    /// The posts of receipts, in bulk.
    Receipts,
    /// One that the bulk left out.
    ReceiptById,
    /// A post that a broken answer named.
    Read,
    /// Evidence for a person.
    Candidates,
    /// Whether the draft is there twice.
    SecondCopies,
    /// Whether the file is there twice.
    MediaSecondCopies,
    Terms,
    /// The tag that a create said exists.
    TermById,
    Author,
    CreateTag,
    MediaLookUp,
    /// After an upload whose answer was lost.
    MediaLookUpAgain,
    MediaReceipts,
    /// One that the bulk left out.
    MediaReceiptById,
    /// A file that a broken answer named.
    MediaRead,
    Upload,
    PostProcess,
    CreatePost,
    CreatePage,
    /// A post of a type that a plugin adds.
    CreateBook,
    /// The types of the site, where an article is of one.
    Types,
}

/// All of them.
pub(super) const KINDS: [Kind; 28] = [
    Kind::Index,
    Kind::IndexAsAccount,
    Kind::Me,
    Kind::Offers,
    Kind::LookUp,
    Kind::LookUpTaken,
    Kind::LookUpAgain,
    Kind::Receipts,
    Kind::ReceiptById,
    Kind::Read,
    Kind::Candidates,
    Kind::SecondCopies,
    Kind::MediaSecondCopies,
    Kind::Terms,
    Kind::TermById,
    Kind::Author,
    Kind::CreateTag,
    Kind::MediaLookUp,
    Kind::MediaLookUpAgain,
    Kind::MediaReceipts,
    Kind::MediaReceiptById,
    Kind::MediaRead,
    Kind::Upload,
    Kind::PostProcess,
    Kind::CreatePost,
    Kind::CreatePage,
    Kind::CreateBook,
    Kind::Types,
];

/// Something that happens to another request, so that this kind is asked.
pub(super) struct Premise {
    pub(super) run: usize,
    pub(super) ask: Ask,
    pub(super) nth: u32,
    pub(super) outcome: Outcome,
}

/// Where in a scene the request comes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// The run, from 0.
    pub(super) run: usize,
    pub(super) ask: Ask,
    /// Which of its kind in that run, from 1.
    pub(super) nth: u32,
}

impl Kind {
    pub(super) fn shape(self) -> Shape {
        match self {
            Self::Index | Self::IndexAsAccount | Self::Me | Self::Offers => Shape::Item,
            Self::ReceiptById | Self::Read | Self::TermById | Self::Types => Shape::Item,
            Self::MediaReceiptById | Self::MediaRead => Shape::Item,
            Self::LookUp | Self::Candidates | Self::MediaLookUp => Shape::List(Rows::None),
            Self::SecondCopies | Self::MediaSecondCopies => Shape::List(Rows::None),
            Self::LookUpTaken | Self::LookUpAgain | Self::Receipts => Shape::List(Rows::Some),
            Self::Terms | Self::Author => Shape::List(Rows::Some),
            Self::MediaLookUpAgain | Self::MediaReceipts => Shape::List(Rows::Some),
            Self::CreateTag | Self::Upload => Shape::Insert,
            Self::CreatePost | Self::CreatePage | Self::CreateBook => Shape::Insert,
            Self::PostProcess => Shape::Change,
        }
    }

    /// Whether it comes before anything about an article is asked.
    pub(super) fn is_preflight(self) -> bool {
        matches!(self, Self::Index | Self::IndexAsAccount | Self::Me | Self::Offers)
    }

    /// Whether one row among others answers it, whatever else is said of the list.
    pub(super) fn needs_one_row(self) -> bool {
        self == Self::Author
    }

    /// Whether a `sending` record stands before it.
    pub(super) fn makes_what_is_recorded(self) -> bool {
        matches!(self, Self::Upload | Self::CreatePost | Self::CreatePage | Self::CreateBook)
    }

    pub(super) fn place(self) -> Place {
        let at = |run, ask, nth| Place { run, ask, nth };
        match self {
            Self::Index => at(0, Ask::Index, 1),
            Self::IndexAsAccount => at(0, Ask::Index, 2),
            Self::Me => at(0, Ask::Me, 1),
            Self::Offers => at(0, Ask::Options, 1),
            Self::LookUp | Self::LookUpTaken => at(0, Ask::LookUp, 1),
            Self::LookUpAgain => at(0, Ask::LookUp, 2),
            Self::Receipts => at(1, Ask::Receipts, 1),
            Self::ReceiptById => at(1, Ask::Read, 1),
            Self::Read => at(0, Ask::Read, 1),
            Self::Candidates => at(0, Ask::Candidates, 1),
            Self::SecondCopies => at(0, Ask::SecondCopies, 1),
            Self::MediaSecondCopies => at(0, Ask::MediaSecondCopies, 1),
            Self::Terms => at(0, Ask::Terms, 1),
            Self::TermById => at(0, Ask::Terms, 2),
            Self::Author => at(0, Ask::Author, 1),
            Self::CreateTag => at(0, Ask::CreateTag, 1),
            Self::MediaLookUp => at(0, Ask::MediaLookUp, 1),
            Self::MediaLookUpAgain => at(0, Ask::MediaLookUp, 2),
            Self::MediaReceipts => at(1, Ask::MediaReceipts, 1),
            Self::MediaReceiptById => at(1, Ask::MediaRead, 1),
            Self::MediaRead => at(0, Ask::MediaRead, 1),
            Self::Upload => at(0, Ask::Upload, 1),
            Self::PostProcess => at(0, Ask::PostProcess, 1),
            Self::CreatePost | Self::CreatePage | Self::CreateBook => at(0, Ask::Create, 1),
            Self::Types => at(0, Ask::Types, 1),
        }
    }

    pub(super) fn premises(self) -> Vec<Premise> {
        let premise = |run, ask, nth, outcome| Premise { run, ask, nth, outcome };
        let first = |ask, outcome| vec![premise(0, ask, 1, outcome)];
        match self {
            Self::IndexAsAccount => first(Ask::Index, closed()),
            Self::Offers => first(Ask::Index, without_routes()),
            Self::LookUpAgain => first(Ask::Create, lost(Way::Done)),
            Self::ReceiptById => vec![premise(1, Ask::Receipts, 1, no_rows())],
            Self::Read => first(Ask::Create, warned()),
            Self::Candidates => first(Ask::Create, lost(Way::Undone)),
            Self::TermById => first(Ask::Terms, no_rows()),
            Self::MediaLookUpAgain => first(Ask::Upload, lost(Way::Done)),
            Self::MediaReceipts => first(Ask::Create, refused()),
            Self::MediaReceiptById => {
                let mut premises = first(Ask::Create, refused());
                premises.push(premise(1, Ask::MediaReceipts, 1, no_rows()));
                premises
            }
            Self::MediaRead => first(Ask::Upload, warned()),
            Self::PostProcess => first(Ask::Upload, without_sizes()),
            Self::Index
            | Self::Me
            | Self::LookUp
            | Self::LookUpTaken
            | Self::Receipts
            | Self::SecondCopies
            | Self::MediaSecondCopies
            | Self::Terms
            | Self::Author
            | Self::CreateTag
            | Self::MediaLookUp
            | Self::Upload
            | Self::CreatePost
            | Self::CreatePage
            | Self::CreateBook
            | Self::Types => Vec::new(),
        }
    }

    /// Writes the article `x`.
    pub(super) fn write(self, desk: &Desk) {
        let front = match self {
            Self::Terms | Self::TermById => format!("tags: [{KNOWN_TAG}]\n"),
            Self::CreateTag => "tags: [Unknown]\n".to_owned(),
            Self::Author => format!("author: {COLLEAGUE}\n"),
            Self::CreatePage => "type: page\n".to_owned(),
            Self::CreateBook | Self::Types => "type: lab_book\n".to_owned(),
            _ => String::new(),
        };
        let with_picture = matches!(
            self,
            Self::MediaLookUp
                | Self::MediaLookUpAgain
                | Self::MediaReceipts
                | Self::MediaReceiptById
                | Self::MediaRead
                | Self::MediaSecondCopies
                | Self::Upload
                | Self::PostProcess
        );
        if with_picture {
            desk.write("articles/x.png", png(b"x"));
        }
        let body = if with_picture { "![A picture](x.png)" } else { "Only a body." };
        desk.write("articles/x.md", format!("---\ntitle: The title\n{front}---\n\n{body}\n"));
    }
}

fn lost(way: Way) -> Outcome {
    let proves = Proves::Nothing(Nothing::Heard);
    Outcome::reply("lost", proves, |_, _| Reply::html(502, "")).way(way)
}

fn refused() -> Outcome {
    let refuse = |_: &_, _: &_| Reply::error(400, "rest_invalid_param");
    Outcome::reply("refused", Proves::Refusal, refuse).way(Way::Undone)
}

/// The object is named, in an answer that is no proof.
fn warned() -> Outcome {
    Outcome::reply("a warning", Proves::Nothing(Nothing::Heard), |_, reply| {
        let body = [b"<br />Warning: odd<br />".as_slice(), &reply.body].concat();
        Reply { body, ..reply.clone() }
    })
}

fn no_rows() -> Outcome {
    Outcome::reply("no rows", Proves::Nothing(Nothing::Heard), |_, reply| {
        Reply { body: b"[]".to_vec(), ..reply.clone() }.with("x-wp-total", "0")
    })
}

fn closed() -> Outcome {
    let proves = Proves::Nothing(Nothing::Heard);
    Outcome::reply("closed", proves, |_, _| Reply::error(401, "rest_login_required"))
}

fn without_routes() -> Outcome {
    Outcome::reply("no routes", Proves::Truth, |_, reply| {
        each(reply.clone(), |index| {
            index.as_object_mut().expect("the index").remove("routes");
        })
    })
}

fn without_sizes() -> Outcome {
    Outcome::reply("no sizes", Proves::Truth, |_, reply| {
        each(reply.clone(), |file: &mut Value| file["missing_image_sizes"] = json!(["thumbnail"]))
    })
}
