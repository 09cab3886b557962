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
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;

use crate::account::Account;
use crate::client::Door;
use crate::coordination::{self, Coordination, Hosted};
use crate::doors::Doors;
use crate::housekeeping::Housekeeping;
use crate::link::MAGIC;
use crate::master::Master;
use crate::metrics::Metrics;
use crate::network::{Connection, Dialer, Listener, Network, Tcp, WINDOW};
use crate::parameters::{Parameters, Snapshots, parameter_server};
use crate::peers::Peers;
use crate::sessions::Sessions;
use crate::spec::{ClusterSpec, TaskAddress};
use crate::task_service::TaskDoor;
use crate::worker::{Worker, WorkerDoor};

const MAX_FRAME: u32 = (1 << 24) - 1;
const MAX_SEND_BUFFER: usize = 4 << 20;
/// Calls that may be open on one connection. TensorFlow's tasks ask for every value of a step at once, and the call that
/// makes us produce them comes over the same connection, perhaps last: were it kept waiting behind them, as with
/// hyper's usual limit of 200, both sides would wait for ever.
const MAX_CALLS: u32 = 1 << 20;
/// How long clients may take to close their sessions when the server is to stop.
const LEAVE_LIMIT: Duration = Duration::from_secs(1);
/// How long open calls may take to be answered after a stop.
const DRAIN_LIMIT: Duration = Duration::from_secs(10);
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How long a connection may say nothing at first: some are opened ahead of need.
const FIRST_WORD: Duration = Duration::from_secs(600);

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
}

/// A task that listens; `run` serves until told to stop.
pub struct Server {
    listener: Listener,
    sessions: Arc<Sessions>,
    parameters: Arc<Parameters>,
    coordination: Option<Coordination>,
    session_idle_limit: Option<Duration>,
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
        let dialer = Dialer::new(network, Metrics::new());
        let leads = leads(&config.job, config.task, &config.cluster, &dialer);
        let peers = Peers::new(config.cluster, dialer);
        let device = Device::new(name, config.pool);
        let (limits, snapshots) = (config.limits, config.snapshots);
        let parameters =
            Parameters::new(registry.clone(), device.clone(), limits, snapshots, leads)?;
        parameters.restore()?;
        let worker = Worker::new(registry.clone(), device, peers.clone());
        let sessions = Arc::new(Sessions::new(registry, worker, peers, own, config.peer_timeout));
        let coordination = config.coordinator.as_ref().map(Coordination::start).transpose()?;
        let (parameters, session_idle_limit) = (Arc::new(parameters), config.session_idle_limit);
        Ok(Server { listener, sessions, parameters, coordination, session_idle_limit })
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
        let Server { mut listener, sessions, parameters, coordination, session_idle_limit } = self;
        let _housekeeping = Housekeeping::start(sessions.clone(), session_idle_limit);
        let _keeping = parameters.keep();
        let master = MasterServiceServer::new(Master::new(sessions.clone()))
            .max_decoding_message_size(usize::MAX)
            .max_encoding_message_size(usize::MAX);
        let worker = WorkerServiceServer::new(WorkerDoor(sessions.worker().clone()))
            .max_decoding_message_size(usize::MAX)
            .max_encoding_message_size(usize::MAX);
        let task = TaskServiceServer::new(TaskDoor(sessions.clone()));
        let doors = Doors { master, worker, task };
        let mut http = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        http.initial_stream_window_size(WINDOW)
            .initial_connection_window_size(WINDOW)
            .max_frame_size(MAX_FRAME)
            .max_concurrent_streams(MAX_CALLS)
            .max_send_buf_size(MAX_SEND_BUFFER);
        let open = GracefulShutdown::new();
        let leaving = async {
            stop.await;
            tracing::info!(sessions = sessions.len(), "stopping: cancelling running steps");
            sessions.end_all();
            sessions.all_closed(LEAVE_LIMIT).await;
        };
        let mut leaving = std::pin::pin!(leaving);
        loop {
            let (stream, peer) = tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    Err(e) => {
                        // Out of file descriptors, or a client that left at once: others may still come.
                        tracing::warn!("cannot accept a connection: {e}");
                        tokio::time::sleep(ACCEPT_PAUSE).await;
                        continue;
                    }
                },
                () = &mut leaving => break,
                failed = failure(&coordination) => return Err(failed),
            };
            let coordinator = coordination.as_ref().map(Coordination::service);
            let service = TowerToHyperService::new(doors.clone());
            let links = sessions.worker().links().clone();
            let parameters = parameters.clone();
            let (http, watcher) = (http.clone(), open.watcher());
            let mut stream = Connection::new(stream, sessions.metrics());
            tokio::spawn(async move {
                // Links, the parameter service, the coordinator and HTTP/2 share the port; the first byte tells them apart.
                match tokio::time::timeout(FIRST_WORD, stream.first_byte()).await {
                    Ok(Ok(first)) if first == MAGIC[0] => {
                        if let Err(e) = links.accept(stream, &peer).await {
                            tracing::warn!("a link that {peer} wanted was refused: {e}");
                        }
                    }
                    Ok(Ok(first)) if first == downpour_params::MAGIC[0] => {
                        if let Err(e) = parameters.serve(stream).await {
                            tracing::warn!(
                                "the connection of {peer} to the parameter service: {e}"
                            );
                        }
                    }
                    Ok(Ok(first)) if first == coordination::MAGIC[0] => {
                        if let Err(e) = coordination::serve(stream, coordinator).await {
                            tracing::warn!("the connection of {peer} to the coordinator: {e}");
                        }
                    }
                    Ok(Ok(_)) => {
                        let connection = http.serve_connection(TokioIo::new(stream), service);
                        if let Err(e) = watcher.watch(connection).await {
                            tracing::debug!("the connection of {peer} ended: {e}");
                        }
                    }
                    Ok(Err(e)) => tracing::debug!("{peer} said nothing: {e}"),
                    Err(_) => tracing::debug!("{peer} said nothing for {FIRST_WORD:?}"),
                }
            });
        }
        drop(listener);
        sessions.close_all();
        parameters.save().await;
        if tokio::time::timeout(DRAIN_LIMIT, open.shutdown()).await.is_err() {
            tracing::warn!("some calls did not end within {DRAIN_LIMIT:?}; leaving them");
        }
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

/// Comes back when a coordinator that is hosted here cannot go on.
async fn failure(coordination: &Option<Coordination>) -> Status {
    match coordination {
        Some(coordination) => coordination.failed().await,
        None => std::future::pending().await,
    }
}
