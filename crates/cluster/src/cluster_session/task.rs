//! One task of a session, and how its master talks to it: directly when it is the master's own, over a link
//! when it is a Downpour task, by TensorFlow's WorkerService otherwise.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use downpour_runtime::StepTrace;
use downpour_tensor::{Code, Result, Status, Tensor};
use downpour_wire::proto::{self, GraphDef};
use downpour_wire::tensor_from_proto;
use prost::Message;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::ClusterSession;
use crate::grpc_status::from_grpc;
use crate::link::{DEVICE_NOTE, Done, Run};
use crate::metadata;
use crate::named_tensors::to_named;
use crate::peers::{Peers, WorkerClient, until_reached};
use crate::spec::{ClusterSpec, TaskAddress};
use crate::worker::{RunPart, SessionCluster, StartPart, Worker};

/// How often the end of a session is told to a task that does not answer; the pauses double.
const CLOSE_ATTEMPTS: u32 = 8;
const CLOSE_PAUSE: Duration = Duration::from_millis(500);
const CLOSE_LIMIT: Duration = Duration::from_secs(20);

#[derive(Clone)]
pub struct Task {
    pub address: TaskAddress,
    door: Door,
    /// Graphs and parts of steps that it was given and has not answered yet.
    unanswered: Arc<AtomicUsize>,
}

/// Something that a task was asked, until it answers or nobody waits any more.
struct Question(Arc<AtomicUsize>);

impl Drop for Question {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[derive(Clone)]
enum Door {
    Here(Arc<Worker>),
    /// Sessions and graphs by gRPC, steps over a link of our own worker's.
    Linked {
        client: WorkerClient,
        worker: Arc<Worker>,
        incarnation: u64,
    },
    Asked(WorkerClient),
}

/// A session to be opened on every task.
pub struct Opening<'a> {
    pub handle: &'a str,
    pub isolate: bool,
    /// The cluster the session brings, if it does.
    pub cluster: Option<&'a ClusterSpec>,
    /// The task of the master, and which run of it.
    pub master: &'a str,
    pub incarnation: u64,
    /// All devices, if the session's config shares them with every task.
    pub devices: Vec<proto::DeviceAttributes>,
}

/// What a part gave: the tensors asked for by name, and what was traced.
#[derive(Default)]
pub struct PartResult {
    pub tensors: Vec<Tensor>,
    pub stats: Option<proto::StepStats>,
}

impl Task {
    /// The master's own task, and its incarnation.
    pub fn here(address: TaskAddress, worker: Arc<Worker>) -> (Task, u64) {
        let incarnation = worker.device().incarnation();
        (Task { address, door: Door::Here(worker), unanswered: Arc::default() }, incarnation)
    }

    /// Waits for a task to answer, and learns what it is.
    pub async fn reach(
        address: TaskAddress,
        peers: &Peers,
        worker: Arc<Worker>,
        limit: Duration,
    ) -> Result<(Task, u64)> {
        let reply = until_reached(peers, &address, limit, |mut client| async move {
            client.get_status(proto::GetStatusRequest {}).await
        })
        .await?;
        let attributes = reply.into_inner().device_attributes;
        let cpu = attributes.into_iter().find(|d| d.device_type == "CPU");
        let cpu =
            cpu.ok_or_else(|| Status::failed_precondition(format!("{address} has no CPU device")))?;
        let incarnation = cpu.incarnation;
        let door = match cpu.physical_device_desc == DEVICE_NOTE {
            true => {
                worker.links().reach(&address, incarnation).await?;
                Door::Linked { client: peers.living_client(&address)?, worker, incarnation }
            }
            false => Door::Asked(peers.client(&address)?),
        };
        Ok((Task { address, door, unanswered: Arc::default() }, incarnation))
    }

    /// Whether somebody waits for an answer of it.
    pub fn is_awaited(&self) -> bool {
        self.unanswered.load(Ordering::Relaxed) > 0
    }

    fn ask(&self) -> Question {
        self.unanswered.fetch_add(1, Ordering::Relaxed);
        Question(self.unanswered.clone())
    }

