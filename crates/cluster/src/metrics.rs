//! What a task has done: counters that cost an atomic addition each, and rates from samples of them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Rates are over about this many seconds.
const WINDOW: usize = 10;

/// Pieces of work of one kind: how many have ended, how many run.
#[derive(Debug, Default)]
pub struct Work {
    ended: AtomicU64,
    running: AtomicU32,
}

impl Work {
    /// Counts one as running until the guard is dropped, and as ended from then on.
    pub fn begin(self: &Arc<Self>) -> Running {
        self.running.fetch_add(1, Relaxed);
        Running(self.clone())
    }

    pub fn ended(&self) -> u64 {
        self.ended.load(Relaxed)
    }

    pub fn running(&self) -> u32 {
        self.running.load(Relaxed)
    }
}

/// A piece of work that runs.
pub struct Running(Arc<Work>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.ended.fetch_add(1, Relaxed);
        self.0.running.fetch_sub(1, Relaxed);
    }
}

/// The counters of one task.
#[derive(Debug)]
pub struct Metrics {
    started: Instant,
    /// Steps of the sessions whose master this task is.
    pub steps: Arc<Work>,
    /// Parts of steps over several tasks, run here for whatever master.
    pub parts: Arc<Work>,
    bytes_in: AtomicU64,
    bytes_out: AtomicU64,
    samples: Mutex<VecDeque<Totals>>,
}

/// All counters at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Totals {
    at: Instant,
    pub steps: u64,
    pub parts: u64,
    pub bytes_in: u64,
    pub bytes_out: u64,
}

/// How fast the counters grow.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rates {
    /// Over how long.
    pub window: Duration,
    pub steps: f64,
    pub parts: f64,
    pub bytes_in: f64,
    pub bytes_out: f64,
}

impl Metrics {
    pub fn new() -> Arc<Metrics> {
        let metrics = Metrics {
            started: Instant::now(),
            steps: Arc::default(),
            parts: Arc::default(),
            bytes_in: AtomicU64::new(0),
            bytes_out: AtomicU64::new(0),
            samples: Mutex::default(),
        };
        metrics.sample();
        Arc::new(metrics)
    }

    pub fn uptime(&self) -> Duration {
        self.started.elapsed()
    }

    /// Bytes that came over the network.
    pub fn received(&self, bytes: usize) {
        self.bytes_in.fetch_add(bytes as u64, Relaxed);
    }

    /// Bytes that went out.
    pub fn sent(&self, bytes: usize) {
        self.bytes_out.fetch_add(bytes as u64, Relaxed);
    }

    pub fn totals(&self) -> Totals {
        Totals {
            at: Instant::now(),
            steps: self.steps.ended(),
            parts: self.parts.ended(),
            bytes_in: self.bytes_in.load(Relaxed),
            bytes_out: self.bytes_out.load(Relaxed),
        }
    }

    /// Keeps the counters of this moment; called once a second.
    pub fn sample(&self) {
        let mut samples = self.samples.lock();
        if samples.len() > WINDOW {
            samples.pop_front();
        }
        samples.push_back(self.totals());
    }

    /// The growth since the oldest sample.
    pub fn rates(&self) -> Rates {
        let oldest = self.samples.lock().front().copied();
        oldest.map_or(Rates::default(), |oldest| Rates::between(&oldest, &self.totals()))
    }
}

impl Rates {
    fn between(from: &Totals, to: &Totals) -> Rates {
        let window = to.at.saturating_duration_since(from.at);
        // A moment after the start nothing can be said yet.
        let seconds = window.as_secs_f64().max(1e-3);
        let rate = |from: u64, to: u64| to.saturating_sub(from) as f64 / seconds;
        Rates {
            window,
            steps: rate(from.steps, to.steps),
            parts: rate(from.parts, to.parts),
            bytes_in: rate(from.bytes_in, to.bytes_in),
            bytes_out: rate(from.bytes_out, to.bytes_out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_counted_when_it_ends() {
        let metrics = Metrics::new();
        let running = metrics.steps.begin();
        assert_eq!((metrics.steps.running(), metrics.totals().steps), (1, 0));
        drop(running);
        assert_eq!((metrics.steps.running(), metrics.totals().steps), (0, 1));
    }

    #[test]
    fn rates_are_over_the_last_samples() {
        let at = Instant::now();
        let totals = |seconds, steps, bytes_in| Totals {
            at: at + Duration::from_secs(seconds),
            steps,
            parts: 0,
            bytes_in,
            bytes_out: 7,
        };
        let rates = Rates::between(&totals(0, 10, 0), &totals(10, 30, 5000));
        assert_eq!((rates.steps, rates.bytes_in, rates.bytes_out), (2.0, 500.0, 0.0));
        assert_eq!(rates.window, Duration::from_secs(10));
    }

    #[test]
    fn old_samples_are_forgotten() {
        let metrics = Metrics::new();
        (0..50).for_each(|_| metrics.sample());
        assert_eq!(metrics.samples.lock().len(), WINDOW + 1);
    }
}
