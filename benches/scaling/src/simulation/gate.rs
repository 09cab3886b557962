//! A point that all of so many reach before any goes on, in the order in which they came.
//!
//! tokio's own barrier lets them go on in an order that is random, and a run would not follow from its seed.

use parking_lot::Mutex;
use tokio::sync::Notify;

pub(super) struct Gate {
    missing: Mutex<usize>,
    opened: Notify,
}

impl Gate {
    pub fn new(count: usize) -> Gate {
        Gate { missing: Mutex::new(count), opened: Notify::new() }
    }

    /// Once for each.
    pub async fn pass(&self) {
        let mut opened = std::pin::pin!(self.opened.notified());
        opened.as_mut().enable();
        {
            let mut missing = self.missing.lock();
            *missing = missing.saturating_sub(1);
            if *missing == 0 {
                self.opened.notify_waiters();
            }
        }
        opened.await;
    }
}