    /// The master's own task.
    pub fn is_here(&self) -> bool {
        matches!(self.door, Door::Here(_))
    }

    /// Values can be pushed to it and from it by slot.
    pub fn is_linked(&self) -> bool {
        !matches!(self.door, Door::Asked(_))
    }

    /// A call that failed on the way or at the task.
    fn failed(&self, status: &tonic::Status) -> Status {
        from_grpc(status).context(format!("{} at {}", self.address, self.address.address))
    }

    pub async fn open(&self, opening: &Opening<'_>) -> Result<()> {
        let Opening { handle, isolate, cluster, .. } = *opening;
        let mut client = match &self.door {
            Door::Here(worker) => {
                let cluster = cluster.map(|spec| SessionCluster {
                    spec: spec.clone(),
                    job: self.address.job.clone(),
                    task: self.address.task,
                });
                worker.create_session(handle, isolate, cluster, None);
                return Ok(());
            }
            Door::Linked { client, .. } | Door::Asked(client) => client.clone(),
        };
        let request = proto::CreateWorkerSessionRequest {
            session_handle: handle.to_string(),
            isolate_session_state: isolate,
            cluster_device_attributes: opening.devices.clone(),
            master_task: opening.master.to_string(),
            // The field is signed; the bits are the incarnation's.
            master_incarnation: opening.incarnation as i64,
            server_def: Some(proto::ServerDef {
                job_name: self.address.job.clone(),
                task_index: self.address.task as i32,
                protocol: "grpc".to_string(),
                cluster: cluster.map(ClusterSpec::to_proto),
                ..Default::default()
            }),
        };
        client.create_worker_session(request).await.map(drop).map_err(|e| self.failed(&e))
    }

