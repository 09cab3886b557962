//! A kernel that waits for its answer.
//!
//! Its context lies in a slot until somebody answers. Whoever answers and the cancellation of the step take it out under
//! the slot's lock, so it is finished exactly once.

use std::sync::Arc;

use downpour_runtime::{AsyncContext, CancelGuard};
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

pub(super) struct Waiter {
    context: Arc<Mutex<Option<AsyncContext>>>,
    _cancel: CancelGuard,
}

impl Waiter {
    /// Lets a kernel wait until it is answered or its step is cancelled.
    pub fn new(cx: AsyncContext) -> Waiter {
        let cancellation = cx.step().cancellation().clone();
        let context = Arc::new(Mutex::new(Some(cx)));
        let theirs = context.clone();
        let _cancel = cancellation.on_cancel(move || {
            let context = theirs.lock().take();
            if let Some(cx) = context {
                let what = format!("{} was cancelled", cx.node().op_name());
                cx.finish(Err(Status::cancelled(what).derived()));
            }
        });
        Waiter { context, _cancel }
    }

    /// Whether the kernel has not been cancelled.
    pub fn is_waiting(&self) -> bool {
        self.context.lock().is_some()
    }

    /// Takes the kernel, to answer it; `None` if it was cancelled.
    pub fn take(self) -> Option<AsyncContext> {
        self.context.lock().take()
    }
}

/// Ends a kernel; the graph goes on on a compute thread.
pub(super) fn finish(cx: AsyncContext, result: Result<Vec<Tensor>>) {
    match cx.step().parallel().pool().cloned() {
        Some(pool) => pool.spawn(move || cx.finish(result)),
        None => cx.finish(result),
    }
}
