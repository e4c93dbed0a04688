//! HTTP/1.1 messages on a socket: heads, bodies and their framing, and one plain
//! request for setting a scene.
//!
//! Absent from here: connection reuse towards the site, redirects, TLS. The one rule:
//! a message is read by its own framing, never "until it looks done", so that a test
//! that cuts one knows exactly what it cut.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::Value;

/// Start line and headers. Names keep their spelling; they are compared without it.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    pub(crate) start: String,
    pub(crate) headers: Vec<(String, String)>,
}

impl Head {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
    }

    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.remove(name);
        self.headers.push((name.to_owned(), value.to_owned()));
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let line = |(name, value): &(String, String)| format!("{name}: {value}");
        let start = std::iter::once(self.start.clone());
        let lines: Vec<String> = start.chain(self.headers.iter().map(line)).collect();
        (lines.join("\r\n") + "\r\n\r\n").into_bytes()
    }
}

/// How the end of a body is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    Length(usize),
    Chunked,
    UntilClose,
}

impl Framing {
    pub(crate) fn of_request(head: &Head) -> Self {
        Self::declared(head).unwrap_or(Self::Length(0))
    }

    fn of_answer(head: &Head) -> Self {
        Self::declared(head).unwrap_or(Self::UntilClose)
    }

    fn declared(head: &Head) -> Option<Self> {
        let coded = head.get("transfer-encoding").unwrap_or_default();
        if coded.to_ascii_lowercase().ends_with("chunked") {
            return Some(Self::Chunked);
        }
        head.get("content-length").and_then(|length| length.trim().parse().ok()).map(Self::Length)
    }
}

/// The next head, or nothing where the other side closed between two messages.
pub(crate) fn read_head(from: &mut impl BufRead) -> io::Result<Option<Head>> {
    let mut lines = Vec::new();
    loop {
        let mut line = Vec::new();
        from.read_until(b'\n', &mut line)?;
        if line.is_empty() && lines.is_empty() {
            return Ok(None);
        }
        if !line.ends_with(b"\n") {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        if text.is_empty() {
            break;
        }
        lines.push(text);
    }
    let mut lines = lines.into_iter();
    let start = lines.next().unwrap_or_default();
    let headers = lines
        .filter_map(|line| {
            line.split_once(':').map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        })
        .collect();
    Ok(Some(Head { start, headers }))
}

/// The whole body, without its transfer coding.
pub(crate) fn read_body(from: &mut impl BufRead, framing: Framing) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    match framing {
        Framing::Length(length) => {
            body.resize(length, 0);
            from.read_exact(&mut body)?;
        }
        Framing::UntilClose => {
            from.read_to_end(&mut body)?;
        }
        Framing::Chunked => loop {
            let size = chunk_size(from)?;
            let start = body.len();
            body.resize(start + size, 0);
            from.read_exact(&mut body[start..])?;
            // The line break behind the chunk; behind the last one there may be trailers.
            let mut line = String::new();
            while from.read_line(&mut line)? > 2 && size == 0 {
                line.clear();
            }
            if size == 0 {
                break;
            }
        },
    }
    Ok(body)
}

fn chunk_size(from: &mut impl BufRead) -> io::Result<usize> {
    let mut line = String::new();
    from.read_line(&mut line)?;
    let digits = line.split(';').next().unwrap_or_default().trim();
    usize::from_str_radix(digits, 16).map_err(|_| io::ErrorKind::InvalidData.into())
}

/// Reads this many bytes of the raw body, coding and all, and leaves the rest.
pub(crate) fn read_some(from: &mut impl Read, bytes: usize) -> io::Result<Vec<u8>> {
    let mut some = vec![0; bytes];
    from.read_exact(&mut some)?;
    Ok(some)
}

/// An answer, whole.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: Head,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn new(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let head = Head {
            start: format!("HTTP/1.1 {status} Because-A-Test-Says-So"),
            headers: vec![("Content-Type".to_owned(), content_type.to_owned())],
        };
        Self { status, head, body: body.into() }
    }

    /// What a host, a firewall or a cache says in WordPress's place.
    pub(crate) fn html(status: u16, text: &str) -> Self {
        let page = format!("<!DOCTYPE html><html><head><title>{text}</title></head></html>\n");
        Self::new(status, "text/html; charset=UTF-8", page)
    }

    pub(crate) fn json(status: u16, value: &Value) -> Self {
        Self::new(status, "application/json; charset=UTF-8", value.to_string())
    }

    /// A complete look-up that shows nothing.
    pub(crate) fn no_rows() -> Self {
        Self::json(200, &Value::Array(Vec::new()))
            .with("X-WP-Total", "0")
            .with("X-WP-TotalPages", "0")
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.head.set(name, value);
        self
    }

    /// The body as JSON; a test that expects JSON ends here if it is not.
    pub(crate) fn value(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| {
            panic!("{error} in {} {}", self.status, String::from_utf8_lossy(&self.body))
        })
    }

    /// Reads one answer to a request with this method.
    pub(crate) fn read(from: &mut impl BufRead, method: &str) -> io::Result<Self> {
        let head = read_head(from)?.ok_or(io::ErrorKind::UnexpectedEof)?;
        let status = head.start.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status: u16 = status.ok_or(io::ErrorKind::InvalidData)?;
        let bodiless = method == "HEAD" || status < 200 || status == 204 || status == 304;
        let framing = if bodiless { Framing::Length(0) } else { Framing::of_answer(&head) };
        let body = read_body(from, framing)?;
        Ok(Self { status, head, body })
    }
}

/// Sends one request on a connection of its own and reads the whole answer.
pub(crate) fn ask(to: SocketAddr, head: &Head, body: &[u8]) -> io::Result<Answer> {
    let mut head = head.clone();
    head.remove("transfer-encoding");
    head.set("Connection", "close");
    if body.is_empty() && head.start.starts_with("GET ") {
        head.remove("content-length");
    } else {
        head.set("Content-Length", &body.len().to_string());
    }
    let mut socket = TcpStream::connect(to)?;
    socket.write_all(&head.to_bytes())?;
    socket.write_all(body)?;
    let method = head.start.split(' ').next().unwrap_or_default();
    Answer::read(&mut BufReader::new(socket), method)
}
