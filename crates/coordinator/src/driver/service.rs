//! A coordinator that many connections share.

use std::sync::Arc;
use std::time::Duration;

use downpour_tensor::Result;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use crate::coordinator::Coordinator;
use crate::decision::Decision;
use crate::message::{Request, Response};

/// A coordinator that many connections share. Clones are the same one.
///
/// Requests are answered one after the other, under one lock. [`call`](Service::call) writes to the storage: call it
/// where waiting for a disk is allowed (`spawn_blocking`). Somebody must [`run`](Service::run) it, or time stands still.
#[derive(Clone, Debug)]
pub struct Service {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    coordinator: Mutex<Coordinator>,
    origin: Instant,
    /// The time to wake may be sooner now.
    changed: Notify,
}

impl Service {
    /// Opens a coordinator with `open`, which is told the time, and makes a service of it.
    pub fn open(open: impl FnOnce(Duration) -> Result<Coordinator>) -> Result<Service> {
        let coordinator = Mutex::new(open(Duration::ZERO)?);
        let shared = Shared { coordinator, origin: Instant::now(), changed: Notify::new() };
        Ok(Service { shared: Arc::new(shared) })
    }

    /// Answers a request.
    pub fn call(&self, request: &Request) -> Response {
        // The time is taken under the lock: it is never before that of a request that was answered earlier.
        let mut coordinator = self.shared.coordinator.lock();
        let response = coordinator.handle(self.now(), request);
        drop(coordinator);
        self.shared.changed.notify_one();
        response
    }

    /// Answers bytes with bytes.
    pub fn call_bytes(&self, request: &[u8]) -> Vec<u8> {
        let mut coordinator = self.shared.coordinator.lock();
        let response = coordinator.handle_bytes(self.now(), request);
        drop(coordinator);
        self.shared.changed.notify_one();
        response
    }

    /// Decisions since the last call.
    pub fn take_decisions(&self) -> Vec<Decision> {
        self.shared.coordinator.lock().take_decisions()
    }

    /// Lets time pass until the coordinator has to stop (its storage failed or was taken). To be dropped at any
    /// moment.
    pub async fn run(&self) -> Result<()> {
        loop {
            let wake = {
                let mut coordinator = self.shared.coordinator.lock();
                coordinator.tick(self.now())?;
                coordinator.next_wake()
            };
            // Busy coordinators pass the time with every request; this is for the quiet ones.
            let wake = self.shared.origin + wake.max(self.now() + Duration::from_millis(10));
            tokio::select! {
                () = sleep_until(wake) => {}
                () = self.shared.changed.notified() => sleep_until(wake.min(Instant::now() + Duration::from_millis(10))).await,
            }
        }
    }

    fn now(&self) -> Duration {
        self.shared.origin.elapsed()
    }
}
