//! Every key, its override and its limits.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use secrecy::ExposeSecret as _;
use tempfile::TempDir;

use super::{Config, ConfigError, Environment, MissingTags, PasswordSource, load};

fn project(toml: &str) -> TempDir {
    let dir = tempfile::tempdir().expect("a temp dir");
    let mut file = std::fs::File::create(dir.path().join("oncepress.toml")).expect("a file");
    std::io::Write::write_all(&mut file, toml.as_bytes()).expect("written");
    dir
}

fn env(pairs: &[(&str, &str)]) -> Environment {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn error_of(toml: &str, pairs: &[(&str, &str)]) -> String {
    let dir = project(toml);
    let place = dir.path().display().to_string();
    match load(None, dir.path(), &env(pairs)) {
        Ok(config) => panic!("accepted: {config:?}"),
        Err(error @ ConfigError::Address { .. }) => {
            let text = format!("{}: {}", crate::run::with_causes(&error), error.hint());
            text.replace(&place, "DIR")
        }
        Err(error) => error.to_string().replace(&place, "DIR"),
    }
}

#[test]
fn what_is_wrong_with_an_address_has_a_code_of_its_own() {
    for (url, code) in [
        ("http://example.com", "site_url_not_https"),
        ("example.com", "site_url_invalid"),
        ("https://someone.wordpress.com", "site_not_supported"),
    ] {
        let dir = project(&site(&format!("url = \"{url}\"")));
        let error = load(None, dir.path(), &env(&[])).expect_err("it can't be used");
        assert_eq!(error.code(), code, "{url}");
    }
}

fn site(line: &str) -> String {
    format!("[site]\nusername = \"writer\"\n{line}\n")
}

#[test]
fn the_documented_example_is_a_configuration() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("config.example.toml");
    let config = load(Some(&example), Path::new("/"), &env(&[])).expect("the example is valid");
    let site = config.site.expect("names a site");
    assert_eq!(site.url.as_str(), "https://example.com/");
    assert_eq!(config.missing_tags, MissingTags::Create);
    assert_eq!(config.network.settle.as_secs(), 120);
}

#[test]
fn the_nearest_file_upward_is_read_and_paths_are_relative_to_it() {
    let dir = project("[articles]\ndir = \"texts\"\n[journal]\ndir = \"memory\"\n");
    let deep = dir.path().join("a/b");
    std::fs::create_dir_all(&deep).expect("created");
    let config = load(None, &deep, &env(&[])).expect("valid");
    assert_eq!(config.base, dir.path());
    assert_eq!(config.articles_dir, dir.path().join("texts"));
    assert_eq!(config.journal_dir, dir.path().join("memory"));
}

#[test]
fn the_environment_overrides_every_key_it_names() {
    let dir = project(&site("url = \"https://one.example\""));
    let pairs = [
        ("ONCEPRESS_SITE_URL", "https://two.example/blog/"),
        ("ONCEPRESS_SITE_USERNAME", "editor"),
        ("ONCEPRESS_SITE_EXPECT_NAME", "Two"),
        ("ONCEPRESS_ARTICLES_DIR", "elsewhere"),
        ("ONCEPRESS_ARTICLES_FORMAT", "blocks"),
        ("ONCEPRESS_TERMS_CREATE", "none"),
        ("ONCEPRESS_MEDIA_IMAGE_BYTES_MAX", "1234"),
        ("ONCEPRESS_MEDIA_FILE_BYTES_MAX", "5678"),
        ("ONCEPRESS_MEDIA_ALLOW", "[\"pdf\", \"mp4\"]"),
        ("ONCEPRESS_NETWORK_CONNECT_TIMEOUT_S", "3"),
        ("ONCEPRESS_NETWORK_TIMEOUT_S", "4"),
        ("ONCEPRESS_NETWORK_SETTLE_S", "0"),
        ("ONCEPRESS_NETWORK_LOOKUP_DELAYS_S", "[0, 1]"),
        ("ONCEPRESS_JOURNAL_DIR", "/tmp/j"),
        ("ONCEPRESS_APP_PASSWORD", "abcd EFGH 1234 ijkl MNOP 6789"),
    ];
    let config: Config = load(None, dir.path(), &env(&pairs)).expect("valid");
    let site = config.site.expect("a site");
    assert_eq!(site.url.as_str(), "https://two.example/blog/");
    assert_eq!((site.username.as_str(), site.expect_name.as_deref()), ("editor", Some("Two")));
    assert_eq!(config.articles_dir, dir.path().join("elsewhere"));
    assert_eq!(config.body_format, crate::article::BodyFormat::Blocks);
    assert_eq!(config.missing_tags, MissingTags::Reject);
    assert_eq!((config.image_bytes_max, config.file_bytes_max), (1234, 5678));
    let allowed = [crate::article::MediaKind::Pdf, crate::article::MediaKind::Mp4];
    assert_eq!(config.allowed_kinds, allowed.into());
    assert_eq!(config.network.connect_timeout.as_secs(), 3);
    assert_eq!(config.network.timeout.as_secs(), 4);
    assert_eq!(config.network.settle.as_secs(), 0);
    assert_eq!(config.network.lookup_delays.len(), 2);
    assert_eq!(config.journal_dir, Path::new("/tmp/j"));
    let password = site.password.read().expect("readable");
    assert_eq!(password.secret.expose_secret(), "abcdEFGH1234ijklMNOP6789");
    assert_eq!(password.remark, None);
}

