//! A site without a preflight, and a server that does exactly what a test says.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::super::account::account_for_tests;
use super::super::http::Http;
use super::super::meta::KnownMeta;
use super::super::preflight::Offers;
use super::super::root::Root;
use super::super::wire::Wire;
use super::super::{Credentials, NonceSource, Settings, Site, SiteClock, SiteUrl};
use crate::names::{DraftStatus, PostType, Slug};
use crate::protocol::kinds::{ContentFilter, PostFields};

pub(super) fn credentials() -> Credentials {
    Credentials { username: "author".to_owned(), password: "abcd efgh".to_owned().into() }
}

pub(super) fn settings() -> Settings {
    Settings { connect_timeout: Duration::from_secs(5), timeout: Duration::from_secs(5) }
}

/// Numbers that are different each time, which is all that a test needs of them.
pub(super) fn nonces() -> NonceSource {
    let next = AtomicU64::new(1);
    Arc::new(move || next.fetch_add(1, Ordering::SeqCst))
}

pub(super) fn site(base: &str) -> Site {
    site_with(base, settings(), Offers::default())
}

pub(super) fn site_with(base: &str, settings: Settings, offers: Offers) -> Site {
    let url = SiteUrl::parse(base).expect("a site's address");
    let http = Http::new(url.url(), Some(&credentials()), &settings).expect("TLS");
    let [root, ..] = url.root_guesses();
    let root = Root::named(&root.url("", &[]));
    Site {
        wire: Wire::new(http, nonces()),
        account: account_for_tests(3, &["edit_posts", "upload_files"]),
        offers,
        name: "test".to_owned(),
        home: base.to_owned(),
        admin: format!("{base}/wp-admin/"),
        clock: SiteClock { gmt_offset_minutes: 0, timezone: String::new() },
        root,
        url,
        meta: KnownMeta::default(),
        types: tokio::sync::OnceCell::new(),
    }
}

pub(super) fn slug(text: &str) -> Slug {
    Slug::from_stored(text).expect("a stored slug")
}

pub(super) fn fields(content: &str) -> PostFields {
    PostFields {
        status: DraftStatus::Draft,
        title: "A title".to_owned(),
        content: content.to_owned(),
        excerpt: None,
        categories: Vec::new(),
        tags: Vec::new(),
        featured_media: None,
        date: None,
        author: None,
        template: None,
        format: None,
        comment_status: None,
        parent: None,
        meta: Vec::new(),
        filter: ContentFilter::Off,
    }
}

/// A row as the site would send it.
pub(super) fn row(id: u64, slug: &str, status: &str) -> serde_json::Value {
    serde_json::json!({
        "id": id, "slug": slug, "status": status, "type": PostType::Post.as_str(),
        "link": format!("https://h/?p={id}"), "title": {"raw": "A title"},
        "content": {"raw": "<p>a</p>"},
    })
}

/// What a [`Server`] saw of one request.
#[derive(Debug, Clone)]
pub(super) struct Arrival {
    pub(super) connection: usize,
    pub(super) head: String,
    pub(super) body_bytes: usize,
}

impl Arrival {
    pub(super) fn is_post(&self) -> bool {
        self.head.starts_with("POST ")
    }
}

/// What a server does with one request.
pub(super) enum Act {
    /// Reads it whole and answers; the connection stays open.
    Answer(String),
    /// Reads it whole, sends this, closes.
    SendAndClose(String),
    /// Reads the head only, and closes.
    CloseAtHead,
    /// Reads it whole and says nothing for this long.
    Silence(Duration),
}

/// A server on a raw socket that writes down every request that reaches it.
pub(super) struct Server {
    pub(super) url: String,
    arrivals: Arc<Mutex<Vec<Arrival>>>,
    connections: Arc<AtomicU64>,
}

impl Server {
    pub(super) fn start(act: impl Fn(&Arrival) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let arrivals: Arc<Mutex<Vec<Arrival>>> = Arc::default();
        let connections = Arc::new(AtomicU64::new(0));
        let (seen, count, act) = (arrivals.clone(), connections.clone(), Arc::new(act));
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                count.fetch_add(1, Ordering::SeqCst);
                let (seen, act) = (seen.clone(), act.clone());
                let stream = stream.expect("a connection");
                std::thread::spawn(move || serve(&stream, number, &seen, act.as_ref()));
            }
        });
        Self { url, arrivals, connections }
    }

    pub(super) fn arrivals(&self) -> Vec<Arrival> {
        self.arrivals.lock().expect("not poisoned").clone()
    }

    pub(super) fn posts(&self) -> usize {
        self.arrivals().iter().filter(|arrival| arrival.is_post()).count()
    }

    pub(super) fn connections(&self) -> u64 {
        self.connections.load(Ordering::SeqCst)
    }
}

fn serve(
    mut stream: &TcpStream,
    connection: usize,
    seen: &Mutex<Vec<Arrival>>,
    act: &dyn Fn(&Arrival) -> Act,
) {
    let mut buffer = Vec::new();
    loop {
        let Some(head_end) = read_until_head(stream, &mut buffer) else { return };
        let head = String::from_utf8_lossy(&buffer[..head_end]).into_owned();
        let length = content_length(&head);
        let mut arrival = Arrival { connection, head, body_bytes: buffer.len() - head_end };
        let number = {
            let mut seen = seen.lock().expect("not poisoned");
            seen.push(arrival.clone());
            seen.len() - 1
        };
        let todo = act(&arrival);
        if matches!(todo, Act::CloseAtHead) {
            return;
        }
        while buffer.len() < head_end + length {
            let mut chunk = [0; 8192];
            match stream.read(&mut chunk) {
                Ok(0) | Err(_) => return,
                Ok(count) => buffer.extend_from_slice(&chunk[..count]),
            }
        }
        arrival.body_bytes = length;
        seen.lock().expect("not poisoned")[number] = arrival;
        buffer.drain(..head_end + length);
        match todo {
            Act::Answer(answer) => stream.write_all(answer.as_bytes()).expect("a reader"),
            Act::SendAndClose(answer) => {
                stream.write_all(answer.as_bytes()).expect("a reader");
                return;
            }
            Act::CloseAtHead => return,
            Act::Silence(time) => std::thread::sleep(time),
        }
    }
}

fn read_until_head(mut stream: &TcpStream, buffer: &mut Vec<u8>) -> Option<usize> {
    loop {
        if let Some(end) = buffer.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            return Some(end + 4);
        }
        let mut chunk = [0; 4096];
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => return None,
            Ok(count) => buffer.extend_from_slice(&chunk[..count]),
        }
    }
}

fn content_length(head: &str) -> usize {
    head.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .map_or(0, |(_, value)| value.trim().parse().expect("a length"))
}

/// An HTTP answer as text.
pub(super) fn http(status: u16, headers: &[(&str, &str)], body: &str) -> String {
    let mut all: BTreeMap<&str, String> =
        headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    all.entry("content-length").or_insert_with(|| body.len().to_string());
    all.entry("content-type").or_insert_with(|| "application/json".to_owned());
    let headers =
        all.iter().fold(String::new(), |text, (name, value)| format!("{text}{name}: {value}\r\n"));
    format!("HTTP/1.1 {status} X\r\n{headers}\r\n{body}")
}
