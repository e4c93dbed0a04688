//! Illnesses of the account.

use serde_json::json;

use super::{Case, shows};
use crate::support::http::Reply;
use crate::support::rules::{Ask, this};
use crate::support::site::Stored;

fn refused(status: u16, code: &str) -> Case {
    Case::healthy().always(Ask::Me, this(Reply::error(status, code)))
}

/// Cases AUTH-01, AUTH-02: core says the same of a lost header and of a wrong password
/// (`tests/it/doctor.rs`).
#[test]
fn a_header_that_is_lost_or_a_password_that_is_wrong() {
    shows!("not_signed_in", refused(401, "rest_not_logged_in"));
}

/// Case AUTH-03: plugins make WordPress say more.
#[test]
fn a_password_that_is_known_to_be_wrong() {
    shows!("wrong_password", refused(401, "incorrect_password"));
    shows!("unknown_user", refused(401, "invalid_username"));
}

/// Case AUTH-05.
#[test]
fn application_passwords_that_are_off() {
    let off = |stored: &mut Stored| stored.index["authentication"] = json!([]);
    shows!("passwords_off", refused(401, "rest_not_logged_in").where_the_site(off));
    shows!("passwords_off_for_the_user", refused(401, "application_passwords_disabled_for_user"));
    // A plugin may take passwords of its own.
    shows!("passwords_of_a_plugin", Case::healthy().where_the_site(off));
}

/// Cases AUTH-08, AUTH-12.
#[test]
fn a_plugin_that_refuses() {
    shows!("refused_by_a_plugin", refused(403, "itsec_rest_api_access"));
    shows!("refused_for_maintenance", refused(401, "vip_maintenance_mode"));
}

fn with_rights(rights: &[&str]) -> Case {
    let rights: serde_json::Map<_, _> =
        rights.iter().map(|right| ((*right).to_owned(), json!(true))).collect();
    Case::healthy().where_the_site(|stored| stored.me["capabilities"] = json!(rights))
}

/// Case FIND-02 among them: an author does not see the drafts of others.
#[test]
fn rights_that_are_missing() {
    shows!("subscriber", with_rights(&["read"]));
    shows!("contributor", with_rights(&["read", "edit_posts"]));
    let all = ["edit_posts", "edit_others_posts", "edit_pages", "upload_files"];
    shows!("filtered_by_role", with_rights(&all));
}

/// A network of sites, or `DISALLOW_UNFILTERED_HTML`: the right is there, its use is not.
#[test]
fn html_that_the_site_filters_for_everybody() {
    let post = |links| json!({ "id": 7, "slug": "a", "status": "publish", "_links": links });
    let shown = |links| Case::healthy().where_the_site(|stored| stored.posts.push(post(links)));
    shows!("filtered_by_the_site", shown(json!({ "self": [] })));
    let told = shown(json!({ "self": [], "wp:action-unfiltered-html": [] })).told();
    assert!(told.contains("\nok       html           stored as it is sent\n"), "{told}");
}
