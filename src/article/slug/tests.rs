//! What real WordPress answered, and what every slug must keep.

use proptest::prelude::*;

use super::*;

const TABLE: &str = include_str!("../../../fixtures/slugs/table.tsv");
const SUFFIXED: &str = include_str!("../../../fixtures/slugs/suffixed.tsv");

/// The codes that refuse something which no version changes: WordPress acts on it
/// later (digits, names, a Catalan site), nobody could see or type it, or it is
/// hidden in octets, which WordPress never looks into.
const KEPT_BUT_REFUSED: &[&str] = &[
    "slug_accent",
    "slug_control",
    "slug_digits_only",
    "slug_invisible",
    "slug_percent",
    "slug_reserved",
    "slug_space",
    "slug_upper_case",
];

struct Row {
    input: String,
    /// What 6.1, 6.8 and 7.1 made of it.
    stored: [&'static str; 3],
    verdict: &'static str,
}

fn rows() -> Vec<Row> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let [input, old, middle, new, verdict] = cells[..] else {
                panic!("five columns: {line:?}");
            };
            let input = serde_json::from_str(input).unwrap();
            Row { input, stored: [old, middle, new], verdict }
        })
        .collect()
}

fn verdict(text: &str) -> &'static str {
    lint(text).map_or_else(|problem| problem.code, |_| "ok")
}

#[test]
fn the_stored_form_is_what_wordpress_7_1_answers() {
    let wrong: Vec<_> = rows()
        .into_iter()
        .map(|row| (stored_form(&row.input), row))
        .filter(|(ours, row)| ours != row.stored[2])
        .map(|(ours, row)| format!("{:?}: ours {ours}, WordPress {}", row.input, row.stored[2]))
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
    assert!(rows().len() >= 170, "the table is whole");
}

#[test]
fn older_versions_answer_otherwise_only_for_what_is_refused() {
    let differing: Vec<_> = rows()
        .into_iter()
        .filter(|row| row.stored[0] != row.stored[2] || row.stored[1] != row.stored[2])
        .map(|row| (row.input, row.verdict))
        .collect();
    let expected = [
        ("ǝ", "slug_accent"),
        ("Ə", "slug_upper_case"),
        ("Əli", "slug_upper_case"),
        ("a\u{2011}b", "slug_dash"),
        ("\u{2011}", "slug_empty"),
        ("a&#8209;b", "slug_character"),
    ];
    assert_eq!(differing, expected.map(|(text, code)| (text.to_owned(), code)));
}

#[test]
fn each_slug_of_the_table_gets_its_verdict() {
    let wrong: Vec<_> = rows()
        .into_iter()
        .map(|row| (verdict(&row.input), row))
        .filter(|(ours, row)| *ours != row.verdict)
        .map(|(ours, row)| format!("{:?}: {ours}, not {}", row.input, row.verdict))
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_slug_that_passes_is_stored_as_written_by_every_version() {
    for row in rows().iter().filter(|row| row.verdict == "ok") {
        let slug = lint(&row.input).unwrap();
        assert_eq!(row.stored, [slug.stored(); 3], "{:?}", row.input);
        let read = decoded(&row.input).unwrap().nfc().collect::<String>();
        assert_eq!(slug.readable(), read);
    }
}

#[test]
fn a_slug_that_is_refused_is_changed_or_has_a_reason() {
    for row in rows().iter().filter(|row| row.verdict != "ok") {
        let kept = stored::encoded(&row.input.nfc().collect::<String>());
        let unchanged = row.stored.iter().all(|stored| *stored == kept);
        assert!(
            !unchanged || row.input.is_empty() || KEPT_BUT_REFUSED.contains(&row.verdict),
            "{:?} is kept by every version, but {}",
            row.input,
            row.verdict
        );
    }
}

#[test]
fn numbers_and_the_trash_change_a_slug_as_in_wordpress() {
    for line in SUFFIXED.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [stored, second, trashed] = cells[..] else { panic!("three columns: {line:?}") };
        let slug = Slug::from_stored(stored).unwrap();
        assert_eq!(numbered_form(&slug, 2), second);
        assert_eq!(trashed_form(&slug), trashed);
    }
    let trashed = Slug::from_stored("hello__trashed").unwrap();
    assert_eq!(trashed_form(&trashed), "hello__trashed");
}

