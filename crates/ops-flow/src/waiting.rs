//! State that several steps wait on, without holding threads.
//!
//! Protocol. A wish that cannot be granted at once waits in line. Whoever changes the state then
//! tries the line again (only its head, or everybody, as the state's owner chose) and tells those
//! whose wish was granted after the lock is released, since that may run the rest of a step. A wish
//! that waits registers with its step's cancellation outside of the lock and then looks whether it
//! still waits, so it ends exactly once: by whoever takes it out of the line.

use std::collections::VecDeque;
use std::sync::Arc;

use downpour_runtime::{CancelGuard, CancellationToken};
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

type Done<R> = Box<dyn FnOnce(Result<R>) + Send>;

/// Grants a wish if the state allows it now.
pub(crate) type Serve<S, W, R> = fn(&mut S, &mut W) -> Option<Result<R>>;

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Order {
    /// The first in line blocks those behind it.
    Strict,
    /// Whoever can be served is.
    Any,
}

pub(crate) struct Monitor<S, W, R> {
    inner: Mutex<Inner<S, W, R>>,
    serve: Serve<S, W, R>,
    order: Order,
    /// What a cancelled wish is told.
    cancelled: &'static str,
}

struct Inner<S, W, R> {
    state: S,
    line: VecDeque<Attempt<W, R>>,
    next_id: u64,
}

struct Attempt<W, R> {
    id: u64,
    wish: W,
    done: Done<R>,
    guard: Option<CancelGuard>,
}

type Finished<W, R> = Vec<(Attempt<W, R>, Result<R>)>;

impl<S, W, R> Monitor<S, W, R>
where
    S: Send + 'static,
    W: Send + 'static,
    R: Send + 'static,
{
    pub(crate) fn new(
        state: S,
        serve: Serve<S, W, R>,
        order: Order,
        cancelled: &'static str,
    ) -> Arc<Monitor<S, W, R>> {
        let inner = Inner { state, line: VecDeque::new(), next_id: 0 };
        Arc::new(Monitor { inner: Mutex::new(inner), serve, order, cancelled })
    }

    pub(crate) fn look<T>(&self, look: impl FnOnce(&S) -> T) -> T {
        look(&self.inner.lock().state)
    }

    /// Changes the state and serves those whom the change helps.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut S) -> T) -> T {
        let mut finished = Vec::new();
        let result = {
            let mut inner = self.inner.lock();
            let result = change(&mut inner.state);
            self.advance(&mut inner, &mut finished);
            result
        };
        finish(finished);
        result
    }

    /// Asks for something, waiting until it can be had.
    pub(crate) fn ask(
        self: &Arc<Self>,
        token: &CancellationToken,
        wish: W,
        done: impl FnOnce(Result<R>) + Send + 'static,
    ) {
        if token.is_cancelled() {
            return done(Err(Status::cancelled(self.cancelled)));
        }
        let mut finished = Vec::new();
        let waiting = {
            let mut inner = self.inner.lock();
            let id = inner.next_id;
            inner.next_id += 1;
            inner.line.push_back(Attempt { id, wish, done: Box::new(done), guard: None });
            self.advance(&mut inner, &mut finished);
            inner.line.iter().any(|a| a.id == id).then_some(id)
        };
        if let Some(id) = waiting {
            let monitor = self.clone();
            let guard = token.on_cancel(move || monitor.cancel(id));
            let unused = match self.inner.lock().line.iter_mut().find(|a| a.id == id) {
                Some(attempt) => attempt.guard.replace(guard),
                None => Some(guard),
            };
            drop(unused);
        }
        finish(finished);
    }

    fn cancel(&self, id: u64) {
        let mut finished = Vec::new();
        {
            let mut inner = self.inner.lock();
            let at = inner.line.iter().position(|a| a.id == id);
            if let Some(attempt) = at.and_then(|at| inner.line.remove(at)) {
                finished.push((attempt, Err(Status::cancelled(self.cancelled))));
            }
            self.advance(&mut inner, &mut finished);
        }
        finish(finished);
    }

    fn advance(&self, inner: &mut Inner<S, W, R>, finished: &mut Finished<W, R>) {
        let mut at = 0;
        while at < inner.line.len() {
            match (self.serve)(&mut inner.state, &mut inner.line[at].wish) {
                Some(result) => {
                    if let Some(attempt) = inner.line.remove(at) {
                        finished.push((attempt, result));
                    }
                    // What was granted may have made room for those before.
                    at = 0;
                }
                None if self.order == Order::Strict => return,
                None => at += 1,
            }
        }
    }
}

fn finish<W, R>(finished: Finished<W, R>) {
    for (attempt, result) in finished {
        drop(attempt.guard);
        (attempt.done)(result);
    }
}
