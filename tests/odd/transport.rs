//! Connections that break, hang, lie about lengths, or say too much.
//!
//! Absent from here: well-formed answers. The one rule: exactly one create arrives, over
//! all runs of a row, and each on a connection of its own.

use crate::refusals::{COMPLETED, CONFIRMED, CREATED, NOT_FOUND, STILL_NOT_FOUND};
use crate::support::desk::{Desk, png};
use crate::support::http::Reply;
use crate::support::raw::{Ending, Moment, RawServer, Upset};
use crate::support::rows::{OR, Row, play};
use crate::support::rules::{Ask, Carries, Times};
use crate::support::site::Site;

/// What a broken answer may be made of.
type Writes = fn(&Reply) -> Vec<u8>;

fn upset(on: Ask, moment: Moment, carries: Carries, writes: Writes, ending: Ending) -> Upset {
    Upset { on, times: Times::Once, moment, carries, writes, ending }
}

fn nothing(_: &Reply) -> Vec<u8> {
    Vec::new()
}

/// The request arrived whole, and the answer is none: with a draft behind it, without.
fn unanswered(name: &str, writes: Writes, ending: Ending) -> [Row; 2] {
    let row = |end: &str, carries| {
        Row::new(format!("{name}, {end}")).network("timeout_s = 2").upset(upset(
            Ask::Create,
            Moment::Whole,
            carries,
            writes,
            ending,
        ))
    };
    [
        row("stored", Carries::Out).runs(&[COMPLETED, CONFIRMED, CONFIRMED]),
        row("not stored", Carries::Nothing).runs(&[NOT_FOUND, STILL_NOT_FOUND, STILL_NOT_FOUND]),
    ]
}

fn all(rows: Vec<[Row; 2]>) {
    play(rows.into_iter().flatten().collect());
}

/// The first part of the healthy answer.
fn part(reply: &Reply, of: fn(usize) -> usize) -> Vec<u8> {
    let bytes = reply.framed();
    bytes[..of(bytes.len())].to_vec()
}

/// Cases DUP-01, DUP-03, DUP-11 to DUP-14.
#[test]
fn an_answer_that_breaks_off_is_looked_into_and_never_sent_again() {
    all(vec![
        unanswered("closed without a word", nothing, Ending::Close),
        unanswered("reset without a word", nothing, Ending::Reset),
        unanswered("silence until the time limit", nothing, Ending::Hang),
        unanswered("half a status line", |_| b"HTTP/1.1 20".to_vec(), Ending::Close),
        unanswered("only a status line", |_| b"HTTP/1.1 201 Created\r\n".to_vec(), Ending::Close),
        unanswered("half a header", |reply| part(reply, |_| 40), Ending::Close),
        unanswered("half a header, reset", |reply| part(reply, |_| 40), Ending::Reset),
        unanswered("half a header, then silence", |reply| part(reply, |_| 40), Ending::Hang),
        unanswered("no HTTP", |_| b"220 mail.example ESMTP\r\n".to_vec(), Ending::Close),
        unanswered(
            "a version that is none",
            |_| b"HTTP/9.9 201 Created\r\n\r\n".to_vec(),
            Ending::Close,
        ),
        unanswered("HTTP/2", |_| b"\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x64".to_vec(), Ending::Close),
        unanswered("TLS", |_| b"\x15\x03\x01\0\x02\x02\x46".to_vec(), Ending::Close),
        unanswered(
            "only early hints",
            |_| b"HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n".to_vec(),
            Ending::Close,
        ),
        unanswered(
            "another protocol",
            |_| {
                b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n".to_vec()
            },
            Ending::Close,
        ),
        unanswered(
            "two lengths",
            |reply| reply.bytes("content-length: 4\r\ncontent-length: 5\r\n"),
            Ending::Close,
        ),
        unanswered(
            "a length that is none",
            |reply| reply.bytes("content-length: many\r\n"),
            Ending::Close,
        ),
    ]);
}

