//! The rendezvous of a step on one task: values made here wait here or are pushed to the task that needs
//! them, values made elsewhere arrive or are asked for.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};

use downpour_graph::EdgeKey;
use downpour_runtime::{
    ComputePool, Crossing, Device, LocalRendezvous, OnReceive, OnSent, Rendezvous, Slot,
};
use downpour_tensor::{Result, Status};
use downpour_wire::proto::RecvTensorRequest;
use downpour_wire::tensor_from_proto;
use tokio::sync::watch;

use super::linked::LinkedTask;
use crate::grpc_status::from_grpc;
use crate::link::Links;
use crate::peers::Peers;

pub struct StepRendezvous {
    step: i64,
    device: Arc<Device>,
    /// The tasks of the step's session, known when our part of the step is run.
    peers: OnceLock<Arc<Peers>>,
    linked: OnceLock<Arc<[LinkedTask]>>,
    links: Arc<Links>,
    local: LocalRendezvous,
    /// Set when the step ends; requests under way to other tasks watch it.
    ended: watch::Sender<Option<Status>>,
    network: tokio::runtime::Handle,
    next_request: AtomicI64,
}

impl StepRendezvous {
    pub fn new(
        step: i64,
        device: Arc<Device>,
        links: Arc<Links>,
        network: tokio::runtime::Handle,
    ) -> Arc<StepRendezvous> {
        Arc::new(StepRendezvous {
            step,
            device,
            peers: OnceLock::new(),
            linked: OnceLock::new(),
            links,
            local: LocalRendezvous::new(),
            ended: watch::Sender::new(None),
            network,
            next_request: AtomicI64::new(1),
        })
    }

    pub fn set_tasks(&self, peers: &Arc<Peers>, linked: &Arc<[LinkedTask]>) {
        // All parts of a step are of one session: a second call brings the same.
        self.peers.get_or_init(|| peers.clone());
        self.linked.get_or_init(|| linked.clone());
    }

    /// Values made on this task.
    pub fn local(&self) -> &LocalRendezvous {
        &self.local
    }

    pub fn abort(&self, status: Status) {
        self.ended.send_if_modified(|ended| {
            let first = ended.is_none();
            ended.get_or_insert_with(|| status.clone());
            first
        });
        self.local.abort(status);
    }

    /// Never the same twice, from whatever task: a receiver refuses repetitions.
    fn request_id(&self) -> i64 {
        let number = self.next_request.fetch_add(1, Ordering::Relaxed);
        RandomState::new().hash_one((self.step, self.device.incarnation(), number)) as i64
    }

    /// Asks the task that makes the value; the answer comes when the value exists.
    fn ask(&self, source: &str, key: &str, done: OnReceive) {
        let request = RecvTensorRequest {
            step_id: self.step,
            rendezvous_key: key.to_string(),
            dma_ok: false,
            request_id: self.request_id(),
            ..Default::default()
        };
        let Some(peers) = self.peers.get().cloned() else {
            return done(Err(Status::internal(
                "a value is received in a step that is not run here",
            )));
        };
        let source = source.to_string();
        let mut ended = self.ended.subscribe();
        let pool = self.device.pool().clone();
        self.network.spawn(async move {
            let received = tokio::select! {
                received = receive_from(&peers, &source, request) => received,
                ended = ended.wait_for(Option::is_some) => Err(match ended {
                    Ok(status) => status.clone().unwrap_or_else(|| Status::cancelled("the step ended")),
                    Err(_) => Status::cancelled("the step ended"),
                }),
            };
            // What follows runs kernels, which is not this thread's business.
            pool.spawn(move || done(received));
        });
    }
}

impl StepRendezvous {
    /// Makes the link first: it was never there, or it broke.
    fn link_and_push(&self, peer: u64, slot: Slot, value: Crossing, done: OnSent) {
        let known = self.linked.get().and_then(|all| all.iter().find(|t| t.incarnation == peer));
        let Some(LinkedTask { task, .. }) = known.cloned() else {
            return done(Err(Status::unavailable(format!(
                "the connection to the task that takes value {} of step {} is lost",
                slot.number, self.step
            ))));
        };
        let (links, pool, step) = (self.links.clone(), self.device.pool().clone(), self.step);
        self.network.spawn(async move {
            match links.reach(&task, peer).await {
                Ok(link) => link.push(step, slot, value, on_pool(pool, done)),
                Err(status) => pool.spawn(move || done(Err(status))),
            }
        });
    }
}

/// `done`, but on a compute thread: it goes on with kernels.
fn on_pool(pool: Arc<ComputePool>, done: OnSent) -> OnSent {
    Box::new(move |sent| pool.spawn(move || done(sent)))
}

async fn receive_from(peers: &Peers, device: &str, request: RecvTensorRequest) -> Result<Crossing> {
    let (task, mut client) = peers.of_device(device)?;
    let reply = client
        .recv_tensor(request)
        .await
        .map_err(|e| from_grpc(&e).context(format!("{task} at {}", task.address)))?
        .into_inner();
    match (reply.is_dead, reply.tensor) {
        (true, _) => Ok(None),
        (false, Some(tensor)) => tensor_from_proto(&tensor).map(Some),
        (false, None) => Err(Status::internal(format!("{task} sent a tensor without contents"))),
    }
}

impl Rendezvous for StepRendezvous {
    fn send(&self, key: &str, value: Crossing) -> Result<()> {
        self.local.send(key, value)
    }

    fn receive(&self, key: &str, done: OnReceive) {
        match EdgeKey::parse(key) {
            // Names may differ from session to session, the incarnation is this process's own.
            Ok(edge) if edge.incarnation == self.device.incarnation() => {
                self.local.receive(key, done);
            }
            Ok(edge) => self.ask(edge.source, key, done),
            Err(status) => done(Err(status)),
        }
    }

    fn push(&self, peer: u64, slot: Slot, value: Crossing, done: OnSent) {
        if peer == self.device.incarnation() {
            return self.local.push(peer, slot, value, done);
        }
        match self.links.get(peer) {
            Some(link) => link.push(self.step, slot, value, done),
            None => self.link_and_push(peer, slot, value, done),
        }
    }

    fn receive_slot(&self, slot: Slot, done: OnReceive) {
        self.local.receive_slot(slot, done);
    }
}
