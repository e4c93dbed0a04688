//! The project of every case: three articles with two images each, and a new tag.
//!
//! Absent from here: what happens to it. The one rule: everything in it is the same in
//! every case, so that a case is told by its accident alone.

use std::sync::{Arc, LazyLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use oncepress::crash::Found;
use oncepress::names::{Digest, Timestamp};
use oncepress::sandbox::{Simulated, Version, World};
use serde_json::{Value, json};

use crate::png::png;
use crate::secrets::Account;

/// Where the site is; every request is carried to a simulated one.
pub(super) const HOME: &str = "https://example.com";
/// The folder of the site's journal, below that of the case.
pub(super) const JOURNAL: &str = ".oncepress/example.com";
/// Who publishes. An editor sees everybody's drafts.
pub(super) const ACCOUNT: Account =
    Account { user: "editor", password: "sandboxEditor00000000001" };
/// The articles' slugs.
pub(super) const SLUGS: [&str; 3] = ["first", "second", "third"];
/// The tag that the site has not.
pub(super) const TAG: &str = "New tag";
/// When every case begins, in seconds.
pub(super) const START_S: i64 = 1_767_322_800;
/// For so many seconds a site may still be working on a request.
pub(super) const SETTLE_S: i64 = 120;

/// The moment so many milliseconds after the start.
pub(super) fn moment(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(START_S * 1_000 + ms).expect("a time")
}

/// The image of this article with this number.
fn image(slug: &str, number: usize) -> Vec<u8> {
    png(format!("{slug} {number}").as_bytes())
}

/// The digests of an article's images.
pub(super) fn digests(slug: &str) -> [String; 2] {
    [1, 2].map(|number| Digest::of(&image(slug, number)).to_string())
}

/// The folder before the first run.
pub(super) static FOLDER: LazyLock<Found> = LazyLock::new(|| {
    // Nobody waits: each reconciliation asks once.
    let config = format!(
        "[site]\nurl = \"{HOME}\"\nusername = \"{}\"\n\n[network]\nsettle_s = {SETTLE_S}\n\
         lookup_delays_s = [0]\n",
        ACCOUNT.user
    );
    let mut files = Found::new();
    files.insert("articles".into(), None);
    files.insert("articles/img".into(), None);
    let mut put = |name: String, bytes: Vec<u8>| files.insert(name.into(), Some(Arc::from(bytes)));
    put("oncepress.toml".to_owned(), config.into_bytes());
    for slug in SLUGS {
        let text = format!(
            "---\ntitle: On {slug}\ntags: [\"{TAG}\"]\n---\n\nWords on {slug}.\n\n\
             ![One](img/{slug}-1.png)\n\n![Two](img/{slug}-2.png)\n"
        );
        put(format!("articles/{slug}.md"), text.into_bytes());
        for number in [1, 2] {
            put(format!("articles/img/{slug}-{number}.png"), image(slug, number));
        }
    }
    files
});

/// The site before the first run, with what others have there.
pub(super) static SITE: LazyLock<Simulated> = LazyLock::new(|| {
    let mut world = World::new(Version::V6_8, HOME);
    let foreign = json!({ "status": "publish", "slug": "foreign", "title": "Foreign" });
    made(&mut world, "posts", &foreign);
    made(&mut world, "posts", &json!({ "status": "draft", "slug": "fourth", "title": "Fourth" }));
    made(&mut world, "pages", &json!({ "status": "draft", "slug": "first", "title": "A page" }));
    made(&mut world, "tags", &json!({ "name": "Known" }));
    Simulated::new(world)
});

/// Somebody else makes something.
fn made(world: &mut World, route: &str, what: &Value) {
    let admin = world.user("admin").expect("it has one");
    let pair = STANDARD.encode(format!("{}:{}", admin.login, admin.password));
    let request = http::Request::post(format!("{HOME}/wp-json/wp/v2/{route}"))
        .header("authorization", format!("Basic {pair}"))
        .header("content-type", "application/json")
        .body(Bytes::from(what.to_string()))
        .expect("a request");
    let answer = world.answer(&request, moment(-1_000), None);
    assert_eq!(answer.status(), 201, "{route}: {what}");
}
