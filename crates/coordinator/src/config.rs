//! How patient the coordinator is.

use std::time::Duration;

use downpour_tensor::{Result, Status};

use crate::decision::DecisionConfig;

/// Limits and intervals; the defaults fit processes on machines that are busy with training.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// A member that says nothing for so long is gone.
    pub silence: Duration,
    /// How often members are asked to be heard; several times per `silence`.
    pub heartbeat: Duration,
    /// A lease without progress for so long goes to another.
    pub lease: Duration,
    /// After a restart (or a pause of the coordinator) everybody has so long to be heard again.
    pub grace: Duration,
    /// Who asks for work when there is none is asked to wait so long.
    pub retry: Duration,
    /// A unit is made to take about so long at its member's measured speed.
    pub unit_time: Duration,
    /// Speeds are averages over about so long.
    pub smoothing: Duration,
    /// A snapshot takes the place of the log after so many records.
    pub snapshot_every: u64,
    /// When to add, drop and move.
    pub decisions: DecisionConfig,
}

impl Config {
    /// Nobody could live by these otherwise.
    pub(crate) fn check(&self) -> Result<()> {
        let Config { silence, heartbeat, lease, .. } = self;
        if heartbeat.is_zero() || lease.is_zero() || *silence < 2 * *heartbeat {
            return Err(Status::invalid_argument(format!(
                "the coordinator's silence ({silence:?}) must be at least twice its heartbeat ({heartbeat:?}), and \
                 neither that nor its lease ({lease:?}) may be zero"
            )));
        }
        Ok(())
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            silence: Duration::from_secs(10),
            heartbeat: Duration::from_secs(2),
            lease: Duration::from_secs(60),
            grace: Duration::from_secs(15),
            retry: Duration::from_millis(200),
            unit_time: Duration::from_secs(5),
            smoothing: Duration::from_secs(15),
            snapshot_every: 4096,
            decisions: DecisionConfig::default(),
        }
    }
}
