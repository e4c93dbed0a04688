//! The command line as types. What it means is worked out by the commands.
//!
//! Absent from here: the environment, files, and any work. The one rule: no secret is
//! ever an argument, because arguments are shown to everybody on the machine.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};

use crate::sandbox::Fault;

const EXIT_CODES: &str = "\
Exit codes:
  0    all settled
  1    internal error
  2    usage or configuration
  3    an article is unacceptable as it is; nothing was created for it
  4    an article is unknown or held: a person must look; do not send it by other means
  5    temporary, nothing in doubt: run the same command again
  6    credentials or permission
  7    local state: journal damaged, disk full, abandoned run
  10   plan --detailed-exitcode: nothing is wrong, and something is to be done
  130  ended by SIGINT    143  ended by SIGTERM";

const EXAMPLES: &str = "\
Examples:
  oncepress init blog && cd blog     a configuration and a first article
  oncepress check                    what is wrong with the articles, offline
  oncepress push                     a draft for each, made once; safe to run again
  oncepress status --json            what is in doubt, and what to do about it
  oncepress rehearse                 lost answers and crashes, played without a site";

/// Registers a folder of articles as WordPress drafts, and never makes a second draft
/// of the same article.
#[derive(Debug, Parser)]
#[command(name = "oncepress", version, before_help = EXAMPLES, after_help = EXIT_CODES)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Global {
    /// The configuration file [default: oncepress.toml, here or above]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Print the result as one JSON object on standard output
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// With --json: these keys alone, such as counts,articles.slug,articles.outcome
    #[arg(long, global = true, value_name = "KEYS", value_delimiter = ',')]
    pub(crate) fields: Vec<String>,
    /// Write what happens into this file, one JSON object a line
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,
    /// Say nothing on standard error but errors
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Tell every request on standard error
    #[arg(long, short, global = true)]
    pub(crate) verbose: bool,
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a configuration and a first article; overwrites nothing
    Init(Init),
    /// Check article files offline: every problem of every file at once
    Check(Paths),
    /// Find out what keeps a site from being published to, and how to mend it
    Doctor(Doctor),
    /// Look at the site and say what `push` would do; writes nothing anywhere
    Plan(Plan),
    /// Register articles as drafts, each at most once
    #[command(alias = "publish")]
    Push(Push),
    /// Tell what the journal remembers, offline; what needs a person comes first
    Status(Slugs),
    /// Record a person's decision about one article
    Resolve(Resolve),
    /// Remove the marker of a run that died; records stay as they are
    Unlock(Unlock),
    /// Say what a code means: what may exist on the site, and what to do
    Explain(Explain),
    /// Print the JSON Schema of what is written for machines, or list what has one
    Schema(Schema),
    /// Print what completes commands and options in a shell
    Completions(Completions),
    /// Print the manual page, or write those of all commands
    Man(Man),
    /// Play lost answers and crashes for real, on a site that it brings along
    Rehearse(Rehearse),
    /// Serve a simulated WordPress on this machine, to try publishers on it
    Sandbox(Sandbox),
}

