//! A server's processor: one thing after the other, each in its time.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bytes::Bytes;
use downpour_params::{Compute, Gradient, Named, PlainValues, Values};
use downpour_tensor::{Result, Tensor};
use parking_lot::Mutex;
use tokio::time::Instant;

use super::clock::{nanoseconds, stretched};

/// Whatever is asked of it takes as long as a push; from [`Processor::begin`] on.
pub(super) struct Processor {
    push: f64,
    free: Mutex<Option<Instant>>,
    begun: AtomicBool,
    /// Nanoseconds of what was applied besides, of a step of all workers.
    owed: Arc<AtomicU64>,
}

impl Processor {
    pub fn new(push: f64, owed: Arc<AtomicU64>) -> Processor {
        Processor { push, free: Mutex::default(), begun: AtomicBool::new(false), owed }
    }

    pub fn begin(&self) {
        self.owed.store(0, Ordering::Relaxed);
        self.begun.store(true, Ordering::Relaxed);
    }

    /// Until it has worked so long, after all that was asked before.
    fn reserve(&self, nanoseconds: u64) -> Instant {
        let now = Instant::now();
        let mut free = self.free.lock();
        let begin = free.map_or(now, |free| free.max(now));
        let end = begin + stretched(std::time::Duration::from_nanos(nanoseconds));
        *free = Some(end);
        end
    }
}

/// To be shared: what it runs outlives the request.
pub(super) struct Shared(pub Arc<Processor>);

impl Compute for Shared {
    fn run(&self, work: Box<dyn FnOnce() + Send>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let processor = self.0.clone();
        Box::pin(async move {
            if !processor.begun.load(Ordering::Relaxed) {
                return work();
            }
            tokio::time::sleep_until(processor.reserve(nanoseconds(processor.push))).await;
            work();
            let owed = processor.owed.swap(0, Ordering::Relaxed);
            if owed > 0 {
                tokio::time::sleep_until(processor.reserve(owed)).await;
            }
        })
    }
}

/// Variables that know what applying to them takes.
pub(super) struct Metered {
    pub plain: PlainValues,
    /// Seconds for all of them; nothing where a push is applied at once and paid for as such.
    pub apply: f64,
    pub owed: Arc<AtomicU64>,
}

impl Values for Metered {
    fn define(&self, program: &Bytes) -> Result<()> {
        self.plain.define(program)
    }

    fn apply(&self, gradients: Vec<Named<Gradient>>, steps: u64) -> Result<()> {
        self.owed.fetch_add(nanoseconds(self.apply), Ordering::Relaxed);
        self.plain.apply(gradients, steps)
    }

    fn get(&self, name: &str) -> Result<Tensor> {
        self.plain.get(name)
    }

    fn set(&self, name: &str, value: Tensor) -> Result<()> {
        self.plain.set(name, value)
    }

    fn names(&self) -> Vec<String> {
        self.plain.names()
    }
}
