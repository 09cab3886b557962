//! The chief's second thread in synchronous training: makes one update of everybody's gradients, over and
//! over.

use std::sync::Arc;
use std::thread::JoinHandle;

use downpour_runtime::{CancellationToken, StepOptions};
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

use super::run::is_loss;
use super::update::Together;
use crate::output::Operation;
use crate::session::Session;

pub(crate) struct Chief {
    session: Arc<Session>,
    close: Operation,
    cancel: CancellationToken,
    failed: Arc<Mutex<Option<Status>>>,
    thread: JoinHandle<()>,
}

impl Chief {
    pub fn start(session: &Arc<Session>, together: &Together) -> Result<Chief> {
        let step = session.prepare(&[], &[&together.apply])?;
        let cancel = CancellationToken::new();
        let failed: Arc<Mutex<Option<Status>>> = Arc::default();
        let (token, error) = (cancel.clone(), failed.clone());
        let (ended, close) = (session.clone(), together.close.clone());
        let body = move || {
            while !token.is_cancelled() {
                let options =
                    StepOptions { cancellation: Some(token.clone()), ..StepOptions::default() };
                let Err(status) = step.run_with(Vec::new(), &options) else { continue };
                if !token.is_cancelled() {
                    let lost = is_loss(&status);
                    *error.lock() = Some(status);
                    // Workers wait for tokens that will not come. After a lost session they hear it anyway, and
                    // need the queue again.
                    if !lost && let Err(e) = ended.run(&[], &[&close]) {
                        tracing::warn!("closing the queue of tokens: {e}");
                    }
                }
                return;
            }
        };
        let thread = std::thread::Builder::new().name("updates".into()).spawn(body);
        let thread = thread
            .map_err(|e| Status::resource_exhausted(format!("cannot start a thread: {e}")))?;
        let (session, close) = (session.clone(), together.close.clone());
        Ok(Chief { session, close, cancel, failed, thread })
    }

    /// Why there are no updates any more, if so.
    pub fn failed(&self) -> Option<Status> {
        self.failed.lock().clone()
    }

    /// Ends the thread; after a good end workers that still wait are told.
    pub fn end(self, well: bool) {
        self.cancel.cancel();
        if self.thread.join().is_err() {
            tracing::error!("the thread that makes updates has panicked");
        }
        if well && let Err(e) = self.session.run(&[], &[&self.close]) {
            tracing::debug!("closing the queue of tokens: {e}");
        }
    }
}