impl Command {
    /// The word that a person types.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Init(_) => "init",
            Self::Check(_) => "check",
            Self::Doctor(_) => "doctor",
            Self::Plan(_) => "plan",
            Self::Push(_) => "push",
            Self::Status(_) => "status",
            Self::Resolve(_) => "resolve",
            Self::Unlock(_) => "unlock",
            Self::Explain(_) => "explain",
            Self::Schema(_) => "schema",
            Self::Completions(_) => "completions",
            Self::Man(_) => "man",
            Self::Rehearse(_) => "rehearse",
            Self::Sandbox(_) => "sandbox",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The folder, which is made if need be [default: this one]
    #[arg(value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Plan {
    #[command(flatten)]
    pub(crate) paths: Paths,
    /// Write the plan into this file, for `push --plan`
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Exit with 10 instead of 0 if something is to be done
    #[arg(long)]
    pub(crate) detailed_exitcode: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Paths {
    /// Article files or folders [default: the articles folder of the configuration]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

const DOCTOR_HELP: &str = "\
Only asks: nothing is changed anywhere, and the account is tried once.

Exit codes:
  0  nothing keeps articles from being sent; warnings may say what to know
  2  the configuration, the address, or the site's own settings
  5  temporary, such as maintenance: run it again
  6  credentials or permission";

#[derive(Debug, Args)]
#[command(after_help = DOCTOR_HELP)]
pub(crate) struct Doctor {
    /// The site's address; one that is not configured is asked without the password
    /// [default: the configured one]
    #[arg(value_name = "URL")]
    pub(crate) url: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Push {
    #[command(flatten)]
    pub(crate) paths: Paths,
    /// Send only what this plan has, as it was planned (see `plan --out`)
    #[arg(long, value_name = "FILE", conflicts_with = "paths")]
    pub(crate) plan: Option<PathBuf>,
    /// How long to wait for another run to end, such as 30s or 2m
    #[arg(long, value_name = "DURATION", default_value = "0s", value_parser = duration)]
    pub(crate) lock_wait: Duration,
}

#[derive(Debug, Args)]
pub(crate) struct Slugs {
    /// Slugs of articles (of pages: page:SLUG) [default: all]
    #[arg(value_name = "SLUG")]
    pub(crate) slugs: Vec<String>,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("decision").required(true))]
pub(crate) struct Resolve {
    /// The article's slug (of a page: page:SLUG)
    pub(crate) slug: String,
    /// This post (or, with --media, this attachment) is ours
    #[arg(long, value_name = "ID", group = "decision")]
    pub(crate) adopt: Option<u64>,
    /// Nothing was created by the send whose answer was lost
    #[arg(long, group = "decision")]
    pub(crate) not_created: bool,
    /// Begin anew with the article as it is, or bring a withdrawn one back
    #[arg(long, group = "decision")]
    pub(crate) restart: bool,
    /// Never send this article
    #[arg(long, group = "decision", conflicts_with = "media")]
    pub(crate) withdraw: bool,
    /// Why, for the record
    #[arg(long, value_name = "TEXT")]
    pub(crate) because: String,
    /// Decide about this image of the article instead of its post
    #[arg(long, value_name = "PATH")]
    pub(crate) media: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Unlock {
    /// The run that died, as `push` named it
    #[arg(value_name = "RUN_ID")]
    pub(crate) run_id: String,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// Codes of a result [default: all, as a list]
    #[arg(value_name = "CODE")]
    pub(crate) codes: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Schema {
    /// What to print the schema of [default: a list of what there is]
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell; for bash, put `source <(oncepress completions bash)` into ~/.bashrc
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// Write a page for the program and one for each command into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

const REHEARSE_HELP: &str = "\
Needs no site, network or account, and leaves nothing behind.

Exit codes:
  0  every scene ended as promised
  1  one did not: please report it
  2, 7  it could not be played; see `oncepress --help`";

#[derive(Debug, Args)]
#[command(after_help = REHEARSE_HELP)]
pub(crate) struct Rehearse {
    /// Scenes, such as S3 C2 [default: all]
    #[arg(value_name = "SCENE")]
    pub(crate) scenes: Vec<String>,
    /// Keep the folder in which the scenes were played, and say where it is
    #[arg(long)]
    pub(crate) keep: bool,
    /// For the children of a rehearsal: the command after `--` waits at this point to be
    /// killed
    #[arg(long, value_name = "POINT", hide = true, conflicts_with = "keep")]
    pub(crate) stop_at: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Sandbox {
    /// The port on 127.0.0.1; 0 takes any that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub(crate) port: u16,
    /// The version of WordPress that is simulated
    #[arg(long, value_enum, default_value_t = WordPress::V7_1)]
    pub(crate) wordpress: WordPress,
    /// What goes wrong: KIND[:N|:N+]=ACCIDENT, such as create-post:2=lose-answer; may be
    /// given several times
    #[arg(long, value_name = "FAULT")]
    pub(crate) fault: Vec<Fault>,
    /// List the kinds of requests and the accidents that --fault knows, and end
    #[arg(long)]
    pub(crate) list_faults: bool,
    /// Keep the site in this file: loaded at the start, saved after every change
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WordPress {
    #[value(name = "6.1")]
    V6_1,
    #[value(name = "6.8")]
    V6_8,
    #[value(name = "7.1")]
    V7_1,
}

/// A span such as `30s`; zero or more, and a day at most.
fn duration(text: &str) -> Result<Duration, String> {
    let span: jiff::SignedDuration =
        text.parse().map_err(|_| "write a number and a unit, such as 30s or 2m".to_owned())?;
    let span = Duration::try_from(span).map_err(|_| "must not be negative".to_owned())?;
    if span > Duration::from_secs(86_400) {
        return Err("a day at most".to_owned());
    }
    Ok(span)
}
