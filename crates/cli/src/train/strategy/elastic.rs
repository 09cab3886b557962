//! Workers that come and go: within which limits, and with which strategies.

use std::time::Duration;

use downpour_tensor::Result;

use super::{ClusterTable, StrategyName};
use crate::train::mistake::Text;

/// Seconds before a worker is started or ended, if the job does not say.
const AFTER: f64 = 60.0;

/// Within which limits workers come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elastic {
    pub least: u32,
    pub most: u32,
    /// What is measured must hold so long.
    pub after: Duration,
}

impl ClusterTable {
    /// The limits, if workers come and go.
    pub fn elastic(&self) -> Option<Elastic> {
        (self.max_workers.is_some() || self.min_workers.is_some()).then(|| Elastic {
            least: self.min_workers.unwrap_or(self.workers),
            most: self.max_workers.unwrap_or(self.workers),
            after: Duration::from_secs_f64(self.elastic_after.unwrap_or(AFTER)),
        })
    }

    pub(super) fn check_elastic(&self, place: &Text<'_>) -> Result<()> {
        let given = [
            ("max_workers", self.max_workers.is_some()),
            ("min_workers", self.min_workers.is_some()),
            ("elastic_after", self.elastic_after.is_some()),
        ];
        let Some((key, _)) = given.into_iter().find(|(_, given)| *given) else { return Ok(()) };
        let why = match self.strategy {
            StrategyName::Bounded | StrategyName::Downpour | StrategyName::Synchronous => None,
            StrategyName::Asynchronous => {
                Some("a step of one graph over all tasks does not tell how long it waits, so nobody knows whether more help")
            }
            StrategyName::AllReduce => Some("its workers are connected in the beginning, once for all"),
            StrategyName::Hybrid | StrategyName::Sandblaster => {
                Some("it has no leases, and who comes later would have no data")
            }
            _ => Some("its processes are parts of one model"),
        };
        if let Some(why) = why {
            let why = format!(
                "goes with the strategies bounded, downpour and synchronous; this job's is '{}': {why}",
                self.strategy.word()
            );
            return Err(place.at_key(key, &why));
        }
        if !self.leases() {
            return Err(place.at_key(key, "needs leases: who comes later has no data"));
        }
        if self.max_workers.is_some_and(|most| most < self.workers) {
            return Err(place.at_key("max_workers", "must be at least `workers`"));
        }
        if self.min_workers.is_some_and(|least| least == 0 || least > self.workers) {
            return Err(place.at_key("min_workers", "must be at least 1 and at most `workers`"));
        }
        if self.elastic().is_some_and(|limits| self.backups.is_some_and(|b| b >= limits.least)) {
            let why = "must be fewer than there are workers at the least: a step has to wait for one";
            return Err(place.at_key("backups", why));
        }
        if self.elastic_after.is_some_and(|after| !(0.1..=1e6).contains(&after)) {
            return Err(place.at_key("elastic_after", "must be at least 0.1 seconds"));
        }
        Ok(())
    }
}
