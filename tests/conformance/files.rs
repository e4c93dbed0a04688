//! The files that scripts upload.

use super::samples::sample;

/// A file by the name that scripts use: its type and its bytes.
pub(crate) fn file(kind: &str) -> (&'static str, Vec<u8>) {
    const PNG: &[u8] = include_bytes!("../../fixtures/demo/img/once.png");
    // 2600 by 20 pixels of one colour.
    const WIDE: &[u8] = include_bytes!("files/wide.jpg");
    let own = |kind| sample(kind, b"conformance");
    match kind {
        "png" => ("image/png", PNG.to_vec()),
        "jpeg" => ("image/jpeg", own("jpg")),
        "webp" => ("image/webp", own("webp")),
        "wide" => ("image/jpeg", WIDE.to_vec()),
        "avif" => ("image/avif", own("avif")),
        "gif" => ("image/gif", own("gif")),
        "svg" => ("image/svg+xml", own("svg")),
        "junk" => ("image/png", b"this is no image".to_vec()),
        "empty" => ("image/png", Vec::new()),
        "text" => ("text/plain", b"plain words\n".to_vec()),
        "mp4" => ("video/mp4", own("mp4")),
        "webm" => ("video/webm", own("webm")),
        "mp3" => ("audio/mpeg", own("mp3")),
        "pdf" => ("application/pdf", own("pdf")),
        "php" => ("text/plain", b"<?php echo 1;".to_vec()),
        other => panic!("no file is called {other}"),
    }
}