/// Bodies that are not whole are no proof, also where they parse.
#[test]
fn a_body_that_is_not_whole_proves_nothing() {
    let bare = |name: &str, writes: Writes, ending| unanswered(name, writes, ending);
    all(vec![
        bare("half a body", |reply| nameless(reply, "content-length: 900\r\n", 2), Ending::Close),
        bare(
            "half a body, reset",
            |reply| nameless(reply, "content-length: 900\r\n", 2),
            Ending::Reset,
        ),
        bare(
            "half a body, silence",
            |reply| nameless(reply, "content-length: 900\r\n", 2),
            Ending::Hang,
        ),
        bare("a chunk cut", |reply| chunk(reply, 2), Ending::Close),
        bare("a chunk cut, silence", |reply| chunk(reply, 2), Ending::Hang),
        bare(
            "a length of nothing",
            |reply| reply.clone().without("location").bytes("content-length: 0\r\n"),
            Ending::Close,
        ),
        bare(
            "a length too small",
            |reply| reply.clone().without("location").bytes("content-length: 20\r\n"),
            Ending::Close,
        ),
        bare(
            "gzip without asking",
            |reply| {
                let gzip = b"\x1f\x8b\x08\0\0\0\0\0\0\x03".to_vec();
                let reply = Reply { body: gzip, ..reply.clone() }.without("location");
                reply.with("content-encoding", "gzip").framed()
            },
            Ending::Close,
        ),
    ]);
}

/// The first part of the body under these framing headers, nowhere with the id.
fn nameless(reply: &Reply, framing: &str, divisor: usize) -> Vec<u8> {
    let mut reply = reply.clone().without("location");
    reply.body.truncate(reply.body.len() / divisor);
    reply.bytes(framing)
}

/// A chunk that promises more than it holds.
fn chunk(reply: &Reply, divisor: usize) -> Vec<u8> {
    let mut reply = reply.clone().without("location");
    let promised = format!("{:x}\r\n", reply.body.len());
    reply.body.truncate(reply.body.len() / divisor);
    reply.body.splice(0..0, promised.into_bytes());
    reply.bytes("transfer-encoding: chunked\r\n")
}

/// The post is whole in it, but the answer is not: its id is read, never believed.
#[test]
fn a_whole_post_in_a_broken_answer_is_evidence() {
    let read = "0: x completed - confirmed confirmed; look-up 1, read 1, create 1; 1 posts";
    let row = |name: &str, writes: Writes, ending| {
        Row::new(name)
            .network("timeout_s = 2")
            .upset(upset(Ask::Create, Moment::Whole, Carries::Out, writes, ending))
            .runs(&[read, CONFIRMED, CONFIRMED])
    };
    let longer: Writes =
        |reply| reply.bytes(&format!("content-length: {}\r\n", reply.body.len() + 9));
    let unended: Writes = |reply| {
        let mut reply = reply.clone();
        let length = format!("{:x}\r\n", reply.body.len());
        reply.body.splice(0..0, length.into_bytes());
        reply.body.extend(b"\r\n");
        reply.bytes("transfer-encoding: chunked\r\n")
    };
    play(vec![
        row("a length too large", longer, Ending::Close),
        row("a length too large, silence", longer, Ending::Hang),
        row("chunks without their end", unended, Ending::Close),
        row("chunks without their end, reset", unended, Ending::Reset),
        row("chunks without their end, silence", unended, Ending::Hang),
    ]);
}

