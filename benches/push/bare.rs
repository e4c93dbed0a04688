//! The bare client: what anybody would write in ten minutes. One pooled connection, one
//! request after the other, no check but the status.

use std::time::{Duration, Instant};

use base64::Engine as _;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use serde_json::json;

use crate::Failure;
use crate::drafts::Draft;
use crate::lab::Lab;

/// Names its requests in nginx's log.
pub(crate) const USER_AGENT: &str = "oncepress-bench";

/// What the site is asked to answer.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Answer {
    /// Everything, rendered: what WordPress answers unless told otherwise.
    Whole,
    /// What `push` compares.
    Short,
}

/// Sends all drafts and tells how long that took.
pub(crate) fn send_all(lab: &Lab, drafts: &[Draft], answer: Answer) -> Result<Duration, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let client = client(lab)?;
        let url = match answer {
            Answer::Whole => format!("{}/wp-json/wp/v2/posts", lab.url),
            Answer::Short => format!(
                "{}/wp-json/wp/v2/posts?_fields=id,slug,status,type,link,title.raw,content.raw,\
                 excerpt.raw,categories,tags,featured_media,date_gmt,author,template,format,\
                 comment_status,meta",
                lab.url
            ),
        };
        let started = Instant::now();
        for draft in drafts {
            let body = json!({
                "title": draft.title, "content": draft.html,
                "slug": draft.slug, "status": "draft",
            });
            let answer = client.post(&url).body(body.to_string()).send().await?;
            let status = answer.status();
            let body = answer.bytes().await?;
            if status != 201 {
                return Err(format!("{status}: {}", String::from_utf8_lossy(&body)).into());
            }
        }
        Ok(started.elapsed())
    })
}

fn client(lab: &Lab) -> Result<reqwest::Client, Failure> {
    // An error means that it is installed already.
    rustls::crypto::ring::default_provider().install_default().ok();
    let pair = format!("{}:{}", lab.user, lab.password);
    let encoded = base64::engine::general_purpose::STANDARD.encode(pair);
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, HeaderValue::try_from(format!("Basic {encoded}"))?);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(reqwest::Client::builder()
        .user_agent(USER_AGENT)
        .default_headers(headers)
        .no_proxy()
        .build()?)
}
