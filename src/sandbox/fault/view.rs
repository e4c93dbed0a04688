//! What lists show when they do not show the truth.
//!
//! Absent from here: writes. The one rule: a row that is hidden is hidden from lists
//! alone; who knows its id can read it.

use std::collections::BTreeMap;

use http::{HeaderName, Uri};

use super::super::{Request, Response, World};
use super::accident::{Accident, Counted};
use super::kind::Kind;
use super::work::Work;
use crate::names::Timestamp;

const TOTALS: [HeaderName; 2] =
    [HeaderName::from_static("x-wp-total"), HeaderName::from_static("x-wp-totalpages")];

/// A state, and what its lists leave out.
pub(in crate::sandbox) struct View<'a> {
    pub(in crate::sandbox) world: &'a World,
    pub(in crate::sandbox) hidden: &'a BTreeMap<u64, Counted>,
}

impl View<'_> {
    pub(in crate::sandbox) fn answer(
        &self,
        request: &Request,
        work: &Work,
        now: Timestamp,
    ) -> Response {
        let without_filter;
        let request = if work.accidents.contains(&Accident::DropFilter) {
            without_filter = without(request, "slug");
            &without_filter
        } else {
            request
        };
        let mut shown = self.world.clone();
        if !is_list(work.kind) || self.hidden.is_empty() {
            return shown.answer(request, now, None);
        }
        for (id, _) in self.hidden.iter().filter(|(_, counted)| **counted == Counted::Uncounted) {
            shown.posts.remove(id);
        }
        let counted = shown.answer(request, now, None);
        for id in self.hidden.keys() {
            shown.posts.remove(id);
        }
        let mut answer = shown.answer(request, now, None);
        for name in TOTALS {
            if let Some(total) = counted.headers().get(&name) {
                answer.headers_mut().insert(name, total.clone());
            }
        }
        answer
    }
}

fn is_list(kind: Kind) -> bool {
    match kind {
        Kind::LookUp | Kind::LookUpMedia | Kind::Receipts | Kind::List => true,
        Kind::Index
        | Kind::Me
        | Kind::Read
        | Kind::Terms
        | Kind::CreatePost
        | Kind::CreateTag
        | Kind::Upload
        | Kind::PostProcess
        | Kind::Other => false,
    }
}

/// The request without a parameter of its query, lists such as `slug[]` included.
fn without(request: &Request, name: &str) -> Request {
    let uri = request.uri();
    let is_it = |pair: &&str| {
        let key = pair.split('=').next().unwrap_or_default();
        let key = percent_encoding::percent_decode_str(key).decode_utf8_lossy();
        key.split('[').next() == Some(name)
    };
    let query = uri.query().unwrap_or_default();
    let kept: Vec<&str> = query.split('&').filter(|pair| !is_it(pair)).collect();
    let target = format!("{}?{}", uri.path(), kept.join("&"));
    let mut parts = uri.clone().into_parts();
    let mut changed = request.clone();
    // A part of a URI that was one is one.
    if let Ok(target) = target.parse() {
        parts.path_and_query = Some(target);
        if let Ok(uri) = Uri::from_parts(parts) {
            *changed.uri_mut() = uri;
        }
    }
    changed
}
