//! The same site behind a bare socket, for what no HTTP library would answer.
//!
//! Absent from here: what the site says (`site`). The one rule: a request is counted as
//! soon as its head is read, whatever happens to it afterwards.

use std::io::{BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::net::sockopt;

use super::door::{Door, reset_when_dropped};
use super::http::{Head, Reply, Request};
use super::rules::{Ask, Carries, Times};
use super::site::Site;

/// A cut request must not hide in the kernel.
const RECEIVE_BYTES: usize = 4_096;
const POLL: Duration = Duration::from_millis(2);
/// A connection that nobody speaks on is given up after this.
const IDLE_MAX: Duration = Duration::from_secs(30);

/// How far the server goes along before it misbehaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// Nothing listens any more once a look-up was answered.
    Refuse,
    /// On the first connection after a look-up was answered, before anything is read.
    Accept,
    /// When the head was read.
    Head,
    /// When so many bytes of the body were read.
    Body(usize),
    /// When the request was read whole.
    Whole,
}

/// What becomes of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Close,
    Reset,
    /// It stays open, and nothing more is said.
    Hang,
    /// It goes on as if nothing had been.
    GoOn,
}

/// One misbehaviour.
#[derive(Clone)]
pub(crate) struct Upset {
    pub(crate) on: Ask,
    pub(crate) times: Times,
    pub(crate) moment: Moment,
    pub(crate) carries: Carries,
    /// What is written, made out of the healthy answer.
    pub(crate) writes: fn(&Reply) -> Vec<u8>,
    pub(crate) ending: Ending,
}

struct Shared {
    site: Site,
    /// With how often each was met.
    upsets: Mutex<Vec<(Upset, u32)>>,
    ended: AtomicBool,
    next_accept: Mutex<Option<Ending>>,
    /// How many requests came on the connection of each create before it.
    before_creates: Mutex<Vec<u32>>,
}

/// A running server. It ends with this value.
pub(crate) struct RawServer {
    door: Door,
    shared: Arc<Shared>,
}

impl RawServer {
    pub(crate) fn of(site: &Site, upsets: &[Upset]) -> Self {
        let cuts =
            upsets.iter().any(|upset| matches!(upset.moment, Moment::Head | Moment::Body(_)));
        let shared = Arc::new(Shared {
            site: site.clone(),
            upsets: Mutex::new(upsets.iter().map(|upset| (upset.clone(), 0)).collect()),
            ended: AtomicBool::new(false),
            next_accept: Mutex::default(),
            before_creates: Mutex::default(),
        });
        let serving = shared.clone();
        let serve = move |stream, door: &Door| serve(stream, door, &serving);
        Self { door: Door::open(cuts.then_some(RECEIVE_BYTES), serve), shared }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.door.address())
    }

    /// Listens again after a refusal.
    pub(crate) fn listen_again(&self) {
        self.door.open_again();
    }

    /// Whether every create came as the first request of its connection.
    pub(crate) fn creates_had_fresh_connections(&self) -> bool {
        held(&self.shared.before_creates).iter().all(|before| *before == 0)
    }
}

impl Drop for RawServer {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        self.door.shut();
    }
}

fn held<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Serves one connection until somebody ends it. An error here is the client's leaving.
fn serve(stream: TcpStream, door: &Door, shared: &Shared) {
    stream.set_read_timeout(Some(IDLE_MAX)).expect("the socket takes the option");
    let at_accept = held(&shared.next_accept).take();
    if let Some(ending) = at_accept {
        end(&stream, ending, shared);
        return;
    }
    let mut reader = BufReader::new(stream);
    let mut number = 0;
    while let Ok(true) = exchange(&mut reader, door, shared, number) {
        number += 1;
    }
}

/// One request and its answer; whether the connection goes on.
fn exchange(
    reader: &mut BufReader<TcpStream>,
    door: &Door,
    shared: &Shared,
    number: u32,
) -> std::io::Result<bool> {
    let Some(head) = Head::read(reader)? else { return Ok(false) };
    let length = head.body_bytes;
    let mut request = Request::new(&head.method, &head.target, head.headers, Vec::new());
    let ask = Ask::of(&request);
    shared.site.count(ask);
    if ask == Ask::Create {
        held(&shared.before_creates).push(number);
    }
    let upset = met(shared, ask);
    let until = match upset.as_ref().map(|upset| upset.moment) {
        Some(Moment::Head) => 0,
        Some(Moment::Body(bytes)) => bytes.min(length),
        Some(Moment::Whole | Moment::Refuse | Moment::Accept) | None => length,
    };
    request.body.resize(until, 0);
    reader.read_exact(&mut request.body)?;
    let whole = until == length;
    let reply = match &upset {
        Some(upset) if !whole || upset.carries == Carries::Nothing => {
            whole.then(|| shared.site.would_answer(&request))
        }
        Some(_) | None => Some(shared.site.respond(&request)),
    };
    let stream = reader.get_ref();
    let Some(upset) = upset else {
        let reply = reply.unwrap_or_else(|| Reply::error(500, "no_reply"));
        (&*stream).write_all(&reply.framed())?;
        return Ok(true);
    };
    match upset.moment {
        Moment::Refuse => door.shut(),
        Moment::Accept => *held(&shared.next_accept) = Some(upset.ending),
        Moment::Head | Moment::Body(_) | Moment::Whole => {
            if upset.ending == Ending::Close {
                close_with_the_last_byte(stream);
            }
            if let Some(reply) = &reply {
                (&*stream).write_all(&(upset.writes)(reply))?;
            }
            end(stream, upset.ending, shared);
            return Ok(upset.ending == Ending::GoOn);
        }
    }
    (&*stream).write_all(&reply.map(|reply| reply.framed()).unwrap_or_default())?;
    Ok(true)
}

fn met(shared: &Shared, ask: Ask) -> Option<Upset> {
    let mut holding = None;
    for (upset, met) in held(&shared.upsets).iter_mut().filter(|(upset, _)| upset.on == ask) {
        *met += 1;
        let holds = match upset.times {
            Times::Once => *met == 1,
            Times::Always => true,
            Times::From(first) => *met >= first,
            Times::Nth(number) => *met == number,
        };
        if holds {
            holding.get_or_insert_with(|| upset.clone());
        }
    }
    holding
}

/// What is written from now on leaves together with the end of the stream: a client that
/// has the whole answer can already see that the connection is closed.
fn close_with_the_last_byte(stream: &TcpStream) {
    sockopt::set_tcp_cork(stream, true).expect("the socket takes the option");
}

fn end(stream: &TcpStream, ending: Ending, shared: &Shared) {
    match ending {
        Ending::Close | Ending::GoOn => {}
        Ending::Reset => reset_when_dropped(stream),
        Ending::Hang => {
            while !shared.ended.load(Ordering::SeqCst) {
                std::thread::sleep(POLL);
            }
        }
    }
}
