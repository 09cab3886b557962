//! MasterService: sessions and steps for TensorFlow clients.
//!
//! Network threads only decode and hand over; graphs are imported and steps run on compute threads. A
//! call whose client goes away cancels its step.

use std::sync::Arc;
use std::time::Duration;

use downpour_runtime::{CancellationToken, RunRequest, StepOptions, StepTrace};
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::proto::{self, master_service_server::MasterService};
use downpour_wire::{tensor_from_proto, tensor_to_proto};
use tokio::sync::oneshot;
use tonic::{Request, Response};

use crate::cluster_session::{ClusterSession, Signature};
use crate::deadline;
use crate::grpc_status::{shorten, to_grpc};
use crate::metadata;
use crate::named_tensors::{from_named, to_named};
use crate::peers::until_reached;
use crate::sessions::{Backend, MasterSession, Partial, Sessions};

/// How long a Reset waits for a task that does not answer.
const RESET_LIMIT: Duration = Duration::from_secs(10);

pub struct Master {
    sessions: Arc<Sessions>,
}

type Reply<T> = std::result::Result<Response<T>, tonic::Status>;

impl Master {
    pub fn new(sessions: Arc<Sessions>) -> Master {
        Master { sessions }
    }

    /// Runs something that answers later, on a compute thread; gives the token that cancels it.
    async fn step(
        &self,
        start: impl FnOnce(CancellationToken, Done) + Send + 'static,
    ) -> Result<Vec<Tensor>> {
        let token = CancellationToken::new();
        let guard = CancelOnDrop(Some(token.clone()));
        let (send, receive) = oneshot::channel();
        let done: Done = Box::new(move |result| drop(send.send(result)));
        self.sessions.device().pool().spawn(move || start(token, done));
        let result = receive
            .await
            .unwrap_or_else(|_| Err(Status::internal("a step ended without a result")));
        guard.disarm();
        result
    }

    async fn run(
        &self,
        session: &MasterSession,
        request: proto::RunStepRequest,
        trace: Option<Arc<StepTrace>>,
    ) -> Result<Ran> {
        let _running = (self.sessions.metrics().steps.begin(), session.activity.step());
        let feeds = from_named(&request.feed)?;
        let options = step_options(request.options.as_ref());
        if !request.partial_run_handle.is_empty() {
            let step = RunRequest { feeds, fetches: request.fetch, targets: request.target };
            let tensors = self.run_partial(session, &request.partial_run_handle, step).await?;
            return Ok(Ran { tensors, trace: None, stats: Vec::new() });
        }
        let local = match &session.session {
            Backend::Local(local) => local.clone(),
            Backend::Cluster(cluster) => {
                let (names, tensors) = feeds.into_iter().unzip();
                let signature =
                    Signature { feeds: names, fetches: request.fetch, targets: request.target };
                let ran = run_over_tasks(cluster, signature, tensors, &options, trace.is_some());
                return ran.await.map(|(tensors, stats)| Ran { tensors, trace: None, stats });
            }
        };
        let step = RunRequest { feeds, fetches: request.fetch, targets: request.target };
        let collector = trace.clone();
        let tensors = self
            .step(move |token, done| {
                let options =
                    StepOptions { cancellation: Some(token), trace: collector, ..options };
                local.run_async(step, &options, done);
            })
            .await?;
        Ok(Ran { tensors, trace, stats: Vec::new() })
    }

    /// One call of a partial run, which ends with the last or with an error.
    async fn run_partial(
        &self,
        session: &MasterSession,
        handle: &str,
        step: RunRequest,
    ) -> Result<Vec<Tensor>> {
        let run = session.partial(handle)?;
        let result = match &*run {
            Partial::Cluster(over_tasks) => over_tasks.run(step).await,
            Partial::Local(local) => {
                let local = local.clone();
                self.step(move |_, done| local.run(step, done)).await
            }
        };
        if result.is_err() || run.is_complete() {
            session.close_partial(handle);
        }
        result
    }

    async fn set_up_partial(
        &self,
        session: &MasterSession,
        (feeds, fetches, targets): (Vec<String>, Vec<String>, Vec<String>),
    ) -> Result<String> {
        let run = match &session.session {
            Backend::Cluster(cluster) => {
                let signature = Signature { feeds, fetches, targets };
                Partial::Cluster(cluster.partial_run_setup(signature).await?)
            }
            Backend::Local(local) => {
                let local = local.clone();
                let set_up = move || local.partial_run_setup(feeds, fetches, targets);
                Partial::Local(Arc::new(self.sessions.worker().compute(set_up).await?))
            }
        };
        Ok(session.open_partial(run))
    }

