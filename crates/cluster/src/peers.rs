//! Connections to the other tasks of a cluster, made when first needed and kept.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use downpour_graph::DeviceName;
use downpour_tensor::{Code, Result, Status};
use downpour_wire::proto::worker_service_client::WorkerServiceClient;
use parking_lot::Mutex;
use tokio::time::{Instant, timeout};
use tonic::transport::{Channel, Endpoint};

use crate::grpc_status::from_grpc;
use crate::network::{Dialer, GrpcDialer, WINDOW};
use crate::spec::{ClusterSpec, TaskAddress};

const RETRY_PAUSE: Duration = Duration::from_millis(200);
/// How long a small question may remain without an answer before it is asked over another connection.
const ANSWER: Duration = Duration::from_secs(5);
/// How often a Downpour task is asked for a sign of life on its gRPC connection, and how long that may take.
/// TensorFlow's tasks close connections on which they are asked.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
const KEEP_ALIVE_LIMIT: Duration = Duration::from_secs(5);

pub type WorkerClient = WorkerServiceClient<Channel>;

/// The tasks of one cluster, as one of them sees them.
pub struct Peers {
    spec: ClusterSpec,
    channels: Mutex<HashMap<TaskAddress, Known>>,
    dialer: Arc<Dialer>,
}

/// A connection to a task, and whether that is a Downpour task.
#[derive(Clone)]
struct Known {
    channel: Channel,
    keeps_alive: bool,
}

impl Peers {
    pub fn new(spec: ClusterSpec, dialer: Arc<Dialer>) -> Arc<Peers> {
        Arc::new(Peers { spec, channels: Mutex::default(), dialer })
    }

    pub fn dialer(&self) -> &Arc<Dialer> {
        &self.dialer
    }

    pub fn spec(&self) -> &ClusterSpec {
        &self.spec
    }

    /// A client of the task that a device belongs to.
    pub fn of_device(&self, device: &str) -> Result<(TaskAddress, WorkerClient)> {
        let name = DeviceName::parse(device)?;
        let (Some(job), Some(task)) = (&name.job, name.task) else {
            return Err(Status::invalid_argument(format!("'{device}' names no task")));
        };
        let address = self.spec.task(job, task)?;
        let client = self.client(&address)?;
        Ok((address, client))
    }

    /// A client of a task; connects in the background and reconnects by itself.
    pub fn client(&self, task: &TaskAddress) -> Result<WorkerClient> {
        let known = self.channels.lock().get(task).cloned();
        match known {
            Some(known) => Ok(client(known.channel)),
            None => self.connect(task, false),
        }
    }

    /// A client of a Downpour task, whose calls end when nothing is heard from it any more.
    pub fn living_client(&self, task: &TaskAddress) -> Result<WorkerClient> {
        let known = self.channels.lock().get(task).cloned();
        match known {
            Some(Known { channel, keeps_alive: true }) => Ok(client(channel)),
            _ => self.connect(task, true),
        }
    }

    /// Calls to a task are made over a new connection from now on.
    pub fn forget(&self, task: &TaskAddress) {
        self.channels.lock().remove(task);
    }

    fn connect(&self, task: &TaskAddress, keeps_alive: bool) -> Result<WorkerClient> {
        let endpoint = Endpoint::from_shared(format!("http://{}", task.address)).map_err(|e| {
            Status::invalid_argument(format!(
                "the address '{}' of {task} is not usable: {e}",
                task.address
            ))
        })?;
        let mut endpoint =
            endpoint.initial_stream_window_size(WINDOW).initial_connection_window_size(WINDOW);
        if keeps_alive {
            endpoint = endpoint
                .http2_keep_alive_interval(KEEP_ALIVE)
                .keep_alive_timeout(KEEP_ALIVE_LIMIT)
                .keep_alive_while_idle(true);
        }
        let channel = endpoint.connect_with_connector_lazy(GrpcDialer(self.dialer.clone()));
        let known = Known { channel: channel.clone(), keeps_alive };
        self.channels.lock().insert(task.clone(), known);
        Ok(client(channel))
    }
}

fn client(channel: Channel) -> WorkerClient {
    WorkerServiceClient::new(channel)
        .max_decoding_message_size(usize::MAX)
        .max_encoding_message_size(usize::MAX)
}

/// Calls a peer again until it can be reached, at most for `limit`; the error then says who, where, why
/// and how long. Errors of a peer that was reached are returned at once. The call is one that every task answers at
/// once: where no answer comes, it is repeated over another connection.
pub async fn until_reached<T, F: Future<Output = std::result::Result<T, tonic::Status>>>(
    peers: &Peers,
    task: &TaskAddress,
    limit: Duration,
    mut call: impl FnMut(WorkerClient) -> F,
) -> Result<T> {
    let start = Instant::now();
    let mut next_report = Duration::from_secs(10);
    loop {
        let left = limit.saturating_sub(start.elapsed()).max(RETRY_PAUSE);
        let status = match timeout(ANSWER.min(left), call(peers.client(task)?)).await {
            Ok(Ok(reply)) => return Ok(reply),
            Ok(Err(status)) => from_grpc(&status),
            Err(_) => {
                peers.forget(task);
                Status::unavailable("it does not answer")
            }
        };
        let waited = start.elapsed();
        if status.code() != Code::Unavailable {
            return Err(status.context(task));
        }
        if waited >= limit {
            // Not UNAVAILABLE: TensorFlow's client would ask again, and nobody would ever be told.
            return Err(Status::deadline_exceeded(format!(
                "{task} at {} could not be reached for {:.0} s: {}. Is it running, and is the address in \
                 the cluster right?",
                task.address,
                waited.as_secs_f64(),
                status.message()
            )));
        }
        if waited >= next_report {
            next_report += Duration::from_secs(10);
            tracing::warn!(
                "waiting for {task} at {} since {:.0} s: {}",
                task.address,
                waited.as_secs_f64(),
                status.message()
            );
        }
        tokio::time::sleep(RETRY_PAUSE).await;
    }
}
