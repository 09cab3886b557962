//! A coordinator that many connections share.

use std::sync::Arc;
use std::time::Duration;

use downpour_tensor::{Result, Status};
use parking_lot::Mutex;
use prost::Message;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use crate::attendance::Attendance;
use crate::coordinator::Coordinator;
use crate::decision::Decision;
use crate::message::{Answer, Request, Response};

/// A coordinator that many connections share. Clones are the same one.
///
/// [`call`](Service::call) writes to the storage: call it where waiting for a disk is allowed (`spawn_blocking`).
/// Somebody must [`run`](Service::run) it, or time stands still.
///
/// Requests that come while the disk is waited for are answered together, and wait for it once:
/// 1. Whoever calls puts its request in the queue, then takes the coordinator's lock.
/// 2. With the lock, its answer is there already (another took its request along), or its request is still queued: then it
///    takes the whole queue, answers all of it, and puts the answers where their callers find them.
///
/// A request leaves the queue and gets its answer under the same lock, so there is no third case.
#[derive(Clone, Debug)]
pub struct Service {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    coordinator: Mutex<Coordinator>,
    /// The coordinator's.
    attendance: Attendance,
    queue: Mutex<Vec<Queued>>,
    origin: Instant,
    /// The time to wake may be sooner now.
    changed: Notify,
}

/// A request that waits, and the place for its answer.
#[derive(Debug)]
struct Queued {
    request: Request,
    place: Arc<Mutex<Option<Response>>>,
}

impl Service {
    /// Opens a coordinator with `open`, which is told the time, and makes a service of it.
    pub fn open(open: impl FnOnce(Duration) -> Result<Coordinator>) -> Result<Service> {
        let coordinator = open(Duration::ZERO)?;
        let shared = Shared {
            attendance: coordinator.attendance().clone(),
            coordinator: Mutex::new(coordinator),
            queue: Mutex::default(),
            origin: Instant::now(),
            changed: Notify::new(),
        };
        Ok(Service { shared: Arc::new(shared) })
    }

    /// Answers a request.
    pub fn call(&self, request: Request) -> Response {
        let id = request.id;
        let place = Arc::new(Mutex::new(None));
        self.shared.queue.lock().push(Queued { request, place: place.clone() });
        let mut coordinator = self.shared.coordinator.lock();
        if place.lock().is_none() {
            let queued = std::mem::take(&mut *self.shared.queue.lock());
            let (requests, places): (Vec<_>, Vec<_>) =
                queued.into_iter().map(|queued| (queued.request, queued.place)).unzip();
            // The time is taken under the lock: it is never before that of a request that was answered earlier.
            let responses = coordinator.handle_all(self.now(), &requests);
            for (place, response) in places.iter().zip(responses) {
                *place.lock() = Some(response);
            }
            self.shared.changed.notify_one();
        }
        drop(coordinator);
        let answer = place.lock().take();
        answer.unwrap_or_else(|| {
            Response::new(id, Err(Status::internal("a request was taken along and not answered")))
        })
    }

    /// Answers bytes with bytes; also says which member has asked, and its epoch, if it takes part.
    pub fn call_bytes(&self, request: &[u8]) -> (Vec<u8>, Option<(u64, u64)>) {
        let request = match Request::from_bytes(request) {
            Ok(request) => request,
            Err(status) => return (Response::new(0, Err(status)).encode_to_vec(), None),
        };
        let who = Some((request.member, request.epoch)).filter(|(member, _)| *member != 0);
        let response = self.call(request);
        let bytes = response.encode_to_vec();
        let who = match response.result() {
            Ok(Answer::Joined(joined)) => Some((joined.member, joined.epoch)),
            Ok(_) => who,
            Err(_) => None,
        };
        (bytes, who)
    }

    /// Who is connected.
    pub fn attendance(&self) -> &Attendance {
        &self.shared.attendance
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
