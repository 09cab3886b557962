//! A session over several tasks: the graph is placed and cut, every task registers its part, a step runs
//! all parts at once.
//!
//! Protocol of a step. The master chooses a number, tells every task that has a part to run it (its own
//! worker without the network) and waits for all. The first part that fails ends the others: CleanupGraph
//! goes to every task, which aborts what still waits there. CleanupGraph also follows a step that went
//! well; it is not waited for. The error reported is the first that is not itself caused by the end of
//! the step.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use downpour_graph::passes::prune;
use downpour_graph::{
    DeviceName, Endpoint, FunctionLibrary, Graph, NodeId, PeerDevice, PlacementOptions,
    export_graph, import_graph, partition, place,
};
use downpour_runtime::{Registry, SessionOptions, StepTrace};
use downpour_tensor::{Code, Result, Status, Tensor};
use downpour_wire::proto::{self, ConfigProto, FunctionDefLibrary, GraphDef};
use downpour_wire::tensor_from_proto;
use parking_lot::Mutex;
use tokio::sync::{OnceCell, watch};
use tokio::task::JoinSet;

use crate::config::session_options;
use crate::grpc_status::from_grpc;
use crate::metadata;
use crate::named_tensors::to_named;
use crate::peers::{Peers, WorkerClient, until_reached};
use crate::spec::{ClusterSpec, TaskAddress};
use crate::worker::{RunPart, SessionCluster, Worker};

/// How long a session waits for tasks that do not answer.
const REACH_LIMIT: Duration = Duration::from_secs(120);

/// One task of the session.
#[derive(Clone)]
struct Task {
    address: TaskAddress,
    door: Door,
}

/// How to talk to a task.
#[derive(Clone)]
enum Door {
    Here(Arc<Worker>),
    There(WorkerClient),
}

pub struct ClusterSession {
    registry: Arc<Registry>,
    worker: Arc<Worker>,
    config: ConfigProto,
    options: SessionOptions,
    handle: String,
    tasks: Vec<Task>,
    devices: Vec<PeerDevice>,
    names: Vec<DeviceName>,
    /// The master's own task, where nodes go that ask for nothing.
    default: usize,
    state: Mutex<State>,
    /// A cell per signature: while one is registered, steps of the others go on.
    prepared: Mutex<HashMap<Signature, Arc<OnceCell<Arc<PreparedStep>>>>>,
    /// Set when the session is closed; running steps watch it.
    closed: watch::Sender<bool>,
    callables: Mutex<HashMap<i64, Arc<PreparedStep>>>,
    next_callable: AtomicI64,
    next_step: AtomicU64,
    salt: u64,
}

struct State {
    graph: Arc<Graph>,
    functions: FunctionDefLibrary,
    library: FunctionLibrary,
    version: i64,
    /// Device of every node placed so far.
    places: HashMap<String, usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    pub feeds: Vec<String>,
    pub fetches: Vec<String>,
    pub targets: Vec<String>,
}

/// A signature with its partitions registered.
pub struct PreparedStep {
    parts: Vec<Part>,
    /// For each feed and fetch: which part, and under which key.
    feeds: Vec<(usize, String)>,
    fetches: Vec<(usize, String)>,
}

/// For each feed and fetch: which part, and under which key.
struct Keys {
    feeds: Vec<(usize, String)>,
    fetches: Vec<(usize, String)>,
}

struct Part {
    task: usize,
    graph: String,
}

/// What a traced step reports, by part.
pub type PartStats = Vec<proto::StepStats>;

