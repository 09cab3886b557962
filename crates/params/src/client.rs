//! A worker's view of all servers.
//!
//! A push goes to every server under one tag, and is repeated there until it is answered. A server that was
//! restarted goes on from its snapshot: what came after that is lost, and said; the gradients of a step that
//! is not complete are sent again.

mod layout;
mod pulling;

use std::sync::Arc;

use downpour_coordinator::Extent;
use downpour_tensor::{Code, Result, Status, Tensor};
use futures_util::future::{join_all, try_join_all};
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::caller::{Caller, Connect, NOT_YET, Patience};
use crate::frame::Item;
use crate::gradient::{Named, Packed, Update};
use crate::incarnation::{number, numbered, token, without_token};
use crate::message::{
    Answer, Ask, Define, Join, Leave, Part, Push, Put, Statistics as AskStatistics,
};
use crate::moving::Placed;
use crate::store::{Definition, Statistics};
pub use pulling::Pulled;

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
    start: Mutex<Start>,
    servers: Vec<Server>,
    sequence: Mutex<u64>,
    /// Steps this worker has handed in; the same for all servers.
    clock: Mutex<u64>,
    /// Where variables are.
    placed: Mutex<Placed>,
    /// The recovery in which this start has joined.
    recovery: Mutex<u64>,
}

/// Which start of the worker this is.
#[derive(Clone, Copy)]
struct Start {
    /// It has no number until the first server has given it one.
    incarnation: u64,
    /// The one before, of the same process.
    replaces: u64,
    /// The largest number that is known of this worker.
    above: u32,
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
    /// The start of the server that version is of.
    base_start: u64,
    /// The start of the server that has the last push.
    start: u64,
    last: Option<(Push, Arc<Vec<Item>>)>,
    /// This start of the worker was answered when it joined.
    joined: bool,
    /// Updates this worker was answered as used, of all its starts.
    used: u64,
    /// The last message with values.
    put: u64,
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

impl Client {
    /// A worker's client; `token` is a random number of this process.
    pub fn new(worker: u32, token: u32, shards: Vec<Shard>, patience: Patience) -> Client {
        let server = |shard: Shard| Server {
            caller: Caller::new(&shard.name, shard.connect, patience),
            state: Mutex::default(),
        };
        Client {
            worker,
            start: Mutex::new(Start { incarnation: numbered(0, token), replaces: 0, above: 0 }),
            servers: shards.into_iter().map(server).collect(),
            sequence: Mutex::new(0),
            clock: Mutex::new(0),
            placed: Mutex::default(),
            recovery: Mutex::default(),
        }
    }

    /// The next start of the same worker within the same process. What servers have answered to this one they
    /// are told by the next, so that they know what they have lost if they lose it. `token` is another random number.
    pub fn next_start(&self, token: u32) -> Client {
        let last = *self.start.lock();
        let next = |server: &Server| Server {
            caller: server.caller.again(),
            state: Mutex::new(ServerState {
                used: server.state.lock().used,
                ..ServerState::default()
            }),
        };
        Client {
            worker: self.worker,
            start: Mutex::new(Start {
                incarnation: numbered(0, token),
                replaces: last.incarnation,
                above: last.above.max(number(last.incarnation)),
            }),
            servers: self.servers.iter().map(next).collect(),
            sequence: Mutex::new(0),
            clock: Mutex::new(0),
            placed: Mutex::new(self.placed.lock().clone()),
            recovery: Mutex::default(),
        }
    }

    /// Returns the names of all servers.
    pub fn names(&self) -> Vec<String> {
        self.callers().map(|caller| caller.name().to_string()).collect()
    }

    /// The ways to all servers.
    pub(crate) fn callers(&self) -> impl Iterator<Item = &Caller> {
        self.servers.iter().map(|server| &server.caller)
    }

    /// The worker's number and its start.
    pub(crate) fn identity(&self) -> (u32, u64) {
        (self.worker, self.incarnation())
    }

    /// Which start of its worker this is, once it has joined; a later one has a larger number.
    pub fn incarnation(&self) -> u64 {
        self.start.lock().incarnation
    }

    /// The same as others may know it: who has this number cannot speak for the worker.
    pub fn public_incarnation(&self) -> u64 {
        without_token(self.incarnation())
    }

