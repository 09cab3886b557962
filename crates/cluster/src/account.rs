//! What a task of this process has counted, for whoever started it.

use std::sync::Arc;

use downpour_coordinator::Ledger;
use downpour_params::{Recovered, Statistics};
use downpour_tensor::Status;

use crate::metrics::Metrics;
use crate::parameters::Parameters;

/// A task's counters; they can be read while it serves and after it.
#[derive(Clone)]
pub struct Account {
    metrics: Arc<Metrics>,
    parameters: Arc<Parameters>,
}

impl Account {
    pub(crate) fn new(metrics: Arc<Metrics>, parameters: Arc<Parameters>) -> Account {
        Account { metrics, parameters }
    }

    /// Bytes sent and received over all connections so far.
    pub fn bytes(&self) -> (u64, u64) {
        let totals = self.metrics.totals();
        (totals.bytes_out, totals.bytes_in)
    }

    /// The positions of leased data that are in the variables.
    pub fn positions(&self) -> Ledger {
        self.parameters.positions()
    }

    /// Takes the recoveries of parameter servers that this task has led since the last call.
    pub fn take_recovered(&self) -> Vec<Recovered> {
        self.parameters.take_recovered()
    }

    /// Why the last snapshot of the parameter service could not be written, if so.
    pub fn snapshot_error(&self) -> Option<Status> {
        self.parameters.snapshot_error()
    }

    /// What the parameter service has done; none if nobody trains through it.
    pub fn statistics(&self) -> Option<Statistics> {
        self.parameters.statistics()
    }
}
