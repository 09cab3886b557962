//! Links: connections between Downpour tasks over which values are pushed as they are made.
//!
//! A link is a TCP connection to a task's only port that begins with eight bytes no HTTP/2 connection
//! begins with. Both sides say who they are (`message::Hello`), by incarnation: a task that was restarted
//! is another task. Then either side sends messages (`message`): values by step and slot, parts of steps
//! to run, parts that are done, steps that have ended. Masters learn from GetStatus which tasks can be
//! linked; to all others TensorFlow's RecvTensor and RunGraph are spoken.
//!
//! A side that is silent for `SILENCE` is dead; every `HEARTBEAT` there is something to hear. When a link
//! breaks, its steps end on both sides, and `Inbox::lost` says which task is gone and why.

mod message;
mod outgoing;
mod reader;
mod table;
mod writer;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use bytes::Bytes;
use downpour_runtime::{ComputePool, Crossing, OnSent, Slot};
use downpour_tensor::{Result, Status};
use downpour_wire::tensor_to_proto;
use parking_lot::Mutex;
use prost::Message;
use tokio::io::{AsyncRead, BufReader};
use tokio::sync::oneshot;

use message::ValueHead;
pub use message::{DEVICE_NOTE, Done, MAGIC, Run};
use outgoing::Outgoing;
pub use reader::Arrived;
use reader::{News, Reader};
pub use table::Links;
use writer::Writer;

const HEARTBEAT: Duration = Duration::from_millis(2500);
const SILENCE: Duration = Duration::from_secs(10);
/// Room for a message of small values; payloads beyond it are read straight into their tensors.
const READ_BUFFER: usize = 32 << 10;

/// What a link hands to its task. Called on network threads: must not compute, must not wait.
pub trait Inbox: Send + Sync {
    /// Values have come over the link of this number; an error ends it.
    fn arrived(&self, values: Vec<Arrived>, link: u64) -> Result<()>;
    fn ended(&self, step: i64);
    /// Run a part; the link is told when it is done.
    fn run(self: Arc<Self>, run: Run, master: &Arc<Link>);
    /// The task of this incarnation cannot be heard any more.
    fn lost(&self, incarnation: u64, status: &Status);
    /// The link of this number has ended, after `lost` if that is called.
    fn closed(&self, link: u64, status: &Status);
}

/// The links that were made so far.
static MADE: AtomicU64 = AtomicU64::new(0);

/// One side of a link.
pub struct Link {
    /// No other link of this process has it.
    number: u64,
    incarnation: u64,
    /// Name and address, for people.
    peer: String,
    outgoing: Outgoing,
    writer: Writer,
    pool: Arc<ComputePool>,
    /// Parts of steps that run there for us.
    running: Mutex<HashMap<i64, oneshot::Sender<Result<Done>>>>,
}

impl Link {
    fn new(incarnation: u64, peer: String, writer: Writer, pool: Arc<ComputePool>) -> Arc<Link> {
        Arc::new(Link {
            number: MADE.fetch_add(1, Relaxed),
            incarnation,
            peer,
            outgoing: Outgoing::default(),
            writer,
            pool,
            running: Mutex::default(),
        })
    }

    /// Of the task at the other end.
    pub fn incarnation(&self) -> u64 {
        self.incarnation
    }

    /// Why nothing can be sent any more, if so.
    pub fn closed(&self) -> Option<Status> {
        self.outgoing.closed()
    }

    /// Sends a value; `done` is called at once unless too much waits already.
    pub fn push(&self, step: i64, slot: Slot, value: Crossing, done: OnSent) {
        match encode(step, slot, value) {
            Ok((head, payload)) => {
                let send = || self.writer.send_now(&self.outgoing, &self.pool);
                self.outgoing.value(head, payload, done, send);
            }
            Err(status) => done(Err(status)),
        }
    }

    /// Asks the peer to run its part of a step.
    pub fn run(&self, run: Run) -> oneshot::Receiver<Result<Done>> {
        let (send, receive) = oneshot::channel();
        self.running.lock().insert(run.step, send);
        self.outgoing.run(run);
        self.writer.send_now(&self.outgoing, &self.pool);
        // After the insertion, so that either this or `fail` sees the other.
        if let Some(status) = self.closed() {
            self.fail(&status);
        }
        receive
    }