/// Odd but whole.
#[test]
fn an_answer_that_is_whole_is_believed() {
    let row = |name: &str, writes: Writes, ending| {
        Row::new(name)
            .upset(upset(Ask::Create, Moment::Whole, Carries::Out, writes, ending))
            .runs(&[CREATED, CONFIRMED, CONFIRMED])
    };

    play(vec![
        row("then closed", Reply::framed, Ending::Close),
        row("then kept open", Reply::framed, Ending::GoOn),
        row("then silence", Reply::framed, Ending::Hang),
        row(
            "without a length, to the end",
            |reply| reply.bytes("connection: close\r\n"),
            Ending::Close,
        ),
        row(
            "in chunks",
            |reply| {
                let mut reply = reply.clone();
                let length = format!("{:x}\r\n", reply.body.len());
                reply.body.splice(0..0, length.into_bytes());
                reply.body.extend(b"\r\n0\r\n\r\n");
                reply.bytes("transfer-encoding: chunked\r\n")
            },
            Ending::Close,
        ),
        row(
            "after 100 Continue",
            |reply| [b"HTTP/1.1 100 Continue\r\n\r\n".as_slice(), &reply.framed()].concat(),
            Ending::Close,
        ),
        row(
            "after early hints",
            |reply| {
                [b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".as_slice(), &reply.framed()]
                    .concat()
            },
            Ending::Close,
        ),
        row(
            "HTTP/1.0",
            |reply| {
                let bytes = reply.framed();
                [b"HTTP/1.0".as_slice(), &bytes[8..]].concat()
            },
            Ending::Close,
        ),
        row("twice", |reply| [reply.framed(), reply.framed()].concat(), Ending::Close),
        row(
            "junk behind it",
            |reply| [reply.framed().as_slice(), b"<!-- x -->"].concat(),
            Ending::Close,
        ),
    ]);
}

const NOT_SENT: &str = "5: x deferred not_sent none none; look-up 1; 0 posts";
const CUT: &str = "5: x deferred not_sent none none; look-up 1, create 1; 0 posts";

/// Spec §6: not sent.
#[test]
fn a_create_that_did_not_leave_whole_is_no_doubt() {
    let refused = Row::new("nobody listens any more")
        .upset(upset(Ask::LookUp, Moment::Refuse, Carries::Out, nothing, Ending::Close))
        .runs(&[NOT_SENT, CREATED, CONFIRMED]);
    // More than the buffers of two sockets hold.
    let cut = |name: &str, moment, ending| {
        Row::new(name)
            .with(|desk| desk.article_with("x", "", &"a".repeat(3_500_000)))
            .upset(upset(Ask::Create, moment, Carries::Nothing, nothing, ending))
            .runs(&[CUT, CREATED, CONFIRMED])
    };
    play(vec![
        refused,
        cut("closed after the head", Moment::Head, Ending::Close),
        cut("reset in the body", Moment::Body(100_000), Ending::Reset),
    ]);
}

#[test]
fn an_upload_that_did_not_leave_whole_is_no_doubt() {
    let cut = |name: &str, moment, ending| {
        Row::new(name)
            .with(|desk| {
                desk.write("articles/x.png", png(&vec![b'x'; 8_000_000]));
                desk.article_with("x", "", "![A picture](x.png)");
            })
            .upset(upset(Ask::Upload, moment, Carries::Nothing, nothing, ending))
            .runs(&[
                "5: x deferred not_sent none none [deferred not_sent]; \
                 look-up 1, media-look-up 1, upload 1; 0 posts",
                "0: x created - confirmed confirmed [created -]; \
                 look-up 1, create 1, media-look-up 1, upload 1; 1 posts",
                CONFIRMED,
            ])
    };
    play(vec![
        cut("reset after the head", Moment::Head, Ending::Reset),
        cut("closed after the head", Moment::Head, Ending::Close),
        cut("reset in the body", Moment::Body(100_000), Ending::Reset),
        cut("closed in the body", Moment::Body(100_000), Ending::Close),
    ]);
}

/// A small body is in the kernel before the connection breaks: that proves nothing.
#[test]
fn a_small_request_that_may_have_left_stays_in_doubt() {
    let at_accept = |name: &str, ending| {
        Row::new(name)
            .network("timeout_s = 2")
            .upset(upset(Ask::LookUp, Moment::Accept, Carries::Out, nothing, ending))
            .runs(&[
                "4: x held not_found possible sending +answer_lost; \
                 look-up 2, candidates 3; 0 posts",
                STILL_NOT_FOUND,
                STILL_NOT_FOUND,
            ])
    };
    let cut = |name: &str, moment, ending| {
        Row::new(name)
            .network("timeout_s = 2")
            .upset(upset(Ask::Create, moment, Carries::Nothing, nothing, ending))
            .runs(&[NOT_FOUND, STILL_NOT_FOUND, STILL_NOT_FOUND])
    };
    play(vec![
        at_accept("silence at the door", Ending::Hang),
        cut("closed after the head", Moment::Head, Ending::Close),
        cut("reset after the head", Moment::Head, Ending::Reset),
        cut("silence after the head", Moment::Head, Ending::Hang),
        cut("closed in the body", Moment::Body(10), Ending::Close),
        cut("reset in the body", Moment::Body(10), Ending::Reset),
    ]);
}

/// Whether the request was handed over before the connection broke is the kernel's race.
/// Either it was not, which is no doubt, or it may have been, which is one.
#[test]
fn a_door_that_is_shut_is_no_doubt_or_one_and_never_two_drafts() {
    let at_accept = |name: &str, ending| {
        let or = |one: &str, other: &str| [one, other].join(OR);
        let lost =
            "4: x held not_found possible sending +answer_lost; look-up 2, candidates 3; 0 posts";
        Row::new(name)
            .upset(upset(Ask::LookUp, Moment::Accept, Carries::Out, nothing, ending))
            .run(or(NOT_SENT, lost))
            .run(or(CREATED, STILL_NOT_FOUND))
            .run(or(CONFIRMED, STILL_NOT_FOUND))
    };
    play(vec![
        at_accept("closed at the door", Ending::Close),
        at_accept("reset at the door", Ending::Reset),
    ]);
}

/// Cases DUP-11 to DUP-14: a connection that served a question is not used for a create.
/// Here each is closed with the last byte of its answer, without a word about it. Whether
/// the next question notices is up to the kernel, so the run is repeated until a create came.
#[test]
fn a_server_that_closes_used_connections_gets_one_create() {
    for carries in [Carries::Out, Carries::Nothing] {
        let closing = |on| Upset {
            times: Times::Always,
            ..upset(on, Moment::Whole, Carries::Out, Reply::framed, Ending::Close)
        };
        let reads = [Ask::Index, Ask::Me, Ask::LookUp, Ask::Receipts, Ask::Candidates];
        let mut upsets: Vec<Upset> = reads.into_iter().map(closing).collect();
        upsets.push(upset(Ask::Create, Moment::Whole, carries, nothing, Ending::Close));
        let site = Site::new();
        let server = RawServer::of(&site, &upsets);
        let desk = Desk::new(&server.url(), "");
        desk.article("x");
        let mut creates = 0;
        let mut push = || {
            desk.run(&["push", "--json", "--verbose"]);
            creates += site.take_counts().remove(&Ask::Create).unwrap_or_default();
            creates
        };
        let came = (0..60).any(|_| push() > 0);
        assert!(came, "no run got through");
        let after = (0..5).map(|_| push()).max();
        assert_eq!(after, Some(1));
        assert!(server.creates_had_fresh_connections());
        let phase = if carries == Carries::Out { "confirmed" } else { "sending" };
        assert_eq!(desk.phase("x"), phase);
    }
}

/// A proxy out of step: an answer that nobody asked for must not be taken for the answer
/// to the next question.
#[test]
fn an_answer_that_nobody_asked_for_is_no_proof() {
    let twice: Writes = |reply| [reply.framed(), reply.framed()].concat();
    let row = |name: &str, on| {
        Row::new(name)
            .with_picture()
            .upset(Upset {
                times: Times::Always,
                ..upset(on, Moment::Whole, Carries::Out, twice, Ending::GoOn)
            })
            .runs(&[
                "0: x created - confirmed confirmed [created -]; \
                 look-up 1, create 1, media-look-up 1, upload 1; 1 posts",
                CONFIRMED,
            ])
    };
    play(vec![
        row("the index twice", Ask::Index),
        row("the account twice", Ask::Me),
        row("the look-up twice", Ask::LookUp),
        row("the media look-up twice", Ask::MediaLookUp),
    ]);
}
