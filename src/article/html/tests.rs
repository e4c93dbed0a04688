//! Pieces of HTML, and what is found in each.
//!
//! The rule to keep: what refers to a file is found, and nothing else.

use super::*;

fn images(html: &str) -> Vec<String> {
    read(html).files.into_iter().map(|file| html[file.range].to_owned()).collect()
}

fn problems(html: &str) -> Vec<&'static str> {
    read(html).problems.into_iter().map(|spot| spot.fault.code).collect()
}

fn warnings(html: &str) -> Vec<&'static str> {
    read(html).warnings.into_iter().map(|spot| spot.fault.code).collect()
}

#[test]
fn images_are_found_where_browsers_show_them() {
    assert_eq!(
        images("<p>é<IMG alt=a SRC = 'a.png'><img src=b.png/><img src=\"c&amp;d.png\" src=e.png>"),
        ["a.png", "b.png/", "c&amp;d.png", "e.png"]
    );
    assert_eq!(images("<noscript><img src=a.png></noscript><img src=b.png>"), ["a.png", "b.png"]);
    assert_eq!(images("<template><img src=a.png></template>"), ["a.png"]);
    let found = read("<img src='c&amp;d%20.png?x#y' alt='&lt;b&gt; '>");
    assert_eq!(found.files[0].path, Path { path: "c&d%20.png".into(), suffix: "?x#y".into() });
    assert_eq!(found.files[0].words.alt, "<b>");
}

/// Case IMG-03.
#[test]
fn text_code_and_comments_refer_to_nothing() {
    for html in [
        "<!-- <img src=b.png> -->",
        "<script>'<img src=a.png>'</script>",
        "<textarea><img src=a.png></textarea>",
        "<xmp><img src=a.png></xmp>",
        "<pre>&lt;img src=a.png></pre>",
        "<img src=https://h/a.png><img src=//h/a.png>",
        "<img>",
    ] {
        assert_eq!(images(html), Vec::<String>::new(), "{html}");
        assert_eq!(problems(html), Vec::<&str>::new(), "{html}");
    }
}

/// The forms in which files stand in HTML (IMG-01 to IMG-03 are about how they are read).
#[test]
fn files_are_found_wherever_they_are_uploaded_from() {
    for (html, expected) in [
        ("<img srcset='https://h/a.png 1x, b.png 2x'>", &["b.png"][..]),
        ("<picture><source srcset=a.webp><img src=b.png>", &["a.webp", "b.png"]),
        (
            "<img srcset=\"a&amp;b.png 1x,c,d.png 2x\" src=e.png>",
            &["a&amp;b.png", "c,d.png", "e.png"],
        ),
        ("<video src=v.mp4 poster=p.png></video>", &["v.mp4", "p.png"]),
        ("<video><source src='v.mp4#t=10'></video>", &["v.mp4"]),
        ("<audio src=a.mp3?x=1#y></audio>", &["a.mp3?x=1"]),
        ("<a href='guide.pdf#page=2'>x</a>", &["guide.pdf"]),
        ("<a href=a&#38;b.pdf#page=2>x</a>", &["a&#38;b.pdf"]),
        ("<a href='a.pdf&#35;page=2'>x</a>", &["a.pdf&#35;page=2"]),
        ("<a href='a.pdf&#35;x#y'>x</a>", &["a.pdf&#35;x#y"]),
        ("<a href=other.md>x</a>", &["other.md"]),
        ("<noscript><video src=a.mp4></video></noscript>", &["a.mp4"]),
        ("<map><area href=a.pdf></map>", &["a.pdf"]),
        ("<pre><code>&lt;a href=a.pdf&gt;</code></pre><!-- <a href=b.pdf> -->[x src=c.png]", &[]),
        ("<video src='' poster=''></video><img srcset=''><source src=https://h/v.mp4>", &[]),
    ] {
        assert_eq!(images(html), expected, "{html}");
        assert_eq!(problems(html), Vec::<&str>::new(), "{html}");
    }
    assert_eq!(problems("<video src=/v.mp4></video>"), ["image_path_absolute"]);
    assert_eq!(problems("<img srcset='a.png 1x, data:image/png;base64,AA 2x'>"), ["data_url"]);
    // A blank that only a reader of character references sees.
    assert_eq!(problems("<img srcset='a.png&#32;1x'>"), ["reference_unsupported"]);
    assert_eq!(problems("<img srcset='https://h/a.png&#32;1x'>"), Vec::<&str>::new());
}

