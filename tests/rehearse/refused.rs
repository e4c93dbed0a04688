//! What is refused, and that a run can't be stopped half way on another site.

use std::net::TcpListener;

use crate::stage::{Stage, json, text};

#[test]
fn a_scene_that_nobody_knows() {
    let ran = Stage::new().run(&["rehearse", "S3", "S9"]);
    assert_eq!((text(&ran.stdout), ran.status.code()), ("", Some(2)));
    let said = "error: no scene is called \"S9\" (no_scene)\nhint: the scenes are S1, S2, S3, S4, \
                S5, S6, S7, S8, C1, C2, C3, C4, C5, C6, C2 upload, C3 upload\n";
    assert_eq!(text(&ran.stderr), said);
    let ran = Stage::new().run(&["rehearse", "S9", "--json"]);
    assert_eq!(ran.status.code(), Some(2));
    assert_eq!(json(&ran)["errors"][0]["code"], "no_scene");
}

/// The variable and the address are both those of a rehearsal, or nothing is done.
#[test]
fn stopping_half_way_on_a_site_that_is_not_the_rehearsals() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let stop_at = ["rehearse", "--stop-at", "article.after-sending-record", "--", "push"];
    let ours = format!("http://127.0.0.1:{port}/rehearsal-abc/");
    let cases = [
        (format!("http://127.0.0.1:{port}/"), Some("abc")),
        (format!("http://127.0.0.1:{port}/"), Some("")),
        (format!("http://127.0.0.1:{port}/rehearsal-/"), None),
        (ours.clone(), None),
        (ours.clone(), Some("abcd")),
        (ours.replace("http:", "https:"), Some("abc")),
        ("https://example.com/rehearsal-abc/".to_owned(), Some("abc")),
    ];
    for (url, token) in cases {
        let stage = Stage::new();
        std::fs::create_dir(stage.work().join("articles")).unwrap();
        let article = "---\ntitle: A title\n---\n\nA text.\n";
        std::fs::write(stage.work().join("articles/first-article.md"), article).unwrap();
        let mut command = stage.command(&stop_at);
        command.env("ONCEPRESS_SITE_URL", &url).env("ONCEPRESS_SITE_USERNAME", "author");
        command.env("ONCEPRESS_APP_PASSWORD", "abcd");
        command.envs(token.map(|token| ("ONCEPRESS_REHEARSAL", token)));
        let ran = command.output().unwrap();
        assert_eq!((text(&ran.stdout), ran.status.code()), ("", Some(2)), "{url} {token:?}");
        let said = "error: --stop-at is for the children of a rehearsal alone: the site of the \
                    configuration is not that of one (not_a_rehearsal)\n\
                    hint: oncepress rehearse\n";
        assert_eq!(text(&ran.stderr), said, "{url} {token:?}");
        let asked = listener.accept();
        assert!(asked.is_err(), "{url} was asked");
    }
}

#[test]
fn stopping_anything_but_a_push() {
    for command in [&["plan"][..], &["resolve", "a", "--restart", "--because", "b"], &[]] {
        let mut arguments = vec!["rehearse", "--stop-at", "article.after-confirmed", "--"];
        arguments.extend(command);
        let ran = Stage::new().run(&arguments);
        assert_eq!((text(&ran.stdout), ran.status.code()), ("", Some(2)), "{command:?}");
        assert_eq!(
            text(&ran.stderr),
            "error: --stop-at is for the children of a rehearsal alone: the command after it is \
             no push (not_a_rehearsal)\nhint: oncepress rehearse\n"
        );
    }
}
