//! `oncepress sandbox`: serves a simulated WordPress until a signal ends it.
//!
//! Absent from here: the site and its faults. The one rule: what somebody needs to use it
//! is told before it answers, on standard output, so that a script can wait for it.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Value, json};

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

pub(super) async fn run(args: &Sandbox, world: &Surroundings, console: Console<'_>) -> Exit {
    if args.list_faults {
        return world.streams.print(&list_of_faults(console), Exit::Settled);
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
    let told = told(args, &site, &listening, world, console)?;
    let printed = world.streams.print(&told, Exit::Settled);
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

fn told(
    args: &Sandbox,
    site: &Kept,
    listening: &Listening,
    world: &Surroundings,
    console: Console<'_>,
) -> Result<String, Trouble> {
    let read = |site: &mut Simulated| Address {
        home: listening.home(),
        version: name_of(site.world().version()),
        users: site.world().users().to_vec(),
        faults: site.faults().collect(),
    };
    let address = site.with(world.now(), read).map_err(|error| session::sandbox_trouble(&error))?;
    if !console.is_json() {
        return Ok(address.as_text());
    }
    let state = args.state.as_ref().map(|path| path.display().to_string());
    let mut object = address.as_json();
    object["state"] = json!(state);
    Ok(format!("{object}\n"))
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

    fn as_json(&self) -> Value {
        let Self { home, version, users, faults } = self;
        let user = |user: &User| {
            json!({
                "username": user.login,
                "role": user.role.name(),
                "application_password": user.password,
            })
        };
        let route = |(method, route, what): (&str, &str, &str)| json!({"method": method, "url": format!("{home}{CONTROL}/{route}"), "what": what});
        json!({
            "schema": SCHEMA,
            "url": format!("{home}/"),
            "wordpress": version,
            "users": users.iter().map(user).collect::<Vec<_>>(),
            "control": ROUTES.map(route),
            "faults": faults,
            "config": self.config(),
        })
    }
}

fn list_of_faults(console: Console<'_>) -> String {
    if console.is_json() {
        let kind = |(_, name, what): (Kind, &str, &str)| json!({"kind": name, "what": what});
        let accident = |(form, what): (&str, &str)| json!({"accident": form, "what": what});
        let object = json!({
            "schema": SCHEMA,
            "kinds": Kind::ALL.map(kind),
            "accidents": Accident::CATALOGUE.map(accident),
        });
        return format!("{object}\n");
    }
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
