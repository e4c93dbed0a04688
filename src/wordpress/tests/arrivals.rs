//! One call, one request on the wire: what arrives at a server is counted (cases DUP-09
//! to DUP-14, RED-07). A client that sent anything twice would fail here.

use std::time::Duration;

use super::support::{Act, Server, fields, http, row, settings, site, site_with, slug};
use crate::journal::SendPermit;
use crate::names::PostType;
use crate::protocol::kinds::FoundPost;
use crate::protocol::outcome::Outcome;
use crate::wordpress::preflight::Offers;
use crate::wordpress::{PostQuestion, Settings, Site, UploadFile};

async fn create(site: &Site, content: &str) -> Outcome<FoundPost> {
    let permit = SendPermit::without_record();
    site.create_post(permit, PostType::Post, &slug("x"), &fields(content)).await
}

fn created(id: u64) -> String {
    http(201, &[], &row(id, "x", "draft").to_string())
}

fn code<C>(outcome: &Outcome<C>) -> &'static str {
    match outcome {
        Outcome::Created(_) => "created",
        Outcome::Rejected(_) => "rejected",
        Outcome::NotSent(_) => "not sent",
        Outcome::Unknown(_) => "unknown",
    }
}

#[tokio::test]
async fn a_create_that_is_answered_arrives_once_with_its_length_and_password() {
    let server = Server::start(|_| Act::Answer(created(7)));
    let outcome = create(&site(&server.url), "<p>a</p>").await;
    assert_eq!(code(&outcome), "created", "{outcome:?}");
    let arrivals = server.arrivals();
    assert_eq!(arrivals.len(), 1);
    let head = arrivals[0].head.to_lowercase();
    assert!(head.starts_with("post /wp-json/wp/v2/posts?_fields="), "{head}");
    assert!(head.contains("content-length: ") && arrivals[0].body_bytes > 0, "{head}");
    assert!(!head.contains("transfer-encoding"), "{head}");
    assert!(head.contains("authorization: basic yxv0ag9yomfiy2qgzwznaa=="), "{head}");
    for absent in ["cookie", "referer", "accept-encoding", "expect"] {
        assert!(!head.contains(absent), "{absent} in {head}");
    }
}

#[tokio::test]
async fn whatever_the_server_does_to_a_create_it_arrives_once() {
    let half_head = "HTTP/1.1 201 Cre".to_owned();
    let half_body = "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n\
        location: http://127.0.0.1/wp-json/wp/v2/posts/7\r\ncontent-length: 500\r\n\r\n{\"id\":7"
        .to_owned();
    let rows = [
        ("closes without an answer", String::new()),
        ("half a head", half_head),
        ("half a body", half_body),
        ("not HTTP", "SSH-2.0-x\r\n".to_owned()),
        ("a second status line", "HTTP/1.1 100 Continue\r\n\r\n".to_owned()),
    ];
    for (name, text) in rows {
        let server = Server::start(move |_| Act::SendAndClose(text.clone()));
        let outcome = create(&site(&server.url), "<p>a</p>").await;
        assert_eq!(code(&outcome), "unknown", "{name}: {outcome:?}");
        assert_eq!((server.posts(), server.connections()), (1, 1), "{name}");
        if let Outcome::Unknown(unsettled) = outcome {
            assert_eq!(unsettled.hint, (name == "half a body").then_some(7), "{name}");
        }
    }
}

#[tokio::test]
async fn a_create_that_times_out_arrives_once_and_is_unknown() {
    let server = Server::start(|_| Act::Silence(Duration::from_secs(20)));
    let quick = Settings { timeout: Duration::from_millis(300), ..settings() };
    let outcome = create(&site_with(&server.url, quick, Offers::default()), "a").await;
    assert_eq!(code(&outcome), "unknown", "{outcome:?}");
    assert_eq!((server.posts(), server.connections()), (1, 1));
}

