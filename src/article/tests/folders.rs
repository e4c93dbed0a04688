//! Folders that can't be kept in a repository: links, pipes, odd names.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use super::*;

/// Cases IMG-07 and IMG-08.
#[test]
fn links_never_lead_out() {
    let folder = Folder::new(&[
        ("secret/s.png", &png()),
        ("secret/s.md", MD),
        ("secret/s.toml", b"title = 'x'\n"),
        ("a/one.md", SHOWS_X),
        ("a/two.md", b"---\ntitle: A\n---\n![](dir/s.png)\n![](in.png)\n![](broken.png)\n"),
        ("a/real.png", &png()),
        ("a/four.html", b"<p>x</p>"),
    ]);
    let at = |name: &str| folder.path().join("a").join(name);
    symlink("../secret/s.png", at("x.png")).unwrap();
    symlink("../secret", at("dir")).unwrap();
    symlink("real.png", at("in.png")).unwrap();
    symlink("nowhere", at("broken.png")).unwrap();
    symlink("../secret/s.md", at("three.md")).unwrap();
    symlink("../secret/s.toml", at("four.toml")).unwrap();
    symlink("nowhere", at("five.md")).unwrap();
    let checked = folder.check(&[], "a");
    assert_eq!(
        problem_lines(&checked),
        [
            "a/five.md:1: file_unreadable: \"five.md\" can't be read: No such file or directory (os error 2)",
            "a/four.toml:1: article_outside_folder: the file is a link that leaves the articles folder: put the file itself there",
            "a/one.md:4: image_link_outside: \"x.png\" leaves the articles folder by a link: put the image itself there",
            "a/three.md:1: article_outside_folder: the file is a link that leaves the articles folder: put the file itself there",
            "a/two.md:4: image_link_outside: \"dir/s.png\" leaves the articles folder by a link: put the image itself there",
            "a/two.md:6: image_missing: there is no file \"broken.png\"",
        ]
    );
    assert_eq!(
        warning_lines(&checked),
        ["a/dir:1: folder_link_skipped: a link to a folder is not entered"]
    );
}

#[test]
fn a_link_within_the_folder_is_fine() {
    let folder = Folder::new(&[("a/real/x.png", &png()), ("a/one.md", SHOWS_X)]);
    symlink("real/x.png", folder.path().join("a/x.png")).unwrap();
    symlink("one.md", folder.path().join("a/two.md")).unwrap();
    let checked = folder.check(&[], "a");
    assert_eq!(problem_lines(&checked), Vec::<String>::new());
    let paths: Vec<&str> = checked.articles.iter().map(|a| a.path.as_str()).collect();
    assert_eq!(paths, ["a/one.md", "a/two.md"]);
    let image = &checked.articles[0].images[0];
    assert_eq!((image.path.as_str(), image.title.as_str()), ("a/x.png", "x"));
    assert!(image.file.ends_with("a/real/x.png"));
}

/// Case IMG-08.
#[test]
fn a_link_put_there_after_the_look_is_not_followed() {
    let folder = Folder::new(&[("secret.png", &png()), ("a/sub/x.png", &png())]);
    let root = root::Root::new(&folder.path().join("a")).unwrap();
    let inner = root.path().join("sub/x.png");
    assert!(root.open_file(&inner).is_ok());
    fs::remove_file(&inner).unwrap();
    symlink("../../secret.png", &inner).unwrap();
    assert!(root.open_file(&inner).is_err());
    fs::remove_dir_all(root.path().join("sub")).unwrap();
    symlink("..", root.path().join("sub")).unwrap();
    assert!(root.open_file(&root.path().join("sub/secret.png")).is_err());
    assert!(root.open_file(&root.path().join("sub/../../secret.png")).is_err());
    assert!(root.open_file(&folder.path().join("secret.png")).is_err());
}

#[test]
fn pipes_and_locked_files_are_told_and_never_waited_for() {
    let folder =
        Folder::new(&[("a/one.md", SHOWS_X), ("a/two.md", b"---\ntitle: A\n---\n![](y.png)\n")]);
    let pipe = folder.path().join("a/x.png");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR).unwrap();
    symlink("y.png", folder.path().join("a/y.png")).unwrap();
    assert_eq!(
        folder.problems(&[], "a"),
        [
            "a/one.md:4: image_not_a_file: \"x.png\" is not a regular file",
            "a/two.md:4: image_missing: there is no file \"y.png\"",
        ]
    );
    let content = image::Contents::default().read(
        &root::Root::new(&folder.path().join("a")).unwrap(),
        &folder.path().join("a/gone.png"),
        &Limits::default(),
    );
    assert_eq!(content.unwrap_err().code, "image_unreadable");
}

