//! Sessions for programs in Rust: on a task of their own process, or over gRPC on any.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use downpour_runtime::{RunRequest, StepOptions, StepTrace};
use downpour_tensor::{Code, Result, Status, Tensor};
use downpour_wire::proto::master_service_client::MasterServiceClient;
use downpour_wire::proto::{self, ConfigProto, GraphDef, StepStats};
use tokio::sync::Mutex;
use tonic::transport::{Channel, Endpoint};

use crate::grpc_status::from_grpc;
use crate::master::Master;
use crate::named_tensors::{from_named, to_named};
use crate::network::WINDOW;
use crate::sessions::Sessions;

/// A way to make sessions on a server of this process, without a network in between.
#[derive(Clone)]
pub struct Door(Arc<Sessions>);

impl Door {
    pub(crate) fn new(sessions: Arc<Sessions>) -> Door {
        Door(sessions)
    }

    /// Returns what the server holds for its clients and for other tasks now.
    pub fn held(&self) -> Held {
        let worker = self.0.worker();
        Held {
            sessions: self.0.len(),
            hosted_sessions: worker.session_count(),
            graphs: worker.graph_count(),
            steps: worker.step_count(),
            running_parts: self.0.metrics().parts.running() as usize,
        }
    }
}

/// Counts of what a server holds for clients and other tasks; all zero when nobody uses it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Sessions of its own clients.
    pub sessions: usize,
    /// Sessions that masters have opened on it.
    pub hosted_sessions: usize,
    /// Parts of graphs that are registered.
    pub graphs: usize,
    /// Steps that have begun and not ended.
    pub steps: usize,
    /// Parts of steps that compute.
    pub running_parts: usize,
}

/// A session of this program. Dropping it leaves it open on the server, as losing a connection does.
pub struct ClientSession {
    master: Reached,
    handle: String,
    /// Of the session's graph; held while it grows.
    version: Mutex<i64>,
}

enum Reached {
    Here(Master),
    There { client: MasterServiceClient<Channel>, target: String },
}

/// How a step is to be run.
#[derive(Clone, Debug, Default)]
pub struct ClientStep {
    pub timeout: Option<Duration>,
    /// Report what every node did and when.
    pub traced: bool,
}

impl ClientSession {
    /// On a server of this process; waits for the other tasks of its cluster as long as the server does.
    pub async fn here(door: &Door, config: ConfigProto) -> Result<ClientSession> {
        let master = Master::new(door.0.clone());
        let (handle, version) = master.open("", config, GraphDef::default(), None).await?;
        Ok(ClientSession { master: Reached::Here(master), handle, version: Mutex::new(version) })
    }

    /// On the server at `target` (`grpc://host:port`), given up after `patience`.
    pub async fn connect(
        target: &str,
        config: ConfigProto,
        patience: Duration,
    ) -> Result<ClientSession> {
        let address = target.strip_prefix("grpc://").unwrap_or(target);
        let endpoint = Endpoint::from_shared(format!("http://{address}"))
            .map_err(|e| Status::invalid_argument(format!("'{target}' is not an address: {e}")))?;
        let endpoint = endpoint
            .tcp_nodelay(true)
            .connect_timeout(patience)
            .initial_stream_window_size(WINDOW)
            .initial_connection_window_size(WINDOW);
        let channel = endpoint.connect().await.map_err(|e| {
            Status::unavailable(format!(
                "cannot reach {target}: {e}. Is a server running there? `downpour serve` starts one."
            ))
        })?;
        let mut client = MasterServiceClient::new(channel)
            .max_decoding_message_size(usize::MAX)
            .max_encoding_message_size(usize::MAX);
        let mut request = tonic::Request::new(proto::CreateSessionRequest {
            config: Some(config),
            target: target.to_string(),
            ..Default::default()
        });
        request.set_timeout(patience);
        let failed = |e: tonic::Status| from_grpc(&e).context(target);
        let reply = client.create_session(request).await.map_err(failed)?.into_inner();
        let version = Mutex::new(reply.graph_version);
        let master = Reached::There { client, target: target.to_string() };
        Ok(ClientSession { master, handle: reply.session_handle, version })
    }

