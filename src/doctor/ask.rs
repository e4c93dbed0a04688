//! Asking the site, one thing after the other, as far as it goes.
//!
//! Absent from here: judging. The one rule: only `GET` and `OPTIONS` are sent, and what
//! needs the account is asked only after the account was accepted.

use std::collections::BTreeMap;

use super::facts::{Asked, Clocks, LookedUp, NotSignedIn, Reached, SignedIn};
use crate::names::{PostType, Slug};
use crate::protocol::sighting::Sighting;
use crate::run::Clock;
use crate::run::result::Trouble;
use crate::wordpress::{
    AccountSeen, Capability, Credentials, MediaQuestion, NonceSource, PostQuestion,
    Reached as Went, Site, SiteUrl, Way, examine,
};

/// Looks the site over. `is_other` tells whether it is another site than the one that is
/// meant.
pub async fn ask(
    url: &SiteUrl,
    credentials: Option<&Credentials>,
    way: Way<'_>,
    random: NonceSource,
    clock: &Clock,
    is_other: &dyn Fn(&Site) -> Option<Trouble>,
) -> Asked {
    let nobody = format!("oncepress-doctor-{:016x}", random());
    let seen = examine(url, credentials, way, random).await;
    let (mut site_time, trail) = (seen.site_time, seen.trail);
    let reached = match seen.reached {
        Went::Nothing(error) => Reached::Nothing(error),
        Went::Root(about, AccountSeen::NotAsked) => Reached::Root(about, NotSignedIn::NotTried),
        Went::Root(about, AccountSeen::Refused(error)) => {
            Reached::Root(about, NotSignedIn::Refused(error))
        }
        Went::Root(about, AccountSeen::Proved(site)) => {
            let signed_in = signed_in(&site, &nobody, is_other(&site)).await;
            site_time = site.site_time();
            Reached::SignedIn(about, Box::new(signed_in))
        }
    };
    // Read after the last answer: what is left between the two is the way of one answer.
    let clocks = site_time.map(|site| Clocks { site, here: clock() });
    Asked { url: url.as_str().to_owned(), trail, reached, clocks }
}

async fn signed_in(site: &Site, nobody: &str, other_site: Option<Trouble>) -> SignedIn {
    let account = site.account().clone();
    let html =
        if account.can(Capability::UnfilteredHtml) { Some(site.html_kept().await) } else { None };
    let look_ups = match Slug::from_stored(nobody) {
        Ok(slug) if account.can(Capability::EditPosts) => look_up(site, &slug).await,
        Ok(_) | Err(_) => Vec::new(),
    };
    SignedIn { account, other_site, html, languages: site.languages(), look_ups }
}

/// Twice the same question: a cache that leaves our fresh parameter aside has the second
/// answer from the first. Then once for uploads, which have a list of their own.
async fn look_up(site: &Site, slug: &Slug) -> Vec<LookedUp> {
    let mut seen = Vec::new();
    let question = PostQuestion { slug, sent: None };
    for _ in 0..2 {
        seen.push(looked_up(site.look_up_posts(PostType::Post, &[question], None).await));
    }
    if site.account().can(Capability::UploadFiles) {
        let question = MediaQuestion { slug, mime: "image/png", author: None };
        seen.push(looked_up(site.look_up_media(&[question], None).await));
    }
    seen
}

fn looked_up<F>(mut sightings: BTreeMap<Slug, Sighting<F>>) -> LookedUp {
    match sightings.pop_first() {
        Some((_, Sighting::Absent)) => LookedUp::Absent,
        Some((_, Sighting::Hidden)) => LookedUp::Counted,
        Some((_, Sighting::Unclear(unclear))) => LookedUp::Unclear(unclear),
        Some((
            _,
            Sighting::Same(_) | Sighting::Differs(_) | Sighting::Several(_) | Sighting::Trashed(_),
        ))
        | None => LookedUp::Found,
    }
}
