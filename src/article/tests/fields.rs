//! What of an article's fields, body and images arrives, and what changes its digest.

use super::*;

fn article(folder: &Folder, path: &str) -> Article {
    let checked = folder.check(&[path], ".");
    assert_eq!(problem_lines(&checked), Vec::<String>::new());
    checked.articles.into_iter().next().unwrap()
}

fn one(text: &str) -> Article {
    article(&Folder::new(&[("x.md", text.as_bytes())]), "x.md")
}

/// Case FM-04.
#[test]
fn scalars_are_the_text_in_the_file() {
    let yaml = one(
        "---\ntitle: 1.10\nexcerpt: no\nauthor: 007\nmeta:\n  on: 2021-04-01\n  'a: b': ~\n  c: \"\\u00e9\"\ntags: [yes, 0x1F, 'id:12', \"two words\"]\ncategories: One\n---\nx\n",
    );
    assert_eq!((yaml.title.as_str(), yaml.excerpt.as_deref()), ("1.10", Some("no")));
    assert_eq!(yaml.author.as_deref(), Some("007"));
    let meta: Vec<(&str, &str)> = yaml.meta.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    assert_eq!(meta, [("a: b", "~"), ("c", "é"), ("on", "2021-04-01")]);
    let name = |text: &str| TermName::Name(text.to_owned());
    let id = TermName::Id(crate::names::TermId::new(12).unwrap());
    assert_eq!(yaml.tags, [name("yes"), name("0x1F"), id, name("two words")]);
    assert_eq!(yaml.categories, [name("One")]);

    let toml = one(
        "+++\ntitle = 1.10\nauthor = 7\ndate = 2026-04-01 09:00:00+09:00\nmeta.a = true\nmeta.b = 1_000\n+++\nx\n",
    );
    assert_eq!((toml.title.as_str(), toml.author.as_deref()), ("1.10", Some("7")));
    assert_eq!(toml.date.unwrap().as_str(), "2026-04-01T09:00:00+09:00");
    assert_eq!(toml.meta["a"], "true");
    assert_eq!(toml.meta["b"], "1_000");
}

/// Case FM-01.
#[test]
fn a_byte_order_mark_and_windows_line_ends_are_fine() {
    let folder = Folder::new(&[
        ("x.html", "\u{feff}---\r\ntitle: A\r\ntags:\r\n- b\r\n---\r\n<p>x\r\n</p>".as_bytes()),
        ("y.html", b"---\r\ntitle: A\r\nbad: b\r\n---\r\n<p>x\r\n<img src=gone.png>\r\n"),
    ]);
    let checked = folder.check(&[], ".");
    assert_eq!(checked.articles[0].html, "<p>x\r\n</p>");
    assert_eq!(problem_lines(&checked), [
        "y.html:3: field_unknown: no field \"bad\": is tags meant?".replace("is tags meant?", "the fields are title, slug, type, parent, status, excerpt, categories, tags, featured_image, featured_image_alt, date, author, template, format, body_format, comment_status, meta"),
        "y.html:6: image_missing: there is no file \"gone.png\"".to_owned(),
    ]);
}

/// Cases IMG-01 and MED-03.
#[test]
fn one_content_is_one_image() {
    let body = "---\ntitle: A\nfeatured_image: copy.png\nfeatured_image_alt: F\n---\n![](a%20b.png)\n\n<img src='./sub/../a b.png?v=2#x' alt='Second'>\n\n![other](sub/o.png)\n";
    let other = fs::read(repository().join("fixtures/bad/img/two%20words.png")).unwrap();
    let folder = Folder::new(&[
        ("x.md", body.as_bytes()),
        ("a b.png", &png()),
        ("copy.png", &png()),
        ("sub/o.png", &other),
    ]);
    let article = article(&folder, "x.md");
    let values: Vec<&str> =
        article.references.iter().map(|r| &article.html[r.range.clone()]).collect();
    assert_eq!(values, ["a%20b.png", "./sub/../a b.png?v=2#x", "sub/o.png"]);
    let indices: Vec<usize> = article.references.iter().map(|r| r.image.get()).collect();
    assert_eq!((indices, article.featured.unwrap().get()), (vec![0, 0, 1], 0));
    let image = &article.images[0];
    assert_eq!(
        (image.path.as_str(), image.title.as_str(), image.alt.as_str()),
        ("a b.png", "a b", "Second")
    );
    assert_eq!((image.pixels, image.kind), (Some((8, 8)), MediaKind::Png));
    assert_eq!(image.digest, crate::names::Digest::of(&png()));
    let hash = &image.digest.to_string()[..16];
    assert_eq!(image.upload_name, format!("a-b-{hash}.png"));
    assert_eq!(article.images[1].path, "sub/o.png");
}

