//! A task's worker: registers partitions for masters and runs their steps.
//!
//! `service` is TensorFlow's WorkerService in front of it; a master in the same process calls it directly.

mod report;
mod service;
mod steps;
mod transfer;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use downpour_graph::{DeviceName, EdgeKey};
use downpour_runtime::{
    Crossing, Device, RegisteredGraph, Registry, Rendezvous, SessionOptions, StepTrace,
    WorkerSession, WorkerStep,
};
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::proto::{self, GraphDef};
use parking_lot::Mutex;
use tokio::sync::oneshot;

use crate::peers::Peers;
use crate::spec::ClusterSpec;
pub use service::WorkerDoor;
use steps::{StepState, StepTable};
use transfer::StepRendezvous;

pub struct Worker {
    registry: Arc<Registry>,
    device: Arc<Device>,
    peers: Arc<Peers>,
    /// For masters that create no sessions: the device's own variables.
    common: Arc<Session>,
    sessions: Mutex<HashMap<String, Arc<Session>>>,
    graphs: Mutex<HashMap<String, Registered>>,
    next_graph: AtomicU64,
    steps: StepTable,
}

struct Session {
    runtime: WorkerSession,
    peers: Arc<Peers>,
}

#[derive(Clone)]
struct Registered {
    graph: Arc<RegisteredGraph>,
    session: Arc<Session>,
    session_handle: String,
}

/// The tasks as one session names them, and which of them this is.
#[derive(Clone)]
pub struct SessionCluster {
    pub spec: ClusterSpec,
    pub job: String,
    pub task: u32,
}

/// One partition's share of a step.
pub struct RunPart {
    pub graph: String,
    pub step: i64,
    pub feeds: Vec<(String, Tensor)>,
    pub fetches: Vec<String>,
    pub trace: Option<Arc<StepTrace>>,
}

impl Worker {
    pub fn new(registry: Arc<Registry>, device: Arc<Device>, peers: Arc<Peers>) -> Arc<Worker> {
        let runtime = WorkerSession::new(registry.clone(), device.clone(), false);
        let common = Arc::new(Session { runtime, peers: peers.clone() });
        Arc::new(Worker {
            registry,
            device,
            peers,
            common,
            sessions: Mutex::default(),
            graphs: Mutex::default(),
            next_graph: AtomicU64::new(0),
            steps: StepTable::default(),
        })
    }

    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    pub fn attributes(&self) -> proto::DeviceAttributes {
        proto::DeviceAttributes {
            name: self.device.name().to_string(),
            device_type: "CPU".to_string(),
            memory_limit: downpour_tensor::memory_limit().min(i64::MAX as usize) as i64,
            incarnation: self.device.incarnation(),
            ..Default::default()
        }
    }

    /// Opens a master's session; `cluster` replaces the tasks this one was started with, and its name.
    pub fn create_session(&self, handle: &str, isolate: bool, cluster: Option<SessionCluster>) {
        let (device, peers) = match cluster {
            Some(SessionCluster { spec, job, task }) => {
                let name = DeviceName::cpu(&job, task).to_string();
                (self.device.renamed(name), Peers::new(spec, self.peers.metrics()))
            }
            None => (self.device.clone(), self.peers.clone()),
        };
        let runtime = WorkerSession::new(self.registry.clone(), device, isolate);
        let session = Arc::new(Session { runtime, peers });
        self.sessions.lock().insert(handle.to_string(), session);
    }

    pub fn delete_session(&self, handle: &str) {
        let removed = self.sessions.lock().remove(handle);
        let graphs: Vec<Registered> = {
            let mut graphs = self.graphs.lock();
            let ours = graphs.extract_if(|_, graph| graph.session_handle == handle);
            ours.map(|(_, graph)| graph).collect()
        };
        drop((removed, graphs));
    }

    fn session(&self, handle: &str, must_exist: bool) -> Result<Arc<Session>> {
        match self.sessions.lock().get(handle) {
            Some(session) => Ok(session.clone()),
            None if must_exist => Err(Status::aborted(format!(
                "Session handle is not found: {handle}. Possibly this worker (\"{}\") just restarted.",
                self.device.name()
            ))),
            None => Ok(self.common.clone()),
        }
    }

    /// Compiles a partition on a compute thread; the handle names it in steps.
    pub async fn register(
        self: &Arc<Self>,
        session: &str,
        must_exist: bool,
        graph: GraphDef,
        options: SessionOptions,
    ) -> Result<String> {
        let session_handle = session.to_string();
        let session = self.session(session, must_exist)?;
        let worker = self.clone();
        self.compute(move || {
            let graph = Arc::new(session.runtime.register(&graph, &options)?);
            let number = worker.next_graph.fetch_add(1, Ordering::Relaxed);
            let handle = format!("{number:016x}");
            let entry = Registered { graph, session, session_handle };
            worker.graphs.lock().insert(handle.clone(), entry);
            Ok(handle)
        })
        .await
    }

    pub fn deregister(&self, graph: &str) {
        let removed = self.graphs.lock().remove(graph);
        drop(removed);
    }

