//! `oncepress sandbox`: serves a simulated WordPress until a signal ends it.
//!
//! Absent from here: the site and its faults. The one rule: what somebody needs to use it
//! is told before it answers, on standard output, so that a script can wait for it.

use std::fmt::Write as _;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::report::exit::Exit;
use crate::report::json::Tense;
use crate::run::result::Trouble;
use crate::sandbox::{
    Accident, CONTROL, Fault, Kept, Kind, Listening, ROUTES, Simulated, User, Version, World,
};

use super::args::{Sandbox, WordPress};
use super::console::Console;
use super::session;
use super::signals::exit_of;
use super::world::World as Surroundings;

const SCHEMA: &str = "oncepress.sandbox/1";

/// What `sandbox --json` prints before the simulated site answers.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct Document<'a> {
    /// The name and version of this schema.
    #[schemars(extend("const" = SCHEMA))]
    schema: &'static str,
    /// Where the site answers.
    url: String,
    /// The version of WordPress that is simulated.
    wordpress: &'static str,
    /// Who may sign in.
    users: Vec<UserEntry>,
    /// The control routes.
    control: Vec<RouteEntry>,
    /// What goes wrong, as for `--fault`.
    #[schemars(with = "Vec<String>")]
    faults: &'a [Fault],
    /// A configuration for it.
    config: String,
    /// The file that keeps the site, if there is one.
    state: Option<String>,
}

/// A user of the simulated site.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct UserEntry {
    /// The login.
    username: String,
    /// The role.
    role: &'static str,
    /// The application password.
    application_password: String,
}

/// A control route.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct RouteEntry {
    /// The method.
    method: &'static str,
    /// The address.
    url: String,
    /// What it does.
    what: &'static str,
}

/// What `sandbox --list-faults --json` prints.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct FaultsDocument {
    /// The name and version of this schema.
    #[schemars(extend("const" = SCHEMA))]
    schema: &'static str,
    /// The kinds of requests.
    kinds: Vec<KindEntry>,
    /// What can happen to them.
    accidents: Vec<AccidentEntry>,
}

/// A kind of requests.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct KindEntry {
    /// Its name in `--fault`.
    kind: &'static str,
    /// What it is.
    what: &'static str,
}

/// An accident.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct AccidentEntry {
    /// How it is written in `--fault`.
    accident: &'static str,
    /// What it is.
    what: &'static str,
}

impl FaultsDocument {
    fn whole() -> Self {
        let kind = |(_, kind, what): (Kind, _, _)| KindEntry { kind, what };
        let accident = |(accident, what): (_, _)| AccidentEntry { accident, what };
        Self {
            schema: SCHEMA,
            kinds: Kind::ALL.map(kind).into(),
            accidents: Accident::CATALOGUE.map(accident).into(),
        }
    }
}

pub(super) async fn run(args: &Sandbox, world: &Surroundings, console: Console<'_>) -> Exit {
    if args.list_faults {
        return if console.is_json() {
            console.print_json(&FaultsDocument::whole(), Exit::Settled)
        } else {
            world.streams.print(&list_of_faults(), Exit::Settled)
        };
    }
    match served(args, world, console).await {
        Ok(exit) => exit,
        Err(trouble) => {
            let exit = Exit::of_trouble(trouble.kind);
            console.finish("sandbox", Tense::Done, &session::failed(trouble), exit)
        }
    }
}

async fn served(
    args: &Sandbox,
    world: &Surroundings,
    console: Console<'_>,
) -> Result<Exit, Trouble> {
    let interrupt = world.listen().map_err(|error| super::internal(error.to_string()))?;
    let listening = Listening::on(args.port).await.map_err(|error| {
        let message = format!("port {} of 127.0.0.1 can't be had: {error}", args.port);
        session::usage("port_taken", message, "name another --port, or none for any that is free")
    })?;
    let site = Arc::new(site(args, &listening.home(), world)?);
    let printed = tell(args, &site, &listening, world, console)?;
    if printed != Exit::Settled {
        return Ok(printed);
    }
    let ended = async {
        interrupt.unless_raised(std::future::pending::<()>()).await;
    };
    listening.serve(site, world.clock.clone(), ended).await;
    Ok(interrupt.raised().map_or(Exit::Settled, exit_of))
}

