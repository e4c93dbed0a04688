//! The user's wish to stop, as the engine sees it.
//!
//! Absent from here: signal handlers (`cli`). The one rule: an interruption never
//! drops an outcome; it keeps new writes from being begun and time-boxes the one in
//! flight.

use std::future::Future;
use std::time::Duration;

use tokio::sync::watch;

use super::result::Interruption;

/// How long a request in flight may still take after an interruption. Long enough for
/// an answer that is on its way, short enough for a person who waits.
const GRACE: Duration = Duration::from_secs(10);

/// Tells whether the user wants to stop.
#[derive(Debug, Clone)]
pub struct Interrupt(watch::Receiver<Option<Interruption>>);

impl Interrupt {
    /// Listens to what `cli` heard.
    #[must_use]
    pub fn new(receiver: watch::Receiver<Option<Interruption>>) -> Self {
        Self(receiver)
    }

    /// The interruption, if there was one.
    #[must_use]
    pub fn raised(&self) -> Option<Interruption> {
        *self.0.borrow()
    }

    /// The value of `work`, or nothing if it took longer than the grace period after
    /// an interruption.
    pub async fn time_box<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            value = work => Some(value),
            () = async { self.wait().await; tokio::time::sleep(GRACE).await } => None,
        }
    }

    /// The value of `work`, or nothing at once after an interruption. For reading only:
    /// what is dropped here must not have changed anything.
    pub async fn unless_raised<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            value = work => Some(value),
            () = self.wait() => None,
        }
    }

    /// Waits for `delay`, or until an interruption.
    pub async fn sleep(&self, delay: Duration) {
        tokio::select! {
            biased;
            () = self.wait() => {}
            () = tokio::time::sleep(delay) => {}
        }
    }

    async fn wait(&self) {
        let mut receiver = self.0.clone();
        if receiver.wait_for(Option::is_some).await.is_err() {
            // Nobody is left who could interrupt.
            std::future::pending::<()>().await;
        }
    }
}