    fn registered(&self, graph: &str) -> Result<Registered> {
        self.graphs.lock().get(graph).cloned().ok_or_else(|| {
            Status::aborted(format!(
                "Graph handle is not found: {graph}. Possibly this worker (\"{}\") just restarted.",
                self.device.name()
            ))
        })
    }

    /// The device a graph was registered for, by the name its session uses.
    pub fn device_of(&self, graph: &str) -> Result<Arc<Device>> {
        Ok(self.registered(graph)?.session.runtime.device().clone())
    }

    /// The graph as it runs here.
    pub fn export(&self, graph: &str) -> Result<GraphDef> {
        self.registered(graph)?.graph.export()
    }

    /// Runs one partition of a step and returns what it gives the client.
    pub async fn run(self: &Arc<Self>, part: RunPart) -> Result<Vec<Tensor>> {
        let registered = self.registered(&part.graph)?;
        let _running = self.peers.metrics().parts.begin();
        let step = self.unclaimed_step(part.step)?;
        step.rendezvous.set_peers(&registered.session.peers);
        let guard = AbortOnDrop(Some(step.clone()));
        for (key, tensor) in part.feeds {
            step.rendezvous.local().send(&key, Some(tensor))?;
        }
        let run = WorkerStep {
            id: part.step,
            cancellation: step.cancellation.clone(),
            rendezvous: step.rendezvous.clone(),
            trace: part.trace,
        };
        let (send, receive) = oneshot::channel();
        self.device.pool().spawn(move || {
            let Registered { graph, session, .. } = registered;
            session.runtime.run(&graph, run, move |result| drop(send.send(result)));
        });
        let result = receive
            .await
            .unwrap_or_else(|_| Err(Status::internal("a step ended without a result")));
        guard.disarm();
        if let Err(status) = result {
            // Other tasks may wait for values that will never be made.
            step.abort(status.clone().derived());
            return Err(status);
        }
        let mut fetched = Vec::with_capacity(part.fetches.len());
        for key in &part.fetches {
            let name = EdgeKey::parse(key)?.edge;
            match take(&step.rendezvous, key)? {
                Some(Some(tensor)) => fetched.push(tensor),
                Some(None) => {
                    return Err(Status::invalid_argument(format!(
                        "The tensor returned for {name} was not valid: it was on a branch that was not \
                         taken"
                    )));
                }
                None => {
                    let what = format!("the step gave no value for {name}");
                    return Err(Status::invalid_argument(what));
                }
            }
        }
        Ok(fetched)
    }

    /// A value made here, for another task; waits until it exists.
    pub async fn send_tensor(&self, step: i64, key: &str) -> Result<Crossing> {
        let edge = EdgeKey::parse(key)?;
        if edge.incarnation != self.device.incarnation() {
            return Err(Status::aborted(format!(
                "RecvTensor expects a different device incarnation: {:016x} vs. {:016x}. Your worker job \
                 (\"{}\") was probably restarted. Check your worker job for the reason why it was restarted.",
                edge.incarnation,
                self.device.incarnation(),
                self.device.name()
            )));
        }
        let state = self.unclaimed_step(step)?;
        let (send, receive) = oneshot::channel();
        state.rendezvous.local().receive(key, Box::new(move |value| drop(send.send(value))));
        receive.await.unwrap_or_else(|_| Err(Status::cancelled("the step ended")))
    }

    /// A step of which only the number is known: another task may ask before our part is run.
    fn unclaimed_step(&self, id: i64) -> Result<Arc<StepState>> {
        self.steps.get(id, || StepState {
            rendezvous: StepRendezvous::new(
                id,
                self.device.clone(),
                tokio::runtime::Handle::current(),
            ),
            cancellation: Default::default(),
        })
    }

    /// Ends a step: nothing of it remains here.
    pub fn clean_up(&self, step: i64) {
        self.steps.end(step);
    }

    /// Drops the contents of containers (all of them when none is named).
    pub fn clear(&self, containers: &[String]) {
        self.device.resources().clear(containers);
    }

    /// Does blocking work on a compute thread.
    pub async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (send, receive) = oneshot::channel();
        self.device.pool().spawn(move || drop(send.send(work())));
        receive
            .await
            .unwrap_or_else(|_| Err(Status::internal("a compute thread gave up the request")))
    }
}

/// The value under a key if it is already there.
fn take(rendezvous: &StepRendezvous, key: &str) -> Result<Option<Crossing>> {
    let (send, receive) = std::sync::mpsc::sync_channel(1);
    rendezvous.local().receive(key, Box::new(move |value| drop(send.send(value))));
    match receive.try_recv() {
        Ok(value) => value.map(Some),
        Err(_) => Ok(None),
    }
}

/// Ends a step when the call that waits for it is dropped: its master is gone.
struct AbortOnDrop(Option<Arc<StepState>>);

impl AbortOnDrop {
    fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        if let Some(step) = self.0.take() {
            step.abort(Status::cancelled("RunGraph was cancelled by its master"));
        }
    }
}
