//! Finding the site and proving the account (cases AUTH, ROOT, RED, WAF).

use serde_json::{Value, json};
use wiremock::matchers::{header_exists, method, path, query_param};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::support::{credentials, nonces, settings};
use crate::protocol::kinds::ContentFilter;
use crate::wordpress::{
    Capability, Credentials, PreflightError, PreflightKind, Site, SiteUrl, connect,
};

fn index() -> Value {
    json!({
        "name": "My &amp; site", "url": "http://127.0.0.1/core", "home": "http://127.0.0.1",
        "gmt_offset": "-3.5", "timezone_string": "", "namespaces": ["oembed/1.0", "wp/v2"],
        "authentication": {"application-passwords": {}},
        "routes": {"/wp/v2/posts": {"endpoints": [{"methods": ["GET"], "args": {"slug": {}}}]}},
    })
}

fn me() -> Value {
    json!({
        "id": 3, "name": "A\u{202e}nn", "slug": "ann",
        "capabilities": {"edit_posts": true, "upload_files": 1, "publish_posts": false},
    })
}

fn error(code: &str) -> Value {
    json!({"code": code, "message": "Sorry.", "data": {}})
}

fn html(status: u16, page: &str) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_raw(page, "text/html; charset=UTF-8")
}

async fn mount(server: &MockServer, at: &str, response: ResponseTemplate) {
    Mock::given(method("GET")).and(path(at)).respond_with(response).mount(server).await;
}

async fn mount_json(server: &MockServer, at: &str, status: u16, body: &Value) {
    mount(server, at, ResponseTemplate::new(status).set_body_json(body)).await;
}

async fn try_connect(base: &str) -> Result<Site, PreflightError> {
    let url = SiteUrl::parse(base).expect("an address");
    connect(&url, &credentials(), &settings(), nonces()).await
}

async fn paths(server: &MockServer) -> Vec<String> {
    let requests = server.received_requests().await.expect("recorded");
    requests.iter().map(|request| format!("{} {}", request.method, request.url.path())).collect()
}

#[tokio::test]
async fn a_usual_site_takes_two_requests() {
    let server = MockServer::start().await;
    mount_json(&server, "/wp-json/", 200, &index()).await;
    mount_json(&server, "/wp-json/wp/v2/users/me", 200, &me()).await;
    let site = try_connect(&server.uri()).await.expect("a site");
    assert_eq!(site.requests().total(), 2);
    assert_eq!((site.name(), site.account().name.as_str()), ("My & site", "A nn"));
    assert_eq!(site.clock().gmt_offset_minutes, -210);
    assert_eq!(site.edit_url(7), "http://127.0.0.1/core/wp-admin/post.php?post=7&action=edit");
    assert!(site.account().can(Capability::UploadFiles));
    assert!(!site.account().can(Capability::PublishPosts));
    assert_eq!(site.account().content_filter(), ContentFilter::On);
    let requests = server.received_requests().await.expect("recorded");
    // AUTH-09: first as nobody.
    assert!(!requests[0].headers.contains_key("authorization"));
    assert!(requests[1].headers.contains_key("authorization"));
}

#[tokio::test]
async fn a_site_without_permalinks_is_found_by_its_parameter() {
    let server = MockServer::start().await;
    let mut blog = index();
    blog["home"] = "https://blog.example/blog".into();
    let here = Mock::given(method("GET")).and(path("/blog/"));
    here.and(query_param("rest_route", "/"))
        .respond_with(ResponseTemplate::new(200).set_body_json(blog))
        .mount(&server)
        .await;
    let me_route = Mock::given(method("GET")).and(path("/blog/"));
    me_route
        .and(query_param("rest_route", "/wp/v2/users/me"))
        .and(query_param("context", "edit"))
        .and(header_exists("authorization"))
        .respond_with(ResponseTemplate::new(200).set_body_json(me()))
        .mount(&server)
        .await;
    // Pasted from a browser, with the folder of the admin screens.
    let site = try_connect(&format!("{}/blog/wp-admin/", server.uri())).await.expect("a site");
    assert!(site.root().ends_with("/blog/?rest_route=/"), "{}", site.root());
    assert_eq!(site.requests().total(), 3);
}

/// WordPress answers `?rest_route=` at any path: a typo must not get a journal of its own.
#[tokio::test]
async fn a_path_below_the_site_is_not_the_site() {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .and(query_param("rest_route", "/"))
        .respond_with(ResponseTemplate::new(200).set_body_json(index()))
        .mount(&server)
        .await;
    let url = format!("{}/no/such/place/", server.uri());
    let error = try_connect(&url).await.expect_err("not the site's address");
    assert_eq!(error.code(), "site_elsewhere");
    assert_eq!(error.hint(), "set [site] url to http://127.0.0.1/");
    assert_eq!(
        error.to_string(),
        format!("{url} is a page of the site http://127.0.0.1/, not its address")
    );
}

