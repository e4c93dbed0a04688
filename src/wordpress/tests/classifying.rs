//! What the answers to writes prove: one row each of facts §3 and §4 and of each kind
//! of case, in `fixtures/answers/writes.json`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::answer::{Answer, Cut};
use super::super::classify::{Sent, classify};
use super::super::http::{ConnectProblem, Failure};
use crate::names::PostType;
use crate::protocol::outcome::{Outcome, Pressure};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    sent: String,
    status: u16,
    headers: BTreeMap<String, String>,
    body: String,
    expect: String,
    code: Option<String>,
    hint: Option<u64>,
    #[serde(default)]
    back_off: bool,
    retry_after_s: Option<u64>,
    #[serde(default)]
    cut: bool,
}

fn answer(row: &Row) -> Answer {
    let mut answer = Answer {
        status: row.status,
        body: row.body.as_bytes().to_vec(),
        cut: row.cut.then(|| Cut::Broken("reset".to_owned())),
        ..Answer::default()
    };
    for (name, value) in &row.headers {
        answer.keep_header(name, value.as_bytes());
    }
    answer
}

#[test]
fn every_known_answer_proves_what_the_table_says() {
    let text = include_str!("../../../fixtures/answers/writes.json");
    let rows: Vec<Row> = serde_json::from_str(text).expect("the table");
    assert!(rows.len() >= 80);
    for row in &rows {
        let sent = match row.sent.as_str() {
            "post" => Sent::Post(PostType::Post),
            "page" => Sent::Post(PostType::Page),
            _ => Sent::Attachment,
        };
        let outcome = classify(&Ok(answer(row)), sent);
        let seen = match &outcome {
            Outcome::Created(_) => ("created", None, None, None),
            Outcome::Rejected(rejection) => ("rejected", Some(rejection.code.clone()), None, None),
            Outcome::NotSent(_) => ("not_sent", None, None, None),
            Outcome::Unknown(unsettled) => {
                ("unknown", None, unsettled.hint, Some(unsettled.pressure))
            }
        };
        let pressure = match (row.expect.as_str(), row.back_off) {
            ("unknown", true) => Some(Pressure::BackOff { retry_after_s: row.retry_after_s }),
            ("unknown", false) => Some(Pressure::None),
            _ => None,
        };
        assert_eq!(
            seen,
            (row.expect.as_str(), row.code.clone(), row.hint, pressure),
            "{}",
            row.name
        );
        assert!(!format!("{outcome:?}").contains("secret"), "{}: {outcome:?}", row.name);
    }
}

/// Case DUP-09: not sent, refused and unknown are three things.
#[test]
fn a_request_that_did_not_leave_whole_was_not_sent() {
    let sent = Sent::Post(PostType::Post);
    let why = || "reset".to_owned();
    for failure in [
        Failure::NotConnected(ConnectProblem::Dns, why()),
        Failure::NotConnected(ConnectProblem::Tls, why()),
        Failure::NotConnected(ConnectProblem::TimedOut, why()),
        Failure::BodyCut { sent: 9, total: 10, why: why() },
    ] {
        let outcome = classify(&Err(failure.clone()), sent);
        assert!(matches!(outcome, Outcome::NotSent(_)), "{failure:?}");
    }
    let outcome = classify(&Err(Failure::NoAnswer(why())), sent);
    assert!(matches!(outcome, Outcome::Unknown(_)));
}

/// Case MED-22: WordPress says "no data" when PHP has dropped a file that is too large.
#[test]
fn only_a_dropped_file_is_said_to_be_too_large() {
    for (code, expected) in [
        ("rest_upload_no_data", "No. (is the file larger than the site's post_max_size?)"),
        ("rest_upload_hash_mismatch", "No."),
    ] {
        let body = format!(r#"{{"code":"{code}","message":"No."}}"#).into_bytes();
        let answer = Answer { status: 400, body, ..Answer::default() };
        let outcome = classify(&Ok(answer), Sent::Attachment);
        let Outcome::Rejected(rejection) = outcome else { panic!("{outcome:?}") };
        assert_eq!(rejection.message, expected);
    }
}
