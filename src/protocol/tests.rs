//! The table and the transitions, over all their inputs.

use std::fmt::Write as _;

use super::change::{Change, Decision};
use super::decide::{
    Action, Age, DeferReason, HoldReason, PreparedInput, SentInput, Standing, UnknownReason, decide,
};
use super::kinds::{Difference, DifferentField, FoundPost, Kind};
use super::record::{Confirmed, DecisionKind, Happened, Phase, Prepared, Record, Sending};
use super::restore::{Impossible, Stored};
use super::sighting::{ReceiptSighting, Sighting, Unclear, UnclearWhy};
use crate::names::{OperationId, PostId, RunId, Timestamp};

fn unclear() -> Unclear {
    Unclear { why: UnclearWhy::NoAnswer, detail: "no answer".to_owned() }
}

fn sightings() -> Vec<(&'static str, Sighting<u8>)> {
    vec![
        ("absent", Sighting::Absent),
        ("same", Sighting::Same(1)),
        ("differs", Sighting::Differs(1)),
        ("several", Sighting::Several(vec![1, 2])),
        ("trashed", Sighting::Trashed(1)),
        ("hidden", Sighting::Hidden),
        ("unclear", Sighting::Unclear(unclear())),
    ]
}

fn receipt_sightings() -> Vec<(&'static str, ReceiptSighting<u8>)> {
    vec![
        ("missing", ReceiptSighting::Missing),
        ("present", ReceiptSighting::Present(1)),
        ("mismatch", ReceiptSighting::Mismatch(1)),
        ("trashed", ReceiptSighting::Trashed(1)),
        ("hidden", ReceiptSighting::Hidden),
        ("unclear", ReceiptSighting::Unclear(unclear())),
    ]
}

/// A row of the table, waiting for its column.
type Row = (&'static str, fn(Sighting<u8>) -> Standing<u8>);

fn slug_rows() -> Vec<Row> {
    use PreparedInput::{Changed, RendererChanged};
    vec![
        ("none", Standing::None),
        ("prepared, same input", |s| Standing::Prepared(PreparedInput::Same, s)),
        ("prepared, changed input", |s| Standing::Prepared(Changed, s)),
        ("prepared, changed renderer", |s| Standing::Prepared(RendererChanged, s)),
        ("sending, same input, settling", |s| Standing::Sending(SentInput::Same, Age::Settling, s)),
        ("sending, same input, settled", |s| Standing::Sending(SentInput::Same, Age::Settled, s)),
        ("sending, changed input, settling", |s| {
            Standing::Sending(SentInput::Changed, Age::Settling, s)
        }),
        ("sending, changed input, settled", |s| {
            Standing::Sending(SentInput::Changed, Age::Settled, s)
        }),
    ]
}

fn describe(action: &Action<u8>) -> String {
    match action {
        Action::Create => "create".to_owned(),
        Action::Complete(_) => "complete".to_owned(),
        Action::Skip(reason, found) => format!("skip {} ({} shown)", reason.code(), found.len()),
        Action::Hold(reason, found) => format!("hold {} ({} shown)", reason.code(), found.len()),
        Action::Unknown(reason) => format!("unknown {}", reason.code()),
        Action::Defer(reason) => format!("defer {}", reason.code()),
    }
}

/// Every standing there is, with its row and column of the table.
fn all_standings() -> Vec<(String, &'static str, Standing<u8>)> {
    let mut all = Vec::new();
    for (row, standing) in slug_rows() {
        for (column, sighting) in sightings() {
            all.push((row.to_owned(), column, standing(sighting)));
        }
    }
    for (row, input) in [("same input", SentInput::Same), ("changed input", SentInput::Changed)] {
        for (column, sighting) in receipt_sightings() {
            all.push((format!("confirmed, {row}"), column, Standing::Confirmed(input, sighting)));
        }
    }
    all.push(("withdrawn".to_owned(), "any", Standing::Withdrawn));
    all
}

#[test]
fn the_whole_table_is_the_golden_file() {
    let mut table = String::new();
    for (row, column, standing) in all_standings() {
        let action = describe(&decide(standing));
        let _ = writeln!(table, "{row:<33} | {column:<8} | {action}");
    }
    let golden = include_str!("../../fixtures/decision-table.txt");
    assert_eq!(table, golden, "fixtures/decision-table.txt does not say what decide() does");
}

#[test]
fn only_a_proof_of_absence_with_nothing_sent_creates() {
    for (row, column, standing) in all_standings() {
        let may_create = (row == "none" || row == "prepared, same input") && column == "absent";
        assert_eq!(decide(standing) == Action::Create, may_create, "{row} / {column}");
    }
}

#[test]
fn only_the_same_content_under_a_sending_record_completes() {
    for (row, column, standing) in all_standings() {
        let may_complete = row.starts_with("sending, same input") && column == "same";
        let completes = matches!(decide(standing), Action::Complete(_));
        assert_eq!(completes, may_complete, "{row} / {column}");
    }
}

#[test]
fn every_hold_reason_can_be_read_back_from_its_code() {
    for reason in HoldReason::ALL {
        assert_eq!(HoldReason::from_code(reason.code()), Some(reason));
    }
    assert_eq!(HoldReason::from_code("no_such_reason"), None);
}

#[test]
fn an_unclear_sighting_keeps_what_was_seen() {
    let action = decide(Standing::<u8>::None(Sighting::Unclear(unclear())));
    assert_eq!(action, Action::Defer(DeferReason::CannotLookUp(unclear())));
    let standing =
        Standing::<u8>::Sending(SentInput::Same, Age::Settled, Sighting::Unclear(unclear()));
    assert_eq!(decide(standing), Action::Unknown(UnknownReason::CannotLookUp(unclear())));
}

/// A kind whose facts are single letters, so that every path can be walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Letters {}

impl Kind for Letters {
    type Identity = char;
    type Input = char;
    type Sent = char;
    type Receipt = char;
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + second).expect("in range")
}

