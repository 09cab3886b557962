//! Saves checkpoints on a thread of its own, so that training goes on meanwhile.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use downpour_tensor::{Result, Status};
use parking_lot::{Condvar, Mutex};

use super::Checkpoint;
use super::manager::{CheckpointManager, Saved};

#[derive(Default)]
struct State {
    /// Waits to be written; a newer one takes its place.
    pending: Option<Checkpoint>,
    writing: bool,
    stopping: bool,
    /// The thread is gone.
    ended: bool,
    /// Of a save that failed, until somebody has been told.
    error: Option<Status>,
    saved: Option<Saved>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// Saves in the background. At most one checkpoint is being written and one waits; its tensors share
/// memory with the caller's. Dropping it finishes what was begun.
pub struct BackgroundSaver {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<CheckpointManager>>,
}

impl BackgroundSaver {
    /// Starts the thread.
    pub fn new(manager: CheckpointManager) -> Result<BackgroundSaver> {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("checkpoints".into())
            .spawn(move || write_all(manager, &theirs))
            .map_err(|e| Status::resource_exhausted(format!("cannot start a thread: {e}")))?;
        Ok(BackgroundSaver { shared, thread: Some(thread) })
    }

    /// Hands a checkpoint over and returns at once. If one is still waiting, the new one takes its
    /// place, and its step is returned. The error of an earlier save is returned by the next call of
    /// any method; `checkpoint` is taken nevertheless.
    pub fn save(&self, checkpoint: Checkpoint) -> Result<Option<i64>> {
        let mut state = self.shared.state.lock();
        if state.ended {
            return Err(Status::internal("the thread that saves checkpoints has ended"));
        }
        let replaced = state.pending.replace(checkpoint).map(|old| old.step);
        self.shared.changed.notify_all();
        state.error.take().map_or(Ok(replaced), Err)
    }

    /// Returns the error of a save that has failed since somebody asked last, without waiting.
    pub fn check(&self) -> Result<()> {
        self.shared.state.lock().error.take().map_or(Ok(()), Err)
    }

    /// The last checkpoint that was saved.
    pub fn last_saved(&self) -> Option<Saved> {
        self.shared.state.lock().saved.clone()
    }

    /// Waits until everything handed over is saved.
    pub fn wait(&self) -> Result<()> {
        let mut state = self.shared.state.lock();
        while state.pending.is_some() || state.writing {
            self.shared.changed.wait(&mut state);
        }
        state.error.take().map_or(Ok(()), Err)
    }

    /// Waits at most so long; false if something is still being saved.
    pub fn wait_for(&self, time: Duration) -> Result<bool> {
        let until = Instant::now() + time;
        let mut state = self.shared.state.lock();
        while state.pending.is_some() || state.writing {
            if self.shared.changed.wait_until(&mut state, until).timed_out() {
                break;
            }
        }
        let done = state.pending.is_none() && !state.writing;
        state.error.take().map_or(Ok(done), Err)
    }

    /// Waits until everything is saved and gives the manager back.
    pub fn close(mut self) -> Result<CheckpointManager> {
        let manager = self.stop()?;
        self.wait()?;
        Ok(manager)
    }

    fn stop(&mut self) -> Result<CheckpointManager> {
        self.shared.state.lock().stopping = true;
        self.shared.changed.notify_all();
        self.thread
            .take()
            .and_then(|thread| thread.join().ok())
            .ok_or_else(|| Status::internal("the thread that saves checkpoints panicked"))
    }
}

impl Drop for BackgroundSaver {
    fn drop(&mut self) {
        if self.thread.is_some() {
            let _ = self.stop();
        }
    }
}

/// Whatever ends the thread, nobody waits for it afterwards.
struct Finished<'a>(&'a Shared);

impl Drop for Finished<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        state.writing = false;
        state.ended = true;
        if state.pending.take().is_some() {
            state.error.get_or_insert(Status::internal("a checkpoint was handed over too late"));
        }
        self.0.changed.notify_all();
    }
}

fn write_all(mut manager: CheckpointManager, shared: &Shared) -> CheckpointManager {
    let _finished = Finished(shared);
    let mut state = shared.state.lock();
    loop {
        match state.pending.take() {
            Some(checkpoint) => {
                state.writing = true;
                drop(state);
                let result = manager.save(&checkpoint);
                drop(checkpoint);
                state = shared.state.lock();
                state.writing = false;
                match result {
                    Ok(saved) => state.saved = Some(saved),
                    Err(error) => drop(state.error.get_or_insert(error)),
                }
                shared.changed.notify_all();
            }
            None if state.stopping => return manager,
            None => shared.changed.wait(&mut state),
        }
    }
}
