//! What waits to be sent to one peer.
//!
//! Protocol. Compute threads put things in and wake the writer, which takes everything that is ready as
//! one message (`begin`) and says when it has left (`written`); in between nobody else can take one. Who has
//! something that nothing else would keep company (a large value, a part to run, the end of one) takes and
//! sends a message itself, as far as that needs no waiting, and leaves the rest to the writer. Small payloads go whole; large ones wait in `bulk` and go a chunk a message, in turn, so
//! that nothing small is stuck behind them. Payloads are references to tensors, never copies. When more
//! than `ROOM` bytes wait, values wait outside with their senders' callbacks, which are called as room is
//! made: a producer does not run ahead of a peer that is slow.

use std::collections::VecDeque;

use bytes::Bytes;
use downpour_params::Pieces;
use downpour_runtime::OnSent;
use downpour_tensor::Status;
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::message::{Chunk, Done, Header, Run, ValueHead};

/// Payload bytes that may wait. One value larger than this is let in when nothing else waits.
const ROOM: usize = 64 << 20;
/// Payloads from this size on go in chunks.
const LARGE: usize = 64 << 10;
/// Ended parts that may wait to be told: beyond the steps that a master has under way at a time.
const MAX_DONE: usize = 1 << 14;
const CHUNK: usize = 1 << 20;
/// Payload bytes and values of one message, chunks aside.
const BATCH_BYTES: usize = 1 << 20;
pub const BATCH_VALUES: usize = 4096;

#[derive(Default)]
pub struct Outgoing {
    state: Mutex<State>,
    wake: Notify,
}

#[derive(Default)]
struct State {
    header: Header,
    small: VecDeque<(ValueHead, Bytes)>,
    bulk: VecDeque<Bulk>,
    /// Payload bytes in `small` and `bulk`.
    bytes: usize,
    waiting: VecDeque<(ValueHead, Bytes, OnSent)>,
    transfers: u64,
    /// Something in the header should not wait for company.
    urgent: bool,
    /// Payload bytes of the message that is being sent.
    under_way: Option<usize>,
    /// The rest of it, if it is the writer's turn.
    left_over: Option<Pieces>,
    closed: Option<Status>,
}

struct Bulk {
    transfer: u64,
    rest: Bytes,
}

/// One message.
#[derive(Default)]
pub struct Batch {
    pub header: Header,
    pub payloads: Vec<Bytes>,
}

impl Batch {
    fn pieces(&self) -> Pieces {
        Pieces::new(&self.header, &self.payloads)
    }

    fn payload_bytes(&self) -> usize {
        self.payloads.iter().map(Bytes::len).sum()
    }
}

impl Outgoing {
    /// Nobody is woken: an attempt to send it must follow.
    pub fn run(&self, run: Run) {
        self.state.lock().header.runs.push(run);
    }

    /// Nobody is woken: an attempt to send it must follow. Says whether there is room for more.
    pub fn done(&self, done: Done) -> bool {
        let mut state = self.state.lock();
        if state.closed.is_none() {
            state.header.done.push(done);
        }
        state.header.done.len() < MAX_DONE
    }

    /// That a step has ended can wait for the next message, unless somebody may be waiting there.
    pub fn ended(&self, step: i64, soon: bool) {
        let mut state = self.state.lock();
        state.header.ended.push(step);
        state.urgent |= soon || state.header.ended.len() >= BATCH_VALUES;
        if state.urgent {
            drop(state);
            self.wake.notify_one();
        }
    }

    /// A large value's sender calls `send`, before it is told to go on; small ones wait for the writer,
    /// and so for company.
    pub fn value(&self, head: ValueHead, payload: Bytes, done: OnSent, send: impl FnOnce()) {
        let is_large = payload.len() >= LARGE;
        let mut state = self.state.lock();
        let answer = match &state.closed {
            Some(status) => Err(status.clone()),
            // Who came first goes first, else a large value could wait for ever.
            None if state.waiting.is_empty() && state.has_room(payload.len()) => {
                state.admit(head, payload);
                Ok(())
            }
            None => {
                state.waiting.push_back((head, payload, done));
                return;
            }
        };
        drop(state);
        match is_large {
            true => send(),
            false => self.wake.notify_one(),
        }
        done(answer);
    }

    /// The next message for the writer, as soon as there is something to say.
    pub async fn next(&self) -> Option<Pieces> {
        loop {
            let batch = {
                let mut state = self.state.lock();
                if state.closed.is_some() {
                    return None;
                }
                if let Some(rest) = state.left_over.take() {
                    return Some(rest);
                }
                state.begin(false)
            };
            // Put into bytes outside of the lock, which compute threads need.
            if let Some(batch) = batch {
                return Some(batch.pieces());
            }
            self.wake.notified().await;
        }
    }

    /// A message of what there is, unless one is under way; `None` also if there is nothing to say.
    pub fn begin(&self) -> Option<Pieces> {
        let batch = self.state.lock().begin(false)?;
        Some(batch.pieces())
    }

    /// The same, but a message of nothing says at least that we live.
    pub fn begin_anyway(&self) -> Option<Pieces> {
        let batch = self.state.lock().begin(true)?;
        Some(batch.pieces())
    }

    /// A message that was begun is for the writer to end.
    pub fn leave_over(&self, rest: Pieces) {
        self.state.lock().left_over = Some(rest);
        self.wake.notify_one();
    }

