//! Files beyond images: what is taken, what each place can show, and what is told.

use std::collections::BTreeSet;

use super::*;
use crate::names::AttachmentId;

const FILM: &[u8] = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom";
const SOUND: &[u8] = b"ID3\x04\0\0\0\0\0\0";
const PAPER: &[u8] = b"%PDF-1.4\n";
const DRAWING: &[u8] = b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>";

fn limits(allowed: &[MediaKind]) -> Limits {
    Limits { allowed: allowed.iter().copied().collect(), file_bytes_max: 100, ..Limits::default() }
}

fn checked(body: &str, allowed: &[MediaKind]) -> Checked {
    let folder = Folder::new(&[
        ("x.html", format!("---\ntitle: A\n---\n{body}").as_bytes()),
        ("f.mp4", FILM),
        ("g.mp4", &[FILM, &[0; 100]].concat()),
        ("s.mp3", SOUND),
        ("p.pdf", PAPER),
        ("d.svg", DRAWING),
        ("o.png", &png()),
        ("film.mp3", FILM),
        ("y.md", MD),
    ]);
    check(&[PathBuf::from("x.html")], Path::new("."), folder.path(), &limits(allowed)).unwrap()
}

#[test]
fn each_place_shows_what_it_can_of_what_is_allowed() {
    use MediaKind::{Mp3, Mp4, Pdf, Svg};
    for (body, allowed, codes) in [
        ("<video src=f.mp4 poster=o.png></video>", &[Mp4][..], &[][..]),
        ("<video src=f.mp4></video>", &[Mp3, Pdf, Svg], &["image_type_unsupported"]),
        ("<video src=o.png></video>", &[Mp4], &["image_type_unsupported"]),
        ("<img src=f.mp4><img srcset='p.pdf 2x'>", &[Mp4, Pdf], &["image_type_unsupported"; 2]),
        ("<img src=d.svg>", &[Svg], &[]),
        ("<img src=d.svg><a href=p.pdf>p</a>", &[], &["image_type_unsupported"; 2]),
        ("<a href=o.png>o</a><a href=p.pdf#page=2>p</a><a href=s.mp3>s</a>", &[Mp3, Pdf], &[]),
        ("<audio><source src=s.mp3></audio>", &[Mp3], &[]),
        ("<video src=film.mp3></video>", &[Mp4], &["image_type_mismatch"]),
        ("<a href=g.mp4>g</a>", &[Mp4], &["image_too_large"]),
        (
            "<a href=y.md>y</a><a href=gone.md>y</a>",
            &[],
            &["link_to_article", "reference_unsupported"],
        ),
        (
            "<a href=about/>y</a><a href=about>y</a><a href=.>y</a>",
            &[],
            &["reference_unsupported"; 3],
        ),
        ("<a href=gone.pdf>y</a>", &[], &["image_missing"]),
        ("<a href=../y.md>y</a>", &[], &["image_outside_folder"]),
        ("<a href='/about/'>y</a><a href='https://h/a.pdf'>y</a>", &[], &[]),
    ] {
        let checked = checked(body, allowed);
        let lines = problem_lines(&checked);
        let found: Vec<&str> = lines.iter().map(|line| code_of(line)).collect();
        assert_eq!(found, codes, "{body}: {lines:?}");
    }
}

#[test]
fn only_the_addresses_change() {
    let body = "<img srcset='o.png 1x,\n ./o.png?v=2 2x' src=o.png><a href=p.pdf#page=2>p</a>";
    let checked = checked(body, &[MediaKind::Pdf]);
    let article = &checked.articles[0];
    assert_eq!(article.images.len(), 2);
    assert_eq!(article.images[1].pixels, None);
    let sent = crate::render::splice::rewrite(&article.html, &article.references, |i| {
        let address = ["https://h/o.png", "https://h/p.pdf"][i.get()];
        crate::render::splice::Uploaded { id: AttachmentId::new(7).unwrap(), address }
    });
    assert_eq!(
        sent,
        "<img srcset='https://h/o.png 1x,\n https://h/o.png 2x' src=\"https://h/o.png\">\
         <a href=https://h/p.pdf#page=2>p</a>"
    );
    assert_eq!(local_path_left(&sent), None);
}

