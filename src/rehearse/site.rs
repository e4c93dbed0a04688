//! The simulated site of one scene, served on this machine.
//!
//! Absent from here: what WordPress does (`sandbox`). The one rule: what is told of the
//! site comes from its state and from its log of what arrived.

use std::io;
use std::sync::Arc;

use tokio::task::JoinHandle;

use super::scene::Weather;
use crate::run::{Clock, with_causes};
use crate::sandbox::{Arrival, Fault, Kept, Kind, Listening, PostKind, Simulated, Version, World};

/// Who signs in: one who sees their own drafts alone, and whose HTML is filtered.
const USER: &str = "author";

/// Every way to ask for posts or images.
const QUESTIONS: [&str; 5] = ["look-up", "look-up-media", "receipts", "read", "list"];

/// What the site has, and what arrived there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Truth {
    /// Creates of posts that arrived.
    pub(super) creates: usize,
    /// Uploads that arrived.
    pub(super) uploads: usize,
    /// Every other request that asked the site to change something.
    pub(super) others: Vec<String>,
    /// The posts.
    pub(super) posts: Vec<Post>,
    /// How many images there are.
    pub(super) images: usize,
    /// The creates and uploads, with what became of each.
    pub(super) writes: Vec<Arrival>,
}

/// A post, as the site has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Post {
    pub(super) id: u64,
    pub(super) slug: String,
    pub(super) status: String,
    pub(super) content: String,
}

/// What somebody who signs in must know.
#[derive(Debug)]
pub(super) struct Address<'a> {
    pub(super) url: &'a str,
    pub(super) username: &'a str,
    pub(super) password: &'a str,
}

/// A site that is served as long as this value lives.
pub(super) struct Site {
    url: String,
    password: String,
    kept: Arc<Kept>,
    clock: Clock,
    server: JoinHandle<()>,
}

impl Site {
    /// Serves a fresh site, on any free port of this machine, below this path.
    pub(super) async fn open(path: &str, clock: Clock) -> io::Result<Self> {
        let listening = Listening::on(0).await?;
        let url = format!("{}{path}/", listening.home());
        let world = World::new(Version::V7_1, &url);
        let user = world.user(USER).ok_or_else(|| io::Error::other("the site has no author"))?;
        let password = user.password.clone();
        let kept = Arc::new(Kept::in_memory(Simulated::new(world)));
        let serving = listening.serve(Arc::clone(&kept), clock.clone(), std::future::pending());
        let server = tokio::spawn(serving);
        Ok(Self { url, password, kept, clock, server })
    }

    pub(super) fn address(&self) -> Address<'_> {
        Address { url: &self.url, username: USER, password: &self.password }
    }

    /// Behaves so from now on.
    pub(super) fn set(&self, weather: Weather) -> io::Result<()> {
        let faults = faults(weather)
            .iter()
            .map(|text| text.parse::<Fault>().map_err(io::Error::other))
            .collect::<io::Result<Vec<_>>>()?;
        self.with(|site| {
            site.clear_faults();
            for fault in faults {
                site.add_fault(fault);
            }
        })
    }

    /// What the site has now, and what has arrived so far.
    pub(super) fn truth(&self) -> io::Result<Truth> {
        self.with(|site| {
            let of = |kind| site.arrivals().iter().filter(|arrival| arrival.kind == kind).count();
            let writes = site.arrivals().iter().filter(|arrival| is_ours(arrival.kind));
            let posts = site.world().posts().filter(|row| row.kind != PostKind::Attachment);
            let images = site.world().posts().filter(|row| row.kind == PostKind::Attachment);
            Truth {
                creates: of(Kind::CreatePost),
                uploads: of(Kind::Upload),
                others: others(site),
                posts: posts
                    .map(|row| Post {
                        id: row.id,
                        slug: row.slug.clone(),
                        status: row.status.name().to_owned(),
                        content: row.content.clone(),
                    })
                    .collect(),
                images: images.count(),
                writes: writes.cloned().collect(),
            }
        })
    }

    fn with<T>(&self, work: impl FnOnce(&mut Simulated) -> T) -> io::Result<T> {
        let now = (self.clock)();
        self.kept.with(now, work).map_err(|error| io::Error::other(with_causes(&error)))
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// Whether a `push` of the articles of scenes asks for this.
fn is_ours(kind: Kind) -> bool {
    matches!(kind, Kind::CreatePost | Kind::Upload)
}

/// Requests that ask for a change and are no create or upload of ours.
fn others(site: &Simulated) -> Vec<String> {
    let reads = |method: &str| matches!(method, "GET" | "HEAD" | "OPTIONS");
    site.arrivals()
        .iter()
        .filter(|arrival| !is_ours(arrival.kind))
        .filter(|arrival| !reads(&arrival.method))
        .map(|arrival| format!("{} {}", arrival.method, arrival.route))
        .collect()
}

/// The faults that make a weather.
fn faults(weather: Weather) -> Vec<String> {
    let each = |what: &str| QUESTIONS.map(|question| format!("{question}{what}"));
    let lost = ["create-post:1=lose-answer".to_owned(), "upload:1=lose-answer".to_owned()];
    match weather {
        Weather::Fair => Vec::new(),
        Weather::LosesAnswerAndHides => lost.into_iter().chain(each("=stale")).collect(),
        // The first look-up is the one before the create.
        Weather::LosesAnswerAndGoes => {
            lost.into_iter().chain([format!("{}:2+=lose-request", QUESTIONS[0])]).collect()
        }
        Weather::Hides => each("=stale").into(),
        Weather::Gone => each("=lose-request").into(),
    }
}
