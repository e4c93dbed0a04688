//! The two sides: a site of the lab, and the simulated one.

use base64::Engine as _;
use bytes::Bytes;
use jiff::Timestamp;
use oncepress::sandbox::{Mishap, Version, World};
use serde_json::Value;

/// A request, ready to be sent to either side.
pub(crate) struct Request {
    pub(crate) who: String,
    pub(crate) method: String,
    /// Path and query below the site's address.
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// What goes wrong inside the simulated site.
    pub(crate) mishap: Option<String>,
}

/// An answer of either side.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// Who answers.
pub(crate) enum Target {
    Real { home: String, users: Value, client: reqwest::Client, runtime: tokio::runtime::Runtime },
    Simulated(Box<World>),
}

/// Where the simulated site says that it is.
const HOME: &str = "http://simulated.invalid";

impl Target {
    pub(crate) fn real(version: &str) -> Self {
        let default = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target/lab");
        let folder = std::env::var_os("ONCEPRESS_LAB").map_or(default, Into::into);
        let file = folder.join("lab.json");
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| {
            panic!("{}: {error}: run `scripts/lab up` first", file.display())
        });
        let lab: Value = serde_json::from_str(&text).unwrap();
        let sites = lab["sites"].as_array().unwrap();
        let site = sites.iter().find(|site| site["version"] == version).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        // An error means that a provider is installed already.
        rustls::crypto::ring::default_provider().install_default().ok();
        let client = reqwest::Client::builder()
            .no_proxy()
            .tls_certs_only([])
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap();
        let home = site["url"].as_str().unwrap().trim_end_matches('/').to_owned();
        Self::Real { home, users: site["users"].clone(), client, runtime }
    }

    pub(crate) fn simulated(version: &str) -> Self {
        let version = match version {
            "6.1" => Version::V6_1,
            "6.8" => Version::V6_8,
            "7.1" => Version::V7_1,
            other => panic!("no simulated WordPress {other}"),
        };
        Self::Simulated(Box::new(World::new(version, HOME)))
    }

    pub(crate) fn home(&self) -> &str {
        match self {
            Self::Real { home, .. } => home,
            Self::Simulated(_) => HOME,
        }
    }

    fn password(&self, login: &str) -> String {
        match self {
            Self::Real { users, .. } => users[login]["password"].as_str().unwrap().to_owned(),
            Self::Simulated(world) => world.user(login).unwrap().password.clone(),
        }
    }

    /// `nobody` sends no credentials, `wrong` a wrong password.
    fn authorization(&self, who: &str) -> Option<String> {
        let pair = match who {
            "nobody" => return None,
            "wrong" => "author:aaaabbbbccccddddeeeeffff".to_owned(),
            "unknown" => "nemo:aaaabbbbccccddddeeeeffff".to_owned(),
            login => format!("{login}:{}", self.password(login)),
        };
        Some(format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(pair)))
    }

    pub(crate) fn send(&mut self, request: &Request, now: Timestamp) -> Answer {
        let mut builder = http::Request::builder().method(request.method.as_str()).uri(format!(
            "{}{}",
            self.home(),
            request.target
        ));
        for (name, value) in &request.headers {
            builder = builder.header(name, value);
        }
        if let Some(authorization) = self.authorization(&request.who) {
            builder = builder.header("authorization", authorization);
        }
        let mishap = request.mishap.as_deref().map(mishap);
        let bodiless = request.method == "HEAD";
        let request = builder.body(Bytes::from(request.body.clone())).unwrap();
        let (status, headers, body) = match self {
            Self::Simulated(world) => {
                let response = world.answer(&request, now, mishap);
                let (parts, body) = response.into_parts();
                // HTTP leaves the body of an answer to HEAD behind.
                (parts.status, parts.headers, if bodiless { Bytes::new() } else { body })
            }
            Self::Real { client, runtime, .. } => runtime.block_on(async {
                let request = reqwest::Request::try_from(request.map(reqwest::Body::from)).unwrap();
                let response = client.execute(request).await.expect("the lab's site answers");
                let (status, headers) = (response.status(), response.headers().clone());
                (status, headers, response.bytes().await.unwrap())
            }),
        };
        let text =
            |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        Answer {
            status: status.as_u16(),
            headers: headers
                .iter()
                .map(|(name, value)| (name.as_str().to_owned(), text(value)))
                .collect(),
            body: body.to_vec(),
        }
    }
}

/// What goes wrong inside the simulated site, by its name in scripts.
fn mishap(name: &str) -> Mishap {
    match name {
        "dies-after-insert" => Mishap::DiesAfterInsert,
        "dies-after-fields" => Mishap::DiesAfterFields,
        "refused-after-insert" => Mishap::RefusedAfterInsert,
        "type-error-after-insert" => Mishap::TypeErrorAfterInsert,
        "image-sizes-die" => Mishap::ImageSizesDie,
        "image-sizes-die-silently" => Mishap::ImageSizesDieSilently,
        "warning-before-json" => Mishap::WarningBeforeJson,
        other => panic!("no mishap is called {other}"),
    }
}
