//! What every row stands on: a small healthy WordPress, rules that make it odd, two
//! servers for it, and a folder of articles with the program run in it.

#[path = "../../support/ask.rs"]
pub(crate) mod ask;
pub(crate) mod desk;
#[path = "../../support/door.rs"]
pub(crate) mod door;
#[path = "../../support/http.rs"]
pub(crate) mod http;
#[path = "../../support/png.rs"]
pub(crate) mod png;
pub(crate) mod raw;
pub(crate) mod rows;
pub(crate) mod rules;
#[path = "../../support/secrets.rs"]
pub(crate) mod secrets;
pub(crate) mod server;
pub(crate) mod site;
#[path = "../../support/stranger.rs"]
pub(crate) mod stranger;
