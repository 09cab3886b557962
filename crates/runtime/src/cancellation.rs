//! Tells waiting work to stop.
//!
//! Protocol. `cancel` sets the flag and takes the callbacks under one lock, then runs them outside of
//! it. `on_cancel` under the same lock either sees the flag (and the callback runs at once, in the
//! caller) or stores the callback. So a callback runs exactly once if cancellation ever happens while
//! its guard lives, and never after the guard was dropped, except when `cancel` already took it.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

/// What everything that stops for this reason answers.
pub(crate) fn step_was_cancelled() -> Status {
    Status::cancelled("Step was cancelled").derived()
}

type Callback = Box<dyn FnOnce() + Send>;

#[derive(Clone, Default)]
pub struct CancellationToken(Arc<Inner>);

#[derive(Default)]
struct Inner {
    cancelled: AtomicBool,
    callbacks: Mutex<Callbacks>,
}

#[derive(Default)]
struct Callbacks {
    next: u64,
    waiting: HashMap<u64, Callback>,
}

/// Deregisters its callback when dropped.
#[must_use = "dropping the guard deregisters the callback"]
pub struct CancelGuard {
    token: CancellationToken,
    id: Option<u64>,
}

impl CancellationToken {
    pub fn new() -> CancellationToken {
        CancellationToken::default()
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Acquire)
    }

    /// The error of work that stops because the step was cancelled, once it is. The root cause is reported elsewhere.
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(step_was_cancelled()) } else { Ok(()) }
    }

    pub fn cancel(&self) {
        let taken = {
            let mut callbacks = self.0.callbacks.lock();
            self.0.cancelled.store(true, Ordering::Release);
            std::mem::take(&mut callbacks.waiting)
        };
        taken.into_values().for_each(|callback| callback());
    }

    /// Calls back when cancelled; at once if that has already happened.
    pub fn on_cancel(&self, callback: impl FnOnce() + Send + 'static) -> CancelGuard {
        let mut callbacks = self.0.callbacks.lock();
        if self.is_cancelled() {
            drop(callbacks);
            callback();
            return CancelGuard { token: self.clone(), id: None };
        }
        let id = callbacks.next;
        callbacks.next += 1;
        callbacks.waiting.insert(id, Box::new(callback));
        CancelGuard { token: self.clone(), id: Some(id) }
    }
}

impl Drop for CancelGuard {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            let callback = self.token.0.callbacks.lock().waiting.remove(&id);
            // The callback may own things whose drop takes locks: outside of ours.
            drop(callback);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn callbacks_run_once_and_not_after_their_guard() {
        let token = CancellationToken::new();
        let count = Arc::new(AtomicU32::new(0));
        let bump = |by: u32| {
            let count = count.clone();
            move || {
                count.fetch_add(by, Ordering::Relaxed);
            }
        };
        let kept = token.on_cancel(bump(1));
        drop(token.on_cancel(bump(10)));
        token.cancel();
        token.cancel();
        let late = token.on_cancel(bump(100));
        assert_eq!(count.load(Ordering::Relaxed), 101);
        drop((kept, late));
    }
}
