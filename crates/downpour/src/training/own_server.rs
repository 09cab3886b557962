//! A task of a cluster in this process.

use std::sync::Arc;
use std::time::Duration;

use downpour_cluster::{
    Account, ClientSession, ClusterKey, ClusterSpec, Door, Hosted, PortLimits, Server,
    ServerConfig, Snapshots, compute_threads, network_threads, resolve,
};
use downpour_coordinator::Service;
use downpour_params::Limits;
use downpour_tensor::{Result, Status};
use downpour_wire::proto::ConfigProto;
use tokio::runtime::{Handle, Runtime};
use tokio::sync::oneshot;

use super::stopping::{Stopping, Waits};
use crate::session::ClusterRunner;

/// How long a new session waits for tasks that do not answer.
const PEER_TIMEOUT: Duration = Duration::from_secs(60);

/// This process's server; it stops when this is dropped.
pub(crate) struct OwnServer {
    runtime: Runtime,
    door: Door,
    account: Account,
    coordinator: Option<Service>,
    stop: Option<oneshot::Sender<()>>,
    stopped: Option<tokio::task::JoinHandle<Result<()>>>,
}

/// What a server keeps on disk.
#[derive(Default)]
pub(crate) struct Keeps {
    /// Of its part of the parameters.
    pub snapshots: Option<Snapshots>,
    /// How patient its parameter service is.
    pub limits: Limits,
    /// The coordinator it hosts.
    pub coordinator: Option<Hosted>,
}

impl OwnServer {
    /// Starts serving as a task of a cluster.
    pub fn start(
        cluster: &ClusterSpec,
        job: &str,
        task: u32,
        threads: usize,
        keeps: Keeps,
    ) -> Result<OwnServer> {
        let own = cluster.task(job, task)?;
        let address = resolve(&own.address)?;
        let pool = compute_threads(threads)?;
        let config = ServerConfig {
            snapshots: keeps.snapshots,
            limits: keeps.limits,
            coordinator: keeps.coordinator,
            cluster: cluster.clone(),
            job: job.to_string(),
            task,
            pool,
            session_idle_limit: None,
            peer_timeout: PEER_TIMEOUT,
            port: PortLimits::default(),
            key: ClusterKey::from_environment()?,
        };
        let runtime = network_threads(2)?;
        let registry = Arc::new(downpour_ops::registry()?);
        let server = runtime.block_on(Server::bind(config, address, registry))?;
        let (door, account) = (server.door(), server.account());
        let coordinator = server.coordinator();
        let (stop, stopping) = oneshot::channel::<()>();
        let stopped = runtime.spawn(server.run(async move { drop(stopping.await) }));
        let (stop, stopped) = (Some(stop), Some(stopped));
        Ok(OwnServer { runtime, door, account, coordinator, stop, stopped })
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

    /// What it counts.
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// The coordinator, if it hosts one.
    pub fn coordinator(&self) -> Option<Service> {
        self.coordinator.clone()
    }

    /// The threads that carry its messages.
    pub fn runtime(&self) -> Handle {
        self.runtime.handle().clone()
    }

    /// A session that may use the tasks `filters` allow.
    pub fn session(
        self: &Arc<Self>,
        filters: Vec<String>,
        stopping: &Stopping,
    ) -> Result<ClusterRunner> {
        let all = filters.join(", ");
        let waits =
            Waits::new(self.runtime(), stopping, move || format!("the tasks of a session ({all})"));
        let config = ConfigProto { device_filters: filters, ..ConfigProto::default() };
        let session = waits.block_on(ClientSession::here(&self.door, config))?;
        Ok(ClusterRunner::new(session, self.runtime.handle().clone(), self.clone()))
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
