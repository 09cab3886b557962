//! Messages about what strangers do: written now and then, however often it happens.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// The time between two messages of one kind.
const PERIOD: Duration = Duration::from_secs(10);

/// Says when a message may be written, and for how many events it stands.
#[derive(Default)]
pub struct Throttle(Mutex<Events>);

#[derive(Default)]
struct Events {
    written: Option<Instant>,
    since: u64,
}

impl Throttle {
    /// Counts an event. Returns the number of events since the last message if it is time for another one.
    pub fn count(&self) -> Option<u64> {
        self.count_at(Instant::now())
    }

    fn count_at(&self, now: Instant) -> Option<u64> {
        let mut events = self.0.lock();
        events.since += 1;
        if events.written.is_some_and(|written| now.saturating_duration_since(written) < PERIOD) {
            return None;
        }
        events.written = Some(now);
        Some(std::mem::take(&mut events.since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_message_stands_for_many_events() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        assert_eq!(throttle.count_at(start), Some(1));
        (0..50).for_each(|_| assert_eq!(throttle.count_at(start), None));
        assert_eq!(throttle.count_at(start + PERIOD), Some(51));
    }
}
