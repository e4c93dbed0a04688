//! Look-ups against sites on which anything may go wrong, and when nothing was there.
//!
//! Absent from here: single answers (`fuzz_answers`). The one rule: "absent" is judged a
//! second time, from what went over the wire and by the seven conditions of spec §5
//! alone; that the site really holds nothing is no excuse.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use percent_encoding::percent_decode_str;
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::support::{Act, Arrival, Server, fields, http, row, site, slug};
use crate::fuzzing::fuzz;
use crate::names::{PostType, Slug};
use crate::protocol::kinds::FoundPost;
use crate::protocol::sighting::Sighting;
use crate::wordpress::PostQuestion;
use crate::wordpress::preflight::LanguageOffer;

const SLUGS: [&str; 4] = ["one", "two", "three", "%e5%86%99%e7%9c%9f"];
const CONTROL: &str = "known";

/// What goes wrong with an answer.
#[derive(Debug, Clone)]
enum Fault {
    Status(u16),
    Header(&'static str, &'static str),
    NoTotal,
    Total(i64),
    /// Around the JSON.
    Around(&'static str, &'static str),
    Instead(&'static str),
    /// Announces more than it sends.
    Cut,
    DropsFilter,
    /// Rows vanish, and the count with them: what nobody can see without a control.
    LosesRows,
    /// Rows vanish, and the count stays.
    HidesRows,
    Twice,
    WithoutSlug,
    WithoutId,
}

fn any_fault() -> impl Strategy<Value = Fault> {
    let status = select(vec![201, 202, 204, 301, 302, 400, 401, 403, 404, 429, 500, 502, 503]);
    let header = select(vec![
        ("age", "0"),
        ("age", "7"),
        ("x-cache", "HIT"),
        ("x-cache", "MISS"),
        ("cf-cache-status", "UPDATING"),
        ("x-varnish", "1 2"),
        ("cache-control", "max-age=60"),
        ("cache-control", "no-cache, max-age=60"),
        ("cf-mitigated", "challenge"),
        ("content-type", "text/html"),
    ]);
    let around = select(vec![
        ("\u{feff}", ""),
        ("", "<!-- fast -->"),
        ("", "<!-- from the cache -->"),
        ("Notice: x", ""),
        ("", "x"),
    ]);
    let instead = select(vec!["", "{}", "null", "<html>login</html>", "[[]]", "[{}]", "[1]", "["]);
    prop_oneof![
        2 => status.prop_map(Fault::Status),
        3 => header.prop_map(|(name, value)| Fault::Header(name, value)),
        1 => Just(Fault::NoTotal),
        2 => (-2..3_i64).prop_map(Fault::Total),
        2 => around.prop_map(|(before, after)| Fault::Around(before, after)),
        1 => instead.prop_map(Fault::Instead),
        1 => Just(Fault::Cut),
        1 => Just(Fault::DropsFilter),
        1 => Just(Fault::LosesRows),
        1 => Just(Fault::HidesRows),
        1 => Just(Fault::Twice),
        1 => Just(Fault::WithoutSlug),
        1 => Just(Fault::WithoutId),
    ]
}

#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that is so or is not")]
struct World {
    /// Slug, status, and whether this user may not read it.
    posts: Vec<(String, &'static str, bool)>,
    /// So many posts with the first slug that they fill pages.
    crowd: bool,
    has_control: bool,
    /// Each with the answer it befalls, or all of them.
    faults: Vec<(Option<usize>, Fault)>,
    asked: BTreeSet<usize>,
    was_sent: bool,
    with_control: bool,
    language: LanguageOffer,
}

fn any_world() -> impl Strategy<Value = World> {
    let forms = select(vec!["", "", "", "__trashed", "__trashed-2", "-2"]);
    let statuses = select(vec!["draft", "publish", "trash", "private"]);
    let post = (select(SLUGS.to_vec()), forms, statuses, prop::bool::weighted(0.1))
        .prop_map(|(slug, form, status, hidden)| (format!("{slug}{form}"), status, hidden));
    let faults = vec((option::of(0..4_usize), any_fault()), 0..3);
    let asked = btree_set(0..SLUGS.len(), 1..=SLUGS.len());
    let language = prop_oneof![
        8 => Just(LanguageOffer::None), 2 => Just(LanguageOffer::All), 1 => Just(LanguageOffer::OnlySingle),
    ];
    let flags = (
        prop::bool::weighted(0.05),
        prop::bool::weighted(0.8),
        any::<bool>(),
        prop::bool::weighted(0.3),
    );
    (vec(post, 0..4), faults, asked, language, flags).prop_map(
        |(posts, faults, asked, language, (crowd, has_control, was_sent, with_control))| World {
            posts,
            crowd,
            has_control,
            faults,
            asked,
            was_sent,
            with_control,
            language,
        },
    )
}

/// One question and its answer, as they went over the wire.
#[derive(Debug, Clone)]
struct Exchange {
    query: BTreeMap<String, String>,
    status: u16,
    headers: BTreeMap<String, String>,
    body: String,
    whole: bool,
}

fn plain(slug: &str) -> String {
    percent_decode_str(slug).decode_utf8_lossy().to_lowercase()
}

fn slugs_in(query: &BTreeMap<String, String>) -> BTreeSet<String> {
    query.get("slug").map(|slugs| slugs.split(',').map(plain).collect()).unwrap_or_default()
}

impl World {
    fn rows(&self) -> Vec<(Value, bool)> {
        let mut posts = self.posts.clone();
        if self.has_control {
            posts.push((CONTROL.to_owned(), "publish", false));
        }
        if self.crowd {
            posts.extend((0..120).map(|_| (SLUGS[0].to_owned(), "draft", false)));
        }
        let rows = posts.iter().zip(1..);
        rows.map(|((slug, status, hidden), id)| (row(id, slug, status), *hidden)).collect()
    }

