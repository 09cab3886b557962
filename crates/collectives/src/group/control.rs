//! The two loops of a group's member: one that agrees, one that runs what was agreed on.
//!
//! The agreeing loop owns the streams of the star and ends when this rank leaves, when rank 0 is gone, or when
//! the group has ended; with it goes the queue of ordered operations, after which the running loop ends too.

use std::sync::Arc;
use std::time::Duration;

use downpour_tensor::{Result, Status};
use parking_lot::Mutex;
use tokio::io::{ReadHalf, WriteHalf};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, timeout};

use super::agreement::{Agreement, Decision};
use super::frame::{self, Down, Up};
use super::{BoxStream, Group, GroupConfig, Membership, Request, Shared, State};
use crate::mesh::Mesh;

/// How long a farewell may take.
const FAREWELL: Duration = Duration::from_secs(1);
/// How often rank 0 looks for operations that have waited for too long.
const TICK: Duration = Duration::from_millis(250);
/// How much later than its limit an answer of rank 0 may come.
const ANSWER: Duration = Duration::from_secs(30);
/// Messages that were read and wait to be understood.
const HEARD: usize = 1024;

/// What makes a group go: to be run (or its two loops, each on a thread) until it ends by itself.
pub struct Driver<M> {
    pub(super) agreeing: Agreeing,
    pub(super) running: Running<M>,
}

impl<M: Mesh> Driver<M> {
    /// Runs both loops; on a tokio runtime with time.
    pub async fn run(self) {
        let stop = Arc::new(Notify::new());
        let stopped = stop.clone();
        let cancel = Box::new(move |_| stop.notify_one());
        *self.agreeing.shared.cancel.lock() = Some(cancel);
        // Dropped in the middle of an operation, a mesh closes its streams: the others find out.
        let running = async {
            tokio::select! {
                () = self.running.run() => {}
                () = stopped.notified() => {}
            }
        };
        tokio::join!(self.agreeing.run(), running);
    }
}

impl Group {
    /// A group over a mesh and streams to rank 0 (on rank 0: to every other), named by their addresses.
    pub fn new<M: Mesh>(
        mesh: M,
        star: Vec<(Option<BoxStream>, String)>,
        config: GroupConfig,
    ) -> (Group, Driver<M>) {
        let (announce, announced) = mpsc::unbounded_channel();
        let (order, orders) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared {
            rank: mesh.rank(),
            size: mesh.size(),
            state: Mutex::new(State::default()),
            announce,
            leaving: Notify::new(),
            cancel: Mutex::default(),
        });
        let agreeing = Agreeing { shared: shared.clone(), star, announced, order, config };
        let running = Running { shared: shared.clone(), mesh, orders };
        let membership = Arc::new(Membership(shared.clone()));
        (Group { shared, _membership: membership }, Driver { agreeing, running })
    }
}

/// Runs ordered operations.
pub(super) struct Running<M> {
    shared: Arc<Shared>,
    mesh: M,
    orders: mpsc::UnboundedReceiver<Request>,
}

impl<M: Mesh> Running<M> {
    pub async fn run(mut self) {
        while let Some(request) = self.orders.recv().await {
            let result = request.work.run(&mut self.mesh).await;
            if let Err(status) = &result {
                // The ranks are out of step now; only the first reason counts.
                self.shared.end(status.clone());
                let _ = self.shared.announce.send(Up::Failed(status.clone()));
            }
            // Nobody waits for it any more otherwise.
            let _ = request.done.send(result);
        }
    }
}

/// Agrees with the others.
pub(super) struct Agreeing {
    pub(super) shared: Arc<Shared>,
    pub(super) star: Vec<(Option<BoxStream>, String)>,
    announced: mpsc::UnboundedReceiver<Up>,
    order: mpsc::UnboundedSender<Request>,
    config: GroupConfig,
}

impl Agreeing {
    pub async fn run(self) {
        let shared = self.shared.clone();
        let ended = if shared.rank == 0 { self.lead().await } else { self.follow().await };
        shared.end(ended.err().unwrap_or_else(|| Status::cancelled("the group has ended")));
    }

    async fn follow(mut self) -> Result<()> {
        let gone = |name: &str, e: Status| {
            Status::unavailable(format!("rank 0 ({name}) is gone: {}", e.message()))
        };
        let Some((Some(stream), name)) = std::mem::take(&mut self.star).into_iter().next() else {
            return Err(Status::internal("there is no connection to rank 0"));
        };
        let (reader, writer) = tokio::io::split(stream);
        let (heard, mut hear) = mpsc::channel(HEARD);
        let (mut listeners, mut speakers) = (JoinSet::new(), JoinSet::new());
        listeners.spawn(listen(reader, heard));
        // A rank 0 that takes nothing must not keep this loop from noticing that it says nothing either.
        let (tell, told) = mpsc::unbounded_channel();
        speakers.spawn(speak(writer, told));
        let mut tick = interval(TICK);
        // Rank 0 answers at its limit; if nothing comes even then, it is not there.
        let limit = self.config.start_limit.saturating_add(ANSWER);
        loop {
            tokio::select! {
                biased;
                () = self.shared.leaving.notified() => {
                    let _ = tell.send(Up::Leave.to_bytes());
                    drop(tell);
                    let _ = timeout(FAREWELL, speakers.join_next()).await;
                    return Ok(());
                }
                _ = tick.tick() => {
                    if self.shared.has_waited(limit) {
                        let silent = Status::unavailable(format!("no answer in {limit:?}"));
                        return Err(gone(&name, silent));
                    }
                }
                message = hear.recv() => match message {
                    Some(Ok(Down::End(status))) => return Err(status),
                    Some(Ok(message)) => take(&self.shared, &self.order, message),
                    Some(Err(e)) => return Err(gone(&name, e)),
                    None => return Err(gone(&name, Status::unavailable("end of stream"))),
                },
                // A way that is broken is noticed by who listens.
                Some(message) = self.announced.recv() => drop(tell.send(message.to_bytes())),
            }
        }
    }

