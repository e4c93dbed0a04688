//! The files that scripts upload.

/// A file by the name that scripts use: its type and its bytes.
pub(crate) fn file(kind: &str) -> (&'static str, Vec<u8>) {
    const PNG: &[u8] = include_bytes!("../../fixtures/demo/img/once.png");
    const JPEG: &[u8] = include_bytes!("../../fixtures/demo/photo-walk/img/red bridge.jpg");
    const WEBP: &[u8] = include_bytes!("../../fixtures/demo/img/紅葉.webp");
    // 2600 by 20 pixels of one colour.
    const WIDE: &[u8] = include_bytes!("files/wide.jpg");
    const AVIF: &[u8] = include_bytes!("files/tiny.avif");
    // 1 by 1 pixel.
    const GIF: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\
        \x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";
    match kind {
        "png" => ("image/png", PNG.to_vec()),
        "jpeg" => ("image/jpeg", JPEG.to_vec()),
        "webp" => ("image/webp", WEBP.to_vec()),
        "wide" => ("image/jpeg", WIDE.to_vec()),
        "avif" => ("image/avif", AVIF.to_vec()),
        "gif" => ("image/gif", GIF.to_vec()),
        "svg" => ("image/svg+xml", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec()),
        "junk" => ("image/png", b"this is no image".to_vec()),
        "empty" => ("image/png", Vec::new()),
        "text" => ("text/plain", b"plain words\n".to_vec()),
        "pdf" => ("application/pdf", b"%PDF-1.4\n%%EOF\n".to_vec()),
        "php" => ("text/plain", b"<?php echo 1;".to_vec()),
        other => panic!("no file is called {other}"),
    }
}
