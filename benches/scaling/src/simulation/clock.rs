//! Simulated time on tokio's paused clock.
//!
//! The timers of that clock have a resolution of a millisecond, too coarse for networks: a millisecond of it stands for
//! 100 ns. The longest it can wait for, two years, are almost two hours.

use std::time::Duration;

use tokio::time::Instant;

/// Of tokio's clock for one that is simulated.
const STRETCH: u32 = 10_000;

/// Simulated nanoseconds since a beginning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock(Instant);

impl Clock {
    pub fn new() -> Clock {
        Clock(Instant::now())
    }

    pub fn now(&self) -> u64 {
        (self.0.elapsed().as_nanos() / u128::from(STRETCH)) as u64
    }

    /// When the clock of tokio's will show it.
    pub fn instant(&self, nanoseconds: u64) -> Instant {
        self.0 + stretched(Duration::from_nanos(nanoseconds))
    }
}

/// A simulated duration, for whoever waits on tokio's clock.
pub(super) fn stretched(time: Duration) -> Duration {
    time * STRETCH
}

/// Simulated nanoseconds.
pub(super) fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9).round() as u64
}

/// Waits so many simulated seconds.
pub(super) async fn wait(seconds: f64) {
    tokio::time::sleep(stretched(Duration::from_nanos(nanoseconds(seconds)))).await;
}
