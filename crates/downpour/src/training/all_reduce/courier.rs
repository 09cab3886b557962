//! The thread that carries gradients between workers while the rest of the backward pass computes.
//!
//! Protocol. The graph's `_ExchangeGradients` nodes hand over buckets as the backward pass makes them. The courier
//! carries them in the order of their numbers, one at a time: this order is the same on every worker, so that nobody
//! has to ask; a bucket that comes early waits. A step is over when all buckets are, so between two steps the courier
//! is idle and the wire belongs to whoever tells the others of the next one. The first failure fails the buckets that
//! are there and all that come: the connections have lost step, and training goes on with new ones.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use downpour_collectives::Canceller;
use downpour_ops_collective::{Carrier, Exchanged};
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::{Condvar, Mutex};

use super::wire::Wire;

/// What is in a bucket.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Load {
    /// The whole gradients of these variables.
    Dense(Vec<String>),
    /// Numbers and rows of one.
    Rows,
}

/// What was carried, and how much of the time it took nobody waited for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Carried {
    pub buckets: u64,
    pub bytes: u64,
    /// Of the bytes those that were done before the last bucket of their step was there.
    pub bytes_hidden: u64,
    pub time: Duration,
    /// Of the time that before the last bucket of the step was there: the backward pass still computed.
    pub hidden: Duration,
}

pub(super) struct Courier {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    wire: Arc<Mutex<Wire>>,
    canceller: Canceller,
    loads: Vec<Load>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: HashMap<usize, (Vec<Tensor>, Exchanged)>,
    failed: Option<Status>,
    leaving: bool,
    /// When the last bucket of the step was handed over.
    complete: Option<Instant>,
    /// Buckets of this step so far.
    came: usize,
    carried: Carried,
}

impl Courier {
    pub fn start(wire: Arc<Mutex<Wire>>, loads: Vec<Load>) -> Result<Courier> {
        let canceller = wire.lock().canceller();
        let (state, changed) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { wire, canceller, loads, state, changed });
        let own = shared.clone();
        let thread = std::thread::Builder::new().name("gradients".into()).spawn(move || own.work());
        let thread = thread
            .map_err(|e| Status::resource_exhausted(format!("cannot start a thread: {e}")))?;
        Ok(Courier { shared, thread: Some(thread) })
    }

    /// For the session's steps.
    pub fn carrier(&self) -> Arc<dyn Carrier> {
        self.shared.clone()
    }

    pub fn carried(&self) -> Carried {
        self.shared.state.lock().carried
    }
}

impl Drop for Courier {
    fn drop(&mut self) {
        self.shared.state.lock().leaving = true;
        // Between steps it is idle; this is for a step that ended otherwise.
        self.shared.abandon();
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the thread that carries gradients has panicked");
        }
    }
}

impl Carrier for Shared {
    fn carry(&self, bucket: usize, tensors: Vec<Tensor>, done: Exchanged) {
        let refused = {
            let mut state = self.state.lock();
            if let Some(status) = &state.failed {
                Some((done, status.clone()))
            } else if bucket >= self.loads.len() || state.waiting.contains_key(&bucket) {
                let text = format!("bucket {bucket} of the gradients was not expected");
                Some((done, Status::internal(text)))
            } else {
                state.waiting.insert(bucket, (tensors, done));
                state.came += 1;
                if state.came == self.loads.len() {
                    state.complete = Some(Instant::now());
                }
                None
            }
        };
        match refused {
            Some((done, status)) => done(Err(status)),
            None => {
                self.changed.notify_all();
            }
        }
    }

    fn abandon(&self) {
        let status = Status::cancelled("the step has ended before its gradients were exchanged");
        self.canceller.cancel(status.clone());
        self.fail(status);
    }
}

impl Shared {
    /// Fails what waits and what will come.
    fn fail(&self, status: Status) {
        let waiting = {
            let mut state = self.state.lock();
            state.failed.get_or_insert_with(|| status.clone());
            std::mem::take(&mut state.waiting)
        };
        self.changed.notify_all();
        for (_, (_, done)) in waiting {
            done(Err(status.clone()));
        }
    }

    fn work(&self) {
        let mut next = 0;
        while let Some((tensors, done)) = self.take(next) {
            let (begun, bytes) = (Instant::now(), bytes_of(&tensors));
            let result = self.carry_one(next, tensors);
            self.count(begun, bytes, next + 1 == self.loads.len());
            next = (next + 1) % self.loads.len();
            let failed = result.as_ref().err().cloned();
            done(result);
            if let Some(status) = failed {
                self.fail(status);
            }
        }
    }

    /// The bucket that is next, when it is there; none at the end.
    fn take(&self, bucket: usize) -> Option<(Vec<Tensor>, Exchanged)> {
        let mut state = self.state.lock();
        loop {
            if state.leaving {
                return None;
            }
            if let Some(found) = state.waiting.remove(&bucket) {
                return Some(found);
            }
            self.changed.wait(&mut state);
        }
    }

    fn carry_one(&self, bucket: usize, tensors: Vec<Tensor>) -> Result<Vec<Tensor>> {
        let mut wire = self.wire.lock();
        match (&self.loads[bucket], &tensors[..]) {
            (Load::Dense(names), _) => wire.average(names, tensors),
            (Load::Rows, [indices, rows]) => wire.average_rows(indices, rows),
            (Load::Rows, _) => Err(Status::internal("rows of a gradient without their numbers")),
        }
    }

    fn count(&self, begun: Instant, bytes: usize, last: bool) {
        let mut state = self.state.lock();
        let now = Instant::now();
        // What is done after the last bucket came is what the step waits for.
        let until = state.complete.unwrap_or(now).clamp(begun, now);
        let hidden = state.complete.is_none();
        let carried = &mut state.carried;
        carried.buckets += 1;
        carried.bytes += bytes as u64;
        carried.bytes_hidden += if hidden { bytes as u64 } else { 0 };
        carried.time += now - begun;
        carried.hidden += until - begun;
        if last {
            (state.came, state.complete) = (0, None);
        }
    }
}

fn bytes_of(tensors: &[Tensor]) -> usize {
    tensors.iter().map(Tensor::byte_len).sum()
}