    /// What the site answers to its question number `number`.
    fn answer(&self, number: usize, query: BTreeMap<String, String>) -> Exchange {
        let faults: Vec<&Fault> = self
            .faults
            .iter()
            .filter(|(at, _)| at.is_none_or(|at| at == number))
            .map(|(_, fault)| fault)
            .collect();
        let has = |wanted: fn(&Fault) -> bool| faults.iter().any(|fault| wanted(fault));
        let asked = slugs_in(&query);
        let status_asked = query.get("status").cloned().unwrap_or_default();
        let mut rows = self.rows();
        rows.retain(|(row, _)| {
            let is_asked = asked.contains(&plain(row["slug"].as_str().unwrap()));
            (is_asked || has(|fault| matches!(fault, Fault::DropsFilter)))
                && (row["status"] != "trash" || status_asked.contains("trash"))
        });
        if has(|fault| matches!(fault, Fault::LosesRows)) {
            rows.clear();
        }
        let page: usize = query.get("page").map_or(1, |page| page.parse().unwrap());
        let mut total = i64::try_from(rows.len()).unwrap();
        let mut shown: Vec<Value> = rows
            .into_iter()
            .skip((page - 1) * 100)
            .take(100)
            .filter(|(_, hidden)| !hidden)
            .map(|(row, _)| row)
            .collect();
        let mut headers =
            BTreeMap::from([("content-type".to_owned(), "application/json".to_owned())]);
        let (mut status, mut around, mut instead) = (200, ("", ""), None);
        let mut has_total = true;
        for fault in &faults {
            match fault {
                Fault::Status(other) => status = *other,
                Fault::Header(name, value) => {
                    headers.insert((*name).to_owned(), (*value).to_owned());
                }
                Fault::NoTotal => has_total = false,
                Fault::Total(by) => total += by,
                Fault::Around(before, after) => around = (before, after),
                Fault::Instead(body) => instead = Some((*body).to_owned()),
                Fault::HidesRows => shown.clear(),
                Fault::Twice => shown.extend(shown.first().cloned()),
                Fault::WithoutSlug => {
                    shown.iter_mut().take(1).for_each(|row| row["slug"] = json!(null));
                }
                Fault::WithoutId => shown.iter_mut().take(1).for_each(|row| row["id"] = json!(0)),
                Fault::Cut | Fault::DropsFilter | Fault::LosesRows => {}
            }
        }
        if has_total {
            headers.insert("x-wp-total".to_owned(), total.to_string());
        }
        let json = instead.unwrap_or_else(|| Value::from(shown).to_string());
        let body = format!("{}{json}{}", around.0, around.1);
        let whole = !has(|fault| matches!(fault, Fault::Cut));
        Exchange { query, status, headers, body, whole }
    }
}

/// What the server plays, and what it has seen.
#[derive(Default)]
struct Stage {
    world: Option<World>,
    seen: Vec<Exchange>,
}

fn play(stage: &Mutex<Stage>, arrival: &Arrival) -> Act {
    let mut stage = stage.lock().unwrap();
    let target = arrival.head.split(' ').nth(1).unwrap();
    let url = url::Url::parse("http://h/").unwrap().join(target).unwrap();
    let query = url.query_pairs().into_owned().collect();
    let exchange = stage.world.as_ref().unwrap().answer(stage.seen.len(), query);
    let mut headers: Vec<(&str, &str)> =
        exchange.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let longer = (exchange.body.len() + 9).to_string();
    if !exchange.whole {
        headers.push(("content-length", &longer));
    }
    let text = http(exchange.status, &headers, &exchange.body);
    let whole = exchange.whole;
    stage.seen.push(exchange);
    if whole { Act::Answer(text) } else { Act::SendAndClose(text) }
}

/// The rows of an answer that fulfils what each single answer must (spec §5.1, 2, 3, 5).
fn honest_rows(exchange: &Exchange) -> Option<(Vec<Value>, u64)> {
    let query = |name: &str| exchange.query.get(name).map(String::as_str).unwrap_or_default();
    let header = |name: &str| exchange.headers.get(name).map(|value| value.to_lowercase());
    let text = exchange.body.trim_start_matches('\u{feff}').trim_end_matches("<!-- fast -->");
    let rows: Vec<Value> = serde_json::from_str(text).ok()?;
    let total = header("x-wp-total")?.parse().ok()?;
    let control = header("cache-control").unwrap_or_default();
    let from_a_cache = header("age").is_some_and(|age| age != "0")
        || header("x-cache").is_some_and(|said| said == "hit")
        || header("cf-cache-status").is_some()
        || header("x-varnish").is_some()
        || control == "max-age=60";
    let proves = exchange.status == 200
        && exchange.whole
        && !from_a_cache
        && header("cf-mitigated").is_none()
        && query("status") == "any,trash"
        && query("context") == "edit"
        && query("oncepress_nonce").len() == 16;
    proves.then_some((rows, total))
}

/// Whether these answers, in their order, prove that nothing has this slug (spec §5).
fn proves_absence(pages: &[&Exchange], world: &World, slug: &str) -> bool {
    let asked = slugs_in(&pages[0].query);
    let mut forms = vec![plain(slug), plain(&format!("{slug}__trashed"))];
    if world.was_sent {
        forms.push(plain(&format!("{slug}__trashed-2")));
    }
    let in_all_languages =
        |page: &&&Exchange| page.query.get("lang").is_some_and(|lang| lang == "all");
    let languages = match world.language {
        LanguageOffer::None => true,
        LanguageOffer::All => pages.iter().all(|page| in_all_languages(&page)),
        LanguageOffer::OnlySingle => false,
    };
    let (mut rows, mut totals) = (Vec::new(), BTreeSet::new());
    for page in pages {
        let Some((more, total)) = honest_rows(page) else { return false };
        rows.extend(more);
        totals.insert(total);
    }
    let slugs: Vec<String> =
        rows.iter().filter_map(|row| row["slug"].as_str().map(plain)).collect();
    let ids: BTreeSet<u64> =
        rows.iter().filter_map(|row| row["id"].as_u64()).filter(|id| *id > 0).collect();
    languages
        && forms.iter().all(|form| asked.contains(form) && !slugs.contains(form))
        && totals == BTreeSet::from([rows.len() as u64])
        && slugs.len() == rows.len()
        && ids.len() == rows.len()
        && slugs.iter().all(|slug| asked.contains(slug))
        && (!world.with_control || slugs.contains(&CONTROL.to_owned()))
}

/// The answers to each question, page by page.
fn by_question(seen: &[Exchange]) -> Vec<Vec<&Exchange>> {
    let mut questions: Vec<Vec<&Exchange>> = Vec::new();
    for exchange in seen {
        match questions.last_mut() {
            Some(pages) if exchange.query.contains_key("page") => pages.push(exchange),
            _ => questions.push(vec![exchange]),
        }
    }
    questions
}

/// What a site without faults shows of a slug.
fn truth(world: &World, slug: &str) -> &'static str {
    let mut forms = vec![slug.to_owned(), format!("{slug}__trashed")];
    if world.was_sent {
        forms.push(format!("{slug}__trashed-2"));
    }
    let rows = world.rows();
    let own = |(row, _): &&(Value, bool)| forms.iter().any(|form| row["slug"] == **form);
    let own: Vec<_> = rows.iter().filter(own).collect();
    match own.as_slice() {
        _ if own.iter().any(|(_, hidden)| *hidden) => "hidden",
        [] => "absent",
        [(row, _)] if row["status"] == "trash" => "trashed",
        [(row, _)] if world.was_sent && row["slug"] == slug => "same",
        [_] => "differs",
        _ => "several",
    }
}

fn word(sighting: &Sighting<FoundPost>) -> &'static str {
    match sighting {
        Sighting::Absent => "absent",
        Sighting::Same(_) => "same",
        Sighting::Differs(_) => "differs",
        Sighting::Several(_) => "several",
        Sighting::Trashed(_) => "trashed",
        Sighting::Hidden => "hidden",
        Sighting::Unclear(_) => "unclear",
    }
}

