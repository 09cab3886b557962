//! A task's worker: registers partitions for masters and runs their steps.
//!
//! `service` is TensorFlow's WorkerService in front of it, `inbox` takes what comes over links; a master in
//! the same process calls it directly.

mod inbox;
mod linked;
mod report;
mod service;
mod sessions;
mod steps;
mod transfer;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use downpour_graph::EdgeKey;
use downpour_runtime::{
    Crossing, Device, RegisteredGraph, Registry, Rendezvous, SessionOptions, StepTrace,
    WorkerSession, WorkerStep,
};
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::proto::{self, GraphDef};
use parking_lot::Mutex;
use tokio::sync::oneshot;

use crate::link::{DEVICE_NOTE, Inbox, Links};
use crate::peers::Peers;
use linked::{LinkedTask, linked_tasks};
pub use service::WorkerDoor;
use sessions::Session;
pub use sessions::{SessionCluster, SessionMaster};
use steps::StepTable;
pub use steps::{StepState, Tells};
use transfer::StepRendezvous;

#[cfg(test)]
mod tests;

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
    links: Arc<Links>,
}

#[derive(Clone)]
struct Registered {
    graph: Arc<RegisteredGraph>,
    session: Arc<Session>,
    session_handle: String,
    /// The tasks that it exchanges values with over links.
    linked: Arc<[LinkedTask]>,
}

/// One partition's share of a step, of a master that names what crosses.
pub struct RunPart {
    pub graph: String,
    pub step: i64,
    pub feeds: Vec<(String, Tensor)>,
    pub fetches: Vec<String>,
    pub trace: Option<Arc<StepTrace>>,
}

/// A part to be started.
pub struct StartPart {
    pub graph: String,
    pub step: i64,
    /// The incarnation of the master, if it started the part over a link: the step ends with the link.
    pub master: Option<u64>,
    /// How long ago the step began, if its master is another task.
    pub age: Option<Duration>,
    pub trace: Option<Arc<StepTrace>>,
}

impl Worker {
    pub fn new(registry: Arc<Registry>, device: Arc<Device>, peers: Arc<Peers>) -> Arc<Worker> {
        let runtime = WorkerSession::new(registry.clone(), device.clone(), false);
        let common = Session::new(runtime, peers.clone(), None);
        let (pool, dialer) = (device.pool().clone(), peers.dialer().clone());
        let links = Links::new(device.incarnation(), device.name(), pool, dialer);
        let worker = Arc::new(Worker {
            registry,
            device,
            peers,
            common,
            sessions: Mutex::default(),
            graphs: Mutex::default(),
            next_graph: AtomicU64::new(0),
            steps: StepTable::default(),
            links: links.clone(),
        });
        let inbox: Weak<dyn Inbox> = Arc::downgrade(&worker) as Weak<dyn Inbox>;
        links.set_inbox(inbox);
        worker
    }

