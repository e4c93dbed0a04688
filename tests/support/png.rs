//! Pictures.
//!
//! Absent from here: files. The one rule: each is whole, and its bytes are its own.

/// A picture of one pixel, with a comment that makes its bytes its own.
pub(crate) fn png(comment: &[u8]) -> Vec<u8> {
    let header = b"IHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0";
    let pixel = b"IDAT\x78\x9c\x63\x60\0\0\0\x02\0\x01";
    let text = [b"tEXtComment\0".as_slice(), comment].concat();
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    for chunk in [header.as_slice(), &text, pixel, b"IEND"] {
        let length = u32::try_from(chunk.len() - 4).expect("a short chunk");
        bytes.extend(length.to_be_bytes());
        bytes.extend(chunk);
        bytes.extend(checksum(chunk).to_be_bytes());
    }
    bytes
}

/// CRC-32, as PNG has it.
fn checksum(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 }
        })
    };
    !bytes.iter().fold(!0, step)
}
