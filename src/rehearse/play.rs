//! Plays a scene step by step, and keeps what was seen.
//!
//! Absent from here: judging it. The one rule: a step that goes otherwise than it should
//! does not end the scene, because what comes after it is what people must know.

use std::io;
use std::path::Path;

use serde_json::Value;

use super::child::{Ran, Running, Troupe};
use super::scene::{Scene, Step};
use super::site::{Site, Truth};
use super::stage::{Playhouse, Stage};
use crate::run::Clock;

/// A scene that was played, with everything that its verdict comes from.
#[derive(Debug)]
pub struct Played {
    pub(super) scene: &'static Scene,
    /// The child processes, in the order in which they started.
    pub(super) runs: Vec<Ran>,
    /// What the site had when each of them had ended, in the order in which they ended.
    pub(super) truths: Vec<Truth>,
    /// Why the scene could not be played to its end.
    pub(super) cut: Option<String>,
}

/// Plays a scene with this program, in a folder of its own and with a site of its own.
/// `token` is a word that nobody else knows: the site has it in its address, and a child
/// stops at a point for no other site.
pub async fn play(
    scene: &'static Scene,
    program: &Path,
    playhouse: &Playhouse,
    token: &str,
    clock: Clock,
) -> io::Result<Played> {
    let site = Site::open(&site_path(token), clock).await?;
    let stage = Stage::set(playhouse, scene.name, scene.article, &site.address())?;
    let troupe = Troupe {
        program,
        folder: stage.path().to_owned(),
        home: stage.home(),
        password: site.address().password,
        rehearsal: token,
    };
    let mut playing = Playing {
        site: &site,
        stage: &stage,
        troupe: &troupe,
        begun: None,
        runs: Vec::new(),
        truths: Vec::new(),
    };
    let mut cut = None;
    for step in scene.steps {
        if let Err(error) = playing.step(*step).await {
            cut = Some(error.to_string());
            break;
        }
    }
    let Playing { runs, truths, .. } = playing;
    Ok(Played { scene, runs: runs.into_iter().flatten().collect(), truths, cut })
}

/// The path of the site of the rehearsal with this token.
#[must_use]
pub fn site_path(token: &str) -> String {
    format!("/rehearsal-{token}")
}

/// A scene that is being played.
struct Playing<'a> {
    site: &'a Site,
    stage: &'a Stage,
    troupe: &'a Troupe<'a>,
    /// The run that was begun, and its place among the runs.
    begun: Option<(usize, Running)>,
    runs: Vec<Option<Ran>>,
    truths: Vec<Truth>,
}

impl Playing<'_> {
    async fn step(&mut self, step: Step) -> io::Result<()> {
        match step {
            Step::Push(_) => {
                let ran = self.troupe.run(&["push", "--json"]).await?;
                self.ended(ran)?;
            }
            Step::KilledAt(point) => {
                let ran = match self.troupe.stopped_at(point).await? {
                    Ok(running) => running.kill(point).await?,
                    Err(ran) => ran,
                };
                self.ended(ran)?;
            }
            Step::Unlock => self.unlock().await?,
            Step::Begin(point, _) => self.begin(point).await?,
            Step::End => self.end().await?,
            Step::Site(weather) => self.site.set(weather)?,
            Step::Edit => self.stage.edit()?,
            Step::DeleteRecords => self.stage.delete_records()?,
        }
        Ok(())
    }

    fn ended(&mut self, ran: Ran) -> io::Result<()> {
        self.runs.push(Some(ran));
        self.truths.push(self.site.truth()?);
        Ok(())
    }

    /// A push, and the very command that it names.
    async fn unlock(&mut self) -> io::Result<()> {
        let stopped = self.troupe.run(&["push", "--json"]).await?;
        let named =
            stopped.json["next"][0].as_str().and_then(|next| next.strip_prefix("oncepress "));
        let command = named.map(ToOwned::to_owned);
        self.ended(stopped)?;
        let command = command.ok_or_else(|| io::Error::other("the push named no next command"))?;
        let arguments: Vec<&str> = command.split(' ').chain(["--json"]).collect();
        let ran = self.troupe.run(&arguments).await?;
        self.ended(ran)?;
        Ok(())
    }

    /// Starts a push, and waits until it is at this point.
    async fn begin(&mut self, point: &str) -> io::Result<()> {
        match self.troupe.stopped_at(point).await? {
            Ok(running) => {
                self.begun = Some((self.runs.len(), running));
                self.runs.push(None);
                Ok(())
            }
            Err(ran) => {
                self.ended(ran)?;
                Err(io::Error::other(format!("the first push did not come to {point}")))
            }
        }
    }

    /// Lets the push that was begun go on, and waits for its end.
    async fn end(&mut self) -> io::Result<()> {
        if let Some((place, mut running)) = self.begun.take() {
            running.go_on().await?;
            self.runs[place] = Some(running.finish().await?);
            self.truths.push(self.site.truth()?);
        }
        Ok(())
    }
}

impl Ran {
    /// What this run said of the article, or of the whole run.
    pub(super) fn said(&self) -> Said<'_> {
        let article = &self.json["articles"][0];
        Said {
            outcome: article["outcome"].as_str(),
            reason: article["reason"].as_str(),
            post_id: article["post_id"].as_u64(),
            warnings: texts(&article["warnings"], |warning| &warning["code"]),
            next: texts(&article["next"], |command| command),
            errors: texts(&self.json["errors"], |error| &error["code"]),
        }
    }
}

fn texts(list: &Value, of: fn(&Value) -> &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(|item| of(item).as_str()).collect()
}

/// What a run said.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Said<'a> {
    pub(super) outcome: Option<&'a str>,
    pub(super) reason: Option<&'a str>,
    pub(super) post_id: Option<u64>,
    /// The codes of the article's warnings.
    pub(super) warnings: Vec<&'a str>,
    /// The commands that can settle the article.
    pub(super) next: Vec<&'a str>,
    /// The codes of what stopped the whole run.
    pub(super) errors: Vec<&'a str>,
}