impl ClusterSession {
    /// Reaches every task of the cluster and opens a session there.
    pub async fn create(
        registry: Arc<Registry>,
        worker: &Arc<Worker>,
        peers: &Arc<Peers>,
        own: &TaskAddress,
        config: ConfigProto,
        handle: String,
        brings_cluster: bool,
    ) -> Result<ClusterSession> {
        let allowed = allowed_tasks(peers, own, &config)?;
        let mut waiting = JoinSet::new();
        for (index, address) in allowed.into_iter().enumerate() {
            if address == *own {
                let door = Door::Here(worker.clone());
                let attributes = worker.attributes();
                waiting.spawn(async move { Ok((index, Task { address, door }, attributes)) });
                continue;
            }
            let client = peers.client(&address)?;
            waiting.spawn(async move {
                let reply = until_reached(&address, REACH_LIMIT, || {
                    let mut client = client.clone();
                    async move { client.get_status(proto::GetStatusRequest {}).await }
                })
                .await?;
                let attributes = reply.into_inner().device_attributes;
                let cpu = attributes.into_iter().find(|d| d.device_type == "CPU");
                let cpu = cpu.ok_or_else(|| {
                    Status::failed_precondition(format!("{address} has no CPU device"))
                })?;
                Ok((index, Task { address, door: Door::There(client) }, cpu))
            });
        }
        let mut reached = Vec::new();
        while let Some(answer) = waiting.join_next().await {
            reached.push(answer.map_err(|e| Status::internal(format!("a task's answer: {e}")))??);
        }
        reached.sort_by_key(|(index, _, _)| *index);
        let mut tasks = Vec::new();
        let (mut devices, mut names) = (Vec::new(), Vec::new());
        for (_, task, attributes) in reached {
            // By the session's name of the task, which may not be the one the task was started with.
            let name = DeviceName::cpu(&task.address.job, task.address.task);
            let incarnation = attributes.incarnation;
            devices.push(PeerDevice { name: name.to_string(), incarnation });
            names.push(name);
            tasks.push(task);
        }
        let default = tasks.iter().position(|t| t.address == *own).unwrap_or(0);
        let session = ClusterSession {
            registry,
            worker: worker.clone(),
            options: session_options(&config),
            config,
            tasks,
            devices,
            names,
            default,
            state: Mutex::new(State {
                graph: Arc::new(Graph::new()),
                functions: FunctionDefLibrary::default(),
                library: FunctionLibrary::new(),
                version: 0,
                places: HashMap::new(),
            }),
            prepared: Mutex::default(),
            closed: watch::Sender::new(false),
            callables: Mutex::default(),
            next_callable: AtomicI64::new(1),
            next_step: AtomicU64::new(1),
            salt: RandomState::new().hash_one(&handle),
            handle,
        };
        session.open_everywhere(brings_cluster.then(|| peers.spec())).await?;
        Ok(session)
    }

    async fn open_everywhere(&self, cluster: Option<&ClusterSpec>) -> Result<()> {
        // As TensorFlow has it: who brings a cluster shares nothing with other sessions, unless it asks.
        let shares = self.config.experimental.as_ref();
        let shares = shares.is_some_and(|e| e.share_session_state_in_clusterspec_propagation);
        let isolate = self.options.isolate_state || (cluster.is_some() && !shares);
        for task in &self.tasks {
            match &task.door {
                Door::Here(worker) => {
                    let cluster = cluster.map(|spec| SessionCluster {
                        spec: spec.clone(),
                        job: task.address.job.clone(),
                        task: task.address.task,
                    });
                    worker.create_session(&self.handle, isolate, cluster);
                }
                Door::There(client) => {
                    let request = proto::CreateWorkerSessionRequest {
                        session_handle: self.handle.clone(),
                        isolate_session_state: isolate,
                        server_def: Some(proto::ServerDef {
                            job_name: task.address.job.clone(),
                            task_index: task.address.task as i32,
                            protocol: "grpc".to_string(),
                            cluster: cluster.map(ClusterSpec::to_proto),
                            ..Default::default()
                        }),
                        ..Default::default()
                    };
                    let created = client.clone().create_worker_session(request).await;
                    created.map_err(|e| task.failed(&e))?;
                }
            }
        }
        Ok(())
    }

    /// Own devices and those of other tasks.
    pub fn list_devices(&self) -> (Vec<proto::DeviceAttributes>, Vec<proto::DeviceAttributes>) {
        let attributes = |device: &PeerDevice| proto::DeviceAttributes {
            name: device.name.clone(),
            device_type: "CPU".to_string(),
            incarnation: device.incarnation,
            ..Default::default()
        };
        let own = &self.devices[self.default];
        let remote = self.devices.iter().filter(|d| *d != own).map(attributes).collect();
        let local = proto::DeviceAttributes { name: own.name.clone(), ..self.worker.attributes() };
        (vec![local], remote)
    }

    /// Deadline of steps that set none themselves.
    pub fn step_timeout(&self) -> Option<Duration> {
        self.options.step_timeout
    }

