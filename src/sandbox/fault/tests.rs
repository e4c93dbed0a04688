//! Faults as text, kinds of requests, occurrences.

use bytes::Bytes;

use super::super::{Request, Version, World};
use super::armed::Armed;
use super::*;

fn fault(text: &str) -> Fault {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn a_fault_is_written_as_it_is_read() {
    let table = [
        ("create-post=lose-answer", "create-post=lose-answer"),
        ("create-post:2=late:5", "create-post:2=late:5"),
        ("look-up:3+=stale", "look-up:3+=stale"),
        ("any=slow:1", "any=slow:1"),
        ("any:7=lose-request", "any:7=lose-request"),
        ("receipts=stale:2", "receipts=stale:2"),
        ("create-tag=twice", "create-tag=twice:first"),
        ("upload=twice:nothing", "upload=twice:nothing"),
        ("upload=hide:uncounted", "upload=hide"),
        ("create-post=hide:counted", "create-post=hide:counted"),
        ("look-up-media=drop-filter", "look-up-media=drop-filter"),
        ("me=fail-after", "me=fail-after:500"),
        ("index=fail-after:504", "index=fail-after:504"),
        (
            "create-post=refuse-after:rest_invalid_type",
            "create-post=refuse-after:rest_invalid_type",
        ),
        ("upload=refuse-after", "upload=refuse-after:rest_cannot_update"),
        ("create-post=partly", "create-post=partly"),
        ("create-post=partial-terms", "create-post=partial-terms"),
        ("upload=dead-images", "upload=dead-images:500"),
        ("upload=dead-images:empty", "upload=dead-images:empty"),
        ("upload=refuse", "upload=refuse"),
        ("read=challenge:202", "read=challenge:202"),
        ("terms=redirect", "terms=redirect:301:away"),
        ("terms=redirect:302:slash", "terms=redirect:302:slash"),
        ("list=busy", "list=busy:429:30"),
        ("post-process=busy:503:5", "post-process=busy:503:5"),
        ("other=warning", "other=warning"),
        ("create-post=cut:40", "create-post=cut:40"),
    ];
    for (given, written) in table {
        assert_eq!(fault(given).to_string(), written, "{given}");
        assert_eq!(fault(written), fault(given), "{given}");
        let json = serde_json::to_string(&fault(given)).unwrap();
        assert_eq!(serde_json::from_str::<Fault>(&json).unwrap(), fault(given), "{json}");
    }
}

#[test]
fn the_catalogue_names_every_accident_in_a_form_that_can_be_read() {
    let named: Vec<&str> = Accident::CATALOGUE
        .iter()
        .map(|(form, _)| form.split([':', '[']).next().unwrap())
        .collect();
    for (form, _) in Accident::CATALOGUE {
        let plain = form.split('[').next().unwrap();
        let given = plain.replace("SECONDS", "3").replace("BYTES", "4");
        let accident: Accident = given.parse().unwrap_or_else(|error| panic!("{form}: {error}"));
        let written = accident.to_string();
        assert_eq!(written.parse(), Ok(accident));
        assert_eq!(written.split(':').next(), form.split([':', '[']).next());
        assert!(Kind::ALL.iter().any(|(kind, _, _)| accident.fits(*kind)), "{form} fits nothing");
        // A new accident does not compile here until the catalogue has one more.
        match accident {
            Accident::LoseRequest
            | Accident::Refuse
            | Accident::Busy { .. }
            | Accident::Challenge(_)
            | Accident::Redirect { .. }
            | Accident::Late { .. }
            | Accident::Twice(_)
            | Accident::DropFilter
            | Accident::Stale(_)
            | Accident::PartialTerms
            | Accident::Partly
            | Accident::DeadImages(_)
            | Accident::Hide(_)
            | Accident::LoseAnswer
            | Accident::FailAfter(_)
            | Accident::RefuseAfter(_)
            | Accident::Warning
            | Accident::Cut { .. }
            | Accident::Slow { .. } => {}
        }
    }
    let different: std::collections::BTreeSet<_> = named.iter().collect();
    assert_eq!(different.len(), 19, "as many as there are accidents");
}

#[test]
fn a_wrong_fault_is_refused_with_what_is_right() {
    let kinds = "index, me, look-up, look-up-media, receipts, read, list, terms, create-post, \
                 create-tag, upload, post-process, other, any";
    let accidents = "lose-request, lose-answer, late, twice, hide, stale, drop-filter, fail-after, \
                     refuse-after, partly, partial-terms, dead-images, refuse, challenge, redirect, \
                     busy, warning, cut, slow";
    let table = [
        (
            "lose-answer",
            "\"lose-answer\" is no fault: write KIND=ACCIDENT, such as create-post=lose-answer"
                .to_owned(),
        ),
        (
            "create_post=lose-answer",
            format!(
                "no kind of request is called \"create_post\" (is create-post meant?); known: {kinds}"
            ),
        ),
        ("posts=lose-answer", format!("no kind of request is called \"posts\"; known: {kinds}")),
        (
            "create-post=loose-answer",
            format!(
                "no accident is called \"loose-answer\" (is lose-answer meant?); known: {accidents}"
            ),
        ),
        (
            "create-post:0=lose-answer",
            "\"0\" is no occurrence: write 2 for the second request, 2+ for it and all later ones"
                .to_owned(),
        ),
        ("create-post=late", "late takes seconds, at most 86400, not \"\"".to_owned()),
        ("create-post=late:86401", "late takes seconds, at most 86400, not \"86401\"".to_owned()),
        ("create-post=lose-answer:3", "lose-answer takes nothing more, not \"3\"".to_owned()),
        ("me=stale:5:1", "stale takes nothing more, not \"1\"".to_owned()),
        (
            "look-up=stale:101",
            "stale takes a number of writes, at most 100, not \"101\"".to_owned(),
        ),
        (
            "me=challenge:404",
            "no status is called \"404\" (is 403 meant?); known: 200, 202, 403".to_owned(),
        ),
        ("look-up=hide", "hide can't happen to look-up: it is for create-post, upload".to_owned()),
    ];
    for (given, expected) in table {
        match given.parse::<Fault>() {
            Ok(fault) => panic!("{given} was taken for {fault}"),
            Err(error) => assert_eq!(error.to_string(), expected, "{given}"),
        }
    }
}

fn request(method: &str, uri: &str, body: &str) -> Request {
    let body = Bytes::from(body.to_owned());
    http::Request::builder().method(method).uri(uri).body(body).unwrap()
}

#[test]
fn every_request_has_a_kind() {
    let table = [
        ("GET", "/wp-json/?_fields=name", "index", ""),
        ("GET", "/?rest_route=/", "index", ""),
        ("GET", "/blog/wp-json", "index", ""),
        ("GET", "/", "other", ""),
        ("GET", "/wp-jsonp/wp/v2/posts", "other", ""),
        ("OPTIONS", "/wp-json/wp/v2/posts", "other", ""),
        ("GET", "/wp-json/wp/v2/users/me?context=edit", "me", ""),
        ("GET", "/wp-json/wp/v2/posts?slug=a%2Cb&status=any", "look-up", ""),
        ("GET", "/wp-json/wp/v2/pages?slug[]=a", "look-up", ""),
        ("GET", "/?rest_route=/wp/v2/posts&slug=a", "look-up", ""),
        ("GET", "/wp-json/wp/v2/posts?slug=", "list", ""),
        ("GET", "/wp-json/wp/v2/posts?author=3", "list", ""),
        ("GET", "/wp-json/wp/v2/media?slug=a", "look-up-media", ""),
        ("GET", "/wp-json/wp/v2/media?include=1,2", "receipts", ""),
        ("GET", "/wp-json/wp/v2/posts?include[0]=1", "receipts", ""),
        ("GET", "/wp-json/wp/v2/posts/12", "read", ""),
        ("GET", "/wp-json/wp/v2/media/12", "read", ""),
        ("GET", "/wp-json/wp/v2/posts/12/revisions", "other", ""),
        ("GET", "/wp-json/wp/v2/tags?search=a", "terms", ""),
        ("GET", "/wp-json/wp/v2/categories/3", "terms", ""),
        ("GET", "/wp-json/wp/v2/users?slug=ann", "terms", ""),
        ("POST", "/wp-json/wp/v2/posts?_fields=id", "create-post", r#"{"slug":"a"}"#),
        ("POST", "/wp-json/wp/v2/pages?slug=a", "create-post", ""),
        ("POST", "/wp-json/wp/v2/posts?_method=get&slug=a", "look-up", ""),
        ("POST", "/wp-json/wp/v2/posts/12", "other", ""),
        ("DELETE", "/wp-json/wp/v2/posts/12", "other", ""),
        ("POST", "/wp-json/wp/v2/tags", "create-tag", r#"{"name":"a"}"#),
        ("POST", "/wp-json/wp/v2/media?slug=a", "upload", "PNG"),
        ("POST", "/wp-json/wp/v2/media/3/post-process", "post-process", "{}"),
        ("POST", "/wp-json/batch/v1", "other", "{}"),
    ];
    for (method, uri, kind, body) in table {
        let asked = Asked::of(&request(method, uri, body));
        assert_eq!(asked.kind.name(), kind, "{method} {uri}");
        let has_slug = matches!(kind, "create-post" | "create-tag" | "upload");
        assert_eq!(asked.slug.as_deref(), has_slug.then_some("a"), "{method} {uri}");
    }
    let mut overridden = request("POST", "/wp-json/wp/v2/posts?slug=a", "");
    overridden.headers_mut().insert("x-http-method-override", "GET".parse().unwrap());
    let asked = Asked::of(&overridden);
    assert_eq!((asked.kind, asked.method.as_str()), (Kind::LookUp, "GET"));
    assert_eq!(asked.route, "wp/v2/posts");
}

#[test]
fn a_fault_happens_at_its_occurrence_and_at_no_other() {
    let world = World::new(Version::V6_8, "http://site.example");
    let met = |text: &str, kinds: &[Kind]| -> String {
        let mut armed = Armed::new(fault(text), &world);
        kinds.iter().map(|kind| if armed.meet(*kind).is_some() { 'x' } else { '.' }).collect()
    };
    let (create, look_up) = (Kind::CreatePost, Kind::LookUp);
    let kinds = [create, look_up, create, create, look_up];
    let table = [
        ("create-post=lose-answer", "x.xx."),
        ("create-post:1=lose-answer", "x...."),
        ("create-post:2=lose-answer", "..x.."),
        ("create-post:2+=lose-answer", "..xx."),
        ("look-up=lose-answer", ".x..x"),
        ("any:2=lose-answer", ".x..."),
        ("any=lose-answer", "xxxxx"),
        // Only what it can happen to is counted.
        ("any:2=partly", "..x.."),
        ("any:2+=drop-filter", "....x"),
    ];
    for (text, expected) in table {
        assert_eq!(met(text, &kinds), expected, "{text}");
    }
}