#[tokio::test]
async fn the_root_that_the_home_page_names_is_tried_last() {
    for in_header in [true, false] {
        let server = MockServer::start().await;
        let root = format!("{}/api/", server.uri());
        let page = if in_header {
            let link = format!("<{root}>; rel=\"https://api.w.org/\", <x>; rel=shortlink");
            html(200, "<html>").insert_header("link", link.as_str())
        } else {
            let head = format!("<head><link rel='https://api.w.org/' href='{root}' /></head>");
            html(200, &head)
        };
        Mock::given(method("GET")).and(path("/")).respond_with(page).mount(&server).await;
        mount_json(&server, "/api/", 200, &index()).await;
        mount_json(&server, "/api/wp/v2/users/me", 200, &me()).await;
        let site = try_connect(&server.uri()).await.expect("a site");
        assert_eq!(site.root(), root);
    }
    // Another origin: a person decides.
    let server = MockServer::start().await;
    let link = "<https://api.example/wp-json/>; rel=\"https://api.w.org/\"";
    mount(&server, "/", html(200, "<html>").insert_header("link", link)).await;
    let error = try_connect(&server.uri()).await.expect_err("elsewhere");
    assert_eq!(error.code(), "rest_root_elsewhere");
}

/// Case ROOT-05.
#[tokio::test]
async fn a_site_that_refuses_anonymous_readers_is_asked_with_the_password() {
    let server = MockServer::start().await;
    let signed_in = Mock::given(method("GET")).and(path("/wp-json/"));
    signed_in
        .and(header_exists("authorization"))
        .respond_with(ResponseTemplate::new(200).set_body_json(index()))
        .mount(&server)
        .await;
    mount_json(&server, "/wp-json/", 401, &error("rest_login_required")).await;
    mount_json(&server, "/wp-json/wp/v2/users/me", 200, &me()).await;
    assert_eq!(try_connect(&server.uri()).await.expect("a site").requests().total(), 3);
    let closed = MockServer::start().await;
    mount_json(&closed, "/wp-json/", 403, &error("rest_disabled")).await;
    let error = try_connect(&closed.uri()).await.expect_err("closed");
    assert_eq!((error.code(), error.kind()), ("rest_closed", PreflightKind::Config));
    assert_eq!(paths(&closed).await.len(), 2);
}

#[tokio::test]
async fn an_index_that_hides_its_routes_costs_one_more_question() {
    let server = MockServer::start().await;
    let mut bare = index();
    bare.as_object_mut().expect("an object").remove("routes");
    mount_json(&server, "/wp-json/", 200, &bare).await;
    mount_json(&server, "/wp-json/wp/v2/users/me", 200, &me()).await;
    let lang =
        json!({"endpoints": [{"methods": ["GET"], "args": {"lang": {"enum": ["en", "ja"]}}}]});
    Mock::given(method("OPTIONS"))
        .and(path("/wp-json/wp/v2/posts"))
        .respond_with(ResponseTemplate::new(200).set_body_json(lang))
        .mount(&server)
        .await;
    let site = try_connect(&server.uri()).await.expect("a site");
    assert_eq!(site.requests().total(), 3);
    let x = super::support::slug("x");
    let question = [crate::wordpress::PostQuestion { slug: &x, sent: None }];
    let seen = site.look_up_posts(crate::names::PostType::Post, &question, None).await;
    assert!(format!("{seen:?}").contains("Language"), "{seen:?}");
}

/// Each row: the index, the answer to `users/me`, the code, what must change.
#[tokio::test]
async fn each_refusal_has_its_own_code_and_way_out() {
    use PreflightKind as K;
    let mut without = index();
    without["authentication"] = json!([]);
    let refuse = |status, code: &str| ResponseTemplate::new(status).set_body_json(error(code));
    let waits = html(503, "<html>").insert_header("retry-after", "600");
    let captcha = html(202, "<html>").insert_header("sg-captcha", "challenge");
    let no_rights = json!({"id": 3, "name": "Sue", "slug": "sue", "capabilities": {"read": true}});
    let rows = [
        ("AUTH-01", index(), refuse(401, "rest_not_logged_in"), "not_logged_in", K::Credentials),
        ("AUTH-02", index(), refuse(401, "incorrect_password"), "wrong_password", K::Credentials),
        ("AUTH-03", index(), refuse(401, "invalid_username"), "wrong_password", K::Credentials),
        (
            "AUTH-05",
            without,
            refuse(401, "rest_not_logged_in"),
            "application_passwords_off",
            K::Credentials,
        ),
        (
            "AUTH-05",
            index(),
            refuse(501, "application_passwords_disabled"),
            "application_passwords_off",
            K::Credentials,
        ),
        ("AUTH-08", index(), refuse(403, "ithemes_locked"), "account_refused", K::Credentials),
        (
            "AUTH-12",
            index(),
            refuse(401, "vip_maintenance_mode_on"),
            "account_refused",
            K::Temporary,
        ),
        ("a password in front", index(), html(401, "<html>"), "account_refused", K::Credentials),
        ("WAF-04", index(), captcha, "middleman", K::Temporary),
        ("ROOT-08", index(), waits, "site_busy", K::Temporary),
        ("RATE-01", index(), ResponseTemplate::new(429), "site_busy", K::Temporary),
        ("broken", index(), html(500, "<html>"), "site_broken", K::Temporary),
        ("an empty 200", index(), html(200, ""), "site_broken", K::Temporary),
        (
            "a redirect",
            index(),
            ResponseTemplate::new(302).insert_header("location", "/login"),
            "site_redirects",
            K::Config,
        ),
        (
            "a subscriber",
            index(),
            ResponseTemplate::new(200).set_body_json(no_rights),
            "capability_missing",
            K::Credentials,
        ),
    ];
    for (name, index, answer, code, kind) in rows {
        let server = MockServer::start().await;
        mount_json(&server, "/wp-json/", 200, &index).await;
        mount(&server, "/wp-json/wp/v2/users/me", answer).await;
        let error = try_connect(&server.uri()).await.expect_err(name);
        assert_eq!((error.code(), error.kind()), (code, kind), "{name}: {error}");
        assert!(!error.hint().is_empty() && !error.to_string().ends_with('.'), "{name}");
        // Asked once: a second try can lock the account.
        let tries = paths(&server).await.iter().filter(|path| path.contains("users/me")).count();
        assert_eq!(tries, 1, "{name}");
    }
}

