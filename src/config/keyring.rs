//! The application password in the keyring of the operating system: the Secret Service
//! of a Linux desktop, or the Keychain of macOS.
//!
//! Absent from here: storing it there, which the system's own tools do. The one rule:
//! nothing of it goes into an error.

use super::{ConfigError, PasswordSource};

/// The entry of this user at this site.
#[cfg(feature = "keyring")]
#[expect(clippy::unnecessary_wraps, reason = "a build without the keyring refuses")]
pub(super) fn source(site: &str, user: &str, _at: &str) -> Result<PasswordSource, ConfigError> {
    Ok(PasswordSource::Keyring { site: site.to_owned(), user: user.to_owned() })
}

/// Refused already when the configuration is read, so that nobody finds out in the night
/// that a build can't do it.
#[cfg(not(feature = "keyring"))]
pub(super) fn source(_site: &str, _user: &str, at: &str) -> Result<PasswordSource, ConfigError> {
    let message = "this oncepress was built without it; build one with `cargo install --path . \
                   --features keyring`, or give password_file or password_command";
    Err(super::value_error(at, message))
}

/// Asks the keyring, which may ask a person to unlock it.
#[cfg(feature = "keyring")]
pub(super) fn read(site: &str, user: &str) -> Result<String, ConfigError> {
    use keyring::Error as E;
    let entry = keyring::Entry::new(site, user);
    entry.and_then(|entry| entry.get_password()).map_err(|error| {
        let why = match error {
            E::NoEntry => "there is none".to_owned(),
            // Its data are the password's bytes.
            E::BadEncoding(_) => "it is not UTF-8".to_owned(),
            E::Ambiguous(_) => "there are several".to_owned(),
            other => other.to_string(),
        };
        ConfigError::Password(format!(
            "the keyring gives no password for service {site} and username {user}: {why}"
        ))
    })
}

#[cfg(all(test, feature = "keyring"))]
mod tests {
    use std::any::Any;

    use keyring::credential::{Credential, CredentialApi, CredentialBuilderApi};
    use secrecy::ExposeSecret as _;

    use super::*;

    /// A keyring with an entry for each user but one.
    struct Keyring;

    struct Entry(String);

    impl CredentialBuilderApi for Keyring {
        fn build(
            &self,
            _target: Option<&str>,
            service: &str,
            user: &str,
        ) -> keyring::Result<Box<Credential>> {
            Ok(Box::new(Entry(format!("{service} {user}"))))
        }

        fn as_any(&self) -> &dyn Any {
            self
        }
    }

    impl CredentialApi for Entry {
        fn set_secret(&self, _secret: &[u8]) -> keyring::Result<()> {
            unreachable!("nothing is stored")
        }

        fn get_secret(&self) -> keyring::Result<Vec<u8>> {
            match self.0.as_str() {
                "https://example.com/ writer" => Ok(b"abcd EFGH 1234 ijkl MNOP 6789".to_vec()),
                "https://example.com/ garbled" => Ok(vec![b'h', b'u', b's', b'h', 0xff]),
                "https://example.com/ twice" => Err(keyring::Error::Ambiguous(Vec::new())),
                "https://example.com/ locked" => {
                    Err(keyring::Error::NoStorageAccess("it is locked".into()))
                }
                _ => Err(keyring::Error::NoEntry),
            }
        }

        fn delete_credential(&self) -> keyring::Result<()> {
            unreachable!("nothing is deleted")
        }

        fn as_any(&self) -> &dyn Any {
            self
        }
    }

    #[test]
    fn the_keyring_is_asked_for_this_user_at_this_site() {
        keyring::set_default_credential_builder(Box::new(Keyring));
        let ask = |user| source("https://example.com/", user, "").unwrap().read();
        let password = ask("writer").unwrap();
        assert_eq!(password.secret.expose_secret(), "abcdEFGH1234ijklMNOP6789");
        for (user, why) in [
            ("nobody", "there is none"),
            ("garbled", "it is not UTF-8"),
            ("twice", "there are several"),
            ("locked", "Couldn't access platform secure storage: it is locked"),
        ] {
            let expected = format!(
                "the keyring gives no password for service https://example.com/ and username \
                 {user}: {why}"
            );
            assert_eq!(ask(user).unwrap_err().to_string(), expected);
        }
    }
}
