//! Site keys, and finding a journal offline.

use proptest::prelude::*;
use url::Url;

use super::samples::chain;
use super::{Room, write};
use crate::journal::{SiteInfo, locate, site_key};

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

#[test]
fn a_site_key_is_host_port_and_path() {
    let long = format!("https://example.com/{}", "a/".repeat(150));
    let digest = "274594789ddf1a437ad9014941b4f6824031cf77d2ced72bb354d2e65e04a87a";
    let shortened = format!("example.com{}+__{digest}", "+a".repeat(61));
    let fits = format!("https://example.com/{}", "a".repeat(188));
    let just_fitting = format!("example.com+{}", "a".repeat(188));
    let cases = [
        ("https://example.com", "example.com"),
        ("https://example.com/wp-json/", "example.com"),
        ("http://EXAMPLE.com:80/wp-json", "example.com"),
        ("https://example.com:443/?rest_route=/", "example.com"),
        ("https://example.com/index.php?rest_route=/", "example.com"),
        ("https://example.com/index.php/wp-json/", "example.com"),
        ("https://example.com./", "example.com"),
        ("https://wp-json/", "wp-json"),
        ("https://index.php/wp-json/", "index.php"),
        ("https://ann:secret@example.com/#top", "example.com"),
        ("https://www.example.com/", "www.example.com"),
        ("https://example.com/blog/wp-json/", "example.com+blog"),
        ("https://example.com//blog//", "example.com+blog"),
        ("https://example.com/blog", "example.com+blog"),
        ("https://example.com/Blog", "example.com+_42log"),
        ("https://example.com/my_blog/a+b", "example.com+my_5fblog+a_2bb"),
        ("https://example.com/a%2Fb", "example.com+a_2fb"),
        ("https://example.com/%E3%81%82", "example.com+_e3_81_82"),
        ("https://example.com/%e3%81%82", "example.com+_e3_81_82"),
        ("https://example.com/wp-json/wp-json", "example.com+wp-json"),
        ("https://例え.jp/", "xn--r8jz45g.jp"),
        ("http://127.0.0.1:8080/", "127.0.0.1_3a8080"),
        ("http://[::1]:8080/", "_5b_3a_3a1_5d_3a8080"),
        ("mailto:ann@example.com", "mailto_3a+ann_40example.com"),
        ("http://sandbox.invalid/", "sandbox.invalid"),
        (long.as_str(), shortened.as_str()),
        (fits.as_str(), just_fitting.as_str()),
    ];
    let wrong: Vec<String> = cases
        .iter()
        .map(|(text, expected)| (text, site_key(&url(text)).to_string(), expected))
        .filter(|(_, key, expected)| key != *expected)
        .map(|(text, key, expected)| format!("{text}\n  is  {key}\n  not {expected}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

proptest! {
    #![proptest_config(crate::fuzzing::config(256))]

    #[test]
    fn two_sites_have_two_keys(one in "[a-zA-Z0-9_.+%é -]{0,9}", two in "[a-zA-Z0-9_.+%é -]{0,9}",
        three in "[a-z0-9_.+-]{0,3}", port in 1000..1003_u16) {
        let make = |path: &[&str]| {
            let mut url = url("https://example.com/");
            url.set_port(Some(port)).unwrap();
            url.path_segments_mut().unwrap().extend(path);
            url
        };
        let urls = [make(&[&one]), make(&[&two]), make(&[&one, &three]), make(&[&two, &three])];
        // The same site, said in other words: decoded, without empty segments.
        let meaning = |url: &Url| {
            let parts = url.path().split('/').filter(|part| !part.is_empty());
            let parts = parts.map(|part| percent_encoding::percent_decode_str(part).collect());
            parts.collect::<Vec<Vec<u8>>>()
        };
        for (a, b) in urls.iter().flat_map(|a| urls.iter().map(move |b| (a, b))) {
            prop_assert_eq!(meaning(a) == meaning(b), site_key(a) == site_key(b), "{} {}", a, b);
        }
    }

    #[test]
    fn every_url_has_a_key(text in "[a-z]{1,8}:(//)?[^\\s]{0,300}") {
        if let Ok(url) = Url::parse(&text) {
            prop_assert!(!site_key(&url).as_str().is_empty());
        }
    }
}

#[test]
fn a_site_is_remembered_with_every_url_and_no_password() {
    let room = Room::new();
    let mut journal = room.lock();
    let rest_root = url("https://example.com/?rest_route=/");
    journal.remember_site(&rest_root, &url("https://ann:secret@old.example.com")).unwrap();
    let rest_root = url("https://example.com/wp-json/");
    journal.remember_site(&rest_root, &url("https://example.com")).unwrap();
    room.heal();
    journal.remember_site(&rest_root, &url("https://example.com")).unwrap();
    assert_eq!(room.heal(), [], "nothing new is written");
    let expected = SiteInfo {
        key: site_key(&rest_root),
        rest_root: "https://example.com/wp-json/".to_owned(),
        urls: vec!["https://old.example.com/".to_owned(), "https://example.com/".to_owned()],
    };
    assert_eq!(room.view().site().unwrap(), Some(expected));
}

/// What is known of a site is worked out anew by each run, but a newer program's is kept.
#[test]
fn a_damaged_site_file_is_written_anew_and_a_newer_one_is_kept() {
    let (rest_root, configured) = (url("https://example.com/wp-json/"), url("https://example.com"));
    for (content, expected) in [
        ("", None),
        ("{\"schema\": \"oncepress.site/0\"}", None),
        (
            "{\"schema\": \"oncepress.site/2\"}",
            Some("it was written by a newer OncePress (`oncepress.site/2`)"),
        ),
    ] {
        let desk = Room::new();
        let mut journal = desk.lock();
        let path = desk.dir().join("site.json");
        super::write(&path, content.as_bytes());
        let refused = journal.remember_site(&rest_root, &configured).err();
        let why =
            expected.map(|why| format!("journal file {} can't be used: {why}", path.display()));
        assert_eq!(refused.map(|error| super::samples::chain(&error)), why, "{content}");
        let kept = std::fs::read(&path).unwrap() == content.as_bytes();
        assert_eq!(kept, expected.is_some(), "{content}");
    }
}

#[test]
fn a_journal_is_found_by_its_key_or_by_what_a_run_wrote_down() {
    let room = Room::new();
    let journals = room.root.path().join(".oncepress");
    let find = |text: &str| locate(&journals, &url(text));
    assert_eq!(find("https://example.com").unwrap(), None);

    let mut journal = room.lock();
    let rest_root = url("https://example.com/wp-json/");
    journal.remember_site(&rest_root, &url("https://old.example.com")).unwrap();
    assert_eq!(find("http://example.com/index.php").unwrap(), Some(room.dir()));
    assert_eq!(find("http://old.example.com/").unwrap(), Some(room.dir()));
    assert_eq!(find("https://other.example.com").unwrap(), None);

    // A stray file is no journal; a journal that can't be read may be the one.
    write(&journals.join("notes"), b"");
    write(&journals.join("third.example.com/site.json"), b"");
    assert_eq!(find("http://old.example.com/").unwrap(), Some(room.dir()));
    let error = find("https://other.example.com").unwrap_err();
    let path = journals.join("third.example.com/site.json");
    let expected = format!("journal file {} can't be used: it is empty", path.display());
    assert_eq!(chain(&error), expected);
}

#[test]
fn a_url_that_has_named_two_sites_names_none() {
    let room = Room::new();
    let journals = room.root.path().join(".oncepress");
    let mut journal = room.lock();
    let rest_root = url("https://example.com/wp-json/");
    journal.remember_site(&rest_root, &url("https://old.example.com")).unwrap();
    write(&journals.join("old.example.com/runs/run-1.ndjson"), b"");
    let error = locate(&journals, &url("https://old.example.com")).unwrap_err();
    let expected = format!(
        "https://old.example.com/ has been the address of several sites: {}, {}",
        room.dir().display(),
        journals.join("old.example.com").display()
    );
    assert_eq!(chain(&error), expected);
}
