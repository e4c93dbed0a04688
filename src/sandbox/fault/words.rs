//! Words of the text form of faults, and what was probably meant by a wrong one.
//!
//! Absent from here: what the words stand for. The one rule: a word that is not known
//! is refused with those that are, because a misspelt fault would be a test that passes.

/// A word that stands for nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no {what} is called {text:?}{}; known: {}", meant(near.as_ref()), known.join(", "))]
pub struct UnknownWord {
    what: &'static str,
    text: String,
    near: Option<&'static str>,
    known: Vec<&'static str>,
}

fn meant(near: Option<&&'static str>) -> String {
    near.map(|near| format!(" (is {near} meant?)")).unwrap_or_default()
}

/// What a word stands for.
pub(super) fn word<T: Copy>(
    what: &'static str,
    text: &str,
    known: &[(&'static str, T)],
) -> Result<T, UnknownWord> {
    /// Letters that a misspelt word has wrong.
    const ERRORS_MAX: usize = 2;
    if let Some((_, value)) = known.iter().find(|(name, _)| *name == text) {
        return Ok(*value);
    }
    let distance = |name: &str| strsim::damerau_levenshtein(name, text);
    let nearest = known.iter().map(|(name, _)| *name).min_by_key(|name| distance(name));
    Err(UnknownWord {
        what,
        text: text.chars().take(40).collect(),
        near: nearest.filter(|name| distance(name) <= ERRORS_MAX),
        known: known.iter().map(|(name, _)| *name).collect(),
    })
}
