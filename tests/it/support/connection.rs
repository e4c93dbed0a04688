//! One connection of a client to the proxy: take requests, deliver them, give answers.
//!
//! Absent from here: what goes wrong (`rules`), and who listens (`proxy`). The one rule:
//! the site's answer is read whole before the client gets a byte of it.

use std::io::{BufReader, Write};
use std::net::TcpStream;
use std::sync::Arc;

use percent_encoding::percent_decode_str;

use super::http::{self, Answer, Framing, Head};
use super::proxy::{Arrival, Shared};
use super::rules::{Edit, Fault, Give, Kind, Take};

/// Whether the connection goes on after a request.
#[derive(PartialEq, Eq)]
enum Then {
    NextRequest,
    Close,
}

/// One connection of a client.
pub(super) struct Connection {
    shared: Arc<Shared>,
    number: usize,
}

impl Connection {
    pub(super) fn new(shared: Arc<Shared>, number: usize) -> Self {
        Self { shared, number }
    }

    pub(super) fn serve(&self, socket: TcpStream) -> std::io::Result<()> {
        socket.set_nodelay(true)?;
        let mut to_client = socket.try_clone()?;
        let mut from_client = BufReader::new(socket);
        let mut number = 0;
        while let Some(head) = http::read_head(&mut from_client)? {
            number += 1;
            let (index, fault) = self.record(&head, number);
            let then = self.deal_with(&head, index, &fault, &mut from_client, &mut to_client)?;
            if then == Then::Close || fault.then_refuse {
                break;
            }
        }
        Ok(())
    }

    /// Notes the arrival and finds its fault, in one step.
    fn record(&self, head: &Head, on_connection: usize) -> (usize, Fault) {
        let mut words = head.start.split(' ');
        let method = words.next().unwrap_or_default().to_owned();
        let target = words.next().unwrap_or_default().to_owned();
        let (path, raw_query) = target.split_once('?').unwrap_or((target.as_str(), ""));
        let query = percent_decode_str(raw_query).decode_utf8_lossy().into_owned();
        let route = route_of(path, raw_query, &self.shared.base);
        // A read in the clothes of a write is a read.
        let meant = head.get("x-http-method-override").unwrap_or(&method);
        let kind = Kind::of(meant, route.as_deref());
        let header_names = head.headers.iter().map(|(name, _)| name.clone()).collect();
        let mut state = self.shared.state();
        // Every rule counts, the first that applies is carried out.
        let faults: Vec<Fault> =
            state.rules.iter_mut().filter_map(|rule| rule.meet(kind)).collect();
        state.arrivals.push(Arrival {
            kind,
            method,
            query,
            header_names,
            connection: self.number,
            on_connection,
            body: Vec::new(),
            site_said: Vec::new(),
            target: target.clone(),
        });
        (state.arrivals.len() - 1, faults.into_iter().next().unwrap_or_else(Fault::none))
    }

    fn deal_with(
        &self,
        head: &Head,
        index: usize,
        fault: &Fault,
        from_client: &mut BufReader<TcpStream>,
        to_client: &mut TcpStream,
    ) -> std::io::Result<Then> {
        let body = match fault.take {
            Take::Whole => http::read_body(from_client, Framing::of_request(head))?,
            Take::HeadOnly => return Ok(Then::Close),
            Take::Some(bytes) => {
                let body = http::read_some(from_client, bytes)?;
                self.shared.state().arrivals[index].body = body;
                return Ok(Then::Close);
            }
            Take::SomeAndForward(bytes) => {
                let body = http::read_some(from_client, bytes)?;
                self.shared.state().arrivals[index].body.clone_from(&body);
                let mut site = TcpStream::connect(self.shared.site)?;
                site.write_all(&head.to_bytes())?;
                site.write_all(&body)?;
                return Ok(Then::Close);
            }
        };
        self.shared.state().arrivals[index].body.clone_from(&body);
        if let Some(gate) = &fault.gate_before {
            gate.pass();
        }
        let said = self.deliver(head, &body, index, fault)?;
        if let Some(gate) = &fault.gate {
            gate.pass();
        }
        // Before the answer: the client's next connection must find nobody.
        if fault.then_refuse {
            self.shared.refuse();
        }
        give(head, said, fault, to_client)
    }

    fn deliver(
        &self,
        head: &Head,
        body: &[u8],
        index: usize,
        fault: &Fault,
    ) -> std::io::Result<Option<Answer>> {
        let mut head = head.clone();
        edit(&mut head, &fault.request_edits);
        let mut last = None;
        for _ in 0..fault.deliveries {
            let answer = http::ask(self.shared.site, &head, body)?;
            self.shared.state().arrivals[index].site_said.push(answer.status);
            last = Some(answer);
        }
        Ok(last)
    }
}

/// The REST route that a request is for; nothing for the site's own pages.
fn route_of(path: &str, raw_query: &str, base: &str) -> Option<String> {
    let plain = url::form_urlencoded::parse(raw_query.as_bytes())
        .find(|(name, _)| name == "rest_route")
        .map(|(_, route)| route.into_owned());
    plain.or_else(|| {
        let below = path.strip_prefix(base)?.strip_prefix("/wp-json")?;
        Some(percent_decode_str(below).decode_utf8_lossy().into_owned())
    })
}

fn edit(head: &mut Head, edits: &[Edit]) {
    for edit in edits {
        match edit {
            Edit::Set(name, value) => head.set(name, value),
            Edit::Remove(name) => head.remove(name),
        }
    }
}

/// Gives the client what the fault leaves of the answer, newly framed.
fn give(
    request: &Head,
    said: Option<Answer>,
    fault: &Fault,
    client: &mut TcpStream,
) -> std::io::Result<Then> {
    let (answer, whole) = match (&fault.give, said) {
        (Give::Nothing, _) => return Ok(Then::Close),
        (Give::Instead(answer), _) => (answer.clone(), true),
        (Give::TheAnswer, Some(answer)) => (answer, true),
        (Give::Changed(change), Some(mut answer)) => {
            let mut value = answer.value();
            change(&mut value);
            answer.body = value.to_string().into_bytes();
            (answer, true)
        }
        (Give::HalfTheHead | Give::HalfTheBody, Some(answer)) => (answer, false),
        (give, None) => panic!("{give:?} needs an answer of the site"),
    };
    let Answer { status, mut head, mut body } = answer;
    edit(&mut head, &fault.answer_edits);
    head.remove("transfer-encoding");
    head.remove("connection");
    if status >= 200 && status != 204 && status != 304 {
        head.set("Content-Length", &body.len().to_string());
    }
    let asked = request.get("connection").unwrap_or_default().to_ascii_lowercase();
    let then = if asked == "close" || !whole { Then::Close } else { Then::NextRequest };
    if then == Then::Close {
        head.set("Connection", "close");
    }
    let mut bytes = head.to_bytes();
    if matches!(fault.give, Give::HalfTheHead) {
        bytes.truncate(bytes.len() / 2);
        body.clear();
    }
    if matches!(fault.give, Give::HalfTheBody) {
        body.truncate(body.len() / 2);
    }
    bytes.extend_from_slice(&body);
    client.write_all(&bytes)?;
    client.flush()?;
    Ok(then)
}
