//! The search for a password in all that a run left.
//!
//! Absent from here: how a program is run. The one rule: the password is looked for in
//! every form in which it travels, and in every file that is left.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base64::Engine as _;

/// An account, with its password as WordPress shows it to people.
pub(crate) struct Account {
    pub(crate) user: &'static str,
    pub(crate) password: &'static str,
}

/// Neither what a program said nor any file in the folder holds the password.
pub(crate) fn no_secret_in(folder: &Path, account: &Account, stdout: &str, stderr: &str) {
    let Account { user, password } = account;
    let plain = password.replace(' ', "");
    let encoded = |password: &str| {
        base64::engine::general_purpose::STANDARD.encode(format!("{user}:{password}"))
    };
    let forms = [(*password).to_owned(), plain.clone(), encoded(password), encoded(&plain)];
    let mut places: BTreeMap<String, String> = BTreeMap::new();
    places.insert("standard output".to_owned(), stdout.to_owned());
    places.insert("standard error".to_owned(), stderr.to_owned());
    read_all(folder, &mut places);
    for (place, text) in &places {
        for form in &forms {
            assert!(!text.contains(form.as_str()), "the password is in {place}:\n{text}");
        }
    }
}

/// The files of a folder and of those in it, by their paths.
pub(crate) fn read_all(folder: &Path, into: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("the folder is read") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read_all(&path, into);
        } else if path.is_file() {
            let bytes = fs::read(&path).expect("the file is read");
            let text = String::from_utf8_lossy(&bytes).into_owned();
            into.insert(path.display().to_string(), text);
        }
    }
}