/// Cases DUP-11 and DUP-13: the look-up leaves an idle connection behind, which the
/// server closes as soon as something arrives on it. A client that reuses it can't know
/// whether the create was processed, and many send it again.
#[tokio::test]
async fn a_create_never_uses_the_connection_of_a_look_up() {
    let server = Server::start(|arrival| {
        if arrival.is_post() {
            Act::SendAndClose(String::new())
        } else {
            Act::Answer(http(200, &[("x-wp-total", "0")], "[]"))
        }
    });
    let site = site(&server.url);
    let (x, y) = (slug("x"), slug("y"));
    for asked in [&x, &y] {
        let question = [PostQuestion { slug: asked, sent: None }];
        site.look_up_posts(PostType::Post, &question, None).await;
    }
    let outcome = create(&site, "a").await;
    assert_eq!(code(&outcome), "unknown", "{outcome:?}");
    let arrivals = server.arrivals();
    assert_eq!(arrivals.len(), 3);
    assert_eq!(arrivals[0].connection, arrivals[1].connection, "look-ups share a connection");
    assert_ne!(arrivals[1].connection, arrivals[2].connection);
    // Two creates do not share one either.
    let answering = Server::start(|_| Act::Answer(created(7)));
    let site = super::support::site(&answering.url);
    for _ in 0..2 {
        assert_eq!(code(&create(&site, "a").await), "created");
    }
    assert_eq!((answering.posts(), answering.connections()), (2, 2));
}

#[tokio::test]
async fn a_large_create_that_is_cut_short_was_not_sent() {
    let server = Server::start(|_| Act::CloseAtHead);
    let outcome = create(&site(&server.url), &"a".repeat(20_000_000)).await;
    assert_eq!(code(&outcome), "not sent", "{outcome:?}");
    assert_eq!((server.posts(), server.connections()), (1, 1));
    // A small one was handed over whole before the server closed: nobody can know.
    let outcome = create(&site(&server.url), "a").await;
    assert_eq!(code(&outcome), "unknown", "{outcome:?}");
    assert_eq!((server.posts(), server.connections()), (2, 2));
}

/// Case DUP-12: some clients connect again and again.
#[tokio::test]
async fn a_server_that_hangs_up_at_once_is_called_once() {
    use std::sync::atomic::{AtomicU64, Ordering};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let calls = std::sync::Arc::new(AtomicU64::new(0));
    let counted = calls.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            counted.fetch_add(1, Ordering::SeqCst);
            drop(stream);
        }
    });
    let outcome = create(&site(&url), "a").await;
    assert!(matches!(code(&outcome), "unknown" | "not sent"), "{outcome:?}");
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn nobody_there_is_not_sent() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let outcome = create(&site(&url), "a").await;
    assert_eq!(code(&outcome), "not sent", "{outcome:?}");
}

#[tokio::test]
async fn a_failed_tls_handshake_is_not_sent() {
    // Speaks, but not TLS; and says nothing at all, until the connect time-out.
    let talks = Server::start(|_| Act::CloseAtHead);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let silent = listener.local_addr().expect("an address").port();
    let talking = talks.url.rsplit_once(':').expect("a port").1.to_owned();
    for port in [talking, silent.to_string()] {
        let quick = Settings {
            connect_timeout: Duration::from_millis(300),
            timeout: Duration::from_millis(600),
        };
        let url = format!("https://127.0.0.1:{port}");
        let outcome = create(&site_with(&url, quick, Offers::default()), "a").await;
        let Outcome::NotSent(why) = &outcome else { panic!("{outcome:?}") };
        assert!(why.starts_with("no connection: "), "{why}");
    }
    assert_eq!(talks.posts(), 0);
}

/// Case RED-07: neither the text nor the password goes elsewhere.
#[tokio::test]
async fn a_redirect_is_not_followed() {
    let other = Server::start(|_| Act::Answer(created(8)));
    for status in [301, 302, 303, 307, 308] {
        let target = format!("{}/wp-json/wp/v2/posts", other.url);
        let server =
            Server::start(move |_| Act::Answer(http(status, &[("location", &target)], "")));
        let site = site(&server.url);
        let outcome = create(&site, "a").await;
        let Outcome::Rejected(rejection) = outcome else { panic!("{outcome:?}") };
        assert_eq!(rejection.code, "redirected");
        assert_eq!(server.posts(), 1);
    }
    assert_eq!(other.connections(), 0);
}

