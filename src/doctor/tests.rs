//! Findings of sites that no server of a test can be: with certificates, with clocks.

use std::fmt::Write as _;

use super::facts::{
    Asked, Clocks, Configuration, Facts, LookedUp, NotSignedIn, Password, Reached, SignedIn,
    SiteFacts,
};
use super::*;
use crate::protocol::sighting::{Unclear, UnclearWhy};
use crate::report::human::Paint;
use crate::wordpress::{
    About, HtmlKept, Identity, LanguageOffer, PasswordsOffered, PreflightError, RootForm, Seen,
    account_for_tests,
};

const URL: &str = "https://example.com/";
const ALL_RIGHTS: [&str; 5] =
    ["edit_posts", "edit_others_posts", "edit_pages", "upload_files", "unfiltered_html"];

fn about() -> About {
    About {
        root: "https://example.com/wp-json/".to_owned(),
        form: RootForm::Path,
        home: "https://example.com".to_owned(),
        passwords: PasswordsOffered::Yes,
    }
}

fn signed_in() -> SignedIn {
    SignedIn {
        account: account_for_tests(3, &ALL_RIGHTS),
        other_site: None,
        html: Some(HtmlKept::Yes),
        languages: LanguageOffer::None,
        look_ups: vec![LookedUp::Absent; 3],
    }
}

fn clocks(site_s: i64) -> Clocks {
    let at = |second| crate::names::Timestamp::from_second(second).expect("a time");
    Clocks { site: at(site_s), here: at(1_000_000) }
}

fn facts(reached: Reached, clocks: Option<Clocks>) -> Facts {
    let asked = Asked { url: URL.to_owned(), trail: Vec::new(), reached, clocks };
    Facts {
        configuration: Configuration::Complete { username: "writer".to_owned() },
        password: Password::Usual,
        site: SiteFacts::Asked(asked),
        image_bytes_max: 1_500_000,
        file_bytes_max: 100 * 1024 * 1024,
    }
}

fn healthy(change: impl FnOnce(&mut About, &mut SignedIn)) -> Vec<Finding> {
    let (mut about, mut seen) = (about(), signed_in());
    change(&mut about, &mut seen);
    judge(facts(Reached::SignedIn(about, Box::new(seen)), Some(clocks(1_000_000))))
}

fn shown(findings: &[Finding]) -> String {
    human::text(Some(URL), findings, exit_of(findings), Paint::Never)
}

/// What is not as it should be, one line each.
fn codes(findings: &[Finding]) -> Vec<String> {
    let bad = findings.iter().filter(|finding| finding.status() > Status::Ok);
    let bad = bad.filter(|finding| finding.status() < Status::Skipped);
    bad.map(|finding| format!("{} {}", finding.status().word(), finding.code())).collect()
}

#[test]
fn a_healthy_site_on_https() {
    insta::assert_snapshot!(shown(&healthy(|_, _| {})));
}

#[test]
fn colours_take_no_columns_and_no_words() {
    let findings = healthy(|about, seen| {
        about.form = RootForm::Query;
        seen.languages = LanguageOffer::OnlySingle;
    });
    let text = human::text(Some(URL), &findings, exit_of(&findings), Paint::Always);
    for (mark, colour) in [("ok     ", 32), ("warning", 33), ("problem", 31)] {
        assert!(text.contains(&format!("\n\u{1b}[{colour}m{mark}\u{1b}[0m  ")), "{text}");
    }
    let bare = text.replace("\u{1b}[0m", "");
    let bare = [32, 33, 31].iter().fold(bare, |t, c| t.replace(&format!("\u{1b}[{c}m"), ""));
    assert_eq!(bare, shown(&findings));
}

#[test]
fn a_site_that_does_not_know_that_it_is_on_https() {
    let findings = healthy(|about, _| about.home = "http://example.com".to_owned());
    assert_eq!(codes(&findings), ["warning home_not_https"]);
    insta::assert_snapshot!(shown(&findings));
}

/// Nobody signs in, and the index says already that it would be in vain.
#[test]
fn a_site_without_application_passwords_and_nobody_to_try_one() {
    let home = "http://example.com".to_owned();
    let about = About { passwords: PasswordsOffered::No, home, ..about() };
    let findings = judge(facts(Reached::Root(about, NotSignedIn::NotTried), None));
    assert_eq!(codes(&findings), ["warning home_not_https", "problem application_passwords_off"]);
    assert_eq!(exit_of(&findings), Exit::Credentials);
    insta::assert_snapshot!(shown(&findings));
}

#[test]
fn clocks_that_differ_by_a_minute_are_told() {
    let told = |site_s| {
        let reached = Reached::SignedIn(about(), Box::new(signed_in()));
        let findings = judge(facts(reached, Some(clocks(site_s))));
        assert_eq!(exit_of(&findings), Exit::Settled);
        findings.last().map(Finding::message).unwrap_or_default()
    };
    let fine = "within 60 seconds of this machine's";
    assert_eq!(told(1_000_059), fine);
    assert_eq!(told(999_941), fine);
    assert_eq!(told(1_000_060), "the site's clock is 60 seconds ahead of this machine's");
    assert_eq!(told(999_700), "the site's clock is 300 seconds behind this machine's");
}

