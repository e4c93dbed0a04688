//! A port on which somebody listens, or nobody for a while.
//!
//! Absent from here: what is said on a connection. The one rule: the port stays ours
//! while nobody listens on it, so that a refused connection never reaches a stranger.

use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::net::{AddressFamily, SocketFlags, SocketType, sockopt};

/// Connections that wait to be accepted.
const BACKLOG: i32 = 128;

/// Handles of one door are clones. It stays as it is until somebody shuts it.
#[derive(Clone)]
pub(crate) struct Door(Arc<Inner>);

/// What is done with a connection.
type Serve = Box<dyn Fn(TcpStream, &Door) + Send + Sync>;

struct Inner {
    /// Bound, and never listening.
    place: OwnedFd,
    receive_bytes: Option<usize>,
    serve: Serve,
    listening: Mutex<Option<(Arc<AtomicBool>, JoinHandle<()>)>>,
}

impl Door {
    /// Listens on a free port of this machine, and gives each connection to `serve`, in a
    /// thread of its own. `receive_bytes` is the size of the kernel's buffer for what
    /// arrives, where that matters.
    pub(crate) fn open(
        receive_bytes: Option<usize>,
        serve: impl Fn(TcpStream, &Self) + Send + Sync + 'static,
    ) -> Self {
        let place = bound(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
        let (serve, listening): (Serve, _) = (Box::new(serve), Mutex::default());
        let door = Self(Arc::new(Inner { place, receive_bytes, serve, listening }));
        door.open_again();
        door
    }

    pub(crate) fn address(&self) -> SocketAddr {
        let address = rustix::net::getsockname(&self.0.place).expect("it is bound");
        SocketAddrV4::try_from(address).expect("an address of version 4").into()
    }

    /// Listens, unless somebody does.
    pub(crate) fn open_again(&self) {
        let mut listening = self.0.listening.lock().unwrap_or_else(PoisonError::into_inner);
        if listening.is_some() {
            return;
        }
        let socket = bound(self.address());
        if let Some(bytes) = self.0.receive_bytes {
            let small = sockopt::set_socket_recv_buffer_size(&socket, bytes);
            small.expect("the socket takes the option");
        }
        rustix::net::listen(&socket, BACKLOG).expect("it listens");
        let (listener, ended) = (TcpListener::from(socket), Arc::new(AtomicBool::new(false)));
        let (door, end) = (self.clone(), ended.clone());
        let accepting = std::thread::spawn(move || {
            while let Ok((stream, _)) = listener.accept() {
                if end.load(Ordering::SeqCst) {
                    return;
                }
                let door = door.clone();
                std::thread::spawn(move || (door.0.serve)(stream, &door));
            }
        });
        *listening = Some((ended, accepting));
    }

    /// From here on connections are refused.
    pub(crate) fn shut(&self) {
        let listening = self.0.listening.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some((ended, accepting)) = listening else { return };
        ended.store(true, Ordering::SeqCst);
        // Wakes the one who waits for a connection.
        drop(TcpStream::connect(self.address()));
        accepting.join().expect("it only accepts");
    }
}

fn bound(address: SocketAddr) -> OwnedFd {
    // A program that a test starts must not have the port open too.
    let (family, kind) = (AddressFamily::INET, SocketType::STREAM);
    let socket = rustix::net::socket_with(family, kind, SocketFlags::CLOEXEC, None);
    let socket = socket.expect("a socket");
    sockopt::set_socket_reuseaddr(&socket, true).expect("the socket takes the option");
    sockopt::set_socket_reuseport(&socket, true).expect("the socket takes the option");
    rustix::net::bind(&socket, &address).expect("the port is ours");
    socket
}

/// Ends the connection with a reset once it is dropped.
pub(crate) fn reset_when_dropped(stream: &TcpStream) {
    let reset = sockopt::set_socket_linger(stream, Some(Duration::ZERO));
    reset.expect("the socket takes the option");
}