#[test]
fn every_kind_has_its_own_name() {
    let names: BTreeSet<_> =
        MediaKind::ALL.iter().flat_map(|kind| [kind.mime(), kind.extension()]).collect();
    assert_eq!(names.len(), 2 * MediaKind::ALL.len());
}

/// EXIF data with a latitude, as cameras write them.
fn with_place(jpeg: &[u8]) -> Vec<u8> {
    let mut exif = b"\xff\xe1\0\x4cExif\0\0II*\0\x08\0\0\0".to_vec();
    exif.extend(b"\x01\0\x25\x88\x04\0\x01\0\0\0\x1a\0\0\0\0\0\0\0");
    exif.extend(b"\x01\0\x02\0\x05\0\x03\0\0\0\x2c\0\0\0\0\0\0\0");
    for degrees in [35_u32, 41, 22] {
        exif.extend(degrees.to_le_bytes());
        exif.extend(1_u32.to_le_bytes());
    }
    [&jpeg[..2], &exif, &jpeg[2..]].concat()
}

/// The same in XMP, behind more pixels than are in memory at a time.
#[test]
fn a_place_that_an_editor_wrote_is_told_too() {
    let jpeg = fs::read(repository().join("fixtures/demo/photo-walk/img/red bridge.jpg")).unwrap();
    let xmp = b"<rdf:Description exif:GPSLatitude=\"35,41.4N\"/>";
    let edited = [jpeg.as_slice(), &vec![0; 200_000], xmp].concat();
    let body = b"---\ntitle: A\n---\n![](here.jpg)\n";
    let folder = Folder::new(&[("x.md", body), ("here.jpg", &edited)]);
    let told = warning_lines(&folder.check(&[], "."));
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("x.md:4: image_has_place: \"here.jpg\""), "{told:?}");
}

#[test]
fn a_photo_that_says_where_it_was_taken_is_told_once() {
    let jpeg = fs::read(repository().join("fixtures/demo/photo-walk/img/red bridge.jpg")).unwrap();
    let text = b"---\ntitle: A\nfeatured_image: here.jpg\n---\n![](here.jpg)\n\n![](there.jpg)\n";
    let folder =
        Folder::new(&[("x.md", text), ("here.jpg", &with_place(&jpeg)), ("there.jpg", &jpeg)]);
    let checked = folder.check(&[], ".");
    assert_eq!(problem_lines(&checked), Vec::<String>::new());
    assert_eq!(
        warning_lines(&checked),
        ["x.md:5: image_has_place: \"here.jpg\" says where it was taken (GPS data), and whoever \
          loads it can read that: take it out of the file if that is not meant"]
    );
}

/// The check takes all processors; what it says must not depend on them.
#[test]
fn what_is_said_comes_in_one_order() {
    let folder = Folder::new(&[("img/o.png", &png())]);
    for number in 0..200 {
        let body = format!(
            "---\ntitle: A\n---\n![](img/o.png) ![](img/gone-{number}.png)\n\n<!-- {number} -->\n"
        );
        folder.write(&format!("a-{number}.md"), body.as_bytes());
    }
    let first = folder.check(&[], ".");
    let paths: Vec<&str> = first.invalid.iter().map(|invalid| invalid.path.as_str()).collect();
    assert!(paths.len() == 200 && paths.is_sorted(), "{paths:?}");
    for _ in 0..3 {
        let again = folder.check(&[], ".");
        assert_eq!(problem_lines(&again), problem_lines(&first));
        assert_eq!(warning_lines(&again), warning_lines(&first));
    }
}