    /// Adds nodes and functions; on error the graph stays as it was. Returns the new version.
    pub fn extend(&self, proto: &GraphDef) -> Result<i64> {
        let mut state = self.state.lock();
        let mut library = state.library.clone();
        let mut functions = state.functions.clone();
        if let Some(more) = &proto.library {
            library.extend(more)?;
            functions.function.extend(more.function.iter().cloned());
            functions.gradient.extend(more.gradient.iter().cloned());
        }
        let mut graph = (*state.graph).clone();
        import_graph(&mut graph, proto, self.registry.ops(), &library)?;
        let options = PlacementOptions {
            devices: &self.names,
            default: self.default,
            soft: self.options.soft_placement,
            earlier: Some(&state.places),
        };
        // Placed as a whole and once, so that a variable is on the same device in every step.
        let places = place(&graph, &options)?;
        state.places = graph.nodes().map(|(id, n)| (n.name.clone(), places[id.index()])).collect();
        state.graph = Arc::new(graph);
        state.functions = functions;
        state.library = library;
        state.version += 1;
        Ok(state.version)
    }

    pub fn graph_version(&self) -> i64 {
        self.state.lock().version
    }

    /// The step of a signature: cut and registered when it is first asked for.
    pub async fn prepare(self: &Arc<Self>, signature: Signature) -> Result<Arc<PreparedStep>> {
        let cell = self.prepared.lock().entry(signature.clone()).or_default().clone();
        cell.get_or_try_init(|| self.register_parts(signature)).await.cloned()
    }

    async fn register_parts(self: &Arc<Self>, signature: Signature) -> Result<Arc<PreparedStep>> {
        let session = self.clone();
        let (keys, graphs) = self.worker.compute(move || session.cut(&signature)).await?;
        let mut parts = Vec::new();
        for (device, graph) in graphs {
            // One device per task: they have the same numbers.
            parts.push(Part { task: device, graph: self.register(device, graph).await? });
        }
        Ok(Arc::new(PreparedStep { parts, feeds: keys.feeds, fetches: keys.fetches }))
    }

    /// Prunes, places and partitions: where feeds and fetches cross, and a graph for each device.
    fn cut(&self, signature: &Signature) -> Result<(Keys, Vec<(usize, GraphDef)>)> {
        let (graph, functions, places) = {
            let state = self.state.lock();
            (state.graph.clone(), state.functions.clone(), state.places.clone())
        };
        let find = |name: &String| graph.find_endpoint(name);
        let feeds: Vec<Endpoint> = signature.feeds.iter().map(find).collect::<Result<_>>()?;
        let fetches: Vec<Endpoint> = signature.fetches.iter().map(find).collect::<Result<_>>()?;
        let targets: Vec<NodeId> = signature
            .targets
            .iter()
            .map(|name| {
                let node = name.split(':').next().unwrap_or(name);
                graph.find(node).ok_or_else(|| {
                    Status::not_found(format!("target node '{name}' is not in the graph"))
                })
            })
            .collect::<Result<_>>()?;
        let subgraph = prune(&graph, &feeds, &fetches, &targets, self.registry.ops())?;
        let mut of_node = Vec::with_capacity(subgraph.graph.len());
        for (id, node) in subgraph.graph.nodes() {
            let name = match subgraph.args.iter().position(|arg| *arg == id) {
                Some(feed) => &graph.node(feeds[feed].node).name,
                None => &node.name,
            };
            of_node.push(places.get(name).copied().unwrap_or(self.default));
        }
        let split = partition(&subgraph, &of_node, &self.devices, self.registry.ops())?;
        let mut graphs = Vec::new();
        for part in split.partitions {
            let mut graph = export_graph(&part.graph)?;
            graph.library = Some(functions.clone());
            graphs.push((part.device, graph));
        }
        Ok((Keys { feeds: split.feeds, fetches: split.fetches }, graphs))
    }

    async fn register(&self, task: usize, graph: GraphDef) -> Result<String> {
        match &self.tasks[task].door {
            Door::Here(worker) => {
                worker.register(&self.handle, true, graph, self.options.clone()).await
            }
            Door::There(client) => {
                let request = proto::RegisterGraphRequest {
                    session_handle: self.handle.clone(),
                    create_worker_session_called: true,
                    graph_options: self.config.graph_options.clone(),
                    config_proto: Some(self.config.clone()),
                    graph_def: Some(graph),
                    has_control_flow: true,
                    ..Default::default()
                };
                let reply = client.clone().register_graph(request).await;
                let reply = reply.map_err(|e| self.tasks[task].failed(&e))?;
                Ok(reply.into_inner().graph_handle)
            }
        }
    }

