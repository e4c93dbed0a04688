//! The right to send one request.
//!
//! Absent from here: sending. The one rule: a permit is made in one place, after the
//! `sending` record is durable, and is used up by the request; it can't be copied.

use crate::names::OperationId;

/// The right to send one create or upload.
#[derive(Debug)]
#[must_use = "a permit that is not used leaves a `sending` record behind for nothing"]
pub struct SendPermit {
    operation: OperationId,
}

impl SendPermit {
    /// Only the journal calls this, after the `sending` record is synced.
    pub(super) fn new(operation: OperationId) -> Self {
        Self { operation }
    }

    /// A permit without a record, for unit tests of the client.
    #[cfg(test)]
    pub(crate) fn without_record() -> Self {
        Self { operation: OperationId::parse("test").expect("a valid id") }
    }

    /// The attempt that this permit belongs to.
    #[must_use]
    pub fn operation(&self) -> &OperationId {
        &self.operation
    }
}
