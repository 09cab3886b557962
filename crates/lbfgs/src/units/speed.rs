//! How fast a replica has been lately.

use std::cmp::Ordering;
use std::time::Duration;

/// Examples per second, recent units counting most; unknown before the first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Speed(Option<f64>);

/// How much of the old value stays when a unit was finished.
const MEMORY: f64 = 0.5;

impl Speed {
    pub(crate) fn took(&mut self, examples: u64, time: Duration) {
        let seen = examples as f64 / time.as_secs_f64().max(1e-9);
        self.0 = Some(self.0.map_or(seen, |before| MEMORY * before + (1.0 - MEMORY) * seen));
    }

    pub(crate) fn examples_per_second(&self) -> Option<f64> {
        self.0
    }

    /// The time so many examples are expected to take.
    pub(crate) fn needs(&self, examples: u64) -> Option<Duration> {
        let seconds = examples as f64 / self.0?;
        Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    }

    /// Known speeds before unknown ones, higher before lower.
    pub(crate) fn fastest_first(&self, other: &Speed) -> Ordering {
        other.0.unwrap_or(-1.0).total_cmp(&self.0.unwrap_or(-1.0))
    }
}