    /// The graphs of a signature as this master cut them.
    pub async fn partition_graphs(self: &Arc<Self>, signature: Signature) -> Result<Vec<GraphDef>> {
        let session = self.clone();
        let (_, graphs) = self.worker.compute(move || session.cut(&signature)).await?;
        Ok(graphs.into_iter().map(|(_, graph)| graph).collect())
    }

    /// Runs a step on all its tasks and returns the fetched tensors; closing the session ends it.
    pub async fn run(
        &self,
        step: &Arc<PreparedStep>,
        feeds: Vec<Tensor>,
        traced: bool,
    ) -> Result<(Vec<Tensor>, PartStats)> {
        let mut closed = self.closed.subscribe();
        tokio::select! {
            result = self.run_parts(step, feeds, traced) => result,
            _ = closed.wait_for(|closed| *closed) => Err(Status::cancelled(
                "Step was cancelled by an explicit call to `Session::Close()`.",
            )),
        }
    }

    async fn run_parts(
        &self,
        step: &Arc<PreparedStep>,
        feeds: Vec<Tensor>,
        traced: bool,
    ) -> Result<(Vec<Tensor>, PartStats)> {
        if feeds.len() != step.feeds.len() {
            return Err(Status::invalid_argument(format!(
                "the step takes {} fed tensors but got {}",
                step.feeds.len(),
                feeds.len()
            )));
        }
        let id = self.step_id();
        let cleaner = Cleaner { tasks: self.involved(step), step: id };
        let mut running = JoinSet::new();
        for (index, part) in step.parts.iter().enumerate() {
            let own = |(i, _): &(usize, String)| *i == index;
            let sends: Vec<(String, Tensor)> = step
                .feeds
                .iter()
                .zip(&feeds)
                .filter(|(feed, _)| own(feed))
                .map(|((_, key), tensor)| (key.clone(), tensor.clone()))
                .collect();
            let fetches: Vec<String> =
                step.fetches.iter().filter(|f| own(f)).map(|(_, key)| key.clone()).collect();
            let task = self.tasks[part.task].clone();
            let run = RunPart {
                graph: part.graph.clone(),
                step: id,
                feeds: sends,
                fetches,
                trace: traced.then(StepTrace::new),
            };
            let session = self.handle.clone();
            running.spawn(async move { (index, task.run(run, session).await) });
        }
        let mut results: Vec<Vec<Tensor>> = step.parts.iter().map(|_| Vec::new()).collect();
        let mut stats = Vec::new();
        let mut error: Option<Status> = None;
        while let Some(done) = running.join_next().await {
            let (index, result) =
                done.map_err(|e| Status::internal(format!("a part of a step was lost: {e}")))?;
            match result {
                Ok((tensors, stat)) => {
                    results[index] = tensors;
                    stats.extend(stat);
                }
                Err(status) => {
                    if error.is_none() {
                        // The others would wait for values that never come.
                        cleaner.clean();
                    }
                    if error.as_ref().is_none_or(|e| is_consequence(e) && !is_consequence(&status))
                    {
                        error = Some(status);
                    }
                }
            }
        }
        drop(cleaner);
        if let Some(status) = error {
            return Err(status);
        }
        let mut taken: Vec<_> = results.into_iter().map(Vec::into_iter).collect();
        let missing = || Status::internal("a fetched tensor is missing");
        let fetched = step
            .fetches
            .iter()
            .map(|(part, _)| taken[*part].next().ok_or_else(missing))
            .collect::<Result<_>>()?;
        Ok((fetched, stats))
    }

    fn involved(&self, step: &PreparedStep) -> Vec<Task> {
        step.parts.iter().map(|part| self.tasks[part.task].clone()).collect()
    }

    /// Numbers that no other master of the cluster uses.
    fn step_id(&self) -> i64 {
        let number = self.next_step.fetch_add(1, Ordering::Relaxed);
        (RandomState::new().hash_one((self.salt, number)) >> 1) as i64
    }

    pub async fn make_callable(self: &Arc<Self>, signature: Signature) -> Result<i64> {
        let step = self.prepare(signature).await?;
        let handle = self.next_callable.fetch_add(1, Ordering::Relaxed);
        self.callables.lock().insert(handle, step);
        Ok(handle)
    }

    pub fn callable(&self, handle: i64) -> Result<Arc<PreparedStep>> {
        let unknown = || Status::invalid_argument(format!("No such callable handle: {handle}"));
        self.callables.lock().get(&handle).cloned().ok_or_else(unknown)
    }