    /// Adds nodes and functions to the session's graph.
    pub async fn extend(&self, graph: GraphDef) -> Result<()> {
        let mut version = self.version.lock().await;
        *version = match &self.master {
            Reached::Here(master) => {
                let session = master.sessions().get(&self.handle)?;
                master.grow(session, graph, *version).await?
            }
            Reached::There { client, target } => {
                let request = proto::ExtendSessionRequest {
                    session_handle: self.handle.clone(),
                    graph_def: Some(graph),
                    current_graph_version: *version,
                };
                let reply = client.clone().extend_session(request).await;
                let reply = reply.map_err(|e| from_grpc(&e).context(target))?;
                reply.into_inner().new_graph_version
            }
        };
        Ok(())
    }

    /// Runs a step; the second value is there if it was traced.
    pub async fn run(
        &self,
        request: RunRequest,
        step: &ClientStep,
    ) -> Result<(Vec<Tensor>, Option<StepStats>)> {
        match &self.master {
            Reached::Here(master) => {
                let session = master.sessions().get(&self.handle)?;
                let options = StepOptions { timeout: step.timeout, ..StepOptions::default() };
                let trace = step.traced.then(StepTrace::new);
                let ran = master.run_step_of(&session, request, options, trace).await?;
                let stats = master.step_stats(&ran);
                Ok((ran.tensors, stats))
            }
            Reached::There { client, target } => {
                self.run_there(client.clone(), request, step).await.map_err(|e| e.context(target))
            }
        }
    }

    async fn run_there(
        &self,
        mut client: MasterServiceClient<Channel>,
        request: RunRequest,
        step: &ClientStep,
    ) -> Result<(Vec<Tensor>, Option<StepStats>)> {
        let trace_level = match step.traced {
            true => proto::run_options::TraceLevel::FullTrace,
            false => proto::run_options::TraceLevel::NoTrace,
        };
        let timeout =
            step.timeout.map_or(0, |limit| limit.as_millis().min(i64::MAX as u128) as i64);
        let fetches = request.fetches;
        let request = proto::RunStepRequest {
            session_handle: self.handle.clone(),
            feed: to_named(request.feeds.iter().map(|(name, tensor)| (name, tensor)))?,
            fetch: fetches.clone(),
            target: request.targets,
            options: Some(proto::RunOptions {
                timeout_in_ms: timeout,
                trace_level: trace_level as i32,
                ..Default::default()
            }),
            store_errors_in_response_body: true,
            ..Default::default()
        };
        let reply = client.run_step(request).await.map_err(|e| from_grpc(&e))?.into_inner();
        if reply.status_code != 0 {
            return Err(Status::new(Code::from_i32(reply.status_code), reply.status_error_message));
        }
        let by_name: HashMap<String, Tensor> = from_named(&reply.tensor)?.into_iter().collect();
        let find = |name: &String| {
            let missing = || Status::internal(format!("the server did not return '{name}'"));
            by_name.get(name).cloned().ok_or_else(missing)
        };
        let tensors = fetches.iter().map(find).collect::<Result<_>>()?;
        Ok((tensors, reply.metadata.and_then(|metadata| metadata.step_stats)))
    }

    /// Ends the session on its server.
    pub async fn close(&self) -> Result<()> {
        match &self.master {
            Reached::Here(master) => master.sessions().close(&self.handle),
            Reached::There { client, target } => {
                let request = proto::CloseSessionRequest { session_handle: self.handle.clone() };
                let reply = client.clone().close_session(request).await;
                reply.map(drop).map_err(|e| from_grpc(&e).context(target))
            }
        }
    }
}
