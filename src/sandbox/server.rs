//! Serves a simulated site on this machine, so that publishers can be tried on it.
//!
//! Absent from here: what the site answers. The one rule: a fault looks on the wire as it
//! does in the wild; a lost answer is a connection that closes, not a status.

mod control;

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream;
use http::header::CONTENT_LENGTH;
use http::{HeaderValue, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};

use super::kept::Kept;
use super::simulated::Carried;
use super::{Request, Response};
use crate::run::{Clock, with_causes};

pub use control::{ACTS, CONTROL, ROUTES};

/// The largest body of a request. Real sites take less.
const REQUEST_BYTES_MAX: usize = 64 * 1024 * 1024;
/// How long to wait when a connection could not be taken.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);
/// How long requests in flight may take to end when the server is asked to.
const END: Duration = Duration::from_secs(2);

/// A server that has its address and answers nobody yet.
#[derive(Debug)]
pub struct Listening {
    listener: TcpListener,
    address: SocketAddr,
}

impl Listening {
    /// Takes this port of 127.0.0.1; 0 takes any that is free.
    pub async fn on(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// The address of the site, without a slash at its end.
    #[must_use]
    pub fn home(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Answers until this ends; then gives requests in flight two seconds.
    pub async fn serve(self, site: Arc<Kept>, clock: Clock, until: impl Future<Output = ()>) {
        let host = Host { control: control::router(site.clone(), clock.clone()), site, clock };
        let graceful = GracefulShutdown::new();
        let mut until = std::pin::pin!(until);
        loop {
            let accepted = tokio::select! {
                () = &mut until => break,
                accepted = self.listener.accept() => accepted,
            };
            let Ok((stream, _)) = accepted else {
                // Too many open files, most likely: some will be closed.
                tokio::time::sleep(ACCEPT_AGAIN).await;
                continue;
            };
            tokio::spawn(host.clone().connection(stream, &graceful));
        }
        drop(self.listener);
        tokio::select! {
            () = graceful.shutdown() => {}
            () = tokio::time::sleep(END) => {}
        }
    }
}

/// Ends a connection without an answer.
#[derive(Debug, thiserror::Error)]
#[error("the connection is closed on purpose")]
struct Closed;

#[derive(Clone)]
struct Host {
    control: axum::Router,
    site: Arc<Kept>,
    clock: Clock,
}

impl Host {
    fn connection(
        self,
        stream: TcpStream,
        graceful: &GracefulShutdown,
    ) -> impl Future<Output = ()> + Send + 'static {
        let service = service_fn(move |request| self.clone().answer(request));
        let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        async move {
            // An error here is a client that went away, or one that lost its answer as
            // it was meant to.
            let _gone = connection.await;
        }
    }

    async fn answer(
        self,
        request: http::Request<Incoming>,
    ) -> Result<http::Response<Body>, Closed> {
        let path = request.uri().path();
        if path == CONTROL || path.starts_with(&format!("{CONTROL}/")) {
            let service = TowerToHyperService::new(self.control);
            let answered: Result<_, Infallible> = service.call(request).await;
            return answered.map_err(|never| match never {});
        }
        let (parts, body) = request.into_parts();
        // A body that does not come whole never reaches PHP.
        let body = to_bytes(Body::new(body), REQUEST_BYTES_MAX).await.map_err(|_| Closed)?;
        let request = Request::from_parts(parts, body);
        let now = (self.clock)();
        match self.site.with(now, |site| site.carry(&request, now)) {
            Ok(carried) => deliver(carried).await,
            Err(error) => Ok(not_kept(&with_causes(&error))),
        }
    }
}

async fn deliver(carried: Carried) -> Result<http::Response<Body>, Closed> {
    let mut carried = carried;
    loop {
        match carried {
            Carried::Answer(answer) => return Ok(answer.map(Body::from)),
            Carried::AnswerCut(answer, bytes) => return Ok(cut(answer, bytes)),
            Carried::NoAnswer | Carried::NeverArrived => return Err(Closed),
            Carried::Slow(by, inner) => {
                tokio::time::sleep(by).await;
                carried = *inner;
            }
        }
    }
}

/// An answer that announces its whole body and breaks off.
fn cut(answer: Response, bytes: usize) -> http::Response<Body> {
    let whole = answer.body().len();
    let mut answer = answer.map(|body| {
        let start = body.slice(..bytes.min(body.len()));
        let breaks = async {
            // What was sent goes out to the client before the connection breaks.
            tokio::task::yield_now().await;
            Err(io::Error::from(io::ErrorKind::ConnectionReset))
        };
        let start = stream::iter([Ok::<Bytes, io::Error>(start)]);
        Body::from_stream(start.chain(stream::once(breaks)))
    });
    answer.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(whole));
    answer
}

/// The simulator itself has a trouble; nothing of the request was done.
fn not_kept(why: &str) -> http::Response<Body> {
    let mut answer = http::Response::new(Body::from(format!("oncepress sandbox: {why}\n")));
    *answer.status_mut() = StatusCode::INSUFFICIENT_STORAGE;
    answer
}