    /// Clears containers on the other tasks of the cluster.
    async fn clear_others(&self, containers: &[String]) -> Result<()> {
        let (peers, own) = (self.sessions.peers(), self.sessions.own());
        for task in peers.spec().tasks().filter(|task| task != own) {
            let client = peers.client(&task)?;
            until_reached(&task, RESET_LIMIT, || {
                let mut client = client.clone();
                let request = proto::CleanupAllRequest { container: containers.to_vec() };
                async move { client.cleanup_all(request).await }
            })
            .await?;
        }
        Ok(())
    }

    /// What the client asked to know about the step, if anything.
    async fn metadata(
        &self,
        session: &MasterSession,
        wanted: &Wanted,
        ran: &Ran,
        signature: Option<Signature>,
    ) -> Result<Option<proto::RunMetadata>> {
        let trace = ran.trace.clone();
        if trace.is_none() && signature.is_none() && ran.stats.is_empty() {
            return Ok(None);
        }
        let device = self.sessions.device().name();
        let mut metadata = proto::RunMetadata::default();
        if let Some(trace) = &trace {
            if wanted.stats {
                metadata.step_stats = Some(metadata::step_stats(trace, device));
            }
            if wanted.cost_graph {
                metadata.cost_graph = Some(metadata::cost_graph(trace, device));
            }
        }
        if !ran.stats.is_empty() && wanted.stats {
            let all = ran.stats.iter().flat_map(|part| part.dev_stats.iter().cloned());
            metadata.step_stats = Some(proto::StepStats { dev_stats: all.collect() });
        }
        match (&session.session, signature) {
            (_, None) => {}
            (Backend::Local(local), Some(Signature { feeds, fetches, targets })) => {
                let local = local.clone();
                let graph = self
                    .sessions
                    .worker()
                    .compute(move || local.compiled_graph(feeds, fetches, targets))
                    .await?;
                metadata.partition_graphs.push(graph);
            }
            (Backend::Cluster(cluster), Some(signature)) => {
                metadata.partition_graphs = cluster.partition_graphs(signature).await?;
            }
        }
        Ok(Some(metadata))
    }
}

/// What a step gave.
struct Ran {
    tensors: Vec<Tensor>,
    trace: Option<Arc<StepTrace>>,
    /// From other tasks, if the step was traced.
    stats: Vec<proto::StepStats>,
}

fn signature(request: &proto::RunStepRequest) -> Signature {
    Signature {
        feeds: request.feed.iter().map(|f| f.name.clone()).collect(),
        fetches: request.fetch.clone(),
        targets: request.target.clone(),
    }
}

/// Runs a step on all the tasks it needs, within its deadline.
async fn run_over_tasks(
    cluster: &Arc<ClusterSession>,
    signature: Signature,
    feeds: Vec<Tensor>,
    options: &StepOptions,
    traced: bool,
) -> Result<(Vec<Tensor>, Vec<proto::StepStats>)> {
    let step = cluster.prepare(signature).await?;
    let run = cluster.run(&step, feeds, traced);
    match options.timeout.or(cluster.step_timeout()) {
        None => run.await,
        // Dropping the run ends the step on all tasks.
        Some(limit) => tokio::time::timeout(limit, run).await.unwrap_or_else(|_| {
            Err(Status::deadline_exceeded("Timed out waiting for the step to finish"))
        }),
    }
}

/// Which parts of RunMetadata a step's options ask for.
struct Wanted {
    stats: bool,
    cost_graph: bool,
    partition_graphs: bool,
}

impl Wanted {
    fn new(options: Option<&proto::RunOptions>, cost_graph: bool) -> Wanted {
        let level = options.map_or(0, |o| o.trace_level);
        Wanted {
            stats: level > proto::run_options::TraceLevel::NoTrace as i32,
            cost_graph,
            partition_graphs: options.is_some_and(|o| o.output_partition_graphs),
        }
    }

    fn trace(&self) -> Option<Arc<StepTrace>> {
        (self.stats || self.cost_graph).then(StepTrace::new)
    }
}

type Done = Box<dyn FnOnce(Result<Vec<Tensor>>) + Send>;

/// Cancels a step when the call that waits for it is dropped.
struct CancelOnDrop(Option<CancellationToken>);

impl CancelOnDrop {
    fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(token) = self.0.take() {
            token.cancel();
        }
    }
}

