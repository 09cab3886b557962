//! A worker's view of all servers.
//!
//! A push goes to every server under one tag, and is repeated there until it is answered. A server that was
//! restarted goes on from its snapshot: what came after that is lost, and said; the gradients of a step that
//! is not complete are sent again.

use std::sync::Arc;
use std::time::Duration;

use downpour_tensor::{Code, Result, Status, Tensor};
use futures_util::future::try_join_all;
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::caller::{Caller, Connect, Patience};
use crate::frame::Item;
use crate::gradient::{Named, Packed, Update};
use crate::message::{
    Answer, Ask, Define, Join, Leave, Part, Pull, Push, Put, Statistics as AskStatistics,
};
use crate::store::{Definition, Statistics};

/// A server: what it is called, and the way there.
pub struct Shard {
    /// For messages.
    pub name: String,
    /// The way there.
    pub connect: Connect,
}

/// A worker's connections to all servers.
pub struct Client {
    worker: u32,
    incarnation: u64,
    servers: Vec<Server>,
    sequence: Mutex<u64>,
}

struct Server {
    caller: Caller,
    state: Mutex<ServerState>,
}

#[derive(Default, Clone)]
struct ServerState {
    /// The version of the parameters this worker has.
    base: u64,
    /// The version it may go on with.
    next: u64,
    /// The start of the server that has the last push.
    start: u64,
    last: Option<(Push, Arc<Vec<Item>>)>,
}

/// What a server says of itself when one joins.
#[derive(Clone, Copy, Debug)]
pub struct Joined {
    /// Whether its variables have values.
    pub ready: bool,
    /// Updates so far.
    pub version: u64,
    /// Steps so far.
    pub steps: u64,
}

/// What became of a push.
#[derive(Clone, Copy, Debug)]
pub struct Pushed {
    /// Updates so far.
    pub version: u64,
    /// Steps so far.
    pub steps: u64,
    /// False if it was of an old step.
    pub used: bool,
    /// By how many updates its parameters were older than the newest.
    pub staleness: u64,
}

/// A server's values.
#[derive(Clone, Debug)]
pub struct Pulled {
    /// Updates so far.
    pub version: u64,
    /// Steps so far.
    pub steps: u64,
    /// By name, in the order they were asked for.
    pub values: Vec<Named<Tensor>>,
}

impl Client {
    /// A worker's client; a later start of the same worker must have a larger `incarnation`.
    pub fn new(worker: u32, incarnation: u64, shards: Vec<Shard>, patience: Patience) -> Client {
        let server = |shard: Shard| Server {
            caller: Caller::new(&shard.name, shard.connect, patience),
            state: Mutex::default(),
        };
        Client {
            worker,
            incarnation,
            servers: shards.into_iter().map(server).collect(),
            sequence: Mutex::new(0),
        }
    }

    /// Gives up all connections; the next request makes new ones.
    pub fn cut_connections(&self) {
        self.servers.iter().for_each(|server| server.caller.cut());
    }

    /// Goes on with the numbering of a client of the same start.
    pub fn set_sequence(&self, last: u64) {
        *self.sequence.lock() = last;
    }

    /// How many servers there are.
    pub fn servers(&self) -> usize {
        self.servers.len()
    }

    /// Tells every server what it trains.
    pub async fn define(&self, definitions: &[Definition]) -> Result<()> {
        let all = self.servers.iter().zip(definitions).map(|(server, definition)| async move {
            let (mode, workers, amount) = definition.mode.parts();
            let program = definition.program.clone();
            let ask = Ask::Define(Define { program, mode, workers, amount });
            server.caller.call(ask, &[]).await
        });
        try_join_all(all).await.map(drop)
    }

    /// Takes part; asks until every server has it.
    pub async fn join(&self) -> Result<Vec<Joined>> {
        let all = self.servers.iter().map(|server| async move {
            let ask = Ask::Join(Join { worker: self.worker, incarnation: self.incarnation });
            let (answer, _) = patiently(server, ask, &[], "an update of its earlier start").await?;
            let mut state = server.state.lock();
            state.start = answer.server;
            // The parameters of now will do.
            (state.base, state.next) = (answer.version, 0);
            Ok(Joined { ready: answer.ready, version: answer.version, steps: answer.steps })
        });
        try_join_all(all).await
    }

    /// A sign of life; ABORTED if this start of the worker is over.
    pub async fn beat(&self) -> Result<()> {
        let ask = || Ask::Join(Join { worker: self.worker, incarnation: self.incarnation });
        let all =
            self.servers.iter().map(|server| async move { server.caller.call(ask(), &[]).await });
        try_join_all(all).await.map(drop)
    }

    /// Gives variables of one server values; with `ready` they are the last, of that version.
    pub async fn put(
        &self,
        server: usize,
        values: &[Named<Tensor>],
        ready: bool,
        version: u64,
    ) -> Result<()> {
        let item = |(name, value): &Named<Tensor>| Item::new(name, Part::Whole, value.clone());
        let items: Vec<Item> = values.iter().map(item).collect();
        let ask = Ask::Put(Put { ready, version });
        self.server(server)?.caller.call(ask, &items).await.map(drop)
    }

    fn server(&self, index: usize) -> Result<&Server> {
        self.servers.get(index).ok_or_else(|| {
            Status::invalid_argument(format!("there is no parameter server {index}"))
        })
    }

    /// Hands gradients to every server, and values to be set with them; once, however often it takes.
    pub async fn push(&self, updates: &[Update], steps: u64) -> Result<Vec<Pushed>> {
        let packed = updates.iter().map(|update| update.pack(None)).collect::<Result<Vec<_>>>()?;
        self.push_packed(packed, steps).await
    }

