//! SIGINT and SIGTERM: the first asks the run to end in order, the second ends it.
//!
//! The one rule: a signal is heard while the run is busy with a disk that does not
//! answer, so it is listened for on a thread of its own.

use std::io::Write as _;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use crate::report::exit::Exit;
use crate::run::interrupt::Interrupt;
use crate::run::result::Interruption;

/// Listens from now on.
pub(crate) fn listen() -> std::io::Result<Interrupt> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let (interrupt, terminate) = {
        let _inside = runtime.enter();
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?)
    };
    let (sender, receiver) = watch::channel(None);
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || runtime.block_on(pass_on(interrupt, terminate, sender)))?;
    Ok(Interrupt::new(receiver))
}

async fn pass_on(
    mut interrupt: Signal,
    mut terminate: Signal,
    sender: watch::Sender<Option<Interruption>>,
) {
    loop {
        let heard = tokio::select! {
            _ = interrupt.recv() => Interruption::Interrupt,
            _ = terminate.recv() => Interruption::Terminate,
        };
        if sender.borrow().is_some() {
            // The record of whatever is in flight already says `sending`.
            std::process::exit(i32::from(exit_of(heard).code()));
        }
        if sender.send(Some(heard)).is_err() {
            return;
        }
        let words = match heard {
            Interruption::Interrupt => "interrupted: ending in order; once more ends at once",
            Interruption::Terminate => "asked to end: ending in order; once more ends at once",
        };
        // Nobody is left to tell if even that fails.
        let _ = writeln!(std::io::stderr(), "{words}");
    }
}

/// The exit of a run that a signal ended.
pub(crate) fn exit_of(interruption: Interruption) -> Exit {
    match interruption {
        Interruption::Interrupt => Exit::Interrupted,
        Interruption::Terminate => Exit::Terminated,
    }
}
