//! A kernel whose work waits for a pipeline, on a thread that may wait.

use downpour_runtime::AsyncContext;
use downpour_tensor::{Result, Status, Tensor};

use crate::threads;

/// A kernel that is not finished. If there is no thread for it, it is dropped, and finishes with an error.
pub(crate) struct Waiting(Option<AsyncContext>);

impl Waiting {
    /// Does the work on a thread that may wait; the graph goes on on a compute thread.
    pub fn start(
        cx: AsyncContext,
        work: impl FnOnce(&AsyncContext) -> Result<Vec<Tensor>> + Send + 'static,
    ) {
        let mut waiting = Waiting(Some(cx));
        // Refused, it is dropped.
        let _ = threads::spawn(move || {
            let Some(cx) = waiting.0.take() else { return };
            let result = work(&cx);
            match cx.step().parallel().pool().cloned() {
                Some(pool) => pool.spawn(move || cx.finish(result)),
                None => cx.finish(result),
            }
        });
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(cx) = self.0.take() {
            cx.finish(Err(Status::resource_exhausted("there is no thread left to read a dataset")));
        }
    }
}