fn step_options(options: Option<&proto::RunOptions>) -> StepOptions {
    let timeout = options
        .and_then(|o| u64::try_from(o.timeout_in_ms).ok())
        .filter(|ms| *ms > 0)
        .map(Duration::from_millis);
    StepOptions { timeout, ..StepOptions::default() }
}

#[tonic::async_trait]
impl MasterService for Master {
    async fn create_session(
        &self,
        request: Request<proto::CreateSessionRequest>,
    ) -> Reply<proto::CreateSessionResponse> {
        let deadline = deadline::of_call(request.metadata());
        let request = request.into_inner();
        let config = request.config.unwrap_or_default();
        let created = self.sessions.create(&request.target, config, deadline).await;
        let (session_handle, session) = created.map_err(to_grpc)?;
        let graph = request.graph_def.unwrap_or_default();
        let nodes = graph.node.len();
        session.activity.grown(nodes);
        let (session, graph_version) = self
            .sessions
            .worker()
            .compute(move || {
                let version = session.session.extend(&graph)?;
                Ok((session, version))
            })
            .await
            .map_err(to_grpc)?;
        self.sessions.insert(&session_handle, session);
        tracing::debug!(session = session_handle, nodes, "session created");
        Ok(Response::new(proto::CreateSessionResponse { session_handle, graph_version }))
    }

    async fn extend_session(
        &self,
        request: Request<proto::ExtendSessionRequest>,
    ) -> Reply<proto::ExtendSessionResponse> {
        let request = request.into_inner();
        let session = self.sessions.get(&request.session_handle).map_err(to_grpc)?;
        let current = session.session.graph_version();
        if request.current_graph_version != current {
            return Err(to_grpc(Status::aborted(format!(
                "the session's graph is at version {current}, the client's at {}",
                request.current_graph_version
            ))));
        }
        let graph = request.graph_def.unwrap_or_default();
        let new_graph_version = self
            .sessions
            .worker()
            .compute(move || {
                let version = session.session.extend(&graph)?;
                session.activity.grown(graph.node.len());
                Ok(version)
            })
            .await
            .map_err(to_grpc)?;
        Ok(Response::new(proto::ExtendSessionResponse { new_graph_version }))
    }

    async fn partial_run_setup(
        &self,
        request: Request<proto::PartialRunSetupRequest>,
    ) -> Reply<proto::PartialRunSetupResponse> {
        let request = request.into_inner();
        let session = self.sessions.get(&request.session_handle).map_err(to_grpc)?;
        let names = (request.feed, request.fetch, request.target);
        let partial_run_handle = self.set_up_partial(&session, names).await.map_err(to_grpc)?;
        Ok(Response::new(proto::PartialRunSetupResponse { partial_run_handle }))
    }

    async fn run_step(
        &self,
        request: Request<proto::RunStepRequest>,
    ) -> Reply<proto::RunStepResponse> {
        let request = request.into_inner();
        let session = self.sessions.get(&request.session_handle).map_err(to_grpc)?;
        let errors_in_body = request.store_errors_in_response_body;
        let names = request.fetch.clone();
        let wanted = Wanted::new(request.options.as_ref(), session.build_cost_model);
        let signature = wanted.partition_graphs.then(|| signature(&request));
        let result = self.run(&session, request, wanted.trace()).await;
        let result = match result {
            Ok(ran) => {
                self.metadata(&session, &wanted, &ran, signature).await.and_then(|metadata| {
                    let tensor = to_named(names.iter().zip(&ran.tensors))?;
                    Ok(proto::RunStepResponse { tensor, metadata, ..Default::default() })
                })
            }
            Err(status) => Err(status),
        };
        match result {
            Ok(response) => Ok(Response::new(response)),
            Err(status) if errors_in_body => Ok(Response::new(proto::RunStepResponse {
                status_code: status.code() as i32,
                status_error_message: shorten(status.message()),
                ..Default::default()
            })),
            Err(status) => Err(to_grpc(status)),
        }
    }

    async fn close_session(
        &self,
        request: Request<proto::CloseSessionRequest>,
    ) -> Reply<proto::CloseSessionResponse> {
        self.sessions.close(&request.into_inner().session_handle).map_err(to_grpc)?;
        Ok(Response::new(proto::CloseSessionResponse {}))
    }

    async fn list_devices(
        &self,
        request: Request<proto::ListDevicesRequest>,
    ) -> Reply<proto::ListDevicesResponse> {
        let handle = request.into_inner().session_handle;
        let session = self.sessions.get(&handle).ok();
        let (local_device, remote_device) = match session.as_ref().map(|s| &s.session) {
            Some(Backend::Cluster(cluster)) => cluster.list_devices(),
            _ => (vec![self.sessions.worker().attributes()], Vec::new()),
        };
        Ok(Response::new(proto::ListDevicesResponse { local_device, remote_device }))
    }