/// Each row: what `/wp-json/` answers (everything else is a 404 page), the code, how
/// many requests.
#[tokio::test]
async fn what_is_not_a_rest_root_is_named() {
    let to = |target: &str| ResponseTemplate::new(301).insert_header("location", target);
    let cloudflare = html(403, "<title>Just a moment...</title>").insert_header("cf-ray", "1");
    let rows = [
        ("RED-03 another host", to("https://www.example.com/wp-json/?x=1"), "site_redirects", 1),
        ("RED-05 home", to("/"), "site_redirects", 4),
        ("WAF-02", cloudflare, "middleman", 4),
        ("ROOT-08", html(503, "<html>"), "site_busy", 1),
        ("RATE-01", html(429, "<html>"), "site_busy", 1),
        ("500", html(500, "<html>"), "site_broken", 4),
        ("ROOT-08 empty page", html(200, ""), "not_wordpress", 4),
        ("a page", html(200, "<html>"), "not_wordpress", 4),
        (
            "other JSON",
            ResponseTemplate::new(200).set_body_json(json!({"namespaces": []})),
            "not_wordpress",
            4,
        ),
        (
            "no route",
            ResponseTemplate::new(404).set_body_json(error("rest_no_route")),
            "rest_closed",
            4,
        ),
    ];
    for (name, answer, code, requests) in rows {
        let server = MockServer::start().await;
        mount(&server, "/wp-json/", answer).await;
        let error = try_connect(&server.uri()).await.expect_err(name);
        assert_eq!(error.code(), code, "{name}: {error}");
        assert_eq!(paths(&server).await.len(), requests, "{name}");
        let requests = server.received_requests().await.expect("recorded");
        assert!(
            requests.iter().all(|asked| !asked.headers.contains_key("authorization")),
            "{name}"
        );
        if name.starts_with("RED-03") {
            let expected = "if https://www.example.com is the site's address, set [site] url to it";
            assert_eq!(error.hint(), expected);
        }
    }
}

/// Case AUTH-11.
#[tokio::test]
async fn empty_credentials_are_refused_without_a_request() {
    let server = MockServer::start().await;
    let url = SiteUrl::parse(&server.uri()).expect("an address");
    for (username, password) in [("", "x"), ("x", " ")] {
        let credentials =
            Credentials { username: username.to_owned(), password: password.to_owned().into() };
        let error = connect(&url, &credentials, &settings(), nonces()).await.expect_err("empty");
        assert_eq!(error.code(), "credentials_missing");
    }
    assert!(paths(&server).await.is_empty());
}

#[test]
fn addresses_are_refused_offline() {
    let rows = [
        ("http://example.com", "site_url_not_https"),
        ("http://127.0.0.1.example.com", "site_url_not_https"),
        ("ftp://example.com", "site_url_invalid"),
        ("example.com", "site_url_invalid"),
        ("", "site_url_invalid"),
        ("https://", "site_url_invalid"),
        ("https://ann:secret@example.com", "site_url_invalid"),
        ("ann:secret@example.com", "site_url_invalid"),
        ("https://example.com/?x=1", "site_url_invalid"),
        ("https://me.wordpress.com", "site_not_supported"),
        ("https://ME.WordPress.com./blog", "site_not_supported"),
    ];
    for (text, code) in rows {
        let error = SiteUrl::parse(text).expect_err(text);
        assert_eq!(error.code(), code, "{text}");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}

/// The ways in which people write one site.
#[test]
fn an_address_is_brought_to_one_form() {
    let form = |text: &str| SiteUrl::parse(text).expect(text).as_str().to_owned();
    for same in [
        "https://example.com",
        "https://Example.com/",
        "https://example.com:443",
        "https://example.com./wp-json/",
        "https://example.com/wp-admin/",
        " https://example.com/index.php ",
    ] {
        assert_eq!(form(same), "https://example.com/", "{same}");
    }
    assert_eq!(form("https://example.com/Blog"), "https://example.com/Blog/");
    assert_eq!(form("http://[::1]:8080"), "http://[::1]:8080/");
}
