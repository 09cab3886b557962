//! When a session was used last and what for: how abandoned ones are found.

use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::time::{Duration, Instant};

use crate::metrics::{Running, Work};

/// Moments are milliseconds since the session was created, plus one; zero is never.
const NEVER: u64 = 0;

/// The life of one session so far.
#[derive(Debug)]
pub struct Activity {
    created: Instant,
    calls: AtomicU32,
    last_call: AtomicU64,
    pub steps: Arc<Work>,
    last_step: AtomicU64,
    nodes: AtomicU64,
}

impl Activity {
    pub fn new() -> Activity {
        Activity {
            created: Instant::now(),
            calls: AtomicU32::new(0),
            last_call: AtomicU64::new(1),
            steps: Arc::default(),
            last_step: AtomicU64::new(NEVER),
            nodes: AtomicU64::new(0),
        }
    }

    pub fn age(&self) -> Duration {
        self.created.elapsed()
    }

    fn now(&self) -> u64 {
        self.age().as_millis() as u64 + 1
    }

    fn since(&self, moment: u64) -> Duration {
        Duration::from_millis(self.now().saturating_sub(moment))
    }

    /// A call begins; every one must be ended with `end_call`.
    pub fn begin_call(&self) {
        self.calls.fetch_add(1, Relaxed);
    }

    pub fn end_call(&self) {
        // In this order: whoever sees no call sees the end of the last one.
        self.last_call.fetch_max(self.now(), Relaxed);
        self.calls.fetch_sub(1, Release);
    }

    /// How long nobody has used the session; a call under way uses it, however long it takes.
    pub fn idle(&self) -> Duration {
        if self.calls.load(Acquire) > 0 {
            return Duration::ZERO;
        }
        self.since(self.last_call.load(Relaxed))
    }

    /// Counts a step as running until the guard is dropped.
    pub fn step(&self) -> RunningStep<'_> {
        RunningStep { activity: self, _counted: self.steps.begin() }
    }

    pub fn since_step(&self) -> Option<Duration> {
        match self.last_step.load(Relaxed) {
            NEVER => None,
            moment => Some(self.since(moment)),
        }
    }

    /// The client has sent more nodes.
    pub fn grown(&self, nodes: usize) {
        self.nodes.fetch_add(nodes as u64, Relaxed);
    }

    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }
}

/// A step of a session while it runs.
pub struct RunningStep<'a> {
    activity: &'a Activity,
    _counted: Running,
}

impl Drop for RunningStep<'_> {
    fn drop(&mut self) {
        self.activity.last_step.fetch_max(self.activity.now(), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_under_way_is_no_idleness() {
        let activity = Activity::new();
        activity.begin_call();
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(activity.idle(), Duration::ZERO);
        activity.end_call();
        std::thread::sleep(Duration::from_millis(5));
        assert!(activity.idle() >= Duration::from_millis(4));
        assert!(activity.idle() < activity.age());
    }

    #[test]
    fn steps_are_counted_when_they_end() {
        let activity = Activity::new();
        let step = activity.step();
        assert_eq!((activity.steps.running(), activity.since_step()), (1, None));
        drop(step);
        assert_eq!((activity.steps.running(), activity.steps.ended()), (0, 1));
        assert!(activity.since_step().is_some());
    }
}
