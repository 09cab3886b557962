//! The listening server of one task.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use downpour_params::{Limits, Shard};
use downpour_runtime::{ComputePool, Device, Registry};
use downpour_tensor::{Result, Status};
use downpour_wire::proto::master_service_server::MasterServiceServer;
use downpour_wire::proto::worker_service_server::WorkerServiceServer;
use downpour_wire::task::task_service_server::TaskServiceServer;
use tokio::net::TcpListener;

use crate::account::Account;
use crate::admission::Admission;
use crate::client::Door;
use crate::coordination::{Coordination, Hosted};
use crate::doors::Services;
use crate::housekeeping::Housekeeping;
use crate::limits::{PortLimits, raise_file_limit};
use crate::master::Master;
use crate::metrics::Metrics;
use crate::network::{ClusterKey, Dialer, Listener, Network, Tcp};
use crate::parameters::{Parameters, Snapshots, parameter_server};
use crate::peers::Peers;
use crate::port::{OpenPort, Port};
use crate::sessions::Sessions;
use crate::spec::{ClusterSpec, TaskAddress};
use crate::task_service::TaskDoor;
use crate::throttle::Throttle;
use crate::worker::{Worker, WorkerDoor};

/// How long clients may take to close their sessions when the server is to stop.
const LEAVE_LIMIT: Duration = Duration::from_secs(1);
/// How long nobody is accepted after the system has refused it: it may be out of files, and connections end.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// What a task needs to start.
pub struct ServerConfig {
    /// Where the parameter service keeps its state over restarts, if anywhere.
    pub snapshots: Option<Snapshots>,
    /// How patient the parameter service is.
    pub limits: Limits,
    /// The coordinator of the cluster, if this task hosts it.
    pub coordinator: Option<Hosted>,
    /// All tasks, this one among them.
    pub cluster: ClusterSpec,
    pub job: String,
    pub task: u32,
    /// Compute threads; several tasks of one process may share them.
    pub pool: Arc<ComputePool>,
    /// Sessions that nobody calls for so long are closed.
    pub session_idle_limit: Option<Duration>,
    /// How long new sessions wait for tasks that do not answer.
    pub peer_timeout: Duration,
    /// Limits on what clients may use of the port.
    pub port: PortLimits,
    /// The key of the cluster, if it has one.
    pub key: Option<ClusterKey>,
}

/// A task that listens; `run` serves until told to stop.
pub struct Server {
    listener: Listener,
    sessions: Arc<Sessions>,
    parameters: Arc<Parameters>,
    coordination: Option<Coordination>,
    session_idle_limit: Option<Duration>,
    port: PortLimits,
    key: Option<ClusterKey>,
}

impl Server {
    /// Binds the address and makes the device. Clients can connect as soon as this returns.
    pub async fn bind(
        config: ServerConfig,
        bind: SocketAddr,
        registry: Arc<Registry>,
    ) -> Result<Server> {
        let listener = TcpListener::bind(bind).await.map_err(|e| {
            Status::unavailable(format!(
                "cannot listen on {bind}: {e}. Is another server running there? Choose another address \
                 with --bind or in the cluster."
            ))
        })?;
        Server::new(config, Listener::tcp(listener), Arc::new(Tcp), registry)
    }

    /// A task that hears through `listener` and reaches the others through `network`.
    pub fn new(
        config: ServerConfig,
        listener: Listener,
        network: Arc<dyn Network>,
        registry: Arc<Registry>,
    ) -> Result<Server> {
        let name = format!("/job:{}/replica:0/task:{}/device:CPU:0", config.job, config.task);
        let own = config.cluster.task(&config.job, config.task)?;
        let key = config.key;
        let dialer = Dialer::with_key(network, Metrics::new(), key.clone());
        let leads = leads(&config.job, config.task, &config.cluster, &dialer);
        let peers = Peers::new(config.cluster, dialer);
        let device = Device::new(name, config.pool);
        let (limits, snapshots) = (config.limits, config.snapshots);
        let parameters =
            Parameters::new(registry.clone(), device.clone(), limits, snapshots, leads)?;
        let worker = Worker::new(registry.clone(), device, peers.clone());
        let sessions = Arc::new(Sessions::new(registry, worker, peers, own, config.peer_timeout));
        let coordination = config.coordinator.as_ref().map(Coordination::start).transpose()?;
        let (parameters, session_idle_limit) = (Arc::new(parameters), config.session_idle_limit);
        // Whoever serves has connections: as many as the system allows.
        let port = config.port.within_files(raise_file_limit());
        Ok(Server { listener, sessions, parameters, coordination, session_idle_limit, port, key })
    }

