//! Illnesses of the address and of the REST root.

use serde_json::json;

use super::{Case, shows};
use crate::support::http::{Reply, Request};
use crate::support::rules::{Ask, Give, bent, this};

/// The root is where plain permalinks have it, and this is where it usually is.
fn only_by_query(elsewhere: Reply) -> Give {
    std::sync::Arc::new(
        move |request: &Request, reply| {
            if request.route.starts_with('?') { reply } else { elsewhere.clone() }
        },
    )
}

#[test]
fn a_healthy_site() {
    shows!("healthy", Case::healthy());
}

/// Cases RED-02, RED-05.
#[test]
fn an_address_that_redirects() {
    let away = |to: &str| this(Reply::html(301, "").with("location", to));
    let index = away("https://www.example.com/wp-json/");
    shows!("redirects_away", Case::healthy().always(Ask::Index, index));
    let home = this(Reply::html(302, "").with("location", "/"));
    shows!("redirects_home", Case::healthy().always(Ask::Index, home));
}

#[test]
fn an_address_that_is_not_the_sites() {
    let page = Case::healthy().always(Ask::Index, this(Reply::html(200, "<html>A shop")));
    shows!("not_wordpress", page);
    let missing = Case::healthy().always(Ask::Index, this(Reply::html(404, "<html>")));
    shows!("no_root", missing);
    let themed = "<html><link href=\"/wp-content/themes/t/style.css\">";
    let hidden = Case::healthy()
        .always(Ask::Index, this(Reply::html(404, "<html>")))
        .always(Ask::Home, this(Reply::html(200, themed)));
    shows!("rest_hidden", hidden);
    let inside = Case::healthy()
        .where_the_site(|stored| stored.index["home"] = json!("https://example.com/blog"))
        .always(Ask::Index, only_by_query(Reply::html(404, "<html>")));
    shows!("not_its_address", inside);
    let other = Case::healthy().configured("expect_name = \"Another\"");
    shows!("another_site", other);
}

/// Cases ROOT-01, ROOT-02.
#[test]
fn plain_permalinks() {
    let case = Case::healthy().always(Ask::Index, only_by_query(Reply::html(404, "<html>")));
    shows!("plain_permalinks", case);
}

/// Case ROOT-05.
#[test]
fn a_rest_api_that_is_off_or_closed() {
    let off = this(Reply::error(404, "rest_disabled"));
    shows!("rest_off", Case::healthy().always(Ask::Index, off));
    let closed = this(Reply::error(401, "rest_cannot_access"));
    shows!("rest_closed", Case::healthy().always(Ask::Index, closed));
    let for_users: Give = std::sync::Arc::new(|request: &Request, reply| {
        let signed = request.header("authorization").is_some();
        if signed { reply } else { Reply::error(401, "rest_login_required") }
    });
    shows!("rest_for_users", Case::healthy().always(Ask::Index, for_users));
}

/// The index is where the password goes first, and a page is a refusal too: it is not
/// taken to the next place.
#[test]
fn a_password_that_a_page_refuses_on_the_index() {
    let refused: Give = std::sync::Arc::new(|request: &Request, _| {
        let signed = request.header("authorization").is_some();
        if signed { Reply::html(403, "<html>No") } else { Reply::error(401, "rest_login_required") }
    });
    shows!("refused_on_the_index", Case::healthy().always(Ask::Index, refused));
}

/// A login page where the API should be, as on a site that is for members.
#[test]
fn a_login_page() {
    let page = this(Reply::html(200, "<html><form action=\"/wp-login.php\">"));
    shows!("login_page", Case::healthy().always(Ask::Index, page));
}

/// Cases WAF-02, WAF-04.
#[test]
fn a_firewall() {
    let challenge = Reply::html(202, "<html>sgcaptcha").with("sg-captcha", "challenge");
    shows!("challenge", Case::healthy().always(Ask::Index, this(challenge)));
    let refused = Reply::html(403, "<html>Just a moment...").with("cf-ray", "1");
    shows!("firewall", Case::healthy().always(Ask::Index, this(refused)));
}

#[test]
fn a_password_of_the_web_server() {
    let wanted = || {
        let page = Reply::html(401, "<html>").with("www-authenticate", "Basic realm=\"Staging\"");
        this(page.with("server", "Apache"))
    };
    let case = Case::healthy().always(Ask::Index, wanted()).always(Ask::Home, wanted());
    shows!("web_password", case);
    shows!("web_password_on_the_account", Case::healthy().always(Ask::Me, wanted()));
}

/// Case ROOT-08.
#[test]
fn maintenance() {
    let page = Reply::html(503, "<html>Briefly unavailable").with("retry-after", "600");
    shows!("maintenance", Case::healthy().always(Ask::Index, this(page)));
    shows!("broken", Case::healthy().always(Ask::Index, this(Reply::html(500, "<p>critical"))));
}

/// Case ROOT-06: the home page of a site there names the API of the platform.
#[test]
fn a_site_that_wordpress_com_hosts() {
    let link = "<https://public-api.wordpress.com/wp/v2/sites/1/>; rel=\"https://api.w.org/\"";
    let case = Case::healthy()
        .always(Ask::Index, this(Reply::html(404, "<html>")))
        .always(Ask::Home, this(Reply::html(200, "<html>").with("link", link)));
    shows!("hosted", case);
    let moved = Reply::html(301, "").with("location", "https://someone.wordpress.com/wp-json/");
    shows!("hosted_after_a_redirect", Case::healthy().always(Ask::Index, this(moved)));
}

#[test]
fn a_site_whose_clock_is_wrong() {
    let wrong = || bent(|reply| reply.with("date", "Wed, 21 Oct 2015 07:28:00 GMT"));
    let case = [Ask::Index, Ask::Me, Ask::LookUp, Ask::MediaLookUp, Ask::Candidates]
        .into_iter()
        .fold(Case::healthy(), |case, on| case.always(on, wrong()));
    // How far it is behind is told by this machine's clock.
    let told = case.told();
    let line = told.lines().find(|line| line.starts_with("warning")).expect("a warning");
    let (before, rest) = line.split_once("clock is ").expect("how far");
    assert_eq!(before, "warning  clock          the site's ");
    assert!(
        rest.split(' ').next().and_then(|s| s.parse::<u64>().ok()) > Some(300_000_000),
        "{line}"
    );
    assert!(told.contains("(clocks_apart)") && told.contains("\nexit 0;"), "{told}");
}

/// What a site says is shown, and shown on one line, short, and without control.
#[test]
fn words_of_the_site_are_kept_in_their_place() {
    let message = format!("<b>Go\u{1b}[31m away\u{202e}\n</b>{}", "x".repeat(5_000));
    let error = json!({ "code": "rest\u{7}_off", "message": message, "data": { "status": 403 } });
    shows!("unruly_words", Case::healthy().always(Ask::Index, this(Reply::json(404, &error))));
}
