//! The real WordPress sites of `scripts/lab`, and what is really in them.
//!
//! Absent from here: starting them. The one rule: the truth of a scene is read from
//! the database, never from the answers that the scene tampers with.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::http::{self, Answer, Head};
use super::proxy::Proxy;

/// One site of the lab.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    version: String,
    address: SocketAddr,
    base: String,
    permalinks: bool,
    users: Value,
    database: String,
    socket: String,
}

/// A post or page as the database has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PostRow {
    pub(crate) id: u64,
    pub(crate) slug: String,
    pub(crate) status: String,
    pub(crate) author: u64,
    pub(crate) title: String,
}

/// The form in which WordPress stores a slug that it does not change otherwise.
pub(crate) fn stored(slug: &str) -> String {
    let byte = |byte: u8| match byte {
        0..=127 => char::from(byte).to_string(),
        128.. => format!("%{byte:02x}"),
    };
    slug.bytes().map(byte).collect()
}

/// Where the lab keeps what it says of itself.
pub(crate) fn lab_folder() -> PathBuf {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/lab");
    std::env::var_os("ONCEPRESS_LAB").map_or(default, PathBuf::from)
}

impl Site {
    /// The lab's site of this version. A lab that is not up fails the test: a scene
    /// that was not played has not passed.
    pub(crate) fn of(version: &str) -> Self {
        let file = lab_folder().join("lab.json");
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| {
            panic!(
                "no WordPress to test against: {}: {error}\n\
                 run `scripts/lab up` first (or set ONCEPRESS_LAB to the folder of a running lab)",
                file.display()
            )
        });
        let lab: Value = serde_json::from_str(&text).expect("lab.json is JSON");
        let sites = lab["sites"].as_array().expect("lab.json names sites");
        let site = sites.iter().find(|site| site["version"] == version).unwrap_or_else(|| {
            panic!("the lab has no WordPress {version}: run `scripts/lab up {version}`")
        });
        let word = |value: &Value| value.as_str().expect("a text in lab.json").to_owned();
        let url = url::Url::parse(&word(&site["url"])).expect("a URL in lab.json");
        let port = url.port().expect("a port in lab.json");
        Self {
            version: version.to_owned(),
            address: ([127, 0, 0, 1], port).into(),
            base: url.path().trim_end_matches('/').to_owned(),
            permalinks: site["permalinks"] == true,
            users: site["users"].clone(),
            database: word(&site["database"]),
            socket: word(&lab["mysql_socket"]),
        }
    }

    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// A proxy of the caller's own before this site.
    pub(crate) fn proxy(&self) -> Proxy {
        Proxy::new(self.address, &self.base)
    }

    /// The application password of this user.
    pub(crate) fn password(&self, user: &str) -> String {
        self.users[user]["password"].as_str().expect("the user is in lab.json").to_owned()
    }

    pub(crate) fn user_id(&self, user: &str) -> u64 {
        self.users[user]["id"].as_u64().expect("the user is in lab.json")
    }

    /// Rows of this site's database, fields as text, NULL as `NULL`.
    pub(crate) fn sql(&self, query: &str) -> Vec<Vec<String>> {
        let output = Command::new("mariadb")
            .args(["--no-defaults", "--user=root", "--batch", "--skip-column-names"])
            .args(["--default-character-set=utf8mb4", "--socket", &self.socket])
            .args([&self.database, "--execute", query])
            .output()
            .expect("the mariadb client runs (scripts/lab up installs it)");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "SQL failed: {query}\n{errors}");
        String::from_utf8_lossy(&output.stdout)
            .lines()
            .map(|line| line.split('\t').map(str::to_owned).collect())
            .collect()
    }

    /// Posts, pages and rows of the lab's own types of any status whose slug begins with this.
    pub(crate) fn posts(&self, slug: &str) -> Vec<PostRow> {
        self.rows_with_slug(slug, "'post', 'page', 'lab_book', 'lab_chapter'")
    }

    /// Attachments whose slug begins with this.
    pub(crate) fn attachments(&self, slug: &str) -> Vec<PostRow> {
        self.rows_with_slug(slug, "'attachment'")
    }

    fn rows_with_slug(&self, slug: &str, types: &str) -> Vec<PostRow> {
        let quoted = stored(slug);
        self.sql(&format!(
            "SELECT ID, post_name, post_status, post_author, post_title FROM wp_posts \
             WHERE LEFT(post_name, CHAR_LENGTH('{quoted}')) = '{quoted}' \
             AND post_type IN ({types}) ORDER BY ID"
        ))
        .into_iter()
        .map(|row| PostRow {
            id: row[0].parse().expect("an id"),
            slug: row[1].clone(),
            status: row[2].clone(),
            author: row[3].parse().expect("a user id"),
            title: row[4].clone(),
        })
        .collect()
    }

    /// The stored content of one post, byte for byte.
    pub(crate) fn content(&self, id: u64) -> String {
        let rows = self.sql(&format!("SELECT HEX(post_content) FROM wp_posts WHERE ID = {id}"));
        let hex = &rows[0][0];
        let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex digits");
        let bytes = (0..hex.len()).step_by(2).map(byte).collect();
        String::from_utf8(bytes).expect("UTF-8 in the database")
    }

    /// One request as this user, straight to the site. `route` may have a query.
    pub(crate) fn rest(&self, user: &str, method: &str, route: &str, body: &Value) -> Answer {
        self.rest_through(self.address, user, method, route, body)
    }

    /// As [`Site::rest`], through a proxy.
    pub(crate) fn rest_through(
        &self,
        address: SocketAddr,
        user: &str,
        method: &str,
        route: &str,
        body: &Value,
    ) -> Answer {
        let bytes = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        let head = Head {
            start: format!("{method} {} HTTP/1.1", self.target(route)),
            headers: vec![
                ("Host".to_owned(), address.to_string()),
                ("Authorization".to_owned(), self.authorization(user)),
                ("Content-Type".to_owned(), "application/json".to_owned()),
            ],
        };
        http::ask(address, &head, &bytes).expect("the lab's site answers")
    }

    /// The value of the header that signs this user in.
    pub(crate) fn authorization(&self, user: &str) -> String {
        use base64::Engine as _;
        let pair = format!("{user}:{}", self.password(user));
        format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(pair))
    }

    /// Path and query of a REST route, in the way this site has them.
    pub(crate) fn target(&self, route: &str) -> String {
        let base = &self.base;
        if self.permalinks {
            return format!("{base}/wp-json{route}");
        }
        let (route, query) = route.split_once('?').unwrap_or((route, ""));
        format!("{base}/index.php?rest_route={route}&{query}")
    }

    /// Makes a post as this user and tells its id.
    pub(crate) fn make_post(&self, user: &str, fields: &Value) -> u64 {
        let answer = self.rest(user, "POST", "/wp/v2/posts", fields);
        assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
        answer.value()["id"].as_u64().expect("the id of a new post")
    }

    /// Uploads a file as this user, straight to the site and with nothing said of it.
    pub(crate) fn upload(&self, user: &str, name: &str, kind: &str, file: &[u8]) -> u64 {
        let disposition = format!("attachment; filename=\"{name}\"");
        let headers = [
            ("Host", self.address.to_string()),
            ("Authorization", self.authorization(user)),
            ("Content-Type", kind.to_owned()),
            ("Content-Disposition", disposition),
        ];
        let head = Head {
            start: format!("POST {} HTTP/1.1", self.target("/wp/v2/media")),
            headers: headers.map(|(name, value)| (name.to_owned(), value)).to_vec(),
        };
        let answer = http::ask(self.address, &head, file).expect("the lab's site answers");
        assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
        answer.value()["id"].as_u64().expect("the id of a new attachment")
    }

    /// Changes a post as this user.
    pub(crate) fn change_post(&self, user: &str, id: u64, fields: &Value) {
        let answer = self.rest(user, "POST", &format!("/wp/v2/posts/{id}"), fields);
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    }

    /// Puts a post into the trash as this user.
    pub(crate) fn trash_post(&self, user: &str, id: u64) {
        let answer = self.rest(user, "DELETE", &format!("/wp/v2/posts/{id}"), &Value::Null);
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    }

    /// Deletes a post or attachment for good, as an administrator.
    pub(crate) fn delete(&self, rest_base: &str, id: u64) {
        let route = format!("/wp/v2/{rest_base}/{id}?force=true");
        let answer = self.rest("admin", "DELETE", &route, &Value::Null);
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    }
}
