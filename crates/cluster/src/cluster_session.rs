//! A session over several tasks: the graph is placed and cut, every task registers its part, a step runs
//! all parts at once.
//!
//! `task` is how this master talks to a task, `cut` makes the parts of a signature, `step` runs them, `partial`
//! in several calls.

mod cut;
mod partial;
mod step;
mod task;

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use downpour_graph::{
    DeviceName, FunctionLibrary, Graph, PeerDevice, PlacementOptions, aim_remote_calls,
    gather_collectives, import_graph, place,
};
use downpour_runtime::{Registry, SessionOptions};
use downpour_tensor::{Result, Status};
use downpour_wire::proto::{self, ConfigProto, FunctionDefLibrary, GraphDef};
use futures_util::future::try_join_all;
use parking_lot::Mutex;
use tokio::sync::{OnceCell, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::config::session_options;
use crate::peers::Peers;
use crate::spec::{ClusterSpec, TaskAddress};
use crate::worker::Worker;
use cut::Cut;
pub use partial::ClusterPartialRun;
pub use step::PreparedStep;
use task::{Opening, Task};

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
    /// Numbers the partitionings.
    next_cut: AtomicU64,
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

impl ClusterSession {
    /// Reaches every task of the cluster within `patience` and opens a session there.
    #[allow(clippy::too_many_arguments, reason = "each of another kind, all from one caller")]
    pub async fn create(
        registry: Arc<Registry>,
        worker: &Arc<Worker>,
        peers: &Arc<Peers>,
        own: &TaskAddress,
        config: ConfigProto,
        handle: String,
        brings_cluster: bool,
        patience: Duration,
    ) -> Result<ClusterSession> {
        let allowed = allowed_tasks(peers, own, &config)?;
        let mut waiting = JoinSet::new();
        for (index, address) in allowed.into_iter().enumerate() {
            let (worker, here) = (worker.clone(), address == *own);
            let peers = peers.clone();
            waiting.spawn(async move {
                let (task, incarnation) = match here {
                    true => Task::here(address, worker),
                    false => Task::reach(address, &peers, worker, patience).await?,
                };
                Ok((index, task, incarnation))
            });
        }
        let mut reached = Vec::new();
        while let Some(answer) = waiting.join_next().await {
            reached.push(answer.map_err(|e| Status::internal(format!("a task's answer: {e}")))??);
        }
        reached.sort_by_key(|(index, _, _)| *index);
        let mut tasks = Vec::new();
        let (mut devices, mut names) = (Vec::new(), Vec::new());
        for (_, task, incarnation) in reached {
            // By the session's name of the task, which may not be the one the task was started with.
            let name = DeviceName::cpu(&task.address.job, task.address.task);
            let linked = task.is_linked();
            devices.push(PeerDevice { name: name.to_string(), incarnation, linked });
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
            next_cut: AtomicU64::new(0),
            salt: RandomState::new().hash_one(&handle),
            handle,
        };
        let opening = Opened(Some(&session));
        session.open_everywhere(brings_cluster.then(|| peers.spec()), patience).await?;
        opening.keep();
        Ok(session)
    }

    async fn open_everywhere(
        &self,
        cluster: Option<&ClusterSpec>,
        patience: Duration,
    ) -> Result<()> {
        // As TensorFlow has it: who brings a cluster shares nothing with other sessions, unless it asks.
        let shares = self.config.experimental.as_ref();
        let shares = shares.is_some_and(|e| e.share_session_state_in_clusterspec_propagation);
        let isolate = self.options.isolate_state || (cluster.is_some() && !shares);
        let own = &self.devices[self.default];
        let opening = Opening {
            handle: &self.handle,
            isolate,
            cluster,
            master: own.name.trim_end_matches("/device:CPU:0"),
            incarnation: own.incarnation,
            devices: match shares_devices(&self.config) {
                true => self.devices.iter().map(attributes).collect(),
                false => Vec::new(),
            },
        };
        let all = self.tasks.iter().map(|task| async {
            let opened = timeout(patience, task.open(&opening)).await;
            opened.unwrap_or_else(|_| {
                Err(Status::deadline_exceeded(format!(
                    "{} at {} did not open a session within {:.0} s",
                    task.address,
                    task.address.address,
                    patience.as_secs_f64()
                )))
            })
        });
        try_join_all(all).await.map(drop)
    }

    /// Own devices and those of other tasks.
    pub fn list_devices(&self) -> (Vec<proto::DeviceAttributes>, Vec<proto::DeviceAttributes>) {
        let own = &self.devices[self.default];
        let remote = self.devices.iter().filter(|d| *d != own).map(attributes).collect();
        let local = proto::DeviceAttributes { name: own.name.clone(), ..self.worker.attributes() };
        (vec![local], remote)
    }

    /// The tasks whose answers steps wait for at this moment.
    pub fn awaited(&self) -> String {
        let tasks = self.tasks.iter().filter(|task| task.is_awaited());
        let names: Vec<String> =
            tasks.map(|task| format!("{} at {}", task.address, task.address.address)).collect();
        names.join(", ")
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
        aim_remote_calls(&mut graph);
        let options = PlacementOptions {
            devices: &self.names,
            default: self.default,
            soft: self.options.soft_placement,
            earlier: Some(&state.places),
        };
        // Placed as a whole and once, so that a variable is on the same device in every step.
        let mut places = place(&graph, &options)?;
        if self.names.len() > 1 {
            let ours = |device: usize| self.devices[device].linked;
            gather_collectives(&mut graph, &self.names, &mut places, ours);
        }
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
        let fetch_names = signature.fetches.clone();
        let cut = self.worker.compute(move || session.cut(&signature)).await?;
        let Cut { graphs, feeds, fetches } = cut;
        let all = graphs.into_iter().map(|(device, graph)| async move {
            // One device per task: they have the same numbers.
            let graph = self.tasks[device].register(self, graph).await?;
            Ok((device, graph))
        });
        let graphs = try_join_all(all).await?;
        Ok(Arc::new(PreparedStep::new(graphs, feeds, fetches, fetch_names)))
    }

    /// The graphs of a signature as this master cut them.
    pub async fn partition_graphs(self: &Arc<Self>, signature: Signature) -> Result<Vec<GraphDef>> {
        let session = self.clone();
        let cut = self.worker.compute(move || session.cut(&signature)).await?;
        Ok(cut.graphs.into_iter().map(|(_, graph)| graph).collect())
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
        self.tasks.iter().for_each(|task| task.close(&self.handle));
    }
}

/// A session that is being opened on its tasks: where that fails, or the caller goes away, those that have opened it close
/// it again.
struct Opened<'a>(Option<&'a ClusterSession>);

impl Opened<'_> {
    fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for Opened<'_> {
    fn drop(&mut self) {
        if let Some(session) = self.0 {
            session.close();
        }
    }
}

/// The option has moved out of the experimental ones; clients set either.
fn shares_devices(config: &ConfigProto) -> bool {
    let experimental = config.experimental.as_ref();
    config.share_cluster_devices_in_session
        || experimental.is_some_and(|e| e.share_cluster_devices_in_session)
}

fn attributes(device: &PeerDevice) -> proto::DeviceAttributes {
    proto::DeviceAttributes {
        name: device.name.clone(),
        device_type: "CPU".to_string(),
        incarnation: device.incarnation,
        ..Default::default()
    }
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
