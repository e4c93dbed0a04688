//! What can happen, and how it is written.
//!
//! Absent from here: making it happen (`play`). The one rule: every action is one line of
//! text that reads back as itself, so a history can be replayed from what a failure
//! prints. A history is its actions, with `; ` between them.

use std::fmt;
use std::str::FromStr;

use oncepress::sandbox::{Counted, Fault, Kind};

/// An article or an image of the cast, by its place from 0; written from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Thing {
    Article(usize),
    Image(usize),
}

/// One thing that happens.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    /// `oncepress push`.
    Push(Push),
    /// `oncepress plan`.
    Plan,
    /// `oncepress status`.
    Status,
    /// `oncepress unlock`.
    Unlock(Token),
    /// `oncepress resolve` about an article, or about one image of it.
    Resolve { article: usize, image: Option<usize>, decision: Decision },
    /// The file is changed.
    Edit(Thing),
    /// The file is what it was in the beginning.
    EditBack(Thing),
    /// The record is deleted by hand.
    Forget(Thing),
    /// Somebody does something on the site.
    OnSite(Act, Thing),
    /// Lists leave out what we made.
    Hide(Thing, Counted),
    /// Lists show it again.
    Show(Thing),
    /// From now on look-ups show what is there now.
    Stale,
    /// Look-ups show the truth again.
    Fresh,
    /// An hour passes.
    Hour,
}

/// A run, and what goes wrong in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Push {
    /// What the site and the way to it do.
    pub(crate) faults: Vec<Fault>,
    /// The first request of this kind finds no connection.
    pub(crate) unreachable: Option<Kind>,
    /// Another run is started while the first request of this kind is under way.
    pub(crate) second: Option<Kind>,
    /// Somebody presses Ctrl-C while the first request of this kind is under way.
    pub(crate) interrupted: Option<Kind>,
    /// Where the run dies.
    pub(crate) dies: Option<Death>,
}

/// Where a run dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Death {
    /// At a point of the first send of this kind.
    At(Sent, Point),
    /// In the place of the step with this number, from 1.
    Step(usize),
}

/// What is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Sent {
    Article,
    Upload,
}

/// The named points of a send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Point {
    BeforeRecord,
    AfterRecord,
    AfterAnswer,
    WhileConfirming,
    AfterConfirmed,
}

/// What `unlock` is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Token {
    /// The run that died.
    Right,
    /// Another one.
    Wrong,
}

/// What a person decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Decision {
    /// What we made is ours.
    AdoptOurs,
    /// What somebody else made is ours.
    AdoptTheirs,
    /// What does not exist is ours.
    AdoptNothing,
    NotCreated,
    Restart,
    Withdraw,
}

/// What somebody does on the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Act {
    Edit,
    Rename,
    Publish,
    Trash,
    Untrash,
    Delete,
    /// A colleague writes a draft with our slug.
    Write,
    /// The colleague's draft goes to the trash.
    TrashTheirs,
    /// The colleague's draft is deleted.
    DeleteTheirs,
}

/// Words for the values of an enum.
trait Worded: Copy + PartialEq + 'static {
    const WORDS: &'static [(&'static str, Self)];

    fn word(self) -> &'static str {
        let found = Self::WORDS.iter().find(|(_, value)| *value == self);
        found.map(|(word, _)| *word).expect("every value has a word")
    }

    fn of_word(word: &str) -> Result<Self, String> {
        let found = Self::WORDS.iter().find(|(known, _)| *known == word);
        found.map(|(_, value)| *value).ok_or_else(|| format!("unknown word {word:?}"))
    }
}

impl Worded for Sent {
    const WORDS: &'static [(&'static str, Self)] =
        &[("article", Self::Article), ("upload", Self::Upload)];
}

impl Worded for Point {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("before-sending-record", Self::BeforeRecord),
        ("after-sending-record", Self::AfterRecord),
        ("after-answer", Self::AfterAnswer),
        ("while-confirming", Self::WhileConfirming),
        ("after-confirmed", Self::AfterConfirmed),
    ];
}

impl Worded for Decision {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("adopt-ours", Self::AdoptOurs),
        ("adopt-theirs", Self::AdoptTheirs),
        ("adopt-nothing", Self::AdoptNothing),
        ("not-created", Self::NotCreated),
        ("restart", Self::Restart),
        ("withdraw", Self::Withdraw),
    ];
}

impl Worded for Act {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("edit", Self::Edit),
        ("rename", Self::Rename),
        ("publish", Self::Publish),
        ("trash", Self::Trash),
        ("untrash", Self::Untrash),
        ("delete", Self::Delete),
        ("write", Self::Write),
        ("trash-theirs", Self::TrashTheirs),
        ("delete-theirs", Self::DeleteTheirs),
    ];
}

impl Sent {
    /// The kind of the request.
    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Article => Kind::CreatePost,
            Self::Upload => Kind::Upload,
        }
    }
}

impl Point {
    pub(crate) const ALL: [Self; 5] = [
        Self::BeforeRecord,
        Self::AfterRecord,
        Self::AfterAnswer,
        Self::WhileConfirming,
        Self::AfterConfirmed,
    ];
}

impl Act {
    /// What can be done to a row of ours.
    pub(crate) const TO_OURS: [Self; 6] =
        [Self::Edit, Self::Rename, Self::Publish, Self::Trash, Self::Untrash, Self::Delete];
}

impl Decision {
    pub(crate) const ALL: [Self; 6] = [
        Self::AdoptOurs,
        Self::AdoptTheirs,
        Self::AdoptNothing,
        Self::NotCreated,
        Self::Restart,
        Self::Withdraw,
    ];
}

