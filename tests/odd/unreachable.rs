//! Sites that can't be reached: no name, no listener, no TLS, a certificate of nobody.
//!
//! Absent from here: connections that break later (`transport`). The one rule: nothing
//! was sent, and nothing is in doubt that was not before.

use std::net::{Ipv4Addr, TcpListener};

use crate::support::desk::Desk;
use crate::support::http::Reply;
use crate::support::rows::line;
use crate::support::rules::{Ask, Carries, Rule, Times, this};
use crate::support::server::Server;
use crate::support::site::Site;
use crate::support::stranger::Stranger;

/// The run ends before anything is asked, with this error.
fn stops(url: &str, code: &str) {
    let desk = Desk::new(url, "connect_timeout_s = 2\ntimeout_s = 3");
    desk.article("x");
    for args in [&["push", "--json", "--verbose"] as &[&str], &["push", "--json"]] {
        let ran = desk.run(args);
        let expected = format!("5 !{code}: x deferred {code} none none; nothing asked; 0 posts");
        assert_eq!(line(&ran, &desk, &Site::new()), expected, "{}", ran.stderr);
        assert_eq!(ran.json["errors"][0]["remote_effect"], "none");
        assert_ne!(ran.json["errors"][0]["hint"], "");
    }
}

#[test]
fn a_name_that_is_nobodys() {
    stops("https://nope.invalid", "cannot_connect");
}

#[test]
fn a_port_on_which_nobody_listens() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = listener.local_addr().expect("its address").port();
    drop(listener);
    stops(&format!("http://127.0.0.1:{port}"), "cannot_connect");
}

/// Case DUP-09: DNS, connect and TLS failures are all "not sent".
#[test]
fn a_port_that_does_not_speak_tls() {
    let server = Server::of(&Site::new());
    stops(&server.url().replace("http:", "https:"), "tls_refused");
}

#[test]
fn a_listener_that_says_nothing_in_tls() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = listener.local_addr().expect("its address").port();
    stops(&format!("https://127.0.0.1:{port}"), "cannot_connect");
}

#[test]
fn a_certificate_that_is_not_trusted() {
    stops(&Stranger::start().url(), "tls_refused");
}

/// Scene S6: a doubt stays a doubt while the site is away.
#[test]
fn a_doubt_stays_while_the_site_is_away() {
    let site = Site::new();
    let lost = this(Reply::html(502, ""));
    site.rule(Rule::new(Ask::Create, Times::Once, Carries::Out, lost.clone()));
    site.rule(Rule::new(Ask::LookUp, Times::Nth(2), Carries::Out, lost));
    let server = Server::of(&site);
    let desk = Desk::new(&server.url(), "");
    desk.article("x");
    let first = desk.run(&["push", "--json"]);
    assert_eq!(
        line(&first, &desk, &site),
        "4: x unknown cannot_look_up possible sending +answer_lost; look-up 2, create 1; 1 posts"
    );
    // The same journal, and nobody there.
    let port = server.url().rsplit(':').next().expect("a port").to_owned();
    drop(server);
    let away = desk.run(&["push", "--json"]);
    assert_eq!(
        line(&away, &desk, &site),
        "4 !cannot_connect: x unknown cannot_look_up possible sending; nothing asked; 1 posts",
        "port {port}"
    );
    assert_eq!(away.json["articles"][0]["retryable"], true);
}
