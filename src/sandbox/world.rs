//! The whole state of a simulated site.
//!
//! Absent from here: what requests do to it. The one rule: everything that an answer
//! depends on is in here, in the request, or in the time that comes with it, so that a
//! copy of the state is a copy of the site.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::Offset;
use serde::{Deserialize, Serialize};

use super::people::{Role, User};
use super::post::Post;
use super::term::{Taxonomy, Term};

/// Seconds that the site's zone is east of UTC. Not zero, so that who mixes up the
/// site's time and UTC notices.
const ZONE_SECONDS: i32 = 9 * 3600;

/// The version that is simulated, where versions differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Version {
    /// WordPress 6.1.
    #[serde(rename = "6.1")]
    V6_1,
    /// WordPress 6.8.
    #[serde(rename = "6.8")]
    V6_8,
    /// WordPress 7.1.
    #[serde(rename = "7.1")]
    V7_1,
}

/// The state of a simulated site.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct World {
    pub(super) version: Version,
    /// The address that visitors use, without a slash at its end.
    pub(super) home: String,
    pub(super) name: String,
    pub(super) users: Vec<User>,
    pub(super) posts: BTreeMap<u64, Post>,
    pub(super) terms: BTreeMap<u64, Term>,
    pub(super) last_post: u64,
    pub(super) last_term: u64,
}

/// The users of a fresh simulated site. The passwords are as long as real ones, and no
/// secret: the site is on this machine and holds nothing.
const USERS: [(&str, Role, &str); 5] = [
    ("admin", Role::Administrator, "sandboxAdministrator0001"),
    ("editor", Role::Editor, "sandboxEditor00000000001"),
    ("author", Role::Author, "sandboxAuthor00000000001"),
    ("author2", Role::Author, "sandboxAuthor00000000002"),
    ("contributor", Role::Contributor, "sandboxContributor000001"),
];

impl World {
    /// A fresh site at this address (such as `http://127.0.0.1:8080`), with a user in
    /// each role and one category.
    #[must_use]
    pub fn new(version: Version, home: &str) -> Self {
        let user = |(index, (login, role, password)): (usize, &(&str, Role, &str))| User {
            id: index as u64 + 1,
            login: (*login).to_owned(),
            role: *role,
            password: (*password).to_owned(),
        };
        let uncategorized = Term {
            id: 1,
            taxonomy: Taxonomy::Category,
            name: "Uncategorized".to_owned(),
            slug: "uncategorized".to_owned(),
            description: String::new(),
            parent: 0,
        };
        Self {
            version,
            home: home.trim_end_matches('/').to_owned(),
            name: "OncePress sandbox".to_owned(),
            users: USERS.iter().enumerate().map(user).collect(),
            posts: BTreeMap::new(),
            terms: BTreeMap::from([(1, uncategorized)]),
            // Below these a fresh WordPress has its samples and its settings.
            last_post: 9,
            last_term: 9,
        }
    }

    /// Moves the site to another address: a port differs from start to start.
    pub fn set_home(&mut self, home: &str) {
        home.trim_end_matches('/').clone_into(&mut self.home);
    }

    /// The address that visitors use.
    #[must_use]
    pub fn home(&self) -> &str {
        &self.home
    }

    /// The version.
    #[must_use]
    pub fn version(&self) -> Version {
        self.version
    }

    /// The users.
    #[must_use]
    pub fn users(&self) -> &[User] {
        &self.users
    }

    /// The user with this login.
    #[must_use]
    pub fn user(&self, login: &str) -> Option<&User> {
        self.users.iter().find(|user| user.login == login)
    }

    /// Posts, pages and attachments, by id.
    pub fn posts(&self) -> impl Iterator<Item = &Post> {
        self.posts.values()
    }

    /// The row with this id.
    #[must_use]
    pub fn post(&self, id: u64) -> Option<&Post> {
        self.posts.get(&id)
    }

    /// Categories and tags, by id.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        self.terms.values()
    }

    pub(super) fn next_post_id(&mut self) -> u64 {
        self.last_post += 1;
        self.last_post
    }

    pub(super) fn next_term_id(&mut self) -> u64 {
        self.last_term += 1;
        self.last_term
    }
}

/// A moment as the database writes it, in the site's zone.
pub(super) fn local(moment: Timestamp) -> String {
    let zone = Offset::from_seconds(ZONE_SECONDS).unwrap_or(Offset::UTC);
    written(moment, zone)
}

/// A moment as the database writes it, in UTC.
pub(super) fn utc(moment: Timestamp) -> String {
    written(moment, Offset::UTC)
}

fn written(moment: Timestamp, offset: Offset) -> String {
    offset.to_datetime(moment).strftime("%Y-%m-%dT%H:%M:%S").to_string()
}

/// Hours that the site's zone is east of UTC.
pub(super) fn zone_hours() -> i32 {
    ZONE_SECONDS / 3600
}