    /// Tells the master that a part is done. It waits for nothing else: the message leaves from this very
    /// thread if it can.
    pub fn done(&self, done: Done) {
        let has_room = self.outgoing.done(done);
        self.writer.send_now(&self.outgoing, &self.pool);
        if !has_room && self.closed().is_none() {
            self.close(&Status::resource_exhausted("it does not take the answers to its runs"));
        }
    }

    /// Tells the peer that a step has ended, at once or with the next message.
    pub fn end(&self, step: i64, soon: bool) {
        self.running.lock().remove(&step);
        self.outgoing.ended(step, soon);
    }

    fn fail(&self, status: &Status) {
        let running = std::mem::take(&mut *self.running.lock());
        for sender in running.into_values() {
            // Who does not wait any more has ended the step already.
            drop(sender.send(Err(status.clone())));
        }
    }

    /// Carries messages until the connection ends; returns why it did.
    async fn carry(
        self: &Arc<Self>,
        reader: &mut Reader<impl AsyncRead + Unpin>,
        inbox: &Arc<dyn Inbox>,
    ) -> Status {
        let reading = async {
            loop {
                let news = match tokio::time::timeout(SILENCE, reader.next()).await {
                    Ok(Ok(news)) => news,
                    Ok(Err(e)) => return e.to_string(),
                    Err(_) => return format!("nothing was heard for {} s", SILENCE.as_secs()),
                };
                if let Err(refused) = self.take(news, inbox) {
                    return refused.message().to_string();
                }
            }
        };
        let writing = self.writer.send_all(&self.outgoing, &self.pool, HEARTBEAT);
        let why = tokio::select! {
            why = reading => why,
            ended = writing => ended.map_or_else(|e| e.to_string(), |()| "it was closed".to_string()),
        };
        Status::unavailable(format!("lost the connection to {}: {why}", self.peer))
    }

    fn take(self: &Arc<Self>, news: News, inbox: &Arc<dyn Inbox>) -> Result<()> {
        news.ended.into_iter().for_each(|step| inbox.ended(step));
        if !news.values.is_empty() {
            inbox.arrived(news.values, self.number)?;
        }
        for run in news.runs {
            inbox.clone().run(run, self);
            // Its answers are not taken, or it was ended by the other side.
            if let Some(closed) = self.closed() {
                return Err(closed);
            }
        }
        for done in news.done {
            if let Some(sender) = self.running.lock().remove(&done.step) {
                // Who does not wait any more has ended the step already.
                drop(sender.send(Ok(done)));
            }
        }
        Ok(())
    }

    /// Ends the link: everybody who waits for something of it is told.
    fn close(&self, status: &Status) {
        let waiting = self.outgoing.close(status);
        self.writer.close();
        self.fail(status);
        let status = status.clone();
        self.pool.spawn(move || waiting.into_iter().for_each(|done| done(Err(status.clone()))));
    }
}

fn encode(step: i64, slot: Slot, value: Crossing) -> Result<(ValueHead, Bytes)> {
    let Slot { number, frame, iteration } = slot;
    let mut head = ValueHead { step, slot: number, frame, iteration, ..ValueHead::default() };
    let Some(tensor) = value else {
        head.dead = true;
        return Ok((head, Bytes::new()));
    };
    let payload = match tensor.to_bytes() {
        Some(bytes) => {
            head.dtype = tensor.dtype() as i32;
            head.dims = tensor.dims().iter().map(|&d| d as u64).collect();
            bytes
        }
        None => {
            head.encoded = true;
            Bytes::from(tensor_to_proto(&tensor)?.encode_to_vec())
        }
    };
    head.length = payload.len() as u64;
    Ok((head, payload))
}

fn reader<R: AsyncRead + Unpin>(stream: R) -> Reader<BufReader<R>> {
    Reader::new(BufReader::with_capacity(READ_BUFFER, stream))
}

#[cfg(test)]
mod tests;