#[test]
fn index_files_are_called_by_their_folder() {
    let folder = Folder::new(&[
        ("a/index.md", MD),
        ("a/post/index.html", b"+++\ntitle='x'\n+++\n<p>x"),
        ("a/post/part/index.md", b"<p>x"),
        ("a/post/part/index.toml", b"title='x'\n"),
        ("a/.hidden/x.md", b"x"),
        ("a/.x.md", b"x"),
    ]);
    let checked = folder.check(&[], "a");
    assert_eq!(
        problem_lines(&checked),
        [
            "a/index.md:1: index_in_root: an index file is called by its folder, and the articles folder has no name of an article: move it into a folder of its own"
        ]
    );
    let slugs: Vec<String> = checked.articles.iter().map(|a| a.key.to_string()).collect();
    assert_eq!(slugs, ["post", "part"]);
    // The folder itself, given outside of the articles folder, has a name.
    assert_eq!(folder.check(&["a"], "elsewhere").articles.len(), 3);
    assert_eq!(folder.check(&["a/post/index.html", "./a/post", "a"], "a").articles.len(), 2);
}

#[test]
fn slugs_that_are_one_to_wordpress_collide() {
    let folder = Folder::new(&[
        ("one/same.md", MD),
        ("two/same/index.md", MD),
        ("three/x.md", b"---\ntitle: A\nslug: Same\n---\nText.\n"),
        ("page.md", b"---\ntitle: A\ntype: page\nslug: same\n---\nText.\n"),
    ]);
    let lines = folder.problems(&[], ".");
    let collisions: Vec<&String> =
        lines.iter().filter(|line| code_of(line) == "slug_collision").collect();
    assert_eq!(
        collisions,
        [
            "one/same.md:1: slug_collision: the slug \"same\" is also that of three/x.md, two/same/index.md: give each article its own",
            "three/x.md:3: slug_collision: the slug \"Same\" is also that of one/same.md, two/same/index.md: give each article its own",
            "two/same/index.md:1: slug_collision: the slug \"same\" is also that of one/same.md, three/x.md: give each article its own",
        ]
    );
}

/// Case IMG-02.
#[test]
fn names_that_are_nearly_articles_are_told() {
    let folder = Folder::new(&[
        ("a/x.MD", b"x"), ("a/y.markdown", b"x"), ("a/z.toml", b"x"), ("a/oncepress.toml", b"x"),
        ("a/n.md", b"---\ntitle: A\ntags: a, b\n---\n<!-- todo -->\n![a](my pic.png)\n<script>x</script>\n"),
    ]);
    let checked = folder.check(&[], "a");
    assert_eq!(
        warning_lines(&checked),
        [
            "a/n.md:3: term_comma: \"a, b\" is taken as one name: write tags: [one, two] for several",
            "a/n.md:5: html_comment: the comment \"todo\" will be in the page's source",
            "a/n.md:6: markdown_image_blank: an image's address with a blank is text to Markdown: write %20 for the blank, or put the address between < and >",
            "a/n.md:7: html_filtered: <script> is taken out by WordPress unless the user has unfiltered_html",
            "a/x.MD:1: file_ignored: not read: the names of articles end in .md or .html",
            "a/y.markdown:1: file_ignored: not read: the names of articles end in .md or .html",
            "a/z.toml:1: sidecar_unused: not read: there is no article of this name beside it",
        ]
    );
    assert_eq!(checked.articles.len(), 1);
    let odd = folder.path().join("a").join(std::ffi::OsStr::from_bytes(b"\xff.md"));
    symlink("n.md", odd).unwrap();
    assert_eq!(
        folder.problems(&[], "a"),
        ["a/\u{fffd}.md:1: file_name_not_utf8: the file's name is not UTF-8: rename it"]
    );
}

#[test]
fn marks_of_other_tools_are_told() {
    let folder = Folder::new(&[(
        "a/n.md",
        b"---\ntitle: A\n---\nSee [[Other]].\n\n%%secret%%\n\n## H {#id}\n\n- [x] done\n",
    )]);
    let checked = folder.check(&[], "a");
    assert_eq!(
        warning_lines(&checked),
        [
            "a/n.md:4: markdown_vault: [[…]] is a link only in a notes vault and stays as text here: write [text](address), or ![text](file) for an image",
            "a/n.md:6: markdown_vault: %%…%% hides text only in a notes vault and stays as it is here: take it out",
            "a/n.md:8: markdown_generator: a mark of a site generator, such as {{…}}, {%…%} or {#…}, stays as text here: write Markdown or HTML in its place, or put it in code",
        ]
    );
}

#[test]
fn paths_that_can_not_be_checked() {
    let folder = Folder::new(&[("a/x.md", MD), ("a/x.txt", b"x"), ("a/y.md", MD)]);
    let error = |path: &str, limits: &Limits| {
        let root = Path::new("a");
        check(&[PathBuf::from(path)], root, folder.path(), limits).unwrap_err().to_string()
    };
    let limits = Limits::default();
    assert_eq!(error("gone.md", &limits), "gone.md does not exist");
    assert_eq!(
        error("a/x.txt", &limits),
        "a/x.txt is not an article: their names end in .md or .html"
    );
    assert_eq!(
        error("a", &Limits { articles_max: 1, ..Limits::default() }),
        "more than 1 articles below a"
    );
    assert_eq!(
        error("a", &Limits { files_max: 2, ..Limits::default() }),
        "more than 2 files below a: is it the folder of the articles?"
    );
}