    pub fn release_callable(&self, handle: i64) -> Result<()> {
        let unknown = || Status::invalid_argument(format!("No such callable handle: {handle}"));
        self.callables.lock().remove(&handle).map(drop).ok_or_else(unknown)
    }

    /// Closes the session on all tasks; those that do not answer are left to notice by themselves.
    pub fn close(&self) {
        self.closed.send_replace(true);
        for task in self.tasks.clone() {
            let session_handle = self.handle.clone();
            match task.door {
                Door::Here(worker) => worker.delete_session(&session_handle),
                Door::There(mut client) => {
                    tokio::spawn(async move {
                        let request = proto::DeleteWorkerSessionRequest { session_handle };
                        if let Err(e) = client.delete_worker_session(request).await {
                            tracing::debug!("closing a session on {}: {e}", task.address);
                        }
                    });
                }
            }
        }
    }
}

impl Task {
    /// A call that failed on the way or at the task.
    fn failed(&self, status: &tonic::Status) -> Status {
        from_grpc(status).context(format!("{} at {}", self.address, self.address.address))
    }

    async fn run(
        &self,
        part: RunPart,
        session_handle: String,
    ) -> Result<(Vec<Tensor>, Option<proto::StepStats>)> {
        let mut client = match &self.door {
            Door::Here(worker) => {
                let trace = part.trace.clone();
                let device = worker.device_of(&part.graph)?;
                let tensors = worker.run(part).await?;
                let stats = trace.map(|trace| metadata::step_stats(&trace, device.name()));
                return Ok((tensors, stats));
            }
            Door::There(client) => client.clone(),
        };
        let send = to_named(part.feeds.iter().map(|(name, tensor)| (name, tensor)))?;
        let request = proto::RunGraphRequest {
            graph_handle: part.graph,
            step_id: part.step,
            send,
            recv_key: part.fetches.clone(),
            exec_opts: Some(proto::ExecutorOpts {
                record_timeline: part.trace.is_some(),
                ..Default::default()
            }),
            session_handle,
            store_errors_in_response_body: true,
            create_worker_session_called: true,
            request_id: part.step,
            ..Default::default()
        };
        let reply = client.run_graph(request).await.map_err(|e| self.failed(&e))?.into_inner();
        if reply.status_code != 0 {
            return Err(Status::new(Code::from_i32(reply.status_code), reply.status_error_message));
        }
        let mut by_key: HashMap<String, proto::TensorProto> =
            reply.recv.into_iter().filter_map(|named| Some((named.name, named.tensor?))).collect();
        let tensors = part
            .fetches
            .iter()
            .map(|key| match by_key.remove(key) {
                Some(tensor) => tensor_from_proto(&tensor),
                None => Err(Status::internal(format!("{} did not return '{key}'", self.address))),
            })
            .collect::<Result<_>>()?;
        Ok((tensors, reply.step_stats))
    }
}

/// Ends a step on all its tasks, at the latest when the step's call is dropped.
struct Cleaner {
    tasks: Vec<Task>,
    step: i64,
}

impl Cleaner {
    fn clean(&self) {
        for task in self.tasks.clone() {
            let step_id = self.step;
            match task.door {
                Door::Here(worker) => worker.clean_up(step_id),
                Door::There(mut client) => {
                    tokio::spawn(async move {
                        let request = proto::CleanupGraphRequest { step_id };
                        if let Err(e) = client.cleanup_graph(request).await {
                            tracing::debug!("ending step {step_id} on {}: {e}", task.address);
                        }
                    });
                }
            }
        }
    }
}

impl Drop for Cleaner {
    fn drop(&mut self) {
        self.clean();
    }
}

/// True for errors that say no more than that the step had ended.
fn is_consequence(status: &Status) -> bool {
    status.is_derived() || matches!(status.code(), Code::Cancelled | Code::Aborted)
}

/// The tasks the session may use: all, or those that its device filters name.
fn allowed_tasks(
    peers: &Peers,
    own: &TaskAddress,
    config: &ConfigProto,
) -> Result<Vec<TaskAddress>> {
    let filters =
        config.device_filters.iter().map(|f| DeviceName::parse(f)).collect::<Result<Vec<_>>>()?;
    let allowed = |task: &TaskAddress| {
        let name = DeviceName::cpu(&task.job, task.task);
        task == own || filters.is_empty() || filters.iter().any(|f| f.matches(&name))
    };
    Ok(peers.spec().tasks().filter(allowed).collect())
}
