//! What a task does once a second: samples of its counters, the end of abandoned steps and sessions, and
//! memory that nobody uses any more goes back to the system.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

use crate::heap::Heap;
use crate::limits::PortLimits;
use crate::sessions::Sessions;

const PERIOD: Duration = Duration::from_secs(1);
/// Seconds that unused memory is kept for the next step.
const SPARE_ROUNDS: usize = 3;

/// Ends with the value.
pub struct Housekeeping(JoinHandle<()>);

impl Housekeeping {
    /// Sessions that nobody calls for `idle_limit` are closed; without one they live until their client
    /// closes them or has gone (`limits`).
    pub fn start(
        sessions: Arc<Sessions>,
        idle_limit: Option<Duration>,
        limits: PortLimits,
    ) -> Housekeeping {
        Housekeeping(tokio::spawn(async move {
            let heap = Arc::new(Heap::default());
            let mut ticks = tokio::time::interval(PERIOD);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                ticks.tick().await;
                sessions.metrics().sample();
                sessions.worker().sweep();
                // Pages are given back by a thread that may take its time.
                let heap = heap.clone();
                sessions.device().pool().spawn(move || {
                    downpour_tensor::trim_pool(SPARE_ROUNDS);
                    heap.trim();
                });
                if let Some(limit) = idle_limit {
                    sessions.collect_idle(limit);
                }
                sessions.collect_dropped(&limits);
            }
        }))
    }
}

impl Drop for Housekeeping {
    fn drop(&mut self) {
        self.0.abort();
    }
}
