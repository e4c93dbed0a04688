//! What is wrong before the site is asked, and sites that nobody can reach.

use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal};

use super::{Case, told};
use crate::support::desk::Desk;
use crate::support::server::Server;
use crate::support::stranger::Stranger;

const NO_PASSWORD: &[(&str, &str)] = &[("ONCEPRESS_APP_PASSWORD", "")];
/// No request of these may get anywhere.
const NOWHERE: &str = "https://nope.invalid";

/// The findings in a folder with this configuration, as machines see them: the name of
/// the folder, whose length is the machine's, would wrap the lines elsewhere.
fn in_folder(config: Option<&str>, args: &[&str], env: &[(&str, &str)]) -> String {
    let desk = Desk::new(NOWHERE, "");
    match config {
        Some(config) => desk.write("oncepress.toml", config),
        None => std::fs::remove_file(desk.path("oncepress.toml")).expect("it was there"),
    }
    let args = [&["doctor"], args].concat();
    let json = desk.run_with(&[&args[..], &["--json"]].concat(), env);
    let ran = desk.run_with(&args, env);
    told(&ran, &json);
    // The folder's name is another each time.
    let folder = desk.path("").display().to_string();
    let text = serde_json::to_string_pretty(&json.json).expect("it is JSON");
    text.replace(folder.trim_end_matches('/'), "FOLDER")
}

#[test]
fn a_configuration_that_is_missing_or_wrong() {
    insta::assert_snapshot!("no_configuration", in_folder(None, &[], &[]));
    let site = |url: &str| format!("[site]\nurl = \"{url}\"\nusername = \"writer\"\n");
    let shows = |url: &str| in_folder(Some(&site(url)), &[], &[]);
    insta::assert_snapshot!("not_https", shows("http://example.com"));
    insta::assert_snapshot!("on_wordpress_com", shows("https://someone.wordpress.com"));
    insta::assert_snapshot!("no_address", shows("example.com"));
}

#[test]
fn an_address_on_the_command_line_that_can_not_be_one() {
    let shown = in_folder(None, &["http://example.com"], &[]);
    insta::assert_snapshot!("not_https_on_the_command_line", shown);
}

#[test]
fn a_configuration_that_can_not_be_read() {
    let desk = Desk::new(NOWHERE, "");
    desk.write("oncepress.toml", "[site]\nuri = \"https://example.com\"\n");
    let json = desk.run(&["doctor", "--json"]);
    let ran = desk.run(&["doctor"]);
    told(&ran, &json);
    assert_eq!(json.json["checks"][0]["code"], "config_invalid");
    assert_eq!((ran.exit, json.json["site"].is_null()), (2, true));
}

/// The site is looked at as far as it goes without the password.
#[test]
fn a_password_that_is_missing() {
    let case = Case::healthy();
    let server = Server::of(&case.site);
    let desk = Desk::new(&server.url(), "");
    let json = desk.run_with(&["doctor", "--json"], NO_PASSWORD);
    assert_eq!(case.asked(), "index 1, me 0; 0 with the password");
    let ran = desk.run_with(&["doctor"], NO_PASSWORD);
    told(&ran, &json);
    assert_eq!(case.asked(), "index 1, me 0; 0 with the password");
    let text = ran.stdout.replace(&server.url(), super::PLACE);
    insta::assert_snapshot!("no_password", format!("{text}---\nexit {}\n", ran.exit));
}

#[test]
fn a_password_file_that_others_can_read() {
    let case = Case::healthy();
    let server = Server::of(&case.site);
    let desk = Desk::new(&server.url(), "");
    let config = std::fs::read_to_string(desk.path("oncepress.toml")).expect("it is there");
    let config = config.replace("[network]", "password_file = \"secret.pass\"\n[network]");
    desk.write("oncepress.toml", config);
    desk.write("secret.pass", "readable by all");
    let mode = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(desk.path("secret.pass"), mode).expect("a mode");
    let ran = desk.run_with(&["doctor", "--json"], NO_PASSWORD);
    assert_eq!((ran.exit, &ran.json["checks"][1]["code"]), (2, &"no_password".into()));
    assert_eq!(case.asked(), "index 1, me 0; 0 with the password");
}

#[test]
fn a_login_password_in_place_of_an_application_password() {
    let case = Case::healthy();
    let server = Server::of(&case.site);
    let desk = Desk::new(&server.url(), "");
    let ran = desk.run_with(&["doctor", "--json"], &[("ONCEPRESS_APP_PASSWORD", "let me in")]);
    assert_eq!((ran.exit, &ran.json["checks"][1]["code"]), (0, &"password_unusual".into()));
}

/// The password is for the configured site, whatever address is named.
#[test]
fn an_address_on_the_command_line_gets_no_password() {
    let case = Case::healthy();
    let server = Server::of(&case.site);
    let desk = Desk::new(NOWHERE, "");
    let args = ["doctor", &server.url()];
    let text = case.told_at(&desk, &server.url(), &args);
    insta::assert_snapshot!("named_on_the_command_line", text);
    // The configured one, named: as without naming it.
    let desk = Desk::new(&server.url(), "");
    let ran = desk.run(&["doctor", &server.url(), "--json"]);
    let json = &ran.json;
    assert_eq!((ran.exit, &json["checks"][6]["status"]), (0, &"ok".into()), "{json}");
}

/// Whoever stops it is told so by the exit code, and not that all is well.
#[test]
fn an_interruption_is_no_result() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let desk = Desk::new(&format!("http://{}", listener.local_addr().expect("its address")), "");
    let asking = Command::new(env!("CARGO_BIN_EXE_oncepress"))
        .args(["doctor", "--json"])
        .current_dir(desk.path(""))
        .env_clear()
        .env("ONCEPRESS_APP_PASSWORD", "abcd")
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    // It asks, and is not answered.
    let (_stream, _) = listener.accept().expect("a connection");
    let id = Pid::from_child(&asking);
    rustix::process::kill_process(id, Signal::INT).expect("it runs");
    let output = asking.wait_with_output().expect("its output");
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(output.status.code(), Some(130), "{object}");
    assert_eq!((&object["exit_code"], &object["ok"]), (&130.into(), &false.into()));
    assert_eq!(object["checks"][2]["message"], "interrupted", "{object}");
    assert_eq!(object["checks"][2]["status"], "skipped", "{object}");
}

/// The site can't be reached, and that is told once.
fn unreachable(url: &str, code: &str) {
    let desk = Desk::new(url, "connect_timeout_s = 2\ntimeout_s = 3");
    let json = desk.run(&["doctor", "--json"]);
    let ran = desk.run(&["doctor"]);
    told(&ran, &json);
    let object = &json.json;
    assert_eq!((ran.exit, &object["checks"][2]["code"]), (5, &code.into()), "{}", ran.stdout);
    assert_eq!(object["errors"][0]["retryable"], true);
    let after = object["checks"].as_array().expect("checks")[3..].iter();
    assert!(after.clone().all(|check| check["status"] == "skipped"), "{}", ran.stdout);
}

#[test]
fn a_site_that_can_not_be_reached() {
    unreachable(NOWHERE, "cannot_connect");
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = listener.local_addr().expect("its address").port();
    // It listens, and says nothing.
    unreachable(&format!("https://127.0.0.1:{port}"), "cannot_connect");
    drop(listener);
    unreachable(&format!("http://127.0.0.1:{port}"), "cannot_connect");
    let case = Case::healthy();
    let server = Server::of(&case.site);
    unreachable(&server.url().replace("http:", "https:"), "tls_refused");
    unreachable(&Stranger::start().url(), "tls_refused");
}