    /// Where it listens; none on a simulated network.
    pub fn address(&self) -> Option<SocketAddr> {
        match &self.listener {
            Listener::Tcp(listener, _) => listener.local_addr().ok(),
            Listener::Simulated(_) => None,
        }
    }

    /// What it counts, to be read at any time.
    pub fn account(&self) -> Account {
        Account::new(self.sessions.metrics().clone(), self.parameters.clone())
    }

    /// For sessions of this very process.
    pub fn door(&self) -> Door {
        Door::new(self.sessions.clone())
    }

    /// The books of its parameter service.
    pub fn parameters(&self) -> Arc<Parameters> {
        self.parameters.clone()
    }

    /// The coordinator, if it hosts one. Calls to it wait for a disk.
    pub fn coordinator(&self) -> Option<downpour_coordinator::Service> {
        self.coordination.as_ref().map(Coordination::service)
    }

    /// Serves until `stop` resolves, then cancels running steps and lets open calls be answered.
    ///
    /// Between the two clients have a moment to close their sessions: TensorFlow's asks a server that is gone
    /// for half a minute.
    ///
    /// Connections are served by hyper directly: tonic's own server answers a call that passes its
    /// gRPC deadline with CANCELLED, where TensorFlow's clients expect DEADLINE_EXCEEDED.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Result<()> {
        let Server { mut listener, sessions, parameters, coordination, .. } = self;
        let Server { session_idle_limit, port, key, .. } = self;
        let _housekeeping = Housekeeping::start(sessions.clone(), session_idle_limit, port.clone());
        let _keeping = parameters.keep();
        let admission = Admission::new(port.clone());
        let port = OpenPort::new(Port {
            services: services(&sessions),
            links: sessions.worker().links().clone(),
            parameters: parameters.clone(),
            coordinator: coordination.as_ref().map(Coordination::service),
            metrics: sessions.metrics().clone(),
            limits: port,
            key,
            admission: admission.clone(),
            complaints: Throttle::default(),
        });
        let failures = Throttle::default();
        let leaving = async {
            stop.await;
            tracing::info!(sessions = sessions.len(), "stopping: cancelling running steps");
            sessions.end_all();
            sessions.all_closed(LEAVE_LIMIT).await;
        };
        let mut leaving = std::pin::pin!(leaving);
        loop {
            tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok(accepted) => port.serve(accepted),
                    Err(e) => {
                        // Out of files, or a client that left at once: others may still come.
                        if let Some(count) = failures.count() {
                            tracing::warn!("cannot accept connections ({count} times): {e}");
                        }
                        admission.evict();
                        tokio::time::sleep(ACCEPT_PAUSE).await;
                    }
                },
                () = &mut leaving => break,
                failed = failure(&coordination) => return Err(failed),
            }
        }
        drop(listener);
        sessions.close_all();
        port.close().await;
        Ok(())
    }
}

/// The parameter servers that this task leads: all of them, if it is the first.
fn leads(job: &str, task: u32, cluster: &ClusterSpec, dialer: &Arc<Dialer>) -> Option<Vec<Shard>> {
    let servers = || cluster.tasks().filter(|task| task.job == "ps");
    let first = job == "ps" && servers().map(|server| server.task).min() == Some(task);
    let shard = |server: TaskAddress| {
        parameter_server(dialer, &format!("ps/{}", server.task), &server.address)
    };
    first.then(|| servers().map(shard).collect())
}

/// Messages may be as long as TensorFlow's; `CallBody` sees to it that they take no memory before they come.
fn services(sessions: &Arc<Sessions>) -> Services {
    let master = MasterServiceServer::new(Master::new(sessions.clone()))
        .max_decoding_message_size(usize::MAX)
        .max_encoding_message_size(usize::MAX);
    let worker = WorkerServiceServer::new(WorkerDoor(sessions.worker().clone()))
        .max_decoding_message_size(usize::MAX)
        .max_encoding_message_size(usize::MAX);
    let task = TaskServiceServer::new(TaskDoor(sessions.clone()));
    Services { master, worker, task }
}

/// Comes back when a coordinator that is hosted here cannot go on.
async fn failure(coordination: &Option<Coordination>) -> Status {
    match coordination {
        Some(coordination) => coordination.failed().await,
        None => std::future::pending().await,
    }
}
