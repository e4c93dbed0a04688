//! The control routes of a served site, under [`CONTROL`]: what is on the site, what
//! arrived, faults, and what people do there.
//!
//! | route | what it does |
//! | --- | --- |
//! | `GET state` | the posts, terms and users, what lists leave out, what is late |
//! | `GET arrivals` | every request since the start, as [`Arrival`](super::super::Arrival)s |
//! | `DELETE arrivals` | forgets them |
//! | `GET faults` | the faults that are set |
//! | `POST faults` | sets more: `{"faults": ["create-post=lose-answer"]}` |
//! | `DELETE faults` | takes all faults away |
//! | `POST act` | a person does something on the site; see [`ACTS`] |
//! | `POST reset` | a fresh site: no posts, no faults, no arrivals |
//!
//! Every answer is a JSON object; a request that is not understood gets `{"error": …}`.
//! Bodies need `Content-Type: application/json`. Absent from here: the site's own routes,
//! and rights: whoever reaches the port may do all of this. The one rule: what is done
//! here is no arrival.

use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::World;
use super::super::fault::{Counted, Fault};
use super::super::kept::{Kept, KeptError};
use super::super::simulated::Simulated;
use crate::names::Timestamp;
use crate::run::{Clock, with_causes};

/// Where the control routes are.
pub const CONTROL: &str = "/-/oncepress";

/// The control routes, each with what it does.
pub const ROUTES: [(&str, &str, &str); 8] = [
    ("GET", "state", "what is on the site"),
    ("GET", "arrivals", "every request, what it made, what the client was told"),
    ("DELETE", "arrivals", "forget them"),
    ("GET", "faults", "the faults that are set"),
    ("POST", "faults", "set more: {\"faults\": [\"create-post=lose-answer\"]}"),
    ("DELETE", "faults", "take all faults away"),
    ("POST", "act", "do as a person does: {\"act\": \"publish\", \"id\": 12}"),
    ("POST", "reset", "a fresh site, without faults and arrivals"),
];

/// What a person can do, as `POST act` takes it.
pub const ACTS: [&str; 8] = [
    r#"{"act": "create", "slug": "a-slug", "title": "A title", "author": "editor"}"#,
    r#"{"act": "edit", "id": 12, "title": "A title", "content": "<p>Text</p>"}"#,
    r#"{"act": "publish", "id": 12}"#,
    r#"{"act": "trash", "id": 12}"#,
    r#"{"act": "untrash", "id": 12}"#,
    r#"{"act": "delete", "id": 12}"#,
    r#"{"act": "hide", "id": 12, "count": "counted"}"#,
    r#"{"act": "show", "id": 12}"#,
];

/// What a person does.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
enum Act {
    /// Writes a draft, with this very slug, even if it is taken.
    Create {
        slug: String,
        title: String,
        author: String,
    },
    /// Changes what is named; a slug is taken as it is.
    Edit {
        id: u64,
        title: Option<String>,
        content: Option<String>,
        slug: Option<String>,
    },
    Publish {
        id: u64,
    },
    Trash {
        id: u64,
    },
    Untrash {
        id: u64,
    },
    /// For good.
    Delete {
        id: u64,
    },
    /// Leaves it out of lists.
    Hide {
        id: u64,
        count: Option<Counted>,
    },
    Show {
        id: u64,
    },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewFaults {
    faults: Vec<String>,
}

#[derive(Clone)]
struct Desk {
    site: Arc<Kept>,
    clock: Clock,
}

impl Desk {
    fn with<T>(&self, work: impl FnOnce(&mut Simulated, Timestamp) -> T) -> Result<T, Refused> {
        let now = (self.clock)();
        Ok(self.site.with(now, |site| work(site, now))?)
    }
}

/// Why a control request was not done.
struct Refused(StatusCode, String);

impl From<KeptError> for Refused {
    fn from(error: KeptError) -> Self {
        Self(StatusCode::INSUFFICIENT_STORAGE, with_causes(&error))
    }
}

impl From<JsonRejection> for Refused {
    fn from(rejection: JsonRejection) -> Self {
        Self(rejection.status(), rejection.body_text())
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.0, Json(json!({"error": self.1}))).into_response()
    }
}

type Told = Result<Json<Value>, Refused>;

