//! The site behind wiremock, for everything that a well-formed HTTP answer can be.

use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Respond, ResponseTemplate};

use super::http::{Reply, Request};
use super::site::Site;

/// A running server. It ends with this value.
pub(crate) struct Server(MockServer);

struct Answers(Site);

impl Respond for Answers {
    fn respond(&self, request: &wiremock::Request) -> ResponseTemplate {
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        let headers = request
            .headers
            .iter()
            .map(|(name, value)| (name.as_str().to_owned(), text(value.as_bytes())));
        let target = match request.url.query() {
            Some(query) => format!("{}?{query}", request.url.path()),
            None => request.url.path().to_owned(),
        };
        let method = request.method.as_str();
        let request = Request::new(method, &target, headers.collect(), request.body.clone());
        let Reply { status, headers, body, delay } = self.0.answer(&request);
        let kind = headers.iter().find(|(name, _)| name == "content-type");
        let kind = kind.map_or("", |(_, kind)| kind.as_str()).to_owned();
        let mut template = ResponseTemplate::new(status).set_delay(delay);
        for (name, value) in headers.iter().filter(|(name, _)| name != "content-type") {
            template = template.append_header(name.as_str(), value.as_str());
        }
        template.set_body_raw(body, &kind)
    }
}

impl Server {
    pub(crate) fn of(site: &Site) -> Self {
        let starting = async {
            let server = MockServer::builder().disable_request_recording().start().await;
            Mock::given(any()).respond_with(Answers(site.clone())).mount(&server).await;
            server
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        Self(runtime.expect("a runtime").block_on(starting))
    }

    pub(crate) fn url(&self) -> String {
        self.0.uri()
    }
}
