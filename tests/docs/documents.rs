//! What holds for every document.

use std::path::PathBuf;

use crate::support::*;

#[test]
fn links_and_paths_lead_somewhere() {
    for document in DOCUMENTS {
        let text = prose(&read(document));
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if !target.starts_with("https://") {
                assert!(root().join(target).exists(), "{document}: no {target}");
            }
        }
        for word in quoted(&text) {
            let is_path = ["src/", "scripts/", "fixtures/"].iter().any(|f| word.starts_with(f));
            let path = word.split(' ').next().unwrap_or_default();
            assert!(!is_path || root().join(path).exists(), "{document}: no {path}");
        }
    }
}

#[test]
fn functions_that_the_architecture_names_exist() {
    let sources = sources();
    let text = section("ARCHITECTURE.md", "Invariants")
        + &section("ARCHITECTURE.md", "When \"not found\" is proof");
    for word in quoted(&text) {
        let name = word.rsplit("::").next().unwrap_or_default().trim_end_matches("()");
        let is_name = name.trim_matches('_').contains('_') && !word.contains(['/', '-']);
        let is_function = is_name && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        assert!(!is_function || sources.contains(&format!("fn {name}")), "no function {name}");
    }
}

/// A document is read elsewhere: it names no folder of the machine that it was written
/// on, and no host but those that everybody can reach.
#[test]
fn documents_hold_nothing_of_the_machine_they_were_written_on() {
    let hosts =
        ["example.com", "sandbox.invalid", "keepachangelog.com", "semver.org", "www.apache.org"];
    // Routes, tags, and JSON pointers into a result.
    let paths = ["/wp-json/", "/media", "/body>", "/articles/0/", "/articles/1/"];
    let documents = DOCUMENTS.into_iter().chain(["LICENSE-MIT", "LICENSE-APACHE"]);
    for document in documents {
        let text = read(document);
        for scheme in ["https://", "http://"] {
            for rest in text.split(scheme).skip(1) {
                let host = rest.split(|c: char| !(c.is_alphanumeric() || ".-:".contains(c))).next();
                assert!(host.is_some_and(|host| hosts.contains(&host)), "{document}: {host:?}");
            }
        }
        let is_before = |c: char| c.is_whitespace() || "`'\"(<=".contains(c);
        for (index, _) in text.match_indices('/') {
            let before = text[..index].chars().next_back().unwrap_or('\n');
            let path: String = text[index..].chars().take_while(|c| !c.is_whitespace()).collect();
            let named = path.len() > 1 && path[1..].starts_with(|c: char| c.is_alphanumeric());
            let is_known = paths.iter().any(|known| path.starts_with(known));
            assert!(!(is_before(before) && named) || is_known, "{document}: {path}");
        }
    }
}

/// `cargo test` runs in the package's folder; the documents are in it.
#[test]
fn all_documents_are_there() {
    for name in DOCUMENTS.into_iter().chain(["LICENSE-MIT", "LICENSE-APACHE"]) {
        let path: PathBuf = root().join(name);
        assert!(path.is_file(), "{name} is missing");
    }
}
