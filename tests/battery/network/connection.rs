//! Outcomes of the connection: refused, cut, silent, half an answer, another protocol.
//!
//! Absent from here: whole answers. The one rule: nothing here is a whole answer but
//! the last few, which are whole in an odd form.

use std::sync::Arc;

use super::http::{Reply, Request};
use super::kinds::Kind;
use super::outcome::{Address, Heard, Nothing, Outcome, Proves, Says, Shape, Then, Way};

const UNHEARD: Proves = Proves::Nothing(Nothing::Unheard);
const HEARD: Proves = Proves::Nothing(Nothing::Heard);

pub(super) fn outcomes(kind: Kind) -> Vec<Outcome> {
    let shape = kind.shape();
    let mut outcomes = cut(shape);
    // Rule: a name is looked up and a certificate shown before the first request of a
    // run, so what is wrong with them is never met later.
    if kind == Kind::Index {
        outcomes.extend(astray());
    }
    let answers = silent().into_iter().chain(half_a_head()).chain(half_a_body()).chain(whole());
    outcomes.extend(answers.flat_map(|outcome| shape.in_each_way(&outcome)));
    outcomes.extend(twice(shape));
    if shape.is_write() {
        outcomes.extend(late());
    }
    outcomes
}

/// The run does not get as far as the site.
fn astray() -> Vec<Outcome> {
    let one = |name: &str, address| Outcome::unheard(name, Then::Close).way(Way::Astray(address));
    let silent = one("a port that says nothing to TLS", Address::NoTls).then(Then::Silence);
    vec![
        one("a name that is nobody's", Address::NoName),
        one("a port that does not speak TLS", Address::NoTls),
        silent,
        one("a certificate of nobody", Address::Stranger),
    ]
}

/// The request does not arrive whole.
fn cut(shape: Shape) -> Vec<Outcome> {
    let one = |name: &str, way, then| Outcome::unheard(name, then).way(way);
    let mut outcomes = vec![
        one("refused", Way::Refused, Then::Close),
        one("closed at the door", Way::AtTheDoor, Then::Close),
        one("reset at the door", Way::AtTheDoor, Then::Reset),
        one("silence at the door", Way::AtTheDoor, Then::Silence),
        one("closed at half the header", Way::HalfHead, Then::Close),
        one("reset at half the header", Way::HalfHead, Then::Reset),
    ];
    // A read has no body.
    if shape.is_write() {
        outcomes.push(one("closed at half the body", Way::HalfBody, Then::Close));
        outcomes.push(one("reset at half the body", Way::HalfBody, Then::Reset));
        outcomes.push(one("silence at half the body", Way::HalfBody, Then::Silence));
    }
    outcomes
}

/// The request arrives whole, and not a byte is heard.
fn silent() -> Vec<Outcome> {
    vec![
        Outcome::unheard("closed without a word", Then::Close),
        Outcome::unheard("reset without a word", Then::Reset),
        Outcome::unheard("silence until the time limit", Then::Silence),
    ]
}

/// The site acts when the client has given up.
fn late() -> Vec<Outcome> {
    vec![
        Outcome::unheard("closed without a word, done late", Then::Close).way(Way::Late),
        Outcome::unheard("silence until the time limit, done late", Then::Silence).way(Way::Late),
    ]
}

/// A proxy sends the request again. Rule: reading twice is reading.
fn twice(shape: Shape) -> Vec<Outcome> {
    let one = |name: &str, heard| {
        Outcome { name: name.to_owned(), ..Outcome::healthy() }.way(Way::Twice(heard))
    };
    let second = one("delivered twice, the second answer heard", Heard::Second);
    if shape.is_write() {
        let lost = Outcome::unheard("delivered twice, no answer heard", Then::Close);
        vec![
            one("delivered twice, the first answer heard", Heard::First),
            second,
            lost.way(Way::Twice(Heard::Second)),
        ]
    } else {
        vec![second]
    }
}

fn raw(name: &str, proves: Proves, make: fn(&Reply) -> Vec<u8>) -> Outcome {
    let says: Says = Arc::new(move |_: &Request, reply| make(reply));
    Outcome::new(name, proves, says)
}

