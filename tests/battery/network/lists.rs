//! Lists that are stale, filtered, miscounted or not the site's own.
//!
//! Absent from here: what any answer can be (`bodies`). The one rule: each breaks one
//! condition of spec §5, or keeps them all and is wrong.

use serde_json::{Value, json};

use super::bodies::each;
use super::http::Reply;
use super::kinds::Kind;
use super::outcome::{Lie, Nothing, Outcome, Proves, Rows, Shape};

const HEARD: Proves = Proves::Nothing(Nothing::Heard);
/// The id of a post, a page and an attachment that nobody has.
const NOBODYS: u64 = 900_001;

pub(super) fn outcomes(kind: Kind) -> Vec<Outcome> {
    let Shape::List(rows) = kind.shape() else { return Vec::new() };
    // A list with more than was asked for, and the row that was asked for.
    let more = if kind.needs_one_row() { Proves::Truth } else { HEARD };
    let mut outcomes = totals(more);
    outcomes.extend(caches());
    outcomes.push(foreign_rows(more));
    if rows == Rows::Some {
        outcomes.extend(rows_bent(more));
    }
    outcomes
}

fn bent(
    name: &str,
    proves: Proves,
    make: impl Fn(Reply) -> Reply + Send + Sync + 'static,
) -> Outcome {
    Outcome::reply(name, proves, move |_, reply| make(reply.clone()))
}

fn totals(more: Proves) -> Vec<Outcome> {
    let total = |name: &str, proves, make: fn(u64) -> String| {
        bent(name, proves, move |reply| {
            let total = rows_of(&reply).len() as u64;
            reply.with("x-wp-total", &make(total))
        })
    };
    vec![
        bent("no total", HEARD, |reply| reply.without("x-wp-total")),
        total("a total too high by one", Proves::Lie(Lie::OneHidden), |rows| {
            (rows + 1).to_string()
        }),
        total("a total of a thousand", more, |_| "1000".to_owned()),
        total("a total that is a word", HEARD, |_| "many".to_owned()),
        total("an empty total", HEARD, |_| String::new()),
        total("a negative total", HEARD, |_| "-1".to_owned()),
        total("two totals", HEARD, |rows| format!("{rows}, {rows}")),
        total("a total of 1.0", HEARD, |rows| format!("{rows}.0")),
    ]
}

fn caches() -> Vec<Outcome> {
    let header = |name: &str, header: &'static str, value: &'static str| {
        bent(name, HEARD, move |reply| reply.with(header, value))
    };
    vec![
        header("a minute old", "age", "60"),
        header("a hit", "x-cache", "HIT"),
        header("a hit of Cloudflare", "cf-cache-status", "HIT"),
        header("stale", "x-proxy-cache", "STALE"),
        header("two ids of Varnish", "x-varnish", "32770 3"),
        header("for anybody to keep", "cache-control", "public, max-age=600"),
        bent("fresh, said a cache", Proves::Truth, |reply| {
            reply.with("age", "0").with("x-cache", "MISS")
        }),
    ]
}

fn rows_of(reply: &Reply) -> Vec<Value> {
    serde_json::from_slice(&reply.body).expect("a healthy list")
}

fn with_rows(reply: &Reply, rows: &[Value]) -> Reply {
    let reply = Reply { body: json!(rows).to_string().into_bytes(), ..reply.clone() };
    reply.with("x-wp-total", &rows.len().to_string())
}

/// The filter was dropped: rows come that nobody asked for.
fn foreign_rows(more: Proves) -> Outcome {
    bent("rows that nobody asked for", more, |reply| {
        let mut rows = rows_of(&reply);
        for number in 0..3 {
            let raw = json!({ "raw": "Somebody's" });
            rows.push(json!({
                "id": NOBODYS + number, "slug": format!("somebodys-{number}"), "status": "publish",
                "type": "post", "link": "http://localhost/", "title": raw, "content": raw,
            }));
        }
        with_rows(&reply, &rows)
    })
}

fn rows_bent(more: Proves) -> Vec<Outcome> {
    let row = |name: &str, proves, change: fn(&mut Value)| {
        bent(name, proves, move |reply| each(reply, change))
    };
    vec![
        bent("its rows left out", Proves::Lie(Lie::RowsLeftOut), |reply| with_rows(&reply, &[])),
        bent("its rows left out, and counted", Proves::Lie(Lie::AllHidden), |reply| {
            let total = rows_of(&reply).len().to_string();
            with_rows(&reply, &[]).with("x-wp-total", &total)
        }),
        bent("its rows twice", more, |reply| {
            let rows = rows_of(&reply);
            with_rows(&reply, &[rows.clone(), rows].concat())
        }),
        bent("a total of 0", HEARD, |reply| reply.with("x-wp-total", "0")),
        bent("its rows are null", HEARD, |reply| {
            let rows = vec![Value::Null; rows_of(&reply).len()];
            with_rows(&reply, &rows)
        }),
        bent("its rows are ids", HEARD, |reply| {
            let rows: Vec<Value> = rows_of(&reply).iter().map(|row| row["id"].clone()).collect();
            with_rows(&reply, &rows)
        }),
        row("rows of a type that nobody asked for", more, |row| {
            let name = if row.get("taxonomy").is_some() { "taxonomy" } else { "type" };
            row[name] = json!("event");
        }),
    ]
}
