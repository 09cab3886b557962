//! The listening server of one task.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use downpour_runtime::{ComputePool, Device, Registry};
use downpour_tensor::{Result, Status};
use downpour_wire::proto::master_service_server::MasterServiceServer;
use downpour_wire::proto::worker_service_server::WorkerServiceServer;
use downpour_wire::task::task_service_server::TaskServiceServer;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;

use crate::counted::Counted;
use crate::doors::Doors;
use crate::housekeeping::Housekeeping;
use crate::master::Master;
use crate::metrics::Metrics;
use crate::peers::Peers;
use crate::sessions::Sessions;
use crate::spec::ClusterSpec;
use crate::task_service::TaskDoor;
use crate::worker::{Worker, WorkerDoor};

/// HTTP/2 windows: large enough that a big tensor does not wait for acknowledgements on loopback.
const WINDOW: u32 = 16 << 20;
const MAX_FRAME: u32 = (1 << 24) - 1;
const MAX_SEND_BUFFER: usize = 4 << 20;
/// How long open calls may take to be answered after a stop.
const DRAIN_LIMIT: Duration = Duration::from_secs(10);
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// What a task needs to start.
pub struct ServerConfig {
    /// All tasks, this one among them.
    pub cluster: ClusterSpec,
    pub job: String,
    pub task: u32,
    /// Where to listen.
    pub bind: SocketAddr,
    /// Compute threads; 0 is "as many as the machine has processors".
    pub threads: usize,
    /// Sessions that nobody calls for so long are closed.
    pub session_idle_limit: Option<Duration>,
}

/// A task that listens; `run` serves until told to stop.
pub struct Server {
    listener: TcpListener,
    sessions: Arc<Sessions>,
    session_idle_limit: Option<Duration>,
}

impl Server {
    /// Binds the address and makes the device. Clients can connect as soon as this returns.
    pub async fn bind(config: ServerConfig, registry: Arc<Registry>) -> Result<Server> {
        let listener = TcpListener::bind(config.bind).await.map_err(|e| {
            Status::unavailable(format!(
                "cannot listen on {}: {e}. Is another server running there? Choose another address \
                 with --bind or in the cluster.",
                config.bind
            ))
        })?;
        let pool = match config.threads {
            0 => ComputePool::for_machine(),
            n => ComputePool::new(n),
        }
        .map_err(|e| Status::resource_exhausted(format!("cannot start compute threads: {e}")))?;
        let name = format!("/job:{}/replica:0/task:{}/device:CPU:0", config.job, config.task);
        let own = config.cluster.task(&config.job, config.task)?;
        let peers = Peers::new(config.cluster, &Metrics::new());
        let worker = Worker::new(registry.clone(), Device::new(name, pool), peers.clone());
        let sessions = Arc::new(Sessions::new(registry, worker, peers, own));
        Ok(Server { listener, sessions, session_idle_limit: config.session_idle_limit })
    }

    pub fn address(&self) -> Result<SocketAddr> {
        self.listener.local_addr().map_err(|e| Status::internal(format!("no local address: {e}")))
    }

    /// Serves until `stop` resolves, then cancels running steps and lets open calls be answered.
    ///
    /// Connections are served by hyper directly: tonic's own server answers a call that passes its
    /// gRPC deadline with CANCELLED, where TensorFlow's clients expect DEADLINE_EXCEEDED.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Result<()> {
        let Server { listener, sessions, session_idle_limit } = self;
        let _housekeeping = Housekeeping::start(sessions.clone(), session_idle_limit);
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
            .max_send_buf_size(MAX_SEND_BUFFER);
        let open = GracefulShutdown::new();
        let mut stop = std::pin::pin!(stop);
        loop {
            let stream = tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    Err(e) => {
                        // Out of file descriptors, or a client that left at once: others may still come.
                        tracing::warn!("cannot accept a connection: {e}");
                        tokio::time::sleep(ACCEPT_PAUSE).await;
                        continue;
                    }
                },
                () = &mut stop => break,
            };
            if let Err(e) = stream.set_nodelay(true) {
                tracing::debug!("a connection was lost at once: {e}");
                continue;
            }
            let service = TowerToHyperService::new(doors.clone());
            let stream = TokioIo::new(Counted::new(stream, sessions.metrics()));
            let connection = open.watch(http.serve_connection(stream, service));
            tokio::spawn(async move {
                if let Err(e) = connection.await {
                    tracing::debug!("a connection ended: {e}");
                }
            });
        }
        drop(listener);
        tracing::info!(sessions = sessions.len(), "stopping: cancelling running steps");
        sessions.close_all();
        if tokio::time::timeout(DRAIN_LIMIT, open.shutdown()).await.is_err() {
            tracing::warn!("some calls did not end within {DRAIN_LIMIT:?}; leaving them");
        }
        Ok(())
    }
}
