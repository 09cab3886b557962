//! MasterService: sessions and steps for TensorFlow clients.
//!
//! Network threads only decode and hand over; graphs are imported and steps run on compute threads. A
//! call whose client goes away cancels its step. `service` has the calls themselves.

mod service;

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use downpour_runtime::{CancellationToken, RunRequest, StepOptions, StepTrace};
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::proto;
use tokio::sync::oneshot;

use crate::cluster_session::{ClusterSession, Signature};
use crate::metadata;
use crate::named_tensors::from_named;
use crate::peers::until_reached;
use crate::sessions::{Backend, MasterSession, Partial, SessionCall, Sessions};

/// How long a Reset waits for a task that does not answer.
const RESET_LIMIT: Duration = Duration::from_secs(10);

pub struct Master {
    sessions: Arc<Sessions>,
}

impl Master {
    pub fn new(sessions: Arc<Sessions>) -> Master {
        Master { sessions }
    }

    pub(crate) fn sessions(&self) -> &Sessions {
        &self.sessions
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
        let feeds = from_named(&request.feed)?;
        let options = step_options(request.options.as_ref());
        let step = RunRequest { feeds, fetches: request.fetch, targets: request.target };
        if !request.partial_run_handle.is_empty() {
            let _running = self.running(session);
            let tensors = self.run_partial(session, &request.partial_run_handle, step).await?;
            return Ok(Ran { tensors, trace: None, stats: Vec::new() });
        }
        self.run_step_of(session, step, options, trace).await
    }

    /// Counts a step as running until the value is dropped.
    fn running<'s>(&self, session: &'s MasterSession) -> impl Sized + use<'s> {
        (self.sessions.metrics().steps.begin(), session.activity.step())
    }

    /// Runs a step where its session runs.
    pub(crate) async fn run_step_of(
        &self,
        session: &MasterSession,
        step: RunRequest,
        options: StepOptions,
        trace: Option<Arc<StepTrace>>,
    ) -> Result<Ran> {
        let _running = self.running(session);
        let local = match &session.session {
            Backend::Local(local) => local.clone(),
            Backend::Cluster(cluster) => {
                let (names, tensors) = step.feeds.into_iter().unzip();
                let signature =
                    Signature { feeds: names, fetches: step.fetches, targets: step.targets };
                let ran = run_over_tasks(cluster, signature, tensors, &options, trace.is_some());
                return ran.await.map(|(tensors, stats)| Ran { tensors, trace: None, stats });
            }
        };
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

    /// Makes a session with a graph.
    pub(crate) async fn open(
        &self,
        target: &str,
        config: proto::ConfigProto,
        graph: proto::GraphDef,
        deadline: Option<Duration>,
    ) -> Result<(String, i64)> {
        let (handle, session) = self.sessions.create(target, config, deadline).await?;
        let nodes = graph.node.len();
        session.activity.grown(nodes);
        let extend = move || {
            let version = session.session.extend(&graph)?;
            Ok((session, version))
        };
        let (session, version) = self.sessions.worker().compute(extend).await?;
        self.sessions.insert(&handle, session);
        tracing::debug!(session = handle, nodes, "session created");
        Ok((handle, version))
    }

    /// Adds to a session's graph, which must be the one the client knows.
    pub(crate) async fn grow(
        &self,
        session: SessionCall,
        graph: proto::GraphDef,
        known: i64,
    ) -> Result<i64> {
        let current = session.session.graph_version();
        if known != current {
            return Err(Status::aborted(format!(
                "the session's graph is at version {current}, the client's at {known}"
            )));
        }
        let extend = move || {
            let version = session.session.extend(&graph)?;
            session.activity.grown(graph.node.len());
            Ok(version)
        };
        self.sessions.worker().compute(extend).await
    }

    /// What the nodes of a step did and when, by device.
    pub(crate) fn step_stats(&self, ran: &Ran) -> Option<proto::StepStats> {
        let here = ran
            .trace
            .as_ref()
            .map(|trace| metadata::step_stats(trace, self.sessions.device().name()));
        let parts = here.iter().chain(&ran.stats);
        let dev_stats: Vec<_> = parts.flat_map(|part| part.dev_stats.iter().cloned()).collect();
        (!dev_stats.is_empty()).then_some(proto::StepStats { dev_stats })
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
            until_reached(peers, &task, RESET_LIMIT, |mut client| {
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
        if ran.trace.is_none() && signature.is_none() && ran.stats.is_empty() {
            return Ok(None);
        }
        let mut metadata = proto::RunMetadata::default();
        if wanted.stats {
            metadata.step_stats = self.step_stats(ran);
        }
        if let Some(trace) = ran.trace.as_ref().filter(|_| wanted.cost_graph) {
            let device = self.sessions.device().name();
            metadata.cost_graph = Some(metadata::cost_graph(trace, device));
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
pub(crate) struct Ran {
    pub tensors: Vec<Tensor>,
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
    let mut run = pin!(async {
        let step = cluster.prepare(signature).await?;
        cluster.run(&step, feeds, traced).await
    });
    match options.timeout.or(cluster.step_timeout()) {
        None => run.await,
        // Dropping the run ends the step on all tasks.
        Some(limit) => tokio::time::timeout(limit, &mut run).await.unwrap_or_else(|_| {
            let mut text = "Timed out waiting for the step to finish".to_string();
            let awaited = cluster.awaited();
            if !awaited.is_empty() {
                text = format!("{text}: no answer from {awaited}");
            }
            Err(Status::deadline_exceeded(text))
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
