//! A group of ranks in which any thread starts operations under a key, in any order.
//!
//! Protocol. Operations over a mesh must begin in the same order on every rank, so the ranks agree on one:
//!
//! 1. A rank that starts an operation announces its key and signature (what, type, shape) to rank 0.
//! 2. Rank 0 orders an operation when all ranks have announced it with the same signature, and tells all of
//!    them; a key that ranks announce with different signatures, or that some rank does not announce in time,
//!    fails on all of them, and only that.
//! 3. Every rank runs operations one after the other in the order in which it is told, which is the same
//!    everywhere, over connections of their own. Nothing is sent for an operation before all ranks have it.
//!
//! A key may be used again as soon as its operation is done. When a rank leaves or dies, rank 0 tells the
//! others: operations that were not ordered yet fail and so do new ones; those that were run on, to their end or
//! to the error their connections give.

mod agreement;
mod connect;
mod control;
mod frame;
mod work;

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::Instant;

pub use control::Driver;
use frame::Up;
use work::Work;

use crate::reduction::ReduceOp;

/// A way to rank 0 and back.
pub type BoxStream = Box<dyn Stream>;

/// What can carry a group's agreements.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// Operations that may be under way at once.
const MANY: usize = 1 << 16;
/// Bytes of a key.
const LONG: usize = 1024;

/// What an operation is known by on every rank.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(String);

impl From<u64> for Key {
    fn from(number: u64) -> Key {
        Key(number.to_string())
    }
}

impl From<&str> for Key {
    fn from(name: &str) -> Key {
        Key(name.to_string())
    }
}

impl From<String> for Key {
    fn from(name: String) -> Key {
        Key(name)
    }
}

/// How a group behaves.
#[derive(Clone, Copy, Debug)]
pub struct GroupConfig {
    /// How long an operation waits for all ranks to start it.
    pub start_limit: Duration,
}

impl Default for GroupConfig {
    /// Ten minutes: ranks may compute for long before they meet.
    fn default() -> GroupConfig {
        GroupConfig { start_limit: Duration::from_secs(600) }
    }
}

/// An operation that was started and not ordered yet.
struct Request {
    work: Work,
    since: Instant,
    done: oneshot::Sender<Result<Tensor>>,
}

#[derive(Default)]
struct State {
    waiting: BTreeMap<Key, Request>,
    ended: Option<Status>,
}

type Cancel = Box<dyn Fn(Status) + Send>;

struct Shared {
    rank: usize,
    size: usize,
    state: Mutex<State>,
    announce: mpsc::UnboundedSender<Up>,
    leaving: Notify,
    /// Ends the mesh under a running operation, if that is not ended by dropping its future.
    cancel: Mutex<Option<Cancel>>,
}

impl Shared {
    /// True if an operation has waited for so long.
    fn has_waited(&self, limit: Duration) -> bool {
        self.state.lock().waiting.values().any(|request| request.since.elapsed() >= limit)
    }

    /// Why an operation was dropped.
    fn lost(&self) -> Status {
        let ended = self.state.lock().ended.clone();
        ended.unwrap_or_else(|| Status::unavailable("what ran the group is gone"))
    }

    /// Fails what waits and what will come, with the first reason given.
    fn end(&self, status: Status) {
        let waiting = {
            let mut state = self.state.lock();
            state.ended.get_or_insert(status.clone());
            std::mem::take(&mut state.waiting)
        };
        for (_, request) in waiting {
            // Nobody waits for it any more otherwise.
            let _ = request.done.send(Err(status.clone()));
        }
    }
}

/// Leaves the group when the last handle is gone.
struct Membership(Arc<Shared>);

impl Drop for Membership {
    fn drop(&mut self) {
        self.0.end(Status::cancelled("this rank has left the group"));
        self.0.leaving.notify_one();
    }
}

/// A handle on a group, for any thread; clones are the same group, which is left when the last is dropped.
#[derive(Clone)]
pub struct Group {
    shared: Arc<Shared>,
    _membership: Arc<Membership>,
}

/// An operation that was started: a future, or something to wait for on a thread. Dropping it changes nothing
/// for the other ranks.
pub struct Pending {
    result: oneshot::Receiver<Result<Tensor>>,
    shared: Arc<Shared>,
}

