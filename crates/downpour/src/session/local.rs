//! Steps in this process.

use std::sync::{Arc, mpsc};

use downpour_runtime::{
    ComputePool, Device, Registry, ResourceManager, RunRequest, Session, SessionOptions,
    StepOptions, StepTrace,
};
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::proto::{GraphDef, StepStats};

use super::runner::{PreparedRun, Runner};

const DEVICE: &str = "/job:localhost/replica:0/task:0/device:CPU:0";

/// Runs steps on the threads of this process. Variables live as long as this.
pub struct LocalRunner(Arc<Session>);

impl LocalRunner {
    /// A runner with as many threads as the machine has processors.
    pub fn new(registry: Arc<Registry>) -> Result<LocalRunner> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        LocalRunner::with_options(registry, threads, SessionOptions::default())
    }

    /// A runner with this many threads.
    pub fn with_options(
        registry: Arc<Registry>,
        threads: usize,
        options: SessionOptions,
    ) -> Result<LocalRunner> {
        let pool = ComputePool::new(threads.max(1)).map_err(|e| {
            Status::resource_exhausted(format!("cannot start {threads} compute threads: {e}"))
        })?;
        let device = Device::new(DEVICE, pool);
        Ok(LocalRunner(Arc::new(Session::new(registry, device, options))))
    }

    /// The runtime's session behind it.
    pub fn session(&self) -> &Arc<Session> {
        &self.0
    }
}

impl Runner for LocalRunner {
    fn extend(&self, graph: &GraphDef) -> Result<()> {
        self.0.extend(graph).map(drop)
    }

    fn run(&self, request: RunRequest, options: &StepOptions) -> Result<Vec<Tensor>> {
        self.0.run(request, options)
    }

    fn run_traced(&self, request: RunRequest) -> Result<(Vec<Tensor>, StepStats)> {
        let trace = StepTrace::new();
        let options = StepOptions { trace: Some(trace.clone()), ..StepOptions::default() };
        let tensors = self.0.run(request, &options)?;
        Ok((tensors, downpour_cluster::step_stats(&trace, DEVICE)))
    }

    fn prepare(
        self: Arc<Self>,
        feeds: Vec<String>,
        fetches: Vec<String>,
        targets: Vec<String>,
    ) -> Result<Box<dyn PreparedRun>> {
        let handle = self.0.make_callable(feeds, fetches, targets)?;
        Ok(Box::new(Callable { session: self.0.clone(), handle }))
    }

    fn resources(&self) -> Option<&Arc<ResourceManager>> {
        Some(self.0.resources())
    }

    fn close(&self) -> Result<()> {
        self.0.close();
        Ok(())
    }
}

struct Callable {
    session: Arc<Session>,
    handle: i64,
}

impl PreparedRun for Callable {
    fn run(&self, feeds: Vec<Tensor>, options: &StepOptions) -> Result<Vec<Tensor>> {
        let (send, receive) = mpsc::sync_channel(1);
        let done = move |result| drop(send.send(result));
        self.session.run_callable_async(self.handle, feeds, options, done);
        receive.recv().unwrap_or_else(|_| Err(Status::internal("a step ended without a result")))
    }
}

impl Drop for Callable {
    fn drop(&mut self) {
        // It is ours and released once, so it is there.
        let _ = self.session.release_callable(self.handle);
    }
}