    async fn lead(mut self) -> Result<()> {
        if self.star.len() != self.shared.size {
            return Err(Status::internal(format!(
                "rank 0 was given {} places for {} ranks",
                self.star.len(),
                self.shared.size
            )));
        }
        let mut agreement = Agreement::new(self.shared.size, self.config.start_limit);
        let (heard, mut hear) = mpsc::channel(HEARD);
        let mut names = Vec::new();
        let mut writers = Vec::new();
        let (mut listeners, mut speakers) = (JoinSet::new(), JoinSet::new());
        for (rank, (stream, name)) in std::mem::take(&mut self.star).into_iter().enumerate() {
            names.push(name);
            let (tell, told) = mpsc::unbounded_channel();
            writers.push(tell);
            if let Some(stream) = stream {
                let (reader, writer) = tokio::io::split(stream);
                listeners.spawn(listen_up(rank, reader, heard.clone()));
                speakers.spawn(speak(writer, told));
            }
        }
        let mut tick = interval(TICK);
        let ended = loop {
            let (rank, message) = tokio::select! {
                biased;
                () = self.shared.leaving.notified() => break Status::unavailable(format!(
                    "rank 0 ({}) has left the group", names[0]
                )),
                _ = tick.tick() => {
                    for decision in agreement.expire(Instant::now()) {
                        self.tell(&writers, decision);
                    }
                    continue;
                }
                Some((rank, message)) = hear.recv() => (rank, message),
                Some(message) = self.announced.recv() => (0, Ok(message)),
            };
            let decision = match message {
                Ok(Up::Announce(key, signature)) => {
                    agreement.announce(rank, key, signature, Instant::now())
                }
                Ok(Up::Failed(status)) => break status,
                Ok(Up::Leave) => {
                    break Status::unavailable(format!(
                        "rank {rank} ({}) has left the group",
                        names[rank]
                    ));
                }
                Err(e) => {
                    break Status::unavailable(format!(
                        "rank {rank} ({}) is gone: {}",
                        names[rank],
                        e.message()
                    ));
                }
            };
            if let Some(decision) = decision {
                self.tell(&writers, decision);
            }
        };
        let ranks = (1..self.shared.size).collect();
        self.tell(&writers, Decision { ranks, message: Down::End(ended.clone()) });
        // Speakers end when they have told everything.
        drop(writers);
        let farewells = async { while speakers.join_next().await.is_some() {} };
        let _ = timeout(FAREWELL, farewells).await;
        Err(ended)
    }

    fn tell(&self, writers: &[mpsc::UnboundedSender<Vec<u8>>], decision: Decision) {
        for rank in decision.ranks {
            if rank == 0 {
                take(&self.shared, &self.order, decision.message.clone());
            } else {
                // One that is gone is noticed by who listens to it.
                let _ = writers[rank].send(decision.message.to_bytes());
            }
        }
    }
}

/// What rank 0 has decided, done here.
fn take(shared: &Shared, order: &mpsc::UnboundedSender<Request>, message: Down) {
    let (Down::Run(key) | Down::Refuse(key, _)) = &message else { return };
    // Not there if the group has ended here in the meantime: the others find out by their connections.
    let Some(request) = shared.state.lock().waiting.remove(key) else { return };
    // Either fails only if nobody is there any more.
    match message {
        Down::Refuse(_, status) => drop(request.done.send(Err(status))),
        _ => drop(order.send(request)),
    }
}

async fn listen(mut reader: ReadHalf<BoxStream>, heard: mpsc::Sender<Result<Down>>) {
    loop {
        let message = frame::read_down(&mut reader).await;
        let last = message.is_err();
        if heard.send(message).await.is_err() || last {
            return;
        }
    }
}

async fn listen_up(
    rank: usize,
    mut reader: ReadHalf<BoxStream>,
    heard: mpsc::Sender<(usize, Result<Up>)>,
) {
    loop {
        let message = frame::read_up(&mut reader).await;
        let last = message.is_err();
        if heard.send((rank, message)).await.is_err() || last {
            return;
        }
    }
}

async fn speak(mut writer: WriteHalf<BoxStream>, mut told: mpsc::UnboundedReceiver<Vec<u8>>) {
    while let Some(message) = told.recv().await {
        if frame::write(&mut writer, &message).await.is_err() {
            return;
        }
    }
}