    /// Closes a session there, without waiting: it is tried again for a while, since a task that can be reached would
    /// otherwise keep the session as long as its master lives.
    pub fn close(&self, handle: &str) {
        let client = match &self.door {
            Door::Here(worker) => return worker.delete_session(handle),
            Door::Linked { client, .. } | Door::Asked(client) => client.clone(),
        };
        let (handle, address) = (handle.to_string(), self.address.clone());
        // The last handle on a session may be dropped by a thread that computes.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let mut pause = CLOSE_PAUSE;
            for _ in 0..CLOSE_ATTEMPTS {
                let request = proto::DeleteWorkerSessionRequest { session_handle: handle.clone() };
                let mut client = client.clone();
                let why = match timeout(CLOSE_LIMIT, client.delete_worker_session(request)).await {
                    Ok(Ok(_)) => return,
                    // It was heard and refused.
                    Ok(Err(e)) if from_grpc(&e).code() == Code::Aborted => return,
                    Ok(Err(e)) => e.to_string(),
                    Err(_) => format!("no answer in {} s", CLOSE_LIMIT.as_secs()),
                };
                tracing::debug!("closing a session on {address}: {why}");
                tokio::time::sleep(pause).await;
                pause *= 2;
            }
        });
    }

    pub async fn register(&self, session: &ClusterSession, graph: GraphDef) -> Result<String> {
        let _asked = self.ask();
        let mut client = match &self.door {
            Door::Here(worker) => {
                let options = session.options.clone();
                return worker.register(&session.handle, true, graph, options).await;
            }
            Door::Linked { client, .. } | Door::Asked(client) => client.clone(),
        };
        let request = proto::RegisterGraphRequest {
            session_handle: session.handle.clone(),
            create_worker_session_called: true,
            graph_options: session.config.graph_options.clone(),
            config_proto: Some(session.config.clone()),
            graph_def: Some(graph),
            has_control_flow: true,
            ..Default::default()
        };
        let reply = client.register_graph(request).await.map_err(|e| self.failed(&e))?;
        Ok(reply.into_inner().graph_handle)
    }

    /// Hands a fed value to the part that runs there, by slot; by name it goes along with `run`.
    pub async fn feed(&self, step: i64, slot: u32, value: Tensor) -> Result<()> {
        let slot = downpour_runtime::Slot::new(slot);
        match &self.door {
            Door::Here(worker) => {
                let place = worker.step(step)?.rendezvous.clone();
                let met = place.local().deliver(slot, Some(value))?;
                if let Some((done, value)) = met {
                    worker.device().pool().spawn(move || done(Ok(value)));
                }
                Ok(())
            }
            Door::Linked { worker, incarnation, .. } => {
                let link = worker.links().reach(&self.address, *incarnation).await?;
                // The client's own tensors wait wherever they are: nothing grows by not waiting here.
                link.push(step, slot, Some(value), Box::new(drop));
                Ok(())
            }
            Door::Asked(_) => Err(Status::internal("a TensorFlow task is fed by name")),
        }
    }

    /// Runs a part to its end.
    pub async fn run(&self, part: RunPart, session_handle: String) -> Result<PartResult> {
        let _asked = self.ask();
        match &self.door {
            Door::Here(worker) => self.run_here(worker, part).await,
            Door::Linked { worker, incarnation, .. } => {
                let link = worker.links().reach(&self.address, *incarnation).await?;
                // Making a link may take longer than the step lasts. A part that began after everybody was told of the
                // end would wait for values for ever.
                let Ok(step) = worker.step(part.step) else {
                    return Err(Status::cancelled("The step has ended").derived());
                };
                let (traced, age) = (part.trace.is_some(), step.age().as_millis() as u64);
                let run = Run { step: part.step, graph: part.graph, traced, age };
                let done = link.run(run).await;
                let done =
                    done.unwrap_or_else(|_| Err(Status::cancelled("The step has ended").derived()));
                done.and_then(|done| self.part_done(&done))
            }
            Door::Asked(client) => self.run_asked(client.clone(), part, session_handle).await,
        }
    }

    fn part_done(&self, done: &Done) -> Result<PartResult> {
        if let Some(status) = done.status() {
            return Err(status);
        }
        let stats = (!done.stats.is_empty()).then(|| proto::StepStats::decode(done.stats.clone()));
        let stats = stats.transpose().map_err(|e| {
            Status::internal(format!("{} sent statistics that cannot be read: {e}", self.address))
        })?;
        Ok(PartResult { tensors: Vec::new(), stats })
    }

    async fn run_here(&self, worker: &Arc<Worker>, part: RunPart) -> Result<PartResult> {
        let (send, receive) = oneshot::channel();
        let device = worker.device_of(&part.graph)?;
        let trace: Option<Arc<StepTrace>> = part.trace.clone();
        let start = StartPart {
            graph: part.graph,
            step: part.step,
            master: Some(worker.device().incarnation()),
            // It knows of everything that was lost since the step began.
            age: None,
            trace: part.trace,
        };
        worker.start(start, move |result| drop(send.send(result)))?;
        let lost = || Err(Status::internal("a step ended without a result"));
        receive.await.unwrap_or_else(|_| lost())?;
        let stats = trace.map(|trace| metadata::step_stats(&trace, device.name()));
        Ok(PartResult { tensors: Vec::new(), stats })
    }

    async fn run_asked(
        &self,
        mut client: WorkerClient,
        part: RunPart,
        session_handle: String,
    ) -> Result<PartResult> {
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
        Ok(PartResult { tensors, stats: reply.step_stats })
    }

    /// Ends a step there, without waiting; `failed` if somebody may still wait there.
    pub fn end(&self, step: i64, failed: bool) {
        match &self.door {
            Door::Here(worker) => worker.clean_up(step),
            Door::Linked { worker, incarnation, .. } => {
                if let Some(link) = worker.links().get(*incarnation) {
                    link.end(step, failed);
                }
            }
            Door::Asked(client) => {
                let (mut client, address) = (client.clone(), self.address.clone());
                tokio::spawn(async move {
                    let request = proto::CleanupGraphRequest { step_id: step };
                    if let Err(e) = client.cleanup_graph(request).await {
                        tracing::debug!("ending step {step} on {address}: {e}");
                    }
                });
            }
        }
    }
}
