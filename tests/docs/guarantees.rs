//! docs/guarantees.md names tests that are there.

use crate::support::*;

#[test]
fn every_file_that_shows_a_guarantee_is_there() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = read("docs/guarantees.md");
    let named: Vec<&str> = quoted(&text)
        .into_iter()
        .filter(|name| ["tests/", "src/", "fixtures/"].iter().any(|start| name.starts_with(start)))
        .collect();
    assert!(named.len() > 20, "{named:?}");
    for name in named {
        assert!(root.join(name).exists(), "docs/guarantees.md names {name}");
    }
}