fn run() -> RunId {
    RunId::parse("run-1").expect("valid")
}

fn prepared() -> Prepared<Letters> {
    let operation = OperationId::parse("op-1").expect("valid");
    Prepared { operation, input: 'i', run: run(), at: at(0) }
}

fn decision() -> Decision {
    Decision {
        by: "me@here".to_owned(),
        because: "I looked".to_owned(),
        evidence: "nothing there".to_owned(),
        at: at(9),
    }
}

fn changes() -> Vec<(&'static str, Change<Letters>)> {
    vec![
        ("prepare", Change::Prepare(prepared())),
        ("send", Change::BeginSending { sent: 's', run: run(), at: at(1), settle_until: at(121) }),
        ("confirm", Change::Confirm('r')),
        ("reuse", Change::Reuse { input: 'i', receipt: 'r' }),
        (
            "void",
            Change::Void { code: "refused".to_owned(), evidence: "400".to_owned(), at: at(2) },
        ),
        ("hold", Change::Hold(HoldReason::NotFound, at(3))),
        ("release", Change::Release),
        ("adopt", Change::Adopt { input: 'i', receipt: 'r', decision: decision() }),
        ("not_created", Change::NotCreated(decision())),
        ("restart", Change::Restart(decision())),
        ("withdraw", Change::Withdraw(decision())),
    ]
}

fn phases() -> Vec<(&'static str, Phase<Letters>)> {
    let sending = Sending {
        prepared: prepared(),
        sent: 's',
        run: run(),
        sent_at: at(1),
        settle_until: at(121),
    };
    vec![
        ("none", Phase::None),
        ("prepared", Phase::Prepared(prepared())),
        ("sending", Phase::Sending(sending)),
        ("confirmed", Phase::Confirmed(Confirmed { input: 'i', receipt: 'r' })),
    ]
}

fn stored(phase: Phase<Letters>) -> Stored<Letters> {
    Stored {
        identity: 'a',
        serial: 9,
        attempts: 1,
        phase,
        hold: None,
        withdrawn: None,
        history: Vec::new(),
    }
}