    /// The names of the servers that have not answered everything they were asked.
    pub fn unanswered(&self) -> Vec<String> {
        let unanswered = self.callers().filter(|caller| caller.is_unanswered());
        unanswered.map(|caller| caller.name().to_string()).collect()
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
            let Placed { epoch, layout } = self.placed.lock().clone();
            let ask = Ask::Define(Define { program, mode, workers, amount, epoch, layout });
            server.caller.patiently(ask, &[], "gone back to a cut").await
        });
        try_join_all(all).await.map(drop)
    }

    /// Takes part; asks until every server has it, and all are in the same recovery: else some would lose what this
    /// worker does.
    pub async fn join(&self) -> Result<Vec<Joined>> {
        let until = Instant::now() + self.patience().total;
        loop {
            let (recoveries, joined): (Vec<u64>, Vec<Joined>) =
                self.join_all(until).await?.into_iter().unzip();
            let first = recoveries.first().copied().unwrap_or(0);
            if recoveries.iter().all(|recovery| *recovery == first) {
                *self.recovery.lock() = first;
                return Ok(joined);
            }
            if Instant::now() > until {
                return Err(Status::deadline_exceeded(format!(
                    "waited {:.0} s until all parameter servers had gone back to the same update; are all of them running?",
                    self.patience().total.as_secs_f64()
                )));
            }
            tokio::time::sleep(NOT_YET).await;
        }
    }

    /// Joins the first server, which gives this start its number, and with that the others.
    async fn join_all(&self, until: Instant) -> Result<Vec<(u64, Joined)>> {
        let Some((first, others)) = self.servers.split_first() else { return Ok(Vec::new()) };
        loop {
            let numbered = self.join_one(first).await?;
            let others = try_join_all(others.iter().map(|server| self.join_one(server))).await?;
            let all: Option<Vec<_>> = [numbered].into_iter().chain(others).collect();
            if let Some(joined) = all {
                return Ok(joined);
            }
            if Instant::now() > until {
                return Err(Status::deadline_exceeded(format!(
                    "parameter servers did not agree on a number for this start of worker {} in {:.0} s: is another process running as this worker?",
                    self.worker,
                    self.patience().total.as_secs_f64()
                )));
            }
            self.drop_number();
        }
    }

    /// A server knows a larger number: this start asks for another one.
    fn drop_number(&self) {
        let mut start = self.start.lock();
        start.replaces = start.incarnation;
        start.incarnation = numbered(0, token(start.incarnation));
        self.servers.iter().for_each(|server| server.state.lock().joined = false);
    }

    /// `None` if the server knows a start with a larger number.
    async fn join_one(&self, server: &Server) -> Result<Option<(u64, Joined)>> {
        let ask = Ask::Join(self.asks_to_join(server, false));
        let waits_for = format!(
            "noticed that the previous process of worker {0} ended: is another one running as worker {0}?",
            self.worker
        );
        let (answer, _) = self.patiently(server, ask, &[], &waits_for).await.map_err(lost_state)?;
        {
            let mut start = self.start.lock();
            start.above = start.above.max(number(answer.incarnation));
            if answer.again {
                return Ok(None);
            }
            start.incarnation = answer.incarnation;
        }
        let mut state = server.state.lock();
        state.joined = true;
        state.start = answer.server;
        state.used = state.used.max(answer.used_before);
        // The parameters of now will do.
        (state.base, state.base_start, state.next) = (answer.version, answer.server, 0);
        state.last = None;
        let mut clock = self.clock.lock();
        *clock = answer.clock.max(*clock);
        let Answer { ready, version, steps, recovery, .. } = answer;
        Ok(Some((recovery, Joined { ready, version, steps })))
    }

    fn patience(&self) -> Patience {
        self.servers.first().map_or(Patience::default(), |server| server.caller.patience())
    }

    fn recovery(&self) -> u64 {
        *self.recovery.lock()
    }

    fn asks_to_join(&self, server: &Server, beat: bool) -> Join {
        let state = server.state.lock();
        let Start { incarnation, replaces, above } = *self.start.lock();
        let (worker, again, used) = (self.worker, state.joined, state.used);
        Join { worker, incarnation, beat, again, used, above, replaces, epoch: self.epoch() }
    }

    /// A sign of life; ABORTED if this start of the worker is over at a server. A server that cannot be reached
    /// is not waited for: the others must hear the next one in time.
    pub async fn beat(&self) -> Result<()> {
        let all = self.servers.iter().map(|server| async move {
            let ask = Ask::Join(self.asks_to_join(server, true));
            server.caller.try_once(ask).await.unwrap_or(Ok(Answer::default())).map_err(lost_state)
        });
        // All are told, whatever one of them says.
        join_all(all).await.into_iter().collect::<Result<Vec<Answer>>>().map(drop)
    }

    /// Gives variables of one server values; with `ready` they are the first, of that version, and change
    /// nothing where there are such. To be called by one that has joined.
    pub async fn put(
        &self,
        server: usize,
        values: &[Named<Tensor>],
        ready: bool,
        version: u64,
    ) -> Result<()> {
        let item = |(name, value): &Named<Tensor>| Item::new(name, Part::Whole, value.clone());
        let items: Vec<Item> = values.iter().map(item).collect();
        let server = self.server(server)?;
        let number = {
            let mut state = server.state.lock();
            state.put += 1;
            state.put
        };
        let (worker, incarnation) = self.identity();
        let (epoch, recovery) = (self.epoch(), self.recovery());
        let put = Put { ready, version, worker, incarnation, number, epoch, recovery };
        let put = self.patiently(server, Ask::Put(put), &items, "gone back to a cut").await;
        put.map(drop).map_err(lost_state)
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
        self.push_made_of(updates, steps, None).await
    }

    /// The same for updates that were made of leased data: a server that has applied these positions answers and
    /// does not apply them again.
    pub async fn push_made_of(
        &self,
        updates: Vec<Packed>,
        steps: u64,
        extent: Option<Extent>,
    ) -> Result<Vec<Pushed>> {
        let sequence = {
            let mut last = self.sequence.lock();
            *last += 1;
            *last
        };
        let clock = *self.clock.lock();
        let all = self.servers.iter().zip(updates).map(|(server, update)| async move {
            let known = server.state.lock().clone();
            let push = Push {
                worker: self.worker,
                incarnation: self.incarnation(),
                sequence,
                base: known.base,
                steps,
                start: known.base_start,
                used: known.used,
                clock,
                extent: extent.map(Into::into),
                epoch: self.epoch(),
                recovery: self.recovery(),
            };
            let Packed(items) = update;
            let pushed = self.push_one(server, &push, &items).await?;
            let mut state = server.state.lock();
            state.used += u64::from(pushed.used);
            state.last = Some((push, items));
            Ok(pushed)
        });
        let pushed = try_join_all(all).await?;
        *self.clock.lock() += 1;
        Ok(pushed)
    }

    /// Of each server, how many updates of this worker it was answered as used, of all its starts.
    pub fn used(&self) -> Vec<u64> {
        self.servers.iter().map(|server| server.state.lock().used).collect()
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
                known: answer.data.first().copied().unwrap_or(0),
                examples: answer.data.get(1).copied().unwrap_or(0),
                staleness: answer.histogram,
            })
        });
        try_join_all(all).await
    }

    /// Takes part no longer: nobody waits for this worker any more. ABORTED by a server that has lost its state:
    /// it would wait for this worker, which has to join again to leave.
    pub async fn leave(&self) -> Result<()> {
        let (worker, incarnation) = self.identity();
        let all = self.servers.iter().map(|server| async move {
            let used = server.state.lock().used;
            let ask = Ask::Leave(Leave { worker, incarnation, used });
            let left = self.patiently(server, ask, &[], "gone back to a cut").await;
            left.map_err(lost_state)
        });
        try_join_all(all).await.map(drop)
    }

    /// Until it is answered.
    async fn push_one(&self, server: &Server, push: &Push, items: &[Item]) -> Result<Pushed> {
        let ask = Ask::Push(push.clone());
        let answer = self.patiently(server, ask, items, "its variables").await;
        let (answer, _) = answer.map_err(lost_state)?;
        let mut state = server.state.lock();
        (state.start, state.next) = (answer.server, answer.next);
        Ok(Pushed {
            version: answer.version,
            steps: answer.steps,
            used: answer.used,
            staleness: answer.staleness,
        })
    }

    /// Asks until the answer is not "again".
    async fn patiently(
        &self,
        server: &Server,
        ask: Ask,
        items: &[Item],
        waits_for: &str,
    ) -> Result<(Answer, Vec<Item>)> {
        let until = Instant::now() + server.caller.patience().total;
        loop {
            let (answer, found) = server.caller.call(ask.clone(), items).await?;
            // A join that is told of a newer start is answered, too.
            if !answer.again || answer.incarnation != 0 {
                return Ok((answer, found));
            }
            if answer.undecided != 0 {
                self.pass_on(server, answer.undecided).await?;
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
