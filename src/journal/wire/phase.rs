//! The JSON shape of a phase.
//!
//! Absent from here: what each kind knows (`fields`). The one rule: a phase has the
//! fields it has, all of them and no other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::schema::Moment;
use super::words::scalar;
use crate::journal::damage::Damage;
use crate::names::{Digest, OperationId, RunId, Timestamp};
use crate::protocol::kinds::Kind;
use crate::protocol::record::{Confirmed, Phase, Prepared, Sending};

/// A phase as written; `I`, `S` and `R` are the kind's input, sent and receipt.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "phase", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum WrittenPhase<I, S, R> {
    /// Never tried, or the last try ended with nothing sent.
    // Braces, because serde lets a unit variant have any fields.
    None {},
    /// The input is fixed; nothing was sent.
    Prepared {
        #[serde(with = "scalar")]
        #[schemars(with = "OperationId")]
        operation_id: OperationId,
        input: I,
        #[serde(with = "scalar")]
        #[schemars(with = "RunId")]
        prepared_run_id: RunId,
        #[serde(with = "scalar")]
        #[schemars(with = "Moment")]
        prepared_at: Timestamp,
    },
    /// Written right before the send. Whether it arrived is for the site, or a person, to say.
    Sending {
        #[serde(with = "scalar")]
        #[schemars(with = "OperationId")]
        operation_id: OperationId,
        input: I,
        #[serde(with = "scalar")]
        #[schemars(with = "RunId")]
        prepared_run_id: RunId,
        #[serde(with = "scalar")]
        #[schemars(with = "Moment")]
        prepared_at: Timestamp,
        #[serde(with = "scalar")]
        #[schemars(with = "RunId")]
        sending_run_id: RunId,
        #[serde(with = "scalar")]
        #[schemars(with = "Moment")]
        sent_at: Timestamp,
        #[serde(with = "scalar")]
        #[schemars(with = "Moment")]
        settle_until: Timestamp,
        #[serde(with = "scalar")]
        #[schemars(with = "Digest")]
        payload_digest: Digest,
        sent: S,
    },
    /// It is on the site, and this is the proof.
    Confirmed { input: I, receipt: R },
}

impl<I, S: Serialize, R> WrittenPhase<I, S, R> {
    pub(super) fn of<K>(phase: Phase<K>) -> Result<Self, serde_json::Error>
    where
        K: Kind<Input: Into<I>, Sent: Into<S>, Receipt: Into<R>>,
    {
        Ok(match phase {
            Phase::None => Self::None {},
            Phase::Prepared(prepared) => Self::Prepared {
                operation_id: prepared.operation,
                input: prepared.input.into(),
                prepared_run_id: prepared.run,
                prepared_at: prepared.at,
            },
            Phase::Sending(sending) => {
                let Sending { prepared, sent, run, sent_at, settle_until } = sending;
                let sent = sent.into();
                Self::Sending {
                    operation_id: prepared.operation,
                    input: prepared.input.into(),
                    prepared_run_id: prepared.run,
                    prepared_at: prepared.at,
                    sending_run_id: run,
                    sent_at,
                    settle_until,
                    payload_digest: payload_digest(&sent)?,
                    sent,
                }
            }
            Phase::Confirmed(Confirmed { input, receipt }) => {
                Self::Confirmed { input: input.into(), receipt: receipt.into() }
            }
        })
    }

    pub(super) fn phase<K>(self) -> Result<Phase<K>, Damage>
    where
        K: Kind,
        I: Into<K::Input>,
        S: Into<K::Sent>,
        R: Into<K::Receipt>,
    {
        Ok(match self {
            Self::None {} => Phase::None,
            Self::Prepared { operation_id, input, prepared_run_id, prepared_at } => {
                Phase::Prepared(Prepared {
                    operation: operation_id,
                    input: input.into(),
                    run: prepared_run_id,
                    at: prepared_at,
                })
            }
            Self::Sending {
                operation_id,
                input,
                prepared_run_id,
                prepared_at,
                sending_run_id,
                sent_at,
                settle_until,
                payload_digest: says,
                sent,
            } => {
                if payload_digest(&sent).map_err(Damage::Field)? != says {
                    return Err(Damage::Contradiction("`payload_digest` is not that of `sent`"));
                }
                let prepared = Prepared {
                    operation: operation_id,
                    input: input.into(),
                    run: prepared_run_id,
                    at: prepared_at,
                };
                let run = sending_run_id;
                Phase::Sending(Sending { prepared, sent: sent.into(), run, sent_at, settle_until })
            }
            Self::Confirmed { input, receipt } => {
                Phase::Confirmed(Confirmed { input: input.into(), receipt: receipt.into() })
            }
        })
    }
}

fn payload_digest(sent: &impl Serialize) -> Result<Digest, serde_json::Error> {
    serde_json::to_vec(sent).map(|bytes| Digest::of(&bytes))
}
