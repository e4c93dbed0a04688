//! How the random tests run: how many cases, from which seed, and where they are counted.
//!
//! Absent from here: what they try. The one rule: unless the environment says otherwise,
//! a run tries the very cases of the run before it, so what fails for one fails for all.

use std::fmt::Debug;
use std::fs;
use std::path::Path;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseResult, TestError, TestRunner};

/// How many cases each test tries at least, in place of its own short number.
const CASES_VARIABLE: &str = "ONCEPRESS_FUZZ_CASES";
/// Another number, other cases.
const SEED_VARIABLE: &str = "ONCEPRESS_FUZZ_SEED";
const SEED: u64 = 1;

/// The settings of a test with this short number of cases.
pub(crate) fn config(cases_short: u32) -> Config {
    let asked = number(CASES_VARIABLE).unwrap_or_default();
    let cases = cases_short.max(u32::try_from(asked).expect("fewer cases than 2^32"));
    Config {
        cases,
        rng_seed: RngSeed::Fixed(number(SEED_VARIABLE).unwrap_or(SEED)),
        failure_persistence: None,
        // A strategy that throws most of its cases away tries less than it says.
        max_global_rejects: cases,
        ..Config::default()
    }
}

/// Tries cases of this strategy, and leaves their number in `target/battery`.
pub(crate) fn fuzz<S: Strategy>(
    name: &str,
    cases_short: u32,
    strategy: &S,
    holds: impl Fn(S::Value) -> TestCaseResult,
) where
    S::Value: Debug,
{
    let config = config(cases_short);
    let (cases, seed) = (config.cases, number(SEED_VARIABLE).unwrap_or(SEED));
    if let Err(failed) = TestRunner::new(config).run(strategy, holds) {
        let replay = format!("{SEED_VARIABLE}={seed} {CASES_VARIABLE}={cases}");
        match failed {
            TestError::Fail(why, case) => panic!("{why}\nfor {case:#?}\nagain with {replay}"),
            TestError::Abort(why) => panic!("{name} gave up: {why}\nagain with {replay}"),
        }
    }
    count(name, cases);
}

#[expect(clippy::disallowed_methods, reason = "a long run is asked for by the environment")]
fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is a number, not {text:?}")))
}

/// Leaves the count for docs/guarantees.md.
#[expect(clippy::disallowed_methods, reason = "a count, and no file of the journal")]
fn count(name: &str, cases: u32) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/battery");
    fs::create_dir_all(&folder).expect("the folder is made");
    let line = format!("fuzz {name}: {cases} cases\n");
    fs::write(folder.join(format!("fuzz-{}.txt", name.replace(' ', "-"))), line)
        .expect("it is written");
}
