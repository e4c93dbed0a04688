//! What people and machines are told, for every verdict there is.

use unicode_width::UnicodeWidthStr as _;

use super::exit::Exit;
use super::human::{Paint, text};
use super::json::{Tense, document};
use super::words;
use crate::article::Problem;
use crate::names::{ArticleKey, AttachmentId, PostId, PostType, RunId, Slug, Timestamp};
use crate::protocol::decide::{HoldReason, SkipReason, UnknownReason};
use crate::protocol::sighting::{Unclear, UnclearWhy};
use crate::run::result::{
    ArticleResult, HeldWhy, Interruption, MediaResult, MediaVerdict, PostView, Reason,
    RemoteEffect, RunResult, Trouble, TroubleKind, Verdict, Warning,
};

const SKIPS: [SkipReason; 6] = [
    SkipReason::Exists,
    SkipReason::ExistsSeveral,
    SkipReason::ExistsInTrash,
    SkipReason::ExistsHidden,
    SkipReason::Confirmed,
    SkipReason::Withdrawn,
];

fn article(slug: &str, verdict: Verdict) -> ArticleResult {
    let slug = Slug::from_stored(slug).expect("a slug");
    let path = format!("articles/{slug}.md");
    let key = ArticleKey { post_type: PostType::Post, slug };
    ArticleResult { attempt: 1, ..ArticleResult::new(Some(key), path, verdict) }
}

fn post(id: u64) -> PostView {
    PostView {
        post_id: PostId::new(id).expect("above zero"),
        slug: format!("article-{id}"),
        status: "draft".to_owned(),
        edit_url: Some(format!("https://example.com/wp-admin/post.php?post={id}&action=edit")),
    }
}

fn unclear() -> Unclear {
    let detail = "status 502, text/html, server nginx".to_owned();
    Unclear { why: UnclearWhy::Status, detail }
}

/// One article for every verdict, each with what would stand beside it.
fn every_verdict() -> Vec<ArticleResult> {
    let mut created = article("created", Verdict::Created);
    created.post = Some(post(12));
    created.effect = RemoteEffect::Confirmed;
    created.warnings.push(Warning {
        code: "slug_changed".to_owned(),
        message: "sent \"created\", stored \"created-2\"".to_owned(),
    });
    created.media.push(MediaResult {
        path: "articles/img/a.png".to_owned(),
        verdict: MediaVerdict::Created,
        attachment_id: AttachmentId::new(7),
    });
    let mut all = vec![created, article("completed", Verdict::Completed)];
    all.extend(SKIPS.map(|reason| article("skipped", Verdict::Skipped(reason))));
    let mut cannot = article("unknown", Verdict::Unknown(UnknownReason::CannotLookUp(unclear())));
    cannot.effect = RemoteEffect::Possible;
    cannot.since = "2026-01-02T03:04:05Z".parse().ok();
    all.push(cannot);
    let mut settling = article("settling", Verdict::Unknown(UnknownReason::Settling));
    settling.settles_at = "2026-01-02T03:06:05Z".parse().ok();
    all.push(settling);
    for reason in HoldReason::ALL {
        let mut held = article("held", Verdict::Held(HeldWhy::Decided(reason)));
        held.since = "2026-01-02T03:04:05Z".parse().ok();
        held.sent_at = "2026-01-02T03:00:00Z".parse().ok();
        held.candidates.push(post(30));
        if reason == HoldReason::EditedAfterReceipt {
            held.post = Some(post(12));
        }
        if reason == HoldReason::MediaUnknown {
            held.media.push(MediaResult {
                path: "articles/img/a b.png".to_owned(),
                verdict: MediaVerdict::Held(Reason::new("not_found", "the site does not show it")),
                attachment_id: None,
            });
        }
        all.push(held);
    }
    all.push(article("not-looked-up", Verdict::Unknown(UnknownReason::NotLookedUp)));
    all.push(article("damaged", Verdict::Held(HeldWhy::JournalDamaged("it is empty".to_owned()))));
    let reason = Reason::new("not_sent", "the request did not leave: connection refused");
    all.push(article("deferred", Verdict::Deferred(reason)));
    let reason = Reason::new("category_missing", "the site has no category \"News\"");
    all.push(article("%e4%ba%ac%e9%83%bd%e3%81%ae%e7%a7%8b", Verdict::Rejected(reason)));
    let mut invalid = article("invalid", Verdict::Invalid);
    invalid.key = None;
    invalid.problems.push(Problem {
        path: "articles/invalid.md".to_owned(),
        line: 3,
        code: "title_missing",
        message: "an article needs a title".to_owned(),
    });
    all.push(invalid);
    all
}

fn result(articles: Vec<ArticleResult>) -> RunResult {
    RunResult {
        run: RunId::parse("20260102t030405z-0badcafe").ok(),
        site: Some("https://example.com/".to_owned()),
        articles,
        troubles: vec![
            Trouble::new(
                TroubleKind::ReceiptNotSaved,
                "receipt_not_saved",
                "post 12 exists; the receipt is: {\"post_id\":12}",
                "make room on the disk",
            )
            .with_effect(RemoteEffect::Confirmed),
        ],
        remarks: vec!["the run log has a gap".to_owned()],
        plan_file: None,
        interrupted: None,
    }
}

#[test]
fn people_are_told_every_verdict() {
    insta::assert_snapshot!(text("push", Tense::Done, &result(every_verdict()), Paint::Never));
}

#[test]
fn machines_are_told_every_verdict() {
    let result = result(every_verdict());
    let document = document("push", Tense::Done, &result, Exit::of(&result));
    insta::assert_snapshot!(serde_json::to_string_pretty(&document).expect("JSON"));
}