impl Pending {
    /// Waits for the result on this thread, which must not be one of tokio's. It comes: by its operation's end, the
    /// group's, or the start limit.
    pub fn wait(self) -> Result<Tensor> {
        let shared = self.shared;
        self.result.blocking_recv().unwrap_or_else(|_| Err(shared.lost()))
    }
}

impl Future for Pending {
    type Output = Result<Tensor>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<Tensor>> {
        let result = Pin::new(&mut self.result).poll(context);
        result.map(|result| result.unwrap_or_else(|_| Err(self.shared.lost())))
    }
}

impl Group {
    /// Which of the group this is.
    pub fn rank(&self) -> usize {
        self.shared.rank
    }

    /// How many the group has.
    pub fn size(&self) -> usize {
        self.shared.size
    }

    /// The reduction of every rank's tensor.
    pub fn all_reduce(&self, key: impl Into<Key>, tensor: Tensor, op: ReduceOp) -> Pending {
        self.start(key.into(), Work::AllReduce(tensor, op))
    }

    /// All ranks' tensors one after the other along their first axis; scalars make a vector.
    pub fn all_gather(&self, key: impl Into<Key>, tensor: Tensor) -> Pending {
        self.start(key.into(), Work::AllGather(tensor))
    }

    /// The tensor of rank `root`; that of the others only tells type and shape.
    pub fn broadcast(&self, key: impl Into<Key>, tensor: Tensor, root: usize) -> Pending {
        self.start(key.into(), Work::Broadcast(tensor, root))
    }

    /// The own part, along the first axis, of the reduction of every rank's tensor.
    pub fn reduce_scatter(&self, key: impl Into<Key>, tensor: Tensor, op: ReduceOp) -> Pending {
        self.start(key.into(), Work::ReduceScatter(tensor, op))
    }

    /// Part `r`, along the first axis, of every rank's tensor for rank `r`.
    pub fn all_to_all(&self, key: impl Into<Key>, tensor: Tensor) -> Pending {
        self.start(key.into(), Work::AllToAll(tensor))
    }

    /// Done when every rank has started it; the tensor is an empty one.
    pub fn barrier(&self, key: impl Into<Key>) -> Pending {
        self.start(key.into(), Work::Barrier)
    }

    /// Ends the group on every rank, running operations too.
    pub fn abort(&self, status: Status) {
        self.shared.end(status.clone());
        // Fails only when the group has ended otherwise.
        let _ = self.shared.announce.send(Up::Failed(status.clone()));
        if let Some(cancel) = &*self.shared.cancel.lock() {
            cancel(status);
        }
    }

    fn start(&self, key: Key, work: Work) -> Pending {
        let (done, result) = oneshot::channel();
        let refused = match self.admit(&key, &work) {
            Ok(signature) => {
                self.announce(key, signature, Request { work, since: Instant::now(), done })
            }
            Err(status) => Some((done, status)),
        };
        if let Some((done, status)) = refused {
            // The receiver is ours.
            let _ = done.send(Err(status));
        }
        Pending { result, shared: self.shared.clone() }
    }

    /// The signature of an operation that can be done.
    fn admit(&self, key: &Key, work: &Work) -> Result<String> {
        if key.0.len() > LONG {
            return Err(Status::invalid_argument(format!(
                "an operation's key has {} bytes, more than {LONG}",
                key.0.len()
            )));
        }
        work.signature(self.shared.size).map_err(|e| e.context(format!("operation {:?}", key.0)))
    }

    fn announce(
        &self,
        key: Key,
        signature: String,
        request: Request,
    ) -> Option<(oneshot::Sender<Result<Tensor>>, Status)> {
        let mut state = self.shared.state.lock();
        let refusal = if let Some(status) = &state.ended {
            status.clone()
        } else if state.waiting.contains_key(&key) {
            Status::already_exists(format!("operation {:?} is under way already", key.0))
        } else if state.waiting.len() >= MANY {
            Status::resource_exhausted(format!("{MANY} operations wait already"))
        } else {
            state.waiting.insert(key.clone(), request);
            // Under the lock: rank 0 hears of operations in the order in which they were put there.
            let _ = self.shared.announce.send(Up::Announce(key, signature));
            return None;
        };
        Some((request.done, refusal))
    }
}