    pub fn links(&self) -> &Arc<Links> {
        &self.links
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
            physical_device_desc: DEVICE_NOTE.to_string(),
            ..Default::default()
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
        session.touch();
        let worker = self.clone();
        self.compute(move || {
            let own = worker.device.incarnation();
            let linked = linked_tasks(&graph, session.peers.spec(), own)?;
            let graph = Arc::new(session.runtime.register(&graph, &options)?);
            let number = worker.next_graph.fetch_add(1, Ordering::Relaxed);
            let handle = format!("{number:016x}");
            // Under the lock: a session that was closed meanwhile has no graphs any more.
            let sessions = worker.sessions.lock();
            let is_open = Arc::ptr_eq(&session, &worker.common)
                || sessions.get(&session_handle).is_some_and(|open| Arc::ptr_eq(open, &session));
            if !is_open {
                let what = format!("session {session_handle} was closed while a graph came");
                return Err(Status::aborted(what));
            }
            let entry = Registered { graph, session, session_handle, linked };
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

    /// Starts a part of a step; `done` is called once, on a compute thread.
    pub fn start(
        self: &Arc<Self>,
        part: StartPart,
        done: impl FnOnce(Result<()>) + Send + 'static,
    ) -> Result<Arc<StepState>> {
        let Registered { graph, session, linked, .. } = self.registered(&part.graph)?;
        session.touch();
        let counted = self.peers.dialer().metrics().parts.begin();
        let step = self.step(part.step)?;
        step.claim(part.master, &linked);
        if let Some(lost) = part.age.and_then(|age| self.steps.lost_within(age, &step)) {
            step.abort(lost);
        }
        step.rendezvous.set_tasks(&session.peers, &linked);
        self.link_all(&step, &linked);
        let run = WorkerStep {
            id: part.step,
            cancellation: step.cancellation.clone(),
            rendezvous: step.rendezvous.clone(),
            trace: part.trace,
        };
        // A node that fails cancels its part, which ends only when its receives have ended; what they wait
        // for may itself wait for the node that failed.
        let rendezvous = step.rendezvous.clone();
        let receives_end = step.cancellation.on_cancel(move || {
            rendezvous.abort(Status::cancelled("Another node of the step has failed").derived());
        });
        let running = step.clone();
        self.device.pool().spawn(move || {
            session.runtime.run(&graph, run, move |result| {
                drop((receives_end, counted));
                let result = result.map_err(|status| running.cause(status));
                if let Err(status) = &result {
                    // Other tasks may wait for values that will never be made.
                    running.abort(status.clone().derived());
                }
                done(result);
            });
        });
        Ok(step)
    }

    /// Runs one partition of a step and returns what it gives the client.
    pub async fn run(self: &Arc<Self>, part: RunPart) -> Result<Vec<Tensor>> {
        let RunPart { graph, step: id, feeds, fetches, trace } = part;
        let step = self.step(id)?;
        let guard = EndOnDrop(Some((self.clone(), id)));
        for (key, tensor) in feeds {
            step.rendezvous.local().send(&key, Some(tensor))?;
        }
        let (send, receive) = oneshot::channel();
        let start = StartPart { graph, step: id, master: None, age: None, trace };
        self.start(start, move |result| drop(send.send(result)))?;
        let result = receive
            .await
            .unwrap_or_else(|_| Err(Status::internal("a step ended without a result")));
        guard.disarm();
        result?;
        let mut fetched = Vec::with_capacity(fetches.len());
        for key in &fetches {
            let name = EdgeKey::parse(key)?.edge;
            match take(&step.rendezvous, key)? {
                Some(value) => fetched.push(alive(value, name)?),
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
        let state = self.steps.unclaimed(step, || self.new_step(step))?;
        let (send, receive) = oneshot::channel();
        state.rendezvous.local().receive(key, Box::new(move |value| drop(send.send(value))));
        receive.await.unwrap_or_else(|_| Err(Status::cancelled("the step ended")))
    }

    /// A step that its master runs; others may have named it before.
    pub fn step(&self, id: i64) -> Result<Arc<StepState>> {
        self.steps.get(id, || self.new_step(id))
    }

    fn new_step(&self, id: i64) -> StepState {
        let network = tokio::runtime::Handle::current();
        let (device, links) = (self.device.clone(), self.links.clone());
        StepState::new(StepRendezvous::new(id, device, links, network))
    }

    /// Ends what a master that is gone has left: steps that it never claimed, and its sessions.
    pub fn sweep(&self) {
        self.steps.sweep();
        self.close_abandoned();
    }

    /// Ends a step: nothing of it remains here.
    pub fn clean_up(&self, step: i64) {
        self.steps.end(step, Status::cancelled("The step has ended").derived());
    }

    /// Drops the contents of containers (all of them when none is named).
    pub fn clear(&self, containers: &[String]) {
        self.device.resources().clear(containers);
        if containers.is_empty() {
            // The sessions that masters have made are closed with them; this one never is.
            self.common.runtime.own_resources().clear(containers);
        }
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

/// A fetched value, unless it is dead.
pub fn alive(value: Crossing, name: &str) -> Result<Tensor> {
    value.ok_or_else(|| {
        Status::invalid_argument(format!(
            "The tensor returned for {name} was not valid: it was on a branch that was not taken"
        ))
    })
}

/// Ends a step when the call that waits for it is dropped: its master is gone.
struct EndOnDrop(Option<(Arc<Worker>, i64)>);

impl EndOnDrop {
    fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        if let Some((worker, step)) = self.0.take() {
            worker.steps.end(step, Status::cancelled("RunGraph was cancelled by its master"));
        }
    }
}
