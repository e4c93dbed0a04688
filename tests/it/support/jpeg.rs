//! JPEG files of one colour: any size in pixels, few bytes, and the words of a camera.
//!
//! Absent from here: writing them (`project`). The one rule: no two have the same bytes.

use super::project::random_bytes;

/// A grey picture. Each block of 8 × 8 pixels takes two bits: "no change" and "no more".
pub(crate) fn jpeg(width: u16, height: u16, words: Words) -> Vec<u8> {
    let mut file = vec![0xff, 0xd8];
    segment(&mut file, 0xe0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
    match words {
        Words::None => {}
        Words::OfACamera => {
            segment(&mut file, 0xe1, &exif());
            segment(&mut file, 0xed, &iptc());
        }
    }
    segment(&mut file, 0xfe, &random_bytes::<16>());
    segment(&mut file, 0xdb, &[&[0][..], &[16; 64]].concat());
    let [high, low] = height.to_be_bytes();
    let [wide, narrow] = width.to_be_bytes();
    segment(&mut file, 0xc0, &[8, high, low, wide, narrow, 1, 1, 0x11, 0]);
    // One code of one bit in each table, for zero.
    for class in [0x00, 0x10] {
        let mut table = vec![class, 1];
        table.extend([0; 16]);
        segment(&mut file, 0xc4, &table);
    }
    segment(&mut file, 0xda, &[1, 1, 0, 0, 63, 0]);
    let blocks = usize::from(width.div_ceil(8)) * usize::from(height.div_ceil(8));
    file.resize(file.len() + (blocks * 2).div_ceil(8), 0);
    file.extend([0xff, 0xd9]);
    file
}

/// What a file says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Words {
    None,
    /// A description in EXIF, and a title and caption in IPTC.
    OfACamera,
}

/// What each text of [`Words::OfACamera`] begins with.
pub(crate) const CAMERA_TEXT: &str = "Private words";

fn segment(file: &mut Vec<u8>, marker: u8, content: &[u8]) {
    file.extend([0xff, marker]);
    file.extend(u16::try_from(content.len() + 2).expect("a short segment").to_be_bytes());
    file.extend(content);
}

fn exif() -> Vec<u8> {
    let text = format!("{CAMERA_TEXT} of EXIF\0").into_bytes();
    let length = u32::try_from(text.len()).expect("a short text").to_be_bytes();
    // Big-endian; one directory with one entry, `ImageDescription`, whose text follows.
    let mut exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x0e\0\x02".to_vec();
    exif.extend(length);
    exif.extend(b"\0\0\0\x1a\0\0\0\0");
    exif.extend(text);
    exif
}

fn iptc() -> Vec<u8> {
    let mut records = Vec::new();
    for (number, what) in [(5, "title"), (105, "headline"), (120, "caption")] {
        let text = format!("{CAMERA_TEXT} of IPTC, {what}");
        records.extend([0x1c, 2, number, 0, u8::try_from(text.len()).expect("a short text")]);
        records.extend(text.as_bytes());
    }
    let mut iptc = b"Photoshop 3.0\x008BIM\x04\x04\0\0".to_vec();
    iptc.extend(u32::try_from(records.len()).expect("short texts").to_be_bytes());
    iptc.extend(&records);
    iptc.resize(iptc.len() + records.len() % 2, 0);
    iptc
}