#[test]
fn every_change_of_every_phase_is_the_golden_file() {
    let mut table = String::new();
    for (from, phase) in phases() {
        for (name, change) in changes() {
            let record = stored(phase.clone()).restore().expect("a possible record");
            let to = record.apply(change).map_or_else(
                |illegal| format!("refused: {illegal}"),
                |record| format!("{}, {} attempts", record.phase().code(), record.attempts()),
            );
            let _ = writeln!(table, "{from:<9} + {name:<11} = {to}");
        }
    }
    let golden = include_str!("../../fixtures/transitions.txt");
    assert_eq!(table, golden, "fixtures/transitions.txt does not say what apply() does");
}

#[test]
fn nothing_but_a_receipt_or_a_person_or_a_proof_of_nothing_leaves_sending() {
    for (name, change) in changes() {
        let record = stored(phases().remove(2).1).restore().expect("a possible record");
        let Ok(after) = record.apply(change) else { continue };
        let left = after.phase().code() != "sending";
        let may_leave = ["confirm", "void", "adopt", "not_created"].contains(&name);
        assert_eq!(left, may_leave, "{name}");
    }
}

#[test]
fn a_withdrawn_send_is_still_unknown_when_it_is_brought_back() {
    let record = stored(phases().remove(2).1).restore().expect("a possible record");
    let withdrawn = record.apply(Change::Withdraw(decision())).expect("allowed");
    assert!(withdrawn.withdrawn().is_some());
    let back = withdrawn.apply(Change::Restart(decision())).expect("allowed");
    assert!(back.withdrawn().is_none());
    assert_eq!(back.phase().code(), "sending");
    assert!(back.apply(Change::Restart(decision())).is_err(), "a second restart must not void it");
}

#[test]
fn a_hold_keeps_its_since_until_the_reason_changes() {
    let record = Record::<Letters>::new('a');
    let record = record.apply(Change::Hold(HoldReason::NotFound, at(1))).expect("allowed");
    let record = record.apply(Change::Hold(HoldReason::NotFound, at(5))).expect("allowed");
    assert_eq!(record.hold().map(|hold| hold.since), Some(at(1)));
    let record = record.apply(Change::Hold(HoldReason::Hidden, at(7))).expect("allowed");
    assert_eq!(record.hold().map(|hold| hold.since), Some(at(7)));
}

#[test]
fn refusals_are_forgotten_before_decisions() {
    let mut record = Record::<Letters>::new('a').apply(Change::Withdraw(decision())).expect("ok");
    for _ in 0..100 {
        record = record.apply(Change::Prepare(prepared())).expect("allowed");
        let void = Change::Void { code: "x".to_owned(), evidence: String::new(), at: at(1) };
        record = record.apply(void).expect("allowed");
    }
    assert_eq!(record.history().len(), super::change::CLOSED_ATTEMPTS_MAX + 1);
    assert_eq!(record.serial(), 201);
}

#[test]
fn a_stored_record_whose_counters_contradict_its_phase_is_refused() {
    let mut never_sent = stored(phases().remove(2).1);
    never_sent.attempts = 0;
    let refused = never_sent.restore().expect_err("sending without an attempt");
    assert_eq!(refused, Impossible::Counters { phase: "sending", serial: 9, attempts: 0 });
    let mut too_young = stored(phases().remove(3).1);
    too_young.serial = 0;
    assert!(too_young.restore().is_err());
    let mut settles_before_it_is_sent = stored(phases().remove(2).1);
    if let Phase::Sending(sending) = &mut settles_before_it_is_sent.phase {
        sending.settle_until = at(-5);
    }
    assert!(matches!(settles_before_it_is_sent.restore(), Err(Impossible::Change(_))));
}

