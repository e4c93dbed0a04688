//! A server whose certificate nobody vouches for, as on a staging site or behind a man
//! in the middle.
//!
//! Absent from here: what it serves, which nobody should see. The one rule: it ends with
//! its value.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Waits until it listens: this often, for 10 ms.
const LOOKS_MAX: u32 = 500;

pub(crate) struct Stranger {
    server: Child,
    port: u16,
    /// Its key and certificate.
    _folder: tempfile::TempDir,
}

impl Stranger {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name).display().to_string();
        let (key, certificate) = (path("key.pem"), path("certificate.pem"));
        #[rustfmt::skip]
        let made = Command::new("openssl")
            .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"])
            .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"])
            .args(["-keyout", &key, "-out", &certificate])
            .output()
            .expect("openssl is there");
        assert!(made.status.success(), "{made:?}");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        drop(listener);
        let server = Command::new("openssl")
            .args(["s_server", "-quiet", "-www", "-accept", &format!("127.0.0.1:{port}")])
            .args(["-key", &key, "-cert", &certificate])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("openssl serves");
        let stranger = Self { server, port, _folder: folder };
        for _ in 0..LOOKS_MAX {
            if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
                return stranger;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("openssl does not listen on {port}");
    }

    pub(crate) fn url(&self) -> String {
        format!("https://127.0.0.1:{}", self.port)
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        self.server.kill().expect("it ends");
        self.server.wait().expect("it ended");
    }
}