#[test]
fn other_local_addresses_are_problems() {
    for html in [
        "<a href='file:///etc/passwd'>x</a>",
        "<link imagesrcset='https://h/a.png 1x, b.png 2x'>",
        "<embed src=a.swf>",
        "<track src=a.vtt>",
        "<svg><image xlink:href=a.png /></svg>",
        "<image src=a.png>",
        "<object data=a.swf></object>",
        "<td background=a.png>",
        "<p style=\"background: URL( 'a.png' )\">",
        "<style>p { background: url(a.png) }</style>",
        "<style>@import 'a.css' screen;</style>",
        "<style>@import url(\"a.css\");</style>",
        "<iframe srcdoc='&lt;img src=a.png>'></iframe>",
        "<img data-src=a.png>",
        "<!-- wp:image {\"id\":1,\"url\":\"a.png\"} -->",
        "<!-- wp:x {\"list\":[{\"src\":\"a.png\"}]} /-->",
    ] {
        assert_eq!(problems(html), ["reference_unsupported"], "{html}");
    }
    for html in [
        "<a href=/about/>x</a><a href=#x>y</a><a href=mailto:a@b>z</a><a href='?p=2'>q</a>",
        "<a href=''>x</a>",
        "<svg><use href='#a'/></svg>",
        "<p style='color:red;background:url(https://h/a.png)'>",
        "<!-- wp:image {\"id\":1,\"url\":\"https://h/a.png\"} -->",
        "<!-- wp:paragraph -->",
    ] {
        assert_eq!(problems(html), Vec::<&str>::new(), "{html}");
    }
    assert_eq!(problems("<a href='data:x'>x</a><img src=data:x>"), ["data_url", "data_url"]);
}

/// Cases CONT-01 and CONT-04.
#[test]
fn whole_documents_and_filtered_parts() {
    assert_eq!(
        problems("<!doctype html><html><head></head><body>x</body></html>"),
        ["html_document"]
    );
    assert_eq!(
        warnings("<!-- a --><!--more--><!--nextpage--><!-- wp:x --><!-- /wp:x -->"),
        ["html_comment"]
    );
    assert_eq!(warnings("<p>\na\n</p><p>a\nb<p>c\nd"), ["html_line_break"]);
    assert!(warnings("<!-- wp:paragraph --><p>a\nb</p><div>a\nb</div>").is_empty());
    assert!(warnings("<p>a\nb</p><!-- wp:paragraph -->").is_empty());
    assert_eq!(
        warnings("<p onclick=x><script></script><iframe></iframe><style></style>"),
        ["html_filtered"; 4]
    );
    // Each part once, however often it is there.
    assert_eq!(
        warnings("<form><input><input></form><my-el></my-el><img srcset=''><img srcset=''>"),
        ["html_filtered"; 4]
    );
    assert_eq!(
        problems("<select><xmp><script>\"use strict\";</script></select>"),
        ["html_ambiguous"]
    );
}

/// Case CONT-02.
#[test]
fn functions_of_css_that_are_taken_out() {
    let told = |style: &str| {
        let found = read(&format!("<p style=\"{style}\">x</p>"));
        let messages = found.warnings.into_iter().map(|spot| spot.fault.message);
        messages.map(|message| message.split('(').next().unwrap_or_default().to_owned()).collect()
    };
    for (style, expected) in [
        ("background:rgba(0,0,0,.5)", &["rgba"][..]),
        ("color:red; COLOR:RGB(1 2 3);border:1px solid hsl(1,2%,3%)", &["rgb", "hsl"]),
        ("width:calc(100% - 1px);color:var(--rgba)", &[]),
        ("background:linear-gradient(rgba(0,0,0,.5),red)", &[]),
        ("background:url(https://example.com/rgba.png)", &[]),
        ("color:my-rgb(1)", &[]),
        ("rgba(", &["rgba"]),
        ("(", &[]),
    ] {
        let told: Vec<String> = told(style);
        assert_eq!(told, expected, "{style}");
    }
}

#[test]
fn a_local_path_that_is_left_is_found() {
    for html in ["<img src=a.png>", "<video poster='b.png'>", "<p style='background:url(c.png)'>"] {
        assert!(local_path_left(html).is_some(), "{html}");
    }
    // Some sites give addresses without a host.
    let rewritten =
        "<img src='/up/a.png' srcset='https://h/a.png 2x'><video src='/up/v.mp4'></video>";
    assert_eq!(local_path_left(rewritten), None);
}

#[test]
fn words_belong_to_the_image_that_html_gives_them_to() {
    for (html, captions) in [
        ("<img src=a.png title=' An  &amp; b '>", &["An & b"][..]),
        (
            "<figure><img src=a.png title=t><figcaption>Its <b>own</b>\n &lt;x&gt;</figcaption></figure>\
          <img src=b.png>",
            &["Its own <x>", ""],
        ),
        (
            "<figure><figcaption>Before</figcaption><a href=#><img src=a.png></a></figure>",
            &["Before"],
        ),
        (
            "<figure><figure><img src=a.png><figcaption>A</figcaption></figure><figure><img src=b.png>\
          </figure><figcaption>Both</figcaption></figure>",
            &["A", "Both"],
        ),
        (
            "<figure><figure><img src=a.png><figcaption>A</figcaption></figure>\
          <figcaption>All</figcaption></figure>",
            &["A"],
        ),
        ("<figcaption>Nobody's</figcaption><img src=a.png>", &[""]),
        ("<figure><img src=a.png title=t><figcaption> </figcaption></figure>", &["t"]),
    ] {
        let found = read(html);
        let read: Vec<&str> = found.files.iter().map(|file| file.words.caption.as_str()).collect();
        assert_eq!(read, captions, "{html}");
    }
}