    async fn reset(&self, request: Request<proto::ResetRequest>) -> Reply<proto::ResetResponse> {
        let request = request.into_inner();
        self.clear_others(&request.container).await.map_err(to_grpc)?;
        let sessions = self.sessions.clone();
        self.sessions
            .worker()
            .compute(move || {
                sessions.reset(&request.container);
                Ok(())
            })
            .await
            .map_err(to_grpc)?;
        Ok(Response::new(proto::ResetResponse {}))
    }

    async fn make_callable(
        &self,
        request: Request<proto::MakeCallableRequest>,
    ) -> Reply<proto::MakeCallableResponse> {
        let request = request.into_inner();
        let session = self.sessions.get(&request.session_handle).map_err(to_grpc)?;
        let options = request.options.unwrap_or_default();
        if !options.tensor_connection.is_empty() {
            return Err(to_grpc(Status::unimplemented(
                "MakeCallable with tensor_connection is not supported; feed the tensors instead",
            )));
        }
        let traced = Wanted::new(options.run_options.as_ref(), false).stats;
        let handle = match &session.session {
            Backend::Local(local) => {
                let local = local.clone();
                self.sessions
                    .worker()
                    .compute(move || {
                        local.make_callable(options.feed, options.fetch, options.target)
                    })
                    .await
            }
            Backend::Cluster(cluster) => {
                let signature = Signature {
                    feeds: options.feed,
                    fetches: options.fetch,
                    targets: options.target,
                };
                cluster.make_callable(signature).await
            }
        }
        .map_err(to_grpc)?;
        session.set_traced(handle, traced);
        Ok(Response::new(proto::MakeCallableResponse { handle }))
    }

    async fn run_callable(
        &self,
        request: Request<proto::RunCallableRequest>,
    ) -> Reply<proto::RunCallableResponse> {
        let request = request.into_inner();
        let session = self.sessions.get(&request.session_handle).map_err(to_grpc)?;
        let _running = (self.sessions.metrics().steps.begin(), session.activity.step());
        let feeds: Vec<Tensor> =
            request.feed.iter().map(tensor_from_proto).collect::<Result<_>>().map_err(to_grpc)?;
        let traced = session.is_traced(request.handle);
        let local = match &session.session {
            Backend::Local(local) => local.clone(),
            Backend::Cluster(cluster) => {
                let step = cluster.callable(request.handle).map_err(to_grpc)?;
                let (tensors, stats) = cluster.run(&step, feeds, traced).await.map_err(to_grpc)?;
                let fetch =
                    tensors.iter().map(tensor_to_proto).collect::<Result<_>>().map_err(to_grpc)?;
                let all = stats.into_iter().flat_map(|part| part.dev_stats).collect();
                let metadata = traced.then(|| proto::RunMetadata {
                    step_stats: Some(proto::StepStats { dev_stats: all }),
                    ..Default::default()
                });
                return Ok(Response::new(proto::RunCallableResponse { fetch, metadata }));
            }
        };
        let trace = traced.then(StepTrace::new);
        let collector = trace.clone();
        let tensors = self
            .step(move |token, done| {
                let options =
                    StepOptions { cancellation: Some(token), trace: collector, timeout: None };
                local.run_callable_async(request.handle, feeds, &options, done);
            })
            .await
            .map_err(to_grpc)?;
        let fetch = tensors.iter().map(tensor_to_proto).collect::<Result<_>>().map_err(to_grpc)?;
        let metadata = trace.map(|trace| proto::RunMetadata {
            step_stats: Some(metadata::step_stats(&trace, self.sessions.device().name())),
            ..Default::default()
        });
        Ok(Response::new(proto::RunCallableResponse { fetch, metadata }))
    }

    async fn release_callable(
        &self,
        request: Request<proto::ReleaseCallableRequest>,
    ) -> Reply<proto::ReleaseCallableResponse> {
        let request = request.into_inner();
        let session = self.sessions.get(&request.session_handle).map_err(to_grpc)?;
        match &session.session {
            Backend::Local(local) => local.release_callable(request.handle),
            Backend::Cluster(cluster) => cluster.release_callable(request.handle),
        }
        .map_err(to_grpc)?;
        session.set_traced(request.handle, false);
        Ok(Response::new(proto::ReleaseCallableResponse {}))
    }
}