fn upload_file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, UploadFile) {
    use md5::Digest as _;
    use std::io::Write as _;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::File::create(&path).expect("a file").write_all(bytes).expect("a disk");
    let file = UploadFile {
        path,
        bytes: bytes.len() as u64,
        md5: md5::Md5::digest(bytes).into(),
        mime: "image/png".to_owned(),
        name: name.to_owned(),
        slug: slug("u"),
        title: "写真 & x".to_owned(),
        alt: String::new(),
        caption: String::new(),
        sub_sizes: crate::wordpress::SubSizes::Afterwards,
    };
    (folder, file)
}

fn attachment() -> String {
    let object = serde_json::json!({
        "id": 77, "slug": "u", "status": "inherit", "type": "attachment", "author": 3,
        "mime_type": "image/png", "source_url": "https://h/u.png", "missing_image_sizes": [],
    });
    http(201, &[("x-wp-upload-attachment-id", "77")], &object.to_string())
}

#[tokio::test]
async fn an_upload_arrives_once_and_whole() {
    let server = Server::start(|_| Act::Answer(attachment()));
    let (_folder, file) = upload_file("u.png", &vec![7; 3_000_000]);
    let outcome = site(&server.url).upload(SendPermit::without_record(), &file).await;
    assert_eq!(code(&outcome), "created", "{outcome:?}");
    let arrivals = server.arrivals();
    assert_eq!((arrivals.len(), arrivals[0].body_bytes), (1, 3_000_000));
    let head = &arrivals[0].head;
    let query = "slug=u&title=%E5%86%99%E7%9C%9F%20%26%20x&alt_text=&caption%5Braw%5D=&_fields=";
    assert!(head.contains(query), "{head}");
    let md5 = file.md5.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
    assert!(head.contains(&format!("content-md5: {md5}\r\n")), "{head}");
    assert!(head.contains("content-disposition: attachment; filename=\"u.png\"\r\n"), "{head}");
}

#[tokio::test]
async fn an_upload_that_breaks_is_not_sent_or_unknown_by_how_much_left() {
    let (_folder, file) = upload_file("u.png", &vec![7; 20_000_000]);
    let cuts = Server::start(|_| Act::CloseAtHead);
    let outcome = site(&cuts.url).upload(SendPermit::without_record(), &file).await;
    assert_eq!(code(&outcome), "not sent", "{outcome:?}");
    let reads_all = Server::start(|_| Act::SendAndClose(String::new()));
    let outcome = site(&reads_all.url).upload(SendPermit::without_record(), &file).await;
    assert_eq!(code(&outcome), "unknown", "{outcome:?}");
    for server in [cuts, reads_all] {
        assert_eq!((server.posts(), server.connections()), (1, 1));
    }
}

#[tokio::test]
async fn a_file_that_changed_or_is_gone_is_not_sent() {
    let server = Server::start(|_| Act::Answer(attachment()));
    let site = site(&server.url);
    let (folder, file) = upload_file("u.png", b"bytes");
    let other_size = UploadFile { bytes: 4, ..file.clone() };
    let gone = UploadFile { path: folder.path().join("gone.png"), ..file.clone() };
    let folder_itself = UploadFile { path: folder.path().to_owned(), ..file.clone() };
    let bad_name = UploadFile { name: "a;b\".png".to_owned(), ..file.clone() };
    let long_alt = UploadFile { alt: "写".repeat(2_000), ..file };
    for file in [other_size, gone, folder_itself, bad_name, long_alt] {
        let outcome = site.upload(SendPermit::without_record(), &file).await;
        assert_eq!(code(&outcome), "not sent", "{file:?}");
    }
    assert_eq!(server.connections(), 0);
}