#[test]
fn a_plan_speaks_of_actions() {
    let mut articles = every_verdict();
    articles[0].verdict = Verdict::WouldCreate;
    articles[0].media[0].verdict = MediaVerdict::WouldUpload;
    articles[1].verdict = Verdict::WouldComplete;
    articles.truncate(2);
    let mut result = result(articles);
    result.troubles.clear();
    let document = document("plan", Tense::Planned, &result, Exit::of(&result));
    insta::assert_snapshot!(serde_json::to_string_pretty(&document).expect("JSON"));
    assert_eq!(Exit::of(&result), Exit::Settled);
}

#[test]
fn lines_for_people_fit_eighty_columns_unless_they_are_to_be_copied() {
    for line in text("push", Tense::Done, &result(every_verdict()), Paint::Never).lines() {
        let to_be_copied = line.trim_start().starts_with("> ")
            || line.contains("https://")
            || line.contains("the receipt is:");
        assert!(line.width() <= 80 || to_be_copied, "{} columns: {line}", line.width());
    }
}

#[test]
fn colours_change_no_letter() {
    let result = result(every_verdict());
    let painted = text("push", Tense::Done, &result, Paint::Always);
    let mut plain = painted.replace("\u{1b}[0m", "");
    for colour in [31, 32, 33] {
        plain = plain.replace(&format!("\u{1b}[{colour}m"), "");
    }
    assert_eq!(plain, text("push", Tense::Done, &result, Paint::Never));
}

/// Each pair: what else is there, and what the run then ends with.
#[test]
fn the_exit_that_a_person_must_know_first_wins() {
    let deferred = || article("d", Verdict::Deferred(Reason::new("x", "x")));
    let rejected = || article("r", Verdict::Rejected(Reason::new("x", "x")));
    let held = || article("h", Verdict::Held(HeldWhy::Decided(HoldReason::NotFound)));
    let damaged = || article("j", Verdict::Held(HeldWhy::JournalDamaged("x".to_owned())));
    let of = |articles: Vec<ArticleResult>, kinds: &[TroubleKind]| {
        let mut result = result(articles);
        result.troubles = kinds.iter().map(|kind| Trouble::new(*kind, "x", "x", "x")).collect();
        Exit::of(&result).code()
    };
    assert_eq!(of(vec![], &[]), 0);
    assert_eq!(of(vec![article("s", Verdict::Skipped(SkipReason::Exists))], &[]), 0);
    assert_eq!(of(vec![deferred()], &[]), 5);
    assert_eq!(of(vec![deferred(), rejected()], &[]), 3);
    assert_eq!(of(vec![deferred(), rejected(), held()], &[]), 4);
    assert_eq!(of(vec![deferred(), rejected(), held()], &[TroubleKind::Credentials]), 6);
    assert_eq!(of(vec![damaged(), held()], &[TroubleKind::Credentials]), 7);
    let rights = article("r", Verdict::Rejected(Reason::new("no_right_to_pages", "x")));
    assert_eq!(of(vec![held(), rights], &[]), 6, "the account must change, not the article");
    assert_eq!(of(vec![deferred(), rejected()], &[TroubleKind::Usage]), 2);
    assert_eq!(of(vec![deferred(), held()], &[TroubleKind::Usage]), 4);
    assert_eq!(of(vec![], &[TroubleKind::Usage]), 2);
    assert_eq!(of(vec![], &[TroubleKind::Internal]), 1);
    assert_eq!(of(vec![], &[TroubleKind::ReceiptNotSaved]), 7);
}

#[test]
fn a_signal_is_told_unless_the_local_state_is_in_trouble() {
    let mut interrupted = result(vec![article("h", Verdict::Created)]);
    interrupted.interrupted = Some(Interruption::Terminate);
    assert_eq!(Exit::of(&interrupted).code(), 7, "the receipt that was not saved comes first");
    interrupted.troubles.clear();
    assert_eq!(Exit::of(&interrupted).code(), 143);
    interrupted.interrupted = Some(Interruption::Interrupt);
    assert_eq!(Exit::of(&interrupted).code(), 130);
}

/// Whatever is not settled tells a command, so that nobody is left with a code alone.
#[test]
fn whatever_needs_somebody_names_a_next_command() {
    for article in every_verdict() {
        let commands = words::next(&article);
        let needs_somebody = match &article.verdict {
            Verdict::Skipped(_) => false,
            verdict => !verdict.is_settled(),
        };
        assert!(!needs_somebody || !commands.is_empty(), "{:?}", article.verdict);
        assert!(commands.iter().all(|command| command.starts_with("oncepress ")));
        assert!(!words::sentence(&article).is_empty());
    }
}

#[test]
fn a_path_with_blanks_can_be_pasted_into_a_shell() {
    let with_blank = every_verdict().into_iter().find(|article| {
        article.verdict == Verdict::Held(HeldWhy::Decided(HoldReason::MediaUnknown))
    });
    let commands = words::next(&with_blank.expect("one of them"));
    let wanted = "oncepress resolve held --media 'articles/img/a b.png' --adopt ID --because \"…\"";
    assert!(commands.iter().any(|command| command == wanted), "{commands:?}");
}

#[test]
fn times_are_told_in_utc() {
    let time: Timestamp = "2026-01-02T12:04:05+09:00".parse().expect("a time");
    let mut held = article("h", Verdict::Held(HeldWhy::Decided(HoldReason::NotFound)));
    held.since = Some(time);
    let document = document("push", Tense::Done, &result(vec![held]), Exit::Doubt);
    let json = serde_json::to_value(&document).expect("JSON");
    assert_eq!(json["articles"][0]["since"], "2026-01-02T03:04:05Z");
}
