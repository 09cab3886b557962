//! Calls back after a while: deadlines of steps and of waiting kernels.
//!
//! One thread serves the process; it starts with the first timer and sleeps until the next is due.

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

type Callback = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Timers {
    waiting: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    due: BTreeMap<(Instant, u64), Callback>,
    next: u64,
}

/// Cancels its callback when dropped.
#[must_use = "dropping the guard cancels the timer"]
pub struct TimerGuard((Instant, u64));

fn timers() -> &'static Timers {
    static TIMERS: OnceLock<Timers> = OnceLock::new();
    static STARTED: OnceLock<()> = OnceLock::new();
    let timers = TIMERS.get_or_init(Timers::default);
    STARTED.get_or_init(|| {
        let spawned = std::thread::Builder::new().name("timer".into()).spawn(serve);
        // Without a thread there are no deadlines; steps still end by themselves.
        drop(spawned);
    });
    timers
}

/// Calls `callback` on the timer thread once `delay` has passed, unless the guard is dropped before.
/// The callback must be quick: all timers share one thread.
pub fn after(delay: Duration, callback: impl FnOnce() + Send + 'static) -> TimerGuard {
    let timers = timers();
    let mut state = timers.waiting.lock();
    // A delay beyond what the clock can express is a day: nobody waits that long for one step.
    let at =
        Instant::now().checked_add(delay).unwrap_or(Instant::now() + Duration::from_secs(86_400));
    let key = (at, state.next);
    state.next += 1;
    state.due.insert(key, Box::new(callback));
    drop(state);
    timers.changed.notify_one();
    TimerGuard(key)
}

impl Drop for TimerGuard {
    fn drop(&mut self) {
        let callback = timers().waiting.lock().due.remove(&self.0);
        drop(callback);
    }
}

fn serve() {
    let timers = timers();
    let mut state = timers.waiting.lock();
    loop {
        let now = Instant::now();
        match state.due.first_key_value().map(|(key, _)| *key) {
            None => timers.changed.wait(&mut state),
            Some((at, _)) if at > now => {
                timers.changed.wait_until(&mut state, at);
            }
            Some(key) => {
                let callback = state.due.remove(&key);
                parking_lot::MutexGuard::unlocked(&mut state, || {
                    if let Some(callback) = callback {
                        callback();
                    }
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn timers_fire_in_order_and_dropped_ones_do_not() {
        let (send, receive) = mpsc::channel();
        let at = |ms: u64, name: &'static str| {
            let send = send.clone();
            after(Duration::from_millis(ms), move || send.send(name).unwrap())
        };
        // An hour, so that the order does not depend on how long this thread takes between two lines.
        let late = at(3_600_000, "late");
        drop(at(1, "dropped"));
        let _early = at(20, "early");
        assert_eq!(receive.recv().unwrap(), "early");
        drop(late);
        let _next = at(1, "next");
        assert_eq!(receive.recv().unwrap(), "next");
    }
}
