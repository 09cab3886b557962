//! A task of a cluster in this process, and sessions on it.

use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use downpour_cluster::{ClientSession, ClientStep, ClusterSpec, Door, Server, ServerConfig};
use downpour_runtime::{ComputePool, RunRequest, StepOptions};
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::proto::{ConfigProto, GraphDef, StepStats};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::session::{ByName, PreparedRun, Runner};

/// How long a new session waits for tasks that do not answer.
const PEER_TIMEOUT: Duration = Duration::from_secs(60);

/// This process's server; it stops when this is dropped.
pub(crate) struct OwnServer {
    runtime: Runtime,
    door: Door,
    stop: Option<oneshot::Sender<()>>,
    stopped: Option<tokio::task::JoinHandle<Result<()>>>,
}

impl OwnServer {
    /// Starts serving as a task of a cluster.
    pub fn start(cluster: &ClusterSpec, job: &str, task: u32, threads: usize) -> Result<OwnServer> {
        let own = cluster.task(job, task)?;
        let address = resolve(&own.address)?;
        let pool = match threads {
            0 => ComputePool::for_machine(),
            threads => ComputePool::new(threads),
        };
        let pool = pool.map_err(|e| {
            Status::resource_exhausted(format!("cannot start compute threads: {e}"))
        })?;
        let config = ServerConfig {
            cluster: cluster.clone(),
            job: job.to_string(),
            task,
            pool,
            session_idle_limit: None,
            peer_timeout: PEER_TIMEOUT,
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("network")
            .enable_all()
            .build()
            .map_err(|e| Status::internal(format!("cannot start network threads: {e}")))?;
        let registry = Arc::new(downpour_ops::registry()?);
        let server = runtime.block_on(Server::bind(config, address, registry))?;
        let door = server.door();
        let (stop, stopping) = oneshot::channel::<()>();
        let stopped = runtime.spawn(server.run(async move { drop(stopping.await) }));
        Ok(OwnServer { runtime, door, stop: Some(stop), stopped: Some(stopped) })
    }

    /// Serves until the process is told to end; for parameter servers.
    pub fn serve_until(mut self, ended: impl Future<Output = ()>) -> Result<()> {
        let stopped = self.stopped.take();
        let stop = self.stop.take();
        self.runtime.block_on(async move {
            let Some(mut stopped) = stopped else { return Ok(()) };
            tokio::select! {
                ended = &mut stopped => return flatten(ended),
                () = ended => {}
            }
            drop(stop);
            flatten(stopped.await)
        })
    }

    /// A session that may use the tasks `filters` allow.
    pub fn session(self: &Arc<Self>, filters: Vec<String>) -> Result<ClusterRunner> {
        let config = ConfigProto { device_filters: filters, ..ConfigProto::default() };
        let session = self.runtime.block_on(ClientSession::here(&self.door, config))?;
        Ok(ClusterRunner { server: self.clone(), session })
    }
}

fn flatten(ended: std::result::Result<Result<()>, tokio::task::JoinError>) -> Result<()> {
    ended.unwrap_or_else(|e| Err(Status::internal(format!("the server has failed: {e}"))))
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(stopped) = self.stopped.take() {
            // Errors of a server that is to end anyway interest nobody.
            let _ = self
                .runtime
                .block_on(async { tokio::time::timeout(Duration::from_secs(2), stopped).await });
        }
    }
}

fn resolve(address: &str) -> Result<SocketAddr> {
    let mut resolved = address.to_socket_addrs().map_err(|e| {
        Status::invalid_argument(format!("'{address}' is not an address to listen on: {e}"))
    })?;
    resolved
        .next()
        .ok_or_else(|| Status::invalid_argument(format!("'{address}' resolves to no address")))
}

/// Steps over the tasks of a cluster, through the server of this process.
pub(crate) struct ClusterRunner {
    server: Arc<OwnServer>,
    session: ClientSession,
}

impl ClusterRunner {
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
        self.server.runtime.block_on(async {
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
        self.server.runtime.block_on(self.session.extend(graph.clone()))
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
        self.server.runtime.block_on(self.session.close())
    }
}