impl fmt::Display for Thing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Article(place) => write!(f, "article-{}", place + 1),
            Self::Image(place) => write!(f, "image-{}", place + 1),
        }
    }
}

impl FromStr for Thing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let place = |text: &str| {
            let number = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            number.ok_or_else(|| format!("{text:?} is no number from 1"))
        };
        match text.split_once('-') {
            Some(("article", number)) => Ok(Self::Article(place(number)?)),
            Some(("image", number)) => Ok(Self::Image(place(number)?)),
            _ => Err(format!("{text:?} is neither article-N nor image-N")),
        }
    }
}

impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(sent, point) => write!(f, "{}.{}", sent.word(), point.word()),
            Self::Step(number) => write!(f, "step:{number}"),
        }
    }
}

impl FromStr for Death {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(number) = text.strip_prefix("step:") {
            return number.parse().map(Self::Step).map_err(|_| format!("{text:?} is no step"));
        }
        let (sent, point) = text.split_once('.').ok_or_else(|| format!("no point: {text:?}"))?;
        Ok(Self::At(Sent::of_word(sent)?, Point::of_word(point)?))
    }
}

impl fmt::Display for Push {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "push")?;
        self.faults.iter().try_for_each(|fault| write!(f, " {fault}"))?;
        let of_kinds = [
            ("unreachable", self.unreachable),
            ("second", self.second),
            ("interrupted", self.interrupted),
        ];
        for (word, kind) in of_kinds {
            if let Some(kind) = kind {
                write!(f, " {word}={kind}")?;
            }
        }
        self.dies.map_or(Ok(()), |death| write!(f, " dies={death}"))
    }
}

impl Push {
    fn of_words<'w>(words: impl Iterator<Item = &'w str>) -> Result<Self, String> {
        let mut push = Self::default();
        let kind = |text: &str| text.parse::<Kind>().map(Some).map_err(|error| error.to_string());
        for word in words {
            match word.split_once('=') {
                Some(("unreachable", text)) => push.unreachable = kind(text)?,
                Some(("second", text)) => push.second = kind(text)?,
                Some(("interrupted", text)) => push.interrupted = kind(text)?,
                Some(("dies", text)) => push.dies = Some(text.parse()?),
                _ => push.faults.push(word.parse().map_err(|error| format!("{word}: {error}"))?),
            }
        }
        Ok(push)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Push(push) => write!(f, "{push}"),
            Self::Plan => write!(f, "plan"),
            Self::Status => write!(f, "status"),
            Self::Unlock(Token::Right) => write!(f, "unlock"),
            Self::Unlock(Token::Wrong) => write!(f, "unlock wrong"),
            Self::Resolve { article, image, decision } => {
                write!(f, "resolve {} {}", Thing::Article(*article), decision.word())?;
                image.map_or(Ok(()), |image| write!(f, " {}", Thing::Image(image)))
            }
            Self::Edit(thing) => write!(f, "edit {thing}"),
            Self::EditBack(thing) => write!(f, "edit-back {thing}"),
            Self::Forget(thing) => write!(f, "forget {thing}"),
            Self::OnSite(act, thing) => write!(f, "site {} {thing}", act.word()),
            Self::Hide(thing, Counted::Uncounted) => write!(f, "hide {thing}"),
            Self::Hide(thing, Counted::Counted) => write!(f, "hide-counted {thing}"),
            Self::Show(thing) => write!(f, "show {thing}"),
            Self::Stale => write!(f, "stale"),
            Self::Fresh => write!(f, "fresh"),
            Self::Hour => write!(f, "hour"),
        }
    }
}

impl FromStr for Action {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        Ok(match words.as_slice() {
            ["push", more @ ..] => Self::Push(Push::of_words(more.iter().copied())?),
            ["plan"] => Self::Plan,
            ["status"] => Self::Status,
            ["unlock"] => Self::Unlock(Token::Right),
            ["unlock", "wrong"] => Self::Unlock(Token::Wrong),
            ["resolve", article, decision, more @ ..] => {
                let image = match more {
                    [] => None,
                    [image] => Some(image_of(image)?),
                    _ => return Err(format!("too many words: {text:?}")),
                };
                let Thing::Article(article) = article.parse()? else {
                    return Err(format!("{article:?} is no article"));
                };
                Self::Resolve { article, image, decision: Decision::of_word(decision)? }
            }
            ["edit", thing] => Self::Edit(thing.parse()?),
            ["edit-back", thing] => Self::EditBack(thing.parse()?),
            ["forget", thing] => Self::Forget(thing.parse()?),
            ["site", act, thing] => Self::OnSite(Act::of_word(act)?, thing.parse()?),
            ["hide", thing] => Self::Hide(thing.parse()?, Counted::Uncounted),
            ["hide-counted", thing] => Self::Hide(thing.parse()?, Counted::Counted),
            ["show", thing] => Self::Show(thing.parse()?),
            ["stale"] => Self::Stale,
            ["fresh"] => Self::Fresh,
            ["hour"] => Self::Hour,
            _ => return Err(format!("no such action: {text:?}")),
        })
    }
}

fn image_of(text: &str) -> Result<usize, String> {
    match text.parse()? {
        Thing::Image(image) => Ok(image),
        Thing::Article(_) => Err(format!("{text:?} is no image")),
    }
}

/// A history as text.
pub(crate) fn written(actions: &[Action]) -> String {
    actions.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// The history of a text.
pub(crate) fn read(text: &str) -> Vec<Action> {
    let actions = text.split(';').filter(|action| !action.trim().is_empty());
    actions.map(|action| action.parse().unwrap_or_else(|error| panic!("{error}"))).collect()
}
