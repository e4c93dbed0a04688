//! What a site must not be able to make us repeat: the password, in each form.
//!
//! Absent from here: using them. The one rule: text from the network is masked when it
//! is read, so that no message, record or log can hold a secret that a debug page of
//! the site showed back to us.

use memchr::memmem;
use secrecy::{ExposeSecret as _, SecretString};

use super::Credentials;

/// Shorter ones are words that stand in any page.
const SECRET_BYTES_MIN: usize = 8;

/// The forms in which a password travels or is typed.
#[derive(Default)]
pub(crate) struct Secrets(Vec<SecretString>);

impl Secrets {
    /// The password as configured and without its blanks, and the pair that is sent.
    pub(crate) fn of(credentials: &Credentials, encoded_pair: &str) -> Self {
        let password = credentials.password.expose_secret();
        let letters: String = password.chars().filter(|c| !c.is_whitespace()).collect();
        // WordPress shows application passwords in groups of four.
        let mut groups = String::new();
        for (index, letter) in letters.chars().enumerate() {
            if index > 0 && index % 4 == 0 {
                groups.push(' ');
            }
            groups.push(letter);
        }
        let forms = [password.to_owned(), letters, groups, encoded_pair.to_owned()];
        let long = forms.into_iter().filter(|form| form.len() >= SECRET_BYTES_MIN);
        Self(long.map(SecretString::from).collect())
    }

    /// Overwrites every occurrence with asterisks; the length stays.
    pub(crate) fn mask(&self, text: &mut [u8]) {
        for secret in &self.0 {
            let secret = secret.expose_secret().as_bytes();
            let found: Vec<usize> = memmem::find_iter(text, secret).collect();
            for start in found {
                text[start..start + secret.len()].fill(b'*');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_the_password_is_masked_and_nothing_else() {
        let credentials = Credentials {
            username: "me".to_owned(),
            password: SecretString::from("abcd EFGH 1234".to_owned()),
        };
        let secrets = Secrets::of(&credentials, "bWU6YWJjZCBFRkdIIDEyMzQ=");
        let mut text =
            b"a abcd EFGH 1234 b abcdEFGH1234 c bWU6YWJjZCBFRkdIIDEyMzQ= d abcd".to_vec();
        secrets.mask(&mut text);
        let expected = "a ************** b ************ c ************************ d abcd";
        assert_eq!(String::from_utf8_lossy(&text), expected);
    }

    #[test]
    fn a_word_is_no_secret() {
        let credentials = Credentials {
            username: "me".to_owned(),
            password: SecretString::from("post".to_owned()),
        };
        let mut text = b"a post".to_vec();
        Secrets::of(&credentials, "bWU6cG9zdA==").mask(&mut text);
        assert_eq!(text, b"a post");
    }
}
