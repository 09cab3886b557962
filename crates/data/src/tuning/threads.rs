//! How many threads a map has.
//!
//! The reader looks at the end of every period: how many elements came, and how long it has waited for them. While it
//! waits, a thread is added; if the next period is not quicker, the thread goes again and the number rests for a while,
//! because what holds the map up is then not its threads. If the reader has waited for nothing in several periods, a
//! thread goes, as others may need its processor.

use std::time::{Duration, Instant};

/// A period is at least so long, and so many results.
const PERIOD: Duration = Duration::from_millis(40);
const RESULTS: u64 = 16;
/// The share of a period that the reader may wait without a thread being added.
const WAITING: f64 = 0.1;
/// How much quicker a period with one more thread must be.
const GAIN: f64 = 1.05;
/// Periods without waiting after which a thread goes.
const CALM: u32 = 25;
/// Periods for which the number rests.
const REST: u32 = 50;

/// A number of threads that follows what the reader measures.
#[derive(Debug)]
pub(crate) struct Threads {
    active: usize,
    most: usize,
    begun: Instant,
    waited: Duration,
    results: u64,
    elements: u64,
    /// The rate before a thread was added.
    rate_before: Option<f64>,
    calm: u32,
    rest: u32,
}

impl Threads {
    /// Returns one thread that may become `most`.
    pub fn new(most: usize, now: Instant) -> Threads {
        Threads {
            active: 1,
            most: most.max(1),
            begun: now,
            waited: Duration::ZERO,
            results: 0,
            elements: 0,
            rate_before: None,
            calm: 0,
            rest: 0,
        }
    }

    /// Notes that the reader got a result of so many elements after it had waited so long. Returns how many threads
    /// there should be if the number has changed.
    pub fn note(&mut self, now: Instant, waited: Duration, elements: u64) -> Option<usize> {
        self.waited += waited;
        self.results += 1;
        self.elements += elements;
        let took = now.saturating_duration_since(self.begun);
        if took < PERIOD || self.results < RESULTS {
            return None;
        }
        let rate = self.elements as f64 / took.as_secs_f64();
        let share = self.waited.as_secs_f64() / took.as_secs_f64();
        (self.begun, self.waited, self.results, self.elements) = (now, Duration::ZERO, 0, 0);
        let before = self.active;
        self.decide(rate, share);
        (self.active != before).then_some(self.active)
    }

    fn decide(&mut self, rate: f64, share: f64) {
        if let Some(rate_before) = self.rate_before.take()
            && rate < rate_before * GAIN
        {
            self.active -= 1;
            self.rest = REST;
            return;
        }
        if self.rest > 0 {
            self.rest -= 1;
        } else if share > WAITING {
            self.calm = 0;
            if self.active < self.most {
                self.active += 1;
                self.rate_before = Some(rate);
            }
        } else if share < WAITING / 10.0 && self.active > 1 {
            self.calm += 1;
            if self.calm == CALM {
                (self.calm, self.active) = (0, self.active - 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs periods in which the map makes `rate(threads)` elements per second and the reader takes at most `wanted`.
    fn settle(threads: &mut Threads, periods: u32, rate: impl Fn(usize) -> f64, wanted: f64) {
        let mut now = threads.begun;
        for _ in 0..periods {
            let made = rate(threads.active);
            let took = PERIOD.as_secs_f64() / RESULTS as f64;
            let waited = if made < wanted { took * (1.0 - made / wanted) } else { 0.0 };
            let elements = made.min(wanted) * took;
            for _ in 0..RESULTS {
                now += Duration::from_secs_f64(took * 1.001);
                threads.note(now, Duration::from_secs_f64(waited), (elements * 1000.0) as u64);
            }
        }
    }

    #[test]
    fn threads_are_added_while_they_help() {
        let mut threads = Threads::new(16, Instant::now());
        settle(&mut threads, 30, |n| n.min(4) as f64 * 100.0, 1e9);
        assert_eq!(threads.active, 4);
    }

    #[test]
    fn one_thread_stays_alone_if_its_reader_is_slow() {
        let mut threads = Threads::new(16, Instant::now());
        settle(&mut threads, 30, |n| n as f64 * 100.0, 50.0);
        assert_eq!(threads.active, 1);
    }

    #[test]
    fn threads_go_when_the_reader_has_become_slow() {
        let mut threads = Threads::new(4, Instant::now());
        settle(&mut threads, 30, |n| n as f64 * 100.0, 1e9);
        assert_eq!(threads.active, 4);
        settle(&mut threads, 4 * CALM, |n| n as f64 * 100.0, 90.0);
        assert_eq!(threads.active, 1);
    }

    #[test]
    fn a_number_that_did_not_help_rests() {
        let mut threads = Threads::new(8, Instant::now());
        settle(&mut threads, 3, |_| 100.0, 1e9);
        assert_eq!(threads.active, 1);
        settle(&mut threads, REST - 3, |_| 100.0, 1e9);
        assert_eq!((threads.active, threads.rate_before), (1, None));
    }
}