#[test]
fn unusable_values_are_refused_in_words() {
    let rows: &[(&str, &str)] = &[
        (
            "url = \"http://example.com\"",
            "DIR/oncepress.toml: [site] url: the site's url is not https: \"http://example.com\": use https; only a site on this machine (localhost) may use http, because the password would travel in the clear",
        ),
        (
            "url = \"ftp://example.com\"",
            "DIR/oncepress.toml: [site] url: the site's url is not a url: \"ftp://example.com\": set url to the site's address, such as https://example.com",
        ),
        (
            "url = \"https://me:pw@example.com\"",
            "DIR/oncepress.toml: [site] url: the site's url has more than a host and a path: \"…@example.com\": give only the address, such as https://example.com/blog; user and password have their own settings",
        ),
        (
            "url = \"https://example.com/?p=1\"",
            "DIR/oncepress.toml: [site] url: the site's url has more than a host and a path: \"https://example.com/?p=1\": give only the address, such as https://example.com/blog; user and password have their own settings",
        ),
        (
            "url = \"https://example.com\"\n[network]\ntimeout_s = 0",
            "DIR/oncepress.toml: [network] timeout_s: 0 s is not between 1 and 3600 s",
        ),
        (
            "url = \"https://example.com\"\n[network]\nlookup_delays_s = []",
            "DIR/oncepress.toml: [network] lookup_delays_s: has 1 to 20 waits, in seconds",
        ),
        (
            "url = \"https://example.com\"\npassword_command = []",
            "DIR/oncepress.toml: [site] password_command: names no program",
        ),
        (
            "url = \"https://example.com\"\npassword_command = [\"x\"]\npassword_file = \"y\"",
            "DIR/oncepress.toml: [site] password_file: can't stand beside password_command: give one of them",
        ),
        (
            "url = \"https://example.com\"\nkeyring = true\npassword_command = [\"x\"]",
            "DIR/oncepress.toml: [site] password_command: can't stand beside keyring: give one of them",
        ),
    ];
    for (line, expected) in rows {
        assert_eq!(error_of(&site(line), &[]), *expected, "{line}");
    }
    let no_user = "[site]\nurl = \"https://example.com\"\n";
    assert_eq!(
        error_of(no_user, &[]),
        "DIR/oncepress.toml: [site] username: is missing: the WordPress login or e-mail"
    );
    assert_eq!(
        error_of("[network]\ntimeout = 3\n", &[]),
        "DIR/oncepress.toml: TOML parse error at line 2, column 1\n  |\n2 | timeout = 3\n  | ^^^^^^^\n\
         unknown field `timeout`, expected one of `connect_timeout_s`, `timeout_s`, `settle_s`, `lookup_delays_s`"
    );
}

#[test]
fn http_is_for_this_machine_alone() {
    for url in ["http://localhost:8080", "http://127.0.0.1/x", "http://[::1]:1"] {
        let dir = project(&site(&format!("url = \"{url}\"")));
        assert!(load(None, dir.path(), &env(&[])).is_ok(), "{url}");
    }
}

#[test]
fn the_simulated_site_needs_no_user_and_no_password() {
    let read = |more: &str| {
        let dir = project(&format!("[site]\nurl = \"sandbox:\"\n{more}"));
        let real = [("ONCEPRESS_APP_PASSWORD", "abcdEFGH1234ijklMNOP6789")];
        let site = load(None, dir.path(), &env(&real)).expect("valid").site.expect("a site");
        assert!(site.url.is_sandbox());
        assert_eq!(site.url.as_str(), "http://sandbox.invalid/");
        let password = site.password.read().expect("readable");
        assert_eq!(password.remark, None);
        (site.username, password.secret.expose_secret().to_owned())
    };
    let pair = |user: &str, password: &str| (user.to_owned(), password.to_owned());
    assert_eq!(read(""), pair("admin", "sandboxAdministrator0001"));
    assert_eq!(read("username = \"author\"\n"), pair("author", "sandboxAuthor00000000001"));
    let given = "password_command = [\"echo\", \"abcdEFGH1234ijklMNOP6780\"]\n";
    assert_eq!(read(given), pair("admin", "abcdEFGH1234ijklMNOP6780"));
    assert_eq!(
        error_of("[site]\nurl = \"sandbox:\"\nusername = \"eve\"\n", &[]),
        "DIR/oncepress.toml: [site] username: the simulated site has the users admin, editor, \
         author, author2, contributor"
    );
}