/// The least that led to each phase is enough, and anything less is not.
#[test]
fn a_stored_record_counts_at_least_the_changes_that_lead_to_its_phase() {
    let least = [("none", 1, 0), ("prepared", 1, 0), ("sending", 2, 1), ("confirmed", 1, 0)];
    for ((name, phase), (expected, serial, attempts)) in phases().into_iter().zip(least) {
        assert_eq!(name, expected);
        let counted = |serial, attempts| Stored { serial, attempts, ..stored(phase.clone()) };
        let record = counted(serial, attempts).restore().expect(name);
        assert_eq!((record.serial(), record.attempts()), (serial, attempts), "{name}");
        assert!(counted(serial - 1, attempts).restore().is_err(), "{name}, a change less");
        if attempts > 0 {
            assert!(counted(serial, attempts - 1).restore().is_err(), "{name}, a create less");
        }
    }
}

#[test]
fn a_record_knows_the_input_and_the_receipt_of_its_phase() {
    let known = [(None, None), (Some('i'), None), (Some('i'), None), (Some('i'), Some('r'))];
    for ((name, phase), (input, receipt)) in phases().into_iter().zip(known) {
        let record = stored(phase).restore().expect("a possible record");
        assert_eq!(
            (record.input().copied(), record.receipt().copied()),
            (input, receipt),
            "{name}"
        );
    }
}

#[test]
fn only_one_decision_vouches_that_nothing_was_created() {
    use DecisionKind::{Adopt, NotCreated, Restart, Withdraw};
    let happened = |decision| {
        let (by, because) = (String::new(), String::new());
        Happened::Decided { decision, by, because }
    };
    let vouches =
        [Adopt, NotCreated, Restart, Withdraw].map(|kind| happened(kind).is_not_created());
    assert_eq!(vouches, [false, true, false, false]);
    assert!(!Happened::Voided { code: "http_404".to_owned() }.is_not_created());
    let codes = [Adopt, NotCreated, Restart, Withdraw].map(DecisionKind::code);
    assert_eq!(codes, ["adopt", "not_created", "restart", "withdraw"]);
}

/// The codes stand in records and results, and are never changed.
#[test]
fn title_and_content_are_what_was_sent_and_each_difference_has_its_code() {
    use DifferentField as F;
    let fields = [
        (F::Slug, "slug_changed", true),
        (F::Title, "title_changed", false),
        (F::Content, "content_changed", false),
        (F::Excerpt, "excerpt_changed", true),
        (F::Status, "status_changed", true),
        (F::Categories, "categories_dropped", true),
        (F::Tags, "tags_dropped", true),
        (F::FeaturedMedia, "featured_image_dropped", true),
        (F::Date, "date_changed", true),
        (F::Author, "author_changed", true),
        (F::Template, "template_changed", true),
        (F::Format, "format_changed", true),
        (F::CommentStatus, "comment_status_changed", true),
        (F::Meta, "meta_dropped", true),
    ];
    for (field, code, says_the_same) in fields {
        assert_eq!(field.code(), code);
        let difference = |field| Difference { field, sent: String::new(), stored: String::new() };
        let found = FoundPost {
            post_id: PostId::new(1).expect("above zero"),
            stored_slug: String::new(),
            status: String::new(),
            link: String::new(),
            title: String::new(),
            content_digest: None,
            differences: vec![difference(F::Meta), difference(field)],
        };
        assert_eq!(found.says_what_was_sent(), says_the_same, "{code}");
    }
}

#[test]
fn each_doubt_about_a_look_up_has_its_code() {
    use UnclearWhy as U;
    let codes = [
        (U::NoAnswer, "no_answer"),
        (U::Redirected, "redirected"),
        (U::Refused, "refused"),
        (U::Status, "odd_status"),
        (U::NotJson, "not_json"),
        (U::TotalMissing, "total_missing"),
        (U::ForeignRow, "filter_dropped"),
        (U::Cached, "cached_answer"),
        (U::Language, "language_filter"),
        (U::ControlMissing, "control_missing"),
        (U::Middleman, "middleman"),
        (U::Busy, "site_busy"),
    ];
    for (why, code) in codes {
        assert_eq!(why.code(), code);
    }
}