/// The first bytes of a whole answer.
fn part(reply: &Reply, bytes: usize) -> Vec<u8> {
    let mut whole = reply.framed();
    whole.truncate(bytes);
    whole
}

fn half_a_head() -> Vec<Outcome> {
    vec![
        raw("half a status line", UNHEARD, |reply| part(reply, 11)),
        raw("only a status line", UNHEARD, |_| b"HTTP/1.1 200 OK\r\n".to_vec()),
        raw("half a header", UNHEARD, |reply| part(reply, 40)),
        raw("half a header, reset", UNHEARD, |reply| part(reply, 40)).then(Then::Reset),
        raw("half a header, then silence", UNHEARD, |reply| part(reply, 40)).then(Then::Silence),
        raw("no HTTP", UNHEARD, |_| b"220 mail.example ESMTP\r\n".to_vec()),
        raw("TLS", UNHEARD, |_| b"\x15\x03\x01\0\x02\x02\x46".to_vec()),
        raw("only early hints", UNHEARD, |_| {
            b"HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n".to_vec()
        }),
        raw("two lengths", UNHEARD, |reply| {
            reply.bytes("content-length: 4\r\ncontent-length: 5\r\n")
        }),
        raw("a length that is none", UNHEARD, |reply| reply.bytes("content-length: many\r\n")),
    ]
}

/// The answer without what names the object outside the body.
fn nameless(reply: &Reply) -> Reply {
    reply.clone().without("location").without("x-wp-upload-attachment-id")
}

fn halved(reply: &Reply) -> Reply {
    let mut half = nameless(reply);
    half.body.truncate(half.body.len() / 2);
    half
}

/// Promises more than it holds.
fn long(reply: &Reply) -> Vec<u8> {
    reply.bytes(&format!("content-length: {}\r\n", reply.body.len() + 900))
}

/// One chunk of the length of the whole, which may hold less, with this after it.
fn chunked(whole: &Reply, reply: &Reply, end: &[u8]) -> Vec<u8> {
    let mut reply = reply.clone();
    let length = format!("{:x}\r\n", whole.body.len());
    reply.body.splice(0..0, length.into_bytes());
    reply.body.extend(end);
    reply.bytes("transfer-encoding: chunked\r\n")
}

fn half_a_body() -> Vec<Outcome> {
    vec![
        raw("half a body", HEARD, |reply| long(&halved(reply))),
        raw("half a body, reset", HEARD, |reply| long(&halved(reply))).then(Then::Reset),
        raw("half a body, then silence", HEARD, |reply| long(&halved(reply))).then(Then::Silence),
        raw("a length too large", HEARD, long),
        raw("a length too large, then silence", HEARD, long).then(Then::Silence),
        raw("a length too small", HEARD, |reply| {
            nameless(reply).bytes(&format!("content-length: {}\r\n", reply.body.len() / 2))
        }),
        raw("a chunk cut", HEARD, |reply| chunked(reply, &halved(reply), b"")),
        raw("chunks without their end", HEARD, |reply| chunked(reply, reply, b"\r\n")),
        raw("chunks without their end, reset", HEARD, |reply| chunked(reply, reply, b"\r\n"))
            .then(Then::Reset),
    ]
}

fn whole() -> Vec<Outcome> {
    vec![
        raw("without a length", Proves::Truth, |reply| reply.bytes("connection: close\r\n")),
        raw("in chunks", Proves::Truth, |reply| chunked(reply, reply, b"\r\n0\r\n\r\n")),
        raw("after 100 Continue", Proves::Truth, |reply| {
            [b"HTTP/1.1 100 Continue\r\n\r\n".as_slice(), &reply.framed()].concat()
        }),
        raw("HTTP/1.0", Proves::Truth, |reply| {
            [b"HTTP/1.0".as_slice(), &reply.framed()[8..]].concat()
        }),
        raw("junk behind the answer", Proves::Truth, |reply| {
            [reply.framed().as_slice(), b"<!-- x -->"].concat()
        }),
    ]
}
