//! Record, send once, and what the outcome means for the rest of the run.
//!
//! Absent from here: what is sent. The one rule: between the `sending` record and the
//! outcome stands one request, and nothing that could repeat or forget it.

use crate::journal::{Journaled, OpenSend, SendPermit};
use crate::names::Timestamp;
use crate::protocol::decide::{Action, UnknownReason};
use crate::protocol::outcome::{Outcome, Pressure, Rejection, Unsettled};
use crate::protocol::record::Prepared;
use crate::protocol::sighting::UnclearWhy;
use crate::protocol::{Kind, Phase, Record};
use crate::wordpress::TermFailure;

use super::engine::Engine;
use super::event::{Event, Subject};
use super::result::{Reason, Trouble, TroubleKind};

/// Requests in a row that did not leave, after which the site counts as away. One can
/// be an accident; a dead site must not cost its timeout once per article.
const NOT_SENT_IN_A_ROW_MAX: u32 = 3;

impl Engine<'_> {
    /// Writes the `sending` record, then makes the request with the permit that this
    /// gives. Without a durable record there is no request; the error says why.
    pub(super) async fn send_once<K: Journaled, C>(
        &mut self,
        record: Record<K>,
        sent: K::Sent,
        subject: &Subject,
        request: impl AsyncFnOnce(SendPermit) -> Outcome<C>,
    ) -> Result<(OpenSend<K>, Outcome<C>), Reason> {
        let now = self.context.now();
        let settle_until = now.saturating_add(self.context.network.settle).unwrap_or(now);
        let begun = self.journal.begin_sending(record, sent, now, settle_until);
        let (permit, open) = begun.map_err(|error| self.disk_refused(&error))?;
        let operation = permit.operation().clone();
        let attempt = open.record().attempts();
        (self.emit)(Event::Sending {
            subject: subject.clone(),
            operation: operation.clone(),
            attempt,
        });
        let outcome = self.context.interrupt.time_box(request(permit)).await;
        let outcome = outcome.unwrap_or_else(cut_short);
        let (code, detail) = described(&outcome);
        (self.emit)(Event::Sent { subject: subject.clone(), operation, outcome: code, detail });
        self.heed(&outcome);
        Ok((open, outcome))
    }

    /// Starts no new write if the site asked for fewer requests, or is away.
    fn heed<C>(&mut self, outcome: &Outcome<C>) {
        match outcome {
            Outcome::NotSent(why) => {
                self.not_sent_in_a_row += 1;
                if self.not_sent_in_a_row >= NOT_SENT_IN_A_ROW_MAX {
                    self.stop("site_unreachable", format!("the site can't be reached: {why}"));
                }
                return;
            }
            Outcome::Unknown(Unsettled {
                pressure: Pressure::BackOff { retry_after_s }, ..
            }) => {
                let wait = retry_after_s
                    .map_or_else(String::new, |seconds| format!("it asks to wait {seconds} s"));
                self.heed_pressure(&wait);
            }
            Outcome::Rejected(rejection) => self.heed_refusal(rejection),
            Outcome::Created(_) | Outcome::Unknown(Unsettled { pressure: Pressure::None, .. }) => {}
        }
        self.not_sent_in_a_row = 0;
    }

    fn heed_pressure(&mut self, detail: &str) {
        let colon = if detail.is_empty() { "" } else { ": " };
        self.stop("rate_limited", format!("the site asked for fewer requests{colon}{detail}"));
    }

    /// What a tag that was not created means for the rest of the run.
    pub(super) fn heed_tag(&mut self, failure: &TermFailure) {
        match failure {
            TermFailure::Refused(rejection) => self.heed_refusal(rejection),
            TermFailure::Unclear(unclear) if unclear.why == UnclearWhy::Busy => {
                self.heed_pressure(&unclear.detail);
            }
            TermFailure::OtherTerm(_) | TermFailure::Unclear(_) => {}
        }
    }

    /// The site did not accept the account, which it had accepted before: more tries
    /// would fail alike, and can lock the account (case AUTH-08).
    fn heed_refusal(&mut self, rejection: &Rejection) {
        const UNAUTHORIZED: u16 = 401;
        if rejection.status != UNAUTHORIZED || self.stopped().is_some() {
            return;
        }
        let message = format!(
            "the site does not accept the account any more ({}: {}); nothing more was sent",
            rejection.code, rejection.message
        );
        self.stop("account_refused", message.clone());
        let hint = "see whether the application password was revoked, then run the same command \
                    again";
        let kind = TroubleKind::Credentials;
        self.troubles.push(Trouble::new(kind, "account_refused", message, hint));
    }

    /// Starts no new write if the site could not even be asked about the last one.
    pub(super) fn heed_silence<F>(&mut self, action: &Action<F>) {
        if let Action::Unknown(UnknownReason::CannotLookUp(unclear)) = action {
            let message =
                format!("the site can't be asked about the last send: {}", unclear.detail);
            self.stop("site_unreachable", message);
        }
    }

    /// Takes a `sending` record back: it is proved that nothing was created.
    pub(super) fn void<K: Journaled>(&mut self, open: OpenSend<K>, reason: &Reason) -> Record<K> {
        let sent = open.record().clone();
        let now = self.context.now();
        match open.void(self.journal, &reason.code, &reason.message, now) {
            Ok(record) => record,
            Err(error) => {
                self.disk_refused(&error);
                sent
            }
        }
    }

    /// When the site can no longer be working on this send.
    pub(super) fn settle_time_of<K: Kind>(&self, record: &Record<K>) -> Timestamp {
        match record.phase() {
            Phase::Sending(sending) => sending.settle_until,
            Phase::None | Phase::Prepared(_) | Phase::Confirmed(_) => self.context.now(),
        }
    }

    /// Fixes an input under a new operation.
    pub(super) fn prepare<K: Kind>(&self, input: K::Input) -> Prepared<K> {
        let operation = self.context.operation();
        let (run, at) = (self.context.run.clone(), self.context.now());
        Prepared { operation, input, run, at }
    }
}

/// The reason of a deferral after a request that did not leave.
pub(super) fn not_sent(why: &str) -> Reason {
    Reason::new("not_sent", format!("the request did not leave: {why}"))
}

/// What an interruption makes of a request in flight.
fn cut_short<C>() -> Outcome<C> {
    Outcome::Unknown(Unsettled {
        detail: "the run was interrupted while the request was in flight".to_owned(),
        hint: None,
        pressure: Pressure::None,
    })
}

/// An outcome for the run log.
fn described<C>(outcome: &Outcome<C>) -> (&'static str, String) {
    match outcome {
        Outcome::Created(_) => ("created", String::new()),
        Outcome::Rejected(rejection) => {
            ("rejected", format!("{} {}", rejection.status, rejection.code))
        }
        Outcome::NotSent(why) => ("not_sent", why.clone()),
        Outcome::Unknown(unsettled) => ("unknown", unsettled.detail.clone()),
    }
}
