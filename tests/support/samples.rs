//! One small file of each kind that articles show.
//!
//! Absent from here: large files, and files that are broken. The one rule: each is what
//! its name says to whoever reads its bytes, and bytes of its own make it nobody else's.

/// The kinds, by the endings of their names.
pub(crate) const IMAGES: [&str; 6] = ["jpg", "png", "gif", "webp", "avif", "svg"];
/// What is played.
pub(crate) const MEDIA: [&str; 3] = ["mp4", "webm", "mp3"];

/// A file of the kind with this ending, with these bytes in it where readers pass over
/// them.
pub(crate) fn sample(kind: &str, own: &[u8]) -> Vec<u8> {
    const JPEG: &[u8] = include_bytes!("../../fixtures/demo/photo-walk/img/red bridge.jpg");
    const WEBP: &[u8] = include_bytes!("../../fixtures/demo/img/紅葉.webp");
    const AVIF: &[u8] = include_bytes!("../conformance/files/tiny.avif");
    // 1 by 1 pixel.
    const GIF: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\
        \x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";
    let hex: String = own.iter().flat_map(|byte| [byte >> 4, byte & 15].map(hex_digit)).collect();
    match kind {
        "jpg" => [JPEG, own].concat(),
        "png" => super::png::png(hex.as_bytes()),
        "gif" => [GIF, own].concat(),
        "webp" => [WEBP, own].concat(),
        "avif" => [AVIF, &mp4_box(*b"free", own)].concat(),
        "svg" => {
            let head = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\">";
            format!("{head}<!-- {hex} --></svg>").into_bytes()
        }
        "pdf" => pdf(&hex),
        "mp4" => [&b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom"[..], &mp4_box(*b"mdat", own)].concat(),
        "webm" => [WEBM, &[0; 256], own].concat(),
        "mp3" => [b"ID3\x04\0\0\0\0\0\x0a", &[0; 10][..], MP3_FRAME, &[0; 413], own].concat(),
        other => panic!("no sample is called {other}"),
    }
}

/// The header of EBML with the word `webm`.
const WEBM: &[u8] = b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81\x04\x42\
    \xf3\x81\x08\x42\x82\x84webm\x42\x87\x81\x04\x42\x85\x81\x02";
/// 128 kbit/s, 44.1 kHz.
const MP3_FRAME: &[u8] = b"\xff\xfb\x90\x64";

fn mp4_box(name: [u8; 4], content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len() + 8).expect("a small box");
    [&length.to_be_bytes()[..], &name, content].concat()
}

/// A document without a page.
fn pdf(hex: &str) -> Vec<u8> {
    let objects = "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n\
                   2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>";
    format!("%PDF-1.4\n{objects}\n%{hex}\n%%EOF\n").into_bytes()
}

fn hex_digit(half: u8) -> char {
    char::from_digit(u32::from(half), 16).expect("half a byte")
}