/// The site as it was left, or a fresh one, with the faults that were asked for.
fn site(args: &Sandbox, home: &str, world: &Surroundings) -> Result<Kept, Trouble> {
    let version = match args.wordpress {
        WordPress::V6_1 => Version::V6_1,
        WordPress::V6_8 => Version::V6_8,
        WordPress::V7_1 => Version::V7_1,
    };
    let kept = match &args.state {
        None => Kept::in_memory(Simulated::new(World::new(version, home))),
        Some(path) => Kept::in_file(&world.cwd.join(path), home, version)
            .map_err(|error| session::sandbox_trouble(&error))?,
    };
    let set = |site: &mut Simulated| args.fault.iter().for_each(|fault| site.add_fault(*fault));
    kept.with(world.now(), set).map_err(|error| session::sandbox_trouble(&error))?;
    Ok(kept)
}

/// What somebody needs to know who wants to use the site.
struct Address {
    home: String,
    version: &'static str,
    users: Vec<User>,
    faults: Vec<Fault>,
}

fn tell(
    args: &Sandbox,
    site: &Kept,
    listening: &Listening,
    world: &Surroundings,
    console: Console<'_>,
) -> Result<Exit, Trouble> {
    let read = |site: &mut Simulated| Address {
        home: listening.home(),
        version: name_of(site.world().version()),
        users: site.world().users().to_vec(),
        faults: site.faults().collect(),
    };
    let address = site.with(world.now(), read).map_err(|error| session::sandbox_trouble(&error))?;
    if !console.is_json() {
        return Ok(world.streams.print(&address.as_text(), Exit::Settled));
    }
    let state = args.state.as_ref().map(|path| path.display().to_string());
    Ok(console.print_json(&address.document(state), Exit::Settled))
}

fn name_of(version: Version) -> &'static str {
    match version {
        Version::V6_1 => "6.1",
        Version::V6_8 => "6.8",
        Version::V7_1 => "7.1",
    }
}

impl Address {
    fn config(&self) -> String {
        let user = self.users.first().map_or("", |user| user.login.as_str());
        format!("[site]\nurl = \"{}/\"\nusername = \"{user}\"\n", self.home)
    }

    fn as_text(&self) -> String {
        let Self { home, version, users, faults } = self;
        let mut text = format!("a simulated WordPress {version} answers at {home}/\n");
        text.push_str("\nuser         role           application password\n");
        for User { login, role, password, .. } in users {
            let _ = writeln!(text, "{login:<12} {:<14} {password}", role.name());
        }
        text.push_str("\noncepress.toml for it, with ONCEPRESS_APP_PASSWORD from above:\n");
        for line in self.config().lines() {
            let _ = writeln!(text, "  {line}");
        }
        let _ = writeln!(text, "\ncontrol, under {home}{CONTROL}/ (JSON, no password):");
        for (method, route, what) in ROUTES {
            let _ = writeln!(text, "  {method:<6} {route:<9} {what}");
        }
        if !faults.is_empty() {
            text.push_str("\nfaults:\n");
            for fault in faults {
                let _ = writeln!(text, "  {fault}");
            }
        }
        text.push_str("\nSIGINT (Ctrl-C) or SIGTERM ends it\n");
        text
    }

    fn document(&self, state: Option<String>) -> Document<'_> {
        let Self { home, version, users, faults } = self;
        let user = |user: &'_ User| UserEntry {
            username: user.login.clone(),
            role: user.role.name(),
            application_password: user.password.clone(),
        };
        let route = |(method, route, what): (&'static str, &str, &'static str)| RouteEntry {
            method,
            url: format!("{home}{CONTROL}/{route}"),
            what,
        };
        Document {
            schema: SCHEMA,
            url: format!("{home}/"),
            wordpress: version,
            users: users.iter().map(user).collect(),
            control: ROUTES.map(route).into(),
            faults,
            config: self.config(),
            state,
        }
    }
}

fn list_of_faults() -> String {
    let mut text = String::from(
        "A fault is KIND=ACCIDENT: every request of the kind meets the accident.\n\
         KIND:2=ACCIDENT is for the second one, KIND:2+=ACCIDENT for it and all later ones.\n\n\
         kinds of requests:\n",
    );
    for (_, name, what) in Kind::ALL {
        let _ = writeln!(text, "  {name:<14} {what}");
    }
    text.push_str("  any            every request that the accident can happen to\n\naccidents:\n");
    for (form, what) in Accident::CATALOGUE {
        let _ = writeln!(text, "  {form:<32} {what}");
    }
    text
}
