//! Getting the application password, once, from where the configuration says.
//!
//! Absent from here: sending it. The one rule: nothing of it goes into an error.

use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use secrecy::{ExposeSecret as _, SecretString};

use super::{ConfigError, PasswordSource};

/// A password is shorter than this, however it is written.
const PASSWORD_BYTES_MAX: u64 = 1024;
/// Letters and digits of an application password, without its blanks.
const APPLICATION_PASSWORD_LEN: usize = 24;

/// A password, and what is odd about it.
#[derive(Debug)]
pub struct Password {
    /// The password, without blanks around it.
    pub secret: SecretString,
    /// A remark for the user, if it does not look like an application password.
    pub remark: Option<String>,
}

impl PasswordSource {
    /// Reads the password.
    pub fn read(&self) -> Result<Password, ConfigError> {
        let (text, from) = match self {
            Self::Environment(secret) => {
                (secret.expose_secret().to_owned(), "ONCEPRESS_APP_PASSWORD".to_owned())
            }
            Self::File(path) => (read_file(path)?, path.display().to_string()),
            Self::Command(argv) => (run(argv)?, format!("password_command `{}`", argv[0])),
            #[cfg(feature = "keyring")]
            Self::Keyring { site, user } => {
                (super::keyring::read(site, user)?, "the password in the keyring".to_owned())
            }
            Self::Sandbox(secret) => {
                (secret.expose_secret().to_owned(), "the simulated site".to_owned())
            }
            Self::Missing => {
                return Err(ConfigError::Password(
                    "no password: ONCEPRESS_APP_PASSWORD is not set, and [site] names neither \
                     password_file nor password_command nor keyring"
                        .to_owned(),
                ));
            }
        };
        let text = text.trim_start_matches('\u{feff}').trim();
        let letters: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        if letters.is_empty() {
            return Err(ConfigError::Password(format!("{from} is empty")));
        }
        if letters.chars().any(char::is_control) {
            return Err(ConfigError::Password(format!("{from} has control characters in it")));
        }
        let usual = letters.len() == APPLICATION_PASSWORD_LEN
            && letters.bytes().all(|b| b.is_ascii_alphanumeric());
        let remark = (!usual).then(|| {
            format!(
                "{from} does not look like an application password (24 letters and digits); \
                 a login password is refused over REST"
            )
        });
        // The blanks of `abcd EFGH …` are for reading; WordPress accepts either form.
        let secret = if usual { letters } else { text.to_owned() };
        Ok(Password { secret: SecretString::from(secret), remark })
    }
}

fn read_file(path: &Path) -> Result<String, ConfigError> {
    let failed = |error: std::io::Error| {
        ConfigError::Password(format!("can't read the password file {}: {error}", path.display()))
    };
    let file = std::fs::File::open(path).map_err(failed)?;
    let mode = file.metadata().map_err(failed)?.mode();
    if mode & 0o004 != 0 {
        return Err(ConfigError::Password(format!(
            "everybody on this machine can read the password file {} (mode {:04o}); run: chmod 600 {}",
            path.display(),
            mode & 0o7777,
            path.display()
        )));
    }
    let mut text = String::new();
    file.take(PASSWORD_BYTES_MAX).read_to_string(&mut text).map_err(failed)?;
    Ok(text)
}

fn run(argv: &[String]) -> Result<String, ConfigError> {
    let failed =
        |what: String| ConfigError::Password(format!("password_command `{}` {what}", argv[0]));
    let output = Command::new(&argv[0])
        .args(&argv[1..])
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| failed(format!("can't be run: {error}")))?;
    if !output.status.success() {
        return Err(failed(format!("failed ({})", output.status)));
    }
    // Password managers print the password first, then notes.
    let text = String::from_utf8(output.stdout)
        .map_err(|_| failed("printed something that is not UTF-8".to_owned()))?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}
