//! Waiting for futures that other tasks complete.

use std::future::Future;
use std::sync::Arc;

use downpour_tensor::{Result, Status};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::{JoinError, JoinHandle};

use super::Stopping;

/// Waits on a runtime, until training was told to stop and its time is over.
#[derive(Clone)]
pub(crate) struct Waits {
    runtime: Handle,
    stopping: Stopping,
    /// Who is waited for, in words for people.
    who: Arc<dyn Fn() -> String + Send + Sync>,
}

impl Waits {
    /// `who` is called to describe the peer when a wait is cancelled.
    pub fn new(
        runtime: Handle,
        stopping: &Stopping,
        who: impl Fn() -> String + Send + Sync + 'static,
    ) -> Waits {
        Waits { runtime, stopping: stopping.clone(), who: Arc::new(who) }
    }

    /// The runtime, for waits that have a limit of their own.
    pub fn runtime(&self) -> &Handle {
        &self.runtime
    }

    /// Runs a future on the runtime's threads.
    pub fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.runtime.spawn(future)
    }

    /// Waits for a future; CANCELLED, with who is waited for, if waiting is over before it is complete.
    pub fn block_on<T: Interrupted>(&self, future: impl Future<Output = T>) -> T {
        let (end, ended) = oneshot::channel::<()>();
        // If nobody waits any more the future is complete.
        let _guard = self.stopping.on_over(move || end.send(()).unwrap_or(()));
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                done = future => done,
                Ok(()) = ended => T::interrupted(Status::cancelled(format!(
                    "stopped by a signal while waiting for {}",
                    (self.who)()
                ))),
            }
        })
    }
}

/// The error of a wait that was ended early.
pub(crate) trait Interrupted {
    fn interrupted(status: Status) -> Self;
}

impl<T> Interrupted for Result<T> {
    fn interrupted(status: Status) -> Self {
        Err(status)
    }
}

impl<T> Interrupted for Result<Result<T>, JoinError> {
    fn interrupted(status: Status) -> Self {
        Ok(Err(status))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::trainer::StopFlag;
    use super::*;

    #[test]
    fn a_wait_in_vain_ends_and_names_who_did_not_answer() {
        let runtime = tokio::runtime::Builder::new_multi_thread().build().unwrap();
        let flag = StopFlag::default();
        let soon = std::time::Duration::from_millis(1);
        let stopping = Stopping::watch_for(&flag, soon, soon).unwrap();
        let waits = Waits::new(runtime.handle().clone(), &stopping, || "ps/1".to_string());
        assert_eq!(waits.block_on(async { Ok(7) }).unwrap(), 7);
        flag.stop();
        let never = std::future::pending::<Result<i32>>();
        let status = waits.block_on(never).unwrap_err();
        assert!(status.message().contains("ps/1"), "{status}");
    }
}