/// Cases MED-14, MED-16 and MED-19.
#[test]
fn the_bytes_decide_where_the_name_says_nothing() {
    let jpeg = fs::read(repository().join("fixtures/demo/photo-walk/img/red bridge.jpg")).unwrap();
    let folder = Folder::new(&[
        ("x.md", "---\ntitle: A\n---\n![](photo)\n![](shot.)\n![](<Fête & co (1)+50%.JPG>)\n![](写真.PNG)\n".as_bytes()),
        ("photo", &jpeg), ("shot.", &png()), ("Fête & co (1)+50%.JPG", &[&jpeg[..], b"\n"].concat()),
        ("写真.PNG", &fs::read(repository().join("fixtures/bad/img/two%20words.png")).unwrap()),
    ]);
    let names: Vec<String> = article(&folder, "x.md")
        .images
        .iter()
        .map(|image| {
            format!(
                "{} {}",
                image.title,
                image.upload_name.replace(&image.digest.to_string()[..16], "HASH")
            )
        })
        .collect();
    assert_eq!(
        names,
        [
            "photo photo-HASH.jpg",
            "shot shot-HASH.png",
            "Fête & co (1)+50% fete-co-1-50-HASH.jpg",
            "写真 xie-zhen-HASH.png",
        ]
    );
}

#[test]
fn a_name_in_another_unicode_form_is_the_same_name() {
    let folder = Folder::new(&[
        ("x.md", "---\ntitle: A\n---\n![](が.png)\n".as_bytes()),
        ("\u{304b}\u{3099}.png", &png()),
    ]);
    assert_eq!(article(&folder, "x.md").images[0].path, "\u{304b}\u{3099}.png");
}

#[test]
fn the_digest_is_of_all_that_was_given_and_of_nothing_else() {
    let folder = Folder::new(&[
        ("x.html", b"---\ntitle: A\n---\n<img src=a.png>"),
        ("bom/x.html", "\u{feff}---\ntitle: A\n---\n<img src=a.png>".as_bytes()),
        ("side/x.html", b"<img src=a.png>"),
        ("side/x.toml", b"title = 'A'\n"),
        ("a.png", &png()),
        ("bom/a.png", &png()),
        ("side/a.png", &png()),
    ]);
    let same = article(&folder, "x.html").digest;
    assert_eq!(article(&folder, "bom/x.html").digest, same);
    assert_eq!(article(&folder, "side/x.html").digest, same);

    let fields = [
        "",
        "slug: y\n",
        "type: page\n",
        "status: pending\n",
        "excerpt: e\n",
        "categories: [a, b]\n",
        "tags: [a, b]\n",
        "tags: ['a, b']\n",
        "tags: ['id:1']\n",
        "featured_image: a.png\n",
        "featured_image: a.png\nfeatured_image_alt: f\n",
        "date: 2026-01-01T00:00:00Z\n",
        "author: a\n",
        "template: a\n",
        "format: aside\n",
        "comment_status: open\n",
        "meta: {a: b}\n",
        "meta: {a: b, c: d}\n",
    ];
    let mut digests = vec![same];
    for field in fields {
        for body in ["<img src=a.png>\n", "<img src=a.png>\r\n"] {
            folder.write("x.html", format!("---\ntitle: A\n{field}---\n{body}").as_bytes());
            digests.push(article(&folder, "x.html").digest);
        }
    }
    folder.write("x.html", b"---\ntitle: A\n---\n<img src=a.png>");
    folder
        .write("a.png", &fs::read(repository().join("fixtures/bad/img/two%20words.png")).unwrap());
    digests.push(article(&folder, "x.html").digest);
    let different: std::collections::BTreeSet<_> = digests.iter().collect();
    assert_eq!(different.len(), digests.len());
}

#[test]
fn paths_are_shown_as_they_would_be_typed() {
    let folder = Folder::new(&[
        ("work/x.txt", b""),
        ("art/p/x.md", b"---\ntitle: A\n---\n![](../i/a.png)\n"),
        ("art/i/a.png", &png()),
    ]);
    let base = folder.path().join("work");
    let shown = |path: &str, root: &str| {
        let checked =
            check(&[PathBuf::from(path)], Path::new(root), &base, &Limits::default()).unwrap();
        let article = &checked.articles[0];
        (article.path.clone(), article.images[0].path.clone())
    };
    assert_eq!(shown("../art", "../art"), ("../art/p/x.md".into(), "../art/i/a.png".into()));
    assert_eq!(
        shown("./../art/p/x.md", "../art"),
        ("../art/p/x.md".into(), "../art/i/a.png".into())
    );
    let whole = folder.path().join("art").to_str().unwrap().to_owned();
    assert_eq!(shown(&whole, "../art"), (format!("{whole}/p/x.md"), format!("{whole}/i/a.png")));
    let here = check(&[], Path::new("."), &folder.path().join("art"), &Limits::default()).unwrap();
    assert_eq!(
        (here.articles[0].path.as_str(), here.articles[0].images[0].path.as_str()),
        ("p/x.md", "i/a.png")
    );
}