/// Each code once: what the writer reads, and what is proposed.
#[test]
fn a_refusal_explains_itself_and_proposes() {
    let said = |text: &str| {
        let problem = lint(text).unwrap_err();
        let proposal = problem.proposal.unwrap_or_else(|| "(nothing)".to_owned());
        format!("{}: {} => {proposal}", problem.code, problem.message)
    };
    let texts = [
        "…",
        "100%25",
        "写真　の 整理",
        "a\u{1}b",
        "می\u{200c}خواهم",
        "Hello-World",
        "col·lecció",
        "v1.2.md",
        "2024/notes",
        "a–b—c",
        "what's-new?",
        "--a--b-",
        "2024",
        "feed",
        "page2",
        "draft__trashed",
        &"写真の整理と".repeat(5),
        &"writing-a-cli-".repeat(15),
        "ΟΔΟΣ-İstanbul",
        "<b>R&amp;D</b>",
        "%E3%81%8B%E3%82%99",
    ];
    let said = texts.map(said).join("\n");
    insta::assert_snapshot!(said);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn whatever_is_written_is_judged_and_a_proposal_is_fine(text in slug_text()) {
        match lint(&text) {
            Ok(slug) => {
                let stored = slug.stored();
                prop_assert_eq!(stored_form(&text), stored);
                prop_assert_eq!(stored_form(stored), stored);
                prop_assert_eq!(stored_form(&slug.readable()), stored);
                prop_assert_eq!(lint(stored), Ok(slug.clone()));
                prop_assert_eq!(lint(&slug.readable()), Ok(slug));
            }
            Err(problem) => {
                prop_assert_ne!(problem.code, "slug_not_kept", "a rule is missing");
                if let Some(proposal) = problem.proposal {
                    prop_assert_eq!(lint(&proposal).map(|slug| slug.readable()), Ok(proposal));
                }
            }
        }
    }

    #[test]
    fn letters_and_digits_always_lead_to_a_proposal(
        before in "[ .A-Z/—é]{0,9}", letters in "[a-z0-9写Ж]{1,300}", after in "[ .!A-Z/'-]{0,9}",
    ) {
        let text = format!("{before}{letters}{after}");
        if let Err(problem) = lint(&text) {
            prop_assert!(problem.proposal.is_some(), "{problem:?}");
        }
    }

    #[test]
    fn what_is_stored_fits_and_stays(text in slug_text(), number in 2_u32..2_000) {
        let stored = stored_form(&text);
        prop_assert!(stored.len() <= STORED_BYTES_MAX);
        if let Ok(slug) = lint(&text) {
            prop_assert!(numbered_form(&slug, number).len() <= STORED_BYTES_MAX);
            prop_assert!(trashed_form(&slug).len() <= STORED_BYTES_MAX);
        }
    }
}

/// Texts of what slugs are made of and of what troubles them.
fn slug_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z0-9]{1,8}",
        2 => Just("-".to_owned()),
        2 => any::<char>().prop_map(String::from),
        2 => "[ぁ-ゖァ-ヺ一-龠가-힣а-яא-תก-ฮ]{1,6}",
        1 => "[\\PC&&[^a-z]]",
        1 => "[ -/:-@\\[-`{-~]",
        1 => "(%[0-9a-fA-F]{2}){1,3}",
        1 => prop::sample::select(vec![
            "か\u{3099}", "e\u{301}", "x\u{304}", "\u{1100}\u{1161}", "İ", "ẞ", "l·l", "\u{2011}",
            "&amp;", "<b>", "---41---", "feed", "page", "__trashed", "\u{200d}", "\u{fe0f}",
        ]).prop_map(str::to_owned),
    ];
    let short = prop::collection::vec(piece.clone(), 0..5);
    let long = prop::collection::vec(piece, 20..60);
    prop_oneof![4 => short, 1 => long].prop_map(|pieces| pieces.concat())
}
