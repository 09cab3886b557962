//! Sessions on the tasks of a cluster.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use downpour_cluster::{ClientSession, ClientStep, network_threads};
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::proto::{ConfigProto, GraphDef, StepStats};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::runner::{ByName, PreparedRun, RunRequest, Runner, StepOptions};

/// How long a server may take to answer at first; it may itself wait for the tasks of its cluster.
const PATIENCE: Duration = Duration::from_secs(60);

/// Steps over the tasks of a cluster, through one of its servers: of this process or any other.
pub(crate) struct ClusterRunner {
    session: ClientSession,
    /// The threads that carry its messages.
    network: Handle,
    /// What those threads belong to; dropped last.
    _threads: Arc<dyn Any + Send + Sync>,
}

impl ClusterRunner {
    /// A session whose messages are carried by `network`, which is there as long as `threads` is.
    pub fn new(
        session: ClientSession,
        network: Handle,
        threads: Arc<dyn Any + Send + Sync>,
    ) -> ClusterRunner {
        ClusterRunner { session, network, _threads: threads }
    }

    /// A new session on the server at `target`.
    pub fn connect(target: &str) -> Result<ClusterRunner> {
        let runtime = network_threads(1)?;
        let connected = ClientSession::connect(target, ConfigProto::default(), PATIENCE);
        let session = runtime.block_on(connected)?;
        Ok(ClusterRunner::new(session, runtime.handle().clone(), Arc::new(runtime)))
    }

    fn wait(
        &self,
        request: RunRequest,
        options: &StepOptions,
        traced: bool,
    ) -> Result<(Vec<Tensor>, Option<StepStats>)> {
        let step = ClientStep { timeout: options.timeout, traced };
        let (cancel, cancelled) = oneshot::channel::<()>();
        let _guard = options.cancellation.as_ref().map(|token| {
            // If nobody waits any more the step is over.
            token.on_cancel(move || cancel.send(()).unwrap_or(()))
        });
        let watched = options.cancellation.is_some();
        self.network.block_on(async {
            tokio::select! {
                ran = self.session.run(request, &step) => ran,
                // Dropping the run ends the step on all tasks.
                Ok(()) = cancelled, if watched => Err(Status::cancelled("the step was cancelled")),
            }
        })
    }
}

impl Runner for ClusterRunner {
    fn extend(&self, graph: &GraphDef) -> Result<()> {
        self.network.block_on(self.session.extend(graph.clone()))
    }

    fn run(&self, request: RunRequest, options: &StepOptions) -> Result<Vec<Tensor>> {
        self.wait(request, options, false).map(|(tensors, _)| tensors)
    }

    fn run_traced(&self, request: RunRequest) -> Result<(Vec<Tensor>, StepStats)> {
        let (tensors, stats) = self.wait(request, &StepOptions::default(), true)?;
        Ok((tensors, stats.unwrap_or_default()))
    }

    fn prepare(
        self: Arc<Self>,
        feeds: Vec<String>,
        fetches: Vec<String>,
        targets: Vec<String>,
    ) -> Result<Box<dyn PreparedRun>> {
        Ok(Box::new(ByName { runner: self, feeds, fetches, targets }))
    }

    fn close(&self) -> Result<()> {
        self.network.block_on(self.session.close())
    }
}
