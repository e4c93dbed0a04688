//! Users, their roles and what those may do.
//!
//! Absent from here: requests. The one rule: a capability is asked for by its name, as
//! WordPress does, and a role grants what a fresh site grants.

use serde::{Deserialize, Serialize};

/// The roles of a fresh WordPress that can write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Everything.
    Administrator,
    /// Everybody's posts.
    Editor,
    /// Their own posts, filtered HTML, uploads.
    Author,
    /// Their own drafts, no uploads.
    Contributor,
}

/// A user with an application password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// The id.
    pub id: u64,
    /// The login, which is the name and slug too.
    pub login: String,
    /// The role.
    pub role: Role,
    /// The application password, without blanks.
    pub password: String,
}

const CONTRIBUTOR: &[&str] = &["edit_posts", "read", "level_1", "level_0", "delete_posts"];
const AUTHOR: &[&str] = &[
    "upload_files",
    "edit_posts",
    "edit_published_posts",
    "publish_posts",
    "read",
    "level_2",
    "level_1",
    "level_0",
    "delete_posts",
    "delete_published_posts",
];
const EDITOR: &[&str] = &[
    "moderate_comments",
    "manage_categories",
    "manage_links",
    "upload_files",
    "unfiltered_html",
    "edit_posts",
    "edit_others_posts",
    "edit_published_posts",
    "publish_posts",
    "edit_pages",
    "read",
    "level_7",
    "level_6",
    "level_5",
    "level_4",
    "level_3",
    "level_2",
    "level_1",
    "level_0",
    "edit_others_pages",
    "edit_published_pages",
    "publish_pages",
    "delete_pages",
    "delete_others_pages",
    "delete_published_pages",
    "delete_posts",
    "delete_others_posts",
    "delete_published_posts",
    "delete_private_posts",
    "edit_private_posts",
    "read_private_posts",
    "delete_private_pages",
    "edit_private_pages",
    "read_private_pages",
];
/// What an administrator may do beyond an editor.
const ADMINISTRATOR: &[&str] = &[
    "switch_themes",
    "edit_themes",
    "activate_plugins",
    "edit_plugins",
    "edit_users",
    "edit_files",
    "manage_options",
    "import",
    "level_10",
    "level_9",
    "level_8",
    "delete_users",
    "create_users",
    "unfiltered_upload",
    "edit_dashboard",
    "update_plugins",
    "delete_plugins",
    "install_plugins",
    "update_themes",
    "install_themes",
    "update_core",
    "list_users",
    "remove_users",
    "promote_users",
    "edit_theme_options",
    "delete_themes",
    "export",
];

impl Role {
    /// The name that WordPress uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Administrator => "administrator",
            Self::Editor => "editor",
            Self::Author => "author",
            Self::Contributor => "contributor",
        }
    }

    /// What the role grants.
    pub fn capabilities(self) -> impl Iterator<Item = &'static str> {
        let (own, more): (&[&str], &[&str]) = match self {
            Self::Administrator => (EDITOR, ADMINISTRATOR),
            Self::Editor => (EDITOR, &[]),
            Self::Author => (AUTHOR, &[]),
            Self::Contributor => (CONTRIBUTOR, &[]),
        };
        more.iter().chain(own).copied()
    }
}

impl User {
    /// Whether the user may do this.
    #[must_use]
    pub fn can(&self, capability: &str) -> bool {
        self.role.capabilities().any(|granted| granted == capability)
    }
}