    /// The message that was begun has left: those who may now send are to be told.
    pub fn written(&self) -> Vec<OnSent> {
        let mut state = self.state.lock();
        // Less than is subtracted when the queue was closed meanwhile.
        state.bytes = state.bytes.saturating_sub(state.under_way.take().unwrap_or(0));
        let mut admitted = Vec::new();
        while let Some(length) = state.waiting.front().map(|(_, payload, _)| payload.len())
            && state.has_room(length)
            && let Some((head, payload, done)) = state.waiting.pop_front()
        {
            state.admit(head, payload);
            admitted.push(done);
        }
        if state.has_news() {
            self.wake.notify_one();
        }
        admitted
    }

    /// Nothing will be sent any more; those who wait are to be told why.
    pub fn close(&self, status: &Status) -> Vec<OnSent> {
        let mut state = self.state.lock();
        state.closed.get_or_insert_with(|| status.clone());
        state.header = Header::default();
        state.small.clear();
        state.bulk.clear();
        state.bytes = 0;
        state.left_over = None;
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        self.wake.notify_one();
        waiting.into_iter().map(|(_, _, done)| done).collect()
    }

    pub fn closed(&self) -> Option<Status> {
        self.state.lock().closed.clone()
    }
}

impl State {
    fn has_room(&self, bytes: usize) -> bool {
        self.bytes == 0 || self.bytes.saturating_add(bytes) <= ROOM
    }

    fn admit(&mut self, mut head: ValueHead, payload: Bytes) {
        self.bytes += payload.len();
        if payload.len() < LARGE {
            self.small.push_back((head, payload));
            return;
        }
        self.transfers += 1;
        head.transfer = self.transfers;
        self.bulk.push_back(Bulk { transfer: self.transfers, rest: payload });
        self.small.push_back((head, Bytes::new()));
    }

    fn has_news(&self) -> bool {
        !self.small.is_empty()
            || !self.bulk.is_empty()
            || !self.header.runs.is_empty()
            || !self.header.done.is_empty()
            || self.urgent
    }

    fn begin(&mut self, anyway: bool) -> Option<Batch> {
        if self.under_way.is_some() || !(anyway || self.has_news()) {
            return None;
        }
        let batch = self.take();
        self.under_way = Some(batch.payload_bytes());
        Some(batch)
    }

    fn take(&mut self) -> Batch {
        self.urgent = false;
        let mut batch = Batch { header: std::mem::take(&mut self.header), payloads: Vec::new() };
        let mut bytes = 0;
        while bytes < BATCH_BYTES
            && batch.header.values.len() < BATCH_VALUES
            && let Some((head, payload)) = self.small.pop_front()
        {
            bytes += payload.len();
            batch.header.values.push(head);
            if !payload.is_empty() {
                batch.payloads.push(payload);
            }
        }
        // A chunk follows its value's head, which all have been sent when none is left.
        if self.small.is_empty()
            && let Some(mut bulk) = self.bulk.pop_front()
        {
            let chunk = bulk.rest.split_to(bulk.rest.len().min(CHUNK));
            batch.header.chunk =
                Some(Chunk { transfer: bulk.transfer, length: chunk.len() as u64 });
            batch.payloads.push(chunk);
            if !bulk.rest.is_empty() {
                self.bulk.push_back(bulk);
            }
        }
        batch
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn put(queue: &Outgoing, bytes: usize, told: &Arc<AtomicUsize>) {
        let head = ValueHead { length: bytes as u64, ..ValueHead::default() };
        let told = told.clone();
        let done = Box::new(move |sent: downpour_tensor::Result<()>| {
            told.fetch_add(if sent.is_ok() { 1 } else { 100 }, Ordering::Relaxed);
        });
        queue.value(head, Bytes::from(vec![1; bytes]), done, || ());
    }

    #[test]
    fn small_values_pass_large_ones() {
        let (queue, told) = (Outgoing::default(), Arc::default());
        put(&queue, 3 * CHUNK / 2, &told);
        put(&queue, 10, &told);
        let first = queue.state.lock().take();
        assert_eq!(first.header.values.len(), 2);
        assert_eq!(first.header.values[0].transfer, 1);
        assert_eq!(first.payloads.iter().map(Bytes::len).collect::<Vec<_>>(), [10, CHUNK]);
        put(&queue, 20, &told);
        let second = queue.state.lock().take();
        assert_eq!(second.header.chunk.as_ref().unwrap().length, CHUNK as u64 / 2);
        assert_eq!(second.payloads[0].len(), 20);
        assert_eq!(told.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn senders_wait_for_a_slow_peer() {
        let (queue, told) = (Outgoing::default(), Arc::default());
        put(&queue, ROOM, &told);
        put(&queue, 1, &told);
        put(&queue, 1, &told);
        assert_eq!(told.load(Ordering::Relaxed), 1);
        let mut admitted = Vec::new();
        while admitted.is_empty() {
            queue.begin().unwrap();
            assert!(queue.begin().is_none(), "one at a time");
            admitted = queue.written();
        }
        assert_eq!(admitted.len(), 2);
        drop(admitted);
        put(&queue, ROOM, &told);
        put(&queue, ROOM, &told);
        for done in queue.close(&Status::unavailable("gone")) {
            done(Err(Status::unavailable("gone")));
        }
        assert_eq!(told.load(Ordering::Relaxed), 1 + 200);
        put(&queue, 1, &told);
        assert_eq!(told.load(Ordering::Relaxed), 1 + 300);
    }

    #[test]
    fn answers_that_nobody_takes_are_not_kept_without_end() {
        let queue = Outgoing::default();
        let told = (0..100_000).take_while(|_| queue.done(Done::default())).count();
        assert!(told < 50_000, "{told}");
        queue.close(&Status::unavailable("gone"));
        queue.done(Done::default());
        assert!(queue.state.lock().header.done.is_empty());
    }
}
