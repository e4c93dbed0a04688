//! Illnesses of look-ups: caches, language plugins, filters that get lost.

use serde_json::{Value, json};

use super::{Case, shows};
use crate::support::http::Reply;
use crate::support::rules::{Ask, bent, this};
use crate::support::site::Stored;

/// Cases CON-01 to CON-04.
#[test]
fn a_cache_that_answers() {
    let hit = bent(|reply| reply.with("x-cache", "HIT from proxy"));
    shows!("cache_hit", Case::healthy().always(Ask::LookUp, hit));
    // A cache that leaves our fresh parameter aside has the second answer from the first.
    let old = bent(|reply| reply.with("age", "3"));
    shows!("cache_from_the_second_on", Case::healthy().from(Ask::LookUp, 2, old));
}

fn languages(lang: &Value) -> impl FnOnce(&mut Stored) {
    let route = json!({ "endpoints": [{ "methods": ["GET"], "args": { "lang": lang } }] });
    move |stored| stored.index["routes"]["/wp/v2/posts"] = route
}

#[test]
fn a_language_plugin() {
    let single = json!({ "enum": ["en", "ja"] });
    shows!("one_language", Case::healthy().where_the_site(languages(&single)));
    let all = json!({ "enum": ["en", "ja", "all"] });
    shows!("all_languages", Case::healthy().where_the_site(languages(&all)));
}

#[test]
fn a_filter_that_gets_lost() {
    let row = json!([{ "id": 1, "slug": "a-strangers", "status": "publish" }]);
    let dropped = this(Reply::json(200, &row).with("x-wp-total", "1"));
    shows!("filter_dropped", Case::healthy().always(Ask::LookUp, dropped));
    let counted = bent(|reply| reply.with("x-wp-total", "9"));
    shows!("counted", Case::healthy().always(Ask::LookUp, counted));
}

#[test]
fn answers_that_prove_nothing() {
    let without = bent(|reply| reply.without("x-wp-total"));
    shows!("total_missing", Case::healthy().always(Ask::LookUp, without));
    let page = this(Reply::html(403, "<html>Just a moment...").with("cf-ray", "1"));
    shows!("firewall_on_look_ups", Case::healthy().always(Ask::MediaLookUp, page));
    let lost = this(Reply::error(401, "rest_forbidden_context"));
    shows!("password_lost_on_look_ups", Case::healthy().always(Ask::MediaLookUp, lost));
}