#[test]
fn absent_is_said_only_where_all_conditions_hold() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let stage: Arc<Mutex<Stage>> = Arc::default();
    let played = stage.clone();
    let server = Server::start(move |arrival| play(&played, arrival));
    let site = Mutex::new(site(&server.url));
    let slugs = SLUGS.map(slug);
    let sent = fields("<p>a</p>");
    let (absent, sound) = (Cell::new(0_u32), Cell::new(0_u32));
    fuzz("look-ups", 1_200, &any_world(), |world| {
        *stage.lock().unwrap() = Stage { world: Some(world.clone()), seen: Vec::new() };
        let mut site = site.lock().unwrap();
        site.offers.posts = world.language;
        let asked: Vec<&Slug> = world.asked.iter().map(|at| &slugs[*at]).collect();
        let sent = world.was_sent.then_some(&sent);
        let questions: Vec<_> = asked.iter().map(|slug| PostQuestion { slug, sent }).collect();
        let control = world.with_control.then_some(CONTROL);
        let sightings = runtime.block_on(site.look_up_posts(PostType::Post, &questions, control));
        let seen = stage.lock().unwrap().seen.clone();
        prop_assert_eq!(sightings.len(), asked.len());
        for (slug, sighting) in &sightings {
            if *sighting == Sighting::Absent {
                absent.set(absent.get() + 1);
                let proved = by_question(&seen)
                    .iter()
                    .any(|pages| proves_absence(pages, &world, slug.stored()));
                prop_assert!(proved, "{} is not proved absent by {:#?}", slug.stored(), seen);
            }
            let is_sound = world.faults.is_empty()
                && world.language != LanguageOffer::OnlySingle
                && (!world.with_control || world.has_control);
            if is_sound {
                sound.set(sound.get() + 1);
                prop_assert_eq!(word(sighting), truth(&world, slug.stored()));
            }
        }
        let nonces: BTreeSet<_> = seen.iter().map(|e| &e.query["oncepress_nonce"]).collect();
        prop_assert_eq!(nonces.len(), seen.len());
        Ok(())
    });
    assert!(absent.get() > 200 && sound.get() > 200, "{absent:?} {sound:?}");
}