    /// The same for updates that were packed.
    pub async fn push_packed(&self, updates: Vec<Packed>, steps: u64) -> Result<Vec<Pushed>> {
        let sequence = {
            let mut last = self.sequence.lock();
            *last += 1;
            *last
        };
        let all = self.servers.iter().zip(updates).map(|(server, update)| async move {
            let base = server.state.lock().base;
            let (worker, incarnation) = (self.worker, self.incarnation);
            let push = Push { worker, incarnation, sequence, base, steps };
            let Packed(items) = update;
            let answer = patiently(server, Ask::Push(push.clone()), &items, "its variables").await;
            let (answer, _) = answer.map_err(lost_state)?;
            let mut state = server.state.lock();
            state.next = answer.next;
            state.start = answer.server;
            state.last = Some((push, items));
            Ok(Pushed {
                version: answer.version,
                steps: answer.steps,
                used: answer.used,
                staleness: answer.staleness,
            })
        });
        try_join_all(all).await
    }

    /// Asks every server for values, waiting for other workers as the strategy wants it.
    pub async fn pull(&self, names: &[Vec<String>]) -> Result<Vec<Pulled>> {
        let all =
            self.servers.iter().zip(names).map(|(server, names)| self.pull_one(server, names));
        try_join_all(all).await
    }

    async fn pull_one(&self, server: &Server, names: &[String]) -> Result<Pulled> {
        let until = Instant::now() + server.caller.patience().total;
        loop {
            let known = server.state.lock().clone();
            let ask = Ask::Pull(Pull {
                worker: self.worker,
                incarnation: self.incarnation,
                at_least: known.next,
                names: names.to_vec(),
                now: false,
            });
            let (answer, items) = server.caller.call(ask, &[]).await.map_err(lost_state)?;
            if !answer.again {
                let mut state = server.state.lock();
                state.base = answer.version;
                state.last = None;
                return Ok(pulled(answer, items));
            }
            // A restarted server has the gradients of whole steps; those of the one it is at must come again.
            if let Some((push, items)) = known.last.filter(|_| answer.server != known.start) {
                let again = patiently(server, Ask::Push(push), &items, "its variables").await;
                let again = again.map_err(lost_state)?.0;
                let mut state = server.state.lock();
                // It may have gone back further than this step.
                (state.start, state.next) = (again.server, again.next);
            }
            if Instant::now() > until {
                return Err(Status::deadline_exceeded(format!(
                    "waited {:.0} s at the parameter server {} for the other workers; are all of them running? \
                     Workers that are not to be waited for are `backups`.",
                    server.caller.patience().total.as_secs_f64(),
                    server.caller.name()
                )));
            }
        }
    }

    /// Values as they are, without waiting for anybody; all of them if none are named.
    pub async fn read(&self, server: usize, names: &[String]) -> Result<Pulled> {
        let server = self.server(server)?;
        let (worker, incarnation) = (self.worker, self.incarnation);
        let ask = Pull { worker, incarnation, at_least: 0, names: names.to_vec(), now: true };
        let answer = patiently(server, Ask::Pull(ask), &[], "the first values").await;
        let (answer, items) = answer.map_err(lost_state)?;
        Ok(pulled(answer, items))
    }

    /// What has happened at each server.
    pub async fn statistics(&self) -> Result<Vec<Statistics>> {
        let all = self.servers.iter().map(|server| async move {
            let (answer, _) = server.caller.call(Ask::Statistics(AskStatistics {}), &[]).await?;
            let count = |index: usize| answer.counts.get(index).copied().unwrap_or(0);
            Ok(Statistics {
                updates: count(0),
                steps: answer.steps,
                repeated: count(1),
                dropped: count(2),
                lost: count(3),
                refused: count(4),
                staleness: answer.histogram,
            })
        });
        try_join_all(all).await
    }

    /// Takes part no longer: nobody waits for this worker any more.
    pub async fn leave(&self) -> Result<()> {
        let (worker, incarnation) = (self.worker, self.incarnation);
        let ask = || Ask::Leave(Leave { worker, incarnation });
        let all =
            self.servers.iter().map(|server| async move { server.caller.call(ask(), &[]).await });
        try_join_all(all).await.map(drop)
    }
}

fn pulled(answer: Answer, items: Vec<Item>) -> Pulled {
    let values = items.into_iter().map(|item| (item.name, item.tensor)).collect();
    Pulled { version: answer.version, steps: answer.steps, values }
}

/// How long between two questions to a server that says "not yet" at once.
const NOT_YET: Duration = Duration::from_millis(10);

/// Asks until the answer is not "again".
async fn patiently(
    server: &Server,
    ask: Ask,
    items: &[Item],
    waits_for: &str,
) -> Result<(Answer, Vec<Item>)> {
    let until = Instant::now() + server.caller.patience().total;
    loop {
        let (answer, found) = server.caller.call(ask.clone(), items).await?;
        if !answer.again {
            return Ok((answer, found));
        }
        if Instant::now() > until {
            return Err(Status::deadline_exceeded(format!(
                "waited {:.0} s until the parameter server {} had {waits_for}",
                server.caller.patience().total.as_secs_f64(),
                server.caller.name()
            )));
        }
        tokio::time::sleep(NOT_YET).await;
    }
}

/// A server that knows nothing was restarted without a snapshot: whoever trains must begin again.
fn lost_state(status: Status) -> Status {
    match status.code() {
        Code::FailedPrecondition => {
            Status::aborted(format!("a parameter server has lost its state: {}", status.message()))
        }
        _ => status,
    }
}
