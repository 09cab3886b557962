//! The listening server of one task.

use std::net::SocketAddr;
use std::sync::Arc;

use downpour_runtime::{ComputePool, Device, Registry};
use downpour_tensor::{Result, Status};
use downpour_wire::proto::master_service_server::MasterServiceServer;
use tokio::net::TcpListener;
use tonic::transport::server::TcpIncoming;

use crate::master::Master;
use crate::sessions::Sessions;

/// HTTP/2 windows: large enough that a big tensor does not wait for acknowledgements on loopback.
const WINDOW: u32 = 16 << 20;
const MAX_FRAME: u32 = (1 << 24) - 1;

/// What a task needs to start.
pub struct ServerConfig {
    pub job: String,
    pub task: u32,
    /// Where to listen.
    pub bind: SocketAddr,
    /// Compute threads; 0 is "as many as the machine has processors".
    pub threads: usize,
}

/// A task that listens; `run` serves until told to stop.
pub struct Server {
    listener: TcpListener,
    sessions: Arc<Sessions>,
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
        let sessions = Arc::new(Sessions::new(registry, Device::new(name, pool)));
        Ok(Server { listener, sessions })
    }

    pub fn address(&self) -> Result<SocketAddr> {
        self.listener.local_addr().map_err(|e| Status::internal(format!("no local address: {e}")))
    }

    /// Serves until `stop` resolves, then cancels running steps and lets open calls be answered.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Result<()> {
        let Server { listener, sessions } = self;
        let master = MasterServiceServer::new(Master::new(sessions.clone()))
            .max_decoding_message_size(usize::MAX)
            .max_encoding_message_size(usize::MAX);
        let stopping = async {
            stop.await;
            tracing::info!(sessions = sessions.len(), "stopping: cancelling running steps");
            sessions.close_all();
        };
        tonic::transport::Server::builder()
            .initial_stream_window_size(WINDOW)
            .initial_connection_window_size(WINDOW)
            .max_frame_size(MAX_FRAME)
            .add_service(master)
            .serve_with_incoming_shutdown(
                TcpIncoming::from(listener).with_nodelay(Some(true)),
                stopping,
            )
            .await
            .map_err(|e| Status::internal(format!("the server failed: {e}")))
    }
}
