//! Connections to the other tasks of a cluster, made when first needed and kept.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use downpour_graph::DeviceName;
use downpour_tensor::{Code, Result, Status};
use downpour_wire::proto::worker_service_client::WorkerServiceClient;
use parking_lot::Mutex;
use tonic::transport::{Channel, Endpoint};

use crate::grpc_status::from_grpc;
use crate::network::{Dialer, GrpcDialer, WINDOW};
use crate::spec::{ClusterSpec, TaskAddress};

const RETRY_PAUSE: Duration = Duration::from_millis(200);

pub type WorkerClient = WorkerServiceClient<Channel>;

/// The tasks of one cluster, as one of them sees them.
pub struct Peers {
    spec: ClusterSpec,
    channels: Mutex<HashMap<TaskAddress, Channel>>,
    dialer: Arc<Dialer>,
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
        let mut channels = self.channels.lock();
        let channel = match channels.get(task) {
            Some(channel) => channel.clone(),
            None => {
                let endpoint = Endpoint::from_shared(format!("http://{}", task.address))
                    .map_err(|e| {
                        Status::invalid_argument(format!(
                            "the address '{}' of {task} is not usable: {e}",
                            task.address
                        ))
                    })?
                    .initial_stream_window_size(WINDOW)
                    .initial_connection_window_size(WINDOW);
                let dialer = GrpcDialer(self.dialer.clone());
                let channel = endpoint.connect_with_connector_lazy(dialer);
                channels.insert(task.clone(), channel.clone());
                channel
            }
        };
        Ok(WorkerServiceClient::new(channel)
            .max_decoding_message_size(usize::MAX)
            .max_encoding_message_size(usize::MAX))
    }
}

/// Calls a peer again until it can be reached, at most for `limit`; the error then says who, where, why
/// and how long. Errors of a peer that was reached are returned at once.
pub async fn until_reached<T, F: Future<Output = std::result::Result<T, tonic::Status>>>(
    task: &TaskAddress,
    limit: Duration,
    mut call: impl FnMut() -> F,
) -> Result<T> {
    let start = Instant::now();
    let mut next_report = Duration::from_secs(10);
    loop {
        let status = match call().await {
            Ok(reply) => return Ok(reply),
            Err(status) => from_grpc(&status),
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
