//! How long a run that was told to stop still waits for others.
//!
//! Protocol. Training waits for other tasks in many places: for a session, for values, for an exchange, inside of a
//! step. Each of these waits takes the token of the current phase and ends with CANCELLED when the token is cancelled.
//!
//! 1. In the first phase the step under way may still end: its token is cancelled [`STEP_GRACE`] after the stop flag
//!    was set.
//! 2. [`Stopping::last_values`] begins the second phase, with a token of its own, in which values are fetched for the
//!    last checkpoint. It is cancelled [`VALUES_GRACE`] after the stop flag was set, however long the first one took.
//!
//! Signal handlers only set the flag; a thread looks at it and cancels. So nothing here depends on whether the thread
//! that waits ever wakes up by itself.

mod runner;
mod waits;

use std::sync::{Arc, Weak};
use std::time::Duration;

use downpour_runtime::{CancelGuard, CancellationToken};
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

use super::trainer::StopFlag;
pub(crate) use runner::Interruptible;
pub(crate) use waits::Waits;

/// How long the step under way may go on after training was told to stop.
pub(crate) const STEP_GRACE: Duration = Duration::from_secs(5);
/// How long after the same moment values for the last checkpoint are waited for.
pub(crate) const VALUES_GRACE: Duration = Duration::from_secs(10);
/// How often the flag is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Ends the waits of a run that was told to stop. Clones are the same.
#[derive(Clone)]
pub(crate) struct Stopping(Arc<Shared>);

struct Shared {
    flag: StopFlag,
    /// Of the second phase.
    values_grace: Duration,
    phase: Mutex<Phase>,
}

struct Phase {
    token: CancellationToken,
    /// That of the first phase, in the second: what was begun with it and still waits ends with the second.
    earlier: Option<CancellationToken>,
    grace: Duration,
}

impl Stopping {
    /// Starts to look at the flag.
    pub fn watch(flag: &StopFlag) -> Result<Stopping> {
        Stopping::watch_for(flag, STEP_GRACE, VALUES_GRACE)
    }

    fn watch_for(flag: &StopFlag, grace: Duration, values_grace: Duration) -> Result<Stopping> {
        let token = CancellationToken::new();
        let phase = Mutex::new(Phase { token, earlier: None, grace });
        let shared = Arc::new(Shared { flag: flag.clone(), values_grace, phase });
        let theirs = Arc::downgrade(&shared);
        std::thread::Builder::new()
            .name("stopping".into())
            .spawn(move || look(&theirs))
            .map_err(|e| Status::resource_exhausted(format!("cannot start a thread: {e}")))?;
        Ok(Stopping(shared))
    }

    /// True if training was told to stop.
    pub fn is_set(&self) -> bool {
        self.0.flag.is_set()
    }

    /// Begins the second phase; a call in the second phase changes nothing.
    pub fn last_values(&self) {
        let (mut phase, grace) = (self.0.phase.lock(), self.0.values_grace);
        if phase.grace < grace {
            let earlier = std::mem::replace(&mut phase.token, CancellationToken::new());
            (phase.earlier, phase.grace) = (Some(earlier), grace);
        }
    }

    /// True if waiting is over in the current phase.
    pub fn is_over(&self) -> bool {
        self.0.phase.lock().token.is_cancelled()
    }

    /// Calls back when waiting is over in the current phase, unless the guard is dropped before.
    pub fn on_over(&self, callback: impl FnOnce() + Send + 'static) -> CancelGuard {
        let token = self.0.phase.lock().token.clone();
        token.on_cancel(callback)
    }

    fn end_phase(&self) {
        let Some(since) = self.0.flag.since() else { return };
        let over = {
            let phase = self.0.phase.lock();
            let tokens = phase.earlier.iter().chain([&phase.token]);
            let over = since.elapsed() >= phase.grace;
            let open = tokens.filter(|token| over && !token.is_cancelled());
            open.cloned().collect::<Vec<CancellationToken>>()
        };
        // Their callbacks take locks of their own.
        over.iter().for_each(CancellationToken::cancel);
    }
}

fn look(shared: &Weak<Shared>) {
    while let Some(shared) = shared.upgrade() {
        Stopping(shared).end_phase();
        std::thread::sleep(LOOK);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn waits_end_some_time_after_the_flag_and_not_before() {
        let flag = StopFlag::default();
        let (first, second) = (Duration::from_millis(200), Duration::from_millis(700));
        let stopping = Stopping::watch_for(&flag, first, second).unwrap();
        let (tell, told) = std::sync::mpsc::channel();
        let _guard = stopping.on_over(move || tell.send(Instant::now()).unwrap());
        assert!(!stopping.is_over());
        let begun = Instant::now();
        flag.stop();
        assert!(told.recv().unwrap() - begun >= first);
        assert!(stopping.is_over());
        // The values of the last checkpoint get time of their own.
        stopping.last_values();
        assert!(!stopping.is_over());
        while !stopping.is_over() {
            std::thread::sleep(LOOK);
        }
        assert!(begun.elapsed() >= second);
    }

    #[test]
    fn what_was_begun_before_the_last_values_ends_with_them() {
        let flag = StopFlag::default();
        let (first, second) = (Duration::from_millis(100), Duration::from_millis(300));
        let stopping = Stopping::watch_for(&flag, first, second).unwrap();
        let (tell, told) = std::sync::mpsc::channel();
        let _guard = stopping.on_over(move || tell.send(Instant::now()).unwrap());
        stopping.last_values();
        let begun = Instant::now();
        flag.stop();
        assert!(told.recv().unwrap() - begun >= second);
    }
}