/// Each reason for which a look-up is no proof, with what must change.
#[test]
fn look_ups_that_prove_nothing() {
    let rows = [
        (UnclearWhy::NoAnswer, "look_ups_unclear", Exit::Temporary),
        (UnclearWhy::Redirected, "look_ups_unclear", Exit::Usage),
        (UnclearWhy::Refused, "look_ups_unclear", Exit::Credentials),
        (UnclearWhy::Status, "look_ups_unclear", Exit::Temporary),
        (UnclearWhy::NotJson, "look_ups_unclear", Exit::Usage),
        (UnclearWhy::TotalMissing, "look_ups_unclear", Exit::Usage),
        (UnclearWhy::ForeignRow, "look_ups_foreign", Exit::Usage),
        (UnclearWhy::Cached, "look_ups_cached", Exit::Usage),
        (UnclearWhy::Middleman, "look_ups_unclear", Exit::Temporary),
        (UnclearWhy::Busy, "look_ups_unclear", Exit::Temporary),
    ];
    for (why, code, exit) in rows {
        let findings = healthy(|_, seen| {
            seen.look_ups[1] = LookedUp::Unclear(Unclear { why, detail: "a-detail".to_owned() });
        });
        assert_eq!(codes(&findings), [format!("problem {code}")], "{why:?}");
        assert_eq!(exit_of(&findings), exit, "{why:?}");
        assert!(shown(&findings).contains("a-detail"), "{why:?}");
    }
    for seen_there in [LookedUp::Counted, LookedUp::Found] {
        let findings = healthy(|_, seen| seen.look_ups[0] = seen_there);
        assert_eq!(codes(&findings), ["problem look_ups_foreign"]);
    }
}

/// Every error that can keep a run from beginning, before and with the account.
fn every_error() -> Vec<PreflightError> {
    let text = || "what came".to_owned();
    vec![
        PreflightError::CredentialsEmpty("password"),
        PreflightError::NoTls(text()),
        PreflightError::NotConnected { url: text(), why: text() },
        PreflightError::Tls { url: text(), why: text() },
        PreflightError::NoAnswer { url: text(), why: text() },
        PreflightError::Hosted(text()),
        PreflightError::WebPassword(text()),
        PreflightError::Redirected { from: text(), to: text() },
        PreflightError::RootElsewhere(text()),
        PreflightError::NotTheAddress { url: text(), home: text() },
        PreflightError::Middleman { who: text(), what: text() },
        PreflightError::Busy { what: text(), retry_after_s: Some(9) },
        PreflightError::Busy { what: text(), retry_after_s: None },
        PreflightError::Broken(text()),
        PreflightError::RestClosed { code: text(), message: text() },
        PreflightError::RestHidden { url: text(), what: text() },
        PreflightError::NotWordPress { url: text(), what: text() },
        PreflightError::NotLoggedIn { code: text(), message: text() },
        PreflightError::WrongPassword { code: text(), message: text() },
        PreflightError::ApplicationPasswordsOff { code: text(), message: text() },
        PreflightError::Refused { status: 403, code: text(), message: text() },
        PreflightError::MissingCapability { user: text(), capability: "edit_posts" },
    ]
}

/// The same error ends `push` with the same exit, and is the first thing that is not well.
#[test]
fn whatever_keeps_a_run_from_beginning_is_found_in_its_place() {
    let mut lines = String::new();
    for error in every_error() {
        let kind = error.kind();
        for stage in ["root", "account"] {
            let seen = vec![Seen {
                asked: URL.to_owned(),
                showed: "status 1".to_owned(),
                identity: Identity::Anonymous,
            }];
            let reached = match stage {
                "root" => Reached::Nothing(error.clone()),
                _ => Reached::Root(about(), NotSignedIn::Refused(error.clone())),
            };
            let mut facts = facts(reached, None);
            if let SiteFacts::Asked(asked) = &mut facts.site {
                asked.trail = seen;
            }
            let findings = judge(facts);
            let problems: Vec<_> =
                findings.iter().filter(|finding| finding.status() == Status::Problem).collect();
            let [problem] = problems[..] else { panic!("{error:?}: {findings:#?}") };
            let exit = exit_of(&findings);
            let by_kind = match kind {
                crate::wordpress::PreflightKind::Config => Exit::Usage,
                crate::wordpress::PreflightKind::Credentials => Exit::Credentials,
                crate::wordpress::PreflightKind::Temporary => Exit::Temporary,
            };
            assert_eq!(exit, by_kind, "{error:?}");
            assert_eq!(next_commands(&findings, exit), ["oncepress doctor"]);
            let after = findings.iter().filter(|finding| finding.check() > problem.check());
            assert!(after.clone().all(|finding| finding.status() == Status::Skipped), "{error:?}");
            let every = Check::ALL.map(|check| findings.iter().any(|f| f.check() == check));
            assert_eq!(every, [true; 13], "{error:?}");
            let line = format!("{stage:<7} {:<25} {}", problem.code(), problem.check().code());
            let _ = writeln!(lines, "{line} {}", exit.code());
        }
    }
    insta::assert_snapshot!(lines);
}
