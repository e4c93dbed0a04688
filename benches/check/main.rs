//! `scripts/bench check`: how long does the check of a large folder take?
//!
//! 10,000 articles with 20,000 references to images, each image a file of its own, in a
//! folder in memory's reach (the page cache). Three lanes over the same bytes:
//!
//! - **floor, one core**: every file read and hashed (SHA-256 and MD5), and nothing else;
//! - **floor, all cores**: the same, shared out;
//! - **check**: `oncepress::article::check`.
//!
//! Absent from here: anything that a test asserts. The one rule: the lanes are worth
//! comparing only if they read the same files, so the check must have found every article
//! good and every image.

mod folder;

use std::error::Error;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use folder::{ARTICLES, IMAGES_PER_ARTICLE};
use md5::Digest as _;
use oncepress::article::{Limits, check};
use rayon::prelude::*;

/// Whatever went wrong, in words; a benchmark has nobody who could handle it.
type Failure = Box<dyn Error + Send + Sync>;

/// Rounds that count, unless `ONCEPRESS_BENCH_ROUNDS` says otherwise.
const ROUNDS: usize = 5;

fn main() -> ExitCode {
    // `cargo test --all-targets` starts benchmarks too, without this argument.
    if !std::env::args().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    match bench() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            drop(writeln!(std::io::stderr(), "bench: {error}"));
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark is its own command line")]
fn bench() -> Result<(), Failure> {
    let rounds = std::env::var("ONCEPRESS_BENCH_ROUNDS")
        .map_or(Ok(ROUNDS), |text| text.parse::<usize>())?
        .max(1);
    let folder = tempfile::TempDir::new()?;
    let files = folder::make(folder.path())?;
    let bytes: u64 =
        files.iter().map(|file| Ok(file.metadata()?.len())).sum::<Result<_, Failure>>()?;
    let mut lanes = [Vec::new(), Vec::new(), Vec::new()];
    // The first round fills the cache and does not count.
    for round in 0..=rounds {
        let times = [
            timed(|| files.iter().try_for_each(|file| hash(file)))?,
            timed(|| files.par_iter().try_for_each(|file| hash(file)))?,
            timed(|| check_all(folder.path()))?,
        ];
        for (lane, time) in lanes.iter_mut().zip(times) {
            lane.extend((round > 0).then_some(time));
        }
    }
    tell(&mut lanes, files.len(), bytes)
}

fn timed(work: impl FnOnce() -> Result<(), Failure>) -> Result<Duration, Failure> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

fn hash(file: &Path) -> Result<(), Failure> {
    let (mut sha256, mut md5) = (sha2::Sha256::new(), md5::Md5::new());
    let mut buffer = vec![0_u8; 64 * 1024];
    let mut file = std::fs::File::open(file)?;
    loop {
        let length = file.read(&mut buffer)?;
        if length == 0 {
            std::hint::black_box((sha256.finalize(), md5.finalize()));
            return Ok(());
        }
        sha256.update(&buffer[..length]);
        md5.update(&buffer[..length]);
    }
}

fn check_all(folder: &Path) -> Result<(), Failure> {
    let checked = check(&[], Path::new("articles"), folder, &Limits::default())?;
    let images: usize = checked.articles.iter().map(|article| article.images.len()).sum();
    if (checked.articles.len(), images) != (ARTICLES, ARTICLES * IMAGES_PER_ARTICLE) {
        let first = checked.invalid.iter().flat_map(|file| &file.problems).next();
        let first = first.map_or_else(String::new, ToString::to_string);
        return Err(format!("{} articles, {images} images; {first}", checked.articles.len()).into());
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
fn tell(lanes: &mut [Vec<Duration>; 3], files: usize, bytes: u64) -> Result<(), Failure> {
    let mut medians = [0.0; 3];
    for (median, lane) in medians.iter_mut().zip(lanes) {
        lane.sort_unstable();
        *median = lane.get(lane.len() / 2).copied().unwrap_or_default().as_secs_f64();
    }
    let [one, all, check] = medians;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{ARTICLES} articles, {files} files, {} MiB", bytes / 1024 / 1024)?;
    for (name, seconds) in [("floor, one core", one), ("floor, all cores", all), ("check", check)] {
        writeln!(out, "{name:<17} {seconds:>7.3} s {:>8.0} files/s", files as f64 / seconds)?;
    }
    writeln!(out, "check / floor on one core {:.2}, on all cores {:.2}", check / one, check / all)?;
    writeln!(out, "peak of memory: {}", peak()?)?;
    Ok(())
}

/// What the system says of this process.
fn peak() -> Result<String, Failure> {
    let status = std::fs::read_to_string(PathBuf::from("/proc/self/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    Ok(line.unwrap_or("unknown").trim().to_owned())
}