#[test]
fn only_its_own_name_is_the_simulated_site() {
    for url in ["sandbox:/", "sandbox://x", "sandbox", "http://sandbox.invalid/", "Sandbox:"] {
        let dir = project(&site(&format!("url = \"{url}\"")));
        assert!(load(None, dir.path(), &env(&[])).is_err(), "{url}");
    }
    let dir = project(&site("url = \"https://sandbox.invalid/\""));
    let read = load(None, dir.path(), &env(&[])).expect("an address like any other");
    assert!(!read.site.expect("a site").url.is_sandbox());
}

#[test]
fn a_password_file_that_everybody_can_read_is_refused_without_quoting_it() {
    let dir = project(&site("url = \"https://example.com\"\npassword_file = \"secret\""));
    let path = dir.path().join("secret");
    let mut file = std::fs::File::create(&path).expect("created");
    std::io::Write::write_all(&mut file, "\u{feff}hush hush \n".as_bytes()).expect("written");
    let mode = |mode| std::fs::set_permissions(&path, PermissionsExt::from_mode(mode));
    mode(0o644).expect("set");
    let source = load(None, dir.path(), &env(&[])).expect("valid").site.expect("a site").password;
    let Err(ConfigError::Password(message)) = source.read() else { panic!("accepted") };
    let expected = format!(
        "everybody on this machine can read the password file {0} (mode 0644); run: chmod 600 {0}",
        path.display()
    );
    assert_eq!(message, expected);
    mode(0o600).expect("set");
    let password = source.read().expect("readable");
    assert_eq!(password.secret.expose_secret(), "hush hush");
    assert!(password.remark.is_some(), "it does not look like an application password");
}

#[test]
fn no_failure_of_a_password_tells_what_it_read() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("secret");
    let mut file = std::fs::File::create(&path).expect("created");
    std::io::Write::write_all(&mut file, b"hush\xff").expect("written");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).expect("set");
    let command = |words: &[&str]| {
        PasswordSource::Command(words.iter().map(|word| (*word).to_owned()).collect())
    };
    let shown = path.display();
    let missing = dir.path().join("missing");
    for (source, expected) in [
        (
            PasswordSource::File(path.clone()),
            format!("can't read the password file {shown}: stream did not contain valid UTF-8"),
        ),
        (
            PasswordSource::File(missing.clone()),
            format!(
                "can't read the password file {}: No such file or directory (os error 2)",
                missing.display()
            ),
        ),
        (
            command(&["sh", "-c", "echo hush; exit 3"]),
            "password_command `sh` failed (exit status: 3)".to_owned(),
        ),
        (
            command(&["printf", "hush\\377"]),
            "password_command `printf` printed something that is not UTF-8".to_owned(),
        ),
        (
            command(&["printf", "hush\\001hush"]),
            "password_command `printf` has control characters in it".to_owned(),
        ),
        (
            command(&["no-such-program", "hush"]),
            "password_command `no-such-program` can't be run: No such file or directory (os \
             error 2)"
                .to_owned(),
        ),
    ] {
        let error = source.read().expect_err("it can't be read");
        assert_eq!(error.to_string(), expected);
        assert!(!format!("{error:?} {}", error.hint()).contains("hush"), "{error:?}");
    }
}

#[cfg(not(feature = "keyring"))]
#[test]
fn a_build_without_the_keyring_says_so() {
    assert_eq!(
        error_of(&site("url = \"https://example.com\"\nkeyring = true"), &[]),
        "DIR/oncepress.toml: [site] keyring: this oncepress was built without it; build one with \
         `cargo install --path . --features keyring`, or give password_file or password_command"
    );
}

#[test]
fn a_password_command_is_run_without_a_shell() {
    let source = PasswordSource::Command(vec!["printf".into(), "%s".into(), "$HOME\nnote".into()]);
    assert_eq!(source.read().expect("ran").secret.expose_secret(), "$HOME");
    let fails = PasswordSource::Command(vec!["false".into()]);
    let error = fails.read().expect_err("failed").to_string();
    assert_eq!(error, "password_command `false` failed (exit status: 1)");
    for empty in ["", " \n", "\u{feff}"] {
        let source = PasswordSource::Environment(empty.to_owned().into());
        let error = source.read().expect_err("empty").to_string();
        assert_eq!(error, "ONCEPRESS_APP_PASSWORD is empty");
    }
}
