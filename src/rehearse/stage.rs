//! Where a scene plays: a folder of its own, with an article, a configuration and a home.
//!
//! Absent from here: the site, the runs. The one rule: everything that a rehearsal makes
//! lies below one new folder, which goes away with it.
#![expect(
    clippy::disallowed_methods,
    reason = "these files are a scene's props: nobody relies on them after a crash"
)]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::scene::Article;
use super::site::Address;

/// The slug of the article of each scene.
pub(super) const SLUG: &str = "first-article";
/// The name of its image.
pub(super) const IMAGE: &str = "mug.png";

/// Eight by eight pixels, black and white.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x08\x00\x00\x00\x08\x01\
    \x00\x00\x00\x00\xect\x83&\x00\x00\x00\x0eIDATx\xdac\x08eX\xc5\x80\x84\x01\x1e\x9c\x03\xfd\
    p\x15\xc9\x90\x00\x00\x00\x00IEND\xaeB`\x82";

/// The folder of a whole rehearsal. It is removed with this value, unless it is kept.
#[derive(Debug)]
pub struct Playhouse {
    path: PathBuf,
    after: After,
}

/// What becomes of the folder of a rehearsal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// It is removed.
    Remove,
    /// It stays, so that somebody can look at it.
    Keep,
}

impl Playhouse {
    /// Makes a new folder, which this user alone can read, in this one.
    pub fn build(within: &Path, name: &str, after: After) -> io::Result<Self> {
        use std::os::unix::fs::DirBuilderExt as _;
        let path = within.join(name);
        // Not one that is there already: it would be removed in the end.
        fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self { path, after })
    }

    /// Removes it, unless it is kept.
    pub fn close(mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.after, After::Keep) {
            After::Remove => fs::remove_dir_all(&self.path),
            After::Keep => Ok(()),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Playhouse {
    fn drop(&mut self) {
        match self.after {
            // Whoever did not close it has a greater trouble to tell.
            After::Remove => drop(fs::remove_dir_all(&self.path)),
            After::Keep => {}
        }
    }
}

/// The folder of one scene.
#[derive(Debug)]
pub(super) struct Stage {
    path: PathBuf,
}

impl Stage {
    /// Makes it, with its article, for the site at this address.
    pub(super) fn set(
        playhouse: &Playhouse,
        scene: &str,
        article: Article,
        site: &Address<'_>,
    ) -> io::Result<Self> {
        let stage = Self { path: playhouse.path.join(scene.replace(' ', "-")) };
        fs::create_dir_all(stage.path.join("articles"))?;
        fs::create_dir_all(stage.home())?;
        // No scene waits for a clock: the look-up after a lost answer comes at once, and
        // what it does not show then is held.
        let config = format!(
            "[site]\nurl = \"{}\"\nusername = \"{}\"\n\n\
             [network]\nsettle_s = 0\nlookup_delays_s = [0]\n",
            site.url, site.username
        );
        fs::write(stage.path.join("oncepress.toml"), config)?;
        let image = match article {
            Article::Text => String::new(),
            Article::WithImage => {
                fs::write(stage.path.join("articles").join(IMAGE), PNG)?;
                format!("\n![A mug]({IMAGE})\n")
            }
        };
        let text = format!(
            "---\ntitle: My first article\n---\n\nI write in my editor, and send it once.\n{image}"
        );
        fs::write(stage.article(), text)?;
        Ok(stage)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The home of the runs, so that they touch nobody's.
    pub(super) fn home(&self) -> PathBuf {
        self.path.join("home")
    }

    /// Adds a sentence to the article.
    pub(super) fn edit(&self) -> io::Result<()> {
        let text = fs::read_to_string(self.article())? + "\nA sentence written later.\n";
        fs::write(self.article(), text)
    }

    /// Deletes the journal.
    pub(super) fn delete_records(&self) -> io::Result<()> {
        fs::remove_dir_all(self.path.join(".oncepress"))
    }

    fn article(&self) -> PathBuf {
        self.path.join("articles").join(format!("{SLUG}.md"))
    }
}
