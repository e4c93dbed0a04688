//! Which journal belongs to which site.
//!
//! Absent from here: finding out over the network where a site's REST root is. The one
//! rule: records of one site never serve another, so two sites never share a key; and
//! one site keeps its key when its permalinks or its scheme change.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use url::Url;

use super::damage::{Damage, Damaged, Schema, parse_object, read_whole};
use super::layout::{JournalError, look_at, paths_in};
use crate::names::{Digest, SiteKey};

const SCHEMA: Schema = Schema { family: "oncepress.site/", current: "oncepress.site/1" };

/// A few lines and some URLs; whatever is larger is something else.
const SITE_BYTES_MAX: u64 = 1024 * 1024;

/// The longest key that a file name and [`SiteKey`] have room for.
const KEY_BYTES_MAX: usize = 200;

/// What a run has found out about where the site is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteInfo {
    /// The site.
    pub key: SiteKey,
    /// The REST root, as last found.
    pub rest_root: String,
    /// Every URL that the configuration has named it by.
    pub urls: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSite {
    schema: String,
    key: String,
    rest_root: String,
    urls: Vec<String>,
}

impl SiteInfo {
    pub(super) fn encode(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut bytes = serde_json::to_vec_pretty(&WrittenSite {
            schema: SCHEMA.current.to_owned(),
            key: self.key.as_str().to_owned(),
            rest_root: self.rest_root.clone(),
            urls: self.urls.clone(),
        })?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

pub(super) fn read(path: &Path, key: &SiteKey) -> Result<Option<SiteInfo>, Damaged> {
    let bytes = read_whole(path, SITE_BYTES_MAX).map_err(|damage| damage.at(path))?;
    bytes.map(|bytes| decode(&bytes, key)).transpose().map_err(|damage| damage.at(path))
}

fn decode(bytes: &[u8], key: &SiteKey) -> Result<SiteInfo, Damage> {
    let object = parse_object(bytes)?;
    SCHEMA.check(&object)?;
    let written: WrittenSite = serde_json::from_value(object.into()).map_err(Damage::Field)?;
    if written.key != key.as_str() {
        let says = format!("site {:?}", written.key);
        return Err(Damage::WrongPlace { says, place: format!("site {:?}", key.as_str()) });
    }
    Ok(SiteInfo { key: key.clone(), rest_root: written.rest_root, urls: written.urls })
}

/// A URL as it may be written down: without a password.
pub(super) fn without_secrets(url: &Url) -> String {
    let mut url = url.clone();
    // Both fail only for URLs that can have no password.
    let _no_host = url.set_password(None);
    let _no_host = url.set_username("");
    url.to_string()
}

/// The key of the site with this REST root, or with this address.
///
/// Host, port (unless the scheme's own) and path; the segments of the path are joined
/// by `+`, and what a key has no letter for is written as `_` and two hex digits. Not
/// part of it: the scheme, `wp-json`, `index.php` and the query, so that `?rest_route=`
/// and `wp-json/` are the same site.
#[must_use]
pub fn site_key(url: &Url) -> SiteKey {
    let mut host = url.host_str().unwrap_or_default().trim_end_matches('.').to_owned();
    if host.is_empty() {
        // No site's, but every URL has a key. No host holds a colon outside brackets.
        host = format!("{}:", url.scheme());
    }
    if let Some(port) = url.port() {
        host = format!("{host}:{port}");
    }
    let mut parts = vec![host];
    let path = url.path().split('/').filter(|segment| !segment.is_empty());
    parts.extend(path.map(str::to_owned));
    for ending in ["wp-json", "index.php"] {
        if parts.len() > 1 && parts.last().is_some_and(|last| last == ending) {
            parts.pop();
        }
    }
    let text = parts.iter().map(|part| escaped(part)).collect::<Vec<_>>().join("+");
    key_of(&text)
}

fn escaped(part: &str) -> String {
    let mut text = String::new();
    for byte in percent_decode_str(part) {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' => text.push(char::from(byte)),
            // A leading dot would make a hidden file.
            b'.' if !text.is_empty() => text.push('.'),
            // Writing to a string can't fail.
            other => drop(write!(text, "_{other:02x}")),
        }
    }
    text
}

/// Too long an address ends in its digest. `__` is in no escaped text, so such a key
/// can't be another site's.
fn key_of(text: &str) -> SiteKey {
    let shortened = || {
        let digest = Digest::of(text.as_bytes()).to_string();
        format!("{}__{digest}", &text[..KEY_BYTES_MAX - 2 - digest.len()])
    };
    let key = if text.len() > KEY_BYTES_MAX { shortened() } else { text.to_owned() };
    match SiteKey::parse(&key) {
        Ok(key) => key,
        Err(error) => unreachable!("escaping leaves only what a key may hold: {error}"),
    }
}

/// The journal of the site that the configuration names by this URL, without asking
/// the site: by the URL's own key, or by what earlier runs wrote down about it.
pub fn locate(journal_root: &Path, configured: &Url) -> Result<Option<PathBuf>, JournalError> {
    let wanted = site_key(configured);
    let mut found = Vec::new();
    let mut unreadable = None;
    for dir in paths_in(journal_root)? {
        let Some(key) = dir.file_name().and_then(|name| SiteKey::parse(name.to_str()?).ok()) else {
            continue;
        };
        if key == wanted {
            look_at(&dir)?;
            found.push(dir);
            continue;
        }
        if !dir.is_dir() {
            continue;
        }
        match read(&dir.join("site.json"), &key) {
            Ok(Some(info)) => {
                let named =
                    |text: &String| Url::parse(text).is_ok_and(|url| site_key(&url) == wanted);
                if info.urls.iter().any(named) {
                    found.push(dir);
                }
            }
            Ok(None) => {}
            Err(damaged) => unreadable = Some(damaged),
        }
    }
    match (found.len(), unreadable) {
        // It may be the one: "not found" would be a guess.
        (0, Some(damaged)) => Err(damaged.into()),
        (0 | 1, _) => Ok(found.pop()),
        (_, _) => Err(JournalError::Ambiguous { url: without_secrets(configured), dirs: found }),
    }
}