pub(super) fn router(site: Arc<Kept>, clock: Clock) -> Router {
    let routes = Router::new()
        .route("/state", get(state))
        .route("/arrivals", get(arrivals).delete(forget_arrivals))
        .route("/faults", get(faults).post(add_faults).delete(clear_faults))
        .route("/act", post(act))
        .route("/reset", post(reset))
        .fallback(async || Refused(StatusCode::NOT_FOUND, unknown_route()))
        .with_state(Desk { site, clock });
    Router::new().nest(CONTROL, routes)
}

fn unknown_route() -> String {
    let routes = ROUTES.map(|(method, route, _)| format!("{method} {CONTROL}/{route}"));
    format!("no such control route; there are: {}", routes.join(", "))
}

async fn state(State(desk): State<Desk>) -> Told {
    desk.with(|site, _| Json(json!({"site": site})))
}

async fn arrivals(State(desk): State<Desk>) -> Told {
    desk.with(|site, _| Json(json!({"arrivals": site.arrivals()})))
}

async fn forget_arrivals(State(desk): State<Desk>) -> Told {
    desk.with(|site, _| {
        site.forget_arrivals();
        Json(json!({"arrivals": []}))
    })
}

fn told_faults(site: &Simulated) -> Json<Value> {
    Json(json!({"faults": site.faults().collect::<Vec<_>>()}))
}

async fn faults(State(desk): State<Desk>) -> Told {
    desk.with(|site, _| told_faults(site))
}

async fn add_faults(
    State(desk): State<Desk>,
    given: Result<Json<NewFaults>, JsonRejection>,
) -> Told {
    let Json(given) = given?;
    let read = |text: &String| text.parse::<Fault>();
    let faults = given.faults.iter().map(read).collect::<Result<Vec<_>, _>>();
    let faults = faults.map_err(|error| Refused(StatusCode::BAD_REQUEST, error.to_string()))?;
    desk.with(|site, _| {
        for fault in faults {
            site.add_fault(fault);
        }
        told_faults(site)
    })
}

async fn clear_faults(State(desk): State<Desk>) -> Told {
    desk.with(|site, _| {
        site.clear_faults();
        told_faults(site)
    })
}

async fn reset(State(desk): State<Desk>) -> Told {
    desk.with(|site, _| {
        site.reset();
        Json(json!({"reset": true}))
    })
}

async fn act(State(desk): State<Desk>, given: Result<Json<Act>, JsonRejection>) -> Told {
    let Json(act) = given?;
    let id = desk.with(|site, now| done(site, act, now))??;
    Ok(Json(json!({"id": id})))
}

/// Does it, and gives the id that it was about.
fn done(site: &mut Simulated, act: Act, now: Timestamp) -> Result<u64, Refused> {
    match act {
        Act::Create { slug, title, author } => {
            if site.world().user(&author).is_none() {
                return Err(missing(format!("no user is called {author:?}")));
            }
            Ok(site.by_a_person(|world| world.write_draft(&author, &slug, &title, now)))
        }
        Act::Edit { id, title, content, slug } => on(site, id, |world| {
            world.edit(id, now, |post| {
                post.title = title.unwrap_or_else(|| post.title.clone());
                post.content = content.unwrap_or_else(|| post.content.clone());
                post.slug = slug.unwrap_or_else(|| post.slug.clone());
            });
        }),
        Act::Publish { id } => on(site, id, |world| world.publish(id, now)),
        Act::Trash { id } => on(site, id, |world| world.trash(id, now)),
        Act::Untrash { id } => on(site, id, |world| world.untrash(id, now)),
        Act::Delete { id } => on(site, id, |world| world.remove(id)),
        Act::Hide { id, count } => {
            known(site, id)?;
            site.hide(id, count.unwrap_or(Counted::Uncounted));
            Ok(id)
        }
        Act::Show { id } => {
            known(site, id)?;
            site.show(id);
            Ok(id)
        }
    }
}

fn on(site: &mut Simulated, id: u64, act: impl FnOnce(&mut World)) -> Result<u64, Refused> {
    known(site, id)?;
    site.by_a_person(act);
    Ok(id)
}

fn known(site: &Simulated, id: u64) -> Result<(), Refused> {
    match site.world().post(id) {
        Some(_) => Ok(()),
        None => Err(missing(format!("the site has no post, page or attachment {id}"))),
    }
}

fn missing(what: String) -> Refused {
    Refused(StatusCode::NOT_FOUND, what)
}
