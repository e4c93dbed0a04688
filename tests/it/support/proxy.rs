//! A proxy of the test's own between OncePress and one real site.
//!
//! It takes each request whole (unless a rule says otherwise), lets the site answer
//! completely, and only then answers, so "the site has committed, the answer is lost"
//! is a fact and not a race. Absent from here: TLS; what goes wrong (`rules`). The one
//! rule: every arrival is recorded before anything is done with it, so that a request
//! sent twice shows, whatever became of it.

use std::fmt::Write as _;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::connection::Connection;
use super::lab::stored;
use super::rules::{Fault, Kind, Rule, Which};

/// A small receive buffer: what a client has handed over is then nearly what the
/// proxy has read, and a large body cut in its middle can't hide in the kernel.
const RECEIVE_BUFFER_BYTES: usize = 64 * 1024;

/// How often a condition is looked at. Not a limit.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// One request that arrived.
#[derive(Debug, Clone)]
pub(crate) struct Arrival {
    pub(crate) kind: Kind,
    pub(crate) method: String,
    /// Path and query as they came.
    pub(crate) target: String,
    /// The query, percent-decoded.
    pub(crate) query: String,
    pub(crate) header_names: Vec<String>,
    /// Number of the connection, from 1.
    pub(crate) connection: usize,
    /// Number of the request on its connection, from 1.
    pub(crate) on_connection: usize,
    /// The body, as far as it was taken.
    pub(crate) body: Vec<u8>,
    /// What the site answered, once per delivery.
    pub(crate) site_said: Vec<u16>,
}

impl Arrival {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    pub(crate) fn has_header(&self, name: &str) -> bool {
        self.header_names.iter().any(|known| known.eq_ignore_ascii_case(name))
    }
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) rules: Vec<Rule>,
    pub(super) arrivals: Vec<Arrival>,
    connections: usize,
    refuse: bool,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) site: SocketAddr,
    /// Path of the site below its host, without a slash at the end.
    pub(super) base: String,
    port: u16,
    state: Mutex<State>,
    /// The listening thread; it has let go of the port when it ends.
    listening: Mutex<Option<thread::JoinHandle<()>>>,
}

impl Shared {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn listening(&self) -> MutexGuard<'_, Option<thread::JoinHandle<()>>> {
        self.listening.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the listener, which wakes up for one connection and finds that it is
    /// over. When this returns, connections are refused.
    pub(super) fn refuse(&self) {
        self.state().refuse = true;
        if let Some(thread) = self.listening().take() {
            drop(TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)));
            thread.join().expect("the listener ends by itself");
        }
    }
}

/// The proxy; it stops listening when it goes out of scope.
#[derive(Debug)]
pub(crate) struct Proxy {
    shared: Arc<Shared>,
}

impl Proxy {
    pub(crate) fn new(site: SocketAddr, base: &str) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        rustix::net::sockopt::set_socket_recv_buffer_size(&listener, RECEIVE_BUFFER_BYTES)
            .expect("a receive buffer");
        let port = listener.local_addr().expect("the port").port();
        let shared = Arc::new(Shared {
            site,
            base: base.to_owned(),
            port,
            state: Mutex::default(),
            listening: Mutex::default(),
        });
        listen(listener, &shared);
        Self { shared }
    }

    /// The site's address, seen through this proxy.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}{}", self.shared.port, self.shared.base)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.shared.port).into()
    }

    /// From now on every request of this kind gets this fault.
    pub(crate) fn always(&self, kind: Kind, fault: Fault) {
        self.rule(kind, Which::All, fault);
    }

    /// As [`Proxy::always`], for requests that a run may do without.
    pub(crate) fn in_case(&self, kind: Kind, fault: Fault) {
        let must_be_met = false;
        self.add(Rule { must_be_met, ..new_rule(kind, Which::All, fault) });
    }

    /// The next request of this kind gets this fault.
    pub(crate) fn once(&self, kind: Kind, fault: Fault) {
        self.rule(kind, Which::Nth(1), fault);
    }

    /// The n-th request of this kind from now, from 1, gets this fault.
    pub(crate) fn nth(&self, kind: Kind, number: usize, fault: Fault) {
        self.rule(kind, Which::Nth(number), fault);
    }

    fn rule(&self, kind: Kind, which: Which, fault: Fault) {
        self.add(new_rule(kind, which, fault));
    }

    fn add(&self, rule: Rule) {
        self.shared.state().rules.push(rule);
    }

    /// Forgets all rules. A rule that was never used is a scene that did not happen.
    pub(crate) fn clear_rules(&self) {
        for rule in std::mem::take(&mut self.shared.state().rules) {
            assert!(rule.used > 0 || !rule.must_be_met, "this fault was never met: {rule:?}");
        }
    }

    /// From now on connections are refused, as by a server that is down.
    pub(crate) fn refuse(&self) {
        self.shared.refuse();
    }

    /// Listens again after [`Fault::then_refuse`] or [`Proxy::refuse`].
    pub(crate) fn accept_again(&self) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, self.shared.port))
            .expect("the same port once more");
        self.shared.state().refuse = false;
        listen(listener, &self.shared);
    }

    pub(crate) fn arrivals(&self) -> Vec<Arrival> {
        self.shared.state().arrivals.clone()
    }

    pub(crate) fn of_kind(&self, kind: Kind) -> Vec<Arrival> {
        self.arrivals().into_iter().filter(|arrival| arrival.kind == kind).collect()
    }

    /// Create requests that arrived for this slug (as people write it or as it is
    /// stored), whatever became of them; also those cut too early to name a slug.
    pub(crate) fn creates(&self, slug: &str) -> Vec<Arrival> {
        let ours = |arrival: &Arrival| match arrival.json() {
            Value::Null => true,
            sent => sent["slug"] == slug || sent["slug"] == stored(slug),
        };
        self.of_kind(Kind::Create).into_iter().filter(ours).collect()
    }

    /// Waits until the site has answered the last request of this kind, though the
    /// client may be gone.
    pub(crate) fn wait_until_the_site_has_answered(&self, kind: Kind) {
        let answered = || self.of_kind(kind).last().is_some_and(|last| !last.site_said.is_empty());
        while !answered() {
            thread::sleep(LOOK_EVERY);
        }
    }

    /// Everything that arrived, one a line, for a person who looks for the error.
    pub(crate) fn story(&self) -> String {
        let mut story = String::new();
        for arrival in self.arrivals() {
            let Arrival { kind, method, target, connection, on_connection, .. } = &arrival;
            let (bytes, said) = (arrival.body.len(), &arrival.site_said);
            let _ = writeln!(
                story,
                "  {connection}.{on_connection} {kind:?}: {method} {target} ({bytes} bytes) site said {said:?}"
            );
        }
        story
    }
}

fn new_rule(kind: Kind, which: Which, fault: Fault) -> Rule {
    Rule { kind, which, fault, seen: 0, used: 0, must_be_met: true }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.shared.refuse();
        if !thread::panicking() {
            self.clear_rules();
        }
    }
}

fn listen(listener: TcpListener, shared: &Arc<Shared>) {
    let ours = Arc::clone(shared);
    let thread = thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            let number = {
                let mut state = ours.state();
                if state.refuse {
                    break;
                }
                state.connections += 1;
                state.connections
            };
            let shared = Arc::clone(&ours);
            thread::spawn(move || {
                // A connection that breaks is the scene's business, not an error here.
                let _ = Connection::new(shared, number).serve(socket);
            });
        }
    });
    *shared.listening() = Some(thread);
}
